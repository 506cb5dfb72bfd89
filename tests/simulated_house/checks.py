"""Invariants checked after every step of a simulated house, whatever has crashed in the meantime.

A simple second ledger recomputes what each journal event moves.
"""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.simulated_house.client_state import ClientTable, Data, comparable
from tests.simulated_house.disk import Disk
from tests.simulated_house.forgery import FORGED
from ventiuna.core.refusals import RefusalCode
from ventiuna.table.domain.commands import NEEDS_SECOND
from ventiuna.table.domain.handlers import Actor
from ventiuna.table.domain.state import TableState
from ventiuna.table.fairness import HouseKey, read_context
from ventiuna.table.presentation import snapshot
from ventiuna.table.writer import BatchResult, CommandOutcome, CommandRequest, Done, Unknown

# --- The second ledger ---

EventData = dict[str, Any]


@dataclass
class TableLedger:
    """The ledger's own record of a table."""

    seats: dict[int, str] = field(default_factory=dict)  # person by seat
    spots: dict[int, int] = field(default_factory=dict)  # seat by spot
    jackpots: dict[int, int] = field(default_factory=dict)  # jackpot number by game
    down: Counter[int] = field(default_factory=Counter)  # chips before the deal, by spot
    taken: Counter[int] = field(default_factory=Counter)  # chips taken by the round, minus payouts


class SecondLedger:
    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        self.tables: dict[int, TableLedger] = {}
        self.maxima: dict[int, int | None] = {}  # maximum displayed amount, by jackpot number

    def move(self, payer: str, payee: str, amount: int) -> None:
        self.balances[payer] -= amount
        self.balances[payee] += amount

    def held(self) -> dict[str, int]:
        return {code: balance for code, balance in self.balances.items() if balance}

    # --- tables ---

    def table_event(self, number: int, event: EventData) -> None:
        table = self.tables.setdefault(number, TableLedger())
        kind = event["event"]
        stake, bank = f"stake/{number}", f"bank/{number}"
        if kind == "SeatTaken":
            table.seats[event["seat"]] = event["person"]
        elif kind in ("SpotsChosen", "SeatLeft"):
            table.spots = {spot: s for spot, s in table.spots.items() if s != event["seat"]}
            table.spots |= dict.fromkeys(event.get("spots", ()), event["seat"])
        elif kind in ("ChipsBought", "ChipsCashedOut"):
            wallet = f"wallet/{table.seats[event['seat']]}"
            sign = 1 if kind == "ChipsBought" else -1
            self.move(wallet, f"stack/{number}/{event['seat']}", sign * event["amount"])
        elif kind == "BankDropped":
            self.move(bank, "house", event["amount"])
        elif kind == "RoundCorrected":
            difference = event["paid"] - event["paid_before"]
            self.move(bank, f"wallet/{event['person']}", difference)
        elif kind == "AwardHeld":
            if event["game"] not in table.jackpots:  # otherwise the jackpot's book records it
                stack = f"stack/{number}/{table.spots[event['spot']]}"
                self.move(stack, f"due/{number}", event["amount"])
        elif kind == "AwardHandPaid":
            self.move(f"due/{number}", f"wallet/{event['person']}", event["amount"])
        elif kind == "JackpotLinked":
            table.jackpots[event["game"]] = event["jackpot"]
        elif kind == "JackpotUnlinked":
            del table.jackpots[event["game"]]
        elif kind == "MeterRaised" and event["reason"] == "contribution":
            self.move(bank, f"meter/{table.jackpots[event['game']]}/{number}", event["amount"])
        elif kind == "ReserveRaised":
            self.move(bank, f"reserve/{table.jackpots[event['game']]}/{number}", event["amount"])
        elif kind == "MetersShown":
            for game, cents in event["meters"].items():
                self._check_shown(table.jackpots[int(game)], cents)
        elif kind == "RoundOpened":
            table.down.clear()
            table.taken.clear()
        elif kind == "RoundClosed":
            assert not self.balances[stake], f"table {number}: a round closed with chips on it"
        elif kind == "RoundVoided":
            for spot, taken in table.taken.items():
                if taken:
                    self.move(bank, f"stack/{number}/{table.spots[spot]}", taken)
            self.move(stake, bank, self.balances[stake])
        elif "spot" in event and kind in _WITH_CHIPS:
            self._chips(number, table, event)

    def _check_shown(self, jackpot: int, cents: int) -> None:
        """An award is computed from everything in the meter and its stripes."""
        held = sum(
            balance
            for code, balance in self.balances.items()
            if f"{code}/".startswith(f"meter/{jackpot}/")
        )
        maximum = self.maxima[jackpot]
        due = held if maximum is None else min(held, maximum)
        assert cents == due, f"jackpot {jackpot} reads {cents} for an award, but should read {due}"

    def _chips(self, number: int, table: TableLedger, event: EventData) -> None:
        kind, spot = event["event"], event["spot"]
        stake, bank = f"stake/{number}", f"bank/{number}"
        stack = f"stack/{number}/{table.spots[spot]}"
        if kind == "WagerSettled":
            self.move(stake, bank, event["stake"])
            if not event["meter"]:  # otherwise the jackpot's own book records it
                self.move(bank, stack, event["paid"])
                table.taken[spot] -= event["paid"]
            return
        if kind in ("WagersPlaced", "WagersWithdrawn"):
            self.move(stake, stack, table.down[spot])
            table.taken[spot] -= table.down[spot]
            amount = event.get("base", 0)
            amount += sum(event.get("mtd", {}).values()) + sum(event.get("jackpots", {}).values())
            table.down[spot] = amount
        else:
            amount = event["amount"]
        self.move(stack, stake, amount)
        table.taken[spot] += amount

    # --- jackpots and cashier ---

    def jackpot_event(self, number: int, event: EventData) -> None:
        kind = event["event"]
        meter, reserve, advance = f"meter/{number}", f"reserve/{number}", f"advance/{number}"
        if kind in ("JackpotCreated", "MaximumSet"):
            self.maxima[number] = event["maximum"]
        elif kind == "StripesFolded":
            for table, amount in event["meters"].items():
                self.move(f"{meter}/{table}", meter, amount)
            for table, amount in event["reserves"].items():
                self.move(f"{reserve}/{table}", reserve, amount)
        elif kind == "AwardPaid":
            stack = f"stack/{event['table']}/{event['seat']}"
            paid_to = f"due/{event['table']}" if event.get("hand_pay") else stack
            self.move(meter, paid_to, event["amount"])
        elif kind in ("Overflowed", "CorrectedDown"):
            self.move(meter, reserve, event["amount"])
        elif kind == "SeedWon":
            self.move("house", advance, event["amount"])
        elif kind == "Seeded":
            self.move(reserve, meter, event["from_reserve"])
            self.move(advance, meter, event["advanced"])
        elif kind == "SeedRecovered":
            self.move(reserve, advance, event["from_reserve"])
            self.move(meter, advance, event["from_meter"])
        elif kind == "CorrectedUp":
            self.move("house", meter, event["amount"])
        elif kind == "ReceiptsTaken":
            self.move(reserve, "house", event["amount"])
        elif kind == "MovedOut":
            self.move(meter, f"meter/{event['jackpot']}", event["meter"])
            self.move(reserve, f"reserve/{event['jackpot']}", event["reserve"])

    def cashier_event(self, event: EventData) -> None:
        if event["event"] == "MoneyIssued":
            self.move("mint", f"wallet/{event['person']}", event["amount"])
        elif event["event"] == "MoneyRedeemed":
            self.move(f"wallet/{event['person']}", "mint", event["amount"])


_WITH_CHIPS = (
    "WagersPlaced",
    "WagersWithdrawn",
    "InsurancePlaced",
    "HandDoubled",
    "HandSplit",
    "WagerSettled",
)


# --- Separate duties ---


class SecondPerson:
    """With separate duties, every such command was requested, and someone else approved it."""

    def __init__(self) -> None:
        self._is_on = False
        self._kinds = {kind.__name__ for kind in NEEDS_SECOND}
        self._requests: dict[int, tuple[str, str]] = {}  # requester and command
        self._approved: dict[int, str] = {}  # approver
        self._due: list[tuple[str, str, str]] = []  # sender, key and command, to be checked

    def follow(self, version: int, actor: str, key: str, command: str) -> None:
        data = json.loads(command)
        name = data["command"]
        if name == "SeparateDuties":
            self._is_on = data["is_on"]
        elif name == "RequestApproval":
            self._requests[version] = actor, data["wanted"]
        elif name == "ApproveRequest":
            self._approved.setdefault(data["request"], actor)
        elif name in self._kinds and self._is_on and actor.startswith("person/"):
            self._due.append((actor, key, command))

    def check(self) -> None:
        carried_out = set()
        for actor, key, command in self._due:
            number = int(key.removeprefix("approved/")) if key.startswith("approved/") else 0
            approver = self._approved.get(number, actor)
            if approver == actor or self._requests[number] != (actor, command):
                raise CheckFailed(f"{command} of {actor} has no second person's approval")
            carried_out.add(number)
        if left := self._approved.keys() - carried_out:
            raise CheckFailed(f"approved requests were not carried out: {sorted(left)}")
        self._due.clear()
        self._approved.clear()  # so that an approval counts only once


# --- Checks ---

BOOKS = "SELECT id, kind FROM book"
HELD = "SELECT code, balance FROM account WHERE balance <> 0"
TEXTS_KEPT = 64
VIEWS_EVERY = 5  # events
STATES_KEPT = 300  # per table, for clients that are behind
BOUNDS = {
    **dict.fromkeys(("wallet", "stack", "stake", "meter", "reserve", "due"), 1),
    **dict.fromkeys(("mint", "advance"), -1),
}
# Refusals that don't show whether other copies of the command succeeded.
SAYS_NOTHING = (RefusalCode.KEY_REUSED, RefusalCode.OTHER_CLIENT)


class CheckFailed(Exception):
    """An invariant was violated."""


class Written(NamedTuple):
    """A command recorded in the books."""

    book: int
    version: int
    last_event: int
    command: str


class Checker:
    """Checks the books after every transaction, and everything that leaves the house."""

    def __init__(self, disk: Disk, key: HouseKey) -> None:
        self.commands = 0  # entries in the books
        self.events: Counter[str] = Counter()  # events in the books, by kind
        self.checked_views = 0
        self.ledger = SecondLedger()
        self._disk = disk
        self._key = key
        self._changes = -1
        self._kinds: dict[int, str] = {}
        self._second = SecondPerson()
        self._held: dict[str, int] = {}  # account balances at the last check
        self._written: dict[tuple[str, str], Written] = {}
        self._refused: dict[tuple[str, str], str] = {}
        self._states: dict[int, dict[int, TableState]] = {}
        self._views: dict[tuple[int, int], Data] = {}
        self._secrets: dict[str, str] = {}  # description of each secret, by its text
        self._secrets_noted = 0
        self._without_secrets: dict[str, int] = {}  # number of secrets checked, by text
        self._hidden: dict[int, int] = {}  # event number of the hidden down card, by table

    # --- the books ---

    def committed(self) -> None:
        if self._disk.changes == self._changes:
            return
        self._changes = self._disk.changes
        rows = self._disk.new_entries()
        for book, version, first, actor, key, command, events in rows:
            self.commands += 1
            told = json.loads(events)
            self._second.follow(version, actor, key, command)
            self._note(Written(book, version, first + len(told) - 1, command), actor, key)
            for number, event in enumerate(told, start=first):
                self._follow(book, number, event)
        if rows:
            self._second.check()
            self._check_balances()
            self._check_rounds()

    def _note(self, written: Written, actor: str, key: str) -> None:
        if (actor, key) in self._written:
            raise CheckFailed(f"{key} of {actor} is in the books twice")
        if code := self._refused.get((actor, key)):
            raise CheckFailed(f"{key} of {actor} was refused ({code}) but was carried out")
        self._written[actor, key] = written

    def _follow(self, book: int, number: int, event: Data) -> None:
        self.events[event["event"]] += 1
        kind = self._kind(book)
        if kind == "jackpot":
            self.ledger.jackpot_event(book, event)
        elif kind == "cashier":
            self.ledger.cashier_event(event)
        else:
            self.ledger.table_event(book, event)
            self._follow_secrets(book, number, event)

    def _kind(self, book: int) -> str:
        if book not in self._kinds:
            self._kinds = dict(self._disk.query(BOOKS))
        return self._kinds[book]

    def _check_balances(self) -> None:
        held: dict[str, int] = dict(self._disk.query(HELD))
        if sum(held.values()):
            raise CheckFailed(f"all balances add up to {sum(held.values())}")
        # Only changed balances: the initial 0 is always valid.
        for code, balance in held.items() - self._held.items():
            if balance * BOUNDS.get(code.partition("/")[0], 0) < 0:
                raise CheckFailed(f"{code} holds {balance}")
        due = self.ledger.held()
        if held != due:
            wrong = {
                code: (held.get(code, 0), due.get(code, 0))
                for code in sorted(held.keys() | due.keys())
                if held.get(code, 0) != due.get(code, 0)
            }
            raise CheckFailed(f"balances in the books, and the expected ones: {wrong}")
        self._held = held

    def _check_rounds(self) -> None:
        for what, condition in (
            ("round", "outcome = 'open'"),
            ("shoe", "mix IS NOT NULL AND seed IS NULL"),
        ):
            twice = self._disk.query(
                f"SELECT table_id FROM {what} WHERE {condition} GROUP BY 1 HAVING count(*) > 1"
            )
            if twice:
                raise CheckFailed(f"more than one open {what} at {twice}")

    # --- what servers say ---

    def happened(self, step: BatchResult) -> None:
        for fault in step.faults:
            told = "".join(traceback.format_exception(fault.error))
            raise CheckFailed(f"a fault of {fault.request}:\n{told}")
        for outcome in step.outcomes:
            if isinstance(outcome, Done) and outcome.version < 1:
                raise CheckFailed(f"carried out before the first entry: {outcome}")
        for update in step.updates:
            self._check_state(update.state)
            kept = self._states.setdefault(update.table, {})
            kept[update.state.head.events] = update.state
            while len(kept) > STATES_KEPT:
                del kept[next(iter(kept))]

    def _check_state(self, state: TableState) -> None:
        if state.stake != state.chips.on_table:
            raise CheckFailed(
                f"table {state.number}: {state.stake} cents are staked, but "
                f"{state.chips.on_table} are on the layout"
            )

    def answered(self, actor: Actor, request: CommandRequest, outcome: CommandOutcome) -> None:
        """A client received the outcome of a command."""
        written = self._written.get((actor.name, request.key))
        if isinstance(outcome, Done):
            if request.key.startswith(FORGED):
                raise CheckFailed(f"{request} is forged, but was carried out")
            if written is None:
                raise CheckFailed(f"{request} was acknowledged but isn't in the books")
            told = (outcome.table, outcome.version, outcome.n)
            if told != written[:3]:
                raise CheckFailed(
                    f"{request} was acknowledged as {told}, but the books have {written}"
                )
        elif isinstance(outcome, Unknown):
            return
        elif outcome.code not in SAYS_NOTHING and written is not None:
            raise CheckFailed(
                f"{request} was refused ({outcome.code}) but is in the books: {written}"
            )

    def heard(self, person: str, message: Mapping[str, Any]) -> None:
        """A person received a refusal, so the command can no longer happen."""
        if message["type"] == "refused" and message["code"] not in SAYS_NOTHING:
            self._refused[f"person/{person}", message["key"]] = message["code"]

    # --- what people see ---

    def saw(self, table: int, seen: ClientTable) -> None:
        """Compare a person's folded state with the server's view after the same event.

        Only every `VIEWS_EVERY`th event is compared, but then for everyone. In addition, each
        message is checked against its own events (`ClientTable`).
        """
        if (table + seen.n) % VIEWS_EVERY:
            return
        due = self._view(table, seen.n)
        if due is None:
            return
        self.checked_views += 1
        ask = seen.ask
        if ask and ask["kind"] == "decision" and ask["options"] is None:  # someone else's
            due = due | {"ask": due["ask"] | {"options": None}}
        if seen.data != due and seen.data != json.loads(json.dumps(due)):
            raise CheckFailed(f"table {table}, event {seen.n}: {_difference(seen.data, due)}")

    def forget(self) -> None:
        """Drop cached states once the house has closed."""
        self._states.clear()
        self._views.clear()
        self._without_secrets.clear()

    def _view(self, table: int, n: int) -> Data | None:
        if (table, n) not in self._views:
            state = self._states.get(table, {}).get(n)
            if state is None:
                return None
            if len(self._views) > STATES_KEPT:
                self._views.clear()
            self._views[table, n] = comparable(snapshot(state))
        return self._views[table, n]

    def _follow_secrets(self, table: int, number: int, event: Data) -> None:
        kind = event["event"]
        if kind == "ShoeCommitted":
            self._note_shoe(table, event["shoe"])
        elif kind == "ShoeRevealed":
            self._secrets.pop(event["seed"], None)
        elif kind == "CardDealt" and event["place"] == "down":
            self._hidden[table] = number
        elif kind in ("DownCardExposed", "RoundClosed"):
            self._hidden.pop(table, None)

    def _note_shoe(self, table: int, number: int) -> None:
        [(salt, context)] = self._disk.query(
            "SELECT salt, context FROM shoe WHERE table_id = ? AND number = ?", (table, number)
        )
        self.keep_secret(salt.hex(), f"the salt of shoe {number} of table {table}")
        seed = self._key.seed(read_context(context), salt)
        self.keep_secret(seed.hex(), f"the seed of shoe {number} of table {table}")

    def keep_secret(self, text: str, what: str) -> None:
        self._secrets[text] = what
        self._secrets_noted += 1

    def leaves(self, text: str, message: Mapping[str, Any], table: int, person: str) -> None:
        """Check everything the house sends to anyone."""
        if self._without_secrets.get(text) != self._secrets_noted:
            for secret, what in self._secrets.items():
                if secret in text:
                    raise CheckFailed(f"{what} is sent to person {person}: {text}")
            self._note_harmless(text)
        if '"wallet"' in text and (message["type"] != "you" or message["person"] != person):
            raise CheckFailed(f"someone else's wallet is sent to person {person}: {text}")
        if message["type"] == "events":
            if any(map(_shows_down_card, message["events"])):
                raise CheckFailed(f"the down card is sent to person {person}: {text}")
        elif message["type"] == "snapshot" and message["round"] is not None:
            hidden = self._hidden.get(table)
            dealer = message["round"]["dealer"]
            if hidden is not None and message["n"] >= hidden and dealer[1] is not None:
                raise CheckFailed(f"the down card is shown to person {person}: {text}")

    def _note_harmless(self, text: str) -> None:
        """Remember that a text has no known secrets; it's checked again when there are new ones."""
        if len(self._without_secrets) > TEXTS_KEPT:
            self._without_secrets.clear()
        self._without_secrets[text] = self._secrets_noted


def _shows_down_card(event: Mapping[str, Any]) -> bool:
    is_down = event["event"] == "CardDealt" and event["place"] == "down"
    return is_down and event["card"] is not None


def _difference(seen: Any, due: Any, where: str = "") -> str:
    """Find the first difference between a person's view and the server's."""
    if isinstance(seen, dict) and isinstance(due, dict):
        for key in sorted(seen.keys() | due.keys()):
            if seen.get(key) != due.get(key):
                return _difference(seen.get(key), due.get(key), f"{where}.{key}")
    if isinstance(seen, list) and isinstance(due, list) and len(seen) == len(due):
        for number, (one, other) in enumerate(zip(seen, due, strict=True)):
            if one != other:
                return _difference(one, other, f"{where}[{number}]")
    return f"{where} is {seen!r} to a person and {due!r} to the server"
