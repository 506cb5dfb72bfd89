"""Reports by name as HTML and PDF files, for the web client."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ventiuna.reports.document import Document

# The server needs the names and formats when it starts, but each report only on request.


class ReportName(StrEnum):
    """Reports, named after the commands that make them."""

    PAR = "par"
    POSTING = "posting"
    POCKET = "pocket"
    RACK = "rack"
    INSPECTION = "inspection"
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
    return document_file(_document(question.sheet, question.rules), question.form)


def document_file(document: Document, form: ReportFormat) -> bytes:
    if form is ReportFormat.PDF:
        from ventiuna.reports.render.pdf import document_pdf

        return document_pdf(document)
    from ventiuna.reports.render.html import document_html

    return document_html(document).encode()


def _document(sheet: ReportName, rules: str) -> Document:
    from ventiuna.analysis.queries import StrategyQuery
    from ventiuna.reports.player_cards import pocket_document
    from ventiuna.reports.queries import (
        AmbiguitiesQuery,
        InspectionQuery,
        ParQuery,
        PostingQuery,
        RackQuery,
    )

    if sheet is ReportName.POCKET:
        card = StrategyQuery.parse(rules=rules)
        return pocket_document(card.run(), card.pocket_command())
    queries: dict[ReportName, Any] = {
        ReportName.PAR: ParQuery,
        ReportName.POSTING: PostingQuery,
        ReportName.RACK: RackQuery,
        ReportName.INSPECTION: InspectionQuery,
        ReportName.AMBIGUITIES: AmbiguitiesQuery,
    }
    question = queries[sheet].parse(rules=rules)
    found: Document = question.document(question.run())
    return found
