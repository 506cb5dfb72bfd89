"""Help on options: their meaning, values, and value in each preset, with guides and examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ventiuna.rules.data_files import limit_profiles
from ventiuna.rules.loader import load_preset
from ventiuna.rules.model import OPTIONS, OPTIONS_BY_NAME, ROW_FIELDS, Problem, RulesError
from ventiuna.rules.options import (
    MTD_NAMES,
    Option,
    did_you_mean,
)

# --- Guides with examples ---


@dataclass(frozen=True, slots=True)
class GuideExample:
    command: str  # command without the program name
    about: str


@dataclass(frozen=True, slots=True)
class OptionGuide:
    """Help text for one option, or for several that belong together."""

    options: tuple[str, ...]
    rules: str  # rule numbers
    text: str
    parts: tuple[tuple[str, str], ...]  # syntax, and its meaning
    examples: tuple[GuideExample, ...]


JACKPOT_GUIDE = OptionGuide(
    options=("jackpots",),
    rules="R-082 to R-098, O-19 to O-26",
    text="One or two jackpot games on the layout. Write a game as TABLE:PAY_TABLE, followed by "
    "name=value for each setting that differs from its default, separated by colons. Separate "
    "two games with a plus sign; none removes them. "
    "The table depends on the number of decks: 4a for two; 3a, 4b, 5a for four; 3b, 4c, 5b for "
    "five; 3c, 4d, 5c for six; 3d, 4e, 5d for eight (R-086). Each has pay tables 1 to 8.",
    parts=(
        ("wager=5", "the fixed wager, $1 to $20; $1 by default"),
        ("seed=5000", "the meter's starting amount, also after a 100% award"),
        ("contribution=21%", "the share of each wager that goes to the meter"),
        ("kind=house", "a posted amount (seed) of house money instead of a progressive meter"),
        ("prize=100", "the operator's prize per $1 of wager, if the table has such a line"),
        ("prize_from=jackpot", "prizes are paid from the meter instead of by the house"),
        ("alternate=1", "one of the table's sets of alternate lines"),
        ("reseed=after_round", "the meter is reseeded only after the round"),
        ("winners=in_sequence", "several winners of a house jackpot are paid in sequence"),
        ("best_only=on", "only the better hand is paid, with the up card or the down card"),
        ("top_alone=on", "a hand that wins the whole meter is paid no other line"),
    ),
    examples=(
        GuideExample("jackpot wsgc-2021 jackpots=3c:1", "one progressive with default settings"),
        GuideExample(
            "jackpot wsgc-2021 decks=8 jackpots=3d:2:wager=5:seed=10000",
            "eight decks, pay table 2, a $5 wager, and a meter that starts at $10,000",
        ),
        GuideExample(
            "rules card wsgc-2021 jackpots=3c:1:seed=5000+4d:1:wager=5:seed=10000",
            "the rule card for two games",
        ),
        GuideExample(
            "rules check wsgc-2021 jackpots=5c:1:kind=house:seed=1000:prize=100",
            "a house jackpot with its posted amount and prize",
        ),
        GuideExample(
            "deal wsgc-2021-two-jackpots --jackpots", "two jackpots as a ready-made variant"
        ),
    ),
)
BONUS_CARD_GUIDE = OptionGuide(
    options=("bonus_cards", "mtd_configuration"),
    rules="R-015 to R-019, O-29",
    text="Match the Dealer has four configurations. 1: Up Card. 2: Up Card and Down Card. 3: Up "
    "Card and 1 to 4 Bonus Cards. 4: Up Card, Down Card and 1 to 5 Bonus Cards. 0 means that it "
    "isn't offered. Bonus Cards are dealt next to the dealer's hand and are then out of play. "
    "Commands call the wagers up, down, b1, b2, b3, b4 and b5.",
    parts=(
        ("mtd_configuration=3", "Up Card and Bonus Cards"),
        ("bonus_cards=3", "three Bonus Cards: wagers b1, b2 and b3"),
        ("mtd_required=up+b1", "wagers that the house requires"),
    ),
    examples=(
        GuideExample(
            "rules card wsgc-2021 mtd_configuration=3 bonus_cards=3",
            "the rule card for the Up Card and three Bonus Cards",
        ),
        GuideExample(
            "sidebets wsgc-2021 mtd_configuration=4 bonus_cards=5 --side up=5,b1=1,b5=1",
            "the combined result of three of the seven wagers",
        ),
        GuideExample(
            "deal wsgc-2021-bonus-cards --side up=5,b1=2,b2=2,b3=2",
            "Bonus Cards as a ready-made variant",
        ),
    ),
)
GUIDES = {name: guide for guide in (JACKPOT_GUIDE, BONUS_CARD_GUIDE) for name in guide.options}


def guide_data(guide: OptionGuide) -> dict[str, object]:
    return {
        "options": list(guide.options),
        "rules": guide.rules,
        "text": guide.text,
        "parts": [{"write": part, "meaning": meaning} for part, meaning in guide.parts],
        "examples": [
            {"command": f"ventiuna {example.command}", "about": example.about}
            for example in guide.examples
        ],
    }


# --- Options ---

# The first option of each part of the list.
OPTION_PARTS = {
    "game": "Cards",
    "soft_17": "Dealer, blackjack and 21",
    "double_on_21": "Doubling, rescue, surrender, splitting, insurance",
    "envy": "Envy Bonus",
    "mtd_configuration": "Match the Dealer",
    "deal_order": "Sequence of the deal and settlements",
    "table_minimum": "Limits",
}
BASE_PRESET = "blackjack"  # the preset that all others extend


def options_by_part() -> Iterator[tuple[str, list[Option]]]:
    """Yield the options in order, grouped by part of the list."""
    names = list(OPTIONS_BY_NAME)
    starts = [names.index(name) for name in OPTION_PARTS]
    for part, start, end in zip(
        OPTION_PARTS.values(), starts, [*starts[1:], len(names)], strict=True
    ):
        yield part, list(OPTIONS[start:end])


def unknown_option(name: str) -> RulesError:
    """Return the error for an unknown option name."""
    if name in ROW_FIELDS:
        fix = f"Write it in a rules file, as [[{name}]] rows."
        return RulesError([Problem("option", name, "", "this is a list of rows", fix)])
    fix = did_you_mean(name, list(dict.fromkeys([*OPTIONS_BY_NAME, *GUIDES])))
    return RulesError([Problem("option", name, "", "no such option", fix)])


def values_of(option: Option) -> tuple[str, ...]:
    """Return all values, or the common ones if any value is accepted."""
    if option.kind == "flag":
        return ("on", "off")
    if option.choices is not None:
        return tuple(option.choices)
    if option.kind == "number":
        return tuple(str(number) for number in range(option.low, option.high + 1))
    if option.name == "limit_profile":
        return tuple(limit_profiles())
    return MTD_NAMES if option.kind == "names" else option.usual


def value_words(value: str) -> str:
    """
    >>> value_words("at_once_unless_insured")
    'at once unless insured'
    """
    return value.replace("_", " ")


def change_words(option: Option, value: str) -> str:
    """Describe an option set to a value.

    >>> change_words(OPTIONS_BY_NAME["soft_17"], "stand")
    'Dealer on soft 17: stand'
    """
    return f"{option.text[0].upper()}{option.text[1:]}: {value_words(value)}"


def preset_value_text(preset: str, option: Option) -> str:
    return option.plain(getattr(load_preset(preset), option.name))
