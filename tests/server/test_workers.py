"""Workers: limited in number, replaced when they die, and stopped with the server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.coroutines import run_async
from tests.server.running import PATIENCE, until
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.workers import WorkerPool, are_threads_busy, processes, threads


def _number() -> int:
    return os.getpid()


def _nothing() -> None:
    """Do nothing as preparation."""


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_replaced() -> None:
    async def scenario() -> None:
        workers = WorkerPool("It is", 1, 4, partial(processes, 1))
        await workers.start()
        try:
            first = await workers.ask(_number)
            with pytest.raises(RequestDeclined, match="busy"):
                await workers.ask(_die)
            second = await workers.ask(_number)
        finally:
            workers.close()
        assert first != second
        assert os.getpid() not in (first, second)

    run_async(scenario())


def test_the_queue_is_bounded() -> None:
    async def scenario() -> None:
        workers = WorkerPool("It is", 1, 1, partial(threads, 1, _nothing))
        with pytest.raises(RequestDeclined, match="busy"):
            await workers.ask(_number)  # the workers haven't been started
        await workers.start()
        slow = [asyncio.ensure_future(workers.ask(time.sleep, 0.2)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RequestDeclined, match="It is busy"):
            await workers.ask(_number)
        await asyncio.gather(*slow)
        assert await workers.ask(_number) == os.getpid()
        workers.close()

    run_async(scenario())


def test_closing_doesnt_wait_for_processes() -> None:
    """If closing waited for the questions, this test would take hours."""

    async def scenario() -> None:
        workers = WorkerPool("It is", 1, 1, partial(processes, 1))
        await workers.start()
        number = await workers.ask(_number)
        asked = [asyncio.ensure_future(workers.ask(time.sleep, 10_000)) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.to_thread(workers.close)
        for one in asked:
            with pytest.raises(RequestDeclined, match="busy"):
                await one
        assert not _is_alive(number)
        with pytest.raises(RequestDeclined, match="busy"):
            await workers.ask(_number)

    run_async(scenario())


def _much() -> bytes:
    return bytes(1_000_000)


def test_closing_doesnt_wait_for_a_truncated_answer() -> None:
    """A process is killed while sending an answer larger than its pipe buffer."""
    held = Event()
    pool = processes(1)
    assert isinstance(pool, ProcessPoolExecutor)
    small = pool.submit(_number)
    # Blocks the thread that would read further results.
    small.add_done_callback(lambda _: held.wait(PATIENCE))
    large = pool.submit(_much)
    worker = pool._processes[small.result(PATIENCE)]
    until(lambda: not pool._result_queue.empty())
    closing = Thread(target=pool.shutdown, daemon=True)
    closing.start()
    until(lambda: not worker.is_alive())
    held.set()
    closing.join(PATIENCE)
    assert not closing.is_alive()
    with pytest.raises(BrokenExecutor):
        large.result(PATIENCE)


def test_closing_doesnt_wait_for_threads() -> None:
    """Threads of another pool that is still open don't matter."""

    async def scenario() -> None:
        other = WorkerPool("It is", 1, 1, partial(threads, 1, _nothing))
        await other.start()
        begun, held = Event(), Event()

        def work() -> None:
            begun.set()
            held.wait()

        workers = WorkerPool("It is", 1, 1, partial(threads, 1, lambda: None))
        await workers.start()
        asked = [asyncio.ensure_future(workers.ask(work)) for _ in range(2)]
        await asyncio.to_thread(begun.wait)
        workers.close()
        for one in asked:
            with pytest.raises(RequestDeclined, match="busy"):
                await one
        assert are_threads_busy()
        held.set()
        until(lambda: not are_threads_busy())
        assert await other.ask(_number) == os.getpid()
        other.close()

    run_async(scenario())


def test_closing_while_workers_warm_up_starts_no_others() -> None:
    async def scenario() -> None:
        workers = WorkerPool("It is", 1, 1, partial(processes, 1))
        warming = asyncio.ensure_future(workers.start())
        await asyncio.sleep(0)
        workers.close()
        await warming
        with pytest.raises(RequestDeclined, match="busy"):
            await workers.ask(_number)

    run_async(scenario())


SERVER = """
    import asyncio, os, signal, sys
    from functools import partial
    from ventiuna.server.workers import WorkerPool, processes

    async def main():
        workers = WorkerPool("It is", 1, 1, partial(processes, 1))
        await workers.start()
        print(await workers.ask(os.getpid), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

    if __name__ == "__main__":
        asyncio.run(main())
"""


def test_workers_exit_when_the_server_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(textwrap.dedent(SERVER), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    worker = int(done.stdout)
    until(lambda: not _is_alive(worker))


def _is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


STARTING = """
    import asyncio, os, signal, sys, time
    from functools import partial
    from ventiuna.server.workers import WorkerPool, processes

    async def main():
        workers = WorkerPool("It is", 1, 1, partial(processes, 1))
        starting = asyncio.ensure_future(workers.start())
        signal.signal(signal.SIGINT, lambda *_: None)
        for _ in range(20):
            await asyncio.sleep(0.05)
            os.killpg(0, signal.SIGINT)
        await starting
        assert await workers.ask(os.getpid) != os.getpid()
        workers.close()

    if __name__ == "__main__":
        asyncio.run(main())
"""


def test_ctrl_c_while_a_worker_starts_has_no_traceback(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(textwrap.dedent(STARTING), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
