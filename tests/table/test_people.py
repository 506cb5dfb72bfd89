"""People and tokens, on both databases."""

from __future__ import annotations

import hashlib
import os

import pytest
from sqlalchemy import Connection, select

from ventiuna.table.accounts import (
    ACCESS_LIFETIME,
    LOCKOUT,
    MAX_FAILED_LOGINS,
    REFRESH_LIFETIME,
    AccountLocked,
    LoginAttempt,
    Person,
    PersonError,
    PersonKind,
    Role,
    add_guest,
    add_registered,
    begin_login,
    checked_name,
    checked_password,
    digest_of,
    find_person,
    forget_old_tokens,
    issue_tokens,
    login_succeeded,
    register_guest,
    renew_tokens,
    revoke_all,
    revoke_tokens,
    valid_tokens,
)
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import token

NOW = 1_800_000_000_000


def token_owner(connection: Connection, access: str, now: int) -> Person | None:
    digest = digest_of(access)
    found = valid_tokens(connection, [digest], now).get(digest)
    return found.person if found else None


def ana(store: Store) -> Person:
    with store.write() as connection:
        return add_registered(connection, "Ana", "hash", Role.PLAYER, NOW)


def test_persons_are_found_by_name_and_number(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        guest = add_guest(connection, "", NOW, os.urandom)
    with store.read() as connection:
        assert find_person(connection, "Ana") == who
        assert find_person(connection, "Eva") is None
        assert find_person(connection, guest.name) == guest


def test_a_taken_name_changes_nothing(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        with pytest.raises(PersonError, match="already taken"):
            add_guest(connection, "Ana", NOW, os.urandom)
        assert find_person(connection, "Ana") == who


def test_names_that_look_alike_are_stored_alike() -> None:
    assert checked_name("\uff21na") == "Ana"  # a full-width letter
    assert checked_name("Jose\u0301") == checked_name("Jos\u00e9")


def test_passwords_have_a_minimum_and_maximum_length() -> None:
    assert checked_password("12345678") == "12345678"
    for password in ("1234567", "x" * 257):
        with pytest.raises(PersonError, match="8 to 256"):
            checked_password(password)


def test_guests_without_a_name_never_share_one(store: Store) -> None:
    same = [b"\0\0\0\0", b"\0\0\0\0", b"\0\0\0\1"]
    with store.write() as connection:
        names = [add_guest(connection, "", NOW, lambda _: same.pop(0)).name for _ in range(2)]
        assert names == ["Guest 0", "Guest 1"]
        with pytest.raises(PersonError, match="Choose a name"):
            add_guest(connection, "", NOW, lambda _: b"\0\0\0\0")


def test_a_guest_registers_once(store: Store) -> None:
    with store.write() as connection:
        eva = add_guest(connection, "Eva", NOW, os.urandom)
        assert register_guest(connection, eva, "hash").kind is PersonKind.REGISTERED
        with pytest.raises(PersonError, match="already registered"):
            register_guest(connection, eva, "hash")


def test_attempts_count_before_the_password_is_checked(store: Store) -> None:
    who = ana(store)
    attempts = []
    for _ in range(MAX_FAILED_LOGINS):  # all started before any of them finishes
        with store.write() as connection:
            attempts.append(begin_login(connection, "Ana", NOW))
    assert attempts == [LoginAttempt(who, "hash")] * MAX_FAILED_LOGINS
    with store.write() as connection, pytest.raises(AccountLocked) as locked:
        begin_login(connection, "Ana", NOW)
    assert locked.value.seconds == LOCKOUT // 1000
    with store.write() as connection:  # the third one had the right password
        login_succeeded(connection, LoginAttempt(who, "hash"))
    with store.write() as connection:
        assert begin_login(connection, "Ana", NOW) is not None


def test_after_a_lock_three_attempts_are_free_again(store: Store) -> None:
    ana(store)
    later = NOW
    for _ in range(2):
        for _ in range(MAX_FAILED_LOGINS):
            with store.write() as connection:
                assert begin_login(connection, "Ana", later) is not None
        with store.write() as connection, pytest.raises(AccountLocked):
            begin_login(connection, "Ana", later + LOCKOUT - 1)
        later += LOCKOUT


def test_a_token_is_stored_as_its_digest(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        tokens = issue_tokens(connection, who, NOW, os.urandom)
        kept = set(connection.scalars(select(token.c.digest)))
    assert kept == {digest_of(tokens.access), digest_of(tokens.refresh)}
    assert len(tokens.access) == 43  # 32 bytes
    assert tokens.access not in repr(tokens)
    assert digest_of("A" * 43) == hashlib.sha256(bytes(32)).digest()
    assert digest_of("no token!") == hashlib.sha256(b"no token!").digest()


def test_a_token_is_valid_for_its_time_and_purpose(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        tokens = issue_tokens(connection, who, NOW, os.urandom)
        assert token_owner(connection, tokens.access, NOW + ACCESS_LIFETIME - 1) == who
        assert token_owner(connection, tokens.access, NOW + ACCESS_LIFETIME) is None
        assert token_owner(connection, tokens.refresh, NOW) is None
        assert token_owner(connection, "", NOW) is None
        assert renew_tokens(connection, tokens.access, NOW, os.urandom).tokens is None
        late = renew_tokens(connection, tokens.refresh, NOW + REFRESH_LIFETIME, os.urandom)
        assert late.tokens is None


def test_a_used_refresh_token_ends_everything(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        first = issue_tokens(connection, who, NOW, os.urandom)
        renewed = renew_tokens(connection, first.refresh, NOW, os.urandom)
        assert renewed.person == who
        assert renewed.tokens is not None
        assert token_owner(connection, first.access, NOW) == who
        assert renew_tokens(connection, first.refresh, NOW, os.urandom).tokens is None
        for left in (first.access, renewed.tokens.access):
            assert token_owner(connection, left, NOW) is None


def test_tokens_are_revoked_singly_or_all_at_once(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        one, two = (issue_tokens(connection, who, NOW, os.urandom) for _ in range(2))
        revoke_tokens(connection, [one.access, "unknown"], NOW)
        assert token_owner(connection, one.access, NOW) is None
        assert token_owner(connection, two.access, NOW) == who
        revoke_all(connection, who.id, NOW)
        assert token_owner(connection, two.access, NOW) is None


def test_old_tokens_are_deleted(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        issue_tokens(connection, who, NOW, os.urandom)
        assert forget_old_tokens(connection, NOW + ACCESS_LIFETIME - 1) == 0
        assert forget_old_tokens(connection, NOW + ACCESS_LIFETIME) == 1
        assert forget_old_tokens(connection, NOW + REFRESH_LIFETIME) == 1
