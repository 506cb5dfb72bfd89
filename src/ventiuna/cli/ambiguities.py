"""`ventiuna ambiguities`: the readings of what documents leave open, and what each is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.compiling import ANALYSER, compile_parts
from ventiuna.cli.documents import HtmlOption, PdfOption, Telling
from ventiuna.cli.output import JsonFlag, RulesArgument


def register(app: App) -> None:
    app.command("ambiguities")(show_ambiguities)


def show_ambiguities(
    rules: RulesArgument,
    number: Annotated[
        list[str] | None,
        typer.Option(
            metavar="D-07", help="Only this point, with what the documents say; may be repeated."
        ),
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager that dollars are told for. Default: the table minimum.",
            show_default=False,
        ),
    ] = "",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    """Where documents disagree or are silent: each reading and what it is worth, exactly."""
    from ventiuna.reports.ambiguities.sheet import ambiguities_document
    from ventiuna.reports.ambiguities.study import AmbiguitiesQuestion, study_ambiguities

    question = AmbiguitiesQuestion(rules, base, tuple(number or ()))
    question.read()
    telling = Telling(html, pdf, json)
    compile_parts(ANALYSER)
    study = study_ambiguities(question)
    document = ambiguities_document(study, question)
    telling.tell(document, lambda: study.as_data(question), question.words(study.rules))
