"""Effects of removal: what every wager gains or loses when one card leaves the shoe.

An effect is the value of the shoe without one card, minus the value of the full shoe, both exact. A
card removed unseen changes nothing on average: the effects of all cards of a shoe add up to exactly
0, for every wager and every way of playing that ignores the card. If play is reoptimized for each
shoe, they add up to the value of knowing the card.

Correlations measure how well tags fit the effects. Each card of the shoe is one observation.
With weights w (the number of each card in the shoe), effects e and tags t, both minus their
weighted mean,

    correlation = sum(w e t) / sqrt(sum(w e e) * sum(w t t))

Parallel counts have a multiple correlation: the correlation of their best weighted sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt
from typing_extensions import TypedDict

from ventiuna.analysis.composition import (
    Composition,
    fresh_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.query import ProgressIterator, without_progress
from ventiuna.analysis.results import TableRow, TitledResult
from ventiuna.core.cards import ACE, CARDS, CLUBS, SPADE_ACE, card_of, suit_of, value_of
from ventiuna.counting.tags import CardClass, Tags, classes_by_suit, ten_name, value_classes
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.texts import brief_repr

OTHER_ACE = card_of(ACE, CLUBS)
BASE, FIXED, INSURANCE, MATCH, JACKPOT = (
    "base game",
    "base game, play fixed",
    "insurance",
    "Match the Dealer",
    "jackpot",
)


class CardEffect(TypedDict):
    card: str
    effect_per_wager: float


class WagerEffects(TypedDict):
    wager: str
    value_per_wager: float
    total_per_wager: float
    effects: list[CardEffect]


@dataclass(frozen=True)
class Effects:
    """Effects on one wager, per chip, by card; None for cards that aren't in the pack."""

    wager: str
    value: float  # value of the full shoe
    by_card: tuple[float | None, ...]
    exact: tuple[Fraction | None, ...] | None  # effects as fractions, if available
    shoe: Composition

    __repr__ = brief_repr

    def of(self, cards: Iterable[int]) -> float:
        """The mean effect of these cards, weighted by their numbers in the shoe."""
        found = [(self.shoe[card], self.by_card[card]) for card in cards]
        known = [(count, effect) for count, effect in found if effect is not None]
        present = [(count, effect) for count, effect in known if count] or [
            (1, e) for _, e in known
        ]
        return sum(count * effect for count, effect in present) / sum(count for count, _ in present)

    @property
    def total(self) -> float:
        """Sum over all cards of the shoe: 0 except for rounding, unless play is reoptimized."""
        found = zip(self.shoe, self.by_card, strict=True)
        return sum(count * effect for count, effect in found if effect is not None)

    @property
    def exact_total(self) -> Fraction | None:
        if self.exact is None:
            return None
        found = zip(self.shoe, self.exact, strict=True)
        return sum((count * e for count, e in found if e is not None), Fraction(0))

    def as_data(self, classes: Iterable[CardClass]) -> WagerEffects:
        return {
            "wager": self.wager,
            "value_per_wager": self.value,
            "total_per_wager": self.total,
            "effects": [
                {"card": kind.name, "effect_per_wager": self.of(kind.cards)} for kind in classes
            ],
        }


Value = Callable[[Composition], Fraction]


def _exact_effects(wager: str, shoe: Composition, value: Value, each: ProgressIterator) -> Effects:
    full_value = value(shoe)
    found: list[Fraction | None] = [None] * CARDS
    for card in each(wager, [card for card in range(CARDS) if shoe[card]]):
        found[card] = value(without_cards(shoe, (card,))) - full_value
    floats = tuple(None if effect is None else float(effect) for effect in found)
    return Effects(wager, float(full_value), floats, tuple(found), shoe)


def insurance_effects(rules: Rules, each: ProgressIterator = without_progress) -> Effects:
    """Effects on insurance, per chip; the shoe doesn't include the ace that is up."""
    from ventiuna.analysis.side_bets.insurance import insurance_wager

    def value(unseen: Composition) -> Fraction:
        shoe = with_cards(unseen, (SPADE_ACE,))
        return insurance_wager(rules, up=SPADE_ACE, composition=shoe).expected_value

    unseen = without_cards(fresh_composition(rules), (SPADE_ACE,))
    found = _exact_effects(INSURANCE, unseen, value, each)
    assert found.exact is not None
    # Any ace may be up, so removing another one has the same effect whatever its suit.
    exact, floats = list(found.exact), list(found.by_card)
    exact[SPADE_ACE], floats[SPADE_ACE] = exact[OTHER_ACE], floats[OTHER_ACE]
    return replace(found, by_card=tuple(floats), exact=tuple(exact))


def match_effects(rules: Rules, each: ProgressIterator = without_progress) -> Effects:
    """Effects on any Match the Dealer wager: up card, down card and Bonus Cards are alike."""
    from ventiuna.analysis.side_bets.match_the_dealer import match_wager

    def value(shoe: Composition) -> Fraction:
        return -match_wager(rules, shoe).house_edge

    return _exact_effects(MATCH, fresh_composition(rules), value, each)


def jackpot_effects(
    rules: Rules, game: int = 1, meter: int | None = None, each: ProgressIterator = without_progress
) -> Effects:
    """Effects on a jackpot game at a meter in cents; the default is the break-even meter."""
    from ventiuna.analysis.side_bets.jackpots import jackpot_report

    if meter is None:
        report = jackpot_report(rules, game)
        meter = report.break_even_cents or report.jackpot.seed

    def value(shoe: Composition) -> Fraction:
        return -jackpot_report(rules, game, shoe).house_edge_at(meter)

    return _exact_effects(f"{JACKPOT} {game}", fresh_composition(rules), value, each)


# --- The base game ---


def alike_classes(rules: Rules, with_super: bool = False) -> tuple[tuple[int, ...], ...]:
    """Cards of the pack that are equivalent in the base game; one per class is analyzed."""
    from ventiuna.analysis.base_game.solver import suit_sensitive_values
    from ventiuna.rules import compile_rules

    distinguished = suit_sensitive_values(compile_rules(rules), with_super)
    found: dict[tuple[int, int], list[int]] = {}
    for card in rules.pack.cards:
        value = value_of(card)
        suit = suit_of(card) if value - 1 in distinguished else CLUBS
        found.setdefault((value, suit), []).append(card)
    return tuple(tuple(cards) for cards in found.values())


def base_effects(
    rules: Rules,
    base: int | None = None,
    fixed: bool = False,
    each: ProgressIterator = without_progress,
) -> Effects:
    """Effects per base wager, with play reoptimized for each shoe, or `fixed` as in a full shoe.

    With a `base` wager in cents, the value includes its own Super Bonus.
    """
    from ventiuna.counting.decisions import best_value, fixed_value

    with_super = base is not None
    value = fixed_value(rules, base) if fixed else partial(best_value, rules, base)
    shoe = fresh_composition(rules)
    full_value = value(shoe)
    found: list[float | None] = [None] * CARDS
    name = FIXED if fixed else BASE
    for cards in each(name, alike_classes(rules, with_super)):
        effect = value(without_cards(shoe, cards[:1])) - full_value
        for card in cards:
            found[card] = effect
    return Effects(name, full_value, tuple(found), None, shoe)


# --- All wagers ---


class EffectsData(TypedDict):
    rules: str
    fingerprint: str
    per: str
    ten: str  # name of the ten-value cards
    wagers: list[WagerEffects]


class EffectsAnswer(EffectsData):
    command: str


@dataclass(frozen=True)
class RemovalStudy(TitledResult):
    """Every wager that the rules offer, card by card."""

    main_table = "effects"

    rules: Rules
    wagers: tuple[Effects, ...]

    __repr__ = brief_repr

    @property
    def classes(self) -> tuple[CardClass, ...]:
        """Values, separated by suit if any wager depends on it."""
        names = [
            kind.name
            for kind in value_classes(self.rules.pack)
            if any(_differ(effects, kind.cards) for effects in self.wagers)
        ]
        return classes_by_suit(self.rules.pack, names)

    @property
    def title(self) -> str:
        return f"Effects of removal, {canonical(self.rules)}"

    def rows(self) -> list[TableRow]:
        """One row per wager and card, or per group of cards that are equivalent for every wager."""
        return [
            {
                "wager": effects.wager,
                "card": kind.name,
                "cards_of_the_shoe": sum(effects.shoe[card] for card in kind.cards),
                "effect_per_wager": effects.of(kind.cards),
            }
            for effects in self.wagers
            for kind in self.classes
        ]

    def as_data(self) -> EffectsData:
        classes = self.classes
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "per": "one card removed from a fresh shoe; value per chip of the wager",
            "ten": ten_name(self.rules.pack),
            "wagers": [effects.as_data(classes) for effects in self.wagers],
        }


def _differ(effects: Effects, cards: tuple[int, ...]) -> bool:
    if effects.exact is not None:
        return len({effects.exact[card] for card in cards}) > 1
    return len({effects.by_card[card] for card in cards}) > 1


def effects_of_removal(
    rules: Rules,
    base: int | None = None,
    meters: tuple[int, ...] = (),
    each: ProgressIterator = without_progress,
) -> RemovalStudy:
    """Effects for all wagers that the rules offer."""
    found = [base_effects(rules, base, each=each), base_effects(rules, base, True, each)]
    if rules.insurance:
        found.append(insurance_effects(rules, each))
    if rules.mtd_wagers:
        found.append(match_effects(rules, each))
    for game in range(1, len(rules.jackpots) + 1):
        meter = meters[game - 1] if len(meters) >= game else None
        found.append(jackpot_effects(rules, game, meter, each))
    return RemovalStudy(rules, tuple(found))


# --- Correlation with tags ---

Floats = npt.NDArray[np.float64]
_NOTHING = 1e-12  # smaller shares of the sum of squares are just rounding


def weights_of(effects: Effects) -> Floats:
    """Number of each card in the shoe."""
    return np.array(effects.shoe, dtype=np.float64)


def centred(values: Sequence[float | None] | Floats, weights: Floats) -> Floats:
    """Values by card minus the mean over the shoe; 0 for cards that aren't in the shoe."""
    found = np.array([0.0 if value is None else float(value) for value in values])
    found = found - (weights * found).sum() / weights.sum()
    return np.where(weights > 0, found, 0.0)


def tag_floats(tags: Tags) -> Floats:
    return np.array([float(tag) for tag in tags])


def correlation(effects: Effects, tags: Tags) -> float | None:
    """Correlation of tags with effects; None if either is the same for all cards."""
    return joint_correlation(effects, [tags])


def joint_correlation(effects: Effects, counts: Sequence[Tags]) -> float | None:
    """Correlation of the effects with the best weighted sum of these counts."""
    fit = best_fit(effects, counts)
    return None if fit is None else fit.correlation


@dataclass(frozen=True)
class Fit:
    """The weighted sum of counts that best fits the effects, by least squares."""

    slopes: tuple[float, ...]  # effect per tag, for each count
    correlation: float


def best_fit(effects: Effects, counts: Sequence[Tags]) -> Fit | None:
    weights = weights_of(effects)
    target = centred(effects.by_card, weights)
    rows = np.array([centred(tag_floats(tags), weights) for tags in counts])
    squares = float((weights * target * target).sum())
    matrix = (rows * weights) @ rows.T
    if squares <= _NOTHING * max(1.0, effects.value**2) / weights.sum() or not matrix.any():
        return None
    against = rows @ (weights * target)
    slopes = np.linalg.lstsq(matrix, against, rcond=None)[0]
    explained = float(slopes @ against)
    sign = 1.0
    if len(counts) == 1:
        sign = math.copysign(1.0, float(against[0]))
    return Fit(tuple(slopes.tolist()), sign * math.sqrt(max(explained, 0.0) / squares))


# --- From effects to true counts ---


def slope_per_true_count(effects: Effects, tags: Tags, deck: int) -> float:
    """The wager's gain per true count, to first order.

    With n of N cards unseen and a true count t, the share of a card among the unseen differs from
    its share p in a fresh shoe by -p (tag - mean) t / (deck * variance of the tags), and removing a
    card changes shares by 1 / (N - 1).
    """
    weights = weights_of(effects)
    shares = weights / weights.sum()
    effect = centred(effects.by_card, weights)
    tag = centred(tag_floats(tags), weights)
    variance = float((shares * tag * tag).sum())
    if not variance:
        return 0.0
    return float((weights.sum() - 1) * (shares * effect * tag).sum() / (deck * variance))


def deviation_at(effects: Effects, unseen: float) -> float:
    """Standard deviation of a wager's value with `unseen` cards left, to first order."""
    weights = weights_of(effects)
    cards = weights.sum()
    effect = centred(effects.by_card, weights)
    variance = float((weights * effect * effect).sum() / cards)
    return math.sqrt(variance * (cards - 1) * (cards - unseen) / unseen)
