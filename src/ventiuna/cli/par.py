"""`ventiuna par`: the PAR sheet of a set of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.documents import (
    HtmlOption,
    PdfOption,
    check_files,
    print_document,
    write_document,
)
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json, sees_bars
from ventiuna.cli.reports import print_command
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.money import read_amount
from ventiuna.rules import load_rules


def register(app: App) -> None:
    app.command("par")(show_par)


def show_par(
    rules: RulesArgument = DEFAULT_RULES,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager in dollars: its Super Bonus becomes an event, and the table maximum "
            "may cap a double-double. Default: figures for any wager.",
            show_default=False,
        ),
    ] = "",
    html: HtmlOption = None,
    pdf: PdfOption = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print the whole sheet, not just the summary.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """PAR sheet: every figure for a rule set, and its basis."""
    from ventiuna.reports.par.data import par_data
    from ventiuna.reports.par.sheet import SUMMARY, par_document
    from ventiuna.reports.par.study import ParQuestion, par_study

    question = ParQuestion(rules, base)
    load_rules(rules)
    if base:
        read_amount("base", base)
    check_files(html, pdf)
    with _status() as step:
        study = par_study(question, step)
    document = par_document(study, question)
    if json:
        print_json(par_data(study, question))
    else:
        out = console()
        print_document(out, document, None if full else SUMMARY)
        if not full:
            out.print()
            out.print("The whole sheet: --full, --html FILE, --pdf FILE or --json.")
        print_command(out, question.words(study.rules))
    write_document(document, html, pdf)


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """What is worked out, on standard error where a person is watching."""
    from rich.console import Console

    out = Console(stderr=True)
    if not sees_bars(out):
        yield lambda _: None
        return
    with out.status("") as status:
        yield lambda what: status.update(f"working out: {what}")
