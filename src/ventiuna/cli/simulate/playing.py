"""Runs a simulation: where its blocks are played, its progress bar, its checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ventiuna.cli.output import note, sees_bars
from ventiuna.cli.streams import error_lines

if TYPE_CHECKING:
    from ventiuna.simulation.executors import Workers
    from ventiuna.simulation.result import Result
    from ventiuna.simulation.run import Progress, Run
    from ventiuna.simulation.tally import Tally

SAVE_EVERY = 20.0  # seconds


class Settings(Protocol):
    """What a run was asked for, as its checkpoint keeps it."""

    def as_data(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Places:
    """Where a run is played and kept."""

    threads: int
    dask: str
    keep: Path | None  # the checkpoint


@dataclass(frozen=True)
class Played:
    result: Result
    workers: str
    unsaved: OSError | None  # why the last checkpoint is not there


@contextmanager
def telling_interrupts() -> Iterator[None]:
    """Ctrl-C before there is anything to show is told; later it ends a run with what there is."""
    try:
        yield
    except KeyboardInterrupt:
        note("interrupted before the first rounds were played: there is nothing to show")
        raise


@telling_interrupts()
def play(run: Run, places: Places, settings: Settings) -> Played:
    from ventiuna.simulation import executors

    place: AbstractContextManager[Workers]
    place = (
        executors.dask_workers(places.dask) if places.dask else executors.threads(places.threads)
    )
    saver = Saver(places.keep, settings, run) if places.keep else None
    with place as workers, _bar(run) as report:
        result = run.go(workers, report, saver)
        if not run.tally.dealt:
            raise KeyboardInterrupt
    return Played(result, workers.name, saver.error if saver else None)


class Saver:
    """Writes the first block, then every few seconds, and always what the run ends with.

    A checkpoint that can't be written is told at once, but no reason to lose the run.
    """

    def __init__(self, path: Path, settings: Settings, run: Run) -> None:
        self.error: OSError | None = None
        self._path, self._settings, self._run = path, settings, run
        self._last = -SAVE_EVERY

    def __call__(self, tally: Tally, ending: bool) -> None:
        from ventiuna.simulation.checkpoint import save_checkpoint

        if not ending and time.monotonic() - self._last <= SAVE_EVERY:
            return
        self._last = time.monotonic()
        settings = self._settings.as_data()
        before = self.error
        try:
            save_checkpoint(self._path, tally, settings, self._run.rounds, self._run.until)
            self.error = None
        except OSError as error:
            self.error = error
            if before is None and not ending:
                for line in error_lines(error):
                    note(f"checkpoint not written, the run goes on: {line}")


@contextmanager
def _bar(run: Run) -> Iterator[Callable[[Progress], None] | None]:
    """A bar with rate, time left and the edge so far, where a person is watching."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    out = Console(stderr=True)
    if not sees_bars(out):
        yield None
        return
    columns = (
        TextColumn("{task.percentage:>3.0f}%"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[edge]}"),
    )
    with Bar(*columns, console=out, transient=True) as bar:
        task = bar.add_task("", total=run.rounds, completed=run.tally.rounds, rate="", edge="")

        def report(progress: Progress) -> None:
            ev = progress.result.ev
            bar.update(
                task,
                completed=progress.rounds,
                total=progress.target,
                rate=f"{progress.rate / 1e6:.1f} M rounds/s",
                edge=f"edge {-100 * ev.value:.4f} ± {196 * ev.standard_error:.4f} %",
            )

        yield report
