"""A round reviewed: what it brought, what its wagers cost on average, what mistakes cost.

Result = house edge + mistakes + luck: mistakes are the exact costs of all decisions by the cards
unseen then, the house edge is that of each wager with best play from a fresh shoe, and luck is
the rest. The Super Bonus and the Envy Bonus have no stake: what they pay is luck.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from ventiuna.analysis.base_game.measures import house_edge, standard_deviation
from ventiuna.analysis.coaching.advice import Asks
from ventiuna.analysis.coaching.kinds import cell_of
from ventiuna.analysis.coaching.made import Made, Priced, decisions_of, price
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import Event, WagersPlaced, WagersWithdrawn
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager, WagerKind
from ventiuna.engine.state import RoundState
from ventiuna.rules import Rules

Data = dict[str, object]
FORM = 2  # of a review: kept ones of another form are worked out again


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A finished round and who played it; plain, so that another process may review it."""

    rules: Rules
    events: tuple[Event, ...]
    meters: tuple[tuple[int, int], ...]  # cents and remainder of each, when wagers opened
    person: str
    seen_before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Staked:
    """A wager before the deal; a jackpot's with what its meter showed."""

    wager: Wager
    cents: int
    meter: int = 0


def review(played: PlayedRound) -> Data:
    """What the round brought and what its decisions cost, in cents; its wagers for a theory."""
    placed = _placed(played)
    priced = [one for one in map(price, _decisions(played, placed)) if one is not None]
    chips = Chips()
    for event in played.events:
        chips.add(event)
    return {
        "form": FORM,
        "net": sum(chips.spots.get(spot, 0) for spot in placed),
        "base": sum(wagers.base for wagers in placed.values()),
        "wagers": [
            {"wager": str(one.wager), "cents": one.cents, "meter": one.meter}
            for one in _staked(played, placed)
        ],
        "cost": sum(one.cents for one in priced),
        "decisions": [_decision_data(one) for one in priced],
    }


def _placed(played: PlayedRound) -> dict[int, WagersPlaced]:
    """The person's last wagers by spot."""
    placed: dict[int, WagersPlaced] = {}
    for event in played.events:
        if isinstance(event, WagersPlaced) and event.person == played.person:
            placed[event.spot] = event
        elif isinstance(event, WagersWithdrawn):
            placed.pop(event.spot, None)
    return placed


def _decisions(played: PlayedRound, placed: dict[int, WagersPlaced]) -> Iterator[Made]:
    start = RoundState(played.rules, list(played.meters))
    return decisions_of(start, played.rules, played.events, placed.keys(), played.seen_before)


def _staked(played: PlayedRound, placed: dict[int, WagersPlaced]) -> Iterator[Staked]:
    for wagers in placed.values():
        yield Staked(Wager.HAND, wagers.base)
        for part, cents in wagers.mtd.items():
            yield Staked(MTD_WAGERS[part], cents)
        for game, cents in wagers.jackpots.items():
            yield Staked(JACKPOT_WAGERS[game], cents, played.meters[game - 1][0])


# --- what wagers bring on average -------------------------------------------------------------


def expected(rules: Rules, staked: tuple[Staked, ...]) -> tuple[float, ...]:
    """What each brings its player, in cents, with best play from a fresh shoe."""
    return tuple(-float(_edge(rules, one)) * one.cents for one in staked)


def deviation_of_hand(rules: Rules) -> float:
    """In base wagers; takes seconds."""
    return float(standard_deviation(rules))


def variances(rules: Rules, staked: tuple[Staked, ...], of_hand: float) -> tuple[float, ...]:
    """Of each, in square cents; spots and wagers of one round count as independent."""
    return tuple(_variance(rules, one, of_hand) for one in staked)


def _edge(rules: Rules, staked: Staked) -> Fraction:
    if staked.wager.kind is WagerKind.JACKPOT:
        return _jackpot(rules, staked.wager.game).house_edge_at(staked.meter)
    if staked.wager.kind is WagerKind.MTD:
        return match_wager(rules).house_edge
    return house_edge(rules)


def _variance(rules: Rules, staked: Staked, of_hand: float) -> float:
    if staked.wager.kind is WagerKind.JACKPOT:
        return float(_jackpot(rules, staked.wager.game).variance_at(staked.meter))
    is_match = staked.wager.kind is WagerKind.MTD
    deviation = float(match_wager(rules).standard_deviation) if is_match else of_hand
    return (deviation * staked.cents) ** 2


@lru_cache(maxsize=64)
def _jackpot(rules: Rules, game: int) -> JackpotReport:
    return jackpot_report(rules, game)


def _decision_data(priced: Priced) -> Data:
    made, asked = priced.made, priced.made.coached.hand
    return {
        "event": made.index,
        "spot": made.spot,
        "hand": made.hand,
        "cards": list(asked.cards),
        "up": asked.up,
        "doublings": asked.doublings,
        "hands": asked.hands,
        "insurance": made.coached.insurance,
        "kind": str(priced.kind),
        "item": priced.item,
        "done": made.done,
        "best": priced.best,
        "cost": priced.cost,
        "cents": priced.cents,
        "valued": priced.valued.as_data() if priced.is_mistake else None,
        "cell": cell_of(asked).as_data() if made.coached.asks is Asks.DECISION else None,
    }
