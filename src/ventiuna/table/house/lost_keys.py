"""The house key and the open shoes that were committed with it.

A house doesn't start with a key that doesn't open its shoes: it is usually the wrong file, and a
new key would also be a way to avoid revealing a shoe. So only an operator can replace the key, and
the book of every table that loses its shoes records it.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from ventiuna.errors import VentiunaError
from ventiuna.table.play.carrying_out import Actor
from ventiuna.table.play.commands import LoseShoes
from ventiuna.table.play.state import ShoeRecord
from ventiuna.table.play.turn import Shoes
from ventiuna.table.shoes.fairness import read_context
from ventiuna.table.store.schema import game_table, shoe
from ventiuna.table.writing.requests import Request

REMEDY = (
    "If the key is lost, `ventiuna house rotate-key --void-open-rounds` creates a new one and "
    "voids the open rounds."
)
_OPEN = (
    select(shoe)
    .join(game_table, game_table.c.id == shoe.c.table_id)
    .where(shoe.c.closed_version.is_(None), game_table.c.state != "closed")
    .order_by(shoe.c.table_id, shoe.c.number)
)


class OtherKey(VentiunaError):
    """The house key is missing or doesn't open the house's shoes."""


def has_open_shoes(connection: Connection) -> bool:
    return connection.execute(_OPEN.limit(1)).first() is not None


def check_key(connection: Connection, shoes: Shoes) -> None:
    """Refuse a key that doesn't open the shoes of the open tables."""
    if lost_shoes(connection, shoes):
        raise OtherKey(
            f"The house key doesn't open this house's shoes. Put the right key back. {REMEDY}"
        )


def lost_shoes(connection: Connection, shoes: Shoes) -> dict[int, int]:
    """Tables with a shoe that the key doesn't open, and the number of each table's last shoe."""
    last: dict[int, int] = {}
    lost: set[int] = set()
    for row in connection.execute(_OPEN):
        context = read_context(row.context)
        record = ShoeRecord(row.number, context, row.salt, row.commitment, row.source)
        if not shoes.fits(record):
            lost.add(row.table_id)
        last[row.table_id] = row.number
    return {table: last[table] for table in sorted(lost)}


def new_shoes(lost: dict[int, int], actor: Actor, reason: str) -> list[Request]:
    """Commands that end the lost shoes and start new ones."""
    return [
        Request(table, actor, f"lost/{table}/{number}", LoseShoes(number, reason))
        for table, number in lost.items()
    ]
