"""Concise hands for tests of `core`."""

from ventiuna.cards import parse_card, parse_cards
from ventiuna.core.cards import EMPTY_HAND, Hand, add_card, doubled_hand, split_hand
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules import compile_rules, load_rules


def table(name: str) -> RuleTable:
    return compile_rules(load_rules(name))


def hand(text: str, doublings: int = 0, split: bool = False) -> Hand:
    """A hand of these cards, dealt in order; a split hand starts with the first."""
    cards = parse_cards(text)
    found = split_hand(cards[0]) if split else add_card(EMPTY_HAND, cards[0])
    for card in cards[1:]:
        found = add_card(found, card)
    for _ in range(doublings):
        found = doubled_hand(found)
    return found


def card(text: str) -> int:
    return parse_card(text)
