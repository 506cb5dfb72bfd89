"""What a program gives as its action."""

from __future__ import annotations

from operator import index

import numpy as np
import numpy.typing as npt

from ventiuna.errors import VentiunaError
from ventiuna.rules import Problem, RulesError
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
    raise _not_an_action(action, names)


def choices_of(actions: object, seats: int, names: tuple[str, ...]) -> npt.NDArray[np.generic]:
    """One action for each seat, by their numbers."""
    found = np.asarray(actions)
    if found.dtype.kind not in "iu":
        raise _not_an_action(actions, names)
    if found.shape != (seats,):
        message = f"give one action for each of the {seats} seats"
        raise RulesError([Problem("actions", str(found.shape), "", message, "Give them all.")])
    return found


def flags_of(mask: object, seats: int) -> npt.NDArray[np.bool_]:
    """Which seats are meant: true or false for each."""
    found = np.asarray(mask)
    if found.dtype != np.bool_ or found.shape != (seats,):
        message = f"it is true or false for each of the {seats} seats"
        raise RulesError([Problem("reset_mask", shown(mask), "", message, "Give them all.")])
    return found


def _not_an_action(action: object, names: tuple[str, ...]) -> NotAnAction:
    numbers = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    return NotAnAction(f"action {shown(action)}: give the number of an action ({numbers}).")
