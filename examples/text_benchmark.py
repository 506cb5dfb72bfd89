"""A benchmark for language models: the exact regret of an agent on a fixed set of hands.

python -m examples.text_benchmark [RULES] [--hands 300] [--json]

Hand number n is the round dealt from seed n, so every agent plays the same hands. To benchmark your
own agent, call `play` with a function that answers the table's prompt. The baselines choose at
random, follow the printed chart, and play best.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from ventiuna.core.actions import ACTION_NAMES
from ventiuna.engine.commands import Insure, KeepBlackjack, TakeBlackjack
from ventiuna.engine.options import ACTION_COMMANDS
from ventiuna.engine.prompts import waiting_for
from ventiuna.envs import TextTable21
from ventiuna.rules import RulesError
from ventiuna.simulation.settings import find_strategy
from ventiuna.strategy.players import StrategyPlayer

Agent = Callable[[TextTable21], str]  # reads `prompt`, returns an answer


@dataclass
class Score:
    """What an agent lost compared with best play."""

    hands: int = 0
    decisions: int = 0
    mistakes: int = 0  # decisions that aren't the best
    not_understood: int = 0
    regret: float = 0.0  # base wagers
    result: float = 0.0  # base wagers; mostly luck

    @property
    def regret_per_hand(self) -> float:
        return self.regret / self.hands if self.hands else 0.0


def play(agent: Agent, rules: str = "wsgc-spanish-21", hands: int = 300) -> Score:
    """Play the first `hands` hands of the benchmark."""
    table, score = TextTable21(rules), Score()
    for seed in range(hands):
        table.reset(seed)
        while not table.is_over:
            turn = table.step(agent(table))
            score.decisions += 1
            score.mistakes += turn.regret > 0.0
            score.not_understood += not turn.understood
            score.regret += turn.regret
            score.result += turn.result if turn.is_over else 0.0
        score.hands += 1
    return score


# --- Baselines ---


def random_agent(seed: int = 21) -> Agent:
    generator = random.Random(seed)
    return lambda table: generator.choice(table.choices)


def chart_agent(rules: str) -> Agent:
    """Follows the built-in chart that fits the rules."""
    table = TextTable21(rules)
    player = StrategyPlayer(find_strategy("chart", table.rules, table.rules.table_minimum))
    names: dict[type, str] = {
        command: ACTION_NAMES[action] for action, command in ACTION_COMMANDS.items()
    }

    def answer(table: TextTable21) -> str:
        state = table.env.table.round
        command = player(state, waiting_for(state))
        if isinstance(command, Insure):
            return "insure" if command.amount else "decline"
        if isinstance(command, TakeBlackjack | KeepBlackjack):
            return "take" if isinstance(command, TakeBlackjack) else "keep"
        return names[type(command)]

    return answer


def optimal_agent(table: TextTable21) -> str:
    values = table.values()
    return max(values, key=values.__getitem__)


def baselines(rules: str) -> Mapping[str, Agent]:
    return {"random": random_agent(), "chart": chart_agent(rules), "optimal": optimal_agent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="?", default="wsgc-spanish-21")
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.hands < 1:
        parser.error("--hands must be at least 1")
    try:
        agents = baselines(options.rules)
    except RulesError as error:
        parser.error(str(error))
    scores = {name: play(agent, options.rules, options.hands) for name, agent in agents.items()}
    if options.json:
        print(json.dumps({name: asdict(score) for name, score in scores.items()}, indent=1))
        return
    print(f"{'agent':>8} {'decisions':>10} {'mistakes':>9} {'regret per hand':>16} {'result':>8}")
    for name, score in scores.items():
        print(
            f"{name:>8} {score.decisions:>10,} {score.mistakes:>9,} "
            f"{score.regret_per_hand:>16.5f} {score.result:>+8.1f}"
        )


if __name__ == "__main__":
    main()
