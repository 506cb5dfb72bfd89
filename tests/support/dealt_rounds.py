"""Rounds dealt from a live shoe, and rounds paused at every player decision."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from ventiuna.engine.commands import CloseWagers, Command, DealCard, PlaceWagers
from ventiuna.engine.dealing import Player, Shoe, deal_wanted_cards, own_meters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event
from ventiuna.engine.prompts import CardWanted, MetersWanted, NothingWanted, waiting_for
from ventiuna.engine.state import RoundState
from ventiuna.rules import Rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.testing.conformance import random_wagers

# --- Rounds from a live shoe ---


class ShoeLike(Protocol):
    """A `LiveShoe`, or a wrapper that observes one."""

    def begin_round(self) -> None: ...

    def draw(self) -> int: ...

    def follow(self, event: Event) -> None: ...


def deal_round(
    rules: Rules, shoe: ShoeLike, wagers: Iterable[PlaceWagers], player: Player
) -> list[Event]:
    """Deal a round from the first wager to the close, and return its events.

    If the shoe runs out of cards (`OutOfCards`), the round stays unfinished.
    """
    state = RoundState(rules)
    events: list[Event] = []

    def carry_out(command: Command) -> None:
        for event in execute(state, command):
            shoe.follow(event)
            events.append(event)

    shoe.begin_round()
    for command in wagers:
        carry_out(command)
    carry_out(CloseWagers())
    while not isinstance(wanted := waiting_for(state), NothingWanted):
        if isinstance(wanted, CardWanted):
            carry_out(DealCard(shoe.draw()))
        elif isinstance(wanted, MetersWanted):
            carry_out(own_meters(state))
        else:
            carry_out(player(state, wanted))
    return events


# --- Paused rounds ---


@dataclass(frozen=True)
class PausedRound:
    """A round waiting for a player; the state advances when the next pause is requested."""

    state: RoundState
    seen_before: tuple[int, ...]  # cards seen in earlier rounds of the shoe
    left: tuple[int, ...]  # cards left in the shoe, known only to the house
    command: Command  # the next command
    events: tuple[Event, ...]  # events since the previous pause


def paused_rounds(rules: Rules, seed: int, rounds: int, spots: int = 3) -> Iterator[PausedRound]:
    generator = random.Random(seed)
    shoe = Shoe(rules, generator.shuffle)
    player = RandomPlayer(generator)
    seen: list[int] = []
    for _ in range(rounds):
        shuffles = shoe.shuffles
        shoe.begin_round()
        if shoe.shuffles != shuffles:
            seen = []
        state = RoundState(rules)
        for spot in range(1, spots + 1):
            execute(state, random_wagers(rules, spot, generator))
        events = [*execute(state, CloseWagers()), *deal_wanted_cards(state, shoe)]
        while not isinstance(wanted := waiting_for(state), NothingWanted):
            command = player(state, wanted)
            yield PausedRound(state, tuple(seen), tuple(shoe._cards), command, tuple(events))
            events = [*execute(state, command), *deal_wanted_cards(state, shoe)]
        seen += [*state.dealer, *state.bonus_cards]
        for played in state.order:
            for hand in played.hands:
                seen += hand.cards
