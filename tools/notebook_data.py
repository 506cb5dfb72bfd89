"""Compute the figures shown in the documentation's notebooks.

    python -m tools.notebook_data            write docs/notebooks/*.json (takes a few minutes)
    python -m tools.notebook_data --sample   recompute a few of them and compare

All figures are exact, without seeds or sampling. They are rounded to ten decimal places so that all
machines agree.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from ventiuna import canonical, fingerprint, load_rules
from ventiuna.analysis import SplitPlay, analyze, match_wager
from ventiuna.analysis.base_game.queries import BASE_GAME_OPTIONS, approved_grid, variations
from ventiuna.analysis.charts.derivation import derive_chart
from ventiuna.rules import Rules, RulesError

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
PRESETS = (
    "wsgc-spanish-21",
    "wsgc-2021",
    "wsgc-v002",
    "casino-card",
    "catfish-bend",
    "super-fun-21",
)
DECIMALS = 10
SUPER_FUN_DECKS = (1, 2)
# How much an exception must save, in percentage points, to be included in a chart.
WORTHS = (0.00001, 0.0001, 0.0003, 0.0005, 0.0007, 0.001, 0.003, 0.01, 0.1)

Row = dict[str, Any]


def base_game(rules: Rules) -> Row:
    """Return the figures of one configuration, base game only."""
    best = analyze(rules)
    anew = analyze(rules, split_play=SplitPlay.REOPTIMISED)
    return {
        "house_edge": _figure(best.house_edge),
        "house_edge_reoptimised": _figure(anew.house_edge),
        "element_of_risk": _figure(best.element_of_risk),
        "chips_risked": _figure(best.wagered),
    }


def edges() -> Row:
    """Compute all approved configurations; those with the same base game are computed only once."""
    rows: list[Row] = []
    known: dict[str, Row] = {}
    for preset in PRESETS:
        for rules in approved_grid(preset, load_rules(preset)):
            key = _base_game_key(rules)
            if key not in known:
                print(f"computing {canonical(rules)}", file=sys.stderr, flush=True)
                known[key] = base_game(rules)
            rows.append(
                {
                    "preset": preset,
                    "rules": canonical(rules),
                    "fingerprint": fingerprint(rules),
                    "decks": rules.decks,
                    "soft_17": str(rules.soft_17),
                    "double_double": rules.double_double,
                    "match_the_dealer": _match(rules),
                    **known[key],
                }
            )
    return {"configurations": rows}


def super_fun() -> Row:
    """Compute the figures for Super Fun 21: best play, charts of all sizes, and other rules."""
    return {
        str(decks): {
            **base_game(load_rules(f"super-fun-21(decks={decks})")),
            "charts": list(_charts(load_rules(f"super-fun-21(decks={decks})"))),
            "one_change": list(_changed(load_rules(f"super-fun-21(decks={decks})"))),
            "two_changes": list(_changed_twice(load_rules(f"super-fun-21(decks={decks})"))),
        }
        for decks in SUPER_FUN_DECKS
    }


def _charts(rules: Rules) -> Iterator[Row]:
    for worth in WORTHS:
        data: Any = derive_chart(rules, worth=worth / 100).as_data()
        yield {
            "worth_points": worth,
            "signs": data["signs"],
            "house_edge": _figure(data["house_edge"]),
        }


def _changed(rules: Rules) -> Iterator[Row]:
    for one in variations(rules):
        if not one.name.startswith("decks="):
            yield {"change": one.name, "house_edge": _figure(analyze(one.rules).house_edge)}


def _changed_twice(rules: Rules) -> Iterator[Row]:
    """Yield changes to two options at a time, skipping contradictory ones."""
    names = [one.name for one in variations(rules) if one.is_option and "decks=" not in one.name]
    start = canonical(rules)
    for first, second in combinations(names, 2):
        if first.partition("=")[0] == second.partition("=")[0]:
            continue
        try:
            changed = load_rules(_with(start, first, second))
        except RulesError:
            continue
        edge = _figure(analyze(changed).house_edge)
        yield {"change": f"{first}, {second}", "house_edge": edge}


def _with(name: str, *changes: str) -> str:
    inside = name[name.index("(") + 1 : -1] if "(" in name else ""
    return f"{name.partition('(')[0]}({','.join(filter(None, (inside, *changes)))})"


def _match(rules: Rules) -> float | None:
    """Return the house edge of a Match the Dealer wager, if there is one."""
    return _figure(float(match_wager(rules).house_edge)) if rules.mtd_configuration else None


def _base_game_key(rules: Rules) -> str:
    """Return a key that is equal for equal base games: no side bets, jackpots or limits."""
    options = ("game", "pack", *BASE_GAME_OPTIONS)
    return repr(
        (
            [str(getattr(rules, name)) for name in options],
            rules.bonus_21_rows(),
            rules.instant_wins,
        )
    )


def _figure(value: float) -> float:
    return round(value, DECIMALS)


def written(data: Row) -> str:
    return json.dumps(data, indent=1) + "\n"


def sample() -> list[str]:
    """Recompute every seventh configuration; return the differences from the file."""
    rows = json.loads((FOLDER / "edges.json").read_text(encoding="utf-8"))["configurations"]
    found = []
    for row in rows[::7]:
        edge = _figure(analyze(load_rules(row["rules"])).house_edge)
        if edge != row["house_edge"]:
            found.append(f"{row['rules']}: {edge}, but the file has {row['house_edge']}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.notebook_data", description=__doc__)
    parser.add_argument("--sample", action="store_true", help="only compare a sample")
    if parser.parse_args(arguments).sample:
        wrong = sample()
        print("\n".join(wrong) or "The sample agrees.")
        return 1 if wrong else 0
    (FOLDER / "edges.json").write_text(written(edges()), encoding="utf-8")
    (FOLDER / "super_fun_21.json").write_text(written(super_fun()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
