"""Index numbers as players say them: "hit", "a pair of 8s", "face" where a pack has no tens."""

from __future__ import annotations

from ventiuna.analysis.charts.derive.groups import LETTER_OF
from ventiuna.analysis.charts.render.notation import action_words
from ventiuna.analysis.coaching.item_words import AGAINST, item_words
from ventiuna.cards import Pack
from ventiuna.counting.cells import PAIR, SOFT, Cell
from ventiuna.counting.indices import CellIndex, Turn
from ventiuna.counting.tags import ten_name, value_name
from ventiuna.rules import Rules

TEN = 10


def index_told(index: CellIndex, rules: Rules) -> dict[str, object]:
    """Hand, up card and plays of an index number in words."""
    cell = index.cell
    return {
        "hand": ", ".join(filter(None, (_hand(cell, rules.pack), cell.situation))),
        "up": ten_name(rules.pack) if cell.up == TEN else value_name(cell.up),
        "usual": _play(index.usual, cell, rules),
        "from": _turn(index.above, cell, rules),
        "below": _turn(index.below, cell, rules),
    }


def _hand(cell: Cell, pack: Pack) -> str:
    number = str(cell.number)
    if cell.kind == PAIR:
        rank = "face" if cell.number == TEN else value_name(cell.number)
        number = f"{rank}-{rank}"
    elif cell.kind == SOFT:
        number = f"soft {number}"
    return item_words(f"{number}{AGAINST}A", pack).hand


def _turn(turn: Turn | None, cell: Cell, rules: Rules) -> str | None:
    return None if turn is None else _play(turn.action, cell, rules)


def _play(action: int, cell: Cell, rules: Rules) -> str:
    return action_words(LETTER_OF[action], bool(cell.after.doublings), rules.rescue)
