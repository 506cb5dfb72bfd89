"""`ventiuna play`: a table in the terminal, or for a program over JSON lines."""

from __future__ import annotations

import json
import random
import secrets
import sys
from dataclasses import MISSING, fields
from typing import Annotated, Any, get_args

import typer

from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import Prompt, RulesArgument, accept_any_bytes, edit_lines
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.cli.common.stdio import LONGEST_LINE
from ventiuna.cli.play_screen import new_screen
from ventiuna.cli.play_terminal import TerminalTable
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import EVERYONE, Refused, commands, redact, view
from ventiuna.engine.codec import event_data
from ventiuna.engine.commands import Command, PlaceWagers
from ventiuna.engine.events import Event
from ventiuna.engine.views import view_data
from ventiuna.engine.wagers import checked_cents
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, parse_amount
from ventiuna.notation import write_round
from ventiuna.rules import canonical, fingerprint, load_rules
from ventiuna.table.session import YOU, Session
from ventiuna.texts import ascii_json, json_text, one_line

# --- The table for programs: one JSON command per line in, one answer per line out ---

LONGEST_QUOTE = 40
LONGEST_MESSAGE = 400
DEEPEST = 4  # levels of nesting in the deepest valid command
PERSON = "person"  # filled in here because there is only one player
ROUND_COMMANDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (*get_args(commands.PlayerCommand), commands.CloseWagers)
}
BUY_IN, VIEW, HISTORY, QUIT = "BuyIn", "View", "History", "Quit"
COMMAND_NAMES = (*ROUND_COMMANDS, BUY_IN, VIEW, HISTORY, QUIT)


class BadCommand(VentiunaError, ValueError):
    """The line isn't a valid command."""


class JsonTable:
    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self) -> None:
        """Answer every line until Quit, the end of the input or Ctrl-C."""
        rules = self.session.rules
        try:
            self._answer(rules=canonical(rules), fingerprint=fingerprint(rules))
            while (line := _next_line()) and self._take(line):
                pass
        except KeyboardInterrupt:
            pass
        self._goodbye()

    def _take(self, line: str) -> bool:
        """Answer one line; return whether to continue."""
        if len(line) == LONGEST_LINE:  # the line was cut off here
            sentence = f"a line must have fewer than {LONGEST_LINE:,} characters"
            self._refuse(RefusalCode.BAD_COMMAND, (), sentence)
            return False
        try:
            name, values = _read(line)
            if name == QUIT:
                return False
            if name in ROUND_COMMANDS:
                self._carry_out(_round_command(name, values))
            elif name == BUY_IN:
                self._buy_in(values)
            elif name == HISTORY:
                self._answer(
                    history=[write_round(record, complete=False) for record in self.session.history]
                )
            else:
                self._answer()
        except BadCommand as error:
            self._refuse(RefusalCode.BAD_COMMAND, (), str(error))
        except Refused as refusal:
            self._refuse(refusal.code, refusal.rules, refusal.message)
        return True

    def _carry_out(self, command: Command) -> None:
        shuffles = self.session.shuffles
        if self.session.round_is_over and isinstance(command, PlaceWagers):
            self.session.next_round()
        events = self.session.submit(command)
        facts: dict[str, object] = {"shuffled": self.session.shuffles > shuffles}
        if self.session.round_is_over:
            facts["net_cents"] = sum(payment.net for payment in self.session.payments)
            facts["notation"] = write_round(self.session.history[-1], complete=False)
        self._answer(events, **facts)

    def _buy_in(self, values: dict[str, object]) -> None:
        if set(values) != {"amount"}:
            raise BadCommand(f'{BUY_IN}: the only field must be "amount", in cents')
        self.session.buy_in(checked_cents("amount", values["amount"]))
        self._answer()

    # --- Answers ---

    def _answer(self, events: list[Event] | None = None, **facts: object) -> None:
        session = self.session
        seen = [event_data(redact(event, EVERYONE)) for event in events or []]
        _write(
            {
                "ok": True,
                "round": session.rounds + (0 if session.round_is_over else 1),
                "balance_cents": session.balance,
                **facts,
                "events": seen,
                "view": view_data(view(session.state, EVERYONE)),
            }
        )

    def _refuse(self, code: RefusalCode, rules: tuple[str, ...], message: str) -> None:
        if len(message) > LONGEST_MESSAGE:  # the message quotes the input
            message = f"{message[:LONGEST_MESSAGE]}…"
        error = {"code": code, "rules": list(rules), "message": message}
        _write({"ok": False, "error": error, "balance_cents": self.session.balance})

    def _goodbye(self) -> None:
        session = self.session
        called_off = session.call_off() > 0
        _write(
            {
                "ok": True,
                "goodbye": {
                    "rounds": session.rounds,
                    "round_called_off": called_off,
                    "balance_cents": session.balance,
                    "result_cents": session.result,
                },
            }
        )


def _next_line() -> str:
    return sys.stdin.readline(LONGEST_LINE) if sys.stdin is not None else ""


def _write(data: dict[str, object]) -> None:
    sys.stdout.write(ascii_json(json_text(data, indent=None)) + "\n")
    sys.stdout.flush()  # the other program is waiting


def _read(line: str) -> tuple[str, dict[str, object]]:
    """Parse a line into the command's name and its other fields."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise BadCommand(
            'the line isn\'t valid JSON: write an object such as {"command": "Stand", "spot": 1}'
        ) from None
    if _depth(data) > DEEPEST:
        raise BadCommand("the line's lists and objects are nested too deeply: use plain values")
    name = data.pop("command", None) if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in COMMAND_NAMES:
        subject = f"command {_short_repr(name)}" if isinstance(name, str) else "command"
        raise BadCommand(f"{subject}: choose from {', '.join(COMMAND_NAMES)}")
    return name, data


def _depth(data: object) -> int:
    """Return the nesting depth, counted only up to one more than allowed."""
    depth = 0
    level = [data]
    while level and depth <= DEEPEST:
        depth += 1
        level = [
            value
            for part in level
            for value in (
                part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
            )
        ]
    return depth


def _round_command(name: str, values: dict[str, object]) -> Command:
    """Build the engine's command; the engine checks the field values."""
    kind = ROUND_COMMANDS[name]
    known = {part.name: part for part in fields(kind) if part.name != PERSON}
    for field in values:
        if field not in known:
            expected = ", ".join(known) or "none"
            raise BadCommand(f"{name}: unknown field {_short_repr(field)} (fields: {expected})")
    for field, part in known.items():
        needed = part.default is MISSING and part.default_factory is MISSING
        if needed and field not in values:
            raise BadCommand(f"{name}: the field {field} is missing")
    if kind is not PlaceWagers:
        command: Command = kind(**values)
        return command
    mtd = _wagers(values, "mtd")
    jackpots = {_game(game): amount for game, amount in _wagers(values, "jackpots").items()}
    placed: dict[str, Any] = {**values, PERSON: YOU, "mtd": mtd, "jackpots": jackpots}
    return PlaceWagers(**placed)


def _wagers(values: dict[str, object], field: str) -> dict[str, object]:
    wagers = values.get(field, {})
    if not isinstance(wagers, dict):
        raise BadCommand(
            f'PlaceWagers: {field} must be an object of names and cents, such as {{"up": 500}}'
        )
    return wagers


def _game(text: str) -> int:
    if text not in ("1", "2"):
        raise BadCommand(
            f"PlaceWagers: jackpots {_short_repr(text)}: a jackpot game must be 1 or 2"
        )
    return int(text)


def _short_repr(text: str) -> str:
    return one_line(repr(text[:LONGEST_QUOTE]))


# --- play ---

# A backslash joins lines, because help wraps each paragraph itself.
FOR_PROGRAMS = """\
For programs: with --json, each line of standard input is a command, and each line of output is \
the response. Amounts are in cents.

{"command": "PlaceWagers", "spot": 1, "base": 1000, "mtd": {"up": 500}}
{"command": "CloseWagers"}
{"command": "Double", "spot": 1, "amount": 500}

PlaceWagers (also "jackpots": {"1": 100}) starts the next round; cards are dealt automatically. \
The other commands are WithdrawWagers, TakeBlackjack, KeepBlackjack, Insure (amount), Stand, Hit, \
DoubleDouble, Split, Surrender and Rescue, each with its spot, and BuyIn (amount), View, History \
and Quit.

A response has "ok", "balance_cents", "events" and "view": the cards, what the table is waiting \
for, and each option with the chips it takes or why it isn't possible. The last response of a \
round also has "net_cents" and "notation"; a refusal has "error" with code, rules and message. \
Cards are numbers: 0, 1, 2, 3 are the aces of clubs, diamonds, hearts and spades, and 51 is the \
king of spades. The last line is a goodbye with the session's result.
"""


@command("play", tables=False, epilog=FOR_PROGRAMS)
def play(
    rules: RulesArgument = DEFAULT_RULES,
    spots: Annotated[int, typer.Option(min=1, max=3, help="Number of betting spots you play.")] = 1,
    bankroll: Annotated[str, typer.Option(help="Play money to start with, in dollars.")] = "1000",
    seed: Annotated[
        int | None,
        typer.Option(
            help="Deal the same cards for the same seed and answers. Default: a secret shuffle.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Read and answer commands as JSON lines; see below."),
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
