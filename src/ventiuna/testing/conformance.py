"""Random rounds under one rule set, with every invariant checked.

With fair shuffles, a Super Bonus would practically never come up. Some shuffles here favor a few
cards, so that rare hands, repeated splits and meter awards come up often.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ventiuna.core import actions
from ventiuna.core.cards import (
    ACE,
    CARDS,
    JACK,
    KING,
    QUEEN,
    SEVEN,
    SPADE_ACE,
    SPADE_KING,
    card_of,
    rank_of,
    suit_of,
)
from ventiuna.engine import commands as do
from ventiuna.engine.commands import Command, PlaceWagers, Refused
from ventiuna.engine.dealing import OutOfCards, Shoe, Shuffle, finish_round
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, StageReached, WagerSettled
from ventiuna.engine.options import ACTION_COMMANDS, legal_actions
from ventiuna.engine.prompts import DecisionWanted, Waiting
from ventiuna.engine.state import RoundState
from ventiuna.rules import Rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.testing.invariants import (
    InvariantBroken,
    Meters,
    check_round,
    check_step,
    meters_of,
    snapshot,
)

STEP_CHECKS = 0.02  # share of decisions for which options, view and refusals are checked
NEW_SHUFFLES = 0.3  # share of rounds that start from a fresh shuffle
PERSONS = ("Ana", "Ben", "Cleo")
MOODS: tuple[tuple[int, ...], ...] = (
    (),
    (actions.HIT,),
    (actions.SPLIT, actions.HIT),
    (actions.SPLIT, actions.DOUBLE_DOUBLE, actions.DOUBLE),
    (actions.STAND,),
)


@dataclass
class Tally:
    """How often each stage and payment came up in random rounds."""

    rounds: int = 0
    spots: int = 0
    abandoned: int = 0  # every card of the shoe was on the table
    seen: Counter[str] = field(default_factory=Counter)

    def add_events(self, events: Iterable[Event]) -> None:
        for event in events:
            if type(event) is StageReached:
                self.seen[f"stage {event.stage}"] += 1
            elif type(event) is WagerSettled:
                self.seen[f"{event.wager.split()[0]}: {event.odds}"] += 1
            else:
                self.seen[type(event).__name__] += 1

    def add(self, other: Tally) -> None:
        self.rounds += other.rounds
        self.spots += other.spots
        self.abandoned += other.abandoned
        self.seen += other.seen


def check_rules(rules: Rules, rounds: int, seed: int, step_checks: float = STEP_CHECKS) -> Tally:
    """Play `rounds` random rounds; raises `InvariantBroken` at the first violation."""
    table = _Table(rules, random.Random(seed), step_checks)
    for number in range(1, rounds + 1):
        try:
            table.play_round()
        except InvariantBroken as broken:
            raise InvariantBroken(f"round {number} of seed {seed}: {broken}") from broken
    return table.tally


class _Table:
    """A table over many rounds: its shoe and meters carry over, but its players change."""

    def __init__(self, rules: Rules, generator: random.Random, step_checks: float) -> None:
        self.rules = rules
        self.tally = Tally()
        self._random = generator
        self._source = TalliedShoe(Shoe(rules, biased_shuffle(rules, generator)))
        self._player = _CheckingPlayer(generator, step_checks)
        self._meters: Meters = [(jackpot.seed, 0) for jackpot in rules.jackpots]

    def play_round(self) -> None:
        self._source.begin_round(self._random.random() < NEW_SHUFFLES)
        meters = self._meters
        state = RoundState(self.rules, list(meters))
        self._player.begin_round()
        self._place_wagers(state)
        try:
            events = finish_round(state, self._source, self._player)
        except OutOfCards:
            self._source.shuffle_all()
            self.tally.abandoned += 1
            return
        check_round(state, meters, events)
        self._source.check_round_over(state)
        self._meters = meters_of(state)
        self.tally.rounds += 1
        self.tally.spots += len(state.order)
        self.tally.add_events(events)

    def _place_wagers(self, state: RoundState) -> None:
        maximum = min(self.rules.seats, 3 * self.rules.decks)
        count = self._random.choice([1, 1, 2, maximum, self._random.randint(1, maximum)])
        spots = self._random.sample(range(1, self.rules.seats + 1), min(count, maximum))
        for spot in spots:
            execute(state, random_wagers(self.rules, spot, self._random))


class TalliedShoe:
    """A shoe that tracks every card drawn and returned."""

    def __init__(self, shoe: Shoe) -> None:
        self._shoe = shoe
        self._out = [0] * CARDS
        self._locked = [0] * CARDS  # Bonus Cards since the last shuffle

    def begin_round(self, fresh: bool) -> None:
        if fresh or self._shoe.cut_card_came:
            self.shuffle_all()

    def shuffle_all(self) -> None:
        self._shoe.shuffle_all()
        self._out = [0] * CARDS
        self._locked = [0] * CARDS

    def draw(self) -> int:
        card = self._shoe.draw()
        self._out[card] += 1
        if self._out[card] > self._shoe.rules.decks:
            raise InvariantBroken(f"card {card} was dealt more often than there are decks")
        return card

    def discard(self, cards: Iterable[int]) -> None:
        discarded = list(cards)
        for card in discarded:
            self._out[card] -= 1
        self._shoe.discard(discarded)

    def check_round_over(self, state: RoundState) -> None:
        """Check that all cards came back except the locked-up Bonus Cards (R-028, O-29)."""
        for card in state.bonus_cards:
            self._locked[card] += 1
        if self._out != self._locked:
            raise InvariantBroken("a card didn't come back from the table")


def biased_shuffle(rules: Rules, generator: random.Random) -> Shuffle:
    """A shuffle that, half of the time, deals a few kinds of cards first."""

    def shuffle(cards: list[int]) -> None:
        generator.shuffle(cards)
        if generator.random() < 0.5:
            favoured = _favourites(rules, generator)
            # Cards are drawn from the end of the list.
            cards.sort(key=lambda card: card in favoured and generator.random() < 0.9)

    return shuffle


def _favourites(rules: Rules, generator: random.Random) -> list[int]:
    pack = rules.pack.cards
    ranks = generator.choice(
        [
            (SEVEN,),
            (SEVEN,),
            (ACE,),
            (8,),
            (ACE, KING),
            (ACE, JACK, QUEEN, KING),  # gives blackjacks, or an ace up
            (JACK, QUEEN, KING),
            (1, 2, 3, 4),
            (6, 7, 8),
        ]
    )
    suits = generator.choice([(0, 1, 2, 3), (0, 1, 2, 3), (3,), (generator.randint(0, 3),)])
    return generator.choice(
        [
            [card for card in pack if rank_of(card) in ranks and suit_of(card) in suits],
            [card for card in pack if rank_of(card) in ranks and suit_of(card) in suits],
            generator.sample(pack, generator.randint(1, 3)),
            [SPADE_ACE, SPADE_KING],
            [card_of(SEVEN, generator.randint(0, 3))],  # a Super Bonus
        ]
    )


# --- random players --------------------------------------------------------------------------


def random_wagers(rules: Rules, spot: int, generator: random.Random) -> PlaceWagers:
    """Valid wagers, often at the table limits."""
    base = _between(rules.table_minimum, rules.table_maximum, rules.chip_unit, generator)
    highest = rules.mtd_maximum or rules.table_maximum
    if rules.mtd_at_most_base and rules.mtd_required:
        base = max(base, rules.mtd_minimum)
    if rules.mtd_at_most_base:
        highest = min(highest, base)
    mtd: dict[str, int] = {}
    for name in rules.mtd_wagers:
        lowest = max(rules.mtd_minimum, rules.chip_unit)
        is_chosen = name in rules.mtd_required or generator.random() < 0.5
        if is_chosen and lowest <= highest:
            mtd[name] = _between(lowest, highest, rules.chip_unit, generator)
    if rules.down_requires_up and "up" not in mtd:
        mtd.pop("down", None)
    jackpots = {
        game: jackpot.wager
        for game, jackpot in enumerate(rules.jackpots, start=1)
        if generator.random() < 0.7
    }
    return PlaceWagers(spot, base, generator.choice(PERSONS), mtd, jackpots)


def _between(low: int, high: int, unit: int, generator: random.Random) -> int:
    """A random multiple of the unit from `low` to `high`, which are multiples themselves (O-18)."""
    steps = (high - low) // unit
    return low + unit * generator.choice([0, steps, min(20, steps), generator.randint(0, steps)])


class _CheckingPlayer:
    """Plays at random with a preferred action each round, sometimes checking all options."""

    def __init__(self, generator: random.Random, step_checks: float) -> None:
        self._random = generator
        self._step_checks = step_checks
        self._player = RandomPlayer(generator)
        self._mood = MOODS[0]

    def begin_round(self) -> None:
        self._mood = self._random.choice(MOODS)

    def __call__(self, state: RoundState, prompt: Waiting) -> Command:
        if self._random.random() < self._step_checks:
            check_step(state)
            check_refusal(state, random_command(state, self._random))
        if isinstance(prompt, DecisionWanted) and self._random.random() < 0.8:
            legal = legal_actions(state)
            for action in self._mood:
                if action in legal:
                    return ACTION_COMMANDS[action](prompt.spot)
        return self._player(state, prompt)


def check_refusal(state: RoundState, command: Command) -> None:
    """Check that a refused command changes nothing, and that a copy never affects its original."""
    before = snapshot(state)
    twin = state.copy()
    try:
        execute(twin, command)
    except Refused as refused:
        if snapshot(twin) != before:
            raise InvariantBroken(f"a refused command changed the round: {command}") from refused
    if snapshot(state) != before:
        raise InvariantBroken(f"a command on a copy changed the round: {command}")


def random_command(state: RoundState, generator: random.Random) -> Command:
    """A random command, usually invalid."""
    spot = generator.randint(0, state.rules.seats + 1)
    amount = generator.choice([-100, 0, 1, 50, 100, 1000, state.rules.table_maximum + 1])
    commands: list[Command] = [
        do.CloseWagers(),
        do.WithdrawWagers(spot),
        PlaceWagers(spot, amount),
        do.DealCard(generator.randint(-1, CARDS)),
        do.TakeBlackjack(spot),
        do.KeepBlackjack(spot),
        do.Insure(spot, amount),
        do.Stand(spot),
        do.Hit(spot),
        do.Double(spot, generator.choice([None, amount])),
        do.DoubleDouble(spot),
        do.Split(spot),
        do.Surrender(spot),
        do.Rescue(spot),
        do.ShowMeters({1: amount}),
        do.VoidRound(generator.choice(["", "the lights went out"])),
    ]
    return generator.choice(commands)
