"""Write docs/one-place.md: each requirement about money with the function that decides it.

python -m tests.one_place_page           write the page
python -m tests.one_place_page --check   check that it is up to date
"""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from tests.pages import is_written, write_or_check
from tests.requirements_page import ROOT, Entry, ledger

LIST = ROOT / "src" / "ventiuna" / "rules" / "text" / "one_place.toml"
PAGE = ROOT / "docs" / "one-place.md"


@dataclass(frozen=True)
class Decision:
    """One statement of a requirement about money, and the function that decides it."""

    number: str
    what: str
    module: str
    function: str

    @property
    def name(self) -> str:
        return f"{self.module}:{self.function}"

    def exists(self) -> bool:
        try:
            module = importlib.import_module(f"ventiuna.{self.module}")
        except ModuleNotFoundError:
            return False
        return callable(getattr(module, self.function, None))


def requirements() -> dict[str, Entry]:
    """The numbered requirements, without the points that the documents leave open."""
    return {number: entry for number, entry in ledger().items() if number.startswith("R-")}


def decisions() -> list[Decision]:
    found = []
    for number, rows in tomllib.loads(LIST.read_text(encoding="utf-8"))["decides"].items():
        for what, name in rows:
            module, _, function = name.partition(":")
            found.append(Decision(number, what, module, function))
    return found


def without_money() -> dict[str, str]:
    """Requirements that don't decide money, each with the reason."""
    reasons: dict[str, str] = tomllib.loads(LIST.read_text(encoding="utf-8"))["decides_no_money"]
    return reasons


# --- the page -----------------------------------------------------------------------------------

_INTRODUCTION = """\
# One rule in one place

Written by `make docs` from `src/ventiuna/rules/text/one_place.toml`; `make test` fails when
it is out of date, when a function named here does not exist, or when a requirement is missing.
Texts of the requirements and their tests are in [requirements.md](requirements.md).

Each function below is the only one that decides the item next to it. The engine calls it as
Python, Numba compiles it unchanged for the kernels, and the exact analysis and the simulator's
tables call it too. `tests/test_one_place.py` enforces this: outside `core/` nothing reads the
compiled rules that these functions read, except for a few readers listed there with a reason
(they check which cards a row names, and decide no payout). Only the *order of play* (R-102,
R-120) is implemented twice, in `engine.flow` and `kernels.simulate.rounds`. The two are proven
equal round by round (`tests/equivalence/test_lockstep.py`) and for all card orders of tiny
shoes (`tests/exhaustive/`). `ventiuna.testing.reference`, a slow second implementation of the
base game, would disagree if something were wrong.

Module names are relative to `ventiuna`.
"""


def page() -> str:
    parts = [_INTRODUCTION]
    known = requirements()
    heading = ""
    rows: list[str] = []
    for decision in decisions():
        section = known[decision.number].heading
        if section != heading:
            heading = section
            rows += ["", f"## {heading}", "", "| number | decides | function |", "|---|---|---|"]
        rows.append(f"| {decision.number} | {decision.what} | `{decision.name}` |")
    parts += ["\n".join(rows[1:]) + "\n", "\n".join(_others()) + "\n"]
    return "\n".join(parts)


def _others() -> Iterator[str]:
    yield "## Requirements that decide no money"
    yield ""
    yield "| number | what it is about |"
    yield "|---|---|"
    for number, reason in without_money().items():
        yield f"| {number} | {reason} |"


def is_current() -> bool:
    return is_written(PAGE, page())


def main(arguments: list[str]) -> int:
    return write_or_check(arguments, __doc__, PAGE, page)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
