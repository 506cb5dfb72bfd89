"""A step as people type it: `pay 2 22.50`, `take 3 up`, `card 2.1`, `card b1`, `look`."""

from __future__ import annotations

import re

from ventiuna.engine.events import Place
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.money import MoneyError, parse_amount
from ventiuna.school.steps import WITH_AMOUNT, WITH_HAND, WITH_WAGER, Kind, SchoolError, Tried
from ventiuna.texts import one_line

SHOW = ("show", "?")
LONGEST_WORD = 20
# Words for each kind; the first is the one that help shows.
WORDS: dict[Kind, tuple[str, ...]] = {
    Kind.CLOSE: ("close",),
    Kind.CARD: ("card", "deal", "hit"),
    Kind.PAY: ("pay",),
    Kind.TAKE: ("take",),
    Kind.PUSH: ("push",),
    Kind.LOCK: ("lock",),
    Kind.SUPERVISOR: ("supervisor", "floor"),
    Kind.BLACKJACKS: ("blackjacks", "bj"),
    Kind.INSURANCE: ("insurance",),
    Kind.REMOVE: ("remove", "clear"),
    Kind.CHECK: ("look", "check", "peek"),
    Kind.ADVISE: ("advise",),
    Kind.ASK: ("ask",),
    Kind.EXPOSE: ("expose",),
    Kind.COLLECT: ("collect",),
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


def read_step(text: str) -> Tried | None:
    """The step that was typed; None where the learner asks to be shown it."""
    words = text.lower().split()
    if not words:
        raise SchoolError("step: type what you do, such as pay 2 22.50, card 3 or look.")
    if words[0] in SHOW:
        return None
    if words[0] == "draw":
        return Tried(Kind.CARD, place=Place.DEALER)
    kind = _kind(words[0])
    rest = words[1:]
    if kind is Kind.CARD:
        return _card(rest)
    if kind in WITH_WAGER:
        return _settling(kind, rest)
    if kind in WITH_HAND or kind is Kind.SUPERVISOR:
        spot, hand = _spot(kind, rest)
        _refuse_more(kind, rest[1:])
        return Tried(kind, spot, hand)
    _refuse_more(kind, rest)
    return Tried(kind)


def _kind(word: str) -> Kind:
    """The kind with this word, or the only one whose words begin with it."""
    exact = [kind for kind, words in WORDS.items() if word in words]
    found = exact or [
        kind for kind, words in WORDS.items() if any(known.startswith(word) for known in words)
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(words[0] for words in WORDS.values())
    raise SchoolError(f"step: {_shown(word)} is not one step; type one of {known}, or show.")


def _card(rest: list[str]) -> Tried:
    if not rest:
        raise SchoolError("card: say where it goes: a spot, up, down, b1 or dealer.")
    _refuse_more(Kind.CARD, rest[1:])
    if rest[0] in _PLACES:
        return Tried(Kind.CARD, place=_PLACES[rest[0]])
    if bonus := _BONUS.fullmatch(rest[0]):
        return Tried(Kind.CARD, 0, int(bonus[1]) - 1, Place.BONUS)
    spot, hand = _spot(Kind.CARD, rest)
    return Tried(Kind.CARD, spot, hand, Place.PLAYER)


def _settling(kind: Kind, rest: list[str]) -> Tried:
    spot, hand = _spot(kind, rest)
    more = rest[1:]
    wager = Wager.HAND
    if more and more[0] in _WAGERS:
        wager = _WAGERS[more.pop(0)]
    amount = None
    if more and kind in WITH_AMOUNT:
        amount = _amount(kind, more.pop(0))
    _refuse_more(kind, more)
    if kind is Kind.PAY and amount is None:
        raise SchoolError("pay: say how much, such as pay 2 22.50.")
    return Tried(kind, spot, hand if wager is Wager.HAND else -1, None, wager, amount)


def _spot(kind: Kind, rest: list[str]) -> tuple[int, int]:
    found = _SPOT.fullmatch(rest[0]) if rest else None
    if not found:
        said = f"{_shown(rest[0])} is no spot" if rest else "say which spot"
        word = WORDS[kind][0]
        raise SchoolError(f"{word}: {said}; write {word} 2, or {word} 2.1 for its first hand.")
    return int(found[1]), int(found[2] or 1) - 1


def _amount(kind: Kind, word: str) -> int:
    try:
        return parse_amount(word)
    except MoneyError as error:
        raise SchoolError(f"{WORDS[kind][0]}: {one_line(str(error))}.") from None


def _refuse_more(kind: Kind, more: list[str]) -> None:
    if more:
        raise SchoolError(f"{WORDS[kind][0]}: {_shown(more[0])} is too much; leave it out.")


def _shown(word: str) -> str:
    return one_line(repr(word[:LONGEST_WORD]))
