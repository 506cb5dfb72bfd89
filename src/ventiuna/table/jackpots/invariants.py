"""The seven invariants of a progressive that follow from the regulation, checked from entry 1.

1. Money moves in whole cents from one account to another; parts of a cent are kept.
2. What is displayed and the reserve are the fund; seed money is told apart.
3. A meter falls only for a listed reason.
4. The house gets nothing out of a meter, and no more seed back than it advanced.
5. The display never passes the maximum.
6. Linked tables show one number.
7. A suspended jackpot takes no wagers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ventiuna.core.meters import SHARES
from ventiuna.engine.events import MeterRaised, MetersShown, WagerSettled, WagersPlaced
from ventiuna.table.books.seal_order import SealOrder
from ventiuna.table.events import (
    JackpotLinked,
    JackpotUnlinked,
    ReserveRaised,
    TableEvent,
)
from ventiuna.table.jackpots.events import (
    AwardPaid,
    JackpotCreated,
    JackpotEvent,
    MovedIn,
)
from ventiuna.table.jackpots.postings import advance_of, meter_of, postings_of_all, reserve_of
from ventiuna.table.jackpots.progressive import Progressive, Reading, apply, created, shown
from ventiuna.table.ledger.chain import Entry, Posting
from ventiuna.table.ledger.chart import AccountKind, PostingCode

E = TypeVar("E")
FALLS = {
    PostingCode.FOLD,
    PostingCode.OVERFLOW,
    PostingCode.AWARD,
    PostingCode.SEED_BACK,
    PostingCode.CORRECT_DOWN,
    PostingCode.MOVED,
}
FUND = (AccountKind.METER, AccountKind.RESERVE)


@dataclass(frozen=True, slots=True)
class Recorded(Generic[E]):
    """An entry with its events read."""

    version: int
    first_event: int
    at: int
    key: str
    events: tuple[E, ...]
    postings: tuple[Posting, ...]


def recorded(entry: Entry, read: Callable[[object, int], E]) -> Recorded[E]:
    """The entry with its events as the book's own codec reads them."""
    return Recorded(
        entry.version,
        entry.first_event,
        entry.at,
        entry.key,
        tuple(read(data, entry.engine) for data in entry.event_data()),
        entry.postings,
    )


@dataclass(frozen=True, slots=True)
class Broken:
    """Which invariant, where, and what is wrong in one sentence."""

    invariant: int
    book: int
    version: int
    sentence: str


@dataclass(slots=True)
class _Feeder:
    """A table while its book is read."""

    table: int
    game: int = 0  # that feeds the jackpot; 0: none
    remainder: int = 0
    reserve_remainder: int = 0


class FundCheck:
    """One progressive: its own book first, from entry 1, then those of its tables, then `finish`.

    Tables that never fed it have nothing to say and may be left out. What came first in two books
    the seals tell.
    """

    def __init__(self, number: int, order: SealOrder) -> None:
        self.broken: list[Broken] = []
        self._number = number
        self._order = order
        self._jackpot: Progressive | None = None
        self._balances: Counter[str] = Counter()
        self._shut: list[tuple[int, int | None]] = []  # suspended and resumed by these versions
        self._awards: dict[tuple[int, int], tuple[int, int]] = {}  # shown, paid by table, version
        self._feeders: dict[int, _Feeder] = {}

    # --- the jackpot's own book ---

    def add_jackpot_entry(self, entry: Recorded[JackpotEvent]) -> None:
        due = postings_of_all(self._number, entry.events, entry.first_event)
        if due != entry.postings:
            self._break(2, self._number, entry.version, "The postings are not those of the events.")
        for event in entry.events:
            self._apply(event, entry)
        for line in entry.postings:
            self._check_line(line, entry.version)
            self._post(line)
        self._check_state(entry)

    def _apply(self, event: JackpotEvent, entry: Recorded[JackpotEvent]) -> None:
        if self._jackpot is None:
            if isinstance(event, JackpotCreated):
                self._jackpot = created(self._number, event)
            return
        if isinstance(event, AwardPaid):
            self._note_award(event, self._jackpot.meter, entry)
        self._jackpot = apply(self._jackpot, event)
        if isinstance(event, MovedIn):
            self._balances[meter_of(self._number)] += event.meter
            self._balances[reserve_of(self._number)] += event.reserve

    def _check_line(self, line: Posting, version: int) -> None:
        if line.from_kind is not AccountKind.METER:
            return
        named = line.reason is not None or line.code not in (
            PostingCode.SEED_BACK,
            PostingCode.CORRECT_DOWN,
            PostingCode.MOVED,
        )
        if line.code not in FALLS or not named:
            self._break(3, self._number, version, f"The meter falls by {line.code} without reason.")
        if line.to_kind in (AccountKind.HOUSE, AccountKind.BANK):
            self._break(4, self._number, version, f"{line.code} pays the house out of the meter.")

    def _post(self, line: Posting) -> None:
        self._balances[line.from_account] -= line.amount
        self._balances[line.to_account] += line.amount

    def _check_state(self, entry: Recorded[JackpotEvent]) -> None:
        jackpot = self._jackpot
        if jackpot is None:
            self._break(2, self._number, entry.version, "The book does not begin with a creation.")
            return
        held = (
            self._balances[meter_of(self._number)],
            self._balances[reserve_of(self._number)],
            -self._balances[advance_of(self._number)],
        )
        if held != (jackpot.meter, jackpot.reserve, jackpot.advanced) or min(held[:2]) < 0:
            self._break(
                2, self._number, entry.version, "The accounts do not hold what the events say."
            )
        if jackpot.advanced < 0:
            self._break(4, self._number, entry.version, "More seed came back than was advanced.")
        if jackpot.maximum is not None and jackpot.meter > jackpot.maximum:
            self._break(5, self._number, entry.version, "The meter is above its maximum.")
        self._note_status(jackpot, entry.version)

    def _note_status(self, jackpot: Progressive, version: int) -> None:
        is_shut = bool(self._shut) and self._shut[-1][1] is None
        if not jackpot.takes_wagers and not is_shut:
            self._shut.append((version, None))
        elif jackpot.takes_wagers and is_shut:
            self._shut[-1] = self._shut[-1][0], version

    def _note_award(self, event: AwardPaid, meter: int, entry: Recorded[JackpotEvent]) -> None:
        """The first award of an entry is worked out from what was shown."""
        version = int(entry.key.rpartition("/")[2])
        told, paid = self._awards.get((event.table, version), (meter, 0))
        self._awards[event.table, version] = told, paid + event.amount

    # --- the books of its tables ---

    def add_table_entry(self, table: int, entry: Recorded[TableEvent]) -> None:
        feeder = self._feeders.setdefault(table, _Feeder(table))
        fed = bool(feeder.game)
        for event in entry.events:
            self._follow(feeder, event, entry)
        if fed or feeder.game:
            self._check_award(feeder, entry)
            for line in entry.postings:
                self._fed_by(table, line, entry.version)

    def _fed_by(self, table: int, line: Posting, version: int) -> None:
        """A table puts money into its stripes; it takes none out of the fund."""
        if line.to_account in (meter_of(self._number, table), reserve_of(self._number, table)):
            self._balances[line.to_account] += line.amount
        if line.from_kind in FUND and line.from_account.split("/")[1] == str(self._number):
            self._break(3, table, version, "A table takes money out of the fund.")

    def _follow(self, feeder: _Feeder, event: TableEvent, entry: Recorded[TableEvent]) -> None:
        match event:
            case JackpotLinked(game, jackpot) if jackpot == self._number:
                feeder.game, feeder.remainder, feeder.reserve_remainder = game, 0, 0
            case JackpotUnlinked(_, jackpot) if jackpot == self._number:
                feeder.game = 0
            case WagersPlaced() if feeder.game in event.jackpots:
                self._check_open(feeder, entry)
            case MeterRaised(game, amount, remainder, "contribution") if game == feeder.game:
                self._check_part(feeder.remainder, self._rate(), amount, remainder, feeder, entry)
                feeder.remainder = remainder
            case ReserveRaised(game, amount, remainder) if game == feeder.game:
                before, rate = feeder.reserve_remainder, self._reserve_rate()
                self._check_part(before, rate, amount, remainder, feeder, entry)
                feeder.reserve_remainder = remainder

    def _rate(self) -> int:
        return self._jackpot.settings.contribution if self._jackpot else 0

    def _reserve_rate(self) -> int:
        return self._jackpot.reserve_rate if self._jackpot else 0

    def _check_part(
        self,
        before: int,
        rate: int,
        amount: int,
        after: int,
        feeder: _Feeder,
        entry: Recorded[TableEvent],
    ) -> None:
        wager = self._jackpot.settings.wager if self._jackpot else 0
        if before + wager * rate != amount * SHARES + after:
            sentence = "A contribution is not its share of the wager, to the part of a cent."
            self._break(1, feeder.table, entry.version, sentence)

    def _check_open(self, feeder: _Feeder, entry: Recorded[TableEvent]) -> None:
        """A wager that surely came after a suspension and before the jackpot was resumed.

        The wager's transaction holds the table's book and then reads whether the jackpot is open.
        So it surely came after a suspension where an earlier entry of the table did, and did not
        stand in the same transaction: one seal has the suspension without that entry, a later one
        has that entry without the wager. What no seals part may have happened at once.
        """
        sealed = self._order.first(feeder.table, entry.version)
        earlier = self._order.before(feeder.table, sealed)
        for start, end in self._shut:
            is_after = self._order.first(self._number, start) < earlier
            if is_after and (end is None or sealed < self._order.first(self._number, end)):
                sentence = "A suspended jackpot took a wager."
                self._break(7, feeder.table, entry.version, sentence)

    def _check_award(self, feeder: _Feeder, entry: Recorded[TableEvent]) -> None:
        told = [
            event.meters[feeder.game]
            for event in entry.events
            if isinstance(event, MetersShown) and feeder.game in event.meters
        ]
        paid = sum(
            event.paid
            for event in entry.events
            if isinstance(event, WagerSettled) and event.meter and event.meter == feeder.game
        )
        recorded = self._awards.pop((feeder.table, entry.version), None)
        if recorded is None:
            if paid:
                sentence = "An award is not in the book of its jackpot."
                self._break(6, feeder.table, entry.version, sentence)
        elif told != [recorded[0]]:
            sentence = f"The table showed {told} cents, the jackpot {recorded[0]}."
            self._break(6, feeder.table, entry.version, sentence)
        elif paid != recorded[1]:
            sentence = f"The table's awards are {paid} cents, the jackpot's {recorded[1]}."
            self._break(2, feeder.table, entry.version, sentence)

    # --- in the end ---

    def finish(self, reading: Reading) -> list[Broken]:
        """Hold all of it against what the house has now."""
        version = reading.head.version
        for table, known in self._awards:
            sentence = f"Table {table} knows nothing of the award of its version {known}."
            self._break(6, self._number, version, sentence)
        if reading.jackpot != self._jackpot:
            self._break(2, self._number, version, "The jackpot is not what its events say.")
        maximum = reading.jackpot.maximum
        if maximum is not None and shown(reading) > maximum:
            self._break(5, self._number, version, "The display is above its maximum.")
        for stripes, account in ((reading.meters, meter_of), (reading.reserves, reserve_of)):
            tables = stripes.keys() | self._feeders.keys()
            for table in sorted(tables):
                due = self._balances[account(self._number, table)]
                if stripes.get(table, 0) != due:
                    sentence = f"{account(self._number, table)} does not hold what was posted."
                    self._break(2, self._number, version, sentence)
        return self.broken

    def _break(self, invariant: int, book: int, version: int, sentence: str) -> None:
        self.broken.append(Broken(invariant, book, version, sentence))
