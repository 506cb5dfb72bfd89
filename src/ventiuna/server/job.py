"""One simulation in a process of its own: settings come in as JSON, progress and result go out.

The server starts it, reads its lines and ends it. It ends by itself when the server is gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Mapping
from threading import Thread
from typing import Any

from ventiuna.analysis.questions.again import command_text
from ventiuna.errors import VentiunaError
from ventiuna.rules import load_rules
from ventiuna.simulation.executors import threads
from ventiuna.simulation.result_data import finite_data
from ventiuna.simulation.run import Progress, begin, warm_up
from ventiuna.simulation.settings import Settings
from ventiuna.texts import json_text

POLITE = 10  # steps behind the server itself
EVERY = 0.2  # seconds between two lines of progress


def main() -> int:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(POLITE)
    asked = json.loads(sys.stdin.readline())
    Thread(target=_end_with_server, daemon=True).start()
    try:
        _tell("result", _played(asked))
    except VentiunaError as error:
        _tell("problem", str(error))
        return 1
    return 0


def _played(asked: Mapping[str, Any]) -> object:
    settings = Settings(**asked["settings"])
    rules = load_rules(settings.rules)
    run = begin(settings.plan(rules), asked["rounds"], asked["until"])
    warm_up(run.work)
    report = _Report()
    with threads(asked["threads"]) as workers:
        result = run.go(workers, report)
    data = result.as_data()
    del data["starts"], data["decisions"]  # thousands of lines
    words = [*settings.words(rules), "--rounds", str(run.tally.dealt), "--json"]
    return finite_data(data) | {"workers": workers.name, "command": command_text(words)}


class _Report:
    """A line now and then."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last < EVERY:
            return
        self._last = now
        ev = progress.result.ev
        _tell(
            "progress",
            finite_data(
                {
                    "rounds": progress.rounds,
                    "target": progress.target,
                    "seconds": progress.seconds,
                    "rate": progress.rate,
                    "ev": ev.value,
                    "standard_error": ev.standard_error,
                }
            ),
        )


def _tell(kind: str, what: object) -> None:
    sys.stdout.write(json_text({kind: what}, None) + "\n")
    sys.stdout.flush()


def _end_with_server() -> None:
    """Its end of the pipe closes when it is gone, however it went."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
