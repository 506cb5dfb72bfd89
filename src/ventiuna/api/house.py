"""`vt.House`: read the records of a house with live tables, even while it is open."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from ventiuna.analysis.coerce import (
    check_flag,
    check_number,
    coerce_numbers,
    coerce_path,
    coerce_text,
    coerce_texts,
)
from ventiuna.analysis.figures import edge_and_deviation
from ventiuna.api import checked_call
from ventiuna.engine.events import Wager
from ventiuna.engine.views import DEALER, EVERYONE
from ventiuna.rules import Rules
from ventiuna.table import listings
from ventiuna.table.admin import initialize_house, read_house, redacted_address
from ventiuna.table.audit.house import AuditReport, AuditScope, audit
from ventiuna.table.backup import Copied, back_up, restore_into
from ventiuna.table.daily_report import (
    DailyReport,
    Expectation,
    ReportData,
    daily_report,
    day_of,
    no_theory,
    read_day,
    read_zone,
    report_csv,
    report_data,
    report_lines,
)
from ventiuna.table.history import RecalledRound, recall, rounds_of, table_row
from ventiuna.table.journal import seal_hash
from ventiuna.table.listings import (
    BookLine,
    DisplayedJackpot,
    EntryData,
    PersonBalance,
    ShoeLine,
)
from ventiuna.table.moments import (
    MeterCurve,
    Moments,
    PastBalance,
    PastMeter,
    PastTable,
    read_moment,
    read_time,
)
from ventiuna.table.outside_seals import house_of, outside_seals
from ventiuna.table.shoe_record import PublicRecord, Verification, verify
from ventiuna.table.store import database_address, known_key, open_house

__all__ = ["DayReport", "House", "create_house", "restore_house"]


T = TypeVar("T")
Data = dict[str, object]


class House:
    """Read-only access to a house with live tables. Nothing is locked or written.

    `database` is a SQLite file or `postgresql://…`; the default is the house in your data folder.
    Each query reads a consistent snapshot of the database. A server can run at the same time.

    >>> import tempfile, ventiuna as vt
    >>> folder = tempfile.TemporaryDirectory()
    >>> house = vt.create_house(f"{folder.name}/house.sqlite", name="River Room")
    >>> house.status()["name"], house.tables(), house.audit().holds
    ('River Room', [], True)
    >>> house.report("2026-11-16", zone="UTC").rounds
    0
    >>> house.backup(f"{folder.name}/copy.jsonl").rows["house"]
    1
    >>> folder.cleanup()
    """

    @checked_call
    def __init__(self, database: str | Path = "") -> None:

        self._address = database_address(_coerce_database(database))
        read_house(self._address, lambda _: None)  # raises an error if there is no house

    # --- Listings ---

    @checked_call
    def status(self) -> Data:
        """Summarize the house: people, tables, jackpots, money, the newest seal."""
        return self._read(listings.house_summary)

    @checked_call
    def tables(self) -> list[Data]:
        """List all tables with their rules, including closed ones."""
        return self._read(listings.list_tables)

    @checked_call
    def persons(self, after: int = 0, most: int = 100) -> list[PersonBalance]:
        """List people by number, starting after number `after`, with role and wallet."""
        check_number("after", after)
        check_number("most", most)
        return self._read(lambda connection: listings.list_people(connection, after, most))

    @checked_call
    def jackpots(self) -> list[DisplayedJackpot]:
        """List all progressives with their meters and reserves, including removed ones."""
        return self._read(listings.list_jackpots)

    @checked_call
    def books(self) -> list[BookLine]:
        """List all books with their kind and length."""
        return self._read(listings.list_books)

    @checked_call
    def entries(self, book: int, after: int = 0, most: int = 100) -> list[EntryData]:
        """List a book's entries after version `after`: command, events, postings, hash."""
        check_number("book", book, 1)
        check_number("after", after)
        check_number("most", most)
        return self._read(lambda connection: listings.entries_of(connection, book, after, most))

    @checked_call
    def shoes(self, table: int) -> list[ShoeLine]:
        """List a table's shoes: number, state, commitment."""
        return self._read_table(table, lambda connection: listings.shoes_of(connection, table))

    @checked_call
    def rounds(self, table: int, most: int = 10, before: int = 0) -> list[int]:
        """List a table's latest rounds by number, newest first, before round `before` if given."""
        check_number("most", most)
        check_number("before", before)
        return self._read_table(
            table, lambda connection: rounds_of(connection, table, most, before)
        )

    # --- Rounds, shoes, reports and audits ---

    @checked_call
    def recall(self, table: int, number: int = 0, *, down_card: bool = False) -> RecalledRound:
        """Recall a round from the books; 0 means the latest.

        `down_card` reveals the down card even if nobody was entitled to see it. On the result,
        `steps` are the events with their times, `sentences` describe them, `text` can be read by
        `vt.settle`, and `as_data()` returns plain data.
        """
        check_number("table", table, 1)
        check_number("number", number)
        check_flag("down_card", down_card)
        viewer = DEALER if down_card else EVERYONE
        return self._read(lambda connection: recall(connection, table, number, viewer))

    @checked_call
    def balance_at(self, account: str, at: str) -> PastBalance:
        """The balance of an account, such as `wallet/3`, at a past moment.

        `at` is a time such as 2026-11-18T20:30 (UTC without an offset), an entry such as 7/123
        (entry 123 of book 7), or a seal such as seal/9.
        """
        code, moment = coerce_text("account", account), read_moment(coerce_text("at", at))
        return self._read(lambda connection: Moments().balance(connection, code, moment))

    @checked_call
    def meter_at(self, jackpot: int, at: str) -> PastMeter:
        """What a jackpot displayed at a past moment, given as for `balance_at`."""
        check_number("jackpot", jackpot, 1)
        moment = read_moment(coerce_text("at", at))
        return self._read(lambda connection: Moments().meter(connection, jackpot, moment))

    @checked_call
    def meter_history(
        self, jackpot: int, since: str = "", until: str = "", *, points: int = 100
    ) -> MeterCurve:
        """What a jackpot displayed over time, and its awards; the default is its entire history."""
        check_number("jackpot", jackpot, 1)
        check_number("points", points, 1)
        first, last = (
            read_time(coerce_text(name, text))
            for name, text in (("since", since), ("until", until))
        )
        return self._read(
            lambda connection: Moments().curve(connection, jackpot, first, last, points)
        )

    @checked_call
    def table_at(self, table: int, at: str) -> PastTable:
        """A table as anyone could have seen it at a past moment, given as for `balance_at`."""
        check_number("table", table, 1)
        moment = read_moment(coerce_text("at", at))
        return self._read(lambda connection: Moments().table(connection, table, moment))

    @checked_call
    def shoe_record(self, table: int, shoe: int) -> PublicRecord:
        """Return the public record of a finished shoe."""
        check_number("table", table, 1)
        check_number("shoe", shoe, 1)
        return self._read(lambda connection: listings.public_record(connection, table, shoe))

    @checked_call
    def verify(self, table: int, shoe: int) -> Verification:
        """Check that the house committed to this shoe and dealt every card from it."""
        return verify(self.shoe_record(table, shoe))

    @checked_call
    def report(
        self, day: str = "", *, start_hour: int = 6, zone: str = "", theory: bool = False
    ) -> DayReport:
        """Report on a gambling day, such as 2026-11-16, or a range, such as 2026-11-16..2026-11-18.

        The default is today, in the local time zone. With `theory`, the report includes the
        expected win, from the exact analyzer.
        """
        check_number("start_hour", start_hour)
        check_flag("theory", theory)
        here = read_zone(coerce_text("zone", zone))
        now = time.time_ns() // 1_000_000
        named = coerce_text("day", day)
        business_day = read_day(named, start_hour, here) if named else day_of(now, start_hour, here)
        known = expected_win if theory else no_theory
        return DayReport(
            self._read(lambda connection: daily_report(connection, business_day, known))
        )

    @checked_call
    def audit(
        self,
        books: Sequence[int] = (),
        *,
        from_seal: int | None = None,
        seals: Sequence[str] = (),
        seal_copy: str = "",
    ) -> AuditReport:
        """Replay every command and compare every event, posting, balance and row.

        `books` limits the audit to some books. Entries up to the seal `from_seal` are trusted.
        `seals` are previously noted hashes, which must be among the house's seals. `seal_copy` is
        the file or address of a copy made with `--seal-to`. On the result, `holds` is True if
        nothing differs, and `differences` lists what does.
        """
        if from_seal is not None:
            check_number("from_seal", from_seal, 1)
        scope = AuditScope(
            key=known_key(self._address),
            books=coerce_numbers("books", books),
            from_seal=from_seal,
            held_seals=[seal_hash(text) for text in coerce_texts("seals", seals)],
        )
        copy = coerce_text("seal_copy", seal_copy)

        def compare(connection: Connection) -> AuditReport:
            held = outside_seals(copy).read(house_of(connection)) if copy else None
            return audit(connection, replace(scope, outside=held))

        return self._read(compare)

    @checked_call
    def backup(self, file: str | Path) -> Copied:
        """Write a verified copy to a new file, as lines of JSON if its name ends in .jsonl."""
        target = coerce_path("file", file)
        with open_house(self._address) as opened:
            return back_up(opened, target)

    def _read(self, query: Callable[[Connection], T]) -> T:
        return read_house(self._address, query)

    def _read_table(self, table: int, query: Callable[[Connection], T]) -> T:
        """Like `_read`, but raise an error if the table doesn't exist."""

        def read_existing(connection: Connection) -> T:
            table_row(connection, table)
            return query(connection)

        check_number("table", table, 1)
        return self._read(read_existing)

    def __repr__(self) -> str:

        return f"<House in {redacted_address(self._address)}>"


@dataclass(frozen=True, slots=True)
class DayReport:
    """A house's gambling day or days: `tables` and `meters`, each with its lines."""

    found: DailyReport

    @property
    def rounds(self) -> int:
        return self.found.rounds

    @property
    def drop(self) -> int:
        """Total buy-ins in cents."""
        return self.found.drop

    @property
    def win(self) -> int:
        """The house's win in cents."""
        return self.found.win

    @property
    def text(self) -> str:

        return "\n".join(report_lines(self.found))

    def as_data(self) -> ReportData:

        return report_data(self.found)

    def to_csv(self) -> str:

        return report_csv(self.found)


def expected_win(rules: Rules, wager: Wager) -> Expectation | None:
    """Expected win per unit staked, from the exact analyzer; None if it can't be computed."""
    known = edge_and_deviation(rules, wager)
    return None if known is None else Expectation(*known)


@checked_call
def create_house(database: str | Path = "", *, name: str = "Ventiuna") -> House:
    """Create a house with its secret key; then add an operator with `ventiuna house operators add`.

    >>> import tempfile, ventiuna as vt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     vt.create_house(f"{folder}/house.sqlite").status()["operators"]
    0
    """
    where = _coerce_database(database)
    initialize_house(where, coerce_text("name", name))
    return House(where)


@checked_call
def restore_house(file: str | Path, database: str | Path) -> House:
    """Restore a copy into an empty database, but only if its chains and balances check out.

    Copy the house's key next to it yourself: rounds in play need it to continue.

    >>> import tempfile, ventiuna as vt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     copied = vt.create_house(f"{folder}/house.sqlite").backup(f"{folder}/copy.jsonl")
    ...     house = vt.restore_house(f"{folder}/copy.jsonl", f"{folder}/other.sqlite")
    ...     house.status()["house"] == copied.house
    True
    """
    where = database_address(_coerce_database(database))
    restore_into(coerce_path("file", file), where)
    return House(where)


def _coerce_database(database: str | Path) -> str:
    """Check a file path or database address; empty means the house in the data folder."""
    if database != "":
        coerce_path("database", database)
    return str(database)  # not a Path: that would drop a slash from an address
