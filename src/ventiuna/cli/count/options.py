"""Options that several commands of `ventiuna count` share, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ventiuna.analysis.questions.numbers import problem

if TYPE_CHECKING:
    from ventiuna.strategy.counting import Count

CountOption = Annotated[
    str,
    typer.Option(
        "--count", metavar="NAME", help="A built-in count or a file (.toml).", show_default=False
    ),
]
TagsOption = Annotated[
    str,
    typer.Option(
        metavar="TAGS",
        help="Tags of a count: '2=1 3=1 10=-1 A=-1'; a card such as 7s may be unlike its rank.",
        show_default=False,
    ),
]
BaseOption = Annotated[
    str,
    typer.Option(
        metavar="AMOUNT",
        help="Base wager in dollars; its Super Bonus counts then.",
        show_default=False,
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the count to a file.", show_default=False),
]
SeedOption = Annotated[int, typer.Option(help="Seed of the draw.")]
SpreadOption = Annotated[
    float, typer.Option(metavar="N", help="Highest bet, in lowest ones.", min=1.0)
]
StrategyOption = Annotated[
    str,
    typer.Option(help="Play apart from the count's plays: optimal, chart, or a chart's file."),
]
WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        "--threads",
        help="Threads that play; 0: one on each core.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw it as SVG into a file.", show_default=False),
]


def read_count(name: str, tags: str) -> Count:
    """The count that was named or written out."""
    from ventiuna.simulation.strategies import find_count

    if bool(name) == bool(tags):
        given = "both are given" if name else "none is given"
        raise problem("count", name, f"a count is named or its tags are written: {given}",
                      "Use --count NAME or --tags '2=1 10=-1'.")  # fmt: skip
    if name:
        return find_count(name)
    from ventiuna.counting.tags import read_tags

    return read_tags(tags)


def read_cents(name: str, text: str) -> int | None:
    from ventiuna.money import read_amount

    return read_amount(name, text) if text else None
