"""Reports as data, pages and files; count design and evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from ventiuna.analysis.charts.derivation import ChartResult
from ventiuna.analysis.coerce import check_base, coerce_rules, coerce_text
from ventiuna.analysis.queries import ALL_POINTS, StrategyQuery
from ventiuna.analysis.results import TableRow, TabularResult, data_tables
from ventiuna.api import checked_call
from ventiuna.api.counts import coerce_list
from ventiuna.counting import evaluation
from ventiuna.counting.design import CountSpec, design_counts
from ventiuna.counting.efficiency import EffectsCalculator, Goal
from ventiuna.counting.evaluation import CountReport
from ventiuna.counting.files import coerce_count
from ventiuna.errors import VentiunaError
from ventiuna.files import write_file
from ventiuna.reports.ambiguities import AmbiguityStudy
from ventiuna.reports.document import Document
from ventiuna.reports.par import ParStudy
from ventiuna.reports.player_cards import PostingSheet, pocket_document
from ventiuna.reports.queries import AmbiguitiesQuery, ParQuery, PostingQuery
from ventiuna.reports.render import document_html, document_pdf
from ventiuna.rules import Rules, canonical
from ventiuna.strategy.counting import Count
from ventiuna.strategy.protocol import plan_problem


class ReportError(VentiunaError, ValueError):
    """The report can't be written to that file."""


class Report(TabularResult):
    """A report: `as_data()`, `save()` as HTML or PDF, data frames, and a page in notebooks."""

    main_table = "figures"

    def __init__(self, query: Any) -> None:
        self._query = query
        self._result = query.run()

    @cached_property
    def document(self) -> Document:
        """The document, ready to write or print."""
        found: Document = self._query.document(self._result)
        return found

    def as_data(self) -> dict[str, object]:
        """Return the figures as plain data, as the command prints them with `--json`."""
        return dict(self._query.data(self._result))

    def rows(self) -> list[TableRow]:
        """Return the individual figures; lists are separate tables."""
        [figures] = data_tables({"figures": [self.as_data()]})["figures"]
        return [{"figure": name, "value": str(value)} for name, value in figures.items()]

    def more_facts(self) -> dict[str, object]:
        data = self.as_data()
        return {name: data.get(name) for name in ("rules", "fingerprint")}

    def save(self, path: str | Path) -> None:
        """Write the report as HTML or PDF, depending on the file extension."""

        target = Path(path)
        if target.suffix == ".html":
            write_file(target, document_html(self.document))
        elif target.suffix == ".pdf":
            write_file(target, document_pdf(self.document))
        else:
            raise ReportError(f"path must end in .html or .pdf, not {str(path)!r}.")

    def __eq__(self, other: object) -> bool:
        """Compare reports by their data."""
        if type(other) is not type(self):
            return NotImplemented
        return self.as_data() == other.as_data()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {canonical(self._query.rules)}>"

    def _repr_html_(self) -> str:

        page = escape(document_html(self.document), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:1px solid #999">'


class Posting(Report):
    """The posting sheet for a table."""

    @property
    def sheet(self) -> PostingSheet:
        found: PostingSheet = self._result
        return found


@checked_call
def posting(rules: Rules | str, payout_limit: int | None = None) -> Posting:
    """Create a table's posting sheet; `payout_limit` is the aggregate limit per deal, in cents.

    >>> import ventiuna as vt
    >>> vt.posting("wsgc-2021").as_data()["table_minimum_cents"]
    500
    """
    return Posting(PostingQuery(rules=coerce_rules(rules), payout_limit=payout_limit))


class PocketCard(Report):
    """A strategy card that fits in a pocket."""

    @property
    def result(self) -> ChartResult:
        found: ChartResult = self._result
        return found

    @property
    def ev(self) -> float:
        """Expected value of the card's play, per base wager."""
        return self.result.ev

    @cached_property
    def document(self) -> Document:

        return pocket_document(self.result, self._query.pocket_command())


@checked_call
def pocket(rules: Rules | str, chart: str = "", *, simple: bool = False) -> PocketCard:
    """Create a strategy card, 85 by 135 mm, with its exact cost.

    The card is derived from the rules, or shows a `chart` given by name or file.

    >>> import ventiuna as vt
    >>> card = vt.pocket("super-fun-21", "super-fun-21")
    >>> card.ev < 0, card._repr_html_()[:7]
    (True, '<iframe')
    """
    worth = ALL_POINTS if simple else None
    return PocketCard(StrategyQuery(rules=coerce_rules(rules), chart=chart or None, worth=worth))


class Ambiguities(Report):
    """Points where documents disagree or are silent, with the value of each reading."""

    @property
    def study(self) -> AmbiguityStudy:
        found: AmbiguityStudy = self._result
        return found


@checked_call
def ambiguities(
    rules: Rules | str, numbers: Iterable[str] = (), *, base: int | None = None
) -> Ambiguities:
    """List each point where documents disagree or are silent; `numbers` selects some of them.

    >>> import ventiuna as vt
    >>> [point] = vt.ambiguities("wsgc-2021", ["D-07"]).as_data()["points"]
    >>> point["number"]
    'D-07'
    """
    selected = (numbers,) if isinstance(numbers, str) else tuple(numbers)
    return Ambiguities(AmbiguitiesQuery(rules=coerce_rules(rules), base=base, numbers=selected))


# --- PAR sheet and count studies ---


class ParSheet(Report):
    """The PAR sheet for a rule set: its study, plain data, HTML and PDF."""

    @property
    def study(self) -> ParStudy:
        found: ParStudy = self._result
        return found

    @property
    def ev(self) -> float:
        """Expected value of the base game with best play, per base wager."""
        return self.study.analysis.ev


@checked_call
def par(rules: Rules | str, base: int | None = None) -> ParSheet:
    """Create the PAR sheet: every figure for the rules and its basis; `base` is in cents.

    >>> import ventiuna as vt
    >>> sheet = vt.par("super-fun-21")
    >>> sheet.as_data()["rules"], sheet.ev < 0, sheet._repr_html_()[:7]
    ('super-fun-21', True, '<iframe')
    """
    return ParSheet(ParQuery(rules=coerce_rules(rules), base=base))


@checked_call
def design_count(
    rules: Rules | str,
    level: int = 1,
    *,
    balanced: bool = True,
    sides: Sequence[str] = (),
    suits: Sequence[str] = (),
    running: bool = False,
    goal: str = "betting",
    base: int | None = None,
) -> CountReport:
    """Find the best integer tags of the given level from exact effects of removal, and rate them.

    `sides` are ranks or cards to side-count, such as ["7"]. `suits` are ranks whose suits get
    separate tags. `running` counts are unbalanced and not divided by the decks left. `goal` is
    betting, playing or insurance.

    >>> import ventiuna as vt
    >>> vt.design_count("super-fun-21").betting > 0.9
    True
    """
    if goal not in list(Goal):
        raise plan_problem("goal", goal, "unknown goal", f"Choose from: {', '.join(Goal)}.")
    beside, apart = (
        tuple(coerce_text(name, word) for word in coerce_list(name, words))
        for name, words in (("sides", sides), ("suits", suits))
    )
    wish = CountSpec(level, balanced, beside, apart, Goal(goal), running)
    check_base(base)
    workshop = EffectsCalculator(coerce_rules(rules), base)
    [count] = design_counts(workshop, wish)
    return evaluation.evaluate_count(workshop, count)


@checked_call
def evaluate_count(
    rules: Rules | str,
    count: Count | str = "",
    *,
    tags: str = "",
    start: float | None = None,
    sample: int = 0,
    seed: int = 21,
    base: int | None = None,
) -> CountReport:
    """Rate a count, given by name, file or object: exact correlations and playing efficiency.

    Alternatively, give `tags`, such as "2=1 3=1 10=-1 7s=2", and `start`, the running count of a
    new shoe per deck. The default start is minus the sum of one deck's tags. With `sample`,
    that many shoes are drawn with the `seed` and analyzed to estimate the playing efficiency too.

    >>> import ventiuna as vt
    >>> report = vt.evaluate_count("super-fun-21", tags="5=1 6=1 10=-1", sample=2)
    >>> 0.5 < report.betting < 1, report.sampled.shoes
    (True, 2)
    """
    house = coerce_rules(rules)
    known = coerce_count(count, tags, start, house)
    check_base(base)
    return evaluation.evaluate_count(EffectsCalculator(house, base), known, sample, seed)
