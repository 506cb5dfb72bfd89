"""`ventiuna strategy`: the chart for a rule set with its exact cost, to read or print."""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.coerce import command_text
from ventiuna.analysis.queries import ALL_POINTS, StrategyQuery
from ventiuna.analysis.results import Form, FormattedNumber
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    PLAIN_WIDTH,
    JsonFlag,
    RulesArgument,
    console,
    current_output,
    is_plain,
    note,
    plain_table,
    print_json,
)
from ventiuna.cli.common.reports import (
    DocumentOutput,
    HtmlOption,
    PdfOption,
    check_output_files,
    number_table,
    print_command,
    print_section,
)
from ventiuna.cli.common.reports import write_document as write_sheet
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.cli.common.stdio import write_output
from ventiuna.cli.common.tables import OutputTable
from ventiuna.cli.rules_text import wrapped
from ventiuna.files import write_file
from ventiuna.rules import Problem, RulesError
from ventiuna.texts import json_text, one_line

if TYPE_CHECKING:
    from ventiuna.analysis.charts.derivation import ChartResult
    from ventiuna.analysis.charts.page import ChartPage
    from ventiuna.analysis.charts.render import Paper


SHOWN_CELLS = 10
DIGITS = 6


class Format(StrEnum):
    TEXT = "text"
    HTML = "html"
    SVG = "svg"
    PDF = "pdf"
    TOML = "toml"


class PaperSize(StrEnum):
    A4 = "a4"
    LETTER = "letter"


_SUFFIXES = {".txt": Format.TEXT, ".htm": Format.HTML} | {f".{f.value}": f for f in Format}


@command("strategy", pages=True)
def show_strategy(
    query: StrategyQuery,
    form: Annotated[
        Format | None,
        typer.Option("--format", help="Output format.", show_default="from the file name, or text"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file.", dir_okay=False),
    ] = None,
    simple: Annotated[
        bool, typer.Option("--simple", help="Letters only, without digits and marks.")
    ] = False,
    paper: Annotated[PaperSize, typer.Option(help="Paper size for SVG and PDF.")] = PaperSize.A4,
    pocket: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a two-sided card of 85 by 135 mm, as PDF or HTML, depending on the file "
            "name.",
            dir_okay=False,
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    chosen = Format.TEXT if json else _format(form, output)
    card = _pocket_format(pocket)
    if simple and query.worth is None:
        query = _simple(query)
    words = query.words()
    check_output_files(pocket)
    result = query.run()
    if pocket is not None:
        from ventiuna.reports.player_cards import pocket_document

        document = pocket_document(result, query.pocket_command())
        html, pdf = (pocket, None) if card is Format.HTML else (None, pocket)
        write_sheet(document, html, pdf)
        if not json and output is None:
            return
    if json:
        data = query.data(result)
        if output is None:
            print_json(data)
        else:
            _write(f"{json_text(data)}\n".encode(), output)
        return
    if chosen is Format.TEXT and output is None:
        _print(console(), result, words)
        return
    if chosen is not Format.TEXT:
        words += ["--format", chosen]
    if paper is not PaperSize.A4:
        words += ["--paper", paper]
    _write(_chart_file(result, chosen, _paper(paper), command_text(words)), output)


def _simple(query: StrategyQuery) -> StrategyQuery:
    """The same query for a chart with letters only."""
    return StrategyQuery(**dict(query) | {"worth": ALL_POINTS})


def _pocket_format(pocket: Path | None) -> Format:
    form = _SUFFIXES.get(pocket.suffix.lower()) if pocket else Format.PDF
    if form not in (Format.HTML, Format.PDF):
        message = "a pocket card must be a PDF or HTML file"
        fix = "Name it card.pdf, for example."
        raise RulesError([Problem("pocket", one_line(str(pocket)), "", message, fix)])
    return form


def _format(form: Format | None, output: Path | None) -> Format:
    """Return the requested format, or the one that the file name implies."""
    if form is None:
        suffix = output.suffix.lower() if output else ""
        if suffix and suffix not in _SUFFIXES:
            raise RulesError([_unknown_suffix(output)])
        form = _SUFFIXES.get(suffix, Format.TEXT)
    if form is Format.PDF and output is None:
        raise RulesError(
            [
                Problem(
                    "output",
                    "",
                    "",
                    "a PDF can't be printed to the terminal",
                    "Name a file with --output chart.pdf.",
                )
            ]
        )
    return form


def _unknown_suffix(output: Path | None) -> Problem:
    known = ", ".join(dict.fromkeys([*_SUFFIXES, ".json with --json"]))
    fix = f"Use one of {known}, or choose a format with --format."
    return Problem("output", str(output), "", "a chart can't be written to this kind of file", fix)


def _paper(size: PaperSize) -> Paper:
    from ventiuna.analysis.charts.render import Paper

    return Paper(size.value)


def _chart_file(result: ChartResult, form: Format, paper: Paper, command: str) -> bytes:
    from ventiuna.analysis.charts.render import chart_html, chart_pdf, chart_svg, chart_text

    page = result.page(command)
    if form is Format.PDF:
        return chart_pdf(page, paper)
    text = {
        Format.TEXT: lambda: chart_text(page),
        Format.HTML: lambda: chart_html(page),
        Format.SVG: lambda: chart_svg(page, paper),
        Format.TOML: lambda: result.toml(command),
    }[form]()
    return text.encode()


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        write_output(content)
    else:
        write_file(output, content)
        note(f"written to {output}")


# --- Terminal output ----------------------------------------------------------------------------


def _print(out: Console, result: ChartResult, words: list[str]) -> None:
    from ventiuna.analysis.charts.page import page_data
    from ventiuna.analysis.charts.render import chart_text

    page = page_data(result.page(), result.rescue, result.tens_in_pack)
    current_output().sheets.append(_chart_sheet(page))
    chart = chart_text(result.page()._replace(footer=())).rstrip()
    if is_plain() or out.width < max(map(len, chart.splitlines())):
        _print_sentences(out, page)
    else:
        out.print(chart, soft_wrap=True)
    out.print()
    _print_wrapped(
        out,
        result.price_sentence,
        f"rules {result.rules}, fingerprint {result.fingerprint}, {result.basis.shoe_text}",
        f"strategy: {result.strategy_class}",
        result.misfit,
    )
    if result.worst:
        _print_worst(out, result)
    print_command(out, words)


def _chart_sheet(page: ChartPage) -> OutputTable:
    """Build a table for exports with one row for each row of the chart."""
    sheet = plain_table("section", "hand", *(f"against {up}" for up in page["ups"]), name="chart")
    for section in page["sections"]:
        for row in section["rows"]:
            sheet.add_row(section["title"], row["label"], *(cell["text"] for cell in row["cells"]))
    return sheet


def _print_sentences(out: Console, page: ChartPage) -> None:
    """Print each row of the chart as sentences, grouping up cards that are played alike."""
    _print_wrapped(out, page["title"], page["subtitle"])
    for section in page["sections"]:
        out.print(f"\n{section['title']}")
        for row in section["rows"]:
            plays = [cell["sentence"].partition(": ")[2].rstrip(".") for cell in row["cells"]]
            parts = []
            for words, alike in groupby(zip(plays, page["ups"], strict=True), key=itemgetter(0)):
                ups = [up for _, up in alike]
                span = ups[0] if len(ups) == 1 else f"{ups[0]} to {ups[-1]}"
                parts.append(f"Against {span}, {words}")
            for line in wrapped(f"{row['label']}. {'. '.join(parts)}.", out.width):
                out.print(line)
    out.print()
    _print_wrapped(out, *page["notes"])  # no legend is needed, because the sentences spell it out


def _print_wrapped(out: Console, *texts: str) -> None:
    for text in texts:
        for line in wrapped(text, min(PLAIN_WIDTH, out.width)):
            out.print(line)


def _print_worst(out: Console, result: ChartResult) -> None:
    """Print the costliest cells, each with its costliest hand."""
    table = number_table("hand", "up", "cell", "such as", "exact play", "points", words=5)
    for cell in result.worst[:SHOWN_CELLS]:
        dearest = cell.hands[0]
        points = FormattedNumber(cell.cost, Form(DIGITS, "points"))
        table.add_row(cell.row, cell.up, cell.cell, dearest.hand, dearest.best, points)
    remaining = len(result.worst) - SHOWN_CELLS
    notes = (
        [f"and {remaining} more cells that cost less (--json lists all)"] if remaining > 0 else []
    )
    print_section(out, "Costliest simplifications, and the exact play", table, notes)


# --- `ventiuna pocket`: old name of `strategy --pocket`, supported for one release ---


@command("pocket")
def show_pocket(
    rules: RulesArgument = DEFAULT_RULES,
    chart: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="A chart file (.toml) or the name of a built-in chart. Default: derive one.",
            show_default=False,
        ),
    ] = "",
    simple: Annotated[
        bool, typer.Option("--simple", help="Letters only, without digits and marks.")
    ] = False,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    """Two-sided strategy card, 85 by 135 mm, with its exact cost."""
    from ventiuna.reports.player_cards import pocket_document

    query = StrategyQuery.parse(rules=rules, chart=chart)
    if simple:
        query = _simple(query)
    output = DocumentOutput(html, pdf, json)
    result = query.run()
    document = pocket_document(result, query.pocket_command())
    words = [*query.words(), "--pocket", "card.pdf"]
    output.print(document, lambda: query.data(result), words)
