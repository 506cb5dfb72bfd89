"""Where blocks are played: threads here, or any executor of `concurrent.futures`, Dask's too."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from ventiuna.extras import load
from ventiuna.strategy.errors import PlanError, plan_problem

ANSWER_WITHIN = "10s"  # a Dask scheduler, and its first worker
LAST_PORT = 65_535
_ADDRESS = re.compile(
    r"(tcp|tls|ws|wss)://(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z_.-]+):(?P<port>[0-9]{1,5})"
)
MOST_WORKERS = 1024  # on one machine
BATCH = 8  # blocks of a task where tasks cost a tenth of a block or more


@dataclass(frozen=True)
class Workers:
    """An executor and how many blocks it plays at a time."""

    executor: Executor
    number: int
    name: str
    batch: int = 1  # blocks of one task, so that what a task costs is shared
    recount: Callable[[], int] | None = None  # of a cluster that workers may join or leave
    broken: tuple[type[Exception], ...] = (RuntimeError,)  # it takes nothing any more

    def at_work(self) -> int:
        return self.recount() if self.recount else self.number


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads(number: int = 0) -> Iterator[Workers]:
    """Threads of this process; the kernels release Python's lock."""
    if type(number) is not int or not 0 <= number <= MOST_WORKERS:
        raise plan_problem(
            "workers",
            number,
            f"not a number of threads from 1 to {MOST_WORKERS}",
            "Use 0 for one on each core.",
        )
    count = number or cores()
    executor = ThreadPoolExecutor(count, thread_name_prefix="ventiuna")
    try:
        yield Workers(executor, count, f"{count} thread{'s' if count > 1 else ''}")
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """A Dask cluster: `tcp://host:8786` of a scheduler, or `local:4` for four processes here."""
    if not address.startswith("local"):
        _check_address(address)
    distributed: Any = load("distributed")
    cluster = None
    if address.startswith("local"):
        cluster = distributed.LocalCluster(
            n_workers=_local_workers(address), threads_per_worker=1, dashboard_address=":0"
        )
    try:
        client = distributed.Client(cluster or address, timeout=ANSWER_WITHIN)
    except (OSError, TimeoutError) as error:
        raise plan_problem(
            "dask", address, f"no scheduler answers ({error})", "Start one with: dask scheduler."
        ) from None
    except ValueError as error:
        raise _not_an_address(address, f" ({error})") from None
    except TypeError as error:  # a secure address, and nothing that makes it secure
        raise plan_problem(
            "dask",
            address,
            f"Dask is not set up for such an address ({error})",
            "Set Dask's distributed.comm.tls, or use tcp://host:8786.",
        ) from None
    try:
        number = _workers_of(client, address)
        executor = client.get_executor(pure=False, retries=5)
        name = f"{number} Dask workers"
        broken = (RuntimeError, OSError, distributed.client.ClosedClientError)
        yield Workers(executor, number, name, BATCH, partial(_threads_of, client), broken)
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _check_address(address: str) -> None:
    """Dask waits long for a host that can't be one."""
    found = _ADDRESS.fullmatch(address)
    if not found or not 1 <= int(found["port"]) <= LAST_PORT:
        raise _not_an_address(address)


def _not_an_address(address: str, reason: str = "") -> PlanError:
    return plan_problem(
        "dask", address, f"not an address{reason}", "Write local:4 or tcp://host:8786."
    )


def _threads_of(client: Any) -> int:
    try:
        threads_by_worker: dict[str, int] = client.nthreads()
        return max(1, sum(threads_by_worker.values()))
    except (OSError, RuntimeError, AttributeError):
        return 1  # the scheduler is gone, and its client in pieces


def _workers_of(client: Any, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=ANSWER_WITHIN)
    except TimeoutError:
        raise plan_problem(
            "dask",
            address,
            "the scheduler has no workers",
            f"Start one with: dask worker {address}.",
        ) from None
    return _threads_of(client)


def _local_workers(address: str) -> int:
    name, _, number = address.partition(":")
    count = int(number) if number.isdecimal() and len(number) < 6 else 0
    if name != "local" or (number and not 1 <= count <= MOST_WORKERS):
        raise plan_problem(
            "dask",
            address,
            f"not a number of workers from 1 to {MOST_WORKERS}",
            "Write local:4 or tcp://host:8786.",
        )
    return count or cores()
