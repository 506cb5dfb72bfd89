"""The queries behind reports, and reports by name as HTML and PDF files, for the web client.

Calculations are imported when a query runs, so that a command's help appears quickly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from ventiuna.analysis.queries import StrategyQuery
from ventiuna.analysis.query import BaseWager, ProgressIterator, Query, without_progress
from ventiuna.money import read_amount

if TYPE_CHECKING:
    from ventiuna.reports.document import Document
    from ventiuna.reports.par import ParStudy
    from ventiuna.reports.player_cards import PostingSheet

# --- Queries ---


class ParQuery(Query):
    """PAR sheet: every figure for a rule set, and its basis."""

    command: ClassVar[str] = "par"

    base: Annotated[
        int | None,
        BaseWager(
            "Base wager in dollars, to include its Super Bonus and the effect of the table maximum "
            "on a double-double. Default: figures for any wager."
        ),
    ] = None

    def run(self, progress: ProgressIterator = without_progress) -> ParStudy:
        from ventiuna.reports.par import par_study

        return par_study(self.rules, self.base)

    def data(self, result: ParStudy) -> dict[str, object]:
        from ventiuna.reports.par_document import par_data

        return {**par_data(result), "command": self.repeat("--json")}

    def document(self, result: ParStudy) -> Document:
        from ventiuna.reports.par_document import par_document

        return par_document(result, self.repeat())


class PostingQuery(Query):
    """Posting sheet for a table: limits, payouts, side bets, odds, and who requires each."""

    command: ClassVar[str] = "rules posting"

    payout_limit: Annotated[
        int | None,
        BaseWager(
            "Aggregate payout limit per deal, if any odds are 50 to 1 or more.",
            parse=lambda _, text: read_amount("payout limit", text) if text else None,
        ),
    ] = None

    def run(self, progress: ProgressIterator = without_progress) -> PostingSheet:
        from ventiuna.reports.player_cards import posting_sheet

        return posting_sheet(self.rules, self.payout_limit)

    def document(self, result: PostingSheet) -> Document:
        from ventiuna.reports.player_cards import posting_document

        return posting_document(result, self.repeat())


class PocketQuery(StrategyQuery):
    """Two-sided strategy card, 85 by 135 mm, with its exact cost."""

    def document(self, result: Any) -> Document:
        from ventiuna.reports.player_cards import pocket_document

        return pocket_document(result, self.pocket_command())


# --- Files ---


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


def _answered(query: type[ParQuery | PostingQuery | PocketQuery]) -> Callable[[str], Document]:
    def document(rules: str) -> Document:
        question: Any = query.parse(rules=rules)
        found: Document = question.document(question.run())
        return found

    return document


def _ambiguities(rules: str) -> Document:
    from ventiuna.reports.ambiguities import (
        AmbiguitiesQuery,
        ambiguities_document,
        study_ambiguities,
    )

    question = AmbiguitiesQuery(rules)
    return ambiguities_document(study_ambiguities(question), question)


_DOCUMENTS: dict[ReportName, Callable[[str], Document]] = {
    ReportName.PAR: _answered(ParQuery),
    ReportName.POSTING: _answered(PostingQuery),
    ReportName.POCKET: _answered(PocketQuery),
    ReportName.AMBIGUITIES: _ambiguities,
}
