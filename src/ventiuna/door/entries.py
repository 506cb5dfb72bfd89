"""What every entry of the door does: a keyword that it does not have is told with the nearest."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ventiuna.errors import VentiunaError
from ventiuna.rules.values import did_you_mean

P = ParamSpec("P")
T = TypeVar("T")


class UnknownKeyword(VentiunaError, TypeError):
    """An option that a function does not have."""


def entry(function: Callable[P, T]) -> Callable[P, T]:
    """The function, which names the nearest keyword where an unknown one is given."""
    code = function.__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> T:
        for name in named:
            if name not in known:
                raise UnknownKeyword(
                    f"{function.__name__}: it has no option {name!r}. {did_you_mean(name, known)}"
                )
        return function(*given, **named)

    return called
