"""What people, the clock and operators ask of a table. The round's own commands come besides.

Nobody sends a card, a reading of the meters or the end of wagers: the table does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ventiuna.engine.commands import PlayerCommand, VoidRound
from ventiuna.engine.stakes import Stakes

Times: TypeAlias = Stakes[str]  # milliseconds by the name of a clock
NO_TIMES: Times = Stakes({})

# --- people -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down; the seat plays the spot of its number until it chooses others."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChooseSpots:
    spots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BuyChips:
    amount: int


@dataclass(frozen=True, slots=True)
class CashOut:
    """Chips back into the wallet; all of them where no amount is given."""

    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """Nothing more to wager, or no cut: the table need not wait for this seat."""


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    pass


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Back at the table after an absence, or stay after all."""


@dataclass(frozen=True, slots=True)
class CommitCut:
    commitment: str


@dataclass(frozen=True, slots=True)
class OpenCut:
    value: str


# --- the clock --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeUp:
    ask: int


@dataclass(frozen=True, slots=True)
class SeatTimeUp:
    """A seat without a client for too long: away, and in the end cashed out."""

    seat: int


@dataclass(frozen=True, slots=True)
class RestartClocks:
    reason: str


# --- operators --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenTable:
    name: str
    rules: Mapping[str, object]  # as `rules_data` writes them
    clocks: Times = NO_TIMES  # those that differ from the usual ones
    reason: str = ""  # operators give one


@dataclass(frozen=True, slots=True)
class CloseTable:
    reason: str


@dataclass(frozen=True, slots=True)
class ResumeTable:
    reason: str


@dataclass(frozen=True, slots=True)
class DropBank:
    reason: str


@dataclass(frozen=True, slots=True)
class FaultTable:
    """The service itself: something failed that can't fail."""

    reason: str


@dataclass(frozen=True, slots=True)
class LoseShoes:
    """An operator replaced the house key: it opens no shoe up to this one."""

    shoe: int
    reason: str


@dataclass(frozen=True, slots=True)
class LinkJackpot:
    game: int
    jackpot: int
    reason: str


@dataclass(frozen=True, slots=True)
class UnlinkJackpot:
    game: int
    reason: str


SeatCommand = (
    TakeSeat | ChooseSpots | BuyChips | CashOut | Ready | LeaveSeat | ComeBack | CommitCut | OpenCut
)
ClockCommand = TimeUp | SeatTimeUp | RestartClocks
OperatorCommand = (
    OpenTable | CloseTable | ResumeTable | DropBank | LinkJackpot | UnlinkJackpot | VoidRound
)
PersonCommand = SeatCommand | PlayerCommand
TableCommand = PersonCommand | ClockCommand | OperatorCommand | FaultTable | LoseShoes
