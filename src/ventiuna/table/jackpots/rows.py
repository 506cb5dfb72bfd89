"""Progressives in the database: read, locked, written.

Locks follow the order of `books.Lock`. An award waits for contributions in flight and stops
new ones, so the meter that its round is shown is exact.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, select

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.engine.stakes import Stakes
from ventiuna.table.books.entries import account_numbers, lock_accounts, lock_books, read_heads
from ventiuna.table.jackpots.postings import advance_of, meter_of, reserve_of
from ventiuna.table.jackpots.progressive import Progressive, Reading, Status
from ventiuna.table.jackpots.settings import settings_from_data
from ventiuna.table.ledger.chain import Head, canonical_json
from ventiuna.table.ledger.postings import HOUSE
from ventiuna.table.store.rows import Values, find_rows, insert_rows, run, update_rows
from ventiuna.table.store.schema import account
from ventiuna.table.store.schema import jackpot as jackpot_table
from ventiuna.table.store.schema import link as link_table

_JACKPOT = (
    "id",
    "name",
    "settings",
    "maximum",
    "reserve_rate",
    "advance_limit",
    "state",
    "missing",
)
_WRITTEN = ("name", "settings", "settings_hash", *_JACKPOT[3:])
_LINK = ("jackpot_id", "table_id", "game")
_SHOWN = """
    SELECT jackpot.id, jackpot.maximum,
        COALESCE((SELECT balance FROM account WHERE code = 'meter/' || jackpot.id), 0)
        + CAST(COALESCE(SUM(stripe.balance), 0) AS BIGINT) AS held
    FROM jackpot
    LEFT JOIN link ON link.jackpot_id = jackpot.id
    LEFT JOIN account AS stripe ON stripe.code = 'meter/' || jackpot.id || '/' || link.table_id
    WHERE jackpot.state <> 'removed'
    GROUP BY jackpot.id, jackpot.maximum
    ORDER BY jackpot.id
"""


# --- reading ----------------------------------------------------------------------------------


def lock_jackpot(connection: Connection, number: int) -> Reading:
    """The progressive, held until the transaction ends."""
    return lock_jackpots(connection, [number])[number]


def lock_jackpots(
    connection: Connection, numbers: Collection[int], also: Collection[str] = ()
) -> dict[int, Reading]:
    """These progressives, all held until the transaction ends.

    `also` are accounts of other jackpots that the same transaction will move, such as the
    stripes of a table that feeds two: they are locked in the same order.
    """
    lock_accounts(connection, account_numbers(connection, [HOUSE]).values())
    heads = lock_books(connection, numbers)
    tables = _tables_of(connection, numbers)
    codes = [code for number in numbers for code in _codes(number, tables[number])]
    known = account_numbers(connection, [*codes, *also])
    held = lock_accounts(connection, known.values())
    return _readings(
        connection, numbers, heads, tables, {code: held[known[code]] for code in codes}
    )


def read_jackpots(connection: Connection, numbers: Collection[int]) -> dict[int, Reading]:
    """These progressives without a lock, as they are in the moment that the transaction sees."""
    tables = _tables_of(connection, numbers)
    codes: list[Values] = [(code,) for number in numbers for code in _codes(number, tables[number])]
    heads = read_heads(connection, numbers)
    rows = find_rows(connection, account, ("code", "balance"), ("code",), codes)
    return _readings(connection, numbers, heads, tables, {row.code: row.balance for row in rows})


def read_shown(connection: Connection) -> dict[int, int]:
    """What every progressive in play shows, in one statement."""
    return {
        number: held if maximum is None else min(maximum, held)
        for number, maximum, held in run(connection, _SHOWN).fetchall()
    }


def read_suspended(connection: Connection) -> frozenset[int]:
    """Progressives that take no bets."""
    query = select(jackpot_table.c.id).where(jackpot_table.c.state != "open")
    return frozenset(connection.scalars(query))


def over_maximum(connection: Connection) -> list[int]:
    """Progressives that hold more than they show: their stripes want folding."""
    return [
        number
        for number, maximum, held in run(connection, _SHOWN).fetchall()
        if maximum is not None and held > maximum
    ]


def all_jackpots(connection: Connection) -> list[int]:
    """The numbers of all progressives, removed ones too."""
    return list(connection.scalars(select(jackpot_table.c.id).order_by(jackpot_table.c.id)))


def _readings(
    connection: Connection,
    numbers: Collection[int],
    heads: Mapping[int, Head],
    tables: Mapping[int, Mapping[int, int]],
    held: Mapping[str, int],
) -> dict[int, Reading]:
    rows = find_rows(connection, jackpot_table, _JACKPOT, ("id",), _each(numbers))
    readings = {}
    for number, name, settings, maximum, rate, limit, state, lacking in rows:
        linked = tables[number]
        jackpot = Progressive(
            number=number,
            name=name,
            settings=settings_from_data(json.loads(settings)),
            maximum=maximum,
            reserve_rate=rate,
            advance_limit=limit,
            status=Status(state),
            tables=Stakes(linked),
            meter=held.get(meter_of(number), 0),
            reserve=held.get(reserve_of(number), 0),
            advanced=-held.get(advance_of(number), 0),
            missing=lacking,
        )
        readings[number] = Reading(
            heads[number],
            jackpot,
            meters={table: held.get(meter_of(number, table), 0) for table in linked},
            reserves={table: held.get(reserve_of(number, table), 0) for table in linked},
        )
    unknown = sorted(set(numbers) - readings.keys())
    if unknown:
        raise Refused(
            RefusalCode.NO_SUCH_PROGRESSIVE, (), f"There is no progressive jackpot {unknown[0]}."
        )
    return readings


def _tables_of(connection: Connection, numbers: Collection[int]) -> dict[int, dict[int, int]]:
    """By jackpot, the game of each table that feeds it."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for jackpot, table, game in find_rows(
        connection, link_table, _LINK, ("jackpot_id",), _each(numbers)
    ):
        found[jackpot][table] = game
    return found


def _codes(number: int, tables: Iterable[int]) -> list[str]:
    stripes = [of(number, table) for table in tables for of in (meter_of, reserve_of)]
    return [meter_of(number), reserve_of(number), advance_of(number), *stripes]


def _each(numbers: Iterable[int]) -> list[Values]:
    return [(number,) for number in numbers]


# --- writing ----------------------------------------------------------------------------------


def write_jackpot(connection: Connection, jackpot: Progressive, before: Progressive | None) -> None:
    """The row that follows from a progressive's events. Its money follows from postings alone,
    and its links are rows of the tables."""
    row = _row(jackpot)
    if before is None:
        insert_rows(connection, jackpot_table, ("id", *_WRITTEN), [row])
    elif row != _row(before):
        update_rows(connection, jackpot_table, ("id",), _WRITTEN, [row])


def _row(jackpot: Progressive) -> Values:
    return (
        jackpot.number,
        jackpot.name,
        canonical_json(jackpot.settings.data()),
        jackpot.settings.hash,
        jackpot.maximum,
        jackpot.reserve_rate,
        jackpot.advance_limit,
        str(jackpot.status),
        jackpot.missing,
    )
