"""A chart as a page, independent of the medium: symbols, sections, rows, legend, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from typing_extensions import TypedDict

from ventiuna.strategy.chart import DOUBLED_SECTIONS, UP_CARDS, Cell, Chart, Row, Rows, read_cell
from ventiuna.strategy.protocol import Insurance
from ventiuna.texts import one_line, toml_text

# --- Symbols ---


HIT, STAND, DOUBLE, SPLIT, SURRENDER = "H", "S", "D", "P", "R"

MIXED, SUITED, SPADES = "*", "'", '"'  # which 6-7-8 is still possible


class ChartTable(StrEnum):
    """The tables of a chart. After a double, R is a rescue and D a double-double."""

    HARD = "hard"
    SOFT = "soft"
    PAIRS = "pairs"
    DOUBLED_HARD = "doubled hard"
    DOUBLED_SOFT = "doubled soft"

    @property
    def is_doubled(self) -> bool:
        return self in (ChartTable.DOUBLED_HARD, ChartTable.DOUBLED_SOFT)


def cell_text(cell: Cell) -> str:
    """Format a cell.

    >>> cell_text(Cell("S", "", 4, "*", False))
    'S4*'
    """
    cards = str(cell.cards) if cell.cards else ""
    return f"{cell.first}{cell.second}{cards}{cell.mark}{'$' if cell.for_super else ''}"


def row_text(row: Iterable[Cell]) -> str:
    """Format ten cells in columns, as in chart files."""
    return " ".join(f"{cell_text(cell):<4}" for cell in row).rstrip()


_LETTERS = {HIT: "hit", STAND: "stand", DOUBLE: "double", SPLIT: "split", SURRENDER: "surrender"}
_LETTERS_DOUBLED = {STAND: "stand", DOUBLE: "double again", SURRENDER: "rescue"}
_MARKS = {
    MIXED: "hit while a 6-7-8 is still possible",
    SUITED: "hit while a 6-7-8 of one suit is still possible",
    SPADES: "hit while a 6-7-8 of spades is still possible",
}
_SUPER = "hit while the Super Bonus is still possible"


def action_text(letter: str, doubled: bool = False, rescue: bool = True) -> str:
    """The play that a letter stands for; without rescue, R always means surrender."""
    if doubled and (rescue or letter != SURRENDER):
        return _LETTERS_DOUBLED.get(letter, _LETTERS[letter])
    return _LETTERS[letter]


def mark_text(mark: str) -> str:
    return _SUPER if mark == "$" else _MARKS[mark]


def card_count_text(cell: Cell) -> str:
    """Describe the meaning of a cell's digit.

    >>> card_count_text(Cell("D", "", 4, "", False))
    'with 4 or more cards, hit'
    """
    return f"with {cell.cards} or more cards, {_LETTERS[cell.second or HIT]}"


def cell_description(cell: Cell, doubled: bool = False, rescue: bool = True) -> str:
    """Describe a whole cell as part of a sentence.

    >>> cell_description(Cell("S", "", 4, "*", False))
    'stand; with 4 or more cards, hit; hit while a 6-7-8 is still possible'
    """
    parts = [action_text(cell.first, doubled, rescue)]
    if cell.second and not cell.cards:
        parts[0] += f", or {action_text(cell.second, doubled, rescue)} if that isn't allowed"
    if cell.cards:
        parts.append(card_count_text(cell))
    if cell.mark:
        parts.append(mark_text(cell.mark))
    if cell.for_super:
        parts.append(mark_text("$"))
    return "; ".join(parts)


# --- TOML files ---

_DOUBLED = ("doubled", "doubled_twice", "doubled_thrice")
_NAME_WIDTH = 8


def chart_toml(chart: Chart, comments: Iterable[str] = ()) -> str:
    """The whole file, which begins with these comments, one per line."""
    return "".join(f"{line}\n" for line in _toml_lines(chart, comments))


def _toml_lines(chart: Chart, comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        yield f"# {one_line(comment)}".rstrip()
    yield f"title = {toml_text(chart.title)}"
    if chart.source:
        yield f"source = {toml_text(chart.source)}"
    if chart.fingerprint:
        yield f"rules = {toml_text(chart.rules)}"
        yield f"fingerprint = {toml_text(chart.fingerprint)}"
    if chart.insurance is not Insurance.COUNT:
        yield f"insurance = {toml_text(chart.insurance)}"
    yield f"blackjack = {toml_text('double' if chart.doubles_blackjack else 'take')}"
    yield from _toml_section("hard", chart.hard)
    yield from _toml_section("soft", chart.soft)
    yield ""
    yield "[pairs]"
    yield _up_cards()
    for value in sorted(chart.pairs, key=lambda value: (value == 1, value)):
        yield _toml_row("A" if value == 1 else str(value), chart.pairs[value])
    for name, (hard, soft) in zip(_DOUBLED, chart.doubled, strict=False):
        yield from _toml_section(f"{name}.hard", hard)
        yield from _toml_section(f"{name}.soft", soft)


def _toml_section(name: str, rows: Rows) -> Iterator[str]:
    yield ""
    yield f"[{name}]"
    yield _up_cards()
    for first, last, row in merged_rows(rows):
        yield _toml_row(str(first) if first == last else f"{first}-{last}", row)


def merged_rows(rows: Rows, only: Iterable[int] | None = None) -> list[tuple[int, int, Row]]:
    """First and last total of adjacent rows with the same cells, and their row."""
    totals = sorted(rows) if only is None else sorted(set(only) & set(rows))
    groups: list[tuple[int, int, Row]] = []
    for total in totals:
        if groups and groups[-1][1] == total - 1 and groups[-1][2] == rows[total]:
            groups[-1] = (groups[-1][0], total, rows[total])
        else:
            groups.append((total, total, rows[total]))
    return groups


def _up_cards() -> str:
    return f"#{'':<{_NAME_WIDTH + 3}}" + " ".join(f"{up:<4}" for up in UP_CARDS).rstrip()


def _toml_row(name: str, row: Row) -> str:
    quoted = f'"{name}"'
    return f"{quoted:<{_NAME_WIDTH}} = {toml_text(row_text(row))}"


# --- Page layout ---

_TIMES = ("one double", "two doubles", "three doubles")
_LETTER_ORDER = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)
_HIGHEST = 21
NEVER = ""  # a cell that can't occur


class PageRow(NamedTuple):
    label: str
    cells: tuple[str, ...]
    first: int  # first of its totals, or the value of a pair's cards
    last: int


class Section(NamedTuple):
    title: str
    rows: tuple[PageRow, ...]
    name: str  # name in the chart file: hard, soft, pairs, doubled.hard


class LegendItem(NamedTuple):
    sign: str
    words: str


class Page(NamedTuple):
    """A chart to format, draw or print."""

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
    """Lay out a chart as a page.

    `rescue` says whether R on a doubled hand is a rescue. `double_always` means that any hand may
    be doubled, so the legend doesn't need an alternative.
    """
    sections = [
        Section("Hard hands", _merged(_below_21(chart.hard), _hard_label), "hard"),
        Section("Soft hands", _merged(_below_21(chart.soft), _soft_label), "soft"),
        Section("Pairs", _pairs(chart.pairs), "pairs"),
        *_doubled_sections(chart),
    ]
    filled = tuple(section for section in sections if section.rows)
    return Page(
        one_line(title or chart.title),
        one_line(subtitle),
        filled,
        tuple(_legend(chart, filled, rescue, double_always)),
        tuple(map(one_line, (*_notes(chart, filled), *notes))),
        tuple(map(one_line, footer)),
    )


def in_two_columns(sections: Sequence[Section]) -> tuple[Sequence[Section], Sequence[Section]]:
    """Divide the sections so that the longer column is as short as possible."""
    cut = min(
        range(1, len(sections) + 1),
        key=lambda place: max(lines_of(sections[:place]), lines_of(sections[place:])),
    )
    return sections[:cut], sections[cut:]


def lines_of(sections: Sequence[Section]) -> int:
    """Number of lines in these sections, each with a heading and a row of up cards."""
    return sum(len(section.rows) + 2 for section in sections)


# --- Rows ---


def _merged(
    rows: Rows, label: Callable[[int, int], str], totals: Iterable[int] | None = None
) -> tuple[PageRow, ...]:
    """Merge adjacent totals with the same cells into one row."""
    return tuple(
        PageRow(label(first, last), tuple(cell_text(cell) for cell in row), first, last)
        for first, last, row in merged_rows(rows, totals)
    )


def _below_21(rows: Rows) -> Rows:
    """The rows; 21 is left out unless it is played like 20 or doesn't always stand."""
    last = rows[_HIGHEST]
    if last == rows[_HIGHEST - 1] or any(cell_text(cell) != STAND for cell in last):
        return rows
    return {total: row for total, row in rows.items() if total < _HIGHEST}


def _hard_label(first: int, last: int) -> str:
    if first == last:
        return str(first)
    return f"{first}+" if last == _HIGHEST else f"{first}-{last}"


def _soft_label(first: int, last: int) -> str:
    """Soft hands by the card next to the ace, as players call them: soft 17 is A6."""
    if first == last:
        return _soft_name(first)
    return (
        f"{_soft_name(first)}+" if last == _HIGHEST else f"{_soft_name(first)}-{_soft_name(last)}"
    )


def _soft_name(total: int) -> str:
    kicker = total - 11
    return "AA" if kicker == 1 else f"A{kicker}"


def _pairs(rows: Rows) -> tuple[PageRow, ...]:
    """Twos to tens, then aces; never merged, because players look for their own pair."""
    order = [*(value for value in sorted(rows) if value != 1), *([1] if 1 in rows else [])]
    return tuple(
        PageRow(pair_label(value), tuple(cell_text(cell) for cell in rows[value]), value, value)
        for value in order
    )


def pair_label(value: int) -> str:
    return "AA" if value == 1 else "TT" if value == 10 else f"{value}{value}"


# --- Doubled hands ---


def _doubled_sections(chart: Chart) -> Iterator[Section]:
    """Sections for doubled hands that the chart can reach, without rows that always stand."""
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
    """Merge adjacent rows that differ only in cells that can't occur.

    Each group lists only its totals that don't always stand.
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


HandTotal = tuple[bool, int]  # soft flag and total


def doubled_totals(chart: Chart) -> tuple[tuple[frozenset[HandTotal], ...], ...]:
    """Totals that this chart can reach after one, two and three doubles, by up card."""
    first: list[set[HandTotal]] = [set() for _ in UP_CARDS]
    for column in range(len(UP_CARDS)):
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


# --- Words ---


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
        words = [action_text(letter)] if letter in letters else []
        if letter == DOUBLE and words and not double_always:
            words = ["double, else hit"]
        if letter in later and letter != STAND:
            again = action_text(letter, True, rescue)
            words += [f"{again} after doubling"] if again not in words else []
        if words:
            yield LegendItem(letter, "; ".join(words))
    for cell in sorted(undoubled, key=cell_text):
        if cell.second and not cell.cards and not cell.mark:
            first, second = action_text(cell.first), action_text(cell.second)
            yield LegendItem(cell.first + cell.second, f"{first}, else {second}")
    yield from _digits(undoubled)
    for mark in ("*", "'", '"'):
        if any(cell.mark == mark for cell in undoubled):
            yield LegendItem(mark, mark_text(mark))
    if any(cell.for_super for cell in undoubled):
        yield LegendItem("$", mark_text("$"))


def _digits(cells: set[Cell]) -> Iterator[LegendItem]:
    seconds = {cell.second or HIT for cell in cells if cell.cards}
    if HIT in seconds:
        yield LegendItem("4", "a digit: with this many cards or more, hit")
    for second in sorted(seconds - {HIT}):
        example = min(cell_text(cell) for cell in cells if cell.cards and cell.second == second)
        digit = "".join(filter(str.isdigit, example))
        yield LegendItem(example, f"with {digit} or more cards, {action_text(second)} instead")


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
    Insurance.COUNT: "Insurance: follow the count.",
}


def _notes(chart: Chart, sections: tuple[Section, ...]) -> Iterator[str]:
    pairs = any("P" in cell for section in sections for row in section.rows for cell in row.cells)
    if pairs:
        yield "If a pair can't be split again, play its total."
    doubled = [section for section in sections if section.title.startswith("After")]
    if any(NEVER in row.cells for section in doubled for row in section.rows):
        yield "Doubled hands not shown: stand. Empty cells can't occur."
    elif doubled:
        yield "Doubled hands not shown: stand."
    elif any(cell.first == DOUBLE for cell in _cells(chart)):
        yield "After doubling: stand."
    yield "Blackjack: double it." if chart.doubles_blackjack else "Blackjack: take the payout."
    yield _INSURANCE[chart.insurance]
    yield from chart.notes


# --- Plain data ---

TENS = "10"
FACES = "face"  # replaces tens in a pack without them


class ChartCell(TypedDict):
    text: str
    play: str  # H, S, D, P or R; empty if the hand can't occur
    sentence: str


class ChartRow(TypedDict):
    label: str
    first: int  # first total of the row
    last: int
    cells: list[ChartCell]


class ChartSection(TypedDict):
    name: str  # hard, soft, pairs, doubled.hard
    title: str
    rows: list[ChartRow]


class LegendLine(TypedDict):
    sign: str
    words: str


class ChartPage(TypedDict):
    title: str
    subtitle: str
    ups: list[str]
    sections: list[ChartSection]
    legend: list[LegendLine]
    notes: list[str]
    footer: list[str]


def page_data(page: Page, rescue: bool, tens_in_pack: bool) -> ChartPage:
    """Sections with column headings and rows, legend and notes."""
    ups = [FACES if up == TENS and not tens_in_pack else up for up in UP_CARDS]
    return {
        "title": page.title,
        "subtitle": page.subtitle,
        "ups": ups,
        "sections": [_section_data(section, ups, rescue) for section in page.sections],
        "legend": [{"sign": item.sign, "words": item.words} for item in page.legend],
        "notes": list(page.notes),
        "footer": list(page.footer),
    }


def _section_data(section: Section, ups: list[str], rescue: bool) -> ChartSection:
    kind, after = _section_type(section.title)
    rows: list[ChartRow] = []
    for row in section.rows:
        label = _pair(row.label, ups) if kind == "Pairs" else row.label
        hand = f"{kind} {label}{after}" if kind == "Hard" else f"{label}{after}"
        cells = [
            _cell_data(cell, f"{hand} against {_up_words(up)}", bool(after), rescue)
            for cell, up in zip(row.cells, ups, strict=True)
        ]
        rows.append({"label": label, "first": row.first, "last": row.last, "cells": cells})
    return {"name": section.name, "title": section.title, "rows": rows}


def _up_words(up: str) -> str:
    """An up card with its article: `a 4`, `an 8`, `a face card`, `an ace`."""
    known = {FACES: "a face card", TENS: "a ten-valued card", "A": "an ace", "8": "an 8"}
    return known.get(up, f"a {up}")


def _section_type(title: str) -> tuple[str, str]:
    """Parse `Hard hands`, `Pairs` or `After two doubles, soft`."""
    if not title.startswith("After"):
        return title.split()[0], ""
    doubles, _, kind = title.partition(", ")
    return kind.capitalize(), f" {doubles[0].lower()}{doubles[1:]}"


def _pair(label: str, ups: list[str]) -> str:
    """Format `88` as `8-8`; ten-valued pairs by the pack's cards."""
    if label[0] == "T":
        return FACES if FACES in ups else f"{TENS}-{TENS}"
    return f"{label[0]}-{label[1]}"


def _cell_data(text: str, hand: str, doubled: bool, rescue: bool) -> ChartCell:
    if text == NEVER:
        return {"text": "", "play": "", "sentence": f"{hand}: can't occur."}
    cell = read_cell(text)
    assert cell is not None, "a page has only valid cells"
    words = cell_description(cell, doubled, rescue)
    return {"text": text, "play": cell.first, "sentence": f"{hand}: {words}."}
