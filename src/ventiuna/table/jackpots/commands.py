"""What operators, the clock and tables ask of a progressive. Each has a written reason, but an
award, whose reason is the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# --- operators --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CreateJackpot:
    """A progressive of these settings, with its seed in the meter."""

    name: str
    settings: Mapping[str, object]  # as `Settings.data` writes them
    reason: str
    maximum: int | None = None
    reserve_rate: int = 0  # ten-thousandths of each wager
    advance_limit: int | None = None


@dataclass(frozen=True, slots=True)
class SetMaximum:
    """At or above what is shown; None: without one."""

    maximum: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class SetAdvanceLimit:
    limit: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The table's jackpot game of this number feeds the meter from now on."""

    table: int
    game: int
    settings: str  # hash of the game's settings, in hexadecimal
    reason: str


@dataclass(frozen=True, slots=True)
class UnlinkTable:
    table: int
    reason: str


@dataclass(frozen=True, slots=True)
class SuspendJackpot:
    reason: str


@dataclass(frozen=True, slots=True)
class ResumeJackpot:
    reason: str


@dataclass(frozen=True, slots=True)
class SeedJackpot:
    """Add seed money, such as a reset could not give."""

    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RecoverSeed:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectUp:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectDown:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class TakeReceipts:
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class RemoveJackpot:
    """Out of play: its money moves to another progressive; without one it stays, suspended."""

    to: int | None
    reason: str


# --- the clock, other books -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoldStripes:
    """Each minute where the sum is above the maximum."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReceiveMoney:
    """Another progressive is removed; its entry of this version moves what it held here."""

    jackpot: int
    version: int


@dataclass(frozen=True, slots=True)
class PayAwards:
    """A table's round wins shares; its entry of this version says which."""

    table: int
    version: int
    game: int


OperatorCommand = (
    SetMaximum
    | SetAdvanceLimit
    | LinkTable
    | UnlinkTable
    | SuspendJackpot
    | ResumeJackpot
    | SeedJackpot
    | RecoverSeed
    | CorrectUp
    | CorrectDown
    | TakeReceipts
    | FoldStripes
)
JackpotCommand = OperatorCommand | CreateJackpot | RemoveJackpot | ReceiveMoney | PayAwards
