"""The table for programs: one command a line in, one answer a line out, all JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import MISSING, fields
from typing import Any

from ventiuna.cli.streams import LONGEST_LINE
from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import EVERYONE, Refused, commands, redact, view
from ventiuna.engine.codec import event_data
from ventiuna.engine.commands import Command, PlaceWagers
from ventiuna.engine.events import Event
from ventiuna.engine.view_data import view_data
from ventiuna.engine.wagers import checked_cents
from ventiuna.errors import VentiunaError
from ventiuna.notation import write_round
from ventiuna.rules import canonical, fingerprint
from ventiuna.table.session import YOU, Session
from ventiuna.texts import ascii_json, json_text, one_line

LONGEST_NAME = 40
LONGEST_MESSAGE = 400
DEEPEST = 4  # a command's fields hold objects of plain values at most
PERSON = "person"  # there is one only, and it is not for a line to say who
ROUND_COMMANDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (*commands.PlayerCommand.__args__, commands.CloseWagers)
}
BUY_IN, VIEW, HISTORY, QUIT = "BuyIn", "View", "History", "Quit"
COMMAND_NAMES = (*ROUND_COMMANDS, BUY_IN, VIEW, HISTORY, QUIT)


class BadCommand(VentiunaError, ValueError):
    """A line that is no command."""


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
        """Answer one line; says whether to go on."""
        if len(line) == LONGEST_LINE:  # and it may have no end at all
            sentence = f"a line has less than {LONGEST_LINE:,} characters: goodbye"
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
            raise BadCommand(f'{BUY_IN}: it has the one field "amount", in cents')
        self.session.buy_in(checked_cents("amount", values["amount"]))
        self._answer()

    # --- answers ---

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
        if len(message) > LONGEST_MESSAGE:  # it repeats what the line said
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
    sys.stdout.flush()  # the program at the other end waits for it


def _read(line: str) -> tuple[str, dict[str, object]]:
    """The command's name and its other fields."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise BadCommand(
            'the line is no JSON: write an object such as {"command": "Stand", "spot": 1}'
        ) from None
    if _depth(data) > DEEPEST:
        raise BadCommand("the line's lists and objects are nested too deeply: give plain values")
    name = data.pop("command", None) if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in COMMAND_NAMES:
        shown = f"command {_shown(name)}" if isinstance(name, str) else "command"
        raise BadCommand(f"{shown}: write one of {', '.join(COMMAND_NAMES)}")
    return name, data


def _depth(data: object) -> int:
    """Lists and objects within each other; what is deeper than it may be is not counted on."""
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
    """The engine's command with these fields; what they may hold is the engine's to say."""
    kind = ROUND_COMMANDS[name]
    known = {part.name: part for part in fields(kind) if part.name != PERSON}
    for field in values:
        if field not in known:
            has = ", ".join(known) or "no field"
            raise BadCommand(f"{name}: {_shown(field)} is none of its fields ({has})")
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
            f'PlaceWagers: {field} is an object of names and cents, such as {{"up": 500}}'
        )
    return wagers


def _game(text: str) -> int:
    if text not in ("1", "2"):
        raise BadCommand(f"PlaceWagers: jackpots {_shown(text)}: jackpot games are 1 and 2")
    return int(text)


def _shown(text: str) -> str:
    return one_line(repr(text[:LONGEST_NAME]))
