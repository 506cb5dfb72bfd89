"""What surrounded a command when it was carried out, as the books have it.

Time, names, meters and rates are read from the entry. Cards come from the shoe's seed: the one
that was revealed, or for a shoe still in play the one that the house's key gives. Without the key
the cards of such a shoe are taken as told, and the audit says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, Row, func, select

from ventiuna.engine.events import CardDealt
from ventiuna.engine.stakes import Stakes
from ventiuna.errors import VentiunaError
from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.stored import stored_entries, stored_events
from ventiuna.table.events import JackpotLinked, RoundOpened, SeatTaken, ShoeCommitted, ShoeRevealed
from ventiuna.table.ledger.chain import Data, Entry
from ventiuna.table.play.codec import event_from_data
from ventiuna.table.play.state import ShoeRecord, TableState
from ventiuna.table.play.turn import Surroundings
from ventiuna.table.shoes.entropy import Source
from ventiuna.table.shoes.fairness import ShoeContext, shoe_commitment
from ventiuna.table.shoes.house_key import HouseKey
from ventiuna.table.shoes.shoe import START, LiveShoe, Position, ShoeError
from ventiuna.table.store.schema import entry as entry_table
from ventiuna.table.store.schema import shoe as shoe_table

OnTop = Callable[[bytes], tuple[int, ...]]
_ENOUGH = 2**62  # cents: what was bought was covered, or the database had refused it


class NotRecorded(VentiunaError):
    """The command asks for something that its entry does not tell."""


def nothing_on_top(salt: bytes) -> tuple[int, ...]:
    """At real tables nobody lays cards on a shoe."""
    return ()


@dataclass(frozen=True, slots=True)
class Told:
    """An entry's events as far as its command needs to know them beforehand."""

    named: Mapping[str, Sequence[Data]] = field(default_factory=dict)  # by kind of event

    @classmethod
    def of(cls, events: Sequence[Data]) -> Told:
        named: dict[str, list[Data]] = {}
        for data in events:
            if (name := data.get("event")) in _NEEDED:
                named.setdefault(str(name), []).append(data)
        return cls(named)

    def of_kind(self, kind: type) -> Iterator[Data]:
        yield from self.named.get(kind.__name__, ())


_NEEDED = frozenset(
    ("SeatTaken", "ShoeCommitted", "ShoeRevealed", "RoundOpened", "JackpotLinked", "MetersShown")
)


def surroundings(state: TableState, entry: Entry, told: Told, shoes: RecordedShoes) -> Surroundings:
    """Those of the moment in which the entry was written."""
    return Surroundings(
        at=entry.at,
        shoes=shoes,
        wallets={seat.person: _ENOUGH for seat in state.seats.values()},
        holds=dict.fromkeys(state.seats, entry.at),
        shown=_shown(state, told),
        reserve_rates={
            _number(data, "jackpot"): _number(data, "reserve_rate")
            for data in told.of_kind(JackpotLinked)
        },
        read_meters=lambda jackpots, _: _meters(told, jackpots),
    )


def name_of(told: Told) -> str:
    """How the person was called who took a seat."""
    return next((str(data.get("name")) for data in told.of_kind(SeatTaken)), "")


def _shown(state: TableState, told: Told) -> dict[int, int]:
    for data in told.of_kind(RoundOpened):
        meters = data.get("meters")
        if isinstance(meters, Mapping):
            return {
                link.jackpot: meters[str(game)]
                for game, link in state.links.items()
                if str(game) in meters
            }
    return {}


def _meters(told: Told, jackpots: Mapping[int, int]) -> Stakes[int]:
    for data in told.named.get("MetersShown", ()):
        shown = data.get("meters")
        if isinstance(shown, Mapping) and all(str(game) in shown for game in jackpots):
            return Stakes({game: int(shown[str(game)]) for game in jackpots})
    raise NotRecorded("an award is due, and the entry shows no meters")


def _number(data: Data, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else -1


# --- shoes ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Notes:
    """What could not be checked, each thing once."""

    told: dict[str, None] = field(default_factory=dict)

    def add(self, note: str) -> None:
        self.told[note] = None


class RecordedShoes:
    """The shoes of one table; each is looked up when it is committed."""

    def __init__(
        self,
        connection: Connection,
        table: int,
        key: HouseKey | None,
        on_top: OnTop,
        differences: Differences,
        notes: Notes,
    ) -> None:
        self._connection = connection
        self._table = table
        self._key = key
        self._on_top = on_top
        self._differences = differences
        self._notes = notes
        self._told = Told()
        self._version = 0
        # Up to this shoe the house had another key, which is lost.
        self._last_lost = _last_lost(connection, table)
        self._seeds: dict[int, bytes | None] = {}  # of the shoes committed and in play

    def listen(self, version: int, told: Told) -> None:
        """The entry whose command is carried out next."""
        self._version = version
        self._told = told

    def is_known(self, number: int) -> bool:
        """The order of this shoe's cards could be worked out."""
        return self._seeds.get(number) is not None

    # --- what a table asks for ---

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return self._on_top(salt)

    def new_shoe(self, context: ShoeContext) -> ShoeRecord:
        for data in self._told.of_kind(ShoeCommitted):
            if data.get("shoe") == context.number:
                return self._committed(context, bytes.fromhex(str(data.get("commitment"))))
        raise NotRecorded(f"shoe {context.number} is committed, and the entry does not tell it")

    def fits(self, shoe: ShoeRecord) -> bool:
        return True  # whether a key was lost is told by the entry itself

    def seed(self, shoe: ShoeRecord) -> bytes:
        seed = self._seeds.get(shoe.number)
        if seed is not None:
            return seed
        for data in self._told.of_kind(ShoeRevealed):
            if data.get("shoe") == shoe.number:
                return bytes.fromhex(str(data.get("seed")))
        raise NotRecorded(f"shoe {shoe.number} is revealed, and the entry does not tell it")

    def live(self, shoe: ShoeRecord, position: Position = START) -> LiveShoe:
        assert shoe.mix is not None, "a shoe is dealt from after it was cut"
        seed = self._seeds.get(shoe.number)
        if seed is not None:
            return LiveShoe(shoe.context, seed, shoe.mix, position, self._on_top(shoe.salt))
        return self._as_told(shoe, shoe.mix)

    # --- where seeds are found ---

    def _committed(self, context: ShoeContext, commitment: bytes) -> ShoeRecord:
        shoe = shoe_table
        row = self._connection.execute(
            select(shoe).where(shoe.c.table_id == self._table, shoe.c.number == context.number)
        ).first()
        self._seeds.pop(context.number - 2, None)
        self._seeds[context.number] = self._found_seed(context, commitment, row)
        salt, source = (row.salt, row.source) if row is not None else (b"", str(Source.OS))
        return ShoeRecord(context.number, context, salt, commitment, source)

    def _found_seed(
        self, context: ShoeContext, commitment: bytes, row: Row[*tuple[object, ...]] | None
    ) -> bytes | None:
        """The first that gives the commitment, of all that may be it."""
        by_key = self._seed_by_key(context, commitment, row)
        if by_key is not None:
            return by_key
        if row is None:
            return None
        revealed = [self._revealed(context.number, row.closed_version), row.seed]
        for seed in revealed:
            if seed is not None and shoe_commitment(context, seed) == commitment:
                return bytes(seed)
        if revealed != [None, None]:
            self._tell(
                f"the seed of shoe {context.number}",
                "one that does not give the commitment",
                "its cards can't be checked",
            )
        elif context.number <= self._last_lost:
            self._notes.add("Cards of shoes whose key was lost were taken as told.")
        elif self._key is None:
            self._notes.add(
                "Cards of shoes that are still in play were taken as told, and salts were not "
                "checked: that needs the house's key."
            )
        return None

    def _seed_by_key(
        self, context: ShoeContext, commitment: bytes, row: Row[*tuple[object, ...]] | None
    ) -> bytes | None:
        if self._key is None or row is None or context.number <= self._last_lost:
            return None
        seed = self._key.seed(context, row.salt)
        if shoe_commitment(context, seed) == commitment:
            return seed
        self._tell(
            f"the salt of shoe {context.number}",
            "one that does not give the commitment with the house's key",
            "another salt, or another key",
        )
        return None

    def _revealed(self, number: int, version: int | None) -> bytes | None:
        """The seed as the entry of this version tells it."""
        if version is None:
            return None
        written = entry_table
        row = self._connection.execute(
            select(written.c.events, written.c.engine).where(
                written.c.book_id == self._table, written.c.version == version
            )
        ).first()
        for data in (stored_events(row.events) or ()) if row is not None else ():
            if data.get("event") == ShoeRevealed.__name__ and data.get("shoe") == number:
                return _bytes(data.get("seed"))
        return None

    def _as_told(self, shoe: ShoeRecord, mix: bytes) -> LiveShoe:
        """A shoe whose cards are those that the book tells of it."""
        cards = list(self._cards_told(shoe.number))
        most = shoe.context.size - shoe.context.burn
        try:
            return LiveShoe(shoe.context, bytes(32), mix, START, cards[:most])
        except ShoeError:
            raise NotRecorded(f"shoe {shoe.number} has not the cards that were dealt") from None

    def _cards_told(self, number: int) -> Iterator[int]:
        for stored in stored_entries(self._connection, self._table, self._version - 1):
            for data in stored_events(stored.entry.events) or ():
                if data.get("event") == "ShoeCut" and data.get("shoe") != number:
                    return
                if data.get("event") == CardDealt.__name__:
                    event = event_from_data(data, stored.entry.engine)
                    if isinstance(event, CardDealt) and event.card is not None:
                        yield event.card

    def _tell(self, what: str, stored: str, follows: str) -> None:
        place = Place(self._table, self._version)
        self._differences.add(Kind.SHOE, place, what, stored, follows)


def _last_lost(connection: Connection, table: int) -> int:
    shoe = shoe_table
    query = select(func.max(shoe.c.number)).where(shoe.c.table_id == table, shoe.c.lost == 1)
    return connection.scalar(query) or 0


def _bytes(text: object) -> bytes | None:
    try:
        return bytes.fromhex(str(text))
    except ValueError:
        return None
