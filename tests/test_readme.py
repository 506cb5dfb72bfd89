"""The examples in the README and in the package's docstrings run as shown."""

import doctest
import importlib
from pathlib import Path

import pytest

import ventiuna

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    "README.md",
    "docs/notation.md",
    "docs/exact.md",
    "docs/simulation.md",
    "docs/counting.md",
    "docs/environments.md",
    "docs/fairness.md",
)
SOURCE = Path(ventiuna.__file__).parent
DOCTESTED = sorted(
    ".".join(("ventiuna", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    for path in SOURCE.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_shows_what_happens(name: str) -> None:
    result = doctest.testfile(str(ROOT / name), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", DOCTESTED)
def test_docstrings_show_what_happens(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_every_package_with_examples_is_tested() -> None:
    rooms = {name.split(".")[1] for name in DOCTESTED}
    assert {"analysis", "simulation", "strategy"} <= rooms
