"""A house whose key is another one than its shoes were committed with.

Whoever starts the house looks once: tables with such shoes get new ones. While another process
serves the house, a key that does not fit is a mistake of this process, and it may not start.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from ventiuna.errors import VentiunaError
from ventiuna.table.play.carrying_out import SERVICE
from ventiuna.table.play.commands import LoseShoes
from ventiuna.table.play.state import ShoeRecord
from ventiuna.table.play.turn import Shoes
from ventiuna.table.shoes.fairness import read_context
from ventiuna.table.store.schema import game_table, shoe
from ventiuna.table.writing.requests import Request

LOST = "the house's key was lost"


class OtherKey(VentiunaError):
    """This process has another key than those that serve the house."""


def lost_shoes(connection: Connection, shoes: Shoes) -> dict[int, int]:
    """Tables with a shoe that the house's key does not open, and the number of their last shoe."""
    rows = connection.execute(
        select(shoe)
        .join(game_table, game_table.c.id == shoe.c.table_id)
        .where(shoe.c.closed_version.is_(None), game_table.c.state != "closed")
        .order_by(shoe.c.table_id, shoe.c.number)
    )
    last: dict[int, int] = {}
    lost: set[int] = set()
    for row in rows:
        context = read_context(row.context)
        record = ShoeRecord(row.number, context, row.salt, row.commitment, row.source)
        if not shoes.fits(record):
            lost.add(row.table_id)
        last[row.table_id] = row.number
    return {table: last[table] for table in sorted(lost)}


def new_shoes(lost: dict[int, int], is_first: bool) -> list[Request]:
    """What is asked of the tables; `is_first` where no other process serves the house."""
    if lost and not is_first:
        raise OtherKey(
            "The house key is not the one that the other processes of this house use: give them "
            "all the same house_key_file."
        )
    return [
        Request(table, SERVICE, f"lost/{table}/{number}", LoseShoes(number, LOST))
        for table, number in lost.items()
    ]
