"""Folders for what a run writes."""

from __future__ import annotations

from pathlib import Path

from ventiuna.analysis.questions.numbers import problem
from ventiuna.files import make_folder


def make_output_folder(option: str, folder: Path) -> None:
    """Found out before a long run, not after it, that nothing can be written there."""
    if folder.exists() and not folder.is_dir():
        raise problem(option, folder, "a file of this name exists", "Name a folder.")
    try:
        make_folder(folder)
    except (FileExistsError, NotADirectoryError):
        raise problem(option, folder, "a file of this name exists", "Name a folder.") from None
