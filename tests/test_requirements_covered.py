"""Every requirement has a test, no test cites an unknown one, and the page is up to date."""

from functools import cache
from pathlib import Path

import pytest

from tests import requirements_page
from tests.requirements_page import (
    Entry,
    entries,
    ledger,
    main,
    numbers_in,
    numbers_in_source,
    numbers_in_test_name,
    numbers_in_tests,
)


@cache
def found() -> dict[str, Entry]:
    """All entries by number. Not built at import, which would slow down collecting the tests."""
    return {entry.id: entry for entry in entries()}


def test_every_testable_requirement_has_a_test() -> None:
    missing = [entry.id for entry in found().values() if entry.testable and not entry.tests]
    assert not missing, f"no test is named after {', '.join(missing)}"


def test_every_testable_requirement_is_cited_where_it_is_decided() -> None:
    missing = [
        entry.id
        for entry in found().values()
        if entry.testable and not (entry.decided or entry.data or entry.described)
    ]
    assert not missing, f"no code or data cites {', '.join(missing)}"


def test_tests_cite_known_requirements_only() -> None:
    unknown = {
        number: tests for number, tests in numbers_in_tests().items() if number not in found()
    }
    assert not unknown


def test_code_cites_known_requirements_only() -> None:
    unknown = {number for number in numbers_in_source() if number not in found()}
    assert not unknown


def test_the_page_is_up_to_date() -> None:
    assert requirements_page.is_current(), "docs/requirements.md is out of date: run 'make docs'"


def test_an_untestable_requirement_says_why() -> None:
    assert {entry.id for entry in found().values() if not entry.testable} == {"R-005"}
    assert found()["R-005"].why_not


# --- the scanner itself --------------------------------------------------------------------------


def test_numbers_in_texts_and_ranges() -> None:
    text = "late surrender (R-036, D-27); R-082 to R-085, O-18, and R-1 or X-029 aren't numbers"
    assert list(numbers_in(text)) == [
        "R-036",
        "D-27",
        "R-082",
        "R-083",
        "R-084",
        "R-085",
        "O-18",
    ]


def test_numbers_in_names_of_tests() -> None:
    assert numbers_in_test_name("test_r036_late_surrender") == ["R-036"]
    assert numbers_in_test_name("test_r057_r058_rescue_d15") == ["R-057", "R-058", "D-15"]
    assert numbers_in_test_name("test_o09") == ["O-09"]
    assert numbers_in_test_name("test_order36_and_or036x") == []


def test_a_requirement_is_found_where_its_function_cites_it() -> None:
    surrender = found()["R-036"]
    assert "core/actions.py _surrender_refusal" in surrender.decided
    assert "core/base_game.py surrender_loss" in surrender.decided
    assert "rules/presets/wsgc-spanish-21.toml" in surrender.data
    assert "W-035" in surrender.examples


def test_a_missing_test_would_be_noticed() -> None:
    fresh = ledger()["R-036"]
    assert isinstance(fresh, Entry)
    assert fresh.testable
    assert not fresh.tests


def test_the_command_writes_and_checks_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(requirements_page, "PAGE", tmp_path / "requirements.md")
    assert main(["--check"]) == 1
    assert "make docs" in capsys.readouterr().err
    assert main([]) == 0
    assert main(["--check"]) == 0
    (tmp_path / "requirements.md").write_text("old", encoding="utf-8")
    assert main(["--check"]) == 1
    assert main(["--help"]) == 2
