"""What a table waits for, in a sentence: to everybody, and to each person who may answer."""

from __future__ import annotations

from collections.abc import Callable

from ventiuna.engine.options import ActionOption, InsuranceOption, Option
from ventiuna.engine.records import Data
from ventiuna.engine.sentences.parts import capital
from ventiuna.engine.sentences.words import Words, a_rank, count_words
from ventiuna.engine.state import RoundState
from ventiuna.rules.words.facts import dollars, listed
from ventiuna.table.events import AskKind
from ventiuna.table.play.state import Ask, TableState
from ventiuna.table.telling.shown import plain_words

# In the order of the buttons, whatever the order of the codes.
_ORDER = ("hit", "stand", "double", "double-double", "split", "surrender", "rescue")


def ask_told(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    """The ask as data: `short` names hand and up card, the whole also what may be done."""
    return _TOLD[ask.kind](state, ask, options)


def _cut_commit(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    you = "You may cut the next shoe."
    return _told("Everybody may cut the next shoe.", {p: _plain(you) for p in _present(state)})


def _cut_open(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    return _told("The cuts are opened.", {})


def _wagers(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    you = {}
    for seat in state.present:
        spots = state.spots_of(seat.number)
        told = "Place your wagers." if spots else "Choose a spot to play."
        you[seat.person] = _plain(told)
    return _told("Wagers are open.", you)


def _blackjack(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    pays = state.rules.blackjack_pays.words
    you = {
        person: _plain(f"Blackjack on {_spots(spots)}: be paid {pays}, or keep it to double.")
        for person, spots in _spots_by_person(state, ask).items()
    }
    names = listed([_name(state, person) for person in you]) or capital(_spots(list(ask.spots)))
    verb = "has" if len(you) < 2 else "have"
    return _told(f"{names} {verb} blackjack: to be paid, or kept to double?", you)


def _insurance(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    most = {option.spot: option.most for option in options if isinstance(option, InsuranceOption)}
    you = {}
    for person, spots in _spots_by_person(state, ask).items():
        each = [f"spot {spot} up to {dollars(most[spot])}" for spot in spots if spot in most]
        you[person] = _plain(f"The dealer shows an ace. Insurance for {listed(each)}?")
    return _told("The dealer shows an ace: insurance is offered.", you)


def _decision(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    assert state.round is not None, "a decision without a round"
    spot = state.round.spots[ask.spots[0]]
    where = f"spot {spot.number}"
    if len(spot.hands) > 1:
        where += f", hand {ask.hand + 1}"
    situation = _situation(state.round, spot.number, ask.hand)
    you: dict[str, Data] = {}
    if spot.person:
        short = _joined(f"Your turn, {where}: ", situation, ".")
        deeds = capital(listed(_deeds(state, options), "or"))
        whole = _joined("", short, f" {deeds}.")
        you[spot.person] = plain_words(whole) | {"short": short.text}
        where = f"{_name(state, spot.person)} decides, {where}"
    told = _joined(f"{capital(where)}: ", situation, ".")
    return _told(told, you)


def _situation(round_: RoundState, spot: int, hand: int) -> Words:
    """`14 against a 4`."""
    count = count_words(round_.spots[spot].hands[hand])
    against = a_rank(round_.up)
    return Words(f"{count} against {against.text}", f"{count} against {against.spoken}")


def _deeds(state: TableState, options: tuple[Option, ...]) -> list[str]:
    """What may be done with the chips there are: `hit`, `double for $25`, `rescue for $25 back`."""
    legal = {
        option.name: option
        for option in options
        if isinstance(option, ActionOption)
        and option.legal
        and (option.least_chips or option.chips) <= stack_of(state, option.spot)
    }
    return [_deed(legal[name]) for name in _ORDER if name in legal]


def _deed(option: ActionOption) -> str:
    if option.chips:
        return f"{option.name} for {dollars(option.chips)}"
    return f"{option.name} for {dollars(option.back)} back" if option.back else option.name


# --- helpers ----------------------------------------------------------------------------------


def stack_of(state: TableState, spot: int) -> int:
    """Chips of who plays this spot."""
    return state.stack(state.spots[spot]) if spot in state.spots else 0


def _present(state: TableState) -> list[str]:
    return [seat.person for seat in state.present]


def _spots_by_person(state: TableState, ask: Ask) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number in ask.spots:
        spot = state.round.spots.get(number) if state.round else None
        if spot is not None and spot.person:
            found.setdefault(spot.person, []).append(number)
    return found


def _spots(spots: list[int]) -> str:
    word = "spot" if len(spots) == 1 else "spots"
    return f"{word} {listed([str(spot) for spot in spots])}"


def _name(state: TableState, person: str) -> str:
    seat = state.seat_of(person)
    return seat.name if seat else person


def _joined(before: str, words: Words, behind: str) -> Words:
    return Words(f"{before}{words.text}{behind}", f"{before}{words.spoken}{behind}")


def _plain(text: str) -> Data:
    return {"text": text}


def _told(words: Words | str, you: dict[str, Data]) -> Data:
    data = _plain(words) if isinstance(words, str) else plain_words(words)
    if you:
        data["you"] = you
    return data


_TOLD: dict[AskKind, Callable[[TableState, Ask, tuple[Option, ...]], Data]] = {
    AskKind.CUT_COMMIT: _cut_commit,
    AskKind.CUT_OPEN: _cut_open,
    AskKind.WAGERS: _wagers,
    AskKind.BLACKJACK: _blackjack,
    AskKind.INSURANCE: _insurance,
    AskKind.DECISION: _decision,
}
