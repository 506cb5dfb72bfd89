"""Each extra alone: what it is for works, and what it does not bring is told in one sentence."""

from __future__ import annotations

import tomllib
from typing import NamedTuple

from tools.release.building import PROJECT
from tools.release.environments import Environment


class Probe(NamedTuple):
    """What must work with an extra alone."""

    program: tuple[str, ...]
    printed: str  # somewhere in what it prints


def _python(text: str, printed: str) -> Probe:
    return Probe(("python", "-c", text), printed)


BARE = _python(
    "from ventiuna import load_rules; print(load_rules('wsgc-2021').decks, 'decks')", "6 decks"
)
PROBES = {
    "cli": Probe(("ventiuna", "edge", "wsgc-spanish-21"), "0.776829039 %"),
    "math": _python(
        "from ventiuna import load_rules\nfrom ventiuna.analysis import analyse\n"
        "print(analyse(load_rules('wsgc-spanish-21')).house_edge)",
        "0.0077682",
    ),
    "print": _python("import fpdf, ventiuna.layout; print('prints')", "prints"),
    "cluster": _python("import distributed, ventiuna; print('many machines')", "many machines"),
    "arrow": _python("import pyarrow, ventiuna; print('Parquet')", "Parquet"),
    "pandas": _python("import pandas, ventiuna; print('frames')", "frames"),
    "polars": _python("import polars, ventiuna; print('frames')", "frames"),
    "table": _python(
        "from ventiuna.table.store.opening import open_store\n"
        "open_store('house.sqlite').close(); print('a house')",
        "a house",
    ),
    "postgres": _python("import psycopg, ventiuna; print('driver')", "driver"),
    "server": _python(
        "from ventiuna.server.app import create_app\nfrom ventiuna.server.house import open_house\n"
        "from ventiuna.server.settings import settings_from\n"
        "settings = settings_from(database='house.sqlite'); opened = open_house(settings)\n"
        "print(len(create_app(settings, opened.store, opened.house).openapi()['paths']) > 50)\n"
        "opened.store.close()",
        "True",
    ),
    "envs": _python(
        "import gymnasium, ventiuna.envs\n"
        "gymnasium.make('ventiuna/Spanish21-v0').reset(seed=21); print('a seat')",
        "a seat",
    ),
    "plot": _python("import matplotlib, ventiuna; print('plots')", "plots"),
    "all": Probe(("ventiuna", "rules", "explain", "R-021"), "R-021"),
}
# Without its extra a program is refused in one sentence that names it.
REFUSALS = {
    "cli": Probe(("ventiuna", "edge", "wsgc-spanish-21"), "ventiuna[cli]"),
    "math": _python("import ventiuna.simulation", "ventiuna[math]"),
}


def extras() -> list[str]:
    """Those for users, as the project lists them."""
    data = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    return [
        name for name in data["project"]["optional-dependencies"] if name not in ("dev", "docs")
    ]


def failures(environment: Environment, extra: str = "") -> list[str]:
    """What does not work in an environment with one extra, or with none."""
    found = []
    for probe in (BARE, *([PROBES[extra]] if extra else [])):
        done = environment.run(*probe.program)
        if done.returncode or probe.printed not in done.stdout:
            found.append(f"{extra or 'bare'}: {probe.program}\n{done.stdout}{done.stderr}")
    for probe in REFUSALS.values() if not extra else ():
        done = environment.run(*probe.program)
        if not done.returncode or probe.printed not in done.stderr:
            found.append(f"bare, not refused: {probe.program}\n{done.stdout}{done.stderr}")
    return found
