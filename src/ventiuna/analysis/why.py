"""Why an action is best, in a sentence: what the next card may do, and what each choice costs."""

from __future__ import annotations

from fractions import Fraction

from ventiuna.analysis.base_game_hand import HandValues
from ventiuna.analysis.base_game_result import ACTION_NAMES
from ventiuna.analysis.composition import Composition
from ventiuna.core.actions import STAND
from ventiuna.core.bonus import winning_row
from ventiuna.core.hand import EMPTY_HAND, Hand, add_card, best_total, is_bust
from ventiuna.core.table import RuleTable
from ventiuna.rules import Rules, compile_rules

CLOSE = 0.0005  # base wagers: a choice that hardly matters
LOWEST_STANDING = 17


def why(rules: Rules, values: HandValues, unseen: Composition) -> str:
    """One or two sentences on the best action and its nearest rival."""
    if len(values.actions) == 1:
        return f"The hand can only {values.best.action}."
    return " ".join([_ranking(values), *_next_card(rules, values, unseen)])


def _ranking(values: HandValues) -> str:
    best, second = values.actions[:2]
    lead = best.ev - second.ev
    if lead < CLOSE:
        return (
            f"{best.action.capitalize()} and {second.action} are almost equal ({lead:.6f} apart)."
        )
    what = "wins" if best.ev > 0 else "loses"
    least = "most" if best.ev > 0 else "least"
    return (
        f"{best.action.capitalize()} {what} {least}, {abs(best.ev):.4f} of a wager on average; "
        f"{second.action} is {lead:.4f} worse."
    )


def _next_card(rules: Rules, values: HandValues, unseen: Composition) -> list[str]:
    """Chances of the next card if the down card is any unseen one; they explain, not decide."""
    hand = EMPTY_HAND
    for card in values.cards:
        hand = add_card(hand, card)
    total = sum(unseen)
    table = compile_rules(rules)
    drawn = [(add_card(hand, card), count) for card, count in enumerate(unseen) if count]
    bust = Fraction(sum(count for grown, count in drawn if is_bust(grown)), total)
    reach = Fraction(sum(count for grown, count in drawn if _total(grown) == 21), total)
    paid_well = sum(count for grown, count in drawn if _pays_bonus(table, grown))
    bonus = Fraction(paid_well, total)
    parts = [f"The next card makes 21 with {float(reach):.1%}"]
    if bonus:
        parts.append(f"a hand that pays more than even money with {float(bonus):.1%}")
    parts.append(f"and busts with {float(bust):.1%}" if bust else "and can't bust")
    sentences = [", ".join(parts).replace(", and", " and") + "."]
    standing = {action.action: action.ev for action in values.actions}.get(ACTION_NAMES[STAND])
    if standing is not None and _total(hand) < LOWEST_STANDING:
        # Below 17 a standing hand wins exactly when the dealer busts.
        sentences.append(f"The dealer busts with {(1 + standing) / 2:.1%}.")
    return sentences


def _total(hand: Hand) -> int:
    return best_total(hand.hard, hand.aces)


def _pays_bonus(rules: RuleTable, hand: Hand) -> bool:
    row = winning_row(rules, hand)
    return row >= 0 and rules.bonus_num[row] > rules.bonus_den[row]
