"""`vt.simulate`, and `vt.evaluate_policy`: the exact value of any policy and its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.coerce import check_base, coerce_rules
from ventiuna.analysis.composition import Basis, fresh_composition, without_cards
from ventiuna.analysis.results import TableRow, TabularResult, html_table
from ventiuna.api import checked_call
from ventiuna.core import actions
from ventiuna.core.cards import (
    best_total,
    is_blackjack,
    is_equal_value_pair,
    is_soft,
    rank_of,
    suit_bit_of,
    value_of,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.kernels import vector_env_layout as at
from ventiuna.rules import Rules, compile_rules
from ventiuna.rules.options import short_repr
from ventiuna.simulation import simulate as _simulate
from ventiuna.strategy.chart import Chart, ChartPlayer
from ventiuna.strategy.players import StrategyPlayer
from ventiuna.strategy.protocol import HandSeen, Insurance, Strategy, plan_problem
from ventiuna.texts import brief_repr

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis
    from ventiuna.analysis.charts.derivation import ChartResult


simulate = checked_call(_simulate)


# --- Policies ---

_VALUE_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_STATES = (22, 11, 2)  # shape of an array: total, value of the up card, soft
_FORMS = (
    "Pass a function of a hand, a chart, an array [total, up card, soft] of action numbers, or the "
    "name of a strategy"
)


@dataclass(frozen=True, slots=True)
class PolicyHand:
    """A hand for which a policy chooses an action. Only card values matter, not suits.

    >>> import ventiuna as vt
    >>> asked = []
    >>> found = vt.evaluate_policy("super-fun-21", lambda hand: asked.append(hand) or "stand")
    >>> asked[0].cards, asked[0].total, asked[0].up, asked[0].legal
    (('A', 'A'), 12, 'A', ('stand', 'hit', 'double', 'split', 'surrender'))
    """

    cards: tuple[str, ...]  # values, lowest first: A, 2 … 9, 10 for every ten-valued card
    total: int
    soft: bool
    pair: bool  # two cards of equal value
    up: str  # the value of the dealer's up card
    split: bool  # whether it comes from a split; unknown once the hand is doubled
    doublings: int
    legal: tuple[str, ...]
    _seen: HandSeen = field(compare=False, repr=False)
    _up: int = field(compare=False, repr=False)
    _rules: Rules = field(compare=False, repr=False)

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """The legal actions in the format used by the `ventiuna.envs` environments."""
        mask = np.zeros(at.FIRST_WAGER, dtype=np.int8)
        if self._is_dealt_blackjack:
            mask[[at.TAKE, at.KEEP]] = 1
        else:
            mask[[actions.ACTION_NAMES.index(name) for name in self.legal]] = 1
        return mask

    @property
    def observation(self) -> npt.NDArray[np.int16]:
        """The hand in the format used by the `ventiuna.envs` environments, dealt from a fresh
        shoe."""
        cards, shape = self._seen.cards, self._seen.shape
        row = np.zeros(at.COLUMNS, dtype=np.int16)
        row[at.PHASE] = at.BLACKJACK if self._is_dealt_blackjack else at.PLAY
        row[at.TOTAL], row[at.SOFT], row[at.CARDS] = self.total, self.soft, len(cards)
        row[at.DOUBLINGS], row[at.SPLIT] = self.doublings, shape.split + shape.split_ace
        row[at.HANDS], row[at.UP] = self._seen.hands, self._up + 1
        for card in cards:
            row[at.RANK + rank_of(card) - 1] += 1
            row[at.SUITS] |= suit_bit_of(card)
        unseen = without_cards(fresh_composition(self._rules), (*cards, self._up))
        for card, count in enumerate(unseen):
            row[at.UNSEEN + value_of(card) - 1] += count
        row[at.LEFT] = sum(unseen) - 1 - self._rules.burn_cards
        return row

    @property
    def _is_dealt_blackjack(self) -> bool:
        return is_blackjack(self._seen.shape)


# Returns an action's name or number, or several in order of preference.
Policy = Callable[[PolicyHand], Any]


@dataclass(frozen=True, slots=True)
class PolicyValue(TabularResult):
    """The value of a policy per base wager, compared with best play.

    >>> import ventiuna as vt
    >>> found = vt.evaluate_policy("super-fun-21", "mimic")
    >>> found.regret == found.optimal_ev - found.ev > 0
    True
    """

    main_table = "hands"

    basis: Basis
    policy: str
    base: int | None  # cents
    super_bonus: bool  # whether the values include the Super Bonus for this base wager
    ev: float
    wagered: float  # average total amount at risk
    optimal_ev: float
    _own: BaseGameAnalysis = field(compare=False, repr=False)
    _best: BaseGameAnalysis = field(compare=False, repr=False)

    __repr__ = brief_repr

    @property
    def house_edge(self) -> float:
        return -self.ev

    @property
    def regret(self) -> float:
        """Loss of the policy compared with best play, in base wagers per round."""
        return self.optimal_ev - self.ev

    def rows(self) -> list[TableRow]:
        """Return starting hands by up card; the last column adds up to the regret."""
        best = {(hand.hand, hand.up): hand for hand in self._best.hands()}
        rows: list[TableRow] = []
        for own in self._own.hands():
            optimal = best[own.hand, own.up].ev
            rows.append(
                {
                    "hand": own.hand,
                    "up": own.up,
                    "chance": own.chance,
                    "ev": own.ev,
                    "optimal_ev": optimal,
                    "regret": own.chance * (optimal - own.ev),
                }
            )
        return rows

    def as_data(self) -> dict[str, object]:
        return {
            **self.basis.as_data(),
            "policy": self.policy,
            "base_cents": self.base,
            "super_bonus": self.super_bonus,
            "ev": self.ev,
            "house_edge": self.house_edge,
            "wagered": self.wagered,
            "optimal_ev": self.optimal_ev,
            "optimal_strategy_class": self._best.strategy_class,
            "regret": self.regret,
            "by_up": self._own.as_data()["by_up"],
        }

    def _repr_html_(self) -> str:
        caption = (
            f"{self.policy}, {self.basis.rules} ({self.basis.shoe_text}): house edge "
            f"{100 * self.house_edge:.4f}%, regret {100 * self.regret:.4f} points"
        )
        found = [
            (up.up, f"{up.chance:.6f}", f"{up.ev:+.6f}", f"{best.ev:+.6f}")
            for up, best in zip(self._own.by_up, self._best.by_up, strict=True)
        ]
        return html_table(caption, ("up card", "chance", "ev", "best play"), found)


@checked_call
def evaluate_policy(
    rules: Rules | str,
    policy: Policy | Strategy | StrategyPlayer | Chart | ChartResult | str | npt.ArrayLike,
    *,
    base: int | None = None,
) -> PolicyValue:
    """Compute the exact value of a policy from a fresh shoe, and its regret against best play.

    A policy is one of these:

    - a function that takes a `PolicyHand` and returns the name of an action, or several in order
      of preference, such as `["double", "hit"]`; action numbers work, too,
    - a chart, or a strategy by name or file, as for `simulate`, or a player from `vt.player`,
    - an array [total, up card, soft] of action numbers, with up cards from 1 (ace) to 10; or an
      array of action values with one more axis; the legal action with the highest value is played.

    The function is called for every possible hand, even hands that the policy never reaches.
    If none of the actions that it returns is legal, the hand stands.

    With a `base` wager in cents, the values include its Super Bonus. They never include insurance.
    Best play is what `vt.analyze` computes; a policy that plays split hands better has a negative
    regret.

    >>> import ventiuna as vt
    >>> def never_bust(hand: vt.PolicyHand) -> str:
    ...     return "hit" if hand.soft or hand.total < 12 else "stand"
    >>> found = vt.evaluate_policy("super-fun-21", never_bust)
    >>> round(found.ev, 4), round(found.regret, 4)
    (-0.0924, 0.0831)
    """
    from ventiuna.analysis.base_game.analyzer import analyze
    from ventiuna.core.base_game import super_bonus_pay
    from ventiuna.simulation.exact_play import exact_value
    from ventiuna.simulation.plan import Plan
    from ventiuna.simulation.spec import make_spec

    house = coerce_rules(rules)
    check_base(base)
    strategy = _strategy_of(policy, house, base)
    with_super = base is not None and super_bonus_pay(compile_rules(house), base) > 0
    own = exact_value(make_spec(Plan(house, base=base or 0), strategy), with_super)
    best = analyze(house, base=base or house.table_minimum, super_bonus=with_super)
    return PolicyValue(
        basis=own.basis,
        policy=strategy.name,
        base=base,
        super_bonus=with_super,
        ev=own.ev,
        wagered=own.wagered,
        optimal_ev=best.ev,
        _own=own,
        _best=best,
    )


def _strategy_of(policy: object, rules: Rules, base: int | None) -> Strategy:
    from ventiuna.analysis.charts.derivation import ChartResult
    from ventiuna.simulation.exact_play import OptimalPlayer
    from ventiuna.simulation.settings import find_strategy

    wager = base or 0  # without a wager, the Super Bonus doesn't affect the play
    if isinstance(policy, StrategyPlayer):
        return policy.strategy
    if isinstance(policy, ChartResult):
        policy = policy.chart
    if isinstance(policy, Chart):
        return ChartPlayer(policy, compile_rules(rules), wager)
    if isinstance(policy, str):
        if policy == "optimal":
            return OptimalPlayer(rules, base or rules.table_minimum, super_bonus=base is not None)
        return find_strategy(policy, rules, wager)
    if hasattr(policy, "preferences") and hasattr(policy, "insurance"):
        return cast(Strategy, policy)  # an object that implements Strategy
    if callable(policy):
        return _Function(policy, rules)
    return _Function(_array_policy(policy), rules, "array")


class _Function:
    """Adapts a policy function to the Strategy interface of the simulator and analyzer."""

    insurance = Insurance.NEVER

    def __init__(self, policy: Policy, rules: Rules, name: str = "") -> None:
        self.name = name or getattr(policy, "__name__", type(policy).__name__)
        self._policy = policy
        self._rules = rules
        self._table = compile_rules(rules)
        self._last: HandSeen | None = None
        self._against: dict[int, PolicyHand] = {}

    def preferences(self, hand: HandSeen, up: int) -> tuple[int, ...]:
        if hand is not self._last:  # consecutive calls pass the same hand with every up card
            self._last, self._against = hand, self._hands(hand)
        return _chosen(self._policy(self._against[up]))

    def _hands(self, hand: HandSeen) -> dict[int, PolicyHand]:
        """The hand against every up card that the rules distinguish."""
        from ventiuna.simulation.tables import up_samples

        shape = hand.shape
        first = PolicyHand(
            cards=tuple(_VALUE_NAMES[value - 1] for value in sorted(map(value_of, hand.cards))),
            total=best_total(shape.hard, shape.aces),
            soft=is_soft(shape.hard, shape.aces),
            pair=is_equal_value_pair(shape),
            up="",
            split=shape.split == 1,
            doublings=shape.doublings,
            legal=tuple(
                name
                for action, name in enumerate(actions.ACTION_NAMES)
                if actions.refusal(self._table, action, shape, hand.hands) == LEGAL
            ),
            _seen=hand,
            _up=0,
            _rules=self._rules,
        )
        return {
            up: replace(first, up=_VALUE_NAMES[value_of(up) - 1], _up=up)
            for up in up_samples(self._table).values()
        }


def _chosen(answer: object) -> tuple[int, ...]:
    """Return the chosen actions in order of preference."""
    if isinstance(answer, Set):
        fix = "Return one action, or a list of actions with the best one first."
        raise plan_problem("policy", short_repr(answer), "a set has no order", fix)
    answers = [answer] if isinstance(answer, str) or not isinstance(answer, Iterable) else answer
    return tuple(_action(choice) for choice in answers)


def _action(choice: object) -> int:
    """Return the action's number, from its name or its number in the environments."""
    name = choice.replace("_", "-") if isinstance(choice, str) else ""
    if name in actions.ACTION_NAMES:
        return actions.ACTION_NAMES.index(name)
    if isinstance(choice, SupportsIndex) and type(choice) is not bool:
        with suppress(TypeError):  # an array of several numbers
            number = index(choice)
            number = {at.TAKE: actions.STAND, at.KEEP: actions.DOUBLE}.get(number, number)
            if 0 <= number < actions.ACTIONS:
                return number
    fix = f"Return one of {', '.join(actions.ACTION_NAMES)}."
    raise plan_problem("policy", short_repr(choice), "this isn't an action", fix)


def _array_policy(policy: object) -> Policy:
    try:
        table = np.asarray(policy)
    except ValueError:  # rows have different lengths
        table = np.asarray(None)
    is_actions = table.dtype.kind in "iu" and table.shape == _STATES
    is_values = table.dtype.kind in "iuf" and table.shape == (*_STATES, actions.ACTIONS)
    if not is_actions and not is_values:
        shape = f"{table.dtype} array of shape {table.shape}" if table.shape else short_repr(policy)
        expected = (
            f"an array must hold whole numbers in shape {_STATES} or values in shape "
            f"{(*_STATES, actions.ACTIONS)}"
        )
        raise plan_problem("policy", shape, expected, f"{_FORMS}.")
    if np.isnan(table).any():
        fix = "Give actions that should never be played the value -inf."
        raise plan_problem("policy", "nan", "an array can't contain nan", fix)

    def chosen(hand: PolicyHand) -> list[int]:
        found = table[hand.total, _VALUE_NAMES.index(hand.up) + 1, int(hand.soft)]
        return [int(found)] if is_actions else np.argsort(-found, kind="stable").tolist()

    return chosen
