"""Colours by action: told apart by most kinds of eyes, light enough to print letters on."""

from __future__ import annotations

INK = "#1d2430"
FAINT = "#66707f"
LINE = "#9aa3b0"
HEAD = "#e9ecf1"
PAPER = "#ffffff"
NEVER = "#f4f5f8"  # a cell that can't come up

_ACTIONS = {
    "H": "#ffffff",
    "S": "#f7e08a",
    "D": "#a6cdee",
    "P": "#b3dfb4",
    "R": "#f1ab9f",
}


def action_colour(cell: str) -> str:
    """The colour of a cell or a sign, by the play it names first."""
    return _ACTIONS.get(cell[:1], PAPER) if cell else NEVER
