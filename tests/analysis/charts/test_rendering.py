"""Charts as text, HTML, SVG and PDF: their content and whether it fits the page."""

from __future__ import annotations

import builtins
import re
import zlib
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.analysis.charts.studied import DOUBLE_DOUBLE, PRESETS, SPANISH, derived
from ventiuna.analysis.charts.page import NEVER, Page, page_of
from ventiuna.analysis.charts.render import (
    WIDTH,
    Paper,
    chart_html,
    chart_pdf,
    chart_svg,
    chart_text,
    draw,
)
from ventiuna.errors import MissingExtra
from ventiuna.rendering import Box, Label, action_color
from ventiuna.strategy.chart import UP_CARDS, built_in_charts

COMMAND = "ventiuna strategy RULES"
SVG = "{http://www.w3.org/2000/svg}"


def page(rules: str) -> Page:
    return derived(rules).page(COMMAND)


def cells_in_order(chart_page: Page) -> list[str]:
    return [cell for s in chart_page.sections for row in s.rows for cell in row.cells]


# --- layout -------------------------------------------------------------------------------------


def test_equal_rows_share_a_line() -> None:
    hard, soft, pairs, doubled = page(SPANISH).sections
    assert [row.label for row in hard.rows] == [
        "4-8",
        "9",
        "10",
        "11",
        "12",
        "13",
        "14",
        "15",
        "16",
        "17",
        "18+",
    ]
    assert [row.label for row in soft.rows] == ["AA-A3", "A4", "A5", "A6", "A7", "A8", "A9+"]
    assert [row.label for row in pairs.rows] == [
        "22",
        "33",
        "44",
        "55",
        "66",
        "77",
        "88",
        "99",
        "TT",
        "AA",
    ]
    assert doubled.title == "After one double, hard"


def test_cells_that_cannot_occur_are_empty() -> None:
    """Against a 2, no doubled hand can total 6 to 11; a note explains the empty cells."""
    sections = {section.title: section for section in page(DOUBLE_DOUBLE).sections}
    low = sections["After one double, hard"].rows[0]
    assert low.label == "6-11"
    assert low.cells[UP_CARDS.index("2")] == NEVER
    assert low.cells[UP_CARDS.index("6")] == "D"
    assert any("Empty cells" in note for note in page(DOUBLE_DOUBLE).notes)


def test_the_legend_explains_every_sign_and_no_other() -> None:
    for rules in PRESETS:
        shown = page(rules)
        signs = {item.sign for item in shown.legend}
        text = "".join(cells_in_order(shown))
        for letter in "HSDPR":
            assert (letter in signs) == (letter in text)
        for mark in "*'\"$":
            assert (mark in signs) == (mark in text)
        assert ("4" in signs) == bool(re.search(r"(?<!HS|DS)\d", text))


def test_words_for_r_and_d_follow_the_rules() -> None:
    words = {rules: {i.sign: i.words for i in page(rules).legend} for rules in PRESETS}
    assert words[SPANISH]["R"] == "surrender; rescue after doubling"
    assert words[SPANISH]["D"] == "double"
    assert words[DOUBLE_DOUBLE]["D"] == "double; double again after doubling"
    assert words["super-fun-21"]["R"] == "surrender"
    assert words["blackjack"]["D"] == "double, else hit"
    assert words["blackjack"]["DS"] == "double, else stand"
    assert words["blackjack"]["HS3"] == "with 3 or more cards, stand instead"


def test_habits_are_in_the_notes() -> None:
    notes = page_of(built_in_charts()["blackjack-habits"]).notes
    assert "Insurance: only with a blackjack." in notes
    assert "After doubling: stand." in notes


# --- text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
def test_text_has_every_cell_in_80_columns(rules: str) -> None:
    text = chart_text(page(rules))
    lines = text.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert text.isascii()
    found = []
    for section in page(rules).sections:
        start = lines.index(section.title)
        assert lines[start + 1].split() == list(UP_CARDS)
        for row, line in zip(section.rows, lines[start + 2 :], strict=False):
            label, *cells = line.split()
            assert label == row.label
            found += ["" if cell == "." else cell for cell in cells]
    assert found == cells_in_order(page(rules))
    for sentence in (derived(rules).fingerprint, COMMAND, "The chart costs"):
        assert sentence in " ".join(lines)


# --- HTML ---------------------------------------------------------------------------------------


class Tables(HTMLParser):
    """Collects cells with their colors, and everything that would be loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[tuple[str, str]] = []
        self.captions: list[str] = []
        self.loaded: list[str] = []
        self.words: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append(tag)
        found = dict(attrs)
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag == "td":
            self.cells.append(("", found.get("style") or ""))
        if tag == "caption":
            self.captions.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._open and self._open[-1] == "td":
            text, style = self.cells[-1]
            self.cells[-1] = (text + data, style)
        if self._open and self._open[-1] == "caption":
            self.captions[-1] += data


@pytest.mark.parametrize("rules", PRESETS)
def test_html_has_every_cell_in_its_color_and_loads_nothing(rules: str) -> None:
    html = chart_html(page(rules))
    tables = Tables()
    tables.feed(html)
    assert [text for text, _ in tables.cells] == cells_in_order(page(rules))
    assert all(style == f"background:{action_color(text)}" for text, style in tables.cells)
    assert tables.captions == [section.title for section in page(rules).sections]
    assert tables.loaded == []
    assert "url(" not in html
    assert "@import" not in html
    assert "@page" in html
    assert derived(rules).price_sentence in "".join(tables.words)


def test_html_escapes_its_input() -> None:
    nasty = "<script>alert('x')</script> & \"more\""
    html = chart_html(page_of(built_in_charts()["spanish-21-h17"], title=nasty, footer=[nasty]))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


# --- SVG and PDF --------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", list(Paper))
@pytest.mark.parametrize("rules", PRESETS)
def test_the_drawing_stays_on_the_page_and_parts_do_not_overlap(rules: str, paper: Paper) -> None:
    drawing = draw(page(rules), paper)
    boxes = [shape for shape in drawing.shapes if isinstance(shape, Box)]
    words = [shape for shape in drawing.shapes if isinstance(shape, Label)]
    for box in boxes:
        assert box.x >= 10
        assert box.y >= 10
        assert box.x + box.width <= drawing.width - 10
        assert box.y + box.height <= drawing.height - 10
    for word in words:
        assert 10 <= word.x <= drawing.width - 10
        assert 10 <= word.y <= drawing.height - 10
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            apart = (
                one.x + one.width <= other.x + 1e-6
                or other.x + other.width <= one.x + 1e-6
                or one.y + one.height <= other.y + 1e-6
                or other.y + other.height <= one.y + 1e-6
            )
            assert apart, (one, other)


def test_a_very_long_chart_still_fits_one_page() -> None:
    """The worst case: every row is different."""
    section = page(DOUBLE_DOUBLE).sections[0]
    long = page(DOUBLE_DOUBLE)._replace(sections=(section,) * 9)
    drawing = draw(long)
    lowest = max(s.y + s.height for s in drawing.shapes if isinstance(s, Box))
    assert lowest <= drawing.height


@pytest.mark.parametrize("rules", PRESETS)
def test_svg_has_every_cell_and_its_size(rules: str) -> None:
    root = ElementTree.fromstring(chart_svg(page(rules), Paper.LETTER))
    assert root.attrib["width"] == "215.9mm"
    assert root.findtext(f"{SVG}title") == page(rules).title
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for cell in filter(None, set(cells_in_order(page(rules)))):
        shown = texts.count(cell)
        assert shown >= cells_in_order(page(rules)).count(cell)
    fills = {element.attrib["fill"] for element in root.iter(f"{SVG}rect")}
    assert {action_color(cell) for cell in cells_in_order(page(rules))} <= fills


def pdf_words(content: bytes) -> str:
    """All drawn text: the bracketed strings in the page's stream."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    drawn = b"".join(zlib.decompress(stream) for stream in streams if stream[:1] == b"\x78")
    found = re.findall(rb"\(((?:\\.|[^()\\])*)\) Tj", drawn)
    return "\n".join(re.sub(rb"\\(.)", rb"\1", word).decode("latin-1") for word in found)


@pytest.mark.parametrize("rules", PRESETS)
def test_pdf_is_one_page_with_every_cell(rules: str) -> None:
    content = chart_pdf(page(rules))
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b(?!s)", content)) == 1
    words = pdf_words(content).splitlines()
    assert page(rules).title in words
    for cell in filter(None, set(cells_in_order(page(rules)))):
        assert words.count(cell) >= cells_in_order(page(rules)).count(cell)
    assert derived(rules).fingerprint in pdf_words(content)


def test_pdf_replaces_characters_its_fonts_lack() -> None:
    content = chart_pdf(page_of(built_in_charts()["spanish-21-h17"], title="♠ Überblick"))
    assert "? Überblick" in pdf_words(content)


def test_without_fpdf2_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    true_import = builtins.__import__

    def without_fpdf(name: str, *rest: Any, **more: Any) -> Any:
        if name == "fpdf":
            raise ModuleNotFoundError("No module named 'fpdf'", name="fpdf")
        return true_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_fpdf)
    with pytest.raises(MissingExtra, match=r"pip install 'ventiuna\[print\]'"):
        chart_pdf(page(SPANISH))


def test_results_render_in_notebooks() -> None:
    shown = derived(SPANISH)._repr_html_()
    assert "<table>" in shown
    assert derived(SPANISH).fingerprint in shown


def test_a_chart_in_a_notebook_styles_only_itself() -> None:
    shown = derived(SPANISH)._repr_html_()
    assert "<html" not in shown
    [style] = re.findall("<style>(.*?)</style>", shown, re.DOTALL)
    selectors = re.findall(r"^([^{}]+?)\s*\{", style, re.MULTILINE)
    assert len(selectors) > 10
    for selector in ",".join(selectors).split(","):
        assert selector.strip().startswith(".ventiuna-chart"), selector
