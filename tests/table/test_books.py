"""Books: entries, hash chains, and balances, the same on both databases."""

from __future__ import annotations

import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import text

from tests.table.ledger import AT, book_with, posting, request, write
from tests.table.tampering import rolled_back, take_guards_away
from ventiuna.table.journal import (
    BookKind,
    BrokenBook,
    JournalConflict,
    account_numbers,
    append,
    balances,
    known_commands,
    lock_accounts,
    lock_books,
    open_book,
    read_entries,
    read_heads,
    verify_book,
)
from ventiuna.table.ledger import EntryError, JournalHead, Posting, PostingCode, canonical_json
from ventiuna.table.store.connection import Store

# --- what is hashed ---------------------------------------------------------------------------


def test_the_hash_of_an_entry_recomputed_independently(store: Store) -> None:
    """Recomputed here from the stored rows only, as an outsider would."""
    with store.write() as connection:
        book = book_with(connection)
        issue = posting("issue", "mint > wallet/1", 500, event=1)
        first, second = write(
            connection,
            book,
            request(issue, key="a", events=2),
            request(key="b", actor="clock"),
        )
    previous = bytes(32)
    for entry, first_event, postings in (
        (
            first,
            1,
            [
                {
                    "amount": 500,
                    "code": "issue",
                    "event": 1,
                    "from": "mint",
                    "reason": None,
                    "round": None,
                    "spot": None,
                    "to": "wallet/1",
                }
            ],
        ),
        (second, 3, []),
    ):
        data = {
            "actor": entry.actor,
            "at": AT,
            "book": book,
            "command": {"note": "é ✓", "command": "Test"},
            "engine": 1,
            "events": [
                {"event": "Tested", "number": number} for number in range(2 if postings else 1)
            ],
            "first_event": first_event,
            "key": entry.key,
            "postings": postings,
            "version": entry.version,
        }
        canonical = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest = hashlib.sha256(b"ventiuna-entry-1\n" + previous + canonical.encode("utf-8"))
        assert entry.hash == digest.digest()
        previous = entry.hash


def test_a_fixed_vector() -> None:
    """SHA-256 of these exact bytes from another program, so that the format can't drift."""
    issue = posting("issue", "mint > wallet/1", 500)
    entry, head = JournalHead(7).next_entry(request(issue, key="a"))
    assert entry.canonical().decode() == (
        '{"actor":"1","at":1790000000000,"book":7,"command":{"command":"Test","note":"é ✓"},'
        '"engine":1,"events":[{"event":"Tested","number":0}],"first_event":1,"key":"a",'
        '"postings":[{"amount":500,"code":"issue","event":null,"from":"mint","reason":null,'
        '"round":null,"spot":null,"to":"wallet/1"}],"version":1}'
    )
    assert entry.hash.hex() == "2aaf1a286d743a5a548d3329e1d2268ee894acaae4d8c9c27c6cfcd1d4ec03db"
    assert head == JournalHead(7, 1, 1, entry.hash)


@pytest.mark.parametrize(
    "value", [1.5, {"a": 2.0}, [float("nan")], {1: "a"}, {"a": b"x"}, {"a": {1, 2}}, "\ud800"]
)
def test_only_plain_data_without_fractions_is_hashed(value: object) -> None:
    with pytest.raises(EntryError):
        canonical_json(value)


# --- refused before reaching the database -----------------------------------------------------


@pytest.mark.parametrize("amount", [0, -5, 1.5, True, 2**63, "5"])
def test_an_amount_is_whole_cents_above_zero(amount: int) -> None:
    with pytest.raises(EntryError, match="a positive whole number of cents"):
        Posting(PostingCode.ISSUE, "mint", "wallet/1", amount)


def test_a_correction_needs_a_written_reason() -> None:
    with pytest.raises(EntryError, match="correct_down needs a written reason"):
        posting("correct_down", "meter/2 > reserve/2", 5)


def test_an_account_cannot_pay_itself() -> None:
    with pytest.raises(EntryError, match="can't pay itself"):
        posting("fold", "meter/2 > meter/2", 5)


@pytest.mark.parametrize("number", [1.0, True, -1, 2**63])
def test_numbers_read_the_same_after_storage(number: int) -> None:
    with pytest.raises(EntryError, match="whole number"):
        Posting(PostingCode.ISSUE, "mint", "wallet/1", 5, event=number)
    with pytest.raises(EntryError, match="whole number"):
        replace(request(), at=number)


@pytest.mark.parametrize("key", ["x" * 65, "a\x00b", "a\nb"])
def test_a_key_is_a_short_line(key: str) -> None:
    with pytest.raises(EntryError, match="The key"):
        request(key=key)


# --- writing and reading ----------------------------------------------------------------------


def test_entries_are_read_as_they_were_written(store: Store) -> None:
    with store.write() as connection:
        book = open_book(connection, BookKind.TABLE).book
        written = write(
            connection,
            book,
            request(posting("issue", "mint > wallet/1", 900, event=1), events=3),
            request(events=0),
            request(
                posting("buy_in", "wallet/1 > stack/7/3", 500, round_number=4, event=5, spot=2),
                posting("cash_out", "stack/7/3 > wallet/1", 200, reason="leaves"),
            ),
        )
    with store.read() as connection:
        assert list(read_entries(connection, book)) == written
        assert list(read_entries(connection, book, after=1)) == written[1:]
        assert [entry.first_event for entry in written] == [1, 4, 4]
        assert read_heads(connection, [book])[book] == JournalHead(book, 3, 4, written[-1].hash)
        assert verify_book(connection, book).version == 3
        assert balances(connection) == {"mint": -900, "stack/7/3": 300, "wallet/1": 600}


def test_many_entries_of_many_books_in_one_call(store: Store) -> None:
    """More than a page per book, so that reading spans pages."""
    with store.write() as connection:
        books = [open_book(connection, BookKind.TABLE).book for _ in range(3)]
        heads = lock_books(connection, books)
        entries = []
        for number in range(1, 1801):
            book = books[number % 3]
            entry, heads[book] = heads[book].next_entry(
                request(posting("issue", f"mint > wallet/{number % 7 + 1}", number))
            )
            entries.append(entry)
        append(connection, entries)
    with store.read() as connection:
        assert {head.version for head in read_heads(connection).values()} == {600}
        assert [verify_book(connection, book) for book in books] == list(heads.values())
        held = balances(connection)
    assert sum(held.values()) == 0
    assert held["mint"] == -sum(range(1, 1801))
    assert held["wallet/1"] == sum(number for number in range(1, 1801) if number % 7 == 0)


def test_a_book_that_has_changed_refuses_entries(store: Store) -> None:
    """If two writers read the same head, the second one gets an error and leaves nothing behind."""
    with store.write() as connection:
        book = book_with(connection)
        head = read_heads(connection, [book])[book]
        first, _ = head.next_entry(request(posting("issue", "mint > wallet/1", 5)))
        second, _ = head.next_entry(request(posting("issue", "mint > wallet/1", 7)))
        append(connection, [first])
    with pytest.raises(JournalConflict, match="has changed since"), store.write() as connection:
        append(connection, [second])
    with store.read() as connection:
        assert list(read_entries(connection, book)) == [first]
        assert balances(connection) == {"mint": -5, "wallet/1": 5}


def test_a_command_is_found_by_its_actor_and_key(store: Store) -> None:
    with store.write() as connection:
        book = book_with(connection)
        write(connection, book, request(key="a", events=2), request(key="b", actor="2", events=1))
    with store.read() as connection:
        found = known_commands(connection, [("1", "a"), ("1", "b"), ("2", "b"), ("3", "a")])
        assert known_commands(connection, []) == {}
    assert {pair: (known.version, known.first_event) for pair, known in found.items()} == {
        ("1", "a"): (1, 1),
        ("2", "b"): (2, 3),
    }
    assert found["1", "a"].request == request().request


def test_accounts_are_opened_once_by_their_code(store: Store) -> None:
    with store.write() as connection:
        first = account_numbers(connection, ["wallet/1", "house"])
        second = account_numbers(connection, ["house", "wallet/2", "wallet/1"])
        assert account_numbers(connection, []) == {}
        assert lock_accounts(connection, second.values()) == dict.fromkeys(second.values(), 0)
    assert second.items() > first.items()
    assert len(set(second.values())) == 3


def test_many_writers_at_once_lose_nothing(store: Store) -> None:
    """Four threads, each with its own book, move money between the same accounts in any direction.

    They lock the accounts in numerical order before they post. So there are no deadlocks, and a
    balance that covers a payment when it is checked still covers it when it is paid.
    """
    wallets = [f"wallet/{number}" for number in range(1, 5)]
    stacks = [f"stack/{number}/1" for number in range(1, 5)]
    with store.write() as connection:
        issued = [posting("issue", f"mint > {wallet}", 100) for wallet in wallets]
        books = [book_with(connection, line) for line in issued]
        numbers = account_numbers(connection, wallets + stacks)

    def pay(book: int) -> int:
        chance = random.Random(book)
        paid = 0
        for _ in range(15):
            wallet, stack = chance.choice(wallets), chance.choice(stacks)
            amount = chance.randrange(1, 80)
            buys = chance.random() < 0.5
            payer, payee = (wallet, stack) if buys else (stack, wallet)
            line = posting("buy_in" if buys else "cash_out", f"{payer} > {payee}", amount)
            with store.write() as connection:
                head = lock_books(connection, [book])[book]
                held = lock_accounts(connection, [numbers[payer], numbers[payee]])
                if held[numbers[payer]] >= amount:
                    append(connection, [head.next_entry(request(line))[0]], numbers)
                    paid += 1
        return paid

    with ThreadPoolExecutor(len(books)) as pool:
        paid = sum(pool.map(pay, books))
    assert paid > 10
    with store.read() as connection:
        versions = [verify_book(connection, book).version for book in books]
        held = balances(connection)
    assert sum(versions) == len(issued) + paid
    assert min(held[code] for code in wallets + stacks) >= 0
    assert sum(held[code] for code in wallets + stacks) == -held["mint"] == 400


# --- section 7's example ----------------------------------------------------------------------

EXAMPLE = [
    # line, change in each account: wallet, stack, stake, bank, meter, reserve
    (["buy_in wallet/1 > stack/7/3 50000"], (-50_000, 50_000, 0, 0, 0, 0)),
    (
        [
            "wager stack/7/3 > stake/7 2000",
            "wager stack/7/3 > stake/7 500",
            "wager stack/7/3 > stake/7 100",
        ],
        (0, -2_600, 2_600, 0, 0, 0),
    ),
    (
        ["contribution bank/7 > meter/2/7 21", "reserve bank/7 > reserve/2/7 2"],
        (0, 0, 0, -23, 21, 2),
    ),
    (
        ["returned stake/7 > stack/7/3 500", "won bank/7 > stack/7/3 12000"],
        (0, 12_500, -500, -12_000, 0, 0),
    ),
    (["double stack/7/3 > stake/7 2000"], (0, -2_000, 2_000, 0, 0, 0)),
    (["lost stake/7 > bank/7 4000"], (0, 0, -4_000, 4_000, 0, 0)),
    (
        [
            "lost stake/7 > bank/7 100",
            "fold meter/2/7 > meter/2 21",
            "award meter/2 > stack/7/3 123452",
        ],
        (0, 123_452, -100, 100, -123_452, 0),
    ),
]


def test_the_worked_example_line_by_line(store: Store) -> None:
    """Table 7, seat 3, jackpot 2 with 10% for two suited matches; meter before: $12,345.00."""
    with store.write() as connection:
        book = book_with(
            connection,
            posting("issue", "mint > wallet/1", 60_000),
            posting("seed", "advance/2 > meter/2", 1_234_500),
        )
    before = held = _held(store)
    for lines, expected in EXAMPLE:
        moves = []
        for line in lines:
            code, from_account, _, to_account, amount = line.split()
            moves.append(posting(code, f"{from_account} > {to_account}", int(amount)))
        with store.write() as connection:
            write(connection, book, request(*moves))
        now = _held(store)
        assert tuple(after - was for after, was in zip(now, held, strict=True)) == expected
        held = now
    assert 1_234_521 // 10 == 123_452  # the share, rounded down (O-18)
    total = tuple(after - was for after, was in zip(held, before, strict=True))
    assert total == (-50_000, 181_352, 0, -7_923, -123_431, 2)
    assert sum(total) == 0
    with store.read() as connection:
        assert sum(balances(connection).values()) == 0
        verify_book(connection, book)


def _held(store: Store) -> tuple[int, ...]:
    """Balances of the example's accounts, with a jackpot's main account and stripe combined."""
    with store.read() as connection:
        found = balances(connection)
    groups = "wallet/1, stack/7/3, stake/7, bank/7, meter/2 meter/2/7, reserve/2 reserve/2/7"
    return tuple(sum(found.get(code, 0) for code in group.split()) for group in groups.split(", "))


# --- tampering --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE entry SET events = '[]' WHERE version = 2", "version 2 doesn't match its hash"),
        (
            "UPDATE entry SET command = command || ' ' WHERE version = 1",
            "version 1 doesn't match its hash",
        ),
        ("UPDATE entry SET at = at + 1 WHERE version = 3", "version 3 doesn't match its hash"),
        ("UPDATE entry SET first_event = 9 WHERE version = 2", "version 2 begins with event 9"),
        ("UPDATE posting SET amount = 6 WHERE version = 1", "version 1 doesn't match its hash"),
        (
            "UPDATE posting SET reason = 'gift' WHERE version = 1",
            "version 1 doesn't match its hash",
        ),
        (
            "UPDATE account SET code = 'wallet/9' WHERE code = 'wallet/1'",
            "version 1 doesn't match its hash",
        ),
        ("DELETE FROM posting WHERE version = 2", "version 2 doesn't match its hash"),
        ("UPDATE entry SET hash = request WHERE version = 3", "version 3 doesn't match its hash"),
        (
            "UPDATE book SET head = (SELECT hash FROM entry WHERE version = 2)",
            "doesn't match its last entry",
        ),
        ("UPDATE book SET version = 2", "doesn't match its last entry"),
        (
            "UPDATE posting SET code = 'redeem' WHERE version = 1",
            "There is no posting 'redeem' from",
        ),
        ("UPDATE entry SET events = '' WHERE version = 3", "version 3 doesn't match its hash"),
    ],
)
def test_a_tampered_book_is_found(owned: Store, change: str, told: str) -> None:
    """The tampering bypasses every guard."""
    with owned.write() as connection:
        book = book_with(
            connection,
            posting("issue", "mint > wallet/1", 5),
            posting("issue", "mint > wallet/1", 7),
            posting("redeem", "wallet/1 > mint", 1),
        )
        verify_book(connection, book)
    with rolled_back(owned) as connection:
        take_guards_away(connection)
        connection.execute(text(change))
        with pytest.raises(BrokenBook, match=told):
            verify_book(connection, book)
