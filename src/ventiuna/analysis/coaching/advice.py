"""The coach: what every choice of a hand in play is worth, for this shoe and for a fresh one.

It knows what a player at the table may know: the rules, the cards that lie face up, and those
seen since the shuffle. The down card is unseen like the cards of the shoe.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ventiuna.analysis.base_game.hand import HandValues
from ventiuna.analysis.base_game.why import why
from ventiuna.analysis.composition import (
    Composition,
    fresh_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.empty_shoe import EmptyShoe
from ventiuna.analysis.questions.hand import AskedHand
from ventiuna.analysis.side_bets.insurance import InsuranceWager, insurance_wager
from ventiuna.cards import CardError
from ventiuna.core.cards import ACE, rank_of
from ventiuna.core.payouts import most_insurance
from ventiuna.engine.views import RoundView, SpotView
from ventiuna.engine.waiting import DecisionWanted, InsuranceAnswersWanted
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import Rules

Data = dict[str, object]
INSURE, DECLINE = "insure", "decline"


class NothingToCoach(VentiunaError, ValueError):
    """The round waits for nothing that a coach could value."""


@dataclass(frozen=True, slots=True)
class Coached:
    """A hand of a round, and all that its player may know."""

    hand: AskedHand
    insurance: bool  # is insurance the question?

    @property
    def fresh_hand(self) -> AskedHand:
        """The same cards out of a full shoe, nothing else seen."""
        asked = self.hand
        shoe = fresh_composition(asked.rules)
        return AskedHand(
            rules=asked.rules,
            cards=asked.cards,
            up=asked.up,
            unseen=without_cards(shoe, (*asked.cards, asked.up)),
            doublings=asked.doublings,
            hands=asked.hands,
            base=asked.base,
            added=asked.added,
        )


def coached_hand(
    rules: Rules, seen_round: RoundView, seen_before: Iterable[int] = (), spot: int = 0
) -> Coached:
    """What the round asks now, of the spot in turn or of this one.

    `seen_round` is a player's view; `seen_before` are the cards that lay face up in earlier
    rounds of this shoe.
    """
    waiting = seen_round.waiting
    if isinstance(waiting, DecisionWanted) and spot in (0, waiting.spot):
        number, index, insurance = waiting.spot, waiting.hand, False
    elif isinstance(waiting, InsuranceAnswersWanted) and (not spot or spot in waiting.spots):
        number, index, insurance = spot or waiting.spots[0], 0, True
    else:
        raise NothingToCoach("There is no decision to advise on just now.")
    place = next(found for found in seen_round.spots if found.number == number)
    up = seen_round.dealer[0]
    assert up is not None, "the up card lies face up"
    gone = [*seen_before, *_face_up(seen_round)]
    unseen = without_cards(fresh_composition(rules), gone)
    return Coached(_asked(rules, place, index, up, unseen), insurance)


def _asked(rules: Rules, spot: SpotView, index: int, up: int, unseen: Composition) -> AskedHand:
    hand = spot.hands[index]
    return AskedHand(
        rules=rules,
        cards=hand.cards,
        up=up,
        unseen=unseen,
        doublings=hand.doublings,
        hands=len(spot.hands),
        base=spot.base,
    )


def _face_up(seen: RoundView) -> list[int]:
    """Every card of this round that a player sees."""
    cards = [card for card in seen.dealer if card is not None]
    cards += seen.bonus_cards
    for spot in seen.spots:
        for hand in spot.hands:
            cards += hand.cards
    return cards


# --- answers ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One action: its expected result and what it gives away, in base wagers."""

    action: str
    ev: float
    cost: float


@dataclass(frozen=True, slots=True)
class Valued:
    """All choices against one shoe, best first, and why; no choice where cards may run out."""

    unseen: int
    choices: tuple[Choice, ...]
    why: str

    def as_data(self) -> Data:
        return {
            "unseen": self.unseen,
            "best": self.choices[0].action if self.choices else None,
            "actions": [
                {"action": choice.action, "ev": choice.ev, "cost": choice.cost}
                for choice in self.choices
            ],
            "why": self.why,
        }


def value_of_hand(asked: AskedHand) -> Valued:
    """Exact values of all legal actions."""
    unseen = sum(asked.unseen)
    try:
        values = asked.values()
    except EmptyShoe:
        sentence = "So few cards are left that the shoe may run out: nothing exact can be said."
        return Valued(unseen, (), sentence)
    return Valued(unseen, _choices(values), why(asked.rules, values, asked.unseen))


def _choices(values: HandValues) -> tuple[Choice, ...]:
    best = values.best.ev
    return tuple(Choice(found.action, found.ev, best - found.ev) for found in values.actions)


def value_of_insurance(asked: AskedHand) -> Valued:
    """Insurance or none, per chip of the insurance wager."""
    if not asked.rules.insurance or rank_of(asked.up) != ACE:
        raise NothingToCoach("Insurance is offered against an ace alone, where it is offered.")
    wager = insurance_wager(asked.rules, (), asked.up, with_cards(asked.unseen, (asked.up,)))
    ev = float(wager.expected_value)
    ranked = sorted(((ev, INSURE), (0.0, DECLINE)), reverse=True)
    choices = tuple(Choice(action, found, ranked[0][0] - found) for found, action in ranked)
    return Valued(sum(asked.unseen), choices, _insurance_sentence(wager))


def _insurance_sentence(wager: InsuranceWager) -> str:
    verdict = "Insurance wins" if wager.expected_value > 0 else "Insurance loses"
    return (
        f"{verdict} {abs(float(wager.expected_value)):.4f} of its wager on average: the dealer has "
        f"a blackjack with {float(wager.win_frequency):.1%}, and "
        f"{float(wager.break_even_frequency):.1%} would be fair."
    )


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's whole answer."""

    coached: Coached
    shoe: Valued
    fresh: Valued

    def as_data(self, done: str = "") -> Data:
        asked = self.coached.hand
        return {
            "cards": list(asked.cards),
            "up": asked.up,
            "asks": "insurance" if self.coached.insurance else "decision",
            "shoe": self.shoe.as_data(),
            "fresh": self.fresh.as_data(),
            "done": self.done_data(done) if done else None,
        }

    def done_data(self, action: str) -> Data:
        """What the action that was chosen cost, by this shoe."""
        found = next((choice for choice in self.shoe.choices if choice.action == action), None)
        if found is None:
            names = ", ".join(choice.action for choice in self.shoe.choices) or "none"
            raise CardError(f"done {action[:20]!r}: the hand has these choices: {names}.")
        stake = self._stake
        cents = None if stake is None else round(found.cost * stake)
        return {
            "action": action,
            "cost": found.cost,
            "cents": cents,
            "sentence": _cost_sentence(found, self.shoe.choices[0], cents),
        }

    @property
    def _stake(self) -> int | None:
        """What values are multiples of: the base wager, or the most that insurance takes."""
        base = self.coached.hand.base
        return base if base is None or not self.coached.insurance else most_insurance(base)


def _cost_sentence(done: Choice, best: Choice, cents: int | None) -> str:
    if done.action == best.action:
        return f"{done.action.capitalize()} was the best choice."
    amount = "" if cents is None else f", {money_text(cents)} on average"
    return (
        f"{done.action.capitalize()} gives away {done.cost:.4f} of a wager{amount}; "
        f"{best.action} was best."
    )


def value(asked: AskedHand, insurance: bool) -> Valued:
    """One shoe's side of an advice: what workers are asked."""
    return value_of_insurance(asked) if insurance else value_of_hand(asked)


def advise(coached: Coached) -> Advice:
    """Both sides, here and now."""
    shoe = value(coached.hand, coached.insurance)
    return Advice(coached, shoe, value(coached.fresh_hand, coached.insurance))
