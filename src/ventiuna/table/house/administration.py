"""What operators do to a house: each act an entry in the books, with who and why.

The web and the terminal share it. Every act has a key: a copy of it is done once. Commands that
a table carries out by itself, such as closing it, go to the writer like those of players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused, shown
from ventiuna.rules import Rules, rules_from_data
from ventiuna.rules.model import JackpotKind
from ventiuna.table.books.copies import done_before
from ventiuna.table.books.entries import known_commands
from ventiuna.table.house import houses
from ventiuna.table.jackpots import writing
from ventiuna.table.jackpots.commands import (
    CreateJackpot,
    OperatorCommand,
    RemoveJackpot,
)
from ventiuna.table.jackpots.limits import check_limits
from ventiuna.table.jackpots.rows import lock_jackpots
from ventiuna.table.jackpots.settings import settings_of
from ventiuna.table.jackpots.writing import Sender
from ventiuna.table.ledger.chain import request_hash
from ventiuna.table.persons import cashier
from ventiuna.table.persons.people import PersonKind
from ventiuna.table.play.carrying_out import Actor, Role
from ventiuna.table.play.commands import LinkJackpot, OpenTable
from ventiuna.table.play.reasons import checked_reason
from ventiuna.table.ports import Clock
from ventiuna.table.store import schema
from ventiuna.table.store.schema import person
from ventiuna.table.writing.requests import Refusal, Request, check_key
from ventiuna.table.writing.transaction import Fault, House, Transaction
from ventiuna.table.writing.writer import Writer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Act:
    """Who does it, under which key, by which clock."""

    actor: Actor
    key: str
    clock: Clock

    def __post_init__(self) -> None:
        check_key(self.key)
        if self.actor.role is not Role.OPERATOR:
            raise Refused(RefusalCode.NOT_ALLOWED, (), "This is for operators alone.")

    @property
    def at(self) -> int:
        return self.clock.now()

    @property
    def sender(self) -> Sender:
        return Sender(self.actor.name, self.key, self.at)


def carry_out(writer: Writer, act: Callable[[Connection], T]) -> T:
    """In a transaction of its own. Of two copies at once the second finds what the first did."""
    try:
        return writer.run(act)
    except IntegrityError:
        return writer.run(act)


# --- tables -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenedTable:
    number: int
    jackpots: Mapping[int, int]  # by game


def open_table(
    connection: Connection,
    house: House,
    act: Act,
    command: OpenTable,
    linked: Mapping[int, int] | None = None,
) -> OpenedTable:
    """A new table whose progressives all have a meter: one that is given for the game, or a new
    one of its own."""
    reason = checked_reason(command.reason)
    given = dict(linked or {})
    is_copy = bool(known_commands(connection, [(act.actor.name, act.key)]))
    number = houses.open_table(connection, house, act.actor, act.key, command, act.at)
    if is_copy:
        return OpenedTable(number, jackpots_of(connection, number))
    rules = rules_from_data(command.rules)
    games = progressive_games(rules)
    if strange := sorted(given.keys() - set(games)):
        raise Refused(
            RefusalCode.NO_SUCH_JACKPOT,
            ("R-084",),
            f"jackpots: game {strange[0]} is not a progressive of these rules.",
        )
    for game in games:
        if game not in given:
            given[game] = _own_jackpot(connection, act, number, command, game)
    for game, jackpot in sorted(given.items(), key=lambda pair: pair[1]):  # locks go by number
        link = LinkJackpot(game, jackpot, reason)
        _in_same_transaction(connection, house, act, number, link)
    return OpenedTable(number, given)


def progressive_games(rules: Rules) -> list[int]:
    """The games of these rules that have a meter."""
    return [
        game
        for game, jackpot in enumerate(rules.jackpots, start=1)
        if jackpot.kind is JackpotKind.PROGRESSIVE
    ]


def jackpots_of(connection: Connection, table: int) -> dict[int, int]:
    """The progressives that a table feeds, by game."""
    link = schema.link
    rows = connection.execute(
        select(link.c.game, link.c.jackpot_id).where(link.c.table_id == table).order_by(link.c.game)
    )
    return {row.game: row.jackpot_id for row in rows}


def _own_jackpot(
    connection: Connection, act: Act, table: int, command: OpenTable, game: int
) -> int:
    settings = settings_of(rules_from_data(command.rules), game).data()
    name = f"{command.name.strip()[:50]}, jackpot {game}"
    asked = CreateJackpot(name, settings, command.reason)
    sender = Sender(act.actor.name, f"open/{table}/{game}", act.at)
    return writing.create_jackpot(connection, asked, sender).number


def _in_same_transaction(
    connection: Connection, house: House, act: Act, table: int, command: LinkJackpot
) -> None:
    """A command of the table, committed with what came before it."""
    request = Request(table, act.actor, f"link/{table}/{command.game}", command)
    result = Transaction(connection, house, act.clock).run([request], alone=True)[0]
    if isinstance(result, Fault):
        raise result.error
    if isinstance(result, Refusal):
        raise Refused(result.code, result.rules, result.reason)


# --- jackpots ---------------------------------------------------------------------------------


def create_jackpot(connection: Connection, act: Act, command: CreateJackpot) -> int:
    """A progressive that tables with these settings may be linked to; its number."""
    checked_reason(command.reason)
    return writing.create_jackpot(connection, command, act.sender).number


def change_jackpot(
    connection: Connection, act: Act, number: int, command: OperatorCommand | RemoveJackpot
) -> None:
    """One act of an operator on a progressive."""
    checked_reason(command.reason)
    if isinstance(command, RemoveJackpot):
        writing.remove_jackpot(connection, number, command, act.sender)
    else:
        reading = lock_jackpots(connection, [number])[number]
        if writing.done(connection, command, act.sender, number) is None:
            check_limits(connection, reading, command, act.at)
        writing.carry_out(connection, number, command, act.sender)


# --- money and roles --------------------------------------------------------------------------


def move_money(
    connection: Connection, act: Act, command: cashier.IssueMoney | cashier.RedeemMoney
) -> None:
    """Play money given out or taken back."""
    cashier.carry_out(connection, act.actor, act.key, command, act.at)


def give_role(connection: Connection, act: Act, command: cashier.GiveRole) -> None:
    """Roles are for people with a password, and a house keeps an operator."""
    content = request_hash(cashier.COMMANDS.data(command))
    if done_before(connection, act.actor.name, act.key, content) is None:
        _check_role(connection, command)
    cashier.carry_out(connection, act.actor, act.key, command, act.at)


def _check_role(connection: Connection, command: cashier.GiveRole) -> None:
    found = connection.execute(
        select(person.c.name, person.c.kind, person.c.role).where(person.c.id == command.person)
    ).first()
    if found is None:
        raise Refused(
            RefusalCode.NO_SUCH_PERSON, (), f"person: nobody has the number {command.person}."
        )
    if found.kind == PersonKind.GUEST and command.role != Role.PLAYER:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            f"person: {shown(found.name)} is a guest; only who has a password gets a role.",
        )
    if found.role == Role.OPERATOR and command.role != Role.OPERATOR:
        _check_not_last(connection)


def _check_not_last(connection: Connection) -> None:
    operators = select(func.count()).select_from(person).where(person.c.role == str(Role.OPERATOR))
    if connection.scalar(operators) == 1:
        raise Refused(
            RefusalCode.NOT_ALLOWED, (), "person: this is the last operator; name another first."
        )
