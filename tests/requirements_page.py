"""Write docs/requirements.md: each requirement, the code that decides it, and its tests.

    python -m tests.requirements_page           write the page
    python -m tests.requirements_page --check   check that it is up to date

Code names the requirements it decides in comments, docstrings, and refusals (`R-036`, or
`R-014 to R-025` for a range). Tests name them in function names (`test_r036_…`, `test_o09_…`).
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.pages import is_written, write_or_check

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ventiuna"
TESTS = ROOT / "tests"
PAGE = ROOT / "docs" / "requirements.md"
LEDGER = SOURCE / "rules" / "text" / "requirements.toml"
QUOTATIONS = LEDGER.with_name("clauses.toml")  # quotes every number but implements no rule

# Packages and modules that implement rules; those that only describe them are in DESCRIBING.
DECIDING = ("core", "engine", "rules", "notation", "cards.py", "money.py")
DESCRIBING = ("describe", "compare", "departures", "variations")
_NUMBER = re.compile(r"\b([RDO])-([0-9]{2,3})\b(?: to \1-([0-9]{2,3})\b)?")
_TEST = re.compile(r"^ *def (test_\w+)", re.MULTILINE)
_IN_TEST_NAME = re.compile(r"(?<=_)(r[0-9]{3}|[do][0-9]{2})(?=_|$)")


@dataclass
class Entry:
    """A requirement or an open point, with every place that refers to it."""

    id: str
    heading: str
    text: str
    testable: bool = True
    why_not: str = ""
    documents: str = ""
    decided: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    described: list[str] = field(default_factory=list)
    tests: dict[str, list[str]] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)


def numbers_in(text: str) -> Iterator[str]:
    """All numbers cited in a string; `R-014 to R-016` counts as three.

    >>> list(numbers_in("R-014 to R-016, O-18"))
    ['R-014', 'R-015', 'R-016', 'O-18']
    """
    for letter, first, last in _NUMBER.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield f"{letter}-{number:0{len(first)}}"


def numbers_in_test_name(name: str) -> list[str]:
    """
    >>> numbers_in_test_name("test_r081_d05_at_the_exposure")
    ['R-081', 'D-05']
    """
    return [f"{found[0].upper()}-{found[1:]}" for found in _IN_TEST_NAME.findall(name)]


# --- references to requirements ---------------------------------------------------------------


def ledger() -> dict[str, Entry]:
    """Every requirement and decision, before references are added."""
    data = tomllib.loads(LEDGER.read_text(encoding="utf-8"))
    entries = [
        Entry(
            row["id"],
            row["section"],
            row["text"],
            row["testable"],
            row.get("why", ""),
            ", ".join(row["documents"]),
        )
        for row in data["requirements"]
    ]
    headings = {"D": "Where the documents disagree", "O": "What the documents leave open"}
    entries += [
        Entry(row["id"], headings[row["id"][0]], f"{row['subject']}: {row['default']}.")
        for row in data["decisions"]
    ]
    return {entry.id: entry for entry in entries}


@cache
def numbers_in_source() -> dict[str, dict[str, list[str]]]:
    """Places that cite each number, grouped by kind: decided, data, described."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for room in DECIDING:
        path = SOURCE / room
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            for number, kind, place in _places(file):
                if place not in found[number][kind]:
                    found[number][kind].append(place)
    return found


def _places(file: Path) -> Iterator[tuple[str, str, str]]:
    name = file.relative_to(SOURCE).as_posix()
    if file in (LEDGER, QUOTATIONS):
        return
    if file.suffix == ".toml":
        for number in numbers_in(file.read_text(encoding="utf-8")):
            yield number, "data", name
    elif file.suffix == ".py":
        kind = "described" if file.stem.startswith(DESCRIBING) else "decided"
        text = file.read_text(encoding="utf-8")
        owners = _owners(text)
        for line, content in enumerate(text.splitlines(), start=1):
            for number in numbers_in(content):
                owner = owners.get(line, "")
                yield number, kind, f"{name} {owner}" if owner else name


def _owners(text: str) -> dict[int, str]:
    """The innermost function or class that each line belongs to."""
    owners: dict[int, str] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}" if prefix else child.name
                for line in range(child.lineno, (child.end_lineno or child.lineno) + 1):
                    owners[line] = name
            visit(child, name)

    visit(ast.parse(text), "")
    return owners


@cache
def numbers_in_tests() -> dict[str, dict[str, list[str]]]:
    """For each number, the test files and functions that cite it."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for file in sorted(TESTS.rglob("test_*.py")):
        name = file.relative_to(ROOT).as_posix()
        # Use a pattern instead of a parser, because this reads every test file.
        for test in _TEST.findall(file.read_text(encoding="utf-8")):
            for number in numbers_in_test_name(test):
                found[number][name].append(test)
    return found


def numbers_in_examples() -> dict[str, list[str]]:
    """For each number, the worked rounds and refusals that show it."""
    data = json.loads((TESTS / "golden" / "worked_rounds.json").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = defaultdict(list)
    for example in data["rounds"] + data["refused"]:
        for number in example["refs"]:
            found[number].append(example["id"])
    return found


def entries() -> list[Entry]:
    """The ledger with all references from the source and the tests."""
    known = ledger()
    examples = numbers_in_examples()
    for number, entry in known.items():
        places = numbers_in_source().get(number, {})
        entry.decided = places.get("decided", [])
        entry.data = places.get("data", [])
        entry.described = places.get("described", [])
        entry.tests = numbers_in_tests().get(number, {})
        entry.examples = examples.get(number, [])
    return list(known.values())


# --- the page -----------------------------------------------------------------------------------

_INTRODUCTION = """\
# Requirements, code and tests

Generated by `make docs` from the list of requirements (`rules/text/requirements.toml`), the rule
numbers that the code cites and the names of the tests. `make test` fails if this page is out of
date. Paths of code are relative to `src/ventiuna/`. W- and X-numbers are worked rounds and refusals
in `tests/golden/worked_rounds.json`.
"""


def page() -> str:
    parts = [_INTRODUCTION]
    heading = ""
    for entry in entries():
        if entry.heading != heading:
            heading = entry.heading
            parts.append(f"## {heading}\n")
        parts.append("\n".join(_lines(entry)) + "\n")
    return "\n".join(parts)


def _lines(entry: Entry) -> Iterator[str]:
    yield f"### {entry.id}"
    yield ""
    documents = f" *({entry.documents})*" if entry.documents else ""
    yield f"{entry.text}{documents}"
    yield ""
    if entry.decided:
        yield f"- Decided in: {_listed(_by_file(entry.decided))}"
    if entry.data:
        word = "Data" if entry.decided else "Decided by data"
        yield f"- {word}: {_listed(f'`{place}`' for place in entry.data)}"
    if entry.described and not entry.decided:
        yield f"- Described in: {_listed(_by_file(entry.described))}"
    if not entry.testable:
        yield f"- Not tested: {entry.why_not}"
    for file, names in entry.tests.items():
        yield f"- Tests in `{file}`: {_listed(f'`{name}`' for name in names)}"
    if entry.examples:
        yield f"- Worked rounds: {', '.join(entry.examples)}"


def _by_file(places: list[str]) -> Iterator[str]:
    """`core/actions.py` with the functions in it."""
    files: dict[str, list[str]] = defaultdict(list)
    for place in places:
        file, _, owner = place.partition(" ")
        files[file] += [owner] if owner else []
    for file, owners in files.items():
        yield f"`{file}`" + (f" ({', '.join(f'`{owner}`' for owner in owners)})" if owners else "")


def _listed(words: Iterator[str]) -> str:
    return ", ".join(words)


def is_current() -> bool:
    return is_written(PAGE, page())


def main(arguments: list[str]) -> int:
    return write_or_check(arguments, __doc__, PAGE, page)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
