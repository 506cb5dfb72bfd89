"""`ventiuna pocket`, the old spelling of `ventiuna strategy --pocket`: kept for one release."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.analysis.questions.again import command_text
from ventiuna.cli.commands import App
from ventiuna.cli.documents import HtmlOption, PdfOption, Telling
from ventiuna.cli.output import JsonFlag, RulesArgument
from ventiuna.cli.rules_words import DEFAULT_RULES


def register(app: App) -> None:
    app.command("pocket")(show_pocket)


def show_pocket(
    rules: RulesArgument = DEFAULT_RULES,
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
    from ventiuna.analysis.questions.strategy import SIMPLEST, StrategyQuestion
    from ventiuna.reports.pocket import pocket_document

    question = StrategyQuestion(rules, chart=chart, worth=SIMPLEST if simple else "")
    read = question.read()
    telling = Telling(html, pdf, json)
    result = read.result()
    words = question.pocket_words(read.rules)
    document = pocket_document(result, command_text(words))
    command = command_text([*question.words(read.rules), "--json"])
    telling.tell(document, lambda: result.as_data() | {"command": command}, words)
