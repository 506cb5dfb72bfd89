"""Generate the documentation's reference pages from the program itself with each build.

They are not in git, so they can't become outdated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

FOLDER = Path("reference") / "made"

# Page names and their writers.
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
    """Yield the name and text of each page."""
    for name, module in PAGES.items():
        write: Callable[[], str] = import_module(f"tools.reference.{module}").page
        yield name, write()


def write_pages(docs: Path) -> list[Path]:
    """Write the pages below docs/; unchanged pages are not rewritten."""
    folder = docs / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages():
        page = folder / f"{name}.md"
        if not page.is_file() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
        written.append(page)
    return written
