"""Rounds of a count that are kept in a checkpoint and gone on with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ventiuna.analysis.questions.numbers import problem

if TYPE_CHECKING:
    from ventiuna.simulation.run import Run

INTERRUPTED = 130


@dataclass(frozen=True)
class Kept:
    """What a checkpoint says of its run; the command line says the rest again."""

    rules: str
    count: str
    seed: int

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def go_on(run: Run, path: Path) -> None:
    """The tally of a checkpoint, which must be of the same run."""
    from ventiuna.simulation.checkpoint import read_checkpoint, restore

    run.tally = restore(run.work, *read_checkpoint(path))
    if run.tally.blocks > run.blocks:
        raise problem(
            "rounds", run.rounds, f"the checkpoint has {run.tally.dealt:,} already", "Ask for more."
        )
