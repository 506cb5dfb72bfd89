"""The options of `ventiuna simulate`: how each is called and what its help says."""

from pathlib import Path
from typing import Annotated

import typer

from ventiuna.cli.output import OUTPUT_PANEL

RoundsOption = Annotated[
    str,
    typer.Option(
        metavar="NUMBER",
        help="Rounds to play: 5000000, 5e6 or 5M; default: 1e6, or as --until needs.",
        show_default=False,
    ),
]
StrategyOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="chart, optimal, mimic, habits, a built-in chart, or a chart file (.toml).",
    ),
]
SpotsOption = Annotated[
    int, typer.Option("--spots", "--seats", help="Betting spots, each with its own player.")
]
BaseOption = Annotated[
    str,
    typer.Option(metavar="AMOUNT", help="Base wager; default: table minimum.", show_default=False),
]
SideOption = Annotated[
    str,
    typer.Option(
        metavar="WAGERS",
        help="up=5,down=5,b1=2,jackpot-1, or all for every side bet offered.",
        show_default=False,
    ),
]
ShoeOption = Annotated[
    str, typer.Option(metavar="USE", help="cut-card, or fresh for a full shoe every round.")
]
ErrorsOption = Annotated[
    str,
    typer.Option(metavar="SHARE", help="Share of wrong decisions, such as 2%.", show_default=False),
]
CountOption = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Bet and play by a count: a name or file.", show_default=False
    ),
]
SessionOption = Annotated[
    str,
    typer.Option(
        metavar="ROUNDS", help="Rounds per session, for session statistics.", show_default=False
    ),
]
FallOption = Annotated[
    str,
    typer.Option(
        metavar="WAGERS",
        help="Chance that a session drops by this many base wagers.",
        show_default=False,
    ),
]
MeterOption = Annotated[
    str,
    typer.Option(
        metavar="AMOUNTS",
        help="Starting amounts of the meters; default: their seeds.",
        show_default=False,
    ),
]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same digits.")]
UntilOption = Annotated[
    str,
    typer.Option(
        metavar="ERROR", help="Stop at this standard error, such as 0.01%.", show_default=False
    ),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", "--threads", help="Number of threads; 0 for one per core.")
]
DaskOption = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Play on a Dask cluster: tcp://host:8786, or local:4.",
        show_default=False,
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Save a checkpoint here.", show_default=False),
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Continue from a checkpoint; the digits are the same.",
        show_default=False,
    ),
]
CsvOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE|FOLDER",
        help="Write all tables as CSV, with a description.",
        show_default=False,
        rich_help_panel=OUTPUT_PANEL,
    ),
]
ParquetOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE|FOLDER",
        help="The same as Parquet; rules, fingerprint, seed and version are inside.",
        show_default=False,
        rich_help_panel=OUTPUT_PANEL,
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Plot convergence and distribution (SVG).", show_default=False
    ),
]
DetailsFlag = Annotated[
    bool, typer.Option("--details", help="Add events, starting hands and decisions.")
]
RegretFlag = Annotated[
    bool,
    typer.Option("--regret", help="Add the costly decisions, by exact values."),
]
