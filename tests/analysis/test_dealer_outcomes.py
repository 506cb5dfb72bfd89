"""The dealer's totals, compared with permutations, the compiled kernel and known identities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import ventiuna as vt
from tests.cli.running import run
from ventiuna.analysis.base_game.queries import OUTCOMES, DealerOutcomes
from ventiuna.analysis.base_game.solver import value_counts
from ventiuna.analysis.composition import fresh_composition
from ventiuna.kernels.exact.dealer import LANES, TOTALS, dealer_totals, dealer_tree
from ventiuna.kernels.exact.tables import VALUES
from ventiuna.rules import compile_rules

RULES = ["wsgc-2021", "wsgc-2021(soft_17=stand,decks=2)", "super-fun-21"]


def outcome(up: int, drawn: tuple[int, ...], hits_soft_17: bool) -> str:
    """An independent version of the dealer's rule: draw to 17, and on soft 17 if the house does."""
    if {up, drawn[0]} == {1, 10}:
        return "blackjack"
    total, aces = up, int(up == 1)
    for card in drawn:
        total, aces = total + card, aces + (card == 1)
        soft = aces > 0 and total <= 11
        best = total + 10 * soft
        if best > 21:
            return "bust"
        if best > 17 or (best == 17 and not (soft and hits_soft_17)):
            return str(best)
    raise AssertionError("the shoe is too small")


@pytest.mark.parametrize(
    ("up", "shoe", "values"),
    [
        ("6", "Ac:1 Ad:1 2c:1 5c:1 Tc:1 9c:1 8c:1 Kc:1", (1, 1, 2, 5, 10, 9, 8, 10)),
        ("A", "6c:1 6d:1 Kc:1 Qc:1 2c:1 3c:1 8c:1 9c:1", (6, 6, 10, 10, 2, 3, 8, 9)),
        ("10", "Ac:1 Ad:1 2c:1 3c:1 4c:1 5c:1 7c:1 8c:1", (1, 1, 2, 3, 4, 5, 7, 8)),
    ],
)
@pytest.mark.parametrize("soft_17", ["hit", "stand"])
def test_small_shoes_agree_with_every_order_of_their_cards(
    up: str, shoe: str, values: tuple[int, ...], soft_17: str
) -> None:
    house = vt.rules("super-fun-21", decks=2, soft_17=soft_17)
    up_value = {"A": 1}.get(up, int(up) if up.isdigit() else 0)
    orders = [outcome(up_value, order, soft_17 == "hit") for order in permutations(values)]
    counted = Counter(orders)
    [found] = vt.dealer_outcomes(house, up, shoe=shoe).up_cards
    assert found.chances == tuple(Fraction(counted[name], len(orders)) for name in OUTCOMES)


@pytest.mark.parametrize("rules", RULES)
def test_full_shoes_agree_with_the_compiled_kernel(rules: str) -> None:
    house = vt.rules(rules)
    shoes = value_counts(fresh_composition(house)).reshape(1, VALUES)
    chances = np.zeros((1, VALUES, TOTALS))
    dealer_totals(dealer_tree(compile_rules(house)), shoes, chances, LANES)
    found = vt.dealer_outcomes(house)
    for value, name in enumerate(("A", *map(str, range(2, 11)))):
        exact = [float(found.of(name).after_check(str(total))) for total in range(17, 22)]
        assert exact == pytest.approx(chances[0, value].tolist(), abs=1e-14)


@pytest.fixture(scope="module")
def spanish() -> DealerOutcomes:
    return vt.dealer_outcomes("wsgc-2021")


def test_chances_add_up(spanish: DealerOutcomes) -> None:
    assert all(sum(found.chances) == 1 for found in spanish.up_cards)
    each = [found for found in spanish.up_cards if found.up != "all"]
    assert sum(found.chance for found in each) == 1
    assert spanish.of("all").of("blackjack") == vt.blackjacks("wsgc-2021").dealer
    ace = spanish.of("A")
    assert ace.of("blackjack") == vt.insurance("wsgc-2021").win_frequency
    assert sum(ace.after_check(name) for name in OUTCOMES) == 1
    assert ace.after_check("blackjack") == 0


def test_six_decks_of_blackjack_have_the_known_chances() -> None:
    found = vt.dealer_outcomes("blackjack(decks=6,soft_17=stand)")
    assert round(float(found.of("all").of("bust")), 4) == 0.2819
    assert round(float(found.of("6").of("bust")), 4) == 0.4228
    assert found.of("all").of("blackjack") == 2 * Fraction(24 * 96, 312 * 311)


def test_a_rank_or_a_card_is_an_up_card(spanish: DealerOutcomes) -> None:
    wanted = spanish.of("10").chances
    for up in ("10", "K", "Ks", "j"):
        assert vt.dealer_outcomes("wsgc-2021", up).up_cards[0].chances == wanted
    gone = vt.dealer_outcomes("wsgc-2021", "6", without=["Kc", "Kd"])
    assert gone.up_cards[0].of("bust") < spanish.of("6").of("bust")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"up": "x"}, "'x' isn't a card: write a rank"),
        ({"up": 6}, "up = 6: must be a string"),
        ({"up": "Ts"}, "isn't in the Spanish pack"),
        ({"up": "6", "shoe": "2:4"}, "with 5 cards, the shoe may run out during a round"),
        ({"without": [2]}, "card 2: write a card as text"),
    ],
)
def test_an_impossible_query_gets_one_sentence(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(vt.VentiunaError, match=sentence):
        vt.dealer_outcomes("wsgc-2021", **given)


def test_the_command_prints_the_librarys_figures(spanish: DealerOutcomes) -> None:
    printed = run("dealer", "wsgc-2021", "--json").data
    assert printed.pop("command") == "ventiuna dealer wsgc-2021 --json"
    assert printed == spanish.as_data()
    shown = run("dealer", "wsgc-2021", "--up", "6h")
    assert "40.1367%" in shown.out
    assert "To repeat: ventiuna dealer wsgc-2021 --up 6h" in shown.out
