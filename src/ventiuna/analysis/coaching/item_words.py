"""A class of hands as a player would say it: `15 doubled 1 v face` is "hard 15, doubled once"."""

from __future__ import annotations

import re

from ventiuna.cards import Pack
from ventiuna.records import record

AGAINST = " v "
_TIMES = {"1": "once", "2": "twice", "3": "three times"}
_DOUBLED = re.compile(r" doubled (\d)$")
_MANY = re.compile(r" in (\d+) cards$")
_TOTAL = re.compile(r"(soft )?\d+")
_PAIR = re.compile(r"(\w+)-(\1)")
_SPLIT, _DRAW = " of a split", " draw"


@record(frozen=True, slots=True)
class ItemWords:
    """The player's hand and the dealer's up card, in words."""

    hand: str
    up: str  # with its article

    @property
    def whole(self) -> str:
        return f"{self.hand}, against {self.up}"


def item_words(item: str, pack: Pack) -> ItemWords:
    """Of a name that `kinds.item_of` gives; insurance is offered against an ace alone."""
    name, _, up = item.partition(AGAINST)
    return ItemWords(_hand_words(name, pack), _up_words(up or "A", pack))


def _hand_words(name: str, pack: Pack) -> str:
    more = []
    if name.endswith(_SPLIT):
        name = name.removesuffix(_SPLIT)
        more.append("after a split")
    if found := _DOUBLED.search(name):
        name = name[: found.start()]
        more.insert(0, f"doubled {_TIMES[found[1]]}")
    if found := _MANY.search(name):
        name = name[: found.start()]
        more.insert(0, f"{found[1]} cards")
    if name.endswith(_DRAW):
        name = name.removesuffix(_DRAW).replace("face", _ten(pack))
        more.insert(0, "one card short of a bonus")
    elif found := _PAIR.fullmatch(name):
        name = _pair_words(found[1], pack)
    elif _TOTAL.fullmatch(name) and not name.startswith("soft"):
        name = f"hard {name}"
    return ", ".join([name, *more])


def _ten(pack: Pack) -> str:
    """There are no tens in a Spanish pack (R-007)."""
    return "face" if pack is Pack.SPANISH else "ten"


def _pair_words(rank: str, pack: Pack) -> str:
    if rank == "face":
        return "two face cards" if pack is Pack.SPANISH else "two ten-valued cards"
    return "a pair of aces" if rank == "A" else f"a pair of {rank}s"


def _up_words(rank: str, pack: Pack) -> str:
    if rank == "face":
        return "a face card" if pack is Pack.SPANISH else "a ten-valued card"
    if rank == "A":
        return "an ace"
    return f"an {rank}" if rank == "8" else f"a {rank}"
