"""Tables of one's own: everybody may play alone, without an operator who opens a table.

The house opens and closes them, and its books say at whose wish: the actor `own/12` is the house
on behalf of person 12. So a table's first entry tells whose it is, and nothing else has to. Nobody
but the owner sits down there; onlookers see what onlookers see. Clocks stand still: the only one
who waits is the owner.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, select

from ventiuna.engine.stakes import Stakes
from ventiuna.rules import Rules, rules_data
from ventiuna.table.house.administration import Act, open_table, progressive_games
from ventiuna.table.jackpots.commands import CreateJackpot
from ventiuna.table.jackpots.settings import Settings, settings_of
from ventiuna.table.jackpots.writing import Sender, create_jackpot
from ventiuna.table.play.carrying_out import Actor, Role
from ventiuna.table.play.clocks import LONGEST
from ventiuna.table.play.commands import OpenTable
from ventiuna.table.store.prepared import Prepared
from ventiuna.table.store.schema import book, bot, entry, game_table, jackpot, seat
from ventiuna.table.writing.transaction import House

HOUR = 3_600_000
# A hand waits for its player; a window that was closed two hours ago is not opened again.
CLOCKS = Stakes({"wagers": LONGEST, "answer": LONGEST, "decision": LONGEST, "away": 2 * HOUR})
IDLE = 600_000  # milliseconds after which a table without its owner is closed
OPENED = "a table of one's own"
CLOSED = "nobody was at it for a while"
REPLACED = "its owner begins another one"
_PREFIX = "own/"


class OwnTable(NamedTuple):
    table: int
    owner: int


def opener(owner: int) -> Actor:
    """The house on behalf of this person."""
    return Actor(f"{_PREFIX}{owner}", Role.OPERATOR)


def owner_of_table(connection: Connection, table: int) -> int | None:
    """Whose own table it is; None for those of the house."""
    actor = connection.scalar(
        select(entry.c.actor).where(entry.c.book_id == table, entry.c.version == 1)
    )
    return _owner(actor or "")


def own_tables(connection: Connection, owner: int | None = None) -> list[OwnTable]:
    """Those that are not closed, of this person or of everybody."""
    found = [OwnTable(row.id, _owner(row.actor) or 0) for row in _OPEN_ONES.all(connection)]
    return [one for one in found if owner in (None, one.owner)]


def forsaken(connection: Connection, now: int) -> list[OwnTable]:
    """Open ones where nobody but bots sits, and nothing has happened for a while."""
    is_bot = select(bot.c.person_id).where(bot.c.person_id == seat.c.person_id).exists()
    has_people = select(seat.c.number).where(seat.c.table_id == game_table.c.id, ~is_bot).exists()
    newest = entry.alias("newest")
    rows = connection.execute(
        _open_ones()
        .join(book, book.c.id == game_table.c.id)
        .join(newest, (newest.c.book_id == book.c.id) & (newest.c.version == book.c.version))
        .where(game_table.c.state == "open", ~has_people, newest.c.at <= now - IDLE)
    ).all()
    return [OwnTable(row.id, _owner(row.actor) or 0) for row in rows]


def _open_ones() -> Select[Any]:
    return (
        select(game_table.c.id, entry.c.actor)
        .join(entry, (entry.c.book_id == game_table.c.id) & (entry.c.version == 1))
        .where(game_table.c.state != "closed", func.substr(entry.c.actor, 1, 4) == _PREFIX)
    )


_OPEN_ONES = Prepared(_open_ones().order_by(game_table.c.id))


def _owner(actor: str) -> int | None:
    return int(actor.removeprefix(_PREFIX)) if actor.startswith(_PREFIX) else None


def open_own_table(connection: Connection, house: House, act: Act, name: str, rules: Rules) -> int:
    """A new one. Its progressives are those of the house with the same settings: a meter that
    belongs to one visitor's table alone would be left behind with every table that closes."""
    linked = {game: _meter(connection, act, rules, game) for game in progressive_games(rules)}
    command = OpenTable(name, rules_data(rules), CLOCKS, OPENED)
    return open_table(connection, house, act, command, linked).number


def _meter(connection: Connection, act: Act, rules: Rules, game: int) -> int:
    settings = settings_of(rules, game)
    found = connection.scalar(
        select(func.min(jackpot.c.id)).where(
            jackpot.c.settings_hash == settings.hash, jackpot.c.state == "open"
        )
    )
    return found or _new_meter(connection, act, settings)


def _new_meter(connection: Connection, act: Act, settings: Settings) -> int:
    name = f"Jackpot {settings.table}, pay table {settings.pay_table}"
    asked = CreateJackpot(name, settings.data(), "for tables that people open for themselves")
    sender = Sender(act.actor.name, f"meter/{settings.hash.hex()[:16]}/{act.at}", act.at)
    return create_jackpot(connection, asked, sender).number
