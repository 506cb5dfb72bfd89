"""Every order of a small pack's cards, dealt through the engine, in exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ventiuna.analysis.composition import Composition
from ventiuna.cards import card_text
from ventiuna.core.base_game import maximum_insurance_in_chips
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Double,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    TakeBlackjack,
)
from ventiuna.engine.dealing import OutOfCards, own_meters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import (
    Event,
    HandDoubled,
    HandSplit,
    InsurancePlaced,
    WagerSettled,
    WagersPlaced,
)
from ventiuna.engine.options import action_options
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.state import HandStatus, PlayerHand, RoundState, Spot
from ventiuna.engine.views import EVERYONE, redact
from ventiuna.rules import Rules

Strategy = Callable[[RoundState, Waiting], Command]
# The player's possible commands and their chances, which add up to one.
Chooser = Callable[[RoundState, Waiting], Sequence[tuple[Command, Fraction]]]
ONE = Fraction(1)


class Branch(NamedTuple):
    """One complete or partial round."""

    chance: Fraction
    net: int  # cents, all spots together
    state: RoundState


@dataclass(frozen=True)
class Counts:
    """Size of the tree of all rounds, and the result of random choices."""

    rounds: int
    decisions: int  # points where a player has a choice
    deals: int  # cards dealt
    chance: Fraction  # total of all rounds; less than one if a branch is missing
    net: Fraction  # expected cents if every choice is random


def candidates(state: RoundState, wanted: Waiting, doubles_for_less: bool = False) -> list[Command]:
    """Every command that a person may use. Amounts are the ends of their range.

    Winnings are linear in between, so no other amount can be better than both.
    """
    if isinstance(wanted, BlackjackAnswersWanted):
        return [TakeBlackjack(wanted.spots[0]), KeepBlackjack(wanted.spots[0])]
    if isinstance(wanted, InsuranceAnswersWanted):
        spot = wanted.spots[0]
        unit = state.rules.small_chip_unit
        most = maximum_insurance_in_chips(state.spots[spot].base, unit)
        return [Insure(spot, 0), Insure(spot, most)]
    if isinstance(wanted, MetersWanted):
        return [own_meters(state)]
    if not isinstance(wanted, DecisionWanted):
        raise ValueError(f"nobody is prompted: the round is waiting for {wanted}")
    found: list[Command] = []
    for option in action_options(state):
        if option.legal:
            found.append(option.command())
            if doubles_for_less and option.least_chips < option.chips:
                found.append(Double(wanted.spot, option.least_chips))
    return found


def any_choice(state: RoundState, wanted: Waiting) -> list[tuple[Command, Fraction]]:
    """All commands with equal chances."""
    found = candidates(state, wanted)
    return [(command, Fraction(1, len(found))) for command in found]


def following(strategy: Strategy) -> Chooser:
    """The strategy's command, with certainty."""
    return lambda state, wanted: [(strategy(state, wanted), ONE)]


# --- all rounds, one by one -------------------------------------------------------------------


def all_rounds(
    rules: Rules,
    composition: Composition,
    wagers: Iterable[PlaceWagers],
    choose: Chooser = any_choice,
) -> Iterator[Branch]:
    """Every round that these cards and choices can produce, with its chance."""
    state, net = _opened(rules, composition, wagers)
    return _rounds_from(Branch(ONE, net, state), list(composition), choose, Counter())


def _rounds_from(
    branch: Branch, left: list[int], choose: Chooser, counts: Counter[str]
) -> Iterator[Branch]:
    wanted = waiting_for(branch.state)
    if isinstance(wanted, NothingWanted):
        yield branch
    elif isinstance(wanted, CardWanted):
        for card, chance in _cards(left):
            counts["deals"] += 1
            left[card] -= 1
            yield from _rounds_from(_after(branch, DealCard(card), chance), left, choose, counts)
            left[card] += 1
    elif isinstance(wanted, MetersWanted):
        yield from _rounds_from(_after(branch, own_meters(branch.state), ONE), left, choose, counts)
    else:
        counts["decisions"] += 1
        for command, chance in choose(branch.state, wanted):
            yield from _rounds_from(_after(branch, command, chance), left, choose, counts)


def _after(branch: Branch, command: Command, chance: Fraction) -> Branch:
    state = branch.state.copy()
    events = execute(state, command)
    return Branch(branch.chance * chance, branch.net + cash(events), state)


def count_rounds(rules: Rules, composition: Composition, wagers: Iterable[PlaceWagers]) -> Counts:
    """The size of the whole tree: all orders of the cards and all choices of the players."""
    state, start = _opened(rules, composition, wagers)
    counts: Counter[str] = Counter()
    chance = net = Fraction(0)
    for end in _rounds_from(Branch(ONE, start, state), list(composition), any_choice, counts):
        counts["rounds"] += 1
        chance += end.chance
        net += end.chance * end.net
    return Counts(counts["rounds"], counts["decisions"], counts["deals"], chance, net)


def distribution(
    rules: Rules, composition: Composition, wagers: Iterable[PlaceWagers], strategy: Strategy
) -> dict[int, Fraction]:
    """The chance of each result in cents if the players follow the strategy."""
    found: dict[int, Fraction] = {}
    for end in all_rounds(rules, composition, wagers, following(strategy)):
        found[end.net] = found.get(end.net, Fraction(0)) + end.chance
    return dict(sorted(found.items()))


# --- the best play ----------------------------------------------------------------------------


class _World(NamedTuple):
    """A state that the players consider possible: they don't know the down card."""

    weight: Fraction
    state: RoundState
    left: tuple[int, ...]


def best_expectation(
    rules: Rules,
    composition: Composition,
    wagers: Iterable[PlaceWagers],
    doubles_for_less: bool = False,
) -> Fraction:
    """Expected cents of all spots together with best play.

    The players know the rules, the pack and every exposed card. Their choices are the same for all
    down cards that fit what they have seen, including insurance and the dealer's check.
    """
    state, net = _opened(rules, composition, wagers)
    search = _BestPlay(doubles_for_less)
    return net + search.value([_World(ONE, state, tuple(composition))])


class _BestPlay:
    def __init__(self, doubles_for_less: bool) -> None:
        self._doubles_for_less = doubles_for_less
        self._known: dict[Hashable, Fraction] = {}

    def value(self, worlds: list[_World]) -> Fraction:
        """Expected cents from here on; the weights of the worlds add up to one."""
        wanted = waiting_for(worlds[0].state)
        if isinstance(wanted, NothingWanted):
            return Fraction(0)
        key = _key(worlds)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._worked_out(worlds, wanted)
        return known

    def _worked_out(self, worlds: list[_World], wanted: Waiting) -> Fraction:
        if isinstance(wanted, CardWanted):
            return self._followed(_dealt(worlds))
        choices = candidates(worlds[0].state, wanted, self._doubles_for_less)
        return max(self._followed(_answered(worlds, command)) for command in choices)

    def _followed(self, steps: Iterable[tuple[_World, list[Event]]]) -> Fraction:
        """Group worlds that look alike after the step."""
        total = Fraction(0)
        alike: dict[tuple[Event, ...], list[_World]] = {}
        for world, events in steps:
            total += world.weight * cash(events)
            seen = tuple(redact(event, EVERYONE) for event in events)
            alike.setdefault(seen, []).append(world)
        for worlds in alike.values():
            weight = sum((world.weight for world in worlds), Fraction(0))
            scaled = [world._replace(weight=world.weight / weight) for world in worlds]
            total += weight * self.value(scaled)
        return total


def _dealt(worlds: list[_World]) -> Iterator[tuple[_World, list[Event]]]:
    for weight, state, left in worlds:
        for card, chance in _cards(left):
            following_state = state.copy()
            events = execute(following_state, DealCard(card))
            rest = (*left[:card], left[card] - 1, *left[card + 1 :])
            yield _World(weight * chance, following_state, rest), events


def _answered(worlds: list[_World], command: Command) -> Iterator[tuple[_World, list[Event]]]:
    for weight, state, left in worlds:
        following_state = state.copy()
        events = execute(following_state, command)
        yield _World(weight, following_state, left), events


def _key(worlds: list[_World]) -> Hashable:
    """Key that is equal for positions with the same future, whatever the order of earlier cards."""
    state = worlds[0].state
    return (
        state.stage,
        tuple(sorted(state.dealer[2:])) if state.down_exposed else (),
        tuple(meter.cents for meter in state.meters),
        len(state.bonus_cards),
        tuple(_spot_key(spot) for spot in state.order),
        tuple((world.weight, _hidden(world.state), world.left) for world in worlds),
    )


def _hidden(state: RoundState) -> Hashable:
    return state.early_down, tuple(state.dealer[:2])


def _spot_key(spot: Spot) -> Hashable:
    side_wagers = bool(spot.mtd or spot.jackpots)
    return (
        tuple(sorted(spot.originals)) if side_wagers else len(spot.originals),
        tuple(spot.open_jackpots.items()),
        spot.insurance,
        spot.blackjack_answer,
        tuple(_hand_key(hand) for hand in spot.hands),
    )


def _hand_key(hand: PlayerHand) -> Hashable:
    if hand.status is HandStatus.OVER:
        return hand.shape  # it may have won a Super Bonus
    return (hand.shape, hand.wager, hand.last_portion, hand.status, hand.drawing)


# --- helpers ---------------------------------------------------------------------------------


def cash(events: Iterable[Event]) -> int:
    """Players' payouts minus their stakes."""
    total = 0
    for event in events:
        if isinstance(event, WagerSettled):
            total += event.paid
        elif isinstance(event, InsurancePlaced | HandDoubled | HandSplit):
            total -= event.amount
        elif isinstance(event, WagersPlaced):
            total -= event.base + sum(event.mtd.values()) + sum(event.jackpots.values())
    return total


def _opened(
    rules: Rules, composition: Composition, wagers: Iterable[PlaceWagers]
) -> tuple[RoundState, int]:
    for card, count in enumerate(composition):
        if count > rules.decks:
            raise ValueError(
                f"{count} of {card_text(card)}: the rules have only {rules.decks} decks"
            )
    state = RoundState(rules)
    events: list[Event] = []
    for command in wagers:
        events += execute(state, command)
    events += execute(state, CloseWagers())
    return state, cash(events)


def _cards(left: Sequence[int]) -> list[tuple[int, Fraction]]:
    """Kinds of cards that may come next, with their chances."""
    total = sum(left)
    if total == 0:
        raise OutOfCards("The pack is too small for these rules: give it more cards.")
    return [(card, Fraction(count, total)) for card, count in enumerate(left) if count]
