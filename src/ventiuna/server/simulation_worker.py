"""The program that runs one simulation: reads settings as JSON, and writes progress and the result.

`ventiuna.server.jobs` starts it as a separate process.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Event, Thread
from typing import Any

from ventiuna.analysis.coerce import command_text
from ventiuna.analysis.results import data_of
from ventiuna.errors import VentiunaError
from ventiuna.rules import load_rules
from ventiuna.simulation.blocks import Tally
from ventiuna.simulation.checkpoint import CheckpointSaver, read_checkpoint, resume
from ventiuna.simulation.queries import SimulationSettings
from ventiuna.simulation.result import PlottedProgress
from ventiuna.simulation.run import BlockExecutor, Progress, Run, begin_run, threads
from ventiuna.texts import finite, json_text

NICENESS = 10  # steps below the server's priority
REPORT_EVERY = 0.2  # seconds between progress lines
FIRST_POINTS = [step * 10**power for power in (3, 4, 5) for step in (1, 2, 5)]  # rounds
STOP = "stop"  # the line that requests an early end


def main() -> int:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    data = json.loads(sys.stdin.readline())
    stop = Event()
    Thread(target=_watch_for_stop, args=(stop,), daemon=True).start()
    try:
        _write_line("result", _run_simulation(data, stop))
    except VentiunaError as error:
        _write_line("problem", str(error))
        return 1
    return 0


def _run_simulation(request: Mapping[str, Any], stop: Event) -> object:
    settings = SimulationSettings.model_construct(**request["settings"])
    rules = load_rules(settings.rules)
    run = begin_run(settings.plan(rules), request["rounds"], request["until"])
    keep = Path(request["checkpoint"])
    goes_on = keep.exists()
    if goes_on:
        resume(run, *read_checkpoint(keep))
    with threads(request["threads"]) as workers:
        if not goes_on:
            _report_first_points(run, workers, stop)
        saver = CheckpointSaver(keep, settings.model_dump(), run)
        result = run.go(workers, _ProgressReport(stop), saver)
    data = result.as_data()
    del data["starts"], data["decisions"]  # thousands of rows
    words = [*settings.words(rules), "--rounds", str(run.tally.dealt), "--json"]
    return data | {"workers": workers.name, "command": command_text(words)}


def _report_first_points(run: Run, workers: BlockExecutor, stop: Event) -> None:
    """Report the estimate after 1,000, 2,000, 5,000 … rounds of the first block.

    These rounds are then played again, with identical results, because a block is reported only as
    a whole.
    """
    points: list[object] = []
    for rounds in FIRST_POINTS:
        if stop.is_set() or rounds >= min(run.rounds, run.spec.block_rounds):
            return
        start = Tally.empty(run.spec, tuple(run.tally.meters.cents))
        ev = Run(run.spec, start, rounds).go(workers).ev
        points.append({"rounds": rounds, "ev": ev.value, "standard_error": ev.standard_error})
        _write_line("first", points)


class _ProgressReport:
    """Reports progress at intervals; on request, stops early after a whole block."""

    def __init__(self, stop: Event) -> None:
        self._stop = stop
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        stops = self._stop.is_set()
        if stops or now - self._last >= REPORT_EVERY:
            self._last = now
            _write_line("progress", finite(data_of(PlottedProgress, progress)))
        if stops:
            raise KeyboardInterrupt  # ends the run and keeps its result so far


def _write_line(kind: str, what: object) -> None:
    sys.stdout.write(json_text({kind: what}, None) + "\n")
    sys.stdout.flush()


def _watch_for_stop(stop: Event) -> None:
    """Wait for a stop request, and exit once the server closes the pipe or dies."""
    for line in sys.stdin:
        if line.strip() == STOP:
            stop.set()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
