"""Who is told: which spots are his own, what the others are called, what he may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ventiuna.engine.sentences.parts import capital
from ventiuna.engine.state import RoundState, Spot
from ventiuna.engine.views import EVERYONE, Viewer
from ventiuna.money import money_text

ONLY_HAND = "Your hand"
_THIRD_PERSON = {"are": "is", "cash": "cashes", "have": "has"}


@dataclass(frozen=True, slots=True)
class PointOfView:
    """`you` is the id of the person spoken to; `names` are display names by person's id.

    `money` writes amounts: with cents for columns of a terminal, as on chips for a felt.
    """

    you: str = ""  # empty: an onlooker, to whom everybody is somebody else
    names: Mapping[str, str] = field(default_factory=dict)
    viewer: Viewer = EVERYONE
    money: Callable[[int], str] = money_text

    def is_own(self, spot: Spot) -> bool:
        return bool(self.you) and spot.person == self.you

    def spots_of(self, state: RoundState, person: str) -> int:
        return [spot.person for spot in state.order].count(person)

    def name(self, state: RoundState, spot: Spot) -> str:
        """`Ann`, `Ann on spot 2` where she plays several, `Spot 2` where nobody is named."""
        if not spot.person:
            return f"Spot {spot.number}"
        name = self.names.get(spot.person, spot.person)
        several = self.spots_of(state, spot.person) > 1
        return f"{name} on spot {spot.number}" if several else name

    def hand_name(self, state: RoundState, spot: Spot, index: int) -> str:
        """`Your hand`, `Spot 2`, `Hand 2 of 3`, `Spot 2, hand 1 of 2`; `Ann, hand 1 of 2`."""
        several = f"hand {index + 1} of {len(spot.hands)}" if len(spot.hands) > 1 else ""
        if not self.is_own(spot):
            name = self.name(state, spot)
        elif self.spots_of(state, spot.person) == 1:
            return capital(several) if several else ONLY_HAND
        else:
            name = f"Spot {spot.number}"
        return f"{name}, {several}" if several else name

    def title(self, state: RoundState, spot: Spot, wager: str) -> str:
        """A wager that lies on no hand, with whose it is: `Insurance`, `Spot 2, Insurance`."""
        if self.is_own(spot) and self.spots_of(state, spot.person) == 1:
            return wager
        name = f"Spot {spot.number}" if self.is_own(spot) else self.name(state, spot)
        return f"{name}, {wager}"

    def whose(self, state: RoundState, spot: Spot, index: int) -> str:
        """`Spot 2: ` before a sentence that is about a hand; nothing where you have but one."""
        name = self.hand_name(state, spot, index)
        return "" if name == ONLY_HAND and self.is_own(spot) else f"{name}: "

    def does(self, state: RoundState, spot: Spot, index: int, *verbs: str) -> str:
        """`You hit and get`, `Spot 2: you hit and get`, `Ann hits and gets`."""
        if self.is_own(spot):
            return capital(f"{self.whose(state, spot, index)}you {' and '.join(verbs)}")
        deeds = " and ".join(map(third_person, verbs))
        hand = self.hand_name(state, spot, index)
        comma = "," if len(spot.hands) > 1 else ""
        return f"{hand}{comma} {deeds}"


def third_person(verb: str) -> str:
    """`double for $5` to `doubles for $5`: the first word is the verb."""
    word, space, rest = verb.partition(" ")
    return f"{_THIRD_PERSON.get(word) or f'{word}s'}{space}{rest}"


ONLOOKER = PointOfView()
