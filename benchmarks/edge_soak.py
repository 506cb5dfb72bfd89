"""Edge certificates of all presets: check them, and plant errors that must be rejected.

python -m benchmarks.edge_soak --errors 200; Ctrl-C stops. Prints times, sizes, the share of planted
errors that the checker rejects, by their size, and the smallest difference between two actions.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from tools import check_edge
from tools.check_edge import ACTIONS, VALUES, Checker, check
from ventiuna.proof.edge_certificate import edge_certificate

RULES = (
    "wsgc-spanish-21(split=off)",
    "wsgc-spanish-21",
    "wsgc-spanish-21(soft_17=stand)",
    "wsgc-spanish-21(double_double=on)",
    "wsgc-spanish-21(decks=2)",
    "wsgc-spanish-21(decks=8)",
    "casino-card",
    "catfish-bend",
    "wsgc-2021",
    "wsgc-v002",
    "super-fun-21",
    "super-fun-21(decks=2)",
    "blackjack",
    "blackjack(decks=1,surrender=late,resplit_aces=on,double_after_split=off)",
)
SIZES = (1e-3, 1e-6, 1e-9, 1e-11, 1.1e-12)
EQUAL = 1e-13  # rounding errors of equal values are smaller

Lines = list[dict[str, Any]]


def up_of(line: dict[str, Any]) -> int:
    """The value of the up card of a line."""
    rank = line["up"][0]
    return VALUES.index(rank) if rank in VALUES else VALUES.index("T")


def is_rejected(header: dict[str, Any], lines: Lines, up: int) -> bool:
    """Whether the checker rejects the lines against one up card."""
    mine = [line for line in lines if up_of(line) == up]
    try:
        checker = Checker({**header, "lines": len(mine)}, mine)
        checker.check_up(up)
    except (LookupError, TypeError, ValueError):
        return True
    return False


def wrong_value(line: dict[str, Any], size: float, generator: random.Random) -> None:
    """Change the value of an action or of a split."""
    plays = [play for play in line["play"] if play is not None]
    sign = generator.choice((-1, 1))
    if "split" in line and generator.random() < 0.5:
        line["split"] += sign * size
    else:
        generator.choice(plays)[1] += sign * size


def wrong_action(line: dict[str, Any], _size: float, generator: random.Random) -> None:
    play = generator.choice([play for play in line["play"] if play is not None])
    play[0] = generator.choice([action for action in ACTIONS if action != play[0]])


def wrong_chance(line: dict[str, Any], size: float, generator: random.Random) -> None:
    line["dealer"][generator.randrange(6)] += generator.choice((-1, 1)) * size


def wrong_rules(rules: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rules with one change each that affects some hand."""
    for name, value in (
        ("decks", rules["decks"] + 1),
        ("ranks", rules["ranks"].replace("K", "")),
        ("soft_17", "hit" if rules["soft_17"] == "stand" else "stand"),
        ("doublings", rules["doublings"] + 1),
    ):
        yield name, {**rules, name: value}
    for number, row in enumerate(rules["pays"]):
        changed = deepcopy(rules)
        changed["pays"][number]["pay"][0] += 1
        yield f"{row['name']} pays more", changed
    for action in sorted({row["action"] for row in rules["actions"]}):
        left = [row for row in rules["actions"] if row["action"] != action]
        yield f"no {action}", {**rules, "actions": left}
    for value, hands in rules["split_hands"].items():
        if hands > 1:
            yield (
                f"hands from {value}",
                {
                    **rules,
                    "split_hands": {**rules["split_hands"], value: hands - 1},
                },
            )


PLANTED: dict[str, tuple[Callable[[dict[str, Any], float, random.Random], None], str]] = {
    "value": (wrong_value, "play"),
    "action": (wrong_action, "play"),
    "probability": (wrong_chance, "dealer"),
}


def plant(
    header: dict[str, Any], lines: Lines, kind: str, size: float, generator: random.Random
) -> bool:
    """Change one number or action at a random hand; return whether that is detected."""
    change, needed = PLANTED[kind]
    able = [
        number
        for number, line in enumerate(lines)
        if needed in line and (needed == "dealer" or any(line["play"]))
    ]
    number = generator.choice(able)
    changed = deepcopy(lines[number])
    change(changed, size, generator)
    return is_rejected(header, [*lines[:number], changed, *lines[number + 1 :]], up_of(changed))


@contextlib.contextmanager
def closest_calls() -> Iterator[list[float]]:
    """Record the smallest differences between the best actions and others that aren't equal."""
    choose, found = check_edge.best_action, [1.0]

    def best_action(values: Any) -> Any:
        with np.errstate(invalid="ignore"):
            behind = values.max(axis=0) - values
        found[0] = min(found[0], behind[behind > EQUAL].min(initial=1.0))
        return choose(values)

    check_edge.best_action = best_action
    yield found
    check_edge.best_action = choose


def soak(name: str, errors: int, generator: random.Random) -> dict[str, Any]:
    started = time.process_time()
    certificate = edge_certificate(name)
    written = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        path = Path(folder) / "edge.jsonl.gz"
        path.write_bytes(certificate.content)
        started = time.process_time()
        with closest_calls() as closest:
            check(str(path))
    found: dict[str, Any] = {
        "rules": name,
        "house_edge": certificate.house_edge,
        "hands": certificate.lines,
        "bytes": len(certificate.content),
        "written_seconds": round(written, 2),
        "checked_seconds": round(time.process_time() - started, 2),
        "closest_call": closest[0],
        "checker": out.getvalue().splitlines()[-1],
    }
    header, *lines = map(json.loads, gzip.decompress(certificate.content).splitlines())
    for kind in PLANTED:
        for size in SIZES if kind != "action" else (0.0,):
            number = errors if kind == "action" else -(-errors // len(SIZES))
            rejected = sum(plant(header, lines, kind, size, generator) for _ in range(number))
            found[f"{kind} {size:g}" if size else kind] = [rejected, number]
    if errors:
        missed = []
        changes = list(wrong_rules(header["rules"]))
        for text, rules in changes:
            order = generator.sample(range(10), 10)
            if not any(is_rejected({**header, "rules": rules}, lines, up) for up in order):
                missed.append(text)
        found["rule"] = [len(changes) - len(missed), len(changes)]
        found["rules not rejected"] = missed
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", type=int, default=50, help="errors of each kind and rule set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rules", nargs="*", default=RULES)
    options = parser.parse_args()
    missed = 0
    for name in options.rules:
        found = soak(name, options.errors, random.Random(f"{options.seed}/{name}"))
        print(json.dumps(found), flush=True)
        pairs = [pair for pair in found.values() if isinstance(pair, list) and len(pair) == 2]
        missed += found["closest_call"] < 1e-11  # rounding might decide how a split hand is played
        missed += sum(
            pair[1] - pair[0] for pair in pairs if all(isinstance(part, int) for part in pair)
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
