"""What the README and the package's docstrings show is what happens."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import ventiuna

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "docs/notation.md", "docs/exact.md", "docs/simulation.md")
DOCTESTED = sorted(
    module.name
    for module in pkgutil.walk_packages(ventiuna.__path__, "ventiuna.")
    if module.name.split(".")[1] in ("cards", "core", "engine", "money", "notation", "rules")
)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_shows_what_happens(name: str) -> None:
    result = doctest.testfile(str(ROOT / name), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", DOCTESTED)
def test_docstrings_show_what_happens(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
