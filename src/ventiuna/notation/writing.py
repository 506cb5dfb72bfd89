"""A record as text: `read_rounds` gives the same record back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from ventiuna.cards import card_text, cards_text
from ventiuna.money import net_text, plain_amount
from ventiuna.notation.quoting import (
    PLAIN_ID,
    PLAIN_NAME,
    PLAIN_TITLE,
    comments_escaped,
    quoted_unless,
    rules_name,
)
from ventiuna.notation.records import HandRecord, RoundRecord, SpotRecord, Step, check_record
from ventiuna.rules import (
    Rules,
    RulesError,
    canonical,
    fingerprint,
    load_rules,
    preset_ids,
    rules_data,
)


def write_round(record: RoundRecord, complete: bool = True) -> str:
    """The record as text; `read_rounds` gives the same record back.

    A complete text holds the rules themselves, so that the round replays whatever becomes of its
    preset or file. For people they may be left out where a packaged preset names them.

    >>> from ventiuna import Table, record_of
    >>> played = Table("wsgc-2021", seed=1).play_round()
    >>> print(write_round(record_of(played.rules, played.events), complete=False).splitlines()[1])
    rules: wsgc-2021
    """
    check_record(record)
    return "".join(f"{line}\n" for line in _lines(record, complete))


def _lines(record: RoundRecord, complete: bool) -> Iterator[str]:
    head = f"round {quoted_unless(PLAIN_ID, record.id)}" if record.id else "round"
    title = f": {quoted_unless(PLAIN_TITLE, record.title)}" if record.title else ""
    yield f"{head}{title}"
    yield from _rules_lines(record.rules, complete)
    for number, (cents, rest) in enumerate(record.meters, start=1):
        remainder = f" rest {rest}" if rest else ""
        yield f"meter {number}: {plain_amount(cents)}{remainder}"
    draws = f" / {cards_text(record.draws)}" if record.draws else ""
    yield f"dealer: {card_text(record.up)} {card_text(record.down)}{draws}"
    if record.bonus_cards:
        yield f"bonus cards: {cards_text(record.bonus_cards)}"
    for spot in record.spots:
        yield from _spot_lines(spot)
    if record.order:
        payments = (
            f"{quoted_unless(PLAIN_NAME, paid.person)} {paid.wager} {net_text(paid.net)}"
            for paid in record.order
        )
        yield f"order: {'; '.join(payments)}"
    if record.meters_after is not None:
        yield f"meters after: {'; '.join(map(plain_amount, record.meters_after))}"


@lru_cache(maxsize=32)
def _rules_lines(rules: Rules, complete: bool) -> tuple[str, ...]:
    """Name and fingerprint, and the rules themselves unless the name alone gives them."""
    lines = (f"rules: {rules_name(canonical(rules))}", f"fingerprint: {fingerprint(rules)}")
    if not complete and _is_named_by_preset(rules):
        return lines
    data = json.dumps(rules_data(rules), separators=(",", ":"))
    return (*lines, f"rules data: {comments_escaped(data)}")


def _is_named_by_preset(rules: Rules) -> bool:
    try:
        named = load_rules(canonical(rules)) if rules.name in preset_ids() else None
    except RulesError:
        return False
    return named is not None and fingerprint(named) == fingerprint(rules)


def _spot_lines(spot: SpotRecord) -> Iterator[str]:
    wagers = [f"base {plain_amount(spot.base)}"]
    if spot.insurance:
        wagers.append(f"insurance {plain_amount(spot.insurance)}")
    wagers += [f"{name} {plain_amount(amount)}" for name, amount in spot.mtd.items()]
    wagers += [f"jackpot-{game} {plain_amount(amount)}" for game, amount in spot.jackpots.items()]
    name = f" {quoted_unless(PLAIN_NAME, spot.person)}" if spot.person else ""
    yield f"spot {spot.number}{name}: {', '.join(wagers)}"
    for hand in spot.hands:
        yield f"  {hand_text(hand)}"
    if spot.net is not None:
        parts = (f"{wager} {' and '.join(map(net_text, net))}" for wager, net in spot.net.items())
        yield f"  net: {'; '.join(parts)}"


def hand_text(hand: HandRecord) -> str:
    return " / ".join([cards_text(hand.cards), *map(_step_text, hand.steps)])


def _step_text(step: Step) -> str:
    amount = "" if step.amount is None else f":{plain_amount(step.amount)}"
    card = "" if step.card is None else f" {card_text(step.card)}"
    return f"{step.action}{amount}{card}"
