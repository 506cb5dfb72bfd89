"""Design a count for given rules: the best whole-number tags, side counts, their weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.given import check_switch
from ventiuna.counting.correlation import best_fit
from ventiuna.counting.depth import Depths
from ventiuna.counting.files import FLAT, made_for
from ventiuna.counting.playing_tags import PlayingSearch, Proof, searched_text
from ventiuna.counting.removal import Effects
from ventiuna.counting.search import HIGHEST_LEVEL, Found, Weighed, best_tags, by_card
from ventiuna.counting.tags import (
    CardClass,
    Tags,
    classes_by_suit,
    read_tags,
    tags_of,
    tags_text,
    value_classes,
)
from ventiuna.counting.workshop import Goal, Workshop
from ventiuna.rules import Rules
from ventiuna.strategy.counting import MOST_SIDES, RANKS, Count, SideCount
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.plays import Weights

_WEIGHT_STEPS = 4  # side counts weigh quarters of a main tag
_HEAVIEST = 50  # side counts that weigh more leave no part to the main count


@dataclass(frozen=True)
class Wish:
    """What is asked of a new count."""

    level: int = 1
    balanced: bool = True
    sides: tuple[str, ...] = ()  # ranks or cards that are counted beside: "7", or "7s 7h"
    suits: tuple[str, ...] = ()  # ranks whose suits the main count tells apart
    goal: Goal = Goal.BETTING
    running: bool = False  # an unbalanced count that is not divided by the decks left

    def __post_init__(self) -> None:
        """What no rules can grant is told before anything is worked out."""
        if type(self.level) is not int or not 1 <= self.level <= HIGHEST_LEVEL:
            raise plan_problem(
                "level", self.level, "the largest tag is a whole number from 1 to 3", "Choose one."
            )
        check_switch("balanced", self.balanced)
        check_switch("running", self.running)
        if self.running and self.balanced:
            raise plan_problem(
                "running", "on", "a running count without division drifts on purpose",
                "Add --unbalanced.",
            )  # fmt: skip
        if len(set(self.sides)) < len(self.sides):
            raise plan_problem(
                "side-count", ", ".join(self.sides), "the same cards are counted twice",
                "Give each once.",
            )  # fmt: skip
        if len(self.sides) > MOST_SIDES:
            raise plan_problem(
                "side-count", len(self.sides), f"a count has {MOST_SIDES} side counts at most",
                "Leave some out.",
            )  # fmt: skip


@dataclass(frozen=True)
class Design:
    """Counts that were found, best first, and how sure it is that none is better."""

    counts: tuple[Count, ...]
    best: float  # correlation or playing efficiency of the first
    proof: Proof

    def text(self) -> str:
        return self.proof.text(self.best)

    def as_data(self) -> dict[str, object]:
        return self.proof.as_data()


def design_counts(workshop: Workshop, wish: Wish, most: int = 1) -> tuple[Count, ...]:
    """The best tags for the wish, best first."""
    return design(workshop, wish, most).counts


def design(workshop: Workshop, wish: Wish, most: int = 1) -> Design:
    """The same with what is proven of them."""
    rules = workshop.rules
    sides = [_side_tags(name) for name in wish.sides]
    classes = _classes(rules, wish)
    weighed = Weighed(workshop.effects_for(wish.goal), classes, sides)
    if wish.goal == Goal.PLAYING:
        starts = _starts(workshop, weighed, wish)
        search = PlayingSearch(
            workshop.playing, weighed, Depths(rules, by_card(classes, starts[0]))
        )
        found, proof = search.best(wish.level, wish.balanced, starts, most, workshop.each)
    else:
        found = best_tags(weighed, wish.level, wish.balanced, most)
        searched = searched_text(wish.level, wish.balanced)
        proof = Proof(searched, None, found[0].correlation if found else None)
    if not found:
        raise plan_problem(
            "level", wish.level, f"there are no {proof.searched}", "Choose another level."
        )
    counts = (
        _count(workshop, classes, one, sides, wish, place) for place, one in enumerate(found, 1)
    )
    return Design(tuple(counts), found[0].correlation, proof)


def _starts(workshop: Workshop, weighed: Weighed, wish: Wish) -> list[tuple[int, ...]]:
    """Tags to begin with where play is the goal: the best for betting and for insurance."""
    found = best_tags(weighed, wish.level, wish.balanced, 3)
    if workshop.insurance is not None:
        other = Weighed(workshop.insurance, weighed.classes, weighed.side_tags)
        found += best_tags(other, wish.level, wish.balanced, 2)
    return [one.tags for one in found]


def _classes(rules: Rules, wish: Wish) -> tuple[CardClass, ...]:
    """The main count's classes; cards that a side count tells apart are apart."""
    apart = [*wish.suits, *(name for name in wish.sides if name not in RANKS)]
    names = {word[0].upper() if word[-1:] in "cdhs" else word for part in apart
             for word in part.replace(",", " ").split()}  # fmt: skip
    return classes_by_suit(rules.pack, sorted(names)) if names else value_classes(rules.pack)


def _side_tags(name: str) -> Tags:
    """A side count of these cards: 1 for each."""
    words = name.replace(",", " ").split()
    return tags_of(read_tags(" ".join(f"{word}=1" for word in words), "side-count"))


def _count(
    workshop: Workshop,
    classes: Sequence[CardClass],
    found: Found,
    sides: Sequence[Tags],
    wish: Wish,
    place: int,
) -> Count:
    rules = workshop.rules
    main = by_card(classes, found.tags)
    weights = _weights(workshop.effects_for(wish.goal), [main, *sides])
    insurance: Weights = ()
    if sides and workshop.insurance is not None:
        insurance = _weights(workshop.insurance, [main, *sides])
    plain, unlike = _by_value(rules, main)
    count = Count(
        name=f"level-{wish.level}" if place == 1 else f"level-{wish.level}-{place}",
        title=f"Level {wish.level} for {rules.title}: {_tags_title(classes, found)}",
        is_true=not wish.running,
        start=-_drift(rules, main),
        tags=plain,
        bets=FLAT,
        plays=(),
        insurance_at=None,
        card_tags=unlike,
        sides=tuple(
            SideCount(name, weight, *_by_value(rules, tags), start=-_drift(rules, tags))
            for name, weight, tags in zip(wish.sides, weights[1:], sides, strict=True)
        ),
        insurance_weights=() if insurance == weights else insurance,
    )
    return made_for(count, rules)


def _drift(rules: Rules, tags: Tags) -> Fraction:
    """What the tags of a deck add up to."""
    return sum((tags[card] for card in rules.pack.cards), Fraction(0))


def _weights(effects: Effects, parts: Sequence[Tags]) -> Weights:
    """Of the counts in the sum that follows the effects best, in quarters.

    The main count weighs 1, or nothing where it has no part in it: the heaviest side count does.
    """
    fit = best_fit(effects, parts)
    if fit is None:
        return (Fraction(1), *(Fraction(0) for _ in parts[1:]))
    heaviest = max(fit.slopes, key=abs)
    unit = fit.slopes[0] if fit.slopes[0] > abs(heaviest) / _HEAVIEST else abs(heaviest)
    return tuple(
        Fraction(round(slope / unit * _WEIGHT_STEPS), _WEIGHT_STEPS) for slope in fit.slopes
    )


def _tags_title(classes: Sequence[CardClass], found: Found) -> str:
    return tags_text([(k.name, Fraction(t)) for k, t in zip(classes, found.tags, strict=True)])


def _by_value(
    rules: Rules, tags: Tags
) -> tuple[tuple[Fraction, ...], tuple[tuple[int, Fraction], ...]]:
    """Tags by value, and those of single cards that are unlike the most of their value."""
    plain: list[Fraction] = []
    unlike: list[tuple[int, Fraction]] = []
    for kind in value_classes(rules.pack):
        found = [tags[card] for card in kind.cards]
        usual = max(sorted(set(found)), key=found.count)
        plain.append(usual)
        unlike += [(card, tags[card]) for card in kind.cards if tags[card] != usual]
    return tuple(plain), tuple(unlike)
