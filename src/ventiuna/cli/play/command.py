"""`ventiuna play`: a table for one person in the terminal, or for a program over JSON lines."""

from __future__ import annotations

import random
import secrets
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.output import RulesArgument
from ventiuna.cli.play.json import JsonTable
from ventiuna.cli.play.prompt import Prompt, accept_any_bytes, edit_lines
from ventiuna.cli.play.screen import new_screen
from ventiuna.cli.play.terminal import TerminalTable
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.money import MoneyError, parse_amount
from ventiuna.rules import load_rules
from ventiuna.table.session import Session

# A backslash joins lines: help wraps each paragraph to the terminal itself.
FOR_PROGRAMS = """\
For programs: with --json each line of standard input is a command and each line of \
output its answer. Amounts are cents.

{"command": "PlaceWagers", "spot": 1, "base": 1000, "mtd": {"up": 500}}
{"command": "CloseWagers"}
{"command": "Double", "spot": 1, "amount": 500}

PlaceWagers (also "jackpots": {"1": 100}) opens the next round; the shoe deals by itself. The \
other commands are WithdrawWagers, TakeBlackjack, KeepBlackjack, Insure (amount), Stand, Hit, \
DoubleDouble, Split, Surrender and Rescue, each with its spot, and BuyIn (amount), View, History \
and Quit.

An answer has "ok", "balance_cents", "events" and "view": the cards, what the table waits for, \
and each option with the chips it takes or the reason against it. A round's last answer has its \
"net_cents" and "notation" as well; a refusal has "error" with code, rules and message. Cards are \
numbers, from 0, 1, 2, 3 for the aces of clubs, diamonds, hearts and spades to 51 for the king of \
spades. The last line says goodbye with the result.
"""


def register(app: App) -> None:
    app.command("play", tables=False, epilog=FOR_PROGRAMS)(play)


def play(
    rules: RulesArgument = DEFAULT_RULES,
    spots: Annotated[int, typer.Option(min=1, max=3, help="Betting spots you play.")] = 1,
    bankroll: Annotated[str, typer.Option(help="Play money to start with, in dollars.")] = "1000",
    seed: Annotated[
        int | None,
        typer.Option(
            help="The same seed and answers deal the same cards. Default: a secret shuffle.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Take and answer commands as JSON lines; see below."),
    ] = False,
) -> None:
    """Play in the terminal: every bet and option, each payment with its rule.

    At a decision, ? shows the best play, computed exactly. Type help to see everything you can
    type. q, Ctrl-D and Ctrl-C quit; a summary of your costliest decisions follows.
    """
    accept_any_bytes()
    generator = secrets.SystemRandom() if seed is None else random.Random(seed)
    session = Session(load_rules(rules), _cents(bankroll), spots, generator.shuffle)
    if as_json:
        JsonTable(session).run()
        return
    edit_lines()
    screen = new_screen()
    TerminalTable(session, screen, Prompt(screen.out)).run()


def _cents(bankroll: str) -> int:
    try:
        return parse_amount(bankroll)
    except MoneyError as error:
        raise MoneyError(f"--bankroll: {error}") from None
