"""Effects of removal: what every wager gains or loses when one card is gone from the shoe.

An effect is the value of the shoe less one card, minus the value of the whole shoe, both worked out
exactly. A card that is gone unseen changes nothing on average: the effects of all cards of a shoe
add up to 0, exactly, for every wager and for every way of playing that does not look at the card.
With play that is chosen anew for each shoe they add up to what knowing the card is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ventiuna.analysis.composition import (
    Composition,
    fresh_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.questions.edge import Each, in_silence
from ventiuna.core.cards import ACE, CARDS, CLUBS, SPADE_ACE, card_of, suit_of, value_of
from ventiuna.counting.frames import CountTable, Row
from ventiuna.counting.tags import CardClass, classes_by_suit, ten_name, value_classes
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, canonical, fingerprint

OTHER_ACE = card_of(ACE, CLUBS)
BASE, FIXED, INSURANCE, MATCH, JACKPOT = (
    "base game",
    "base game, play fixed",
    "insurance",
    "Match the Dealer",
    "jackpot",
)


@dataclass(frozen=True)
class Effects:
    """Of one wager, per chip of it; by card, None for cards that the pack has not."""

    wager: str
    value: float  # of the whole shoe
    by_card: tuple[float | None, ...]
    exact: tuple[Fraction | None, ...] | None  # where the wager is worked out in fractions
    shoe: Composition

    __repr__ = brief_repr

    def of(self, cards: Iterable[int]) -> float:
        """The mean effect of these cards, as many as the shoe has of each."""
        found = [(self.shoe[card], self.by_card[card]) for card in cards]
        known = [(count, effect) for count, effect in found if effect is not None]
        held = [(count, effect) for count, effect in known if count] or [(1, e) for _, e in known]
        return sum(count * effect for count, effect in held) / sum(count for count, _ in held)

    @property
    def total(self) -> float:
        """Over all cards of the shoe: 0 but for rounding, unless play is chosen anew."""
        found = zip(self.shoe, self.by_card, strict=True)
        return sum(count * effect for count, effect in found if effect is not None)

    @property
    def exact_total(self) -> Fraction | None:
        if self.exact is None:
            return None
        found = zip(self.shoe, self.exact, strict=True)
        return sum((count * e for count, e in found if e is not None), Fraction(0))

    def as_data(self, classes: Iterable[CardClass]) -> dict[str, object]:
        return {
            "wager": self.wager,
            "value_per_wager": self.value,
            "total_per_wager": self.total,
            "effects": [
                {"card": kind.name, "effect_per_wager": self.of(kind.cards)} for kind in classes
            ],
        }


Value = Callable[[Composition], Fraction]


def _exact_effects(wager: str, shoe: Composition, value: Value, each: Each) -> Effects:
    whole = value(shoe)
    found: list[Fraction | None] = [None] * CARDS
    for card in each(wager, [card for card in range(CARDS) if shoe[card]]):
        found[card] = value(without_cards(shoe, (card,))) - whole
    floats = tuple(None if effect is None else float(effect) for effect in found)
    return Effects(wager, float(whole), floats, tuple(found), shoe)


def insurance_effects(rules: Rules, each: Each = in_silence) -> Effects:
    """Per chip of insurance; the shoe is what is left beside the ace that is up."""
    from ventiuna.analysis.side_bets.insurance import insurance_wager

    def value(unseen: Composition) -> Fraction:
        shoe = with_cards(unseen, (SPADE_ACE,))
        return insurance_wager(rules, up=SPADE_ACE, composition=shoe).expected_value

    unseen = without_cards(fresh_composition(rules), (SPADE_ACE,))
    found = _exact_effects(INSURANCE, unseen, value, each)
    assert found.exact is not None
    # Any ace may be up: one gone besides it means the same whatever its suit.
    exact, floats = list(found.exact), list(found.by_card)
    exact[SPADE_ACE], floats[SPADE_ACE] = exact[OTHER_ACE], floats[OTHER_ACE]
    return replace(found, by_card=tuple(floats), exact=tuple(exact))


def match_effects(rules: Rules, each: Each = in_silence) -> Effects:
    """Every wager of Match the Dealer alike: up card, down card, Bonus Cards."""
    from ventiuna.analysis.side_bets.match_the_dealer import match_wager

    def value(shoe: Composition) -> Fraction:
        return -match_wager(rules, shoe).house_edge

    return _exact_effects(MATCH, fresh_composition(rules), value, each)


def jackpot_effects(
    rules: Rules, game: int = 1, meter: int | None = None, each: Each = in_silence
) -> Effects:
    """A jackpot game at a meter of so many cents; left out: at the one that breaks even."""
    from ventiuna.analysis.side_bets.jackpots import jackpot_report

    if meter is None:
        report = jackpot_report(rules, game)
        meter = report.break_even_cents or report.jackpot.seed

    def value(shoe: Composition) -> Fraction:
        return -jackpot_report(rules, game, shoe).house_edge_at(meter)

    return _exact_effects(f"{JACKPOT} {game}", fresh_composition(rules), value, each)


# --- the base game ------------------------------------------------------------------------------


def alike_classes(rules: Rules, with_super: bool = False) -> tuple[tuple[int, ...], ...]:
    """Cards of the pack that the base game can't tell apart: of those one is worked out."""
    from ventiuna.analysis.base_game.tables import values_told_apart
    from ventiuna.rules import compile_rules

    told_apart = values_told_apart(compile_rules(rules), with_super)
    found: dict[tuple[int, int], list[int]] = {}
    for card in rules.pack.cards:
        value = value_of(card)
        suit = suit_of(card) if value - 1 in told_apart else CLUBS
        found.setdefault((value, suit), []).append(card)
    return tuple(tuple(cards) for cards in found.values())


def base_effects(
    rules: Rules, base: int | None = None, fixed: bool = False, each: Each = in_silence
) -> Effects:
    """Per base wager: best play chosen anew for each shoe, or that of the whole shoe kept.

    With a `base` wager in cents its own Super Bonus is in the value.
    """
    from ventiuna.counting.play import best_value, fixed_value

    with_super = base is not None
    value = fixed_value(rules, base) if fixed else partial(best_value, rules, base)
    shoe = fresh_composition(rules)
    whole = value(shoe)
    found: list[float | None] = [None] * CARDS
    name = FIXED if fixed else BASE
    for cards in each(name, alike_classes(rules, with_super)):
        effect = value(without_cards(shoe, cards[:1])) - whole
        for card in cards:
            found[card] = effect
    return Effects(name, whole, tuple(found), None, shoe)


# --- all of them --------------------------------------------------------------------------------


@dataclass(frozen=True)
class RemovalStudy(CountTable):
    """Every wager of the rules, card by card."""

    main_table = "effects"

    rules: Rules
    wagers: tuple[Effects, ...]

    __repr__ = brief_repr

    @property
    def classes(self) -> tuple[CardClass, ...]:
        """Values, told apart by suit wherever a wager does."""
        names = [
            kind.name
            for kind in value_classes(self.rules.pack)
            if any(_differ(effects, kind.cards) for effects in self.wagers)
        ]
        return classes_by_suit(self.rules.pack, names)

    @property
    def title(self) -> str:
        return f"Effects of removal, {canonical(self.rules)}"

    def rows(self) -> list[Row]:
        """A row for each wager and card, or cards that mean the same to every wager."""
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

    def as_data(self) -> dict[str, object]:
        classes = self.classes
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "per": "one card of a fresh shoe gone; value per chip of the wager",
            "ten": ten_name(self.rules.pack),
            "wagers": [effects.as_data(classes) for effects in self.wagers],
        }


def _differ(effects: Effects, cards: tuple[int, ...]) -> bool:
    if effects.exact is not None:
        return len({effects.exact[card] for card in cards}) > 1
    return len({effects.by_card[card] for card in cards}) > 1


def effects_of_removal(
    rules: Rules, base: int | None = None, meters: tuple[int, ...] = (), each: Each = in_silence
) -> RemovalStudy:
    """All wagers that the rules offer."""
    found = [base_effects(rules, base, each=each), base_effects(rules, base, True, each)]
    if rules.insurance:
        found.append(insurance_effects(rules, each))
    if rules.mtd_wagers:
        found.append(match_effects(rules, each))
    for game in range(1, len(rules.jackpots) + 1):
        meter = meters[game - 1] if len(meters) >= game else None
        found.append(jackpot_effects(rules, game, meter, each))
    return RemovalStudy(rules, tuple(found))
