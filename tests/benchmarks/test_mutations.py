"""The mutants themselves: each is another program, and a change without effect is not made."""

import ast

from benchmarks.mutations import mutants_of

SOURCE = '''"""What a doubled hand may do."""

from ventiuna.core.table import RuleTable

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


def test_a_mutant_is_another_program_that_differs_in_one_place() -> None:
    original = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants_of("doubling.py", SOURCE):
        changed = mutant.applied_to(SOURCE).splitlines()
        differing = [pair for pair in zip(original, changed, strict=True) if pair[0] != pair[1]]
        assert len(differing) == 1, mutant.change


def test_a_mutant_knows_the_function_whose_tests_can_notice_it() -> None:
    functions = {mutant.function for mutant in mutants_of("doubling.py", SOURCE)}
    assert functions == {"", "doubling.py:8"}
