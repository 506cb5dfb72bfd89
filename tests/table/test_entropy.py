"""The source of shoes' salts, and the key that turns them into seeds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import select

from tests.support.entropy import TestEntropy
from tests.table.tables import Room
from ventiuna.cards import Pack
from ventiuna.engine.events import CardDealt, Place
from ventiuna.table.fairness import (
    Entropy,
    EntropyError,
    EntropySource,
    HouseKey,
    HouseKeyError,
    LiveShoe,
    OsEntropy,
    ShoeContext,
    ShoeError,
    check_entropy,
    key_beside,
    key_file,
    key_from_text,
    server_seed,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import game_table

CONTEXT = ShoeContext("h1", "t1", 1, "example", Pack.SPANISH, decks=2, burn=1, cut_percent=75)

# --- salts --------------------------------------------------------------------------------------


def test_the_systems_salts_are_all_different() -> None:
    entropy = OsEntropy()
    salts = {entropy.salt() for _ in range(100)}
    assert len(salts) == 100
    assert {len(salt) for salt in salts} == {32}
    assert {entropy.on_top(salt) for salt in salts} == {()}


def test_the_same_seed_gives_the_same_salts() -> None:
    one, same, other = TestEntropy(1), TestEntropy(1), TestEntropy(2)
    salts = [one.salt() for _ in range(5)]
    assert salts == [same.salt() for _ in range(5)]
    assert len({*salts, *(other.salt() for _ in range(5))}) == 10


def test_a_table_deals_the_cards_that_a_test_prescribes() -> None:
    wanted = [27, 27, 0, 51]
    entropy = TestEntropy(shoes=[wanted, [1]])
    key = HouseKey(bytes(32))
    for cards in (wanted, [1], []):
        salt = entropy.salt()
        seed = key.seed(CONTEXT, salt)
        shoe = LiveShoe(CONTEXT, seed, bytes(32), on_top=entropy.on_top(salt))
        shoe.begin_round()
        drawn = []
        for _ in range(8):
            drawn.append(shoe.draw())
            shoe.follow(CardDealt(drawn[-1], Place.UP))
        assert drawn[: len(cards)] == cards


def test_prescribed_cards_are_found_again_after_a_restart() -> None:
    shoes = [[1, 2], [1, 2], [3]]
    before = TestEntropy(5, shoes)
    salts = [before.salt() for _ in range(4)]
    assert len(set(salts)) == 4
    after = TestEntropy(5, shoes)
    assert [after.on_top(salt) for salt in salts] == [(1, 2), (1, 2), (3,), ()]


@pytest.mark.parametrize("card", [-1, 52, True, "7s"])
def test_only_cards_can_be_prescribed(card: object) -> None:
    with pytest.raises(EntropyError, match="A card must be a number from 0 to 51"):
        TestEntropy(shoes=[[card]])  # type: ignore[list-item]


def test_a_house_accepts_test_entropy_only_if_started_for_tests() -> None:
    ours: Entropy = TestEntropy()
    check_entropy(OsEntropy(), for_tests=False)
    check_entropy(ours, for_tests=True)
    with pytest.raises(EntropyError, match="was not started for tests"):
        check_entropy(ours, for_tests=False)
    assert (ours.source, OsEntropy().source) == (EntropySource.TEST, EntropySource.OS)


# --- the house key ------------------------------------------------------------------------------


def test_a_key_is_created_once_and_protected(tmp_path: Path) -> None:
    database = tmp_path / "house.sqlite"
    made = key_beside(database)
    again = key_beside(database)
    assert made.is_new
    assert not again.is_new
    assert made.secret == again.secret
    file = key_file(database)
    assert file.name == "house.sqlite.key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert key_beside(tmp_path / "other.sqlite").secret != made.secret


def test_a_key_gives_the_seed_of_the_recipe() -> None:
    secret = bytes(range(32))
    assert HouseKey(secret).seed(CONTEXT, b"salt") == server_seed(secret, CONTEXT, b"salt")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o610])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    database = tmp_path / "house.sqlite"
    key_beside(database)
    key_file(database).chmod(mode)
    with pytest.raises(HouseKeyError, match=rf"^Other users can read .* \(mode {mode:04o}\)"):
        key_beside(database)


@pytest.mark.parametrize("content", [b"", b"ab" * 31, b"ab" * 33, b"xy" * 32, b"\xff" * 64])
def test_a_damaged_key_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    database = tmp_path / "house.sqlite"
    file = key_file(database)
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(HouseKeyError, match=r"isn't a house key \(64 hexadecimal digits\)"):
        key_beside(database)
    assert file.read_bytes() == content


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_key_must_be_a_file(tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(key_file(tmp_path / "house.sqlite"))
    with pytest.raises(HouseKeyError, match="isn't a file"):
        key_beside(tmp_path / "house.sqlite")


def test_if_two_processes_create_a_key_the_first_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "house.sqlite"
    theirs: list[HouseKey] = []
    link = os.link

    def meanwhile(waiting: Path, path: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        theirs.append(key_beside(database))
        link(waiting, path)

    monkeypatch.setattr(os, "link", meanwhile)
    ours = key_beside(database)
    assert ours.secret == theirs[0].secret
    assert (ours.is_new, theirs[0].is_new) == (False, True)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_secret_is_read_as_text() -> None:
    assert key_from_text(f" {'0a' * 32}\n").secret == b"\x0a" * 32


@pytest.mark.parametrize("text", ["", "ab", "0a" * 31 + "0", "0a " * 32, "zz" * 32, "0a" * 33])
def test_a_wrong_secret_is_refused_and_never_repeated(text: str) -> None:
    with pytest.raises(HouseKeyError) as caught:
        key_from_text(text)
    sentence = "The house key must be 64 hexadecimal digits (32 random bytes)."
    assert str(caught.value) == sentence


def test_a_keys_repr_reveals_nothing() -> None:
    key = HouseKey(b"\x5a" * 32)
    assert "5a" not in repr(key)
    assert "Z" not in repr(key).replace("HouseKey", "")
    with pytest.raises(HouseKeyError, match="must have 32 bytes"):
        HouseKey(b"short")


def test_an_impossible_prescribed_shoe_is_refused(store: Store) -> None:
    """The shoe is refused before anything is written, not when it is cut."""
    room = Room(store, shoes=[[27] * 7])
    with pytest.raises(ShoeError, match="begins with 7s 7 times, but the table's shoe has only 6"):
        room.open()
    with store.read() as connection:
        assert connection.execute(select(game_table)).all() == []
    room.open().sit(1).cut()
