"""A replayed round matches the live one, and a share link shows it to others without names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.live_house import AtTable, LiveHouse, live_house
from ventiuna.cards import parse_card
from ventiuna.server.schemas import SERVER_MESSAGE

# Spot 4 gets two nines and stands; the dealer shows a 6 and busts.
CARDS = "9c 6d 9h Kc Ks"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[LiveHouse]:
    with live_house(tmp_path) as opened:
        opened.add("Ana")
        opened.add("Ben")
        yield opened


def play(house: LiveHouse) -> tuple[int, list[dict[str, object]]]:
    """Play one round as Ana and return the events sent over the socket."""
    house.entropy.prescribe([parse_card(card) for card in CARDS.split()])
    table = house.open_table("wsgc-2021")
    told: list[dict[str, object]] = []
    with AtTable(house, table, "Ana") as ana:
        ana.do("TakeSeat", seat=4)
        ana.do("BuyChips", amount=100_000)
        ask = ana.wait_for_ask("cut_commit")
        ana.do("Ready", ask["n"])
        ask = ana.wait_for_ask("wagers")
        ana.do("PlaceWagers", ask["n"], spot=4, base=1000)
        ana.do("Ready", ask["n"])
        ask = ana.wait_for_ask("decision")
        ana.do("Stand", ask["n"], spot=4)
        ana.wait_for_ask("wagers")
        for message in map(json.loads, ana.heard):
            if message["type"] == "events":
                told += [
                    {
                        "n": message["n"] + index,
                        "event": event,
                        "told": said,
                        "after": after,
                        "shoe": message["shoe"] if event is message["events"][-1] else None,
                    }
                    for index, (event, said, after) in enumerate(
                        zip(message["events"], message["told"], message["after"], strict=True)
                    )
                ]
    return table, told


def test_a_replay_matches_the_socket(house: LiveHouse) -> None:
    table, told = play(house)
    found = house.get("Ana", f"/tables/{table}/rounds/1?format=replay").json()
    assert (found["table"], found["round"], found["outcome"]) == (table, 1, "closed")
    SERVER_MESSAGE.validate_python(found["snapshot"])
    assert found["snapshot"]["seats"][0]["name"] == "Ana"
    steps = [{key: step[key] for key in ("n", "event", "told", "after")} for step in found["steps"]]
    first, last = steps[0]["n"], steps[-1]["n"]
    its = [line for line in told if first <= line["n"] <= last]
    assert steps == [{key: line[key] for key in line if key != "shoe"} for line in its]
    assert steps[0]["event"]["event"] == "RoundOpened"
    assert steps[-1]["event"]["event"] == "RoundClosed"


def test_a_replay_has_shoe_and_discard_tray_as_they_were(house: LiveHouse) -> None:
    table, told = play(house)
    found = house.get("Ana", f"/tables/{table}/rounds/1?format=replay").json()
    where = ("left", "size", "to_cut", "discards", "words")
    shoe = found["snapshot"]["shoe"]
    heard = {line["n"]: line["shoe"] for line in told if line["shoe"]}
    compared = 0
    for step in found["steps"]:
        shoe = step["shoe"] or shoe
        if step["n"] in heard:
            then: Any = heard[step["n"]]
            assert [shoe[key] for key in where] == [then[key] for key in where]
            compared += 1
    assert compared >= 2
    assert shoe["discards"] == len(CARDS.split())


def test_a_player_can_share_a_link_that_works_for_everyone(house: LiveHouse) -> None:
    table, _ = play(house)
    address = f"/tables/{table}/rounds/1"
    assert house.post("Ben", f"{address}/share").json()["code"] == "not_allowed"
    by = house.post("Ana", f"{address}/share").json()["by"]
    found = house.get("", f"/shared/{table}/1?by={by}")
    assert found.status_code == 200
    assert "Ana" not in found.text
    person = str(house.people["Ana"].id)
    events = [step["event"] for step in found.json()["steps"]]
    assert not any(event.get("person") == person for event in events)
    assert {event["person"] for event in events if "person" in event} == {"player 1"}
    assert found.json()["snapshot"]["seats"][0]["name"] == "Player 1"
    noted = house.get("", f"/shared/{table}/1?by={by}&format=notation")
    assert noted.text == house.get("Ana", f"{address}?format=notation").text


def test_a_link_works_for_only_one_round(house: LiveHouse) -> None:
    table, _ = play(house)
    by = house.post("Ana", f"/tables/{table}/rounds/1/share").json()["by"]
    for address in (f"/shared/{table}/2?by={by}", f"/shared/{table}/1?by={by[:-1]}0x"):
        assert house.get("", address).json()["code"] == "not_shared"
    refused = house.post("Olga", f"/tables/{table}/rounds/2/share")
    assert refused.json()["code"] == "round_open"
