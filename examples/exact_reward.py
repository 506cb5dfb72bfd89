"""Rounds needed to reach a regret: learning from exact advantages, or from wins and losses.

python -m examples.exact_reward [RULES] [--rounds 80000] [--plot exact-reward.png]

Both learners track the mean reward of every choice in the same states (`examples.learning`). One
gets the result of each round. The other gets the exact advantage of each decision, the reward of
`TextTable21`, so luck adds no noise and each decision is judged on its own. The regret is exact
for both.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np

from examples.learning import Learner, Point, learn, regret_of, states_of
from ventiuna.analysis import analyze
from ventiuna.envs import Table21
from ventiuna.rules import Rules, RulesError, load_rules

FIRST = 100  # rounds before the first milestone, approximately
TARGETS = (0.05, 0.02, 0.01, 0.005)  # regret per round, base wagers


def learn_exactly(rules: Rules, rounds: int, seed: int = 21, points: int = 16) -> Iterator[Point]:
    """Play and learn from exact advantages, yielding a point at each of `points` milestones."""
    best, learner = analyze(rules).ev, Learner()
    env, generator = Table21(rules, episode="round", values="fresh"), np.random.default_rng(seed)
    goals = [round(rounds * (FIRST / rounds) ** (k / points)) for k in range(points - 1, -1, -1)]
    started, goal, played = time.perf_counter(), 0, 0
    row, info = env.reset(seed=seed)
    while goal < len(goals):
        state = states_of(row[None])
        legal = info["action_mask"] == 1
        tried = np.where(legal, learner.counts[state[0]], np.inf)
        greedy = np.where(legal, learner.means(state)[0], -np.inf).argmax()
        choice = tried.argmin() if generator.random() < 0.5 else greedy
        values = info["action_values"]
        advantage = values[choice] - values.max()
        if np.isfinite(advantage):
            learner.credit(state, np.array([choice]), np.array([advantage]))
        row, _, is_over, _, info = env.step(choice)
        if is_over:
            played += 1
            row, info = env.reset()
            while goal < len(goals) and played >= goals[goal]:
                yield Point(played, time.perf_counter() - started, *regret_of(rules, learner, best))
                goal += 1


def rounds_to(points: list[Point], regret: float) -> int | None:
    """The first milestone with at most this regret; None if it wasn't reached."""
    return next((point.rounds for point in points if point.regret <= regret), None)


def plot(exact: list[Point], results: list[Point], rules: Rules, path: str) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for points, mark, label in ((exact, "o-", "exact advantage"), (results, "s-", "win or loss")):
        axes.plot([point.rounds for point in points], [p.regret for p in points], mark, label=label)
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="rounds played",
        ylabel="regret per round, base wagers",
        title=f"Learning {rules.title} from two rewards",
    )
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend(title="reward")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="?", default="wsgc-spanish-21")
    parser.add_argument("--rounds", type=float, default=80_000, help="with exact advantages")
    parser.add_argument("--results", type=float, default=8_000_000, help="rounds with results")
    parser.add_argument("--plot", help="write the curves to this file", default="")
    options = parser.parse_args()
    if not (options.rounds >= FIRST and options.results >= FIRST):
        parser.error(f"--rounds and --results must be at least {FIRST}")
    try:
        rules = load_rules(options.rules)
    except RulesError as error:
        parser.error(str(error))
    exact = list(learn_exactly(rules, int(options.rounds)))
    results = [point for point in learn(rules, int(options.results), points=14) if point.rounds]
    print(f"{'regret':>8} {'exact advantage':>16} {'win or loss':>12}")
    for regret in TARGETS:
        found = [rounds_to(points, regret) for points in (exact, results)]
        texts = ["not reached" if rounds is None else f"{rounds:,}" for rounds in found]
        print(f"{regret:>8} {texts[0]:>16} {texts[1]:>12}")
    for name, points in (("exact advantage", exact), ("win or loss", results)):
        last = points[-1]
        print(f"{name}: {last.rounds:,} rounds, regret {last.regret:.5f}, {last.seconds:.0f} s")
    if options.plot:
        plot(exact, results, rules, options.plot)


if __name__ == "__main__":
    main()
