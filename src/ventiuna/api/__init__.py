"""The public API: a function for each question, a class for each way to play.

Rules can be passed as a Rules object or a name, cards as text or codes. Third-party libraries are
imported only when a function needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules
from ventiuna.rules.options import did_you_mean
from ventiuna.rules.text.phrases import join_words
from ventiuna.texts import pluralize

P = ParamSpec("P")
T = TypeVar("T")

_RULE_OPTIONS = frozenset(option.name for option in fields(Rules))
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class CallError(VentiunaError, TypeError):
    """A function was called with unknown or missing arguments."""


def checked_call(function: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function, or a class's `__init__`, so that wrong arguments get a clear error."""
    call = _CallSignature(function.__qualname__, signature(function).parameters)

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> T:
        call.check(len(given) - call.takes_self, named)
        return function(*given, **named)

    return called


class _CallSignature:
    """The arguments that a public function accepts."""

    def __init__(self, name: str, parameters: Mapping[str, Parameter]) -> None:
        self.name = name.removesuffix(".__init__")
        self.takes_self = "self" in parameters
        parameters = {known: p for known, p in parameters.items() if known != "self"}
        kinds = {parameter.kind for parameter in parameters.values()}
        self._takes_any = Parameter.VAR_KEYWORD in kinds
        self._takes_more = Parameter.VAR_POSITIONAL in kinds
        self._places = [known for known, p in parameters.items() if p.kind in _POSITIONAL]
        self._known = [
            known
            for known, p in parameters.items()
            if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
        ]
        self._needed = [
            known
            for known, p in parameters.items()
            if p.default is Parameter.empty and known in {*self._places, *self._known}
        ]

    def check(self, positional: int, named: Mapping[str, object]) -> None:
        """Raise CallError if `positional` positional and `named` keyword arguments don't fit."""
        if not self._takes_any:
            for name in named:
                if name not in self._known:
                    raise self._wrong(self._unknown(name))
        placed = self._places[:positional]
        if positional > len(self._places) and not self._takes_more:
            raise self._wrong(
                f"it takes at most {pluralize(len(self._places), 'positional argument')}, not "
                f"{positional}. {self._named_by()}"
            )
        if twice := [name for name in placed if name in named and name in self._known]:
            raise self._wrong(
                f"{join_words(twice)} passed both by position and by name. "
                "Pass each argument only once."
            )
        if missing := [name for name in self._needed if name not in placed and name not in named]:
            verb = "is" if len(missing) == 1 else "are"
            raise self._wrong(f"{join_words(missing)} {verb} missing. Write {self._example()}.")

    def _wrong(self, sentence: str) -> CallError:
        return CallError(f"{self.name}: {sentence}")

    def _unknown(self, name: str) -> str:
        if name in _RULE_OPTIONS and "rules" in self._known:
            return f"{name} is a rule option. Write rules=vt.rules(name, {name}=…)."
        return f"unknown argument {name!r}. {did_you_mean(name, self._known)}"

    def _named_by(self) -> str:
        by_name = ", ".join(name for name in self._known if name not in self._places)
        return f"Pass the others by name: {by_name}." if by_name else "Leave out the others."

    def _example(self) -> str:
        """Return an example call, such as `hand(rules, cards, up)`."""
        words = [name if name in self._places else f"{name}=…" for name in self._needed]
        return f"{self.name}({', '.join(words)})"
