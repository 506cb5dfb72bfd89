"""A command that is sent again under its key: because its answer was lost, or its commit's."""

from __future__ import annotations

from sqlalchemy import Connection

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.table.books.entries import KnownCommand, known_commands


def done_before(
    connection: Connection, actor: str, key: str, content: bytes, book: int | None = None
) -> KnownCommand | None:
    """What came of this very command when it came first.

    Another one under its key is refused, and so is one that stands in another book than this.
    """
    known = known_commands(connection, [(actor, key)]).get((actor, key))
    if known is not None and (known.request != content or book not in (None, known.book)):
        raise Refused(RefusalCode.KEY_REUSED, (), "key: already used for another command.")
    return known
