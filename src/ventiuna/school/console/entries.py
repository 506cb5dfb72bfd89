"""What a dealer keys at a real table: wagers, cards, what players do, what the look found."""

from __future__ import annotations

import re

from ventiuna.cards import CardError, parse_card
from ventiuna.engine.commands import (
    Action,
    CloseWagers,
    Command,
    Double,
    DoubleDouble,
    Hit,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    Rescue,
    ShowMeters,
    Split,
    Stand,
    Surrender,
    TakeBlackjack,
    WithdrawWagers,
)
from ventiuna.engine.driver import own_meters
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    WagersWanted,
    Waiting,
)
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, parse_amount
from ventiuna.notation.wager_line import SpotWagers, parse_wagers
from ventiuna.school.order import Part
from ventiuna.texts import one_line

LONGEST_ENTRY = 200
_SPOT_LINE = re.compile(r"([1-9])(?:\s+([^:]+):|\s*:)?\s+(.+)")
_CLOSE = ("close", "deal", "c")
_NONE = ("no", "n", "none")
_PAID = ("paid", "pay", "take", "b", "ok")
_KEEP = ("keep", "k")
_INSURE = ("ins", "insure", "i")
_OWN = ("ok", "own")
FOUND, NOT_FOUND = ("bj", "blackjack", "yes", "y"), ("no", "n", "none")
_ACTIONS: dict[str, type[Action]] = {
    **dict.fromkeys(("h", "hit"), Hit),
    **dict.fromkeys(("s", "stand"), Stand),
    **dict.fromkeys(("p", "split"), Split),
    **dict.fromkeys(("u", "surrender"), Surrender),
    **dict.fromkeys(("c", "rescue"), Rescue),
    **dict.fromkeys(("dd", "ddd", "double-double"), DoubleDouble),
}
_DOUBLE = ("d", "double")
_WORDS: dict[Part, tuple[str, ...]] = {
    Part.CLOSE: _CLOSE,
    Part.ASK_BLACKJACKS: (*_PAID, *_KEEP),
    Part.INSURANCE: (*_INSURE, *_NONE),
    Part.LOOK: (*FOUND, *NOT_FOUND),
    Part.PLAY: (*_ACTIONS, *_DOUBLE),
    Part.AWARD: _OWN,
}


class ConsoleError(VentiunaError, ValueError):
    """An entry that does not fit here."""


class OutOfTurn(ConsoleError):
    """Another hand's action."""


def entries_of(text: str) -> list[str]:
    """One line may hold several cards: `8c 9d Kh`."""
    words = text.split()
    if len(words) > 1 and all(_is_card(word) for word in words):
        return words
    return [" ".join(words)] if words else []


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except CardError:
        return False
    return True


def read_card(entry: str, what: str) -> int:
    """The card that is wanted; `what` says which."""
    try:
        return parse_card(entry)
    except CardError:
        raise ConsoleError(
            f"{shown(entry)} is no card: key {what} as rank (A 2-9 T J Q K) and suit (c d h s), "
            "such as 8c."
        ) from None


def read_look(entry: str) -> bool:
    """Whether the look under the up card found a blackjack."""
    word = entry.lower()
    if word in FOUND:
        return True
    if word in NOT_FOUND:
        return False
    raise ConsoleError(f"{shown(entry)}: key bj if the down card makes a blackjack, else no.")


def read_up_card(entry: str) -> int | None:
    """`up Kh`: the up card by its name, which may come before its turn; None: another entry."""
    words = entry.split()
    if len(words) != 2 or words[0].lower() != "up":
        return None
    return read_card(words[1], "the up card")


def parts_of(entry: str) -> frozenset[Part]:
    """The parts of a round in which this could be keyed, to say why it does not fit elsewhere."""
    words = entry.lower().split() or [""]
    if _is_card(words[0]):
        return frozenset({Part.DEAL, Part.BONUS_CARDS, Part.EXPOSE, Part.DRAW})
    return frozenset(part for part, known in _WORDS.items() if words[0] in known)


def commands_of(entry: str, state: RoundState, wanted: Waiting) -> list[Command]:
    """What an entry means to the round that waits for it."""
    words = entry.lower().split()
    if isinstance(wanted, WagersWanted):
        return [_wagers(entry, state)]
    if isinstance(wanted, BlackjackAnswersWanted):
        return _blackjacks(words, entry, wanted.spots)
    if isinstance(wanted, InsuranceAnswersWanted):
        return _insurance(words, entry, wanted.spots)
    if isinstance(wanted, DecisionWanted):
        return [_decision(words, entry, state, wanted)]
    assert isinstance(wanted, MetersWanted)
    return [_meters(words, state, wanted)]


# --- wagers -----------------------------------------------------------------------------------


def _wagers(entry: str, state: RoundState) -> Command:
    if entry.lower() in _CLOSE:
        return CloseWagers()
    found = _SPOT_LINE.fullmatch(entry)
    if not found:
        raise ConsoleError(
            f"{shown(entry)}: key a spot and its wagers, such as 2 25 up 5 j1 or 2 Ana: 25, and "
            "close when all wagers lie."
        )
    spot, person, line = int(found[1]), (found[2] or "").strip(), found[3]
    [placed] = parse_wagers(line, state.rules, 1)
    return _placed(spot, person, placed)


def _placed(spot: int, person: str, placed: SpotWagers) -> Command:
    if placed.is_empty:
        return WithdrawWagers(spot)
    return PlaceWagers(spot, placed.base, person, placed.mtd, placed.jackpots)


# --- answers ----------------------------------------------------------------------------------


def _blackjacks(words: list[str], entry: str, spots: tuple[int, ...]) -> list[Command]:
    named = _spots(words[1:], spots)
    if words[0] in _PAID:
        return [TakeBlackjack(spot) for spot in named]
    if words[0] in _KEEP and words[1:]:
        return [KeepBlackjack(spot) for spot in named]
    raise ConsoleError(
        f"{shown(entry)}: key paid when all blackjacks are paid, or keep and the spot that keeps "
        f"its blackjack, such as keep {spots[0]}."
    )


def _insurance(words: list[str], entry: str, spots: tuple[int, ...]) -> list[Command]:
    if words[0] in _NONE:
        return [Insure(spot, 0) for spot in _spots(words[1:], spots)]
    if words[0] in _INSURE and len(words) == 3:
        [spot] = _spots(words[1:2], spots)
        return [Insure(spot, _amount("insurance", words[2]))]
    raise ConsoleError(
        f"{shown(entry)}: key ins, the spot and the amount, such as ins {spots[0]} 5, and no when "
        "nobody else insures."
    )


def _spots(words: list[str], spots: tuple[int, ...]) -> tuple[int, ...]:
    """All that are asked, or the one that is named."""
    if not words:
        return spots
    if len(words) == 1 and words[0].isdecimal() and len(words[0]) == 1:
        return (int(words[0]),)
    asked = " or ".join(map(str, spots))
    raise ConsoleError(f"{shown(' '.join(words))} is no spot that is asked: key {asked}.")


def _decision(words: list[str], entry: str, state: RoundState, wanted: DecisionWanted) -> Command:
    spot = wanted.spot
    hand = state.spots[spot].hands[wanted.hand]
    if len(words) > 1 and words[0].isdecimal():  # whose turn it is may be said
        if words[0] != str(spot):
            raise OutOfTurn(f"It is the turn of spot {spot}: key what it does.")
        words = words[1:]
    if words[0] in _DOUBLE and len(words) <= 2:
        if hand.shape.doublings and len(words) == 1:
            return DoubleDouble(spot)
        return Double(spot, _amount("double", words[1]) if len(words) == 2 else None)
    action = _ACTIONS.get(words[0])
    if action is None or len(words) > 1:
        raise ConsoleError(
            f"{shown(entry)}: spot {spot} decides; key h, s, d, p, u (surrender) or c (rescue)."
        )
    return action(spot)


def _meters(words: list[str], state: RoundState, wanted: MetersWanted) -> Command:
    if words in ([word] for word in _OWN):
        return own_meters(state)
    if len(words) != len(wanted.games):
        games = " and ".join(f"jackpot {game}" for game in wanted.games)
        raise ConsoleError(f"meters: key what {games} shows, such as 4127.63, or ok.")
    amounts = [_amount("meter", word) for word in words]
    return ShowMeters(dict(zip(wanted.games, amounts, strict=True)))


def _amount(what: str, word: str) -> int:
    try:
        return parse_amount(word)
    except MoneyError as error:
        raise ConsoleError(f"{what}: {one_line(str(error))}.") from None


def shown(entry: str) -> str:
    return one_line(repr(entry[:20]))
