"""`ventiuna rules ambiguities`: readings of what documents leave open, each with its value."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.documents import HtmlOption, PdfOption, Telling
from ventiuna.cli.output import JsonFlag, RulesArgument
from ventiuna.cli.rules_words import DEFAULT_RULES


def register(app: App, panel: str) -> None:
    app.command("ambiguities", rich_help_panel=panel)(show_ambiguities)


def show_ambiguities(
    rules: RulesArgument = DEFAULT_RULES,
    number: Annotated[
        list[str] | None,
        typer.Option(
            metavar="D-07", help="Only this point, with the documents' wording; may be repeated."
        ),
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager for dollar figures. Default: the table minimum.",
            show_default=False,
        ),
    ] = "",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    """Points where documents disagree or are silent: each reading and its exact value."""
    from ventiuna.reports.ambiguities.sheet import ambiguities_document
    from ventiuna.reports.ambiguities.study import AmbiguitiesQuestion, study_ambiguities

    question = AmbiguitiesQuestion(rules, base, tuple(number or ()))
    question.read()
    telling = Telling(html, pdf, json)
    study = study_ambiguities(question)
    document = ambiguities_document(study, question)
    telling.tell(document, lambda: study.as_data(question), question.words(study.rules))
