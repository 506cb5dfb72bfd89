"""Sheets for people: each with its figures as plain data, its page, and its files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ventiuna.analysis.frames import Framed, Row, data_tables
from ventiuna.analysis.given import check_base, given_rules
from ventiuna.analysis.questions.again import command_text
from ventiuna.door.entries import entry
from ventiuna.errors import VentiunaError
from ventiuna.money import plain_amount
from ventiuna.rules import Rules, canonical

if TYPE_CHECKING:
    from ventiuna.analysis.charts.derive.result import ChartResult
    from ventiuna.reports.ambiguities.study import AmbiguityStudy
    from ventiuna.reports.pages.document import Document
    from ventiuna.reports.posting import PostingSheet


class SheetError(VentiunaError, ValueError):
    """A sheet can't be written that way."""


class Sheet(Framed, ABC):
    """A sheet: `as_data()`, `save()` as HTML or PDF, data frames, its page in a notebook."""

    main_table = "figures"

    _question: Any  # as the command line asks it

    @cached_property
    @abstractmethod
    def document(self) -> Document:
        """Ready to be written or printed."""

    @abstractmethod
    def as_data(self) -> dict[str, object]:
        """Its figures as plain data, as the command prints them with `--json`."""

    def rows(self) -> list[Row]:
        """The single figures; lists are tables of their own."""
        [figures] = data_tables({"figures": [self.as_data()]})["figures"]
        return [{"figure": name, "value": str(value)} for name, value in figures.items()]

    def more_facts(self) -> dict[str, object]:
        data = self.as_data()
        return {name: data.get(name) for name in ("rules", "fingerprint")}

    def save(self, path: str | Path) -> None:
        """Write it, as HTML or PDF by the file's ending."""
        from ventiuna.files import write_file
        from ventiuna.reports.pages.html import document_html
        from ventiuna.reports.pages.pdf import document_pdf

        target = Path(path)
        if target.suffix == ".html":
            write_file(target, document_html(self.document))
        elif target.suffix == ".pdf":
            write_file(target, document_pdf(self.document))
        else:
            raise SheetError(f"path {str(path)!r}: a sheet is written as .html or .pdf.")

    def __eq__(self, other: object) -> bool:
        """Sheets with the same data are equal."""
        if type(other) is not type(self):
            return NotImplemented
        return self.as_data() == other.as_data()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._question.rules}>"

    def _repr_html_(self) -> str:
        from html import escape

        from ventiuna.reports.pages.html import document_html

        page = escape(document_html(self.document), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:1px solid #999">'


def amount_words(cents: int | None) -> str:
    """An amount as questions word it; empty where none is given."""
    check_base(cents)  # a wager, or a limit: whole cents above zero
    return "" if cents is None else plain_amount(cents)


class Posting(Sheet):
    """The sheet that stands at a table."""

    def __init__(self, rules: Rules, payout_limit: int | None) -> None:
        from ventiuna.reports.posting import PostingQuestion, posting_sheet

        self._question = PostingQuestion(canonical(rules), amount_words(payout_limit))
        self.sheet: PostingSheet = posting_sheet(self._question)

    @cached_property
    def document(self) -> Document:
        from ventiuna.reports.posting import posting_document

        return posting_document(self.sheet, self._question)

    def as_data(self) -> dict[str, object]:
        return self.sheet.as_data(self._question)


@entry
def posting(rules: Rules | str, payout_limit: int | None = None) -> Posting:
    """The posting sheet of a table; `payout_limit` is the aggregate limit of a deal, in cents.

    >>> import ventiuna as vt
    >>> vt.posting("wsgc-2021").as_data()["table_minimum_cents"]
    500
    """
    return Posting(given_rules(rules), payout_limit)


class PocketCard(Sheet):
    """The strategy card that fits a pocket."""

    def __init__(self, rules: Rules, chart: str, simple: bool) -> None:
        from ventiuna.analysis.questions.strategy import SIMPLEST, StrategyQuestion

        question = StrategyQuestion(canonical(rules), chart=chart, worth=SIMPLEST if simple else "")
        read = question.read()
        self.result: ChartResult = read.result()
        self._question = question
        self._rules = read.rules

    @property
    def ev(self) -> float:
        """Of the card's play, per base wager."""
        return self.result.ev

    @cached_property
    def document(self) -> Document:
        from ventiuna.reports.pocket import pocket_document

        return pocket_document(self.result, command_text(self._question.pocket_words(self._rules)))

    def as_data(self) -> dict[str, object]:
        command = command_text([*self._question.words(self._rules), "--json"])
        return self.result.as_data() | {"command": command}


@entry
def pocket(rules: Rules | str, chart: str = "", *, simple: bool = False) -> PocketCard:
    """A strategy card of 85 by 135 mm: derived, or a chart by name or file; its price is exact.

    >>> import ventiuna as vt
    >>> card = vt.pocket("super-fun-21", "super-fun-21")
    >>> card.ev < 0, card._repr_html_()[:7]
    (True, '<iframe')
    """
    return PocketCard(given_rules(rules), chart, simple)


class Ambiguities(Sheet):
    """Where documents disagree or are silent, and what each reading is worth."""

    def __init__(self, rules: Rules, numbers: tuple[str, ...], base: int | None) -> None:
        from ventiuna.reports.ambiguities.study import AmbiguitiesQuestion, study_ambiguities

        self._question = AmbiguitiesQuestion(canonical(rules), amount_words(base), numbers)
        self.study: AmbiguityStudy = study_ambiguities(self._question)

    @cached_property
    def document(self) -> Document:
        from ventiuna.reports.ambiguities.sheet import ambiguities_document

        return ambiguities_document(self.study, self._question)

    def as_data(self) -> dict[str, object]:
        return self.study.as_data(self._question)


@entry
def ambiguities(
    rules: Rules | str, numbers: Iterable[str] = (), *, base: int | None = None
) -> Ambiguities:
    """Each point where documents disagree or are silent; `numbers` names some of them.

    >>> import ventiuna as vt
    >>> [point] = vt.ambiguities("wsgc-2021", ["D-07"]).as_data()["points"]
    >>> point["number"]
    'D-07'
    """
    given = (numbers,) if isinstance(numbers, str) else tuple(numbers)
    return Ambiguities(given_rules(rules), given, base)
