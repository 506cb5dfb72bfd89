"""Decisions from nearly empty shoes: the analyzer compared with exact fractions."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.analysis.composition import EmptyShoe, SplitPlay, composition_of
from ventiuna.cards import card_text, cards_text
from ventiuna.core.actions import ACTION_NAMES
from ventiuna.core.base_game import is_dealer_blackjack
from ventiuna.core.cards import rank_of, suit_of
from ventiuna.rules import Rules, load_rules
from ventiuna.testing.reference import ReferenceRound

TOLERANCE = 1e-12
SPANISH, BLACKJACK, SUPER_FUN = "wsgc-spanish-21", "blackjack", "super-fun-21"
RULES = (
    SPANISH,
    f"{SPANISH}(soft_17=stand)",
    f"{SPANISH}(split=off)",
    f"{SPANISH}(split_hands=2)",
    f"{SPANISH}(split_hands=3,double_after_split=off)",
    f"{SPANISH}(double_double=on)",
    f"{SPANISH}(rescue=off,double_double=on)",
    f"{SPANISH}(surrender=off)",
    f"{SPANISH}(surrender=any_time,double_for_less=off)",
    f"{SPANISH}(player_21=compares)",
    SUPER_FUN,
    f"{SUPER_FUN}(double_on_21=soft,split_aces=one_card)",
    BLACKJACK,
    f"{BLACKJACK}(soft_17=stand,surrender=late)",
    f"{BLACKJACK}(split_aces=like_others,resplit_aces=on,rescue=on)",
    "casino-card",
)
_HIGHEST_RANKS = (2, 4, 7, 9, 9, 13, 13)
_NUMBERS_OF_RANKS = (1, 1, 2, 3, 4, 9)


class SmallShoe(NamedTuple):
    """One decision with few unseen cards."""

    rules: str
    cards: tuple[int, ...]
    up: int
    unseen: tuple[int, ...]  # including the down card
    split_play: SplitPlay

    def __str__(self) -> str:
        shown = f"{cards_text(self.cards)} against {card_text(self.up)}"
        return f"{self.rules}: {shown} beside {cards_text(self.unseen)}; {self.split_play}"


class Comparison(NamedTuple):
    values: int  # actions compared
    difference: str  # "" if both agree


@cache
def _rules(name: str) -> Rules:
    return load_rules(name)


def random_small_shoe(generator: random.Random, most: int) -> SmallShoe:
    """Draw three to `most` unseen cards: one rank, low ranks or mixed, often with pairs and a ten
    up."""
    name = generator.choice(RULES)
    pack = sorted(_rules(name).pack.cards)
    highest = generator.choice(_HIGHEST_RANKS)
    low = [card for card in pack if rank_of(card) <= highest]
    ranks = sorted({rank_of(card) for card in low})
    chosen = generator.sample(ranks, min(len(ranks), generator.choice(_NUMBERS_OF_RANKS)))
    one_suit = generator.random() < 0.6
    pool = [
        card for card in low if rank_of(card) in chosen and (suit_of(card) == 0 or not one_suit)
    ]
    first = generator.choice(pool)
    second = first if generator.random() < 0.4 else generator.choice(low)
    return SmallShoe(
        rules=name,
        cards=(first, second),
        up=generator.choice(pool if generator.random() < 0.3 else pack),
        unseen=tuple(generator.choice(pool) for _ in range(generator.randint(3, most))),
        split_play=generator.choice(list(SplitPlay)),
    )


def is_played(shoe: SmallShoe) -> bool:
    """Return False if every down card would give the dealer a blackjack."""
    return not all(is_dealer_blackjack(shoe.up, card) for card in shoe.unseen)


def compare(shoe: SmallShoe) -> Comparison:
    """Check that both return the same values or both refuse the shoe."""
    rules = _rules(shoe.rules)
    unseen = composition_of(shoe.unseen)
    found: dict[str, float] | None = None
    expected: dict[str, float] | None = None
    with suppress(EmptyShoe):
        values = hand_values(rules, shoe.cards, shoe.up, unseen, split_play=shoe.split_play)
        found = {action.action: action.ev for action in values.actions}
    before = composition_of((*shoe.unseen, *shoe.cards))
    reference = ReferenceRound(rules, before, shoe.up, shoe.split_play)
    with suppress(EmptyShoe):
        expected = {
            ACTION_NAMES[action]: float(outcome.profit / reference.base)
            for action, outcome in reference.plays(shoe.cards).items()
        }
    if found is None or expected is None:
        is_same = found is expected
    else:
        is_same = found.keys() == expected.keys() and all(
            abs(found[action] - expected[action]) < TOLERANCE for action in expected
        )
    difference = "" if is_same else f"{shoe}: {found}, and in fractions {expected}"
    return Comparison(len(expected or ()), difference)
