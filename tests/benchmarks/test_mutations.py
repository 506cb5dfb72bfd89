"""The mutants themselves: each is a different program, and no mutant is without effect."""

import ast
import tomllib

from benchmarks import mutants
from benchmarks.mutations import mutants_of

SOURCE = '''"""What a doubled hand may do."""

from ventiuna.core.rule_table import RuleTable

MOST = 3


def may_double(rules: RuleTable, doublings: int) -> bool:
    """Not more often than the table allows."""
    if not rules.doubling:
        raise Refused("no_double", ("R-047",))
    return doublings + 1 <= MOST and True
'''


def test_every_kind_of_change_is_made_once() -> None:
    changes = [mutant.change for mutant in mutants_of("doubling.py", SOURCE)]
    assert changes == [
        "3 -> 4",
        "not rules.doubling -> rules.doubling",
        "raise Refused('no_double', ('R-047',)) -> pass",
        "'R-047' -> 'R-000'",
        "doublings + 1 <= MOST and True -> doublings + 1 <= MOST or True",
        "doublings + 1 <= MOST -> doublings + 1 < MOST",
        "doublings + 1 -> doublings - 1",
        "1 -> 2",
        "True -> False",
    ]


def test_a_mutant_is_a_program_that_differs_in_one_place() -> None:
    original = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants_of("doubling.py", SOURCE):
        changed = mutant.applied_to(SOURCE).splitlines()
        differing = [pair for pair in zip(original, changed, strict=True) if pair[0] != pair[1]]
        assert len(differing) == 1, mutant.change


def test_a_mutant_knows_the_function_whose_tests_can_notice_it() -> None:
    functions = {mutant.function for mutant in mutants_of("doubling.py", SOURCE)}
    assert functions == {"", "doubling.py:8"}


def test_identical_changes_in_a_function_are_distinguished() -> None:
    source = "def most(one, other):\n    return one + 1 if one > 1 else other + 1\n"
    keys = [mutant.key for mutant in mutants_of("most.py", source)]
    assert len(set(keys)) == len(keys)
    assert [key for key in keys if "1 -> 2" in key] == [
        "most.py most: 1 -> 2",
        "most.py most: 1 -> 2 (2)",
        "most.py most: 1 -> 2 (3)",
    ]


def test_every_equivalent_mutant_exists_and_has_a_reason() -> None:
    """An entry for code that has changed would hide nothing, or the wrong mutant."""
    rows = tomllib.loads(mutants.EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    keys = [row["key"] for row in rows]
    there = {mutant.key for room in ("core", "engine") for mutant in mutants.mutants_in(room)}
    assert [key for key in keys if key not in there] == []
    assert len(set(keys)) == len(keys)
    assert all(row["reason"].endswith(".") for row in rows)
