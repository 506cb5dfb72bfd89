"""What soaks that compare two ways of playing have in common: rules, blocks, sums, the end."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TypeVar

from benchmarks.pool import Soaked, add_up, blocks, play_blocks, read_options
from benchmarks.soak import documented
from ventiuna.rules import Rules
from ventiuna.testing.variations import random_rules

WILD = 0.2  # share of rule sets far off every document


@dataclass
class Compared:
    """What a block, or all of them, came to."""

    rounds: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.rounds

    @property
    def failures(self) -> list[str]:
        return self.differences

    def add(self, other: Compared) -> None:
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))


C = TypeVar("C", bound=Compared)
CompareBlock = Callable[[int, int, int], C]  # seed, number and rounds of a block


def some_rules(generator: random.Random) -> Rules:
    """Within a preset's document most of the time."""
    return random_rules(generator) if generator.random() < WILD else documented(generator)


def compare(
    name: str,
    about: str | None,
    rounds: int,
    block: int,
    compare_block: CompareBlock[C],
    total: C,
    arguments: list[str] | None,
) -> tuple[argparse.Namespace, Soaked]:
    """Add all blocks up, on all cores, until they are done or somebody stops them."""
    options = read_options(name, about, rounds, arguments)
    found = play_blocks(compare_block, options.seed, blocks(options.rounds, block), options.workers)
    return options, add_up(total, found, options.rounds)
