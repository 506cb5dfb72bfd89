"""Rounds stopped wherever a person is asked, with the cards that lay face up before them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from ventiuna.engine.commands import CloseWagers, Command
from ventiuna.engine.decide import execute
from ventiuna.engine.driver import deal_wanted_cards
from ventiuna.engine.events import Event
from ventiuna.engine.shoe import Shoe
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import NothingWanted, waiting_for
from ventiuna.rules import Rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.testing.conformance import random_wagers


@dataclass(frozen=True)
class Moment:
    """A round that waits for somebody; the state goes on when the next moment is asked for."""

    state: RoundState
    seen_before: tuple[int, ...]  # in earlier rounds of the shoe
    left: tuple[int, ...]  # what only the house knows: the cards still in the shoe
    command: Command  # comes next
    events: tuple[Event, ...]  # since the moment before


def moments(rules: Rules, seed: int, rounds: int, spots: int = 3) -> Iterator[Moment]:
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
            yield Moment(state, tuple(seen), tuple(shoe._cards), command, tuple(events))
            events = [*execute(state, command), *deal_wanted_cards(state, shoe)]
        seen += [*state.dealer, *state.bonus_cards]
        for played in state.order:
            for hand in played.hands:
                seen += hand.cards
