"""Long-lived objects are hidden from the garbage collector, and dead ones are still found."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest
import uvicorn

from tests.coroutines import run_async
from ventiuna.server import serve as heaps
from ventiuna.server.serve import LOOP_TICKS_PER_SECOND, GracefulServer, HeapTuner, prepare_to_serve


class Knot:
    """An object that refers to itself, so only the garbage collector can free it."""

    def __init__(self) -> None:
        self.held = self


@pytest.fixture
def heap() -> Iterator[HeapTuner]:
    """Turn off automatic collections, and unfreeze everything afterward."""
    gc.disable()
    yield HeapTuner()
    gc.unfreeze()
    gc.enable()


def test_short_lived_objects_are_collected_every_second(heap: HeapTuner) -> None:
    knot = Knot()
    seen = weakref.ref(knot)
    del knot
    heap.tend()
    assert seen() is None


def test_long_lived_objects_are_frozen_until_a_full_collection(
    heap: HeapTuner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heaps, "WHOLE_EVERY", 3)
    knot = Knot()
    seen = weakref.ref(knot)
    heap.tend()
    assert not any(one is knot for one in gc.get_objects())
    del knot
    heap.tend()
    gc.collect()
    assert seen() is not None
    heap.tend()
    assert seen() is None
    assert gc.get_freeze_count() > 0


def test_a_server_process_tunes_its_heap_every_second(
    heap: HeapTuner, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sys.getswitchinterval()
    server = GracefulServer(uvicorn.Config("nothing"))
    try:
        prepare_to_serve(server)
        assert sys.getswitchinterval() < before
    finally:
        sys.setswitchinterval(before)
    assert server.heap is not None
    tended: list[int] = []
    monkeypatch.setattr(server.heap, "tend", lambda: tended.append(1))

    async def two_seconds() -> None:
        for tick in range(1, 2 * LOOP_TICKS_PER_SECOND + 1):
            assert not await server.on_tick(tick)

    run_async(two_seconds())
    assert len(tended) == 2
