"""`ventiuna rules check`: valid rules, and every kind of error in a file or string."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import good, run
from ventiuna.rules import canonical, load_rules


def house(folder: Path, text: str, name: str = "house.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def problems(rules: str) -> list[dict[str, Any]]:
    done = run("rules", "check", rules, "--json")
    assert done.code == 2
    assert done.data["valid"] is False
    found: list[dict[str, Any]] = done.data["problems"]
    for problem in found:
        assert problem["field"]
        assert problem["message"]
        assert problem["fix"]
        assert problem["text"].isprintable()
    assert len({problem["text"] for problem in found}) == len(found)
    return found


def fields(rules: str) -> list[str]:
    return [problem["field"] for problem in problems(rules)]


# --- valid rules ------------------------------------------------------------------------------


def test_valid_rules_are_reported_with_their_names() -> None:
    text = good("rules", "check", "wsgc-2021( soft_17=stand , decks=8 )")
    rules = load_rules("wsgc-2021(decks=8,soft_17=stand)")
    assert text.startswith("These rules are valid.")
    assert canonical(rules) in text
    data = run("rules", "check", "wsgc-2021(decks=8,soft_17=stand)", "--json").data
    assert data["valid"] is True
    assert data["problems"] == []
    assert data["fingerprint"] in text


def test_a_valid_file_lists_its_departures(tmp_path: Path) -> None:
    path = house(tmp_path, 'title = "River Room"\nextends = "catfish-bend"\ndecks = 8\n')
    data = run("rules", "check", path, "--json").data
    assert data["valid"] is True
    assert data["title"] == "River Room"
    assert data["preset"] == "catfish-bend"
    assert [row["option"] for row in data["departures"]] == ["decks"]
    assert "decks = 8: the document says 6" in good("rules", "check", path)


def test_a_file_may_extend_a_file_in_the_same_folder(tmp_path: Path) -> None:
    house(tmp_path, 'extends = "wsgc-2021"\ndecks = 8\n', "parent.toml")
    child = house(tmp_path, 'extends = "parent.toml"\nsoft_17 = "stand"\n')
    rules = load_rules(child)
    assert (rules.decks, rules.soft_17) == (8, "stand")
    assert good("rules", "check", child)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "wsgc-2021"\r\ndecks = 8\r\n')
    assert load_rules(str(path)).decks == 8


def test_a_path_may_have_brackets_and_changes(tmp_path: Path) -> None:
    path = house(tmp_path, 'extends = "wsgc-2021"\n', "my (own) rules.toml")
    rules = load_rules(f"{path}(decks=8,jackpots=3d:2:wager=5)")
    assert rules.decks == 8
    assert canonical(rules) == f"{path}(decks=8,jackpots=3d:2:wager=5)"
    assert load_rules(canonical(rules)) == rules


# --- all problems at once ---------------------------------------------------------------------


def test_all_option_problems_are_reported_together() -> None:
    found = fields("wsgc-2021(deks=8,decks=nine,soft_17=stand,double_double=on,table_minimum=500)")
    assert found == ["deks", "decks", "double_double", "table_maximum"]


def test_all_problems_in_a_file_are_reported_together(tmp_path: Path) -> None:
    path = house(
        tmp_path,
        """
        title = 5
        revision = "first"
        extends = "wsgc-2021"
        seets = 5
        decks = 99
        soft_17 = "stand"
        double_double = true
        choices = 4
        [[jackpots]]
        table = "3a"
        wager = 50
        """,
    )
    assert sorted(fields(path)) == sorted(
        [
            "title",
            "revision",
            "seets",
            "decks",
            "double_double",
            "choices",
            "jackpots game 1 table",
            "jackpots game 1 wager",
        ]
    )


def test_every_bad_part_of_a_row_is_a_problem(tmp_path: Path) -> None:
    path = house(
        tmp_path,
        """
        extends = "wsgc-2021"
        bonus_21 = [
          { name = 3, pay = "3 for 2", cards = "many", suits = "stars", colour = "red" },
          4,
          { name = "k", pay = "1 to 1", ranks = "6-7-8", cards = "5" },
          { name = "no cards", pay = "1 to 1" },
        ]
        super_bonus_bands = [{ base_from = -1 }]
        super_bonus = [{ hand = "h", ranks = "7-7", suits = "one suit", up = "x", decks = [6] }]
        """,
    )
    assert fields(path) == [
        "bonus_21 row 1 name",
        "bonus_21 row 1 pay",
        "bonus_21 row 1 cards",
        "bonus_21 row 1 suits",
        "bonus_21 row 1 colour",
        "bonus_21 row 2",
        "bonus_21 row 3 cards",
        "bonus_21 row 4 cards",
        "super_bonus_bands row 1 base_from",
        "super_bonus_bands row 1 pay",
        "super_bonus row 1 up",
    ]


def test_problems_in_an_extended_file_include_its_name(tmp_path: Path) -> None:
    house(tmp_path, 'extends = "wsgc-2021"\nseets = 5\n', "parent.toml")
    child = house(tmp_path, 'extends = "parent.toml"\ndecks = "x"\n')
    assert fields(child) == ["parent.toml: seets", "decks"]


def test_changes_to_a_bad_file_are_checked_too(tmp_path: Path) -> None:
    path = house(tmp_path, 'extends = "wsgc-2021"\nseets = 5\n')
    assert fields(f"{path}(deks=8)") == ["seets", "deks"]
    assert fields(f"{tmp_path}/none.toml(deks=8)") == ["file", "deks"]


def test_a_problem_states_field_value_rule_and_fix() -> None:
    [problem] = problems("wsgc-2021(decks=6,jackpots=3d:1:wager=1)")
    assert problem["field"] == "jackpots game 1 table"
    assert problem["value"] == "3d"
    assert problem["rule"] == "R-086"
    assert "3c" in problem["fix"]
    text = run("rules", "check", "wsgc-2021(jackpots=3d)")
    assert text.code == 2
    assert text.out == ""
    assert "1 problem found:" in text.err
    assert problem["text"] in text.err


# --- contradictions ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "field", "rule"),
    [
        ("wsgc-2021(soft_17=stand,double_double=on)", "double_double", "R-051"),
        ("super-fun-21(double_double=on,surrender=off)", "double_double", "R-107"),
        ("super-fun-21(double_for_less=on)", "double_for_less", "R-107, R-110"),
        ("wsgc-2021(decks=3,mtd_configuration=0)", "decks", "R-008"),
        ("super-fun-21(decks=6)", "decks", "R-103"),
        ("wsgc-2021(pack=standard)", "pack", "R-007"),
        ("wsgc-2021(jackpots=3c+3c+3c)", "jackpots", "R-084"),
        (
            "wsgc-2021(jackpots=3c:1:seed=10+4d:1:kind=house:seed=10)",
            "jackpots",
            "R-083",
        ),
        ("wsgc-2021(jackpots=3c:1:wager=0.50)", "jackpots game 1 wager", "R-085"),
        ("wsgc-2021(jackpots=3c:1:wager=21)", "jackpots game 1 wager", "R-085"),
        ("wsgc-2021(jackpots=3c:9)", "jackpots game 1 pay_table", "R-086"),
        ("wsgc-2021(jackpots=5c:1)", "jackpots game 1 prize", "R-092, O-21"),
        (
            "wsgc-2021(decks=2,jackpots=4a:1:alternate=1:prize=5)",
            "jackpots game 1 alternate",
            "R-093, R-094, D-26",
        ),
        ("wsgc-2021(jackpots=3c:1:kind=house)", "jackpots game 1 seed", "R-097"),
        ("super-fun-21(jackpots=3c)", "jackpots game 1 table", "R-086"),
        ("super-fun-21(mtd_configuration=1)", "mtd_configuration", "R-022"),
        ("wsgc-2021(mtd_configuration=3,bonus_cards=5)", "bonus_cards", "R-017"),
        ("wsgc-2021(bonus_cards=1)", "bonus_cards", "R-017, R-018"),
        ("wsgc-2021(mtd_required=b1)", "mtd_required", "R-025"),
        ("wsgc-2021(table_maximum=500)", "table_maximum", "R-002"),
        ("wsgc-2021(mtd_maximum=500)", "mtd_maximum", "R-002"),
        ("wsgc-2021(limit_profile=nevada)", "limit_profile", "R-002, O-36"),
        ("wsgc-2021(table_minimum=0)", "table_minimum", "R-003"),
        ("wsgc-2021(chip_unit=0)", "chip_unit", "O-18"),
        ("wsgc-2021(chip_unit=0.01)", "chip_unit", "O-18"),
        ("wsgc-2021(small_chip_unit=0)", "small_chip_unit", "O-18"),
        ("wsgc-2021(blackjack_tie=pushes)", "blackjack_tie", "R-029, R-030"),
    ],
)
def test_contradictions_are_refused_with_their_rule(rules: str, field: str, rule: str) -> None:
    [problem] = problems(rules)
    assert (problem["field"], problem["rule"]) == (field, rule)


# --- invalid values ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "decks=\u0668",  # an eight in another script
        "decks=6.5",
        "decks=-6",
        "decks=99999999999999999999999999",
        f"decks={'9' * 5000}",
        "table_minimum=-5",
        "table_minimum=1e3",
        "table_minimum=5.005",
        "table_minimum=NaN",
        "table_minimum=\u0665",
        f"table_maximum={'9' * 5000}",
        "table_maximum=999999999999999999",
        "blackjack_pays=3 for 2",
        "blackjack_pays=3 to 0",
        "blackjack_pays=three to two",
        f"blackjack_pays={'9' * 5000} to 1",
        "surrender=early",
        "rescue=maybe",
        "mtd_required=up+left",
        "jackpots=3c:one",
        "jackpots=3c:1:2",
        "jackpots=3c:1:wager=-5",
        "jackpots=3c:1:contribution=110%",
        "jackpots=3c:1:colour=red",
        "jackpots=+",
        "bonus_21=none",
        "decks",
        "=8",
        "decks=6,decks=8",
    ],
)
def test_unreadable_values_are_problems_not_tracebacks(change: str) -> None:
    assert problems(f"wsgc-2021({change})")


@pytest.mark.parametrize(
    ("rules", "suggestion"),
    [
        ("wsgc-2022", "wsgc-2021"),
        ("WSGC-2021", "wsgc-2021"),
        ("superfun21", "super-fun-21"),
        ("wsgc-2021(soft17=hit)", "soft_17"),
        ("wsgc-2021(doubledouble=on)", "double_double"),
        ("wsgc-2021(jackpot=3c)", "jackpots"),
        ("wsgc-2021(jackpots=3c:1:wagr=5)", "wager"),
    ],
)
def test_unknown_names_get_a_suggestion(rules: str, suggestion: str) -> None:
    [problem] = problems(rules)
    assert f"Did you mean {suggestion}?" in problem["fix"]


@pytest.mark.parametrize(
    "rules", ["", " ", "()", "wsgc-2021(decks=8", ")(", "wsgc-2021)", "🂡", "a\x1b[31mb", "a\nb"]
)
def test_invalid_rules_texts(rules: str) -> None:
    assert problems(rules)
    done = run("rules", "check", rules)
    assert done.code == 2
    assert "\x1b" not in done.err
    assert done.err.count("\n") == 2  # a line with the count, then one for the error


# --- invalid files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "extends"),
        (b"decks = 8", "extends"),
        (b"extends = 3", "extends"),
        (b'extends = "wsgc-2022"', "Did you mean wsgc-2021?"),
        (b'extends = "house.toml"', "extend each other"),
        (b'extends = "none.toml"', "No such file"),
        (b'extends = "\\u0000.toml"', "not a valid file name"),
        (b'extends = "."', "no such preset"),
        (b"\xff\xfee\x00", "UTF-8"),
        (b"\x00\x01\x02", "TOML"),
        (b"decks = ", "TOML"),
        (b"decks = " + b"9" * 5000, "too long"),
        (b"decks = " + b"[" * 5000, "nested"),
        (b"x" * 1_000_001, "larger"),
        (
            b'extends = "wsgc-2021"\ntable_maximum = 0x' + b"f" * 5000,
            "an amount can't be more than",
        ),
        (b'extends = "wsgc-2021"\nchoices = []', "[choices]"),
        (b'extends = "wsgc-2021"\n[sources]\ndecks = 8', "rule numbers"),
        (b'extends = "wsgc-2021"\n[sources]\ndeks = "R-008"', "Did you mean decks?"),
        (b'extends = "wsgc-2021"\ntitle = "a\\nb"', "title"),
        (b'extends = "wsgc-2021"\ntitle = ["a"]', "title"),
        (b'extends = "wsgc-2021"\nrevision = true', "revision"),
        (b'extends = "wsgc-2021"\nnotices = "x"', "notices"),
        (b'extends = "wsgc-2021"\nbonus_21 = "x"', "list of rows"),
        (b'extends = "wsgc-2021"\njackpots = [{ wager = 5 }]', "table"),
        (b'extends = "wsgc-2021"\ntable_minimum = [5]', "list"),
        (b'extends = "wsgc-2021"\ndecks = 2026-01-01', "whole number"),
    ],
)
def test_unusable_files(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    found = problems(str(path))
    assert any(words in problem["text"] for problem in found), found


def test_a_folder_and_a_file_with_the_wrong_name(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert "directory" in problems(str(folder))[0]["message"]
    assert "must end in .toml" in problems(str(tmp_path))[0]["message"]
    text = house(tmp_path, 'extends = "wsgc-2021"', "house.txt")
    assert "must end in .toml" in problems(text)[0]["message"]


def test_two_rows_with_the_same_name_are_refused(tmp_path: Path) -> None:
    row = '{ name = "long", cards = "5+", pay = "2 to 1" }'
    path = house(tmp_path, f'extends = "wsgc-2021"\nbonus_21 = [{row}, {row}]\n')
    assert fields(path) == ["bonus_21"]


def test_the_super_bonus_needs_three_cards(tmp_path: Path) -> None:
    row = '{ hand = "h", ranks = "7-7", suits = "any", up = "7", decks = [6] }'
    path = house(tmp_path, f'extends = "wsgc-2021"\nsuper_bonus = [{row}]\n')
    [problem] = problems(path)
    assert problem["rule"] == "R-067, R-068"
