"""Steps in words: what to do, what kind of thing it is, and how its amount comes about."""

from __future__ import annotations

from ventiuna.engine.events import Place, Stage
from ventiuna.engine.sentences.payments import odds_words, reason_words
from ventiuna.engine.sentences.teller import wager_words
from ventiuna.engine.stakes import Wager, WagerKind
from ventiuna.rules import Rules
from ventiuna.rules.words.facts import dollars
from ventiuna.rules.words.opening import floor_person
from ventiuna.school.steps import Kind, Step, Tried

# "First …", where something else was done.
KIND_WORDS = {
    Kind.CLOSE: "the wagers are closed",
    Kind.CARD: "a card is dealt",
    Kind.PAY: "a wager is paid",
    Kind.TAKE: "a wager is taken",
    Kind.PUSH: "a wager pushes",
    Kind.LOCK: "the Bonus Cards are locked up",
    Kind.SUPERVISOR: "the floor person is called",
    Kind.BLACKJACKS: "players with a blackjack are asked",
    Kind.INSURANCE: "insurance is offered",
    Kind.REMOVE: "the cards of a settled hand are taken away",
    Kind.CHECK: "you look at the down card",
    Kind.ADVISE: "a player gets advice",
    Kind.ASK: "a hand is asked what it does",
    Kind.EXPOSE: "the down card is exposed",
    Kind.COLLECT: "the cards are collected",
}
_PLAIN = {
    Kind.CLOSE: "Close the wagers.",
    Kind.LOCK: "Lock up the Bonus Cards.",
    Kind.BLACKJACKS: "Ask the blackjacks: paid, or kept to be doubled?",
    Kind.INSURANCE: "Offer insurance to every spot.",
    Kind.CHECK: "Look at the down card.",
    Kind.EXPOSE: "Expose the down card.",
    Kind.COLLECT: "Collect the cards.",
}


def document_words(rules: Rules, text: str) -> str:
    """The text with the document's own word for the floor person."""
    person = floor_person(rules)
    return text.replace("floor person", person).replace("Floor person", person.capitalize())


def hand_words(step: Step) -> str:
    """`spot 2`, or `spot 2, hand 1` where it has several."""
    return f"spot {step.spot}, hand {step.hand + 1}" if step.hands > 1 else f"spot {step.spot}"


def step_words(rules: Rules, step: Step) -> str:
    """The whole step: what, where, how much."""
    if step.kind in _PLAIN:
        return _PLAIN[step.kind]
    if step.kind is Kind.CARD:
        return _card_words(step)
    if step.kind is Kind.SUPERVISOR:
        return f"Call the {floor_person(rules)}: spot {step.spot} may make the Super Bonus."
    if step.kind is Kind.ASK:
        return f"Ask {hand_words(step)}."
    if step.kind is Kind.ADVISE:
        return f"Advise {hand_words(step)}."
    if step.kind is Kind.REMOVE:
        return f"Take the cards of {hand_words(step)} away."
    return f"{_settling(step)}."


def _card_words(step: Step) -> str:
    if step.place is Place.UP:
        return "Deal your up card."
    if step.place is Place.DOWN:
        return "Deal your down card, face down."
    if step.place is Place.BONUS:
        return f"Deal Bonus Card {step.hand + 1}."
    if step.place is Place.DEALER:
        return "Draw a card."
    give = "Deal a card to" if step.stage is Stage.DEAL else "Give a card to"
    return f"{give} {hand_words(step)}."


def wager_place(step: Step) -> str:
    """`spot 2`, `the Up Card wager of spot 2`."""
    wager = step.wager
    assert wager is not None
    if wager is Wager.HAND:
        return hand_words(step)
    if wager.kind is WagerKind.MTD or wager.kind is WagerKind.JACKPOT:
        return f"the {wager_words(wager)} wager of spot {step.spot}"
    return f"the {wager_words(wager)} of spot {step.spot}"


def _settling(step: Step) -> str:
    place = wager_place(step)
    if step.kind is Kind.PUSH:
        return f"Leave the wager of {place} where it is: a push"
    if step.kind is Kind.PAY:
        if step.wager in (Wager.SUPER, Wager.ENVY):
            return f"Pay {place}, {dollars(step.amount)}"
        return f"Pay {dollars(step.amount)} on {place}"
    if step.is_part:
        return f"Take {dollars(step.amount)} of {place} and give {dollars(step.back)} of it back"
    return f"Take the {dollars(step.amount)} of {place}"


_TRIED = {
    Kind.PAY: "pay",
    Kind.TAKE: "take",
    Kind.PUSH: "push",
    Kind.ASK: "ask",
    Kind.ADVISE: "advise",
    Kind.REMOVE: "take away the cards of",
    Kind.SUPERVISOR: "call the floor person for",
}
_TRIED_CARDS = {
    Place.UP: "deal the up card",
    Place.DOWN: "deal the down card",
    Place.DEALER: "draw a card",
}


def tried_words(rules: Rules, tried: Tried) -> str:
    """What a learner did: `pay $25 on the Up Card of spot 2`, `look at the down card`."""
    if tried.kind is Kind.CARD:
        if tried.place is Place.BONUS:
            return f"deal Bonus Card {tried.hand + 1}"
        return _TRIED_CARDS.get(tried.place or Place.PLAYER, f"give a card to {_tried_hand(tried)}")
    if tried.wager is not None and tried.wager is not Wager.HAND:
        where = f"the {wager_words(tried.wager)} of spot {tried.spot}"
    else:
        where = _tried_hand(tried)
    if tried.amount is not None:
        return f"{_TRIED[tried.kind]} {dollars(tried.amount)} on {where}"
    if tried.kind in _TRIED:
        return document_words(rules, f"{_TRIED[tried.kind]} {where}")
    plain = _PLAIN[tried.kind].rstrip(".?")
    return plain[:1].lower() + plain[1:]


def _tried_hand(tried: Tried) -> str:
    return f"spot {tried.spot}, hand {tried.hand + 1}" if tried.hand > 0 else f"spot {tried.spot}"


def amount_words(step: Step) -> str:
    """How the amount comes about: `$15 at 3 to 2: $22.50 pays, $37.50 back.`"""
    if step.wager is None:
        return ""
    if step.kind is Kind.PUSH:
        return f"{_because(step)}the {dollars(step.stake)} stays its player's."
    if step.kind is Kind.TAKE:
        return _taken(step)
    if step.wager in (Wager.SUPER, Wager.ENVY):
        return f"{_because(step)}{dollars(step.amount)}."
    if step.wager.kind is WagerKind.JACKPOT:
        return _jackpot(step)
    return (
        f"{_named(step)}{dollars(step.stake)} at {odds_words(step.odds)}: "
        f"{dollars(step.amount)} pays, {dollars(step.back)} back."
    )


def _named(step: Step) -> str:
    return f"{_reason(step)}, " if step.reason else ""


def _because(step: Step) -> str:
    return f"{_reason(step)}: " if step.reason else ""


def _reason(step: Step) -> str:
    words = reason_words(step.reason)
    return f"{words[:1].upper()}{words[1:]}"


def _taken(step: Step) -> str:
    if step.is_part:
        return (
            f"{_because(step)}{dollars(step.amount)} of the {dollars(step.stake)} is taken, "
            f"{dollars(step.back)} goes back."
        )
    return f"{_because(step)}all {dollars(step.amount)} is taken."


def _jackpot(step: Step) -> str:
    if step.meter is not None:
        return (
            f"{_named(step)}{step.odds}, which shows {dollars(step.meter)}: "
            f"{dollars(step.amount)}, rounded down to the cent."
        )
    stake = f"{dollars(step.stake)} at " if step.stake else ""
    return f"{stake}{step.odds}: {dollars(step.amount)} pays; the wager is not returned."
