"""Stakes are immutable: every way of changing one raises an error."""

from collections.abc import Callable

import pytest

from ventiuna.engine.events import Stakes

CHANGES: list[Callable[[Stakes[str]], object]] = [
    lambda stakes: stakes.clear(),
    lambda stakes: stakes.pop("up"),
    lambda stakes: stakes.popitem(),
    lambda stakes: stakes.setdefault("down", 500),
    lambda stakes: stakes.update(down=500),
    lambda stakes: stakes.__setitem__("up", 900),
    lambda stakes: stakes.__delitem__("up"),
    lambda stakes: stakes.__ior__({"down": 500}),
]


@pytest.mark.parametrize("change", CHANGES)
def test_stakes_cannot_be_modified(change: Callable[[Stakes[str]], object]) -> None:
    stakes = Stakes({"up": 500})
    with pytest.raises(TypeError):
        change(stakes)
    assert stakes == {"up": 500}
