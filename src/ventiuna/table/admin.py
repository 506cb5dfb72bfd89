"""Runs a house: its tables and jackpots, operators' actions, and the house key.

The web and the terminal share the operators' actions. Each action is an entry in the books, with
its actor and reason, and has a key so that a duplicate has no effect. Commands that a table carries
out itself, such as closing, go to the writer like players' commands.

Anyone may open a private table and play alone. The house opens and closes it, and the books record
the owner: the actor `own/12` is the house on behalf of person 12. Only the owner may sit there, and
the clocks are as long as possible because nobody else is waiting.

A house refuses to start with a key that doesn't open its shoes. Usually someone supplied the wrong
file, and silently accepting a new key would let the house avoid revealing a shoe. So only an
operator can replace the key, and each table that loses its shoes records the change in its book.

On PostgreSQL, an admin session can run alongside a server. Only one process at a time can change a
SQLite house, so its server must not be running; the lock file names the process that has it open.
Other programs can always read it.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Select, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import RecordCodec
from ventiuna.engine.commands import Refused, VoidRound, quoted
from ventiuna.engine.events import ENGINE, Stakes
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, fingerprint, rules_data, rules_from_data
from ventiuna.rules.model import JackpotKind
from ventiuna.table import accounts, duties
from ventiuna.table.access import PERMISSIONS, Access, Role, may
from ventiuna.table.accounts import PersonKind, find_person
from ventiuna.table.domain.commands import (
    COMMAND_RECORDS,
    NEEDS_SECOND,
    CorrectRound,
    LinkJackpot,
    LoseShoes,
    OpenTable,
    Subject,
    TableCommand,
    access_to,
    checked_reason,
    command_data,
    event_data,
)
from ventiuna.table.domain.flow import CommandRun, Environment, HouseShoeFactory, ShoeFactory
from ventiuna.table.domain.handlers import Actor, ActorRole, handle, require_access
from ventiuna.table.domain.inspection import inspection_of
from ventiuna.table.domain.state import (
    LONGEST_CLOCK,
    ShoeRecord,
    TableState,
    clocks_of,
    options_of,
)
from ventiuna.table.duties import AllowReset, BlockPerson, UnblockPerson, check_second_person
from ventiuna.table.fairness import (
    SECRET_BYTES,
    HouseKey,
    OsEntropy,
    key_beside,
    read_context,
    replace_key,
)
from ventiuna.table.jackpots import repository
from ventiuna.table.jackpots.decisions import COMMAND_RECORDS as METER_RECORDS
from ventiuna.table.jackpots.decisions import command_data as meter_data
from ventiuna.table.jackpots.progressive import (
    Correction,
    CreateJackpot,
    MeterCommand,
    RemoveJackpot,
    settings_of,
)
from ventiuna.table.jackpots.repository import (
    Sender,
    check_limits,
    create_progressive,
    lock_jackpots,
)
from ventiuna.table.journal import BookKind, append, find_duplicate, known_commands, open_book
from ventiuna.table.ledger import EntryRequest, canonical_json, request_hash
from ventiuna.table.presence import live_processes
from ventiuna.table.read_model import past_spot, project, write_changes
from ventiuna.table.store import (
    KEY_FILE_VARIABLE,
    KEY_VARIABLE,
    database_address,
    key_of_environment,
    known_key,
    open_house,
    schema,
)
from ventiuna.table.store.connection import Store, is_postgres, open_store, reporting_failures
from ventiuna.table.store.schema import book, bot, entry, game_table, jackpot, person, seat, shoe
from ventiuna.table.store.statements import Prepared
from ventiuna.table.writer import (
    Clock,
    CommandRequest,
    Fault,
    HouseContext,
    Refusal,
    SystemClock,
    Transaction,
    Writer,
    check_key,
    require_done,
)

HOUSE_FORMAT = 1
LONGEST_TABLE_NAME = 60


def house_id(connection: Connection, name: str = "Ventiuna") -> str:
    """Return the id of the house in this database; creates a house if there is none."""
    if (found := _known_id(connection)) is not None:
        return found
    new = new_id()
    connection.execute(_NEW_HOUSE, {"id": new, "name": name, "format": HOUSE_FORMAT})
    known = _known_id(connection)
    assert known is not None, "a house was created, by this process or another"
    if known == new:
        open_book(connection, BookKind.CASHIER)
    return known


def new_id() -> str:
    """Create a unique id; it makes every house deal different shoes."""
    return secrets.token_hex(8)


_NEW_HOUSE = text(
    'INSERT INTO house (id, "only", name, format) VALUES (:id, 1, :name, :format) '
    "ON CONFLICT DO NOTHING"
)


def _known_id(connection: Connection) -> str | None:
    return connection.scalar(select(schema.house.c.id))


def create_table(
    connection: Connection, house: HouseContext, actor: Actor, key: str, command: OpenTable, at: int
) -> int:
    """Create a table with its book's number; a duplicate command doesn't create a second one."""
    content = request_hash(command_data(command))
    known = find_duplicate(connection, actor.name, key, content)
    if known is not None:
        return known.book
    state = _new_table(connection, house, command)
    empty = project(state)
    run = CommandRun(state, Environment(at, house.shoes))
    handle(run, actor, command)
    entry, state.head = state.head.next_entry(
        EntryRequest(
            actor=actor.name,
            key=key,
            at=at,
            request=content,
            command=command_data(command),
            events=[event_data(event) for event in run.events],
            engine=ENGINE,
            postings=tuple(run.postings),
        )
    )
    append(connection, [entry])
    write_changes(connection, [(empty, project(state))])
    return state.number


def _new_table(connection: Connection, house: HouseContext, command: OpenTable) -> TableState:
    name = command.name.strip()
    if not 0 < len(name) <= LONGEST_TABLE_NAME or not name.isprintable():
        raise Refused(
            RefusalCode.NOT_A_NAME,
            (),
            f"A table's name must have 1 to {LONGEST_TABLE_NAME} printable characters.",
        )
    try:
        rules = rules_from_data(command.rules)
    except VentiunaError as error:
        raise Refused(RefusalCode.NOT_RULES, (), f"rules: {error}") from None
    clocks = clocks_of(command.clocks)
    head = open_book(connection, BookKind.TABLE)
    options = options_of(command)
    state = TableState(house.name, head, name, rules, clocks, options)
    state.inspection = inspection_of(rules, command)
    connection.execute(
        insert(schema.game_table).values(
            id=head.book,
            name=name,
            rules_name=rules.name,
            rules_fingerprint=fingerprint(rules),
            rules_data=canonical_json(rules_data(rules)),
            state=str(state.status),
            clocks=canonical_json(dict(clocks.times())),
            inspection=state.inspection.text() if state.inspection else None,
            options=canonical_json(options.data()),
        )
    )
    return state


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OperatorAction:
    """An operator, the key of the action, and the clock."""

    actor: Actor
    key: str
    clock: Clock

    def __post_init__(self) -> None:
        check_key(self.key)
        require_access(self.actor, Access.SUPERVISE)

    @property
    def at(self) -> int:
        return self.clock.now()

    @property
    def sender(self) -> Sender:
        return Sender(self.actor.name, self.key, self.at)


def run_action(writer: Writer, act: Callable[[Connection], T]) -> T:
    """Run an action in its own transaction; a parallel duplicate returns the first one's result."""
    try:
        return writer.run(act)
    except IntegrityError:
        return writer.run(act)


@dataclass(frozen=True, slots=True)
class OpenedTable:
    number: int
    jackpots: Mapping[int, int]  # jackpot numbers by game


def open_table(
    connection: Connection,
    house: HouseContext,
    act: OperatorAction,
    command: OpenTable,
    linked: Mapping[int, int] | None = None,
) -> OpenedTable:
    """Open a table and link each progressive to the given meter or to a new one."""
    require_access(act.actor, Access.OPERATE)
    reason = checked_reason(command.reason)
    links = dict(linked or {})
    is_copy = bool(known_commands(connection, [(act.actor.name, act.key)]))
    number = create_table(connection, house, act.actor, act.key, command, act.at)
    if is_copy:
        return OpenedTable(number, jackpots_of(connection, number))
    rules = rules_from_data(command.rules)
    games = progressive_games(rules)
    if strange := sorted(links.keys() - set(games)):
        raise Refused(
            RefusalCode.NO_SUCH_JACKPOT,
            ("R-084",),
            f"Jackpot game {strange[0]} isn't a progressive under these rules.",
        )
    for game in games:
        if game not in links:
            settings = settings_of(rules, game).data()
            name = f"{command.name.strip()[:50]} jackpot {game}"
            create = CreateJackpot(name, settings, command.reason)
            sender = Sender(act.actor.name, f"open/{number}/{game}", act.at)
            links[game] = create_progressive(connection, create, sender).number
    for game, meter in sorted(links.items(), key=lambda pair: pair[1]):  # sorted in lock order
        link = LinkJackpot(game, meter, reason)
        request = CommandRequest(number, act.actor, f"link/{number}/{game}", link)
        _run_at_table(connection, house, act.clock, request)
    return OpenedTable(number, links)


def _run_at_table(
    connection: Connection, house: HouseContext, clock: Clock, request: CommandRequest
) -> None:
    """Run a table's command in this transaction; raises `Refused`."""
    result = Transaction(connection, house, clock).run([request], alone=True)[0]
    if isinstance(result, Fault):
        raise result.error
    if isinstance(result, Refusal):
        raise Refused(result.code, result.rules, result.reason)


def progressive_games(rules: Rules) -> list[int]:
    """The jackpot games in these rules that have a meter."""
    return [
        game
        for game, jackpot in enumerate(rules.jackpots, start=1)
        if jackpot.kind is JackpotKind.PROGRESSIVE
    ]


def jackpots_of(connection: Connection, table: int) -> dict[int, int]:
    """The progressives a table feeds, by game."""
    link = schema.link
    rows = connection.execute(
        select(link.c.game, link.c.jackpot_id).where(link.c.table_id == table).order_by(link.c.game)
    )
    return {row.game: row.jackpot_id for row in rows}


def create_jackpot(connection: Connection, act: OperatorAction, command: CreateJackpot) -> int:
    """Create a progressive for tables with these settings, and return its number."""
    checked_reason(command.reason)
    return create_progressive(connection, command, act.sender).number


def change_jackpot(
    connection: Connection,
    act: OperatorAction,
    number: int,
    command: MeterCommand | RemoveJackpot | Correction,
) -> None:
    """Carry out an operator's command on a progressive."""
    require_access(act.actor, access_to(type(command)))
    checked_reason(command.reason)
    if isinstance(command, RemoveJackpot):
        repository.remove_jackpot(connection, number, command, act.sender)
        return
    if isinstance(command, Correction):
        command = command.command
    if type(command) in NEEDS_SECOND:
        subject = f"jackpot {number}"
        check_second_person(connection, act.actor, act.key, subject, meter_data(command))
    reading = lock_jackpots(connection, [number])[number]
    if repository.find_committed(connection, command, act.sender, number) is None:
        check_limits(connection, reading, command, act.at)
    repository.handle(connection, number, command, act.sender)


def change_person(
    connection: Connection, act: OperatorAction, command: accounts.CashierCommand
) -> None:
    """Issue or redeem play money, or set a role.

    Only people with a password can have a role. The last operator must remain an operator, and the
    last owner an owner.
    """
    require_access(act.actor, access_to(type(command)))
    content = request_hash(accounts.CASHIER_COMMANDS.data(command))
    if isinstance(command, accounts.GiveRole) and not find_duplicate(
        connection, act.actor.name, act.key, content
    ):
        _check_role(connection, act.actor, command)
    if isinstance(command, BlockPerson) or (
        # `unblock` also ends the wait after wrong passwords, which any operator may do.
        isinstance(command, UnblockPerson) and _is_blocked(connection, command.person)
    ):
        role = connection.scalar(select(person.c.role).where(person.c.id == command.person))
        _check_staff(connection, act.actor, role or Role.PLAYER)
    accounts.handle_cashier_command(connection, act.actor, act.key, command, act.at)


def separate_duties(
    connection: Connection, act: OperatorAction, command: duties.SeparateDuties
) -> None:
    """Turn separate duties on or off for the whole house."""
    require_access(act.actor, Access.GOVERN)
    if command.is_on and _count_with(connection, Access.OPERATE) < 2:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "Separate duties need at least two operators. Appoint another one first.",
        )
    accounts.handle_cashier_command(connection, act.actor, act.key, command, act.at)


def request_approval(
    connection: Connection, act: OperatorAction, subject: Subject, number: int, command: Any
) -> int | None:
    """Request a second person's approval; return the request's number, or None if none is needed.

    The command itself is checked only when it is carried out.
    """
    kind = type(command)
    if kind not in NEEDS_SECOND or not act.actor.person or not duties.are_separate(connection):
        return None
    require_access(act.actor, access_to(kind))
    if isinstance(command, Correction):
        command = command.command
    name = _SUBJECTS[subject]
    wanted = canonical_json(_WANTED[name].data(command))
    request = duties.RequestApproval(f"{name} {number}", wanted, command.reason)
    accounts.handle_cashier_command(connection, act.actor, act.key, request, act.at)
    content = request_hash(accounts.CASHIER_COMMANDS.data(request))
    known = find_duplicate(connection, act.actor.name, act.key, content)
    assert known is not None, "the request was just recorded"
    return known.version


def request_sentence(request: int) -> str:
    return (
        f"This needs a second person's approval. Request {request} is recorded; another operator "
        "can approve it within a day."
    )


_SUBJECTS = {Subject.TABLE: "table", Subject.JACKPOT: "jackpot", Subject.PERSON: "person"}
_WANTED: Mapping[str, RecordCodec[Any]] = {
    "table": COMMAND_RECORDS,
    "jackpot": METER_RECORDS,
    "person": accounts.CASHIER_COMMANDS,
}


def answer_request(
    connection: Connection,
    house: HouseContext,
    act: OperatorAction,
    command: duties.ApproveRequest | duties.RefuseRequest,
) -> duties.Approval:
    """Refuse a request, or approve it and carry out its command for the requester.

    If the command no longer applies, nothing is recorded. Nobody approves a request that concerns
    themselves, and both people must still have their roles.
    """
    found = duties.find_approval(connection, command.request)
    name, _, number = found.subject.partition(" ")
    wanted = _WANTED[name].read(json.loads(found.wanted))
    require_access(act.actor, access_to(type(wanted)))
    accounts.handle_cashier_command(connection, act.actor, act.key, command, act.at)
    # The cashier's book is locked now, so nobody's role can change anymore.
    require_access(_staff_now(connection, act.actor.name), access_to(type(wanted)))
    if isinstance(command, duties.ApproveRequest):
        _check_unconcerned(connection, act.actor, name, int(number), wanted)
        requester = _staff_now(connection, found.actor)
        approved = OperatorAction(requester, found.key, act.clock)
        if name == "person":
            change_person(connection, approved, wanted)
        elif name == "jackpot":
            change_jackpot(connection, approved, int(number), wanted)
        else:
            if isinstance(wanted, VoidRound):
                duties.check_same_round(connection, int(number), found)
            request = CommandRequest(int(number), requester, found.key, wanted)
            _run_at_table(connection, house, act.clock, request)
    return duties.find_approval(connection, command.request)


def _staff_now(connection: Connection, actor: str) -> Actor:
    """This person with their present role; raises `Refused` if they are blocked."""
    who = accounts.person_of(connection, int(actor.removeprefix("person/")))
    if _is_blocked(connection, who.id):
        sentence = f"{quoted(who.name)} is blocked, so this can't be approved."
        raise Refused(RefusalCode.NOT_ALLOWED, (), sentence)
    return Actor(actor, ActorRole(who.role), str(who.id), who.name)


def _is_blocked(connection: Connection, number: int) -> bool:
    return duties.restriction_of(connection, number).blocked


def _check_unconcerned(
    connection: Connection, actor: Actor, name: str, number: int, wanted: Any
) -> None:
    """Refuse to approve your own money or correction, or anything at a table where you sit."""
    concerned = {str(number)} if name == "person" else set()
    if name == "table":
        seated = connection.scalars(select(seat.c.person_id).where(seat.c.table_id == number))
        concerned |= set(map(str, seated))
        if isinstance(wanted, CorrectRound):
            past = past_spot(connection, number, wanted.round_number, wanted.spot)
            concerned |= {past.person} if past is not None else set()
    if actor.person in concerned:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "This request concerns you or a table where you play. Someone else must approve it.",
        )


def reset_password(
    connection: Connection,
    act: OperatorAction,
    number: int,
    reason: str,
    now: int,
    entropy: accounts.RandomBytes,
) -> str:
    """Return a one-time code that lets the person choose a new password."""
    require_access(act.actor, Access.OPERATE)
    command = AllowReset(number, reason)
    accounts.handle_cashier_command(connection, act.actor, act.key, command, act.at)
    who = accounts.person_of(connection, number)
    if who.kind is PersonKind.GUEST:
        sentence = f"{quoted(who.name)} is a guest and has no password."
        raise Refused(RefusalCode.NOT_ALLOWED, (), sentence)
    _check_staff(connection, act.actor, who.role)
    return accounts.issue_reset(connection, who, now, entropy)


def _check_staff(connection: Connection, actor: Actor, role: str) -> None:
    """In a house with owners, only an owner may (un)block staff or reset their passwords."""
    if role != Role.PLAYER and _count_with(connection, Access.GOVERN):
        require_access(actor, Access.GOVERN)


def _check_role(connection: Connection, actor: Actor, command: accounts.GiveRole) -> None:
    found = connection.execute(
        select(person.c.name, person.c.kind, person.c.role).where(person.c.id == command.person)
    ).first()
    if found is None:
        raise Refused(RefusalCode.NO_SUCH_PERSON, (), f"There is no person {command.person}.")
    if found.kind == PersonKind.GUEST and command.role != Role.PLAYER:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            f"{quoted(found.name)} is a guest. Only people with a password can have a role.",
        )
    owners = _count_with(connection, Access.GOVERN)
    if owners and Role.OWNER in (found.role, command.role):
        require_access(actor, Access.GOVERN)
    can_approve = any(may(role, Access.OPERATE) for role in (found.role, command.role))
    if can_approve and not may(actor.role, Access.GOVERN) and duties.are_separate(connection):
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "This house has separate duties: only an owner may appoint or dismiss operators, "
            "because they approve each other's requests.",
        )
    for access, left, title in (
        (Access.GOVERN, owners, "owner"),
        (Access.OPERATE, _count_with(connection, Access.OPERATE), "operator"),
    ):
        if left == 1 and may(found.role, access) and not may(command.role, access):
            raise Refused(
                RefusalCode.NOT_ALLOWED, (), f"This is the last {title}. Appoint another one first."
            )


def _count_with(connection: Connection, access: Access) -> int:
    """The number of people with a permission."""
    role = person.c.role.in_([str(role) for role in PERMISSIONS[access].roles])
    return connection.scalar(select(func.count()).select_from(person).where(role)) or 0


HOUR = 3_600_000
# Players may take breaks, but someone who has been gone for two hours isn't coming back.
OWN_TABLE_CLOCKS = Stakes(
    {"wagers": LONGEST_CLOCK, "answer": LONGEST_CLOCK, "decision": LONGEST_CLOCK, "away": 2 * HOUR}
)
IDLE_LIMIT = 600_000  # milliseconds until a table without its owner is closed
OPENED_REASON = "a private table"
CLOSED_REASON = "nobody played for a while"
REPLACED_REASON = "its owner opened another one"
_OWN_PREFIX = "own/"


class OwnTable(NamedTuple):
    table: int
    owner: int


def owner_actor(owner: int) -> Actor:
    """The house, acting for this person."""
    return Actor(f"{_OWN_PREFIX}{owner}", ActorRole.OPERATOR)


def owner_of_table(connection: Connection, table: int) -> int | None:
    """The owner of a private table; None for the house's tables."""
    actor = connection.scalar(
        select(entry.c.actor).where(entry.c.book_id == table, entry.c.version == 1)
    )
    return _owner(actor or "")


def own_tables(connection: Connection, owner: int | None = None) -> list[OwnTable]:
    """This person's private tables that aren't closed, or everyone's."""
    found = [OwnTable(row.id, _owner(row.actor) or 0) for row in _OPEN_OWN_TABLES.all(connection)]
    return [item for item in found if owner in (None, item.owner)]


def abandoned_tables(connection: Connection, now: int) -> list[OwnTable]:
    """Open private tables with only bots in the seats and no recent activity."""
    is_bot = select(bot.c.person_id).where(bot.c.person_id == seat.c.person_id).exists()
    has_people = select(seat.c.number).where(seat.c.table_id == game_table.c.id, ~is_bot).exists()
    newest = entry.alias("newest")
    rows = connection.execute(
        _open_own_tables()
        .join(book, book.c.id == game_table.c.id)
        .join(newest, (newest.c.book_id == book.c.id) & (newest.c.version == book.c.version))
        .where(game_table.c.state == "open", ~has_people, newest.c.at <= now - IDLE_LIMIT)
    ).all()
    return [OwnTable(row.id, _owner(row.actor) or 0) for row in rows]


def _open_own_tables() -> Select[Any]:
    return (
        select(game_table.c.id, entry.c.actor)
        .join(entry, (entry.c.book_id == game_table.c.id) & (entry.c.version == 1))
        .where(game_table.c.state != "closed", func.substr(entry.c.actor, 1, 4) == _OWN_PREFIX)
    )


_OPEN_OWN_TABLES = Prepared(_open_own_tables().order_by(game_table.c.id))


def _owner(actor: str) -> int | None:
    return int(actor.removeprefix(_OWN_PREFIX)) if actor.startswith(_OWN_PREFIX) else None


def open_own_table(
    connection: Connection, house: HouseContext, act: OperatorAction, name: str, rules: Rules
) -> int:
    """Open a private table.

    Each progressive uses the house's meter with the same settings, because a meter of its own would
    be abandoned when the table closes.
    """
    linked = {
        game: _linked_meter(connection, act, rules, game) for game in progressive_games(rules)
    }
    command = OpenTable(name, rules_data(rules), OWN_TABLE_CLOCKS, OPENED_REASON)
    return open_table(connection, house, act, command, linked).number


def _linked_meter(connection: Connection, act: OperatorAction, rules: Rules, game: int) -> int:
    settings = settings_of(rules, game)
    found = connection.scalar(
        select(func.min(jackpot.c.id)).where(
            jackpot.c.settings_hash == settings.hash, jackpot.c.state == "open"
        )
    )
    if found:
        return int(found)
    name = f"Jackpot {settings.table}, pay table {settings.pay_table}"
    create = CreateJackpot(name, settings.data(), "for people's private tables")
    sender = Sender(act.actor.name, f"meter/{settings.hash.hex()[:16]}/{act.at}", act.at)
    return create_progressive(connection, create, sender).number


LOST_KEY_REMEDY = (
    "If the key is lost, `ventiuna house rotate-key --void-open-rounds` creates a new one and "
    "voids the open rounds."
)
_OPEN_SHOES = (
    select(shoe)
    .join(game_table, game_table.c.id == shoe.c.table_id)
    .where(shoe.c.closed_version.is_(None), game_table.c.state != "closed")
    .order_by(shoe.c.table_id, shoe.c.number)
)


class WrongHouseKey(VentiunaError):
    """The house key is missing or doesn't open the house's shoes."""


def has_open_shoes(connection: Connection) -> bool:
    return connection.execute(_OPEN_SHOES.limit(1)).first() is not None


def check_house_key(connection: Connection, shoes: ShoeFactory) -> None:
    """Refuse a key that doesn't open the open tables' shoes."""
    if lost_shoes(connection, shoes):
        raise WrongHouseKey(
            "The house key doesn't open this house's shoes. Put the right key back. "
            f"{LOST_KEY_REMEDY}"
        )


def lost_shoes(connection: Connection, shoes: ShoeFactory) -> dict[int, int]:
    """Tables with a shoe that the key doesn't open, and the number of each table's last shoe."""
    last: dict[int, int] = {}
    lost: set[int] = set()
    for row in connection.execute(_OPEN_SHOES):
        context = read_context(row.context)
        record = ShoeRecord(row.number, context, row.salt, row.commitment, row.source)
        if not shoes.fits(record):
            lost.add(row.table_id)
        last[row.table_id] = row.number
    return {table: last[table] for table in sorted(lost)}


def lost_shoe_requests(lost: dict[int, int], actor: Actor, reason: str) -> list[CommandRequest]:
    """Commands that end the lost shoes and start new ones."""
    return [
        CommandRequest(table, actor, f"lost/{table}/{number}", LoseShoes(number, reason))
        for table, number in lost.items()
    ]


R = TypeVar("R")
LONGEST_HOUSE_NAME = 60
# Anyone with access to the database, until the house has an operator.
FIRST_OPERATOR = Actor("house", ActorRole.OWNER)


class HouseError(VentiunaError, ValueError):
    """An invalid command-line request about the house."""


@dataclass(slots=True)
class AdminSession:
    """An open house for administration."""

    address: str
    store: Store
    house: HouseContext
    writer: Writer

    def act(self, name: str) -> OperatorAction:
        """Start an action as this operator."""
        with self.store.read() as connection:
            found = find_person(connection, name)
            if found is None or not may(found.role, Access.SUPERVISE):
                raise HouseError(f"{name} isn't an operator of this house (--as).")
            if _is_blocked(connection, found.id):
                raise HouseError(f"{name} is blocked and can't act in this house (--as).")
        actor = Actor(f"person/{found.id}", ActorRole(found.role), str(found.id), found.name)
        return self.act_of(actor)

    def first_act(self, name: str) -> OperatorAction:
        """Like `act`, but in a house without operators, anyone with database access may act."""
        if not name and self.read(lambda connection: _count_with(connection, Access.OPERATE)):
            raise HouseError("This house has operators. Use --as to say which one you are.")
        return self.act(name) if name else self.act_of(FIRST_OPERATOR)

    def act_of(self, actor: Actor) -> OperatorAction:
        return OperatorAction(actor, secrets.token_hex(16), SystemClock())

    def run(self, job: Callable[[Connection], R]) -> R:
        return run_action(self.writer, job)

    def command(self, name: str, table: int, command: TableCommand) -> int:
        """Send a command to a table; return the table's last event number."""
        act = self.act(name)
        outcome = self.writer.step([CommandRequest(table, act.actor, act.key, command)]).outcomes[0]
        return require_done(outcome).n

    def request(
        self, act: OperatorAction, subject: Subject, number: int, command: Any
    ) -> int | None:
        """Request a second person's approval if the command needs it; return its number."""
        return self.run(lambda conn: request_approval(conn, act, subject, number, command))

    def read(self, look: Callable[[Connection], R]) -> R:
        with self.store.read() as connection:
            return look(connection)


@contextmanager
def admin_session(database: str) -> Iterator[AdminSession]:
    """Open the house in this database for administration."""
    address = _existing_house(database)
    with open_database(address) as store:
        with store.read() as connection:
            name = _house_of(connection, address)
            key = known_key(address)
            if key is None:
                raise HouseError(
                    "The house key is missing. Put its file back next to the database, or "
                    f"set VENTIUNA_HOUSE_KEY. {LOST_KEY_REMEDY}"
                )
            shoes = HouseShoeFactory(key, OsEntropy())
            # If tables were opened under another key, the house couldn't start with its own key.
            check_house_key(connection, shoes)
        house = HouseContext(name, shoes)
        yield AdminSession(address, store, house, Writer(store, house, SystemClock()))


def rotate_key(database: str, by: str, reason: str) -> list[int]:
    """Give the house a new key; return the tables whose rounds were voided and whose shoes ended.

    The new key comes from the environment; if none is set there, one is created next to the SQLite
    file. A key that already opens the house's shoes is refused.
    """
    address = _existing_house(database)
    new_key = key_of_environment()
    if new_key is None and is_postgres(address):
        raise HouseError("VENTIUNA_HOUSE_KEY must hold the new key: 64 hexadecimal digits.")
    key = new_key or HouseKey(os.urandom(SECRET_BYTES))
    checked_reason(reason)
    with open_database(address) as store:
        with store.read() as connection:
            name = _house_of(connection, address)
            if is_postgres(address) and live_processes(connection, SystemClock().now()):
                raise HouseError(
                    "A server was running this house within the last 10 seconds. Stop all "
                    "servers before you rotate the key."
                )
        house = HouseContext(name, HouseShoeFactory(key, OsEntropy()))
        opened = AdminSession(address, store, house, Writer(store, house, SystemClock()))
        actor = opened.first_act(by).actor
        lost = opened.read(lambda connection: lost_shoes(connection, house.shoes))
        if new_key is None:
            replace_key(
                Path(address), key
            )  # the key must be on disk before a shoe is committed with it
        elif not lost and opened.read(has_open_shoes):
            variable = KEY_FILE_VARIABLE if os.environ.get(KEY_FILE_VARIABLE) else KEY_VARIABLE
            raise HouseError(
                f"{variable} holds the key that the house already has. Set it to a new key (64 "
                "hexadecimal digits); for a SQLite house, you can also unset it to have a new key "
                "created."
            )
        step = opened.writer.step(lost_shoe_requests(lost, actor, reason))
        for outcome in step.outcomes:
            require_done(outcome)
    return list(lost)


def read_house(database: str, query: Callable[[Connection], R]) -> R:
    """Run a query on the house, even while it is in use, without locking or writing anything."""
    address = _existing_house(database)
    with open_house(address) as house, house.read() as connection:
        _house_of(connection, address)
        return query(connection)


def _house_of(connection: Connection, address: str) -> str:
    name = _known_id(connection)
    if name is None:
        raise HouseError(
            f"{redacted_address(address)} has no house. Create one with `ventiuna house create`."
        )
    return name


@contextmanager
def open_database(address: str) -> Iterator[Store]:
    store = open_store(address)
    try:
        with reporting_failures():
            yield store
    finally:
        store.close()


def _existing_house(database: str) -> str:
    """The address of a house that must exist."""
    address = database_address(database)
    if not is_postgres(address) and not Path(address).exists():
        raise HouseError(
            f"There is no house at {address}. Create one with `ventiuna house create`."
        )
    return address


def redacted_address(address: str) -> str:
    """The address without its password, if any."""
    return "PostgreSQL" if is_postgres(address) else str(Path(address))


def initialize_house(database: str, name: str) -> str:
    """Create a house with its secret key in a database that has none; return its id."""
    address = database_address(database)
    if not 0 < len(name) <= LONGEST_HOUSE_NAME or not name.isprintable():
        raise HouseError(
            f"A house's name must have 1 to {LONGEST_HOUSE_NAME} printable characters."
        )
    if not is_postgres(address):
        folder = Path(address).parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HouseError(f"{folder} can't be created: {error.strerror or error}.") from None
    elif known_key(address) is None:
        raise HouseError(
            "With PostgreSQL, VENTIUNA_HOUSE_KEY must be set to 64 secret hexadecimal digits."
        )
    with open_database(address) as store:
        with store.read() as connection:
            if _known_id(connection) is not None:
                raise HouseError(f"{redacted_address(address)} already has a house.")
        if known_key(address) is None:
            key_beside(Path(address))
        with store.write() as connection:
            return house_id(connection, name)
