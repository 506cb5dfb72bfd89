"""The rules in words, as parts of a sheet: the sign's own sections with the numbers behind them."""

from __future__ import annotations

from ventiuna.installed import version
from ventiuna.reports.pages.document import Block, Grid, Items, Part, Text
from ventiuna.rules import Rules
from ventiuna.rules.words.card import RuleCard, Section, rule_card
from ventiuna.rules.words.sources import section_numbers

_INDEPENDENT = (
    "Ventiuna is an independent implementation; play money. Spanish 21 and Super Fun 21 are their "
    "owners' marks."
)


def rule_parts(rules: Rules) -> tuple[Part, ...]:
    """One part for each section of the sign, then what the document says besides."""
    card = rule_card(rules)
    parts = [_part(rules, section) for section in card.sections]
    return (*parts, *_besides(card))


def _part(rules: Rules, section: Section) -> Part:
    return Part(
        section.heading, section_blocks(section), tuple(section_numbers(rules, section.heading))
    )


def section_blocks(section: Section) -> tuple[Block, ...]:
    blocks: list[Block] = [Text(text) for text in section.text]
    if section.pays:
        rows = tuple((pay.hand, pay.pays) for pay in section.pays)
        if section.heading == "Limits":
            blocks.append(Grid("Base wager", ("limit", "amount"), rows, words=2))
        else:
            blocks.append(Grid(f"{section.heading}: pays", ("hand", "pays"), rows, words=2))
    blocks += [Text(note) for note in section.notes]
    return tuple(blocks)


def _besides(card: RuleCard) -> tuple[Part, ...]:
    parts = []
    if card.notices:
        parts.append(Part("Also in the document", (Items(card.notices),)))
    if card.who_decides:
        parts.append(Part("Who decides", (Items(card.who_decides),)))
    if card.departures:
        parts.append(Part("Departures from the document", (Items(card.departures),)))
    return tuple(parts)


def identity_lines(rules: Rules) -> tuple[str, ...]:
    """What the sheet is about, under its title."""
    card = rule_card(rules)
    return (
        f"Rules {card.rules}, fingerprint {card.fingerprint}.",
        f"Document: {rules.document}.",
    )


def imprint(command: str) -> tuple[str, ...]:
    """At the foot of every sheet."""
    return f"Ventiuna {version()}. Made with: {command}", _INDEPENDENT
