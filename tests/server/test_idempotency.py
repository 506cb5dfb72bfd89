"""The same person and key get the same answer, over sockets, over HTTP, and after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.server.live_house import SETTINGS, AtTable, LiveHouse, live_house
from tests.server.running import served
from ventiuna.core.refusals import RefusalCode
from ventiuna.server.app import create_app
from ventiuna.server.idempotency import (
    ANSWERS_KEPT_FOR,
    MAX_ANSWERS_KEPT,
    Answers,
    OutcomeCallback,
)
from ventiuna.server.serve import open_house
from ventiuna.table.domain.commands import BuyChips
from ventiuna.table.domain.handlers import Actor, ActorRole
from ventiuna.table.writer import CommandOutcome, CommandRequest, Done, Refusal, Unknown

RULES = "wsgc-2021"
BUY: dict[str, object] = {"command": "BuyChips", "amount": 500}
DROP: dict[str, object] = {"command": "DropBank", "reason": "end of the day"}
VOID: dict[str, object] = {"command": "VoidRound", "reason": "end of the day"}
REASON = {"reason": "end of the day"}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    with live_house(tmp_path_factory.mktemp("house")) as house:
        house.add("Ann")
        yield house


@pytest.fixture
def table(floor: LiveHouse) -> int:
    return floor.open_table(RULES)


@pytest.fixture
def key(floor: LiveHouse) -> str:
    return f"a key {next(floor.numbers)}"


def post(client: httpx.Client, address: str, key: str, **body: object) -> httpx.Response:
    return client.post(address, json=body, headers={"Idempotency-Key": key})


def times_in_books(floor: LiveHouse, key: str) -> int:
    with floor.store.read() as connection:
        found = connection.exec_driver_sql("SELECT count(*) FROM entry WHERE key = ?", (key,))
        return int(found.scalar() or 0)


# --- live tables ------------------------------------------------------------------------------


def test_the_same_key_twice_over_http(floor: LiveHouse, table: int, key: str) -> None:
    with floor.client("Olga") as olga:
        first, again = (post(olga, f"/tables/{table}/drop", key, **REASON) for _ in range(2))
        other = post(olga, f"/tables/{table}/drop", key, reason="another one")
        elsewhere = post(olga, f"/tables/{table}/close", key, **REASON)
    assert (first.status_code, again.json()) == (200, first.json())
    assert again.headers["Idempotency-Replayed"] == "true"
    assert {other.json()["code"], elsewhere.json()["code"]} == {"key_reused"}
    assert times_in_books(floor, key) == 1


def test_the_same_key_twice_over_a_socket(floor: LiveHouse, table: int, key: str) -> None:
    with AtTable(floor, table, "Ann") as ann:
        ann.do("TakeSeat", seat=1)
        first = ann.repeatable(key, BUY)
        assert first["type"] == "done"
        assert ann.repeatable(key, BUY) == first
        assert ann.repeatable(key, {**BUY, "amount": 600})["code"] == "key_reused"
    with AtTable(floor, table, "Ann") as ann:  # reconnected
        assert ann.repeatable(key, BUY) == first
    assert times_in_books(floor, key) == 1


@pytest.mark.parametrize("command", [DROP, VOID], ids=["done", "refused"])
@pytest.mark.parametrize("is_http_first", [True, False])
def test_a_command_is_the_same_over_http_and_over_a_socket(
    floor: LiveHouse, table: int, key: str, command: dict[str, object], is_http_first: bool
) -> None:
    word = "drop" if command is DROP else "void"
    with AtTable(floor, table, "Olga") as olga, floor.client("Olga") as client:
        http = post(client, f"/tables/{table}/{word}", key, **REASON) if is_http_first else None
        told = olga.repeatable(key, command)
        http = http or post(client, f"/tables/{table}/{word}", key, **REASON)
        other = olga.repeatable(key, {**command, "reason": "another one"})
    if command is DROP:
        assert http.json()["n"] == told["n"]
    else:
        assert (http.json()["code"], http.json()["detail"]) == (told["code"], told["reason"])
    assert other["code"] == "key_reused"
    assert times_in_books(floor, key) == (command is DROP)


def test_copies_at_the_same_time_get_one_answer(floor: LiveHouse, table: int, key: str) -> None:
    def send(_: int) -> httpx.Response:
        with floor.client("Olga") as olga:
            return post(olga, f"/tables/{table}/drop", key, **REASON)

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(send, range(6)))
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, answers[0].text)}
    assert sum("Idempotency-Replayed" in answer.headers for answer in answers) == 5
    assert times_in_books(floor, key) == 1


def test_a_refused_command_gets_the_same_refusal_again(
    floor: LiveHouse, table: int, key: str
) -> None:
    """This also holds over another socket, and if the command would succeed by now."""
    with AtTable(floor, table, "Ann") as ann:
        refused = ann.repeatable(key, BUY)
        assert refused["code"] == "not_seated"
        ann.do("TakeSeat", seat=1)
        assert ann.repeatable(key, BUY) == refused
    with AtTable(floor, table, "Ann") as ann:
        assert ann.repeatable(key, BUY) == refused
        other = ann.repeatable(key, {**BUY, "amount": 600})
    assert other["code"] == "key_reused"


def test_after_a_restart_the_books_answer_and_a_refused_command_can_run(tmp_path: Path) -> None:
    with live_house(tmp_path) as house:
        table = house.open_table(RULES)
        with house.client("Olga") as olga:
            done = post(olga, f"/tables/{table}/drop", "done", **REASON)
            refused = post(olga, f"/tables/{table}/resume", "refused", **REASON)
            seat = post(olga, f"/tables/{table}/seat", "seat", seat=1)
    assert [one.status_code for one in (done, refused, seat)] == [200, 409, 200]
    settings = replace(SETTINGS, database=str(tmp_path / "house.sqlite"))
    opened = open_house(settings, house.entropy)
    app = create_app(settings, opened.store, opened.house, clock=house.clock)
    try:
        with served(app, settings) as running, running.client(house.tokens["Olga"]) as olga:
            other = post(olga, f"/tables/{table}/drop", "done", reason="another one")
            again = post(olga, f"/tables/{table}/drop", "done", **REASON)
            late = post(olga, f"/tables/{table}/drop", "refused", **REASON)
    finally:
        opened.store.close()
    assert (again.json(), "Idempotency-Replayed" in again.headers) == (done.json(), False)
    assert other.json()["code"] == "key_reused"
    assert late.status_code == 200, "a refusal doesn't use up a key in the books"


# --- without a server -------------------------------------------------------------------------

COMMAND = CommandRequest(1, Actor("person/1", ActorRole.PLAYER, "1"), "k", BuyChips(1))
DONE = Done(1, "k", 5, 9)
REFUSED = Refusal(1, "k", RefusalCode.NOT_SEATED, "Not now.")
OTHER_CLIENT = Refusal(1, "k", RefusalCode.OTHER_CLIENT, "Not here.")


class Desk:
    """Sends commands through a window of answers; the test decides their outcomes."""

    def __init__(self) -> None:
        self.now = 0.0
        self.answers = Answers(lambda: self.now)
        self.running: list[OutcomeCallback] = []
        self.told: list[tuple[str, CommandOutcome]] = []

    def send(self, waiter: str, request: CommandRequest = COMMAND) -> None:
        self.answers.run(
            request,
            waiter,
            lambda _, sink: self.running.append(sink),
            lambda outcome: self.told.append((waiter, outcome)),
        )

    def answer(self, outcome: CommandOutcome) -> None:
        self.running.pop(0)(outcome)


def test_copies_wait_for_a_refusal() -> None:
    desk = Desk()
    for waiter in ("first", "first", "second", "second"):
        desk.send(waiter)
    desk.answer(REFUSED)
    assert sorted(desk.told) == [("first", REFUSED), ("second", REFUSED)]
    desk.send("third")
    assert (desk.told[-1], desk.running) == (("third", REFUSED), [])


@pytest.mark.parametrize("outcome", [DONE, Unknown(1, "k", "The disk is full."), OTHER_CLIENT])
def test_copies_of_other_commands_run_one_after_another(outcome: CommandOutcome) -> None:
    """The books know whether the first one was committed."""
    desk = Desk()
    for waiter in ("first", "second", "third"):
        desk.send(waiter)
    for waiter in ("first", "second", "third"):
        assert len(desk.running) == 1
        desk.answer(outcome)
        assert (waiter, outcome) in desk.told
    assert desk.running == []


def test_a_key_in_use_is_refused_for_another_command() -> None:
    desk = Desk()
    desk.send("first")
    desk.send("second", replace(COMMAND, ask=7))
    assert [(waiter, getattr(outcome, "code", None)) for waiter, outcome in desk.told] == [
        ("second", RefusalCode.KEY_REUSED)
    ]
    desk.send("second", replace(COMMAND, actor=Actor("person/2", ActorRole.PLAYER, "2")))
    assert len(desk.running) == 2, "everyone has their own keys"


def test_answers_are_forgotten_after_a_while() -> None:
    desk = Desk()
    desk.send("first")
    desk.answer(REFUSED)
    desk.now = ANSWERS_KEPT_FOR
    desk.send("first", replace(COMMAND, key="another"))
    desk.send("first")
    assert len(desk.running) == 2
    for number in range(MAX_ANSWERS_KEPT):
        desk.send("first", replace(COMMAND, key=f"k{number}"))
    desk.send("second")
    assert len(desk.running) == MAX_ANSWERS_KEPT + 3
    desk.answer(REFUSED)
