"""Rules files of any kind: one sentence per problem, with its field, value, and rule."""

import os
from pathlib import Path
from typing import Any

import pytest

from ventiuna.rules import (
    Rules,
    RulesError,
    fingerprint,
    load_file,
    load_rules,
    rules_data,
    rules_from_data,
)
from ventiuna.rules.loader import MAX_EXTENDS_DEPTH, MAX_FILE_BYTES, MAX_RULES_LENGTH
from ventiuna.rules.options import short_repr


def house(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> RulesError:
    with pytest.raises(RulesError) as error:
        load_file(path)
    assert all("\n" not in str(problem) for problem in error.value.problems)
    assert all(str(problem).isprintable() for problem in error.value.problems)
    return error.value


def chain(folder: Path, length: int) -> Path:
    """The first of `length` files, each of which extends the next."""
    for number in range(1, length + 1):
        parent = f"{number + 1}.toml" if number < length else "wsgc-2021"
        (folder / f"{number}.toml").write_text(f'extends = "{parent}"\n')
    return folder / "1.toml"


def test_files_can_extend_each_other_several_times(tmp_path: Path) -> None:
    assert load_file(chain(tmp_path, MAX_EXTENDS_DEPTH)).decks == 6
    error = refused(chain(tmp_path, MAX_EXTENDS_DEPTH + 1))
    assert f"at most {MAX_EXTENDS_DEPTH} files can extend one another" in str(error)


def test_a_file_extends_a_ready_made_variant(tmp_path: Path) -> None:
    path = house(tmp_path, 'extends = "wsgc-2021-everything"\ntable_minimum = "10"\n')
    rules = load_file(path)
    told = load_rules("wsgc-2021-everything(table_minimum=10)")
    assert fingerprint(rules) == fingerprint(told)
    assert rules.jackpots == told.jackpots
    assert "wsgc-2021-everything" in str(refused(house(tmp_path, "extends = 3")))


def test_a_long_chain_is_a_problem_not_a_traceback(tmp_path: Path) -> None:
    assert "files can extend one another" in str(refused(chain(tmp_path, 1_200)))


@pytest.mark.parametrize("length", [1, 2, 5])
def test_files_in_a_circle_are_refused(tmp_path: Path, length: int) -> None:
    for number in range(length):
        (tmp_path / f"{number}.toml").write_text(f'extends = "{(number + 1) % length}.toml"\n')
    assert "files extend each other" in str(refused(tmp_path / "0.toml"))


def test_circular_links_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").symlink_to(tmp_path / "b.toml")
    (tmp_path / "b.toml").symlink_to(tmp_path / "a.toml")
    assert "can't be read" in str(refused(tmp_path / "a.toml"))
    error = refused(house(tmp_path, 'extends = "a.toml"'))
    assert [problem.field for problem in error.problems] == ["extends"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    assert "a pipe, not a file" in str(refused(tmp_path / "pipe.toml"))
    assert "a pipe, not a file" in str(refused(house(tmp_path, 'extends = "pipe.toml"')))


def test_an_endless_file_is_not_read_completely(tmp_path: Path) -> None:
    (tmp_path / "endless.toml").symlink_to("/dev/zero")
    assert f"larger than {MAX_FILE_BYTES:,} bytes" in str(refused(tmp_path / "endless.toml"))


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        ("decks = nan", "decks", "whole number"),
        ("decks = -inf", "decks", "whole number"),
        ("table_maximum = nan", "table_maximum", "isn't an amount"),
        ("table_maximum = inf", "table_maximum", "isn't an amount"),
        (f"decks = {'9' * 5_000}", "file", "a number that is too long"),
        (f"decks = {'9' * 4_000}", "decks", "from 1 to 8"),
        (f"decks = 0x{'f' * 5_000}", "decks", "from 1 to 8"),
        (f"table_maximum = 0x{'f' * 5_000}", "table_maximum", "an amount can't be more than"),
        (f"revision = 0x{'f' * 5_000}", "revision", "from 1 to 1,000,000"),
        (f"decks = {'[' * 50_000}", "file", "nested too deeply"),
        (f"decks = {'[' * 90}{']' * 90}", "decks", "whole number"),
        (f"{'.'.join('a' * 400)} = 1", "a", "no such option"),
        ("decks = 1979-05-27", "decks", "whole number"),
        ('title = "a\\u001b[2Jb"', "title", "without control characters"),
        ('title = "two\\nlines"', "title", "without control characters"),
        ('document = "\\u0007"', "document", "without control characters"),
        ('id = "\\u009b"', "id", "without control characters"),
        ('notices = ["fine", "\\u001b]0;x"]', "notices 2", "without control characters"),
        (f'title = "{"x" * 201}"', "title", "at most 200 characters"),
        ("title = 5", "title", "must be a string of at most 200 characters on one line"),
        ('notices = "one"', "notices", "a list of at most 100 strings"),
        ("revision = 0", "revision", "from 1 to 1,000,000"),
        ("revision = 1000001", "revision", "from 1 to 1,000,000"),
        ("revision = true", "revision", "from 1 to 1,000,000"),
        ("[choices]\ndecks = [nan]", "choices decks", "whole number"),
        ("[choices]\ndecks = [99]", "choices decks", "from 1 to 8"),
        ("[choices]\ndecks = [[6]]", "choices decks", "whole number"),
        ("[choices]\nsoft_17 = ['sit']", "choices soft_17", "not one of the choices"),
        ("[choices]\ndecks = 6", "choices decks", "must be a list"),
        (
            "[jackpot_choices]\ngames = [nan]",
            "jackpot_choices games",
            "must be a string or a number",
        ),
        ('[sources]\ndecks = "\\u001b"', "sources decks", "must be printable"),
        (
            '[[bonus_21]]\nname = "\\u001b"\npay = "1 to 1"\ncards = 5',
            "bonus_21 row 1 name",
            "printable characters",
        ),
        (
            '[[bonus_21]]\nname = "a"\nrule = "\\u001b"\npay = "1 to 1"\ncards = 5',
            "bonus_21 row 1 rule",
            "printable characters",
        ),
        (f'extends = "{"x" * 90_000}"', "extends", "no such preset"),
        ('extends = "a\\u0000.toml"', "extends", "not a valid file name"),
        ('extends = "a\\u001b.toml"', "extends", "must be printable"),
    ],
    ids=lambda value: short_repr(value)[:30],
)
def test_values_of_any_kind_are_problems_not_tracebacks(
    tmp_path: Path, line: str, field: str, message: str
) -> None:
    start = "" if line.startswith("extends") else 'extends = "wsgc-2021"\n'
    error = refused(house(tmp_path, start + line))
    [problem] = error.problems
    assert problem.field == field
    assert message in problem.message


def test_dates_and_times_are_reported_as_written(tmp_path: Path) -> None:
    """TOML allows dates and times, but no option takes one."""
    text = "decks = 2026-01-01\nseats = [10:30:00]\ncut_card = 2026-01-01T10:00:00\n"
    error = refused(house(tmp_path, f'extends = "wsgc-2021"\n{text}'))
    values = {problem.field: problem.value for problem in error.problems}
    assert values == {
        "decks": "2026-01-01",
        "seats": "[10:30:00]",
        "cut_card": "2026-01-01 10:00:00",
    }


def test_up_cards_are_written_in_one_way(tmp_path: Path) -> None:
    """No raw control character from the file reaches a terminal."""
    row = (
        '[[super_bonus]]\nhand = "x"\nranks = "7-7-7"\nsuits = "any"\nup = "7S\\u001c7c"\n'
        "decks = [6]\n"
    )
    path = house(tmp_path, f'extends = "wsgc-2021"\n{row}')
    assert load_file(path).super_bonus[0].up == "7s 7c"
    assert (
        load_file(house(tmp_path, path.read_text().replace("7S\\u001c7c", "k"))).super_bonus[0].up
        == "K"
    )


def test_long_rules_are_bounded() -> None:
    assert load_rules("wsgc-2021" + " " * (MAX_RULES_LENGTH - 9)).decks == 6
    with pytest.raises(RulesError, match=f"longer than {MAX_RULES_LENGTH:,} characters"):
        load_rules("wsgc-2021" + " " * (MAX_RULES_LENGTH - 8))


JACKPOT = "jackpots=3c:1:seed=5:prize=5"


@pytest.mark.parametrize(
    ("rules", "field", "value", "rule"),
    [
        ("wsgc-2021(decks=3)", "decks", "3", "R-008"),
        ("super-fun-21(decks=4)", "decks", "4", "R-103"),
        ("wsgc-2021(pack=standard)", "pack", "standard", "R-007"),
        ("super-fun-21(pack=spanish)", "pack", "spanish", "R-103"),
        ("wsgc-2021(cut_card=9)", "cut_card", "9", "O-03"),
        ("wsgc-2021(blackjack_tie=pushes)", "blackjack_tie", "pushes", "R-029, R-030"),
        ("wsgc-2021(double_double=on,soft_17=stand)", "double_double", "on", "R-051"),
        ("super-fun-21(double_double=on,surrender=late)", "double_double", "on", "R-107"),
        (
            "super-fun-21(double_for_less=on)",
            "double_for_less",
            "on",
            "R-107, R-110",
        ),
        (
            "wsgc-2021(double_double=on,surrender=any_time,double_for_less=off)",
            "surrender",
            "any_time",
            "R-110",
        ),
        ("super-fun-21(mtd_configuration=1)", "mtd_configuration", "1", "R-022"),
        ("wsgc-2021(mtd_configuration=3)", "bonus_cards", "0", "R-017"),
        ("wsgc-2021(mtd_configuration=4)", "bonus_cards", "0", "R-018"),
        ("wsgc-2021(bonus_cards=1)", "bonus_cards", "1", "R-017, R-018"),
        ("wsgc-2021(mtd_minimum=5,mtd_maximum=4)", "mtd_maximum", "$4.00", "R-024"),
        ("wsgc-2021(mtd_minimum=1000)", "mtd_minimum", "$1,000.00", "R-024"),
        ("wsgc-2021(mtd_required=b1)", "mtd_required", "b1", "R-025"),
        (f"wsgc-2021({JACKPOT}+3c:1:prize=5+3c:1:prize=5)", "jackpots", "3 games", "R-084"),
        (
            f"wsgc-2021({JACKPOT}+3c:1:prize=5:kind=house:seed=5)",
            "jackpots",
            "progressive and house",
            "R-083",
        ),
        (f"wsgc-2021({JACKPOT}:wager=0.50)", "jackpots game 1 wager", "$0.50", "R-085"),
        (f"wsgc-2021({JACKPOT}:wager=21)", "jackpots game 1 wager", "$21.00", "R-085"),
        ("wsgc-2021(jackpots=3z)", "jackpots game 1 table", "3z", "R-086"),
        ("wsgc-2021(jackpots=3d:1:prize=5)", "jackpots game 1 table", "3d", "R-086"),
        ("wsgc-2021(jackpots=3c:9:prize=5)", "jackpots game 1 pay_table", "9", "R-086"),
        (
            f"wsgc-2021({JACKPOT}:alternate=9)",
            "jackpots game 1 alternate",
            "9",
            "R-093, R-094, D-26",
        ),
        ("wsgc-2021(jackpots=3c:1:kind=house:prize=5)", "jackpots game 1 seed", "$0.00", "R-097"),
        ("wsgc-2021(table_maximum=4,table_minimum=5)", "table_maximum", "$4.00", "R-003"),
        ("wsgc-2021(table_minimum=0)", "table_minimum", "$0.00", "R-003"),
        ("wsgc-2021(limit_profile=x)", "limit_profile", "x", "R-002, O-36"),
        ("wsgc-2021(table_maximum=1000)", "table_maximum", "$1,000.00", "R-002"),
        ("wsgc-2021(mtd_maximum=1000)", "mtd_maximum", "$1,000.00", "R-002"),
        ("wsgc-2021(table_minimum=5.50)", "table_minimum", "$5.50", "O-18"),
        ("wsgc-2021(chip_unit=0)", "chip_unit", "$0.00", "O-18"),
        ("wsgc-2021(small_chip_unit=0)", "small_chip_unit", "$0.00", "O-18"),
        ("wsgc-2021(chip_unit=0.01)", "chip_unit", "$0.01", "O-18"),
        (
            "wsgc-2021(insurance_pays=3 to 2,small_chip_unit=0.01)",
            "small_chip_unit",
            "$0.01",
            "O-18",
        ),
        ("wsgc-2021(decks=x)", "decks", "x", "R-008, R-103"),
        ("wsgc-2021(soft_17=x)", "soft_17", "x", "R-077, R-117"),
        ("wsgc-2021(table_maximum=-1)", "table_maximum", "-1", "R-002, R-003"),
    ],
)
def test_a_problem_states_field_value_and_rule(
    rules: str, field: str, value: str, rule: str
) -> None:
    with pytest.raises(RulesError) as error:
        load_rules(rules)
    told = [(problem.field, problem.value, problem.rule) for problem in error.value.problems]
    assert (field, value, rule) in told


@pytest.mark.parametrize(
    "rules",
    [
        "wsgc-2021(cut_card=10)",
        f"wsgc-2021({JACKPOT}:wager=1)",
        f"wsgc-2021({JACKPOT}:wager=20)",
        f"wsgc-2021({JACKPOT}+4d:1)",
        "wsgc-2021(table_minimum=5,table_maximum=5)",
        "wsgc-2021(mtd_minimum=5,mtd_maximum=5)",
        "wsgc-2021(mtd_configuration=3,bonus_cards=4)",
        "wsgc-2021(mtd_configuration=4,bonus_cards=5)",
    ],
)
def test_values_at_their_limits_are_valid(rules: str) -> None:
    assert load_rules(rules).decks == 6


def test_control_characters_are_reported(tmp_path: Path) -> None:
    rows = '[[bonus_21]]\nname = "five\\u001b[2J"\ncards = "5"\npay = "2 to 1"\n'
    path = house(tmp_path, f'extends = "wsgc-spanish-21"\ntitle = "mine\\u001b[31m"\n{rows}')
    name, title = (str(problem) for problem in refused(path).problems)
    assert "printable characters. Write 1 to 60 printable characters." in name
    assert "without control characters. Remove them." in title


def test_text_and_numbers_that_are_too_long_get_different_errors(tmp_path: Path) -> None:
    start = 'extends = "wsgc-spanish-21"\ntitle = '
    assert "Shorten it." in str(refused(house(tmp_path, f'{start}"{"x" * 500}"\n')))
    assert "Write a string in quotes." in str(refused(house(tmp_path, f"{start}5\n")))


def test_rules_default_to_plain_blackjack() -> None:
    """A new option needs no line in a preset that keeps its default."""
    assert fingerprint(Rules()) == fingerprint(load_rules("blackjack"))


def test_a_new_option_with_its_default_changes_no_fingerprint_and_no_stored_rules() -> None:
    rules = load_rules("wsgc-2021")
    data: dict[str, Any] = rules_data(rules)
    assert "deal_order" not in data["options"]
    assert "deal_order" not in {**data["origin"]["choices"], **data["origin"]["sources"]}
    assert rules_from_data(data) == rules
    assert fingerprint(rules) == "3b9b570874de8d66"
    changed = load_rules("wsgc-2021(deal_order=dealer_last)")
    assert fingerprint(changed) != fingerprint(rules)
    stored: dict[str, Any] = rules_data(changed)
    assert stored["options"]["deal_order"] == "dealer_last"
    assert rules_from_data(stored) == changed


def test_a_house_file_keeps_what_it_says_about_a_new_option(tmp_path: Path) -> None:
    lines = 'extends = "wsgc-2021"\ntitle = "Ours"\n[choices]\ndeal_order = ["dealer_last"]\n'
    rules = load_rules(str(house(tmp_path, lines)))
    assert rules_from_data(rules_data(rules)) == rules
