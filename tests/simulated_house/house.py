"""A simulated house built from its seed: set up, run with faults, then without them, and audited.

The same seed gives exactly the same house, down to the last message. Excluding one kind of fault
doesn't change the chances of the others.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert
from sqlalchemy.exc import DBAPIError

from tests.simulated_house.checks import Checker, CheckFailed
from tests.simulated_house.disk import Disk, FaultyStore, SqliteDisk
from tests.simulated_house.operators import (
    OPERATOR,
    REASON,
    STAFF,
    Approver,
    FloorPerson,
    Operator,
)
from tests.simulated_house.players import Player
from tests.simulated_house.servers import Server
from tests.simulated_house.world import MINUTE, SECOND, START, FaultKind, Faults, FaultStrike, World
from tests.support.entropy import TestEntropy
from tests.support.rule_sets import (
    DRAWN_PRESETS,
    random_choices,
    random_jackpots,
    random_rules,
)
from ventiuna.cards import parse_cards
from ventiuna.core.cards import CARDS
from ventiuna.engine import RoundState
from ventiuna.engine.wagers import wager_options
from ventiuna.rules import Rules, fingerprint, load_rules, rules_data
from ventiuna.rules.model import JackpotKind
from ventiuna.table import accounts
from ventiuna.table.accounts import Person, add_guest, issue_tokens
from ventiuna.table.admin import HOUSE_FORMAT, create_table
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.domain import commands as do
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.domain.state import ShoeRecord
from ventiuna.table.duties import SeparateDuties
from ventiuna.table.fairness import SHOE_START as START_OF_SHOE
from ventiuna.table.fairness import Entropy, HouseKey, LiveShoe, Position
from ventiuna.table.jackpots.progressive import CreateJackpot, ProgressiveSettings, settings_of
from ventiuna.table.jackpots.repository import Sender, create_progressive
from ventiuna.table.journal import BookKind, open_book
from ventiuna.table.ledger import canonical_json
from ventiuna.table.store import schema
from ventiuna.table.writer import HouseContext

COMMANDS = 1000  # journal entries per run
LONGEST = 60 * MINUTE  # virtual time under faults
PEACE = 10 * MINUTE  # virtual time without faults, in which everything must finish
WALLET = 5_000_000  # cents
TOKENS_EVERY = 5 * MINUTE
# Rules for houses with supervisors and hand-pay: 24 stacked cards win bonuses and awards.
WINNING = (
    "wsgc-2021(decks=8,jackpots=3d:1:seed=1000)",
    "wsgc-2021(decks=8,jackpots=3d:1:kind=house:seed=1000)",
)
ExcludedFaults = frozenset[FaultKind | FaultStrike]


@dataclass
class RunSummary:
    """Summary of a run."""

    seed: int
    commands: int = 0
    milliseconds: int = 0
    deaths: int = 0
    views: int = 0  # people's views compared with the server's
    books: str = ""  # hash of everything in the books
    faults: Counter[FaultKind] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)  # events by kind


class SimulatedHouse:
    def __init__(
        self, seed: int, left_out: ExcludedFaults = frozenset(), disk: Disk | None = None
    ) -> None:
        self.seed = seed
        self.world = World(seed)
        self.faults = Faults(seed, left_out)
        self.disk = disk or SqliteDisk()
        self._setting_up = random.Random(f"setup/{seed}")
        self._procedures = random.Random(f"procedures/{seed}")
        self.is_separate = self._procedures.random() < 0.4
        self._has_procedures = self._procedures.random() < 0.5
        self._key = HouseKey(bytes(32))
        self._entropy = TestEntropy(seed)
        self._shoes = _KeptShoes(self._key, self._entropy)
        self._house = f"house-{seed}"
        self.checker = Checker(self.disk, self._key)
        self._rules_of: dict[int, Rules] = {}
        self._jackpots: dict[bytes, int] = {}  # jackpots by the hash of their settings
        self._tokens: dict[str, str] = {}
        self._tokens_at = 0
        self._persons: list[Person] = []
        self._set_up()

    # --- setup ---

    def _set_up(self) -> None:
        chance = self._setting_up
        with self.disk.store.write() as connection:
            row = {"id": self._house, "only": 1, "name": "Simulated", "format": HOUSE_FORMAT}
            connection.execute(insert(schema.house).values(**row))
            open_book(connection, BookKind.CASHIER)
            for number in range(chance.randint(3, 12)):
                person = add_guest(connection, f"Guest {number}", START, chance.randbytes)
                self._persons.append(person)
                money = accounts.IssueMoney(person.id, WALLET, REASON)
                accounts.handle_cashier_command(
                    connection, OPERATOR, f"issue-{number}", money, START
                )
            for actor in STAFF:
                named = {"id": int(actor.person), "name": actor.called}
                rest = {"kind": "guest", "role": "player", "failed": 0, "created_at": START}
                connection.execute(insert(schema.person).values(**named, **rest))
                role = accounts.GiveRole(int(actor.person), str(actor.role), REASON)
                key = f"role-{actor.person}"
                accounts.handle_cashier_command(connection, OPERATOR, key, role, START)
            if self.is_separate:
                separate = SeparateDuties(True, REASON)
                accounts.handle_cashier_command(connection, OPERATOR, "separate", separate, START)
        self._menu = [_random_table(chance) for _ in range(chance.randint(1, 3))]
        if self._has_procedures and self._procedures.random() < 0.7:
            self._menu = [load_rules(self._procedures.choice(WINNING))]
        self._rules: dict[str, Rules] = {
            canonical_json(rules_data(rules)): rules for rules in self._menu
        }
        for rules in self._menu:  # fills the caches that are keyed by rules
            fingerprint(rules)
            wager_options(rules)
            RoundState(rules)
        self._lay_favorable_shoes()
        for _ in range(chance.randint(1, 4)):
            self._open(HouseContext(self._house, self._shoes))
        self.checker.committed()
        self.servers = [
            Server(
                self.world,
                self.faults,
                FaultyStore(self.disk, self.faults),
                self._house,
                self._shoes,
                self._rules,
                self.checker,
            )
            for _ in range(chance.randint(1, 3))
        ]
        self.operator = Operator(self)
        self.floor_person = FloorPerson(self)
        self.approver = Approver(self)
        self.players = [Player(self, str(person.id), WALLET) for person in self._persons]
        self.world.after(SECOND, self._trouble)

    def _lay_favorable_shoes(self) -> None:
        """Stack some shoes with few distinct cards, so that jackpots are won."""
        chance = self._setting_up
        copies = min(rules.decks for rules in self._menu)
        for _ in range(chance.choice([0, 0, 2, 6])):
            ranks = [card for card in range(CARDS) if card // 4 not in (9,)]
            cards = chance.sample(ranks, 6) * copies
            chance.shuffle(cards)
            self._entropy.prescribe(cards)
        if self._has_procedures:  # suited 7s against a 7, and suited matches
            for _ in range(self._procedures.choice([2, 4])):
                cards = (
                    list(parse_cards(self._procedures.choice(["7h 7s", "7h 7s As Kd"]))) * copies
                )
                self._procedures.shuffle(cards)
                self._entropy.prescribe(cards)

    def _open(self, house: HouseContext) -> None:
        """Open a table and the jackpots that its games feed."""
        rules = self._setting_up.choice(self._menu)
        key = f"open-{len(self._rules_of)}"
        command = do.OpenTable(
            f"Table {key}",
            rules_data(rules),
            reason=REASON,
            inspection=self._required(0.3),
            supervisor=self._required(0.7),
            hand_pay=self._required(0.7),
        )
        with self.disk.store.write() as connection:
            number = create_table(connection, house, OPERATOR, key, command, self.world.now)
            for settings in self._progressives(rules):
                if settings.hash not in self._jackpots:
                    self._jackpots[settings.hash] = self._create(connection, settings)
        self._rules_of[number] = rules

    def _required(self, share: float) -> do.Requirement:
        is_on = self._procedures.random() < share and self._has_procedures
        return do.Requirement.REQUIRED if is_on else do.Requirement.OFF

    def _create(self, connection: Connection, settings: ProgressiveSettings) -> int:
        chance = self._setting_up
        command = CreateJackpot(
            f"Jackpot {len(self._jackpots)}",
            settings.data(),
            REASON,
            reserve_rate=chance.choice([0, 200, 333]),
            maximum=chance.choice([None, settings.seed + 500, settings.seed + 1_000_000]),
            advance_limit=chance.choice([None, settings.seed * 3]),
        )
        sender = Sender(OPERATOR.name, f"create-{len(self._jackpots)}", self.world.now)
        return create_progressive(connection, command, sender).number

    def _progressives(self, rules: Rules) -> list[ProgressiveSettings]:
        return [
            settings_of(rules, game)
            for game, jackpot in enumerate(rules.jackpots, start=1)
            if jackpot.kind is JackpotKind.PROGRESSIVE
        ]

    # --- what people and operators know ---

    def any_server(self) -> Server | None:
        up = [server for server in self.servers if server.is_up]
        return self.world.random.choice(up) if up else None

    def open_tables(self) -> list[int]:
        rows = self.disk.query("SELECT id FROM game_table WHERE state <> 'closed' ORDER BY id")
        return [number for (number,) in rows]

    def any_table(self) -> int | None:
        tables = self.open_tables()
        return self.world.random.choice(tables) if tables else None

    def any_person(self) -> int:
        return self.world.random.choice(self._persons).id

    def any_jackpot(self) -> int | None:
        return self.world.random.choice(list(self._jackpots.values()) or [None])

    def games(self, table: int) -> dict[int, int]:
        rules = self._rules_of[table]
        return {
            game: self._jackpots[settings_of(rules, game).hash]
            for game, jackpot in enumerate(rules.jackpots, start=1)
            if jackpot.kind is JackpotKind.PROGRESSIVE
        }

    def seeds(self, table: int) -> tuple[int, ...]:
        return tuple(jackpot.seed for jackpot in self._rules_of[table].jackpots)

    def has_house_jackpot(self, table: int, game: int) -> bool:
        jackpots = self._rules_of[table].jackpots
        return game <= len(jackpots) and jackpots[game - 1].kind is JackpotKind.HOUSE

    def token_of(self, person: str) -> str:
        """A person's current token, issued outside these sockets; empty if there is none."""
        if not self._tokens or self.world.now - self._tokens_at > TOKENS_EVERY:
            with suppress(DBAPIError):  # if the disk is full, keep using the old tokens
                self._tokens = self._new_tokens()
                self._tokens_at = self.world.now
        return self._tokens.get(person, "")

    def _new_tokens(self) -> dict[str, str]:
        with self.disk.store.write() as connection:
            tokens = {
                one.id: issue_tokens(connection, one, self.world.now, self._setting_up.randbytes)
                for one in self._persons
            }
        for person, issued in tokens.items():
            self.checker.keep_secret(issued.access, f"the token of person {person}")
        return {str(person): issued.access for person, issued in tokens.items()}

    def open_another(self, server: Server) -> None:
        self._open(server.house)

    # --- disk faults ---

    def _trouble(self) -> None:
        self.world.after(SECOND, self._trouble)
        for kind, begin, end in (
            (FaultKind.DISK_FULL, self.disk.fill, self.disk.free),
            (FaultKind.DATABASE_AWAY, self.disk.go, self.disk.come_back),
        ):
            if self.faults.strikes(kind):
                begin()
                self.world.after(self.faults.draw(kind).randint(100, 20_000), end)

    # --- running ---

    def run(self, commands: int = COMMANDS) -> RunSummary:
        """Run with faults, then without, then audit; raises `Broken`."""
        for table in self.open_tables():
            for game, jackpot in self.games(table).items():
                if self._setting_up.random() < 0.9:
                    self.operator.send(table, do.LinkJackpot(game, jackpot, REASON))
        while self.checker.commands < commands and self.world.now < START + LONGEST:
            self.world.step()
        self._make_peace()
        self._audit()
        return RunSummary(
            self.seed,
            self.checker.commands,
            self.world.now - START,
            sum(server.deaths for server in self.servers),
            self.checker.checked_views,
            self._hash_of_books(),
            self.faults.struck,
            self.checker.events,
        )

    def _make_peace(self) -> None:
        """Stop all faults: open rounds must end, and closing tables must close."""
        self.faults.stopped = True
        self.disk.free()
        self.disk.come_back()
        open_rounds = self._open_rounds()
        self._run_until(lambda: not open_rounds & self._open_rounds(), f"rounds {open_rounds}")
        for table in self.open_tables():
            self.operator.send(table, do.ResumeTable(REASON))
            self.operator.send(table, do.CloseTable(REASON))
        self._run_until(lambda: not self.open_tables(), "tables that close")
        self._run_until(lambda: not self._held_awards(), "awards to be paid by hand")
        left = {
            code: cents
            for code, cents in self.checker.ledger.held().items()
            if code.startswith(("stack/", "stake/", "bank/", "due/"))
        }
        if left:
            raise CheckFailed(f"all tables are closed, but these have chips: {left}")

    def _run_until(self, is_over: Callable[[], bool], what: str) -> None:
        end = self.world.now + PEACE
        while not is_over():
            if self.world.now > end:
                raise CheckFailed(f"unfinished after ten minutes without faults: {what}")
            known = self.checker.commands
            while self.checker.commands == known and self.world.now <= end:
                self.world.step()  # only a new journal entry can end the wait

    def _open_rounds(self) -> set[tuple[int, int]]:
        """Open rounds with chips at stake; a round without any may wait forever."""
        rows = self.disk.query(
            "SELECT table_id, number FROM round JOIN account ON code = 'stake/' || table_id "
            "WHERE outcome = 'open' AND balance > 0"
        )
        return {(table, number) for table, number in rows}

    def _held_awards(self) -> list[tuple[object, ...]]:
        return self.disk.query("SELECT table_id, number FROM held_award")

    def _audit(self) -> None:
        with self.disk.store.read() as connection:
            report = audit(connection, AuditScope(key=self._key, on_top=self._entropy.on_top))
        if not report.holds:
            found = "\n".join(map(str, report.differences[:10]))
            raise CheckFailed(f"the audit finds {report.total} differences:\n{found}")

    def _hash_of_books(self) -> str:
        heads = self.disk.query("SELECT id, version, head FROM book ORDER BY id")
        return hashlib.sha256(repr(heads).encode()).hexdigest()

    def close(self) -> None:
        """Release memory now: reference cycles would keep it until a late garbage collection."""
        self.disk.close()
        self.world.end()
        self.checker.forget()


class _KeptShoes(HouseShoeFactory):
    """Shuffles each shoe once for all processes that deal from it, across restarts."""

    def __init__(self, key: HouseKey, entropy: Entropy) -> None:
        super().__init__(key, entropy)
        self._shuffled: dict[tuple[ShoeRecord, Position], LiveShoe] = {}

    def live(self, shoe: ShoeRecord, position: Position = START_OF_SHOE) -> LiveShoe:
        if (shoe, position) not in self._shuffled:
            self._shuffled[shoe, position] = super().live(shoe, position)
        return self._shuffled[shoe, position].copy()


def _random_table(chance: random.Random) -> Rules:
    """A preset's rules or random ones, usually with jackpots."""
    if chance.random() < 0.5:
        return random_rules(chance)
    preset = chance.choice(DRAWN_PRESETS)
    rules = random_choices(load_rules(preset), preset, chance)
    return random_jackpots(rules, chance) if chance.random() < 0.5 else rules
