"""Pools of threads or processes for work that would block the event loop.

Threads start faster and suit kernels that soon release the GIL; processes suit Python code that
runs for seconds. If a process dies, only its queries are lost, and the pool is recreated. Processes
exit when the server dies or closes, so Ctrl-C never waits for a long analysis.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from importlib import import_module
from multiprocessing.connection import Connection, wait
from threading import Thread, current_thread
from typing import Any, ParamSpec, TypeVar

from ventiuna.server.problems import service_busy
from ventiuna.server.telemetry import log

P = ParamSpec("P")
T = TypeVar("T")
THREAD_NAME = "ventiuna-worker"
ENDS_WITHIN = 0.1  # seconds
MIN_RESTART_PAUSE, MAX_RESTART_PAUSE = 1.0, 60.0  # seconds


class WorkerPool:
    """A pool with a bounded queue."""

    def __init__(self, name: str, number: int, waiting: int, make: Callable[[], Executor]) -> None:
        self._name = name
        self._number = number
        self._most = number + waiting
        self._make = make
        self._running = 0
        self._underway: set[asyncio.Future[Any]] = set()
        self._executor: Executor | None = None

    def open(self) -> None:
        """Accept work; workers start with their first task."""
        self._executor = self._make()

    async def start(self) -> None:
        """Start and warm up all workers, retrying if they die."""
        pause = MIN_RESTART_PAUSE
        while not await self._are_warm():
            log("workers_failed", pool=self._name, again_in=pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_RESTART_PAUSE)

    async def _are_warm(self) -> bool:
        executor = self._make()
        self._executor = executor
        loop = asyncio.get_running_loop()
        ready = [loop.run_in_executor(executor, _warm_up_process) for _ in range(self._number)]
        try:
            await asyncio.gather(*ready)
        except BrokenExecutor:
            if self._executor is not executor:
                return True  # the pool was closed in the meantime, ending its workers
            self._executor = None
            executor.shutdown(wait=False)
            return False
        return True

    async def ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a worker. Raises an error if too many calls are already waiting."""
        assert not kwargs, "arguments must be positional"
        executor = self._executor
        if executor is None or self._running >= self._most:
            raise service_busy(self._name)
        answer = asyncio.get_running_loop().run_in_executor(executor, function, *args)
        self._running += 1
        self._underway.add(answer)
        try:
            return await answer
        except BrokenExecutor:
            self._replace(executor)
            raise service_busy(self._name) from None
        except asyncio.CancelledError:
            if self._executor is executor or _is_cancelled():
                raise
            raise service_busy(self._name) from None
        finally:
            self._running -= 1
            self._underway.discard(answer)

    def close(self) -> None:
        """Accept no more work; running calls fail as if the pool were busy."""
        executor, self._executor = self._executor, None
        if executor is not None:
            for answer in list(self._underway):
                answer.get_loop().call_soon_threadsafe(answer.cancel)
            executor.shutdown(wait=True, cancel_futures=True)

    def _replace(self, broken: Executor) -> None:
        if self._executor is broken:  # only the first caller to notice replaces it
            log("workers_replaced", pool=self._name)
            broken.shutdown(wait=False)
            self._executor = self._make()


def threads(number: int, prepare: Callable[[], None]) -> Executor:
    return _Threads(number, prepare)


class _Threads(ThreadPoolExecutor):
    """A thread can't be killed, so after the pool closes, it runs until its task is done."""

    def __init__(self, number: int, prepare: Callable[[], None]) -> None:
        self._begun: set[Thread] = set()
        super().__init__(number, THREAD_NAME, _start_thread, (self._begun, prepare))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=cancel_futures)
        _abandoned.append(self._begun)  # don't copy, because another thread may be starting


_abandoned: list[set[Thread]] = []  # the threads from each closed pool


def _start_thread(begun: set[Thread], prepare: Callable[[], None]) -> None:
    begun.add(current_thread())
    prepare()


def are_threads_busy() -> bool:
    """Whether a thread of a closed pool is still working (idle threads end immediately)."""
    remaining = [thread for begun in _abandoned for thread in begun]
    for thread in remaining:
        thread.join(ENDS_WITHIN)
    return any(thread.is_alive() for thread in remaining)


def _is_cancelled() -> bool:
    """Whether the calling task was canceled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def processes(number: int, nice: int = 0) -> Executor:
    return _Processes(number, nice)


@contextlib.contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Processes(ProcessPoolExecutor):
    """A pool of processes that exit when our end of a shared pipe closes."""

    def __init__(self, number: int, nice: int) -> None:
        context = multiprocessing.get_context("spawn")
        theirs, self._ours = context.Pipe(duplex=False)
        super().__init__(number, context, initializer=_start_process, initargs=(nice, theirs))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit with SIGINT blocked for new processes, because the server handles Ctrl-C."""
        with _ctrl_c_blocked():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the pool; queued and running work fails, so there is nothing to cancel.

        Answers come through a pipe. We also hold the pipe's write end, to pass it to new processes.
        It must be closed here, or we would wait forever for the rest of a truncated answer.
        """
        self._ours.close()
        answers: Any = self._result_queue
        if answers is not None:
            answers._writer.close()
        super().shutdown(wait)


def _start_process(nice: int, lifeline: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server stops us
    Thread(target=_exit_with_pool, args=(lifeline,), daemon=True).start()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(nice)
    # so the first query doesn't wait for the import
    import_module("ventiuna.analysis.base_game.queries")


def _exit_with_pool(lifeline: Connection) -> None:
    """Exit when the server closes the pipe or dies."""
    wait([lifeline])
    os._exit(1)


def _warm_up_process() -> bool:
    return True
