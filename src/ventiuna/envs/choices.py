"""What a program gives as its action."""

from __future__ import annotations

from operator import index

from ventiuna.errors import VentiunaError
from ventiuna.rules.values import shown


class NotAnAction(VentiunaError, ValueError):
    """Something that is not the number of an action."""


def choice_of(action: object, names: tuple[str, ...]) -> int:
    """The number of an action; a name, a fraction or nothing is refused with the numbers."""
    if type(action) is not bool:
        try:
            return index(action)  # type: ignore[arg-type]  # whatever is no number raises
        except TypeError:
            pass
    numbers = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    raise NotAnAction(f"action {shown(action)}: give the number of an action ({numbers}).")
