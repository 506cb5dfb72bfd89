"""Random house rules, wagers and cards for Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.support.rule_sets import changes_to_try, sequence_changes
from ventiuna.cards import parse_cards
from ventiuna.core.cards import CARDS
from ventiuna.engine.commands import PlaceWagers
from ventiuna.money import Odds
from ventiuna.rules import Jackpot, Rules, RulesError, change_rules, load_rules, preset_ids
from ventiuna.rules.data_files import jackpot_tables
from ventiuna.rules.model import (
    OPTIONS,
    Game,
    JackpotKind,
    PayRow,
    PrizeFrom,
    Reseed,
    SuperBonusBand,
    SuperBonusForm,
    Winners,
)
from ventiuna.rules.validation import find_problems

T = TypeVar("T")
E = TypeVar("E", bound=Exception)

persons = st.sampled_from(["", "Ana", "Ben", "Cleo", "Ana"])


# --- house rules ------------------------------------------------------------------------------


@st.composite
def rule_sets(draw: DrawFn) -> Rules:
    """Valid rules: a preset with any changes that don't contradict it."""
    rules = load_rules(draw(st.sampled_from(preset_ids())))
    changes = st.sampled_from((*changes_to_try(), *sequence_changes()))
    for change in draw(st.lists(changes, max_size=8)):
        rules = changed_or_same(rules, change)
    if rules.game == Game.SPANISH_21 and draw(st.booleans()):
        kind = draw(st.sampled_from(JackpotKind))
        games = draw(st.lists(sound_jackpots(rules.decks, kind), min_size=1, max_size=2))
        rules = changed_or_same(rules, {"jackpots": games})
    return rules


def changed_or_same(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """A contradiction only raises `RulesError` and changes nothing."""
    changed = attempt(lambda: change_rules(rules, changes), RulesError)
    return rules if isinstance(changed, RulesError) else changed


def attempt(call: Callable[[], T], *errors: type[E]) -> T | E:
    """The call's result or the expected error that it raises; other errors are defects."""
    try:
        return call()
    except errors as error:
        return error


@st.composite
def sound_jackpots(draw: DrawFn, decks: int, kind: JackpotKind) -> Jackpot:
    """A game with a table for these decks, and lines that the table has."""
    tables = [table for table in jackpot_tables().values() if decks in table.decks]
    table = draw(st.sampled_from(tables))
    game = draw(jackpots())
    return replace(
        game,
        table=table.id,
        pay_table=draw(st.sampled_from(list(table.pay_tables))),
        kind=kind,
        alternate=draw(st.sampled_from([0, *table.alternates])),
        prize=game.prize or 0,
        seed=game.seed or 100,
    )


def jackpots() -> SearchStrategy[Jackpot]:
    """Any game, valid or not."""
    return st.builds(
        Jackpot,
        table=st.sampled_from(list(jackpot_tables())),
        pay_table=st.integers(1, 9),
        wager=st.sampled_from([100, 200, 300, 500, 2000]),
        kind=st.sampled_from(JackpotKind),
        alternate=st.integers(0, 3),
        prize=st.sampled_from([None, 0, 100, 2500, 100_000]),
        prize_from=st.sampled_from(PrizeFrom),
        seed=st.sampled_from([0, 1, 333, 1_000_000]),
        contribution=st.sampled_from([0, 1, 2100, 3333, 10_000]),
        reseed=st.sampled_from(Reseed),
        winners=st.sampled_from(Winners),
        best_only=st.booleans(),
        top_alone=st.booleans(),
    )


def pay_rows(names: Sequence[str]) -> SearchStrategy[tuple[PayRow, ...]]:
    """Rows for any hands, with unique names."""

    def named(rows: list[PayRow]) -> tuple[PayRow, ...]:
        return tuple(replace(row, name=name) for row, name in zip(rows, names, strict=False))

    return st.lists(pay_row(), max_size=len(names)).map(named)


@st.composite
def pay_row(draw: DrawFn) -> PayRow:
    low = draw(st.integers(2, 7))
    ranks = draw(st.sampled_from([(), (), (7, 7, 7), (6, 7, 8), (8, 8), (1, 2, 3, 4, 11)]))
    total = draw(st.sampled_from([(21, 21), (21, 21), (0, 20), (20, 21), (12, 12)]))
    return PayRow(
        name="",
        pay=draw(st.sampled_from([Odds(1, 1), Odds(2, 1), Odds(3, 2), Odds(50, 1)])),
        cards=(len(ranks), len(ranks)) if ranks else (low, draw(st.sampled_from([low, 99]))),
        rule="R-061",
        total=total,
        ranks=ranks,
        suits=draw(st.sampled_from(["any", "any", "one suit", "spades", "clubs hearts"])),
        after_split=draw(st.booleans()),
    )


@st.composite
def rule_sets_with_rows(draw: DrawFn) -> Rules:
    """Rules with random Bonus 21 rows, instant wins and Super Bonus."""
    rules = draw(rule_sets())
    forms = st.builds(
        SuperBonusForm,
        ranks=st.sampled_from([(7, 7, 7), (1, 1, 1), (6, 7, 8), (8, 8, 13)]),
        suits=st.sampled_from(["any", "one suit", "spades"]),
        up_cards=st.sampled_from([(24, 25, 26, 27), (0,), tuple(range(CARDS))]),
        decks=st.just((rules.decks,)),
        hand=st.just("three cards"),
        up=st.just("any"),
    )
    wild = replace(
        rules,
        bonus_21=draw(pay_rows(["one", "two", "three", "four"])),
        instant_wins=draw(pay_rows(["first", "second"])),
        super_bonus=draw(st.lists(forms, max_size=1).map(tuple)),
        super_bonus_bands=(SuperBonusBand(500, 100_000), SuperBonusBand(2500, 500_000)),
    )
    return rules if find_problems(wild) else wild


def unsound_changes() -> SearchStrategy[dict[str, Any]]:
    """Any option with any value, valid or not."""
    names = st.sampled_from([option.name for option in OPTIONS] + ["jackpots", "bonus_21", "seat"])
    sensible = st.sampled_from(changes_to_try()).map(lambda change: next(iter(change.values())))
    nonsense = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        st.text(max_size=8),
        st.lists(st.integers(), max_size=2),
        st.lists(jackpots(), max_size=3),
    )
    return st.dictionaries(names, st.one_of(sensible, sensible, nonsense), min_size=1, max_size=6)


# --- wagers -----------------------------------------------------------------------------------


def multiples(low: int, high: int, unit: int) -> SearchStrategy[int]:
    """Amounts from low to high, both multiples of the unit; ends and small ones first."""
    steps = (high - low) // unit
    return st.one_of(st.sampled_from(sorted({0, steps, min(9, steps)})), st.integers(0, steps)).map(
        lambda step: low + step * unit
    )


@st.composite
def fitting_wagers(draw: DrawFn, rules: Rules, spot: int) -> PlaceWagers:
    """Wagers that the table accepts, if it accepts any."""
    low = rules.table_minimum
    if rules.mtd_required and rules.mtd_at_most_base:
        low = max(low, min(rules.mtd_minimum, rules.table_maximum))
    base = draw(multiples(low, rules.table_maximum, rules.chip_unit))
    highest = rules.mtd_maximum or rules.table_maximum
    highest = min(highest, base) if rules.mtd_at_most_base else highest
    lowest = max(rules.mtd_minimum, rules.chip_unit)
    mtd = {}
    for name in rules.mtd_wagers:
        needed = name in rules.mtd_required or (name == "up" and rules.down_requires_up)
        if lowest <= highest and (needed or draw(st.booleans())):
            mtd[name] = draw(multiples(lowest, highest, rules.chip_unit))
    games = {
        game: jackpot.wager
        for game, jackpot in enumerate(rules.jackpots, start=1)
        if draw(st.booleans())
    }
    return PlaceWagers(spot, base, draw(persons), mtd, games)


amounts = st.one_of(
    st.sampled_from([-1, 0, 1, 25, 50, 99, 100, 500, 1000, 30_000, 40_000, 10**14]),
    st.integers(-(10**6), 10**6),
)


def any_wagers(seats: int) -> SearchStrategy[PlaceWagers]:
    """Wagers that may break any rule."""
    return st.builds(
        PlaceWagers,
        spot=st.integers(-1, seats + 1),
        base=amounts,
        person=persons,
        mtd=st.dictionaries(
            st.sampled_from(["up", "down", "b1", "b2", "b5", "b6", "side"]), amounts, max_size=3
        ),
        jackpots=st.dictionaries(st.integers(-1, 3), amounts, max_size=2),
    )


# --- cards ------------------------------------------------------------------------------------


KITS = (
    "7s",
    "7s 7h",
    "7c 7d 7h 7s",
    "As Ks",
    "Ad Kd Kh",
    "8c 8d",
    "Ac Ad 2h 3s",
    "6s 7s 8s",
    "5h 6h Kc",
)


@st.composite
def few_cards(draw: DrawFn, rules: Rules) -> tuple[int, ...]:
    """A few kinds of cards, so that pairs, 21s and equal cards are common."""
    if draw(st.booleans()):
        return parse_cards(draw(st.sampled_from(KITS)))
    return tuple(draw(st.lists(st.sampled_from(rules.pack.cards), min_size=1, max_size=4)))
