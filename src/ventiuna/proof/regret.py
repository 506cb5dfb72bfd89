"""The cost of each decision of a simulated player, based on the exact values of best play."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.charts.best_play import Optimum
from ventiuna.core import actions
from ventiuna.core.cards import is_blackjack, value_of
from ventiuna.kernels.exact.tables import composition_index
from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation.exact_play import best_solution, suited_values
from ventiuna.simulation.figures import MODE_NAMES, hand_name
from ventiuna.simulation.result import Result
from ventiuna.simulation.spec import SimulationSpec, compiled_tables
from ventiuna.simulation.statistics import Estimate, mean_of

Floats = npt.NDArray[np.float64]
_SMALL = 1e-9  # closer values count as equal


@dataclass(frozen=True)
class RegretLine:
    """A type of decision: its frequency, and its cost in base wagers."""

    hand: str
    state: str
    up: str
    action: str
    best: str
    visits: int
    loss: float  # average per decision
    cost: Estimate  # cost per spot and round; its error comes from the visits


class _Values:
    """Exact values of a node's actions after the dealer's check; fresh shoe, best play."""

    def __init__(self, spec: SimulationSpec) -> None:
        kit = compiled_tables(spec)
        self._kit = kit
        solution = best_solution(spec.rules, spec.bases[0])
        self._optimum = Optimum(kit.rules, solution, spec.bases[0])
        self._suited = suited_values(kit.rules, solution)

    def of(self, mode: int, node: int, up: int) -> Floats:
        """Values by action; minus infinity for illegal ones."""
        kit = self._kit
        cards = kit.graph.cards[node]
        value = kit.up_card_value(up) - 1
        place = composition_index(value_of(card) - 1 for card in cards)
        if mode >= at.DOUBLED_ONCE:
            found = self._optimum.doubled_values[value, mode - at.DOUBLED_ONCE + 1, :, place]
        elif (node, up) in self._suited:
            found = self._suited[node, up]
        else:
            found = self._optimum.by_action[value, :, place]
        legal = int(kit.legal[mode, node])
        allowed = np.array([legal >> action & 1 for action in range(actions.ACTIONS)], dtype=bool)
        return np.where(allowed & ~np.isnan(found), found, -np.inf)


def regret_lines(result: Result) -> list[RegretLine]:
    """Costliest decisions first. Split hands are judged by the values of unsplit ones."""
    tally = result.tally
    kit = compiled_tables(tally.spec)
    visits = tally.visits_by_decision()
    values = _Values(tally.spec)
    gathered: dict[tuple[str, str, str, str, str], list[float]] = {}
    places = [part.tolist() for part in np.nonzero(visits)]
    for deviation, mode, node, up in zip(*places, strict=True):
        shape_of_hand = kit.graph.shapes[node]
        if not kit.legal[mode, node] or (mode == at.AS_DEALT and is_blackjack(shape_of_hand)):
            continue
        worth = values.of(mode, node, up)
        taken = kit.action_at(deviation, mode, node, up)
        best = int(worth.argmax())
        loss = float(worth[best] - worth[taken])
        if not np.isfinite(loss) or loss < _SMALL:
            continue
        key = (
            hand_name(
                shape_of_hand if mode < at.DOUBLED_ONCE else shape_of_hand._replace(doublings=1)
            ),
            MODE_NAMES[mode],
            kit.up_name(up),
            actions.ACTION_NAMES[taken],
            actions.ACTION_NAMES[best],
        )
        sums = gathered.setdefault(key, [0.0, 0.0])
        count = int(visits[deviation, mode, node, up])
        sums[0] += count
        sums[1] += count * loss
    trials = result.rounds * result.spots
    lines = []
    for key, (times, lost) in gathered.items():
        met = mean_of(int(times), int(times), trials)
        mean = lost / times
        cost = Estimate(lost / trials, met.standard_error * mean, met.sd * mean, trials)
        lines.append(RegretLine(*key, visits=int(times), loss=mean, cost=cost))
    return sorted(lines, key=lambda line: -line.cost.value)


def total_regret(lines: list[RegretLine]) -> Estimate:
    """The total cost of all decisions per spot and round, in base wagers."""
    return Estimate(
        math.fsum(line.cost.value for line in lines),
        math.hypot(*(line.cost.standard_error for line in lines)),
        math.hypot(*(line.cost.sd for line in lines)),
        max((line.cost.trials for line in lines), default=0),
    )
