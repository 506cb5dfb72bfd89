"""The cashier's book: commands, events, postings and the roles that were given."""

from __future__ import annotations

import json

from sqlalchemy import Connection, select

from ventiuna.table.audit.chains import ChainCheck
from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.replaying import FAULTS, Counts
from ventiuna.table.audit.stored import StoredEntry, line_of, stored_events
from ventiuna.table.ledger.chain import Entry, Head, canonical_json, request_hash
from ventiuna.table.persons import cashier
from ventiuna.table.persons.bot_rows import first_money_key
from ventiuna.table.persons.people import Role
from ventiuna.table.play.carrying_out import SERVICE
from ventiuna.table.store.schema import bot, person


class CashierCheck:
    """Give it every entry in its order, then `finish`."""

    def __init__(self, connection: Connection, book: int, differences: Differences) -> None:
        self.counts = Counts()
        self._connection = connection
        self._differences = differences
        self._chain = ChainCheck(book, differences)
        self._roles: dict[int, str] = {}
        self._bots: set[int] = set()

    def add(self, stored: StoredEntry) -> None:
        entry = stored.entry
        events = stored_events(entry.events)
        self._chain.add(stored, len(events or ()))
        self.counts.entries += 1
        self.counts.events += len(events or ())
        self.counts.postings += len(stored.lines)
        try:
            self._check(stored)
        except FAULTS as error:
            self._tell(Kind.EVENT, entry, "its events", "ones that can't be applied", error)

    def finish(self, stands: Head) -> None:
        self._chain.finish(stands)
        self._check_roles(stands.book)
        self._check_bots(stands.book)

    def _check_roles(self, book: int) -> None:
        """Everybody is a player but for the roles that were given: none may come from nowhere."""
        rows = self._connection.execute(select(person.c.id, person.c.role))
        stored = {row.id: row.role for row in rows}
        for number in sorted(stored.keys() | self._roles.keys()):
            role = self._roles.get(number, str(Role.PLAYER))
            if stored.get(number) != role:
                what = f"row of person {number}, role"
                self._differences.add(Kind.ROW, Place(book), what, stored.get(number), role)

    def _check_bots(self, book: int) -> None:
        """The house plays whoever has such a row, with the wallet: only those it made itself."""
        for number in self._connection.scalars(select(bot.c.person_id).order_by(bot.c.person_id)):
            if number not in self._bots:
                what = f"row of bot {number}"
                due = "none: the house never gave a bankroll to such a bot"
                self._differences.add(Kind.ROW, Place(book), what, "a row", due)

    def _check(self, stored: StoredEntry) -> None:
        entry = stored.entry
        asked = json.loads(entry.command)
        due = cashier.event_of(cashier.COMMANDS.read(dict(asked)))
        follows = canonical_json([cashier.EVENTS.data(due)])
        if entry.events != follows:
            self._tell(Kind.EVENT, entry, f"event {entry.first_event}", entry.events, follows)
        if entry.request != request_hash(asked):
            hashed = request_hash(asked).hex()
            self._tell(Kind.COMMAND, entry, "its request", entry.request.hex(), hashed)
        lines = [
            line_of(number, line)
            for number, line in enumerate(cashier.postings_of(due, entry.first_event), start=1)
        ]
        if list(stored.lines) != lines:
            told = "; ".join(map(str, stored.lines)) or "none"
            self._tell(
                Kind.POSTING, entry, "its postings", told, "; ".join(map(str, lines)) or "none"
            )
        if isinstance(due, cashier.RoleGiven):
            self._roles[due.person] = due.role
        elif (entry.actor, entry.key) == (SERVICE.name, first_money_key(due.person)):
            self._bots.add(due.person)

    def _tell(self, kind: Kind, entry: Entry, what: str, stored: object, follows: object) -> None:
        self._differences.add(kind, Place(entry.book, entry.version), what, stored, follows)
