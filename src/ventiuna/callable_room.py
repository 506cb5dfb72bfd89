"""Two packages that are also functions of the library: `ventiuna.rules` and `ventiuna.strategy`."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect import Signature

_DOOR = "ventiuna.door.questions"  # imports these packages, so it is loaded on demand


class _CallableRoom(ModuleType):
    """A package that can be called like the function of the same name, and shows its help."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    @property
    def _function(self) -> Any:
        return getattr(import_module(_DOOR), self._short_name)

    @property
    def _short_name(self) -> str:
        return self.__name__.rpartition(".")[2]

    @property
    def __signature__(self) -> Signature:
        from inspect import signature  # slow to import

        return signature(self._function)

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # `help` shows the function first
        from inspect import cleandoc, signature

        function = self._function
        call = f"{self._short_name}{signature(function)}"
        return f"{call}\n\n{cleandoc(function.__doc__)}\n\n{cleandoc(vars(self)['__doc__'])}"


def open_as_function(room: str) -> None:
    """Make a package callable as the function of the same name."""
    sys.modules[room].__class__ = _CallableRoom
