"""Where blocks are played: threads here, or any executor of `concurrent.futures`, Dask's too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ventiuna.simulation.errors import plan_problem

ANSWER_WITHIN = "10s"  # a Dask scheduler


@dataclass(frozen=True)
class Workers:
    """An executor and how many blocks it plays at a time."""

    executor: Executor
    number: int
    name: str


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads(number: int = 0) -> Iterator[Workers]:
    """Threads of this process; the kernels release Python's lock."""
    count = number or cores()
    executor = ThreadPoolExecutor(count, thread_name_prefix="ventiuna")
    try:
        yield Workers(executor, count, f"{count} thread{'s' if count > 1 else ''}")
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """A Dask cluster: `tcp://host:8786` of a scheduler, or `local:4` for four processes here."""
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError as error:
        raise plan_problem(
            "dask",
            address,
            f"this needs {error.name}",
            "Install it with: pip install 'ventiuna[cluster]'.",
        ) from None
    cluster = None
    if address.startswith("local"):
        cluster = distributed.LocalCluster(
            n_workers=_local_workers(address), threads_per_worker=1, dashboard_address=None
        )
    try:
        client = distributed.Client(cluster or address, timeout=ANSWER_WITHIN)
    except (OSError, TimeoutError) as error:
        raise plan_problem(
            "dask", address, f"no scheduler answers ({error})", "Start one with: dask scheduler."
        ) from None
    try:
        number = max(1, sum(client.nthreads().values()))
        yield Workers(client.get_executor(pure=False, retries=5), number, f"{number} Dask workers")
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


def _local_workers(address: str) -> int:
    _, _, number = address.partition(":")
    if number and not number.isdigit():
        raise plan_problem(
            "dask", address, "not a number of workers", "Write local:4 or tcp://host:8786."
        )
    return int(number) if number else cores()
