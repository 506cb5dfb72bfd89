"""Rules and exact analysis over HTTP: the same data as the command line prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run
from tests.server.conftest import House

QUESTIONS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("/rules", {}, ["rules", "list"]),
    ("/rules/options", {}, ["rules", "options"]),
    ("/rules/show", {"rules": "super-fun-21"}, ["rules", "show", "super-fun-21"]),
    ("/rules/check", {"rules": "wsgc-2021(decks=8)"}, ["rules", "check", "wsgc-2021(decks=8)"]),
    ("/rules/card", {"rules": "wsgc-2021"}, ["rules", "card", "wsgc-2021"]),
    ("/rules/procedure", {"rules": "wsgc-2021"}, ["rules", "procedure", "wsgc-2021"]),
    (
        "/rules/diff",
        {"rules": "wsgc-2021", "other": "super-fun-21"},
        ["rules", "diff", "wsgc-2021", "super-fun-21"],
    ),
    (
        "/analysis/edge",
        {"rules": "wsgc-2021", "base": "25"},
        ["edge", "wsgc-2021", "--base", "25"],
    ),
    (
        "/analysis/edge",
        {"rules": "super-fun-21", "reoptimise": "true"},
        ["edge", "super-fun-21", "--reoptimize"],
    ),
    (
        "/analysis/design",
        {"rules": "super-fun-21", "edge": "0.9..1", "front": "low edge, high hits"},
        ["design", "super-fun-21", "--edge", "0.9..1", "--front", "low edge, high hits"],
    ),
    (
        "/analysis/hand",
        {"rules": "wsgc-2021", "cards": "5c 6d", "up": "2h", "without": "Kc Kd"},
        ["hand", "wsgc-2021", "5c 6d", "2h", "--without", "Kc Kd"],
    ),
    (
        "/analysis/side-bets",
        {"rules": "wsgc-2021", "stakes": "up=5,down=2"},
        ["sidebets", "wsgc-2021", "--stakes", "up=5,down=2"],
    ),
    (
        "/analysis/jackpot",
        {"rules": "wsgc-2021", "table": "3c", "meter": "12345.21"},
        ["jackpot", "wsgc-2021", "--table", "3c", "--meter", "12345.21"],
    ),
    (
        "/analysis/strategy",
        {"rules": "wsgc-2021", "chart": "spanish-21-h17"},
        ["strategy", "wsgc-2021", "--chart", "spanish-21-h17"],
    ),
    ("/analysis/effects", {"rules": "super-fun-21"}, ["count", "effects", "super-fun-21"]),
]


@pytest.mark.parametrize(("address", "asked", "words"), QUESTIONS, ids=lambda part: str(part)[:20])
def test_the_answer_matches_the_command(
    house: House, address: str, asked: dict[str, Any], words: list[str]
) -> None:
    with house.served.client(house.tokens["guest"]) as client:
        answer = client.get(address, params=asked)
        again = client.get(address, params=asked)
    assert answer.status_code == 200, answer.text
    assert again.json() == answer.json()
    assert answer.json() == run(*words, "--json").data


@pytest.mark.parametrize(
    ("address", "asked", "code", "told"),
    [
        ("/rules/show", {"rules": "nobody"}, "bad_rules", "nobody"),
        ("/rules/show", {"rules": "house.toml"}, "bad_rules", "doesn't read files"),
        ("/rules/show", {"rules": " /etc/x.toml (decks=8)"}, "bad_rules", "doesn't read files"),
        ("/rules/show", {"rules": "wsgc-2021(decks=99)"}, "bad_rules", "decks"),
        ("/rules/show", {}, "bad_request", "rules"),
        ("/rules/show", {"rules": "x" * 3000}, "bad_request", "rules"),
        ("/analysis/edge", {"rules": "house.toml"}, "bad_rules", "doesn't read files"),
        ("/analysis/edge", {"rules": "wsgc-2021", "base": "much"}, "bad_amount", "base: "),
        (
            "/analysis/edge",
            {"rules": "wsgc-2021", "vary": True, "without": "Kc"},
            "bad_rules",
            "comparisons need a fresh shoe",
        ),
        (
            "/analysis/hand",
            {"rules": "wsgc-2021", "cards": "Tc 2c", "up": "2h"},
            "bad_card",
            "R-007",
        ),
        (
            "/analysis/strategy",
            {"rules": "wsgc-2021", "chart": "chart.toml"},
            "bad_rules",
            "doesn't read files",
        ),
        ("/analysis/jackpot", {"rules": "wsgc-2021", "players": 7}, "bad_rules", "R-084"),
        ("/analysis/design", {"rules": "wsgc-2021", "edge": "much"}, "bad_rules", "edge = much"),
        ("/analysis/design", {"rules": "blackjack", "approved": True}, "too_long", "at most 100"),
        ("/analysis/games", {"rules": "wsgc-2021", "vary": "dekcs"}, "bad_rules", "mean decks?"),
        ("/analysis/side-bets", {"rules": "wsgc-2021", "stakes": "up"}, "bad_amount", "stakes"),
    ],
)
def test_errors_are_the_same_as_on_the_command_line(
    house: House, address: str, asked: dict[str, Any], code: str, told: str
) -> None:
    with house.served.client(house.tokens["player"]) as client:
        answer = client.get(address, params=asked)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == code
    assert told in answer.text


def test_each_change_is_worth_what_the_command_says(house: House) -> None:
    printed = run("edge", "super-fun-21", "--vary", "--json").data["vary"][1:]
    told = {line["name"]: line["change"] for line in printed}
    asked = {"rules": "super-fun-21"}
    with house.served.client(house.tokens["guest"]) as client:
        listed = client.get("/analysis/changes", params=asked).json()
        assert [change["name"] for change in listed] == list(told)
        for name in ("decks=2", "soft_17=stand", listed[-1]["name"]):
            found = client.get("/analysis/change", params=asked | {"name": name}).json()
            assert found["change"] == pytest.approx(told[name], abs=1e-12)
        stand = next(change for change in listed if change["name"] == "soft_17=stand")
        assert (stand["words"], stand["rules"]) == (
            "Dealer stands on soft 17",
            "super-fun-21(soft_17=stand)",
        )
        wrong = client.get("/analysis/change", params=asked | {"name": "decks=99"})
    assert (wrong.status_code, "decks=99" in wrong.json()["detail"]) == (422, True)


def test_equal_rules_make_one_query_however_they_are_written(house: House) -> None:
    texts = ("wsgc-2021(decks=5,soft_17=stand)", " wsgc-2021( soft_17=stand , decks=5 )")
    with house.served.client(house.tokens["guest"]) as client:
        first, second = (
            client.get("/analysis/edge", params={"rules": text}).json() for text in texts
        )
    assert first == second  # even the elapsed seconds are the same


def test_a_shoe_is_counted_card_by_card(house: House) -> None:
    with house.served.client(house.tokens["guest"]) as client:
        fresh = client.get("/analysis/shoe", params={"rules": "wsgc-2021"}).json()
        asked = {"rules": "wsgc-2021", "without": "7s 7s Kh"}
        left = client.get("/analysis/shoe", params=asked).json()
        wrong = client.get("/analysis/shoe", params={"rules": "wsgc-2021", "without": "Ts"})
    assert (fresh["cards"], fresh["counts"]["7s"], "Ts" in fresh["counts"]) == (288, 6, False)
    assert (left["cards"], left["counts"]["7s"], left["counts"]["Kh"]) == (285, 4, 5)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad_card")


def test_a_count_has_the_commands_tags(house: House) -> None:
    printed = run("count", "design", "super-fun-21", "--json").data
    with house.served.client(house.tokens["guest"]) as client:
        found = client.get("/analysis/count", params={"rules": "super-fun-21"}).json()
        wrong = client.get("/analysis/count", params={"rules": "super-fun-21", "level": 4})
    assert found["counts"] == printed["counts"]
    assert "indices" not in found  # indices are slow, so they must be requested
    assert wrong.status_code == 422


@pytest.mark.parametrize("sheet", ["posting", "pocket"])
def test_a_sheet_is_the_page_that_the_command_writes(
    house: House, tmp_path: Path, sheet: str
) -> None:
    page = tmp_path / "page.html"
    run(sheet, "super-fun-21", "--html", str(page))
    with house.served.client(house.tokens["guest"]) as client:
        found = client.get(f"/analysis/sheet/{sheet}", params={"rules": "super-fun-21"})
        unknown = client.get("/analysis/sheet/receipt", params={"rules": "super-fun-21"})
        printed = client.get(
            f"/analysis/sheet/{sheet}", params={"rules": "super-fun-21", "format": "pdf"}
        )
    assert found.text == page.read_text("utf-8")
    assert printed.headers["Content-Type"] == "application/pdf"
    assert printed.headers["Content-Disposition"].endswith(f'"{sheet}-super-fun-21.pdf"')
    assert printed.content.startswith(b"%PDF-")
    assert f'filename="{sheet}-super-fun-21.html"' in found.headers["Content-Disposition"]
    assert unknown.status_code == 422
