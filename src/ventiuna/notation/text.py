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
and `meters after` state results; they may be left out, and so may `fingerprint` and `rules data`,
which a stored round has. `#` starts a comment.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ventiuna.cards import CardError, parse_cards
from ventiuna.core.meters import SHARES
from ventiuna.engine.stakes import Wager
from ventiuna.engine.wagers import WAGER_TITLES
from ventiuna.money import MoneyError
from ventiuna.notation.quoting import COMMENT, QUOTED, unquoted
from ventiuna.notation.records import (
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
)
from ventiuna.notation.shapes import (
    a_result,
    a_stake,
    a_stated_wager,
    a_total,
    an_amount,
    named_wager,
    parse_json,
    refuse_shared_names,
)
from ventiuna.notation.stored_rules import stored_rules
from ventiuna.notation.suits import Suits
from ventiuna.notation.worked import parse_hand
from ventiuna.rules import Rules, RulesError
from ventiuna.rules.values import did_you_mean

MOST_LINES = 1_000  # of one round; seven spots with all splits have about a hundred
_ROUND = re.compile(rf'^round(?:\s+({QUOTED.pattern}|[^:\s"]+))?\s*(?::\s*(.*))?$')
_SPOT = re.compile(r"^spot\s+([0-9]{1,9})\s*(?=\S)")
_METER = re.compile(r"^meter\s+([0-9]{1,9})\s*:\s*(\S+)(?:\s+rest\s+([0-9]{1,9}))?$")
_FIELD = re.compile(
    r"^(rules data|rules|fingerprint|dealer|bonus cards|order|meters after)\s*:(.*)$"
)
_IN_QUOTES = re.compile(r"'([^']+)'")
_JACKPOT = re.compile(r"jackpot-([0-9]{1,9})")
_PLACED = ("base", "insurance", *WAGER_TITLES, "jackpot-1", "jackpot-2")  # words of wagers


def read_rounds(text: str) -> list[RoundRecord]:
    """All rounds of a text; each starts with a line `round …`.

    >>> from ventiuna import Table
    >>> [record] = read_rounds(Table("wsgc-2021", seed=1).play_round().text)
    >>> record.rules.name
    'wsgc-2021'
    """
    if not isinstance(text, str):
        raise NotationError("text: give the rounds as text, such as write_round returns")
    blocks = round_blocks(text)
    if not blocks:
        raise NotationError("there is no round in it: a round starts with a line 'round 1'")
    return [read_block(block) for block in blocks]


Block = list[tuple[int, str]]  # the lines of one round with their numbers


def round_blocks(text: str) -> list[Block]:
    """The lines of each round with their indent, comments and empty lines left out."""
    blocks: list[Block] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = COMMENT.split(raw)[0].rstrip()
        if not line.strip():
            continue
        if _ROUND.match(line.strip()) or not blocks:
            blocks.append([])
        blocks[-1].append((number, line))
    return blocks


def read_block(block: Block) -> RoundRecord:
    return RoundReader(block).read()


class RoundReader:
    """Reads the lines of one round."""

    def __init__(self, lines: Block, usual_rules: str = "", suits: Suits | None = None) -> None:
        self.lines = lines
        self.usual_rules = usual_rules  # of a round that names none
        self.suits = suits  # for cards that are written without one
        self.places: dict[str, int] = {}  # line of each field, and of each hand: "spot 1 hand 2"
        self.number = 0  # of the line that is read
        self.fields: dict[str, str] = {}
        self.meters: dict[int, tuple[int, int]] = {}
        self.spots: list[SpotRecord] = []
        self.split_cards: list[int] = []  # first cards of the split hands that are to come
        self.head = ("", "")

    def read(self) -> RoundRecord:
        if len(self.lines) > MOST_LINES:
            raise NotationError(
                f"line {self.lines[0][0]}: a round has at most {MOST_LINES:,} lines; start each "
                "with a line 'round 1'"
            )
        for number, line in self.lines:
            self.number = number
            try:
                self._line(line.strip())
            except (CardError, MoneyError, NotationError) as error:
                message = _as_written(str(error), line)
                raise NotationError(f"{_place(number, line, message)}: {message}") from None
        return self._record()

    def _line(self, line: str) -> None:
        if found := _SPOT.match(line):
            self._spot(int(found[1]), line[found.end() :])
        elif found := _ROUND.match(line):
            self.head = (unquoted(found[1] or ""), unquoted((found[2] or "").strip()))
        elif found := _METER.match(line):
            self._meter(int(found[1]), found[2], int(found[3] or 0))
        elif line.startswith("net:"):
            self._net(line.removeprefix("net:"))
        elif found := _FIELD.match(line):
            if found[1] in self.fields:
                raise NotationError(f"{found[1]}: a round has this line once; it is here again")
            self.fields[found[1]] = found[2].strip()
            self.places[found[1]] = self.number
        elif self.spots:
            self._hand(line)
        else:
            raise NotationError(
                f"{line!r}: a round has lines that start with round, rules, dealer, spot, net …"
            )

    def _spot(self, number: int, text: str) -> None:
        if text.startswith('"'):
            named = QUOTED.match(text)
            end = named.end() if named else len(text)
            name, sign, wagers = text[:end], text[end:].lstrip()[:1], text[end:].lstrip()[1:]
        else:
            name, sign, wagers = text.partition(":")
        if sign != ":" or not wagers.strip() or ('"' in name and not name.startswith('"')):
            raise NotationError(f"spot {number}: write it as 'spot {number} Ann: base 10'")
        if any(spot.number == number for spot in self.spots):
            raise NotationError(
                f"spot {number}: it is here twice; each spot has a number of its own"
            )
        self.spots.append(_with_wagers(SpotRecord(number, unquoted(name.strip()), 0, ()), wagers))
        self.places[f"spot {number}"] = self.number
        self.split_cards = []

    def _hand(self, line: str) -> None:
        spot = self.spots.pop()
        begun = self.split_cards.pop(0) if self.split_cards else None
        hand = parse_hand(line if self.suits is None else self.suits.of_players(line, begun))
        if hand.steps and hand.steps[-1].action == "split":
            self.split_cards = [*hand.cards, *self.split_cards]
        self.spots.append(replace(spot, hands=(*spot.hands, hand)))
        self.places[f"spot {spot.number} hand {len(spot.hands) + 1}"] = self.number

    def _meter(self, game: int, amount: str, rest: int) -> None:
        if game in self.meters:
            raise NotationError(f"meter {game}: a round has this line once; it is here again")
        if rest >= SHARES:
            raise NotationError(
                f"meter {game}: the rest counts ten-thousandths of a cent, from 0 to "
                f"{SHARES - 1:,} (O-18)"
            )
        self.meters[game] = (a_total(amount, f"meter {game}"), rest)

    def _net(self, text: str) -> None:
        if not self.spots:
            raise NotationError("net: it belongs below a spot")
        spot = self.spots.pop()
        if spot.net is not None:
            raise NotationError(f"net: spot {spot.number} has this line once; it is here again")
        stated: dict[str, tuple[int, ...]] = {}
        for part in filter(str.strip, text.split(";")):
            wager, results = _wager_and_rest(part)
            if wager in stated:
                raise NotationError(f"net {wager}: this wager is here twice; write it once")
            stated[wager] = tuple(a_result(text, f"net {wager}") for text in results.split(" and "))
        self.spots.append(replace(spot, net=stated))

    def _cards(self, field: str, text: str) -> tuple[int, ...]:
        try:
            return parse_cards(text)
        except CardError as error:
            raise NotationError(f"{self._place_of(field, str(error))}: {error}") from None

    def _place_of(self, field: str, message: str = "") -> str:
        number = self.places[field]
        line = next(line for at, line in self.lines if at == number)
        return _place(number, line, message)

    def _dealer(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Up card and down card, and the cards drawn."""
        text = self.fields["dealer"]
        first, _, draws = (self.suits.fill(text) if self.suits else text).partition("/")
        dealt = self._cards("dealer", first)
        if len(dealt) != 2:
            place = self._place_of("dealer")
            raise NotationError(
                f"{place}: dealer: write up card, down card, then / and the cards drawn"
            )
        return dealt, self._cards("dealer", draws)

    def _bonus_cards(self) -> tuple[int, ...]:
        text = self.fields.get("bonus cards", "")
        return self._cards("bonus cards", self.suits.fill(text) if self.suits else text)

    def _record(self) -> RoundRecord:
        if self.usual_rules:
            self.fields.setdefault("rules", self.usual_rules)
        start = f"line {self.lines[0][0]}: round {self.head[0]}".rstrip()
        for name in ("rules", "dealer"):
            if name not in self.fields:
                raise NotationError(f"{start}: the line '{name}:' is missing; {_MISSING[name]}")
        if not self.spots or any(not spot.hands for spot in self.spots):
            raise NotationError(f"{start}: a spot with its cards is missing")
        dealer, draws = self._dealer()
        refuse_shared_names(self.spots)
        rules = self._rules()
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
            draws=draws,
            bonus_cards=self._bonus_cards(),
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

    def _rules(self) -> Rules:
        text = self.fields.get("rules data")
        try:
            return stored_rules(
                unquoted(self.fields["rules"]),
                self.fields.get("fingerprint"),
                None if text is None else parse_json(text, "rules data"),
            )
        except RulesError as error:
            if "rules" not in self.places:
                raise
            line = f"line {self.places['rules']}: "
            problems = [each._replace(field=line + each.field) for each in error.problems]
            raise RulesError(problems) from None


_MISSING = {
    "rules": "write it as 'rules: wsgc-2021', or name the rules with --rules",
    "dealer": "write it as 'dealer: 9s Kh / 2c'",
}


def _as_written(message: str, line: str) -> str:
    """What the message repeats, without a suit that the line has not."""
    for word in _IN_QUOTES.findall(message):
        if word not in line and word[:-1] in line:
            message = message.replace(f"'{word}'", f"'{word[:-1]}'")
    return message


def _place(number: int, line: str, message: str) -> str:
    """`line 4, column 9`: where a word of the message stands, else where the line begins."""
    words = [*_IN_QUOTES.findall(message), message.partition(":")[0]]
    column = next((line.index(word) for word in words if word and word in line), None)
    if column is None:
        column = len(line) - len(line.lstrip())
    return f"line {number}, column {column + 1}"


def _with_wagers(spot: SpotRecord, text: str) -> SpotRecord:
    named: set[str] = set()
    for wager in text.split(","):
        word, _, amount = wager.strip().partition(" ")
        if found := _JACKPOT.fullmatch(word):
            word = f"jackpot-{int(found[1])}"
        if word in named:
            raise NotationError(f"{word}: this wager is here twice; write it once")
        named.add(word)
        spot = _with_wager(spot, word, amount.strip())
    return spot


def _with_wager(spot: SpotRecord, word: str, amount: str) -> SpotRecord:
    if word == "base":
        return replace(spot, base=an_amount(amount, word))
    if word == "insurance":
        return replace(spot, insurance=an_amount(amount, word))
    if found := _JACKPOT.fullmatch(word):
        return replace(spot, jackpots={**spot.jackpots, int(found[1]): a_stake(amount, word)})
    if word not in WAGER_TITLES:
        raise NotationError(f"wager {word!r}: {did_you_mean(word, _PLACED)}")
    return replace(spot, mtd={**spot.mtd, word: a_stake(amount, word)})


def _wager_and_rest(text: str) -> tuple[str, str]:
    """`mtd up -5.00` to the wager, or the total, and what is said of it."""
    words = text.split()
    if len(words) < 2:
        raise NotationError(f"net {text.strip()!r}: write a wager and its result")
    names = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
    unknown = " ".join(words[: 2 if words[0] in ("mtd", "jackpot") else 1])
    name = next(filter(named_wager, names), unknown)
    return a_stated_wager(name, "net"), " ".join(words[len(name.split()) :])


def _payment(text: str) -> StatedPayment:
    """`Ann mtd up -5.00`: who, for which wager, how much."""
    rest, _, result = text.strip().rpartition(" ")
    words = rest.rsplit(None, 2)
    for count in (1, 2):
        wager = " ".join(words[-count:])
        name = rest.rsplit(None, count)[0].strip() if len(words) > count else ""
        if name and wager in tuple(Wager):
            return StatedPayment(
                unquoted(name), Wager(wager), a_result(result, f"order {text.strip()!r}")
            )
    raise NotationError(f"order {text.strip()!r}: write name, wager and result")
