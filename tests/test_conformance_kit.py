"""The conformance kit is current and complete, and its runner catches wrong engines."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest

from tests import conformance_kit
from tests.conformance_kit import KIT, PARTS, ROOT, VERSION, _plain_rules
from ventiuna.proof.conformance import answer, answer_lines
from ventiuna.rules import load_rules
from ventiuna.rules.data_files import jackpot_tables

Json = dict[str, Any]
OURS = [sys.executable, "-m", "ventiuna", "conformance"]


@pytest.fixture(scope="module")
def runner() -> ModuleType:
    """The runner, which isn't part of a package."""
    spec = importlib.util.spec_from_file_location("kit_runner", KIT / "run.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(part: str) -> list[Json]:
    lines = (KIT / f"{part}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


# --- the data -------------------------------------------------------------------------------------


def test_the_kit_is_what_the_engine_and_the_golden_rounds_make(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert conformance_kit.main(["--check"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("part", PARTS)
def test_every_case_follows_the_schema(part: str) -> None:
    schema = json.loads((KIT / "schema.json").read_text("utf-8"))
    check = jsonschema_rs.validator_for(schema).is_valid
    sample = cases(part)[:: 1 if part in ("worked", "refused", "shoes", "records") else 10]
    assert [case["id"] for case in sample if not check(case)] == []
    assert not check({**sample[0], "answer": {"paid": 1}})


def test_the_kit_has_every_worked_round_and_refusal_with_cards() -> None:
    golden = list(conformance_kit._golden("rounds"))
    assert [case["id"] for case in cases("worked")] == [data["id"] for data in golden]
    refused = [data["id"] for data in conformance_kit._golden("refused") if "seat" in data]
    assert [case["id"] for case in cases("refused")] == refused


def test_a_worked_rounds_payments_are_those_worked_out_by_hand() -> None:
    by_id = {case["id"]: case for case in cases("worked")}
    for data in conformance_kit._golden("rounds"):
        owed = sum(round(100 * float(seat["net"]["total"])) for seat in data["seats"])
        paid = by_id[data["id"]]["answer"]["payments"]
        assert sum(one["paid"] - one["stake"] for one in paid) == owed, data["id"]


def test_every_pay_table_pays_each_of_its_lines() -> None:
    rules = json.loads((KIT / "rules.json").read_text("utf-8"))
    seen = {
        (row["table"], row.get("pay_table", 1), row.get("alternate", 0))
        for case in cases("lines")
        for row in rules[case["question"]["rules"]]["jackpots"]
    }
    tables = json.loads((KIT / "pay_tables.json").read_text("utf-8"))["jackpots"]
    assert tables.keys() == jackpot_tables().keys()
    for name, table in tables.items():
        assert {(name, int(number), 0) for number in table["pay_tables"]} <= seen
        assert {(name, 1, int(number)) for number in table.get("alternates", {})} <= seen


# --- our engine as a stranger ---------------------------------------------------------------------


def test_our_own_engine_answers_the_kit_over_standard_input_and_output(
    runner: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runner.main(["--json", "--", *OURS]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["kit"] == VERSION
    assert list(report["parts"]) == list(PARTS)
    for counts in report["parts"].values():
        assert counts["answered"]
        assert counts["right"] == counts["cases"] > 0
        assert counts["wrong"] == []


def test_a_line_that_is_no_question_gets_one_sentence_and_the_next_is_answered() -> None:
    lines = ["[1]", "{", '{"ask": "round"}', '{"ask": "hello", "protocol": 1}', ""]
    found = [json.loads(line) for line in answer_lines(lines)]
    assert [one.get("error") for one in found] == [
        "A question must have an ask: hello, round, shoe, record.",
        found[1]["error"],
        "The round question has an invalid or missing field.",
        None,
    ]
    assert found[3]["answers"] == ["round", "shoe", "record"]


def test_a_question_that_ends_too_early_is_an_error(runner: ModuleType) -> None:
    question = runner.Kit().question(cases("worked")[0])
    with pytest.raises(ValueError, match="one more card"):
        answer({**question, "cards": question["cards"][:3], "choices": []})
    with pytest.raises(ValueError, match="one more choice"):
        answer({**question, "choices": []})


def test_the_documented_example_is_answered_as_documented() -> None:
    text = (ROOT / "docs" / "conformance.md").read_text("utf-8")
    question, expected = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S)
    )
    assert (
        question["rules"]["options"].keys()
        <= _plain_rules(load_rules("wsgc-2021"))["options"].keys()
    )
    assert answer({**question, "rules": _plain_rules(load_rules("wsgc-2021"))}) == expected


def test_the_documented_parts_are_the_kits() -> None:
    text = (ROOT / "docs" / "conformance.md").read_text("utf-8")
    manifest = json.loads((KIT / "manifest.json").read_text("utf-8"))
    for part, facts in manifest["parts"].items():
        assert re.search(rf"^{part} +{facts['cases']} +{facts['cases']} +0$", text, re.M), part
        assert f"| `{part}` | `{facts['ask']}` |" in text
        assert len(cases(part)) == facts["cases"]


def test_a_voided_round_returns_everything(runner: ModuleType) -> None:
    kit = runner.Kit()
    voided = [case for case in cases("dealt") if case["answer"].get("voided")]
    assert voided
    for case in voided:
        assert kit.question(case)["choices"][-1]["do"] == "void"
        assert case["answer"]["payments"] == []


# --- wrong engines --------------------------------------------------------------------------------


class _Wrapped:
    """Our engine, with one thing changed in each answer."""

    def __init__(self, spoil: Any) -> None:
        self._spoil = spoil

    def ask(self, question: Json) -> Json:
        found = answer(question)
        self._spoil(found)
        return found


def spoilt_parts(runner: ModuleType, spoil: Any, parts: list[str]) -> Counter[str]:
    report = runner.run(runner.Kit(), _Wrapped(spoil), parts)
    return Counter({part: len(counts["wrong"]) for part, counts in report["parts"].items()})


def _pays_a_cent_more(found: Json) -> None:
    for payment in found.get("payments", [])[:1]:
        payment["paid"] += 1


def _loses_a_fraction(found: Json) -> None:
    for meter in found.get("meters", []):
        meter["rest"] = 0


def _offers_too_much(found: Json) -> None:
    for turn in found.get("turns", []):
        turn["legal"]["surrender"] = 0


def _refuses_nothing(found: Json) -> None:
    found.pop("refused", None)


def _believes_everything(found: Json) -> None:
    if "holds" in found:
        found["holds"] = True


@pytest.mark.parametrize(
    ("spoil", "part", "least"),
    [
        (_pays_a_cent_more, "worked", 151),
        (_loses_a_fraction, "lines", 300),
        (_offers_too_much, "worked", 50),
        (_refuses_nothing, "refused", 42),
        (_believes_everything, "records", 15),
    ],
)
def test_a_wrong_engine_is_found(runner: ModuleType, spoil: Any, part: str, least: int) -> None:
    assert spoilt_parts(runner, spoil, [part])[part] >= least


def test_what_an_engine_adds_to_an_answer_is_ignored(runner: ModuleType) -> None:
    assert spoilt_parts(runner, lambda found: found.update(more=1), ["refused"])["refused"] == 0


def test_a_part_that_an_engine_does_not_answer_is_named(
    runner: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    def only_shoes(found: Json) -> None:
        if "answers" in found:
            found["answers"] = ["shoe"]

    report = runner.run(runner.Kit(), _Wrapped(only_shoes), ["worked", "shoes"])
    runner.show(report)
    told = capsys.readouterr().out
    assert "not answered by this engine" in told
    assert told.endswith("The engine conforms in the parts that it answers.\n")


def test_wrong_answers_are_shown_with_what_was_expected(
    runner: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    runner.show(runner.run(runner.Kit(), _Wrapped(_pays_a_cent_more), ["worked"], first=True))
    told = capsys.readouterr().out
    assert "worked W-001: " in told
    assert "payments[0].paid: " in told
    assert told.endswith("The engine doesn't conform.\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the kit."""
    return Path(shutil.copytree(KIT, tmp_path / "kit"))


def test_changed_data_is_refused(runner: ModuleType, folder: Path) -> None:
    path = folder / "worked.jsonl"
    path.write_text(path.read_text("utf-8").replace("1000", "1001"), encoding="utf-8")
    with pytest.raises(runner.Unusable, match="isn't the file that the kit"):
        runner.Kit(folder).cases("worked")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["no-such-engine"], "no-such-engine can't be started"),
        ([sys.executable, "-c", ""], "The engine ended, or gave no answer"),
        ([sys.executable, "-c", "print('hi')"], "isn't a JSON object: hi"),
        ([sys.executable, "-c", "print('{}')"], "The kit speaks protocol 1, the engine doesn't."),
    ],
)
def test_an_engine_that_cannot_be_asked_gets_one_sentence(
    runner: ModuleType, command: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runner.main(["--", *command]) == 2
    assert sentence in capsys.readouterr().err
