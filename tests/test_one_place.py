"""Every requirement about money lists its function, and no other code reads the same fields."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests import one_place_page
from tests.one_place_page import Decision, decisions, requirements, without_money
from tests.requirements_page import SOURCE
from ventiuna.core.rule_table import RuleTable
from ventiuna.rules.model import Rules

WHICH_CARDS = {
    "bonus_rows", "bonus_ranks", "bonus_suits", "bonus_min_cards", "bonus_max_cards",
    "bonus_min_total", "bonus_max_total", "super_ranks", "super_suits", "super_up_cards",
}  # fmt: skip
ODDS_OF_BLACKJACK = {"blackjack_num", "blackjack_den", "diamond_num", "diamond_den"}

# Code outside `core` that reads the compiled rules, and why. None of it decides payments.
READERS: dict[str, tuple[set[str], str]] = {
    "analysis": (
        WHICH_CARDS
        | ODDS_OF_BLACKJACK  # do diamonds matter?
        | {"bonus_num", "bonus_den"}  # does a row pay more than even money? (for an explanation)
        | {"super_from", "super_bands"}  # base wagers worth trying
        | {"insurance_den"}  # a wager that leaves no fraction
        | {"jackpot_family", "jackpot_alternate"}  # cache key
        | {"mtd_suited", "mtd_unsuited"},  # printed odds
        "which hands to tell apart, which wagers to look at",
    ),
    "counting": (
        {"insurance_den", "super_ranks"},
        "a wager that leaves no fraction; is there a Super Bonus to count?",
    ),
    "kernels": (
        {"bonus_den", "blackjack_den", "diamond_den", "super_pay"},
        "a wager that leaves no fraction; `super_pay` is a kernel's own record",
    ),
    "proof": (
        {"super_ranks"}
        | {"double_low", "double_high", "double_max_cards", "double_blackjack"}
        | {"double_after_split", "split_aces_one_card", "doublings_at_most"},
        "is there a Super Bonus? rows of an edge certificate, which a test compares with core",
    ),
    "reports": (
        {"bonus_rows", "bonus_doubled"},
        "rows changed on purpose, to see what another reading is worth",
    ),
    "rules": ({"mtd_suited", "mtd_unsuited"}, "printed odds"),
    "simulation": (
        WHICH_CARDS
        | ODDS_OF_BLACKJACK
        | {"bonus_num", "bonus_den", "bonus_doubled", "has_tens"}
        | {"jackpot_wager", "super_pay"},  # for the largest amount; for a record inside a kernel
        "which hands to tell apart; pays raised on purpose to see what follows",
    ),
    "strategy": (WHICH_CARDS, "which bonus rows a chart's marks may speak of"),
    "testing": (
        {"bonus_den", "blackjack_den", "diamond_den", "blackjack_beats_blackjack", "super_pay"},
        "a second implementation, made to disagree if something is wrong",
    ),
}


def test_every_requirement_decides_money_or_says_why_not() -> None:
    deciding = {decision.number for decision in decisions()}
    others = set(without_money())
    assert not deciding & others
    assert deciding | others == set(requirements())


@pytest.mark.parametrize("decision", decisions(), ids=lambda decision: decision.number)
def test_the_function_that_decides_exists(decision: Decision) -> None:
    assert decision.exists(), f"{decision.number}: there is no {decision.name}"


def test_money_is_decided_in_core() -> None:
    outside = {decision.name for decision in decisions() if not decision.module.startswith("core.")}
    # Matching each numbered card to its numbered wager is a matter of the order of play.
    assert outside == {"engine.settlement:settle_bonus_card_matches"}


def test_the_page_is_up_to_date() -> None:
    assert one_place_page.is_current(), "docs/one-place.md is out of date: run 'make docs'"


def test_no_other_code_reads_the_compiled_rules() -> None:
    found = [
        f"{path.relative_to(SOURCE).as_posix()}:{line} reads {field}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, field in _fields_read(path.read_text(encoding="utf-8"))
        if field not in _allowed(path.relative_to(SOURCE).parts[0])
    ]
    assert not found, "call the function of core that decides it"


def test_a_reader_would_be_found() -> None:
    source = "def pay(table):\n    return table.jackpot_seed[0] + rules.decks\n"
    assert list(_fields_read(source)) == [(2, "jackpot_seed")]


def _allowed(room: str) -> set[str]:
    if room == "core":
        return set(RuleTable._fields)
    return READERS[room][0] if room in READERS else set()


def _fields_read(source: str) -> Iterator[tuple[int, str]]:
    """Lines that read a field found only in compiled rules."""
    own = {field for field in RuleTable._fields if field not in _fields_of_rules()}
    if own.isdisjoint(re.findall(r"\w+", source)):
        return  # most files don't need to be parsed
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in own:
            yield node.lineno, node.attr


def _fields_of_rules() -> set[str]:
    """Field names of uncompiled house rules, some of which compiled rules share."""
    return {*Rules.__annotations__, *vars(Rules), "split", "insurance"}


def test_a_function_that_does_not_exist_would_be_found() -> None:
    assert not Decision("R-011", "", "core.cards", "no_such_function").exists()
    assert not Decision("R-011", "", "core.no_such_module", "best_total").exists()


def test_the_command_says_whether_the_page_is_current(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert one_place_page.main(["--check"]) == 0
    monkeypatch.setattr(one_place_page, "page", lambda: "another page")
    assert one_place_page.main(["--check"]) == 1
    assert "run 'make docs'" in capsys.readouterr().err
    assert one_place_page.main(["--nonsense"]) == 2
