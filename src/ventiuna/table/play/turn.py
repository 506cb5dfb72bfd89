"""One command as it is carried out on a copy of a table: its events and what they move.

Nothing here is kept unless the whole command succeeds and is committed. Whatever is not a
function of the table, such as time, cards and meters of others, is asked of the surroundings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused, execute
from ventiuna.engine.commands import Command
from ventiuna.engine.events import WagerSettled
from ventiuna.engine.stakes import Stakes
from ventiuna.money import money_text
from ventiuna.table import events as ev
from ventiuna.table.events import TableEvent
from ventiuna.table.jackpots.contributions import pending_of
from ventiuna.table.ledger.chain import Posting
from ventiuna.table.ledger.chart import PostingCode
from ventiuna.table.ledger.postings import MOVES_MONEY, Layout, postings_of
from ventiuna.table.play.folding import follow, post
from ventiuna.table.play.state import ShoeRecord, TableState
from ventiuna.table.shoes.fairness import ShoeContext
from ventiuna.table.shoes.shoe import START, LiveShoe, Position

_CHANGES_LAYOUT = (
    ev.SeatTaken,
    ev.SpotsChosen,
    ev.SeatLeft,
    ev.RoundOpened,
    ev.RoundClosed,
    ev.JackpotLinked,
    ev.JackpotUnlinked,
)
# A round ends in the database while no chips lie there, and a seat is free before it is taken.
_ROWS_FIRST = (ev.RoundClosed, ev.SeatLeft)


_NONE: Stakes[Any] = Stakes({})


class WantsMeters(Exception):  # not an error: the command must run by itself
    """An award is due: the command has to hold the jackpots while it is carried out."""

    def __init__(self, games: tuple[int, ...]) -> None:
        self.games = games
        super().__init__(games)


class Shoes(Protocol):
    """Who makes shoes: the house's key and its source of chance."""

    def new_shoe(self, context: ShoeContext) -> ShoeRecord:
        """Commit to a shoe."""

    def seed(self, shoe: ShoeRecord) -> bytes:
        """The secret behind the commitment."""

    def fits(self, shoe: ShoeRecord) -> bool:
        """Whether the house's key is the one that the shoe was committed with."""

    def live(self, shoe: ShoeRecord, position: Position = START) -> LiveShoe:
        """The cards of a shoe that was cut."""

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        """Cards that a test has laid on top of the shoe with this salt."""


# What the meters show, from the jackpot and this command's own contribution, each by game.
ReadMeters = Callable[[Mapping[int, int], Mapping[int, int]], Stakes[int]]


class Surroundings(NamedTuple):
    """What a table can't know by itself."""

    at: int
    shoes: Shoes
    wallets: Mapping[str, int] = _NONE  # cents by person
    holds: Mapping[int, int] = _NONE  # until when, by seat without a client
    suspended: frozenset[int] = frozenset()  # jackpots that take no wagers
    shown: Mapping[int, int] = _NONE  # last known display by jackpot
    reserve_rates: Mapping[int, int] = _NONE  # of jackpots to be linked
    read_meters: ReadMeters | None = None  # None: the command does not hold the jackpots


@dataclass(frozen=True, slots=True)
class Awards:
    """Where awards stand among what a command does: whose seats they reach, and how many of the
    table's postings come before them."""

    layout: Layout
    postings_before: int


class Turn:
    """A command under way."""

    def __init__(self, state: TableState, around: Surroundings) -> None:
        self.state = state
        self.around = around
        self.events: list[TableEvent] = []
        self.postings: list[Posting] = []
        self.awards: Awards | None = None
        self.rows_first = False  # they are written before the table's next command
        self._layout: Layout | None = None  # made for the first event that moves money

    def emit(self, event: ev.OwnEvent) -> None:
        """Something of the table itself has happened."""
        self._record(event)
        if isinstance(event, _CHANGES_LAYOUT):
            self._layout = None
        if isinstance(event, _ROWS_FIRST):
            self.rows_first = True

    def play(self, command: Command) -> None:
        """Hand a command to the round."""
        for event in execute(self.state.open_round, command):
            self._record(event)

    def _record(self, event: TableEvent) -> None:
        state = self.state
        number = state.head.events + len(self.events) + 1
        if type(event) in MOVES_MONEY:
            self._post(event, number)
        follow(state, event, number, self.around.at)
        self.events.append(event)

    def _post(self, event: TableEvent, number: int) -> None:
        state = self.state
        for posting in postings_of(event, number, state.chips, self.layout):
            post(state, posting)
            self._check_covered(posting)
            self.postings.append(posting)
        if isinstance(event, WagerSettled) and event.meter:
            self._take_award(event)

    @property
    def layout(self) -> Layout:
        """Whose chips lie where by now."""
        if self._layout is None:
            self._layout = self.state.layout
        return self._layout

    def _take_award(self, award: WagerSettled) -> None:
        """The chips are the seat's from now on; the posting stands in the jackpot's own entry."""
        if self.awards is None:
            self.awards = Awards(self.layout, len(self.postings))
        post_award(self.state, self.layout, award)

    def _check_covered(self, posting: Posting) -> None:
        short = -self.state.balances.get(posting.from_account, 0)
        if short > 0 and posting.from_account.startswith("stack/"):
            has = posting.amount - short
            raise Refused(
                RefusalCode.NOT_COVERED,
                (),
                f"This takes {money_text(posting.amount)}, and you have {money_text(has)} "
                "in chips left: buy some, or wager less.",
            )

    # --- meters ---

    def read_meters(self, games: tuple[int, ...]) -> Stakes[int]:
        """What the linked jackpots show now, this very command's contributions included (O-19)."""
        if self.around.read_meters is None:
            raise WantsMeters(games)
        jackpots = {game: self.state.links[game].jackpot for game in games}
        return self.around.read_meters(jackpots, self._contributed())

    def _contributed(self) -> dict[int, int]:
        """Cents by jackpot game that this command adds to the table's stripes."""
        return {game: pending_of(self.events, game).meter for game in self.state.links}


def post_award(state: TableState, layout: Layout, award: WagerSettled) -> None:
    """What a table knows of an award: the chips in the stack of whoever plays the spot."""
    if award.paid:
        meter = f"meter/{layout.jackpots[award.meter]}"
        post(state, Posting(PostingCode.AWARD, meter, layout.stack_of(award.spot), award.paid))
