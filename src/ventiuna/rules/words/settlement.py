"""The dealer's steps after the players: own hand, settlement, awards, bonuses, end."""

from __future__ import annotations

from ventiuna.cards import Pack
from ventiuna.rules.model import (
    DownSettled,
    Envy,
    JackpotKind,
    Player21,
    PrizeFrom,
    Reseed,
    Rules,
    Soft17,
    Winners,
)
from ventiuna.rules.words.facts import (
    compares_with_down,
    dollars,
    has_prize,
    jackpot_table,
    listed,
    prize_amount,
    super_bonus_pays,
)
from ventiuna.rules.words.opening import floor_person, match_odds_rule
from ventiuna.rules.words.steps import Step, Steps, cite


def dealer_steps(rules: Rules) -> Steps:
    soft = "hit" if rules.soft_17 == Soft17.HIT else "stand on"
    yield Step(
        "dealer",
        f"Expose the down card. Draw to 17 or more and {soft} soft 17. Do not draw if no hand is "
        "left to compare.",
        cite(rules, "R-077, O-16", "R-117, O-16", "O-01, O-16"),
    )
    if rules.offers_down_wager and rules.down_settled == DownSettled.AT_EXPOSURE:
        yield Step(
            "dealer",
            "Settle the Down Card wagers at once when the card is exposed, also after a dealer's "
            "blackjack. The original two cards count, whatever became of the hand.",
            f"R-020, {match_odds_rule(rules)}, R-081, D-05, O-15",
        )


def settlement_steps(rules: Rules) -> Steps:
    push = (
        "equal totals of 20 or less push"
        if rules.player_21 == Player21.WINS
        else ("equal totals push, a 21 against a 21 as well")
    )
    yield Step(
        "settlement",
        f"Compare the hands that remain: nearer to 21 wins even money, {push}; if you bust, all of "
        "them win.",
        cite(rules, "R-078", "R-119, R-120"),
    )


def down_card_wager_steps(rules: Rules) -> Steps:
    if rules.offers_down_wager and rules.down_settled == DownSettled.WITH_BASE_GAME:
        yield Step(
            "down_card_wagers",
            "Settle the Down Card wagers like the Up Card wagers. The original two cards count, "
            "whatever became of the hand.",
            f"R-020, {match_odds_rule(rules)}, R-081, D-05, O-15",
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        table = jackpot_table(jackpot)
        numbers = f"{table.rule}, R-091, D-24, D-25, O-15"
        if compares_with_down(jackpot):
            which = "the better of the fixed lines" if jackpot.best_only else "the fixed lines"
            text = f"pay {which} with the up card and the down card (table {jackpot.table}, pay "
            text += f"table {jackpot.pay_table})"
        elif has_prize(jackpot):
            text = f"see whether the down card raises the lines noted (table {jackpot.table})"
            numbers = f"{table.rule}, R-092, O-15, O-26"
        else:
            continue
        if has_prize(jackpot) and jackpot.prize_from == PrizeFrom.HOUSE:
            text += f" and pay the house's prize of {dollars(prize_amount(jackpot))}"
        yield Step("down_card_wagers", f"Jackpot {number}: {text}.", numbers)


def award_steps(rules: Rules) -> Steps:
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if jackpot.kind == JackpotKind.HOUSE:
            if jackpot.winners == Winners.EACH_IN_FULL:
                how = "each winner gets the full share of the posted amount, which stays"
            else:
                how = "each award is worked out from what the one before it left"
            numbers = "R-096, R-097, O-39"
        else:
            how = "take each award off the meter before you work out the next"
            when = "at once" if jackpot.reseed == Reseed.AT_ONCE else "after the round"
            how += f"; after 100 % the meter starts again at {dollars(jackpot.seed)} {when}"
            numbers = "R-095, R-096, R-098, O-18, O-19, O-20"
        awards = "percentage awards"
        if has_prize(jackpot) and jackpot.prize_from == PrizeFrom.JACKPOT:
            awards += f" and prizes of {dollars(prize_amount(jackpot))}"
        yield Step(
            "awards",
            f"Jackpot {number}: pay the {awards} from your left, by house procedure, "
            f"rounded down to the cent; {how}.",
            numbers,
        )


def super_bonus_steps(rules: Rules) -> Steps:
    if not rules.super_bonus_form():
        return
    pays = listed([f"{pay.pays} for a {pay.hand}" for pay in super_bonus_pays(rules)])
    yield Step(
        "super_bonus",
        f"Pay the Super Bonuses as the {floor_person(rules)} instructs, by each player's own "
        f"wager: {pays}.",
        "R-069, R-071, R-072, D-09, O-13",
    )
    if rules.envy == Envy.OFF:
        return
    amount = dollars(rules.envy_amount)
    who, numbers = {
        Envy.PER_OTHER_WINNER: (
            "every spot with a base wager for each Super Bonus of another player, winners too",
            "R-073, R-074, D-10, O-14",
        ),
        Envy.LOSERS_ONLY: (
            "every spot with a base wager for each Super Bonus of another player; winners get none",
            "R-073, R-075, D-10, O-14",
        ),
        Envy.LOSERS_ONCE: (
            "every spot with a base wager whose player won no Super Bonus, once",
            "R-073, R-076, D-10, O-14",
        ),
    }[rules.envy]
    yield Step("super_bonus", f"Then pay an Envy Bonus of {amount} to {who}.", numbers)


def end_steps(rules: Rules) -> Steps:
    step = cite(rules, "R-102", "R-103")
    yield Step("closed", "Collect the cards that are still on the table.", step)
    yield Step(
        "closed",
        "If the cut card has come out, shuffle before the next round; a round in play is finished.",
        "O-03",
    )
    if rules.pack == Pack.SPANISH:
        yield Step(
            "closing",
            "At the end of the gaming day put the four tens and the jokers back into the boxes "
            "they came from.",
            "R-010",
        )
