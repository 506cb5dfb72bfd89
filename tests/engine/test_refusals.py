"""Every engine refusal, word for word: code, values and the rules of the current game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rounds import Live, deal, wagers
from ventiuna import Refused, RoundState, execute, load_rules, parse_card
from ventiuna import commands as do
from ventiuna.engine.wagers import checked_cents
from ventiuna.money import LARGEST_AMOUNT

SPANISH, FUN = "wsgc-2021", "super-fun-21"
JACKPOT = "wsgc-2021(jackpots=3c:1:seed=100)"
TWO_JACKPOTS = "wsgc-2021(jackpots=3c:1:seed=100+4d:1)"
FIVES = "5c 9c 5d Kh"
ACE_UP = "5c Ac 5d Kh"
OFFERED = "Match the Dealer Up Card wager, Match the Dealer Down Card wager"
LARGEST = "must be from $0.00 to $100,000,000,000.00. (R-002)"

# Rules, command, code, and the sentence with its rules.
BEFORE_THE_DEAL: list[tuple[str, do.Command, str, str]] = [
    (SPANISH, wagers(8), "no_such_spot", "There is no spot 8: this table has spots 1 to 7. (O-02)"),
    (SPANISH, wagers(0), "no_such_spot", "There is no spot 0: this table has spots 1 to 7. (O-02)"),
    (SPANISH, wagers(base=0), "no_base", "Place a base wager to play. (R-014)"),
    (
        SPANISH,
        wagers(base="4.99"),
        "table_limits",
        "The base wager must be from $5.00 to $300.00, not $4.99. (R-002, R-003)",
    ),
    (
        SPANISH,
        wagers(base=301),
        "table_limits",
        "The base wager must be from $5.00 to $300.00, not $301.00. (R-002, R-003)",
    ),
    (
        SPANISH,
        wagers(base="5.01"),
        "chip_unit",
        "The base wager must be a multiple of $1.00, not $5.01. (O-18)",
    ),
    (SPANISH, do.PlaceWagers(1, -1), "amount_range", f"The base wager {LARGEST}"),
    (SPANISH, do.PlaceWagers(1, LARGEST_AMOUNT + 1), "amount_range", f"The base wager {LARGEST}"),
    (
        SPANISH,
        do.PlaceWagers(1, LARGEST_AMOUNT),
        "table_limits",
        "The base wager must be from $5.00 to $300.00, not $100,000,000,000.00. (R-002, R-003)",
    ),
    (
        SPANISH,
        wagers(base=0, mtd={"up": 5}),
        "base_first",
        "A Match the Dealer or jackpot wager needs a base wager. Place that first. (R-014, R-082)",
    ),
    (
        SPANISH,
        wagers(mtd={"b3": 5}),
        "mtd_not_offered",
        (
            "This table doesn't offer the Match the Dealer Bonus Card 3 wager. "
            f"Choose from: {OFFERED}. (R-015, R-016, R-017, R-018)"
        ),
    ),
    (
        FUN,
        wagers(mtd={"up": 5}),
        "mtd_not_offered",
        (
            "This table doesn't offer the Match the Dealer Up Card wager. "
            "It has no Match the Dealer wagers. (R-015, R-016, R-017, R-018)"
        ),
    ),
    (
        SPANISH,
        wagers(mtd={"up": "0.50"}),
        "mtd_limits",
        "The Match the Dealer Up Card wager must be from $1.00 to $300.00, not $0.50. (R-024)",
    ),
    (
        SPANISH,
        wagers(mtd={"down": 301}),
        "mtd_limits",
        "The Match the Dealer Down Card wager must be from $1.00 to $300.00, not $301.00. (R-024)",
    ),
    (
        "wsgc-2021(mtd_at_most_base=on)",
        wagers(mtd={"up": 11}),
        "mtd_at_most_base",
        (
            "The Match the Dealer Up Card wager of $11.00 "
            "can't exceed the base wager of $10.00. (R-024, D-03)"
        ),
    ),
    (
        SPANISH,
        wagers(mtd={"up": "5.01"}),
        "chip_unit",
        "The Match the Dealer Up Card wager must be a multiple of $1.00, not $5.01. (O-18)",
    ),
    (
        "wsgc-2021(down_requires_up=on)",
        wagers(mtd={"down": 5}),
        "down_requires_up",
        "A Down Card wager needs an Up Card wager on the same hand. Place that too. (R-025, D-02)",
    ),
    (
        "wsgc-2021(mtd_required=up)",
        wagers(),
        "mtd_required",
        "The house requires a Match the Dealer Up Card wager with every base wager. (R-025)",
    ),
    (
        SPANISH,
        wagers(jackpots={1: 1}),
        "no_such_jackpot",
        "There is no jackpot 1: this table offers no jackpots. (R-082, R-084)",
    ),
    (
        JACKPOT,
        wagers(jackpots={2: 1}),
        "no_such_jackpot",
        "There is no jackpot 2: this table offers only jackpot 1. (R-082, R-084)",
    ),
    (
        JACKPOT,
        wagers(jackpots={1: 2}),
        "jackpot_wager_fixed",
        "The wager on jackpot 1 must be $1.00, not $2.00. (R-082, R-085)",
    ),
    (
        SPANISH,
        do.PlaceWagers(1, 1000, mtd={"side": 0}),
        "not_wagers",
        "There is no wager 'side'. Leave it out. (R-014)",
    ),
    (
        SPANISH,
        do.PlaceWagers(1, 1000, jackpots={3: 0}),
        "not_wagers",
        "There is no wager 3. Leave it out. (R-014)",
    ),
    (
        TWO_JACKPOTS,
        wagers(jackpots={3: 1}),
        "no_such_jackpot",
        "There is no jackpot 3: this table offers jackpots 1 and 2. (R-082, R-084)",
    ),
    (
        SPANISH,
        do.PlaceWagers(1, 1000, mtd={"up": -1}),
        "amount_range",
        f"Wager up {LARGEST}",
    ),
    (
        SPANISH,
        do.VoidRound(""),
        "no_reason",
        "reason must say why the round is voided, as a string. (R-102)",
    ),
    (
        SPANISH,
        do.CloseWagers(),
        "no_wagers",
        "Nobody has placed a base wager. Place one first. (R-014)",
    ),
    (SPANISH, do.WithdrawWagers(2), "spot_not_betting", "Spot 2 has no base wager. (R-014)"),
]

# Rules, cards dealt, command, code, and the sentence with its rules.
IN_PLAY: list[tuple[str, str, do.Command, str, str]] = [
    (
        SPANISH,
        "5c",
        wagers(),
        "wagers_closed",
        "No more bets: wait for the next round. (R-102)",
    ),
    (FUN, "5c", wagers(), "wagers_closed", "No more bets: wait for the next round. (R-120)"),
    (
        SPANISH,
        "5c",
        do.Stand(1),
        "not_time_to_act",
        "Players act only after the deal, the blackjacks and the dealer's check. (R-037, R-102)",
    ),
    (
        FUN,
        "5c",
        do.Stand(1),
        "not_time_to_act",
        "Players act only after the deal, the blackjacks and the dealer's check. (R-109, R-120)",
    ),
    (
        SPANISH,
        "5c",
        do.DealCard(52),
        "no_card",
        "A card must be a number from 0 to 51, not 52. (R-007)",
    ),
    (
        SPANISH,
        "5c",
        do.DealCard(-1),
        "no_card",
        "A card must be a number from 0 to 51, not -1. (R-007)",
    ),
    (
        SPANISH,
        "5c",
        do.DealCard(parse_card("Tc")),
        "not_in_pack",
        "Tc isn't in the pack: Spanish decks have no tens. (R-007)",
    ),
    (
        "wsgc-2021(decks=2)",
        "5c 5c",
        do.DealCard(parse_card("5c")),
        "too_many_copies",
        "Every 5c in the shoe (2) is already on the table: deal another card. (R-007, R-008)",
    ),
    (
        "super-fun-21(decks=1)",
        "5c 6c",
        do.DealCard(parse_card("5c")),
        "too_many_copies",
        "Every 5c in the shoe (1) is already on the table: deal another card. (R-103)",
    ),
    (
        SPANISH,
        FIVES,
        do.DealCard(0),
        "no_card_wanted",
        "The round isn't waiting for a card. (R-102)",
    ),
    (
        FUN,
        FIVES,
        do.DealCard(0),
        "no_card_wanted",
        "The round isn't waiting for a card. (R-120)",
    ),
    (
        SPANISH,
        FIVES,
        do.TakeBlackjack(1),
        "no_blackjack_to_answer",
        "Spot 1 has no blackjack to take or keep now. (R-029, R-032)",
    ),
    (
        FUN,
        FIVES,
        do.KeepBlackjack(1),
        "no_blackjack_to_answer",
        "Spot 1 has no blackjack to take or keep now. (R-106, R-114)",
    ),
    (
        SPANISH,
        FIVES,
        do.Insure(1, 100),
        "no_insurance_now",
        "Insurance is offered once to each spot, when the up card is an ace. (R-034)",
    ),
    (
        FUN,
        FIVES,
        do.Insure(1, 100),
        "no_insurance_now",
        "Insurance is offered once to each spot, when the up card is an ace. (R-116)",
    ),
    (
        SPANISH,
        ACE_UP,
        do.Insure(1, 550),
        "insurance_above_half",
        "Insurance can be at most half of the wager, $5.00, not $5.50. (R-034)",
    ),
    (
        FUN,
        ACE_UP,
        do.Insure(1, 501),
        "insurance_above_half",
        "Insurance can be at most half of the wager, $5.00, not $5.01. (R-116)",
    ),
    (SPANISH, ACE_UP, do.Insure(1, -1), "amount_range", f"Insurance {LARGEST}"),
    (
        SPANISH,
        ACE_UP,
        do.Insure(1, 1),
        "chip_unit",
        "Insurance must be a multiple of $0.50, not $0.01. (O-18)",
    ),
    (
        SPANISH,
        FIVES,
        do.Double(1, 1001),
        "double_amount",
        "Add up to $10.00 to double, not $10.01. (R-047, R-050)",
    ),
    (
        FUN,
        FIVES,
        do.Double(1, 0),
        "double_amount",
        "Add up to $10.00 to double, not $0.00. (R-105)",
    ),
    (
        SPANISH,
        FIVES,
        do.Double(1, 999),
        "chip_unit",
        "A double for less must be a multiple of $0.50, not $9.99. (O-18)",
    ),
    (
        FUN,
        FIVES,
        do.Double(1, 999),
        "no_double_for_less",
        "This table doesn't offer doubling for less: add $10.00. (R-105, R-107)",
    ),
    (SPANISH, FIVES, do.Double(1, -1), "amount_range", f"The added wager {LARGEST}"),
    (
        SPANISH,
        "5c Kc 5d Ah",
        do.Surrender(1),
        "dealer_blackjack",
        "The dealer has blackjack: nothing can be doubled, split or surrendered. (R-035, O-09)",
    ),
    (
        FUN,
        "5c Kc 5d Ah",
        do.Surrender(1),
        "dealer_blackjack",
        (
            "The dealer has blackjack: nothing can be doubled, split or surrendered. "
            "(R-109, R-120, O-09)"
        ),
    ),
]


# Command fields with types that the annotations forbid but a program might pass.
WRONG_TYPES: list[tuple[dict[str, Any], str, str]] = [
    ({"base": 10.5}, "not_cents", "The base wager must be a whole number of cents. (O-18)"),
    ({"base": True}, "not_cents", "The base wager must be a whole number of cents. (O-18)"),
    ({"person": 5}, "not_a_name", "person must be the player's id, as a string. (O-02)"),
    ({"spot": True}, "no_such_spot", "There is no spot True: this table has spots 1 to 7. (O-02)"),
    (
        {"mtd": 5},
        "not_wagers",
        "mtd must give the cents for each wager, such as {'up': 500}. (R-014)",
    ),
    (
        {"jackpots": 5},
        "not_wagers",
        "jackpots must give the cents for each wager, such as {1: 100}. (R-014)",
    ),
    ({"mtd": {"up": 1.5}}, "not_cents", "Wager up must be a whole number of cents. (O-18)"),
    (
        {"jackpots": {True: 100}},
        "no_such_jackpot",
        "There is no jackpot True: this table offers no jackpots. (R-082, R-084)",
    ),
]


@pytest.mark.parametrize(("parts", "code", "told"), WRONG_TYPES)
def test_a_wager_of_the_wrong_type_is_refused_with_a_reason(
    parts: dict[str, Any], code: str, told: str
) -> None:
    refusal = Live(SPANISH).refuses(do.PlaceWagers(**{"spot": 1, "base": 1000, **parts}))
    assert (refusal.code, str(refusal)) == (code, told)


def test_a_checked_amount_is_returned() -> None:
    assert [checked_cents("amount", cents) for cents in (0, 5, LARGEST_AMOUNT)] == [
        0,
        5,
        LARGEST_AMOUNT,
    ]
    with pytest.raises(Refused, match=r"Amount must be from \$0\.00 to"):
        checked_cents("amount", -1)
    with pytest.raises(Refused, match="Amount must be a whole number of cents"):
        checked_cents("amount", True)


@pytest.mark.parametrize("amount", [1, 500, LARGEST_AMOUNT])
def test_r015_a_wager_with_an_unknown_name_is_refused_at_any_amount(amount: int) -> None:
    refusal = Live(SPANISH).refuses(do.PlaceWagers(1, 1000, mtd={"side": amount}))
    assert refusal.code == "mtd_not_offered"
    assert refusal.message == f"This table doesn't offer the wager 'side'. Choose from: {OFFERED}."


@pytest.mark.parametrize(
    "meters",
    [5, [5], [(1,)], [(1, 0, 0)], [(-1, 0)], [(1, -1)], [(True, 0)], [(1, 0), (1, 0)]],
)
def test_r084_meters_are_cents_and_remainder_of_each_game(meters: Any) -> None:
    with pytest.raises(Refused) as caught:
        RoundState(load_rules(JACKPOT), meters)
    assert caught.value.code == "not_meters"
    assert str(caught.value) == (
        "meters must give the cents and the remainder of every jackpot game in the rules (1). "
        "(R-084)"
    )


def test_r095_a_reading_of_the_meters_is_refused_with_its_reason() -> None:
    live = Live(JACKPOT)
    live.do(wagers(jackpots={1: 1}), do.CloseWagers())
    for card in ("5c", "5c", "5c", "Kd"):
        execute(live.state, do.DealCard(parse_card(card)))
    execute(live.state, do.Stand(1))
    execute(live.state, do.DealCard(parse_card("4h")))
    nothing = live.refuses(do.ShowMeters({}))
    assert nothing.code == "not_meters"
    assert str(nothing) == "meters must give the amount of jackpot 1, in cents. (R-095)"
    below = live.refuses(do.ShowMeters({1: -1}))
    assert str(below) == f"The meter of jackpot 1 {LARGEST}"


# In plain blackjack, a refusal cites the rules of both games.
PLAIN: list[tuple[str, do.Command, str]] = [
    ("5c", wagers(), "R-102 R-120"),
    ("5c", do.Stand(1), "R-037 R-102 R-109 R-120"),
    (FIVES, do.DealCard(0), "R-102 R-120"),
    (FIVES, do.TakeBlackjack(1), "R-029 R-032 R-106 R-114"),
    (FIVES, do.Insure(1, 100), "R-034 R-116"),
    (ACE_UP, do.Insure(1, 550), "R-034 R-116"),
    (FIVES, do.Double(1, 1001), "R-047 R-050 R-105"),
    ("5c Kc 5d Ah", do.Surrender(1), "R-035 R-109 R-120 O-09"),
    (FIVES, do.ShowMeters({}), "R-095 R-102"),
]


@pytest.mark.parametrize(("cards", "command", "rules"), PLAIN)
def test_refusals_of_plain_blackjack_cite_both_games(
    cards: str, command: do.Command, rules: str
) -> None:
    assert deal("blackjack", cards).refuses(command).rules == tuple(rules.split())


def test_r050_r054_doubling_for_less_may_be_off() -> None:
    refusal = deal("wsgc-2021(double_for_less=off)", FIVES).refuses(do.Double(1, 999))
    assert (refusal.code, refusal.rules) == ("no_double_for_less", ("R-050", "R-054"))


@pytest.mark.parametrize(("rules", "command", "code", "told"), BEFORE_THE_DEAL)
def test_a_wager_is_refused_with_its_reason(
    rules: str, command: do.Command, code: str, told: str
) -> None:
    refusal = Live(rules).refuses(command)
    assert (refusal.code, str(refusal)) == (code, told)


@pytest.mark.parametrize(("rules", "cards", "command", "code", "told"), IN_PLAY)
def test_a_command_out_of_place_is_refused_with_its_reason(
    rules: str, cards: str, command: do.Command, code: str, told: str
) -> None:
    refusal = deal(rules, cards).refuses(command)
    assert (refusal.code, str(refusal)) == (code, told)


def test_whose_turn_it_is_and_what_comes_first() -> None:
    live = deal(SPANISH, "5c 6c 9c 5d 6d Kh", wagers(1), wagers(2))
    assert str(live.refuses(do.Stand(2))) == "It's another hand's turn. (R-102)"
    live.do(do.Hit(1))
    assert str(live.refuses(do.Stand(1))) == "The hand must get its card first. (R-102)"
    live.deal("9h")
    live.do(do.Stand(1))
    assert str(live.refuses(do.Stand(1))) == "The hand is over. (R-102)"
    fun = deal(FUN, "5c 6c 9c 5d 6d Kh", wagers(1), wagers(2))
    assert str(fun.refuses(do.Stand(2))) == "It's another hand's turn. (R-120)"
    fun.do(do.Hit(1))
    assert str(fun.refuses(do.Stand(1))) == "The hand must get its card first. (R-120)"
    fun.deal("9h")
    fun.do(do.Stand(1))
    assert str(fun.refuses(do.Stand(1))) == "The hand is over. (R-120)"


def test_a_blackjack_that_was_paid_is_over() -> None:
    live = deal(SPANISH, "Ac 6c 9c Kd 6d Kh", wagers(1), wagers(2))
    live.do(do.TakeBlackjack(1))
    refusal = live.refuses(do.Stand(1))
    assert (refusal.code, refusal.rules) == ("blackjack_paid", ("R-029", "R-030"))
    fun = deal(FUN, "Ac 6c 9c Kd 6d Kh", wagers(1), wagers(2))
    fun.do(do.TakeBlackjack(1))
    assert fun.refuses(do.Stand(1)).rules == ("R-114", "R-115")


def test_r039_r119_a_hand_of_21_that_has_ended_is_over() -> None:
    live = deal(SPANISH, "5c 6c 9c 6d 8d Kh", wagers(1), wagers(2))
    live.do(do.Hit(1))
    live.deal("Kc")
    refusal = live.refuses(do.Stand(1))
    assert refusal.code == "hand_is_21"
    assert str(refusal) == "The hand has 21, so it is over. (R-039, O-33)"
    fun = deal(FUN, "5c 6c 9c 6d 8d Kh", wagers(1), wagers(2))
    fun.do(do.Hit(1))
    fun.deal("Kc")
    fun.do(do.Stand(1))
    assert str(fun.refuses(do.Stand(1))) == "The hand has 21, so it is over. (R-119, O-33)"


@pytest.mark.parametrize("amount", [5_00, 6_00, 300_00])
def test_base_wagers_at_the_limits_are_accepted(amount: int) -> None:
    Live(SPANISH).do(do.PlaceWagers(1, amount))


@pytest.mark.parametrize("amount", [1_00, 300_00])
def test_match_the_dealer_wagers_at_the_limits_are_accepted(amount: int) -> None:
    Live(SPANISH).do(do.PlaceWagers(1, 5_00, mtd={"up": amount, "down": amount}))


@pytest.mark.parametrize("amount", [0, 50, 5_00])
def test_insurance_at_the_limits_is_accepted(amount: int) -> None:
    deal(SPANISH, ACE_UP).do(do.Insure(1, amount))


@pytest.mark.parametrize("amount", [50, 9_50, 10_00, None])
def test_doubles_at_the_limits_are_accepted(amount: int | None) -> None:
    deal(SPANISH, FIVES).do(do.Double(1, amount))


# --- information that a refusal must not reveal -----------------------------------------------


def test_the_refusal_of_a_card_does_not_count_the_down_card() -> None:
    """With one deck, a second king of hearts is refused without revealing where the first is."""
    live = deal("super-fun-21(decks=1)", FIVES)
    live.do(do.Hit(1))
    hidden = live.refuses(do.DealCard(parse_card("Kh")))
    assert str(hidden) == "Kh can't be dealt now: deal another card. (R-103)"
    shown = live.refuses(do.DealCard(parse_card("9c")))
    assert "Every 9c in the shoe (1) is already on the table" in str(shown)


@pytest.mark.parametrize("command", [[], {}, 5, None, "Stand", 10**5000, object()], ids=type)
def test_an_invalid_command_is_reported_briefly(command: Any) -> None:
    refusal = deal(SPANISH, FIVES).refuses(command)
    assert refusal.code == "unknown_command"
    assert len(refusal.message) < 80
