"""Card counting as data: tags, a ramp of bets, index plays, insurance.

title = "Level one, balanced"
count = "true"                      # or "running"
start = 0                           # running count of a new shoe, for each deck
insurance_at = 8                    # left out: as the chart says
[tags]                              # what seeing a card adds
"2" = 1
"A" = -1
[[bets]]                            # from this count on so many base wagers
at = 1
wagers = 4
[[plays]]                           # from this count on this play
hand = "hard 16"                    # hard, soft or pair
up = "10"
at = 2
play = "S"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

from ventiuna.cards import Pack
from ventiuna.core import actions
from ventiuna.core.cards import value_of
from ventiuna.core.hand import Hand, best_total, is_equal_value_pair, is_soft
from ventiuna.kernels.simulate.layout import INDEX_PLAYS, LEVELS
from ventiuna.strategy.errors import PlanError
from ventiuna.strategy.toml_files import Content, Reader, built_in_files, read_file, shown

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_HAND = re.compile(r"(hard|soft|pair) ([0-9]{1,2}|A)")
_PLAYS = {
    "H": actions.HIT,
    "S": actions.STAND,
    "D": actions.DOUBLE,
    "P": actions.SPLIT,
    "R": actions.SURRENDER,
}
HUNDREDTHS = 100
_LARGEST = 1000


@dataclass(frozen=True)
class IndexPlay:
    kind: str  # hard, soft, pair
    number: int  # total, or value of the pair's cards
    up: int  # value
    at: Fraction
    action: int

    def concerns(self, shape: Hand, up: int) -> bool:
        if shape.doublings or value_of(up) != self.up:
            return False
        if self.kind == "pair":
            return is_equal_value_pair(shape) and shape.hard == 2 * self.number
        total = best_total(shape.hard, shape.aces)
        return total == self.number and is_soft(shape.hard, shape.aces) == (self.kind == "soft")


@dataclass(frozen=True)
class Bet:
    at: Fraction
    wagers: int


@dataclass(frozen=True)
class Count:
    name: str
    title: str
    is_true: bool
    start: Fraction  # for each deck
    tags: tuple[Fraction, ...]  # by value, ace first
    bets: tuple[Bet, ...]  # rising; the first holds from the lowest count on
    plays: tuple[IndexPlay, ...]
    insurance_at: Fraction | None

    @property
    def scale(self) -> int:
        """Makes tags and start whole numbers."""
        scale = 1
        for number in (*self.tags, self.start):
            while (number * scale).denominator != 1:
                scale *= 2 if (number * scale).denominator % 2 == 0 else 5
        return scale

    def drift(self, pack: Pack) -> Fraction:
        """What the tags of one deck add up to: 0 where the count balances on the pack."""
        return sum((self.tags[value_of(card) - 1] for card in pack.cards), Fraction(0))

    def misfit(self, pack: Pack) -> str:
        """One sentence where the count drifts with the cards dealt; "" where it balances.

        A running count that starts elsewhere than at 0 was made to drift.
        """
        drift = self.drift(pack)
        if not drift or (self.start and not self.is_true):
            return ""
        return (
            f"The tags of the count {self.name} add up to {float(drift):+g} in a deck of this "
            "pack, not to 0: the count drifts as cards are dealt, and its bets and plays are off."
        )

    def threshold(self, at: Fraction) -> int:
        """In hundredths of a scaled tag, as the kernel compares it."""
        return int(at * HUNDREDTHS * self.scale)


class _Reader(Reader):
    def number(self, place: str, value: object) -> Fraction:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(place, value, "not a number", "Write a number such as 2 or 0.5.")
            return Fraction(0)
        # NaN and infinity fail the comparison too, and no huge number is written out.
        found = Fraction(str(value)) if abs(value) <= _LARGEST else None
        if found is None or (found * HUNDREDTHS).denominator != 1:
            self.wrong(place, value, f"at most two decimals and {_LARGEST}", "Round it.")
            return Fraction(0)
        return found

    def count(self) -> Count:
        self.check_keys(
            "count", ("title", "count", "start", "tags", "bets", "plays", "insurance_at")
        )
        kind = self.data.get("count", "true")
        if kind not in ("true", "running"):
            self.wrong("count", kind, "not a kind of count", "Use true or running.")
        insurance = self.data.get("insurance_at")
        count = Count(
            name=self.name,
            title=self.text("title", self.name),
            is_true=kind == "true",
            start=self.number("start", self.data.get("start", 0)),
            tags=self.tags(),
            bets=self.bets(),
            plays=self.plays(),
            insurance_at=None if insurance is None else self.number("insurance_at", insurance),
        )
        if self.problems:
            raise PlanError(self.problems)
        return count

    def tags(self) -> tuple[Fraction, ...]:
        part = self.data.get("tags")
        if not isinstance(part, Mapping):
            self.wrong("tags", "", "this part is missing", 'Give tags such as "2" = 1.')
            return ()
        for rank in part:
            if rank not in RANKS:
                self.wrong("tags", rank, "not a rank", f"Use {', '.join(RANKS)}.")
        return tuple(self.number(f"tags.{rank}", part.get(rank, 0)) for rank in RANKS)

    def rows(self, name: str, most: int) -> list[Content]:
        rows = self.data.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            self.wrong(name, "", "not a list of rows", f"Write each as [[{name}]].")
            return []
        if len(rows) > most:
            self.wrong(name, len(rows), f"at most {most} rows", "Take rows out.")
        return rows

    def bets(self) -> tuple[Bet, ...]:
        bets = [Bet(Fraction(-1000), 1)]
        for row in self.rows("bets", LEVELS - 1):
            wagers = row.get("wagers")
            if isinstance(wagers, bool) or not isinstance(wagers, int) or not 1 <= wagers <= 1000:
                self.wrong("bets.wagers", wagers, "a whole number from 1 to 1000", "Correct it.")
                continue
            bets.append(Bet(self.number("bets.at", row.get("at")), wagers))
        for bet, following in pairwise(sorted(bet.at for bet in bets)):
            if bet == following:
                self.wrong("bets.at", f"{float(bet):g}", "two bets from one count on", "Keep one.")
        return tuple(sorted(bets, key=lambda bet: bet.at))

    def plays(self) -> tuple[IndexPlay, ...]:
        plays = []
        for row in self.rows("plays", INDEX_PLAYS):
            found = _HAND.fullmatch(shown(row.get("hand")))
            if not found or (found[2] == "A") != (found[1] == "pair" and found[2] == "A"):
                self.wrong(
                    "plays.hand", row.get("hand"), "not a hand", "Write hard 16, soft 18 or pair 8."
                )
                continue
            if row.get("up") not in RANKS:
                self.wrong("plays.up", row.get("up"), "not an up card", f"Use {', '.join(RANKS)}.")
                continue
            if row.get("play") not in _PLAYS:
                self.wrong("plays.play", row.get("play"), "not a play", "Use H, S, D, P or R.")
                continue
            plays.append(
                IndexPlay(
                    kind=found[1],
                    number=1 if found[2] == "A" else int(found[2]),
                    up=RANKS.index(str(row["up"])) + 1,
                    at=self.number("plays.at", row.get("at")),
                    action=_PLAYS[str(row["play"])],
                )
            )
        return tuple(plays)


def read_count(name: str, data: Content) -> Count:
    """A count from the content of its file; every problem is reported at once."""
    return _Reader(name, data).count()


def load_count(path: str | Path) -> Count:
    """A user's count file."""
    place = Path(path)
    return read_count(place.name, read_file(place))


@cache
def built_in_counts() -> dict[str, Count]:
    return {name: read_count(name, data) for name, data in built_in_files("counts").items()}
