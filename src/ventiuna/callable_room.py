"""Two rooms that are functions of the door as well: `ventiuna.rules` and `ventiuna.strategy`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

_DOOR = "ventiuna.door.questions"  # above these rooms: it is looked up when somebody knocks


class _CallableRoom(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        from importlib import import_module

        function = self.__name__.rpartition(".")[2]
        return getattr(import_module(_DOOR), function)(*arguments, **named)


def open_as_function(room: str) -> None:
    """Let the room of this name be called like the function of that name."""
    sys.modules[room].__class__ = _CallableRoom
