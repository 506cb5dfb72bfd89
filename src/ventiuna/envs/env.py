"""One seat at a table as a Gymnasium environment, with text rendering and exact values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.base_game.queries import ParsedHand
from ventiuna.analysis.coerce import coerce_cards
from ventiuna.analysis.composition import (
    Composition,
    EmptyShoe,
    fresh_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.side_bets.insurance import insurance_wager
from ventiuna.cards import card_sign
from ventiuna.core.actions import ACTION_NAMES, DOUBLE
from ventiuna.core.base_game import blackjack_profit, is_dealer_blackjack, wins_two_blackjacks
from ventiuna.engine.events import Stage, WagerSettled
from ventiuna.engine.state import PlayerHand, Spot
from ventiuna.engine.views import EVERYONE, dealer_cards
from ventiuna.envs.dealt_table import DealtTable, is_doubled_for_less
from ventiuna.envs.settings import (
    RENDER_MODES,
    check_render_mode,
    read_action,
    read_reset_options,
    read_settings,
)
from ventiuna.kernels import vector_env_layout as at
from ventiuna.money import money_text
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.options import short_repr
from ventiuna.texts import pluralize

# --- Rendering ---

_HIDDEN = "??"


def render_text(table: DealtTable) -> str:
    """The result of the last round, then the dealer, the hands and the current decision."""
    state = table.round
    lines = [
        f"  spot {event.spot}  {event.reason}, {event.odds}: {money_text(event.net)} ({event.rule})"
        for event in table.last_events
        if isinstance(event, WagerSettled)
    ]
    left = f"{table.shoe.cards_left} cards left"
    if not table.acting:
        return "\n".join([*lines, f"{left}, the episode is over"]) + "\n"
    choices = zip(table.settings.action_names, table.mask(), strict=True)
    names = ", ".join(name for name, legal in choices if legal)
    lines.append(f"{left}, spot {table.acting}: {names}")
    if state.dealer:
        cards = dealer_cards(state, EVERYONE)
        signs = [_HIDDEN if card is None else card_sign(card) for card in cards]
        lines.append(f"  dealer  {' '.join(signs)}")
    asked = (table.acting, table.hand) if table.phase == at.PLAY else None
    for spot in state.order:
        for number, hand in enumerate(spot.hands):
            mark = ">" if (spot.number, number) == asked else " "
            shown = " ".join(card_sign(card) for card in hand.cards)
            times = hand.shape.doublings
            doubled = f", doubled {pluralize(times, 'time')}" if times else ""
            worth = f"{hand.total}, {money_text(hand.wager)}{doubled}"
            lines.append(f"{mark} spot {spot.number}  {shown}: {worth}")
    return "\n".join(lines) + "\n"


# --- Exact action values ---

Floats = npt.NDArray[np.float64]
UNKNOWN = math.nan  # too few cards are left for an exact value


class ValuesFrom(StrEnum):
    """Which cards are assumed to remain."""

    SHOE = "shoe"  # the cards this player has not seen
    FRESH = "fresh"  # a full shoe except for the hand and the up card


class ActionJudge:
    """Computes the value of every available choice, and the regret of the one made."""

    def __init__(self, table: DealtTable, values: str | None) -> None:
        if values is not None and values not in tuple(ValuesFrom):
            fix = "Use shoe or fresh."
            problem = Problem("values", short_repr(values), "", "unknown kind of values", fix)
            raise RulesError([problem])
        self._table = table
        self._source = ValuesFrom(values) if values else None
        self._values: Floats | None = None

    def info(self) -> dict[str, Floats]:
        """Info about the current choice: `action_values`."""
        if self._source is None:
            return {}
        self._values = action_values(self._table, self._source)
        return {"action_values": self._values.copy()}

    def regret(self, choice: int) -> dict[str, float]:
        """Info about the choice about to be made: `regret`."""
        if self._values is None:
            return {}
        taken = choice if self._table.is_legal(choice) else self._table.default_choice()
        return {"regret": float(np.max(self._values) - self._values[taken])}


def action_values(table: DealtTable, source: ValuesFrom) -> Floats:
    """The value of each choice with best play afterward; minus infinity if it is illegal.

    For a split hand, the value covers only that hand. Insurance is valued as a separate wager.
    """
    values = np.where(table.mask() == 1, UNKNOWN, -np.inf)
    unit = table.settings.base
    current = table.current
    if table.phase == at.WAGER:
        rules, ev = table.settings.rules, UNKNOWN
        with suppress(EmptyShoe):
            shoe = table.unseen() if source is ValuesFrom.SHOE else fresh_composition(rules)
            ev = analyze(rules, shoe).ev
        values[at.FIRST_WAGER :] = [base / unit * ev for base in table.settings.bases]
    elif current is not None:
        spot, hand = current
        unseen = table.unseen()
        if source is ValuesFrom.FRESH:
            shown = (*hand.cards, table.round.up)
            unseen = without_cards(fresh_composition(table.settings.rules), shown)
        if table.phase == at.INSURANCE:
            stake = table.settings.insurance(spot.base) / unit
            wager = insurance_wager(
                table.settings.rules, (), table.round.up, with_cards(unseen, (table.round.up,))
            )
            values[at.INSURE], values[at.DECLINE] = stake * float(wager.expected_value), 0.0
        elif table.phase == at.BLACKJACK:
            take, keep = _blackjack_values(table, spot, hand, unseen)
            values[at.TAKE], values[at.KEEP] = take * spot.base / unit, keep * spot.base / unit
        else:
            found = _hand_values(table, spot, hand, unseen)
            if values[at.DOUBLE_FOR_LESS] != -np.inf:
                less = _hand_values(table, spot, hand, unseen, table.least_double)
                values[at.DOUBLE_FOR_LESS] = less[ACTION_NAMES[DOUBLE]] * spot.base / unit
            for action, name in enumerate(ACTION_NAMES):
                if name in found:
                    values[action] = found[name] * spot.base / unit
    return values


def _hand_values(
    table: DealtTable, spot: Spot, hand: PlayerHand, unseen: Composition, added: int | None = None
) -> dict[str, float]:
    """Values by action name, in base wagers of the spot, after the dealer's check for blackjack."""
    if added is None and is_doubled_for_less(spot, hand):
        added = hand.last_portion
    parsed = ParsedHand(
        rules=table.settings.rules,
        cards=tuple(hand.cards),
        up=table.round.up,
        unseen=unseen,
        doublings=hand.shape.doublings,
        hands=len(spot.hands),
        base=spot.base,
        added=added,
    )
    try:
        return {action.action: action.ev for action in parsed.values().actions}
    except EmptyShoe:
        return dict.fromkeys(ACTION_NAMES, UNKNOWN)


def _blackjack_values(
    table: DealtTable, spot: Spot, hand: PlayerHand, unseen: Composition
) -> tuple[float, float]:
    """Values of taking a blackjack and of keeping it, which risks a push if the dealer has one."""
    state = table.round
    pay = blackjack_profit(state.table, hand.shape, spot.base) / spot.base
    best = max(_hand_values(table, spot, hand, unseen).values())
    if state.stage is Stage.BLACKJACKS_AFTER_CHECK:
        return pay, best
    makes = sum(n for card, n in enumerate(unseen) if is_dealer_blackjack(state.up, card))
    chance = makes / sum(unseen)
    against = pay if wins_two_blackjacks(state.table, paid_before_check=False) else 0.0
    return pay, (1 - chance) * best + chance * against


# --- The environment ---

Observation = Any  # columns, or a dict of columns and mask


class Table21(gym.Env[Observation, np.int64]):
    """Spanish 21, Super Fun 21 or any other rules. The engine deals from a real shoe.

    `rules` is a name or a Rules object, and further keywords set its options. `base` is the base
    wager in cents, the unit of the rewards. With `wagers=(1, 2, 4)` every round starts with a
    choice among these multiples. An `episode` is a shoe or a round. `values` ("shoe" or "fresh")
    adds the exact value of each action and the regret of the last one to the info.
    `mask_in_observation` makes the observation a dict of `observation` and `action_mask`. An
    illegal action is replaced by a default one; with `strict=True` it raises an error instead.
    """

    # Gymnasium declares it as an instance variable, so it can't be a ClassVar.
    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rules: Rules | str = "wsgc-spanish-21",
        *,
        base: int | None = None,
        wagers: Sequence[int] | None = None,
        episode: str = "shoe",
        double_for_less: bool = False,
        values: str | None = None,
        mask_in_observation: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
        **changes: object,
    ) -> None:
        self.settings = read_settings(rules, changes, base, wagers, episode, double_for_less)
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.table = DealtTable(self.settings, self._shuffle)
        self.action_space = self.settings.action_space
        self._judge = ActionJudge(self.table, values)
        self._with_mask = mask_in_observation
        self._strict = strict
        self.observation_space: spaces.Space[Any] = self.settings.observation_space
        if mask_in_observation:
            size = len(self.settings.action_names)
            mask = spaces.Box(0, 1, (size,), dtype=np.int8)
            self.observation_space = spaces.Dict(
                {"observation": self.settings.observation_space, "action_mask": mask}
            )

    @property
    def action_names(self) -> tuple[str, ...]:
        """The name of each action, by its number."""
        return self.settings.action_names

    def _shuffle(self, cards: list[int]) -> None:
        cards[:] = [cards[place] for place in self.np_random.permutation(len(cards))]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions; learners with action masks look for a method with this name."""
        return self.table.mask().astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode. A seed makes it repeatable and starts with a new shoe.

        The cards in `options={"cards": "5c 7h 6d 2s"}` are dealt first: hand, up card, hand, down
        card.
        """
        super().reset(seed=seed)
        cards = coerce_cards(read_reset_options(options, "cards") or ())
        self.table.begin_episode(anew=seed is not None, cards=cards)
        cents, rounds = self.table.take_results()
        return self._observation(), self._info(rounds, cents[1] / self.settings.base)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take one action; the reward is the result of the rounds it closed, in base wagers."""
        table = self.table
        choice = read_action(action, self.settings.action_names)
        if table.phase == at.OVER or (self._strict and not table.is_legal(choice)):
            table.refuse(choice)
        regret = self._judge.regret(choice)
        legal = table.choose(choice)
        cents, rounds = table.take_results()
        info = self._info(rounds, 0.0, illegal=not legal) | regret
        if self.render_mode == "human":
            print(render_text(self.table), end="")
        reward = cents[1] / self.settings.base
        return self._observation(), reward, table.phase == at.OVER, False, info

    def render(self) -> str | None:
        """The table as text."""
        if self.render_mode == "human":
            print(render_text(self.table), end="")
            return None
        return render_text(self.table)

    def _observation(self) -> Observation:
        seen = self.table.observation(1)
        if self._with_mask:
            return {"observation": seen, "action_mask": self.table.mask()}
        return seen

    def _info(self, rounds: int, passed: float, illegal: bool = False) -> dict[str, Any]:
        return {
            "action_mask": self.table.mask(),
            "rounds": rounds,
            "passed": passed,
            "illegal": illegal,
            **self._judge.info(),
        }
