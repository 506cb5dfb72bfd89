"""Settings shared by all environments: rules, wagers, episodes, spaces, and parsing of actions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import index
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ventiuna.analysis.coerce import coerce_rules
from ventiuna.core.actions import ACTION_NAMES
from ventiuna.core.base_game import maximum_insurance_in_chips
from ventiuna.core.cards import CARDS
from ventiuna.core.rule_table import RuleTable
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.wagers import checked_wagers
from ventiuna.errors import VentiunaError
from ventiuna.kernels import vector_env_layout as at
from ventiuna.rules import Problem, Rules, RulesError, change_rules, compile_rules
from ventiuna.rules.options import short_repr
from ventiuna.simulation.seats import fresh_counts

# --- Settings ---

Shorts = npt.NDArray[np.int16]


class Episode(StrEnum):
    """When an episode ends."""

    ROUND = "round"  # ends after a round; the next episode continues with the shoe
    SHOE = "shoe"  # ends after the round in which the cut card appears


RENDER_MODES = ("ansi", "human")
# Keywords that only the single-seat environment has; no rule option has these names.
_NOT_HERE = frozenset(("values", "mask_in_observation", "strict"))
ANSWER_NAMES = ("insure", "decline", "take", "keep", "double for less")
FIELDS = (
    *("phase", "total", "soft", "cards", "doublings", "split", "hands", "hand", "up", "wager"),
    *("insured", "for_less", "suits"),
    *(f"rank_{rank}" for rank in "A23456789TJQK"),
    "cards_left",
    *(f"unseen_{value}" for value in ("A", *range(2, 11))),
)
assert len(FIELDS) == at.COLUMNS


@dataclass(frozen=True)
class EnvSettings:
    """Validated settings of an environment."""

    rules: Rules
    base: int  # cents
    wagers: tuple[int, ...]  # multiples of the base wager to choose from; may be empty
    episode: Episode
    seats: int = 1
    for_less: bool = False  # offer the minimum double for less as an action, if the rules allow it

    @cached_property
    def table(self) -> RuleTable:
        return compile_rules(self.rules)

    @property
    def bases(self) -> tuple[int, ...]:
        """Every size of the base wager, in cents."""
        return tuple(self.base * wager for wager in self.wagers or (1,))

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of each action, by its number."""
        wagers = tuple(f"wager {wager}" for wager in self.wagers)
        return (*ACTION_NAMES, *ANSWER_NAMES, *wagers)

    @property
    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(len(self.action_names))

    @property
    def observation_space(self) -> spaces.Box:
        high = np.full(at.COLUMNS, 1, dtype=np.int16)
        high[at.PHASE], high[at.TOTAL], high[at.CARDS] = at.OVER, 21, 21
        high[at.DOUBLINGS], high[at.SPLIT] = 3, at.FROM_ACES
        high[at.HANDS] = high[at.HAND] = max(1, self.table.split_hands)
        high[at.UP], high[at.LEVEL] = CARDS, max(1, len(self.wagers) - 1)
        high[at.SUITS], high[at.RANK : at.LEFT] = 15, 21
        high[at.LEFT] = self.rules.shoe_size
        high[at.UNSEEN :] = fresh_counts(self.rules)
        return spaces.Box(np.zeros_like(high), high, dtype=np.int16)

    def insurance(self, base: int) -> int:
        """The maximum insurance for a seat with this wager, in cents."""
        return maximum_insurance_in_chips(base, self.rules.small_chip_unit)


def read_settings(
    rules: Rules | str,
    changes: dict[str, object],
    base: int | None,
    wagers: Sequence[int] | None,
    episode: str,
    for_less: bool,
    seats: int = 1,
) -> EnvSettings:
    """Settings from an environment's keywords; raises an error if they are invalid."""
    found = coerce_rules(rules)
    for name in _NOT_HERE & changes.keys():
        message = "only Table21 has this keyword"
        raise _problem(name, changes[name], "", message, "Leave it out.")
    if type(for_less) is not bool:
        raise _problem("double_for_less", for_less, "R-050", "must be True or False", "Choose one.")
    if changes:
        found = change_rules(found, changes)
    amount = found.table_minimum if base is None else base
    if episode not in tuple(Episode):
        raise _problem("episode", episode, "", "unknown kind of episode", "Use round or shoe.")
    if type(seats) is not int or not 1 <= seats <= found.seats:
        message = f"this table has {found.seats} spots"
        raise _problem("seats", seats, "O-02", message, f"Use 1 to {found.seats}.")
    settings = EnvSettings(found, amount, _read_wagers(wagers), Episode(episode), seats, for_less)
    for cents in settings.bases:
        checked_wagers(found, PlaceWagers(1, cents))
    if settings.table.split_hands > at.MAX_HANDS:
        message = f"environments support at most {at.MAX_HANDS} hands per spot"
        raise _problem("split_hands", settings.table.split_hands, "R-042", message, "Lower it.")
    return settings


def check_render_mode(render_mode: str | None, known: Sequence[str]) -> None:
    if render_mode is not None and render_mode not in known:
        fix = f"Choose from: {', '.join(known)}." if known else "Leave it out."
        message = "unknown mode" if known else "vector environments can't be rendered"
        raise _problem("render_mode", render_mode, "", message, fix)


def _read_wagers(wagers: object) -> tuple[int, ...]:
    if wagers is None:
        return ()
    known = wagers if isinstance(wagers, Sequence) else ()
    are_multiples = all(type(wager) is int and wager >= 1 for wager in known)
    if not 1 <= len(known) <= at.MAX_WAGERS or not are_multiples:
        message = f"wagers must be 1 to {at.MAX_WAGERS} whole multiples of the base wager"
        raise _problem("wagers", wagers, "R-003", message, "Write them as (1, 2, 4).")
    return tuple(known)


def _problem(name: str, value: object, rule: str, message: str, fix: str) -> RulesError:
    return RulesError([Problem(name, short_repr(value), rule, message, fix)])


# --- Actions ---


class NotAnAction(VentiunaError, ValueError):
    """A value that is not an action number."""


def read_action(action: object, names: tuple[str, ...]) -> int:
    """Validate an action number."""
    if isinstance(action, SupportsIndex) and type(action) is not bool:
        with suppress(TypeError):  # an array of several numbers
            number = index(action)
            if 0 <= number < len(names):
                return number
    raise _not_an_action(action, names)


def read_actions(actions: object, seats: int, names: tuple[str, ...]) -> npt.NDArray[np.generic]:
    """Validate one action number per seat."""
    found = np.asarray(actions)
    if found.dtype.kind not in "iu":
        raise _not_an_action(actions, names)
    if found.shape != (seats,):
        fix = f"Pass one for each of the {seats} seats."
        raise RulesError([Problem("actions", str(found.shape), "", "wrong shape", fix)])
    if found.min() < 0 or found.max() >= len(names):
        wrong = found[(found < 0) | (found >= len(names))]
        raise _not_an_action(wrong[0].item(), names)
    return found


def read_flags(mask: object, seats: int) -> npt.NDArray[np.bool_]:
    """Validate a boolean mask with one flag per seat."""
    found = np.asarray(mask)
    if found.dtype != np.bool_ or found.shape != (seats,):
        message = "a mask must be an array of booleans"
        fix = f"Pass one for each of the {seats} seats."
        raise RulesError([Problem("reset_mask", short_repr(mask), "", message, fix)])
    return found


def read_reset_options(options: object, known: str) -> object:
    """The value of `reset`'s only option, or None; other options are rejected."""
    if options is None:
        return None
    if isinstance(options, dict):
        unknown = [name for name in options if name != known]
    else:
        unknown = [options]
    if unknown:
        fix = f"The only option is {known!r}."
        raise _problem("options", unknown[0], "", "reset has no such option", fix)
    assert isinstance(options, dict)
    return options.get(known)


def _not_an_action(action: object, names: tuple[str, ...]) -> NotAnAction:
    given = short_repr(action)
    numbers = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    return NotAnAction(f"action must be the number of an action ({numbers}), not {given}.")
