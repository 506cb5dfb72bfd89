"""A chart as one HTML page: nothing outside it, one sheet when printed."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.analysis.charts.render.colours import FAINT, HEAD, INK, LINE, action_colour
from ventiuna.analysis.charts.render.layout import (
    LegendItem,
    Page,
    Section,
    in_two_columns,
    lines_of,
)
from ventiuna.analysis.charts.render.notation import UPS
from ventiuna.texts import markup_text

_STYLE = f"""
:root {{ color: {INK}; font: 14px/1.35 Helvetica, Arial, "Liberation Sans", sans-serif; }}
body {{ max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.6rem; margin: 0; }}
p {{ margin: .3rem 0; }}
.rules, footer {{ color: {FAINT}; }}
footer {{ font-size: .8rem; overflow-wrap: anywhere; }}
.tables, dl {{ display: flex; flex-wrap: wrap; gap: 0 2rem; margin: .8rem 0 .4rem; }}
.tables > *, dl > * {{ flex: 1 1 24rem; min-width: 0; }}
table {{ border-collapse: collapse; width: 100%; table-layout: fixed; margin: 0 0 .9rem;
  break-inside: avoid; }}
caption {{ text-align: left; font-weight: bold; padding: .2rem 0; }}
caption span {{ float: right; font-weight: normal; font-size: .8em; color: {FAINT}; }}
th, td {{ border: 1px solid {LINE}; text-align: center; padding: .16rem 0; font-weight: bold; }}
th {{ background: {HEAD}; }}
tr > :first-child {{ width: 4.4rem; }}
dl div div {{ display: flex; gap: .6rem; margin: .15rem 0; }}
dt {{ border: 1px solid {LINE}; flex: 0 0 2.4rem; text-align: center; font-weight: bold;
  align-self: flex-start; }}
dd {{ margin: 0; }}
@page {{ margin: 10mm; }}
@media print {{
  :root {{ font-size: SIZEpx; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
  body {{ margin: 0; padding: 0; max-width: none; }}
  .tables, dl {{ flex-wrap: nowrap; }}
  .tables > *, dl > * {{ flex: 1 1 0; }}
}}
"""
# For print: pixels in the height of a sheet of letter paper within its margins, and heights in
# sizes of the type.
_SHEET = 960.0
_ROW, _TABLE, _LEGEND_ROW, _REST = 1.78, 1.4, 1.75, 14.0
_LARGEST = 13.0


def chart_html(page: Page) -> str:
    """The whole file."""
    return "\n".join(_parts(page)) + "\n"


def _parts(page: Page) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup_text(page.title)}</title>"
    yield f"<style>{_STYLE.replace('SIZE', f'{_print_size(page):.1f}')}</style>"
    yield f"<h1>{markup_text(page.title)}</h1>"
    if page.subtitle:
        yield f'<p class="rules">{markup_text(page.subtitle)}</p>'
    yield '<div class="tables">'
    for column in in_two_columns(page.sections):
        yield "<div>"
        for section in column:
            yield _table(section)
        yield "</div>"
    yield "</div>"
    yield "<dl>"
    half = -(-len(page.legend) // 2)
    for items in (page.legend[:half], page.legend[half:]):
        yield f"<div>{''.join(_legend_item(item) for item in items)}</div>"
    yield "</dl>"
    yield f"<p>{markup_text(' '.join(page.notes))}</p>"
    yield "<footer>"
    for line in page.footer:
        yield f"<p>{markup_text(line)}</p>"
    yield "</footer>"
    yield "</html>"


def _print_size(page: Page) -> float:
    """The largest type that keeps the page on one sheet."""
    columns = in_two_columns(page.sections)
    tables = max(lines_of(column) * _ROW + len(column) * _TABLE for column in columns)
    height = tables + _LEGEND_ROW * -(-len(page.legend) // 2) + _REST
    return min(_LARGEST, _SHEET / height)


def _table(section: Section) -> str:
    caption = f"<span>dealer's up card</span>{markup_text(section.title)}"
    head = "".join(f'<th scope="col">{up}</th>' for up in UPS)
    rows = [f"<table><caption>{caption}</caption>", f"<tr><th></th>{head}</tr>"]
    for row in section.rows:
        cells = "".join(
            f'<td style="background:{action_colour(cell)}">{markup_text(cell)}</td>'
            for cell in row.cells
        )
        rows.append(f'<tr><th scope="row">{markup_text(row.label)}</th>{cells}</tr>')
    return "\n".join([*rows, "</table>"])


def _legend_item(item: LegendItem) -> str:
    colour = action_colour(item.sign)
    return (
        f'<div><dt style="background:{colour}">{markup_text(item.sign)}</dt>'
        f"<dd>{markup_text(item.words)}</dd></div>"
    )
