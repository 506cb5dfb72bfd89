"""What documents say and tables show: looked up, compared, checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ventiuna.analysis.given import given_rules, given_text
from ventiuna.door.entries import entry
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.layout.records import Layout
    from ventiuna.rules.words.card import RuleCard
    from ventiuna.rules.words.compare import Difference
    from ventiuna.rules.words.explained import Explained
    from ventiuna.rules.words.steps import Step
    from ventiuna.table.shoes.verifying import Verification


@entry
def explain(*numbers: str, search: str = "") -> list[Explained]:
    """Requirements by number, and those with a word: what they say and what decides them.

    >>> import ventiuna as vt
    >>> [found] = vt.explain("R-021")
    >>> found.number
    'R-021'
    """
    from ventiuna.rules.words.explained import found_numbers

    return found_numbers([given_text("number", number) for number in numbers], search)


@entry
def diff(first: Rules | str, second: Rules | str) -> list[Difference]:
    """Every option, row, pay and jackpot in which two sets of rules differ.

    >>> import ventiuna as vt
    >>> [change.field for change in vt.diff("wsgc-2021", "wsgc-2021(soft_17=stand)")]
    ['soft_17']
    """
    from ventiuna.rules.words.compare import differences

    return differences(given_rules(first), given_rules(second))


@entry
def rule_card(rules: Rules | str) -> RuleCard:
    """The sign at the table: the game, its pays and its limits, in words.

    >>> import ventiuna as vt
    >>> type(vt.rule_card("wsgc-2021")).__name__
    'RuleCard'
    """
    from ventiuna.rules.words.card import rule_card as card_of

    return card_of(given_rules(rules))


@entry
def procedure(rules: Rules | str) -> list[Step]:
    """What a dealer does, step by step, each with its rules.

    >>> import ventiuna as vt
    >>> vt.procedure("wsgc-2021")[-1].rules
    ('R-010',)
    """
    from ventiuna.rules.words.procedure import procedure as steps_of

    return steps_of(given_rules(rules))


@entry
def rule_options(name: str = "") -> dict[str, object]:
    """Every option of rules: meaning, values, default, and which presets set it; or one of them.

    Of `jackpots` and `bonus_cards` it says how they are written, with examples.

    >>> import ventiuna as vt
    >>> [part["name"] for part in vt.rule_options()["parts"]][:2]
    ['Cards', 'Dealer, blackjack and 21']
    >>> [str(each["value"]) for each in vt.rule_options("soft_17")["values"]]
    ['hit', 'stand']
    """
    from ventiuna.rules.words.options import named_option_data, options_data

    wanted = given_text("name", name)
    return named_option_data(wanted) if wanted else options_data()


@entry
def printed_layout(rules: Rules | str) -> Layout:
    """What is printed on the felt (R-004); `ventiuna.layout` draws it as SVG and PDF.

    >>> import ventiuna as vt
    >>> type(vt.printed_layout("wsgc-2021")).__name__
    'Layout'
    """
    from ventiuna.layout import layout

    return layout(given_rules(rules))


@entry
def verify(record: str | Path) -> Verification:
    """One shoe of a live table checked from its public record: the JSON itself, or its file.

    >>> import ventiuna as vt
    >>> vt.verify("{}")
    Traceback (most recent call last):
      ...
    ventiuna.table.shoes.shoe_record.RecordError: format: it is missing from the record.
    """
    from ventiuna.files import read_text_file
    from ventiuna.table.shoes.shoe_record import read_record
    from ventiuna.table.shoes.verifying import verify as verify_record

    if isinstance(record, Path):
        return verify_record(read_record(read_text_file(record)))
    text = given_text("record", record)
    is_json = text.lstrip().startswith("{")
    return verify_record(read_record(text if is_json else read_text_file(Path(text))))
