"""Seals, all of them: what others hold must still follow from the books."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from sqlalchemy import Connection, func, select

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.audit.recorded import Notes
from ventiuna.table.audit.replaying import FAULTS
from ventiuna.table.books.seals import Seal, SealFault, Versions, all_seals, check_seals
from ventiuna.table.store.schema import entry, seal

LONG_WITHOUT = 10  # minutes


def audit_seals(connection: Connection, differences: Differences, notes: Notes) -> int:
    """Check all seals and count them; each fault is a difference with its seal's number."""
    number = old = 0
    try:
        for checked in check_seals(connection):
            if isinstance(checked, Seal):
                number += 1
                old += checked.rows is None
            else:
                _tell(differences, checked)
    except FAULTS:
        _tell(differences, SealFault(number + 1, "Its list of books can't be read."))
    if old:
        notes.add(
            f"The first {old:,} seals are from an older version of Ventiuna: they cover neither "
            "their own time nor the number of rows."
        )
    return number


def sealed_versions(connection: Connection) -> Iterator[tuple[int, Versions]]:
    """Each seal and the books that it lists; one whose list can't be read is told elsewhere."""
    for made in all_seals(connection):
        with suppress(*FAULTS):
            versions = made.versions
            if all(type(part) is int for pair in versions.items() for part in pair):
                yield made.number, versions


def check_held_seals(
    connection: Connection, held: Sequence[bytes], differences: Differences
) -> None:
    """Seals that others noted: the last ones can be deleted without a gap in the chain."""
    known = set(connection.scalars(select(seal.c.hash).where(seal.c.hash.in_(held))))
    for noted in held:
        if noted not in known:
            differences.add(Kind.SEAL, Place(), f"the seal {noted.hex()}", "none", "this one")


def note_age(connection: Connection, newest: Seal | None, notes: Notes) -> None:
    """A house that is open seals each minute: a long time without may be seals that are gone."""
    last = connection.scalar(select(func.max(entry.c.at))) or 0
    sealed = newest.at if newest is not None else connection.scalar(select(func.min(entry.c.at)))
    minutes = (last - (last if sealed is None else sealed)) // 60_000
    if minutes >= LONG_WITHOUT:
        notes.add(
            f"The last entries are {minutes:,} minutes younger than the newest seal. An open house "
            "seals each minute: hold a seal that somebody noted against it (--seal)."
        )


def _tell(differences: Differences, fault: SealFault) -> None:
    differences.add(Kind.SEAL, Place(), f"seal {fault.number}", fault.sentence, "another seal")
