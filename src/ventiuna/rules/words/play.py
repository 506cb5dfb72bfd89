"""The dealer's steps while the players act."""

from __future__ import annotations

from ventiuna.rules.model import (
    DoubleCards,
    DoubleOn21,
    DoubleTotals,
    Game,
    PayRow,
    Player21,
    Rules,
    Split,
    SplitAces,
    Surrender,
)
from ventiuna.rules.words.facts import (
    dollars,
    listed,
    number_word,
    row_words,
)
from ventiuna.rules.words.steps import Step, Steps, cite

PLAY = "play"


def play_steps(rules: Rules) -> Steps:
    yield from _turns(rules)
    yield from _late_surrender(rules)
    yield from _split(rules)
    yield from _hit(rules)
    yield from _advice(rules)
    yield from _instant_wins(rules)
    yield from _player_21(rules)
    yield from _double(rules)
    yield from _voids_super_bonus(rules)
    yield from _double_double(rules)
    yield from _rescue(rules)
    yield from _any_time_surrender(rules)


def _turns(rules: Rules) -> Steps:
    yield Step(
        PLAY,
        "Go from spot to spot from your left; the hands of a spot are played one after the other.",
        cite(rules, "R-102, O-02, O-30", "R-120, O-02, O-30"),
    )


def _late_surrender(rules: Rules) -> Steps:
    if rules.surrender == Surrender.LATE:
        yield Step(
            PLAY,
            "Surrender: only on the first two cards and as the first decision, against any up "
            "card, not on split hands. Take half of the wager and remove the cards.",
            cite(rules, "R-036, R-037, R-038, O-10", "R-109"),
        )


def _split(rules: Rules) -> Steps:
    if rules.split == Split.OFF or rules.split_hands < 2:
        return
    pair = "two cards of equal value"
    if rules.split == Split.SAME_RANK:
        pair = "two cards of one rank"
    if rules.split_aces == SplitAces.ONE_CARD:
        aces = "Split aces get one card each"
    else:
        aces = "Split aces are played like other cards"
    again = "may be split again" if rules.resplit_aces else "may not be split again"
    yield Step(
        PLAY,
        f"Split: {pair}, for a wager equal to the original, up to "
        f"{number_word(rules.split_hands)} hands. Give the first hand its second card, play it, "
        f"then the next. {aces} and {again}.",
        cite(rules, "R-042, R-043, R-044, R-045, D-11", "R-045, R-108"),
    )


def _hit(rules: Rules) -> Steps:
    yield Step(
        PLAY,
        "Hit: as often as the player wants below 21. Above 21 take the wager and the cards at "
        "once, whatever your own hand becomes.",
        cite(rules, "R-011, R-013", "R-103, O-01"),
    )


def _advice(rules: Rules) -> Steps:
    """R-118: of games with instant wins."""
    if rules.game != Game.SUPER_FUN_21 or not rules.instant_wins:
        return
    yield Step(
        PLAY,
        "Tell a player with a soft total of 20 or less in five cards: a hit is a guaranteed "
        "six-card winner, and could even make a 2-to-1 winner with exactly 21.",
        "R-118",
    )
    yield Step(
        PLAY,
        "Suggest that a player with 11 in four cards hit instead of doubling: a ten-valued card "
        "wins 2 to 1.",
        "R-118",
    )


def _instant_wins(rules: Rules) -> Steps:
    for row in rules.instant_wins:
        yield Step(
            PLAY,
            f"{row_words(row).capitalize()}: pay {row.pay.words} at once and take the cards "
            f"away{_after_split(row)}, not on doubled hands.",
            ", ".join(part for part in (row.rule, "R-113") if part),
        )


def _after_split(row: PayRow) -> str:
    return ", also on split hands" if row.after_split else ", not on split hands"


def _player_21(rules: Rules) -> Steps:
    rows = rules.bonus_21_rows()
    if rows:
        pays = "; ".join(f"{row_words(row)} {row.pay.words}" for row in rows)
        yield Step(
            PLAY,
            f"Bonus 21: pay these 21s at once, also on split hands, not on doubled ones: {pays}.",
            ", ".join(
                ["R-039, R-040, R-046, R-061", *(row.rule for row in rows if row.rule), "R-066"]
            ),
        )
    if rules.player_21 == Player21.WINS:
        other = "Any other 21" if rows else "21"
        text = f"{other}: pay even money at once, doubled or not. Take the cards of a paid 21 away"
        if rules.super_bonus_form():
            text += "; a Super Bonus hand stays on the table"
        if rules.double_on_21 == DoubleOn21.SOFT:
            text += ". Ask first with a soft 21: it may be doubled instead"
        yield Step(PLAY, f"{text}.", cite(rules, "R-039, R-040, R-041, R-072, O-06, O-07", "R-119"))
    else:
        kept = " unless the player doubles it" if rules.double_on_21 == DoubleOn21.ANY else ""
        yield Step(
            PLAY,
            f"Any other 21 stands{kept} and is compared at the end.",
            cite(rules, "R-039", "R-119, O-33"),
        )


def _double(rules: Rules) -> Steps:
    cards = "two cards" if rules.double_cards == DoubleCards.TWO else "two or more cards"
    totals = {
        DoubleTotals.ANY: "any total",
        DoubleTotals.NINE_TO_ELEVEN: "9, 10 or 11",
        DoubleTotals.TEN_OR_ELEVEN: "10 or 11",
    }[rules.double_totals]
    split = "also after splitting" if rules.double_after_split else "not after splitting"
    if rules.offers_double_for_less:
        amount = f"the wager again or less, in multiples of {dollars(rules.small_chip_unit)}"
    else:
        amount = "exactly the wager again"
    amount_rules = "R-050, O-40" if rules.offers_double_for_less else "R-050, R-054"
    after = []
    if rules.double_double:
        after.append("double-double")
    if rules.rescue:
        after.append("rescue")
    if rules.surrender == Surrender.ANY_TIME:
        after.append("surrender")
    only = listed(["stand", *after], "or")
    yield Step(
        PLAY,
        f"Double down: on {cards} of {totals}, {split}, for {amount}. Give one card; after it the "
        f"player may only {only}. All money on the hand is paid even money, without bonuses."
        f"{_ace_counts_one(rules)}",
        cite(rules, f"R-047, R-048, R-049, {amount_rules}, R-066", "R-105, R-106, R-107, R-113"),
    )


def _ace_counts_one(rules: Rules) -> str:
    if rules.game != Game.SUPER_FUN_21 or not rules.double_blackjack:
        return ""
    return (
        " An ace with a ten-valued card, even a blackjack, may be doubled too: the ace then "
        "counts as one."
    )


def _voids_super_bonus(rules: Rules) -> Steps:
    if rules.super_bonus_form():
        yield Step(PLAY, "Splitting or doubling a hand voids its Super Bonus.", "R-070")


def _double_double(rules: Rules) -> Steps:
    if rules.double_double:
        yield Step(
            PLAY,
            "Double-double down: after a double card that did not bust, the then existing wager "
            f"again, at most {dollars(rules.table_maximum)} for an added wager, and one more card. "
            "Twice at most, so three doublings in all; then only stand or rescue.",
            "R-051, R-052, R-053, R-054, R-055, R-056",
        )


def _rescue(rules: Rules) -> Steps:
    if rules.rescue:
        yield Step(
            PLAY,
            "Rescue: after a double card that neither bust nor made 21. Give back the last doubled "
            "portion, take all the rest of the wager and remove the cards. Do not call it "
            "surrender.",
            "R-057, R-058, R-059, R-060, O-08",
        )


def _any_time_surrender(rules: Rules) -> Steps:
    if rules.surrender == Surrender.ANY_TIME:
        yield Step(
            PLAY,
            "Surrender: at any time below 21, also after hits, splits and doubling. Take half of "
            "what rides on the hand, of a doubled hand one of its two wagers, and remove the "
            "cards.",
            "R-109, R-110",
        )
