"""Section 16, part 2: jackpot wagers, meters, awards and their order."""

import pytest

from tests.cli.running import good
from tests.rounds import Live, Seat, deal, play, problems, seat, wagers
from ventiuna.engine.commands import CloseWagers, Stand, Surrender
from ventiuna.engine.events import (
    DownCardExposed,
    MeterLowered,
    MeterRaised,
    Stage,
    StageReached,
)
from ventiuna.rules import load_rules
from ventiuna.rules.loader import jackpot_choices_of
from ventiuna.rules.text.comparison import departures
from ventiuna.rules.text.rule_card import rule_card

PLAIN = "contribution=0%"
ONE = f"wsgc-2021(jackpots=3c:1:{PLAIN})"
TWO = f"wsgc-2021(jackpots=3c:1:{PLAIN}+4d:7:wager=5:{PLAIN})"


def bet(hand: str, *games: int) -> Seat:
    """A surrendered hand with jackpot wagers."""
    return seat(f"{hand} / surrender", jackpots=games or (1,))


# --- the wager -----------------------------------------------------------------------------------


def test_r082_a_jackpot_wager_needs_a_base_wager_and_no_match_wager() -> None:
    table = Live(ONE)
    assert "R-082" in table.refuses(wagers(base=0, jackpots={1: 1})).rules
    table.do(wagers(base=5, jackpots={1: 1}))
    table.do(wagers(base=5, mtd={"up": 5}, jackpots={1: 1}))
    table.do(wagers(base=5))  # the jackpot wager is optional


def test_r082_unless_the_house_requires_a_match_wager() -> None:
    table = Live(f"wsgc-2021(mtd_required=up,jackpots=3c:1:{PLAIN})")
    assert "R-025" in table.refuses(wagers(base=5, jackpots={1: 1})).rules
    table.do(wagers(base=5, mtd={"up": 1}, jackpots={1: 1}))


def test_r083_one_kind_of_jackpot_at_a_table() -> None:
    house = "4d:1:kind=house:seed=5000"
    assert problems(f"wsgc-2021(jackpots=3c:1+{house})") == {"jackpots": "R-083"}
    both_house = f"wsgc-2021(jackpots=3c:1:kind=house:seed=9000+{house})"
    assert [str(game.kind) for game in load_rules(both_house).jackpots] == ["house", "house"]
    both_progressive = "wsgc-2021(jackpots=3c:1+4d:1)"
    assert {str(game.kind) for game in load_rules(both_progressive).jackpots} == {"progressive"}


def test_r084_up_to_two_games_each_with_its_own_wager_and_meter() -> None:
    table = Live(TWO, meters=[10000, 8000])
    for jackpots in ({1: 1}, {2: 5}, {1: 1, 2: 5}):
        table.do(wagers(jackpots=jackpots))
    for jackpots in ({1: 5}, {2: 1}, {1: 1, 2: 1}, {3: 1}, {0: 1}):
        table.refuses(wagers(jackpots=jackpots))
    assert problems("wsgc-2021(jackpots=3c:1+4d:1+5c:1:prize=100)") == {"jackpots": "R-084"}
    # 8d 8d against 8d up: 10% of the first meter and 10% of the second.
    round_ = play(TWO, "8d Kc", bet("8d 8d", 1, 2), meters=[10000, 8000])
    assert round_.result() == "hand -5.00, jackpot 1 +999.00, jackpot 2 +795.00"
    assert round_.meters() == ["+9000.00", "+7200.00"]


def test_r084_a_wager_on_one_game_doesnt_affect_the_other() -> None:
    round_ = play(TWO, "8d Kc", bet("8d 8d", 2), meters=[10000, 8000])
    assert round_.result() == "hand -5.00, jackpot 2 +795.00"
    assert round_.meters() == ["+10000.00", "+7200.00"]


def test_o28_two_games_of_the_same_table_do_not_mix_their_meters() -> None:
    rules = f"wsgc-2021(jackpots=3c:1:{PLAIN}+3c:1:{PLAIN})"
    round_ = play(rules, "8d Kc", bet("8d 8d", 1), bet("8d 8d", 2), meters=[10000, 500])
    assert round_.results() == ["hand -5.00, jackpot 1 +999.00", "hand -5.00, jackpot 2 +49.00"]
    assert round_.meters() == ["+9000.00", "+450.00"]


@pytest.mark.parametrize("wager", ["1", "2", "19", "20"])
def test_r085_the_fixed_wager_is_1_to_20_dollars(wager: str) -> None:
    table = Live(f"wsgc-2021(jackpots=3c:1:wager={wager})")
    table.do(wagers(jackpots={1: wager}))
    for other in ("0.50", "3", "21"):
        assert "R-085" in table.refuses(wagers(jackpots={1: other})).rules


@pytest.mark.parametrize("wager", ["0", "0.50", "20.50", "21"])
def test_r085_no_other_amount(wager: str) -> None:
    rules = f"wsgc-2021(jackpots=3c:1:wager={wager})"
    assert problems(rules)["jackpots game 1 wager"] == "R-085"


def test_d23_one_to_twenty_dollars_if_a_document_is_silent() -> None:
    assert load_rules("casino-card").jackpots[0].wager == 1_00
    over = problems("casino-card(jackpots=casino-card:1:wager=21)")
    assert over == {"jackpots game 1 wager": "R-085"}


def test_o18_a_jackpot_wager_that_could_leave_a_fraction_of_a_cent_is_refused() -> None:
    found = problems("wsgc-2021(jackpots=4d:1:wager=1.01)")  # 3 for 2 on $1.01
    assert found == {"jackpots game 1 wager": "O-18"}


def test_d22_jackpots_by_document() -> None:
    counts = {
        name: len(load_rules(name).jackpots)
        for name in ("wsgc-spanish-21", "casino-card", "catfish-bend", "wsgc-2021", "wsgc-v002")
    }
    assert counts == {
        "wsgc-spanish-21": 0,
        "casino-card": 1,
        "catfish-bend": 0,
        "wsgc-2021": 0,
        "wsgc-v002": 0,
    }
    assert jackpot_choices_of("wsgc-2021")["games"] == [0, 1, 2]
    for name in ("wsgc-spanish-21", "catfish-bend"):
        changed = departures(load_rules(f"{name}(jackpots=3c:1)"))
        assert [departure.option for departure in changed] == ["jackpots"]
    assert not departures(load_rules("wsgc-2021(jackpots=3c:1+4d:1)"))


def test_r100_part_v002_has_no_jackpot_table_to_offer() -> None:
    assert load_rules("wsgc-v002").jackpots == ()
    house = "wsgc-v002(jackpots=3c:1:kind=house:seed=5000)"
    assert [departure.rule for departure in departures(load_rules(house))] == ["R-100, D-22, O-27"]


@pytest.mark.parametrize("table", ["8a", "8d", "9a", "9d"])
def test_o27_tables_8_and_9_are_not_offered(table: str) -> None:
    assert problems(f"wsgc-v002(jackpots={table}:1)") == {"jackpots game 1 table": "R-086"}


# --- payment times -------------------------------------------------------------------------------


def test_r096_fixed_payouts_before_the_base_game_and_awards_after_it() -> None:
    placed = [wagers(spot, jackpots={1: 1}) for spot in (1, 2)]
    live = deal(ONE, "8c 8d 8d 3h 8d Kc", *placed, meters=[10000])
    assert live.order() == ["1 jackpot 1 +2.00"]  # the 10% award is recorded but not paid yet
    assert live.state.stage is Stage.PLAY
    live.do(Surrender(1), Stand(2))
    assert live.order() == [
        "1 jackpot 1 +2.00",
        "1 hand -5.00",
        "2 hand -10.00",
        "2 jackpot 1 +999.00",
    ]
    award = live.payment(2, "jackpot 1")
    assert live.index(StageReached(Stage.AWARDS)) < live.index(award)


def test_r096_a_wager_that_can_no_longer_win_is_taken_before_the_base_game() -> None:
    live = deal(ONE, "2c 8d 3h Kc", wagers(jackpots={1: 1}), meters=[10000])
    assert live.order() == ["1 jackpot 1 -1.00"]


def test_d25_all_of_tables_4_when_the_down_card_is_exposed() -> None:
    rules = f"wsgc-2021(jackpots=4d:1:{PLAIN})"
    live = deal(rules, "8c 8d 3h Kc", wagers(jackpots={1: 1}), meters=[10000])
    assert live.order() == []
    live.do(Surrender(1))
    assert live.order() == ["1 hand -5.00", "1 jackpot 1 +0.50"]
    exposed = live.index(live.all(DownCardExposed)[0])
    assert exposed < live.index(live.payment(1, "jackpot 1"))


@pytest.mark.parametrize(
    ("jackpot", "cards", "result"),
    [
        ("3c:1:alternate=1:prize=250", "8d 8d 8d Kc", "+249.00"),
        ("3c:1:alternate=2:prize=250", "8d 8d 8d Kc", "+249.00"),
        ("5c:1:prize=250", "8d 8d 8d Kc", "+249.00"),
    ],
)
def test_o26_a_line_that_the_down_card_may_raise_waits_for_it(
    jackpot: str, cards: str, result: str
) -> None:
    live = deal(f"wsgc-2021(jackpots={jackpot}:{PLAIN})", cards, wagers(jackpots={1: 1}))
    assert live.order() == []
    live.do(Surrender(1))
    assert live.order() == ["1 hand -5.00", f"1 jackpot 1 {result}"]


@pytest.mark.parametrize("jackpot", ["3c:1:alternate=1:prize=250", "5c:1:prize=250"])
def test_o26_other_lines_of_these_tables_do_not_wait(jackpot: str) -> None:
    rules = f"wsgc-2021(jackpots={jackpot}:{PLAIN})"
    live = deal(rules, "8c 8d 3h Kc", wagers(jackpots={1: 1}))
    assert live.order() == ["1 jackpot 1 +2.00"]


def test_r096_awards_after_a_dealer_blackjack_too() -> None:
    rules = f"wsgc-2021(insurance=off,jackpots=3c:1:{PLAIN})"
    live = deal(rules, "As As As Ks", wagers(jackpots={1: 1}), meters=[25000])
    assert live.order() == ["1 hand -10.00", "1 jackpot 1 +24999.00"]


# --- several awards ------------------------------------------------------------------------------


def test_r095_awards_in_seat_order_each_deducted_before_the_next() -> None:
    seats = [bet("8d 8d"), bet("Kc 2c"), bet("8d 8d")]
    round_ = play(ONE, "8d Kc", *seats, meters=[10000])
    assert [round_.result(spot) for spot in (1, 2, 3)] == [
        "hand -5.00, jackpot 1 +999.00",
        "jackpot 1 -1.00, hand -5.00",
        "hand -5.00, jackpot 1 +899.00",  # 10% of $9,000
    ]
    assert round_.all(MeterLowered) == [
        MeterLowered(1, 1000_00, "won"),
        MeterLowered(1, 900_00, "won"),
    ]
    assert round_.meters() == ["+8100.00"]
    first, second = (round_.payment(spot, "jackpot 1") for spot in (1, 3))
    lowered = round_.events.index(MeterLowered(1, 1000_00, "won"))
    assert round_.index(first) < lowered < round_.index(second)


def test_r095_the_seats_decide_not_the_order_of_betting() -> None:
    live = Live("wsgc-2021(decks=8,jackpots=3d:1:contribution=0%)", meters=[10000])
    live.do(wagers(5, jackpots={1: 1}), wagers(2, jackpots={1: 1}), CloseWagers())
    live.deal("8d 8d 8d 8d 8d Kc")
    live.do(Surrender(2), Surrender(5))
    assert live.order()[2:] == ["2 jackpot 1 +999.00", "5 jackpot 1 +899.00"]


def test_o18_percentage_awards_are_rounded_down_to_the_cent() -> None:
    round_ = play(ONE, "8d Kc", bet("8d 8d"), bet("8d 8d"), meters=["12345.67"])
    assert [p.paid for p in round_.payments if p.wager == "jackpot 1"] == [1234_56, 1111_11]
    assert round_.meters() == ["+10000.00"]


# --- progressive meters --------------------------------------------------------------------------


def test_r098_a_progressive_grows_by_contributions_and_falls_only_by_awards() -> None:
    rules = "wsgc-2021(jackpots=3c:1:wager=5)"
    lost = play(rules, "8d Kc", bet("2c 3h"), bet("2d 3c"), meters=[10000])
    assert lost.all(MeterRaised) == [MeterRaised(1, 1_05, 0, "contribution")] * 2  # 21% of $5
    assert lost.meters() == ["+10002.10"]
    # The house pays fixed payouts, not the meter.
    fixed = play(rules, "8d Kc", bet("8c 3h"), meters=[10000])
    assert fixed.payment(1, "jackpot 1").meter == 0
    assert not fixed.all(MeterLowered)
    won = play(rules, "8d Kc", bet("8d 8d"), meters=[10000])
    assert won.payment(1, "jackpot 1").meter == 1
    assert {event.reason for event in won.all(MeterLowered)} == {"won"}


def test_o19_contributions_enter_the_meter_before_the_deal() -> None:
    rules = "wsgc-2021(jackpots=3c:1)"
    live = Live(rules, meters=[10000])
    live.do(wagers(1, jackpots={1: 1}), wagers(2, jackpots={1: 1}))
    assert live.meters() == ["+10000.00"]
    live.do(CloseWagers())
    assert live.meters() == ["+10000.42"]
    # 10% of $10,000.21 is part of the round's award.
    round_ = play(rules, "8d Kc", bet("8d 8d"), meters=[10000])
    assert round_.payment(1, "jackpot 1").paid == 1000_02


def test_o19_fractions_of_a_cent_carry_over() -> None:
    live = Live("wsgc-2021(jackpots=3c:1:contribution=0.33%)", meters=[100])
    live.do(*(wagers(spot, jackpots={1: 1}) for spot in range(1, 5)), CloseWagers())
    assert live.all(MeterRaised) == [
        MeterRaised(1, 0, 3300, "contribution"),
        MeterRaised(1, 0, 6600, "contribution"),
        MeterRaised(1, 0, 9900, "contribution"),
        MeterRaised(1, 1, 3200, "contribution"),
    ]
    assert live.meters() == ["+100.01"]


def test_o19_after_a_100_percent_award_the_meter_starts_from_its_seed() -> None:
    rules = f"wsgc-2021(jackpots=3c:1:seed=5000:{PLAIN})"
    assert Live(rules).meters() == ["+5000.00"]  # a new meter also starts at the seed
    round_ = play(rules, "As 7d", bet("As As"), meters=[25000])
    assert round_.payment(1, "jackpot 1").paid == 25000_00
    assert round_.all(MeterRaised) == [MeterRaised(1, 5000_00, 0, "seed")]
    assert round_.meters() == ["+5000.00"]
    ten = play(rules, "8d Kc", bet("8d 8d"), meters=[25000])
    assert ten.meters() == ["+22500.00"]  # no seed after a 10% award


@pytest.mark.parametrize(
    ("more", "second", "after"),
    [
        ("seed=0", 0, "0.00"),
        ("seed=5000", 5000_00, "+5000.00"),
        ("seed=5000:reseed=after_round", 0, "+5000.00"),
    ],
)
def test_o20_a_second_100_percent_award_is_a_share_of_the_seed(
    more: str, second: int, after: str
) -> None:
    rules = f"wsgc-2021(jackpots=3c:1:{more}:{PLAIN})"
    round_ = play(rules, "As 7d", bet("As As"), bet("As As"), meters=[25000])
    assert round_.payment(1, "jackpot 1").paid == 25000_00
    assert round_.payment(2, "jackpot 1").paid == second
    assert round_.meters() == [after]


def test_o20_each_game_starts_from_its_own_seed() -> None:
    games = [f"3c:1:seed={seed}:reseed=after_round:{PLAIN}" for seed in (5000, 700)]
    rules = f"wsgc-2021(jackpots={'+'.join(games)})"
    for game in (1, 2):
        round_ = play(rules, "As 7d", bet("As As", game), meters=[25000, 12000])
        assert round_.meters() == (
            ["+5000.00", "+12000.00"] if game == 1 else ["+25000.00", "+700.00"]
        )
    both = play(rules, "As 7d", bet("As As", 1, 2), meters=[25000, 12000])
    assert both.result() == "hand -5.00, jackpot 1 +24999.00, jackpot 2 +11999.00"
    assert both.meters() == ["+5000.00", "+700.00"]


def test_r092_each_game_has_its_own_prize() -> None:
    rules = f"wsgc-2021(jackpots=5c:1:prize=250:{PLAIN}+5c:1:prize=100:wager=2:{PLAIN})"
    round_ = play(rules, "8d Kc", bet("8d 8d", 1, 2))
    assert round_.result() == "hand -5.00, jackpot 1 +249.00, jackpot 2 +198.00"
    assert round_.payment(1, "jackpot 1").odds.endswith("prize of $250.00 for $1")
    assert round_.payment(1, "jackpot 2").odds.endswith("prize of $100.00 for $1")


# --- prizes from the jackpot ---------------------------------------------------------------------


def test_o37_the_house_pays_prizes_by_default() -> None:
    round_ = play(
        f"wsgc-2021(jackpots=5c:1:prize=250:{PLAIN})", "8d Kc", bet("8d 8d"), meters=[10000]
    )
    assert round_.payment(1, "jackpot 1").meter == 0
    assert round_.meters() == ["+10000.00"]


def test_o37_from_the_jackpot_in_seat_order_like_percentage_awards() -> None:
    rules = f"wsgc-2021(jackpots=5c:1:prize=250:prize_from=jackpot:{PLAIN})"
    round_ = play(rules, "8d Kc", bet("8d 8d"), bet("8d 8d"), meters=[10000])
    assert round_.results() == ["hand -5.00, jackpot 1 +249.00"] * 2
    assert round_.order()[2:] == ["1 jackpot 1 +249.00", "2 jackpot 1 +249.00"]
    assert {payment.meter for payment in round_.payments if payment.wager == "jackpot 1"} == {1}
    assert round_.meters() == ["+9500.00"]


# --- house jackpots ------------------------------------------------------------------------------

HOUSE = "wsgc-2021(jackpots=3c:1:kind=house:seed=9000{})"


def test_r097_a_house_jackpot_needs_and_shows_its_posted_amount() -> None:
    assert problems("wsgc-2021(jackpots=3c:1:kind=house)") == {"jackpots game 1 seed": "R-097"}
    posted = next(
        section
        for section in rule_card(load_rules(HOUSE.format(""))).sections
        if "JACKPOT" in section.heading.upper()
    )
    assert "HOUSE" in posted.heading.upper()
    words = " ".join(
        [*posted.text, *posted.notes, *(f"{pay.hand} {pay.pays}" for pay in posted.pays)]
    )
    assert "$9,000" in words


def test_r097_it_is_paid_with_house_money_and_takes_no_contribution() -> None:
    round_ = play(HOUSE.format(""), "8d Kc", bet("8d 8d"))
    assert round_.result() == "hand -5.00, jackpot 1 +899.00"
    assert round_.payment(1, "jackpot 1").meter == 0
    assert not round_.all(MeterRaised)
    assert not round_.all(MeterLowered)
    assert round_.meters() == ["+9000.00"]
    top = play(HOUSE.format(""), "As 7d", bet("As As"))
    assert top.result() == "hand -5.00, jackpot 1 +8999.00"
    assert top.meters() == ["+9000.00"]


def test_o39_each_winner_of_a_house_jackpot_gets_the_posted_share() -> None:
    round_ = play(HOUSE.format(""), "As 7d", bet("As As"), bet("As As"))
    assert round_.results() == ["hand -5.00, jackpot 1 +8999.00"] * 2


def test_o39_a_setting_pays_them_in_sequence() -> None:
    rules = HOUSE.format(":winners=in_sequence")
    ten = play(rules, "8d Kc", bet("8d 8d"), bet("8d 8d"))
    assert ten.results() == ["hand -5.00, jackpot 1 +899.00", "hand -5.00, jackpot 1 +809.00"]
    whole = play(rules, "As 7d", bet("As As"), bet("As As"))
    assert whole.results() == ["hand -5.00, jackpot 1 +8999.00", "hand -5.00, jackpot 1 -1.00"]
    assert whole.meters() == ["+9000.00"]  # house money: the posted amount stays for other rounds


@pytest.mark.parametrize("winners", ["", ":winners=in_sequence"])
def test_o39_payments_of_a_house_jackpot_cite_the_reading_they_follow(winners: str) -> None:
    """R-095, which subtracts each award before the next, applies only to progressives."""
    round_ = play(HOUSE.format(winners), "8d Kc", bet("8d 8d"), bet("8d 8d"))
    assert [round_.payment(spot, "jackpot 1").rule for spot in (1, 2)] == ["O-39", "O-39"]
    progressive = play(ONE, "8d Kc", bet("8d 8d"), bet("8d 8d"), meters=[100])
    assert progressive.payment(2, "jackpot 1").rule == "R-095"


@pytest.mark.parametrize("winners", ["", ":winners=in_sequence"])
def test_o39_sign_and_rules_show_both_readings_and_what_each_pays(winners: str) -> None:
    rules = HOUSE.format(winners)
    full = "each gets the full share of the posted amount (two awards of 10% pay $900 and $900)"
    in_turn = (
        "they are paid in order from the dealer's left, each from the remaining amount "
        "(two awards of 10% pay $900 and $810)"
    )
    built, other = (in_turn, full) if winners else (full, in_turn)
    for command in ("card", "show"):
        text = " ".join(good("rules", command, rules).split())
        assert f"If a round has several winners, {built}." in text
        assert f"The document can also be read differently: {other}." in text
        assert "O-39" in text


def test_every_jackpot_payment_says_what_was_won() -> None:
    fixed = play(ONE, "8d Kc", bet("8d 8c"), meters=[100]).payment(1, "jackpot 1")
    assert (fixed.odds, fixed.rule) == ("one suited and one unsuited match 8 for 1", "R-087")
    share = play(ONE, "8d Kc", bet("8d 8d"), meters=[100]).payment(1, "jackpot 1")
    assert (share.odds, share.rule) == ("10 % of the meter", "R-095")
    both = play(f"wsgc-2021(jackpots=4d:1:{PLAIN})", "9c 9d", bet("9c 9c"), meters=[100])
    parts = [p for p in both.payments if p.wager == "jackpot 1"]
    assert [(p.stake, p.paid) for p in parts] == [(1_00, 3_00), (0, 10_00)]


@pytest.mark.parametrize("turned", [False, True])
def test_r084_each_game_reads_the_cards_by_its_own_table(turned: bool) -> None:
    up_only, both = f"3c:1:{PLAIN}", f"4d:7:{PLAIN}"
    first, second = (both, up_only) if turned else (up_only, both)
    round_ = play(f"wsgc-2021(jackpots={first}+{second})", "8d 3d", bet("8c 3d", 1, 2))
    numbers = (2, 1) if turned else (1, 2)
    by_up, by_both = (round_.payment(1, f"jackpot {number}") for number in numbers)
    assert (by_up.paid, by_up.odds) == (3_00, "one unsuited match 3 for 1")
    assert (by_both.paid, by_both.odds) == (
        6_50,
        "one unsuited match 3 for 2 and one suited match 5 for 1",
    )


def test_r084_each_game_cites_the_lines_and_the_rule_of_its_own_table() -> None:
    rules = "wsgc-2021(jackpots=3c:1:seed=100+4d:2)"
    shares = play(rules, "5c 5c / Kh", seat("5c 5c / stand", jackpots=(1, 2)), meters=[1000, 2000])
    words = [(p.odds, p.reason) for p in shares.payments if p.wager.game]
    assert words == [
        ("10 % of the meter", "two suited matches, all others"),
        ("100 % of the meter", "two suited matches with the up card and the down card"),
    ]
    fixed = play(rules, "8c 5c / 4h", seat("8c 5d / stand", jackpots=(1, 2)))
    assert [(p.odds, p.rule) for p in fixed.payments if p.wager.game] == [
        ("one suited match 5 for 1", "R-087"),
        ("one suited match 9 for 2 and one unsuited match 1 for 1", "R-088"),
    ]


def test_o19_a_new_round_starts_from_the_seeds_without_fractions_of_a_cent() -> None:
    meters = Live("wsgc-2021(jackpots=3c:1:seed=100+4d:2)").state.meters
    assert [(meter.cents, meter.remainder) for meter in meters] == [(100_00, 0), (0, 0)]


def test_r092_a_prize_of_zero_is_stated_as_zero() -> None:
    rules = f"wsgc-2021(jackpots=5c:1:prize=0:{PLAIN})"
    paid = play(rules, "7h Kd", bet("7h 7h")).payment(1, "jackpot 1")
    assert paid.odds == "two suited matches with the up card: prize of $0.00 for $1"


def test_o18_seed_money_keeps_the_games_own_fraction_of_a_cent() -> None:
    """The whole meter of game 2 is won: its remainder stays and is separate from game 1's."""
    rules = "wsgc-2021(jackpots=3c:1:contribution=0.5%+4d:2:seed=50:contribution=0.3%)"
    round_ = play(rules, "5c 5c / Kh", seat("5c 5c / stand", jackpots=(1, 2)))
    seeds = [event for event in round_.all(MeterRaised) if event.reason == "seed"]
    assert seeds == [MeterRaised(2, 50_00, 3_000, "seed")]
