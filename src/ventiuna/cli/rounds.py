"""`ventiuna settle` and `deal`: settle recorded rounds, and deal new ones as text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding

from ventiuna.analysis.results import MONEY, FormattedNumber
from ventiuna.cards import RANKS, CardError, card_text
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    JsonFlag,
    RulesArgument,
    RulesOption,
    console,
    current_output,
    number_table,
    print_json,
)
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.cli.common.stdio import error_lines, read_input
from ventiuna.cli.common.tables import OutputTable
from ventiuna.cli.play_screen import signed_money
from ventiuna.cli.rules_text import wrapped
from ventiuna.core.cards import rank_of
from ventiuna.engine import RoundState, Shoe, execute, finish_round
from ventiuna.engine.codec import event_data
from ventiuna.engine.commands import PlaceWagers, Refused
from ventiuna.engine.events import Event, Wager, WagerKind, WagerSettled
from ventiuna.engine.messages import odds_words, reason_words
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, money_text, parse_amount
from ventiuna.notation import (
    NotationError,
    RefusedCase,
    Replay,
    RoundRecord,
    differences,
    has_stated_results,
    read_refused_cases,
    record_of,
    replay,
    write_round,
)
from ventiuna.notation.claims import meter_words, round_meter, surplus_words, wager_title
from ventiuna.notation.json_format import parse_json, round_entries
from ventiuna.notation.missing_suits import (
    BONUS,
    DEALER,
    CardPlace,
    is_json,
    json_reader,
    replay_missing_suits,
    with_default_rules,
)
from ventiuna.notation.text import Block, RoundReader, SuitFiller, round_blocks
from ventiuna.rules import Rules, RulesError, canonical, fingerprint, load_rules, rules_data
from ventiuna.rules.options import short_repr
from ventiuna.strategy.players import steady_player
from ventiuna.texts import one_line

# --- Verdicts ---


@dataclass
class SettledRound:
    id: str
    title: str
    verdict: str  # agrees, settled, differs, refused, not refused, unreadable, or description only
    lines: list[str] = field(default_factory=list)
    played: Replay | None = None
    suitless: frozenset[CardPlace] = frozenset()  # cards that were written without a suit

    @property
    def is_fault(self) -> bool:
        return self.verdict in ("differs", "not refused", "unreadable", "refused by the rules")

    def cards(self, holder: str, cards: list[int] | tuple[int, ...]) -> str:
        """Format cards as they were written, with or without suits."""
        return " ".join(
            RANKS[rank_of(card) - 1]
            if CardPlace(holder, number) in self.suitless
            else card_text(card)
            for number, card in enumerate(cards)
        )

    @property
    def surplus(self) -> list[str]:
        """Recorded cards, as written, that the dealer wouldn't draw under the rules."""
        if self.played is None:
            return []
        drawn = self.played.state.dealer
        return self.cards(DEALER, [*drawn, *self.played.surplus]).split()[len(drawn) :]


def total_of(played: Replay, spot: int) -> int:
    """Return a spot's result in cents."""
    return sum(sum(amounts) for amounts in played.net(spot).values())


def totals_of(played: Replay) -> dict[str, int]:
    """Return each person's result over all their spots."""
    totals: dict[str, int] = {}
    for spot in played.record.spots:
        totals[spot.name] = totals.get(spot.name, 0) + total_of(played, spot.number)
    return totals


# --- Payouts ---


@dataclass(frozen=True, slots=True)
class Payout:
    """A settled wager in cents; `returned` is the part of the bet that the player keeps.

    Jackpot lines pay "for" a bet that isn't returned (R-091).
    """

    handed_over: int
    returned: int
    taken: int


def payout_of(payment: WagerSettled) -> Payout:
    if payment.wager.kind is WagerKind.JACKPOT:
        return Payout(payment.paid, 0, payment.stake)
    returned = min(payment.paid, payment.stake)
    return Payout(payment.paid - returned, returned, payment.stake - returned)


def payout_text(payment: WagerSettled) -> str:
    """Describe a payment: `pay $20.00 (4 to 1 on $5.00), the bet stays`."""
    handing = payout_of(payment)
    pay, take = money_text(handing.handed_over), money_text(handing.taken)
    if not payment.stake:
        return f"pay {pay}"
    how = odds_words(payment.odds)
    if "%" not in how:  # a share of the meter doesn't depend on the bet
        how += f" on {money_text(payment.stake)}"
    if payment.wager.kind is WagerKind.JACKPOT:
        return f"pay {pay} ({how}), the bet isn't returned" if payment.paid else f"take {take}"
    if handing.handed_over:
        return f"pay {pay} ({how}), the bet stays"
    if handing.returned and handing.taken:
        return f"take {take}, return {money_text(handing.returned)} ({payment.odds})"
    if handing.returned:
        return f"{payment.odds}, the {money_text(handing.returned)} bet stays"
    return f"take {take}"


# --- Settled rounds as JSON. Amounts are in cents, and field names say so. ---

Data = dict[str, object]


def settled_data(verdicts: list[SettledRound]) -> Data:
    return {
        "agrees": not any(verdict.is_fault for verdict in verdicts),
        "rounds": [_verdict_data(verdict) for verdict in verdicts],
    }


def _verdict_data(verdict: SettledRound) -> Data:
    data: Data = {
        "id": verdict.id,
        "title": verdict.title,
        "verdict": verdict.verdict,
        "reasons": verdict.lines,
    }
    if verdict.played is not None:
        data |= _round_data(verdict, verdict.played)
    return data


def _round_data(verdict: SettledRound, played: Replay) -> Data:
    record = played.record
    persons = {spot.number: spot.name for spot in record.spots}
    return {
        "rules": canonical(record.rules),
        "fingerprint": fingerprint(record.rules),
        "dealer": verdict.cards(DEALER, played.state.dealer),
        "surplus_dealer_cards": verdict.surplus,
        "notes": [surplus_words(played, verdict.surplus)] if verdict.surplus else [],
        "without_suits": bool(verdict.suitless),
        "payments": [_payment_data(payment, persons[payment.spot]) for payment in played.payments],
        "totals_cents": totals_of(played),
        "spots": [
            {
                "spot": spot.number,
                "person": spot.name,
                "net_cents": total_of(played, spot.number),
            }
            for spot in record.spots
        ],
        "meters": [_meter_data(played, game) for game in range(1, len(played.state.meters) + 1)],
        "meters_after_cents": [meter.cents for meter in played.state.meters],
        "events": [event_data(event) for event in played.events],
    }


def _meter_data(played: Replay, game: int) -> Data:
    story = round_meter(played, game)
    return {
        "game": game,
        "before_cents": story.before,
        "contributions_cents": story.contributions,
        "awards": [
            {
                "spot": award.spot,
                "percent": award.percent,
                "of_cents": award.shown,
                "paid_cents": award.paid,
                "rule": award.rule,
                "seed_at_once_cents": award.seed_at_once,
                "seed_after_round_cents": award.seed_after_round,
            }
            for award in story.awards
        ],
        "after_cents": story.after,
        "words": list(meter_words(played, game)),
    }


def _payment_data(payment: WagerSettled, person: str) -> Data:
    handing = payout_of(payment)
    return {
        "spot": payment.spot,
        "person": person,
        "hand": payment.hand,
        "wager": payment.wager,
        "stake_cents": payment.stake,
        "paid_cents": payment.paid,
        "net_cents": payment.net,
        "handed_over_cents": handing.handed_over,
        "returned_cents": handing.returned,
        "taken_cents": handing.taken,
        "odds": payment.odds,
        "reason": payment.reason,
        "rule": payment.rule,
        "words": payout_text(payment),
    }


# --- Settled rounds as text ---

_HEADINGS = ("spot", "player", "wager", "bet", "pay", "take", "odds", "reason", "rule")
_WAGER = 2
_AMOUNTS = (3, 4, 5)  # columns with money
_ODDS = 6
SHORT_ODDS = len("even money")
_OUTCOMES = {  # for one round; for a file's summary: singular, plural
    "agrees": ("The recorded result is right.", "agrees", "agree"),
    "differs": ("The recorded result differs:", "differs", "differ"),
    "settled": ("No recorded result to compare.", "settled", "settled"),
    "refused by the rules": (
        "Refused by the rules and not included in the amounts above:",
        "refused by the rules",
        "refused by the rules",
    ),
    "refused": (
        "Refused, as it should be:",
        "refused as it should be",
        "refused as they should be",
    ),
    "not refused": (
        "Not refused, although it should have been.",
        "should have been refused",
        "should have been refused",
    ),
    "unreadable": ("Can't be read:", "can't be read", "can't be read"),
    "described only": (
        "Only a description; nothing to settle.",
        "only described",
        "only described",
    ),
}


def print_verdicts(verdicts: list[SettledRound], brief: bool) -> None:
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
    current_output().sheets[:] = [_all_payments(verdicts)]


def _summary(counts: dict[str, int]) -> str:
    """Summarize a file: `2 rounds checked: 1 agrees, 1 differs.`"""
    total = sum(counts.values())
    parts = []
    for verdict, count in counts.items():
        _, one, several = _OUTCOMES[verdict]
        parts.append(f"{count} {one if count == 1 else several}")
    return f"{total} round{'s' if total > 1 else ''} checked: {', '.join(parts)}."


def _print_brief(out: Console, verdict: SettledRound) -> None:
    outcome = _OUTCOMES[verdict.verdict][1]
    line = one_line(f"{verdict.id}  {outcome}  {verdict.title}".rstrip())
    out.print(line, no_wrap=True, overflow="ellipsis")
    _print_lines(out, verdict.lines)


def _print_full(out: Console, verdict: SettledRound) -> None:
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
    """Wrap a canonical name to this width, after commas."""
    lines = [""]
    for piece in name.replace(",", ",\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def _print_round(out: Console, verdict: SettledRound, played: Replay) -> None:
    record = played.record
    # Break only between options, so that the name can still be copied and parsed.
    for number, line in enumerate(wrapped_rules(canonical(record.rules), out.width - 10)):
        out.print(f"{'          ' if number else '  rules   '}{line}")
    out.print(f"          fingerprint {fingerprint(record.rules)}")
    out.print(f"  dealer  {verdict.cards(DEALER, played.state.dealer)}")
    if record.bonus_cards:
        out.print(f"  bonus   {verdict.cards(BONUS, record.bonus_cards)}")
    if verdict.suitless:
        out.print("  suits   some are missing; no payment depends on them")
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
    """Print what the dealer does at each spot, in payment order."""
    out.print("  at the table")
    for spot in played.record.spots:
        paid = [payment for payment in played.payments if payment.spot == spot.number]
        for payment in paid:
            words = f"spot {spot.number} {_wager_title(played, payment)}: {payout_text(payment)}"
            for line in wrapped(words, out.width, "    ", "      "):
                out.print(line)
        handed = sum(payout_of(payment).handed_over for payment in paid)
        taken = sum(payout_of(payment).taken for payment in paid)
        net = signed_money(total_of(played, spot.number))
        words = (
            f"spot {spot.number} total: pay {money_text(handed)}, take {money_text(taken)}, "
            f"player {net}"
        )
        for line in wrapped(words, out.width, "    ", "      "):
            out.print(line)


def _payment_table(name: str, *more: str) -> OutputTable:
    table = number_table(*more, *_HEADINGS, words=len(more) + len(_HEADINGS), name=name)
    for place in _AMOUNTS:
        column = table.columns[len(more) + place]
        column.justify, column.no_wrap = "right", True
    table.columns[len(more) + _WAGER].no_wrap = True  # keep "Up Card" on one line
    return table


def _row(played: Replay, payment: WagerSettled) -> list[str | FormattedNumber]:
    persons = {spot.number: one_line(spot.name) for spot in played.record.spots}
    handing = payout_of(payment)
    return [
        str(payment.spot),
        persons[payment.spot],
        _wager_title(played, payment),
        FormattedNumber(payment.stake, MONEY),
        FormattedNumber(handing.handed_over, MONEY),
        FormattedNumber(handing.taken, MONEY),
        odds_words(payment.odds),
        reason_words(payment.reason),
        payment.rule,
    ]


def _all_payments(verdicts: list[SettledRound]) -> OutputTable:
    """Collect the payments of all rounds in one table for exports, with round and rules."""
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


# --- settle ---

REFUSALS = (Refused, RulesError)
LARGEST_FILE = 100_000_000  # bytes, about a hundred thousand rounds
UNREADABLE = (NotationError, CardError, MoneyError)


@command("settle", pages=True)
def settle(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Rounds as text or JSON; - for standard input."),
    ],
    rules: RulesOption = "",
    brief: Annotated[
        bool, typer.Option("--brief", help="Print one line per round instead of one per wager.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Settle recorded rounds: what to pay and take for each wager, and by which rule.

    Results in the file are checked. If any is wrong, you see why, and the exit code is 1. A refused
    action is left out of the amounts. You can omit suits that no payment depends on. --rules
    applies to rounds that don't name their rules.
    """
    if rules:
        load_rules(rules)
    verdicts = list(_verdicts(_read_text(file), rules))
    if not verdicts:
        raise NotationError(f"{file} contains no rounds")
    if as_json:
        print_json(settled_data(verdicts))
    else:
        print_verdicts(verdicts, brief)
    if any(verdict.is_fault for verdict in verdicts):
        raise typer.Exit(1)


def _read_text(file: str) -> str:
    try:
        raw = read_input(file, LARGEST_FILE)
        if len(raw) > LARGEST_FILE:
            raise NotationError(f"{file} is larger than {LARGEST_FILE:,} bytes; split it")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotationError(f"{file} isn't UTF-8 text") from None


def _verdicts(text: str, rules: str) -> Iterator[SettledRound]:
    if is_json(text):
        yield from _json_verdicts(parse_json(text, "the file"), rules)
        return
    for block in round_blocks(text):
        yield _text_verdict(block, rules)


def _text_verdict(block: Block, rules: str) -> SettledRound:
    readers: list[RoundReader] = []

    def read(suits: SuitFiller) -> RoundRecord:
        readers.append(RoundReader(block, rules, suits))
        return readers[-1].read()

    def place(hand: str) -> str:
        places = readers[-1].places
        return f"line {places[hand]}" if hand in places else ""

    verdict = _settled(f"line {block[0][0]}", "", read, place)
    name, title = readers[-1].head
    return replace(verdict, id=name or verdict.id, title=title)


def _json_verdicts(data: object, rules: str) -> Iterator[SettledRound]:
    for number, entry in enumerate(round_entries(data), start=1):
        complete = with_default_rules(entry, rules)
        named = complete if isinstance(complete, dict) else {}
        name, title = short_repr(named.get("id", number)), short_repr(named.get("title", ""))
        yield _settled(name, title, json_reader(complete), str)
    for case in read_refused_cases(data):
        yield _refused(case)


def _settled(
    name: str, title: str, read: Callable[[SuitFiller], RoundRecord], place: Callable[[str], str]
) -> SettledRound:
    """Settle one round; `place` describes the position of an error."""
    try:
        played, suitless = replay_missing_suits(read, lenient=True)
    except UNREADABLE as error:
        return SettledRound(name, title, "unreadable", [_placed(error, str(error), place)])
    except REFUSALS as error:
        lines = [_placed(error, line, place) for line in error_lines(error)]
        if isinstance(error.__cause__, VentiunaError):  # ignoring this error reveals another
            lines.append(f"Even if that is ignored, the round can't be settled: {error.__cause__}.")
        return SettledRound(name, title, "refused by the rules", lines)
    name, title = played.record.id or name, played.record.title or title
    found = differences(played)
    if played.refused:
        lines = [_placed(error, str(error), place) for error in played.refused]
        return SettledRound(name, title, "refused by the rules", [*lines, *found], played, suitless)
    words = "differs" if found else "agrees" if has_stated_results(played) else "settled"
    return SettledRound(name, title, words, found, played, suitless)


def _placed(error: Exception, line: str, place: Callable[[str], str]) -> str:
    found = error.place if isinstance(error, VentiunaError) else ""
    where = place(found) if found else ""
    return f"{where}: {line}" if where and not line.startswith(where) else line


def _refused(case: RefusedCase) -> SettledRound:
    if case.data is None:
        return SettledRound(case.id, case.title, "described only")
    try:
        played = replay(case.record())
    except REFUSALS as error:
        return SettledRound(case.id, case.title, "refused", list(error_lines(error)))
    except UNREADABLE as error:
        return SettledRound(case.id, case.title, "unreadable", [str(error)])
    return SettledRound(case.id, case.title, "not refused", [], played)


# --- deal ---

DEFAULT_BASE = "10"


@command("deal", tables=False)
def deal(
    rules: RulesArgument = DEFAULT_RULES,
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 21,
    rounds: Annotated[int, typer.Option(min=1, max=1_000_000, help="Number of rounds.")] = 1,
    spots: Annotated[int, typer.Option(min=1, max=7, help="Number of betting spots.")] = 1,
    base: Annotated[str, typer.Option(help="Base wager in dollars.")] = DEFAULT_BASE,
    side: Annotated[
        str, typer.Option(help="Match the Dealer wagers, such as up=5,down=5,b1=2.")
    ] = "",
    jackpots: Annotated[bool, typer.Option(help="Bet on every jackpot game.")] = False,
    complete: Annotated[
        bool,
        typer.Option(
            "--complete", help="Include the rules in full, so that no preset is needed later."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Deal rounds to a simple player and print them as text that `settle` reads.

    The seed determines the shuffle, so use it for study, not for real tables.
    """
    house = load_rules(rules)
    wagers = [
        PlaceWagers(
            spot,
            _amount("--base", base),
            f"P{spot}",
            mtd=_side_wagers(side),
            jackpots=_jackpot_wagers(house) if jackpots else {},
        )
        for spot in range(1, spots + 1)
    ]
    dealt = _deal_rounds(house, wagers, seed, rounds, complete)
    if not as_json:
        for played in dealt:
            print("\n".join(map(one_line, played.text.split("\n"))))
        return
    all_rounds = list(dealt)
    print_json(
        {
            "rules": canonical(house),
            "fingerprint": fingerprint(house),
            "rules_data": rules_data(house),
            "seed": seed,
            "total_cents": sum(played.total for played in all_rounds),
            "rounds": [played.as_data() for played in all_rounds],
        }
    )


def _side_wagers(text: str) -> dict[str, int]:
    wagers = {}
    for part in filter(str.strip, text.split(",")):
        name, sign, amount = part.partition("=")
        if not sign:
            raise MoneyError(f"--side {part.strip()}: write a wager with its amount, such as up=5")
        wagers[name.strip()] = _amount(f"--side {name.strip()}", amount)
    return wagers


def _amount(what: str, text: str) -> int:
    try:
        return parse_amount(text)
    except MoneyError as error:
        raise MoneyError(f"{what}: {error}") from None


def _jackpot_wagers(rules: Rules) -> dict[int, int]:
    return {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}


@dataclass(frozen=True, slots=True)
class _DealtRound:
    """A dealt round."""

    number: int
    text: str
    events: list[Event]

    @property
    def total(self) -> int:
        return sum(event.net for event in self.events if isinstance(event, WagerSettled))

    def as_data(self) -> dict[str, object]:
        return {
            "round": self.number,
            "notation": self.text,
            "total_cents": self.total,
            "events": [event_data(event) for event in self.events],
        }


def _deal_rounds(
    rules: Rules, wagers: list[PlaceWagers], seed: int, rounds: int, complete: bool
) -> Iterator[_DealtRound]:
    shoe = Shoe(rules, random.Random(seed).shuffle)
    meters = [(jackpot.seed, 0) for jackpot in rules.jackpots]
    for number in range(1, rounds + 1):
        shoe.begin_round()
        state = RoundState(rules, meters or None)
        for wager in wagers:
            execute(state, wager)
        events = finish_round(state, shoe, steady_player)
        text = write_round(record_of(rules, events, meters, str(number)), complete)
        meters = [(meter.cents, meter.remainder) for meter in state.meters]
        yield _DealtRound(number, text, events)
