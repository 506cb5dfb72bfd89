"""Which persons are bots, at which tables, and how they play: so that they outlive a restart."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from ventiuna.table.persons.cashier import IssueMoney, carry_out
from ventiuna.table.persons.people import Entropy, add_guest
from ventiuna.table.play.carrying_out import SERVICE
from ventiuna.table.store.schema import bot, game_table, person

BANKROLL = 10_000_000  # cents
REASON = "the bankroll of a bot"


@dataclass(frozen=True, slots=True)
class BotRow:
    person: int
    name: str
    table: int
    strategy: str


_ROWS = (
    select(bot.c.person_id, person.c.name, bot.c.table_id, bot.c.strategy)
    .join(person, person.c.id == bot.c.person_id)
    .join(game_table, game_table.c.id == bot.c.table_id)
)


def first_money_key(who: int) -> str:
    """The key under which the cashier's book says that the house made this bot."""
    return f"bot/{who}"


def new_bot(
    connection: Connection, table: int, strategy: str, now: int, entropy: Entropy
) -> BotRow:
    """A guest whom the house plays, with a bankroll."""
    who = add_guest(connection, free_name(connection), now, entropy)
    add_bot(connection, who.id, table, strategy)
    money = IssueMoney(who.id, BANKROLL, REASON)
    carry_out(connection, SERVICE, first_money_key(who.id), money, now)
    return BotRow(who.id, who.name, table, strategy)


def add_bot(connection: Connection, who: int, table: int, strategy: str) -> None:
    connection.execute(insert(bot).values(person_id=who, table_id=table, strategy=strategy))


def remove_bot(connection: Connection, who: int) -> None:
    connection.execute(delete(bot).where(bot.c.person_id == who))


def move_bot(connection: Connection, row: BotRow, table: int, strategy: str) -> None:
    """To another table, where its own is closed."""
    remove_bot(connection, row.person)
    add_bot(connection, row.person, table, strategy)


def idle_bot(connection: Connection) -> BotRow | None:
    """One whose table is closed: it may play at another, so that a house of many short tables
    does not fill with bots."""
    row = connection.execute(
        _ROWS.where(game_table.c.state == "closed").order_by(bot.c.person_id).limit(1)
    ).first()
    return BotRow(*row) if row else None


def all_bots(connection: Connection) -> list[BotRow]:
    """Those of tables that are not closed."""
    rows = connection.execute(_ROWS.where(game_table.c.state != "closed").order_by(bot.c.person_id))
    return [BotRow(*row) for row in rows]


def free_name(connection: Connection) -> str:
    """`Bot 1`, `Bot 2` and so on: the first that nobody has."""
    taken = set(connection.scalars(select(person.c.name).where(person.c.name.like("Bot %"))))
    numbers = range(1, len(taken) + 2)
    return next(name for name in (f"Bot {number}" for number in numbers) if name not in taken)
