"""Each extra alone: what it is for works, and what it does not bring is told in one sentence."""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

from tools.release.building import PROJECT
from tools.release.environments import Environment

MISSING = "ventiuna.errors.MissingExtra: this needs "


class Probe(NamedTuple):
    """A program, and what is somewhere in what it prints."""

    program: tuple[str, ...]
    printed: str


def _python(text: str, printed: str) -> Probe:
    return Probe(("python", "-c", f"import ventiuna as vt\n{text}"), printed)


def _command(words: str, printed: str) -> Probe:
    return Probe(("ventiuna", *words.split()), printed)


# Whatever an extra brings, the bare package plays and settles.
BARE = (
    _python("print(vt.rules('wsgc-2021', decks=8).decks, 'decks')", "8 decks"),
    _python(
        "print(len(list(vt.Table('wsgc-2021', seed=21).play(rounds=100))), 'rounds')", "100 rounds"
    ),
    _python("print(vt.match('wsgc-2021').house_edge > 0)", "True"),
    Probe(("python", "-m", "ventiuna", "--version"), "ventiuna "),
)
PROBES: dict[str, tuple[Probe, ...]] = {
    "cli": (
        _command("edge wsgc-spanish-21", "0.776829039 %"),
        _command("edge wsgc-2021 decks=8 --csv edge.csv", "written: edge-result.csv"),
        _command("simulate blackjack --rounds 20000 --seed 21", "20,000"),
        _command("rules explain R-021", "R-021"),
        Probe(("python", "-m", "ventiuna", "layout", "wsgc-2021", "--svg", "l.svg"), "l.svg"),
    ),
    "math": (
        _python("print(vt.analyse('wsgc-spanish-21').house_edge)", "0.0077682"),
        _python("print(vt.simulate('blackjack', rounds=20_000, seed=21).rounds)", "20000"),
        _python("print(vt.hand('wsgc-2021', '5c 6d', '2h').best)", "double"),
    ),
    "print": (
        _python(
            "from ventiuna.layout import layout\nfrom ventiuna.layout.pdf import layout_pdf\n"
            "print(layout_pdf(layout(vt.rules('wsgc-2021')))[:5])",
            "%PDF-",
        ),
    ),
    "cluster": (
        _python(
            "from ventiuna.simulation.executors import dask_workers\n"
            "if __name__ == '__main__':\n"
            "    with dask_workers('local:1') as workers: print(workers.name)",
            "1 Dask workers",
        ),
    ),
    "arrow": (_python("print(vt.hand('wsgc-2021', '5c 6d', '2h').to_arrow().num_rows)", "4"),),
    "pandas": (_python("print(len(vt.hand('wsgc-2021', '5c 6d', '2h').to_pandas()))", "4"),),
    "polars": (_python("print(len(vt.hand('wsgc-2021', '5c 6d', '2h').to_polars()))", "4"),),
    "table": (
        _python(
            "from ventiuna.table.store.opening import open_store\n"
            "open_store('house.sqlite').close(); print('a house')",
            "a house",
        ),
    ),
    "postgres": (
        _python("import psycopg; print(psycopg.pq.__impl__)", "binary"),
        _python("import ventiuna.table.store.postgres; print('both')", "both"),
    ),
    "server": (
        _python(
            "from ventiuna.server.app import create_app\n"
            "from ventiuna.server.house import open_house\n"
            "from ventiuna.server.settings import settings_from\n"
            "settings = settings_from(database='house.sqlite'); opened = open_house(settings)\n"
            "app = create_app(settings, opened.store, opened.house)\n"
            "print(len(app.openapi()['paths']) > 50); opened.store.close()",
            "True",
        ),
        _python(
            "from ventiuna.server.routes.pages import web_files\n"
            "print(sorted(one for one in web_files() if '/' not in one))",
            "'index.html', 'licences.md'",
        ),
    ),
    "envs": (
        _python(
            "import gymnasium, ventiuna.envs\n"
            "seat = gymnasium.make('ventiuna/Spanish21-v0'); seat.reset(seed=21)\n"
            "print(len(seat.step(seat.action_space.sample())))",
            "5",
        ),
    ),
    "plot": (
        _python(
            "import matplotlib; matplotlib.use('svg')\nfrom matplotlib import pyplot\n"
            "values = vt.hand('wsgc-2021', '5c 6d', '2h').rows()\n"
            "pyplot.bar([one['action'] for one in values], [one['ev'] for one in values])\n"
            "pyplot.savefig('hand.svg'); print('drawn')",
            "drawn",
        ),
    ),
    "all": (
        _command("pocket wsgc-2021 --pdf pocket.pdf", "pocket.pdf"),
        _command("edge wsgc-2021 --parquet edge.parquet", "written: edge-result.parquet"),
        _command("house create --database own.sqlite", ""),
        _command("audit --database own.sqlite", ""),
    ),
}
_SHEET = (
    "from ventiuna.analysis.frames import Framed\n"
    "class Sheet(Framed):\n    def rows(self): return [{'spot': 1}]\nSheet()"
)
# What needs a library, in the words of a library and of the command.
NEEDS: dict[str, Probe] = {
    "cli": _command("edge wsgc-spanish-21", "ventiuna[cli]"),
    "math": _python("vt.simulate('wsgc-2021', rounds=1000)", "ventiuna[math]"),
    "print": _python(
        "from ventiuna.layout import layout\nfrom ventiuna.layout.pdf import layout_pdf\n"
        "layout_pdf(layout(vt.rules('wsgc-2021')))",
        "ventiuna[print]",
    ),
    "cluster": _python(
        "from ventiuna.simulation.executors import dask_workers\n"
        "with dask_workers('local:1'): pass",
        "ventiuna[",  # without NumPy it is that extra which is asked for
    ),
    "arrow": _python(f"{_SHEET}.to_arrow()", "ventiuna[arrow]"),
    "pandas": _python(f"{_SHEET}.to_pandas()", "ventiuna[pandas]"),
    "polars": _python(f"{_SHEET}.to_polars()", "ventiuna[polars]"),
    "table": _python("import ventiuna.table.store.opening", "ventiuna[table]"),
    "postgres": _python(
        "from ventiuna.table.store.opening import open_store\n"
        "open_store('postgresql://127.0.0.1/none')",
        "ventiuna[",
    ),
    "server": _python("import ventiuna.server.app", "ventiuna[server]"),
    "envs": _python("import ventiuna.envs", "ventiuna[envs]"),
}
# The command alone: what it can do with other extras is refused before anything is written.
COMMANDS = (
    _command("table --no-browser", "ventiuna[server]"),
    _command("house create --database own.sqlite", "ventiuna[table]"),
    _command("edge wsgc-2021 --parquet edge.parquet", "ventiuna[arrow]"),
    _command("pocket wsgc-2021 --pdf pocket.pdf", "ventiuna[print]"),
    _command("simulate blackjack --rounds 1000 --dask local:1", "ventiuna[cluster]"),
)


def extras() -> dict[str, frozenset[str]]:
    """Those for users, as the project lists them, each with the others that it brings."""
    data = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        name: frozenset(re.findall(r"\w+", "".join(re.findall(r"ventiuna\[(.+?)\]", str(needs)))))
        for name, needs in data["project"]["optional-dependencies"].items()
        if name not in ("dev", "docs")
    }


def failures(environment: Environment, extra: str = "") -> list[str]:
    """What does not work in an environment with one extra, or with none."""
    name = extra or "bare"
    works = (*BARE, *PROBES.get(extra, ()))
    found = [told for probe in works if (told := _failure(environment, probe, name))]
    return found + [
        told for probe in _refused(extra) if (told := _no_refusal(environment, probe, name))
    ]


def _refused(extra: str) -> list[Probe]:
    if extra == "all":
        return []
    there = {extra} | extras().get(extra, frozenset())
    own = list(COMMANDS) if extra == "cli" else []
    return own + [probe for name, probe in NEEDS.items() if name not in there]


def _failure(environment: Environment, probe: Probe, name: str) -> str:
    done = environment.run(*probe.program)
    well = not done.returncode and probe.printed in done.stdout + done.stderr
    return "" if well else f"{name}: {probe.program}\n{done.stdout}{done.stderr}"


def _no_refusal(environment: Environment, probe: Probe, name: str) -> str:
    """Refused by our own sentence, and in the command by nothing else."""
    done = environment.run(*probe.program)
    lines = done.stderr.strip().splitlines()
    told = " ".join(lines if probe.program[0] == "ventiuna" else lines[-1:])
    start = "error: this needs " if probe.program[0] == "ventiuna" else MISSING
    well = done.returncode and told.startswith(start) and probe.printed in told
    return "" if well else f"{name}, not refused: {probe.program}\n{done.stdout}{done.stderr}"
