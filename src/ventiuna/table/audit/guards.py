"""What keeps the books from being bent: the audit tells where it is gone."""

from __future__ import annotations

from sqlalchemy import Connection

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.store.revisions import revision_of
from ventiuna.table.store.safeguards import missing_safeguards


def check_guards(connection: Connection, differences: Differences) -> None:
    """All that is wrong with them is one difference: who takes one away takes many."""
    wrong = missing_safeguards(connection)
    if wrong:
        due = f"all triggers, functions, constraints and indexes of {revision_of(connection)}"
        differences.add(Kind.GUARD, Place(), "what guards its database", "; ".join(wrong), due)
