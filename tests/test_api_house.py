"""`vt.House` and the functions that create one: bad input gets one sentence and changes nothing."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ventiuna as vt

WRONG: list[Any] = [None, "x", [1], {}, 1.5, True, -1, 2**63, 10**5000, float("nan"), b"x"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> vt.House:
    return vt.create_house(tmp_path_factory.mktemp("house") / "house.sqlite")


def refused(ask: Callable[..., object], **given: object) -> str:
    """The one-sentence error of a query that fails."""
    with pytest.raises(vt.VentiunaError) as caught:
        ask(**given)
    sentence = str(caught.value)
    assert sentence.strip()
    assert "\n" not in sentence
    return sentence


QUESTIONS: dict[str, dict[str, Any]] = {
    "persons": {"after": 0, "most": 1},
    "entries": {"book": 1, "after": 0, "most": 1},
    "shoes": {"table": 1},
    "rounds": {"table": 1, "most": 1, "before": 0},
    "recall": {"table": 1, "number": 1},
    "shoe_record": {"table": 1, "shoe": 1},
    "verify": {"table": 1, "shoe": 1},
    "report": {"start_hour": 6},
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
def test_invalid_numbers_get_one_sentence(house: vt.House, wrong: object) -> None:
    for question, fitting in QUESTIONS.items():
        for name in fitting:
            said = refused(getattr(house, question), **{**fitting, name: wrong})
            assert said.startswith(name) or question == "report"
    for name in ("books", "seals", "from_seal"):
        if (name, wrong) not in (("books", [1]), ("from_seal", None)):
            assert refused(house.audit, **{name: wrong})


@pytest.mark.parametrize("wrong", [None, 1, b"x", [], "", "a\0b"], ids=repr)
def test_invalid_files_get_one_sentence(house: vt.House, wrong: Any) -> None:
    assert "file" in refused(house.backup, file=wrong)
    assert "file" in refused(vt.restore_house, file=wrong, database="new.sqlite")
    if wrong != "":
        assert "database = " in refused(lambda: vt.House(wrong))
        assert "database = " in refused(lambda: vt.create_house(wrong))
    assert not Path("new.sqlite").exists()


def test_missing_items_are_reported(house: vt.House, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "file"
    for ask, sentence in (
        (lambda: house.entries(9), "There is no book 9."),
        (lambda: house.rounds(9), "There is no table 9."),
        (lambda: house.shoes(9), "There is no table 9."),
        (lambda: house.report("9999-12-31"), "9999-12-31 is the last day of the calendar"),
        (lambda: house.report(day=0), "day = 0: must be a string"),  # type: ignore[arg-type]
        (lambda: house.recall(tabel=1), "Did you mean table?"),  # type: ignore[call-arg]
        (lambda: house.backup(missing), f"{missing} can't be written: No such file"),
        (lambda: vt.restore_house(missing, tmp_path / "new.sqlite"), f"{missing} can't be read"),
        (lambda: vt.create_house(tmp_path / "new.sqlite", name="a\nb"), "must have 1 to"),
    ):
        assert sentence in refused(ask)
    assert not list(tmp_path.iterdir())


def test_another_programs_database_is_left_alone(tmp_path: Path, house: vt.House) -> None:
    copy, other = tmp_path / "copy.jsonl", tmp_path / "notes.sqlite"
    house.backup(copy)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = other.read_bytes()
    for ask in (
        lambda: vt.House(other),
        lambda: vt.create_house(other),
        lambda: vt.restore_house(copy, other),
        lambda: vt.restore_house(other, tmp_path / "new.sqlite"),
    ):
        assert "is another program's database. Give the house a file of its own." in refused(ask)
    assert other.read_bytes() == before


def test_a_house_opened_by_another_program_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite"
    found = vt.create_house(file)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert f"{file} can't be used: database is locked." in refused(lambda: vt.create_house(file))
    assert found.status()["name"] == "Ventiuna"
    holder.close()


def test_an_invalid_backup_is_reported(tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    for content in (b"[" * 100_000, b"\0", b"[]\n"):
        copy.write_bytes(content)
        assert "a backup of a house" in refused(
            lambda: vt.restore_house(copy, tmp_path / "new.sqlite")
        )


@pytest.mark.parametrize(
    "wrong", [*WRONG, {1: 1}, {"up": 1.5}, ["x"]], ids=lambda wrong: type(wrong).__name__
)
def test_wagers_of_the_wrong_kind_get_a_sentence(wrong: Any) -> None:
    game, jackpots = "wsgc-spanish-21", "wsgc-2021"
    if wrong not in (None, {}):
        refused(lambda: vt.match(game, wrong))
    if wrong != [1]:
        refused(lambda: vt.super_bonus(game, wrong))
    if wrong is not None and wrong != ["x"]:
        refused(lambda: vt.super_bonus(game, 2500, persons=wrong))
        refused(lambda: vt.jackpot(jackpots, table=wrong))
        refused(lambda: vt.jackpot(jackpots, table="3c", pay_table=wrong))
        refused(lambda: vt.jackpot(jackpots, table="3c", alternate=wrong))
    refused(lambda: vt.jackpot_awards(jackpots, wrong, 500_000, table="3c"))
