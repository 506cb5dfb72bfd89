"""The coach in `ventiuna play`: advice on request, mistakes at the end, and a quieter table."""

from __future__ import annotations

import pytest

from tests.cli.play_table import Table
from tests.cli.test_play_terminal import terminal

# Dealing order for one spot: player, up card, player, down card, then any cards drawn.


@pytest.mark.parametrize("word", ["?", "w", "best", "What's best?"])
def test_the_coach_shows_the_best_play_with_its_reason_and_its_cards(word: str) -> None:
    table = Table(["10", word, "s"], "5s 2h 6d 8c")
    assert table.shows("Best play: double.")
    assert table.shows("Doubling wins the most, 34.", "¢ per $1 on average. Hitting is 15.")
    assert table.shows("These values are exact for the 285 cards you haven't seen.")
    assert table.session.rounds == 1


def test_cards_of_earlier_rounds_count_as_seen() -> None:
    table = Table(["10", "s", "10", "?"], "5s 9h 6d 8c 5s 2h 6d 8c")
    assert table.shows("exact for the 281 cards you haven't seen.")


def test_a_new_shoe_is_full_again() -> None:
    rules = "super-fun-21(decks=1,cut_card=10)"
    table = Table(["10", "h", "h", "s", "10", "?"], "2s 9h 2d 8c 9c 2c", rules=rules)
    assert table.shows("exact for the 49 cards you haven't seen.")


def test_the_coach_pauses_after_the_discards_are_reshuffled() -> None:
    rules = "super-fun-21(decks=1,cut_card=100)"
    table = Table(["10", "s"] * 11 + ["10", "?"], rules=rules, shuffle=lambda cards: None)
    assert "The discards were reshuffled" in table.text


def test_before_a_bet_there_is_nothing_to_coach() -> None:
    table = Table(["w", "?"])
    assert table.shows("Place a bet first.")
    assert table.shows("help", "this list")


def test_a_best_play_that_the_chips_do_not_cover_has_a_next_best() -> None:
    table = Table(["5", "?", "s"], "5s 2h 6d 8c", bankroll=5)
    assert table.shows("Your chips don't cover that. The next-best play is to hit.")


def test_insurance_and_blackjack_are_coached_too() -> None:
    insured = Table(["10", "?", "y", "s"], "Ks Ah 9d 8c")
    assert insured.shows("Best play: decline insurance.")
    assert insured.shows("K♠ 9♦ against A♥: you took insurance; best: decline", "round 1")
    blackjack = Table(["10", "w", "t"], "As 9h Kd 8c")
    assert blackjack.shows("Best play: take the payout.")


def test_mistakes_are_summarized_at_the_end_costliest_first() -> None:
    table = Table(["10", "s", "20", "s"], "Ks 9h 2d 8c 5s 9h 6d 8c")
    place = table.lines.index("Your costliest decisions, and what each cost on average")
    first, second, total, goodbye = table.lines[place + 1 :]
    assert first.startswith("  5♠ 6♦ against 9♥: you stood; best: double")
    assert first.endswith("round 2")
    assert second.startswith("  K♠ 2♦ against 9♥: you stood; best: hit")
    assert second.endswith("round 1")
    assert total.startswith("2 of 2 decisions cost you $")
    assert goodbye.startswith("Goodbye. 2 rounds")


def test_best_play_is_praised_in_one_line() -> None:
    table = Table(["10", "d", "s"], "5s 2h 6d 8c 9c")
    assert "without a costly mistake." in table.text
    assert "costliest" not in table.text


def test_without_a_finished_round_there_is_no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("nothing was decided")

    monkeypatch.setattr("ventiuna.analysis.review.score_decision", fail)
    table = Table(["10", "h", "q"], "5s 9h 6d 8c 2c")
    assert table.lines[-2] == "The unfinished round is canceled and its bets are returned."


def test_lost_side_bets_share_a_line_and_won_ones_dont() -> None:
    rules = "wsgc-2021(mtd_configuration=4,bonus_cards=5)"
    bets = "10 b1 1 b2 1 b3 2 b4 1 b5 5"
    table = Table([bets, "s"], "5s 9h 6d 8c 2c 3c 5s Kh Kd", rules=rules)
    assert table.shows("Bonus Card 3, $2.00: 1 suited match", "+$")
    assert table.shows("4 side bets lost", "-$8.00", "R-021")
    assert "no match" not in table.text


def test_arrow_keys_recall_and_edit_earlier_input() -> None:
    with terminal("--seed", "3", NO_COLOR="1") as person:
        person.wait_for("Wager")
        person.type("10 up 5\n")
        person.wait_for("surrender")
        person.type("s\n")
        person.wait_for("Round 2")
        person.wait_for("> ")
        person.type("\x1b[A\x1b[A\x7f1\n")  # back to the bet, with its last digit replaced
        person.wait_for("best play")
        person.type("q\n")
        text = person.read_to_end()
    assert "^[[A" not in text
    assert "Round 2" in text
    assert "Up Card, $1.00" in text
