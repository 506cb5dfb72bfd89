"""Shared parts of the soaks that compare two ways of playing: rules, blocks, sums, the report."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TypeVar

from benchmarks.kept import Facts, code_digest, read_kept, write_kept
from benchmarks.pool import Soaked, add_up, blocks, play_blocks, read_options
from benchmarks.soak import documented
from tests.support.rule_sets import random_rules
from ventiuna.rules import Rules

WILD = 0.2  # share of rule sets far from any document


@dataclass
class Compared:
    """Results of a block, or of all blocks."""

    rounds: int = 0
    differences: list[str] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)  # numbers of the blocks included

    @property
    def done(self) -> int:
        return self.rounds

    @property
    def failures(self) -> list[str]:
        return self.differences

    def add(self, other: Compared) -> None:
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))

    def go_on_from(self, facts: Facts) -> None:
        """Continue from the saved results of an earlier run."""
        for part in fields(self):
            kind = type(getattr(self, part.name))
            setattr(self, part.name, kind(facts[part.name]))


C = TypeVar("C", bound=Compared)
CompareBlock = Callable[[int, int, int], C]  # seed, block number, rounds per block


def some_rules(generator: random.Random) -> Rules:
    """Return random rules, mostly within a preset's document."""
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
    """Add up all blocks, on all cores, until done or interrupted."""
    options = read_options(name, about, rounds, arguments, goes_on=True)
    keep = _going_on(name, options, block, total)
    done = set(total.blocks)
    todo = (todo for todo in blocks(options.rounds, block) if todo[0] not in done)
    play = partial(_numbered, compare_block)
    found = play_blocks(play, options.seed, todo, options.workers)
    return options, add_up(total, found, options.rounds, keep)


def _numbered(compare_block: CompareBlock[C], seed: int, number: int, rounds: int) -> C:
    compared = compare_block(seed, number, rounds)
    compared.blocks = [number]
    return compared


def _going_on(
    name: str, options: argparse.Namespace, block: int, total: Compared
) -> Callable[[], None]:
    """Read the checkpoint, if there is one; return the function that writes it."""
    path = options.checkpoint
    if path is None:
        return lambda: None
    soak = {"program": name, "seed": options.seed, "rounds": options.rounds, "block": block}
    about = {**soak, "code": code_digest()}
    kept = read_kept(path, about)
    if kept is not None:
        total.go_on_from(kept)
    return lambda: write_kept(path, about, vars(total))


def report(
    total: Compared, options: argparse.Namespace, soaked: Soaked, played: str, agreed: list[str]
) -> int:
    """Report what was played and what differs, if anything; return the exit code."""
    if options.json:
        facts = {name: value for name, value in vars(total).items() if name != "blocks"}
        ended = {"seconds": round(soaked.seconds, 1), "stopped": soaked.stopped}
        print(json.dumps({"seed": options.seed, **facts, **ended}, indent=1, sort_keys=True))
    else:
        if soaked.stopped:
            print("Stopped. Done so far:")
        print(f"{played} in lockstep (seed {options.seed}); this run took {soaked.seconds:,.0f} s.")
        print("\n".join(total.differences or agreed))
    return 1 if total.differences else 0
