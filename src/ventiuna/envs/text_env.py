"""A text table for language models: one decision per turn, judged exactly.

    from ventiuna.envs import TextTable21

    table = TextTable21("wsgc-2021")
    prompt = table.reset(seed=21)
    while not table.is_over:
        turn = table.step(model(prompt))
        prompt = turn.text

The default reward is the exact advantage of the answer: its value minus the value of the best
choice, so best play gets 0 and luck plays no part.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from ventiuna.cards import Pack, card_text, cards_text
from ventiuna.engine.events import WagerSettled
from ventiuna.engine.views import EVERYONE, dealer_cards
from ventiuna.envs.dealt_table import NotLegal
from ventiuna.envs.env import Table21
from ventiuna.kernels import vector_env_layout as at
from ventiuna.money import money_text
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.model import Player21
from ventiuna.rules.options import short_repr
from ventiuna.rules.text.phrases import pay_row_text
from ventiuna.texts import pluralize

PENALTY = 1.0  # base wagers that an unreadable or illegal answer costs
SEEDS = 2**32
HIGHER_PAY = "Higher pay for undoubled hands, which must total 21 unless another total is given"


class Reward(StrEnum):
    """What `step` rewards."""

    EXACT = "exact"  # the exact advantage of the choice: its value minus the best value, at most 0
    RESULT = "result"  # what the round won or lost, in base wagers, when it ends


@dataclass(frozen=True, slots=True)
class TextTurn:
    """The answer to one choice."""

    text: str  # the next question, or the result of the round
    reward: float
    is_over: bool
    action: str  # what was played
    understood: bool  # False if the answer named no legal choice, so the default was played
    regret: float  # how much less the played choice is worth than the best, in base wagers
    best: str
    result: float  # what the round won or lost so far, in base wagers

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class TextTable21:
    """Rounds of one seat as text. Every round is dealt from a new shoe.

    `rules` is a name or a Rules object, and further keywords set its options. `reward` is "exact"
    or "result". An answer may contain any text; the last legal choice that it names counts. If it
    names none, the default (stand, decline, take) is played and the reward is one wager less.
    """

    def __init__(
        self,
        rules: Rules | str = "wsgc-spanish-21",
        *,
        reward: str = Reward.EXACT,
        base: int | None = None,
        **changes: Any,
    ) -> None:
        if reward not in tuple(Reward):
            fix = "Use exact or result."
            problem = Problem("reward", short_repr(reward), "", "unknown kind of reward", fix)
            raise RulesError([problem])
        self.reward = Reward(reward)
        self.env = Table21(rules, base=base, episode="round", values="shoe", **changes)
        self.is_over = True
        self.prompt = ""
        self._random = random.Random()  # seeds for rounds without one
        self._values = np.zeros(0)
        self._result = 0.0

    @property
    def rules(self) -> Rules:
        return self.env.settings.rules

    @property
    def instructions(self) -> str:
        """The rules in a few sentences, for a system prompt."""
        rules = self.rules
        spanish = rules.pack is Pack.SPANISH
        deck = "48-card Spanish decks without tens" if spanish else "52-card decks"
        doublings = rules.doublings_at_most
        rows = [pay_row_text(row) for row in (*rules.instant_wins, *rules.bonus_21_rows())]
        parts = [
            f"You play {rules.title} with {rules.decks} {deck}. Win as much as you can on average.",
            f"The dealer {rules.soft_17}s on soft 17. A blackjack pays {rules.blackjack_pays}.",
            *(["Your 21 always wins."] if rules.player_21 is Player21.WINS else []),
            *([f"{HIGHER_PAY}: {'; '.join(rows)}."] if rows else []),
            f"A hand may be doubled {'once' if doublings == 1 else f'up to {doublings} times'}.",
            "Cards are written as rank and suit: Ks is the king of spades.",
            "Answer with one of the choices offered; the last one that you name counts.",
        ]
        return " ".join(parts)

    @property
    def choices(self) -> tuple[str, ...]:
        """The legal choices, in order."""
        mask = self.env.table.mask()
        return tuple(name for name, legal in zip(self.env.action_names, mask, strict=True) if legal)

    def values(self) -> dict[str, float]:
        """The exact value of every legal choice, in base wagers; NaN if it can't be computed."""
        names = self.env.action_names
        return {name: float(self._values[names.index(name)]) for name in self.choices}

    def reset(self, seed: int | None = None, cards: Sequence[str] | str = "") -> str:
        """Deal a round up to its first decision, and return the question.

        A seed makes the round repeatable. `cards` are dealt first: hand, up card, hand, down card.
        """
        seed = self._random.randrange(SEEDS) if seed is None else seed
        _, info = self.env.reset(seed=seed, options={"cards": cards} if cards else None)
        self._values = info["action_values"]
        self._result, self.is_over = 0.0, False
        self.prompt = self._question()
        return self.prompt

    def step(self, answer: str) -> TextTurn:
        """Play an answer, and return the next question or the result."""
        if self.is_over:
            raise NotLegal("The round is over. Call reset.")
        if not isinstance(answer, str):
            raise NotLegal(f"An answer must be a string, not {short_repr(answer)}.")
        names = self.env.action_names
        values, choices = self.values(), self.choices
        named = read_answer(answer, choices)
        action = named or names[self.env.table.default_choice()]
        best = max(
            choices, key=lambda choice: -math.inf if math.isnan(values[choice]) else values[choice]
        )
        regret = values[best] - values[action]
        regret = 0.0 if math.isnan(regret) else regret  # too few cards for an exact value
        _, won, self.is_over, _, info = self.env.step(names.index(action))
        self._values = info["action_values"]
        self._result += won
        self.prompt = self._outcome() if self.is_over else self._question()
        reward = 0.0 - regret if self.reward is Reward.EXACT else won
        return TextTurn(
            text=self.prompt,
            reward=reward if named else reward - PENALTY,
            is_over=self.is_over,
            action=action,
            understood=bool(named),
            regret=regret,
            best=best,
            result=self._result,
        )

    # --- Text ---

    def _question(self) -> str:
        table = self.env.table
        state = table.round
        parts = [f"The dealer shows {card_text(state.up)}."]
        current = table.current
        if current is not None:
            spot, hand = current
            if len(spot.hands) > 1:
                parts.append(f"This is hand {table.hand + 1} of {len(spot.hands)}.")
            times = hand.shape.doublings
            doubled = f", doubled {pluralize(times, 'time')}" if times else ""
            worth = f"{hand.total}, wager {money_text(hand.wager)}{doubled}"
            parts.append(f"Your hand: {cards_text(hand.cards)} ({worth}).")
        if table.phase == at.INSURANCE:
            parts.append("Do you insure against a dealer blackjack?")
        elif table.phase == at.BLACKJACK:
            parts.append("Do you take the payment for your blackjack, or keep it?")
        return " ".join([*parts, f"Choose: {', '.join(self.choices)}."])

    def _outcome(self) -> str:
        table = self.env.table
        cards = [card for card in dealer_cards(table.round, EVERYONE) if card is not None]
        net = sum(event.net for event in table.last_events if isinstance(event, WagerSettled))
        word = "won" if net > 0 else "lost" if net < 0 else "broke even"
        amount = f" {money_text(abs(net))}" if net else ""
        return f"The dealer has {cards_text(cards)}. You {word}{amount}."


def read_answer(answer: str, choices: Sequence[str]) -> str:
    """The last of the choices that an answer names, or "".

    >>> read_answer("Not hit. I stand.", ("stand", "hit"))
    'stand'
    >>> read_answer("double-double", ("stand", "double"))  # not legal here
    ''
    """
    longest_first = sorted({*choices, "double-double"}, key=len, reverse=True)
    words = "|".join(re.escape(choice).replace(r"\-", "[- ]") for choice in longest_first)
    found = re.findall(rf"\b({words})\b", answer, re.IGNORECASE)
    named = [word.lower().replace("-", " ") for word in found]
    plain = {choice.replace("-", " "): choice for choice in choices}
    return next((plain[one] for one in reversed(named) if one in plain), "")
