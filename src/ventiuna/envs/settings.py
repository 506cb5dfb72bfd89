"""What all environments share: rules, wagers and episodes, and the spaces they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ventiuna.analysis.given import given_rules
from ventiuna.core.actions import ACTION_NAMES
from ventiuna.core.cards import CARDS
from ventiuna.core.payouts import most_insurance_in_chips
from ventiuna.core.table import RuleTable
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.wagers import checked_wagers
from ventiuna.kernels.seats import layout as at
from ventiuna.rules import Problem, Rules, RulesError, change_rules, compile_rules
from ventiuna.rules.values import shown
from ventiuna.simulation.seats import fresh_counts

Shorts = npt.NDArray[np.int16]


class Episode(StrEnum):
    """When an episode ends."""

    ROUND = "round"  # with the round; the next one goes on with the same shoe
    SHOE = "shoe"  # with the round in which the cut card came


RENDER_MODES = ("ansi", "human")
# Keywords of one seat that the others lack; no option of the rules is called so.
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
class Settings:
    """Checked: what an environment deals."""

    rules: Rules
    base: int  # cents
    wagers: tuple[int, ...]  # multiples of the base wager to choose from; none: not asked
    episode: Episode
    seats: int = 1
    for_less: bool = False  # is the least double for less an action, where the rules let it?

    @cached_property
    def table(self) -> RuleTable:
        return compile_rules(self.rules)

    @property
    def bases(self) -> tuple[int, ...]:
        """Every size of the base wager in cents."""
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
        """The most that a seat with this wager can insure, in cents."""
        return most_insurance_in_chips(base, self.rules.small_chip_unit)


def given_settings(
    rules: Rules | str,
    changes: dict[str, object],
    base: int | None,
    wagers: Sequence[int] | None,
    episode: str,
    for_less: bool,
    seats: int = 1,
) -> Settings:
    """From the keywords of an environment; raises what is wrong with them."""
    found = given_rules(rules)
    for name in _NOT_HERE & changes.keys():
        message = "this environment has no such keyword, see Table21"
        raise _problem(name, changes[name], "", message, "Leave it out.")
    if type(for_less) is not bool:
        raise _problem("double_for_less", for_less, "R-050", "it is True or False", "Use one.")
    if changes:
        found = change_rules(found, changes)
    amount = found.table_minimum if base is None else base
    if episode not in tuple(Episode):
        raise _problem("episode", episode, "", "an episode is a round or a shoe", "Use one.")
    if type(seats) is not int or not 1 <= seats <= found.seats:
        message = f"this table has spots 1 to {found.seats}"
        raise _problem("seats", seats, "O-02", message, "Take so many.")
    settings = Settings(found, amount, _given_wagers(wagers), Episode(episode), seats, for_less)
    for cents in settings.bases:
        checked_wagers(found, PlaceWagers(1, cents))
    if settings.table.split_hands > at.MOST_HANDS:
        message = f"environments know {at.MOST_HANDS} hands of a spot at most"
        raise _problem("split_hands", settings.table.split_hands, "R-042", message, "Lower it.")
    return settings


def check_render_mode(render_mode: str | None, known: Sequence[str]) -> None:
    if render_mode is not None and render_mode not in known:
        message = f"there are {' and '.join(known)}" if known else "many seats are not shown"
        raise _problem("render_mode", render_mode, "", message, "Use none.")


def _given_wagers(wagers: object) -> tuple[int, ...]:
    if wagers is None:
        return ()
    known = wagers if isinstance(wagers, Sequence) else ()
    if not 1 <= len(known) <= at.MOST_WAGERS or not all(map(_is_multiple, known)):
        message = f"wagers are 1 to {at.MOST_WAGERS} whole multiples of the base wager"
        raise _problem("wagers", wagers, "R-003", message, "Write them as (1, 2, 4).")
    return tuple(known)


def _is_multiple(wager: object) -> bool:
    return type(wager) is int and wager >= 1


def _problem(name: str, value: object, rule: str, message: str, fix: str) -> RulesError:
    return RulesError([Problem(name, shown(value), rule, message, fix)])


def in_base_wagers(cents: int, base: int) -> float:
    """A reward: rewards are counted in base wagers, the smallest size where there are several."""
    return cents / base
