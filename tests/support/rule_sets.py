"""Rule sets in bulk: everything that a document lets a house choose, and any other valid set."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from ventiuna.rules.canonical import canonical
from ventiuna.rules.data_files import jackpot_tables, variants
from ventiuna.rules.loader import change_rules, choices_of, load_rules, preset_ids
from ventiuna.rules.model import (
    OPTIONS,
    Jackpot,
    JackpotKind,
    PrizeFrom,
    Reseed,
    Rules,
    RulesError,
    Winners,
)
from ventiuna.rules.options import Option

# Presets that random draws start from. The list is fixed, because another preset would change what
# every pinned seed draws.
DRAWN_PRESETS = (
    "blackjack",
    "casino-card",
    "catfish-bend",
    "super-fun-21",
    "wsgc-2021",
    "wsgc-spanish-21",
    "wsgc-v002",
)

# Options that change the game itself, so all combinations of their choices are tried.
MAIN_OPTIONS = ("decks", "soft_17", "double_double")

# Values worth trying for options that have no list of their own.
_VALUES: dict[str, Sequence[object]] = {
    "cut_card": (0, 10, 50, 75, 100),
    "burn_cards": (0, 1, 20),
    "blackjack_pays": ("3 to 2", "6 to 5", "1 to 1", "2 to 1"),
    "diamond_blackjack_pays": ("3 to 2", "1 to 1", "2 to 1"),
    "insurance_pays": ("2 to 1", "3 to 1"),
    "envy_amount": ("0", "50", "0.25"),
    "mtd_minimum": ("0", "1", "5"),
    "mtd_maximum": ("0", "25", "100"),
    "mtd_required": ("none", "up", "up+down", "b1"),
    "table_minimum": ("1", "5", "25"),
    "table_maximum": ("25", "100", "300", "400", "5000"),
    "chip_unit": ("0.50", "1", "5", "25"),
    "small_chip_unit": ("0.25", "0.50", "1", "5"),
    "limit_profile": ("none", "wac-2009", "wac-2023"),
}
# Changes that only make sense together.
_SEQUENCE = ("deal_order", "spots_settled", "bonus_order")
_TOGETHER: tuple[Mapping[str, object], ...] = (
    {"soft_17": "stand", "double_double": "off"},
    {"soft_17": "hit", "double_double": "on", "surrender": "late"},
    {"surrender": "any_time", "double_for_less": "off", "double_double": "off"},
    {"blackjack_tie": "wins", "blackjack_paid": "at_once"},
    {"table_minimum": "1", "table_maximum": "3", "limit_profile": "none"},
    *({"mtd_configuration": 3, "bonus_cards": cards} for cards in range(1, 5)),
    *({"mtd_configuration": 4, "bonus_cards": cards} for cards in range(1, 6)),
    *({"mtd_configuration": number, "bonus_cards": 0} for number in range(3)),
)


def every_choice(preset: str, names: Sequence[str] = MAIN_OPTIONS) -> Iterator[Rules]:
    """All rule sets that a preset's document allows for these options."""
    base = load_rules(preset)
    choices = choices_of(preset)
    values = [choices.get(name, [getattr(base, name)]) for name in names]
    for chosen in product(*values):
        rules = _changed(base, dict(zip(names, chosen, strict=True)))
        if rules is not None:
            yield rules


def approved_rules() -> Iterator[Rules]:
    """All main choices of every preset's document, then the ready-made variants."""
    for preset in preset_ids():
        yield from every_choice(preset)
    yield from map(load_rules, variants())


def random_choices(rules: Rules, preset: str, generator: random.Random) -> Rules:
    """The rules with all other choices in the preset's document made at random."""
    choices = choices_of(preset).items()
    free = {name: raw for name, raw in choices if raw and name not in MAIN_OPTIONS}
    sequence = {name: free.pop(name) for name in _SEQUENCE if name in free}
    rules = _changed_by_one(rules, [{name: generator.choice(raw)} for name, raw in free.items()])
    if len(free.get("bonus_cards", ())) > 1:
        rules = _changed_by_one(rules, [generator.choice(_TOGETHER[-12:])])
    rules = random_jackpots(rules, generator) if preset == "wsgc-2021" else rules
    # The house's sequence has its own generator, so that a seed keeps drawing the same rules.
    own = random.Random(canonical(rules))
    return _changed_by_one(rules, [{name: own.choice(raw)} for name, raw in sequence.items()])


def random_rules(generator: random.Random, changes: int = 8) -> Rules:
    """Any valid rule set, however far from the documents."""
    rules = load_rules(generator.choice(DRAWN_PRESETS))
    tried = generator.choices(changes_to_try(), k=generator.randint(0, changes))
    rules = _changed_by_one(rules, tried)
    rules = random_jackpots(rules, generator) if generator.random() < 0.6 else rules
    own = random.Random(canonical(rules))  # as above
    return _changed_by_one(rules, own.choices(sequence_changes(), k=own.randint(0, 2)))


@cache
def sequence_changes() -> tuple[Mapping[str, object], ...]:
    """Each value of the options for the sequence of the deal and settlements."""
    return tuple(
        {option.name: value}
        for option in OPTIONS
        if option.name in _SEQUENCE
        for value in _values(option)
    )


@cache
def changes_to_try() -> tuple[Mapping[str, object], ...]:
    """Each value of each option, and the sets of changes that belong together."""
    options = [option for option in OPTIONS if option.name not in _SEQUENCE]
    single = [{option.name: value} for option in options for value in _values(option)]
    return (*single, *_TOGETHER)


def _values(option: Option) -> Sequence[object]:
    if option.choices is not None:
        return tuple(option.choices)
    if option.kind == "flag":
        return ("on", "off")
    return _VALUES.get(option.name) or range(option.low, option.high + 1)


def random_jackpots(rules: Rules, generator: random.Random) -> Rules:
    """Add one or two jackpot games with a paytable for these decks and random settings."""
    fitting = [table for table in jackpot_tables().values() if rules.decks in table.decks]
    if not fitting:
        return rules
    kind = generator.choice(list(JackpotKind))
    games = []
    for _ in range(generator.randint(1, 2)):
        table = generator.choice(fitting)
        games.append(
            Jackpot(
                table=table.id,
                pay_table=generator.choice(list(table.pay_tables)),
                wager=generator.choice([100, 200, 500, 2000]),
                kind=kind,
                alternate=generator.choice([0, *table.alternates]),
                prize=generator.choice([0, 100, 5000]),
                prize_from=generator.choice(list(PrizeFrom)),
                seed=generator.choice([1, 99_999, 1_000_000]),
                contribution=generator.choice([0, 2100, 1, 3333, 10_000]),
                reseed=generator.choice(list(Reseed)),
                winners=generator.choice(list(Winners)),
                best_only=generator.random() < 0.3,
                top_alone=generator.random() < 0.3,
            )
        )
    return _changed(rules, {"jackpots": games}) or rules


def _changed_by_one(rules: Rules, changes: Sequence[Mapping[str, object]]) -> Rules:
    """Apply the changes one by one, skipping those that conflict with the rules so far."""
    for change in changes:
        rules = _changed(rules, change) or rules
    return rules


def _changed(rules: Rules, changes: Mapping[str, object]) -> Rules | None:
    try:
        return change_rules(rules, changes)
    except RulesError:
        return None
