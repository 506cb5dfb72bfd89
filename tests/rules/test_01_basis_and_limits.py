"""Section 1: the basis of the games, and limits."""

import pytest

from tests.rounds import Live, play, problems, seat, wagers
from ventiuna.rules import find_warnings, load_rules, preset_ids
from ventiuna.rules.data_files import limit_profiles

SPANISH = [name for name in preset_ids() if load_rules(name).game == "spanish-21"]
OTHERS = [name for name in preset_ids() if name != "blackjack"]

# Rounds that no rule document changes: totals below 21 on undoubled hands without a pair or an ace.
PLAIN_ROUNDS = [
    ("9s Kh", "Kc 8d / stand", "hand -10.00"),  # 18 against 19
    ("9s Kh", "Kc 9d / stand", "hand 0.00"),
    ("9s Kh", "Kc Jd / stand", "hand +10.00"),
    ("6s Kh / 9h", "Kc 2d / stand", "hand +10.00"),  # dealer busts
    ("6s Kh / 5h", "Kc 2d / hit 8h / stand", "hand -10.00"),
    ("7s Kh", "Kc 5d / hit 9h", "hand -10.00"),  # bust
    ("6c 8h / 2c Kd", "Kc 2d / hit 3h / stand", "hand +10.00"),  # the dealer's 16 draws to 26
]


def test_the_presets_match_the_documents() -> None:
    assert sorted(SPANISH) == [
        "casino-card",
        "catfish-bend",
        "wsgc-2021",
        "wsgc-spanish-21",
        "wsgc-v002",
    ]


@pytest.mark.parametrize("preset", SPANISH)
@pytest.mark.parametrize(("dealer", "hand", "result"), PLAIN_ROUNDS)
def test_r001_anything_unchanged_is_blackjack(
    preset: str, dealer: str, hand: str, result: str
) -> None:
    assert play("blackjack", dealer, hand).result() == result
    assert play(preset, dealer, hand).result() == result


@pytest.mark.parametrize("preset", preset_ids())
def test_o01_standard_blackjack_rules_apply_by_reference(preset: str) -> None:
    """Ties below 21 push, the dealer draws to 17, a win pays even money, a bust loses at once."""
    assert play(preset, "9s Kh", "Kc 9d / stand").payment(1).odds == "push"
    assert play(preset, "9s Kh", "Kc Qd / stand").payment(1).odds == "even money"
    # The dealer has 16 and must draw, then 17 and must stand.
    assert play(preset, "9s 7h / 4c", "Kc 9d / stand").result() == "hand -10.00"
    assert play(preset, "9s 8h", "Kc 7d / stand").result() == "hand 0.00"
    both_bust = play(preset, "6s Kh / 9h", "Kc 5d / hit 9c", "Kd 2d / stand")
    assert both_bust.results() == ["hand -10.00", "hand +10.00"]


@pytest.mark.parametrize(
    ("profile", "most"), [("wac-2009", 300), ("wac-2023", 400)], ids=["2009", "2023"]
)
@pytest.mark.parametrize("preset", OTHERS)
def test_r002_no_wager_above_the_regulators_limit(preset: str, profile: str, most: int) -> None:
    at_limit = f"{preset}(limit_profile={profile},table_maximum={most})"
    table = Live(at_limit)
    table.do(wagers(base=most))
    assert "R-002" in table.refuses(wagers(base=most + 1)).rules
    above = f"{preset}(limit_profile={profile},table_maximum={most + 1})"
    assert problems(above)["table_maximum"] == "R-002"


def test_r002_side_wagers_keep_the_regulators_limit_too() -> None:
    rules = "wsgc-2021(limit_profile=wac-2009,table_maximum=300,mtd_maximum={})"
    table = Live(rules.format(300))
    table.do(wagers(base=100, mtd={"up": 300}))
    assert table.refuses(wagers(base=100, mtd={"up": 301})).code == "mtd_limits"
    assert problems(rules.format(301)) == {"mtd_maximum": "R-002"}


def test_r002_many_games_on_one_hand_are_a_warning() -> None:
    """WAC 230-15-040 allows six games with one hand; how Match the Dealer counts is open."""
    few = "wsgc-2021(mtd_configuration=4,bonus_cards=3)"  # the base wager and five side bets
    many = "wsgc-2021(mtd_configuration=4,bonus_cards=4)"
    assert not [text for text in find_warnings(load_rules(few)) if "230-15-040" in text]
    assert [text for text in find_warnings(load_rules(many)) if "230-15-040" in text]


def test_o36_amounts_of_the_limits_are_settings_with_a_date() -> None:
    profiles = limit_profiles()
    assert profiles["wac-2009"].maximum_wager == 300_00
    assert profiles["wac-2023"].maximum_wager == 400_00
    assert profiles["wac-2009"].effective_from < profiles["wac-2023"].effective_from
    table = Live("wsgc-2021(limit_profile=none,table_maximum=5000)")
    table.do(wagers(base=5000))
    assert problems("wsgc-2021(limit_profile=wac-1999)") == {"limit_profile": "R-002, O-36"}


@pytest.mark.parametrize("preset", preset_ids())
def test_r003_the_table_limits_apply_to_every_base_wager(preset: str) -> None:
    table = Live(f"{preset}(table_minimum=10,table_maximum=200)")
    for base in (10, 200):
        table.do(wagers(base=base))
    for base in (9, 201):
        refusal = table.refuses(wagers(base=base))
        assert refusal.rules == ("R-002", "R-003")
        assert "$10.00 to $200.00" in refusal.message


def test_r003_limits_that_cannot_be_posted_are_refused() -> None:
    assert problems("wsgc-2021(table_minimum=50,table_maximum=49)") == {"table_maximum": "R-003"}
    assert load_rules("wsgc-2021(table_minimum=50,table_maximum=50)").table_maximum == 50_00
    assert problems("wsgc-2021(table_minimum=0)") == {"table_minimum": "R-003"}


@pytest.mark.parametrize("name", ["side", "P2", "b1", "total"])
def test_r006_only_wagers_on_the_layout_are_accepted(name: str) -> None:
    """Refuses wagers between players and any others that have no place on the layout."""
    table = Live("casino-card")
    assert table.refuses(wagers(mtd={name: 5})).code == "mtd_not_offered"
    assert table.refuses(wagers(jackpots={2: 1})).code == "no_such_jackpot"
    table.do(wagers(mtd={"up": 5, "down": 5}, jackpots={1: 1}))


def test_o02_one_to_seven_spots_each_its_own_player() -> None:
    table = Live("wsgc-2021")
    for spot in range(1, 8):
        table.do(wagers(spot))
    for spot in (0, 8):
        assert table.refuses(wagers(spot)).rules == ("O-02",)
    assert Live("wsgc-2021(seats=3)").refuses(wagers(4)).rules == ("O-02",)
    assert problems("wsgc-2021(seats=8)") == {"seats": "O-02"}
    # Two spots of one person win and lose separately, each with its own hand.
    both = play(
        "wsgc-2021",
        "9s Kh",
        seat("Kc Jd / stand", base=10, person="Ann"),
        seat("Kd 8c / stand", base=25, person="Ann"),
    )
    assert both.results() == ["hand +10.00", "hand -25.00"]


def test_o02_a_spot_that_does_not_bet_is_left_out_of_the_round() -> None:
    table = Live("wsgc-2021")
    table.do(wagers(2), wagers(5))
    assert [spot.number for spot in table.state.order] == [2, 5]
