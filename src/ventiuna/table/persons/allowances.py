"""How often one address may ask for something, whichever process of the house it asks.

An allowance is full at first and each asking takes a part; time gives it back bit by bit. One
number says it all: when it will be full again. Addresses are kept as digests, for so long.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, delete, select, text

from ventiuna.table.store.schema import allowance

# One statement, so that two who ask at once don't both get the last part.
_TAKE = text(
    "INSERT INTO allowance (what, address, full_at) VALUES (:what, :address, :now + :part) "
    "ON CONFLICT (what, address) DO UPDATE SET full_at = :part + "
    "CASE WHEN allowance.full_at > :now THEN allowance.full_at ELSE :now END "
    "WHERE allowance.full_at + :part <= :now + :whole RETURNING full_at"
)


def take(connection: Connection, what: str, address: str, *, most: int, per: int, now: int) -> int:
    """Ask once, of `most` in `per` milliseconds: 0, or how long to wait where none is left."""
    digest = hashlib.sha256(f"{what}\n{address}".encode()).digest()
    part = max(1, per // most)
    whole = part * most
    asked = {"what": what, "address": digest, "now": now, "part": part, "whole": whole}
    if connection.execute(_TAKE, asked).first() is not None:
        return 0
    full_at = connection.scalar(
        select(allowance.c.full_at).where(allowance.c.what == what, allowance.c.address == digest)
    )
    return max(1, (full_at or now) + part - whole - now)


def forget_full(connection: Connection, now: int) -> int:
    """Remove those that are full again; says how many."""
    return connection.execute(delete(allowance).where(allowance.c.full_at <= now)).rowcount
