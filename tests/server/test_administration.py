"""Operator actions over HTTP: tables, jackpots, money, and roles, each done once and recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest

from tests.coroutines import run_async
from tests.server.live_house import AtTable, LiveHouse, live_house
from tests.server.running import until
from ventiuna.engine.events import Wager
from ventiuna.rules import Rules, load_rules
from ventiuna.server.routers.records import expectations
from ventiuna.table.access import Role
from ventiuna.table.audit.house import AuditScope, audit
from ventiuna.table.daily_report import Expectation
from ventiuna.table.duties import restriction_of
from ventiuna.table.journal import balances

JACKPOT_RULES = "wsgc-2021(jackpots=3c:1:seed=1000)"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    with live_house(tmp_path_factory.mktemp("floor")) as house:
        yield house
        with house.store.read() as connection:
            report = audit(connection, AuditScope(key=house.key, on_top=house.entropy.on_top))
            assert sum(balances(connection).values()) == 0
        assert report.holds, [str(found) for found in report.differences]


def newcomer(floor: LiveHouse, role: Role = Role.PLAYER) -> str:
    name = f"person {next(floor.numbers)}"
    floor.add(name, role)
    return name


def entries(floor: LiveHouse, book: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = floor.get("Audrey", f"/books/{book}?most=200").json()
    return found


# --- tables -----------------------------------------------------------------------------------


def test_a_table_with_a_progressive_has_a_meter_from_the_start(floor: LiveHouse) -> None:
    opened = floor.post(
        "Olga", "/tables", name="Friends", rules=JACKPOT_RULES, reason="a friends' room"
    ).json()
    assert opened["jackpots"].keys() == {"1"}
    jackpot = floor.get("Olga", f"/jackpots/{opened['jackpots']['1']}").json()
    assert jackpot["tables"] == {str(opened["id"]): 1}
    (line,) = (one for one in floor.get("", "/tables").json() if one["id"] == opened["id"])
    assert line["has"] == ["jackpot"]
    assert jackpot["shown"] == jackpot["seed"] == jackpot["advanced"] > 0
    acts = [(entry["actor"], entry["command"]["command"]) for entry in entries(floor, opened["id"])]
    olga = f"person/{floor.people['Olga'].id}"
    assert acts == [(olga, "OpenTable"), (olga, "LinkJackpot")]


def test_tables_of_one_preset_with_different_options_are_distinguished(floor: LiveHouse) -> None:
    """The canonical names differ in the lobby, for spectators, and in the daily report."""
    names = ["wsgc-spanish-21(decks=8)", "wsgc-spanish-21(soft_17=stand)"]
    tables = [floor.open_table(name) for name in names]
    lobby = {line["id"]: line for line in floor.get("", "/tables").json()}
    assert [lobby[table]["canonical"] for table in tables] == names
    assert {lobby[table]["rules"] for table in tables} == {"wsgc-spanish-21"}
    seen = [floor.get("", f"/tables/{table}").json()["table"] for table in tables]
    assert [one["canonical"] for one in seen] == names
    assert [one["fingerprint"] for one in seen] == [lobby[one]["fingerprint"] for one in tables]


def test_tables_share_a_given_progressive(floor: LiveHouse) -> None:
    created = floor.post(
        "Olga",
        "/jackpots",
        name="Shared",
        rules=JACKPOT_RULES,
        game=1,
        maximum=50_000_000,
        reason="for two tables",
    )
    assert created.status_code == 201, created.text
    number = created.json()["id"]
    tables = [floor.open_table(JACKPOT_RULES, jackpots={"1": number}) for _ in range(2)]
    shown = {one["id"]: one for one in floor.get("", "/jackpots").json()}[number]
    assert shown["tables"] == {str(table): 1 for table in tables}
    assert "reserve" not in shown, "the hidden part isn't for everyone"


@pytest.mark.parametrize(
    ("jackpots", "code"),
    [
        ({"2": 1}, "no_such_jackpot"),
        ({"1": 987_654}, "no_such_jackpot"),
        ({"x": 1}, "bad_request"),
    ],
)
def test_a_table_is_not_opened_with_a_wrong_link(
    floor: LiveHouse, jackpots: dict[str, int], code: str
) -> None:
    before = floor.get("Audrey", "/books").json()
    answer = floor.post(
        "Olga", "/tables", name="No", rules=JACKPOT_RULES, jackpots=jackpots, reason="a mistake"
    )
    assert answer.json()["code"] == code
    assert floor.get("Audrey", "/books").json() == before


def test_a_duplicate_request_opens_no_second_table(floor: LiveHouse) -> None:
    body = {"name": "Once", "rules": JACKPOT_RULES, "reason": "a copy"}
    with floor.client("Olga") as client:
        headers = {"Idempotency-Key": "the very same"}
        first = client.post("/tables", json=body, headers=headers)
        again = client.post("/tables", json=body, headers=headers)
        other = client.post("/tables", json={**body, "name": "Twice"}, headers=headers)
    assert first.json() == again.json()
    assert other.json()["code"] == "key_reused"


def test_files_of_the_server_are_not_read_for_clients(floor: LiveHouse) -> None:
    for address, more in (("/tables", {"name": "T"}), ("/jackpots", {"name": "J"})):
        answer = floor.post("Olga", address, rules="/etc/house.toml", reason="curious", **more)
        assert answer.status_code == 422
        assert answer.json()["code"] == "bad_rules"


def test_a_table_is_voided_closed_and_its_bank_dropped(floor: LiveHouse) -> None:
    table = floor.open_table("wsgc-spanish-21")
    name = newcomer(floor)
    with AtTable(floor, table, name) as player:
        player.do("TakeSeat", seat=1)
        player.do("BuyChips", amount=100_000)
        play_to_decision(player)
        before = sum(one["net"] or 0 for one in floor.get(name, "/history").json())
        refused = floor.post("Olga", f"/tables/{table}/drop", reason="too early")
        assert refused.json()["code"] == "in_round"
        voided = floor.post("Olga", f"/tables/{table}/void", reason="a card was exposed")
        assert voided.status_code == 200, voided.text
        player.catch_up(voided.json()["n"])
        assert "ShoeRevealed" in [event["event"] for event in player.events]
        closed = floor.post("Olga", f"/tables/{table}/close", reason="the day is over")
        player.catch_up(closed.json()["n"])
        assert player.events[-1]["event"] == "TableClosed"
    assert floor.get(name, "/wallet").json() == {"wallet": 1_000_000_000 + before, "seats": []}
    assert (
        floor.post("Olga", f"/tables/{table}/resume", reason="?").json()["code"] == "table_closed"
    )
    reasons = [entry["command"].get("reason") for entry in entries(floor, table)]
    assert {"a card was exposed", "the day is over"} <= set(reasons)


def play_to_decision(player: AtTable) -> None:
    """Play through the cut and the wagers until someone has a decision to make.

    Rounds that end with a blackjack are played out first.
    """
    while (ask := player.wait_for_ask())["kind"] != "decision":
        if ask["kind"] == "wagers" and len(ask["options"]):
            player.do("PlaceWagers", ask["n"], spot=1, base=1_000)
        if ask["kind"] in ("wagers", "cut_commit", "cut_open"):
            done = player.do("Ready", ask["n"])
        elif ask["kind"] == "insurance":
            done = player.do("Insure", ask["n"], spot=1, amount=0)
        else:
            done = player.do("TakeBlackjack", ask["n"], spot=1)
        player.catch_up(done)


@pytest.mark.parametrize("act", ["close", "void", "resume", "drop"])
@pytest.mark.parametrize("number", [1, 987_654])  # the cashier's book, and one that doesn't exist
def test_a_missing_table_is_reported(floor: LiveHouse, act: str, number: int) -> None:
    answer = floor.post("Olga", f"/tables/{number}/{act}", reason="a mistake")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_table")
    assert floor.get("", f"/tables/{number}").status_code == 404


@pytest.mark.parametrize("reason", ["", " ", "two\nlines", "x" * 201])
def test_every_action_needs_a_reason(floor: LiveHouse, reason: str) -> None:
    table = floor.open_table("wsgc-spanish-21")
    number = floor.post("Olga", "/jackpots", name="J", rules=JACKPOT_RULES, reason="tests").json()
    person = floor.people["Olga"].id
    for address, more in (
        ("/tables", {"name": "T", "rules": "wsgc-spanish-21"}),
        (f"/tables/{table}/close", {}),
        (f"/jackpots/{number['id']}/suspend", {}),
        (f"/jackpots/{number['id']}/seed", {"amount": 5}),
        (f"/persons/{person}/issue", {"amount": 5}),
        (f"/persons/{person}/role", {"role": "operator"}),
    ):
        answer = floor.post("Olga", address, reason=reason, **more)
        assert answer.status_code == 422, (address, answer.text)
        assert "reason" in answer.json()["detail"]


# --- jackpots ---------------------------------------------------------------------------------


def test_the_life_of_a_progressive(floor: LiveHouse) -> None:
    created = floor.post(
        "Olga", "/jackpots", name="Life", rules=JACKPOT_RULES, reserve_rate=200, reason="new"
    ).json()
    number, seed = created["id"], created["seed"]

    def act(what: str, **body: object) -> dict[str, Any]:
        answer = floor.post("Olga", f"/jackpots/{number}/{what}", **{"reason": what, **body})
        found: dict[str, Any] = answer.json()
        return found

    assert act("suspend")["status"] == "suspended"
    assert act("resume")["status"] == "open"
    assert act("maximum", maximum=seed - 1)["code"] == "maximum_too_low"
    assert act("maximum", maximum=seed + 10_000)["maximum"] == seed + 10_000
    assert act("advance-limit", limit=2 * seed)["advance_limit"] == 2 * seed
    assert act("seed", amount=5_000)["shown"] == seed + 5_000
    assert act("recover", amount=5_001 + seed)["code"] == "more_than_advanced"
    assert act("recover", amount=5_000)["shown"] == seed
    assert act("correct", amount=700, direction="up")["shown"] == seed + 700
    corrected = act("correct", amount=700, direction="down")
    assert (corrected["shown"], corrected["reserve"]) == (seed, 700)
    assert act("receipts", amount=701)["code"] == "fund_short"
    assert act("receipts", amount=700)["reserve"] == 0
    assert act("remove")["status"] == "removed"
    assert act("resume")["code"] == "jackpot_removed"
    moves = floor.get("Audrey", f"/jackpots/{number}/movements").json()
    assert [move["reason"] for move in moves] == [
        "new", "suspend", "resume", "maximum", "advance-limit", "seed", "recover", "correct",
        "correct", "receipts", "remove",
    ]  # fmt: skip
    assert all(move["actor"] == f"person/{floor.people['Olga'].id}" for move in moves)


def test_a_table_is_linked_and_unlinked(floor: LiveHouse) -> None:
    table = floor.open_table(JACKPOT_RULES)
    own = floor.get("", f"/tables/{table}").json()["table"]["jackpots"]["1"]
    other = floor.post("Olga", "/jackpots", name="O", rules=JACKPOT_RULES, reason="x").json()["id"]
    link = {"game": 1, "jackpot": other, "reason": "one for all"}
    assert floor.post("Olga", f"/tables/{table}/link", **link).json()["code"] == "already_linked"
    assert (
        floor.post("Olga", f"/jackpots/{own}/remove", reason="x").json()["code"] == "still_linked"
    )
    unlinked = floor.post("Olga", f"/tables/{table}/unlink", game=1, reason="one for all")
    assert unlinked.status_code == 200, unlinked.text
    assert floor.post("Olga", f"/tables/{table}/link", **link).status_code == 200
    assert floor.get("", f"/tables/{table}").json()["table"]["jackpots"] == {"1": other}


def test_an_action_with_the_same_key_runs_once(floor: LiveHouse) -> None:
    """The books store the key, so this works even if the server has forgotten the response."""
    created = floor.post("Olga", "/jackpots", name="K", rules=JACKPOT_RULES, reason="x").json()
    number = created["id"]
    other = floor.post("Olga", "/jackpots", name="L", rules=JACKPOT_RULES, reason="x").json()["id"]
    body = {"amount": 100, "reason": "twice"}
    headers = {"Idempotency-Key": "seed it once"}
    olga, fresh = floor.tokens["Olga"], floor.served
    with fresh.client(olga) as client:
        client.post(f"/jackpots/{number}/seed", json=body, headers=headers)
    floor.served.app.state.tables.answers.clear()
    with fresh.client(olga) as client:
        again = client.post(f"/jackpots/{number}/seed", json=body, headers=headers)
        elsewhere = client.post(
            f"/jackpots/{other}/seed", json=body, headers={"Idempotency-Key": "seed it once"}
        )
    assert again.json()["shown"] == created["shown"] + 100
    assert elsewhere.json()["code"] == "key_reused"


# --- money and roles --------------------------------------------------------------------------


def test_money_is_issued_and_redeemed(floor: LiveHouse) -> None:
    name = newcomer(floor)
    person = floor.people[name].id
    issued = floor.post("Olga", f"/persons/{person}/issue", amount=5_000, reason="a gift")
    assert issued.json() == {"wallet": 1_000_005_000}
    back = floor.post("Olga", f"/persons/{person}/redeem", amount=5_000, reason="back")
    assert back.json() == {"wallet": 1_000_000_000}
    short = floor.post("Olga", f"/persons/{person}/redeem", amount=10**12, reason="too much")
    assert short.json()["code"] == "not_covered"
    nobody = floor.post("Olga", "/persons/987654/issue", amount=1, reason="nobody")
    assert nobody.json()["code"] == "no_such_person"
    listed = {one["name"]: one for one in floor.get("Audrey", "/persons?most=500").json()}
    assert listed[name]["wallet"] == 1_000_000_000


def test_roles_are_granted_and_the_last_operator_stays(floor: LiveHouse) -> None:
    name = newcomer(floor)
    person, olga = floor.people[name].id, floor.people["Olga"].id
    last = floor.post("Olga", f"/persons/{olga}/role", role="player", reason="had enough")
    assert last.json()["code"] == "not_allowed"
    assert "last operator" in last.json()["detail"]
    given = floor.post("Olga", f"/persons/{person}/role", role="operator", reason="helps")
    assert given.status_code == 204
    assert floor.get(name, "/accounts/me").json()["role"] == "operator"
    taken = floor.post(name, f"/persons/{person}/role", role="player", reason="goes home")
    assert taken.status_code == 204
    assert floor.get(name, "/persons").status_code == 403
    with floor.served.client() as client:
        guest = client.post("/accounts/guest", json={}).json()["person"]["id"]
    refused = floor.post("Olga", f"/persons/{guest}/role", role="auditor", reason="a friend")
    assert "guest" in refused.json()["detail"]


# --- history, fairness, books -----------------------------------------------------------------


def test_rounds_are_shown_to_their_players(floor: LiveHouse) -> None:
    table = floor.open_table("wsgc-spanish-21")
    name, other = newcomer(floor), newcomer(floor)
    with AtTable(floor, table, name) as player:
        player.do("TakeSeat", seat=1)
        player.do("BuyChips", amount=100_000)
        play_to_decision(player)
        mine = floor.get(name, "/history").json()
        assert (mine[0]["outcome"], mine[0]["net"]) == ("open", None)
        assert (mine[0]["dealer"], mine[0]["hands"]) == ([], [])
        number = mine[0]["number"]
        open_round = floor.get(name, f"/tables/{table}/rounds/{number}").json()
        hidden = [step for step in open_round["steps"] if step.get("place") == "down"]
        assert [step["card"] for step in hidden] == [None]
        while (ask := player.wait_for_ask())["kind"] == "decision":
            player.catch_up(player.do("Stand", ask["n"], spot=1))
        stack = player_stack(player)
    mine = floor.get(name, "/history").json()
    assert {one["outcome"] for one in mine} == {"closed"}
    assert sum(one["net"] for one in mine) == stack - 100_000
    assert {hand["spot"] for one in mine for hand in one["hands"]} == {1}
    assert all(len(hand["cards"]) >= 2 and hand["result"] for one in mine for hand in one["hands"])
    assert {one["mistakes"] is None for one in mine} == {True}  # not reviewed yet
    assert floor.get(name, f"/history?before={mine[0]['at']}").json() == mine[1:]
    assert floor.get(other, "/history").json() == []
    address = f"/tables/{table}/rounds/{number}"
    refused = floor.get(other, address)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert "didn't bet in this round" in refused.json()["detail"]
    for who in (name, other):
        none = floor.get(who, f"/tables/{table}/rounds/987")
        assert (none.status_code, none.json()["code"]) == (404, "no_such_round")
    assert floor.get("Audrey", address).json()["kind"] == "replay"
    assert "Replay of round" in floor.get(name, f"{address}?format=text").text
    assert floor.get(name, f"{address}?format=notation").text.startswith("round")
    assert floor.get("Olga", f"/tables/{table}/rounds/987").json()["code"] == "no_such_round"
    rounds = floor.get("Audrey", f"/tables/{table}/rounds").json()
    assert rounds["rounds"] == [line["number"] for line in rounds["lines"]]
    [line] = [line for line in rounds["lines"] if line["number"] == number]
    assert line["outcome"] == "closed"
    assert line["at"] > 0


def player_stack(player: AtTable) -> int:
    """Chips of seat 1 after the last events."""
    stacks = [json.loads(text).get("stacks") for text in player.heard]
    return int([found for found in stacks if found][-1]["1"])


def test_shoes_are_committed_first_and_revealed_later(floor: LiveHouse) -> None:
    table = floor.open_table("wsgc-spanish-21")
    name = newcomer(floor)
    with AtTable(floor, table, name) as player:
        player.do("TakeSeat", seat=1)
        player.do("BuyChips", amount=100_000)
        play_to_decision(player)
        shoes = floor.get("", f"/tables/{table}/shoes").json()
        assert [shoe["state"] for shoe in shoes] == ["in_play", "committed"]
        early = floor.get("", f"/tables/{table}/shoes/1")
        assert early.json()["code"] == "shoe_in_play"
        floor.post("Olga", f"/tables/{table}/void", reason="to see the shoe")
    record = floor.get("", f"/tables/{table}/shoes/1").json()
    assert record["commitment"] == shoes[0]["commitment"]
    assert floor.get("", f"/tables/{table}/shoes/77").status_code == 404


def test_seals_and_books_can_be_read(floor: LiveHouse) -> None:
    until(lambda: floor.get("", "/seals/newest").status_code == 200)
    newest = floor.get("", "/seals/newest").json()
    assert floor.get("", f"/seals/{newest['number']}").json() == newest
    assert floor.get("", "/seals/987654").json()["code"] == "no_such_seal"
    kinds = {book["kind"] for book in floor.get("Audrey", "/books").json()}
    assert "cashier" in kinds
    assert floor.get("Audrey", "/books/987654").json()["code"] == "no_such_book"


def test_the_day_is_reported_in_every_form(floor: LiveHouse) -> None:
    address = "/reports/daily?theory=false"
    table = floor.open_table("wsgc-spanish-21")
    with AtTable(floor, table, newcomer(floor)) as player:  # idle tables are left out
        player.do("TakeSeat", seat=1)
        player.do("BuyChips", amount=100_000)
    report = floor.get("Audrey", address).json()
    assert table in [line["table"] for line in report["tables"]]
    assert floor.get("Olga", f"{address}&format=text").text.count("\n") > 1
    as_csv = floor.get("Olga", f"{address}&format=csv")
    assert as_csv.headers["content-type"].startswith("text/csv")
    assert floor.get("Olga", f"{address}&day=yesterday").status_code == 422
    for zone in ("Nowhere/Such", "../../etc/passwd", "%00"):
        assert floor.get("Olga", f"{address}&zone={zone}").json()["code"] == "bad_zone"
    here = floor.get("Olga", f"{address}&zone=America/Los_Angeles&start_hour=0")
    assert here.status_code == 200
    today = date.fromisoformat(report["day"])
    week = f"{today - timedelta(days=6)}..{today}"
    ranged = floor.get("Olga", f"{address}&day={week}").json()
    assert (ranged["last_day"], ranged["drop_cents"]) == (report["day"], report["drop_cents"])
    backwards = floor.get("Olga", f"{address}&day={today}..{today - timedelta(days=1)}")
    assert (backwards.status_code, "isn't a range" in backwards.text) == (422, True)


def test_expectations_come_from_the_analysis() -> None:
    rules = load_rules("wsgc-spanish-21")
    answers = {Wager.HAND: (Fraction(1, 100), 1.2), Wager.INSURANCE: None}

    async def ask(question: tuple[Rules, Wager]) -> object:
        return answers[question[1]]

    questions = [(rules, wager) for wager in answers]
    found = run_async(expectations(questions, ask))
    assert found == {(rules, Wager.HAND): Expectation(Fraction(1, 100), 1.2)}


def test_an_audit_runs_during_play(floor: LiveHouse) -> None:
    with floor.client("Audrey") as client:
        begun = client.post("/audits")
        assert begun.status_code == 202
        number = begun.json()["id"]
        until(lambda: client.get(f"/audits/{number}").json()["state"] != "running")
        found = client.get(f"/audits/{number}").json()
        assert client.get("/audits").json() == [found]
    assert found["state"] == "done"
    assert found["result"]["differences"] == []
    assert found["result"]["holds"]


def test_r010_operators_inspect_a_tables_decks(floor: LiveHouse) -> None:
    """Floor supervisors may do so, too; auditors may read the checklist and print the form."""
    opened = floor.post(
        "Olga", "/tables", name="Deck", rules="super-fun-21", inspection="required", reason="day"
    )
    assert opened.is_success, opened.text
    table = opened.json()["id"]
    lobby = {line["id"]: line["inspection"] for line in floor.get("", "/tables").json()}
    assert lobby[table]
    waits = floor.get("", f"/tables/{table}").json()["table"]["waits"]
    assert waits == "Two people inspect the decks before the first deal."
    two = {"dealer": "Dee", "supervisor": "Sam", "reason": "opening"}
    deck = {"deck": 1, "tens": 4, "jokers": 2, "cards_left": 52, "back": "red", **two}
    refused = floor.post("Olga", f"/tables/{table}/inspect", **deck)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_inspected")
    assert floor.post("Olga", f"/tables/{table}/inspect", **deck | {"tens": 0}).is_success
    found = floor.get("Audrey", f"/tables/{table}/inspection").json()
    assert (found["next_step"], found["steps"][0]["back"]) == ("shuffle", "red")
    assert not any("our reading" in line or "O-03" in line for line in found["guide"])
    supervisor = newcomer(floor, Role.FLOOR)
    assert floor.post(supervisor, f"/tables/{table}/shuffle", **two).is_success
    assert floor.get("", f"/tables/{table}").json()["table"]["waits"] is None
    form = floor.get("Audrey", f"/tables/{table}/inspection/sheet")
    assert "Deck inspection" in form.text


def test_an_operator_resets_a_password_once(floor: LiveHouse) -> None:
    name = newcomer(floor)
    person = floor.people[name].id
    given = floor.post("Olga", f"/persons/{person}/reset", reason="forgot it")
    assert given.status_code == 200, given.text
    body = {"name": name, "code": given.json()["code"], "password": "nine nine nine"}
    with floor.client() as client:
        signed_in = client.post("/accounts/reset", json=body)
        assert signed_in.json()["person"]["name"] == name
        assert client.post("/accounts/reset", json=body).json()["code"] == "wrong_code"
    assert floor.get(name, "/accounts/me").status_code == 401  # the old session
    entries = floor.get("Olga", "/entries").json()
    assert given.json()["code"] not in str(entries)


def test_entries_are_found_by_name_and_show_how_much_they_moved(floor: LiveHouse) -> None:
    name = newcomer(floor)
    person = floor.people[name].id
    floor.post("Olga", f"/persons/{person}/issue", amount=12_345, reason=f"for {name}")
    query = {"text": f"for {name}"}
    with floor.client("Olga") as client:
        for actor in ("Olga", "olga", f"person/{floor.people['Olga'].id}"):
            (found,) = client.get("/entries", params={**query, "actor": actor}).json()
            assert (found["called"], found["cents"]) == ("Olga", 12_345)
            assert found["told"]["details"] == f"{name}, $123.45"
            assert found["moved"] == [
                {"from": "play money", "to": f"{name}'s wallet", "cents": 12_345}
            ]
        assert client.get("/entries", params={**query, "actor": "nobody"}).json() == []


def test_chips_in_the_books_are_those_of_the_player_who_had_them(floor: LiveHouse) -> None:
    """Two people sit in the same seat, one after the other."""
    table = floor.open_table(JACKPOT_RULES)
    names = [newcomer(floor), newcomer(floor)]
    for name in names:
        with AtTable(floor, table, name) as player:
            player.do("TakeSeat", seat=2)
            player.do("BuyChips", amount=5_000)
            player.do("LeaveSeat")
    entries = floor.get("Audrey", f"/books/{table}").json()
    ways = [(one["from_told"], one["to_told"]) for entry in entries for one in entry["postings"]]
    title = next(one for one in floor.get("Olga", "/tables").json() if one["id"] == table)["name"]
    assert ways == [
        way
        for name in names
        for way in (
            (f"{name}'s wallet", f"{name}'s chips at {title}"),
            (f"{name}'s chips at {title}", f"{name}'s wallet"),
        )
    ]


def test_a_person_who_self_excludes_is_signed_out(floor: LiveHouse) -> None:
    name = newcomer(floor)
    until = floor.post(name, "/accounts/exclusion", days=30).json()["excluded_until"]
    assert floor.get(name, "/accounts/me").status_code == 401
    person = floor.people[name].id
    assert floor.post("Olga", f"/persons/{person}/unblock", reason="asked for it").is_success
    with floor.store.read() as connection:
        assert restriction_of(connection, person).excluded_until == until


def test_a_person_lowers_limits_at_once_and_raises_them_a_day_later(floor: LiveHouse) -> None:
    name = newcomer(floor)
    person = floor.people[name].id
    own = floor.post(name, "/accounts/limits", deposit=50_000, wager=9_000).json()
    assert own["own"] == {"deposit": 50_000, "loss": None, "wager": 9_000}
    own = floor.post(name, "/accounts/limits", deposit=70_000, wager=0).json()
    assert own["own"] == {"deposit": 50_000, "loss": None, "wager": 9_000}
    assert own["later"] == {"deposit": 70_000, "loss": None, "wager": None}
    assert own["later_at"] > 0
    assert floor.post(name, "/accounts/limits", deposit=-1).status_code == 422
    limits = {"deposit": 60_000, "loss": None, "wager": None}
    raised = floor.post("Olga", f"/persons/{person}/limits", **limits, reason="asked for it")
    assert raised.is_success, raised.text
    assert floor.get(name, "/accounts/limits").json()["house"] == limits
    issued = floor.post("Olga", f"/persons/{person}/issue", amount=50_001, reason="a lot")
    assert "24 hours" in issued.json()["detail"]


def test_a_blocked_person_is_signed_out(floor: LiveHouse) -> None:
    name = newcomer(floor)
    person = floor.people[name].id
    assert floor.post("Olga", f"/persons/{person}/block", reason="was rude").is_success
    assert floor.get(name, "/accounts/me").status_code == 401


def test_a_guest_changes_the_name(floor: LiveHouse) -> None:
    """The rules for names are those for registering, and the books record the change."""
    registered = newcomer(floor)
    with floor.served.client() as client:
        guest = client.post("/accounts/guest", json={}).json()
        headers = {"Authorization": f"Bearer {guest['tokens']['access']}"}

        def rename(name: str) -> Any:
            return client.post("/accounts/name", json={"name": name}, headers=headers).json()

        assert rename("Zoë of Yakima")["name"] == "Zoë of Yakima"
        assert rename("ZOË OF YAKIMA")["name"] == "ZOË OF YAKIMA"  # the same person
        assert rename(registered.upper())["code"] == "name_taken"
        assert rename(" padded")["code"] == "bad_name"
        assert client.get("/accounts/me", headers=headers).json()["name"] == "ZOË OF YAKIMA"
        old = client.post("/accounts/guest", json={"name": guest["person"]["name"]}).json()
        assert old["code"] == "name_taken"  # nobody else gets the old name
    refused = floor.post(registered, "/accounts/name", name="Someone").json()
    assert refused["detail"] == "Only a guest's name can be changed."
