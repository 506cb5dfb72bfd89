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

# Styles only the chart, so that any page can embed it.
_STYLE = f"""
.ventiuna-chart {{ color: {INK}; font: 14px/1.35 Helvetica, Arial, "Liberation Sans", sans-serif;
  max-width: 62em; }}
.ventiuna-chart h1 {{ font-size: 1.6em; margin: 0; }}
.ventiuna-chart p {{ margin: .3em 0; }}
.ventiuna-chart .rules, .ventiuna-chart footer {{ color: {FAINT}; }}
.ventiuna-chart footer {{ font-size: .8em; overflow-wrap: anywhere; }}
.ventiuna-chart .tables, .ventiuna-chart dl {{ display: flex; flex-wrap: wrap; gap: 0 2em;
  margin: .8em 0 .4em; }}
.ventiuna-chart .tables > *, .ventiuna-chart dl > * {{ flex: 1 1 24em; min-width: 0; }}
.ventiuna-chart table {{ border-collapse: collapse; width: 100%; table-layout: fixed;
  margin: 0 0 .9em; break-inside: avoid; }}
.ventiuna-chart caption {{ text-align: left; font-weight: bold; padding: .2em 0; }}
.ventiuna-chart caption span {{ float: right; font-weight: normal; font-size: .8em;
  color: {FAINT}; }}
.ventiuna-chart th, .ventiuna-chart td {{ border: 1px solid {LINE}; text-align: center;
  padding: .16em 0; font-weight: bold; }}
.ventiuna-chart th {{ background: {HEAD}; }}
.ventiuna-chart tr > :first-child {{ width: 4.4em; }}
.ventiuna-chart dl div div {{ display: flex; gap: .6em; margin: .15em 0; }}
.ventiuna-chart dt {{ border: 1px solid {LINE}; flex: 0 0 2.4em; text-align: center;
  font-weight: bold; align-self: flex-start; }}
.ventiuna-chart dd {{ margin: 0; }}
"""
_PAGE_STYLE = """
body { margin: 1.5em auto; padding: 0 1em; max-width: 62rem; }
@page { margin: 10mm; }
@media print {
  body { margin: 0; padding: 0; max-width: none; }
  .ventiuna-chart { font-size: SIZEpx; max-width: none; -webkit-print-color-adjust: exact;
    print-color-adjust: exact; }
  .ventiuna-chart .tables, .ventiuna-chart dl { flex-wrap: nowrap; }
  .ventiuna-chart .tables > *, .ventiuna-chart dl > * { flex: 1 1 0; }
}
"""
# For print: pixels in the height of a sheet of letter paper within its margins, and heights in
# sizes of the type.
_SHEET = 960.0
_ROW, _TABLE, _LEGEND_ROW, _REST = 1.78, 1.4, 1.75, 14.0
_LARGEST = 13.0


def chart_html(page: Page) -> str:
    """The whole file."""
    page_style = _PAGE_STYLE.replace("SIZE", f"{_print_size(page):.1f}")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{markup_text(page.title)}</title>",
        f"<style>{page_style}</style>",
        chart_part(page),
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def chart_part(page: Page) -> str:
    """The chart as part of a page, such as a notebook; its style affects nothing else there."""
    return "\n".join(_parts(page))


def _parts(page: Page) -> Iterator[str]:
    yield '<div class="ventiuna-chart">'
    yield f"<style>{_STYLE}</style>"
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
    yield "</div>"


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
