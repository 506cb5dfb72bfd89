"""The coach: what every choice of a hand in play is worth, for this shoe and for a fresh one.

It knows what a player at the table may know: the rules, the cards that lie face up, and those
seen since the shuffle. The down card is unseen like the cards of the shoe.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ventiuna.analysis.base_game.hand import HandValues
from ventiuna.analysis.base_game.why import hand_of, per_dollar, why
from ventiuna.analysis.composition import (
    Composition,
    fresh_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.empty_shoe import EmptyShoe
from ventiuna.analysis.exact import percent_text
from ventiuna.analysis.questions.hand import AskedHand
from ventiuna.analysis.side_bets.insurance import InsuranceWager, insurance_wager
from ventiuna.cards import CardError
from ventiuna.core.actions import ACTION_NAMES, DOUBLE, STAND, refusal
from ventiuna.core.blackjacks import wins_two_blackjacks
from ventiuna.core.cards import ACE, rank_of
from ventiuna.core.dealer import dealer_checks, is_dealer_blackjack
from ventiuna.core.hand import is_blackjack
from ventiuna.core.payouts import most_insurance
from ventiuna.core.refusals import LEGAL
from ventiuna.engine.events import Stage
from ventiuna.engine.options import KEEP, TAKE
from ventiuna.engine.views import RoundView, SpotView
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
)
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.rules import Rules, compile_rules

Data = dict[str, object]
INSURE, DECLINE = "insure", "decline"


class NothingToCoach(VentiunaError, ValueError):
    """The round waits for nothing that a coach could value."""


class Asks(StrEnum):
    """What a round asks its player."""

    DECISION = "decision"
    INSURANCE = "insurance"
    BLACKJACK = "blackjack"  # be paid, or keep it to double; the dealer may have one too
    CHECKED_BLACKJACK = "checked_blackjack"  # the same after the dealer's look


@dataclass(frozen=True, slots=True)
class Coached:
    """A hand of a round, and all that its player may know."""

    hand: AskedHand
    asks: Asks = Asks.DECISION

    @property
    def insurance(self) -> bool:
        return self.asks is Asks.INSURANCE

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
    asks, number, index = _question(seen_round, spot)
    place = next(found for found in seen_round.spots if found.number == number)
    up = seen_round.dealer[0]
    assert up is not None, "the up card lies face up"
    gone = [*seen_before, *_face_up(seen_round)]
    unseen = without_cards(fresh_composition(rules), gone)
    return Coached(_asked(rules, place, index, up, unseen), asks)


def _question(seen_round: RoundView, spot: int) -> tuple[Asks, int, int]:
    """What is asked, with its spot and hand."""
    waiting = seen_round.waiting
    if isinstance(waiting, DecisionWanted) and spot in (0, waiting.spot):
        return Asks.DECISION, waiting.spot, waiting.hand
    if isinstance(waiting, InsuranceAnswersWanted | BlackjackAnswersWanted) and (
        spot in waiting.spots or not spot
    ):
        return _asked_before_play(seen_round), spot or waiting.spots[0], 0
    raise NothingToCoach("There is no decision to advise on just now.")


def _asked_before_play(seen_round: RoundView) -> Asks:
    if isinstance(seen_round.waiting, InsuranceAnswersWanted):
        return Asks.INSURANCE
    is_checked = seen_round.stage is Stage.BLACKJACKS_AFTER_CHECK
    return Asks.CHECKED_BLACKJACK if is_checked else Asks.BLACKJACK


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
    try:
        values = asked.values()
    except EmptyShoe:
        return _may_run_out(asked)
    sentence = why(asked.rules, values, asked.unseen)
    return Valued(sum(asked.unseen), _choices(values), sentence)


def _may_run_out(asked: AskedHand) -> Valued:
    sentence = "So few cards are left that the shoe may run out: nothing exact can be said."
    return Valued(sum(asked.unseen), (), sentence)


def _choices(values: HandValues) -> tuple[Choice, ...]:
    best = values.best.ev
    return tuple(Choice(found.action, found.ev, best - found.ev) for found in values.actions)


def value_of_insurance(asked: AskedHand) -> Valued:
    """Insurance or none, per chip of the insurance wager."""
    if not asked.rules.insurance or rank_of(asked.up) != ACE:
        raise NothingToCoach("Insurance is offered against an ace alone, where it is offered.")
    wager = insurance_wager(asked.rules, (), asked.up, with_cards(asked.unseen, (asked.up,)))
    choices = _ranked({INSURE: float(wager.expected_value), DECLINE: 0.0})
    return Valued(sum(asked.unseen), choices, _insurance_sentence(wager))


def _ranked(values: dict[str, float]) -> tuple[Choice, ...]:
    best = max(values.values())
    ranked = sorted(values, key=lambda name: -values[name])
    return tuple(Choice(name, values[name], best - values[name]) for name in ranked)


def _insurance_sentence(wager: InsuranceWager) -> str:
    verdict = "Insurance wins" if wager.expected_value > 0 else "Insurance loses"
    return (
        f"{verdict} {per_dollar(float(wager.expected_value))} per $1 of its wager on average: the "
        f"dealer has a blackjack with {percent_text(wager.win_frequency, 1)}, and "
        f"{percent_text(wager.break_even_frequency, 1)} would be fair."
    )


def value_of_blackjack(asked: AskedHand, checked: bool) -> Valued:
    """Be paid, or keep the blackjack and double it (R-032, R-106).

    One that is kept against a dealer's blackjack is not doubled any more (O-09).
    """
    table, hand = compile_rules(asked.rules), hand_of(asked.cards)
    if not is_blackjack(hand) or refusal(table, DOUBLE, hand, 1) != LEGAL:
        raise NothingToCoach("This is no blackjack that may be kept to double (R-032, R-106).")
    try:
        values = {found.action: found.ev for found in asked.values().actions}
    except EmptyShoe:
        return _may_run_out(asked)
    pay, doubled = values[ACTION_NAMES[STAND]], values[ACTION_NAMES[DOUBLE]]
    met = 0.0 if checked else _dealer_blackjack(asked)
    wins = wins_two_blackjacks(table, paid_before_check=False)
    kept = met * (pay if wins else 0.0) + (1 - met) * doubled
    sentence = (
        f"The blackjack is paid {per_dollar(pay)} per $1 for certain; kept and doubled it "
        f"{'wins' if kept > 0 else 'loses'} {per_dollar(kept)} on average. Keeping costs nothing "
        "before it is doubled: to stand is to be paid."
    )
    return Valued(sum(asked.unseen), _ranked({TAKE: pay, KEEP: kept}), sentence)


def _dealer_blackjack(asked: AskedHand) -> float:
    """How likely the down card makes a blackjack that the dealer still has to look for."""
    if not dealer_checks(asked.up):
        return 0.0
    makers = sum(
        count for card, count in enumerate(asked.unseen) if is_dealer_blackjack(asked.up, card)
    )
    return makers / sum(asked.unseen)


@dataclass(frozen=True, slots=True)
class Advice:
    """The coach's whole answer."""

    coached: Coached
    shoe: Valued
    fresh: Valued
    less: Valued | None = None  # with the double for less that was chosen

    def as_data(self, done: str = "") -> Data:
        asked = self.coached.hand
        return {
            "cards": list(asked.cards),
            "up": asked.up,
            "asks": str(self.coached.asks).removeprefix("checked_"),
            "shoe": self.shoe.as_data(),
            "fresh": self.fresh.as_data(),
            "done": self.done_data(done) if done else None,
        }

    def done_data(self, action: str) -> Data:
        """What the action that was chosen cost, by this shoe."""
        found = self._less(action) or next(
            (choice for choice in self.shoe.choices if choice.action == action), None
        )
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

    def _less(self, action: str) -> Choice | None:
        """A double for less, by what it is worth itself; the best choice is the same."""
        if self.less is None or action != ACTION_NAMES[DOUBLE] or not self.shoe.choices:
            return None
        found = next((one for one in self.less.choices if one.action == action), None)
        cost = self.shoe.choices[0].ev - found.ev if found else 0.0
        return Choice(action, found.ev, max(0.0, cost)) if found else None

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
        f"{done.action.capitalize()} gives away {per_dollar(done.cost)} per $1{amount}; "
        f"{best.action} was best."
    )


def value(asked: AskedHand, asks: Asks = Asks.DECISION) -> Valued:
    """One shoe's side of an advice: what workers are asked."""
    if asks is Asks.DECISION:
        return value_of_hand(asked)
    if asks is Asks.INSURANCE:
        return value_of_insurance(asked)
    return value_of_blackjack(asked, checked=asks is Asks.CHECKED_BLACKJACK)


def advise(coached: Coached) -> Advice:
    """Both sides, here and now."""
    shoe = value(coached.hand, coached.asks)
    return Advice(coached, shoe, value(coached.fresh_hand, coached.asks))
