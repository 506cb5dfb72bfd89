"""Every option as people choose it: its meaning, its values, and what each preset has."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.rules.canonical import plain_text
from ventiuna.rules.data import jackpot_tables, limit_profiles
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.options import BY_NAME, OPTIONS, Option
from ventiuna.rules.reading.loading import load_preset, preset_ids
from ventiuna.rules.values import MTD_NAMES, did_you_mean, option_fix
from ventiuna.rules.words.departures import allowed_values, standing
from ventiuna.rules.words.guides import GUIDES, guide_data

Data = dict[str, object]

# The option that opens each part of a list.
PARTS = {
    "game": "Cards",
    "soft_17": "Dealer, blackjack and 21",
    "double_on_21": "Doubling, rescue, surrender, splitting, insurance",
    "envy": "Envy Bonus",
    "mtd_configuration": "Match the Dealer",
    "table_minimum": "Limits",
}
PLAINEST = "blackjack"  # the preset that all others extend


def parts() -> Iterator[tuple[str, list[Option]]]:
    """The options in their order, by the part of the list that they stand in."""
    names = list(BY_NAME)
    starts = [names.index(name) for name in PARTS]
    for part, start, end in zip(PARTS.values(), starts, [*starts[1:], len(names)], strict=True):
        yield part, list(OPTIONS[start:end])


def options_data() -> Data:
    """All options and jackpot tables; whoever offers rules to choose needs nothing else."""
    return {
        "parts": [
            {"name": part, "options": [option_data(option) for option in options]}
            for part, options in parts()
        ],
        "jackpot_tables": [
            {
                "table": table.id,
                "decks": list(table.decks),
                "pay_tables": list(table.pay_tables),
                "alternates": list(table.alternates),
                "document": table.document,
                "rule": table.rule,
            }
            for table in jackpot_tables().values()
        ],
    }


def named_option_data(name: str) -> Data:
    """One option, and how it is written where that takes a guide."""
    option, guide = BY_NAME.get(name), GUIDES.get(name)
    if option is not None:
        return option_data(option) | ({"guide": guide_data(guide)} if guide else {})
    if guide is not None:
        return guide_data(guide)
    raise unknown_option(name)


def option_data(option: Option) -> Data:
    return {
        "name": option.name,
        "kind": option.kind,
        "meaning": option.text,
        "rules": option.rule.split(", "),
        "values": [{"value": value, "words": value_words(value)} for value in values_of(option)],
        "low": option.low if option.kind == "number" else None,
        "high": option.high if option.kind == "number" else None,
        "default": _text(PLAINEST, option),
        "how": option_fix(option),
        "presets": [
            {
                "preset": preset,
                "value": _text(preset, option),
                "words": value_words(_text(preset, option)),
                "standing": str(standing(preset, option.name)),
                "allowed": list(allowed_values(preset, option)),
            }
            for preset in preset_ids()
        ],
    }


def unknown_option(name: str) -> RulesError:
    """What to say of a name that no option has."""
    fix = did_you_mean(name, list(dict.fromkeys([*BY_NAME, *GUIDES])))
    return RulesError([Problem("option", name, "", "there is no such option", fix)])


def values_of(option: Option) -> tuple[str, ...]:
    """All values, or those that are usual where any could be written."""
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
    """One option set to a value.

    >>> change_words(BY_NAME["soft_17"], "stand")
    'Dealer on soft 17: stand'
    """
    return f"{option.text[0].upper()}{option.text[1:]}: {value_words(value)}"


def _text(preset: str, option: Option) -> str:
    return plain_text(option, getattr(load_preset(preset), option.name))
