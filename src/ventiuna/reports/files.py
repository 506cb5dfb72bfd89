"""Reports by name as HTML and PDF files, for the web client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ventiuna.reports.document import Document

# The server needs the names and formats when it starts, but each report only on request.


class ReportName(StrEnum):
    """Reports, named after the commands that make them."""

    PAR = "par"
    POSTING = "posting"
    POCKET = "pocket"
    AMBIGUITIES = "ambiguities"


class ReportFormat(StrEnum):
    HTML = "html"
    PDF = "pdf"  # needs the `print` extra


@dataclass(frozen=True, slots=True)
class ReportQuery:
    sheet: ReportName
    rules: str
    form: ReportFormat = ReportFormat.HTML


def report_file(question: ReportQuery) -> bytes:
    """Return the file that the command of the same name writes with --html or --pdf."""
    document = _DOCUMENTS[question.sheet](question.rules)
    if question.form is ReportFormat.PDF:
        from ventiuna.reports.render.pdf import document_pdf

        return document_pdf(document)
    from ventiuna.reports.render.html import document_html

    return document_html(document).encode()


def _par(rules: str) -> Document:
    from ventiuna.reports.par import ParQuery, par_study
    from ventiuna.reports.par_document import par_document

    question = ParQuery(rules)
    return par_document(par_study(question), question)


def _posting(rules: str) -> Document:
    from ventiuna.reports.player_cards import PostingQuery, posting_document, posting_sheet

    question = PostingQuery(rules)
    return posting_document(posting_sheet(question), question)


def _pocket(rules: str) -> Document:
    from ventiuna.analysis.queries import StrategyQuery
    from ventiuna.reports.player_cards import pocket_document

    question = StrategyQuery(rules=rules)
    return pocket_document(question.run(), question.pocket_command())


def _ambiguities(rules: str) -> Document:
    from ventiuna.reports.ambiguities import (
        AmbiguitiesQuery,
        ambiguities_document,
        study_ambiguities,
    )

    question = AmbiguitiesQuery(rules)
    return ambiguities_document(study_ambiguities(question), question)


_DOCUMENTS: dict[ReportName, Callable[[str], Document]] = {
    ReportName.PAR: _par,
    ReportName.POSTING: _posting,
    ReportName.POCKET: _pocket,
    ReportName.AMBIGUITIES: _ambiguities,
}
