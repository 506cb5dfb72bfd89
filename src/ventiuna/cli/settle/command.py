"""`ventiuna settle`: what is owed in given rounds, and why; stated results are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Annotated

import typer

from ventiuna.cards import CardError
from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, RulesOption, print_json
from ventiuna.cli.settle.data import settled_data
from ventiuna.cli.settle.text import print_verdicts
from ventiuna.cli.settle.verdict import Verdict
from ventiuna.cli.streams import error_lines, read_document
from ventiuna.engine.errors import Refused
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError
from ventiuna.notation import (
    NotationError,
    RefusedCase,
    RoundRecord,
    differences,
    has_stated_results,
    read_refused_cases,
    replay,
)
from ventiuna.notation.settling import is_json, with_rules, worked_reader
from ventiuna.notation.shapes import parse_json
from ventiuna.notation.suits import Suits
from ventiuna.notation.text import Block, RoundReader, round_blocks
from ventiuna.notation.whatever_suits import replay_whatever_suits
from ventiuna.notation.worked import round_entries
from ventiuna.rules import RulesError, load_rules
from ventiuna.rules.values import shown

REFUSALS = (Refused, RulesError)
LARGEST_FILE = 100_000_000  # bytes; a hundred thousand rounds
UNREADABLE = (NotationError, CardError, MoneyError)


def register(app: App) -> None:
    app.command("settle", pages=True)(settle)


def settle(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Rounds as text or JSON; - for standard input."),
    ],
    rules: RulesOption = "",
    brief: Annotated[
        bool, typer.Option("--brief", help="One line per round instead of one per wager.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Settle recorded rounds: what to pay and take for each wager, and by which rule.

    Results in the file are compared; if any differs, you see why, and the exit code is 1. A refused
    action is left out of the amounts. You can omit suits that no payment depends on. --rules apply
    to rounds that name none.
    """
    if rules:
        load_rules(rules)
    verdicts = list(_verdicts(_read_text(file), rules))
    if not verdicts:
        raise NotationError(f"{file}: there is no round in it")
    if as_json:
        print_json(settled_data(verdicts))
    else:
        print_verdicts(verdicts, brief)
    if any(verdict.is_fault for verdict in verdicts):
        raise typer.Exit(1)


def _read_text(file: str) -> str:
    try:
        raw = read_document(file, LARGEST_FILE)
        if len(raw) > LARGEST_FILE:
            raise NotationError(f"{file}: it is larger than {LARGEST_FILE:,} bytes; split it")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotationError(f"{file}: it is no UTF-8 text") from None


def _verdicts(text: str, rules: str) -> Iterator[Verdict]:
    if is_json(text):
        yield from _json_verdicts(parse_json(text, "the file"), rules)
        return
    for block in round_blocks(text):
        yield _text_verdict(block, rules)


def _text_verdict(block: Block, rules: str) -> Verdict:
    readers: list[RoundReader] = []

    def read(suits: Suits) -> RoundRecord:
        readers.append(RoundReader(block, rules, suits))
        return readers[-1].read()

    def place(hand: str) -> str:
        places = readers[-1].places
        return f"line {places[hand]}" if hand in places else ""

    verdict = _settled(f"line {block[0][0]}", "", read, place)
    name, title = readers[-1].head
    return replace(verdict, id=name or verdict.id, title=title)


def _json_verdicts(data: object, rules: str) -> Iterator[Verdict]:
    for number, entry in enumerate(round_entries(data), start=1):
        given = with_rules(entry, rules)
        named = given if isinstance(given, dict) else {}
        name, title = shown(named.get("id", number)), shown(named.get("title", ""))
        yield _settled(name, title, worked_reader(given), str)
    for case in read_refused_cases(data):
        yield _refused(case)


def _settled(
    name: str, title: str, read: Callable[[Suits], RoundRecord], place: Callable[[str], str]
) -> Verdict:
    """`place` says where the hand stands at which an error was found."""
    try:
        played, suitless = replay_whatever_suits(read, lenient=True)
    except UNREADABLE as error:
        return Verdict(name, title, "unreadable", [_placed(error, str(error), place)])
    except REFUSALS as error:
        lines = [_placed(error, line, place) for line in error_lines(error)]
        if isinstance(error.__cause__, VentiunaError):  # without what was refused
            lines.append(f"Can't tell what is owed without it: {error.__cause__}.")
        return Verdict(name, title, "refused by the rules", lines)
    name, title = played.record.id or name, played.record.title or title
    found = differences(played)
    if played.refused:
        lines = [_placed(error, str(error), place) for error in played.refused]
        return Verdict(name, title, "refused by the rules", [*lines, *found], played, suitless)
    words = "differs" if found else "agrees" if has_stated_results(played) else "settled"
    return Verdict(name, title, words, found, played, suitless)


def _placed(error: Exception, line: str, place: Callable[[str], str]) -> str:
    found = error.place if isinstance(error, VentiunaError) else ""
    where = place(found) if found else ""
    return f"{where}: {line}" if where and not line.startswith(where) else line


def _refused(case: RefusedCase) -> Verdict:
    if case.data is None:
        return Verdict(case.id, case.title, "described only")
    try:
        played = replay(case.record())
    except REFUSALS as error:
        return Verdict(case.id, case.title, "refused", list(error_lines(error)))
    except UNREADABLE as error:
        return Verdict(case.id, case.title, "unreadable", [str(error)])
    return Verdict(case.id, case.title, "not refused", [], played)
