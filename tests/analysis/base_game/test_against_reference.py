"""The fast analyzer and exact fractions agree to 1e-12 for every option, on and off."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import pytest

from tests import IS_SOAK
from tests.analysis.base_game.comparing import assert_equal_to_reference, pack
from ventiuna.analysis.composition import SplitPlay
from ventiuna.money import Odds
from ventiuna.rules import Rules, load_rules
from ventiuna.rules.model import PayRow

# The fewest cards that make every case occur. Each additional card doubles the work.
ACES = "Ac*4 6c 8c Kc*13" if IS_SOAK else "Ac*4 6c Kc*12"
EIGHTS = "8c*5 3c*2 Kc*14"
SMALL = "2c*4 5c*2 Kc*19"
SIX_SEVEN_EIGHT = "6s*2 6h 7s 8s*2 Ks*9"
SEVENS = "7s*3 7h*2 8s 6s Ks*10"
PACKS = {"aces": ACES, "eights": EIGHTS, "small": SMALL}

SPANISH, BLACKJACK, SUPER_FUN = "wsgc-spanish-21", "blackjack", "super-fun-21"


def some(rules: list[str]) -> list[tuple[str, str]]:
    """Pair each rule set with one pack in turn, or with every pack in a soak."""
    if IS_SOAK:
        return [(name, cards) for name in rules for cards in PACKS]
    return list(zip(rules, cycle(PACKS), strict=False))


@pytest.mark.parametrize(
    ("rules", "cards"),
    some(
        [
            SPANISH,
            f"{SPANISH}(soft_17=stand)",
            f"{SPANISH}(surrender=off)",
            f"{SPANISH}(double_double=on)",
            BLACKJACK,
            f"{BLACKJACK}(soft_17=stand,surrender=late)",
            SUPER_FUN,
        ]
    ),
)
def test_games(rules: str, cards: str) -> None:
    assert assert_equal_to_reference(load_rules(rules), pack(PACKS[cards])) > 0


@pytest.mark.parametrize(
    "rules",
    [
        f"{SPANISH}(double_on_21=never)",
        f"{SPANISH}(double_on_21=any)",
        f"{SPANISH}(double_blackjack=off)",
        f"{SPANISH}(double_cards=two)",
        f"{SPANISH}(double_totals=9-11)",
        f"{SPANISH}(double_totals=10-11)",
        f"{SPANISH}(double_after_split=off)",
        f"{SPANISH}(rescue=off)",
        f"{SPANISH}(rescue=off,double_double=on)",
        f"{SPANISH}(surrender=any_time,double_for_less=off)",
        f"{SPANISH}(blackjack_tie=pushes,blackjack_paid=after_check)",
        f"{SPANISH}(player_21=compares)",
        f"{SPANISH}(split=off)",
        f"{SPANISH}(split_hands=2)",
        f"{SPANISH}(split_hands=3)",
        f"{SPANISH}(split_aces=one_card)",
        f"{SPANISH}(split_aces=one_card,resplit_aces=off)",
        f"{SPANISH}(resplit_aces=off)",
        f"{BLACKJACK}(blackjack_pays=6 to 5)",
        f"{BLACKJACK}(blackjack_tie=wins)",
        f"{BLACKJACK}(double_on_21=any,double_cards=two_or_more,double_blackjack=on)",
        f"{BLACKJACK}(resplit_aces=on)",
        f"{BLACKJACK}(split_aces=like_others,resplit_aces=on,rescue=on)",
        f"{BLACKJACK}(split_hands=3,surrender=any_time,double_for_less=off)",
        f"{SUPER_FUN}(diamond_blackjack_pays=3 to 2,blackjack_pays=3 to 2)",
        f"{SUPER_FUN}(double_on_21=soft,split_aces=one_card)",
    ],
)
def test_options(rules: str) -> None:
    assert_equal_to_reference(load_rules(rules), pack(ACES))


@pytest.mark.parametrize("cards", [SIX_SEVEN_EIGHT, SEVENS], ids=["6-7-8", "7-7-7"])
@pytest.mark.parametrize("split_play", list(SplitPlay))
def test_suits(cards: str, split_play: SplitPlay) -> None:
    assert assert_equal_to_reference(load_rules(SPANISH), pack(cards), split_play) > 10


def test_super_bonus() -> None:
    rules = load_rules(f"{SPANISH}(decks=4)")
    assert_equal_to_reference(rules, pack(SEVENS), base=2500, super_bonus=True)
    two_decks = load_rules(f"{SPANISH}(decks=2)")
    cards = pack("7h*2 7c 7s 9s Ks*9" if not IS_SOAK else "7h*2 7c 7d 7s 9s Ks*9")
    assert_equal_to_reference(two_decks, cards, base=500, super_bonus=True)


def test_diamonds() -> None:
    cards = "Ad Ac Kd*2 Kc*8 9c*2" if IS_SOAK else "Ad Ac Kd Kc*9 9c*2"
    assert_equal_to_reference(load_rules(SUPER_FUN), pack(cards))


@pytest.mark.parametrize("split_play", list(SplitPlay))
def test_same_rank_only(split_play: SplitPlay) -> None:
    cards = pack("Kc*4 Kd Qc*3 9c 8c Jc")
    assert assert_equal_to_reference(load_rules("casino-card"), cards, split_play) > 0


@pytest.mark.parametrize(
    ("rules", "cards"), some([f"{SPANISH}(double_double=on)", BLACKJACK, SUPER_FUN])
)
def test_reoptimized_split_hands(rules: str, cards: str) -> None:
    assert_equal_to_reference(load_rules(rules), pack(PACKS[cards]), SplitPlay.REOPTIMISED)


def test_capped_double_double() -> None:
    rules = load_rules(f"{SPANISH}(double_double=on,table_maximum=100)")
    for base in (4000, 7500, 10000):
        assert_equal_to_reference(rules, pack(EIGHTS), base=base)


def with_rows(rules: str, *rows: PayRow) -> Rules:
    loaded = load_rules(rules)
    return replace(loaded, bonus_21=(*rows, *loaded.bonus_21))


def test_custom_payout_rows() -> None:
    """Rows with suits but no ranks, for two cards, for totals below 21, or not after a split."""
    pair = PayRow(
        name="6-6 of one suit",
        pay=Odds(5, 2),
        cards=(2, 2),
        total=(12, 12),
        ranks=(6, 6),
        suits="one suit",
    )
    three = PayRow(
        name="20 of spades", pay=Odds(4, 1), cards=(3, 3), total=(20, 20), suits="spades"
    )
    unsplit = PayRow(
        name="8-8", pay=Odds(3, 1), cards=(2, 2), total=(16, 16), ranks=(8, 8), after_split=False
    )
    for rows in ((pair,), (three,), (unsplit,)):
        assert_equal_to_reference(with_rows(SPANISH, *rows), pack("6s*2 6h 8s*2 Ks*13"))


def test_choice_with_three_suited_cards() -> None:
    """A suited 6-7-8 that may be doubled instead of paid."""
    rules = load_rules(f"{SPANISH}(double_on_21=any)")
    assert_equal_to_reference(rules, pack(SIX_SEVEN_EIGHT))
    cheap = PayRow(
        name="6-7-8 of hearts", pay=Odds(1, 10), cards=(3, 3), ranks=(6, 7, 8), suits="hearts"
    )
    cards = "6h*2 7h 8h*2 Ah*3 Kh*12" if IS_SOAK else "6h 7h 8h*2 Ah Kh*12"
    assert_equal_to_reference(replace(rules, bonus_21=(cheap, *rules.bonus_21)), pack(cards))


def test_instant_wins_by_suits() -> None:
    rules = load_rules(SUPER_FUN)
    row = PayRow(
        name="three clubs of 15 or less", pay=Odds(1, 1), cards=(3, 3), total=(3, 15), suits="clubs"
    )
    changed = replace(rules, instant_wins=(*rules.instant_wins, row))
    assert_equal_to_reference(changed, pack("3c*2 3d 9c*2 Kc*9 Kd"))
