"""A round as readable text.

    round W-033: A split hand doubled and rescued
    rules: wsgc-2021(decks=6)
    dealer: Kh 9d
    spot 1 P1: base 20
      8c 8d / split
      8c 3h / double 2d / rescue
      8d Kc / stand
      net: hand -20.00 and -20.00; total -40.00

A hand that ends in `split` is followed by the hands it became, in playing order. `net`, `order`
and `meters after` state results; they may be left out. `#` starts a comment.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from ventiuna.cards import CardError, card_text, cards_text, parse_cards
from ventiuna.money import MoneyError, net_text, plain_amount
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
    Step,
)
from ventiuna.notation.shapes import a_result, a_wager, an_amount
from ventiuna.notation.worked import parse_hand
from ventiuna.rules import canonical, load_rules

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_ROUND = re.compile(rf'^round(?:\s+({_QUOTED}|[^:\s"]+))?\s*(?::\s*(.*))?$')
_SPOT = re.compile(rf'^spot\s+(\d{{1,9}})\s*({_QUOTED}|[^:"]*):\s*(.+)$')
_METER = re.compile(r"^meter\s+(\d{1,9})\s*:\s*(\S+)(?:\s+rest\s+(\d{1,9}))?$")
_PAYMENT = re.compile(r"^(.+?)\s+(hand|insurance|super|envy|mtd \w+|jackpot \d)\s+(\S+)$")
_PLAIN_NAME = re.compile(r"[\w.'-]+(?: [\w.'-]+)*")
_PLAIN_ID = re.compile(r"[\w.'-]+")
_PLAIN_TITLE = re.compile(r'[^\s"#](?: *[^\s#])*')
_COMMENT = re.compile(r"(?:^|\s)#")


# --- writing ----------------------------------------------------------------------------------


def write_round(record: RoundRecord) -> str:
    """The record as text; `read_rounds` gives the same record back."""
    head = f"round {_quoted_unless(_PLAIN_ID, record.id)}" if record.id else "round"
    title = f": {_quoted_unless(_PLAIN_TITLE, record.title)}" if record.title else ""
    lines = [f"{head}{title}", f"rules: {canonical(record.rules)}"]
    for number, (cents, rest) in enumerate(record.meters, start=1):
        remainder = f" rest {rest}" if rest else ""
        lines.append(f"meter {number}: {plain_amount(cents)}{remainder}")
    draws = f" / {cards_text(record.draws)}" if record.draws else ""
    lines.append(f"dealer: {card_text(record.up)} {card_text(record.down)}{draws}")
    if record.bonus_cards:
        lines.append(f"bonus cards: {cards_text(record.bonus_cards)}")
    for spot in record.spots:
        lines += _spot_lines(spot)
    if record.order:
        payments = (
            f"{_quoted_unless(_PLAIN_NAME, paid.person)} {paid.wager} {net_text(paid.net)}"
            for paid in record.order
        )
        lines.append(f"order: {'; '.join(payments)}")
    if record.meters_after is not None:
        lines.append(f"meters after: {'; '.join(map(plain_amount, record.meters_after))}")
    return "\n".join(lines) + "\n"


def _spot_lines(spot: SpotRecord) -> list[str]:
    wagers = [f"base {plain_amount(spot.base)}"]
    if spot.insurance:
        wagers.append(f"insurance {plain_amount(spot.insurance)}")
    wagers += [f"{name} {plain_amount(amount)}" for name, amount in spot.mtd.items()]
    wagers += [f"jackpot-{game} {plain_amount(amount)}" for game, amount in spot.jackpots.items()]
    name = f" {_quoted_unless(_PLAIN_NAME, spot.person)}" if spot.person else ""
    lines = [f"spot {spot.number}{name}: {', '.join(wagers)}"]
    lines += [f"  {hand_text(hand)}" for hand in spot.hands]
    if spot.net is not None:
        parts = (f"{wager} {' and '.join(map(net_text, net))}" for wager, net in spot.net.items())
        lines.append(f"  net: {'; '.join(parts)}")
    return lines


def _quoted_unless(plain: re.Pattern[str], text: str) -> str:
    """The text, in quotes where it could be mistaken for something else."""
    if plain.fullmatch(text):
        return text
    quoted = json.dumps(text)
    for sign in "#;:":  # they part the line wherever they stand
        quoted = quoted.replace(sign, f"\\u{ord(sign):04x}")
    return quoted


def hand_text(hand: HandRecord) -> str:
    return " / ".join([cards_text(hand.cards), *map(_step_text, hand.steps)])


def _step_text(step: Step) -> str:
    amount = "" if step.amount is None else f":{plain_amount(step.amount)}"
    card = "" if step.card is None else f" {card_text(step.card)}"
    return f"{step.action}{amount}{card}"


# --- reading ----------------------------------------------------------------------------------


def read_rounds(text: str) -> list[RoundRecord]:
    """All rounds of a text; each starts with a line `round …`."""
    blocks = round_blocks(text)
    if not blocks:
        raise NotationError("there is no round in it: a round starts with a line 'round 1'")
    return [read_block(block) for block in blocks]


Block = list[tuple[int, str]]  # the lines of one round with their numbers


def round_blocks(text: str) -> list[Block]:
    """The lines of each round, comments and empty lines left out."""
    blocks: list[Block] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _COMMENT.split(raw)[0].strip()
        if not line:
            continue
        if _ROUND.match(line) or not blocks:
            blocks.append([])
        blocks[-1].append((number, line))
    return blocks


def read_block(block: Block) -> RoundRecord:
    return _Reader(block).read()


class _Reader:
    """Reads the lines of one round."""

    def __init__(self, lines: Block) -> None:
        self.lines = lines
        self.fields: dict[str, str] = {}
        self.meters: dict[int, tuple[int, int]] = {}
        self.spots: list[SpotRecord] = []
        self.head = ("", "")

    def read(self) -> RoundRecord:
        for number, line in self.lines:
            try:
                self._line(line)
            except (CardError, MoneyError, NotationError) as error:
                raise NotationError(f"line {number}: {error}") from None
        return self._record()

    def _line(self, line: str) -> None:
        if found := _SPOT.match(line):
            self._spot(found)
        elif found := _ROUND.match(line):
            self.head = (_unquoted(found[1] or ""), _unquoted((found[2] or "").strip()))
        elif found := _METER.match(line):
            amount = an_amount(found[2], f"meter {found[1]}")
            self.meters[int(found[1])] = (amount, int(found[3] or 0))
        elif line.startswith("net:"):
            self._net(line.removeprefix("net:"))
        elif found := re.match(r"^(rules|dealer|bonus cards|order|meters after)\s*:(.*)$", line):
            if found[1] in self.fields:
                raise NotationError(f"{found[1]}: a round has this line once; it is here again")
            self.fields[found[1]] = found[2].strip()
        elif self.spots:
            spot = self.spots.pop()
            self.spots.append(replace(spot, hands=(*spot.hands, parse_hand(line))))
        else:
            raise NotationError(
                f"{line!r}: a round has lines that start with round, rules, dealer, spot, net …"
            )

    def _spot(self, found: re.Match[str]) -> None:
        number = int(found[1])
        person = _unquoted(found[2].strip())
        if any(spot.number == number for spot in self.spots):
            raise NotationError(
                f"spot {number}: it is here twice; each spot has a number of its own"
            )
        spot = SpotRecord(number, person, 0, ())
        named: set[str] = set()
        for wager in found[3].split(","):
            word, _, amount = wager.strip().partition(" ")
            if word in named:
                raise NotationError(f"{word}: this wager is here twice; write it once")
            named.add(word)
            spot = _with_wager(spot, word, amount.strip())
        self.spots.append(spot)

    def _net(self, text: str) -> None:
        if not self.spots:
            raise NotationError("net: it belongs below a spot")
        stated: dict[str, tuple[int, ...]] = {}
        for part in filter(str.strip, text.split(";")):
            found = re.match(r"^(mtd \w+|jackpot \d|\w+)\s+(.+)$", part.strip())
            if not found:
                raise NotationError(f"net {part.strip()!r}: write a wager and its result")
            stated[found[1]] = tuple(
                a_result(text, f"net {found[1]}") for text in found[2].split(" and ")
            )
        self.spots.append(replace(self.spots.pop(), net=stated))

    def _record(self) -> RoundRecord:
        for name in ("rules", "dealer"):
            if name not in self.fields:
                raise NotationError(f"round {self.head[0]}: the line '{name}:' is missing")
        if not self.spots or any(not spot.hands for spot in self.spots):
            raise NotationError(f"round {self.head[0]}: a spot with its cards is missing")
        first, _, draws = self.fields["dealer"].partition("/")
        dealer = parse_cards(first)
        if len(dealer) != 2:
            raise NotationError("dealer: write up card, down card, then / and the cards drawn")
        rules = load_rules(self.fields["rules"])
        for game in self.meters:
            if not 1 <= game <= len(rules.jackpots):
                raise NotationError(f"meter {game}: these rules have no such jackpot game (R-084)")
        after = self.fields.get("meters after")
        return RoundRecord(
            id=self.head[0],
            title=self.head[1],
            rules=rules,
            up=dealer[0],
            down=dealer[1],
            draws=parse_cards(draws),
            bonus_cards=parse_cards(self.fields.get("bonus cards", "")),
            meters=tuple(
                self.meters.get(number, (jackpot.seed, 0))
                for number, jackpot in enumerate(rules.jackpots, start=1)
            ),
            spots=tuple(self.spots),
            order=tuple(
                _payment(part)
                for part in filter(str.strip, self.fields.get("order", "").split(";"))
            ),
            meters_after=None
            if after is None
            else tuple(a_result(text, "meters after") for text in after.split(";")),
        )


def _with_wager(spot: SpotRecord, word: str, amount: str) -> SpotRecord:
    cents = an_amount(amount, word)
    if word == "base":
        return replace(spot, base=cents)
    if word == "insurance":
        return replace(spot, insurance=cents)
    if found := re.fullmatch(r"jackpot-(\d{1,9})", word):
        return replace(spot, jackpots={**spot.jackpots, int(found[1]): cents})
    return replace(spot, mtd={**spot.mtd, word: cents})


def _payment(text: str) -> StatedPayment:
    found = _PAYMENT.match(text.strip())
    if not found:
        raise NotationError(f"order {text.strip()!r}: write name, wager and result")
    return StatedPayment(
        _unquoted(found[1]),
        a_wager(found[2], "order"),
        a_result(found[3], f"order {text.strip()!r}"),
    )


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise NotationError(f"{text}: a text in quotes is written as in JSON") from None
