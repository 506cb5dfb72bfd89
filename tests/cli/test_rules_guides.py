"""Ready-made variants and the guides to writing jackpots and Bonus Cards: all examples run."""

import pytest

from tests.cli.running import good, run
from ventiuna.rules import canonical, load_rules
from ventiuna.rules.data_files import variants
from ventiuna.rules.model import Jackpot
from ventiuna.rules.text.references import (
    BONUS_CARD_GUIDE,
    GUIDES,
    JACKPOT_GUIDE,
    OptionGuide,
    references_by_number,
)

EXAMPLES = [example for guide in (JACKPOT_GUIDE, BONUS_CARD_GUIDE) for example in guide.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command)
def test_every_example_runs(example: object) -> None:
    assert good(*example.command.split())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", variants())
def test_a_variant_is_its_canonical_string(name: str) -> None:
    rules = load_rules(name)
    assert canonical(rules) == canonical(load_rules(variants()[name].rules))
    assert rules.jackpots or rules.bonus_cards
    assert good("rules", "check", name).startswith("These rules are valid.")
    assert "Departures from the document\n- none" in good("rules", "check", name)
    assert good("deal", name, "--jackpots")


def test_a_variant_can_be_changed_further() -> None:
    rules = load_rules("wsgc-2021-everything(surrender=off,jackpots=none)")
    assert canonical(rules) == (
        "wsgc-2021(double_double=on,surrender=off,mtd_configuration=4,bonus_cards=5)"
    )
    assert "Did you mean wsgc-2021-jackpot?" in run("rules", "show", "wsgc-2021-jakpot").err


def test_rules_list_shows_every_variant() -> None:
    text = good("rules", "list")
    assert all(name in text for name in variants())
    listed = run("rules", "list", "--json").data
    found = [one["name"] for preset in listed for one in preset["variants"]]
    assert found == list(variants())


def test_the_jackpot_guide_explains_every_part() -> None:
    parts = {part.partition("=")[0] for part, _ in JACKPOT_GUIDE.parts}
    assert parts == set(Jackpot.__dataclass_fields__) - {"table", "pay_table"}


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_available_as_text_and_data(name: str) -> None:
    guide: OptionGuide = GUIDES[name]
    text = good("rules", "options", name)
    assert all(f"ventiuna {example.command}\n" in text for example in guide.examples)
    data = run("rules", "options", name, "--json").data
    told = data.get("guide", data)
    assert [one["write"] for one in told["parts"]] == [part for part, _ in guide.parts]


def test_a_number_says_what_decides_it() -> None:
    text = good("rules", "explain", "R-021", "r-29", "d03", "O-03")
    assert "core.side_bets" not in text, "floor staff don't need function names"
    assert "R-029" in text
    assert "set by mtd_at_most_base" in text
    (found,) = run("rules", "explain", "R-077", "--json").data
    assert "soft_17" in found["options"]


def test_every_requirement_is_decided_or_says_why_not() -> None:
    for one in references_by_number().values():
        if one.number.startswith("R-"):
            assert one.decided or one.no_money, one.number


def test_a_word_finds_rule_numbers() -> None:
    assert good("rules", "explain", "rescue") == good("rules", "explain", "--search", "rescue")
    assert "R-057" in good("rules", "explain", "rescue", "doubled")
