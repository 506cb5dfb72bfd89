"""The examples in docs/ run as shown, and every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import test_readme
from tools import examples, notebook_data
from tools.reference import FOLDER, PAGES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MADE = {(DOCS / FOLDER / f"{name}.md").resolve() for name in PAGES}
WRITTEN = sorted(page for page in DOCS.rglob("*.md") if page.resolve() not in MADE)
BESIDE = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
WITH_EXAMPLES = [
    page
    for page in examples.pages(DOCS)
    if page.relative_to(ROOT).as_posix() not in test_readme.DOCUMENTS
]

_LINK = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")
_TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def entries(page: Path) -> list[str]:
    """Entries of a page's tables of contents."""
    return [
        line
        for toctree in _TOCTREE.findall(page.read_text(encoding="utf-8"))
        for line in toctree.splitlines()
        if line and not line.startswith(":")
    ]


@pytest.mark.parametrize("page", [ROOT / "README.md", *WITH_EXAMPLES], ids=named)
def test_commands_print_what_the_page_shows(page: Path) -> None:
    assert "\n".join(map(str, examples.differences(page))) == ""


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=named)
def test_python_does_what_the_page_shows(page: Path) -> None:
    assert examples.wrong_doctests(page) == 0


@pytest.mark.parametrize("page", [*WRITTEN, *BESIDE], ids=named)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / link.partition("#")[0]).resolve()
        assert target.exists() or target in MADE, link


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = {(DOCS / "index.md").resolve()}
    for page in WRITTEN:
        for entry in entries(page):
            found = page.parent.glob(f"{entry}.md")
            listed |= {one.resolve() for one in found} or {(page.parent / f"{entry}.md").resolve()}
    assert {page.resolve() for page in WRITTEN} | MADE == listed


def test_notebooks_show_what_the_analyzer_says() -> None:
    assert notebook_data.sample() == []


def test_an_outdated_page_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ ventiuna rules explain R-001\nnothing\n```\n", encoding="utf-8")
    [difference] = examples.differences(page)
    assert "R-001" in difference.printed
    page.write_text("```console\n$ ventiuna rules explain R-999\n...\n```\n", encoding="utf-8")
    [difference] = examples.differences(page)
    assert difference.code == 2


def test_files_of_a_page_are_in_its_folder(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```{code-block} toml\n:caption: own.toml\n\nextends = 'nothing'\n```\n"
        "<!-- exit: 2 -->\n```console\n$ ventiuna rules check own.toml\n...\n```\n",
        encoding="utf-8",
    )
    assert examples.differences(page) == []
