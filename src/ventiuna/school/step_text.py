"""Steps as text: what to do, how amounts are calculated, and parsing input like `pay 2 22.50`."""

from __future__ import annotations

import re

from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Place, Stage, Wager, WagerKind
from ventiuna.engine.messages import odds_words, reason_words, wager_title
from ventiuna.engine.prompts import PAYING_STAGES
from ventiuna.money import MoneyError, parse_amount
from ventiuna.notation.text import quoted_word
from ventiuna.rules import Rules
from ventiuna.rules.text.phrases import dollars
from ventiuna.rules.text.procedure import floor_person
from ventiuna.school.steps import (
    WITH_AMOUNT,
    WITH_HAND,
    WITH_WAGER,
    DealerStep,
    SchoolError,
    StepInput,
    StepKind,
)
from ventiuna.texts import one_line

# --- Describing steps ---

# Completions of "First …" after a wrong step.
KIND_TEXT = {
    StepKind.CLOSE: 'call "No more bets"',
    StepKind.CARD: "deal a card",
    StepKind.PAY: "pay a wager",
    StepKind.TAKE: "take a wager",
    StepKind.PUSH: "push a wager",
    StepKind.LOCK: "lock up the Bonus Cards",
    StepKind.SUPERVISOR: "call the floor person",
    StepKind.WAIT: "wait for the floor person",
    StepKind.BLACKJACKS: "ask players with a blackjack",
    StepKind.INSURANCE: "offer insurance",
    StepKind.REMOVE: "remove the cards of a settled hand",
    StepKind.CHECK: "look at the down card",
    StepKind.ADVISE: "advise a player",
    StepKind.ASK: "ask the next player for a decision",
    StepKind.EXPOSE: "expose the down card",
    StepKind.COLLECT: "collect the cards",
}
_FIXED_TEXT = {
    StepKind.CLOSE: 'Call "No more bets."',
    StepKind.LOCK: "Lock up the Bonus Cards.",
    StepKind.BLACKJACKS: "Ask players with a blackjack: paid now, or kept to double?",
    StepKind.INSURANCE: "Offer insurance to every spot.",
    StepKind.CHECK: "Look at the down card.",
    StepKind.EXPOSE: "Expose the down card.",
    StepKind.COLLECT: "Collect the cards.",
}

_HAND_TEXT = {
    StepKind.ASK: "Ask",
    StepKind.ADVISE: "Advise",
    StepKind.REMOVE: "Remove the cards from",
}
_CARD_TEXT = {
    Place.UP: "Deal your up card.",
    Place.DOWN: "Deal your down card, face down.",
    Place.DEALER: "Draw a card.",
}


def document_words(rules: Rules, text: str) -> str:
    """The text with the document's own term for the floor person."""
    person = floor_person(rules)
    return text.replace("floor person", person).replace("Floor person", person.capitalize())


def describe_hand(step: DealerStep) -> str:
    """Name the hand: `spot 2`, or `spot 2, hand 1` if the spot has several hands."""
    return f"spot {step.spot}, hand {step.hand + 1}" if step.hands > 1 else f"spot {step.spot}"


def describe_step(rules: Rules, step: DealerStep) -> str:
    """The whole step: what to do, where, and how much."""
    if step.kind in _FIXED_TEXT:
        return _FIXED_TEXT[step.kind]
    if step.place in _CARD_TEXT:
        return _CARD_TEXT[step.place]
    if step.place is Place.BONUS:
        return f"Deal Bonus Card {step.hand + 1}."
    if step.kind is StepKind.CARD:
        give = "Deal a card to" if step.stage is Stage.DEAL else "Give a card to"
        watched = f" while the {floor_person(rules)} watches" if step.supervised else ""
        return f"{give} {describe_hand(step)}{watched}."
    if step.kind is StepKind.SUPERVISOR:
        call = "Stop play and call" if step.supervised else "Call"
        return f"{call} the {floor_person(rules)}: spot {step.spot} may make the Super Bonus."
    if step.kind is StepKind.WAIT:
        awaited = "authorizes the payments" if step.stage in PAYING_STAGES else "is there to watch"
        return f"Wait until the {floor_person(rules)} {awaited}."
    if step.kind in _HAND_TEXT:
        return f"{_HAND_TEXT[step.kind]} {describe_hand(step)}."
    settlement = _describe_settlement(step)
    if step.supervised:
        stays = " and leave the hand on the table" if step.wager is Wager.HAND else ""
        settlement = f"{settlement}{stays}, as the {floor_person(rules)} instructs"
    return f"{settlement}."


def _describe_settlement(step: DealerStep) -> str:
    assert step.wager is not None
    place = describe_hand(step)
    if step.wager is not Wager.HAND:
        place = _describe_wager(step.wager, step.spot)
    if step.kind is StepKind.PUSH:
        return f"Push: leave the wager on {place} where it is"
    if step.kind is StepKind.PAY:
        return f"Pay {dollars(step.amount)} {_pays_on(step.wager)} {place}"
    if step.is_part:
        return f"Take {dollars(step.amount)} from {place} and return {dollars(step.back)}"
    return f"Take the {dollars(step.amount)} from {place}"


def _describe_wager(wager: Wager, spot: int) -> str:
    is_wager = wager.kind in (WagerKind.MTD, WagerKind.JACKPOT)
    return f"the {wager_title(wager)}{' wager' if is_wager else ''} on spot {spot}"


def _pays_on(wager: Wager | None) -> str:
    return "for" if wager in (Wager.SUPER, Wager.ENVY) else "on"


_INPUT_VERBS = {
    StepKind.PAY: "pay",
    StepKind.TAKE: "take",
    StepKind.PUSH: "push",
    StepKind.ASK: "ask",
    StepKind.ADVISE: "advise",
    StepKind.REMOVE: "remove the cards of",
    StepKind.SUPERVISOR: "call the floor person for",
}
_INPUT_CARDS = {
    Place.UP: "deal the up card",
    Place.DOWN: "deal the down card",
    Place.DEALER: "draw a card",
}


def describe_input(rules: Rules, tried: StepInput, hands: int = 1) -> str:
    """A step as done: `pay $25 on the Up Card wager on spot 2`, `look at the down card`.

    `hands` is the number of hands on the spot.
    """
    if tried.kind is StepKind.CARD:
        if tried.place is Place.BONUS:
            return f"deal Bonus Card {tried.hand + 1}"
        return _INPUT_CARDS.get(
            tried.place or Place.PLAYER, f"give a card to {_describe_input_hand(tried, hands)}"
        )
    if tried.wager is not None and tried.wager is not Wager.HAND:
        where = _describe_wager(tried.wager, tried.spot)
    else:
        where = _describe_input_hand(tried, hands)
    if tried.amount is not None:
        on = "from" if tried.kind is StepKind.TAKE else _pays_on(tried.wager)
        return f"{_INPUT_VERBS[tried.kind]} {dollars(tried.amount)} {on} {where}"
    if tried.kind in _INPUT_VERBS:
        return document_words(rules, f"{_INPUT_VERBS[tried.kind]} {where}")
    if tried.kind is StepKind.WAIT:
        return document_words(rules, KIND_TEXT[tried.kind])
    plain = _FIXED_TEXT[tried.kind].rstrip(".?")
    return plain[:1].lower() + plain[1:]


def _describe_input_hand(tried: StepInput, hands: int) -> str:
    is_named = tried.hand > 0 or hands > 1
    return f"spot {tried.spot}, hand {tried.hand + 1}" if is_named else f"spot {tried.spot}"


_OUTCOMES = {StepKind.PAY: "beats", StepKind.TAKE: "loses to", StepKind.PUSH: "ties"}


def explain_amount(step: DealerStep) -> str:
    """How the amount is calculated: `$15 at 3 to 2 pays $22.50; the player gets $37.50 back.`"""
    if step.wager is None:
        return ""
    words = reason_words(step.reason) if step.reason else ""
    words = words.replace("against", _OUTCOMES[step.kind])
    reason = f"{words[:1].upper()}{words[1:]}"
    why, subject = (f"{reason}. ", f"{reason}, ") if reason else ("", "")
    stake, amount, back = dollars(step.stake), dollars(step.amount), dollars(step.back)
    if step.kind is StepKind.PUSH:
        return f"{why}The player keeps the {stake}."
    if step.is_part:
        return f"{why}{amount} of the {stake} is taken and {back} is returned."
    if step.kind is StepKind.TAKE:
        return why.strip() or f"All {amount} is taken."
    if step.wager in (Wager.SUPER, Wager.ENVY):
        return f"{why}{amount}."
    if step.meter is not None:
        shown = dollars(step.meter)
        return f"{subject}{step.odds}, which shows {shown}: {amount}, rounded down to the cent."
    if step.wager.kind is WagerKind.JACKPOT:
        at = f"{stake} at " if step.stake else ""
        return f"{at}{step.odds} pays {amount}; the wager is not returned."
    return f"{why}{stake} at {odds_words(step.odds)} pays {amount}; the player gets {back} back."


# --- Parsing steps ---

SHOW = ("show", "?")
# Words for each kind of step; help shows the first one.
STEP_WORDS: dict[StepKind, tuple[str, ...]] = {
    StepKind.CLOSE: ("close",),
    StepKind.CARD: ("card", "deal", "hit"),
    StepKind.PAY: ("pay",),
    StepKind.TAKE: ("take",),
    StepKind.PUSH: ("push",),
    StepKind.LOCK: ("lock",),
    StepKind.SUPERVISOR: ("supervisor", "floor"),
    StepKind.WAIT: ("wait",),
    StepKind.BLACKJACKS: ("blackjacks", "bj"),
    StepKind.INSURANCE: ("insurance",),
    StepKind.REMOVE: ("remove", "clear"),
    StepKind.CHECK: ("look", "check", "peek"),
    StepKind.ADVISE: ("advise",),
    StepKind.ASK: ("ask",),
    StepKind.EXPOSE: ("expose",),
    StepKind.COLLECT: ("collect",),
}
_WAGERS: dict[str, Wager] = {
    "hand": Wager.HAND,
    "ins": Wager.INSURANCE,
    "insurance": Wager.INSURANCE,
    "super": Wager.SUPER,
    "envy": Wager.ENVY,
    **MTD_WAGERS,
    **{f"j{game}": wager for game, wager in JACKPOT_WAGERS.items()},
}
_PLACES = {
    "up": Place.UP,
    "down": Place.DOWN,
    "dealer": Place.DEALER,
    "me": Place.DEALER,
    "d": Place.DEALER,
}
_SPOT = re.compile(r"([1-9])(?:[.h]([1-4]))?")
_BONUS = re.compile(r"b([1-5])")


def parse_step(text: str) -> StepInput | None:
    """Parse a typed step; None if the learner asks for the answer."""
    words = text.lower().split()
    if not words:
        raise SchoolError("Type a step, such as pay 2 22.50, card 3 or look.")
    if words[0] in SHOW:
        return None
    if words[0] == "draw":
        return StepInput(StepKind.CARD, place=Place.DEALER)
    kind = _parse_kind(words[0])
    rest = words[1:]
    if kind is StepKind.CARD:
        return _parse_card_step(rest)
    if kind in WITH_WAGER:
        return _parse_settlement(kind, rest)
    if kind in WITH_HAND or kind is StepKind.SUPERVISOR:
        spot, hand = _parse_spot(kind, rest)
        _refuse_more(kind, rest[1:])
        return StepInput(kind, spot, hand)
    _refuse_more(kind, rest)
    return StepInput(kind)


def _parse_kind(word: str) -> StepKind:
    """The kind with this word, or the only kind with a word that starts this way."""
    exact = [kind for kind, words in STEP_WORDS.items() if word in words]
    found = exact or [
        kind for kind, words in STEP_WORDS.items() if any(known.startswith(word) for known in words)
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(words[0] for words in STEP_WORDS.values())
    raise SchoolError(
        f"{quoted_word(word)} isn't a step, or matches several. Type one of {known}, or show."
    )


def _parse_card_step(rest: list[str]) -> StepInput:
    if not rest:
        raise SchoolError("Say where the card goes: a spot, up, down, b1 or dealer.")
    _refuse_more(StepKind.CARD, rest[1:])
    if rest[0] in _PLACES:
        return StepInput(StepKind.CARD, place=_PLACES[rest[0]])
    if bonus := _BONUS.fullmatch(rest[0]):
        return StepInput(StepKind.CARD, 0, int(bonus[1]) - 1, Place.BONUS)
    spot, hand = _parse_spot(StepKind.CARD, rest)
    return StepInput(StepKind.CARD, spot, hand, Place.PLAYER)


def _parse_settlement(kind: StepKind, rest: list[str]) -> StepInput:
    spot, hand = _parse_spot(kind, rest)
    more = rest[1:]
    wager = Wager.HAND
    if more and more[0] in _WAGERS:
        wager = _WAGERS[more.pop(0)]
    amount = None
    if more and kind in WITH_AMOUNT:
        try:
            amount = parse_amount(more.pop(0))
        except MoneyError as error:
            raise SchoolError(f"{STEP_WORDS[kind][0]}: {one_line(str(error))}.") from None
    _refuse_more(kind, more)
    if kind is StepKind.PAY and amount is None:
        raise SchoolError("Say how much to pay, such as pay 2 22.50.")
    return StepInput(kind, spot, hand if wager is Wager.HAND else -1, None, wager, amount)


def _parse_spot(kind: StepKind, rest: list[str]) -> tuple[int, int]:
    found = _SPOT.fullmatch(rest[0]) if rest else None
    if not found:
        problem = f"{quoted_word(rest[0])} isn't a spot" if rest else "name the spot"
        word = STEP_WORDS[kind][0]
        raise SchoolError(f"{word}: {problem}. Type {word} 2, or {word} 2.1 for its first hand.")
    return int(found[1]), int(found[2] or 1) - 1


def _refuse_more(kind: StepKind, more: list[str]) -> None:
    if more:
        raise SchoolError(
            f"{STEP_WORDS[kind][0]}: {quoted_word(more[0])} is unexpected. Leave it out."
        )
