"""Results of the exact base game: one figure, by up card, by hand, and the action tables."""

from __future__ import annotations

from dataclasses import dataclass, field

from ventiuna.analysis.base_game.solve import (
    FIRST_PLACE,
    TWO_CARD_PLACES,
    Deals,
    Question,
    Solution,
    solve,
)
from ventiuna.analysis.base_game.split_play import SplitPlay
from ventiuna.analysis.composition import Basis
from ventiuna.analysis.frames import Framed, Row
from ventiuna.analysis.notebook import html_table
from ventiuna.core import actions
from ventiuna.core.cards import value_of
from ventiuna.core.preferences import ACTION_BITS, NO_ACTION
from ventiuna.kernels.exact.lattice import VALUES, composition_index, lattice
from ventiuna.kernels.exact.records import DEAL_CHANCE, DEAL_MONEY, DEAL_VALUE
from ventiuna.records import brief_repr

VALUE_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")


@dataclass(frozen=True, slots=True)
class ActionValue:
    """What an action is worth in base wagers, best play after it."""

    action: str
    ev: float

    def as_data(self) -> dict[str, object]:
        return {"action": self.action, "ev": self.ev}


@dataclass(frozen=True, slots=True)
class UpCardResult:
    """All deals against up cards of one value."""

    up: str
    chance: float
    ev: float  # of these deals, the dealer's check included
    wagered: float

    def as_data(self) -> dict[str, object]:
        return {"up": self.up, "chance": self.chance, "ev": self.ev, "wagered": self.wagered}


@dataclass(frozen=True, slots=True)
class HandResult:
    """All deals of two values against up cards of one value."""

    hand: str
    up: str
    chance: float
    ev: float  # the dealer's check included
    wagered: float
    actions: tuple[ActionValue, ...]  # after the check, best first; empty where suits tell apart

    def as_data(self) -> dict[str, object]:
        return {
            "hand": self.hand,
            "up": self.up,
            "chance": self.chance,
            "ev": self.ev,
            "wagered": self.wagered,
            "actions": [action.as_data() for action in self.actions],
        }


@dataclass(frozen=True, slots=True)
class BaseGameAnalysis(Framed):
    """The base game alone, per base wager; side wagers and insurance are not in it."""

    main_table = "hands"

    basis: Basis
    strategy: str
    split_play: SplitPlay | None  # None: as the fixed strategy says
    base: int | None  # cents
    super_bonus: bool
    ev: float
    wagered: float  # chips put at risk, on average
    by_up: tuple[UpCardResult, ...]
    deals: Deals = field(compare=False, repr=False)
    question: Question = field(compare=False, repr=False)

    __repr__ = brief_repr

    @property
    def solution(self) -> Solution:
        """All records of the analysis, some 20 MB: not kept, but worked out again."""
        return solve(*self.question)

    @property
    def house_edge(self) -> float:
        """Expected loss per base wager."""
        return -self.ev

    @property
    def element_of_risk(self) -> float:
        """Expected loss per chip risked."""
        return -self.ev / self.wagered

    @property
    def strategy_class(self) -> str:
        if self.split_play is None:
            return self.strategy
        return f"{self.strategy}; {self.split_play.text}"

    @property
    def fingerprint(self) -> str:
        return self.basis.fingerprint

    @property
    def rules(self) -> str:
        """Canonical name of the rules."""
        return self.basis.rules

    def hands(self) -> tuple[HandResult, ...]:
        """Every starting hand by values against every up card, with its action table."""
        return tuple(
            _hand_result(self.deals, place, up)
            for up in range(VALUES)
            for place in range(FIRST_PLACE, TWO_CARD_PLACES)
            if self.deals.figures[up, place, DEAL_CHANCE] > 0
        )

    def rows(self) -> list[Row]:
        """Every starting hand against every up card."""
        return [
            {
                "hand": found.hand,
                "up": found.up,
                "chance": found.chance,
                "ev": found.ev,
                "wagered": found.wagered,
                "best": found.actions[0].action if found.actions else "by suits",
            }
            for found in self.hands()
        ]

    def hand(self, first: int, second: int, up: int) -> HandResult:
        """The deals of these two cards' values against this up card's."""
        place = composition_index((value_of(first) - 1, value_of(second) - 1))
        return _hand_result(self.deals, place, value_of(up) - 1)

    def as_data(self) -> dict[str, object]:
        return {
            **self.basis.as_data(),
            "strategy_class": self.strategy_class,
            "base_cents": self.base,
            "super_bonus": self.super_bonus,
            "ev": self.ev,
            "house_edge": self.house_edge,
            "wagered": self.wagered,
            "element_of_risk": self.element_of_risk,
            "by_up": [result.as_data() for result in self.by_up],
        }

    def _repr_html_(self) -> str:
        rows = [
            (result.up, f"{result.chance:.6f}", f"{result.ev:+.6f}", f"{result.wagered:.6f}")
            for result in self.by_up
        ]
        rows.append(("all", "1.000000", f"{self.ev:+.6f}", f"{self.wagered:.6f}"))
        caption = (
            f"{self.rules} ({self.fingerprint}), {self.basis.shoe_text}: house edge "
            f"{100 * self.house_edge:.4f} %, element of risk {100 * self.element_of_risk:.4f} %; "
            f"{self.strategy_class}"
        )
        return html_table(caption, ("up card", "chance", "ev", "wagered"), rows)


def hand_name(place: int) -> str:
    """A composition as `A-10` or `7-7-7`."""
    counts = lattice().counts[place]
    return "-".join(VALUE_NAMES[value] for value in range(VALUES) for _ in range(counts[value]))


def preferred_actions(preference: int) -> tuple[int, ...]:
    """A packed preference as actions, best first."""
    found = []
    while preference & NO_ACTION != NO_ACTION:
        found.append(preference & NO_ACTION)
        preference >>= ACTION_BITS
    return tuple(found)


def packed_preference(preferred: tuple[int, ...]) -> int:
    """Actions, best first, packed as the kernels read them.

    >>> preferred_actions(packed_preference((2, 1)))
    (2, 1)
    """
    packed = NO_ACTION
    for action in reversed(preferred):
        packed = packed << ACTION_BITS | action
    return packed


def _hand_result(deals: Deals, place: int, up: int) -> HandResult:
    figures = deals.figures[up, place]
    chance = float(figures[DEAL_CHANCE])
    found: tuple[ActionValue, ...] = ()
    if not deals.by_card[place]:
        values = [
            ActionValue(actions.ACTION_NAMES[action], float(deals.by_action[up, action, place]))
            for action in range(actions.ACTIONS)
            if int(deals.legal[place]) >> action & 1
        ]
        found = tuple(sorted(values, key=lambda known: -known.ev))
    return HandResult(
        hand=hand_name(place),
        up=VALUE_NAMES[up],
        chance=chance,
        ev=float(figures[DEAL_VALUE]) / chance if chance else 0.0,
        wagered=float(figures[DEAL_MONEY]) / chance if chance else 0.0,
        actions=found,
    )


def read_deals(
    basis: Basis,
    strategy: str,
    split_play: SplitPlay | None,
    base: int | None,
    super_bonus: bool,
    question: Question,
    deals: Deals,
) -> BaseGameAnalysis:
    """Sum the deals up into a result."""
    by_up: list[UpCardResult] = []
    for up in range(VALUES):
        chance, value, wagered, _ = (float(part) for part in deals.figures[up].sum(axis=0))
        if chance:
            name = VALUE_NAMES[up]
            by_up.append(UpCardResult(name, chance, value / chance, wagered / chance))
    totals = deals.figures.sum(axis=(0, 1))
    return BaseGameAnalysis(
        basis=basis,
        strategy=strategy,
        split_play=split_play,
        base=base,
        super_bonus=super_bonus,
        ev=float(totals[DEAL_VALUE]),
        wagered=float(totals[DEAL_MONEY]),
        by_up=tuple(by_up),
        deals=deals,
        question=question,
    )
