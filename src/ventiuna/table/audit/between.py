"""Entries of jackpots that follow from other books: awards of a table's round, and the money of a
progressive that is removed. They are decided again when both sides are known.

What a progressive was before such an entry comes from its own book, who sat where and what a round
won from the table's, which was carried out again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ventiuna.engine.events import MetersShown
from ventiuna.engine.stakes import Stakes
from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.replaying import FAULTS, Replayed
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots.awards import awards_of, with_pending
from ventiuna.table.jackpots.codec import event_data
from ventiuna.table.jackpots.contributions import Pending, pending_of
from ventiuna.table.jackpots.deciding import decide_removal
from ventiuna.table.jackpots.events import JackpotEvent, StripesFolded
from ventiuna.table.jackpots.progressive import Progressive, Reading, Status
from ventiuna.table.jackpots.writing import Sender, by_jackpot, by_table
from ventiuna.table.ledger.chain import Entry, Head, canonical_json

NO_STRIPES: Stakes[int] = Stakes({})
FollowingCommand = do.PayAwards | do.RemoveJackpot | do.ReceiveMoney


@dataclass(frozen=True, slots=True)
class Following:
    """An entry of a progressive's book, and the progressive before it."""

    entry: Entry
    command: FollowingCommand
    told: tuple[JackpotEvent, ...]
    head: Head
    before: Progressive

    @property
    def reading(self) -> Reading:
        """The stripes are those that the entry folds: the invariants hold them against postings."""
        return reading_before(self.head, self.before, self.told)


def reading_before(head: Head, before: Progressive, told: Sequence[JackpotEvent]) -> Reading:
    folded = next((event for event in told if isinstance(event, StripesFolded)), None)
    if folded is None:
        return Reading(head, before, NO_STRIPES, NO_STRIPES)
    return Reading(head, before, folded.meters, folded.reserves)


class BetweenBooks:
    """Give it what follows from other books, then the tables' entries in any order; `finish`."""

    def __init__(self, differences: Differences) -> None:
        self._differences = differences
        # By table and version, then by jackpot.
        self._awards: defaultdict[tuple[int, int], dict[int, Following]] = defaultdict(dict)
        self._removals: list[Following] = []
        self._received: dict[tuple[int, int], Following] = {}  # by the one removed, its version
        self._jackpots: dict[int, Progressive] = {}  # as they stand in the end

    def add(self, number: int, stands: Progressive | None, following: Sequence[Following]) -> None:
        """A progressive's book."""
        if stands is not None:
            self._jackpots[number] = stands
        for one in following:
            if isinstance(one.command, do.PayAwards):
                self._awards[one.command.table, one.command.version][number] = one
            elif isinstance(one.command, do.ReceiveMoney):
                self._received[one.command.jackpot, one.command.version] = one
            else:
                self._removals.append(one)

    # --- awards ---

    def believe(self, entry: Entry) -> None:
        """An entry of a table that was not carried out again."""
        self._awards.pop((entry.book, entry.version), None)

    def hear(self, entry: Entry, replayed: Replayed) -> None:
        """An entry of a table that was."""
        awards = replayed.awards
        if awards is None:
            return
        shown = {
            game
            for event in replayed.events
            if isinstance(event, MetersShown)
            for game in event.meters
        }
        for game, jackpot in awards.layout.jackpots.items():
            following = self._awards[entry.book, entry.version].pop(jackpot, None)
            if following is not None:
                self._decide_award(following, entry, replayed, game)
            elif game in shown and jackpot in self._jackpots:
                what = f"its entry in the book of jackpot {jackpot}"
                place = Place(entry.book, entry.version)
                self._differences.add(Kind.JACKPOT, place, what, "none", f"awards of game {game}")

    def _decide_award(
        self, following: Following, entry: Entry, replayed: Replayed, game: int
    ) -> None:
        assert replayed.awards is not None, "somebody has won"
        layout, jackpot = replayed.awards.layout, following.entry.book
        pending = pending_of(replayed.events, game)
        reading = with_pending(
            following.reading, entry.book, Pending(-pending.meter, -pending.reserve)
        )
        try:
            due = awards_of(reading, layout, game, replayed.events)
        except FAULTS as error:
            self._tell(Kind.COMMAND, following.entry, "its command", "carried out", error)
            return
        self._compare(following, due, by_table(entry.book, entry.version, jackpot, entry.at))
        asked, due_command = following.command, do.PayAwards(entry.book, entry.version, game)
        if asked != due_command:
            self._tell(Kind.COMMAND, following.entry, "its command", asked, due_command)

    # --- removals ---

    def finish(self) -> None:
        for removal in self._removals:
            try:
                self._decide_removal(removal)
            except FAULTS as error:
                self._tell(Kind.COMMAND, removal.entry, "its command", "carried out", error)
        awards = [one for entries in self._awards.values() for one in entries.values()]
        for following in [*awards, *self._received.values()]:
            what = "the entry of the other book that it follows from"
            self._tell(Kind.COMMAND, following.entry, what, "none that says so", "one")

    def _decide_removal(self, removal: Following) -> None:
        assert isinstance(removal.command, do.RemoveJackpot), "a removal"
        entry, to = removal.entry, removal.command.to
        received = self._received.pop((entry.book, entry.version), None)
        due, due_received = decide_removal(
            removal.reading, removal.command, self._receiver(to, received)
        )
        self._compare(removal, due, Sender(entry.actor, entry.key, entry.at))
        if received is not None and to is not None:
            sender = by_jackpot(entry.book, entry.version, to, entry.at)
            self._compare(received, due_received, sender)
        elif due_received:
            self._tell(Kind.EVENT, entry, f"what jackpot {to} received", "nothing", "its money")

    def _receiver(self, to: int | None, received: Following | None) -> Reading | None:
        """Where nothing was left to move, its book has no entry: any state of it will do."""
        if to is None:
            return None
        if received is not None:
            return received.reading
        return Reading(
            Head(to), replace(self._jackpots[to], status=Status.OPEN), NO_STRIPES, NO_STRIPES
        )

    # --- comparing ---

    def _compare(self, following: Following, due: Sequence[JackpotEvent], sender: Sender) -> None:
        entry = following.entry
        if tuple(due) != following.told:
            was, follows = (
                canonical_json([event_data(event) for event in events])
                for events in (following.told, due)
            )
            self._tell(Kind.EVENT, entry, "its events", was, follows)
        stored = Sender(entry.actor, entry.key, entry.at)
        if stored != sender:
            self._tell(Kind.COMMAND, entry, "who asked, under which key and when", stored, sender)

    def _tell(self, kind: Kind, entry: Entry, what: str, stored: object, follows: object) -> None:
        self._differences.add(kind, Place(entry.book, entry.version), what, stored, follows)
