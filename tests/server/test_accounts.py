"""Guests, passwords, and tokens over HTTP."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import Connection, func, select, update

from tests.server.conftest import OPEN, PASSWORD
from tests.server.running import served
from ventiuna.server import web_security
from ventiuna.server.app import create_app
from ventiuna.server.live_tables import CachedReads
from ventiuna.server.web_security import PasswordService
from ventiuna.table.accounts import LOCKOUT, MINUTE, REPEAT_WITHIN, Person, add_guest
from ventiuna.table.store.connection import Store
from ventiuna.table.store.schema import person, token

Session = dict[str, Any]


@dataclass
class Clock:
    ms: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms


@dataclass
class Door:
    """A server without pools, with a clock that the test controls."""

    client: httpx.Client
    clock: Clock
    welcomed: list[str]

    def post(self, address: str, body: object, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.post(address, json=body, headers=headers)

    def log_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        return self.post("/accounts/log-in", {"name": name, "password": password})

    def is_known(self, token: str) -> bool:
        headers = {"Authorization": f"Bearer {token}"}
        return self.client.get("/accounts/me", headers=headers).status_code == 200


@pytest.fixture
def door(store: Store) -> Iterator[Door]:
    clock = Clock()
    welcomed: list[str] = []

    def welcome(_: Connection, found: Person) -> None:
        welcomed.append(found.name)

    app = create_app(OPEN, store, welcome=welcome, now=clock)
    with served(app, OPEN, pools=False) as running, running.client() as client:
        yield Door(client, clock, welcomed)


def registered(door: Door, name: str = "Ana") -> Session:
    answer = door.post("/accounts/register", {"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    found: Session = answer.json()
    return found


def test_a_guest_has_a_name_a_welcome_and_a_token(door: Door) -> None:
    answer = door.post("/accounts/guest", {"name": "Eva"})
    assert answer.status_code == 201
    assert answer.json()["person"] | {"id": 0} == {
        "id": 0,
        "name": "Eva",
        "kind": "guest",
        "role": "player",
    }
    assert door.is_known(answer.json()["tokens"]["access"])
    assert door.welcomed == ["Eva"]


def test_guests_without_a_name_get_different_ones(door: Door) -> None:
    names = {door.post("/accounts/guest", {}).json()["person"]["name"] for _ in range(5)}
    assert len(names) == 5
    assert all(name.startswith("Guest ") for name in names)


@pytest.mark.parametrize("name", [" Ana", "", "A\nB", "x" * 33, "\u202eAna"])
def test_an_invalid_name_is_reported(door: Door, name: str) -> None:
    answer = door.post("/accounts/register", {"name": name, "password": PASSWORD})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(("A name must have", "name: "))
    assert door.welcomed == []


def test_a_name_can_be_used_only_once(door: Door) -> None:
    registered(door)
    for address in ("guest", "register"):
        body = {"name": "Ana"} | ({"password": PASSWORD} if address == "register" else {})
        answer = door.post(f"/accounts/{address}", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


def test_a_guest_who_registers_stays_the_same_person(door: Door) -> None:
    guest = door.post("/accounts/guest", {"name": "Eva"}).json()
    body = {"password": PASSWORD}
    answer = door.post("/accounts/register", body, guest["tokens"]["access"])
    assert answer.json()["person"] == guest["person"] | {"kind": "registered"}
    assert door.welcomed == ["Eva"]  # only once
    assert door.log_in("Eva").json()["person"]["id"] == guest["person"]["id"]
    again = door.post("/accounts/register", body, guest["tokens"]["access"])
    assert (again.status_code, again.json()["code"]) == (409, "already_registered")


def test_a_guest_cannot_sign_in(door: Door) -> None:
    door.post("/accounts/guest", {"name": "Eva"})
    assert door.log_in("Eva", "").json()["code"] == "wrong_password"


def test_after_three_failures_an_address_gets_one_attempt_in_five_minutes(door: Door) -> None:
    registered(door)
    for _ in range(3):
        assert door.log_in("Ana", "wrong wrong").json()["code"] == "wrong_password"
    locked = door.log_in("Ana")  # the right password, but the address has to wait by now
    assert (locked.status_code, locked.json()["code"]) == (429, "account_locked")
    assert locked.headers["Retry-After"] == str(LOCKOUT // 3 // 1000)
    assert "5 minutes" in locked.json()["detail"]
    door.clock.ms += LOCKOUT // 3 - 1
    assert door.log_in("Ana").status_code == 429
    door.clock.ms += 1
    assert door.log_in("Ana").status_code == 200


def test_a_successful_sign_in_clears_earlier_failures(door: Door) -> None:
    registered(door)
    for _ in range(3):
        for _ in range(2):
            assert door.log_in("Ana", "wrong wrong").status_code == 401
        assert door.log_in("Ana").status_code == 200


def test_unknown_names_and_wrong_passwords_get_the_same_answer(door: Door) -> None:
    registered(door)
    unknown, wrong = door.log_in("Nobody", "wrong wrong"), door.log_in("Ana", "wrong wrong")
    assert unknown.status_code == wrong.status_code == 401
    assert unknown.json() == wrong.json()


def test_an_access_token_lasts_fifteen_minutes(door: Door) -> None:
    tokens = registered(door)["tokens"]
    assert tokens["access_until"] == door.clock.ms + 15 * MINUTE
    door.clock.ms = tokens["access_until"] - 1
    assert door.is_known(tokens["access"])
    door.clock.ms += 1
    assert not door.is_known(tokens["access"])


def test_a_refresh_token_works_once_within_thirty_days(door: Door) -> None:
    first = registered(door)["tokens"]
    door.clock.ms = first["refresh_until"] - 1
    second = door.post("/accounts/refresh", {"refresh": first["refresh"]}).json()["tokens"]
    assert door.is_known(second["access"])
    door.clock.ms = second["refresh_until"]
    assert door.post("/accounts/refresh", {"refresh": second["refresh"]}).status_code == 401


def test_a_refresh_may_be_repeated_at_once_but_not_later(door: Door) -> None:
    first = registered(door)["tokens"]
    second = door.post("/accounts/refresh", {"refresh": first["refresh"]}).json()["tokens"]
    assert door.post("/accounts/refresh", {"refresh": first["refresh"]}).status_code == 200
    door.clock.ms += REPEAT_WITHIN
    assert door.post("/accounts/refresh", {"refresh": first["refresh"]}).status_code == 401
    assert not door.is_known(second["access"])
    assert door.post("/accounts/refresh", {"refresh": second["refresh"]}).status_code == 401


def test_a_new_password_requires_the_old_one_and_ends_other_sessions(door: Door) -> None:
    first = registered(door)["tokens"]["access"]
    other = door.log_in("Ana").json()["tokens"]["access"]
    change = {"password": PASSWORD, "new": "eight eight eight"}
    wrong = door.post("/accounts/password", {**change, "password": "wrong"}, first)
    assert wrong.json()["code"] == "wrong_password"
    common = door.post("/accounts/password", {**change, "new": "password"}, first)
    assert common.json()["code"] == "bad_password"
    changed = door.post("/accounts/password", change, first).json()["tokens"]["access"]
    assert [door.is_known(one) for one in (first, other, changed)] == [False, False, True]
    assert door.log_in("Ana").status_code == 401
    assert door.log_in("Ana", "eight eight eight").status_code == 200


def test_guests_have_no_password_to_change(door: Door) -> None:
    guest = door.post("/accounts/guest", {"name": "Eva"}).json()["tokens"]["access"]
    change = {"password": PASSWORD, "new": "eight eight eight"}
    assert door.post("/accounts/password", change, guest).json()["code"] == "no_password"


def test_tokens_have_one_purpose(door: Door) -> None:
    tokens = registered(door)["tokens"]
    assert not door.is_known(tokens["refresh"])
    assert door.post("/accounts/refresh", {"refresh": tokens["access"]}).status_code == 401
    assert door.is_known(tokens["access"])


def test_signing_out_ends_this_session_or_all(door: Door) -> None:
    here, there = registered(door)["tokens"], door.log_in("Ana").json()["tokens"]
    body = {"refresh": here["refresh"]}
    assert door.post("/accounts/log-out", body, here["access"]).status_code == 204
    assert not door.is_known(here["access"])
    assert door.is_known(there["access"])
    third = door.log_in("Ana").json()["tokens"]
    door.post("/accounts/log-out", {"everywhere": True}, third["access"])
    assert not door.is_known(there["access"])
    assert door.post("/accounts/refresh", {"refresh": there["refresh"]}).status_code == 401


def test_a_used_token_ends_at_once_when_its_owner_signs_out_elsewhere(door: Door) -> None:
    here, there = registered(door)["tokens"], door.log_in("Ana").json()["tokens"]
    assert door.is_known(here["access"])
    assert door.is_known(here["access"])
    door.post("/accounts/log-out", {"everywhere": True}, there["access"])
    assert not door.is_known(here["access"])


def test_a_used_token_has_its_owners_new_role_at_once(door: Door, store: Store) -> None:
    headers = {"Authorization": f"Bearer {registered(door)['tokens']['access']}"}
    assert door.client.get("/accounts/me", headers=headers).json()["role"] == "player"
    with store.write() as connection:
        connection.execute(update(person).values(role="auditor"))
    assert door.client.get("/accounts/me", headers=headers).json()["role"] == "auditor"


def test_a_used_token_expires_although_nothing_was_written(door: Door) -> None:
    tokens = registered(door)["tokens"]
    assert door.is_known(tokens["access"])
    door.clock.ms = tokens["access_until"] - 1
    assert door.is_known(tokens["access"])
    door.clock.ms = tokens["access_until"]
    assert not door.is_known(tokens["access"])


def count_people(connection: Connection) -> int:
    found = connection.scalar(select(func.count()).select_from(person))
    assert found is not None
    return found


def add_somebody(store: Store) -> None:
    with store.write() as connection:
        add_guest(connection, "", 0, os.urandom)


def test_a_read_is_repeated_only_after_a_write(store: Store) -> None:
    reads, done = CachedReads(store), []

    def work(connection: Connection) -> int:
        done.append(count_people(connection))
        return done[-1]

    async def ask() -> list[int]:
        return [await reads.run("people", work) for _ in range(3)]

    assert asyncio.run(ask()) == [0, 0, 0]
    assert done == [0]
    add_somebody(store)
    assert asyncio.run(ask()) == [1, 1, 1]
    assert done == [0, 1]


def test_a_result_from_before_a_write_is_not_reused(store: Store) -> None:
    reads = CachedReads(store)

    def overtaken(connection: Connection) -> int:
        found = count_people(connection)
        add_somebody(store)
        return found

    assert asyncio.run(reads.run("people", overtaken)) == 0
    assert asyncio.run(reads.run("people", count_people)) == 1


def test_a_failed_transaction_counts_as_a_write(store: Store) -> None:
    reads, done = CachedReads(store), []
    asyncio.run(reads.run("people", count_people))
    with pytest.raises(ZeroDivisionError), store.write():
        raise ZeroDivisionError
    asyncio.run(reads.run("people", lambda conn: done.append(count_people(conn))))
    assert done == [0]


def test_nothing_is_reused_from_a_database_with_other_writers(store: Store) -> None:
    reads, done = CachedReads(SharedStore(store)), []
    for _ in range(2):
        asyncio.run(reads.run("people", lambda conn: done.append(count_people(conn))))
    assert done == [0, 0]


class SharedStore:
    """A store that can't count its writes, like the one for PostgreSQL."""

    def __init__(self, store: Store) -> None:
        self.read, self.write, self.close = store.read, store.write, store.close


def test_neither_tokens_nor_passwords_are_in_the_database(door: Door, store: Store) -> None:
    tokens = registered(door)["tokens"]
    with store.read() as connection:
        rows = [
            *connection.execute(select(person)).all(),
            *connection.execute(select(token)).all(),
        ]
    kept = repr(rows)
    assert "$argon2id$" in kept
    assert PASSWORD not in kept
    assert tokens["access"] not in kept
    assert tokens["refresh"] not in kept


def test_a_hash_uses_the_recommended_memory_and_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Uses the second recommended option of RFC 9106; all other tests hash cheaply."""
    monkeypatch.setattr(web_security, "PasswordHasher", PasswordHasher)
    found = PasswordService()
    hashed = found.hashed(PASSWORD)
    assert hashed.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert found.fits(PASSWORD, hashed)
    assert not found.fits(PASSWORD + "!", hashed)


def test_a_request_repeated_with_its_key_runs_once(door: Door) -> None:
    headers = {"Idempotency-Key": "0123456789abcdef"}
    first = door.client.post("/accounts/guest", json={"name": "Eva"}, headers=headers)
    again = door.client.post("/accounts/guest", json={"name": "Eva"}, headers=headers)
    assert first.json() == again.json()
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert door.welcomed == ["Eva"]
    other = door.client.post("/accounts/guest", json={"name": "Ida"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


def test_a_key_that_could_be_guessed_is_refused_without_a_token(door: Door) -> None:
    answer = door.client.post("/accounts/guest", json={}, headers={"Idempotency-Key": "1"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_key")


def test_guests_sign_ins_and_class_codes_are_limited_per_address(store: Store) -> None:
    settings = replace(OPEN, guests_per_hour=2, log_ins_per_minute=2)
    with (
        served(create_app(settings, store), settings, pools=False) as running,
        running.client() as client,
    ):
        guests = [client.post("/accounts/guest", json={}) for _ in range(3)]
        assert [answer.status_code for answer in guests] == [201, 201, 429]
        body = {"name": "Nobody", "password": PASSWORD}
        answers = [client.post("/accounts/log-in", json=body) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [401, 401, 429]
        assert answers[-1].json()["code"] == "too_many"
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 30
        tokens = [answer.json()["tokens"]["access"] for answer in guests[:2]]
        joins = [
            client.post(
                "/school/classes/join",
                json={"code": "NOCODE"},
                headers={"Authorization": f"Bearer {token}"},
            )
            for token in (*tokens, tokens[0])  # a new guest doesn't get more tries
        ]
        assert [answer.status_code for answer in joins] == [422, 422, 429]
