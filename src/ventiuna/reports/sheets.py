"""Every sheet of a set of rules by its name, as the file that the web client saves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ventiuna.analysis.questions.again import command_text
from ventiuna.analysis.questions.strategy import StrategyQuestion
from ventiuna.reports.ambiguities.sheet import ambiguities_document
from ventiuna.reports.ambiguities.study import AmbiguitiesQuestion, study_ambiguities
from ventiuna.reports.pages.document import Document
from ventiuna.reports.pages.html import document_html
from ventiuna.reports.pages.pdf import document_pdf
from ventiuna.reports.par.sheet import par_document
from ventiuna.reports.par.study import ParQuestion, par_study
from ventiuna.reports.pocket import pocket_document
from ventiuna.reports.posting import PostingQuestion, posting_document, posting_sheet


class Sheet(StrEnum):
    """Named as the commands that make them."""

    PAR = "par"
    POSTING = "posting"
    POCKET = "pocket"
    AMBIGUITIES = "ambiguities"


class Form(StrEnum):
    HTML = "html"
    PDF = "pdf"  # needs the extra `print`


@dataclass(frozen=True, slots=True)
class SheetQuestion:
    sheet: Sheet
    rules: str
    form: Form = Form.HTML


def sheet_file(question: SheetQuestion) -> bytes:
    """What the command of the same name writes with --html or --pdf."""
    document = _DOCUMENTS[question.sheet](question.rules)
    if question.form is Form.PDF:
        return document_pdf(document)
    return document_html(document).encode()


def _par(rules: str) -> Document:
    question = ParQuestion(rules)
    return par_document(par_study(question), question)


def _posting(rules: str) -> Document:
    question = PostingQuestion(rules)
    return posting_document(posting_sheet(question), question)


def _pocket(rules: str) -> Document:
    question = StrategyQuestion(rules)
    read = question.read()
    return pocket_document(read.result(), command_text(question.pocket_words(read.rules)))


def _ambiguities(rules: str) -> Document:
    question = AmbiguitiesQuestion(rules)
    return ambiguities_document(study_ambiguities(question), question)


_DOCUMENTS: dict[Sheet, Callable[[str], Document]] = {
    Sheet.PAR: _par,
    Sheet.POSTING: _posting,
    Sheet.POCKET: _pocket,
    Sheet.AMBIGUITIES: _ambiguities,
}
