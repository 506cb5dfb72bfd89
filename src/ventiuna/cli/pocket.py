"""`ventiuna pocket`: the strategy card that fits a pocket."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.analysis.questions.again import command_text
from ventiuna.cli.commands import App
from ventiuna.cli.compiling import ANALYSER, compile_parts
from ventiuna.cli.documents import (
    HtmlOption,
    PdfOption,
    check_files,
    print_document,
    write_document,
)
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import print_command


def register(app: App) -> None:
    app.command("pocket")(show_pocket)


def show_pocket(
    rules: RulesArgument,
    chart: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="A chart's file (.toml) or the name of a built-in one. Default: derived.",
            show_default=False,
        ),
    ] = "",
    simple: Annotated[
        bool, typer.Option("--simple", help="Letters alone, without digits and marks.")
    ] = False,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    """Strategy card of 85 by 135 mm, to print on both sides; its price is exact."""
    from ventiuna.analysis.questions.strategy import StrategyQuestion
    from ventiuna.reports.pocket import pocket_document

    question = StrategyQuestion(rules, chart=chart, worth="100" if simple else "")
    read = question.read()
    check_files(html, pdf)
    compile_parts(ANALYSER)
    result = read.result()
    words = ["pocket", *question.words(read.rules)[1:]]
    if simple:
        words = [word for word in words if word not in ("--worth", "100")] + ["--simple"]
    document = pocket_document(result, command_text(words))
    if json:
        print_json(result.as_data() | {"command": command_text([*words, "--json"])})
    elif html is None and pdf is None:
        out = console()
        print_document(out, document)
        print_command(out, words)
    write_document(document, html, pdf)
