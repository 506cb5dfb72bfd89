"""Why an action is best, in a sentence: what the next card may do, and what each choice costs."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ventiuna.analysis.base_game.hand import HandValues
from ventiuna.analysis.composition import Composition
from ventiuna.analysis.exact import percent_text
from ventiuna.core.actions import ACTION_NAMES, DOUBLE, DOUBLE_DOUBLE, HIT, STAND
from ventiuna.core.bonus import winning_row
from ventiuna.core.dealer import dealer_checks, is_dealer_blackjack
from ventiuna.core.hand import EMPTY_HAND, Hand, add_card, best_total, is_bust
from ventiuna.core.table import RuleTable
from ventiuna.rules import Rules, compile_rules

CLOSE = 0.0005  # base wagers: a choice that hardly matters
LOWEST_STANDING = 17
_DRAWING = {ACTION_NAMES[action] for action in (HIT, DOUBLE, DOUBLE_DOUBLE)}


def why(rules: Rules, values: HandValues, unseen: Composition) -> str:
    """One or two sentences on the best action and its nearest rival."""
    if len(values.actions) == 1:
        return f"The hand can only {values.best.action}."
    parts = [_ranking(values)]
    if _DRAWING & {action.action for action in values.actions}:
        parts.append(_next_card(rules, values, unseen))
    return " ".join(parts + _dealer(values))


def _ranking(values: HandValues) -> str:
    best, second = values.actions[:2]
    lead = best.ev - second.ev
    if lead < CLOSE:
        return (
            f"{best.action.capitalize()} and {second.action} are almost equal "
            f"({per_dollar(lead, 4)} per $1 apart)."
        )
    what = "wins most" if best.ev > 0 else "loses least"
    return (
        f"{best.action.capitalize()} {what}, {per_dollar(best.ev)} per $1 on average; "
        f"{second.action} is {per_dollar(lead)} worse."
    )


def per_dollar(share: float, places: int = 1) -> str:
    """The size of a share of a wager as the coach speaks of it: 16.2 ¢ of every dollar."""
    return f"{100 * abs(share):.{places}f} ¢"


def _next_card(rules: Rules, values: HandValues, unseen: Composition) -> str:
    hand = hand_of(values.cards)
    table = compile_rules(rules)
    drawn = [
        (add_card(hand, card), chance)
        for card, chance in next_card_chances(values.up, unseen).items()
    ]
    bust = sum(chance for grown, chance in drawn if is_bust(grown))
    reach = sum(chance for grown, chance in drawn if _total(grown) == 21)
    bonus = sum(chance for grown, chance in drawn if pays_bonus(table, grown))
    chances = [f"of making 21 is {_percent(reach)}"]
    if bonus and not values.doublings:
        chances.append(f"of a hand that pays more than even money {_percent(bonus)}")
    if bust:
        chances.append(f"of busting {_percent(bust)}")
    *first, last = chances
    sentence = f"{', '.join(first)} and {last}" if first else last
    rest = "" if bust else "; no card busts it"
    return f"With the next card, the chance {sentence}{rest}."


def _percent(share: Fraction | float) -> str:
    return percent_text(Fraction(share), 1).replace(" %", "%")


def next_card_chances(up: int, unseen: Composition) -> dict[int, Fraction]:
    """Each card that may come next; the dealer's check found no blackjack in the down card."""
    cards = sum(unseen)
    makes_blackjack = [
        dealer_checks(up) and is_dealer_blackjack(up, card) for card in range(len(unseen))
    ]
    possible = sum(count for card, count in enumerate(unseen) if not makes_blackjack[card])
    found = {}
    for card, count in enumerate(unseen):
        if count:
            share = Fraction(1) if makes_blackjack[card] else Fraction(possible - 1, possible)
            found[card] = Fraction(count, cards - 1) * share
    return found


def _dealer(values: HandValues) -> list[str]:
    standing = {action.action: action.ev for action in values.actions}.get(ACTION_NAMES[STAND])
    if standing is None or values.doublings or _total(hand_of(values.cards)) >= LOWEST_STANDING:
        return []
    # Below 17 a standing hand wins exactly when the dealer busts.
    return [f"The dealer busts {_percent((1 + standing) / 2)} of the time."]


def hand_of(cards: Iterable[int]) -> Hand:
    hand = EMPTY_HAND
    for card in cards:
        hand = add_card(hand, card)
    return hand


def _total(hand: Hand) -> int:
    return best_total(hand.hard, hand.aces)


def pays_bonus(rules: RuleTable, hand: Hand) -> bool:
    """More than even money at once, by a row of its own."""
    row = winning_row(rules, hand)
    return row >= 0 and rules.bonus_num[row] > rules.bonus_den[row]
