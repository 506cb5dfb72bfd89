"""Collects everything that leaves a house during a round and checks it for secrets.

There are two ways to find a leak. First, two houses play the same round with shoes that differ only
in the down card and the cards behind it: everything sent before the card is turned over must be
identical. Second, every output is searched for the house's secrets in every common byte encoding.
"""

from __future__ import annotations

import base64
import io
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from tests.server.live_house import HASH, AtTable, LiveHouse, live_house
from tests.server.running import until
from ventiuna.cards import cards_text
from ventiuna.engine.events import CardDealt
from ventiuna.notation import replay, round_from_data
from ventiuna.server.telemetry import LOGGER, write_logs
from ventiuna.table.accounts import digest_of
from ventiuna.table.fairness import LiveShoe, cut_commitment, read_context
from ventiuna.table.store import schema

RULES = "wsgc-spanish-21"
BOBS_WALLET = 777_123_457  # cents; appears in no other figure
CHIPS = 50_000
WINDOW = 5  # consecutive cards, too many to match by chance
READERS = ("", "Ann", "Bob", "Cid", "Audrey")  # anonymous, three players, an auditor


@dataclass(frozen=True, order=True)
class Text:
    """One output: its channel, its reader, and the text."""

    way: str
    reader: str
    text: str


@dataclass
class Heard:
    house: LiveHouse
    table: int
    texts: list[Text] = field(default_factory=list)
    hidden: dict[str, bytes] = field(default_factory=dict)  # personal secrets, by description

    def add(self, way: str, reader: str, text: str) -> None:
        self.texts.append(Text(way, reader, text))


def cards_with(down: str) -> list[int]:
    """Cards for two hands against a six; the dealer's draws differ with the down card."""
    drawn = {"9d": ["8c"], "2s": ["3h", "Kc"]}[down]
    record = round_from_data(
        {
            "id": "leak",
            "rules": {"game": "spanish", "decks": 6, "h17": True},
            "dealer": {"up": "6h", "down": down, "draws": drawn},
            "seats": [
                {"name": name, "base": "10", "dealt": hand, "hands": [f"{hand} / stand"]}
                for name, hand in (("Ann", "Kd 8d"), ("Bob", "Qc 9h"))
            ],
        }
    )
    return [
        event.card
        for event in replay(record).events
        if isinstance(event, CardDealt) and event.card is not None
    ]


# --- playing and listening --------------------------------------------------------------------


@contextmanager
def listened(folder: Path, down: str, *, asking: Sequence[str] = READERS) -> Iterator[Heard]:
    """Yield a house where Ann has a decision to make, with everything sent so far.

    The readers in `asking` request every address. Without them, only the sockets and the log are
    recorded.
    """
    with _people_at_a_table(folder, down) as (heard, people, log):
        _play_to_decision(people["Ann"], people["Bob"])
        _say_wrong_things(people)
        _hear_all(heard, people, log, asking)
        yield heard


@contextmanager
def half_cut(folder: Path, *, asking: Sequence[str] = READERS) -> Iterator[Heard]:
    """Yield a house where Ann has committed to a cut and has sent its value too early."""
    value = bytes(range(100, 132))
    with _people_at_a_table(folder, "9d") as (heard, people, log):
        ann = people["Ann"]
        _sit(ann, people["Bob"])
        number = ann.wait_for_ask("cut_commit")["n"]
        heard.hidden["a cut of Ann"] = value
        assert ann.say("OpenCut", number, value=value.hex())["type"] == "refused"
        assert ann.say("CommitCut", number, commitment=value.hex()[1:])["type"] == "refused"
        assert ann.snapshot is not None
        shoe = bytes.fromhex(ann.snapshot["shoe"]["next_commitment"])
        ann.do("CommitCut", number, commitment=cut_commitment(shoe, 1, value).hex())
        assert ann.say("OpenCut", number, value=value.hex())["type"] == "refused"
        _hear_all(heard, people, log, asking)
        yield heard


def _hear_all(
    heard: Heard, people: dict[str, AtTable], log: io.StringIO, asking: Sequence[str]
) -> None:
    """Record the output of every address, every socket, and the log."""
    before = _requests_in(log)
    if asking:
        _ask_everything(heard, asking)
    for name, person in people.items():
        person.catch_up(people["Ann"].told)
        for text in person.heard:
            heard.add("socket", name, text)
    asked = sum(one.way.startswith(("get ", "post ", "delete ")) for one in heard.texts)
    until(lambda: _requests_in(log) >= before + asked)  # requests are logged after the response
    for line in log.getvalue().splitlines():
        heard.add("log", "", line)


def _requests_in(log: io.StringIO) -> int:
    return log.getvalue().count('"event":"request"')


@contextmanager
def _people_at_a_table(
    folder: Path, down: str
) -> Iterator[tuple[Heard, dict[str, AtTable], io.StringIO]]:
    log = io.StringIO()
    handler = write_logs(log, logging.DEBUG)
    try:
        with live_house(folder, [cards_with(down)]) as house, ExitStack() as stack:
            for name in ("Ann", "Cid"):
                house.add(name, money=1_000_000)
            house.add("Bob", money=BOBS_WALLET + CHIPS)
            heard = Heard(house, house.open_table(RULES))
            people = {
                name: stack.enter_context(AtTable(house, heard.table, name))
                for name in ("Ann", "Bob", "Cid", "")
            }
            for person in people.values():  # from here on, everyone receives the same messages
                person.until("snapshot")
            yield heard, people, log
    finally:
        for name in (LOGGER.name, "uvicorn.error"):
            logging.getLogger(name).removeHandler(handler)


def _sit(ann: AtTable, bob: AtTable) -> int:
    """Seat both players and return the number of the last event."""
    last = 0
    for seat, person in enumerate((ann, bob), start=1):
        person.do("TakeSeat", seat=seat)
        person.until("you", seat=seat)
        last = person.do("BuyChips", amount=CHIPS)
        person.until("you", stack=CHIPS)
    return last


def _play_to_decision(ann: AtTable, bob: AtTable) -> None:
    last = _sit(ann, bob)
    for kind in ("cut_commit", "wagers"):
        for spot, person in enumerate((ann, bob), start=1):
            person.catch_up(last)
            ask = person.ask
            assert ask is not None
            assert ask["kind"] == kind
            if kind == "wagers":
                person.do("PlaceWagers", ask["n"], spot=spot, base=1_000)
            last = person.do("Ready", ask["n"])
    for person in (ann, bob):
        person.catch_up(last)
        assert person.ask is not None
        assert person.ask["kind"] == "decision"


def finish(heard: Heard) -> None:
    """Both players stand, and the dealer plays."""
    house, table = heard.house, heard.table
    with AtTable(house, table, "Ann") as ann, AtTable(house, table, "Bob") as bob:
        ask = ann.wait_for_ask("decision")
        bob.catch_up(ann.do("Stand", ask["n"], spot=1))
        assert bob.ask is not None
        ann.catch_up(bob.do("Stand", bob.ask["n"], spot=2))
        heard.texts += [Text("socket", "Ann", text) for text in ann.heard]


def close(heard: Heard) -> None:
    answer = heard.house.post("Olga", f"/tables/{heard.table}/close", reason="the day is over")
    assert answer.status_code == 200, answer.text
    _ask_everything(heard, READERS)


def _say_wrong_things(people: dict[str, AtTable]) -> None:
    """Send invalid commands, because refusals could leak too."""
    for person in people.values():
        ask = person.ask["n"] if person.ask else None
        for command, fields in (
            ("Stand", {"spot": 3}),
            ("Hit", {"spot": 2}),
            ("Double", {"spot": 1, "amount": -1}),
            ("Peek", {}),
            ("VoidRound", {"reason": "curious"}),
            ("BuyChips", {"amount": 10**12}),
        ):
            if not (person is people["Ann"] and command == "Double"):
                assert person.say(command, ask, **fields)["type"] == "refused"


_PATHS: dict[str, Any] = {}  # shared by all houses: building the description takes over a second


def _ask_everything(heard: Heard, readers: Sequence[str]) -> None:
    """Request every readable address, and some invalid ones, in every role below operator."""
    house = heard.house
    if not _PATHS:
        _PATHS.update(house.served.app.openapi()["paths"])
    for reader in readers:
        with house.client(reader) as client:
            for path, offered in _PATHS.items():
                for method in offered:
                    for address in _addresses(path, heard.table):
                        if method == "get":
                            answer = client.get(address)
                        elif reader:
                            answer = client.request(method, address, json={"reason": "curious"})
                        else:
                            continue
                        told = f"{answer.status_code}\n{dict(answer.headers)}\n{answer.text}"
                        heard.add(f"{method} {address}", reader, told)


_LEFT_OUT = ("/analysis/", "/coach/", "/simulations", "/accounts/", "/rules", "/openapi")


def _addresses(path: str, table: int) -> list[str]:
    """The path filled in with existing numbers; none for pages that aren't about tables."""
    if path.startswith(_LEFT_OUT) or path.endswith("/coach") or path == "/audits":
        return []
    filled = path.replace("{round_number}", "1").replace("{shoe}", "1")
    numbers = range(1, table + 1) if path.startswith("/books") else (table,)
    if "/rounds/1" in filled:
        return [f"{filled}?format={form}".replace("{number}", str(table)) for form in FORMS]
    return list(dict.fromkeys(filled.replace("{number}", str(number)) for number in numbers))


FORMS = ("json", "text", "notation")


# --- comparing outputs ------------------------------------------------------------------------

_VARIES = (
    (re.compile(r"'x-request-id': '[^']*'"), "<request>"),
    (re.compile(r'"request":"[0-9a-f]{16}"'), "<request>"),
    (re.compile(r"[0-9a-f]{64}"), "<hash>"),
    (re.compile(r"1\d{12}"), "<time>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"), "<time>"),
    (re.compile(r"'date': '[^']*'"), "<time>"),
    (re.compile(r'"(at|ms)":[\d.]+'), "<time>"),
    (re.compile(r"127\.0\.0\.1[:,' ]+\d+"), "<address>"),
    (re.compile(r"process \[?\d+\]?"), "<process>"),
)
_COUNTED_BY_TIME = re.compile(
    r"seconds|request|process_|python_|_created|seal|per_commit|open_tables|imbalance|disk_free"
)


def told_before(heard: Heard) -> list[Text]:
    """Outputs sorted by reader and channel, with everything that varies from run to run removed."""
    house_id = _house_id(heard)
    found = []
    last_you = {one.reader: index for index, one in enumerate(heard.texts) if _is_you(one)}
    for index, one in enumerate(heard.texts):
        if one.way.startswith(("get /seals", "get /readyz")):
            continue  # depends on the clock
        if one.way == "socket" and one.text.startswith(('{"type":"watchers"', '{"type":"holds"')):
            continue  # sent only now and then, after a change
        if _is_you(one) and index != last_you[one.reader]:
            continue  # shows the chips at the moment it is sent, so only the last one is fixed
        text = one.text.replace(house_id, "<house>")
        if one.way == "get /metrics":
            lines = (line for line in text.split("\n") if not _COUNTED_BY_TIME.search(line))
            text = "\n".join(sorted(lines))  # a label appears when it is first used
        for pattern, instead in _VARIES:
            text = pattern.sub(instead, text)
        if one.way.startswith("get ") or one.way.startswith("post "):
            text = re.sub(r"'content-length': '\d+'", "", text)
        found.append(Text(one.way, one.reader, text))
    return sorted(found)


def _is_you(one: Text) -> bool:
    return one.way == "socket" and one.text.startswith('{"type":"you"')


def _house_id(heard: Heard) -> str:
    with heard.house.store.read() as connection:
        return str(connection.scalar(select(schema.house.c.id)))


def _in_order(texts: list[Text]) -> list[Text]:
    """Sort the log lines, which come from several threads in no fixed order."""
    logged = sorted((text for text in texts if text.way == "log"), key=lambda text: text.text)
    return [*(text for text in texts if text.way != "log"), *logged]


def first_difference(one: Heard, other: Heard) -> str:
    """The first difference between the outputs of two houses, or an empty string."""
    left, right = _in_order(told_before(one)), _in_order(told_before(other))
    for first, second in zip(left, right, strict=False):
        if first != second:
            return f"{first}\n{second}"
    return "" if len(left) == len(right) else f"{len(left)} texts, {len(right)} texts"


# --- secrets ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Secret:
    name: str
    forms: tuple[str, ...]
    owners: tuple[str, ...] = ()  # readers who may know it


def found_secrets(heard: Heard) -> list[str]:
    """Leaked secrets, with channel and reader."""
    secrets = list(_secrets(heard))
    return [
        f"{secret.name} by {one.way} to {one.reader or 'anyone'}"
        for one in heard.texts
        for secret in secrets
        if one.reader not in secret.owners and any(form in one.text for form in secret.forms)
    ]


def _secrets(heard: Heard) -> Iterator[Secret]:
    house = heard.house
    yield Secret("the house key", _written(house.key.secret))
    for name, token in house.tokens.items():
        yield Secret(f"a token of {name}", (token,))
        yield Secret(f"a token's digest of {name}", _written(digest_of(token)))
    yield Secret("a password's hash", (HASH, HASH.rpartition("$")[2]))
    wallet = str(BOBS_WALLET)
    dollars = f"{BOBS_WALLET // 100}.{BOBS_WALLET % 100}"
    commas = f"{BOBS_WALLET // 100:,}.{BOBS_WALLET % 100}"
    yield Secret("Bob's wallet", (wallet, dollars, commas), ("Bob", "Audrey"))
    for name, secret in heard.hidden.items():
        yield Secret(name, _written(secret))
    yield from _shoe_secrets(heard)


def _shoe_secrets(heard: Heard) -> Iterator[Secret]:
    house = heard.house
    with house.store.read() as connection:
        rows = connection.execute(select(schema.shoe)).all()
    for row in rows:
        yield Secret(f"the salt of shoe {row.number}", _written(row.salt))
        if row.seed is None:  # a finished shoe is public
            seed = house.key.seed(read_context(row.context), row.salt)
            yield Secret(f"S of shoe {row.number}", _written(seed))
    state = house.served.app.state.tables.writer.table(heard.table)
    if state is not None and state.live is not None:
        yield Secret("cards still in the shoe", tuple(_windows(rest_of(state.live))))


def rest_of(live: LiveShoe) -> list[int]:
    """Cards the shoe has yet to deal."""
    twin = live.copy()
    return [twin.draw() for _ in range(twin.cards_left)]


def _windows(order: list[int]) -> Iterable[str]:
    for first in range(len(order) - WINDOW + 1):
        cards = order[first : first + WINDOW]
        words = cards_text(cards).split()
        yield ",".join(map(str, cards))
        yield ", ".join(map(str, cards))
        yield " ".join(words)
        yield ",".join(words)
        yield '","'.join(words)
        yield "','".join(words)


def _written(secret: bytes) -> tuple[str, ...]:
    plain = base64.b64encode(secret).decode().rstrip("=")
    return (
        secret.hex(),
        secret.hex().upper(),
        plain,
        plain.replace("+", "-").replace("/", "_"),
        str(list(secret))[1:-1],
        ",".join(map(str, secret)),
        repr(secret)[2:-1],
    )
