"""Options by which commands are told of a jackpot game."""

from __future__ import annotations

from typing import Annotated

import typer

GameOption = Annotated[
    int | None, typer.Option(help="A jackpot game of the rules, 1 or 2.", show_default="1")
]
TableOption = Annotated[
    str | None, typer.Option(help="Another jackpot table, such as 3c.", show_default=False)
]
PayTableOption = Annotated[
    int | None, typer.Option(help="Its pay table, 1 to 8.", show_default="1")
]
WagerOption = Annotated[str | None, typer.Option(help="Its wager, $1 to $20.", show_default="1")]
