"""People and tokens, on both databases."""

from __future__ import annotations

import hashlib
import os

import pytest
from sqlalchemy import Connection, select

from ventiuna.table.access import (
    PersonError,
    Role,
    checked_name,
    checked_password,
    skeleton,
)
from ventiuna.table.accounts import (
    ACCESS_LIFETIME,
    DAY,
    LOCKOUT,
    MAX_FAILED_LOGINS,
    REFRESH_LIFETIME,
    REPEAT_WITHIN,
    AccountLocked,
    Person,
    PersonKind,
    add_guest,
    add_registered,
    begin_login,
    digest_of,
    find_person,
    forget_old_tokens,
    issue_reset,
    issue_tokens,
    login_succeeded,
    register_guest,
    renew_tokens,
    revoke_all,
    revoke_tokens,
    set_password,
    unlock,
    use_reset,
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


def test_people_are_found_by_name_and_number(store: Store) -> None:
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


@pytest.mark.parametrize(
    "alike",
    ["ana", "ANA", "\u0410na", "\u0430n\u0430", "A\u0578a", "\uff21NA", "Ana\ufe0f", "A\u034fna"],
)
def test_nobody_can_take_a_name_that_looks_like_another(store: Store, alike: str) -> None:
    who = ana(store)
    with store.write() as connection:
        with pytest.raises(PersonError, match="looks like it"):
            add_guest(connection, alike, NOW, os.urandom)
        assert find_person(connection, alike) == who
        assert add_guest(connection, "Anna", NOW, os.urandom).name == "Anna"


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("Henry", "\u0397enry"),  # Greek capitals
        ("Nora", "\u039dora"),
        ("Mary", "\u039cary"),
        ("Zoe", "\u0396oe"),
        ("Yves", "\u03a5ves"),
        ("NIKO", "\u03bd\u03b9\u03ba\u03bf"),  # its capitals look Latin
        ("Cleo", "\u13dfleo"),  # Cherokee
        ("Ana", "An\u0251"),
        ("Ana", "Ana\u0335"),
        ("Ana-Lu", "Ana\u2013Lu"),
        ("O'Neil", "O\u2019Neil"),
    ],
)
def test_letters_of_other_scripts_dont_hide_a_name(store: Store, name: str, alike: str) -> None:
    with store.write() as connection:
        who = add_guest(connection, name, NOW, os.urandom)
        with pytest.raises(PersonError, match="looks like it"):
            add_guest(connection, alike, NOW, os.urandom)
        assert find_person(connection, alike) == who


def test_a_greek_name_is_the_same_in_capitals(store: Store) -> None:
    with store.write() as connection:
        who = add_guest(connection, "\u039d\u03af\u03ba\u03b7", NOW, os.urandom)
        for alike in ("\u03bd\u03af\u03ba\u03b7", "\u039d\u038a\u039a\u0397"):
            with pytest.raises(PersonError, match="looks like it"):
                add_guest(connection, alike, NOW, os.urandom)
            assert find_person(connection, alike) == who


@pytest.mark.parametrize("name", ["\u3164", "\ufe0f", "Ana\u2800", " Ana", "A\nna", "x" * 33])
def test_a_name_can_be_seen(name: str) -> None:
    with pytest.raises(PersonError, match="A name must have"):
        checked_name(name)
    assert skeleton("Ana\u3164Lind") == skeleton("Ana Lind")


def test_different_names_differ() -> None:
    names = ("Alex", "Ana", "Anna", "Bot 1", "Bot 7", "Bot 17", "Bot 71", "Owner", "Eva")
    assert len({skeleton(name) for name in names}) == len(names)
    assert skeleton("Owner") == skeleton("0wner") == skeleton("Ovvner")


@pytest.mark.parametrize(
    "password", [" " * 8, "a" * 20, "Password", "PASSW0RD", "blackjack21", "Somebody"]
)
def test_a_password_is_not_easy_to_guess(password: str) -> None:
    with pytest.raises(PersonError) as caught:
        checked_password(password, "Somebody")
    assert caught.value.code == "bad_password"


def test_passwords_have_a_minimum_and_maximum_length() -> None:
    assert checked_password("21 is it") == "21 is it"
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
            attempts.append(begin_login(connection, "Ana", "10.0.0.1", NOW))
    assert [(one.person, one.hashed) for one in attempts] == [(who, "hash")] * MAX_FAILED_LOGINS
    with store.write() as connection, pytest.raises(AccountLocked) as locked:
        begin_login(connection, "ANA", "10.0.0.1", NOW)
    assert locked.value.seconds == LOCKOUT // MAX_FAILED_LOGINS // 1000
    with store.write() as connection:  # the third one had the right password
        login_succeeded(connection, attempts[-1])
    with store.write() as connection:
        assert begin_login(connection, "Ana", "10.0.0.1", NOW).person == who


def test_wrong_passwords_slow_their_address_and_not_the_owner(store: Store) -> None:
    who = ana(store)
    for _ in range(MAX_FAILED_LOGINS):
        with store.write() as connection:
            begin_login(connection, "Ana", "10.0.0.1", NOW)
    part = LOCKOUT // MAX_FAILED_LOGINS
    with store.write() as connection:
        with pytest.raises(AccountLocked):
            begin_login(connection, "Ana", "10.0.0.1", NOW + part - 1)
        assert begin_login(connection, "Ana", "10.0.0.2", NOW).person == who
    with store.write() as connection:  # the attacker gets one attempt back at a time
        assert begin_login(connection, "Ana", "10.0.0.1", NOW + part).person == who
        with pytest.raises(AccountLocked):
            begin_login(connection, "Ana", "10.0.0.1", NOW + part)
        unlock(connection, "Ana")
        assert begin_login(connection, "Ana", "10.0.0.1", NOW + part).person == who


def test_unknown_names_are_slowed_alike(store: Store) -> None:
    for _ in range(MAX_FAILED_LOGINS):
        with store.write() as connection:
            assert begin_login(connection, "Eva", "10.0.0.1", NOW).person is None
    with store.write() as connection, pytest.raises(AccountLocked):
        begin_login(connection, "Eva", "10.0.0.1", NOW)


def test_a_reset_code_works_once_and_for_a_day(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        old, code = (issue_reset(connection, who, NOW, os.urandom) for _ in range(2))
        assert use_reset(connection, "Ana", old, NOW) is None  # replaced
        assert use_reset(connection, "Eva", code, NOW) is None
        assert use_reset(connection, "Ana", code, NOW + DAY) is None
        assert use_reset(connection, "ana", f" {code}", NOW + DAY - 1) == who
        assert use_reset(connection, "Ana", code, NOW) is None


def test_a_new_password_ends_all_sessions(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        tokens = issue_tokens(connection, who, NOW, os.urandom)
        set_password(connection, who, "new", NOW)
        assert begin_login(connection, "Ana", "", NOW).hashed == "new"
        assert token_owner(connection, tokens.access, NOW) is None
        assert renew_tokens(connection, tokens.refresh, NOW, os.urandom).tokens is None


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


def test_a_repeated_refresh_succeeds_at_first_and_then_ends_everything(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        first = issue_tokens(connection, who, NOW, os.urandom)
        renewed = renew_tokens(connection, first.refresh, NOW, os.urandom)
        again = renew_tokens(connection, first.refresh, NOW + REPEAT_WITHIN - 1, os.urandom)
        assert renewed.person == again.person == who
        assert renewed.tokens is not None
        assert again.tokens is not None
        late = NOW + REPEAT_WITHIN
        assert token_owner(connection, first.access, late) == who
        assert renew_tokens(connection, first.refresh, late, os.urandom).tokens is None
        for left in (first.access, renewed.tokens.access, again.tokens.access):
            assert token_owner(connection, left, late) is None


def test_a_repeated_refresh_never_ends_a_guest(store: Store) -> None:
    with store.write() as connection:
        guest = add_guest(connection, "", NOW, os.urandom)
        first = issue_tokens(connection, guest, NOW, os.urandom)
        renewed = renew_tokens(connection, first.refresh, NOW, os.urandom)
        assert renewed.tokens is not None
        late = NOW + REPEAT_WITHIN
        assert renew_tokens(connection, first.refresh, late, os.urandom).tokens is None
        assert token_owner(connection, renewed.tokens.access, late) == guest
        assert renew_tokens(connection, renewed.tokens.refresh, late, os.urandom).tokens


def test_signing_out_everywhere_ends_repeated_refreshes(store: Store) -> None:
    who = ana(store)
    with store.write() as connection:
        first = issue_tokens(connection, who, NOW, os.urandom)
        renew_tokens(connection, first.refresh, NOW, os.urandom)
        revoke_all(connection, who.id, NOW)
        assert renew_tokens(connection, first.refresh, NOW, os.urandom).tokens is None


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
