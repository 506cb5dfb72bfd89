"""`ventiuna rules posting`: the sheet posted at a table."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.documents import HtmlOption, PdfOption, Telling
from ventiuna.cli.output import JsonFlag, RulesArgument
from ventiuna.cli.rules_words import DEFAULT_RULES


def register(app: App, panel: str) -> None:
    app.command("posting", rich_help_panel=panel)(show_posting)


def show_posting(
    rules: RulesArgument = DEFAULT_RULES,
    payout_limit: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Aggregate payout limit per deal, if odds of 50 to 1 or more are paid.",
            show_default=False,
        ),
    ] = "",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    """Posting sheet for a table: limits, payouts, side bets, odds, and who requires each."""
    from ventiuna.reports.posting import PostingQuestion, posting_document, posting_sheet

    question = PostingQuestion(rules, payout_limit)
    sheet = posting_sheet(question)
    telling = Telling(html, pdf, json)
    document = posting_document(sheet, question)
    telling.tell(document, lambda: sheet.as_data(question), question.words(sheet.rules))
