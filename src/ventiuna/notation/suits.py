"""Cards that are written without a suit get one, so that a round can be read.

Which suits may be left out is decided in `whatever_suits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ventiuna.cards import card_text

_RANK_ALONE = re.compile(r"(?<![^\s/])(10|[2-9AaTtJjQqKk])(?![^\s/])")


class Suits:
    """The suit that every card gets which has none."""

    def __init__(self, suit: str) -> None:
        self.suit = suit

    def of_players(self, text: str, begun: int | None = None) -> str:
        """`8 3h / hit 2` with a suit for each card; a split hand has begun with a known one."""
        first = text.split(None, 1)[:1]
        if begun is not None and first and _RANK_ALONE.fullmatch(first[0]):
            rank, rest = text.split(None, 1) if " " in text else (text, "")
            if rank.upper().replace("10", "T") == card_text(begun)[0]:
                text = f"{card_text(begun)} {rest}"
        return self.fill(text)

    def fill(self, text: str) -> str:
        """`K 9 / 2` with a suit for each card."""
        return _RANK_ALONE.sub(rf"\g<1>{self.suit}", text)


def with_suits(data: object, suits: Suits) -> object:
    """A worked round's JSON with a suit for each card; whoever reads it finds what is wrong."""
    if not isinstance(data, Mapping):
        return data
    filled = dict(data)
    dealer = data.get("dealer")
    if isinstance(dealer, Mapping):
        filled["dealer"] = {
            **dealer,
            **_filled(dealer, "up", suits.fill),
            **_filled(dealer, "down", suits.fill),
            **_filled(dealer, "draws", suits.fill),
        }
    filled |= _filled(data, "bonus_cards", suits.fill)
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
