"""The Super Fun 21 dealer's advice to players."""

import pytest

from tests.core.hands import hand, table
from ventiuna.core.base_game import eleven_is_better_hit, next_card_cannot_lose
from ventiuna.core.cards import ANY_SUITS, RANKS, one_of_rank
from ventiuna.core.rule_table import BONUS_ROWS, RuleTable

FUN = table("super-fun-21")


@pytest.mark.parametrize(
    ("text", "doublings", "said"),
    [
        ("Ac 2d 2h 2s 3c", 0, True),  # soft 20 with five cards
        ("Ac Ad 2h 2s 3c", 0, True),
        ("Ac Ad 2h 2s 3c", 1, False),
        ("Ac 2d 2h 3c", 0, False),  # only four cards
        ("2c 2d 2h 3s 3c", 0, False),  # hard
    ],
)
def test_r118_a_hit_cannot_lose(text: str, doublings: int, said: bool) -> None:
    assert next_card_cannot_lose(FUN, hand(text, doublings)) is said


@pytest.mark.parametrize(
    ("text", "doublings", "said"),
    [
        ("2c 2d 3h 4s", 0, True),
        ("2c 2d 3h 4s", 1, False),
        ("2c 2d 3h 3s", 0, False),
        ("2c 2d 3h 5s", 0, False),
        ("5c 6d", 0, False),
        ("2c 3d 6h", 0, False),
    ],
)
def test_r118_an_eleven_with_four_cards_is_better_to_hit(
    text: str, doublings: int, said: bool
) -> None:
    assert eleven_is_better_hit(FUN, hand(text, doublings)) is said


# --- for any house rows -----------------------------------------------------------------------

SOFT_FIVE = "Ac 2d 2h 2s 3c"


def test_r118_a_card_of_any_rank_must_win() -> None:
    """If every rank has an instant six-card win, no card can lose; otherwise, some card can."""
    for missing in range(1, RANKS + 1):
        rows = [rank for rank in range(1, RANKS + 1) if rank != missing]
        assert not next_card_cannot_lose(wins_with(rows), hand(SOFT_FIVE)), missing
    assert next_card_cannot_lose(wins_with(list(range(1, RANKS + 1))), hand(SOFT_FIVE))


def wins_with(ranks: list[int]) -> RuleTable:
    """Super Fun 21 with rows that pay the soft hand above only with a sixth card of these ranks."""
    held = hand(SOFT_FIVE).ranks
    padding = (0,) * (BONUS_ROWS - len(ranks))
    return FUN._replace(
        bonus_rows=len(ranks),
        bonus_min_cards=(6,) * len(ranks) + padding,
        bonus_max_cards=(6,) * len(ranks) + padding,
        bonus_min_total=(2,) * len(ranks) + padding,
        bonus_max_total=(21,) * len(ranks) + padding,
        bonus_lowest_total=2,
        bonus_ranks=tuple(held + one_of_rank(rank) for rank in ranks) + padding,
        bonus_suits=(ANY_SUITS,) * len(ranks) + padding,
        bonus_forced=(1,) * len(ranks) + padding,
    )


def test_r118_a_doubled_hand_gets_no_advice_even_if_rows_pay_it() -> None:
    paid_doubled = FUN._replace(bonus_doubled=(1,) * BONUS_ROWS)
    assert next_card_cannot_lose(paid_doubled, hand(SOFT_FIVE))
    assert eleven_is_better_hit(paid_doubled, hand("2c 2d 3h 4s"))
    for doublings in (1, 2):
        assert not next_card_cannot_lose(paid_doubled, hand(SOFT_FIVE, doublings))
        assert not eleven_is_better_hit(paid_doubled, hand("2c 2d 3h 4s", doublings))
