"""The public library API: its names, their stability, and the forms of input they accept."""

from __future__ import annotations

import inspect
import json
import pickle
import pkgutil
import subprocess
import sys
import types
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import ventiuna as vt
from tests.cli.running import run
from tests.cli.walking import every_command
from ventiuna.analysis.queries import (
    DealerQuery,
    DesignQuery,
    EdgeQuery,
    HandQuery,
    StrategyQuery,
)
from ventiuna.analysis.query import Query
from ventiuna.analysis.side_bets.queries import JackpotQuery
from ventiuna.api.reports import ParSheet
from ventiuna.simulation.statistics import Estimate

# Names that have been public stay public, or are deprecated first.
KEPT = {
    "BlackjackAnswersWanted", "CardWanted", "DecisionWanted", "InsuranceAnswersWanted",
    "MetersWanted", "MissingExtra", "NothingWanted", "Player", "RandomPlayer", "Refused", "Round",
    "RoundState", "Rules", "RulesError", "Shoe", "StrategyPlayer", "Table", "VentiunaError",
    "WagersWanted", "Waiting", "analyse", "analyze", "canonical", "card_text", "certify",
    "change_rules", "commands",
    "design_count", "evaluate_count", "events", "execute", "figures", "fingerprint",
    "finish_round", "hand", "insurance",
    "jackpot", "load_rules", "match", "money_text", "options", "parse_amount", "parse_card",
    "par", "parse_cards", "player", "preset_ids", "read_rounds", "record_of", "replay", "rules",
    "rules_data", "rules_from_data", "settle", "simulate", "steady_player", "strategy",
    "super_bonus", "view", "waiting_for", "write_round",
}  # fmt: skip
HOUSE = "wsgc-spanish-21"
TO_SERVE = "it runs until it is stopped: ventiuna.server is its library"
TO_ACT = "an operator's act: ventiuna.table.admin opens a house for it"
ON_PAPER = "a sheet to print: ventiuna.reports makes it"
TO_FOLLOW = "it reads a house's books: ventiuna.table.monitor is its library"
IN_BULK = "it writes lines for other programs: ventiuna.proof is its library"
FOR_PEOPLE = "it is a lesson at a terminal: ventiuna.school has its steps and levels"
# For each command, the public names that do the same thing, or the reason for none.
COUNTERPARTS: dict[str, tuple[str, ...] | str] = {
    "play": ("Table", "Round"),
    "rules list": ("preset_ids",),
    "rules show": ("rules", "rules_data"),
    "rules options": ("rule_options",),
    "rules explain": ("explain",),
    "rules check": ("rules", "RulesError"),
    "rules diff": ("diff",),
    "rules card": ("rule_card",),
    "rules procedure": ("procedure",),
    "settle": ("settle",),
    "deal": ("Table", "write_round"),
    "school": FOR_PEOPLE,
    "edge": ("analyze",),
    "design": ("design",),
    "hand": ("hand", "insurance"),
    "dealer": ("dealer_outcomes",),
    "strategy": ("strategy", "pocket"),
    "rules layout": ("printed_layout",),
    "sidebets": ("match", "insurance", "super_bonus", "jackpot"),
    "jackpot": ("jackpot", "jackpot_awards"),
    "count effects": ("removal_effects",),
    "count design": ("design_count", "index_numbers"),
    "count evaluate": ("evaluate_count",),
    "count index": ("index_numbers",),
    "count simulate": ("simulate_count",),
    "count compare": ("compare_counts",),
    "count jackpot": ("jackpot_worth",),
    "simulate": ("simulate",),
    "par": ("par",),
    "rules posting": ("posting",),
    "rules rack": ON_PAPER,
    "rules inspection": ON_PAPER,
    "rules ambiguities": ("ambiguities",),
    "certify": ("certify",),
    "figures": ("figures",),
    "verify": ("verify",),
    "conformance": IN_BULK,
    "rng-sample": IN_BULK,
    "monitor": TO_FOLLOW,
    "table": TO_SERVE,
    "serve": TO_SERVE,
    "audit": ("House",),
    "recall": ("House",),
    "report": ("House",),
    "backup": ("House",),
    "restore": ("restore_house",),
    "house create": ("create_house",),
    "house status": ("House",),
    "house persons": ("House",),
    "house tables list": ("House",),
    "house jackpots list": ("House",),
    "house jackpots history": ("House",),
    "house tables inspection": TO_ACT,
    "house floor list": TO_ACT,
    "house approvals list": TO_ACT,
    "house migrate": TO_ACT,
}


# Options for how a command prints and where it writes. Results have `as_data`, `rows`, data frames,
# and `save`.
OF_THE_TERMINAL = {
    "as_json", "brief", "cloth", "csv", "folder", "form", "full", "html", "json", "output",
    "paper", "parquet", "pdf", "plain", "plot", "pocket", "svg",
}  # fmt: skip
KEPT_RUNS = "ventiuna.simulation.checkpoint:save_checkpoint"
RESUMED_RUNS = "ventiuna.simulation.checkpoint:restore"
SAVED_COUNTS = "ventiuna.counting.files:save_count"
EARNED = "ventiuna.counting.study:CountStudy.earnings"
AT_RISK = "ventiuna.counting.study:CountStudy.risk"
# Options with another name in the library: a keyword, a function or method, or the reason for none.
OTHERWISE: dict[str, dict[str, str]] = {
    "play": {"bankroll": "a program counts its own money: Table.net"},
    "settle": {"file": "text"},
    "deal": {"side": "match"},
    "edge": {"hands": "ventiuna.analysis.base_game.analyzer:BaseGameAnalysis.hands"},
    "sidebets": {"players": "persons"},
    "simulate": {
        "side": "match",
        "fall": "ventiuna.simulation.result:Result.ruin",
        "meter": "meters",
        "dask": "executor",
        "save": KEPT_RUNS,
        "resume": RESUMED_RUNS,
        "details": "ventiuna.simulation.result:Result.decisions",
        "regret": "ventiuna.proof.regret:regret_lines",
    },
    "rules ambiguities": {"number": "numbers"},
    "certify": {
        "lockstep": "lockstep_rounds",
        "made": "ventiuna.reports.certificate:certificate_document",
        "policy": "ventiuna.proof.edge_certificate:edge_certificate",
    },
    "verify": {"file": "record"},
    "audit": {"seal": "seals"},  # its --seals is seal_copy
    "rules show": {"text": "name"},
    "rules explain": {"words": "numbers"},
    "rules check": {"text": "name"},
    "rules card": {"text": "rules"},
    "rules procedure": {"text": "rules"},
    "count effects": {"meter": "meters"},
    "count design": {
        "side_count": "sides",
        "best": "ventiuna.counting.design:design_counts",
        "indices": "index_numbers takes the count of the report",
        "most": "ventiuna.counting.indices:IndexStudy.worth_knowing",
        "save": SAVED_COUNTS,
    },
    "count index": {
        "most": "ventiuna.counting.indices:IndexStudy.worth_knowing",
        "whole": "ventiuna.counting.indices:IndexStudy.rows",
        "sample": "ventiuna.counting.indices:IndexStudy.edges",
        "save": SAVED_COUNTS,
        "checkpoint": "ventiuna.counting.indices:IndexCheckpoint",
        "resume": "ventiuna.counting.indices:IndexCheckpoint",
    },
    "count simulate": {
        "spread": EARNED,
        "bankroll": EARNED,
        "unit": EARNED,
        "kelly": EARNED,
        "per_hour": EARNED,
        "sit_out_below": EARNED,
        "trip": AT_RISK,
        "goal": AT_RISK,
        "save": KEPT_RUNS,
        "resume": RESUMED_RUNS,
        "save_count": SAVED_COUNTS,
    },
    "count compare": {
        "count": "counts",
        "penetration": "penetrations",
        "save": KEPT_RUNS,
        "resume": RESUMED_RUNS,
    },
    "count jackpot": {"players": "spots", "per_hour": "hours are rounds divided by it"},
}


def test_public_names_stay_public() -> None:
    assert set(vt.__all__) >= KEPT
    assert set(vt.__all__) <= set(dir(vt))
    assert len(set(vt.__all__)) == len(vt.__all__)


@pytest.mark.parametrize("name", vt.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    value = getattr(vt, name)
    if not isinstance(value, types.UnionType):  # the union of prompt types can't have a docstring
        assert ">>> " in (inspect.getdoc(value) or ""), "its docstring has no runnable example"


def test_the_library_can_do_whatever_the_commands_can() -> None:
    for command, taken in every_command().items():
        takes = {option.name for option in taken.params}
        found = TO_ACT if {"by", "reason"} <= takes else COUNTERPARTS.get(command)
        assert found is not None, f"{command}: add an API function for it, or say why there is none"
        assert isinstance(found, str) or set(found) <= set(vt.__all__)


def keywords_of(name: str) -> set[str]:
    """Parameters of a function, or of a class and its methods."""
    value = getattr(vt, name)
    if isinstance(value, types.ModuleType):
        value = getattr(import_module("ventiuna.api.queries"), name)
    if inspect.isclass(value) and issubclass(value, Exception):
        return set()
    taken = [value]
    if inspect.isclass(value):
        taken += [method for _, method in inspect.getmembers(value, inspect.isfunction)]
    return {keyword for each in taken for keyword in inspect.signature(each).parameters}


def test_the_library_covers_every_command_option() -> None:
    for command, taken in every_command().items():
        entries = COUNTERPARTS.get(command, "")
        if isinstance(entries, str):
            continue
        known = set().union(*map(keywords_of, entries))
        elsewhere = OTHERWISE.get(command, {})
        missing = {option.name for option in taken.params} - known - OF_THE_TERMINAL
        assert missing == set(elsewhere), f"{command}: add a keyword for it, or say where it is"
        for option, place in elsewhere.items():
            assert place in known or " " in place or _is_in_a_room(place, option), place


def _is_in_a_room(place: str, option: str) -> bool:
    found = pkgutil.resolve_name(place)
    return place not in (EARNED, AT_RISK) or option in inspect.signature(found).parameters


@pytest.mark.parametrize(
    ("function", "query", "renamed", "left_out"),
    [
        (vt.analyze, EdgeQuery, {}, {"hands"}),
        (vt.hand, HandQuery, {"seen": "without"}, set()),
        (vt.dealer_outcomes, DealerQuery, {}, set()),
        (vt.strategy, StrategyQuery, {}, set()),
        (vt.design, DesignQuery, {}, set()),
        (vt.jackpot, JackpotQuery, {}, {"meter", "players"}),
        (vt.jackpot_awards, JackpotQuery, {}, set()),
    ],
)
def test_library_functions_take_the_fields_of_their_query(
    function: Any, query: type[Query], renamed: dict[str, str], left_out: set[str]
) -> None:
    old = {option.old_name for option in query.options().values()}
    taken = {renamed.get(name, name) for name in inspect.signature(function).parameters} - old
    assert taken == set(query.model_fields) - left_out


def test_a_query_can_be_repeated_from_its_own_words() -> None:
    rules = "wsgc-2021(decks=8)"
    given: dict[str, Any] = {"rules": rules, "cards": "8c 8d", "up": "6h", "without": "Kc"}
    question = HandQuery(**given, base=550, hands=1)
    assert question.repeat() == (
        "ventiuna hand wsgc-2021 decks=8 '8c 8d' 6h --base 5.50 --without Kc"
    )
    again = HandQuery.parse(rules=rules, cards="8c8d", up="6h", base="$5.50", without="Kc")
    assert again == question
    assert hash(again) == hash(question)
    assert pickle.loads(pickle.dumps(question)) == question


def test_the_old_spelling_of_an_option_still_works() -> None:
    assert vt.analyze("super-fun-21", reoptimise=True) == vt.analyze(
        "super-fun-21", reoptimize=True
    )
    old, new = (
        run("edge", "super-fun-21", f"--{name}", "--json") for name in ("reoptimise", "reoptimize")
    )
    assert json.loads(old.out) == json.loads(new.out)
    assert json.loads(new.out)["command"].endswith(" --reoptimize --json")
    assert "reoptimise" not in run("edge", "--help").out


def test_an_unknown_name_is_reported() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = vt.no_such_name


# --- rules and cards in any form --------------------------------------------------------------


def test_rules_is_a_package_and_a_function() -> None:
    import_module("ventiuna.strategy")
    assert vt.rules("wsgc-2021", decks=8) == vt.load_rules("wsgc-2021(decks=8)")
    assert vt.rules(vt.load_rules("wsgc-2021"), decks=8).decks == 8
    assert vt.rules("wsgc-2021") == vt.load_rules("wsgc-2021")
    assert isinstance(sys.modules["ventiuna.rules"], types.ModuleType)
    assert sys.modules["ventiuna.rules"].load_rules is vt.load_rules
    assert callable(sys.modules["ventiuna.strategy"])


def test_invalid_rules_get_one_sentence() -> None:
    for wrong in (7, None, "no-such-rules"):
        with pytest.raises(vt.RulesError, match="rules"):
            vt.rules(wrong)  # type: ignore[arg-type]
    with pytest.raises(vt.RulesError, match="decks"):
        vt.rules("wsgc-2021", decks=0)
    with pytest.raises(vt.RulesError, match="wheels"):
        vt.rules("wsgc-2021", wheels=4)


def test_every_function_accepts_a_name_or_an_object() -> None:
    house = vt.rules(HOUSE)
    answers: list[tuple[Any, Any]] = [
        (vt.analyze(HOUSE).ev, vt.analyze(house).ev),
        (vt.hand(HOUSE, "5c 6d", "2h").ev, vt.hand(house, ["5c", "6d"], "2h").ev),
        (vt.match(HOUSE).house_edge, vt.match(house).house_edge),
        (vt.insurance(HOUSE, "Kc", "As").ev, vt.insurance(house, ["Kc"], "As").ev),
        (vt.super_bonus(HOUSE, 2500), vt.super_bonus(house, 2500)),
        (vt.simulate(HOUSE, rounds=2000).ev, vt.simulate(house, rounds=2000).ev),
        (vt.Round(HOUSE).rules, vt.Round(house).rules),
        (vt.Table(HOUSE, seed=1).play_round().net, vt.Table(house, seed=1).play_round().net),
    ]
    for by_name, by_value in answers:
        assert by_name == by_value


def test_removed_cards_change_a_hands_values() -> None:
    fresh = vt.hand(HOUSE, "5c 6d", "2h")
    poor = vt.hand(HOUSE, "5c 6d", "2h", seen="Kc Kd Kh Ks Qc Qd Qh Qs")
    assert poor.ev < fresh.ev
    assert poor.unseen == fresh.unseen - 8


def test_a_shoe_has_no_more_of_a_card_than_the_decks() -> None:
    """Applies to all shoe descriptions. Compositions have no limit, for studying counts."""
    for ask in (
        lambda shoe: vt.analyze(HOUSE, shoe=shoe),
        lambda shoe: vt.hand(HOUSE, "5c 6d", "2h", shoe=shoe),
        lambda shoe: vt.match(HOUSE, shoe=shoe),
        lambda shoe: vt.insurance(HOUSE, shoe=shoe),
        lambda shoe: vt.jackpot("wsgc-2021-jackpot", shoe=shoe),
        lambda shoe: vt.super_bonus(HOUSE, 2500, shoe=shoe),
        lambda shoe: vt.blackjacks(HOUSE, shoe=shoe),
    ):
        with pytest.raises(vt.VentiunaError, match="7s occurs only 6 times in 6 decks"):
            ask("K:24 7s:400")
    sevens = tuple(400 * (card == vt.parse_card("7s")) for card in range(52))
    assert vt.analyze(HOUSE, sevens).basis.cards == 400


def test_a_hand_given_the_unseen_cards() -> None:
    found = vt.hand(HOUSE, "5c 6d", "2h", shoe="K:12 9:12")
    assert (found.unseen, found.best.action) == (24, "double")
    for_less = vt.hand(HOUSE, "5c 6d", "2h", base=1000, double=500)
    assert for_less.ev < vt.hand(HOUSE, "5c 6d", "2h", base=1000).ev
    with pytest.raises(vt.VentiunaError, match=r"shoe 2h:6: .* 1 of them on the table"):
        vt.hand(HOUSE, "5c 6d", "2h", shoe="2h:6 K:12")


def test_a_jackpot_table_by_its_name() -> None:
    found = vt.jackpot("wsgc-2021", table="3c", pay_table=2, wager=500)
    assert found.jackpot == vt.rules("wsgc-2021(jackpots=3c:2:wager=5)").jackpots[0]
    awards = vt.jackpot_awards("wsgc-2021", 2, 500_000, table="3c", pay_table=2, wager=500)
    assert (awards.players, awards.jackpot) == (2, found.jackpot)
    for given, sentence in (
        ({"wager": 500}, "wager = 5: it requires a table"),
        ({"table": "3c", "wager": 2.5}, "wager = 2.5: must be an amount in whole cents"),
        ({"table": "3c", "game": 1}, "game = 1: can't be combined with a table"),
        ({"table": "9z"}, "9z"),
    ):
        with pytest.raises(vt.VentiunaError, match=sentence):
            vt.jackpot("wsgc-2021", **given)
    with pytest.raises(vt.VentiunaError, match="meter = x: must be an amount"):
        vt.jackpot_awards("wsgc-2021-jackpot", 2, "x")  # type: ignore[arg-type]


def test_a_split_hand_is_one_of_its_spots() -> None:
    assert "surrender" not in {
        found.action for found in vt.hand(HOUSE, "8c 3d", "6h", hands=2).actions
    }


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("settle", (5,), "text = 5: must be a string"),
        ("verify", (5,), "record = 5: must be a string"),
        ("explain", (5,), "number = 5: must be a string"),
        ("explain", ("R-999",), "There is no rule R-999"),
        ("index_numbers", (HOUSE, 5), "count = 5: must be a Count"),
        ("compare_counts", (HOUSE, []), "name at least one count"),
        ("pocket", (HOUSE, "none"), "chart = none: there is no such chart"),
        ("ambiguities", (HOUSE, "R-021"), "this rule isn't ambiguous"),
        ("jackpot_worth", (HOUSE,), "these rules have no jackpot game .*Name a table: 3c"),
        ("jackpot_worth", ("wsgc-2021-jackpot", "3c"), "game = 3c: these rules have 1 jackpot"),
        ("compare_counts", (HOUSE, None), "counts = None: expected a list"),
        ("evaluate_count", (HOUSE, 5), "count = 5: must be a Count"),
    ],
)
def test_values_of_the_wrong_kind_get_a_sentence(
    name: str, given: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(vt.VentiunaError, match=sentence):
        getattr(vt, name)(*given)


@pytest.mark.parametrize(
    ("name", "given", "option", "sentence"),
    [
        ("analyze", (), {"shoe": 5}, "shoe = 5: must be a string"),
        ("analyze", (), {"split_play": "x"}, "split_play = x: unknown way to play split hands"),
        ("analyze", (), {"super_bonus": "yes"}, "super_bonus = yes: must be True or False"),
        ("analyze", (), {"composition": (6,) * 52, "without": "7s"}, "already says which cards"),
        ("removal_effects", (), {"base": "x"}, "base = x: a wager must be a whole number"),
        ("design_count", (), {"base": 1.5}, "base = 1.5: a wager must be a whole number"),
        ("design_count", (), {"sides": "10"}, "sides = 10: expected a list"),
        ("design_count", (), {"sides": [10]}, "sides = 10: must be a string"),
        ("design_count", (), {"level": "2"}, "level = 2: the largest tag must be 1, 2 or 3"),
        ("design_count", (), {"balanced": "no"}, "balanced = no: must be True or False"),
        ("index_numbers", ("hi-lo",), {"base": "x"}, "base = x: a wager must be a whole number"),
        (
            "index_numbers",
            ("hi-lo",),
            {"at_its_bets": "x"},
            "at_its_bets = x: must be True or False",
        ),
        (
            "compare_counts",
            (["hi-lo"], 10),
            {"penetrations": "75"},
            "penetrations = 75: expected a list",
        ),
        ("compare_counts", (["hi-lo"], 10), {"spread": "x"}, "spread = x: must be a number"),
        ("evaluate_count", (), {}, "expected either a count or tags, not neither"),
        (
            "evaluate_count",
            ("hi-lo",),
            {"tags": "2=1"},
            "expected either a count or tags, not both",
        ),
        ("evaluate_count", ("hi-lo",), {"start": 0}, "start = 0: a named count has its own start"),
        ("evaluate_count", ("hi-lo",), {"sample": 1}, "sample = 1: must be 2 to "),
        ("evaluate_count", ("hi-lo",), {"sample": "9"}, "sample = 9: must be 2 to "),
        (
            "evaluate_count",
            ("hi-lo",),
            {"sample": 2, "seed": -1},
            "seed = -1: a seed must be",
        ),
        ("evaluate_count", ("hi-lo",), {"base": "x"}, "base = x: a wager must be a whole number"),
        ("index_numbers", (), {"tags": 5}, "tags = 5: must be a string"),
        ("index_numbers", (), {"tags": "2=1", "start": "low"}, "low: must be a number"),
        ("simulate_count", (), {"tags": "2=0"}, "all cards count the same"),
        ("compare_counts", (), {"tags": "2=1"}, "tags = 2=1: expected a list"),
        ("compare_counts", (), {"tags": [5]}, "tags = 5: must be a string"),
        ("strategy", (), {"worth": "x"}, "worth = x: not a number of percentage points"),
        ("strategy", (), {"worth": True}, "worth = True: not a number of percentage points"),
        ("strategy", ("wsgc-spanish-21",), {"worth": 1}, "no such chart"),
        ("strategy", ("super-fun-21",), {"worth": 1}, "worth: it applies only to derived charts"),
        ("strategy", (5,), {}, "chart = 5: must be a Chart, or the name or file of one"),
        ("strategy", (), {"base": "x"}, "base = x: a wager must be a whole number"),
        ("certify", (100_000,), {"strategy": 5}, "strategy = 5: must be a string"),
        ("certify", (100_000,), {"strategy": "luck"}, "luck: there is no such strategy"),
        ("certify", (100_000,), {"base": -5}, "a wager must be above zero"),
        ("certify", ("1e6",), {}, "rounds = 1e6: a certificate needs at least"),
        (
            "certify",
            (100_000,),
            {"workers": -1, "strategy": "chart"},
            "workers = -1: must be a",
        ),
    ],
)
def test_options_of_the_wrong_kind_get_a_sentence(
    name: str, given: tuple[Any, ...], option: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(vt.VentiunaError, match=sentence):
        getattr(vt, name)(HOUSE, *given, **option)


def test_a_team_is_a_whole_number_of_seats() -> None:
    with pytest.raises(vt.VentiunaError, match=r"team = 2\.5: must be a small whole number"):
        vt.jackpot_worth("wsgc-2021-jackpot", spots=3, team=2.5)  # type: ignore[arg-type]


def test_a_jackpot_is_valued_at_its_meter() -> None:
    named = vt.jackpot_worth("wsgc-2021", table="3c", pay_table=2, wager=500, meter=900_000, hits=3)
    plain = vt.jackpot_worth("wsgc-2021(jackpots=3c:2:wager=5)")
    assert named.round_value() == plain.round_value(900_000)
    assert named.waiting() == plain.waiting(3)
    data = named.as_data()
    assert (data["meter_cents"], data["team_break_even_cents"]) == (
        900_000,
        plain.as_data()["team_break_even_cents"],
    )
    with pytest.raises(vt.VentiunaError, match="meter = not given: the value depends on the meter"):
        plain.round_value()
    for given, sentence in (
        ({"meter": 2.5}, "meter = 2.5: must be an amount in whole cents"),
        ({"hits": 0}, "hits = 0: must be 1 to "),
        ({"hits": "2"}, "hits = 2: must be 1 to "),
        ({"table": "3c", "game": 1}, "game = 1: can't be combined with a table"),
    ):
        with pytest.raises(vt.VentiunaError, match=sentence):
            vt.jackpot_worth("wsgc-2021-jackpot", **given)


def test_a_count_earns_and_risks_as_the_command_says() -> None:
    study = vt.simulate_count("super-fun-21", "level-one", 20_000, strategy="chart")
    earned = study.earnings(2_000_000, unit=1000, spread=4, kelly=1, per_hour=50)
    assert earned.ramp == study.bankroll_ramp(2_000_000, 1000, 4, 1)
    assert earned.as_data()["rounds_per_hour"] == 50
    assert study.risk(100, 2_000_000, unit=1000).goal == 2000
    assert min(bet for bet in earned.ramp.bets if bet) == 1000  # cents, like all amounts
    with pytest.raises(vt.VentiunaError, match=r"unit = 2\.5: must be an amount in whole cents"):
        study.bankroll_ramp(2_000_000, 2.5, 4, 1)  # type: ignore[arg-type]
    for given, sentence in (
        ({"bankroll": 0}, "bankroll = 0: must be above zero"),
        ({"bankroll": 2.5}, "bankroll = 2.5: must be an amount in whole cents"),
        ({"unit": "x"}, "unit = x: must be an amount"),
        ({"spread": 0.5}, "spread = 0.5: the highest bet"),
        ({"per_hour": -1}, "per_hour = -1: must be a number of rounds per hour"),
        ({"sit_out_below": "x"}, "sit_out_below = x: must be a whole count"),
    ):
        with pytest.raises(vt.VentiunaError, match=sentence):
            study.earnings(**given)
    with pytest.raises(vt.VentiunaError, match="trip = x: trip, bankroll and goal"):
        study.risk("x")  # type: ignore[arg-type]


def test_one_option_of_rules() -> None:
    assert vt.rule_options("jackpots")["examples"]
    with pytest.raises(vt.RulesError, match="option = deck: no such option"):
        vt.rule_options("deck")


def test_a_given_chart_is_priced() -> None:
    found = vt.strategy("super-fun-21", "super-fun-21")
    assert found.ev <= vt.analyze("super-fun-21").ev
    with pytest.raises(vt.RulesError, match="chart"):
        vt.strategy("super-fun-21", "no-such-chart")


@pytest.mark.parametrize(
    ("name", "given", "keyword", "meant"),
    [
        ("hand", (HOUSE, "5c 6d", "2h"), "bas", "base"),
        ("analyze", (HOUSE,), "reoptimized", "reoptimize"),
        ("simulate", (HOUSE,), "round", "rounds"),
        ("strategy", (HOUSE,), "charts", "chart"),
        ("design_count", (HOUSE,), "side", "sides"),
        ("ambiguities", (HOUSE,), "number", "numbers"),
        ("jackpot_worth", (HOUSE,), "spot", "spots"),
    ],
)
def test_an_unknown_keyword_gets_a_suggestion(
    name: str, given: tuple[str, ...], keyword: str, meant: str
) -> None:
    with pytest.raises(TypeError, match=f"^{name}: unknown argument '{keyword}'. Did you mean "
                                        f"{meant}\\?$") as error:  # fmt: skip
        getattr(vt, name)(*given, **{keyword: 1})
    assert isinstance(error.value, vt.VentiunaError)


@pytest.mark.parametrize(
    ("name", "given", "named", "sentence"),
    [
        ("hand", (), {}, "hand: rules, cards and up are missing. Write hand(rules, cards, up)."),
        ("hand", (HOUSE,), {"up": "2h"}, "hand: cards is missing. Write hand(rules, cards, up)."),
        ("rules", (), {"decks": 8}, "rules: name is missing. Write rules(name)."),
        ("strategy", (), {}, "strategy: rules is missing. Write strategy(rules)."),
        ("simulate", (), {}, "simulate: rules is missing. Write simulate(rules)."),
        ("Table", (), {"seed": 1}, "Table: rules is missing. Write Table(rules)."),
        ("Round", (), {}, "Round: rules is missing. Write Round(rules)."),
        (
            "diff",
            (HOUSE, HOUSE, HOUSE),
            {},
            "diff: it takes at most 2 positional arguments, not 3. Leave out the others.",
        ),
        (
            "pocket",
            (HOUSE, "", True),
            {},
            (
                "pocket: it takes at most 2 positional arguments, not 3. "
                "Pass the others by name: simple."
            ),
        ),
        (
            "Table",
            (HOUSE, 5),
            {},
            (
                "Table: it takes at most 1 positional argument, not 2. "
                "Pass the others by name: seed, shuffle."
            ),
        ),
        (
            "par",
            (HOUSE,),
            {"rules": HOUSE},
            "par: rules passed both by position and by name. Pass each argument only once.",
        ),
    ],
)
def test_an_invalid_call_gets_one_sentence(
    name: str, given: tuple[Any, ...], named: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(TypeError) as error:
        getattr(vt, name)(*given, **named)
    assert isinstance(error.value, vt.VentiunaError)
    assert str(error.value) == sentence


def test_every_public_function_reports_an_invalid_call() -> None:
    """Covers every name defined in the API, so that new ones are included automatically."""
    for name in vt.__all__:
        value = getattr(vt, name)
        home = getattr(value, "__module__", "") or ""
        is_record = hasattr(value, "__dataclass_fields__")  # created by the library, not by callers
        if home.startswith("ventiuna.api") and callable(value) and not is_record:
            with pytest.raises(TypeError) as error:
                value(*[None] * 20, no_such_option=1)
            assert isinstance(error.value, vt.VentiunaError) or name == "Round", name


def test_the_base_game_with_all_extras_of_edge() -> None:
    found = vt.analyze("super-fun-21", base=1000, vary=True, effects=True)
    assert found.ev == vt.analyze("super-fun-21").ev
    assert found.sd is None
    assert found.ev_with_super_bonus is not None
    assert found.vary is not None
    assert found.vary[0].ev == vt.analyze("super-fun-21").ev
    assert {"vary", "effects", "ev_with_super_bonus"} <= set(found.as_data())
    with pytest.raises(vt.RulesError, match="comparisons need a fresh shoe"):
        vt.analyze("super-fun-21", without="Ac", vary=True)
    with pytest.raises(vt.RulesError, match="reoptimize = 1: must be True or False"):
        vt.analyze("super-fun-21", reoptimize=1)  # type: ignore[arg-type]
    left = vt.analyze("super-fun-21", shoe="2:4 3:4 4:4 5:4 6:4 7:4 8:4 9:4 T:4 J:4 Q:4 K:4")
    assert left.basis.cards == 48


def test_rounds_without_suits_are_settled() -> None:
    text = "rules: wsgc-2021\ndealer: 9 K\nspot 1 Ann: base 10{}\n  9 K / stand"
    [played] = vt.settle(text.format(""))
    assert [paid.net for paid in played.payments] == [0]
    [again] = vt.settle(text.format("").partition("\n")[2], rules="wsgc-2021")
    assert [paid.net for paid in again.payments] == [0]
    with pytest.raises(vt.VentiunaError, match="suits are needed"):
        vt.settle(text.format(", up 5"))


# --- consistent results -----------------------------------------------------------------------


def test_every_ev_is_a_number() -> None:
    found = [
        vt.analyze(HOUSE).ev,
        vt.hand(HOUSE, "5c 6d", "2h").ev,
        vt.strategy("super-fun-21", "super-fun-21").ev,
        vt.simulate(HOUSE, rounds=2000).ev,
        vt.insurance(HOUSE).ev,
        vt.match(HOUSE).ev,
        vt.super_bonus(HOUSE, 2500).ev,
        vt.jackpot("wsgc-2021-jackpot").ev_at(500_000),
    ]
    assert all(isinstance(ev, float) for ev in found)
    assert f"{found[3]:+.1f}"
    assert sum(found) < 10


def test_an_estimate_is_a_number_with_more_information() -> None:
    found = Estimate(0.5, 0.1, 2.0, 400)
    assert (found, found.value, found + 1) == (0.5, 0.5, 1.5)
    assert found == Estimate(0.5, 0.1, 2.0, 400)
    assert found != Estimate(0.5, 0.2, 2.0, 400)
    assert pickle.loads(pickle.dumps(found)) == found
    assert found.with_error(0.3).standard_error == 0.3
    assert hash(found) == hash(0.5)
    with pytest.raises(AttributeError, match="can't be changed"):
        found.sd = 3.0


def test_results_are_tables() -> None:
    for result in (vt.analyze(HOUSE), vt.hand(HOUSE, "8c 8d", "2h")):
        rows = result.rows()
        assert result.to_pandas().to_dict("records") == rows
        assert result.to_polars().to_dicts() == rows
        table = result.to_arrow()
        assert table.to_pylist() == rows
        facts = {name.decode(): fact.decode() for name, fact in table.schema.metadata.items()}
        assert facts["rules"] == HOUSE
        assert facts["fingerprint"] == vt.fingerprint(vt.rules(HOUSE))
        assert facts["version"] == vt.__version__
    for side in (
        vt.match(HOUSE),
        vt.insurance(HOUSE),
        vt.super_bonus(HOUSE, 2500),
        vt.jackpot("wsgc-2021-jackpot"),
    ):
        assert side.to_pandas().to_dict("records") == side.rows()
        assert side.to_arrow().schema.metadata[b"fingerprint"].decode() == side.basis.fingerprint
    chart = vt.strategy("super-fun-21", "super-fun-21").rows()
    assert {"section": "hard", "row": 12, "up": "10"}.items() <= next(
        row for row in chart if (row["section"], row["row"], row["up"]) == ("hard", 12, "10")
    ).items()


def test_results_render_in_notebooks() -> None:
    played = vt.Table(HOUSE, seed=5).play_round()
    for shown in (
        vt.rules("wsgc-2021", decks=8),
        vt.analyze(HOUSE),
        vt.hand(HOUSE, "5c 6d", "2h"),
        vt.strategy("super-fun-21", "super-fun-21"),
        vt.simulate(HOUSE, rounds=2000),
        played,
    ):
        html = shown._repr_html_()
        assert html.startswith("<")
        assert "object at 0x" not in html
    assert "♥" in vt.Table(HOUSE, seed=3).play_round()._repr_html_()
    assert "<svg" in vt.simulate(HOUSE, rounds=2000)._repr_html_()


def test_a_sheet_is_html_or_pdf() -> None:
    # Skip the study, which is slow; a docstring example already runs it.
    sheet = ParSheet.__new__(ParSheet)
    with pytest.raises(vt.VentiunaError, match="docx"):
        sheet.save("par.docx")


def test_a_count_can_be_designed_for_insurance() -> None:
    best = vt.design_count("super-fun-21", goal="insurance")
    assert best.insurance is not None
    assert best.insurance > 0.7
    with pytest.raises(vt.VentiunaError, match="goal"):
        vt.design_count("super-fun-21", goal="luck")


# --- rounds and tables ------------------------------------------------------------------------


def a_round(cards: str) -> vt.Round:
    game = vt.Round("wsgc-2021")
    game.wager(1000)
    game.deal(cards)
    return game


def test_a_round_card_by_card() -> None:
    game = a_round("9c Ad 7h 6c")
    assert game.legal == ("insure",)
    assert str(game.waiting) == "InsuranceAnswersWanted(spots=(1,))"
    game.do("insure", 300)
    assert "R-034" in {payment.rule for payment in game.payments}
    game.do("hit")
    assert type(game.waiting).__name__ == "CardWanted"
    game.deal("3s")
    game.do("stand")
    game.deal("2d")
    assert game.is_over
    assert game.net == -300
    assert "Round of wsgc-2021" in repr(game)
    [again] = vt.settle(game.text)
    assert [event for event in again.events if hasattr(event, "odds")] == list(game.payments)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (
            "9c 6d 7h 6c Kd",
            "After 4 of these 5 cards, the round is waiting for a decision, so none were",
        ),
        ("9c 6d 7h Tc", "Tc isn't in the pack"),
        ("9c 6d 7h 6x", "'6x' isn't a card"),
        (["9c", 6], "card 6: write a card as text, such as '7s' or 'Kh'. Card code 6 is '2h'"),
    ],
)
def test_dealing_is_all_or_nothing(cards: Any, sentence: str) -> None:
    game = vt.Round("wsgc-2021")
    game.wager(1000)
    with pytest.raises(vt.VentiunaError, match=sentence):
        game.deal(cards)
    assert (game.hands, game.dealer, len(game.events)) == ((), (), 1)
    game.deal("9c 6d 7h 6c")  # works as if nothing had been tried
    assert game.legal == ("stand", "hit", "double", "surrender")


def test_a_round_shows_its_hands_and_the_dealer() -> None:
    game = a_round("8c 6d 8h 6c")
    assert list(game.dealer) == ["6d", None]
    game.do("split")
    game.deal("3s")
    game.do("stand")
    game.deal("Kd")
    assert [(hand.spot, hand.cards, hand.total) for hand in game.hands] == [
        (1, ("8c", "3s"), 11),
        (1, ("8h", "Kd"), 18),
    ]
    found = vt.hand(game.rules, game.hands[1].cards, game.dealer[0] or "", hands=2)
    assert found.best.action == "stand"
    game.do("stand")
    game.deal("9h")
    assert list(game.dealer) == ["6d", "6c", "9h"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: vt.hand(HOUSE, [2, 9], "5c"),  # type: ignore[list-item]
        lambda: vt.hand(HOUSE, "5c 6d", 2),  # type: ignore[arg-type]
        lambda: vt.hand(HOUSE, "5c 6d", "2h", seen=[2]),  # type: ignore[list-item]
        lambda: vt.insurance(HOUSE, up=2),  # type: ignore[arg-type]
        lambda: vt.analyze(HOUSE, without=[2]),  # type: ignore[list-item]
        lambda: vt.match(HOUSE, without=(2,)),  # type: ignore[arg-type]
    ],
)
def test_a_bare_number_is_not_a_card(call: Callable[[], object]) -> None:
    with pytest.raises(vt.VentiunaError, match=r"card 2: write a card as text.*code 2 is 'Ah'"):
        call()


@pytest.mark.parametrize("wrong", [None, 5, "fold"])
def test_an_action_that_has_no_such_name_gets_a_sentence(wrong: Any) -> None:
    game = vt.Round("wsgc-2021")
    game.wager(2000)
    game.deal("9c 9d 2h Kc")
    with pytest.raises(
        vt.VentiunaError, match=f"{wrong!r} isn't an action. Choose from: stand, hit"
    ):
        game.do(wrong)


def test_an_action_of_a_spot_that_cannot_act_says_why() -> None:
    game = vt.Round("wsgc-2021")
    with pytest.raises(
        vt.VentiunaError, match=r"No action is possible: the round is waiting for wagers\."
    ):
        game.do("hit")
    game.wager(2000)
    game.wager(2000, spot=2)
    game.deal("9c 8d 9d 2h 3h Kc")
    with pytest.raises(vt.VentiunaError, match=r"No wager was placed on spot 9\."):
        game.do("hit", spot=9)
    with pytest.raises(vt.VentiunaError, match=r"It isn't spot 2's turn: spot 1 is next\."):
        game.do("hit", spot=2)
    game.do("stand", spot=1)
    game.do("stand", spot=2)
    with pytest.raises(vt.VentiunaError, match=r"No action is possible: the round is over\."):
        game.do("stand")


def test_a_round_lists_the_legal_actions() -> None:
    game = a_round("9c 6d 7h 6c")
    with pytest.raises(vt.VentiunaError, match="stand, hit, double, surrender"):
        game.do("fly")
    with pytest.raises(vt.Refused, match="equal value"):
        game.do("split")
    game.do("double", 500)
    game.deal("Kd")
    assert game.net == 0 or game.state.spots[1].hands[0].wager == 1500


def test_a_blackjack_is_taken() -> None:
    game = a_round("Ac 6d Kh 9c")
    game.do("take")
    assert (game.is_over, game.net) == (True, 1500)


def test_a_table_respects_its_cut_card() -> None:
    table = vt.Table("super-fun-21", seed=2)
    cut = table.rules.shoe_size * (100 - table.rules.cut_card_percent) // 100
    for _ in range(60):
        shuffles, left = table.shoe.shuffles, table.shoe.cards_left
        table.play_round()
        assert (table.shoe.shuffles > shuffles) == (left <= cut)
    assert table.rounds == 60
    assert "60 rounds" in repr(table)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"player": 5}, "player must be a function .*, not 5. For 5 rounds, write rounds=5."),
        ({"player": "chart"}, "such as vt.player"),
        ({"rounds": 2.5}, "rounds must be a whole number, 0 or more, not 2.5"),
        ({"rounds": -1}, "rounds must be a whole number, 0 or more, not -1"),
    ],
)
def test_a_table_says_what_it_cannot_play(given: dict[str, Any], sentence: str) -> None:
    table = vt.Table(HOUSE, seed=1)
    with pytest.raises(vt.VentiunaError, match=sentence):
        table.play(**given)
    assert table.rounds == 0


def test_a_table_is_reproducible_only_with_a_seed() -> None:
    def results(seed: int | None) -> list[int]:
        return [played.net for played in vt.Table(HOUSE, seed=seed).play(rounds=60)]

    assert results(7) == results(7)
    assert results(None) != results(None)


def test_meters_carry_over_from_round_to_round() -> None:
    table = vt.Table("wsgc-2021(jackpots=3c:1:wager=5:seed=1000)", seed=1)
    before = table.meters[0]
    for _ in range(5):
        table.play_round(jackpots={1: 500})
    assert table.meters[0] != before


def test_players_by_name_play_as_the_simulator_does() -> None:
    """Plays twenty rounds by the chart: every action is the chart's first legal one."""
    table = vt.Table(HOUSE, seed=4)
    player = vt.player("chart", HOUSE)
    assert isinstance(player, vt.StrategyPlayer)
    for played in table.play(player, rounds=20):
        assert played.is_over
    assert vt.player("mimic", table.rules).strategy.name == "mimic"


# --- outside callers --------------------------------------------------------------------------


def test_python_dash_m() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ventiuna", "--version"], capture_output=True, text=True
    )
    assert done.stdout == f"ventiuna {vt.__version__}\n"


def test_playing_needs_only_the_standard_library() -> None:
    """Apart from the backport of its typing module, which Pydantic requires before Python 3.12."""
    program = (
        "import sys; before = set(sys.modules); import ventiuna as vt; "
        "vt.Table('wsgc-2021', seed=1).play_round()._repr_html_(); vt.rules('wsgc-2021', decks=8); "
        "vt.insurance('wsgc-2021'); "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert loaded - {"ventiuna", "typing_extensions"} <= set(sys.stdlib_module_names), done.stderr
    assert "ventiuna" in loaded
