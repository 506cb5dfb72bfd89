"""Pages of the documentation that are written from the program itself, anew with each build.

They are kept out of git: what is always made anew can't be out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

FOLDER = Path("reference") / "made"

# What each page is called, and who writes it.
PAGES = {
    "options": "options",
    "presets": "presets",
    "numbers": "numbers",
    "commands": "commands",
    "http": "http",
    "events": "events",
    "accounts": "accounts",
    "library": "library",
}


def pages() -> Iterator[tuple[str, str]]:
    """The name of each page, and its text."""
    for name, module in PAGES.items():
        write: Callable[[], str] = import_module(f"tools.reference.{module}").page
        yield name, write()


def write_pages(docs: Path) -> list[Path]:
    """Write the pages below docs/; a page that stands there already is left alone."""
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages():
        page = folder / f"{name}.md"
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
        written.append(page)
    return written
