"""`ventiuna par`, `ventiuna figures`, and the printed sheets of `ventiuna rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ventiuna.analysis.results import PERCENT_4, Form, FormattedNumber
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    JsonFlag,
    RulesArgument,
    console,
    note,
    plain_table,
    print_json,
    progress_console,
)
from ventiuna.cli.common.reports import (
    DocumentOutput,
    HtmlOption,
    PdfOption,
    check_output_files,
    number_table,
    print_command,
    print_document,
    print_section,
    write_document,
)
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.files import write_file
from ventiuna.reports.queries import (
    AmbiguitiesQuery,
    InspectionQuery,
    ParQuery,
    PostingQuery,
    RackQuery,
)
from ventiuna.rules import load_rules

if TYPE_CHECKING:
    from ventiuna.analysis.figures import Figure, FigureList


# --- par ---


@command("par")
def show_par(
    query: ParQuery,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print the whole sheet, not just the summary.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    from ventiuna.reports.par import par_study
    from ventiuna.reports.par_document import SUMMARY

    check_output_files(html, pdf)
    with _par_status() as step:
        study = par_study(query.rules, query.base, step)
    document = query.document(study)
    if json:
        print_json(query.data(study))
    else:
        out = console()
        print_document(out, document, None if full else SUMMARY)
        if not full:
            out.print()
            out.print("For the whole sheet, add --full, --html FILE, --pdf FILE or --json.")
        print_command(out, query.words())
    write_document(document, html, pdf)


@contextmanager
def _par_status() -> Iterator[Callable[[str], None]]:
    """Show the current step on standard error if someone is watching."""
    out = progress_console()
    if out is None:
        yield lambda _: None
        return
    with out.status("") as status:
        yield lambda what: status.update(f"computing: {what}")


# --- figures ---

DIFFERENT = 1


@command("figures", pages=True)
def show_figures(json: JsonFlag = False) -> None:
    """Compare every published figure with ours: equal, within tolerance, or different.

    Exit code 1 if a figure differs, unless other published figures contradict it.
    """
    from ventiuna.analysis.figures import published_figures

    found = published_figures()
    if json:
        print_json({**found.as_data(), "command": "ventiuna figures --json"})
    else:
        _print_figures(console(), found)
    if found.unexplained:
        raise typer.Exit(DIFFERENT)


def _print_figures(out: Console, found: FigureList) -> None:
    from ventiuna.analysis.figures import STRATEGY_CLASS

    out.print("Published figures and ours, rounded to the same number of digits")
    out.print(f"base game from fresh shoes: {STRATEGY_CLASS}")
    out.print("--json adds the rules, fingerprint and source of each figure")
    for section, figures in found.sections().items():
        if all(" pay table " in figure.what for figure in figures):
            _print_pay_tables(out, section, figures)
        else:
            _print_rows(out, section, figures)
    _print_trust(out)
    out.print()
    for figure in found.different:
        why = f": {figure.disputed}" if figure.disputed else ""
        out.print(
            f"differs: {figure.section}: {figure.what}: published {figure.published}, "
            f"ours {figure.ours} ({figure.rules}){why}"
        )
    out.print(found.summary())
    print_command(out, ["figures"])


def _print_trust(out: Console) -> None:
    from ventiuna.analysis.figures import TRUST

    table = plain_table("trust", "what it means")
    for word, meaning in TRUST.items():
        table.add_row(word, meaning)
    print_section(out, "Levels of trust", table)


def _print_rows(out: Console, section: str, figures: Sequence[Figure]) -> None:
    from ventiuna.analysis.figures import status_text

    table = number_table("", "published", "ours", "standing", "trust")
    for figure in figures:
        table.add_row(
            figure.what,
            FormattedNumber(figure.published_value, figure.form, figure.published),
            FormattedNumber(figure.value, figure.form, figure.ours),
            status_text(figure),
            figure.trust,
        )
    print_section(out, section, table)


def _print_pay_tables(out: Console, section: str, figures: Sequence[Figure]) -> None:
    """Print a row for each jackpot table: the published figure of each pay table, then ours."""
    by_table: dict[str, list[Figure]] = {}
    for figure in figures:
        by_table.setdefault(figure.what.partition(" pay table ")[0], []).append(figure)
    maximum = max(len(row) for row in by_table.values())
    numbers = [str(number + 1) for number in range(maximum)]
    table = number_table("", *numbers, gap=1, name="jackpot_house_advantage")
    table.keys = ("jackpot_table", *(f"pay_table_{number}" for number in numbers))
    for name, row in by_table.items():
        printed = (
            _without_sign(figure.published_value, figure.form, "" if figure.equal else " !")
            for figure in row
        )
        table.add_row(f"{name} printed", *printed)
        table.add_row("   ours", *(_without_sign(figure.value, PERCENT_4) for figure in row))
    print_section(out, f"{section}, in percent, by pay table (R-101)", table)


def _without_sign(value: Fraction, form: Form, mark: str = "") -> FormattedNumber:
    return FormattedNumber(value, form, form.text(value).removesuffix("%") + mark)


# --- rules posting ---


def show_posting(
    query: PostingQuery, html: HtmlOption = None, pdf: PdfOption = None, json: JsonFlag = False
) -> None:
    _show_report(query, html, pdf, json)


# --- rules rack ---


def show_rack(
    query: RackQuery, html: HtmlOption = None, pdf: PdfOption = None, json: JsonFlag = False
) -> None:
    _show_report(query, html, pdf, json)


# --- rules inspection ---


def show_inspection(
    query: InspectionQuery,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    _show_report(query, html, pdf, json)


def _show_report(
    query: PostingQuery | RackQuery | InspectionQuery | AmbiguitiesQuery,
    html: Path | None,
    pdf: Path | None,
    json: bool,
) -> None:
    output = DocumentOutput(html, pdf, json)
    found: Any = query.run()
    output.print(query.document(found), lambda: query.data(found), query.words())


# --- rules layout ---


class LayoutPage(StrEnum):
    A3 = "a3"
    A4 = "a4"


def show_layout(
    rules: RulesArgument = DEFAULT_RULES,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write an SVG drawing.", dir_okay=False),
    ] = None,
    pdf: Annotated[
        Path | None,
        typer.Option("--pdf", metavar="FILE", help="Write a PDF.", dir_okay=False),
    ] = None,
    paper: Annotated[LayoutPage, typer.Option(help="Paper size of the PDF.")] = LayoutPage.A3,
    cloth: Annotated[
        bool,
        typer.Option("--cloth", help="Use the colors of the felt instead of ink on white."),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """The printed table layout for these rules (R-004): its words, or a drawing."""
    from ventiuna.reports.layout import FELT_COLORS, PAPER_COLORS, PageSize, layout

    printed = layout(load_rules(rules))
    colors = FELT_COLORS if cloth else PAPER_COLORS
    if svg is not None:
        from ventiuna.reports.layout import layout_svg

        write_file(svg, layout_svg(printed, colors).encode())
        note(f"written to {svg}")
    if pdf is not None:
        from ventiuna.reports.layout import layout_pdf

        write_file(pdf, layout_pdf(printed, PageSize(paper.value), colors))
        note(f"written to {pdf}")
    if json:
        print_json(printed)
    elif svg is None and pdf is None:
        from ventiuna.reports.layout import layout_text

        if rules == DEFAULT_RULES:  # the layout doesn't name its rules
            note(f"Rules: {rules}.")
        console().print(layout_text(printed), soft_wrap=True, highlight=False, markup=False)


# --- rules ambiguities ---


def show_ambiguities(
    query: AmbiguitiesQuery,
    number: Annotated[
        list[str] | None,
        typer.Option(
            metavar="D-07",
            help="Show only this point, with the documents' wording. Can be repeated.",
        ),
    ] = None,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    json: JsonFlag = False,
) -> None:
    selected = AmbiguitiesQuery(**dict(query) | {"numbers": number or ()})
    _show_report(selected, html, pdf, json)
