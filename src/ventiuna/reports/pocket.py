"""A strategy card of pocket size: the derived chart on two sides."""

from __future__ import annotations

from ventiuna.analysis.charts.derive.result import ChartResult
from ventiuna.reports.pages.document import Document, Items, Paper, Part, Plays
from ventiuna.texts import one_line

PERCENT = 100.0


def pocket_document(result: ChartResult, command: str) -> Document:
    """What a player may hold in his hand; most casinos allow such cards."""
    page = result.page()
    parts = [
        Part(
            section.title,
            (Plays("dealer's up card", tuple((row.label, row.cells) for row in section.rows)),),
        )
        for section in page.sections
    ]
    legend = tuple(f"{item.sign}: {item.words}" for item in page.legend)
    notes = tuple(page.notes)
    return Document(
        kind="Strategy card",
        title=page.title,
        lead=(page.subtitle,) if page.subtitle else (),
        parts=(*parts, Part("What the letters mean", (Items((*legend, *notes)),))),
        footer=(
            _price(result),
            f"Rules {result.rules}, fingerprint {result.fingerprint}.",
            *((one_line(result.misfit),) if result.misfit else ()),
            f"Made with: {command}. Play money.",
        ),
        paper=Paper.POCKET,
        explains=False,
    )


def _price(result: ChartResult) -> str:
    bonus = "included" if result.super_bonus else "left out"
    return (
        f"House edge {PERCENT * result.house_edge:.4f} %, best play "
        f"{-PERCENT * result.optimal_ev:.4f} %: exact, Super Bonus {bonus}."
    )
