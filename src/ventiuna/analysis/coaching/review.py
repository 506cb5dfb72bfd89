"""A round reviewed: what it brought, what its wagers cost on average, what mistakes cost.

Result = house edge + mistakes + luck: mistakes are the exact costs of all decisions by the cards
unseen then, the house edge is that of each wager with best play from a fresh shoe, and luck is
the rest. The Super Bonus and the Envy Bonus have no stake: what they pay is luck.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ventiuna.analysis.coaching.made import Made, Priced, decisions_of, price
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.analysis.wager_theory import edge_and_deviation
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import Event, WagersPlaced, WagersWithdrawn
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager, WagerKind
from ventiuna.engine.state import RoundState
from ventiuna.rules import Rules

Data = dict[str, object]


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
    """A wager before the deal, what it brings on average, and the variance of that."""

    cents: int
    expected: float
    variance: float


def review(played: PlayedRound) -> Data:
    """Everything that is said of a round, in cents."""
    placed = _placed(played)
    priced = [one for one in map(price, _decisions(played, placed)) if one is not None]
    staked = [_staked(played, wager, cents) for wager, cents in _wagers(placed)]
    chips = Chips()
    for event in played.events:
        chips.add(event)
    return {
        "net": sum(chips.spots.get(spot, 0) for spot in placed),
        "base": sum(wagers.base for wagers in placed.values()),
        "staked": sum(one.cents for one in staked),
        "expected": sum(one.expected for one in staked),
        "variance": sum(one.variance for one in staked),
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


def _wagers(placed: dict[int, WagersPlaced]) -> Iterator[tuple[Wager, int]]:
    for wagers in placed.values():
        yield Wager.HAND, wagers.base
        for part, cents in wagers.mtd.items():
            yield MTD_WAGERS[part], cents
        for game, cents in wagers.jackpots.items():
            yield JACKPOT_WAGERS[game], cents


def _staked(played: PlayedRound, wager: Wager, cents: int) -> Staked:
    """Spots of one round and wagers of one spot are taken as independent of each other."""
    if wager.kind is WagerKind.JACKPOT:
        report = jackpot_report(played.rules, wager.game)
        meter = played.meters[wager.game - 1][0]
        return Staked(
            cents, -float(report.house_edge_at(meter)) * cents, float(report.variance_at(meter))
        )
    theory = edge_and_deviation(played.rules, wager)
    assert theory is not None, "a wager before the deal has a theory"
    edge, deviation = theory
    return Staked(cents, -float(edge) * cents, (deviation * cents) ** 2)


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
    }
