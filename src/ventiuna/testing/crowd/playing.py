"""What people, operators and the clock ask of the tables, at random and reproducible by a seed."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import partial
from itertools import count

from ventiuna.engine.commands import PlaceWagers, VoidRound
from ventiuna.engine.errors import Refused
from ventiuna.engine.options import options
from ventiuna.engine.wager_options import WagerOption
from ventiuna.table.books.entries import read_heads
from ventiuna.table.events import AskKind
from ventiuna.table.jackpots import commands as jackpots
from ventiuna.table.jackpots.commands import OperatorCommand
from ventiuna.table.jackpots.rows import over_maximum
from ventiuna.table.jackpots.writing import Sender, carry_out, fold_over_maximum
from ventiuna.table.play import commands as do
from ventiuna.table.play.carrying_out import CLOCK, Actor, Role
from ventiuna.table.play.commands import TableCommand
from ventiuna.table.play.state import Seat, TableState, TableStatus
from ventiuna.table.writing.loading import load_table
from ventiuna.table.writing.requests import Request
from ventiuna.testing.crowd.furnishing import (
    GAMES,
    OPERATOR,
    PEOPLE,
    Server,
    jackpots_of,
    open_linked,
    tables_of,
)

BATCH = 6  # ideas of one batch at most
SEATS = 3  # people at one table, so that the cards on top are enough for all of them
CHIPS = 300_000
LEAST_CHIPS = 50_000

Idea = tuple[Actor, TableCommand]


def player(number: int) -> Actor:
    return Actor(f"person/{number}", Role.PLAYER, str(number), f"player {number}")


class Crowd:
    """Everybody who is at the tables through one process."""

    def __init__(self, server: Server, name: str, chance: random.Random) -> None:
        self.server = server
        self._name = name
        self._chance = chance
        self._keys = count(1)

    def tables(self) -> list[int]:
        with self.server.store.read() as connection:
            return tables_of(connection)

    def batch(self, tables: list[int]) -> list[Request]:
        """A few ideas for a few tables."""
        if not tables:
            return []
        size = self._chance.randint(1, BATCH)
        chosen = self._chance.choices(tables, k=size)
        requests = [request for table in chosen for request in self._for_table(table)]
        if requests and self._chance.random() < 0.1:
            requests.append(self._chance.choice(requests))  # a copy
        return requests

    def _for_table(self, table: int) -> list[Request]:
        state = self._state(table)
        if state is None or state.status is TableStatus.CLOSED:
            return []
        ask = state.ask.number if state.ask else None
        return [
            Request(table, actor, self.key(), command, ask) for actor, command in self._ideas(state)
        ]

    def key(self) -> str:
        return f"{self._name}/{next(self._keys)}"

    def _state(self, table: int) -> TableState | None:
        """As this process knows it, or as it is."""
        known = self.server.writer.table(table)
        if known is not None and self._chance.random() < 0.9:
            return known
        house = self.server.house
        with self.server.store.read() as connection:
            head = read_heads(connection, [table])[table]
            return load_table(connection, house.name, head, house.shoes, house.rules)

    # --- ideas --------------------------------------------------------------------------------

    def _ideas(self, state: TableState) -> list[Idea]:
        if state.status is TableStatus.FAULT:
            return [(OPERATOR, do.ResumeTable("it works again"))]
        if self._chance.random() < 0.02:
            return [self._operators(state)]
        if len(state.seats) < SEATS and self._chance.random() < 0.5:
            return self._sits_down(state)
        if state.ask is None:
            return []
        if self._chance.random() < 0.08:
            return self._moves(state)
        if state.ask.kind in (AskKind.CUT_COMMIT, AskKind.CUT_OPEN):
            return [(_actor(seat), do.Ready()) for seat in state.present]
        if state.ask.kind is AskKind.WAGERS:
            return self._wagers(state)
        return self._answers(state)

    def _operators(self, state: TableState) -> Idea:
        ideas: list[TableCommand] = [
            VoidRound("the lights went out"),
            do.DropBank("the day's end"),
            do.UnlinkJackpot(self._chance.choice(GAMES), "another meter"),
            do.CloseTable("the day is over"),
        ]
        return OPERATOR, self._chance.choices(ideas, weights=(4, 4, 3, 1))[0]

    def _sits_down(self, state: TableState) -> list[Idea]:
        """With chips in the same moment; the same wallets feed all tables."""
        there = {seat.person for seat in state.seats.values()}
        people = [number for number in range(1, PEOPLE + 1) if str(number) not in there]
        free = [seat for seat in range(1, state.rules.seats + 1) if seat not in state.seats]
        who = player(self._chance.choice(people))
        return [(who, do.TakeSeat(self._chance.choice(free))), (who, do.BuyChips(CHIPS))]

    def _moves(self, state: TableState) -> list[Idea]:
        if not state.seats:
            return []
        who = _actor(self._chance.choice(list(state.seats.values())))
        ideas: list[TableCommand] = [
            do.BuyChips(self._chance.randint(1, CHIPS)),
            do.CashOut(),
            do.CashOut(self._chance.randint(1, CHIPS)),
            do.LeaveSeat(),
            do.ComeBack(),
        ]
        return [(who, self._chance.choice(ideas))]

    def _wagers(self, state: TableState) -> list[Idea]:
        ideas: list[Idea] = []
        for seat in state.players:
            who = _actor(seat)
            if state.stack(seat.number) < LEAST_CHIPS:
                ideas.append((who, do.BuyChips(CHIPS)))
            games = {game: 100 for game in state.links if self._chance.random() < 0.9}
            ideas += [
                (who, PlaceWagers(spot, 1000, mtd={"up": 500}, jackpots=games))
                for spot in state.spots_of(seat.number)
            ]
            if self._chance.random() < 0.9:
                ideas.append((who, do.Ready()))
        return ideas

    def _answers(self, state: TableState) -> list[Idea]:
        legal = [
            one
            for one in options(state.open_round)
            if not isinstance(one, WagerOption) and getattr(one, "legal", True)
        ]
        if not legal:
            return []
        option = self._chance.choice(legal)
        seat = state.seats[state.spots[option.spot]]
        return [(_actor(seat), option.command())]  # type: ignore[list-item]  # players are asked

    # --- the house ----------------------------------------------------------------------------

    def time_ups(self, tables: list[int]) -> list[Request]:
        """As a clock keeper would ask, of tables that this process knows."""
        now = self.server.clock.now()
        found = []
        for table in tables:
            state = self.server.writer.table(table)
            if state and state.ask and state.deadline is not None and state.deadline <= now:
                number = state.ask.number
                found.append(Request(table, CLOCK, f"clock/{table}/{number}", do.TimeUp(number)))
        return found

    def operate(self, tables: int) -> None:
        """A jackpot's operator acts; closed tables are replaced, lost links made again."""
        with self.server.store.read() as connection:
            numbers = jackpots_of(connection)
            open_tables = tables_of(connection)
            over = over_maximum(connection)
        if len(open_tables) < tables:
            open_linked(self.server, self.key())
        now = self.server.clock.now()
        for number in over:
            self.server.writer.run(partial(fold_over_maximum, number=number, at=now))
        number = self._chance.choice(numbers)
        sender = Sender(OPERATOR.name, self.key(), now)
        command = self._jackpot_command()
        with suppress(Refused):  # as operators are, too
            self.server.writer.run(lambda one: carry_out(one, number, command, sender))
        self._link_again(open_tables, numbers)

    def _jackpot_command(self) -> OperatorCommand:
        ideas: list[OperatorCommand] = [
            jackpots.SuspendJackpot("a look at it"),
            jackpots.ResumeJackpot("looks good"),
            jackpots.ResumeJackpot("looks good"),
            jackpots.ResumeJackpot("looks good"),
            jackpots.SetMaximum(self._chance.choice([None, 120_000, 300_000]), "a new one"),
            jackpots.CorrectUp(self._chance.randint(1, 500), "the display was wrong"),
            jackpots.CorrectDown(self._chance.randint(1, 500), "the display was wrong"),
            jackpots.TakeReceipts(self._chance.randint(1, 50), "not displayed"),
            jackpots.RecoverSeed(self._chance.randint(1, 500), "enough was played"),
        ]
        return self._chance.choice(ideas)

    def _link_again(self, tables: list[int], numbers: list[int]) -> None:
        for table in tables:
            state = self.server.writer.table(table)
            for game, number in zip(GAMES, numbers, strict=True):
                if state is not None and game not in state.links:
                    link = do.LinkJackpot(game, number, "the old meter")
                    self.server.writer.step([Request(table, OPERATOR, self.key(), link)])


def _actor(seat: Seat) -> Actor:
    return player(int(seat.person))
