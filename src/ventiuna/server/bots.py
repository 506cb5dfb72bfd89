"""Bots: house players that fill the seats next to people, and how they play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.core.actions import first_legal_for
from ventiuna.core.cards import is_blackjack
from ventiuna.engine.commands import (
    Insure,
    PlaceWagers,
    PlayerCommand,
    TakeBlackjack,
)
from ventiuna.engine.events import Wager
from ventiuna.engine.options import ACTION_COMMANDS, InsuranceOption, chips_needed, options
from ventiuna.engine.prompts import BlackjackAnswersWanted, DecisionWanted, InsuranceAnswersWanted
from ventiuna.engine.wagers import WagerOption, wager_options
from ventiuna.rules import Rules
from ventiuna.server.live_tables import Tables
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.telemetry import log
from ventiuna.simulation.settings import find_strategy, strategy_names
from ventiuna.strategy.players import steady_player
from ventiuna.strategy.protocol import HandSeen, Insurance, Strategy
from ventiuna.table import presence
from ventiuna.table.accounts import (
    BOT_BANKROLL,
    BOT_BANKROLL_REASON,
    BotRow,
    IssueMoney,
    RandomBytes,
    all_bots,
    handle_cashier_command,
    idle_bot,
    move_bot,
    new_bot,
    remove_bot,
)
from ventiuna.table.domain.commands import (
    BuyChips,
    ComeBack,
    LeaveSeat,
    PersonCommand,
    Ready,
    TakeSeat,
)
from ventiuna.table.domain.events import AskKind
from ventiuna.table.domain.handlers import SERVICE, Actor, ActorRole
from ventiuna.table.domain.state import Seat, SeatStatus, TableState, TableStatus
from ventiuna.table.store.statements import StoreError
from ventiuna.table.writer import CommandRequest, Done, Refusal

BET_UNITS = (1, 1, 1, 2, 2, 3, 5)  # in multiples of the minimum base wager
SIDE_BET_CHANCE = 0.25  # chance per round
BUY_IN_ROUNDS = 60  # a bot's buy-in, in minimum base wagers
REBUY_ROUNDS = 10  # a bot buys more below this many minimum base wagers


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot at a table."""

    person: str
    bots: frozenset[str]  # person ids of all bots at the table
    strategy: Strategy | None  # None to follow a few sensible habits


def next_command(state: TableState, bot: SeatedBot, chance: random.Random) -> PersonCommand | None:
    """The bot's next command, or None if the table is waiting for someone else.

    Bots sit down only when people do, and leave once all people have left. If bots sat down first,
    the first person to arrive would find the shoe already cut.
    """
    seat = state.seat_of(bot.person)
    alone = all(other.person in bot.bots for other in state.seats.values())
    if seat is None:
        free = [number for number in range(1, state.rules.seats + 1) if number not in state.seats]
        return TakeSeat(free[0]) if free and not alone else None
    if seat.status is SeatStatus.LEAVING:
        return None
    if alone and not state.has_wagers(seat.number):
        return LeaveSeat()
    if seat.status is SeatStatus.AWAY:
        return ComeBack()
    least = minimum_wager(state.rules)
    needs_chips = not state.is_dealt and state.stack(seat.number) < REBUY_ROUNDS * least
    if needs_chips and not state.has_wagers(seat.number):
        return BuyChips(BUY_IN_ROUNDS * least)
    if state.ask is None:
        return None
    if state.ask.kind is AskKind.CUT_COMMIT:
        return None if seat.number in state.ready else Ready()
    if state.ask.kind is AskKind.WAGERS:
        return _place_wagers(state, seat, bot, chance)
    return _answer_prompt(state, seat, bot)


def minimum_wager(rules: Rules) -> int:
    return wager_options(rules)[0].least


def base_wager(bot: str, rules: Rules) -> int:
    """The bot's base wager; it is fixed so that the bot's strategy is computed only once."""
    option = wager_options(rules)[0]
    units = random.Random(bot).choice(BET_UNITS)
    return min(units * option.least, option.most)


def _place_wagers(
    state: TableState, seat: Seat, bot: SeatedBot, chance: random.Random
) -> PlaceWagers | Ready | None:
    """Bet only if a person has bet; bots don't play by themselves or start people's clocks."""
    placed = state.open_round.spots
    people = [
        spot
        for spot in placed
        if (owner := state.seats.get(state.spots.get(spot, 0))) and owner.person not in bot.bots
    ]
    if not people or seat.number in state.ready:
        return None
    for spot in state.spots_of(seat.number):
        if spot not in placed:
            return PlaceWagers.of(spot, _stakes(state, seat, bot, chance))
    return Ready()


def _stakes(
    state: TableState, seat: Seat, bot: SeatedBot, chance: random.Random
) -> dict[Wager, int]:
    rules = state.rules
    base = min(base_wager(bot.person, rules), state.stack(seat.number))
    base = max(base - base % wager_options(rules)[0].unit, minimum_wager(rules))
    stakes = {Wager.HAND: base}
    plays_more = chance.random() < SIDE_BET_CHANCE
    for option in wager_options(rules)[1:]:
        if _is_placed(option, stakes, base, plays_more):
            stakes[option.wager] = option.least
    return stakes


def _is_placed(option: WagerOption, stakes: dict[Wager, int], base: int, plays_more: bool) -> bool:
    """Place mandatory bets, and sometimes Match the Dealer; leave jackpots to people."""
    is_possible = option.legal and all(wager in stakes for wager in option.needs)
    is_wanted = option.required or (plays_more and bool(option.wager.part))
    return is_possible and is_wanted and (option.at_most is None or option.least <= base)


def _answer_prompt(state: TableState, seat: Seat, bot: SeatedBot) -> PlayerCommand | None:
    prompt = state.waiting
    own = set(state.spots_of(seat.number))
    if isinstance(prompt, BlackjackAnswersWanted):
        spots = [spot for spot in prompt.spots if spot in own]
        return TakeBlackjack(spots[0]) if spots else None
    if isinstance(prompt, InsuranceAnswersWanted):
        spots = [spot for spot in prompt.spots if spot in own]
        return _insure(state, seat, spots[0], bot) if spots else None
    if isinstance(prompt, DecisionWanted) and prompt.spot in own:
        return _decide(state, seat, prompt, bot)
    return None


def _insure(state: TableState, seat: Seat, spot: int, bot: SeatedBot) -> Insure:
    habit = bot.strategy.insurance if bot.strategy else Insurance.NEVER
    has_blackjack = is_blackjack(state.open_round.spots[spot].hands[0].shape)
    insures = habit is Insurance.ALWAYS or (habit is Insurance.BLACKJACK and has_blackjack)
    for option in options(state.open_round) if insures else ():
        if isinstance(option, InsuranceOption) and option.spot == spot:
            return Insure(spot, option.most if option.most <= state.stack(seat.number) else 0)
    return Insure(spot, 0)


def _decide(state: TableState, seat: Seat, prompt: DecisionWanted, bot: SeatedBot) -> PlayerCommand:
    round_ = state.open_round
    spot = round_.spots[prompt.spot]
    hand = spot.hands[prompt.hand]
    if bot.strategy is None:
        command = steady_player(round_, prompt)
        assert isinstance(command, PlayerCommand)
        action = next(code for code, kind in ACTION_COMMANDS.items() if isinstance(command, kind))
        preferences: tuple[int, ...] = (action,)
    else:
        seen = HandSeen(tuple(hand.cards), hand.shape, len(spot.hands))
        preferences = bot.strategy.preferences(seen, round_.up)
    covered = tuple(
        action
        for action in preferences
        if chips_needed(round_, spot, hand, action) <= state.stack(seat.number)
    )
    action = first_legal_for(round_.table, covered, hand.shape, len(spot.hands))
    return ACTION_COMMANDS[action](prompt.spot)


STEADY_STRATEGY = "steady"
CHECK_BOTS_EVERY = 1.0  # seconds


def bot_strategies() -> tuple[str, ...]:
    return (STEADY_STRATEGY, *strategy_names())


def check_bots(count: int, strategy: str, rules: Rules) -> None:
    """Check that the table has seats for this many bots and that the strategy exists.

    Raises `RequestDeclined` if not.
    """
    maximum = rules.seats - 1
    if count > maximum:
        raise RequestDeclined(
            422, "too_many_bots", f"This table has room for at most {maximum} bots."
        )
    if strategy not in bot_strategies():
        known = ", ".join(bot_strategies())
        raise RequestDeclined(422, "no_such_strategy", f"The strategy must be one of {known}.")


@lru_cache(maxsize=64)
def _load_strategy(name: str, rules: Rules, base: int) -> Strategy | None:
    """The named strategy, or None for "steady" play. Best play takes seconds to compute."""
    return None if name == STEADY_STRATEGY else find_strategy(name, rules, base)


class Bots:
    """A house's bots; a single process plays them all."""

    def __init__(self, tables: Tables, pause: float, entropy: RandomBytes) -> None:
        self._tables = tables
        self._pause = pause  # average pause, in seconds
        self._entropy = entropy
        self._random = random.Random()
        self._rows: dict[int, list[BotRow]] = {}  # by table
        self._strategies: dict[tuple[int, str, Rules], Strategy | None] = {}  # each bot's strategy
        self._waiting: set[int] = set()  # tables where a bot is about to act
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._tables.listen(self._on_table_changed)
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def fill(self, table: int, count: int, strategy: str) -> list[str]:
        """Set the number of bots at this table; return their names."""
        rows = [row for row in await self._tables.read(all_bots) if row.table == table]
        for row in rows[count:] + [row for row in rows[:count] if row.strategy != strategy]:
            await self._send_away(row)
        unchanged = [row for row in rows[:count] if row.strategy == strategy]
        make = partial(self._new_bot, table=table, strategy=strategy)
        unchanged += [await self._tables.write(make) for _ in range(count - len(unchanged))]
        await self._check_bots()
        return [row.name for row in unchanged]

    def _new_bot(self, connection: Connection, table: int, strategy: str) -> BotRow:
        if (idle := idle_bot(connection)) is not None:
            move_bot(connection, idle, table, strategy)
            return replace(idle, table=table, strategy=strategy)
        return new_bot(connection, table, strategy, self._tables.clock.now(), self._entropy)

    async def _send_away(self, row: BotRow) -> None:
        state = await self._tables.state(row.table)
        seat = state.seat_of(str(row.person)) if state else None
        if seat is not None:
            key = f"leave/{row.table}/{state.head.events if state else 0}"
            await self._tables.ask(CommandRequest(row.table, _actor(row), key, LeaveSeat()))
        await self._tables.write(lambda conn: remove_bot(conn, row.person))

    async def _run(self) -> None:
        while True:
            try:
                await self._check_bots()
            except (SQLAlchemyError, StoreError) as error:
                log("bots_wait", error=type(error).__name__)
            await asyncio.sleep(CHECK_BOTS_EVERY)

    async def _check_bots(self) -> None:
        """Refresh the list of bots, reclaim seats lost in an outage, and act at idle tables."""
        if not self._tables.is_leader:
            return
        self._rows, lost = await self._tables.read(self._read_bots)
        people = {row.person for rows in self._rows.values() for row in rows}
        self._strategies = {key: it for key, it in self._strategies.items() if key[0] in people}
        for table, rows in self._rows.items():
            self._tables.follow(table)
            if lost[table]:
                await self._hold_seats(table, rows, lost[table])
            self._plan(table)

    def _read_bots(
        self, connection: Connection
    ) -> tuple[dict[int, list[BotRow]], dict[int, Collection[int]]]:
        """All bots by table, and the tables' seats that aren't connected to this process."""
        rows: dict[int, list[BotRow]] = {}
        for row in all_bots(connection):
            rows.setdefault(row.table, []).append(row)
        here = self._tables.process
        return rows, {table: presence.seats_elsewhere(connection, table, here) for table in rows}

    async def _hold_seats(self, table: int, rows: list[BotRow], lost: Collection[int]) -> None:
        """Connect this process to its bots' seats."""
        state, here = await self._tables.state(table), self._tables.process
        for row in rows:
            seat = state.seat_of(str(row.person)) if state else None
            if seat is not None and seat.number in lost:
                connect = partial(presence.connect, table=table, number=seat.number, process=here)
                await self._tables.write(connect)

    def _on_table_changed(self, state: TableState) -> None:
        if state.number in self._rows and self._tables.is_leader:
            self._plan(state.number)

    def _plan(self, table: int) -> None:
        if table not in self._waiting:
            self._waiting.add(table)
            self._tables.spawn(self._act(table))

    async def _act(self, table: int) -> None:
        """After a pause, run a bot's next command. All bots bet together, so that nobody waits.

        The resulting change triggers the next action.
        """
        await asyncio.sleep(self._pause * self._random.uniform(0.5, 1.5))
        self._waiting.discard(table)
        while isinstance(await self._act_once(table), PlaceWagers | Ready):
            state = await self._tables.state(table)
            if state is None or state.ask is None or state.ask.kind is not AskKind.WAGERS:
                return

    async def _act_once(self, table: int) -> PersonCommand | None:
        """Run and return the command of the first bot that has something to do."""
        state = await self._tables.state(table)
        rows = self._rows.get(table, [])
        if state is None or state.status is not TableStatus.OPEN:
            return None
        bots = frozenset(str(row.person) for row in rows)
        for row in rows:
            strategy = await self._strategy(row, state.rules)
            command = next_command(state, SeatedBot(str(row.person), bots, strategy), self._random)
            if command is None:
                continue
            ask = state.ask.number if state.ask else None
            key = f"{table}/{state.head.events}/{type(command).__name__}"
            outcome = await self._tables.ask(CommandRequest(table, _actor(row), key, command, ask))
            if isinstance(outcome, Done):
                return command
            if isinstance(command, BuyChips) and isinstance(outcome, Refusal):
                await self._tables.write(partial(self._more_money, row=row))
        return None

    async def _strategy(self, row: BotRow, rules: Rules) -> Strategy | None:
        key = (row.person, row.strategy, rules)
        if key not in self._strategies:
            base = base_wager(str(row.person), rules)
            loaded = await asyncio.to_thread(_load_strategy, row.strategy, rules, base)
            self._strategies[key] = loaded
        return self._strategies[key]

    def _more_money(self, connection: Connection, row: BotRow) -> None:
        """Give a broke bot another bankroll."""
        now = self._tables.clock.now()
        money = IssueMoney(row.person, BOT_BANKROLL, BOT_BANKROLL_REASON)
        handle_cashier_command(connection, SERVICE, f"bot/{row.person}/{now}", money, now)


def _actor(row: BotRow) -> Actor:
    return Actor(f"person/{row.person}", ActorRole.PLAYER, str(row.person), row.name)
