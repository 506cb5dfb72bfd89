"""What the house publishes about its books can't be used to guess a face-down card.

A hash that covers the card is a guessing game with 52 answers if its other inputs are known. The
guesser here knows everything that the server shows to auditors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from sqlalchemy import Connection, func, select

from tests.table.played_house import PlayedHouse
from ventiuna.engine.events import ENGINE, CardDealt, Place
from ventiuna.table.journal import (
    Seal,
    all_seals,
    hash_of_heads,
    newest_seal,
    read_entries,
    read_heads,
    verify_seals,
)
from ventiuna.table.ledger import Entry, canonical_json
from ventiuna.table.listings import EntryData, entries_of, list_books
from ventiuna.table.read_model import table_events
from ventiuna.table.store import schema
from ventiuna.table.store.connection import Store

CARDS = range(52)


@pytest.fixture
def house(store: Store) -> PlayedHouse:
    played = PlayedHouse(store)
    played.open()
    played.play(1)
    played.open_round()
    return played


def _shown(connection: Connection, book: int) -> list[EntryData]:
    return [dict(one) for one in entries_of(connection, book, 0, 10_000)]  # type: ignore[misc]


def _down_card(connection: Connection, house: PlayedHouse) -> int:
    """The card that nobody may know yet."""
    found = [
        event.card
        for _, _, _, event in table_events(connection, house.table, 1)
        if isinstance(event, CardDealt) and event.place is Place.DOWN
    ]
    assert found[-1] is not None
    return found[-1]


def _guessed_hashes(shown: Sequence[EntryData], book: int, card: int) -> list[str]:
    """The hashes of a book from its last published hash on, if the hidden card is this one.

    Postings of a round in play are left out: `open_round` places only base wagers, before the deal.
    """
    known = [one for one in shown if one["hash"]]
    dealt = next(one for one in reversed(shown) if _hides_a_card(one))
    last = max((one for one in known if one["version"] < dealt["version"]), key=_version)
    previous = bytes.fromhex(str(last["hash"]))
    found = []
    for one in shown[last["version"] :]:
        assert not one["postings"], "the last published hash is older than the wagers"
        events = [
            {key: value for key, value in event.items() if key != "told"} for event in one["events"]
        ]
        for event in events:
            if event.get("place") == "down":
                event["card"] = card
        entry = Entry(
            book=book,
            version=one["version"],
            first_event=one["first_event"],
            at=one["at"],
            actor=one["actor"],
            key=one["key"],
            request=b"",
            command=canonical_json(one["command"]),
            events=canonical_json(events),
            engine=ENGINE,
            hash=b"",
        )
        previous = entry.hash_after(previous)
        found.append(previous.hex())
    return found


def _version(entry: EntryData) -> int:
    return entry["version"]


def _hides_a_card(entry: EntryData) -> bool:
    return any(event.get("place") == "down" for event in entry["events"])


def _cards_from_entries(shown: Sequence[EntryData], heads: set[str | None], book: int) -> set[int]:
    """The cards that published hashes of entries and heads of books confirm."""
    published = {one["hash"] for one in shown} | heads
    found = set()
    for card in CARDS:
        dealt = next(one for one in reversed(shown) if _hides_a_card(one))["version"]
        hashes = _guessed_hashes(shown, book, card)
        before = len(shown) - len(hashes)
        if published & set(hashes[dealt - before - 1 :]):
            found.add(card)
    return found


def _with_all_hashes(connection: Connection, shown: Sequence[EntryData], book: int) -> None:
    """Fill in the hashes, as an earlier version of the server showed them."""
    for data, entry in zip(shown, read_entries(connection, book), strict=True):
        data["hash"] = entry.hash.hex()


def test_the_hash_of_a_dealt_entry_is_withheld_until_its_shoe_ends(house: PlayedHouse) -> None:
    with house.store.read() as connection:
        shown = _shown(connection, house.table)
        heads = {one.head for one in list_books(connection) if one.number == house.table}
        true = _down_card(connection, house)
        _with_all_hashes(connection, shown, house.table)
        assert _cards_from_entries(shown, set(), house.table) == {true}  # the attack works
        withheld = _shown(connection, house.table)
    assert heads == {None}
    first = next(one["version"] for one in withheld if one["hash"] is None)
    assert all(one["hash"] is None for one in withheld[first - 1 :])
    dealt = next(one["version"] for one in withheld if _hides_a_card(one))
    assert first <= dealt
    house.close()
    with house.store.read() as connection:
        assert all(one["hash"] for one in _shown(connection, house.table))
        assert all(one.head for one in list_books(connection))


def test_books_without_cards_show_all_their_hashes(house: PlayedHouse) -> None:
    with house.store.read() as connection:
        cashier = next(one for one in list_books(connection) if one.number != house.table)
        assert cashier.head == read_heads(connection)[cashier.number].hash.hex()
        assert all(one["hash"] for one in _shown(connection, cashier.number))


def _cards_from_seal(connection: Connection, house: PlayedHouse, sealed: Seal) -> set[int]:
    """The cards that a published seal confirms to someone who knows everything else in the books.

    Counts of people and accounts aren't published, so a few of each are tried.
    """
    shown = _shown(connection, house.table)
    _with_all_hashes(connection, shown, house.table)
    dealt = next(one for one in reversed(shown) if _hides_a_card(one))["version"]
    for one in shown[dealt - 1 :]:
        one["hash"] = None
    heads = {number: (head.version, head.hash) for number, head in read_heads(connection).items()}
    postings = connection.scalar(select(func.count()).select_from(schema.posting)) or 0
    found = set()
    for card, people, accounts in product(CARDS, range(2, 5), range(5, 12)):
        guessed = _guessed_hashes(shown, house.table, card)[-1]
        heads[house.table] = heads[house.table][0], bytes.fromhex(guessed)
        counts = {
            "account": accounts,
            "book": len(heads),
            "entry": sum(version for version, _ in heads.values()),
            "person": people,
            "posting": postings,
        }
        if hash_of_heads(heads, counts) == sealed.heads:
            found.add(card)
    return found


def test_a_seal_during_a_round_does_not_confirm_the_down_card(house: PlayedHouse) -> None:
    house.seal()
    with house.store.read() as connection:
        sealed = newest_seal(connection)
        assert sealed is not None
        assert _cards_from_seal(connection, house, sealed) == set()
        heads = {one.book: (one.version, one.hash) for one in read_heads(connection).values()}
        unsalted = hash_of_heads(heads, sealed.rows)
        old = Seal(1, sealed.at, "", unsalted, sealed.previous, sealed.hash)
        assert _cards_from_seal(connection, house, old) == {_down_card(connection, house)}
        assert sealed.heads == hash_of_heads(heads, sealed.rows, sealed.salt)
        assert verify_seals(connection) == 1


def test_every_seal_has_its_own_salt(house: PlayedHouse) -> None:
    house.seal()
    house.seal()
    with house.store.read() as connection:
        first, second = all_seals(connection)
        assert first.heads != second.heads  # although no book has moved
        assert len({first.salt, second.salt, None}) == 3
