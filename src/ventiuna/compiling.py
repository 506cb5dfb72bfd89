"""Compiles the kernels ahead: once, with progress, on two cores where that is asked for.

Compiled kernels stay on disk, so a second process can compile some of them and this one finds
them there. Where no process can be started, or it fails, nothing is lost but time.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread

from ventiuna.errors import VentiunaError
from ventiuna.extras import require
from ventiuna.kernels.forms import ENVIRONMENTS, PARTS, SIMULATOR, Form

_HELPER = "import sys; sys.path.insert(0, {place!r}); from {name} import help_along; help_along()"
_HELPED = "done"


class WarmUpError(VentiunaError, ValueError):
    """It was asked for what there is not."""


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    done: int  # forms
    of: int
    name: str  # of the kernel that was compiled last
    share: float  # of the whole time, by the estimates


@dataclass(frozen=True)
class WarmUp:
    """What there was to do."""

    compiled: int  # forms
    ready: int  # that were there before
    seconds: float

    def as_data(self) -> dict[str, object]:
        return {"compiled": self.compiled, "ready": self.ready, "seconds": self.seconds}


Report = Callable[[Progress], None]


def all_forms(parts: Collection[str] = PARTS) -> list[Form]:
    """Every compiled form of these parts of the program."""
    require("numpy", "numba")
    forms: list[Form] = []
    if set(parts) - {SIMULATOR, ENVIRONMENTS}:
        from ventiuna.analysis.base_game.forms import exact_forms

        forms += exact_forms()
    if SIMULATOR in parts:
        from ventiuna.proof.lockstep import traced_form
        from ventiuna.simulation.forms import simulator_forms

        forms += [*simulator_forms(), traced_form()]
    if ENVIRONMENTS in parts:
        from ventiuna.simulation.seats import seat_forms

        forms += seat_forms()
    return [form for form in forms if form.part in parts]


def missing(forms: Iterable[Form]) -> list[Form]:
    """Those that are not compiled yet."""
    return [form for form in forms if not form.is_ready()]


def seconds_to_compile(forms: Iterable[Form], processes: int = 1) -> float:
    """About; the longest form is compiled by one process."""
    seconds = [form.seconds for form in forms]
    return max(sum(seconds) / processes, max(seconds, default=0.0))


def warm_up(
    parts: Collection[str] = PARTS, *, processes: int = 1, report: Report | None = None
) -> WarmUp:
    """Compile everything that these parts of the program need and that is not on disk yet.

    `report` is called after each kernel. With `processes=2` a second process helps.

    >>> warm_up(["simulator"]).ready >= 0
    True
    """
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise WarmUpError(f"parts: {unknown[0]!r} is not one of {', '.join(PARTS)}")
    if processes not in (1, 2):
        raise WarmUpError(f"processes: {processes} is not 1 or 2")
    if report is not None and not callable(report):
        raise WarmUpError("report: give a function that takes a Progress, or None")
    started = time.perf_counter()
    forms = all_forms(parts)
    wanted = missing(forms)
    compile_forms(wanted, processes, report)
    return WarmUp(len(wanted), len(forms) - len(wanted), time.perf_counter() - started)


def compile_forms(forms: list[Form], processes: int = 1, report: Report | None = None) -> None:
    """The first ones here; a helper begins at the other end, so that each meets its own parts."""
    queue = _Queue(forms, report)
    helper = _Helper(queue) if processes > 1 and len(forms) > 1 and _has_folder() else None
    try:
        while (form := queue.first()) is not None:
            form.prepare()
            queue.note(form)
        if helper is not None:
            helper.wait()
    finally:
        if helper is not None:
            helper.end()
    for form in missing(queue.left):  # what the helper began and did not finish
        form.prepare()
        queue.note(form)


@contextmanager
def without_collection() -> Iterator[None]:
    """Compiling makes little garbage, and looking for it takes a sixth of the time.

    For processes of our own alone: a host's settings are its own.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _has_folder() -> bool:
    from ventiuna.kernels.cache import folder

    return folder() is not None


class _Queue:
    """Forms that wait, taken from both ends."""

    def __init__(self, forms: list[Form], report: Report | None) -> None:
        self._forms = deque(forms)
        self._report = report
        self._lock = Lock()
        self._of = len(forms)
        self._seconds = sum(form.seconds for form in forms)
        self._done: list[Form] = []
        self.left: list[Form] = []

    def first(self) -> Form | None:
        with self._lock:
            return self._forms.popleft() if self._forms else None

    def last(self) -> Form | None:
        with self._lock:
            if not self._forms:
                return None
            self.left.append(self._forms.pop())
            return self.left[-1]

    def note(self, form: Form) -> None:
        with self._lock:
            self._done.append(form)
            if form in self.left:
                self.left.remove(form)
            if self._report is not None:
                share = sum(done.seconds for done in self._done) / self._seconds
                self._report(Progress(len(self._done), self._of, form.name, share))


# --- the helper -------------------------------------------------------------------------------


class _Helper:
    """A process that compiles what it is told to, and the thread that tells it."""

    def __init__(self, queue: _Queue) -> None:
        self._queue = queue
        self._process: subprocess.Popen[str] | None = None
        code = _HELPER.format(place=str(Path(__file__).parent.parent), name=__name__)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError:
            return
        self._thread = Thread(target=self._tell, daemon=True)
        self._thread.start()

    def _tell(self) -> None:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return
        while (form := self._queue.last()) is not None:
            try:
                process.stdin.write(f"{form.name}\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except OSError:
                return
            if answer.strip() != _HELPED:
                return
            self._queue.note(form)

    def wait(self) -> None:
        if self._process is not None:
            self._thread.join()

    def end(self) -> None:
        process = self._process
        if process is None:
            return
        process.kill()
        process.wait()
        self._thread.join()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue


def help_along() -> None:
    """Compile the forms that are named on standard input; say so when each is on disk."""
    try:
        forms: dict[str, Form] = {}
        for line in sys.stdin:
            if not forms:
                forms = {form.name: form for form in all_forms()}
            with without_collection():
                forms[line.strip()].prepare()
            print(_HELPED, flush=True)
    except KeyboardInterrupt:
        return
