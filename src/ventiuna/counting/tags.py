"""A count's tags as text and by card, their distribution over a shoe, and the count's scale.

With n of N cards unseen and tags of mean m and variance v over the shoe, the true count has mean 0
(tags minus m, which corrects a count that drifts) and variance

    deck**2 * v * (N - n) / ((N - 1) * n)

exactly. Rounds begin at depths from the burn card to the cut card. Every depth is equally likely,
and a normal curve approximates the distribution at each (`Depths`).

A count's scale is relative to the true count of a balanced count. With d of D decks unseen, tags
that add up to u per deck and a running count that starts at s per deck, the running count at a
balanced true count t is

    (s + u) D - u d + t d

and the true count is that divided by d. If a count starts at -u and is divided, this is t - u at
every depth, and t itself if the count is balanced. Otherwise it depends on the depth; the depth
halfway to the cut card is used (`Scale`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.charts.page import FACES, TENS
from ventiuna.analysis.composition import fresh_composition
from ventiuna.cards import RANKS as RANK_LETTERS
from ventiuna.cards import Pack, card_text
from ventiuna.core.cards import CARDS, rank_of, value_of
from ventiuna.rules import Rules
from ventiuna.strategy.counting import RANKS, Count, SideCount, Weights, read_count
from ventiuna.strategy.protocol import plan_problem

Tags = tuple[Fraction, ...]  # by card, 52 in all


class CardClass(NamedTuple):
    """Cards that a counter doesn't distinguish."""

    name: str  # 7, 10, 7s
    cards: tuple[int, ...]


def value_name(value: int) -> str:
    return RANKS[value - 1]


def ten_name(pack: Pack) -> str:
    """Chart name of the ten-valued cards (R-007)."""
    return FACES if pack is Pack.SPANISH else TENS


def value_classes(pack: Pack) -> tuple[CardClass, ...]:
    """One class for each value: aces, twos … all ten-valued cards."""
    return tuple(
        CardClass(name, tuple(card for card in pack.cards if value_of(card) == value))
        for value, name in enumerate(RANKS, 1)
    )


def classes_by_suit(pack: Pack, distinguished: Sequence[str]) -> tuple[CardClass, ...]:
    """Value classes, with values or faces in `distinguished` separated by card: `7`, `K`."""
    found: list[CardClass] = []
    known = {*RANKS, *RANK_LETTERS[10:]}
    for name in distinguished:
        if name not in known:
            raise plan_problem("suits", name, "not a rank", f"Choose from {', '.join(RANKS)}.")
    for plain in value_classes(pack):
        single = [card for card in plain.cards if _is_distinct(card, distinguished)]
        rest = tuple(card for card in plain.cards if card not in single)
        found += [CardClass(card_text(card), (card,)) for card in single]
        if rest:
            found.append(CardClass(plain.name, rest))
    return tuple(found)


def _is_distinct(card: int, names: Sequence[str]) -> bool:
    return value_name(value_of(card)) in names or RANK_LETTERS[rank_of(card) - 1] in names


def tags_of(count: Count, weights: Weights = ()) -> Tags:
    """Tags by card, including side counts at these weights; the betting weights by default."""
    return tuple(count.tag(card, weights) for card in range(CARDS))


def distinguishing_tags(count: Count, pack: Pack) -> Tags:
    """Like `tags_of`, but reject tags that treat all cards of the pack alike."""
    tags = tags_of(count)
    if len({tags[card] for card in pack.cards}) == 1:
        raise plan_problem("tags", count.title, "all cards count the same", "Give different tags.")
    return tags


def parts_of(count: Count) -> tuple[Tags, ...]:
    """Tags by card of the main count and of each side count."""
    return tuple(zip(*map(count.part_tags, range(CARDS)), strict=True))


def read_tags(text: str, name: str = "tags") -> Count:
    """Parse tags from a command line: `2=1 3=1 10=-1 A=-1 7s=2`; unnamed cards count 0."""
    tags: dict[str, float] = {}
    for word in text.replace(",", " ").split():
        rank, separator, number = word.partition("=")
        rank = rank.upper() if rank.upper() in (*RANKS, "J", "Q", "K") else rank
        if rank in tags:
            raise plan_problem(name, word, f"the tag of {rank} is given twice", "Give it once.")
        try:
            tags[rank] = float(number)
        except ValueError:
            raise plan_problem(
                name, word, "not a tag", 'Write tags as "2=1 3=1 10=-1 A=-1".'
            ) from None
        if not separator:
            raise plan_problem(name, word, "not a tag", 'Write tags as "2=1 3=1 10=-1 A=-1".')
    numbers = {
        rank: int(number) if number.is_integer() else number for rank, number in tags.items()
    }
    return read_count(name, {"title": text, "tags": numbers})


def tags_text(tags: Mapping[str, Fraction] | Sequence[tuple[str, Fraction]]) -> str:
    """Format nonzero tags: `2=+1 3=+1 10=-1`."""
    pairs = tags.items() if isinstance(tags, Mapping) else tags
    return " ".join(f"{name}={number_text(tag, sign=True)}" for name, tag in pairs if tag) or "none"


def number_text(number: Fraction, sign: bool = False) -> str:
    """Format a tag as a decimal number.

    >>> number_text(Fraction(1, 2)), number_text(Fraction(-2), sign=True)
    ('0.5', '-2')
    """
    return f"{float(number):{'+' if sign else ''}g}"


def named_tags(count: Count | SideCount, pack: Pack) -> tuple[tuple[str, Fraction], ...]:
    """Tags by class: values, and single cards that differ from their value."""
    unlike = {card for card, _ in count.card_tags}
    tag = count.main_tag if isinstance(count, Count) else count.tag
    found: list[tuple[str, Fraction]] = []
    for plain in value_classes(pack):
        rest = [card for card in plain.cards if card not in unlike]
        found += [(card_text(card), tag(card)) for card in plain.cards if card in unlike]
        if rest:
            found.append((plain.name, tag(rest[0])))
    return tuple(found)


# --- True counts by depth ---

Floats = npt.NDArray[np.float64]
DEPTHS = 24  # number of depths at which the curve is evaluated


@dataclass(frozen=True)
class Depths:
    """A shoe dealt to its cut card, and the tags counted in it."""

    rules: Rules
    tags: Tags

    @cached_property
    def counts(self) -> Floats:
        return np.array(fresh_composition(self.rules), dtype=np.float64)

    @property
    def cards(self) -> int:
        return self.rules.shoe_size

    @property
    def deck(self) -> int:
        return len(self.rules.pack.cards)

    @cached_property
    def mean(self) -> float:
        """Mean tag; times the deck size, this is the drift."""
        return float((self.counts * self._tags).sum() / self.counts.sum())

    @cached_property
    def variance(self) -> float:
        """Variance of a tag."""
        return float((self.counts * (self._tags - self.mean) ** 2).sum() / self.counts.sum())

    @cached_property
    def _tags(self) -> Floats:
        return np.array([float(tag) for tag in self.tags])

    @cached_property
    def unseen(self) -> Floats:
        """Unseen cards at equally likely depths."""
        first = self.cards - self.rules.burn_cards
        last = self.cards * (100 - self.rules.cut_card_percent) // 100
        steps = (np.arange(DEPTHS) + 0.5) / DEPTHS
        found: Floats = first + (last - first) * steps
        return found

    @property
    def middle(self) -> float:
        """Unseen cards halfway to the cut card."""
        return float(self.unseen.mean())

    def deviation(self, unseen: float) -> float:
        """Standard deviation of the true count with `unseen` cards left."""
        share = (self.cards - unseen) / ((self.cards - 1) * unseen)
        return self.deck * math.sqrt(self.variance * share)

    def highest(self, deviations: float = 4.5) -> float:
        """A true count that is rarely exceeded: this many standard deviations at the cut card."""
        return deviations * self.deviation(float(self.unseen[-1]))

    def density(self, counts: Floats) -> Floats:
        """Density of these true counts, over all depths."""
        found: Floats = self._curves(counts).mean(axis=0)
        return found

    def depth_weights(self, true_count: float) -> Floats:
        """Probability of each depth, given this true count."""
        found = self._curves(np.array([true_count]))[:, 0]
        weights: Floats = found / found.sum()
        return weights

    def _curves(self, counts: Floats) -> Floats:
        """Normal curves, by [depth, count]."""
        deviations = np.array([self.deviation(float(n)) for n in self.unseen])[:, None]
        curves: Floats = np.exp(-0.5 * (counts / deviations) ** 2) / (
            deviations * math.sqrt(2 * math.pi)
        )
        return curves


# --- Scales ---


@dataclass(frozen=True)
class Scale:
    """The scale of one count under given rules."""

    count: Count
    rules: Rules
    weights: Weights = ()  # weights of main and side counts; () for the betting weights

    @property
    def _unseen_decks(self) -> float:
        depths = Depths(self.rules, tags_of(self.count, self.weights))
        return depths.middle / depths.deck

    def _offset(self) -> tuple[float, float]:
        """The reading at true count 0, and the size of one true count, on the count's own scale."""
        drift = float(self.count.drift(self.rules.pack, self.weights))
        start = float(self.count.start_in(self.rules.pack, self.weights))
        decks = self._unseen_decks
        added = (start + drift) * self.rules.decks - drift * decks
        return (added / decks, 1.0) if self.count.is_true else (added, decks)

    def own(self, true_count: float) -> float:
        """Convert a balanced true count to the count's reading."""
        added, step = self._offset()
        return added + step * true_count

    def true(self, own: float) -> float:
        """Convert the count's reading to a balanced true count."""
        added, step = self._offset()
        return (own - added) / step

    def text(self) -> str:
        """One or two sentences on what the count's numbers mean and where a new shoe starts."""
        start, decks = self.count.start_in(self.rules.pack, self.weights), self.rules.decks
        first = number_text(start * decks, sign=bool(start))
        if not self.count.is_true:
            return (
                f"Counts are running counts. A new shoe starts at {first}. Indices apply halfway "
                f"to the cut card, with {self._unseen_decks:.1f} decks unseen."
            )
        divided = "Counts are true counts: the running count divided by the unseen decks."
        if not start:
            return f"{divided} A new shoe starts at 0."
        each = number_text(start, sign=True)
        return f"{divided} A new shoe starts at {first}, {each} per deck, and reads {each}."
