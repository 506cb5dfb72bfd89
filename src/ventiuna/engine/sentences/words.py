"""What a hand counts and how it stands, in the few words that are written beside its cards."""

from __future__ import annotations

from typing import NamedTuple

from ventiuna.cards import RANK_NAMES, RANKS
from ventiuna.core.cards import rank_of
from ventiuna.core.hand import is_blackjack
from ventiuna.engine import events as ev
from ventiuna.engine.sentences.parts import dealer_total, hand_total
from ventiuna.engine.state import HandStatus, PlayerHand, RoundState, Spot
from ventiuna.rules.model import PLAIN_21

BLACKJACK = "Blackjack"
GIVEN_UP = ("surrendered", "rescued")
_VOWELS = ("ace", "eight", "8")


class Words(NamedTuple):
    """As it is read and as it is spoken."""

    text: str
    spoken: str


def count_words(hand: PlayerHand) -> str:
    """`14`, `soft 17`, `Blackjack`; nothing without cards."""
    if not hand.cards:
        return ""
    return BLACKJACK if is_blackjack(hand.shape) else hand_total(hand)


def hand_words(state: RoundState, spot: Spot, hand: PlayerHand) -> str:
    """`14`, `18 stands`, `20 doubled, stands`, `24 busts`, `Blackjack 3 to 2`."""
    count = count_words(hand)
    if not count:
        return ""
    if hand.total > 21:
        return f"{count} busts"
    if hand.result is not None:
        return _ended(state, count, hand.result)
    more = []
    if hand.shape.doublings:
        more.append("doubled")
    elif count == BLACKJACK and spot.blackjack_answer == "keep":
        more.append("kept")
    if hand.status is HandStatus.STANDING:
        more.append("stands")
    return f"{count} {', '.join(more)}" if more else count


def _ended(state: RoundState, count: str, result: ev.WagerSettled) -> str:
    if result.reason in GIVEN_UP:
        return f"{count} {result.reason}"
    if result.net > 0 and count == BLACKJACK:
        return f"{count} {result.odds}"
    if result.net > 0 and result.reason != PLAIN_21 and _is_row(state, result.reason):
        return f"{result.reason}, {result.odds}"
    return f"{count} {_outcome(result)}"


def _is_row(state: RoundState, name: str) -> bool:
    """Paid for what the hand is, not for what the dealer has."""
    return any(row.name == name for row in state.labels.rows)


def _outcome(result: ev.WagerSettled) -> str:
    return "wins" if result.net > 0 else "loses" if result.net < 0 else "pushes"


def rank_words(card: int) -> Words:
    """`4` and `four`, `K` and `king`: the card without its suit."""
    rank = rank_of(card)
    return Words(RANKS[rank - 1].replace("T", "10"), RANK_NAMES[rank - 1])


def a_rank(card: int) -> Words:
    """`a 4`, `an 8`, `an ace`, `a king`, as it is said of an up card."""
    text, spoken = rank_words(card)
    shown = text if text.isdigit() else spoken
    return Words(_with_article(shown), _with_article(spoken))


def _with_article(word: str) -> str:
    return f"{'an' if word in _VOWELS else 'a'} {word}"


def dealer_words(state: RoundState) -> Words | None:
    """`Dealer shows 4` while the down card lies face down, then `Dealer has 19`."""
    if not state.dealer:
        return None
    if not state.down_exposed:
        text, spoken = rank_words(state.up)
        return Words(f"Dealer shows {text}", f"Dealer shows {_with_article(spoken)}")
    total = dealer_total(state)
    busts = total.isdigit() and int(total) > 21
    told = f"Dealer busts with {total}" if busts else f"Dealer has {total}"
    return Words(told, told)
