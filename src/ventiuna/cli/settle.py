"""`ventiuna settle`: what is owed in given rounds, and why; stated results are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding

from ventiuna.cards import CardError, cards_text
from ventiuna.cli.output import JsonFlag, console, error_lines, plain_table, print_json
from ventiuna.cli.streams import read_document
from ventiuna.engine.codec import event_data
from ventiuna.engine.errors import Refused
from ventiuna.engine.events import WagerSettled
from ventiuna.engine.stakes import Wager
from ventiuna.money import MoneyError, net_text, plain_amount
from ventiuna.notation import (
    NotationError,
    RefusedCase,
    Replay,
    RoundRecord,
    differences,
    has_stated_results,
    read_refused_cases,
    read_worked_round,
    replay,
)
from ventiuna.notation.shapes import parse_json
from ventiuna.notation.text import read_block, round_blocks
from ventiuna.notation.worked import round_entries
from ventiuna.rules import RulesError, canonical, fingerprint
from ventiuna.rules.values import shown
from ventiuna.texts import one_line

REFUSALS = (Refused, RulesError)
LARGEST_FILE = 100_000_000  # bytes; a hundred thousand rounds
UNREADABLE = (NotationError, CardError, MoneyError)


@dataclass
class Verdict:
    """One round or refusal of the file, and what became of it."""

    id: str
    title: str
    verdict: str  # agrees, settled, differs, refused, not refused, unreadable, described only
    lines: list[str] = field(default_factory=list)
    played: Replay | None = None

    @property
    def is_fault(self) -> bool:
        return self.verdict in ("differs", "not refused", "unreadable", "refused by the rules")


def register(app: typer.Typer) -> None:
    app.command("settle")(settle)


def settle(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Rounds as text or JSON; - reads standard input."),
    ],
    brief: Annotated[
        bool, typer.Option("--brief", help="One line for each round instead of every wager.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Settle given rounds: each wager's result with its odds and rule number.

    Where the file states results, they are compared; any difference exits with 1.
    """
    verdicts = list(_verdicts(_read_text(file)))
    if not verdicts:
        raise NotationError(f"{file}: there is no round in it")
    if as_json:
        print_json(_data(verdicts))
    else:
        _print(verdicts, brief)
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


def _verdicts(text: str) -> Iterator[Verdict]:
    if text.lstrip()[:1] in ("{", "["):
        yield from _json_verdicts(parse_json(text, "the file"))
        return
    for block in round_blocks(text):
        yield _settled(f"line {block[0][0]}", "", partial(read_block, block))


def _json_verdicts(data: object) -> Iterator[Verdict]:
    for number, entry in enumerate(round_entries(data), start=1):
        given = entry if isinstance(entry, dict) else {}
        name, title = shown(given.get("id", number)), shown(given.get("title", ""))
        yield _settled(name, title, partial(read_worked_round, entry))
    for case in read_refused_cases(data):
        yield _refused(case)


def _settled(name: str, title: str, read: Callable[[], RoundRecord]) -> Verdict:
    try:
        record = read()
        name, title = record.id or name, record.title or title
        played = replay(record)
    except UNREADABLE as error:
        return Verdict(name, title, "unreadable", [str(error)])
    except REFUSALS as error:
        return Verdict(name, title, "refused by the rules", list(error_lines(error)))
    found = differences(played)
    if found:
        return Verdict(name, title, "differs", found, played)
    return Verdict(name, title, "agrees" if has_stated_results(played) else "settled", [], played)


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


# --- text -------------------------------------------------------------------------------------


def _print(verdicts: list[Verdict], brief: bool) -> None:
    out = console()
    for verdict in verdicts:
        if brief:
            _print_brief(out, verdict)
        else:
            _print_full(out, verdict)
    counts: dict[str, int] = {}
    for verdict in verdicts:
        counts[verdict.verdict] = counts.get(verdict.verdict, 0) + 1
    parts = ", ".join(f"{count} {word}" for word, count in counts.items())
    out.print(f"{len(verdicts)} in the file: {parts}.")


def _print_brief(out: Console, verdict: Verdict) -> None:
    line = one_line(f"{verdict.id}  {verdict.verdict}  {verdict.title}".rstrip())
    out.print(line, no_wrap=True, overflow="ellipsis")
    _print_lines(out, verdict.lines)


def _print_full(out: Console, verdict: Verdict) -> None:
    out.print(one_line(f"{verdict.id}  {verdict.title}".rstrip()))
    if verdict.played is not None:
        _print_round(out, verdict.played)
    out.print(f"  {verdict.verdict}" + (":" if verdict.lines else "."))
    _print_lines(out, verdict.lines)
    out.print()


def _print_lines(out: Console, lines: list[str]) -> None:
    for line in lines:
        out.print(Padding(one_line(line), (0, 0, 0, 4), expand=False))


def wrapped_rules(name: str, width: int) -> list[str]:
    """The canonical name on lines of this width, broken behind commas."""
    lines = [""]
    for piece in name.replace(",", ",\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def _print_round(out: Console, played: Replay) -> None:
    record = played.record
    # Never within an option: wrapped or not, the name can be copied and read again.
    for number, line in enumerate(wrapped_rules(canonical(record.rules), out.width - 10)):
        out.print(f"{'          ' if number else '  rules   '}{line}")
    out.print(f"          fingerprint {fingerprint(record.rules)}")
    out.print(f"  dealer  {cards_text(played.state.dealer)}")
    if record.bonus_cards:
        out.print(f"  bonus   {cards_text(record.bonus_cards)}")
    table = plain_table("", "wager", "stake", "net", "odds", "why", "rule")
    for column in (2, 3):
        table.columns[column].justify = "right"
    persons = {spot.number: one_line(spot.name) for spot in record.spots}
    for payment in played.payments:
        table.add_row(
            f"  {persons[payment.spot]}",
            _wager_title(played, payment),
            plain_amount(payment.stake),
            net_text(payment.net),
            payment.odds,
            payment.reason,
            payment.rule,
        )
    out.print(table)
    totals = (f"{one_line(person)} {net_text(net)}" for person, net in _totals(played).items())
    out.print(f"  total   {', '.join(totals)}")
    for number, meter in enumerate(played.state.meters, start=1):
        out.print(f"  meter {number} afterwards {plain_amount(meter.cents)}")


def _wager_title(played: Replay, payment: WagerSettled) -> str:
    split = len(played.state.spots[payment.spot].hands) > 1
    return f"hand {payment.hand + 1}" if payment.wager is Wager.HAND and split else payment.wager


def _total(played: Replay, spot: int) -> int:
    return sum(sum(amounts) for amounts in played.net(spot).values())


def _totals(played: Replay) -> dict[str, int]:
    """The result of each person, over all of the person's spots."""
    totals: dict[str, int] = {}
    for spot in played.record.spots:
        totals[spot.name] = totals.get(spot.name, 0) + _total(played, spot.number)
    return totals


# --- JSON -------------------------------------------------------------------------------------


def _data(verdicts: list[Verdict]) -> dict[str, object]:
    return {
        "agrees": not any(verdict.is_fault for verdict in verdicts),
        "rounds": [_verdict_data(verdict) for verdict in verdicts],
    }


def _verdict_data(verdict: Verdict) -> dict[str, object]:
    data: dict[str, object] = {
        "id": verdict.id,
        "title": verdict.title,
        "verdict": verdict.verdict,
        "reasons": verdict.lines,
    }
    if verdict.played is not None:
        data |= _round_data(verdict.played)
    return data


def _round_data(played: Replay) -> dict[str, object]:
    record = played.record
    persons = {spot.number: spot.name for spot in record.spots}
    return {
        "rules": canonical(record.rules),
        "fingerprint": fingerprint(record.rules),
        "dealer": cards_text(played.state.dealer),
        "payments": [
            {
                "person": persons[payment.spot],
                "spot": payment.spot,
                "hand": payment.hand,
                "wager": payment.wager,
                "stake": plain_amount(payment.stake),
                "net": net_text(payment.net),
                "odds": payment.odds,
                "reason": payment.reason,
                "rule": payment.rule,
            }
            for payment in played.payments
        ],
        "totals": {person: net_text(net) for person, net in _totals(played).items()},
        "totals_by_spot": {
            str(spot.number): net_text(_total(played, spot.number)) for spot in record.spots
        },
        "meters_after": [plain_amount(meter.cents) for meter in played.state.meters],
        "events": [event_data(event) for event in played.events],
    }
