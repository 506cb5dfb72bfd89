"""Settled rounds as a floor manager reads them."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding

from ventiuna.cli.output import console, number_table, output
from ventiuna.cli.play.screen import signed_money
from ventiuna.cli.rules.text import wrapped
from ventiuna.cli.settle.handing import handing_of, handing_words
from ventiuna.cli.settle.verdict import Verdict, total_of, totals_of
from ventiuna.cli.sheets import Sheet
from ventiuna.engine.events import WagerSettled
from ventiuna.engine.sentences.payments import odds_words, reason_words
from ventiuna.engine.stakes import Wager
from ventiuna.money import money_text
from ventiuna.notation import Replay
from ventiuna.notation.claims import meter_words, surplus_words, wager_title
from ventiuna.notation.whatever_suits import BONUS, DEALER
from ventiuna.rules import canonical, fingerprint
from ventiuna.texts import one_line

_HEADINGS = ("spot", "player", "wager", "bet", "pay", "take", "odds", "reason", "rule")
_WAGER = 2
_AMOUNTS = (3, 4, 5)  # places of the columns with money
_ODDS = 6
SHORT_ODDS = len("even money")
_OUTCOMES = {  # of a round, and how many rounds of a file had it: one, several
    "agrees": ("The recorded result is right.", "agrees", "agree"),
    "differs": ("The recorded result differs:", "differs", "differ"),
    "settled": ("No recorded result to compare.", "settled", "settled"),
    "refused by the rules": (
        "Refused by the rules; the amounts above are owed without it:",
        "refused by the rules",
        "refused by the rules",
    ),
    "refused": (
        "Refused, as it should be:",
        "refused as it should be",
        "refused as they should be",
    ),
    "not refused": (
        "Not refused, although it should be.",
        "not refused although it should be",
        "not refused although they should be",
    ),
    "unreadable": ("Can't be read:", "can't be read", "can't be read"),
    "described only": (
        "Only a description; nothing to settle.",
        "only described",
        "only described",
    ),
}


def print_verdicts(verdicts: list[Verdict], brief: bool) -> None:
    out = console()
    for verdict in verdicts:
        if brief:
            _print_brief(out, verdict)
        else:
            _print_full(out, verdict)
    counts: dict[str, int] = {}
    for verdict in verdicts:
        counts[verdict.verdict] = counts.get(verdict.verdict, 0) + 1
    out.print(_summary(counts))
    output().sheets[:] = [_all_payments(verdicts)]


def _summary(counts: dict[str, int]) -> str:
    """`2 rounds checked: 1 agrees, 1 differs.`"""
    total = sum(counts.values())
    parts = []
    for verdict, count in counts.items():
        _, one, several = _OUTCOMES[verdict]
        parts.append(f"{count} {one if count == 1 else several}")
    return f"{total} round{'s' if total > 1 else ''} checked: {', '.join(parts)}."


def _print_brief(out: Console, verdict: Verdict) -> None:
    outcome = _OUTCOMES[verdict.verdict][1]
    line = one_line(f"{verdict.id}  {outcome}  {verdict.title}".rstrip())
    out.print(line, no_wrap=True, overflow="ellipsis")
    _print_lines(out, verdict.lines)


def _print_full(out: Console, verdict: Verdict) -> None:
    out.print(one_line(f"{verdict.id}  {verdict.title}".rstrip()))
    if verdict.played is not None:
        _print_round(out, verdict, verdict.played)
    sentence = _OUTCOMES[verdict.verdict][0]
    if verdict.verdict == "refused by the rules" and verdict.played is None:
        sentence = "Refused by the rules:"
    out.print(f"  {sentence}")
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


def _print_round(out: Console, verdict: Verdict, played: Replay) -> None:
    record = played.record
    # Never within an option: wrapped or not, the name can be copied and read again.
    for number, line in enumerate(wrapped_rules(canonical(record.rules), out.width - 10)):
        out.print(f"{'          ' if number else '  rules   '}{line}")
    out.print(f"          fingerprint {fingerprint(record.rules)}")
    out.print(f"  dealer  {verdict.cards(DEALER, played.state.dealer)}")
    if record.bonus_cards:
        out.print(f"  bonus   {verdict.cards(BONUS, record.bonus_cards)}")
    if verdict.suitless:
        out.print("  suits   some are left out; no payment depends on them")
    if verdict.surplus:
        note = surplus_words(played, verdict.surplus)
        for line in wrapped(note, out.width, "  note    ", "          "):
            out.print(line)
    table = _payment_table("")
    for payment in played.payments:
        table.add_row(*_row(played, payment))
    longest = max((len(payment.odds) for payment in played.payments), default=0)
    table.columns[_ODDS].no_wrap = longest <= SHORT_ODDS
    out.print()
    out.print(Padding(table, (0, 0, 0, 2)))
    out.print()
    _print_dealing(out, played)
    totals = (
        f"{one_line(person)} {signed_money(net)}" for person, net in totals_of(played).items()
    )
    out.print(f"  total   {', '.join(totals)}")
    for game in range(1, len(played.state.meters) + 1):
        for sentence in meter_words(played, game):
            for line in wrapped(sentence, out.width, "  ", "    "):
                out.print(line)


def _print_dealing(out: Console, played: Replay) -> None:
    """What the dealer does at each spot, in the order of payment."""
    out.print("  at the table")
    for spot in played.record.spots:
        paid = [payment for payment in played.payments if payment.spot == spot.number]
        for payment in paid:
            words = f"spot {spot.number} {_wager_title(played, payment)}: {handing_words(payment)}"
            for line in wrapped(words, out.width, "    ", "      "):
                out.print(line)
        handed = sum(handing_of(payment).handed_over for payment in paid)
        taken = sum(handing_of(payment).taken for payment in paid)
        net = signed_money(total_of(played, spot.number))
        words = (
            f"spot {spot.number} total: pay {money_text(handed)}, take {money_text(taken)}, "
            f"player {net}"
        )
        for line in wrapped(words, out.width, "    ", "      "):
            out.print(line)


def _payment_table(name: str, *more: str) -> Sheet:
    table = number_table(*more, *_HEADINGS, words=len(more) + len(_HEADINGS), name=name)
    for place in _AMOUNTS:
        column = table.columns[len(more) + place]
        column.justify, column.no_wrap = "right", True
    table.columns[len(more) + _WAGER].no_wrap = True  # "Up Card" is one name
    return table


def _row(played: Replay, payment: WagerSettled) -> list[str]:
    persons = {spot.number: one_line(spot.name) for spot in played.record.spots}
    handing = handing_of(payment)
    return [
        str(payment.spot),
        persons[payment.spot],
        _wager_title(played, payment),
        money_text(payment.stake),
        money_text(handing.handed_over),
        money_text(handing.taken),
        odds_words(payment.odds),
        reason_words(payment.reason),
        payment.rule,
    ]


def _all_payments(verdicts: list[Verdict]) -> Sheet:
    """One table for exports: the payments of all rounds, each with its round and rules."""
    table = _payment_table("payments", "round", "rules", "fingerprint")
    for verdict in verdicts:
        for payment in verdict.played.payments if verdict.played else ():
            assert verdict.played is not None
            rules = verdict.played.record.rules
            row = _row(verdict.played, payment)
            table.add_row(verdict.id, canonical(rules), fingerprint(rules), *row)
    return table


def _wager_title(played: Replay, payment: WagerSettled) -> str:
    split = len(played.state.spots[payment.spot].hands) > 1
    if payment.wager is Wager.HAND and split:
        return f"hand {payment.hand + 1}"
    return wager_title(payment.wager)
