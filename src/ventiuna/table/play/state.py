"""A table as it stands: the fold of its events. Nothing else ever changes it.

Whatever a copy of a state would share is frozen or never changed in place, so that a copy is
cheap: every command is carried out on one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from ventiuna.engine import RoundState
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import Stage
from ventiuna.engine.waiting import NothingWanted, Waiting, waiting_for
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.table.events import AskKind
from ventiuna.table.ledger.chain import Head
from ventiuna.table.ledger.chart import AccountKind, account_code
from ventiuna.table.ledger.postings import Layout
from ventiuna.table.play.clocks import Clocks
from ventiuna.table.shoes.fairness import ShoeContext
from ventiuna.table.shoes.shoe import START, LiveShoe, Position


class TableStatus(StrEnum):
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"
    FAULT = "fault"


class SeatStatus(StrEnum):
    HERE = "here"
    AWAY = "away"
    LEAVING = "leaving"


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's place."""

    number: int
    person: str
    name: str
    status: SeatStatus = SeatStatus.HERE


@record(frozen=True, slots=True)
class Ask:
    """What the table waits for; its number is that of the event that raised it."""

    number: int
    kind: AskKind
    spots: tuple[int, ...] = ()
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """A seat's part in the order of the next shoe; without a value it is not opened yet."""

    seat: int
    person: str
    commitment: bytes
    value: bytes | None = None


@dataclass(frozen=True, slots=True)
class ShoeRecord:
    """A shoe from its commitment to its end; without a mix it has not been cut."""

    number: int
    context: ShoeContext
    salt: bytes
    commitment: bytes
    source: str
    mix: bytes | None = None
    cuts: tuple[Cut, ...] = ()  # that were committed


@dataclass(frozen=True, slots=True)
class Link:
    """A progressive that a jackpot game of this table feeds, and this table's parts of a cent."""

    jackpot: int
    reserve_rate: int = 0
    remainder: int = 0
    reserve_remainder: int = 0


class Outcome(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    VOID = "void"


@record(frozen=True, slots=True)
class RoundRecord:
    """A round by its number, its shoe, and the entries from the first to the last."""

    number: int
    shoe: int
    first_version: int
    last_version: int | None = None
    outcome: Outcome = Outcome.OPEN


@dataclass(frozen=True, slots=True)
class EndedShoe:
    """A shoe that everybody may check; without a seed its key is lost, and nobody can."""

    shoe: ShoeRecord
    seed: bytes | None
    version: int  # of the entry that ended it
    position: Position


class TableState:
    """Everything that is known of one table, the round in play included."""

    __slots__ = (
        "ask",
        "balances",
        "barred",
        "chips",
        "clocks",
        "closes",
        "cuts",
        "deadline",
        "ended_rounds",
        "ended_shoes",
        "head",
        "house",
        "in_play",
        "links",
        "live",
        "lost",
        "name",
        "next_shoe",
        "number",
        "opened",
        "position",
        "ready",
        "round",
        "rounds",
        "rules",
        "seats",
        "spots",
        "status",
    )

    def __init__(self, house: str, head: Head, name: str, rules: Rules, clocks: Clocks) -> None:
        self.house = house
        self.number = head.book
        self.head = head
        self.name = name
        self.rules = rules
        self.clocks = clocks
        self.status = TableStatus.OPEN
        self.closes = False  # somebody said so, whatever came between
        self.seats: Mapping[int, Seat] = {}
        self.spots: Mapping[int, int] = {}  # seat by spot
        self.links: Mapping[int, Link] = {}  # by jackpot game
        self.balances: dict[str, int] = {}  # of the table's own accounts, by code
        # --- shoes ---
        self.next_shoe: ShoeRecord | None = None  # committed, not yet cut
        self.in_play: ShoeRecord | None = None
        self.live: LiveShoe | None = None  # the cards of the shoe in play
        self.lost = False  # the house's key does not open these shoes
        self.position = START  # of the shoe in play before the open round
        self.cuts: Mapping[int, Cut] = {}  # of the next shoe, by seat
        self.barred: frozenset[str] = frozenset()  # persons who withheld a cut here
        # --- the round ---
        self.rounds = 0  # that were opened
        self.opened: RoundRecord | None = None
        self.round: RoundState | None = None
        self.chips = Chips()
        self.ask: Ask | None = None
        self.deadline: int | None = None
        self.ready: frozenset[int] = frozenset()  # seats
        # --- what ended since these were last written down ---
        self.ended_rounds: tuple[RoundRecord, ...] = ()
        self.ended_shoes: tuple[EndedShoe, ...] = ()

    def copy(self) -> TableState:
        twin = TableState.__new__(TableState)
        twin.house = self.house
        twin.number = self.number
        twin.head = self.head
        twin.name = self.name
        twin.rules = self.rules
        twin.clocks = self.clocks
        twin.status = self.status
        twin.closes = self.closes
        twin.seats = self.seats
        twin.spots = self.spots
        twin.links = self.links
        twin.balances = dict(self.balances)
        twin.next_shoe = self.next_shoe
        twin.in_play = self.in_play
        twin.live = self.live.copy() if self.live else None
        twin.lost = self.lost
        twin.position = self.position
        twin.cuts = self.cuts
        twin.barred = self.barred
        twin.rounds = self.rounds
        twin.opened = self.opened
        twin.round = self.round.copy() if self.round else None
        twin.chips = self.chips.copy()
        twin.ask = self.ask
        twin.deadline = self.deadline
        twin.ready = self.ready
        twin.ended_rounds = self.ended_rounds
        twin.ended_shoes = self.ended_shoes
        return twin

    # --- who ---

    def seat_of(self, person: str) -> Seat | None:
        for seat in self.seats.values():
            if seat.person == person:
                return seat
        return None

    def spots_of(self, seat: int) -> list[int]:
        return [spot for spot, owner in self.spots.items() if owner == seat]

    def is_absent(self, spot: int) -> bool:
        """Nobody answers for this spot: its asks get their defaults."""
        seat = self.seats.get(self.spots.get(spot, 0))
        return seat is None or seat.status is not SeatStatus.HERE

    @property
    def present(self) -> list[Seat]:
        return [seat for seat in self.seats.values() if seat.status is SeatStatus.HERE]

    @property
    def players(self) -> list[Seat]:
        """Seats that are here and have a spot to play."""
        playing = set(self.spots.values())
        return [seat for seat in self.present if seat.number in playing]

    # --- chips ---

    def stack_code(self, seat: int) -> str:
        return account_code(AccountKind.STACK, self.number, seat)

    def stack(self, seat: int) -> int:
        return self.balances.get(self.stack_code(seat), 0)

    @property
    def bank(self) -> int:
        return self.balances.get(account_code(AccountKind.BANK, self.number), 0)

    @property
    def stake(self) -> int:
        return self.balances.get(account_code(AccountKind.STAKE, self.number), 0)

    def has_wagers(self, seat: int) -> bool:
        """Chips of this seat are in the open round, or wait for its end."""
        if self.round is None:
            return False
        return any(self.spots.get(spot) == seat for spot in self.round.spots)

    @property
    def layout(self) -> Layout:
        return Layout(
            table=self.number,
            seats=self.spots,
            persons={seat.number: int(seat.person) for seat in self.seats.values()},
            jackpots={game: link.jackpot for game, link in self.links.items()},
            round_number=self.opened.number if self.opened else None,
        )

    # --- the round ---

    @property
    def open_round(self) -> RoundState:
        assert self.round is not None, "no round is open"
        return self.round

    @property
    def waiting(self) -> Waiting:
        return waiting_for(self.round) if self.round else NothingWanted()

    @property
    def is_dealt(self) -> bool:
        """Cards are on the table, so nobody's chips may leave it."""
        return self.round is not None and self.round.stage is not Stage.WAGERS


def with_status(seat: Seat, status: SeatStatus) -> Seat:
    return replace(seat, status=status)
