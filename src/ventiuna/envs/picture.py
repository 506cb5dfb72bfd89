"""The table as text, for people who watch a learner."""

from __future__ import annotations

from ventiuna.cards import card_sign
from ventiuna.engine.events import Event, WagerSettled
from ventiuna.engine.state import PlayerHand
from ventiuna.engine.views import EVERYONE, dealer_cards
from ventiuna.envs.dealing import DealtTable
from ventiuna.kernels.seats import layout as at
from ventiuna.money import money_text

_HIDDEN = "??"


def picture(table: DealtTable) -> str:
    """How the last round ended, then dealer, hands and what is asked."""
    state = table.round
    lines = _payments(table.last_events)
    lines.append(f"{table.shoe.cards_left} cards left, {_asks(table)}")
    if not table.asked:
        return "\n".join(lines) + "\n"
    if state.dealer:
        cards = dealer_cards(state, EVERYONE)
        signs = [_HIDDEN if card is None else card_sign(card) for card in cards]
        lines.append(f"  dealer  {' '.join(signs)}")
    for spot in state.order:
        for number, hand in enumerate(spot.hands):
            is_asked = table.phase == at.PLAY and (spot.number, number) == (table.asked, table.hand)
            lines.append(f"{'>' if is_asked else ' '} spot {spot.number}  {_hand(hand)}")
    return "\n".join(lines) + "\n"


def _payments(events: list[Event]) -> list[str]:
    """How the last round ended."""
    return [
        f"  spot {event.spot}  {event.reason}, {event.odds}: {money_text(event.net)} ({event.rule})"
        for event in events
        if isinstance(event, WagerSettled)
    ]


def _asks(table: DealtTable) -> str:
    if not table.asked:
        return "the episode is over"
    mask = table.mask()
    names = [name for name, legal in zip(table.settings.action_names, mask, strict=True) if legal]
    return f"spot {table.asked}: {', '.join(names)}"


def _hand(hand: PlayerHand) -> str:
    cards = " ".join(card_sign(card) for card in hand.cards)
    doubled = f", doubled {hand.shape.doublings} times" if hand.shape.doublings else ""
    return f"{cards}: {hand.total}, {money_text(hand.wager)}{doubled}"
