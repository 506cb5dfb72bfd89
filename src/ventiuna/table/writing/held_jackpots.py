"""The jackpots of a command that runs alone: held, read, and given an entry beside the table's."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.stakes import Stakes
from ventiuna.table import events as ev
from ventiuna.table.books.entries import Line, lines_of
from ventiuna.table.jackpots.commands import LinkTable, UnlinkTable
from ventiuna.table.jackpots.deciding import decide
from ventiuna.table.jackpots.progressive import Reading, shown
from ventiuna.table.jackpots.rows import lock_jackpots, write_jackpot
from ventiuna.table.jackpots.settings import settings_of
from ventiuna.table.jackpots.writing import Written, award_entry, by_table, entry_of
from ventiuna.table.ledger.chain import LARGEST, Entry
from ventiuna.table.play import commands as do
from ventiuna.table.play.state import TableState
from ventiuna.table.play.turn import ReadMeters, Turn
from ventiuna.table.store.rows import Values, find_rows
from ventiuna.table.store.schema import jackpot

LINKS = (do.LinkJackpot, do.UnlinkJackpot)
_LINKED = (ev.JackpotLinked, ev.JackpotUnlinked)


class HeldJackpots:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._readings: dict[int, Reading] = {}
        self._written: list[Written] = []
        self.lines: list[Line] | None = None  # all postings, where entries are not their order

    @property
    def reserve_rates(self) -> dict[int, int]:
        return {number: reading.jackpot.reserve_rate for number, reading in self._readings.items()}

    def meters_of(self, state: TableState) -> ReadMeters:
        """How a turn of this table reads the meters that its awards come from."""

        def read(jackpots: Mapping[int, int], added: Mapping[int, int]) -> Stakes[int]:
            # The table's own stripes of other jackpots are held in the same order of locks.
            stripes = [
                f"{kind}/{link.jackpot}/{state.number}"
                for link in state.links.values()
                for kind in ("meter", "reserve")
            ]
            numbers = sorted(set(jackpots.values()))
            self._readings = lock_jackpots(self._connection, numbers, stripes)
            return Stakes(
                {
                    game: shown(self._readings[number], added.get(game, 0))
                    for game, number in jackpots.items()
                }
            )

        return read

    def hold(self, state: TableState, command: do.LinkJackpot | do.UnlinkJackpot) -> None:
        """The jackpot that is linked, or was."""
        if isinstance(command, do.LinkJackpot):
            self._require(command.jackpot)
            self._readings = lock_jackpots(self._connection, [command.jackpot])
        elif command.game in state.links:
            self._readings = lock_jackpots(self._connection, [state.links[command.game].jackpot])

    def _require(self, number: int) -> None:
        asked: list[Values] = [(number,)] if 0 < number <= LARGEST else []
        if not find_rows(self._connection, jackpot, ("id",), ("id",), asked):
            raise Refused(
                RefusalCode.NO_SUCH_JACKPOT, (), f"jackpot: none has the number {number}."
            )

    # --- entries ---

    def entries_beside(self, turn: Turn, entry: Entry) -> list[Entry]:
        """What the jackpots' books say to the table's entry."""
        written = [*self._awarded(turn, entry), *self._linked(turn, entry)]
        self._written += written
        return [one.entry for one in written]

    def _awarded(self, turn: Turn, entry: Entry) -> list[Written]:
        """Their lines stand behind those of the table's that come before them."""
        awards = turn.awards
        if awards is None:
            return []
        entries = [
            award_entry(self._readings[number], awards.layout, game, turn.events, entry)
            for game, number in awards.layout.jackpots.items()
            if number in self._readings
        ]
        lines = lines_of(entry)
        self.lines = [
            *lines[: awards.postings_before],
            *(line for written in entries for line in lines_of(written.entry)),
            *lines[awards.postings_before :],
        ]
        return entries

    def _linked(self, turn: Turn, entry: Entry) -> list[Written]:
        """A link is an entry in both books."""
        entries = []
        for event in turn.events:
            if isinstance(event, _LINKED):
                reading = self._readings[event.jackpot]
                command = link_command(turn.state, event, entry)
                sender = by_table(turn.state.number, entry.version, event.jackpot, entry.at)
                entries.append(entry_of(reading, command, decide(reading, command), sender))
        return entries

    def write_rows(self) -> None:
        for written in self._written:
            write_jackpot(self._connection, written.jackpot, written.before)


def link_command(
    state: TableState, event: ev.JackpotLinked | ev.JackpotUnlinked, entry: Entry
) -> LinkTable | UnlinkTable:
    """What the jackpot's book is asked, with the reason of the table's."""
    reason = str(json.loads(entry.command)["reason"])
    if isinstance(event, ev.JackpotUnlinked):
        return UnlinkTable(state.number, reason)
    settings = settings_of(state.rules, event.game).hash.hex()
    return LinkTable(state.number, event.game, settings, reason)
