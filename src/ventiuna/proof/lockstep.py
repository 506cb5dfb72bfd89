"""Play the same cards with the same strategy in kernel and engine, and require equal results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.actions import first_legal_for
from ventiuna.core.base_game import maximum_insurance_in_chips
from ventiuna.core.cards import CARDS
from ventiuna.engine import ListSource, OutOfCards, Refused, RoundState, execute, finish_round
from ventiuna.engine.commands import (
    Command,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    TakeBlackjack,
)
from ventiuna.engine.dealing import net_by_wager
from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Event, Wager
from ventiuna.engine.options import ACTION_COMMANDS, legal_actions
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.errors import VentiunaError
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import action_of, play_rounds
from ventiuna.notation import record_of, write_round
from ventiuna.rules import DealOrder, canonical
from ventiuna.simulation.blocks import MeterHistory, logged_call, sample_specs
from ventiuna.simulation.spec import MATCH_NAMES, SimulationSpec, compiled_tables
from ventiuna.simulation.tables import hand_facts, preferred
from ventiuna.strategy.counting import Weights
from ventiuna.strategy.protocol import HandSeen, Insurance, Strategy
from ventiuna.texts import pluralize

Ints = npt.NDArray[np.int64]
Results = dict[tuple[int, int, Wager], int]  # cents by spot, hand or -1, wager


@dataclass(frozen=True)
class TracedRound:
    """One round as the kernel played it."""

    number: int
    cards: tuple[int, ...]
    results: Results
    choices: tuple[tuple[int, int], ...]  # spot and action, if the hand had a choice
    level: int  # level of the base wager; -1 if void
    shuffled: bool


@dataclass(frozen=True)
class Divergence:
    """A round on which kernel and engine disagree."""

    number: int
    reason: str
    notation: str

    def __str__(self) -> str:
        return f"round {self.number}: {self.reason}\n{self.notation}"


def trace_rounds(
    spec: SimulationSpec,
    rounds: int,
    number: int = 0,
    meters: tuple[int, ...] = (),
    shoe: npt.NDArray[np.uint8] | None = None,
) -> tuple[list[TracedRound], MeterHistory]:
    """The first rounds of a block, with everything that happened in them."""
    kit = compiled_tables(spec)
    call = logged_call(spec, rounds, number, shoe)
    play_rounds(*call)
    log, noted = call.log, call.hits
    assert log is not None
    assert noted is not None
    history = MeterHistory.starting(meters or tuple(j.seed for j in spec.rules.jackpots))
    hits = noted[: int(call.out.sums["counters"][at.HITS])]
    totals = np.zeros(at.TOTAL_PLACES, dtype=np.int64)
    paid = history.walk(kit, hits, rounds, totals, None)
    awards: dict[int, list[tuple[int, Wager, int]]] = {}
    for hit, cents in zip(hits, paid, strict=True):
        place = (int(hit[at.HIT_SPOT]) + 1, JACKPOT_WAGERS[int(hit[at.HIT_GAME]) + 1], int(cents))
        awards.setdefault(int(hit[at.HIT_ROUND]), []).append(place)
    return list(_traced(spec, log, awards, kit.grain)), history


def traced_signature() -> tuple[Callable[..., object], tuple[object, ...]]:
    """The round kernel with arguments of the types that every trace passes."""
    [spec] = [spec for name, spec in sample_specs() if name == "several spots, side wagers"]
    return play_rounds, tuple(logged_call(spec, 1))


def _traced(
    spec: SimulationSpec, log: at.Log, awards: dict[int, list[tuple[int, Wager, int]]], grain: int
) -> Iterator[TracedRound]:
    wagers = {
        at.LOG_INSURANCE: Wager.INSURANCE,
        at.LOG_SUPER: Wager.SUPER,
        at.LOG_ENVY: Wager.ENVY,
    }
    wagers |= {at.LOG_MATCH + place: MTD_WAGERS[name] for place, name in enumerate(MATCH_NAMES)}
    wagers |= {at.LOG_JACKPOT + game - 1: wager for game, wager in JACKPOT_WAGERS.items()}
    legal = hand_facts(spec.table).legal.reshape(-1)
    cards_from = hands_from = decisions_from = 0
    for number, row in enumerate(log.rounds):
        cards_to, hands_to, decisions_to, level, shuffled = (int(part) for part in row)
        results: Results = {}
        for _, spot, hand, result, _ in log.hands[hands_from:hands_to].tolist():
            results[spot + 1, hand, Wager.HAND] = result * grain
        for spot in range(spec.spots):
            for column, wager in wagers.items():
                cents = int(log.spots[number, spot, column])
                if cents:
                    results[spot + 1, -1, wager] = cents
        for spot, wager, cents in awards.get(number, ()):
            key = (spot, -1, wager)
            results[key] = results.get(key, 0) + cents
        yield TracedRound(
            number=number,
            cards=tuple(log.cards[cards_from:cards_to].tolist()),
            results={key: cents for key, cents in results.items() if cents or key[1] >= 0},
            choices=tuple(
                (spot + 1, int(action_of(code)))
                for spot, cell, code in log.decisions[decisions_from:decisions_to].tolist()
                if legal[cell]
            ),
            level=level,
            shuffled=bool(shuffled),
        )
        cards_from, hands_from, decisions_from = cards_to, hands_to, decisions_to


@dataclass
class _Seat:
    """Answers the engine as the simulated player would, using the strategy directly."""

    spec: SimulationSpec
    strategy: Strategy
    counts: list[Fraction] = field(default_factory=list)  # main and side counts
    left: int = 0  # unseen cards before the deal
    stock: int = 0  # how many of these are in the shoe; the others were burned
    size: int = 0
    errors: dict[int, list[int]] = field(default_factory=dict)  # the kernel's actions by spot

    def __call__(self, state: RoundState, prompt: Waiting) -> Command:
        if isinstance(prompt, BlackjackAnswersWanted):
            spot = prompt.spots[0]
            if self.spec.error_limit:
                keeps = self.errors.get(spot, [actions.STAND])[0] == actions.DOUBLE
                return KeepBlackjack(spot) if keeps else TakeBlackjack(spot)
            shape = state.spots[spot].hands[0].shape
            seen = HandSeen(tuple(state.spots[spot].originals), shape, 1)
            legal = (1 << actions.STAND) | (1 << actions.DOUBLE)
            keeps = preferred(self.strategy, seen, state.up, legal) == actions.DOUBLE
            return KeepBlackjack(spot) if keeps else TakeBlackjack(spot)
        if isinstance(prompt, InsuranceAnswersWanted):
            spot = prompt.spots[0]
            return Insure(spot, self._insurance(state, spot))
        assert isinstance(prompt, DecisionWanted)
        return ACTION_COMMANDS[self._action(state, prompt)](prompt.spot)

    def _insurance(self, state: RoundState, spot: int) -> int:
        habit = self.spec.insurance
        blackjack = state.spots[spot].has_blackjack
        insures = habit == Insurance.ALWAYS or (habit == Insurance.BLACKJACK and blackjack)
        if habit == Insurance.COUNT and self.spec.count is not None:
            count, at_count = self.spec.count, self.spec.count.insurance_at
            insures = at_count is not None and self._reaches(
                state, at_count, count.insurance_weights
            )
        unit = state.rules.small_chip_unit
        return maximum_insurance_in_chips(state.spots[spot].base, unit) if insures else 0

    def _action(self, state: RoundState, prompt: DecisionWanted) -> int:
        if self.spec.error_limit:
            return self.errors[prompt.spot].pop(0)
        spot = state.spots[prompt.spot]
        hand = spot.hands[prompt.hand]
        seen = HandSeen(tuple(hand.cards), hand.shape, len(spot.hands))
        preferences = self.strategy.preferences(seen, state.up)
        default = first_legal_for(state.table, preferences, hand.shape, len(spot.hands))
        count = self.spec.count
        if count is None or (hand.shape.cards == 2 and spot.has_blackjack):
            return default
        legal = sum(1 << action for action in legal_actions(state))
        for play in reversed(count.plays):
            is_split = default == actions.SPLIT and play.kind != "pair"
            action = play.action_among(legal)
            concerns = play.concerns(state.table, hand.shape, state.up)
            if concerns and action is not None and not is_split:
                is_below = not self._reaches(state, play.at, play.weights)
                return action if is_below == play.is_below else default
        return default

    def _reaches(self, state: RoundState, threshold: Fraction, weights: Weights) -> bool:
        """Whether the count reaches the threshold, counting every card but the down card."""
        count = self.spec.count
        assert count is not None
        hands = [card for spot in state.order for hand in spot.hands for card in hand.cards]
        open_cards = (*hands, state.up, *state.dealer[2:], *state.bonus_cards)
        running, remaining = self.after(open_cards, len(open_cards) + 1)
        pairs = zip(weights or count.weights, running, strict=True)
        known = sum((weight * part for weight, part in pairs), Fraction(0))
        if count.is_true:
            known *= Fraction(len(self.spec.rules.pack.cards), remaining)
        return known >= threshold

    def shuffle(self, size: int) -> None:
        self.counts, self.left, self.size = self._starts(), size, size
        self.stock = size - self.spec.rules.burn_cards

    def after(self, cards: Sequence[int], dealt: int) -> tuple[list[Fraction], int]:
        """Running counts and number of unseen cards once these cards of the round are face up."""
        ran_out = dealt > self.stock  # all cards except this round's were returned to the shoe
        counts = list(self._starts() if ran_out else self.counts)
        for card in cards:
            for part, tag in enumerate(self.tags[card]):
                counts[part] += tag
        return counts, (self.size if ran_out else self.left) - len(cards)

    def end_round(self, cards: tuple[int, ...]) -> None:
        ran_out = len(cards) > self.stock
        self.counts, self.left = self.after(cards, len(cards))
        self.stock = self.left if ran_out else self.stock - len(cards)

    @cached_property
    def tags(self) -> list[tuple[Fraction, ...]]:
        count = self.spec.count
        return [count.part_tags(card) for card in range(CARDS)] if count else [()] * CARDS

    def _starts(self) -> list[Fraction]:
        count, rules = self.spec.count, self.spec.rules
        return [start * rules.decks for start in count.part_starts(rules.pack)] if count else []


def in_deal_order(order: DealOrder, spots: int, cards: Sequence[int]) -> Sequence[int]:
    """The kernel's cards in the order in which this house deals them (R-123).

    The kernel always deals the up card after the players' first cards and the down card after the
    second ones. Every order of unseen cards is equally likely, so this fixed change of order leaves
    all probabilities as they are, and each card goes to the same place.
    """
    first, second = cards[:spots], cards[spots + 1 : 2 * spots + 1]
    up, down, later = cards[spots], cards[2 * spots + 1], cards[2 * spots + 2 :]
    if order == DealOrder.DOWN_CARD_FIRST:
        return (*first, down, *second, up, *later)
    if order == DealOrder.DEALER_LAST:
        return (*first, *second, up, down, *later)
    return cards


class CardsLeftOver(VentiunaError, ValueError):
    """The kernel dealt more cards than the engine needs."""


def play_in_engine(
    spec: SimulationSpec, traced: TracedRound, meters: list[tuple[int, int]], seat: _Seat
) -> tuple[Results, list[tuple[int, int]], list[Event]]:
    """The engine's results for the same cards, and the meters afterward."""
    rules = spec.rules
    state = RoundState(rules, meters)
    games = {game + 1: stake for game, stake in enumerate(spec.jackpots) if stake}
    match = {name: stake for name, stake in zip(MATCH_NAMES, spec.match, strict=True) if stake}
    for spot in range(1, spec.spots + 1):
        execute(state, PlaceWagers(spot, spec.bases[traced.level], f"P{spot}", match, games))
    cards = iter(in_deal_order(rules.deal_order, spec.spots, traced.cards))
    events = finish_round(state, ListSource(cards), seat)
    if left := len(list(cards)):
        raise CardsLeftOver(
            f"the engine didn't use {pluralize(left, 'card')} that the kernel dealt"
        )
    results = {
        key: cents for key, cents in net_by_wager(events).items() if cents or key[2] is Wager.HAND
    }
    return results, [(meter.cents, meter.remainder) for meter in state.meters], events


def find_differences(
    spec: SimulationSpec,
    strategy: Strategy,
    rounds: int,
    number: int = 0,
    shoe: npt.NDArray[np.uint8] | None = None,
    meters: tuple[int, ...] = (),
) -> list[Divergence]:
    """Rounds on which kernel and engine differ; empty if they agree on all."""
    traced_rounds, history = trace_rounds(spec, rounds, number, meters, shoe)
    rules = spec.rules
    running = [(cents, 0) for cents in meters or tuple(j.seed for j in rules.jackpots)]
    found: list[Divergence] = []
    size = rules.shoe_size if shoe is None else len(shoe)
    seat = _Seat(spec, strategy)
    for traced in traced_rounds:
        if traced.level < 0:  # a void round: all its cards were face up
            continue
        if traced.shuffled:
            seat.shuffle(size)
        if spec.error_limit:
            seat.errors = {}
            for spot, action in traced.choices:
                seat.errors.setdefault(spot, []).append(action)
        before = running
        try:
            results, running, events = play_in_engine(spec, traced, running, seat)
        except (Refused, OutOfCards, CardsLeftOver) as error:
            found.append(Divergence(traced.number, str(error), canonical(rules)))
            continue
        if results != traced.results:
            reason = _reason(traced.results, results)
            text = write_round(record_of(rules, events, before, str(traced.number)), False)
            found.append(Divergence(traced.number, reason, text))
        if spec.count is not None:
            seat.end_round(traced.cards)
    walked = [(history.cents[game], history.remainder[game]) for game in range(len(rules.jackpots))]
    if walked != running and not found:
        found.append(Divergence(rounds, f"meters differ: {walked} and {running}", canonical(rules)))
    return found


def _reason(kernel: Results, engine: Results) -> str:
    parts = []
    for key in sorted({*kernel, *engine}):
        ours, theirs = kernel.get(key), engine.get(key)
        if ours != theirs:
            spot, hand, wager = key
            place = f"spot {spot} {wager}" + (f" {hand}" if hand >= 0 else "")
            parts.append(f"{place}: kernel {_cents(ours)}, engine {_cents(theirs)}")
    return "; ".join(parts)


def _cents(amount: int | None) -> str:
    return "nothing" if amount is None else f"{amount / 100:+.2f}"
