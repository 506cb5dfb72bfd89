"""A document as one self-contained HTML page, for phones, screens and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ventiuna.analysis.charts.render import FAINT, HEAD, INK, LINE, action_color
from ventiuna.reports.document import (
    NUMBER,
    Block,
    Document,
    Facts,
    Grid,
    Items,
    Paper,
    Part,
    Plays,
    Text,
    documents_text,
    explained_text,
    numbers_of,
)
from ventiuna.rules.text.references import RuleReference, references_by_number
from ventiuna.strategy.chart import UP_CARDS
from ventiuna.texts import markup_text

_STYLE = f"""
:root {{ color: {INK}; background: #fff; font: 16px/1.45 Georgia, "Liberation Serif", serif;
  -webkit-text-size-adjust: 100%; }}
body {{ max-width: 54rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }}
.kind {{ font: bold .8rem Helvetica, Arial, sans-serif; letter-spacing: .08em; color: {FAINT};
  text-transform: uppercase; margin: 0; }}
h1 {{ font-size: 1.7rem; line-height: 1.15; margin: .1rem 0 .4rem; }}
h2 {{ font-size: 1.2rem; margin: 1.8rem 0 .4rem; border-top: 2px solid {INK}; padding-top: .4rem; }}
p {{ margin: .4rem 0; }}
.lead, .numbers, footer {{ color: {FAINT}; }}
.numbers, footer {{ font-size: .85rem; }}
.strong {{ padding: .5rem .8rem; border-left: .35rem solid #0b6e4f; background: #eef7f3; }}
.warns {{ border-color: #b3261e; background: #fbeeed; }}
a {{ color: #1d4f91; text-decoration-thickness: 1px; text-underline-offset: .15em; }}
ul {{ margin: .4rem 0; padding-left: 1.2rem; }}
.table {{ overflow-x: auto; margin: .6rem 0 1rem; }}
table {{ border-collapse: collapse; font: .875rem/1.3 Helvetica, Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: normal; min-width: 60%; }}
caption {{ text-align: left; font-weight: bold; padding: .2rem 0; }}
th, td {{ padding: .22rem .9rem .22rem 0; vertical-align: top; text-align: left;
  border-bottom: 1px solid #dde1e7; font-weight: normal; }}
th:last-child, td:last-child {{ padding-right: 0; }}
thead th {{ border-bottom: 1px solid {INK}; font-weight: bold; vertical-align: bottom; }}
tbody th {{ overflow-wrap: anywhere; min-width: 6.5rem; }}
.n {{ text-align: right; white-space: nowrap; }}
.sum > * {{ font-weight: bold; border-top: 1px solid {INK}; }}
dl.facts {{ display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; }}
dl.facts dt {{ color: {FAINT}; }} dl.facts dd {{ margin: 0; }}
details {{ margin: .3rem 0; font-size: .9rem; }}
summary {{ cursor: pointer; }}
details:target {{ background: #fff7d6; }}
details p {{ margin: .2rem 0 .2rem 1rem; }}
.plays table {{ width: 100%; table-layout: fixed; }}
.plays th, .plays td {{ border: 1px solid {LINE}; text-align: center; padding: .1rem 0;
  font-weight: bold; }}
.plays thead th, .plays tbody th {{ background: {HEAD}; }}
.plays tr > :first-child {{ width: 3.2rem; }}
@media (max-width: 34rem) {{
  body {{ padding: .8rem; }}
  dl.facts {{ display: block; }} dl.facts dd {{ margin: 0 0 .4rem; }}
  th, td {{ padding-right: .6rem; }}
  table {{ min-width: 100%; font-size: .8rem; }}
  .folds table, .folds tbody, .folds caption {{ display: block; }}
  .folds thead {{ position: absolute; clip-path: inset(50%); }}
  .folds tr {{ display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .3rem 0;
    border-bottom: 1px solid #dde1e7; }}
  .folds th, .folds td {{ border: 0; padding: 0; flex: 1 0 100%; white-space: normal; }}
  .folds tbody th {{ font-weight: bold; }}
  .folds .n {{ flex: 0 0 auto; }}
  .folds .n::before {{ content: attr(data-label) " "; color: {FAINT}; font-weight: normal; }}
  .folds td:empty {{ display: none; }}
}}
@page {{ size: SIZE; margin: MARGIN; }}
@media print {{
  :root {{ font-size: TYPE; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
  body {{ max-width: none; padding: 0; }}
  h2 {{ break-after: avoid; margin-top: 1.1rem; }}
  tr, li, details {{ break-inside: avoid; }}
  .table {{ overflow: visible; }}
  .screen {{ display: none; }}
  a {{ color: inherit; text-decoration: none; }}
}}
"""
_PRINT = {  # page size, margin and font size for each paper
    Paper.SHEET: ("A4", "14mm", "10.5pt"),
    Paper.POCKET: ("85mm 135mm", "4mm", "6.2pt"),
}
_UNSAFE = re.compile(r"[^a-z0-9]+")


def document_html(document: Document) -> str:
    """Render the whole page."""
    return "\n".join(_parts(document)) + "\n"


def _parts(document: Document) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup_text(document.name)}</title>"
    size, margin, letters = _PRINT[document.paper]
    style = _STYLE.replace("SIZE", size).replace("MARGIN", margin).replace("TYPE", letters)
    yield f"<style>{style}</style>"
    yield "</head>"
    yield "<body>"
    yield "<header>"
    yield f'<p class="kind">{markup_text(document.kind)}</p>'
    yield f"<h1>{markup_text(document.title)}</h1>"
    for line in document.lead:
        yield f'<p class="lead">{_linked(line, document)}</p>'
    yield "</header>"
    yield "<main>"
    for part in document.parts:
        yield from _part(part, document)
    if document.explains:
        yield from _explanations(numbers_of(document), document.explains_on_paper)
    yield "</main>"
    yield "<footer>"
    for line in document.footer:
        yield f"<p>{_linked(line, document)}</p>"
    yield "</footer>"
    yield "</body>"
    yield "</html>"


def _part(part: Part, document: Document) -> Iterator[str]:
    name = _UNSAFE.sub("-", part.heading.lower()).strip("-")
    yield f'<section aria-labelledby="{name}">'
    yield f'<h2 id="{name}">{markup_text(part.heading)}</h2>'
    for block in part.blocks:
        yield _block(block, document)
    if part.numbers:
        links = _linked(", ".join(part.numbers), document)
        yield f'<p class="numbers">Rules: {links}</p>'
    yield "</section>"


def _block(block: Block, document: Document) -> str:
    if isinstance(block, Text):
        strong = f' class="strong{" warns" if block.warns else ""}"' if block.strong else ""
        return f"<p{strong}>{_linked(block.text, document)}</p>"
    if isinstance(block, Items):
        items = "".join(f"<li>{_linked(item, document)}</li>" for item in block.items)
        return f"<ul>{items}</ul>"
    if isinstance(block, Facts):
        rows = "".join(
            f"<dt>{_linked(name, document)}</dt><dd>{_linked(text, document)}</dd>"
            for name, text in block.rows
        )
        return f'<dl class="facts">{rows}</dl>'
    return _grid(block, document) if isinstance(block, Grid) else _plays(block)


def _grid(grid: Grid, document: Document) -> str:
    """Render a table; with several word and number columns, it is stacked row by row on a phone."""
    folds = grid.words > 1 and len(grid.headings) - grid.words > 1
    roles = _ROLES if folds else {}
    head = "".join(
        f'<th scope="col"{roles.get("column", "")}{_number(place, grid)}>'
        f"{_linked(heading, document)}</th>"
        for place, heading in enumerate(grid.headings)
    )
    row_role, cell_role = roles.get("row", ""), roles.get("cell", "")
    rows = []
    for number, (first, *others) in enumerate(grid.rows, start=1):
        kind = ' class="sum"' if grid.sums_up and number == len(grid.rows) else ""
        cells = "".join(
            f"<td{cell_role}{_number(place, grid, folds)}>{_linked(cell, document)}</td>"
            for place, cell in enumerate(others, start=1)
        )
        name = f'<th scope="row"{roles.get("name", "")}>{_linked(first, document)}</th>'
        rows.append(f"<tr{row_role}{kind}>{name}{cells}</tr>")
    return (
        f'<div class="table{" folds" if folds else ""}"><table{roles.get("table", "")}>'
        f"<caption>{_linked(grid.caption, document)}</caption>"
        f"<thead><tr{row_role}>{head}</tr></thead>\n<tbody>{''.join(rows)}</tbody></table></div>"
    )


# ARIA roles that keep a table readable for screen readers when CSS doesn't display it as a table.
_ROLES = {
    "table": ' role="table"',
    "row": ' role="row"',
    "column": ' role="columnheader"',
    "name": ' role="rowheader"',
    "cell": ' role="cell"',
}


def _number(place: int, grid: Grid, labelled: bool = False) -> str:
    if place < grid.words:
        return ""
    label = f' data-label="{markup_text(grid.headings[place])}"' if labelled else ""
    return f' class="n"{label}'


def _plays(plays: Plays) -> str:
    head = "".join(f'<th scope="col">{up}</th>' for up in UP_CARDS)
    rows = []
    for label, cells in plays.rows:
        found = "".join(
            f'<td style="background:{action_color(cell)}">{markup_text(cell)}</td>'
            for cell in cells
        )
        rows.append(f'<tr><th scope="row">{markup_text(label)}</th>{found}</tr>')
    return (
        f'<div class="table plays"><table><caption>{markup_text(plays.caption)}</caption>'
        f'<thead><tr><th scope="col">hand</th>{head}</tr></thead>\n'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


# --- Rule numbers and their text ----------------------------------------------------------------


def _linked(text: str, document: Document) -> str:
    """Escape the text and link each rule number to its text, which is also a tooltip."""
    return NUMBER.sub(lambda found: _link(found[0], document), markup_text(text))


def _link(number: str, document: Document) -> str:
    one = references_by_number().get(number)
    if one is None:
        return number
    title = markup_text(explained_text(one))
    if document.explains:
        return f'<a href="#{number}" title="{title}">{number}</a>'
    return f'<abbr title="{title}">{number}</abbr>'


def _explanations(numbers: list[RuleReference], on_paper: bool) -> Iterator[str]:
    if not numbers:
        return
    kind = "" if on_paper else ' class="screen"'
    yield f'<section{kind} aria-labelledby="numbers">'
    yield '<h2 id="numbers">The rules behind the numbers</h2>'
    for number in numbers:
        yield f'<details id="{number.number}" open>'
        yield f"<summary><b>{number.number}</b> {markup_text(number.title)}</summary>"
        yield f"<p>{markup_text(explained_text(number))}</p>"
        if number.documents:
            yield f'<p class="numbers">{markup_text(documents_text(number))}</p>'
        yield "</details>"
    yield "</section>"
