"""Safeguards of the database: the audit reports any that are missing, changed or added."""

from __future__ import annotations

from sqlalchemy import Connection

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.store.revisions import newest_revision, revision_of
from ventiuna.table.store.safeguards import missing_safeguards


def check_guards(connection: Connection, differences: Differences) -> None:
    """Report all faults as one difference: whoever removes one guard removes many."""
    newest, revision = newest_revision(), revision_of(connection)
    if revision != newest:
        differences.add(Kind.GUARD, Place(), "the revision of its schema", revision, newest)
    wrong = missing_safeguards(connection)
    if wrong:
        due = f"all triggers, functions, constraints and indexes of {newest}, and no others"
        differences.add(Kind.GUARD, Place(), "what guards its database", "; ".join(wrong), due)
