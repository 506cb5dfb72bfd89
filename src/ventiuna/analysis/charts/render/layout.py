"""What a printed chart shows, whatever it is printed on: sections, rows, legend, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ventiuna.analysis.charts.render.files import merged_rows
from ventiuna.analysis.charts.render.notation import (
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    UPS,
    action_words,
    cell_text,
    mark_words,
)
from ventiuna.strategy.chart import DOUBLED_SECTIONS, Cell, Chart, Rows
from ventiuna.strategy.strategy import Insurance
from ventiuna.texts import one_line

_TIMES = ("one double", "two doubles", "three doubles")
_LETTER_ORDER = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)
_HIGHEST = 21
NEVER = ""  # a cell that can't come up


class PageRow(NamedTuple):
    label: str
    cells: tuple[str, ...]
    first: int  # the totals that it is for, or the value of a pair's cards
    last: int


class Section(NamedTuple):
    title: str
    rows: tuple[PageRow, ...]
    name: str  # as in the chart's file: hard, soft, pairs, doubled.hard


class LegendItem(NamedTuple):
    sign: str
    words: str


class Page(NamedTuple):
    """A chart ready to be written, drawn or printed."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    legend: tuple[LegendItem, ...]
    notes: tuple[str, ...]
    footer: tuple[str, ...]


def page_of(
    chart: Chart,
    *,
    title: str = "",
    subtitle: str = "",
    rescue: bool = True,
    double_always: bool = True,
    notes: Iterable[str] = (),
    footer: Iterable[str] = (),
) -> Page:
    """The page of a chart.

    `rescue` tells what R means on a doubled hand; `double_always` that any hand may be doubled,
    so that a D needs no word on what to do otherwise.
    """
    sections = [
        Section("Hard hands", _merged(_below_21(chart.hard), _hard_label), "hard"),
        Section("Soft hands", _merged(_below_21(chart.soft), _soft_label), "soft"),
        Section("Pairs", _pairs(chart.pairs), "pairs"),
        *_doubled_sections(chart),
    ]
    shown = tuple(section for section in sections if section.rows)
    return Page(
        one_line(title or chart.title),
        one_line(subtitle),
        shown,
        tuple(_legend(chart, shown, rescue, double_always)),
        tuple(map(one_line, (*_notes(chart, shown), *notes))),
        tuple(map(one_line, footer)),
    )


def in_two_columns(sections: Sequence[Section]) -> tuple[Sequence[Section], Sequence[Section]]:
    """Cut the sections where the longer column is shortest."""
    cut = min(
        range(1, len(sections) + 1),
        key=lambda place: max(lines_of(sections[:place]), lines_of(sections[place:])),
    )
    return sections[:cut], sections[cut:]


def lines_of(sections: Sequence[Section]) -> int:
    """Rows of these sections, each with a heading and a row of up cards."""
    return sum(len(section.rows) + 2 for section in sections)


# --- rows ---------------------------------------------------------------------------------------


def _merged(
    rows: Rows, label: Callable[[int, int], str], wanted: Iterable[int] | None = None
) -> tuple[PageRow, ...]:
    """Neighbouring totals with the same cells share a row."""
    return tuple(
        PageRow(label(first, last), tuple(cell_text(cell) for cell in row), first, last)
        for first, last, row in merged_rows(rows, wanted)
    )


def _below_21(rows: Rows) -> Rows:
    """The rows without 21, unless it is played like 20 or does not always stand."""
    last = rows[_HIGHEST]
    if last == rows[_HIGHEST - 1] or any(cell_text(cell) != STAND for cell in last):
        return rows
    return {total: row for total, row in rows.items() if total < _HIGHEST}


def _hard_label(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first}+" if last == _HIGHEST else f"{first}-{last}"


def _soft_label(first: int, last: int) -> str:
    """Soft hands by the card beside an ace, as players call them: soft 17 is A6."""
    if first == last:
        return _soft_name(first)
    return (
        f"{_soft_name(first)}+" if last == _HIGHEST else f"{_soft_name(first)}-{_soft_name(last)}"
    )


def _soft_name(total: int) -> str:
    beside = total - 11
    return "AA" if beside == 1 else f"A{beside}"


def _pairs(rows: Rows) -> tuple[PageRow, ...]:
    """Twos to tens, then aces; never merged, as players look for their own pair."""
    order = [*(value for value in sorted(rows) if value != 1), *([1] if 1 in rows else [])]
    return tuple(
        PageRow(pair_label(value), tuple(cell_text(cell) for cell in rows[value]), value, value)
        for value in order
    )


def pair_label(value: int) -> str:
    return "AA" if value == 1 else "TT" if value == 10 else f"{value}{value}"


# --- doubled hands ------------------------------------------------------------------------------


def _doubled_sections(chart: Chart) -> Iterator[Section]:
    """Only hands that this chart can come to, and only rows where it does not always stand."""
    met = doubled_totals(chart)
    for number, tables in enumerate(chart.doubled):
        for kind, rows, label in zip(
            ("hard", "soft"), tables, (_hard_label, _soft_label), strict=True
        ):
            is_soft = kind == "soft"
            shown = {
                total: tuple(
                    cell_text(cell) if (is_soft, total) in met[number][column] else NEVER
                    for column, cell in enumerate(row)
                )
                for total, row in rows.items()
            }
            groups = [
                PageRow(label(min(asking), max(asking)), cells, min(asking), max(asking))
                for asking, cells in _joined(shown)
                if asking
            ]
            if groups:
                name = f"{DOUBLED_SECTIONS[number]}.{kind}"
                yield Section(f"After {_TIMES[number]}, {kind}", tuple(groups), name)


def _joined(rows: dict[int, tuple[str, ...]]) -> list[tuple[list[int], tuple[str, ...]]]:
    """Neighbouring rows that differ only where one of them can't come up share a row.

    Each with those of its totals that don't always stand.
    """
    groups: list[tuple[list[int], tuple[str, ...]]] = []
    last = 0
    for total, cells in sorted(rows.items()):
        if set(cells) == {NEVER}:
            continue
        asking = [total] if set(cells) - {STAND, NEVER} else []
        if groups and last == total - 1 and _agree(groups[-1][1], cells):
            before, known = groups[-1]
            both = tuple(b if a == NEVER else a for a, b in zip(known, cells, strict=True))
            groups[-1] = (before + asking, both)
        else:
            groups.append((asking, cells))
        last = total
    return groups


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(a == b or NEVER in (a, b) for a, b in zip(one, other, strict=True))


HandTotal = tuple[bool, int]  # is it soft, and the total


def doubled_totals(chart: Chart) -> tuple[tuple[frozenset[HandTotal], ...], ...]:
    """Totals that this chart can meet after one, two, three doubles, by up card."""
    first: list[set[HandTotal]] = [set() for _ in UPS]
    for column in range(len(UPS)):
        for total, row in chart.hard.items():
            if _doubles(row[column]):
                first[column].update(_after_a_card(False, total))
        for total, row in chart.soft.items():
            if _doubles(row[column]):
                first[column].update(_after_a_card(True, total))
        for value, row in chart.pairs.items():
            if _doubles(row[column]):
                is_soft, total = (True, 12) if value == 1 else (False, 2 * value)
                first[column].update(_after_a_card(is_soft, total))
    met = [tuple(frozenset(totals) for totals in first)]
    for hard, soft in chart.doubled[:-1]:
        following = []
        for column, totals in enumerate(met[-1]):
            after: set[HandTotal] = set()
            for is_soft, total in totals:
                if _doubles((soft if is_soft else hard)[total][column]):
                    after.update(_after_a_card(is_soft, total))
            following.append(frozenset(after))
        met.append(tuple(following))
    return tuple(met)


def _doubles(cell: Cell) -> bool:
    return DOUBLE in (cell.first, cell.second)


def _after_a_card(is_soft: bool, total: int) -> Iterator[HandTotal]:
    hard = total - 10 if is_soft else total
    for value in range(1, 11):
        grown = hard + value
        if (is_soft or value == 1) and grown <= 11:
            yield True, grown + 10
        elif grown <= _HIGHEST:
            yield False, grown


# --- words --------------------------------------------------------------------------------------


def _legend(
    chart: Chart, sections: tuple[Section, ...], rescue: bool, double_always: bool
) -> Iterator[LegendItem]:
    undoubled = _cells(chart)
    doubled = {
        cell for tables in chart.doubled for rows in tables for row in rows.values() for cell in row
    }
    shows_doubled = any(section.title.startswith("After") for section in sections)
    letters = {letter for cell in undoubled for letter in cell.first + cell.second}
    later = {cell.first for cell in doubled} if shows_doubled else set()
    for letter in _LETTER_ORDER:
        words = [action_words(letter)] if letter in letters else []
        if letter == DOUBLE and words and not double_always:
            words = ["double, else hit"]
        if letter in later and letter != STAND:
            again = action_words(letter, True, rescue)
            words += [f"{again} once doubled"] if again not in words else []
        if words:
            yield LegendItem(letter, "; ".join(words))
    for cell in sorted(undoubled, key=cell_text):
        if cell.second and not cell.cards and not cell.mark:
            first, second = action_words(cell.first), action_words(cell.second)
            yield LegendItem(cell.first + cell.second, f"{first}, else {second}")
    yield from _digits(undoubled)
    for mark in ("*", "'", '"'):
        if any(cell.mark == mark for cell in undoubled):
            yield LegendItem(mark, mark_words(mark))
    if any(cell.for_super for cell in undoubled):
        yield LegendItem("$", mark_words("$"))


def _digits(cells: set[Cell]) -> Iterator[LegendItem]:
    seconds = {cell.second or HIT for cell in cells if cell.cards}
    if HIT in seconds:
        yield LegendItem("4", "a digit: with so many cards or more hit instead")
    for second in sorted(seconds - {HIT}):
        example = min(cell_text(cell) for cell in cells if cell.cards and cell.second == second)
        digit = "".join(filter(str.isdigit, example))
        yield LegendItem(example, f"with {digit} or more cards {action_words(second)} instead")


def _cells(chart: Chart) -> set[Cell]:
    return {
        cell
        for rows in (chart.hard, chart.soft, chart.pairs)
        for row in rows.values()
        for cell in row
    }


_INSURANCE = {
    Insurance.NEVER: "Insurance: never.",
    Insurance.ALWAYS: "Insurance: always.",
    Insurance.BLACKJACK: "Insurance: only with a blackjack.",
    Insurance.COUNT: "Insurance: by the count.",
}


def _notes(chart: Chart, sections: tuple[Section, ...]) -> Iterator[str]:
    pairs = any("P" in cell for section in sections for row in section.rows for cell in row.cells)
    if pairs:
        yield "A pair that may not be split again is played by its total."
    doubled = [section for section in sections if section.title.startswith("After")]
    if any(NEVER in row.cells for section in doubled for row in section.rows):
        yield "Doubled hands that are not shown: stand; empty cells can't come up."
    elif doubled:
        yield "Doubled hands that are not shown: stand."
    elif any(cell.first == DOUBLE for cell in _cells(chart)):
        yield "Once doubled: stand."
    yield "Blackjack: double it." if chart.doubles_blackjack else "Blackjack: take the pay."
    yield _INSURANCE[chart.insurance]
    yield from chart.notes
