"""Section 3: the base wager, and Match the Dealer wagers with their odds."""

from typing import Any

import pytest

from tests.rounds import Live, play, problems, seat, wagers
from ventiuna.engine.commands import CloseWagers, PlaceWagers, WithdrawWagers
from ventiuna.engine.events import Stage
from ventiuna.rules import load_rules

ODDS = {2: (4, 15), 4: (4, 10), 5: (3, 13), 6: (4, 9), 8: (3, 12)}  # decks: unsuited, suited


# --- the base wager comes first ------------------------------------------------------------------


@pytest.mark.parametrize(("mtd", "jackpots"), [({"up": 5}, {}), ({"down": 5}, {}), ({}, {1: 1})])
def test_r014_no_side_wager_without_a_base_wager(
    mtd: dict[str, int | str], jackpots: dict[int, int | str]
) -> None:
    table = Live("wsgc-2021(jackpots=3c:1)")
    assert "R-014" in table.refuses(wagers(base=0, mtd=mtd, jackpots=jackpots)).rules
    table.do(wagers(base=5, mtd=mtd, jackpots=jackpots))


def test_r014_a_round_needs_a_base_wager() -> None:
    table = Live("wsgc-2021")
    assert "R-014" in table.refuses(CloseWagers()).rules
    assert "R-014" in table.refuses(wagers(base=0)).rules
    table.do(wagers(3))
    table.do(WithdrawWagers(3))
    assert "R-014" in table.refuses(CloseWagers()).rules
    table.do(wagers(3), CloseWagers())
    assert table.state.stage is Stage.DEAL


def test_r014_wagers_may_be_changed_until_they_are_closed() -> None:
    table = Live("wsgc-2021")
    table.do(wagers(base=10, mtd={"up": 5}), wagers(base=20), CloseWagers())
    assert table.state.spots[1].base == 20_00
    assert not table.state.spots[1].mtd
    assert table.refuses(wagers(base=30)).code == "wagers_closed"
    assert table.refuses(WithdrawWagers(1)).code == "wagers_closed"


def test_r014_a_side_wager_of_zero_counts_as_none() -> None:
    table = Live("wsgc-2021(jackpots=3c:1)")
    table.do(wagers(mtd={"up": 0, "down": 5}, jackpots={1: 0}))
    assert table.state.spots[1].mtd == {"down": 5_00}
    assert table.state.spots[1].jackpots == {}


# --- configurations ------------------------------------------------------------------------------


def offered(rules: str) -> list[str]:
    """Which Match the Dealer wagers a table accepts."""
    names = ("up", "down", "b1", "b2", "b3", "b4", "b5", "b6")
    taken = []
    for name in names:
        table = Live(rules)
        if name in load_rules(rules).mtd_wagers:
            table.do(wagers(mtd={"up": 5, name: 5}))
            taken.append(name)
        else:
            assert table.refuses(wagers(mtd={name: 5})).code == "mtd_not_offered"
    return taken


def test_r015_configuration_1_takes_up_card_wagers_only() -> None:
    assert offered("wsgc-2021(mtd_configuration=1)") == ["up"]
    refusal = Live("catfish-bend").refuses(wagers(mtd={"down": 5}))
    assert "R-015" in refusal.rules
    assert "This table doesn't offer the Match the Dealer Down Card wager" in refusal.message
    assert "Choose from: Match the Dealer Up Card wager" in refusal.message


def test_r016_configuration_2_takes_up_and_down_card_wagers() -> None:
    assert offered("wsgc-2021(mtd_configuration=2)") == ["up", "down"]
    round_ = play("wsgc-2021", "9s 9h", seat("9c Kd / stand", mtd={"up": 5, "down": 5}))
    assert round_.result() == "mtd up +20.00, hand +10.00, mtd down +20.00"


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_r017_configuration_3_takes_up_and_one_to_four_bonus_card_wagers(count: int) -> None:
    rules = f"wsgc-2021(mtd_configuration=3,bonus_cards={count})"
    assert offered(rules) == ["up", *(f"b{number}" for number in range(1, count + 1))]


@pytest.mark.parametrize("count", [0, 5])
def test_r017_configuration_3_has_no_other_number_of_bonus_cards(count: int) -> None:
    found = problems(f"wsgc-2021(mtd_configuration=3,bonus_cards={count})")
    assert found == {"bonus_cards": "R-017"}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_r018_configuration_4_takes_up_down_and_one_to_five_bonus_cards(count: int) -> None:
    rules = f"wsgc-2021(mtd_configuration=4,bonus_cards={count})"
    assert offered(rules) == ["up", "down", *(f"b{number}" for number in range(1, count + 1))]


@pytest.mark.parametrize("count", [0, 6])
def test_r018_configuration_4_has_no_other_number_of_bonus_cards(count: int) -> None:
    found = problems(f"wsgc-2021(mtd_configuration=4,bonus_cards={count})")
    assert "R-018" in found["bonus_cards"]


def test_r019_each_bonus_card_decides_its_own_numbered_wager() -> None:
    rules = "wsgc-2021(mtd_configuration=4,bonus_cards=3)"
    hand = "9c Kd / stand"
    every = {"b1": 1, "b2": 2, "b3": 3}
    first = play(rules, "7s Kh", seat(hand, mtd=every), bonus_cards="9c 2h 3d")
    assert first.result() == "mtd b1 +9.00, mtd b2 -2.00, mtd b3 -3.00, hand +10.00"
    second = play(rules, "7s Kh", seat(hand, mtd=every), bonus_cards="2h 9h 3d")
    assert second.result() == "mtd b1 -1.00, mtd b2 +8.00, mtd b3 -3.00, hand +10.00"
    third = play(rules, "7s Kh", seat(hand, mtd={"b3": 3}), bonus_cards="9c 9d Ks")
    assert third.result() == "mtd b3 +12.00, hand +10.00"


# --- matches -------------------------------------------------------------------------------------


def match(hand: str, up: str = "Kh", decks: int = 6) -> str:
    """Result of a $1 Up Card wager; with these hands the dealer never draws."""
    rules = f"wsgc-2021(decks={decks})"
    return play(rules, f"{up} 9c", seat(f"{hand} / stand", mtd={"up": 1})).result()


def test_r020_a_match_has_the_same_rank() -> None:
    assert match("Kc 9d").startswith("mtd up +4.00")
    assert match("Jc 9d").startswith("mtd up -1.00")  # equal value is not equal rank
    assert match("Jc Qd").startswith("mtd up -1.00")
    assert match("Qh 9h").startswith("mtd up -1.00")  # a matching suit alone doesn't count


def test_r020_suited_when_the_suit_is_the_same() -> None:
    for suit, net in zip("cdhs", ("+4.00", "+4.00", "+9.00", "+4.00"), strict=True):
        assert match(f"K{suit} 9d").startswith(f"mtd up {net}")


def test_r020_only_the_original_two_cards_count() -> None:
    hit = seat("2c 8d / hit 9s / stand", mtd={"up": 1, "down": 1})
    assert play("wsgc-2021", "9h 9d", hit).result() == "mtd up -1.00, hand +10.00, mtd down -1.00"
    split = seat("8c 8d / split", "8c 9s / stand", "8d 9c / stand", mtd={"up": 1, "down": 1})
    assert play("wsgc-2021", "9h 8h", split).result() == (
        "mtd up -1.00, hand 0.00 and 0.00, mtd down +8.00"
    )


def test_r021_every_match_is_paid_and_only_no_match_loses() -> None:
    assert match("Qc 9d") == "mtd up -1.00, hand 0.00"
    assert match("Kc 9d") == "mtd up +4.00, hand 0.00"
    assert match("Kc Kd") == "mtd up +8.00, hand +10.00"
    assert match("Kh Kd") == "mtd up +13.00, hand +10.00"


def test_r021_each_wager_is_separate() -> None:
    """Up, down and Bonus Card wagers of different sizes win and lose separately."""
    rules = "wsgc-2021(mtd_configuration=4,bonus_cards=2)"
    stakes = {"up": 1, "down": 2, "b1": 3, "b2": 4}
    round_ = play(rules, "9h 5h / Kc", seat("5c 9d / stand", mtd=stakes), bonus_cards="Qs 5c")
    assert round_.result() == (
        "mtd up +4.00, mtd b1 -3.00, mtd b2 +36.00, hand +10.00, mtd down +8.00"
    )


def test_d30_a_down_card_wager_is_paid_for_each_card_too() -> None:
    both = seat("9c 9h / stand", mtd={"down": 1})
    assert play("wsgc-2021", "Kh 9h", both).result() == "hand -10.00, mtd down +13.00"


@pytest.mark.parametrize(("decks", "odds"), ODDS.items())
def test_r022_odds_by_number_of_decks(decks: int, odds: tuple[int, int]) -> None:
    unsuited, suited = odds
    rules = f"wsgc-2021(decks={decks},mtd_configuration=4,bonus_cards=1)"
    stakes = {"up": 10, "down": 10, "b1": 10}
    plain = play(rules, "9h 9d", seat("9c Kd / stand", mtd=stakes), bonus_cards="9s")
    expected = f"+{10 * unsuited}.00"
    assert plain.result() == (
        f"mtd up {expected}, mtd b1 {expected}, hand +10.00, mtd down {expected}"
    )
    expected = f"+{10 * suited}.00"
    alike = seat("9c 8d / stand", mtd={"up": 10, "down": 10})
    assert play(rules, "9c 8d", alike, bonus_cards="2h").result() == (
        f"mtd up {expected}, hand 0.00, mtd down {expected}"
    )
    bonus = play(rules, "7h Kd", seat("9c 8d / stand", mtd={"b1": 10}), bonus_cards="8d")
    assert bonus.result() == f"mtd b1 {expected}, hand 0.00"
    assert bonus.payment(1, "mtd b1").odds == f"{suited} to 1"


def test_d06_odds_follow_the_decks_even_if_a_document_prints_one_list() -> None:
    assert match("Kc 9d", decks=8) == "mtd up +3.00, hand 0.00"
    assert match("Kh 9d", decks=8) == "mtd up +12.00, hand 0.00"
    card = play("casino-card", "Kh 9c", seat("Kh 9d / stand", mtd={"up": 1}))
    assert card.result() == "mtd up +9.00, hand 0.00"


@pytest.mark.parametrize(
    ("hand", "pays"),
    [("Kc 9d", 4), ("Kc Kd", 8), ("Kh 9d", 9), ("Kh Kd", 13), ("Kh Kh", 18)],
    ids=["1 unsuited", "2 unsuited", "1 suited", "one of each", "2 suited"],
)
def test_r023_the_casino_cards_list_is_the_same_arithmetic(hand: str, pays: int) -> None:
    round_ = play("casino-card", "Kh 9c", seat(f"{hand} / stand", base=10, mtd={"up": 10}))
    assert round_.payment(1, "mtd up").net == pays * 10_00


# --- stakes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["wsgc-spanish-21", "wsgc-2021", "wsgc-v002"])
def test_r024_the_house_sets_minimum_and_maximum(preset: str) -> None:
    table = Live(f"{preset}(mtd_minimum=3,mtd_maximum=50)")
    for amount in (3, 50):
        table.do(wagers(base=10, mtd={"up": amount}))  # even above the base wager
    for amount in (2, 51):
        assert "R-024" in table.refuses(wagers(base=10, mtd={"up": amount})).rules
    assert problems(f"{preset}(mtd_minimum=30,mtd_maximum=20)") == {"mtd_maximum": "R-024"}


def test_r024_document_001_not_above_the_base_wager() -> None:
    table = Live("casino-card")
    table.do(wagers(base=25, mtd={"up": 25, "down": 25}))
    for name in ("up", "down"):
        assert "R-024" in table.refuses(wagers(base=25, mtd={name: 26})).rules


def test_r024_document_002_from_1_to_100() -> None:
    table = Live("catfish-bend")
    for amount in (1, 100):
        table.do(wagers(base=5, mtd={"up": amount}))
    assert "R-024" in table.refuses(wagers(base=200, mtd={"up": 101})).rules
    small = Live("catfish-bend(chip_unit=0.50,small_chip_unit=0.25)")
    assert "R-024" in small.refuses(wagers(base=200, mtd={"up": "0.50"})).rules


def test_d03_stakes_by_document() -> None:
    """000 and 003 leave the stake to the house, 001 ties it to the base wager, 002 prints it."""
    above_base = wagers(base=10, mtd={"up": 11})
    for preset in ("wsgc-spanish-21", "wsgc-2021", "wsgc-v002", "catfish-bend"):
        Live(preset).do(above_base)
    assert Live("casino-card").refuses(above_base).code == "mtd_at_most_base"
    Live("wsgc-2021").do(wagers(base=10, mtd={"up": 101}))
    assert Live("catfish-bend").refuses(wagers(base=10, mtd={"up": 101})).code == "mtd_limits"


def test_r025_document_000_requires_an_up_card_wager_with_a_down_card_wager() -> None:
    table = Live("wsgc-spanish-21")
    assert "R-025" in table.refuses(wagers(mtd={"down": 5})).rules
    table.do(wagers(mtd={"up": 1, "down": 5}))
    table.do(wagers(mtd={"up": 5}))


def test_r025_on_the_same_hand_not_on_another_spot() -> None:
    table = Live("wsgc-spanish-21")
    table.do(wagers(1, person="Ann", mtd={"up": 5}))
    assert "R-025" in table.refuses(wagers(2, person="Ann", mtd={"down": 5})).rules


@pytest.mark.parametrize("preset", ["casino-card", "wsgc-2021", "wsgc-v002"])
def test_r025_other_documents_dont_require_it(preset: str) -> None:
    Live(preset).do(wagers(mtd={"down": 5}))


@pytest.mark.parametrize("required", ["up", "down", "up+down"])
def test_r025_document_003_lets_the_house_require_match_wagers(required: str) -> None:
    table = Live(f"wsgc-2021(mtd_required={required})")
    names = required.split("+")
    assert "R-025" in table.refuses(wagers()).rules
    for missing in names:
        rest = {name: 5 for name in names if name != missing}
        assert "R-025" in table.refuses(wagers(mtd=rest)).rules
    table.do(wagers(mtd=dict.fromkeys(names, 5)))


def test_r025_a_wager_that_isnt_offered_cannot_be_required() -> None:
    found = problems("wsgc-2021(mtd_configuration=1,mtd_required=down)")
    assert found == {"mtd_required": "R-025"}


def test_d02_which_documents_tie_the_down_wager_to_the_up_wager() -> None:
    ties = {name: load_rules(name).down_requires_up for name in ("wsgc-spanish-21", "casino-card")}
    assert ties == {"wsgc-spanish-21": True, "casino-card": False}
    table = Live("wsgc-2021(down_requires_up=on)")
    assert "D-02" in table.refuses(wagers(mtd={"down": 5})).rules


def test_d04_configurations_by_document() -> None:
    offered_by = {
        "wsgc-spanish-21": ["up", "down"],
        "casino-card": ["up", "down"],
        "catfish-bend": ["up"],
        "wsgc-2021": ["up", "down"],
        "wsgc-v002": ["up", "down"],
    }
    assert {preset: offered(preset) for preset in offered_by} == offered_by
    assert Live("super-fun-21").refuses(wagers(mtd={"up": 5})).code == "mtd_not_offered"


# --- chip units (O-18) ---------------------------------------------------------------------------


def test_o18_wagers_are_multiples_of_the_chip_unit() -> None:
    table = Live("wsgc-2021")
    for wrong in (wagers(base="10.50"), wagers(base=10, mtd={"up": "2.50"})):
        assert table.refuses(wrong).rules == ("O-18",)
    Live("wsgc-2021(chip_unit=0.50,small_chip_unit=0.25)").do(wagers(base="10.50"))
    assert Live("wsgc-2021(chip_unit=5,mtd_minimum=5)").refuses(wagers(base=12)).rules == ("O-18",)


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ("wsgc-2021(chip_unit=0.01,small_chip_unit=0.01)", "chip_unit"),  # 3 to 2 on a cent
        ("wsgc-2021(chip_unit=0.25,small_chip_unit=0.25)", "chip_unit"),
        ("blackjack(blackjack_pays=6 to 5,chip_unit=0.01)", "chip_unit"),
        ("super-fun-21(chip_unit=0.05,small_chip_unit=0.05)", "chip_unit"),  # half a nickel
        ("wsgc-2021(insurance_pays=5 to 2,small_chip_unit=0.25)", "small_chip_unit"),
    ],
)
def test_o18_a_chip_unit_that_could_leave_a_fraction_of_a_cent_is_refused(
    rules: str, field: str
) -> None:
    assert problems(rules) == {field: "O-18"}


def test_o18_the_smallest_units_that_divide_evenly() -> None:
    rules = "wsgc-2021(chip_unit=0.50,small_chip_unit=0.25,table_minimum=0.50,limit_profile=none)"
    round_ = play(rules, "9s Kh", seat("As Kd", base="0.50"))
    assert round_.result() == "hand +0.75"


def test_o18_amounts_are_whole_cents_at_or_above_zero() -> None:
    table = Live("wsgc-2021")
    amounts: list[Any] = [-5_00, 10.0, True, 10**15]
    codes = [table.refuses(PlaceWagers(1, amount)).code for amount in amounts]
    assert codes == ["amount_range", "not_cents", "not_cents", "amount_range"]
