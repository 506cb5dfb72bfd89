"""Cards without a suit, where no payment depends on it.

A round is read with several fillings of the suits that are left out: all alike, in each suit, and
the dealer's cards unlike the players'. Whatever suits decide — matches, rows of one suit, spades or
diamonds — comes out differently in two of them, and the round is refused with the rule. Where all
agree, so does every other filling.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ventiuna.cards import SUITS, card_text
from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.engine.events import WagerSettled
from ventiuna.notation.records import NotationError, RoundRecord
from ventiuna.notation.replay import Replay, replay

_RANK_ALONE = re.compile(r"(?<![^\s/])(10|[2-9AaTtJjQqKk])(?![^\s/])")


class Filling(NamedTuple):
    """The suit that each holder's cards get."""

    player: str
    up: str
    down: str
    bonus: str


def _next(suit: str) -> str:
    return SUITS[(SUITS.index(suit) + 1) % len(SUITS)]


FILLINGS = tuple(
    Filling(suit, up, down, bonus)
    for suit in SUITS
    for up in (suit, _next(suit))
    for down in (suit, _next(suit))
    for bonus in (suit, _next(suit))
)


class Suits:
    """One filling, and whether it was needed."""

    def __init__(self, filling: Filling) -> None:
        self.filling = filling
        self.filled = False

    def of_players(self, text: str, begun: int | None = None) -> str:
        """`8 3h / hit 2` with a suit for each card; a split hand has begun with a known one."""
        if begun is not None and _starts_alone(text):
            rank, rest = text.split(None, 1) if " " in text else (text, "")
            if rank.upper().replace("10", "T") == card_text(begun)[0]:
                self.filled = True
                text = f"{card_text(begun)} {rest}"
        return self._fill(text, self.filling.player)

    def of_dealer(self, text: str) -> str:
        """`K 9 / 2`: up card, down card, cards drawn."""
        up, *others = _RANK_ALONE.split(text, maxsplit=1) if _starts_alone(text) else [text]
        if not others:
            head, sign, rest = text.strip().partition(" ")
            return head + sign + self._fill(rest, self.filling.down)
        self.filled = True
        return f"{up}{others[0]}{self.filling.up}{self._fill(others[1], self.filling.down)}"

    def of_bonus(self, text: str) -> str:
        return self._fill(text, self.filling.bonus)

    def up_card(self, text: str) -> str:
        return self._fill(text, self.filling.up)

    def down_card(self, text: str) -> str:
        return self._fill(text, self.filling.down)

    def _fill(self, text: str, suit: str) -> str:
        filled = _RANK_ALONE.sub(rf"\g<1>{suit}", text)
        self.filled |= filled != text
        return filled


def _starts_alone(text: str) -> bool:
    first = text.split(None, 1)[:1]
    return bool(first) and _RANK_ALONE.fullmatch(first[0]) is not None


def with_suits(data: object, suits: Suits) -> object:
    """A worked round's JSON with a suit for each card; whoever reads it finds what is wrong."""
    if not isinstance(data, Mapping):
        return data
    filled = dict(data)
    dealer = data.get("dealer")
    if isinstance(dealer, Mapping):
        filled["dealer"] = {
            **dealer,
            **_filled(dealer, "up", suits.up_card),
            **_filled(dealer, "down", suits.down_card),
            **_filled(dealer, "draws", suits.down_card),
        }
    filled |= _filled(data, "bonus_cards", suits.of_bonus)
    seats = data.get("seats")
    if isinstance(seats, list):
        filled["seats"] = [_seat(seat, suits) for seat in seats]
    return filled


def _seat(seat: object, suits: Suits) -> object:
    if not isinstance(seat, Mapping):
        return seat
    of_players = suits.of_players
    return {**seat, **_filled(seat, "dealt", of_players), **_filled(seat, "hands", of_players)}


def _filled(data: Mapping[str, object], key: str, fill: Callable[[str], str]) -> dict[str, object]:
    found = data.get(key)
    if isinstance(found, str):
        return {key: fill(found)}
    if isinstance(found, list):
        return {key: [fill(each) if isinstance(each, str) else each for each in found]}
    return {}


def replay_whatever_suits(read: Callable[[Suits], RoundRecord]) -> tuple[Replay, bool]:
    """The round, and whether suits were left out; raises where a payment depends on one."""
    first: Replay | None = None
    gone: Refused | None = None
    for filling in FILLINGS:
        suits = Suits(filling)
        try:
            played = replay(read(suits))
        except Refused as error:
            if not suits.filled or error.code != RefusalCode.TOO_MANY_COPIES:
                raise
            gone = error  # a filling that the shoe does not hold
            continue
        if not suits.filled:
            return played, False
        if first is None:
            first = played
        _refuse_difference(first, played)
    if first is None:
        raise NotationError(f"suits are needed, since cards of one rank can't all be alike: {gone}")
    return first, True


def _refuse_difference(one: Replay, other: Replay) -> None:
    here, there = _by_wager(one.payments), _by_wager(other.payments)
    for wager in dict.fromkeys([*here, *there]):
        first, second = here.get(wager), there.get(wager)
        if first is None or second is None:
            found = first or second
            assert found is not None
            raise _needed(found, f"whether there is {_words(found)}", found.rule)
        if (first.stake, first.paid) != (second.stake, second.paid):
            rules = ", ".join(dict.fromkeys([first.rule, second.rule]))
            raise _needed(first, f"between {_words(first)} and {_words(second)}", rules)


def _needed(payment: WagerSettled, what: str, rules: str) -> NotationError:
    error = NotationError(
        f"spot {payment.spot} {payment.wager}: a suit is needed, since suits decide {what} "
        f"({rules}); write 8c or 8\N{BLACK CLUB SUIT}"
    )
    error.place = f"spot {payment.spot}"
    return error


def _by_wager(payments: list[WagerSettled]) -> dict[tuple[int, int, str, int], WagerSettled]:
    """Each payment by spot, hand and wager; some wagers are paid in several parts."""
    found: dict[tuple[int, int, str, int], WagerSettled] = {}
    for payment in payments:
        part = 0
        while (key := (payment.spot, payment.hand, payment.wager, part)) in found:
            part += 1
        found[key] = payment
    return found


def _words(payment: WagerSettled) -> str:
    return f"{payment.reason!r} ({payment.odds})"
