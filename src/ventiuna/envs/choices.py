"""What a program gives as its action."""

from __future__ import annotations

from contextlib import suppress
from operator import index

import numpy as np
import numpy.typing as npt

from ventiuna.errors import VentiunaError
from ventiuna.rules import Problem, RulesError
from ventiuna.rules.values import shown


class NotAnAction(VentiunaError, ValueError):
    """Something that is not the number of an action."""


def choice_of(action: object, names: tuple[str, ...]) -> int:
    """The number of an action; anything else, or a number out of range, is refused."""
    if type(action) is not bool:
        with suppress(TypeError):
            number = index(action)  # type: ignore[arg-type]  # raises unless it is a number
            if 0 <= number < len(names):
                return number
    raise _not_an_action(action, names)


def choices_of(actions: object, seats: int, names: tuple[str, ...]) -> npt.NDArray[np.generic]:
    """One action for each seat, by their numbers."""
    found = np.asarray(actions)
    if found.dtype.kind not in "iu":
        raise _not_an_action(actions, names)
    if found.shape != (seats,):
        message = f"give one action for each of the {seats} seats"
        raise RulesError([Problem("actions", str(found.shape), "", message, "Give them all.")])
    if found.min() < 0 or found.max() >= len(names):
        wrong = found[(found < 0) | (found >= len(names))]
        raise _not_an_action(wrong[0].item(), names)
    return found


def flags_of(mask: object, seats: int) -> npt.NDArray[np.bool_]:
    """Which seats are meant: true or false for each."""
    found = np.asarray(mask)
    if found.dtype != np.bool_ or found.shape != (seats,):
        message = f"it is true or false for each of the {seats} seats"
        raise RulesError([Problem("reset_mask", shown(mask), "", message, "Give them all.")])
    return found


def reset_options(options: object, known: str) -> object:
    """The only option that `reset` has, or None; any other is refused."""
    if options is None:
        return None
    if not isinstance(options, dict):
        raise _unknown_option(shown(options), known)
    for name in options:
        if name != known:
            raise _unknown_option(shown(name), known)
    return options.get(known)


def _unknown_option(name: str, known: str) -> RulesError:
    fix = f"The only option is {known!r}."
    return RulesError([Problem("options", name, "", "reset has no such option", fix)])


def _not_an_action(action: object, names: tuple[str, ...]) -> NotAnAction:
    numbers = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    return NotAnAction(f"action {shown(action)}: give the number of an action ({numbers}).")
