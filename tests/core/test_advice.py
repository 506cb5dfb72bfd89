"""What Super Fun 21's dealer tells a player."""

import pytest

from tests.core.hands import hand, table
from ventiuna.core.advice import eleven_is_better_hit, next_card_cannot_lose

FUN = table("super-fun-21")


@pytest.mark.parametrize(
    ("text", "doublings", "said"),
    [
        ("Ac 2d 2h 2s 3c", 0, True),  # soft 20 in five cards
        ("Ac Ad 2h 2s 3c", 0, True),
        ("Ac Ad 2h 2s 3c", 1, False),
        ("Ac 2d 2h 3c", 0, False),  # four cards only
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
def test_r118_an_eleven_in_four_cards_is_better_hit(text: str, doublings: int, said: bool) -> None:
    assert eleven_is_better_hit(FUN, hand(text, doublings)) is said
