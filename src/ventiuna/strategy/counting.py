"""Card counting as data: tags, a bet ramp, index plays, insurance.

title = "Level one, balanced"
count = "true"                      # or "running"
start = -4                          # running count of a new shoe, per deck; default: minus the sum
                                    # of a deck's tags
insurance_at = 8                    # default: as in the chart
insurance_weights = [1, 0]          # insure by 1 * main count + 0 * sevens; default: as for bets
rules = "wsgc-spanish-21"           # the rules it was made for, with their fingerprint; optional
[tags]                              # what each card adds
"2" = 1
"A" = -1
"7s" = 2                            # a card that differs from others of its value
[[sides]]                           # a side count
name = "sevens"
weight = 0.5                        # its weight in the count for bets and plays
start = -4                          # for a new shoe, per deck; default: as for the main count
[sides.tags]
"7" = 1
[[bets]]                            # from this count up, this many base wagers
at = 1
wagers = 4
[[plays]]                           # from this count up, this play
hand = "hard 16"                    # hard, soft or pair
up = "10"
weights = [1, 2]                    # by 1 * main count + 2 * sevens; default: as for bets
at = 2
play = "S"
[[plays]]
hand = "hard 12"
cards = "2-3"                       # with this many cards; default: any number
up = "4"
below = -1                          # the play applies below this count, not at or above it
play = "H"
[[plays]]
hand = "hard 16"
after = "double"                    # as in [doubled] of a chart; default: undoubled hands
up = "8"
at = 3
play = "R"
[[plays]]
hand = "hard 13"
bonus = "6-7-8 of spades"           # two cards that can still win it; "none": hands that can't win
up = "2"                            # a bonus by their suits; default: all hands
at = 9
play = "S"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from ventiuna.cards import CardError, Pack, parse_card
from ventiuna.core import actions
from ventiuna.core.cards import CARDS, Hand, best_total, is_equal_value_pair, is_soft, value_of
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.simulate.layout import INDEX_PLAYS, LEVELS
from ventiuna.rules import Rules, fingerprint
from ventiuna.strategy.chart import (
    DOUBLED_LETTERS,
    Bonus,
    FileReader,
    TomlContent,
    bonus_of,
    built_in_files,
    read_file,
    user_text,
)
from ventiuna.strategy.protocol import PlanError

# --- Index plays ---

Weights = tuple[Fraction, ...]
MAX_HAND_CARDS = 21
_UNDOUBLED_PLAYS = {
    "H": actions.HIT,
    "S": actions.STAND,
    "D": actions.DOUBLE,
    "P": actions.SPLIT,
    "R": actions.SURRENDER,
}
_DOUBLED_PLAYS = {letter: wanted[0] for letter, wanted in DOUBLED_LETTERS.items()}


class After(StrEnum):
    """The deal, split or double that a hand must come from for a play to apply."""

    ANY = ""  # not doubled
    DEAL = "deal"
    SPLIT = "split"
    SPLIT_ACES = "split of aces"
    DOUBLE = "double"
    SECOND_DOUBLE = "second double"
    THIRD_DOUBLE = "third double"

    @property
    def doublings(self) -> int:
        return AFTER_BY_DOUBLINGS.index(self) if self in AFTER_BY_DOUBLINGS else 0

    @property
    def words(self) -> str:
        if self == After.ANY:
            return ""
        return "as dealt" if self == After.DEAL else f"after a {self}"

    def concerns(self, shape: Hand) -> bool:
        if self.doublings != shape.doublings:
            return False
        if self == After.DEAL:
            return not shape.split
        if self in (After.SPLIT, After.SPLIT_ACES):
            return bool(shape.split) and bool(shape.split_ace) == (self == After.SPLIT_ACES)
        return True


AFTER_BY_DOUBLINGS = (
    After.ANY,
    After.DOUBLE,
    After.SECOND_DOUBLE,
    After.THIRD_DOUBLE,
)  # actions by number of doublings


@dataclass(frozen=True)
class IndexPlay:
    kind: str  # hard, soft, pair
    number: int  # total, or value of the pair's cards
    up: int  # value of the up card
    at: Fraction
    action: int
    is_below: bool = False  # the play applies below the count, not at or above it
    fewest: int = 2  # minimum number of cards in the hand
    most: int = MAX_HAND_CARDS
    after: After = After.ANY
    weights: Weights = ()  # weights of main and side counts; () for the betting weights
    bonus: Bonus = Bonus.ANY  # a bonus that the hand can still win

    def concerns(self, rules: RuleTable, shape: Hand, up: int) -> bool:
        if not self.is_of_row(shape, up):
            return False
        return self.bonus == Bonus.ANY or self.bonus == bonus_of(rules, shape, up)

    def is_of_row(self, shape: Hand, up: int) -> bool:
        """Whether the hand is in this row and column, no matter which bonus it can still win."""
        if not self.after.concerns(shape) or value_of(up) != self.up:
            return False
        if not self.fewest <= shape.cards <= self.most:
            return False
        if self.kind == "pair":
            return is_equal_value_pair(shape) and shape.hard == 2 * self.number
        total = best_total(shape.hard, shape.aces)
        return total == self.number and is_soft(shape.hard, shape.aces) == (self.kind == "soft")

    def action_among(self, legal: int) -> int | None:
        """The action, if legal; "R" on a doubled hand is a rescue or a surrender."""
        preferred: tuple[int, ...] = (self.action,)
        if self.after.doublings and self.action in DOUBLED_LETTERS["R"]:
            preferred = DOUBLED_LETTERS["R"]
        return next((action for action in preferred if legal >> action & 1), None)


def play_letter(action: int) -> str:
    """The letter for an action in a count file."""
    known = (*_UNDOUBLED_PLAYS.items(), *_DOUBLED_PLAYS.items())
    return next(letter for letter, meant in known if meant == action)


Tags = tuple[Fraction, ...]
CardTags = tuple[tuple[int, Fraction], ...]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
FACES = ("J", "Q", "K")
_HAND = re.compile(r"(hard|soft|pair) ([0-9]{1,2}|A)")
_CARDS = re.compile(r"([2-9])(?:-([2-9])|(\+))?")
HUNDREDTHS = 100
WordEnum = TypeVar("WordEnum", bound=StrEnum)
MAX_SIDE_COUNTS = 4
_MAX_NUMBER = 1000
# Keys that a row may have.
_SIDE_KEYS = ("name", "weight", "start", "tags")
_BET_KEYS = ("at", "wagers")
_PLAY_KEYS = ("hand", "up", "play", "at", "below", "cards", "after", "bonus", "weights")


@dataclass(frozen=True)
class Bet:
    at: Fraction
    wagers: int


@dataclass(frozen=True)
class SideCount:
    """A side count, with its weight in the count for bets and plays."""

    name: str
    weight: Fraction
    tags: tuple[Fraction, ...]  # by value, ace first
    card_tags: tuple[tuple[int, Fraction], ...] = ()
    start: Fraction | None = None  # start per deck; None for minus the sum of a deck's tags

    def tag(self, card: int) -> Fraction:
        return dict(self.card_tags).get(card, self.tags[value_of(card) - 1])

    def start_in(self, pack: Pack) -> Fraction:
        """Running count of a new shoe, per deck."""
        return _start_in(pack, self.start, self.tag)


@dataclass(frozen=True)
class Count:
    name: str
    title: str
    is_true: bool
    start: Fraction | None  # start per deck; None for minus the sum of a deck's tags
    tags: tuple[Fraction, ...]  # by value, ace first
    bets: tuple[Bet, ...]  # in rising order; the first applies from the lowest count up
    plays: tuple[IndexPlay, ...]
    insurance_at: Fraction | None
    insurance_weights: Weights = ()  # weights of main and side counts; () for the betting weights
    # Cards whose tag differs from the usual tag of their value.
    card_tags: tuple[tuple[int, Fraction], ...] = ()
    sides: tuple[SideCount, ...] = ()
    rules: str = ""  # canonical string and fingerprint of the rules it was made for
    fingerprint: str = ""

    def main_tag(self, card: int) -> Fraction:
        """The tag of this card in the main count."""
        return dict(self.card_tags).get(card, self.tags[value_of(card) - 1])

    @property
    def weights(self) -> Weights:
        """Weights of main and side counts for betting, and for plays without their own weights."""
        return (Fraction(1), *(side.weight for side in self.sides))

    def part_tags(self, card: int) -> tuple[Fraction, ...]:
        """The tags of this card in the main count and in each side count."""
        return (self.main_tag(card), *(side.tag(card) for side in self.sides))

    def part_starts(self, pack: Pack) -> tuple[Fraction, ...]:
        """Running counts of a new shoe, per deck: main count, then side counts."""
        main = _start_in(pack, self.start, self.main_tag)
        return (main, *(side.start_in(pack) for side in self.sides))

    def tag(self, card: int, weights: Weights = ()) -> Fraction:
        """The tag of this card in the count with these weights (default: the betting weights)."""
        return _product(weights or self.weights, self.part_tags(card))

    def start_in(self, pack: Pack, weights: Weights = ()) -> Fraction:
        """Running count of a new shoe, per deck, for the sum with these weights."""
        return _product(weights or self.weights, self.part_starts(pack))

    @cached_property
    def part_scale(self) -> int:
        """Factor that turns the tags and starts of all counts into whole numbers."""
        tags = (tag for card in range(CARDS) for tag in self.part_tags(card))
        starts = (self.start, *(side.start for side in self.sides))
        return _whole_scale((*tags, *(start for start in starts if start is not None)))

    @cached_property
    def weight_scale(self) -> int:
        """Factor that turns all weights into whole numbers."""
        own = (weight for play in self.plays for weight in play.weights)
        return _whole_scale((*self.weights, *self.insurance_weights, *own))

    @property
    def scale(self) -> int:
        """Factor that turns the tags and start of every weighted sum into whole numbers."""
        return self.part_scale * self.weight_scale

    @property
    def has_own_weights(self) -> bool:
        """Whether insurance or any play uses weights other than the betting weights."""
        return bool(self.insurance_weights) or any(play.weights for play in self.plays)

    def drift(self, pack: Pack, weights: Weights = ()) -> Fraction:
        """The sum of the tags over one deck; 0 if the count is balanced for the pack."""
        return sum((self.tag(card, weights) for card in pack.cards), Fraction(0))

    def misfit(self, pack: Pack) -> str:
        """A warning if the count drifts as cards are dealt, otherwise "".

        A running count with its own start is meant to drift.
        """
        drift, start = self.drift(pack), self.start_in(pack)
        if not drift or start == -drift or (start and not self.is_true):
            return ""
        return (
            f"The tags of the count {self.name} add up to {float(drift):+g} in a deck of this "
            f"pack, but it starts at {float(start):+g} per deck, so it drifts as cards are dealt "
            f"and its bets and plays are off. Remove start from its file, or set it to {-drift}."
        )

    def unlike(self, rules: Rules) -> str:
        """A warning if the count was made for different rules, otherwise ""."""
        ours = fingerprint(rules)
        if self.fingerprint in ("", ours):
            return ""
        return (
            f"The count {self.name} was made for {self.rules or 'rules'} with fingerprint "
            f"{self.fingerprint}, but these rules have {ours}, so its indices may be off. Design "
            "a count for them with 'ventiuna count design'."
        )

    def threshold(self, at: Fraction) -> int:
        """A threshold in hundredths of a scaled tag, as the kernel compares it."""
        return int(at * HUNDREDTHS * self.scale)


def _start_in(pack: Pack, start: Fraction | None, tag: Callable[[int], Fraction]) -> Fraction:
    if start is not None:
        return start
    return -sum(map(tag, pack.cards), Fraction(0))


def _product(weights: Weights, parts: Sequence[Fraction]) -> Fraction:
    pairs = zip(weights, parts, strict=True)
    return sum((weight * part for weight, part in pairs), Fraction(0))


def _whole_scale(numbers: Iterable[Fraction]) -> int:
    """The smallest product of twos and fives that turns all of these into whole numbers."""
    scale = 1
    for number in numbers:
        while (number * scale).denominator != 1:
            scale *= 2 if (number * scale).denominator % 2 == 0 else 5
    return scale


class _CountReader(FileReader):
    def number(self, place: str, value: object) -> Fraction:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(place, value, "must be a number", "Write a number such as 2 or 0.5.")
            return Fraction(0)
        # NaN and infinity also fail the comparison, and huge numbers are never expanded.
        found = Fraction(str(value)) if abs(value) <= _MAX_NUMBER else None
        if found is None or (found * HUNDREDTHS).denominator != 1:
            self.wrong(
                place,
                value,
                f"must be at most {_MAX_NUMBER}, with at most two decimals",
                "Round it.",
            )
            return Fraction(0)
        return found

    def start(self, place: str, part: TomlContent) -> Fraction | None:
        """Read a start; None if omitted, because it depends on the pack."""
        return self.number(place, part["start"]) if "start" in part else None

    def count(self) -> Count:
        self.check_keys(
            "count",
            (
                "title",
                "count",
                "start",
                "tags",
                "sides",
                "bets",
                "plays",
                "insurance_at",
                "insurance_weights",
                "rules",
                "fingerprint",
            ),
        )
        kind = self.data.get("count", "true")
        if kind not in ("true", "running"):
            self.wrong("count", kind, "not a kind of count", "Use true or running.")
        insurance = self.data.get("insurance_at")
        tags, card_tags = self.tags("tags", self.data.get("tags"))
        count = Count(
            name=self.name,
            title=self.text("title", self.name),
            is_true=kind == "true",
            start=self.start("start", self.data),
            tags=tags,
            card_tags=card_tags,
            sides=self.sides(),
            rules=self.text("rules"),
            fingerprint=self.text("fingerprint"),
            bets=self.bets(),
            plays=self.plays(),
            insurance_at=None if insurance is None else self.number("insurance_at", insurance),
            insurance_weights=self.weights("insurance_weights", self.data.get("insurance_weights")),
        )
        if self.problems:
            raise PlanError(self.problems)
        return count

    def tags(self, place: str, part: object) -> tuple[Tags, CardTags]:
        """Tags by value, plus those of cards and faces whose tag differs from their value's."""
        if not isinstance(part, Mapping):
            self.wrong(place, "", "required", 'Add tags such as "2" = 1.')
            return (), ()
        unlike: dict[int, Fraction] = {}
        for name in sorted((name for name in part if name not in RANKS), key=str):
            for card in self.cards(place, name):
                unlike[card] = self.number(f"{place}.{name}", part[name])
        found = tuple(self.number(f"{place}.{rank}", part.get(rank, 0)) for rank in RANKS)
        return found, tuple(sorted(unlike.items()))

    def cards(self, place: str, name: str) -> tuple[int, ...]:
        """All cards of a face, or a single card."""
        try:
            if name in FACES:
                return tuple(parse_card(f"{name}{suit}") for suit in "cdhs")
            return (parse_card(name),)
        except CardError:
            fix = f"Use {', '.join((*RANKS, *FACES))} or a card such as 7s."
            self.wrong(place, name, "not a rank or card", fix)
            return ()

    def sides(self) -> tuple[SideCount, ...]:
        found = []
        for row in self.rows("sides", MAX_SIDE_COUNTS, _SIDE_KEYS):
            tags, card_tags = self.tags("sides.tags", row.get("tags"))
            name = user_text(row.get("name", "side count"))
            weight = self.number("sides.weight", row.get("weight", 1))
            start = self.start("sides.start", row)
            found.append(SideCount(name, weight, tags, card_tags, start))
        return tuple(found)

    def weights(self, place: str, value: object) -> Weights:
        """One number for the main count and one per side count; the betting weights by default."""
        if value is None:
            return ()
        sides = self.data.get("sides", [])
        expected = 1 + (len(sides) if isinstance(sides, list) else 0)
        if not isinstance(value, list) or len(value) != expected:
            fix = f"List {expected}: one for the main count and one for each side count."
            self.wrong(place, user_text(value), "must be a list of weights", fix)
            return ()
        return tuple(self.number(place, weight) for weight in value)

    def rows(self, name: str, maximum: int, known: Sequence[str]) -> list[TomlContent]:
        rows = self.data.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            self.wrong(name, "", "must be a list of rows", f"Write each as [[{name}]].")
            return []
        if len(rows) > maximum:
            self.wrong(name, len(rows), f"must have at most {maximum} rows", "Remove some rows.")
        for key in dict.fromkeys(key for row in rows for key in row if key not in known):
            fix = f"Choose from: {', '.join(known)}."
            self.wrong(f"{name}.{key}", "", f"no such field in a row of {name}", fix)
        return rows

    def bets(self) -> tuple[Bet, ...]:
        bets = [Bet(Fraction(-1000), 1)]
        for row in self.rows("bets", LEVELS - 1, _BET_KEYS):
            wagers = row.get("wagers")
            if isinstance(wagers, bool) or not isinstance(wagers, int) or not 1 <= wagers <= 1000:
                self.wrong(
                    "bets.wagers", wagers, "must be a whole number from 1 to 1000", "Correct it."
                )
                continue
            bets.append(Bet(self.number("bets.at", row.get("at")), wagers))
        for bet, following in pairwise(sorted(bet.at for bet in bets)):
            if bet == following:
                self.wrong("bets.at", f"{float(bet):g}", "two bets have this count", "Keep one.")
        return tuple(sorted(bets, key=lambda bet: bet.at))

    def plays(self) -> tuple[IndexPlay, ...]:
        plays = []
        for row in self.rows("plays", INDEX_PLAYS, _PLAY_KEYS):
            found = _HAND.fullmatch(user_text(row.get("hand")))
            if not found or (found[2] == "A") != (found[1] == "pair" and found[2] == "A"):
                self.wrong(
                    "plays.hand", row.get("hand"), "not a hand", "Write hard 16, soft 18 or pair 8."
                )
                continue
            if row.get("up") not in RANKS:
                self.wrong("plays.up", row.get("up"), "not an up card", f"Use {', '.join(RANKS)}.")
                continue
            after = self.word("after", row, After.ANY, "not one of the choices")
            letters = _DOUBLED_PLAYS if after.doublings else _UNDOUBLED_PLAYS
            if row.get("play") not in letters:
                fix = f"Use one of {', '.join(letters)}."
                self.wrong("plays.play", row.get("play"), "not a play", fix)
                continue
            fewest, maximum = self.numbers_of_cards(row.get("cards"))
            problem = "not a bonus that two cards can still win"
            bonus = self.word("bonus", row, Bonus.ANY, problem)
            if bonus.is_named and (fewest > 2 or after.doublings):
                fix = "Remove bonus, or cards and after."
                self.wrong(
                    "plays.bonus", bonus, "only two cards that aren't doubled can still win it", fix
                )
                continue
            if ("at" in row) == ("below" in row):
                fix = "Write at = 2 or below = -1."
                self.wrong("plays.at", "", "a play needs either at or below", fix)
                continue
            place = "below" if "below" in row else "at"
            plays.append(
                IndexPlay(
                    kind=found[1],
                    number=1 if found[2] == "A" else int(found[2]),
                    up=RANKS.index(str(row["up"])) + 1,
                    at=self.number(f"plays.{place}", row[place]),
                    action=letters[str(row["play"])],
                    is_below=place == "below",
                    fewest=fewest,
                    most=maximum,
                    after=after,
                    weights=self.weights("plays.weights", row.get("weights")),
                    bonus=bonus,
                )
            )
        return tuple(plays)

    def word(self, key: str, row: TomlContent, left_out: WordEnum, problem: str) -> WordEnum:
        """Read one of the enum's words."""
        kind, value = type(left_out), row.get(key, "")
        try:
            return kind(user_text(value))
        except ValueError:
            fix = f"Use {', '.join(word for word in kind if word)}, or leave it out."
            self.wrong(f"plays.{key}", value, problem, fix)
            return left_out

    def numbers_of_cards(self, value: object) -> tuple[int, int]:
        """Parse `3`, `2-3` or `4+`; if omitted, any number."""
        if value is None:
            return 2, MAX_HAND_CARDS
        found = _CARDS.fullmatch(user_text(value))
        if not found or (found[2] and int(found[2]) < int(found[1])):
            self.wrong("plays.cards", value, "not a number of cards", "Write 3, 2-3 or 4+.")
            return 2, MAX_HAND_CARDS
        fewest = int(found[1])
        return fewest, MAX_HAND_CARDS if found[3] else int(found[2] or fewest)


def read_count(name: str, data: TomlContent) -> Count:
    """Read a count from the content of its file; all problems are reported together."""
    return _CountReader(name, data).count()


def started_at(count: Count, value: object) -> Count:
    """The count with a different start per deck, given as a number or text."""
    reader = _CountReader(count.name, {})
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        number = value
    start = reader.number("start", number)
    if reader.problems:
        raise PlanError(reader.problems)
    return replace(count, start=start)


def load_count(path: str | Path) -> Count:
    """Load a user's count file."""
    place = Path(path)
    return read_count(place.name, read_file(place))


@cache
def built_in_counts() -> dict[str, Count]:
    return {name: read_count(name, data) for name, data in built_in_files("counts").items()}
