"""Random rounds with people in seats: wagers replaced and withdrawn, rare hands, void rounds."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ventiuna.engine import commands as do
from ventiuna.engine.commands import Command
from ventiuna.engine.dealing import OutOfCards, Shoe, own_meters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, Stage
from ventiuna.engine.options import ACTION_COMMANDS, legal_actions
from ventiuna.engine.prompts import (
    CardWanted,
    DecisionWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.state import RoundState
from ventiuna.rules import Rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.testing.conformance import MOODS, biased_shuffle, random_wagers


@dataclass(frozen=True)
class PlayedRound:
    """One round with a seat for each spot; a seat may have several spots."""

    rules: Rules
    meters: list[tuple[int, int]]  # meters before the round
    events: list[Event]
    seats: dict[int, int]


def random_rounds(
    rules: Rules, rounds: int, seed: int, maximum: int | None = None
) -> list[PlayedRound]:
    """Play rounds at one table, whose meters carry over and display at most the maximum."""
    generator = random.Random(seed)
    meters = [(jackpot.seed, 0) for jackpot in rules.jackpots]
    played = []
    for _ in range(rounds):
        state = RoundState(rules, list(meters))
        events = _play(state, generator, maximum)
        seats = {spot: generator.randint(1, 3) for spot in range(1, rules.seats + 1)}
        played.append(PlayedRound(rules, meters, events, seats))
        meters = [(meter.cents, meter.remainder) for meter in state.meters]
    return played


def _play(state: RoundState, generator: random.Random, maximum: int | None) -> list[Event]:
    events = _wagers(state, generator)
    shoe = Shoe(state.rules, biased_shuffle(state.rules, generator))
    player = RandomPlayer(generator)
    mood = generator.choice(MOODS)
    may_void = generator.random() < 0.3
    while not isinstance(wanted := waiting_for(state), NothingWanted):
        command: Command
        if may_void and state.stage is not Stage.AWARDS and generator.random() < 0.05:
            command = do.VoidRound("the lights went out")
        elif isinstance(wanted, CardWanted):
            command = _card(shoe)
        elif isinstance(wanted, MetersWanted):
            command = _shown_at_most(own_meters(state), maximum)
        elif isinstance(wanted, WagersWanted):
            command = do.CloseWagers()
        else:
            command = _in_mood(state, wanted, mood, generator) or player(state, wanted)
        events += execute(state, command)
    return events


def _shown_at_most(reading: do.ShowMeters, maximum: int | None) -> Command:
    if maximum is None:
        return reading
    return do.ShowMeters({game: min(cents, maximum) for game, cents in reading.meters.items()})


def _card(shoe: Shoe) -> Command:
    try:
        return do.DealCard(shoe.draw())
    except OutOfCards:
        return do.VoidRound("out of cards")


def _wagers(state: RoundState, generator: random.Random) -> list[Event]:
    """Place wagers on some spots, replacing some and withdrawing others."""
    rules = state.rules
    most = min(rules.seats, 3 * rules.decks)
    events: list[Event] = []
    for spot in generator.sample(range(1, rules.seats + 1), generator.randint(1, most)):
        for _ in range(generator.choice([1, 1, 1, 2])):
            events += execute(state, random_wagers(rules, spot, generator))
        if len(state.order) > 1 and generator.random() < 0.1:
            events += execute(state, do.WithdrawWagers(spot))
    return events


def _in_mood(
    state: RoundState, wanted: Waiting, mood: tuple[int, ...], generator: random.Random
) -> Command | None:
    if isinstance(wanted, DecisionWanted) and generator.random() < 0.8:
        legal = legal_actions(state)
        for action in mood:
            if action in legal:
                return ACTION_COMMANDS[action](wanted.spot)
    return None
