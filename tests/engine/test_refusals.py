"""Every refusal of the engine, word for word: code, values, and the rules of the game at hand."""

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
LARGEST = "give an amount from nothing to $100,000,000,000.00. (R-002)"

# Rules, command, code, and the sentence with its rules.
BEFORE_THE_DEAL: list[tuple[str, do.Command, str, str]] = [
    (SPANISH, wagers(8), "no_such_spot", "Spot 8: this table has spots 1 to 7. (O-02)"),
    (SPANISH, wagers(0), "no_such_spot", "Spot 0: this table has spots 1 to 7. (O-02)"),
    (SPANISH, wagers(base=0), "no_base", "Place a base wager to play. (R-014)"),
    (
        SPANISH,
        wagers(base="4.99"),
        "table_limits",
        "Base wager of $4.99: the table takes $5.00 to $300.00. (R-002, R-003)",
    ),
    (
        SPANISH,
        wagers(base=301),
        "table_limits",
        "Base wager of $301.00: the table takes $5.00 to $300.00. (R-002, R-003)",
    ),
    (
        SPANISH,
        wagers(base="5.01"),
        "chip_unit",
        "Base wager of $5.01: wager in multiples of $1.00. (O-18)",
    ),
    (SPANISH, do.PlaceWagers(1, -1), "amount_range", f"base wager: {LARGEST}"),
    (SPANISH, do.PlaceWagers(1, LARGEST_AMOUNT + 1), "amount_range", f"base wager: {LARGEST}"),
    (
        SPANISH,
        do.PlaceWagers(1, LARGEST_AMOUNT),
        "table_limits",
        "Base wager of $100,000,000,000.00: the table takes $5.00 to $300.00. (R-002, R-003)",
    ),
    (
        SPANISH,
        wagers(base=0, mtd={"up": 5}),
        "base_first",
        "A Match the Dealer or jackpot wager needs a base wager: place that first. (R-014, R-082)",
    ),
    (
        SPANISH,
        wagers(mtd={"b3": 5}),
        "mtd_not_offered",
        (
            f"Match the Dealer Bonus Card 3 wager: not offered here (offered: {OFFERED}). "
            "(R-015, R-016, R-017, R-018)"
        ),
    ),
    (
        FUN,
        wagers(mtd={"up": 5}),
        "mtd_not_offered",
        (
            "Match the Dealer Up Card wager: not offered here (offered: none). "
            "(R-015, R-016, R-017, R-018)"
        ),
    ),
    (
        SPANISH,
        wagers(mtd={"up": "0.50"}),
        "mtd_limits",
        "Match the Dealer Up Card wager of $0.50: it is $1.00 to $300.00 here. (R-024)",
    ),
    (
        SPANISH,
        wagers(mtd={"down": 301}),
        "mtd_limits",
        "Match the Dealer Down Card wager of $301.00: it is $1.00 to $300.00 here. (R-024)",
    ),
    (
        "wsgc-2021(mtd_at_most_base=on)",
        wagers(mtd={"up": 11}),
        "mtd_at_most_base",
        (
            "Match the Dealer Up Card wager of $11.00: "
            "it may not be above the base wager of $10.00. (R-024, D-03)"
        ),
    ),
    (
        SPANISH,
        wagers(mtd={"up": "5.01"}),
        "chip_unit",
        "Match the Dealer Up Card wager of $5.01: wager in multiples of $1.00. (O-18)",
    ),
    (
        "wsgc-2021(down_requires_up=on)",
        wagers(mtd={"down": 5}),
        "down_requires_up",
        "A Down Card wager needs an Up Card wager on the same hand: place that too. (R-025, D-02)",
    ),
    (
        "wsgc-2021(mtd_required=up)",
        wagers(),
        "mtd_required",
        "The house requires a Match the Dealer Up Card wager: place it. (R-025)",
    ),
    (
        SPANISH,
        wagers(jackpots={1: 1}),
        "no_such_jackpot",
        "Jackpot 1: this table offers no jackpot game. (R-082, R-084)",
    ),
    (
        JACKPOT,
        wagers(jackpots={2: 1}),
        "no_such_jackpot",
        "Jackpot 2: this table offers jackpot 1. (R-082, R-084)",
    ),
    (
        JACKPOT,
        wagers(jackpots={1: 2}),
        "jackpot_wager_fixed",
        "Jackpot 1 wager of $2.00: it is fixed at $1.00. (R-082, R-085)",
    ),
    (
        SPANISH,
        do.PlaceWagers(1, 1000, mtd={"side": 0}),
        "not_wagers",
        "wager 'side': there is no such wager; leave it out. (R-014)",
    ),
    (
        SPANISH,
        do.PlaceWagers(1, 1000, jackpots={3: 0}),
        "not_wagers",
        "wager 3: there is no such wager; leave it out. (R-014)",
    ),
    (
        TWO_JACKPOTS,
        wagers(jackpots={3: 1}),
        "no_such_jackpot",
        "Jackpot 3: this table offers jackpot 1 and 2. (R-082, R-084)",
    ),
    (
        SPANISH,
        do.PlaceWagers(1, 1000, mtd={"up": -1}),
        "amount_range",
        f"wager up: {LARGEST}",
    ),
    (
        SPANISH,
        do.VoidRound(""),
        "no_reason",
        "reason: say in a text why the round is called off. (R-102)",
    ),
    (
        SPANISH,
        do.CloseWagers(),
        "no_wagers",
        "No base wager is on the table: place one first. (R-014)",
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
        "Wagers are closed: wait for the next round. (R-102)",
    ),
    (FUN, "5c", wagers(), "wagers_closed", "Wagers are closed: wait for the next round. (R-120)"),
    (
        SPANISH,
        "5c",
        do.Stand(1),
        "not_time_to_act",
        "Hands act after the deal, the blackjacks and the dealer's check. (R-037, R-102)",
    ),
    (
        FUN,
        "5c",
        do.Stand(1),
        "not_time_to_act",
        "Hands act after the deal, the blackjacks and the dealer's check. (R-109, R-120)",
    ),
    (SPANISH, "5c", do.DealCard(52), "no_card", "52 is not a card: give one of 0 to 51. (R-007)"),
    (SPANISH, "5c", do.DealCard(-1), "no_card", "-1 is not a card: give one of 0 to 51. (R-007)"),
    (
        SPANISH,
        "5c",
        do.DealCard(parse_card("Tc")),
        "not_in_pack",
        "Tc is not in the pack: the tens are taken out of a Spanish deck. (R-007)",
    ),
    (
        "wsgc-2021(decks=2)",
        "5c 5c",
        do.DealCard(parse_card("5c")),
        "too_many_copies",
        "5c is on the table as often as the shoe holds it (2): deal another card. (R-007, R-008)",
    ),
    (
        "super-fun-21(decks=1)",
        "5c 6c",
        do.DealCard(parse_card("5c")),
        "too_many_copies",
        "5c is on the table as often as the shoe holds it (1): deal another card. (R-103)",
    ),
    (
        SPANISH,
        FIVES,
        do.DealCard(0),
        "no_card_wanted",
        "The round does not wait for a card now. (R-102)",
    ),
    (
        FUN,
        FIVES,
        do.DealCard(0),
        "no_card_wanted",
        "The round does not wait for a card now. (R-120)",
    ),
    (
        SPANISH,
        FIVES,
        do.TakeBlackjack(1),
        "no_blackjack_to_answer",
        "Spot 1 has no blackjack to be paid or kept now. (R-029, R-032)",
    ),
    (
        FUN,
        FIVES,
        do.KeepBlackjack(1),
        "no_blackjack_to_answer",
        "Spot 1 has no blackjack to be paid or kept now. (R-106, R-114)",
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
        "Insurance of $5.50: at most half of the wager, $5.00. (R-034)",
    ),
    (
        FUN,
        ACE_UP,
        do.Insure(1, 501),
        "insurance_above_half",
        "Insurance of $5.01: at most half of the wager, $5.00. (R-116)",
    ),
    (SPANISH, ACE_UP, do.Insure(1, -1), "amount_range", f"insurance: {LARGEST}"),
    (
        SPANISH,
        ACE_UP,
        do.Insure(1, 1),
        "chip_unit",
        "Insurance of $0.01: wager in multiples of $0.50. (O-18)",
    ),
    (
        SPANISH,
        FIVES,
        do.Double(1, 1001),
        "double_amount",
        "Double by $10.01: at most the wager of $10.00. (R-047, R-050)",
    ),
    (
        FUN,
        FIVES,
        do.Double(1, 0),
        "double_amount",
        "Double by $0.00: more than nothing and at most the wager of $10.00. (R-105)",
    ),
    (
        SPANISH,
        FIVES,
        do.Double(1, 999),
        "chip_unit",
        "Double for less of $9.99: wager in multiples of $0.50. (O-18)",
    ),
    (
        FUN,
        FIVES,
        do.Double(1, 999),
        "no_double_for_less",
        "Doubling for less is not offered here: double by $10.00. (R-105, R-107)",
    ),
    (SPANISH, FIVES, do.Double(1, -1), "amount_range", f"double: {LARGEST}"),
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


# What a program may hand over: the command's parts as no type allows them.
WRONG_TYPES: list[tuple[dict[str, Any], str, str]] = [
    ({"base": 10.5}, "not_cents", "base wager: give a whole number of cents. (O-18)"),
    ({"base": True}, "not_cents", "base wager: give a whole number of cents. (O-18)"),
    ({"person": 5}, "not_a_name", "person: give the player's id as text. (O-02)"),
    ({"spot": True}, "no_such_spot", "Spot True: this table has spots 1 to 7. (O-02)"),
    (
        {"mtd": 5},
        "not_wagers",
        "mtd: give cents for each wager, such as {'up': 500}. (R-014)",
    ),
    (
        {"jackpots": 5},
        "not_wagers",
        "jackpots: give cents for each wager, such as {1: 100}. (R-014)",
    ),
    ({"mtd": {"up": 1.5}}, "not_cents", "wager up: give a whole number of cents. (O-18)"),
    (
        {"jackpots": {True: 100}},
        "no_such_jackpot",
        "Jackpot True: this table offers no jackpot game. (R-082, R-084)",
    ),
]


@pytest.mark.parametrize(("parts", "code", "told"), WRONG_TYPES)
def test_a_wager_of_a_wrong_type_is_refused_with_its_reason(
    parts: dict[str, Any], code: str, told: str
) -> None:
    refusal = Live(SPANISH).refuses(do.PlaceWagers(**{"spot": 1, "base": 1000, **parts}))
    assert (refusal.code, str(refusal)) == (code, told)


def test_an_amount_of_cents_is_given_back_once_it_is_checked() -> None:
    assert [checked_cents("amount", cents) for cents in (0, 5, LARGEST_AMOUNT)] == [
        0,
        5,
        LARGEST_AMOUNT,
    ]
    with pytest.raises(Refused, match="amount: give an amount from nothing to"):
        checked_cents("amount", -1)
    with pytest.raises(Refused, match="amount: give a whole number of cents"):
        checked_cents("amount", True)


@pytest.mark.parametrize("amount", [1, 500, LARGEST_AMOUNT])
def test_r015_a_wager_of_another_name_is_not_offered_whatever_its_amount(amount: int) -> None:
    refusal = Live(SPANISH).refuses(do.PlaceWagers(1, 1000, mtd={"side": amount}))
    assert refusal.code == "mtd_not_offered"
    assert refusal.message == f"'side': not offered here (offered: {OFFERED})."


@pytest.mark.parametrize(
    "meters",
    [5, [5], [(1,)], [(1, 0, 0)], [(-1, 0)], [(1, -1)], [(True, 0)], [(1, 0), (1, 0)]],
)
def test_r084_meters_are_cents_and_remainder_of_each_game(meters: Any) -> None:
    with pytest.raises(Refused) as caught:
        RoundState(load_rules(JACKPOT), meters)
    assert caught.value.code == "not_meters"
    assert str(caught.value) == (
        "meters: give cents and remainder for each jackpot game of the rules, 1 in all. (R-084)"
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
    assert str(nothing) == "meters: give the cents of jackpot 1. (R-095)"
    below = live.refuses(do.ShowMeters({1: -1}))
    assert str(below) == f"meter of jackpot 1: {LARGEST}"


# In plain blackjack a refusal cites the rules of both games.
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
    assert str(live.refuses(do.Stand(2))) == "It is another hand's turn. (R-102)"
    live.do(do.Hit(1))
    assert str(live.refuses(do.Stand(1))) == "The hand waits for its card first. (R-102)"
    live.deal("9h")
    live.do(do.Stand(1))
    assert str(live.refuses(do.Stand(1))) == "The hand is over. (R-102)"
    fun = deal(FUN, "5c 6c 9c 5d 6d Kh", wagers(1), wagers(2))
    assert str(fun.refuses(do.Stand(2))) == "It is another hand's turn. (R-120)"
    fun.do(do.Hit(1))
    assert str(fun.refuses(do.Stand(1))) == "The hand waits for its card first. (R-120)"
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
    assert str(refusal) == "The hand has 21 and is over. (R-039, O-33)"
    fun = deal(FUN, "5c 6c 9c 6d 8d Kh", wagers(1), wagers(2))
    fun.do(do.Hit(1))
    fun.deal("Kc")
    fun.do(do.Stand(1))
    assert str(fun.refuses(do.Stand(1))) == "The hand has 21 and is over. (R-119, O-33)"


@pytest.mark.parametrize("amount", [5_00, 6_00, 300_00])
def test_base_wagers_at_the_limits_are_taken(amount: int) -> None:
    Live(SPANISH).do(do.PlaceWagers(1, amount))


@pytest.mark.parametrize("amount", [1_00, 300_00])
def test_match_the_dealer_wagers_at_the_limits_are_taken(amount: int) -> None:
    Live(SPANISH).do(do.PlaceWagers(1, 5_00, mtd={"up": amount, "down": amount}))


@pytest.mark.parametrize("amount", [0, 50, 5_00])
def test_insurance_at_the_limits_is_taken(amount: int) -> None:
    deal(SPANISH, ACE_UP).do(do.Insure(1, amount))


@pytest.mark.parametrize("amount", [50, 9_50, 10_00, None])
def test_doubles_at_the_limits_are_taken(amount: int | None) -> None:
    deal(SPANISH, FIVES).do(do.Double(1, amount))


# --- what a refusal may not tell --------------------------------------------------------------


def test_the_refusal_of_a_card_does_not_count_the_down_card() -> None:
    """One deck: the second king of hearts can't come, and nobody is told where the first is."""
    live = deal("super-fun-21(decks=1)", FIVES)
    live.do(do.Hit(1))
    hidden = live.refuses(do.DealCard(parse_card("Kh")))
    assert str(hidden) == "Kh can't come now: deal another card. (R-103)"
    shown = live.refuses(do.DealCard(parse_card("9c")))
    assert "as often as the shoe holds it (1)" in str(shown)


@pytest.mark.parametrize("command", [[], {}, 5, None, "Stand", 10**5000, object()], ids=type)
def test_what_is_not_a_command_is_told_shortly(command: Any) -> None:
    refusal = deal(SPANISH, FIVES).refuses(command)
    assert refusal.code == "unknown_command"
    assert len(refusal.message) < 80
