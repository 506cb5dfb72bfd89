"""Session reviews and practice hands over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.houses import BrowserHouse, browser_house
from tests.server.live_house import AtTable

RULES = "wsgc-spanish-21"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    with browser_house(tmp_path_factory.mktemp("learning")) as opened:
        opened.add("Ana")
        opened.add("Ben")
        yield opened


def play_a_bad_hand(house: BrowserHouse, name: str) -> int:
    """Stand on 11 against a 2, a costly mistake (the best play is to double); return the table."""
    house.prescribe("5c 2h 6d Kc 9d 9h 9s 9c")
    table = house.open_table(RULES)
    with AtTable(house, table, name) as seat:
        seat.do("TakeSeat", seat=1)
        seat.do("BuyChips", amount=100_000)
        ask = seat.wait_for_ask("cut_commit", "wagers")
        if ask["kind"] == "cut_commit":
            seat.do("Ready", ask["n"])
        ask = seat.wait_for_ask("wagers")
        seat.do("PlaceWagers", ask["n"], spot=1, base=2000)
        ask = seat.wait_for_ask("wagers")
        seat.do("Ready", ask["n"])
        ask = seat.wait_for_ask("decision")
        seat.do("Stand", ask["n"], spot=1)
    return table


def test_a_session_is_split_into_edge_mistakes_and_luck(house: BrowserHouse) -> None:
    table = play_a_bad_hand(house, "Ana")
    found = house.get("Ana", "/learning/session").json()
    assert (found["rounds"], found["pending"], found["wrong"]) == (1, 0, 1)
    assert found["net"] == pytest.approx(found["house_edge"] + found["mistakes"] + found["luck"])
    worst = found["worst"][0]
    assert (worst["table"], worst["round"], worst["done"], worst["best"]) == (
        table,
        1,
        "stand",
        "double",
    )
    # Exactly the analyzer's values for this hand, since no other cards of the shoe had been seen.
    rows = house.get("Ana", f"/analysis/hand?rules={RULES}&cards=5c 6d&up=2h&base=20").json()
    cost = next(row["cost"] for row in rows if row["action"] == "stand")
    assert worst["cents"] == pytest.approx(2000 * cost)
    assert found["mistakes"] == pytest.approx(-2000 * cost)
    lenient = house.get("Ana", f"/learning/session?least={cost + 0.001}").json()
    assert (lenient["wrong"], lenient["close"], lenient["worst"]) == (0, 1, [])
    assert lenient["mistakes"] == found["mistakes"]  # the cost still counts
    (played,) = house.get("Ana", "/history").json()
    (mistake,) = played["mistakes"]
    assert (mistake["done"], mistake["best"]) == ("stand", "double")
    steps = house.get("Ana", f"/tables/{table}/rounds/1?format=replay").json()["steps"]
    (step,) = [one for one in steps if one["position"] == mistake["event"]]
    assert step["event"]["event"] == "HandStood"
    again = house.get("Ana", "/learning/session").json()  # now from the cache
    assert (again["worst"], again["net"]) == (found["worst"], found["net"])
    assert house.get("Ben", "/learning/session").json()["rounds"] == 0
    assert house.get("Ana", f"/learning/session?since={2**52}").json()["rounds"] == 0


def test_a_mistake_at_the_table_comes_up_in_drills(house: BrowserHouse) -> None:
    play_a_bad_hand(house, "Ben")
    house.get("Ben", "/learning/session").raise_for_status()
    items = house.get("Ben", f"/learning/practice?rules={RULES}").json()
    assert [(one["item"], one["box"], one["missed"]) for one in items] == [("11 v 2", 0, 1)]
    due = [
        house.post("Ben", "/learning/drills", rules=RULES, kind="hard", seed=seed).json()
        for seed in range(12)
    ]
    at_once = [
        house.post(
            "Ben", "/learning/drills", rules=RULES, kind="hard", seed=seed, after="11 v 2"
        ).json()
        for seed in range(12)
    ]
    assert not any(one["due"] for one in at_once)  # its answer is still on the screen
    again = next(one for one in due if one["due"])
    assert again["item"] == "11 v 2"
    assert again["cell"] == {"section": "hard", "row": "11", "column": 0}
    done = house.post(
        "Ben", "/learning/answers", rules=RULES, situation=again["situation"], action="double"
    ).json()
    assert (done["right"], done["box"], done["asked"], done["missed"]) == (True, 1, 2, 1)
    assert done["done"]["cost"] == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rules": "nothing"}, "nothing"),
        ({"rules": RULES, "kind": "wild"}, "kind"),
        ({"rules": "blackjack", "kind": "bonus_draw"}, "No such hand"),
    ],
)
def test_a_hand_that_cannot_be_drilled_is_reported(
    house: BrowserHouse, body: dict[str, object], field: str
) -> None:
    answer = house.post("Ana", "/learning/drills", **body)
    assert 400 <= answer.status_code < 500
    assert field in answer.json()["detail"]


@pytest.mark.parametrize(
    ("cards", "up", "action", "said"),
    [
        ([36, 0], 13, "hit", "pack"),  # a ten
        ([17, 20], 4, "fold", "one of the hand's choices"),
        ([0, 44], 24, "hit", "no decision to make"),  # a blackjack
    ],
)
def test_an_answer_without_a_hand_is_reported(
    house: BrowserHouse, cards: list[int], up: int, action: str, said: str
) -> None:
    situation = {"cards": cards, "up": up}
    answer = house.post("Ana", "/learning/answers", rules=RULES, situation=situation, action=action)
    assert 400 <= answer.status_code < 500, answer.text
    assert said in answer.json()["detail"]
