"""Seals, all of them: what others hold must still follow from the books."""

from __future__ import annotations

from sqlalchemy import Connection

from ventiuna.table.audit.differences import Differences, Kind, Place
from ventiuna.table.seals import Seal, SealFault, check_seals


def audit_seals(connection: Connection, differences: Differences) -> int:
    """How many there are; what is wrong with one is told with its number."""
    number = 0
    try:
        for checked in check_seals(connection):
            if isinstance(checked, Seal):
                number += 1
            else:
                _tell(differences, checked)
    except ValueError:  # a list of books that can't be read
        _tell(differences, SealFault(number + 1, "Its list of books can't be read."))
    return number


def _tell(differences: Differences, fault: SealFault) -> None:
    differences.add(Kind.SEAL, Place(), f"seal {fault.number}", fault.sentence, "another seal")
