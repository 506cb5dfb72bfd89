"""Section 13: Super Bonus and Envy Bonus."""

import pytest

from tests.rounds import Played, Seat, deal, play, seat, wagers
from ventiuna.core.rule_table import SUPER_BANDS
from ventiuna.engine.commands import Double, Hit, Insure, Split, Stand
from ventiuna.engine.events import (
    DownCardExposed,
    HandRemoved,
    Stage,
    StageReached,
    SupervisorCalled,
)

SPANISH_PRESETS = ["wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002"]
LOW_MINIMUM = "wsgc-2021(table_minimum=1)"


def sevens(suit: str = "h", base: int = 10, person: str = "") -> Seat:
    return seat(f"7{suit} 7{suit} / hit 7{suit}", base=base, person=person)


def other(hand: str = "Kc 9d / stand", base: int = 10, person: str = "") -> Seat:
    return seat(hand, base=base, person=person)


def super_bonus(round_: Played, spot: int = 1) -> int:
    """Super Bonus in dollars."""
    return sum(p.paid for p in round_.payments if (p.spot, p.wager) == (spot, "super")) // 100


def envy(round_: Played) -> list[int]:
    """Envy Bonus in dollars by spot."""
    found = {spot.number: 0 for spot in round_.state.order}
    for payment in round_.payments:
        if payment.wager == "envy":
            found[payment.spot] += payment.paid // 100
    return list(found.values())


# --- winning hands -------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
@pytest.mark.parametrize("up", ["7c", "7d", "7h", "7s"])
def test_r067_three_suited_7s_against_any_7(decks: int, up: str) -> None:
    for suit in "cdhs":
        round_ = play(f"wsgc-2021(decks={decks})", f"{up} Kd", sevens(suit))
        assert super_bonus(round_) == 1000


@pytest.mark.parametrize("preset", SPANISH_PRESETS)
def test_r067_in_every_spanish_preset(preset: str) -> None:
    assert super_bonus(play(preset, "7c Kd", sevens())) == 1000


@pytest.mark.parametrize(
    ("dealer", "hand"),
    [
        ("8c Kd", "7h 7h / hit 7h"),  # a different up card
        ("Kd 7c", "7h 7h / hit 7h"),  # the 7 is the down card
        ("7c Kd", "7h 7h / hit 7d"),  # mixed suits
        ("7c Kd", "7h 2h / hit 5h / hit 7h"),  # not three 7s
        ("7c Kd", "7c 7d / hit 7h"),
    ],
)
def test_r067_nothing_else(dealer: str, hand: str) -> None:
    assert super_bonus(play("wsgc-2021", dealer, seat(hand, base=25))) == 0


def test_d08_the_up_card_is_a_7_not_an_ace() -> None:
    assert super_bonus(play("catfish-bend", "7c Kd", sevens())) == 1000
    assert super_bonus(play("catfish-bend", "As 9d", sevens())) == 0


@pytest.mark.parametrize("order", ["hcd", "hdc", "chd", "cdh", "dhc", "dch"])
def test_r068_two_decks_hearts_clubs_diamonds_in_any_order(order: str) -> None:
    first, second, third = list(order)
    hand = seat(f"7{first} 7{second} / hit 7{third}", base=25)
    round_ = play("wsgc-2021(decks=2)", "7s Kd", hand)
    assert round_.result() == "hand +50.00, super +5000.00"


@pytest.mark.parametrize(
    ("dealer", "hand"),
    [
        ("7d Kd", "7h 7d / hit 7c"),  # a different 7 up
        ("7h Kd", "7h 7d / hit 7c"),
        ("7s Kd", "7h 7h / hit 7c"),  # two hearts
        ("7s Kd", "7h 7s / hit 7c"),  # a spade in the hand
        ("Kd 7s", "7h 7d / hit 7c"),  # 7s is the down card
    ],
)
def test_r068_nothing_else_with_two_decks(dealer: str, hand: str) -> None:
    round_ = play("wsgc-2021(decks=2)", dealer, seat(hand, base=25))
    assert super_bonus(round_) == 0
    assert round_.result() == "hand +50.00"


def test_r068_the_two_deck_hand_wins_nothing_with_more_decks() -> None:
    round_ = play("wsgc-2021", "7s Kd", seat("7h 7d / hit 7c", base=25))
    assert round_.result() == "hand +37.50"


@pytest.mark.parametrize(
    ("base", "amount"), [(5, 1000), (6, 1000), (24, 1000), (25, 5000), (300, 5000)]
)
def test_r069_by_the_base_wager(base: int, amount: int) -> None:
    round_ = play("wsgc-2021", "7c Kd", sevens(base=base))
    assert round_.result() == f"hand +{2 * base}.00, super +{amount}.00"
    assert round_.payment(1, "super").stake == 0  # not a separate wager


def test_d09_the_players_own_bet_counts_not_the_table_minimum() -> None:
    high_minimum = "wsgc-2021(table_minimum=25)"
    assert super_bonus(play(high_minimum, "7c Kd", sevens(base=25))) == 5000
    low_minimum = play("wsgc-2021(table_minimum=5)", "7c Kd", sevens(base=25), sevens("d", base=24))
    assert [super_bonus(low_minimum, spot) for spot in (1, 2)] == [5000, 1000]


@pytest.mark.parametrize("base", [1, 4])
def test_o13_below_5_no_super_bonus_and_no_envy_bonus(base: int) -> None:
    live = deal(LOW_MINIMUM, "7h Kc 7c 7h 9d Kd", wagers(1, base), wagers(2))
    assert not live.all(SupervisorCalled)
    live.do(Hit(1))
    live.deal("7h")
    live.do(Stand(2))
    assert live.results() == [f"hand +{2 * base}.00", "hand +10.00"]
    assert live.all(HandRemoved) == [HandRemoved(1, 0), HandRemoved(2, 0)]


def test_o13_between_24_and_25_pays_1000() -> None:
    rules = "wsgc-2021(chip_unit=0.50,small_chip_unit=0.25)"
    round_ = play(rules, "7c Kd", seat("7h 7h / hit 7h", base="24.50"))
    assert round_.result() == "hand +49.00, super +1000.00"


def test_r070_splitting_or_doubling_voids_it() -> None:
    split = seat("7h 7h / split", "7h 7h / hit 7h", "7h Kc / stand", base=25)
    assert super_bonus(play("wsgc-2021(decks=8)", "7c Kd", split)) == 0
    doubled = play("wsgc-2021", "7c Kd", seat("7h 7h / double 7h", base=25), other())
    assert doubled.results() == ["hand +50.00", "hand +10.00"]


@pytest.mark.parametrize(
    ("rules", "hand", "up", "result"),
    [
        ("wsgc-2021", "7h 7h / hit 7h", "7c", "hand +20.00, super +1000.00"),
        ("wsgc-2021", "7s 7s / hit 7s", "7c", "hand +30.00, super +1000.00"),
        ("wsgc-2021(decks=2)", "7h 7c / hit 7d", "7s", "hand +20.00, super +1000.00"),
    ],
)
def test_r071_on_top_of_the_7_7_7_payout(rules: str, hand: str, up: str, result: str) -> None:
    assert play(rules, f"{up} Kd", hand).result() == result


# --- the procedure -------------------------------------------------------------------------------


def test_r072_the_supervisor_is_called_before_the_third_card() -> None:
    live = deal("wsgc-2021", "7h 9c 7c 7h 9d Kd", wagers(1, mtd={"up": 5}), wagers(2))
    called = live.index(SupervisorCalled(1))
    assert called > live.index(live.payment(1, "mtd up"))  # Up Card wagers are settled first
    assert called < live.index(StageReached(Stage.PLAY))
    assert live.all(SupervisorCalled) == [SupervisorCalled(1)]


def test_o13_even_a_one_cent_super_bonus_counts() -> None:
    """With a one-cent band, which no document has, the supervisor comes and the cent is paid."""
    live = deal("wsgc-2021", "")
    live.state.table = live.state.table._replace(super_pay=(1,) * SUPER_BANDS)
    live.deal("7h 7c 7h Kh")
    assert live.all(SupervisorCalled) == [SupervisorCalled(1)]
    live.do(Hit(1))
    live.deal("7h")
    assert live.payment(1, "super").paid == 1


def test_r072_the_hand_is_paid_stays_on_the_table_and_the_round_is_played_out() -> None:
    live = deal("wsgc-2021", "7h Kc 7c 7h 9d Kd", wagers(1), wagers(2))
    live.do(Hit(1))
    live.deal("7h")
    assert live.result(1) == "hand +20.00"
    assert live.state.spots[1].hands[0].on_table
    live.do(Stand(2))
    assert live.order() == [
        "1 hand +20.00",
        "2 hand +10.00",
        "1 super +1000.00",
        "2 envy +50.00",
    ]
    removed = live.index(HandRemoved(1, 0))
    assert removed > live.index(live.payment(1, "super"))
    assert live.index(live.payment(1, "super")) > live.index(live.all(DownCardExposed)[0])


@pytest.mark.parametrize(
    ("rules", "cards", "called"),
    [
        ("wsgc-2021", "7h 7c 7h", True),
        ("wsgc-2021", "7s 7s 7s", True),
        ("wsgc-2021", "7h 7c 7d", False),  # mixed suits
        ("wsgc-2021", "7h 8c 7h", False),  # no 7 up
        ("wsgc-2021", "7h 7c 6h", False),
        ("wsgc-2021(decks=2)", "7h 7s 7d", True),
        ("wsgc-2021(decks=2)", "7h 7s 7c", True),
        ("wsgc-2021(decks=2)", "7h 7s 7h", False),  # two identical cards
        ("wsgc-2021(decks=2)", "7h 7s 7s", False),
        ("wsgc-2021(decks=2)", "7h 7d 7d", False),  # 7d up
        ("super-fun-21", "7h 7c 7d", False),
    ],
)
def test_r072_two_qualifying_7s_and_the_qualifying_up_card(
    rules: str, cards: str, called: bool
) -> None:
    live = deal(rules, f"{cards} Kd")
    assert bool(live.all(SupervisorCalled)) is called


def test_r072_a_third_card_that_does_not_complete_it_is_an_ordinary_hand() -> None:
    round_ = play("wsgc-2021", "7c Kd", "7h 7h / hit 7d", other())
    assert round_.results() == ["hand +15.00", "hand +10.00"]
    assert HandRemoved(1, 0) in round_.events
    assert super_bonus(round_) == 0


# --- Envy Bonus ----------------------------------------------------------------------------------


def test_r073_every_other_betting_player_gets_50_even_after_losing() -> None:
    round_ = play(
        "wsgc-2021",
        "7c Kd",
        sevens(base=5),
        other("Kc 6d / hit Qh"),  # bust
        other("Ks 9d / stand"),  # won
        other("9s 8d / stand"),  # push
        other("Kc 6h / surrender"),
        other("Ad Kh"),  # a blackjack, paid and removed long before
    )
    assert envy(round_) == [0, 50, 50, 50, 50, 50]
    assert super_bonus(round_) == 1000


def test_r073_the_amount_does_not_depend_on_any_bet() -> None:
    round_ = play("wsgc-2021", "7c Kd", sevens(base=300), other(base=5), other(base=300))
    assert envy(round_) == [0, 50, 50]


def test_r074_each_super_bonus_is_paid_and_earns_50_for_every_other_player() -> None:
    round_ = play("wsgc-2021", "7d Kd", sevens("h", 10), sevens("c", 30), other())
    assert [super_bonus(round_, spot) for spot in (1, 2, 3)] == [1000, 5000, 0]
    assert envy(round_) == [50, 50, 100]
    three = play("wsgc-2021", "7d Kd", sevens("h"), sevens("c"), sevens("s"), other())
    assert envy(three) == [100, 100, 100, 150]


def test_r075_document_001_a_winner_gets_no_envy_bonus() -> None:
    round_ = play("casino-card", "7d Kd", sevens("h", 10), sevens("c", 30), other())
    assert [super_bonus(round_, spot) for spot in (1, 2, 3)] == [1000, 5000, 0]
    assert envy(round_) == [0, 0, 100]


def test_r076_document_002_once_to_those_who_did_not_qualify_after_all_super_bonuses() -> None:
    round_ = play("catfish-bend", "7d Kd", sevens("h", 10), sevens("c", 30), other(), other())
    assert envy(round_) == [0, 0, 50, 50]
    assert round_.order()[-4:] == [
        "1 super +1000.00",
        "2 super +5000.00",
        "3 envy +50.00",
        "4 envy +50.00",
    ]


@pytest.mark.parametrize(
    ("setting", "bonuses"),
    [
        ("per_other_winner", [50, 50, 100]),
        ("losers_only", [0, 0, 100]),
        ("losers_once", [0, 0, 50]),
        ("off", [0, 0, 0]),
    ],
)
def test_d10_the_readings_of_the_documents_are_a_setting(setting: str, bonuses: list[int]) -> None:
    rules = f"wsgc-2021(envy={setting})"
    assert envy(play(rules, "7d Kd", sevens("h"), sevens("c"), other())) == bonuses
    one = envy(play(rules, "7d Kd", sevens("h"), other()))
    assert one == ([0, 0] if setting == "off" else [0, 50])


def test_o14_each_spot_counts_except_for_the_players_own_super_bonus() -> None:
    round_ = play(
        "wsgc-2021",
        "7d Kd",
        sevens("h", person="Ann"),
        other(person="Ann"),
        other(person="Bob"),
        other("9s 8d / stand", person="Bob"),
    )
    assert envy(round_) == [0, 0, 50, 50]


def test_o14_two_players_with_several_spots_win_one_each() -> None:
    seats = (
        sevens("h", person="Ann"),
        other(person="Ann"),
        sevens("c", person="Bob"),
        other(person="Bob"),
        other(person="Cleo"),
    )
    assert envy(play("wsgc-2021", "7d Kd", *seats)) == [50, 50, 50, 50, 100]
    assert envy(play("wsgc-2021(envy=losers_only)", "7d Kd", *seats)) == [0, 0, 0, 0, 100]
    assert envy(play("wsgc-2021(envy=losers_once)", "7d Kd", *seats)) == [0, 0, 0, 0, 50]


def test_o14_one_person_wins_twice() -> None:
    seats = (sevens("h", person="Ann"), sevens("c", person="Ann"), other(person="Bob"))
    round_ = play("wsgc-2021", "7d Kd", *seats)
    assert [super_bonus(round_, spot) for spot in (1, 2, 3)] == [1000, 1000, 0]
    assert envy(round_) == [0, 0, 100]


def test_r073_a_split_spot_gets_one_envy_bonus() -> None:
    split = seat("8c 8d / split", "8c Kd / stand", "8d Kc / stand")
    assert envy(play("wsgc-2021", "7d Kd", sevens("h"), split)) == [0, 50]


@pytest.mark.parametrize("command", [Double(1), Split(1), Insure(1, 0)], ids=str)
def test_r072_the_hand_that_won_is_over(command: Double | Split | Insure) -> None:
    live = deal("wsgc-2021", "7h Kc 7c 7h 9d Kd", wagers(1), wagers(2))
    live.do(Hit(1))
    live.deal("7h")
    live.refuses(command)
