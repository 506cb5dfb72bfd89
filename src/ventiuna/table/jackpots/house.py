"""House jackpots: the house's own money (R-097). No meter, no account, no link."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.rules.model import JackpotKind, Rules, Winners


@dataclass(frozen=True, slots=True)
class HouseJackpot:
    """A posted amount, which wagers don't raise and awards don't lower (O-39).

    What is won of it comes out of the table's bank, like any other pay.
    """

    game: int  # of the table's rules, from 1
    posted: int  # cents
    winners: Winners  # several in one round: each in full, or one after the other


def house_jackpots(rules: Rules) -> tuple[HouseJackpot, ...]:
    """Those that the rules of a table have."""
    return tuple(
        HouseJackpot(game, jackpot.seed, jackpot.winners)
        for game, jackpot in enumerate(rules.jackpots, start=1)
        if jackpot.kind is JackpotKind.HOUSE
    )
