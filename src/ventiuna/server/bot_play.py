"""What a bot does next at a table, as a function of the table alone and some chance."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ventiuna.core.hand import is_blackjack
from ventiuna.core.preferences import first_legal_for
from ventiuna.engine.commands import (
    Insure,
    PlaceWagers,
    PlayerCommand,
    TakeBlackjack,
)
from ventiuna.engine.options import ACTION_COMMANDS, InsuranceOption, chips_needed, options
from ventiuna.engine.stakes import Wager
from ventiuna.engine.state import RoundState
from ventiuna.engine.wager_options import WagerOption, wager_options
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
)
from ventiuna.rules import Rules
from ventiuna.strategy.players import steady_player
from ventiuna.strategy.strategy import HandSeen, Insurance, Strategy
from ventiuna.table.events import AskKind
from ventiuna.table.play.commands import (
    BuyChips,
    ComeBack,
    LeaveSeat,
    PersonCommand,
    Ready,
    TakeSeat,
)
from ventiuna.table.play.state import Seat, SeatStatus, TableState

UNITS = (1, 1, 1, 2, 2, 3, 5)  # of the least base wager
SIDE_WAGERS = 0.25  # of the rounds in which a bot plays Match the Dealer
ROUNDS_OF_CHIPS = 60  # least base wagers that a bot buys
FEW_CHIPS = 10  # least base wagers below which it buys


@dataclass(frozen=True, slots=True)
class Seated:
    """A bot as the table sees it."""

    person: str
    bots: frozenset[str]  # persons of all bots at the table
    strategy: Strategy | None  # None: a few sensible habits


def next_command(state: TableState, bot: Seated, chance: random.Random) -> PersonCommand | None:
    """None where the table waits for somebody else.

    Bots sit beside people and get up when all have gone: a shoe is cut as soon as somebody sits
    there, and whoever comes first should find it uncut.
    """
    seat = state.seat_of(bot.person)
    alone = all(other.person in bot.bots for other in state.seats.values())
    if seat is None:
        return None if alone else _take_seat(state)
    if seat.status is SeatStatus.LEAVING:
        return None
    if alone and not state.has_wagers(seat.number):
        return LeaveSeat()
    if seat.status is SeatStatus.AWAY:
        return ComeBack()
    if not state.has_wagers(seat.number) and _wants_chips(state, seat):
        return BuyChips(ROUNDS_OF_CHIPS * least_wager(state.rules))
    if state.ask is None:
        return None
    if state.ask.kind is AskKind.CUT_COMMIT:
        return None if seat.number in state.ready else Ready()
    if state.ask.kind is AskKind.WAGERS:
        return _wager(state, seat, bot, chance)
    return _answer(state, seat, bot)


def least_wager(rules: Rules) -> int:
    return wager_options(rules)[0].least


def wager_of(bot: str, rules: Rules) -> int:
    """Each bot has a base wager of its own, so that its strategy is worked out once."""
    option = wager_options(rules)[0]
    units = random.Random(bot).choice(UNITS)
    return min(units * option.least, option.most)


# --- sitting down and wagers ------------------------------------------------------------------


def _take_seat(state: TableState) -> TakeSeat | None:
    free = [number for number in range(1, state.rules.seats + 1) if number not in state.seats]
    return TakeSeat(free[0]) if free else None


def _wants_chips(state: TableState, seat: Seat) -> bool:
    return not state.is_dealt and state.stack(seat.number) < FEW_CHIPS * least_wager(state.rules)


def _wager(
    state: TableState, seat: Seat, bot: Seated, chance: random.Random
) -> PlaceWagers | Ready | None:
    """Only beside a person's wager: bots alone don't play, and don't start people's clocks."""
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


def _stakes(state: TableState, seat: Seat, bot: Seated, chance: random.Random) -> dict[Wager, int]:
    rules = state.rules
    base = min(wager_of(bot.person, rules), state.stack(seat.number))
    base = max(base - base % wager_options(rules)[0].unit, least_wager(rules))
    stakes = {Wager.HAND: base}
    plays_more = chance.random() < SIDE_WAGERS
    for option in wager_options(rules)[1:]:
        if _is_placed(option, stakes, base, plays_more):
            stakes[option.wager] = option.least
    return stakes


def _is_placed(option: WagerOption, stakes: dict[Wager, int], base: int, plays_more: bool) -> bool:
    """What must be placed, and Match the Dealer now and then; jackpots are for people."""
    is_possible = option.legal and all(wager in stakes for wager in option.needs)
    is_wanted = option.required or (plays_more and bool(option.wager.part))
    return is_possible and is_wanted and (option.at_most is None or option.least <= base)


# --- answers ----------------------------------------------------------------------------------


def _answer(state: TableState, seat: Seat, bot: Seated) -> PlayerCommand | None:
    wanted = state.waiting
    own = set(state.spots_of(seat.number))
    if isinstance(wanted, BlackjackAnswersWanted):
        spots = [spot for spot in wanted.spots if spot in own]
        return TakeBlackjack(spots[0]) if spots else None
    if isinstance(wanted, InsuranceAnswersWanted):
        spots = [spot for spot in wanted.spots if spot in own]
        return _insure(state, seat, spots[0], bot) if spots else None
    if isinstance(wanted, DecisionWanted) and wanted.spot in own:
        return _decide(state, seat, wanted, bot)
    return None


def _insure(state: TableState, seat: Seat, spot: int, bot: Seated) -> Insure:
    habit = bot.strategy.insurance if bot.strategy else Insurance.NEVER
    has_blackjack = is_blackjack(state.open_round.spots[spot].hands[0].shape)
    insures = habit is Insurance.ALWAYS or (habit is Insurance.BLACKJACK and has_blackjack)
    for option in options(state.open_round) if insures else ():
        if isinstance(option, InsuranceOption) and option.spot == spot:
            return Insure(spot, option.most if option.most <= state.stack(seat.number) else 0)
    return Insure(spot, 0)


def _decide(state: TableState, seat: Seat, wanted: DecisionWanted, bot: Seated) -> PlayerCommand:
    round_ = state.open_round
    if bot.strategy is None:
        command = steady_player(round_, wanted)
        assert isinstance(command, PlayerCommand)
        action = next(code for code, kind in ACTION_COMMANDS.items() if isinstance(command, kind))
        preferences: tuple[int, ...] = (action,)
    else:
        spot = round_.spots[wanted.spot]
        hand = spot.hands[wanted.hand]
        seen = HandSeen(tuple(hand.cards), hand.shape, len(spot.hands))
        preferences = bot.strategy.preferences(seen, round_.up)
    covered = tuple(
        action
        for action in preferences
        if _chips(round_, wanted, action) <= state.stack(seat.number)
    )
    spot = round_.spots[wanted.spot]
    hand = spot.hands[wanted.hand]
    action = first_legal_for(round_.table, covered, hand.shape, len(spot.hands))
    return ACTION_COMMANDS[action](wanted.spot)


def _chips(state: RoundState, wanted: DecisionWanted, action: int) -> int:
    spot = state.spots[wanted.spot]
    return chips_needed(state, spot, spot.hands[wanted.hand], action)
