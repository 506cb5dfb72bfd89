"""`ventiuna posting`: the sheet that stands at a table."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.documents import HtmlOption, PdfOption, Telling
from ventiuna.cli.output import JsonFlag, RulesArgument


def register(app: App) -> None:
    app.command("posting")(show_posting)


def show_posting(
    rules: RulesArgument,
    payout_limit: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Aggregate payout limit of one deal, where odds of 50 to 1 or more are paid.",
            show_default=False,
        ),
    ] = "",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    """Posting sheet of a table: limits, pays, side wagers, chances, and who asks for what."""
    from ventiuna.reports.posting import PostingQuestion, posting_document, posting_sheet

    question = PostingQuestion(rules, payout_limit)
    sheet = posting_sheet(question)
    telling = Telling(html, pdf, json)
    document = posting_document(sheet, question)
    telling.tell(document, lambda: sheet.as_data(question), question.words(sheet.rules))
