"""Rows of rules files: meaningless ones are refused, and those that can never pay are reported."""

from pathlib import Path

import pytest

from ventiuna.cards import parse_card
from ventiuna.core.rule_table import BONUS_ROWS
from ventiuna.rules import (
    Rules,
    RulesError,
    compile_rules,
    find_warnings,
    fingerprint,
    load_file,
    load_rules,
)
from ventiuna.rules.compiled import suit_masks

SUPER = """
[[super_bonus]]
hand = "three sevens"
ranks = "{ranks}"
suits = "{suits}"
up = "{up}"
decks = {decks}
[[super_bonus_bands]]
base_from = 5
pay = 1000
"""


def super_bonus(
    ranks: str = "7-7-7", suits: str = "spades", up: str = "7s", decks: str = "[6]"
) -> str:
    return SUPER.format(ranks=ranks, suits=suits, up=up, decks=decks)


def bonus(name: str = "row", **parts: str) -> str:
    lines = "".join(f"{key} = {value}\n" for key, value in parts.items())
    return f'[[bonus_21]]\nname = "{name}"\npay = "2 to 1"\n{lines}'


def house(folder: Path, rows: str, preset: str = "wsgc-2021", options: str = "") -> Rules:
    path = folder / "house.toml"
    path.write_text(f'extends = "{preset}"\n{options}\n{rows}', encoding="utf-8")
    return load_file(path)


@pytest.mark.parametrize(
    ("rows", "field", "message"),
    [
        (super_bonus(up="7s 7s"), "super_bonus row 1 up", "7s is listed twice"),
        (super_bonus(up="7s 7S"), "super_bonus row 1 up", "7s is listed twice"),
        (super_bonus(suits="clubs clubs"), "super_bonus row 1 suits", "clubs is listed twice"),
        (super_bonus(decks="[6, 6]"), "super_bonus row 1 decks", "6 is listed twice"),
        (super_bonus(decks="[]"), "super_bonus", "the row lists no decks"),
        (super_bonus(decks="[2, 6]"), "super_bonus", "2 decks don't have enough of these cards"),
        (super_bonus(up="T"), "super_bonus", "the Spanish pack has no tens"),
        (super_bonus(up="Tc 7s"), "super_bonus", "the Spanish pack has no tens"),
        (super_bonus(ranks="7-7-T"), "super_bonus", "the Spanish pack has no tens"),
        (
            super_bonus(suits="clubs diamonds hearts spades"),
            "super_bonus",
            "3 cards can't have four suits",
        ),
        (
            super_bonus() + super_bonus().split("[[super_bonus_bands]]")[0],
            "super_bonus",
            "two rows apply to 6 decks",
        ),
        (bonus(ranks='"6-7-8"', suits='"hearts hearts"'), "bonus_21 row 1 suits", "listed twice"),
        (bonus(cards='"5"', decks="[6, 6]"), "bonus_21 row 1 decks", "6 is listed twice"),
        (bonus(ranks='"A-T"'), "bonus_21", "the Spanish pack has no tens"),
        (bonus(ranks='"6-7-9"'), "bonus_21", "its ranks add up to 22"),
        (bonus(ranks='"A-A"'), "bonus_21", "its ranks add up to 12"),
        (
            bonus(ranks='"A-K"', suits='"clubs diamonds hearts"'),
            "bonus_21",
            "2 cards can't have 3 suits",
        ),
        (bonus(cards='"22+"'), "bonus_21", "that many cards can't make that total"),
        (bonus(cards='"5"', total='"4"'), "bonus_21", "can't make that total"),
        (bonus(cards='"1"'), "bonus_21", "two or more cards"),
        (bonus(cards='"5-4"'), "bonus_21", "two or more cards"),
        (bonus(cards='"5"', total='"22"'), "bonus_21", "total of at most 21"),
        (
            bonus("21", cards='"5"'),
            "bonus_21",
            "this name is reserved for a 21 that pays even money",
        ),
        (bonus(cards='"5"') + bonus(cards='"6"'), "bonus_21", "two rows have this name"),
        (
            bonus(cards='"5"').replace("bonus_21", "instant_wins") + bonus(cards='"6"'),
            "bonus_21",
            "two rows have this name",
        ),
        (
            bonus(cards='"6"', decks="[2]").replace("bonus_21", "instant_wins"),
            "instant_wins",
            "can't depend on the number of decks",
        ),
        (
            (
                "[[super_bonus_bands]]\nbase_from = 25\npay = 5\n"
                "[[super_bonus_bands]]\nbase_from = 5\npay = 1\n"
            ),
            "super_bonus_bands",
            "in rising order of base_from",
        ),
        (
            "[[super_bonus_bands]]\nbase_from = 5\npay = 5\n" * 2,
            "super_bonus_bands",
            "in rising order of base_from",
        ),
    ],
)
def test_meaningless_rows_are_refused(tmp_path: Path, rows: str, field: str, message: str) -> None:
    with pytest.raises(RulesError) as error:
        house(tmp_path, rows)
    [problem] = error.value.problems
    assert problem.field == field
    assert message in problem.message


def test_a_row_pays_the_cards_it_lists_and_no_others(tmp_path: Path) -> None:
    rules = house(tmp_path, super_bonus(up="7s 7c", suits="spades clubs"))
    table = compile_rules(rules)
    assert table.super_up_cards == 1 << parse_card("7s") | 1 << parse_card("7c")
    assert table.super_suits == suit_masks("clubs spades") == 1 << 0b1001
    assert rules.super_bonus[0].suits == "clubs spades"  # stored in a fixed order


def test_tens_are_cards_of_the_standard_pack(tmp_path: Path) -> None:
    assert house(tmp_path, bonus(ranks='"A-T"'), preset="blackjack").bonus_21[0].ranks == (1, 10)


def test_rows_of_bonus_21_and_instant_wins_are_counted_together(tmp_path: Path) -> None:
    """One row is reserved for a plain 21."""

    def rows(count: int) -> str:
        text = "".join(bonus(f"row {n}", cards='"5"') for n in range(count - 2))
        wins = "".join(
            f'[[instant_wins]]\nname = "win {n}"\npay = "1 to 1"\ncards = "{n}"\ntotal = "20"\n'
            for n in (6, 7)
        )
        return text + wins

    most = BONUS_ROWS - 1
    assert len(house(tmp_path, rows(most)).bonus_21) == most - 2
    with pytest.raises(RulesError, match=f"bonus_21 = {most + 1} rows: .* at most {most} rows"):
        house(tmp_path, rows(most + 1))


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ("3c:1:wager=5:wager=6", "wager is set twice"),
        ("3c:1:wager=5:wager=5", "wager is set twice"),
        ("3c:1:table=3c", "table is set twice"),
        ("3c:1:pay_table=2", "pay_table is set twice"),
        ("table=3c:table=3c", "table is set twice"),
        ("3c:1:wager", "has no value"),
    ],
)
def test_a_jackpot_says_each_thing_once(games: str, message: str) -> None:
    with pytest.raises(RulesError) as error:
        load_rules(f"wsgc-2021(jackpots={games})")
    assert [problem.field for problem in error.value.problems] == ["jackpots"]
    assert message in str(error.value)


@pytest.mark.parametrize("names", ["up+up", "none+up", "up+down+up"])
def test_required_wagers_are_listed_once(names: str) -> None:
    with pytest.raises(RulesError, match="mtd_required"):
        load_rules(f"wsgc-2021(mtd_required={names})")
    assert load_rules("wsgc-2021(mtd_required=down+up)").mtd_required == ("up", "down")


# --- warnings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "options", "warning"),
    [
        (
            bonus("five or more", cards='"5+"') + bonus("six", cards='"6"'),
            "",
            (
                'The row "six" is never paid: "five or more" comes first and covers every such '
                "hand (R-061)."
            ),
        ),
        (
            bonus("any 678", ranks='"6-7-8"') + bonus("hearts", ranks='"6-7-8"', suits='"hearts"'),
            "",
            (
                'The row "hearts" is never paid: "any 678" comes first and covers every such hand '
                "(R-061)."
            ),
        ),
        (
            bonus("three", ranks='"7-7-7"', suits='"hearts"'),
            "decks = 2",
            'The row "three" is never paid: 2 decks can\'t make such a hand (R-064).',
        ),
        (
            bonus("many", cards='"20"'),
            "decks = 4",
            'The row "many" is never paid: 4 decks can\'t make such a hand (R-064).',
        ),
        (
            "",
            "table_maximum = 20",
            (
                "The Super Bonus of $5,000.00 needs a base wager of $25.00, above the table "
                "maximum (R-069)."
            ),
        ),
    ],
)
def test_rows_that_never_pay_are_reported(
    tmp_path: Path, rows: str, options: str, warning: str
) -> None:
    assert find_warnings(house(tmp_path, rows, options=options)) == [warning]


@pytest.mark.parametrize(
    "rows",
    [
        bonus("six", cards='"6"') + bonus("five or more", cards='"5+"'),
        bonus("hearts", ranks='"6-7-8"', suits='"hearts"') + bonus("any", ranks='"6-7-8"'),
        bonus("first", cards='"5"', after_split='"off"') + bonus("split too", cards='"5"'),
        bonus("20", cards='"5"', total='"20"') + bonus("five", cards='"5"'),
        bonus("three", ranks='"7-7-7"', suits='"hearts"', decks="[6]"),
    ],
)
def test_rows_that_can_pay_cause_no_warning(tmp_path: Path, rows: str) -> None:
    assert find_warnings(house(tmp_path, rows)) == []


@pytest.mark.parametrize(
    ("rules", "warned"),
    [
        ("wsgc-2021(mtd_configuration=4,bonus_cards=3)", False),  # six wagers
        ("wsgc-2021(mtd_configuration=4,bonus_cards=4)", True),  # seven
        ("wsgc-2021(mtd_configuration=4,bonus_cards=4,limit_profile=none)", False),
        ("wsgc-2021(mtd_configuration=4,bonus_cards=3,jackpots=3c:1:seed=1:prize=5)", True),
        ("wsgc-2021(mtd_configuration=4,bonus_cards=2,jackpots=3c:1:seed=1:prize=5)", False),
    ],
)
def test_more_than_six_wagers_cause_a_warning(rules: str, warned: bool) -> None:
    games = [line for line in find_warnings(load_rules(rules)) if "One hand can carry" in line]
    assert bool(games) is warned
    if warned:
        assert games[0].startswith("One hand can carry 7 wagers; WAC 230-15-040 (2009 text)")


@pytest.mark.parametrize(
    ("jackpots", "numbers"),
    [
        ("3c:1:seed=1:prize=5", []),
        ("3c:1:prize=5", [1]),
        ("3c:1:seed=0.01:prize=5+4d:1:prize=5", [2]),
        ("3c:1:kind=house:seed=5:prize=5", []),
    ],
)
def test_a_meter_that_starts_empty_causes_a_warning(jackpots: str, numbers: list[int]) -> None:
    assert find_warnings(load_rules(f"wsgc-2021(jackpots={jackpots})")) == [
        f"Jackpot {number} has a seed of $0.00: after a 100% award the meter starts empty "
        "(O-19, O-20)."
        for number in numbers
    ]


LUCKY = 'name = "lucky"\nranks = "7-7-7"\nsuits = "spades"\npay = "5 to 1"\n'


@pytest.mark.parametrize(("side", "place"), [("before", 0), ("after", -1)])
def test_rows_can_be_added_before_or_after_those_of_the_extended_rules(
    tmp_path: Path, side: str, place: int
) -> None:
    usual = load_rules("wsgc-2021").bonus_21
    rows = house(tmp_path, f"[[bonus_21.{side}]]\n{LUCKY}").bonus_21
    assert rows[place].name == "lucky"
    assert tuple(row for row in rows if row.name != "lucky") == usual


def test_rows_can_be_added_to_every_list(tmp_path: Path) -> None:
    added = """
[[instant_wins.after]]
name = "eight cards"
cards = "8+"
total = "at most 20"
pay = "3 to 1"
[[super_bonus_bands.after]]
base_from = 100
pay = 10000
[[jackpots.before]]
table = "3c"
"""
    rules = house(tmp_path, added, preset="wsgc-2021-jackpot")
    assert [row.name for row in rules.instant_wins] == ["eight cards"]
    assert [band.pay for band in rules.super_bonus_bands] == [100_000, 500_000, 1_000_000]
    assert [game.seed for game in rules.jackpots] == [0, 500_000]


def test_added_rows_are_the_same_rules_as_the_full_list(tmp_path: Path) -> None:
    """A chain of files adds up."""
    (tmp_path / "parent.toml").write_text(f'extends = "super-fun-21"\n[[bonus_21]]\n{LUCKY}')
    child = house(tmp_path, f"[[bonus_21.after]]\n{bonus_body('second')}", preset="parent.toml")
    both = house(tmp_path, f"[[bonus_21]]\n{LUCKY}{bonus('second', cards='4')}", "super-fun-21")
    assert fingerprint(child) == fingerprint(both)


def bonus_body(name: str) -> str:
    return bonus(name, cards="4").removeprefix("[[bonus_21]]\n")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "bonus_21.before = 5",
            "bonus_21.before = 5: must be a list of rows. Write it as [[bonus_21.before]].",
        ),
        (
            '[[bonus_21.after]]\nname = "x"\npay = "2 to 1"\ncards = "x"',
            (
                "bonus_21.after row 1 cards = x: must be a number or a range (R-062). "
                "Write it as 5, 7+, 5-6 or 'at most 20'."
            ),
        ),
        (
            "[[bonus_21.between]]\n" + LUCKY,
            "must be a list of rows. Write it as [[bonus_21]].",
        ),
    ],
)
def test_bad_rows_to_add_are_refused(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(RulesError) as error:
        house(tmp_path, rows)
    assert str(error.value).endswith(message)
