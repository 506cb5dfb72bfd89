"""A house at a glance: what there is, and its tables."""

from __future__ import annotations

from sqlalchemy import Column, Connection, func, select

from ventiuna.engine.records import Data
from ventiuna.rules import Rules, canonical
from ventiuna.table.books.entries import balances
from ventiuna.table.books.seals import newest_seal
from ventiuna.table.jackpots.rows import all_jackpots
from ventiuna.table.store import schema
from ventiuna.table.writing.loading import stored_rules


def summary(connection: Connection) -> Data:
    """People, tables, jackpots, money, the newest seal."""
    house, person, table = schema.house, schema.person, schema.game_table
    row = connection.execute(select(house.c.id, house.c.name)).one()
    states = _counts(connection, table.c.state)
    roles = _counts(connection, person.c.role)
    seal = newest_seal(connection)
    held = balances(connection)
    return {
        "house": row.id,
        "name": row.name,
        "operators": roles.get("operator", 0),
        "auditors": roles.get("auditor", 0),
        "players": roles.get("player", 0),
        "open_tables": states.get("open", 0),
        "closing_tables": states.get("closing", 0),
        "tables_in_fault": states.get("fault", 0),
        "jackpots": len(all_jackpots(connection)),
        "issued_cents": -held.get("mint", 0),
        "imbalance_cents": sum(held.values()),
        "newest_seal": seal.hash.hex() if seal else None,
    }


def _counts(connection: Connection, column: Column[str]) -> dict[str, int]:
    rows = connection.execute(select(column, func.count()).group_by(column))
    return {str(value): int(number) for value, number in rows}


def tables(connection: Connection) -> list[Data]:
    """All tables with their rules, closed ones too."""
    table = schema.game_table
    known: dict[str, Rules] = {}
    return [
        {
            "id": row.id,
            "name": row.name,
            "preset": row.rules_name,
            "rules": canonical(stored_rules(row.rules_data, known)),
            "fingerprint": row.rules_fingerprint,
            "status": row.state,
        }
        for row in connection.execute(select(table).order_by(table.c.id))
    ]
