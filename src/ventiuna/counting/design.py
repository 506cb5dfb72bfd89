"""Design a count for given rules, or say how good a known one is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.counting.correlation import best_fit, correlation, slope_per_true_count
from ventiuna.counting.depth import Depths
from ventiuna.counting.efficiency import (
    PlayEffects,
    SampledEfficiency,
    play_effects,
    sampled_efficiency,
)
from ventiuna.counting.files import FLAT, made_for
from ventiuna.counting.removal import (
    Effects,
    base_effects,
    insurance_effects,
    jackpot_effects,
    match_effects,
)
from ventiuna.counting.search import HIGHEST_LEVEL, Found, Weighed, best_tags, by_card
from ventiuna.counting.tags import (
    CardClass,
    Tags,
    classes_by_suit,
    named_tags,
    number_text,
    tags_of,
    tags_text,
    value_classes,
)
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.strategy.counting import RANKS, Count, SideCount
from ventiuna.strategy.errors import plan_problem

_WEIGHT_STEPS = 4  # side counts weigh quarters of a main tag
_ROUNDS = 20  # of improving tags one by one


class Goal(StrEnum):
    BETTING = "betting"
    PLAYING = "playing"
    INSURANCE = "insurance"


@dataclass(frozen=True)
class Workshop:
    """The effects of removal under some rules, each worked out once."""

    rules: Rules
    base: int | None = None  # cents; its Super Bonus is in the value then
    each: Each = field(default=in_silence, compare=False)

    @cached_property
    def betting(self) -> Effects:
        return base_effects(self.rules, self.base, each=self.each)

    @cached_property
    def insurance(self) -> Effects | None:
        return insurance_effects(self.rules, self.each) if self.rules.insurance else None

    @cached_property
    def playing(self) -> PlayEffects:
        return play_effects(self.rules, self.base, self.each)

    @cached_property
    def side_wagers(self) -> tuple[Effects, ...]:
        """Match the Dealer and jackpots."""
        found = [match_effects(self.rules, self.each)] if self.rules.mtd_wagers else []
        games = range(1, len(self.rules.jackpots) + 1)
        return (*found, *(jackpot_effects(self.rules, game, each=self.each) for game in games))

    def effects_for(self, goal: Goal) -> Effects:
        if goal == Goal.INSURANCE:
            if self.insurance is None:
                raise plan_problem(
                    "goal", goal, "these rules offer no insurance", "Choose betting.", "R-034"
                )
            return self.insurance
        return self.betting


@dataclass(frozen=True)
class CountReport:
    """How good a count is under some rules."""

    rules: Rules
    count: Count
    betting: float  # correlations
    main_betting: float  # without the side counts
    insurance: float | None
    playing: float | None
    sampled: SampledEfficiency | None
    side_wagers: tuple[tuple[str, float | None], ...]
    drift: Fraction  # of a deck
    ev: float  # of a whole shoe
    slope: float  # of the value per true count

    @property
    def break_even(self) -> float | None:
        """The true count at which the base game costs nothing, to the first order."""
        return -self.ev / self.slope if self.slope > 0 else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What does not suit the pack or the rules."""
        return tuple(filter(None, (misfit_text(self.count, self.rules),
                                   self.count.unlike(self.rules))))  # fmt: skip

    @property
    def tags(self) -> str:
        return tags_text(named_tags(self.count, self.rules.pack))

    def as_data(self) -> dict[str, object]:
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "count": self.count.name,
            "kind": "true" if self.count.is_true else "running",
            "tags": _tag_data(self.count, self.rules),
            "sides": [
                {
                    "name": side.name,
                    "weight": float(side.weight),
                    "tags": _tag_data(side, self.rules),
                }
                for side in self.count.sides
            ],
            "betting_correlation": self.betting,
            "betting_correlation_of_main_count": self.main_betting,
            "insurance_correlation": self.insurance,
            "playing_efficiency": self.playing,
            "sampled": None
            if self.sampled is None
            else {
                "playing_efficiency": self.sampled.efficiency.value,
                "standard_error": self.sampled.efficiency.standard_error,
                "gain_by_count_per_wager": self.sampled.by_count.value,
                "gain_by_count_standard_error": self.sampled.by_count.standard_error,
                "gain_of_perfect_play_per_wager": self.sampled.perfect.value,
                "gain_of_perfect_play_standard_error": self.sampled.perfect.standard_error,
                "shoes": self.sampled.shoes,
                "seed": self.sampled.seed,
            },
            "side_wagers": [
                {"wager": wager, "correlation": found} for wager, found in self.side_wagers
            ],
            "drift": float(self.drift),
            "ev": self.ev,
            "slope_per_wager": self.slope,
            "break_even_at_count": self.break_even,
            "warnings": list(self.warnings),
        }


def _tag_data(count: Count | SideCount, rules: Rules) -> list[dict[str, object]]:
    return [{"card": name, "tag": float(tag)} for name, tag in named_tags(count, rules.pack)]


def misfit_text(count: Count, rules: Rules) -> str:
    """A sentence where the count drifts on this pack without a start that makes up for it."""
    drift = count.drift(rules.pack)
    if not drift or count.start == -drift:
        return ""
    size = len(rules.pack.cards)
    return (
        f"{count.name}: the tags add up to {float(drift):+g} in a deck of {size} cards, not to 0; "
        f"the count drifts by {float(drift):+g} for each deck dealt. Start it at "
        f"{-float(drift):+g} a deck ({-float(drift) * rules.decks:+g} with {rules.decks}) and add "
        f"{float(drift):+g} to its true counts, or take tags that balance on this pack."
    )


def evaluate_count(
    workshop: Workshop, count: Count, sample: int = 0, seed: int = 21, playing: bool = True
) -> CountReport:
    """Correlations, playing efficiency, drift and slope of a count."""
    rules = workshop.rules
    tags = tags_of(count)
    if not any(t - tags[rules.pack.cards[0]] for t in (tags[c] for c in rules.pack.cards)):
        raise plan_problem("tags", count.title, "all cards count the same", "Give other tags.")
    effects = workshop.betting
    main = tuple(count.main_tag(card) for card in range(len(tags)))
    parts = [main, *(tags_of(side) for side in count.sides)]
    joint = best_fit(effects, parts)
    depths = Depths(rules, tags)
    insurance = None
    if workshop.insurance is not None:
        fit = best_fit(workshop.insurance, parts)
        insurance = fit.correlation if fit else None
    return CountReport(
        rules=rules,
        count=count,
        betting=joint.correlation if joint else 0.0,
        main_betting=correlation(effects, main) or 0.0,
        insurance=insurance,
        playing=workshop.playing.efficiency(parts, depths) if playing else None,
        sampled=sampled_efficiency(rules, tags, sample, seed, workshop.base, workshop.each)
        if sample
        else None,
        side_wagers=tuple((e.wager, correlation(e, tags)) for e in workshop.side_wagers),
        drift=count.drift(rules.pack),
        ev=effects.value,
        slope=slope_per_true_count(effects, tags, depths.deck),
    )


# --- design -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wish:
    """What is asked of a new count."""

    level: int = 1
    balanced: bool = True
    sides: tuple[str, ...] = ()  # ranks or cards that are counted beside: "7", or "7s 7h"
    suits: tuple[str, ...] = ()  # ranks whose suits the main count tells apart
    goal: Goal = Goal.BETTING
    running: bool = False  # an unbalanced count that is not divided by the decks left


def design_counts(workshop: Workshop, wish: Wish, most: int = 1) -> tuple[Count, ...]:
    """The best tags for the wish, best first."""
    if wish.running and wish.balanced:
        raise plan_problem(
            "running", "on", "a running count without division drifts on purpose",
            "Add --unbalanced.",
        )  # fmt: skip
    rules = workshop.rules
    classes = _classes(rules, wish)
    sides = [_side_tags(rules, name) for name in wish.sides]
    weighed = Weighed(workshop.effects_for(wish.goal), classes, sides)
    if wish.goal == Goal.PLAYING:
        found = _best_for_playing(workshop, weighed, classes, sides, wish, most)
    else:
        found = best_tags(weighed, wish.level, wish.balanced, most)
    if not found:
        kind = "balanced" if wish.balanced else "unbalanced"
        raise plan_problem(
            "level", wish.level, f"no {kind} tags of this level", "Choose another level."
        )
    return tuple(
        _count(workshop, classes, one, sides, wish, place) for place, one in enumerate(found, 1)
    )


def _classes(rules: Rules, wish: Wish) -> tuple[CardClass, ...]:
    """The main count's classes; cards that a side count tells apart are apart."""
    apart = [*wish.suits, *(name for name in wish.sides if name not in RANKS)]
    names = {word[0].upper() if word[-1:] in "cdhs" else word for part in apart
             for word in part.replace(",", " ").split()}  # fmt: skip
    return classes_by_suit(rules.pack, sorted(names)) if names else value_classes(rules.pack)


def _side_tags(rules: Rules, name: str) -> Tags:
    """A side count of these cards: 1 for each."""
    from ventiuna.counting.tags import read_tags

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
    fit = best_fit(workshop.effects_for(wish.goal), [main, *sides])
    weights = [Fraction(0)] * len(sides)
    if fit is not None and fit.slopes[0]:
        weights = [
            Fraction(round(slope / fit.slopes[0] * _WEIGHT_STEPS), _WEIGHT_STEPS)
            for slope in fit.slopes[1:]
        ]
    plain, unlike = _by_value(rules, main)
    count = Count(
        name=f"level-{wish.level}" if place == 1 else f"level-{wish.level}-{place}",
        title=f"Level {wish.level} for {rules.title}: {_tags_title(classes, found)}",
        is_true=not wish.running,
        start=Fraction(0),
        tags=plain,
        bets=FLAT,
        plays=(),
        insurance_at=None,
        card_tags=unlike,
        sides=tuple(
            SideCount(name, weight, *_by_value(rules, tags))
            for name, weight, tags in zip(wish.sides, weights, sides, strict=True)
        ),
    )
    return made_for(replace(count, start=-count.drift(rules.pack)), rules)


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


def _best_for_playing(
    workshop: Workshop,
    weighed: Weighed,
    classes: Sequence[CardClass],
    sides: Sequence[Tags],
    wish: Wish,
    most: int,
) -> list[Found]:
    """Tags of the highest playing efficiency.

    Decisions pull tags in different directions, so no order of the effects helps here: from the
    best tags for betting, insurance and a few others on, one or two tags are changed as long as
    that helps. The best found, not proven the best.
    """
    depths = Depths(workshop.rules, by_card(classes, [1] + [0] * (len(classes) - 1)))
    known: dict[tuple[int, ...], float] = {}

    def efficiency(tags: tuple[int, ...]) -> float:
        if tags not in known:
            drift = float(weighed.drifts(np.array([tags]))[0])
            if len(set(tags)) == 1 or (drift == 0) != wish.balanced:
                known[tags] = -math.inf
            else:
                parts = [by_card(classes, tags), *sides]
                known[tags] = workshop.playing.efficiency(parts, depths)
        return known[tags]

    starts = [found.tags for found in best_tags(weighed, wish.level, wish.balanced, 3)]
    if workshop.insurance is not None:
        other = Weighed(workshop.insurance, classes, sides)
        starts += [found.tags for found in best_tags(other, wish.level, wish.balanced, 2)]
    for start in starts:
        _climb(start, min(wish.level, HIGHEST_LEVEL), efficiency)
    ordered = sorted(known, key=lambda tags: (-known[tags], sum(map(abs, tags)), tags))
    return [Found(tags, known[tags]) for tags in ordered[:most] if math.isfinite(known[tags])]


def _climb(start: tuple[int, ...], level: int, worth: object) -> None:
    """Change one tag, or two at once, while it helps."""
    assert callable(worth)
    tags = start
    for _ in range(_ROUNDS):
        best = max(_neighbours(tags, level), key=worth, default=tags)
        if worth(best) <= worth(tags):
            return
        tags = best


def _neighbours(tags: tuple[int, ...], level: int) -> list[tuple[int, ...]]:
    found = []
    places = range(len(tags))
    for one, step in product(places, (-1, 1)):
        if abs(tags[one] + step) > level:
            continue
        changed = list(tags)
        changed[one] += step
        found.append(tuple(changed))
        for other, further in product(places, (-3, -2, -1, 1, 2, 3)):
            if other != one and abs(tags[other] + further) <= level:
                twice = list(changed)
                twice[other] += further
                found.append(tuple(twice))
    return found


def start_text(count: Count, rules: Rules) -> str:
    """Where a running count begins, in words; "" for a balanced one."""
    if not count.start:
        return ""
    return f"start at {number_text(count.start * rules.decks, sign=True)} with {rules.decks} decks"
