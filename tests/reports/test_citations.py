"""One event, one rule: the PAR sheet, `settle` and the table cite the same numbers."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import cast

import pytest

import ventiuna as vt
from ventiuna.analysis.base_game.outcomes import round_events
from ventiuna.analysis.side_bets.queries import SideBetsQuery
from ventiuna.core.cards import is_all_diamonds
from ventiuna.engine.events import Wager, WagerKind, WagerSettled
from ventiuna.engine.state import RoundState
from ventiuna.reports.par import ParStudy, funding
from ventiuna.reports.par_document import side_wager_parts
from ventiuna.rules import Rules, load_rules
from ventiuna.rules.compiled import winning_rows
from ventiuna.rules.text.phrases import row_words

ROUNDS = 1_500
BASE = 2_500
OWN_RULES = {  # the first and last of each game
    "super-fun-21": (103, 120),
    "wsgc-2021(double_double=on)": (1, 102),
    "blackjack(surrender=late,decks=1)": (0, 0),
}


def event_name(state: RoundState, payment: WagerSettled) -> str:
    """The PAR sheet's name for the outcome of a hand."""
    hand = state.spots[payment.spot].hands[payment.hand]
    doubled = ", doubled" if hand.shape.doublings else ""
    rows = {row.name: row_words(row) for row, _, _ in winning_rows(state.rules)}
    if payment.reason in rows:
        return rows[payment.reason] + doubled
    if payment.reason == "blackjack":
        labels = state.labels
        diamonds = is_all_diamonds(hand.shape) and labels.diamond != labels.blackjack
        return "all-diamond blackjack" if diamonds else "blackjack"
    if payment.reason == "surrendered":
        return f"surrender{doubled}"
    if payment.reason.startswith("bust"):
        return f"bust{doubled}"
    outcome = "win" if payment.net > 0 else "loss" if payment.net else "push"
    dealer = payment.reason.rpartition(" ")[2]
    return {
        "rescued": "rescue",
        "dealer blackjack": "dealer blackjack takes the wager",
        "blackjack on both sides": "blackjack against a dealer blackjack, push",
    }.get(payment.reason, f"dealer {dealer}: {outcome}")


@pytest.mark.parametrize("name", OWN_RULES)
def test_par_settle_and_table_cite_the_same_rule_for_the_same_event(name: str) -> None:
    rules = load_rules(name)
    with_bonus = rules.super_bonus_form() is not None
    par = {
        event.name: event.rule
        for event in round_events(rules, BASE if with_bonus else None, with_bonus).events
    }
    table, player = vt.Table(rules, seed=21), vt.RandomPlayer(random.Random(21))
    cited: dict[str, str] = {}
    for number in range(ROUNDS):
        played = table.play_round(player, BASE)
        hands = [paid for paid in played.payments if paid.wager is Wager.HAND]
        cited |= {event_name(played.state, paid): paid.rule for paid in hands}
        if number < 50:
            [settled] = vt.settle(played.text)
            assert settled.payments == list(played.payments)
    both = par.keys() & cited.keys()
    assert {name: cited[name] for name in both} == {name: par[name] for name in both}
    common = {"blackjack", "bust", "surrender", "dealer blackjack takes the wager"}
    assert common | {"dealer 20: loss", "dealer bust: win"} <= both
    first, last = OWN_RULES[name]
    numbers = {number for rule in par.values() for number in rule.split(", ")}
    assert all(first <= int(number[2:]) <= last for number in numbers if number[0] == "R"), numbers


# --- side bets ----------------------------------------------------------------------------------

SIDE_BETS = [
    (
        "wsgc-2021(jackpots=3c:1:seed=1000)",
        "As Kh",
        "base 25, insurance 5, up 5, jackpot-1 1",
        "As As / stand",
    ),
    (
        "wsgc-2021(jackpots=3c:1:kind=house:seed=1000)",
        "As Kh",
        "base 25, jackpot-1 1",
        "As As / stand",
    ),
    ("wsgc-2021(jackpots=4d:1)", "9s Kh", "base 25, down 5, jackpot-1 1", "9s Kd / stand"),
    ("wsgc-2021", "7h Kh", "base 25", "7s 7s / hit 7s"),
    ("wsgc-2021(decks=2)", "7s Kh", "base 25", "7h 7c / hit 7d"),
    ("super-fun-21", "As Kh", "base 10, insurance 5", "9c 9d / stand"),
    ("blackjack", "As Kh", "base 10, insurance 5", "9c 9d / stand"),
]
PARTS = {
    WagerKind.MTD: "Match the Dealer odds",
    WagerKind.INSURANCE: "Insurance odds",
    WagerKind.SUPER: "Super Bonus odds",
    WagerKind.ENVY: "Super Bonus odds",
}


@pytest.mark.parametrize(("rules", "dealer", "wagers", "hand"), SIDE_BETS)
def test_par_cites_the_rules_that_settle_pays_side_bets_by(
    rules: str, dealer: str, wagers: str, hand: str
) -> None:
    parts = side_bet_parts(load_rules(rules))
    text = f"rules: {rules}\ndealer: {dealer}\nspot 1: {wagers}\n  {hand}\nspot 2: base 25\n  2c 9h"
    [played] = vt.settle(text)
    kinds = set()
    for payment in played.payments:
        if payment.wager is not Wager.HAND:
            heading = PARTS.get(payment.wager.kind, "Jackpot game 1: odds, meter and funding")
            assert payment.rule in parts[heading], payment
            kinds.add(payment.wager.kind)
    assert kinds


def side_bet_parts(rules: Rules) -> dict[str, tuple[str, ...]]:
    """Headings of the PAR sheet's side bet sections, with the rules that they cite."""
    bets = SideBetsQuery.parse(rules=rules).run()
    study = SimpleNamespace(rules=rules, side_bets=bets, funding=tuple(map(funding, bets.jackpots)))
    return {part.heading: part.numbers for part in side_wager_parts(cast(ParStudy, study))}


def test_par_cites_the_reading_behind_a_house_jackpot() -> None:
    parts = side_bet_parts(load_rules("wsgc-2021(jackpots=3c:1:kind=house:seed=1000)"))
    cited = parts["Jackpot game 1: odds, meter and funding"]
    assert "O-39" in cited
    assert "R-095" not in cited
