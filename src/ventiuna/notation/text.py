"""A round as readable text.

    round W-033: A split hand doubled and rescued
    rules: wsgc-2021(decks=6)
    dealer: Kh 9d
    spot 1 P1: base 20
      8c 8d / split
      8c 3h / double 2d / rescue
      8d Kc / stand
      net: hand -20.00 and -20.00; total -40.00

A hand that ends in `split` is followed by the resulting hands, in playing order. `net`, `order` and
`meters after` state results and are optional; so are `fingerprint` and `rules data`, which stored
rounds have. `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ventiuna.cards import CardError, card_text, parse_cards
from ventiuna.core.meters import SHARES
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import Wager
from ventiuna.engine.wagers import WAGER_TITLES
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, parse_amount, plain_amount
from ventiuna.notation.json_format import (
    as_amount,
    as_result,
    as_stake,
    as_stated_wager,
    as_total,
    named_wager,
    parse_hand,
    parse_json,
    refuse_shared_names,
    stored_rules,
)
from ventiuna.notation.records import (
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
)
from ventiuna.notation.writer import COMMENT, QUOTED, unquoted
from ventiuna.rules import Rules, RulesError
from ventiuna.rules.options import did_you_mean
from ventiuna.rules.text.phrases import join_words
from ventiuna.texts import one_line

# --- Cards written without a suit ---

_RANK_ALONE = re.compile(r"(?<![^\s/])(10|[2-9AaTtJjQqKk])(?![^\s/])")


class SuitFiller:
    """Supplies a suit for every card that lacks one."""

    def __init__(self, suit: str) -> None:
        self.suit = suit

    def of_players(self, text: str, begun: int | None = None) -> str:
        """Add suits to `8 3h / hit 2`; `begun` is the known first card of a split hand."""
        first = text.split(None, 1)[:1]
        if begun is not None and first and _RANK_ALONE.fullmatch(first[0]):
            rank, rest = text.split(None, 1) if " " in text else (text, "")
            if rank.upper().replace("10", "T") == card_text(begun)[0]:
                text = f"{card_text(begun)} {rest}"
        return self.fill(text)

    def fill(self, text: str) -> str:
        """Add suits to `K 9 / 2`."""
        return _RANK_ALONE.sub(rf"\g<1>{self.suit}", text)


def fill_suits(data: object, suits: SuitFiller) -> object:
    """Add suits to every card of a worked round's JSON; its reader reports any errors."""
    if not isinstance(data, Mapping):
        return data
    filled = dict(data)
    dealer = data.get("dealer")
    if isinstance(dealer, Mapping):
        filled["dealer"] = _fill_fields(dealer, suits.fill, "up", "down", "draws")
    seats = data.get("seats")
    if isinstance(seats, list):
        filled["seats"] = [
            _fill_fields(seat, suits.of_players, "dealt", "hands")
            if isinstance(seat, Mapping)
            else seat
            for seat in seats
        ]
    return _fill_fields(filled, suits.fill, "bonus_cards")


def _fill_fields(
    data: Mapping[str, object], fill: Callable[[str], str], *keys: str
) -> dict[str, object]:
    filled = dict(data)
    for key in keys:
        found = data.get(key)
        if isinstance(found, str):
            filled[key] = fill(found)
        elif isinstance(found, list):
            filled[key] = [fill(each) if isinstance(each, str) else each for each in found]
    return filled


MAX_LINES = 1_000  # limit per round; seven spots with all splits need about 100
_ROUND = re.compile(rf'^round(?:\s+({QUOTED.pattern}|[^:\s"]+))?\s*(?::\s*(.*))?$')
_SPOT = re.compile(r"^spot\s+([0-9]{1,9})\s*(?=\S)")
_METER = re.compile(r"^meter\s+([0-9]{1,9})\s*:\s*(\S+)(?:\s+rest\s+([0-9]{1,9}))?$")
_FIELD = re.compile(
    r"^(rules data|rules|fingerprint|dealer|bonus cards|order|meters after)\s*:(.*)$"
)
_IN_QUOTES = re.compile(r"'([^']+)'")
_JACKPOT_NAME = re.compile(r"jackpot-([0-9]{1,9})")
_PLACED = ("base", "insurance", *WAGER_TITLES, "jackpot-1", "jackpot-2")  # wager words


def read_rounds(text: str) -> list[RoundRecord]:
    """Parse all rounds in the text; each starts with a line `round …`.

    >>> from ventiuna import Table
    >>> [record] = read_rounds(Table("wsgc-2021", seed=1).play_round().text)
    >>> record.rules.name
    'wsgc-2021'
    """
    if not isinstance(text, str):
        raise NotationError("text: must be a string, such as the result of write_round")
    blocks = round_blocks(text)
    if not blocks:
        raise NotationError("no round found: a round starts with a line 'round 1'")
    return [RoundReader(block).read() for block in blocks]


Block = list[tuple[int, str]]  # numbered lines of one round


def round_blocks(text: str) -> list[Block]:
    """Split text into rounds, keeping indentation and dropping comments and empty lines."""
    blocks: list[Block] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = COMMENT.split(raw)[0].rstrip()
        if not line.strip():
            continue
        if _ROUND.match(line.strip()) or not blocks:
            blocks.append([])
        blocks[-1].append((number, line))
    return blocks


class RoundReader:
    """Reads the lines of one round."""

    def __init__(
        self, lines: Block, usual_rules: str = "", suits: SuitFiller | None = None
    ) -> None:
        self.lines = lines
        self.usual_rules = usual_rules  # rules for rounds that don't name any
        self.suits = suits  # suits for cards written without one
        self.places: dict[str, int] = {}  # line of each field and of each hand: "spot 1 hand 2"
        self.number = 0  # the current line's number
        self.fields: dict[str, str] = {}
        self.meters: dict[int, tuple[int, int]] = {}
        self.spots: list[SpotRecord] = []
        self.split_cards: list[int] = []  # first cards of the split hands still to come
        self.head = ("", "")

    def read(self) -> RoundRecord:
        if len(self.lines) > MAX_LINES:
            raise NotationError(
                f"line {self.lines[0][0]}: a round can have at most {MAX_LINES:,} lines; start "
                "each round with a line 'round 1'"
            )
        for number, line in self.lines:
            self.number = number
            try:
                self._line(line.strip())
            except (CardError, MoneyError, NotationError) as error:
                message = str(error)
                for word in _IN_QUOTES.findall(message):  # omit suits that we filled in
                    if word not in line and word[:-1] in line:
                        message = message.replace(f"'{word}'", f"'{word[:-1]}'")
                raise NotationError(
                    f"{_line_and_column(number, line, message)}: {message}"
                ) from None
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
                raise NotationError(
                    f"{found[1]}: this line appears twice in the round; write it once"
                )
            self.fields[found[1]] = found[2].strip()
            self.places[found[1]] = self.number
        elif self.spots:
            self._hand(line)
        else:
            raise NotationError(
                f"{line!r}: a line must start with round, rules, dealer, spot, net …"
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
                f"spot {number}: two spots have this number; number them differently"
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
            raise NotationError(
                f"meter {game}: this line appears twice in the round; write it once"
            )
        if rest >= SHARES:
            raise NotationError(
                f"meter {game}: the rest must be ten-thousandths of a cent, from 0 to "
                f"{SHARES - 1:,} (O-18)"
            )
        self.meters[game] = (as_total(amount, f"meter {game}"), rest)

    def _net(self, text: str) -> None:
        if not self.spots:
            raise NotationError("net: this line must follow a spot")
        spot = self.spots.pop()
        if spot.net is not None:
            raise NotationError(
                f"net: this line appears twice for spot {spot.number}; write it once"
            )
        stated: dict[str, tuple[int, ...]] = {}
        for part in filter(str.strip, text.split(";")):
            wager, results = _wager_and_rest(part)
            if wager in stated:
                raise NotationError(f"net {wager}: this wager appears twice; write it once")
            stated[wager] = tuple(
                as_result(text, f"net {wager}") for text in results.split(" and ")
            )
        self.spots.append(replace(spot, net=stated))

    def _cards(self, field: str, text: str) -> tuple[int, ...]:
        try:
            return parse_cards(self.suits.fill(text) if self.suits else text)
        except CardError as error:
            raise NotationError(f"{self._place_of(field, str(error))}: {error}") from None

    def _place_of(self, field: str, message: str = "") -> str:
        number = self.places[field]
        line = next(line for at, line in self.lines if at == number)
        return _line_and_column(number, line, message)

    def _dealer(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Parse the up card and down card, and the cards drawn."""
        first, _, draws = self.fields["dealer"].partition("/")
        dealt = self._cards("dealer", first)
        if len(dealt) != 2:
            place = self._place_of("dealer")
            raise NotationError(
                f"{place}: dealer: write the up card and the down card, then / and any cards drawn"
            )
        return dealt, self._cards("dealer", draws)

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
            bonus_cards=self._cards("bonus cards", self.fields.get("bonus cards", "")),
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
            else tuple(as_result(text, "meters after") for text in after.split(";")),
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


def _line_and_column(number: int, line: str, message: str) -> str:
    """Return `line 4, column 9`, the position of the quoted word, or else of the line."""
    words = [*_IN_QUOTES.findall(message), message.partition(":")[0]]
    column = next((line.index(word) for word in words if word and word in line), None)
    if column is None:
        column = len(line) - len(line.lstrip())
    return f"line {number}, column {column + 1}"


def _with_wagers(spot: SpotRecord, text: str) -> SpotRecord:
    named: set[str] = set()
    for wager in text.split(","):
        word, _, amount = wager.strip().partition(" ")
        if found := _JACKPOT_NAME.fullmatch(word):
            word = f"jackpot-{int(found[1])}"
        if word in named:
            raise NotationError(f"{word}: this wager appears twice; write it once")
        named.add(word)
        spot = _with_wager(spot, word, amount.strip())
    return spot


def _with_wager(spot: SpotRecord, word: str, amount: str) -> SpotRecord:
    if word == "base":
        return replace(spot, base=as_amount(amount, word))
    if word == "insurance":
        return replace(spot, insurance=as_amount(amount, word))
    if found := _JACKPOT_NAME.fullmatch(word):
        return replace(spot, jackpots={**spot.jackpots, int(found[1]): as_stake(amount, word)})
    if word not in WAGER_TITLES:
        raise NotationError(f"wager {word!r}: {did_you_mean(word, _PLACED)}")
    return replace(spot, mtd={**spot.mtd, word: as_stake(amount, word)})


def _wager_and_rest(text: str) -> tuple[str, str]:
    """Split `mtd up -5.00` into the wager, or the total, and the rest."""
    words = text.split()
    if len(words) < 2:
        raise NotationError(f"net {text.strip()!r}: write a wager and its result")
    names = (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
    unknown = " ".join(words[: 2 if words[0] in ("mtd", "jackpot") else 1])
    name = next(filter(named_wager, names), unknown)
    return as_stated_wager(name, "net"), " ".join(words[len(name.split()) :])


def _payment(text: str) -> StatedPayment:
    """Parse `Ann mtd up -5.00`: person, wager, amount."""
    rest, _, result = text.strip().rpartition(" ")
    words = rest.rsplit(None, 2)
    for count in (1, 2):
        wager = " ".join(words[-count:])
        name = rest.rsplit(None, count)[0].strip() if len(words) > count else ""
        if name and wager in tuple(Wager):
            return StatedPayment(
                unquoted(name), Wager(wager), as_result(result, f"order {text.strip()!r}")
            )
    raise NotationError(f"order {text.strip()!r}: write a name, a wager and its result")


# --- A line of wagers such as `10 up 5 j1` ---

NO_WAGER = ("-", "0", "none")
MAX_WORD_LENGTH = 20
_JACKPOT_WORD = re.compile(r"(?:j|jackpot)-?([0-9]?)")
_NOT_OFFERED = 1  # cents wagered, so that the engine explains why there is no such jackpot


class WagerLineError(VentiunaError, ValueError):
    """A line without valid wagers."""


@dataclass(frozen=True, slots=True)
class SpotWagers:
    """The wagers of one spot; a base of 0 means sitting the round out."""

    base: int
    mtd: dict[str, int] = field(default_factory=dict)
    jackpots: dict[int, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not (self.base or self.mtd or self.jackpots)

    def command(self, spot: int, person: str) -> PlaceWagers:
        return PlaceWagers(spot, self.base, person, self.mtd, self.jackpots)

    def __str__(self) -> str:
        words = [plain_amount(self.base)]
        words += [f"{name} {plain_amount(amount)}" for name, amount in self.mtd.items()]
        words += [f"j{game}" for game in self.jackpots]
        return " ".join(words)


def wagers_text(wagers: list[SpotWagers]) -> str:
    """Return the line that places these wagers again."""
    if len(set(map(str, wagers))) == 1:
        return str(wagers[0])
    return " / ".join(map(str, wagers))


def parse_wagers(line: str, rules: Rules, spots: int) -> list[SpotWagers]:
    """Parse one set of wagers for all spots, or one per spot separated by `/`."""
    parts = line.split("/")
    if len(parts) == 1:
        return [_spot_wagers(line, rules)] * spots
    if len(parts) != spots:
        raise WagerLineError(
            f"You entered wagers for {len(parts)} spots but are playing {spots}. Write one for "
            "each spot, separated by /, or one for all."
        )
    return [_spot_wagers(part, rules) for part in parts]


def _spot_wagers(text: str, rules: Rules) -> SpotWagers:
    words = text.replace("=", " ").replace(";", " ").lower().split()
    words = [stripped for word in words if (stripped := word.rstrip(","))]
    if not words:
        raise WagerLineError(
            "Write the wagers for every spot, such as 10 / 25. To sit out, write 0."
        )
    if len(words) == 1 and words[0] in NO_WAGER:
        return SpotWagers(0)
    if words[0] in WAGER_TITLES or _JACKPOT_WORD.fullmatch(words[0]):
        words.insert(0, "0")  # side bets only: the engine refuses them with the rule
    if not re.match(r"[-+$.]?[0-9]", words[0]):
        quoted = quoted_word(words[0])
        raise WagerLineError(f"{quoted} isn't a wager. Type an amount such as 10, or help.")
    base = _wager_amount("base wager", words[0])
    mtd: dict[str, int] = {}
    jackpots: dict[int, int] = {}
    rest = words[1:]
    while rest:
        name = rest.pop(0)
        if found := _JACKPOT_WORD.fullmatch(name):
            game = int(found[1] or 1)
            if game in jackpots:
                raise WagerLineError(f"{name} appears twice. Write each wager once.")
            jackpots[game] = _jackpot_amount(rules, game, rest)
        elif name in WAGER_TITLES:
            if name in mtd:
                raise WagerLineError(f"{name} appears twice. Write each wager once.")
            if not rest:
                raise WagerLineError(f"{name} needs an amount, such as {name} 5.")
            mtd[name] = _wager_amount(name, rest.pop(0))
        else:
            raise WagerLineError(
                f"{quoted_word(name)} isn't a wager. "
                f"After the base wager, write {_side_wagers(rules)}."
            )
    return SpotWagers(base, mtd, jackpots)


def _jackpot_amount(rules: Rules, game: int, rest: list[str]) -> int:
    """Return the game's fixed wager unless the line gives a different amount."""
    if rest and re.match(r"[-$]?[0-9]", rest[0]):
        return _wager_amount(f"jackpot {game}", rest.pop(0))
    if 1 <= game <= len(rules.jackpots):
        return rules.jackpots[game - 1].wager
    return _NOT_OFFERED


def _wager_amount(what: str, word: str) -> int:
    try:
        return parse_amount(word)
    except MoneyError as error:
        raise WagerLineError(f"{what}: {one_line(str(error))}.") from None


def quoted_word(word: str) -> str:
    """Return the start of a user's entry in quotes, for a message."""
    return one_line(repr(word[:MAX_WORD_LENGTH]))


def _side_wagers(rules: Rules) -> str:
    """Return the words for the other wagers that this table offers."""
    words = [f"{name} 5" for name in rules.mtd_wagers]
    words += [f"j{game}" for game in range(1, len(rules.jackpots) + 1)]
    return join_words(words, "or") or "nothing at this table"
