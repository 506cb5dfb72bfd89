"""How split hands are played: the classes of strategy that results are stated for."""

from __future__ import annotations

from enum import StrEnum

from ventiuna.rules import Problem, RulesError
from ventiuna.rules.values import shown


class SplitPlay(StrEnum):
    """What a split hand's play may depend on. In both classes pairs are split while they may be."""

    AS_UNSPLIT = "as_unsplit"
    """The same cards are played as if they had not come from a split (known as CDZ-). Where a
    split hand may not make that play, it makes the next best one it may."""

    REOPTIMISED = "reoptimised"
    """Best play of the split hand by its own cards, one further pair card gone (CDP1)."""

    @property
    def text(self) -> str:
        return _TEXTS[self]


_TEXTS = {
    SplitPlay.AS_UNSPLIT: "split hands played as the same cards unsplit (CDZ-)",
    SplitPlay.REOPTIMISED: "split hands re-optimised for one further pair card gone (CDP1)",
}


def given_split_play(split_play: SplitPlay | str) -> SplitPlay:
    """One of the classes, or its name."""
    try:
        return SplitPlay(split_play)
    except ValueError:
        names = " or ".join(SplitPlay)
        problem = Problem(
            "split_play", shown(split_play), "", f"it is {names}", "Choose one of them."
        )
        raise RulesError([problem]) from None
