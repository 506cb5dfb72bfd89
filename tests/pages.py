"""Pages of docs/ that are generated from the source and the tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def is_written(page: Path, text: str) -> bool:
    return page.is_file() and page.read_text(encoding="utf-8") == text


def write_or_check(
    arguments: list[str], about: str | None, page: Path, text: Callable[[], str]
) -> int:
    """Write the page, or check that it is up to date with --check; return the exit code."""
    if arguments not in ([], ["--check"]):
        print(about, file=sys.stderr)
        return 2
    if not arguments:
        page.write_text(text(), encoding="utf-8")
        return 0
    if is_written(page, text()):
        return 0
    print(f"docs/{page.name} is out of date: run 'make docs'.", file=sys.stderr)
    return 1
