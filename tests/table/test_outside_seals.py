"""Copies of seals outside the house: written as they are made, and compared by an audit."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, text

from tests.table.conftest import Postgres
from tests.table.played_house import KEY, PlayedHouse
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.table.audit.house import AuditReport, AuditScope, audit
from ventiuna.table.journal import all_seals, newest_seal, seal_books, stored_entries
from ventiuna.table.outside_seals import (
    OutsideSeal,
    OutsideSealError,
    OutsideSeals,
    SealCopier,
    house_of,
    outside_seals,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import seal


@pytest.fixture(params=["file", "sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path, postgres: Postgres) -> Iterator[str]:
    """A file, and both databases."""
    if request.param == "file":
        yield str(tmp_path / "seals.jsonl")
    elif request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'seals.sqlite'}"
    else:
        name = f"seals_{postgres.worker}"
        made = postgres.create(name)
        yield made.owner
        postgres.drop(name)


@pytest.fixture
def house(owned: Store) -> PlayedHouse:
    played = PlayedHouse(owned)
    played.open()
    played.play(1)
    played.seal()
    return played


def _held(house: PlayedHouse, address: str) -> list[OutsideSeal]:
    with house.store.read() as connection:
        return outside_seals(address).read(house_of(connection))


def _audited(connection: Connection, held: list[OutsideSeal] | None = None) -> AuditReport:
    return audit(connection, AuditScope(key=KEY, outside=held))


def test_every_seal_is_copied_once(house: PlayedHouse, address: str) -> None:
    copier = SealCopier(outside_seals(address))
    assert [copier.copy(house.store) for _ in range(2)] == [1, 0]
    for _ in range(3):
        house.seal()
    assert SealCopier(outside_seals(address)).copy(house.store) == 3  # as after a restart
    house.seal()
    copier.forget()
    assert copier.copy(house.store) == 1
    with house.store.read() as connection:
        due = [(one.number, one.at, one.hash.hex()) for one in all_seals(connection)]
        held = _held(house, address)
        assert [(one.number, one.at, one.hash) for one in held] == due
        report = _audited(connection, held)
    assert report.holds
    assert any("The house was compared with 5 seals outside it" in note for note in report.notes)


def test_a_new_copy_begins_with_the_newest_seal(house: PlayedHouse, address: str) -> None:
    house.seal()
    assert SealCopier(outside_seals(address)).copy(house.store) == 1
    assert [one.number for one in _held(house, address)] == [2]


def test_several_houses_share_a_copy(house: PlayedHouse, address: str) -> None:
    other = OutsideSeal("another", 1, 5, "ab" * 32)
    outside_seals(address).add([other])
    SealCopier(outside_seals(address)).copy(house.store)
    assert outside_seals(address).read("another") == [other]
    assert [one.number for one in _held(house, address)] == [1]


def _rewrite(connection: Connection, house: PlayedHouse) -> None:
    """Delete all seals, change an entry, rehash everything after it, and seal again."""
    take_guards_away(connection)
    newest = newest_seal(connection)
    assert newest is not None
    connection.execute(delete(seal))
    previous = bytes(32)
    for stored in list(stored_entries(connection, house.table)):
        entry = stored.entry
        changed = replace(entry, key=f"{entry.key}x" if entry.version == 3 else entry.key)
        previous = changed.hash_with(previous, [line.data() for line in stored.lines])
        connection.execute(
            text(
                "UPDATE entry SET key = :key, hash = :hash "
                "WHERE book_id = :book AND version = :version"
            ),
            {
                "key": changed.key,
                "hash": previous,
                "book": house.table,
                "version": entry.version,
            },
        )
    connection.execute(
        text("UPDATE book SET head = :head WHERE id = :book"),
        {"head": previous, "book": house.table},
    )
    for _ in range(newest.number):
        seal_books(connection, newest.at)


def _differences(report: AuditReport) -> set[str]:
    """Differences, apart from the guards that the test itself removed."""
    return {one.what for one in report.differences if one.kind != "guard"}


def test_only_outside_seals_reveal_a_complete_rewrite(house: PlayedHouse, address: str) -> None:
    SealCopier(outside_seals(address)).copy(house.store)
    held = _held(house, address)
    with rolled_back(house.store) as connection:
        _rewrite(connection, house)
        assert _differences(_audited(connection)) == set()
        assert _differences(_audited(connection, held)) == {"seal 1 outside the house"}


def test_deleted_seals_and_a_missing_copy_are_found(house: PlayedHouse, address: str) -> None:
    SealCopier(outside_seals(address)).copy(house.store)
    with rolled_back(house.store) as connection:
        take_guards_away(connection)
        connection.execute(delete(seal))
        found = _audited(connection, _held(house, address))
        assert _differences(found) == {"seal 1 outside the house"}
        assert _differences(_audited(connection, [])) == {"seals outside the house"}


def test_the_copier_notices_a_rewrite(house: PlayedHouse, address: str) -> None:
    outside_seals(address).add([OutsideSeal("h1", 1, 5, "ab" * 32)])
    copier = SealCopier(outside_seals(address))
    for _ in range(2):
        with pytest.raises(OutsideSealError, match="Seal 1 outside the house isn't among"):
            copier.copy(house.store)


class _Failing:
    """A copy that can't be reached now and then."""

    def __init__(self, copy: OutsideSeals) -> None:
        self.copy = copy
        self.fails = True

    def read(self, house: str) -> list[OutsideSeal]:
        return self.copy.read(house)

    def add(self, seals: list[OutsideSeal]) -> None:
        if self.fails:
            raise OutsideSealError("away")
        self.copy.add(seals)


def test_seals_made_during_an_outage_are_added_after_it(house: PlayedHouse, address: str) -> None:
    SealCopier(outside_seals(address)).copy(house.store)
    failing = _Failing(outside_seals(address))
    copier = SealCopier(failing)  # type: ignore[arg-type]
    for _ in range(3):
        house.seal()
        with pytest.raises(OutsideSealError):
            copier.copy(house.store)
    failing.fails = False
    assert copier.copy(house.store) == 3
    assert [one.number for one in _held(house, address)] == [1, 2, 3, 4]


def test_an_interrupted_line_is_written_again(house: PlayedHouse, tmp_path: Path) -> None:
    path = tmp_path / "seals.jsonl"
    SealCopier(outside_seals(str(path))).copy(house.store)
    house.seal()
    path.write_bytes(path.read_bytes() + b'{"at":17900')
    SealCopier(outside_seals(str(path))).copy(house.store)
    assert [one.number for one in _held(house, str(path))] == [1, 2]
    lines = path.read_text().splitlines()
    assert json.loads(lines[0]).keys() == {"at", "hash", "house", "number"}
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("mysql://host/seals", "Seals can be kept in a file"),
        ("sqlite://", "Seals can be kept in a file"),
        ("{folder}", "can't be written"),
        ("{folder}/none/seals.jsonl", "can't be written"),
        ("sqlite:///{folder}/none/seals.sqlite", "can't be used"),
        ("postgresql:///seals?host={folder}", "can't be used"),
    ],
)
def test_an_unusable_place_is_refused(tmp_path: Path, place: str, sentence: str) -> None:
    with pytest.raises(OutsideSealError, match=sentence):
        outside_seals(place.format(folder=tmp_path)).add([OutsideSeal("h1", 1, 5, "ab" * 32)])


def test_a_forged_line_doesnt_stop_the_copy(house: PlayedHouse, tmp_path: Path) -> None:
    file = tmp_path / "seals.jsonl"
    with house.store.read() as connection:
        forged = {"house": house_of(connection), "number": 10**30, "at": 1, "hash": "00"}
    file.write_text("[" * 100_000 + "\n" + json.dumps(forged) + "\n", encoding="utf-8")
    copier = SealCopier(outside_seals(str(file)))
    assert [copier.copy(house.store) for _ in range(2)] == [1, 0]


def test_a_disk_that_takes_only_a_part_of_a_line_gets_the_rest(
    house: PlayedHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, text: write(file, bytes(text)[:50]))
    address = str(tmp_path / "seals.jsonl")
    assert SealCopier(outside_seals(address)).copy(house.store) == 1
    assert [one.number for one in _held(house, address)] == [1]
