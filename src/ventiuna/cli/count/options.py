"""Options that several commands of `ventiuna count` share, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
StartOption = Annotated[
    str,
    typer.Option(
        "--start",
        metavar="NUMBER",
        help="With --tags: running count of a new shoe, per deck. Default: minus the sum of a "
        "deck's tags.",
        show_default=False,
    ),
]
BaseOption = Annotated[
    str,
    typer.Option(
        metavar="AMOUNT",
        help="Base wager in dollars, to include its Super Bonus.",
        show_default=False,
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the count to a file.", show_default=False),
]
SeedOption = Annotated[int, typer.Option(help="Seed of the sample.")]
SpreadOption = Annotated[
    float, typer.Option(metavar="N", help="Highest bet as a multiple of the lowest.", min=1.0)
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Continue from a checkpoint; repeat the other options.",
        show_default=False,
    ),
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
        help="Number of threads; 0 for one per core.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Write a drawing (SVG) to this file.", show_default=False
    ),
]


def read_cents(name: str, text: str) -> int | None:
    from ventiuna.money import read_amount

    return read_amount(name, text) if text else None
