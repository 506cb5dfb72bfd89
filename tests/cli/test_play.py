"""`ventiuna play` from the player's side: rounds with known cards, questions, and refusals."""

from __future__ import annotations

import pytest

from tests.cli.play_table import Table
from ventiuna.engine.dealing import OutOfCards
from ventiuna.notation import differences, read_rounds, replay
from ventiuna.rules import preset_ids

# Dealing order for one spot: player, up card, player, down card, then any cards drawn.


def test_first_screen_says_in_three_lines_what_to_do() -> None:
    table = Table([])
    assert table.lines[:3] == [
        "Welcome to Spanish 21 (WSGC). You have one spot and $1,000.00 in play money.",
        "Type your bet in dollars, then choose one of the [letters] you're offered.",
        "At a decision, ? shows the best play. Type help for all commands, q to quit.",
    ]
    assert table.shows("The dealer shuffles 6 decks, 288 cards.")


def test_a_round_from_wager_to_result() -> None:
    table = Table(["10", "h", "s"], "5s 9h 6d 8c 9c")
    assert table.shows("Dealer", "Your hand: 11")
    assert table.shows("│ 9♥ ││▒▒▒▒│", "│ 5♠ ││ 6♦ │")
    assert table.shows("[h] hit  [s] stand  [d] double $10.00  [u] surrender")
    assert table.shows("You hit and get 9♣ for 20.")
    assert table.shows("Your hand: 5♠ 6♦ 9♣ = 20, $10.00, against 9♥")
    assert table.shows("The dealer turns over 8♣ for 17.")
    assert table.shows("Your hand, $10.00: 20 against 17, even money", "+$10.00", "R-078")
    assert table.shows("You win $10.00 on bets of $10.00.")
    assert table.shows("Round 2", "balance $1,010.00", "session +$10.00")
    assert table.lines[-1] == "Goodbye. 1 round, +$10.00: you leave with $1,010.00."


def test_the_down_card_is_never_shown_early() -> None:
    table = Table(["10"], "5s 9h 6d 8c")
    assert "8♣" not in table.text


def test_side_wagers_are_paid_with_odds_amount_and_rule() -> None:
    table = Table(["10 up 5 down 5", "s"], "9h 9h Kd Kc")
    assert table.shows("Up Card, $5.00: 1 suited match, 9 to 1", "+$45.00", "R-021")
    assert table.shows("Down Card, $5.00: 1 unsuited match, 4 to 1", "+$20.00", "R-021")
    assert table.shows("You win $65.00 on bets of $20.00.")


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("p", "Only two cards of equal value can be split. (R-042)"),
        ("dd", "This table doesn't offer double-double down. (R-051)"),
        ("c", "Only a doubled hand can be rescued. (R-057, R-060)"),
        ("surrender now", "Surrender takes no amount. Just type surrender."),
        ("x", "'x' isn't one of the choices. Type one of the [letters] or help."),
        ("", "Type one of the [letters] or help."),
        (
            "d 11",
            "Add up to $10.00 to double, not $11.00. (R-047, R-050)",
        ),
        ("d 0.30", "A double for less must be a multiple of $0.50, not $0.30. (O-18)"),
        ("d -5", "double: an amount can't be negative ('-5')."),
        ("d lots", "double: 'lots' isn't an amount in dollars with at most two decimals"),
    ],
)
def test_an_impossible_key_says_why_and_changes_nothing(key: str, sentence: str) -> None:
    table = Table(["10", key, "s"], "5s 9h 6d 8c")
    assert sentence in table.text
    assert table.shows("You stand on 11.")
    assert table.session.balance == 99_000


def test_double_for_less_and_rescue() -> None:
    table = Table(["20", "d 8", "c"], "5s 9h 6d 8c 2c")
    assert table.shows("You double for $8.00 and get 2♣ for 13.")
    assert table.shows("[s] stand  [c] rescue")
    assert table.shows("Your hand, $28.00: rescued, last portion back", "-$20.00", "R-057")
    assert table.session.balance == 98_000


def test_double_double_with_its_price() -> None:
    table = Table(["20", "d", "dd", "s"], "2s 9h 3d 8c 2c 9d", rules="catfish-bend")
    assert table.shows("[s] stand  [dd] double-double $40.00  [c] rescue")
    assert table.shows("You double-double for $40.00 and get 9♦ for 16.")
    assert table.shows("[dd] double-double $80.00")
    assert table.session.balance == 92_000


def test_double_for_less_is_refused_if_it_isnt_offered() -> None:
    table = Table(["20", "d 8"], "2s 9h 3d 8c", rules="catfish-bend")
    assert table.shows("This table doesn't offer doubling for less: add $20.00. (R-050, R-054)")


def test_split_hands_are_played_and_announced_one_by_one() -> None:
    table = Table(["10", "p", "s", "h", "s"], "8s 9h 8d 8c 3c 4c 6c")
    assert table.shows("You split 8♠ 8♦ for $10.00.")
    assert table.shows("Hand 1 of 2: you get 3♣ for 11.")
    assert table.shows("Hand 1 of 2: you stand on 11.")
    assert table.shows("Hand 2 of 2: 8♦ 4♣ = 12, $10.00, against 9♥")
    assert table.shows("Hand 2 of 2: you hit and get 6♣ for 18.")
    assert table.shows("Hand 1 of 2, $10.00: 11 against 17, lost", "-$10.00", "R-078")
    assert table.shows("Hand 2 of 2, $10.00: 18 against 17, even money", "+$10.00", "R-078")
    assert table.shows("You break even on bets of $20.00.")


def test_blackjack_is_taken_or_kept() -> None:
    taken = Table(["10", "maybe", "t"], "As 9h Kd 8c")
    assert taken.shows("'maybe' isn't one of the choices. Type t to be paid, k to keep the")
    assert taken.shows("Your hand, $10.00: blackjack, 3 to 2", "+$15.00", "R-029")
    kept = Table(["10", "k", "d", "s"], "As 9h Kd 8c 8s")
    assert kept.shows("You keep the blackjack to double it.")
    assert kept.shows("You double for $10.00 and get 8♠ for 19.")
    assert kept.shows("Your hand, $20.00: 19 against 17, even money", "+$20.00", "R-078")


def test_insurance_is_offered_spot_by_spot() -> None:
    table = Table(
        ["10 / 20", "y", "30", "0.30", "some", "2.50"], "5s 9d Ah 6d 9s Kc", spots=2, bankroll=100
    )
    assert table.shows("Insurance for spot 1? [y] $5.00  [n] no  [?] best play  or an amount> y")
    assert table.shows("Insurance can be at most half of the wager, $10.00, not $30.00. (R-034)")
    assert table.shows("Insurance must be a multiple of $0.50, not $0.30. (O-18)")
    assert table.shows("'some' isn't one of the choices. Type y, n, an amount or help.")
    assert table.shows("The dealer checks the down card: blackjack.")
    assert table.shows("Spot 1, Insurance, $5.00: dealer blackjack, 2 to 1", "+$10.00", "R-034")
    assert table.shows("Spot 2, Insurance, $2.50: dealer blackjack, 2 to 1", "+$5.00", "R-034")
    assert table.shows("By spot: spot 1 $0.00, spot 2 -$15.00.")


@pytest.mark.parametrize("answer", ["", "n", "no", "0"])
def test_insurance_is_declined(answer: str) -> None:
    table = Table(["10", answer, "s"], "Ks Ah 9d 8c")
    assert table.shows("The dealer checks the down card: no blackjack.")
    assert "insure" not in table.text
    assert table.session.payments == []  # none in the new round
    assert table.session.balance == 100_000  # 19 against soft 19


def test_supervisor_and_super_bonus() -> None:
    table = Table(["25", "h"], "7s 7h 7s 8c 7s")
    assert "The dealer calls the floor person" in table.text
    assert "(R-072)" in table.text
    assert table.shows("Your hand, $25.00: 7-7-7 of spades, 3 to 1", "+$75.00", "R-064")
    assert table.shows("Super Bonus: three 7s of one suit", "+$5,000.00", "R-069")


def test_winners_get_no_envy_bonus_for_their_own_super_bonus() -> None:
    table = Table(["25 / 5", "h", "s"], "7s 9d 7h 7s 9s 8c 7s", spots=2)
    assert "Super Bonus" in table.text
    assert "Envy Bonus" not in table.text


def test_advice_of_super_fun_21() -> None:
    table = Table(["10", "h", "h", "h", "h"], "2s 9h 2d 8c 3c 4c 3h Kh", rules="super-fun-21")
    assert table.shows("The dealer: with this 11, hitting is better than doubling (R-118).")
    soft = Table(["10", "h", "h", "h", "h"], "2s 9h 2d 8c 3c 2c Ac 5h", rules="super-fun-21")
    assert soft.shows("The dealer: hit, because any next card wins (R-118).")


def test_bonus_cards_are_drawn_and_locked_up() -> None:
    rules = "wsgc-2021(mtd_configuration=4,bonus_cards=2)"
    table = Table(["10 b1 5 b2 5", "s"], "5s 9h 6d 8c 5s Kc", rules=rules)
    assert table.shows("Dealer", "Bonus Cards")
    assert table.shows("│ 9♥ ││▒▒▒▒│", "│ 5♠ ││ K♣ │")
    assert table.shows("Bonus Card 1, $5.00: 1 suited match, 9 to 1", "+$45.00")
    assert table.shows("Bonus Card 2, $5.00: no match, lost", "-$5.00")
    assert table.shows("The Bonus Cards are locked up (R-028).")


def test_meters_carry_over_from_round_to_round() -> None:
    table = Table(["10 j1", "s", "", "s"], "5s 9h 6d 8c 5s 9h 6d 8c", rules="casino-card")
    meters = [line for line in table.lines if "Jackpot 1 is at" in line]
    assert meters == [f"  Jackpot 1 is at ${amount}." for amount in ("0.00", "0.21", "0.42")]


def test_a_won_meter_is_announced() -> None:
    rules = "wsgc-2021(jackpots=3c:1:seed=5000)"
    table = Table(["10 j", "n", "s"], "As As As 8c", rules=rules)
    assert table.shows("Jackpot 1, $1.00: ", "+$4,999.21", "R-095")
    assert table.shows("Jackpot 1 starts again at $5,000.00.")
    assert table.shows("Jackpot 1 is at $5,000.00.")


# --- wagers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("-5", "base wager: an amount can't be negative ('-5')."),
        ("4", "The base wager must be from $5.00 to $300.00, not $4.00. (R-002, R-003)"),
        (
            "100000000",
            "The base wager must be from $5.00 to $300.00, not $100,000,000.00. (R-002, R-003)",
        ),
        ("9" * 400, "base wager: an amount can't be more than"),
        ("10.50", "The base wager must be a multiple of $1.00, not $10.50. (O-18)"),
        ("10.555", "base wager: '10.555' isn't an amount in dollars"),
        ("10 down 5", "A Down Card wager needs an Up Card wager on the same hand"),
        ("10 b1 5", "This table doesn't offer the Match the Dealer Bonus Card 1 wager"),
        ("10 j", "There is no jackpot 1: this table offers no jackpots. (R-082, R-084)"),
        ("10 up 5 up 5", "up appears twice. Write each wager once."),
        ("up 5", "A Match the Dealer or jackpot wager needs a base wager. Place that first."),
        ("10 up", "up needs an amount, such as up 5."),
        ("10 up -5", "up: an amount can't be negative ('-5')."),
        ("10 foo", "'foo' isn't a wager. After the base wager, write up 5 or down 5."),
        ("0", "Nobody has placed a base wager. Place one first. (R-014)"),
        ("10 / 10", "You entered wagers for 2 spots but are playing 1"),
        ("stand", "'stand' isn't a wager. Type an amount such as 10, or help."),
        ("\x1b[31m\x07", "'\\x1b[31m\\x07' isn't a wager"),
        ("2000", "The base wager must be from $5.00 to $300.00"),
    ],
)
def test_an_impossible_wager_line_says_why(line: str, sentence: str) -> None:
    table = Table([line])
    assert sentence in " ".join(part.strip() for part in table.lines)
    assert table.session.balance == 100_000
    assert table.session.rounds == 0


def test_enter_repeats_the_last_wagers() -> None:
    table = Table(["10 up 5", "s", "", "s"], "5s 9h 6d 8c 5s 9h 6d 8c")
    assert table.shows("Wager (Enter: 10 up 5)> ")
    assert table.session.rounds == 2
    assert table.session.balance == 97_000


def test_a_refused_line_leaves_the_last_wagers_as_they_were() -> None:
    table = Table(["20", "s", "1000", "", "s"], "5s 9h 6d 8c 5s 9h 6d 8c")
    assert table.session.balance == 96_000


def test_the_first_enter_places_a_typical_wager() -> None:
    table = Table(["", "s"], "5s 9h 6d 8c")
    assert table.shows("Wager (Enter: 10)> ")
    assert table.session.balance == 99_000


def test_spots_have_separate_wagers_and_can_sit_out() -> None:
    table = Table(["10 / 0 / 20 up 5", "s", "s"], "5s 9d 9h 6d 9s 8c", spots=3)
    assert table.shows("Spot 1: 11", "Spot 3: 18")
    assert "Spot 2" not in table.text
    assert table.shows("Wager (Enter: 10 / 0 / 20 up 5)> ")


def test_a_refusal_on_one_spot_takes_the_other_spots_wagers_back() -> None:
    table = Table(["10 / 1 / 10", "10/10/"], spots=3)
    assert table.shows("Spot 2: The base wager must be from $5.00 to $300.00, not $1.00.")
    assert table.shows("Write the wagers for every spot, such as 10 / 25. To sit out, write 0.")
    assert table.session.balance == 100_000


def test_chips_that_the_balance_does_not_cover_are_refused() -> None:
    table = Table(["10", "20", "15", "d", "d 5", "s"], "5s 9h 6d 8c 2h", bankroll=20, spots=1)
    # A wager of $10 leaves $10, which covers the double.
    assert table.session.rounds == 1
    low = Table(["15", "d", "p", "d 5", "s"], "8s 9h 8d 8c 2h", bankroll=20)
    assert low.shows("[h] hit  [s] stand  [d] double for less (d 0.50)  [u] surrender  [?] best")
    assert low.shows("This takes $15.00, but your balance is $5.00.")
    assert low.shows("You double for $5.00 and get 2♥ for 18.")
    three = Table(["10"], spots=3, bankroll=25)
    assert three.shows("These wagers come to $30.00, but your balance is $25.00.")
    assert three.session.balance == 2_500


def test_insurance_that_the_balance_does_not_cover_is_refused() -> None:
    table = Table(["20", "y", "n", "s"], "Ks Ah 9d 8c", bankroll=20)
    assert table.shows("This takes $10.00, but your balance is $0.00.")
    assert table.session.rounds == 1


def test_a_player_without_chips_can_buy_in() -> None:
    answers = ["20", "s", "20", "buy", "buy -3", "buy 0", "buy 50", "20"]
    table = Table(answers, "5s 9h 6d 8c 5s 9h 6d 8c", bankroll=20)
    assert table.shows("You're out of chips. Type buy 100 to buy in again, or quit.")
    assert table.shows("These wagers come to $20.00, but your balance is $0.00.")
    assert table.shows("Say how much to buy, for example buy 100.")
    assert table.shows("buy: an amount can't be negative ('-3')")
    assert table.shows("Buy in for an amount above zero, such as buy 500.")
    assert table.shows("You bought $50.00. Your balance is $50.00.")
    assert table.lines[-1] == "Goodbye. 1 round, -$20.00: you leave with $50.00."


# --- commands available anytime ---------------------------------------------------------------


def test_help_explains_every_key_and_each_refusal() -> None:
    table = Table(["help", "10", "help"], "5s 9h 6d 8c")
    assert table.shows("10 up 5", "add a Match the Dealer bet, $1.00 or more: up or down")
    assert table.shows("d ", "double for $10.00 more; d 0.50 doubles for less")
    assert table.shows("p ", "split: not now. Only two cards of equal value can be split.")
    assert table.shows("q ", "quit; an unfinished round is canceled")


def test_the_rule_card_is_shown_at_any_prompt() -> None:
    table = Table(["r", "10", "rules"], "5s 9h 6d 8c")
    assert table.text.count("BONUS 21") == 2
    assert table.session.rounds == 0


def test_the_history_can_be_settled_again() -> None:
    answers = ["h", "20", "d 8", "c", "10 up 5", "s", "h"]
    table = Table(answers, "5s 9h 6d 8c 2c 5s 9h 6d 8c")
    assert table.shows("You haven't finished a round yet.")
    start = table.text.rindex("\nround 1")
    rounds = read_rounds(table.text[start : table.text.rindex("Wager")])
    assert [record.id for record in rounds] == ["1", "2"]
    assert [differences(replay(record)) for record in rounds] == [[], []]


def test_history_keeps_the_last_ten_rounds() -> None:
    table = Table(
        ["10", "s"] * 12, " ".join(["2s 9h 9d 8c"] * 6), shuffle=None, rules="wsgc-2021(decks=8)"
    )
    assert table.session.rounds == 12
    assert [record.id for record in table.session.history] == [str(n) for n in range(3, 13)]


@pytest.mark.parametrize("word", ["q", "quit", "EXIT"])
def test_leaving_a_round_in_play_loses_nothing(word: str) -> None:
    table = Table(["10 up 5", "h", word], "5s 9h 6d 8c 2c")
    assert table.shows("The unfinished round is canceled and its bets are returned.")
    assert table.lines[-1] == "Goodbye. 0 rounds, $0.00: you leave with $1,000.00."


# --- the shoe ---------------------------------------------------------------------------------


def test_the_cut_card_brings_a_shuffle() -> None:
    rules = "super-fun-21(decks=1,cut_card=10)"
    table = Table(["10", "h", "h", "s"], "2s 9h 2d 8c 9c 2c", rules=rules)
    assert table.shows("The cut card came out. The dealer shuffles all the cards.")
    assert table.shows("Round 2", "52 cards left")


def test_an_empty_shoe_is_filled_with_the_discards() -> None:
    rules = "super-fun-21(decks=1,cut_card=100)"
    table = Table(["10", "s"] * 11, rules=rules, shuffle=lambda cards: None)
    assert table.shows("The shoe is empty. The dealer shuffles the discards.")
    assert table.session.rounds == 10


def test_a_round_without_cards_is_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = 0

    def draw(shoe: object) -> int:
        nonlocal drawn
        drawn += 1
        if drawn > 4:
            raise OutOfCards
        return drawn

    monkeypatch.setattr("ventiuna.engine.dealing.Shoe.draw", draw)
    table = Table(["10", "n", "h"])
    assert "The round is void: its wagers are returned" in " ".join(table.text.split())
    assert table.lines[-1] == "Goodbye. 0 rounds, $0.00: you leave with $1,000.00."


def test_every_preset_can_be_played() -> None:
    for preset in preset_ids():
        table = Table([""], rules=preset, shuffle=lambda cards: None)
        assert table.lines[0].startswith("Welcome to ")
