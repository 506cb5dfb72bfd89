"""Tables that play rounds with given cards and feed progressives, using real rows.

As in the service, a round that wins an award locks its jackpots, reads their displayed amounts, and
writes an entry in their books right after its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from sqlalchemy import Connection

from tests.table.ledger import AT, posting, request, write
from ventiuna.cards import parse_cards
from ventiuna.core import meters
from ventiuna.engine import RoundState, default_command, execute, waiting_for
from ventiuna.engine import commands as do
from ventiuna.engine.chips import Chips
from ventiuna.engine.commands import Command
from ventiuna.engine.events import ENGINE, MeterRaised, MetersShown, Stakes
from ventiuna.engine.prompts import CardWanted, MetersWanted, NothingWanted
from ventiuna.rules import Rules
from ventiuna.table.domain.commands import event_data
from ventiuna.table.domain.events import (
    ChipAccounts,
    JackpotLinked,
    JackpotUnlinked,
    ReserveRaised,
    RoundClosed,
    RoundOpened,
    TableEvent,
    pending_contributions,
    postings_of,
)
from ventiuna.table.jackpots.progressive import (
    CreateJackpot,
    LinkTable,
    MeterCommand,
    MeterSnapshot,
    Progressive,
    RemoveJackpot,
    UnlinkTable,
    displayed_amount,
    settings_of,
)
from ventiuna.table.jackpots.repository import (
    JackpotEntry,
    Sender,
    award_entry,
    create_progressive,
    handle,
    lock_jackpots,
    read_jackpots,
    remove_jackpot,
    save_entries,
    sent_by_table,
)
from ventiuna.table.journal import (
    BookKind,
    account_numbers,
    append,
    lock_accounts,
    lock_books,
    open_book,
)
from ventiuna.table.ledger import Entry, EntryRequest, Posting, request_hash
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import game_table, link

WHY = "a test"
_keys = count(1)


def sender(at: int = AT) -> Sender:
    return Sender("person/1", f"operator-{next(_keys)}", at)


def create(store: Store, rules: Rules, game: int = 1, **more: int) -> int:
    """Create a progressive for this jackpot game in the rules."""
    command = CreateJackpot(f"game {game}", settings_of(rules, game).data(), WHY, **more)
    with store.write() as connection:
        return create_progressive(connection, command, sender()).number


def order(store: Store, jackpot: int, command: MeterCommand) -> Progressive:
    """Run an operator's command."""
    with store.write() as connection:
        return handle(connection, jackpot, command, sender())


def remove(store: Store, jackpot: int, to: int | None) -> list[JackpotEntry]:
    with store.write() as connection:
        return remove_jackpot(connection, jackpot, RemoveJackpot(to, WHY), sender())


def read(store: Store, jackpot: int) -> MeterSnapshot:
    with store.read() as connection:
        return read_jackpots(connection, [jackpot])[jackpot]


@dataclass
class Deal:
    """A round with given cards: two per spot, the dealer's two, then the draws."""

    hands: Mapping[int, str]
    dealer: str
    drawn: str = "Kd Kh Kc Kd Kh Kc"
    base: int = 2000
    mtd: Mapping[str, int] = field(default_factory=dict)
    games: tuple[int, ...] = (1,)
    actions: Sequence[Command] = ()  # followed by the defaults

    def cards(self) -> Iterator[int]:
        hands = [parse_cards(cards) for _, cards in sorted(self.hands.items())]
        up, down = parse_cards(self.dealer)
        yield from (hand[0] for hand in hands)
        yield up
        yield from (hand[1] for hand in hands)
        yield down
        yield from parse_cards(self.drawn)


class FloorTable:
    """A table where each seat has the same number as its spot."""

    def __init__(self, store: Store, rules: Rules, stack: int = 1_000_000) -> None:
        self.store = store
        self.rules = rules
        self.jackpots: dict[int, int] = {}
        self.rates: dict[int, int] = {}
        self.remainders: dict[int, list[int]] = {}  # for meter and reserve
        self.rounds = 0
        with store.write() as connection:
            self.number = open_book(connection, BookKind.TABLE).book
            connection.execute(
                game_table.insert().values(
                    id=self.number,
                    name=f"Table {self.number}",
                    rules_name=rules.name,
                    rules_fingerprint="f",
                    rules_data="{}",
                    state="open",
                    clocks="{}",
                )
            )
            if stack:
                self.buy_in(connection, stack)

    def buy_in(self, connection: Connection, stack: int) -> None:
        lines = [
            line
            for seat in range(1, self.rules.seats + 1)
            for line in (
                posting("issue", f"mint > wallet/{seat}", stack),
                posting("buy_in", f"wallet/{seat} > stack/{self.number}/{seat}", stack),
            )
        ]
        write(connection, open_book(connection, BookKind.CASHIER).book, request(*lines))

    @property
    def layout(self) -> ChipAccounts:
        seats = {spot: spot for spot in range(1, self.rules.seats + 1)}
        return ChipAccounts(self.number, seats, seats, self.jackpots, self.rounds)

    # --- links ---

    def link(self, jackpot: int, game: int = 1) -> None:
        settings = settings_of(self.rules, game).hash.hex()
        with self.store.write() as connection:
            rate = read_jackpots(connection, [jackpot])[jackpot].jackpot.reserve_rate
            entry = self._write(connection, [JackpotLinked(game, jackpot, rate)], ())
            command = LinkTable(self.number, game, settings, WHY)
            handle(
                connection, jackpot, command, sent_by_table(self.number, entry.version, jackpot, AT)
            )
            connection.execute(
                link.insert().values(
                    jackpot_id=jackpot,
                    table_id=self.number,
                    game=game,
                    remainder=0,
                    reserve_remainder=0,
                )
            )
        self.jackpots[game] = jackpot
        self.rates[game] = rate
        self.remainders[game] = [0, 0]

    def unlink(self, game: int = 1) -> None:
        jackpot = self.jackpots.pop(game)
        with self.store.write() as connection:
            entry = self._write(connection, [JackpotUnlinked(game, jackpot)], ())
            command = UnlinkTable(self.number, WHY)
            handle(
                connection, jackpot, command, sent_by_table(self.number, entry.version, jackpot, AT)
            )
            connection.execute(
                link.delete().where(link.c.table_id == self.number, link.c.game == game)
            )

    # --- rounds ---

    def contribute(self, wagers: int = 1) -> None:
        """Close betting with this many wagers on jackpot 1, then void the round."""
        spots = dict.fromkeys(range(1, wagers + 1), "")
        with self.store.write() as connection:
            turn = _Turn(self, connection, Deal(spots, ""))
            turn.open()
            turn.play(do.VoidRound(WHY))
            turn.commit()

    def play(self, deal: Deal, *, commands: int = 1) -> list[TableEvent]:
        """Play a whole round, with wagers in the same command or in an earlier one."""
        events: list[TableEvent] = []
        with self.store.write() as connection:
            turn = _Turn(self, connection, deal)
            turn.open()
            if commands > 1:
                events += turn.commit()
            turn.finish()
            events += turn.commit()
        return events

    def _write(
        self, connection: Connection, events: Sequence[TableEvent], postings: Sequence[Posting]
    ) -> Entry:
        entry = self.entry(connection, events, postings)
        append(connection, [entry])
        return entry

    def entry(
        self, connection: Connection, events: Sequence[TableEvent], postings: Sequence[Posting]
    ) -> Entry:
        command: dict[str, object] = {"command": "Test"}
        head = lock_books(connection, [self.number])[self.number]
        asked = EntryRequest(
            actor="person/2",
            key=f"play-{next(_keys)}",
            at=AT,
            request=request_hash(command),
            command=command,
            events=[event_data(event) for event in events],
            engine=ENGINE,
            postings=tuple(postings),
        )
        return head.next_entry(asked)[0]


class _Turn:
    def __init__(self, table: FloorTable, connection: Connection, deal: Deal) -> None:
        self.table = table
        self.connection = connection
        self.deal = deal
        self.cards: Iterator[int] = iter(())
        self.chips = Chips()
        self.events: list[TableEvent] = []
        self.postings: list[Posting] = []
        self.readings: dict[int, MeterSnapshot] = {}
        self.state = RoundState(
            table.rules,
            [
                (game.seed, table.remainders.get(number, [0])[0])
                for number, game in enumerate(table.rules.jackpots, start=1)
            ],
        )
        self.head = lock_books(connection, [table.number])[table.number]

    def open(self) -> None:
        self.table.rounds += 1
        self.record(RoundOpened(self.table.rounds, 1))
        games = {game: self.table.rules.jackpots[game - 1].wager for game in self.deal.games}
        for spot in self.deal.hands:
            self.play(do.PlaceWagers(spot, self.deal.base, str(spot), self.deal.mtd, games))
        self.play(do.CloseWagers())
        self._raise_reserves()

    def _raise_reserves(self) -> None:
        for spot in self.state.order:
            for game, stake in spot.jackpots.items():
                if rate := self.table.rates.get(game, 0):
                    parts = self.table.remainders[game]
                    added = stake * rate
                    amount = meters.raised_by(parts[1], added)
                    parts[1] = meters.remainder_after(parts[1], added)
                    self.record(ReserveRaised(game, amount, parts[1]))

    def finish(self) -> None:
        self.cards = self.deal.cards()
        actions = iter(self.deal.actions)
        while not isinstance(wanted := waiting_for(self.state), NothingWanted):
            if isinstance(wanted, CardWanted):
                self.play(do.DealCard(next(self.cards)))
            elif isinstance(wanted, MetersWanted):
                self.play(do.ShowMeters(self.read_meters(wanted.games)))
            else:
                command = next(actions, None) or default_command(self.state)
                assert command is not None
                self.play(command)
        self.record(RoundClosed(self.table.rounds))

    def read_meters(self, games: tuple[int, ...]) -> Stakes[int]:
        numbers = {game: self.table.jackpots[game] for game in games}
        readings = lock_jackpots(self.connection, sorted(numbers.values()))
        self.readings = {game: readings[number] for game, number in numbers.items()}
        return Stakes(
            {
                game: displayed_amount(reading, pending_contributions(self.events, game).meter)
                for game, reading in self.readings.items()
            }
        )

    def play(self, command: Command) -> None:
        for event in execute(self.state, command):
            self.record(event)

    def record(self, event: TableEvent) -> None:
        number = self.head.events + len(self.events) + 1
        self.postings += postings_of(event, number, self.chips, self.table.layout)
        self.chips.add(event)  # type: ignore[arg-type]  # own events move no chips of a round
        if isinstance(event, MeterRaised) and event.game in self.table.remainders:
            self.table.remainders[event.game][0] = event.remainder
        self.events.append(event)

    def _lock_stripes(self) -> None:
        """Lock in a fixed order, so that awards can't deadlock."""
        codes = {line.to_account for line in self.postings}
        stripes = [code for code in codes if code.startswith(("meter/", "reserve/"))]
        lock_accounts(self.connection, account_numbers(self.connection, stripes).values())

    def commit(self) -> list[TableEvent]:
        entry = self.table.entry(self.connection, self.events, self.postings)
        self._lock_stripes()
        append(self.connection, [entry])
        if any(isinstance(event, MetersShown) for event in self.events):
            save_entries(
                self.connection,
                [
                    award_entry(reading, self.table.layout, game, self.events, entry)
                    for game, reading in self.readings.items()
                ],
            )
        events, self.events, self.postings = self.events, [], []
        self.head = lock_books(self.connection, [self.table.number])[self.table.number]
        return events
