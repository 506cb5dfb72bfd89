"""People who try anything at a table, reproducible from a seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from tests.table.tables import OPERATOR, LiveTable, Room, cut_of, open_cut
from ventiuna.engine.commands import CloseWagers, Insure, PlaceWagers, VoidRound, WithdrawWagers
from ventiuna.engine.events import NO_JACKPOTS
from ventiuna.engine.options import options
from ventiuna.engine.wagers import WagerOption
from ventiuna.rules.model import JackpotKind
from ventiuna.table import presence
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.commands import TableCommand
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import CLOCK, SERVICE, Actor
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.writer import Done, Refusal
from ventiuna.testing.conformance import random_wagers

PEOPLE = (1, 2, 3, 4)
Idea = tuple[int | Actor, TableCommand]


class RandomTable:
    """A table with random players; most ideas are sensible, so that rounds get played."""

    def __init__(self, room: Room, table: LiveTable, seed: int) -> None:
        self.room = room
        self.table = table
        self.seen: Counter[str] = Counter()
        self._random = random.Random(seed)

    def step(self) -> None:
        """Try one idea, sent once or twice, and advance the clock a little."""
        self.room.clock.at += self._random.choice([10, 100, 3000])
        if self._random.random() < 0.02:
            self.room.restart()
        who, command = self._idea()
        request = self.table.request(who, command)
        step = self.table.step(request)
        assert not step.faults, step.faults
        outcome = step.outcomes[0]
        if isinstance(outcome, Refusal):
            self.seen[f"refused {outcome.code}"] += 1
        for update in step.updates:
            self.seen.update(type(event).__name__ for event in update.events)
        if self._random.random() < 0.1:
            again = self.table.step(request).outcomes[0]
            if isinstance(outcome, Done):
                assert again == outcome

    def _idea(self) -> Idea:
        if self._random.random() < 0.85:
            return self._sensible() or self._any()
        return self._any()

    # --- sensible ideas ---

    def _sensible(self) -> Idea | None:
        state = self.table.state
        if state.status is TableStatus.FAULT:
            return OPERATOR, do.ResumeTable("it works again")
        if len(state.players) < 2:
            return self._sit()
        if state.ask is None:
            return None
        if state.ask.kind in (AskKind.CUT_COMMIT, AskKind.CUT_OPEN):
            return self._cut()
        if state.ask.kind is AskKind.WAGERS:
            return self._wager()
        return self._answer()

    def _sit(self) -> Idea:
        free = [
            seat
            for seat in range(1, self.table.state.rules.seats + 1)
            if seat not in self.table.state.seats
        ]
        return self._person(), do.TakeSeat(self._random.choice(free))

    def _cut(self) -> Idea:
        who = self._seated()
        state = self.table.state
        seat = state.seat_of(str(who))
        ideas: list[TableCommand] = [do.Ready()]
        if seat is not None and state.ask is not None and state.ask.kind is AskKind.CUT_COMMIT:
            ideas.append(self.table.commit_cut(who))
        else:
            ideas += [open_cut(who), open_cut(who)]
        return who, self._random.choice(ideas)

    def _wager(self) -> Idea:
        who = self._seated()
        state = self.table.state
        seat = state.seat_of(str(who))
        spots = state.spots_of(seat.number) if seat else []
        if seat is not None and state.stack(seat.number) < 50_000:
            return who, do.BuyChips(100_000)
        placed = [spot for spot in spots if spot in state.open_round.spots]
        if not spots or (placed and self._random.random() < 0.6):
            return who, do.Ready()
        return who, self._wagers(self._random.choice(spots))

    def _wagers(self, spot: int) -> PlaceWagers:
        """Random wagers, but none on meters, because none is linked."""
        rules = self.table.state.rules
        command = random_wagers(rules, spot, self._random)
        if any(jackpot.kind is not JackpotKind.HOUSE for jackpot in rules.jackpots):
            return PlaceWagers(spot, command.base, "", command.mtd, NO_JACKPOTS)
        return PlaceWagers(spot, command.base, "", command.mtd, command.jackpots)

    def _answer(self) -> Idea:
        state = self.table.state
        legal = [
            one
            for one in options(state.open_round)
            if not isinstance(one, WagerOption) and getattr(one, "legal", True)
        ]
        option = self._random.choice(legal)
        seat = state.seats[state.spots[option.spot]]
        command = option.command()
        assert not isinstance(command, CloseWagers)  # only the table does that
        return int(seat.person), command

    # --- random ideas ---

    def _any(self) -> Idea:
        return self._random.choice(_IDEAS)(self)

    def _person(self) -> int:
        return self._random.choice(PEOPLE)

    def _seated(self) -> int:
        present = [int(seat.person) for seat in self.table.state.present]
        return self._random.choice(present or PEOPLE)

    def _some_spots(self) -> tuple[int, ...]:
        seats = self.table.state.rules.seats
        return tuple(self._random.choices(range(1, seats + 1), k=self._random.choice([0, 1, 2, 3])))

    def chooses_spots(self) -> Idea:
        return self._person(), do.ChooseSpots(self._some_spots())

    def takes_seat(self) -> Idea:
        return self._person(), do.TakeSeat(self._random.randint(0, 9))

    def moves_money(self) -> Idea:
        amount = self._random.choice([1, 7, 500, 40_000, 10**9])
        ideas: list[TableCommand] = [do.BuyChips(amount), do.CashOut(amount), do.CashOut()]
        return self._person(), self._random.choice(ideas)

    def leaves(self) -> Idea:
        ideas: list[TableCommand] = [do.LeaveSeat(), do.ComeBack()]
        return self._person(), self._random.choice(ideas)

    def wagers_anywhere(self) -> Idea:
        spot = self._random.randint(0, 8)
        ideas: list[TableCommand] = [self._wagers(1), WithdrawWagers(spot), Insure(spot, 500)]
        return self._person(), self._random.choice(ideas)

    def cuts_anyhow(self) -> Idea:
        ideas: list[TableCommand] = [
            do.CommitCut(cut_of(9).hex()),
            do.OpenCut(cut_of(9).hex()),
            do.CommitCut("0"),
        ]
        return self._person(), self._random.choice(ideas)

    def time_is_up(self) -> Idea:
        state = self.table.state
        if state.deadline is not None:
            self.room.clock.at = max(self.room.clock.at, state.deadline)
        return CLOCK, do.TimeUp(self.table.ask or 1)

    def loses_connection(self) -> Idea:
        """Disconnect a seat's client and let its time run out at once, or reconnect it."""
        seats = list(self.table.state.seats) or [1]
        seat = self._random.choice(seats)
        number = self.table.number
        with self.room.store.write() as connection:
            client = presence.connect(connection, number, seat, process=1)
            if self._random.random() < 0.8:
                presence.disconnect(connection, number, seat, client, self.room.clock.now())
        return CLOCK, do.SeatTimeUp(seat)

    def clocks_restart(self) -> Idea:
        return CLOCK, do.RestartClocks("time jumped")

    def operator_acts(self) -> Idea:
        ideas: list[TableCommand] = [
            VoidRound("the lights went out"),
            do.DropBank("the day's end"),
            do.ResumeTable("why not"),
        ]
        return OPERATOR, self._random.choice(ideas)

    def something_breaks(self) -> Idea:
        if self._random.random() < 0.1:
            return SERVICE, do.FaultTable("a defect")
        return self.time_is_up()


_IDEAS: list[Callable[[RandomTable], Idea]] = [
    RandomTable.chooses_spots,
    RandomTable.takes_seat,
    RandomTable.moves_money,
    RandomTable.leaves,
    RandomTable.wagers_anywhere,
    RandomTable.cuts_anyhow,
    RandomTable.time_is_up,
    RandomTable.loses_connection,
    RandomTable.clocks_restart,
    RandomTable.operator_acts,
    RandomTable.something_breaks,
]
