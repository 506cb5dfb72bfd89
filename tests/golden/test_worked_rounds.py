"""Every worked round is correct to the cent, and illegal actions are refused by the right rule."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.rounds import Live, problems, wagers
from ventiuna.engine import Refused
from ventiuna.engine.events import Wager
from ventiuna.notation import (
    RefusedCase,
    differences,
    has_stated_results,
    read_refused_cases,
    replay,
    round_from_data,
)
from ventiuna.notation.claims import TOTAL, wager_title
from ventiuna.rules import RulesError


def golden(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    return data


# W- and X-numbers are from the specification. M- and N-numbers were worked out by hand from its
# rules, for combinations without an example.
FILES = [golden("worked_rounds.json"), golden("more_rounds.json")]
ROUNDS = [data for file in FILES for data in file["rounds"]]
CASES = {case.id: case for file in FILES for case in read_refused_cases(file)}
WITH_CARDS = [case for case in CASES.values() if case.data is not None]
BY_TITLE = [case for case in CASES.values() if case.data is None]


@pytest.mark.parametrize("data", ROUNDS, ids=lambda data: data["id"])
def test_worked_round(data: dict[str, Any]) -> None:
    played = replay(round_from_data(data))
    assert has_stated_results(played)
    assert differences(played) == []


def a_cent_more(stated: Any) -> Any:
    if isinstance(stated, list):
        return [a_cent_more(part) for part in stated]
    return f"{float(stated) + 0.01:.2f}"


@pytest.mark.parametrize("data", ROUNDS, ids=lambda data: data["id"])
def test_a_wrong_figure_in_a_worked_round_is_detected(data: dict[str, Any]) -> None:
    """The comparison can fail: it reports one cent more on any wager or meter."""
    for seat in data["seats"]:
        for wager, stated in seat["net"].items():
            wrong = {**seat, "net": {**seat["net"], wager: a_cent_more(stated)}}
            seats = [wrong if other is seat else other for other in data["seats"]]
            found = differences(replay(round_from_data({**data, "seats": seats})))
            title = wager if wager == TOTAL else wager_title(Wager(wager))
            assert [line.startswith(f"{seat['name']}, {title}:") for line in found] == [True]
    if "meters_after" in data:
        wrong_meters = {**data, "meters_after": a_cent_more(data["meters_after"])}
        found = differences(replay(round_from_data(wrong_meters)))
        assert [line.startswith("Meters after the round:") for line in found] == [True]


@pytest.mark.parametrize("data", [d for d in ROUNDS if "order" in d], ids=lambda d: d["id"])
def test_a_wrong_order_of_payments_is_detected(data: dict[str, Any]) -> None:
    for place in range(len(data["order"]) - 1):
        turned = list(data["order"])
        turned[place : place + 2] = reversed(turned[place : place + 2])
        assert differences(replay(round_from_data({**data, "order": turned})))


def rules_named(case: RefusedCase) -> set[str]:
    """Rule numbers of the case's refusal."""
    try:
        replay(case.record())
    except Refused as refusal:
        return set(refusal.rules)
    except RulesError as error:
        return {rule for problem in error.problems for rule in problem.rule.split(", ")}
    pytest.fail(f"{case.id} is not refused: {case.title}")


@pytest.mark.parametrize("case", WITH_CARDS, ids=lambda case: case.id)
def test_refused_case(case: RefusedCase) -> None:
    assert rules_named(case) & set(case.refs), "refused, but by a different rule"


# --- refusals described only by their title -----------------------------------------------------


def test_every_refusal_described_by_its_title_has_a_test_below() -> None:
    module = vars(sys.modules[__name__])
    for case in BY_TITLE:
        number = case.id.lower().replace("-", "")
        assert any(name.startswith(f"test_{number}_") for name in module), case.title


def refs(number: str) -> set[str]:
    return set(CASES[number].refs)


def test_x029_match_the_dealer_or_jackpot_wager_without_a_base_wager() -> None:
    table = Live("wsgc-2021(jackpots=3c:1)")
    assert refs("X-029") & set(table.refuses(wagers(base=0, mtd={"up": 5})).rules)
    assert refs("X-029") & set(table.refuses(wagers(base=0, jackpots={1: 1})).rules)
    table.do(wagers(base=10, mtd={"up": 5}, jackpots={1: 1}))


def test_x031_casino_card_match_wager_above_the_base_wager() -> None:
    table = Live("casino-card")
    assert refs("X-031") & set(table.refuses(wagers(base=10, mtd={"up": 15})).rules)
    table.do(wagers(base=15, mtd={"up": 15}))


@pytest.mark.parametrize("amount", ["0.50", "101"])
def test_x032_catfish_bend_match_wager_below_1_or_above_100(amount: str) -> None:
    table = Live("catfish-bend(chip_unit=0.50,small_chip_unit=0.25)")
    assert refs("X-032") & set(table.refuses(wagers(base=200, mtd={"up": amount})).rules)
    table.do(wagers(base=200, mtd={"up": 1}))
    table.do(wagers(base=200, mtd={"up": 100}))


def test_x033_catfish_bend_offers_no_down_card_wager() -> None:
    table = Live("catfish-bend")
    assert refs("X-033") & set(table.refuses(wagers(mtd={"up": 5, "down": 5})).rules)
    table.do(wagers(mtd={"up": 5}))


@pytest.mark.parametrize("amount", [1, 4, 6, 10])
def test_x035_jackpot_wager_other_than_the_fixed_amount(amount: int) -> None:
    table = Live("wsgc-2021(jackpots=3c:1:wager=5)")
    assert refs("X-035") & set(table.refuses(wagers(jackpots={1: amount})).rules)
    table.do(wagers(jackpots={1: 5}))


def test_x036_progressive_and_house_jackpot_on_one_table() -> None:
    found = problems("wsgc-2021(jackpots=3c:1+4d:1:kind=house:seed=5000)")
    assert found == {"jackpots": "R-083"}
    assert refs("X-036") == {"R-083"}


def test_x037_third_jackpot_game_on_one_layout() -> None:
    assert problems("wsgc-2021(jackpots=3c:1+4d:1+3c:2)") == {"jackpots": "R-084"}
    assert refs("X-037") == {"R-084"}
