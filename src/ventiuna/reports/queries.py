"""The queries behind reports such as the PAR sheet, each with its document and its file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import model_validator

from ventiuna.analysis.coerce import input_error
from ventiuna.analysis.query import BaseWager, ProgressIterator, Query, without_progress
from ventiuna.money import read_amount
from ventiuna.rules.text.references import explain

if TYPE_CHECKING:
    from ventiuna.reports.ambiguities import AmbiguityStudy
    from ventiuna.reports.document import Document
    from ventiuna.reports.inspection import InspectionSheet
    from ventiuna.reports.par import ParStudy
    from ventiuna.reports.player_cards import PostingSheet
    from ventiuna.rules import Rules


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

        return par_data(result, self.repeat("--json"))

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

    def data(self, result: PostingSheet) -> dict[str, object]:
        return result.as_data(self.repeat("--json"))

    def document(self, result: PostingSheet) -> Document:
        from ventiuna.reports.player_cards import posting_document

        return posting_document(result, self.repeat())


class RackQuery(Query):
    """Rack card: how to play in a few sentences, on a small card at the table."""

    command: ClassVar[str] = "rules rack"

    def run(self, progress: ProgressIterator = without_progress) -> Rules:
        return self.rules

    def data(self, result: Rules) -> dict[str, object]:
        from ventiuna.reports.player_cards import how_to_play

        lines = list(how_to_play(result))
        return {"game": result.game.words, "lines": lines, "command": self.repeat("--json")}

    def document(self, result: Rules) -> Document:
        from ventiuna.reports.player_cards import rack_document

        return rack_document(result, self.repeat())


class InspectionQuery(Query):
    """Form for the inspection of a table's decks: two people count each deck (R-010)."""

    command: ClassVar[str] = "rules inspection"

    def run(self, progress: ProgressIterator = without_progress) -> InspectionSheet:
        from ventiuna.reports.inspection import blank_sheet

        return blank_sheet(self.rules)

    def data(self, result: InspectionSheet) -> dict[str, object]:
        return {**result.as_data(), "command": self.repeat("--json")}

    def document(self, result: InspectionSheet) -> Document:
        from ventiuna.reports.inspection import inspection_document

        return inspection_document(result, self.repeat())


class AmbiguitiesQuery(Query):
    """Points where documents disagree or are silent: each reading and its exact value."""

    command: ClassVar[str] = "rules ambiguities"

    base: Annotated[
        int | None, BaseWager("Base wager for dollar figures. Default: the table minimum.")
    ] = None
    numbers: tuple[Any, ...] = ()

    @model_validator(mode="after")
    def _check_numbers(self) -> Self:
        for number in self.numbers:
            explain(number)
            if number.upper().startswith("R"):
                fix = "Give D- and O-numbers: points on which documents disagree or are silent."
                raise input_error("number", number, "this rule isn't ambiguous", fix)
        return self

    def run(self, progress: ProgressIterator = without_progress) -> AmbiguityStudy:
        from ventiuna.reports.ambiguities import study_ambiguities

        return study_ambiguities(self.rules, self.base, self.numbers)

    def data(self, result: AmbiguityStudy) -> dict[str, object]:
        return result.as_data(self.repeat("--json"))

    def document(self, result: AmbiguityStudy) -> Document:
        from ventiuna.reports.ambiguities import ambiguities_document

        return ambiguities_document(result, self.repeat(), in_full=bool(self.numbers))

    def words(self) -> list[str]:
        return [*Query.words(self), *(word for n in self.numbers for word in ("--number", n))]


# --- Files for the web client ---


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
        from ventiuna.reports.render import document_pdf

        return document_pdf(document)
    from ventiuna.reports.render import document_html

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
