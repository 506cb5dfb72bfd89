"""Learn the game from rewards only, and show how far the learned policy is from best play.

python -m examples.learning [RULES] [--rounds 8000000] [--plot regret.png]

This is tabular Monte Carlo control. Thousands of seats play at once, and the result of a round is
credited to its last random choice and to every choice after it. The regret is exact, not sampled:
the analyzer computes the value of the current policy and of best play.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ventiuna.analysis import analyze
from ventiuna.core import actions
from ventiuna.core.cards import (
    Hand,
    best_total,
    is_blackjack,
    is_equal_value_pair,
    is_soft,
    value_of,
)
from ventiuna.envs import VectorTable21
from ventiuna.kernels import vector_env_layout as at
from ventiuna.rules import Rules, load_rules
from ventiuna.simulation.exact_play import exact_value
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.spec import make_spec
from ventiuna.strategy.protocol import HandSeen, Insurance

Ints = npt.NDArray[np.int64]
Shorts = npt.NDArray[np.int16]

CHOICES = at.FIRST_WAGER  # there are no wagers to choose
MANY = 6  # hands with this many cards or more share a state
SHAPE = (4, 4, 2, 2, 2, MANY + 1, 22, 11)  # phase, doublings, split, pair, soft, cards, total, up
STATES = int(np.prod(SHAPE))
MOST_STEPS = 40  # maximum number of remembered choices per round


@dataclass
class Learner:
    """The mean result of every choice in every state, which determines the policy."""

    sums: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((STATES, CHOICES)))
    counts: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((STATES, CHOICES)))

    def means(self, states: Ints) -> npt.NDArray[np.float64]:
        """Return the mean result of every choice; untried choices rank last."""
        counts = self.counts[states]
        return np.where(counts > 0, self.sums[states] / np.maximum(counts, 1), -1e9)

    def credit(self, states: Ints, choices: Ints, results: npt.NDArray[np.float64]) -> None:
        np.add.at(self.counts, (states, choices), 1.0)
        np.add.at(self.sums, (states, choices), results)

    def forget(self, share: float) -> None:
        """Give less weight to older rounds, which were played with a worse policy."""
        self.sums *= share
        self.counts *= share


def states_of(rows: Shorts) -> Ints:
    """Return the state of each seat, from the columns of its observation."""
    doublings = rows[:, at.DOUBLINGS]
    ranks = rows[:, at.RANK : at.LEFT]
    tens = ranks[:, 9:].sum(axis=1)
    pair = (rows[:, at.CARDS] == 2) & ((ranks.max(axis=1) == 2) | (tens == 2))
    columns = (
        rows[:, at.PHASE],
        doublings,
        (rows[:, at.SPLIT] > 0) & (doublings == 0),
        pair & (doublings == 0),
        rows[:, at.SOFT],
        np.minimum(rows[:, at.CARDS], MANY),
        rows[:, at.TOTAL],
        np.minimum((rows[:, at.UP] - 1) // 4 + 1, 10),
    )
    place = np.zeros(len(rows), dtype=np.int64)
    for column, size in zip(columns, SHAPE, strict=True):
        place = place * size + column
    return place


def state_of(phase: int, hand: Hand, up: int) -> int:
    """Return the state of a hand in the analyzer's format."""
    plain = hand.doublings == 0
    columns = (
        phase,
        hand.doublings,
        int(plain and hand.split == 1),
        int(plain and is_equal_value_pair(hand)),
        int(is_soft(hand.hard, hand.aces)),
        min(hand.cards, MANY),
        best_total(hand.hard, hand.aces),
        value_of(up),
    )
    place = 0
    for column, size in zip(columns, SHAPE, strict=True):
        place = place * size + column
    return place


class LearnedPolicy:
    """The learned policy as a strategy for the analyzer and the simulator."""

    name = "learned"
    insurance = Insurance.NEVER

    def __init__(self, learner: Learner) -> None:
        means = learner.means(np.arange(STATES))
        self._ranked = np.argsort(-means[:, : actions.ACTIONS], axis=1).tolist()
        self._keeps = means[:, at.KEEP] > means[:, at.TAKE]

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        if is_blackjack(hand.shape) and not self._keeps[state_of(at.BLACKJACK, hand.shape, up)]:
            return (actions.STAND,)
        return tuple(self._ranked[state_of(at.PLAY, hand.shape, up)])


@dataclass(frozen=True)
class Point:
    """The quality of the policy after a number of rounds."""

    rounds: int
    seconds: float
    value: float  # exact value of a round, in base wagers
    regret: float  # how much lower that is than with best play


def regret_of(rules: Rules, learner: Learner, best: float) -> tuple[float, float]:
    """Return the exact value of the current policy, and its shortfall from best play."""
    value = exact_value(make_spec(Plan(rules), LearnedPolicy(learner))).ev
    return value, best - value


def learn(
    rules: Rules, rounds: int, seats: int = 4096, seed: int = 21, points: int = 10
) -> Iterator[Point]:
    """Play and learn, yielding a point at each of `points` milestones."""
    best = analyze(rules).ev
    learner = Learner()
    started = time.perf_counter()
    player = _Player(rules, learner, seats, seed)
    yield Point(0, 0.0, *regret_of(rules, learner, best))
    goals = [round(rounds * (k / points) ** 2) for k in range(1, points + 1)]
    for number, goal in enumerate(goals):
        player.play_until(goal, explores=0.5 - 0.4 * number / points)
        yield Point(player.rounds, time.perf_counter() - started, *regret_of(rules, learner, best))
        if number < points - 1:
            learner.forget(0.5)


class _Player:
    """Seats that play rounds and credit the results to their choices."""

    def __init__(self, rules: Rules, learner: Learner, seats: int, seed: int) -> None:
        self.learner = learner
        self.rounds = 0
        self._random = np.random.default_rng(seed)
        self._env = VectorTable21(
            seats, rules, episode="round", autoreset_mode="SameStep", copy=False
        )
        self._rows, info = self._env.reset(seed=seed)
        self._mask = info["action_mask"]
        self._everybody = np.arange(seats)
        self._states = np.zeros((seats, MOST_STEPS), dtype=np.int64)
        self._choices = np.zeros((seats, MOST_STEPS), dtype=np.int64)
        self._length = np.zeros(seats, dtype=np.int64)
        self._greedy_from = np.zeros(seats, dtype=np.int64)  # the last random choice

    def play_until(self, rounds: int, explores: float) -> None:
        while self.rounds < rounds:
            self._step(explores)

    def _step(self, explores: float) -> None:
        states = states_of(self._rows)
        chance = self._random.random(self._mask.shape)
        greedy = np.where(self._mask == 1, self.learner.means(states), -np.inf).argmax(axis=1)
        other = (chance * self._mask).argmax(axis=1)
        tries = (self._random.random(len(states)) < explores) & (other != greedy)
        choices = np.where(tries, other, greedy)
        step = np.minimum(self._length, MOST_STEPS - 1)
        self._greedy_from = np.where(tries, step, self._greedy_from)
        self._states[self._everybody, step] = states
        self._choices[self._everybody, step] = choices
        self._length = step + 1
        self._rows, rewards, over, _, info = self._env.step(choices)
        self._mask = info["action_mask"]
        if over.any():
            self._credit(np.flatnonzero(over), rewards)
            self.rounds += int(over.sum())

    def _credit(self, ended: Ints, rewards: npt.NDArray[np.float64]) -> None:
        steps = np.arange(MOST_STEPS)
        counts = (steps >= self._greedy_from[ended, None]) & (steps < self._length[ended, None])
        seat, step = np.nonzero(counts)
        seat = ended[seat]
        self.learner.credit(self._states[seat, step], self._choices[seat, step], rewards[seat])
        self._length[ended] = self._greedy_from[ended] = 0


def plot(points: list[Point], rules: Rules, path: str) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot([point.rounds for point in points[1:]], [point.regret for point in points[1:]], "o-")
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="rounds played",
        ylabel="regret per round, base wagers",
        title=f"Learning {rules.title}: distance to the exact optimum",
    )
    axes.grid(visible=True, which="both", alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="?", default="wsgc-spanish-21")
    parser.add_argument("--rounds", type=float, default=8_000_000)
    parser.add_argument("--seats", type=int, default=4096)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--plot", help="write the curve to this file", default="")
    options = parser.parse_args()
    rules = load_rules(options.rules)
    print(f"{'rounds':>12} {'seconds':>8} {'value':>9} {'regret':>9}")
    points = []
    for point in learn(rules, int(options.rounds), options.seats, options.seed):
        points.append(point)
        print(
            f"{point.rounds:>12,} {point.seconds:>8.1f} {point.value:>+9.5f} {point.regret:>9.5f}",
            flush=True,
        )
    if options.plot:
        plot(points, rules, options.plot)


if __name__ == "__main__":
    main()
