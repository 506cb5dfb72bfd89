"""The rounds of a file, text or JSON, each read with whatever suits it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ventiuna.notation.records import RoundRecord
from ventiuna.notation.shapes import parse_json
from ventiuna.notation.suits import Suits, with_suits
from ventiuna.notation.text import Block, RoundReader, round_blocks
from ventiuna.notation.worked import read_worked_round, round_entries

Read = Callable[[Suits], RoundRecord]


def readers_of(text: str, rules: str = "") -> Iterator[Read]:
    """A reader for each round; `rules` are those of rounds that name none."""
    if is_json(text):
        for entry in round_entries(parse_json(text, "the file")):
            yield worked_reader(with_rules(entry, rules))
        return
    for block in round_blocks(text):
        yield block_reader(block, rules)


def block_reader(block: Block, rules: str) -> Read:
    return lambda suits: RoundReader(block, rules, suits).read()


def is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def with_rules(entry: object, rules: str) -> object:
    """A worked round with the usual rules, if it names none."""
    return {"rules": rules, **entry} if rules and isinstance(entry, dict) and entry else entry


def worked_reader(entry: object) -> Read:
    return lambda suits: read_worked_round(with_suits(entry, suits))
