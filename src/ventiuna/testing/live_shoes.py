"""Rounds dealt from a live shoe as a table deals them: every event is told to the shoe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ventiuna.engine.commands import CloseWagers, Command, DealCard, PlaceWagers
from ventiuna.engine.decide import execute
from ventiuna.engine.driver import Player, own_meters
from ventiuna.engine.events import Event
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import CardWanted, MetersWanted, NothingWanted, waiting_for
from ventiuna.rules import Rules


class FollowingShoe(Protocol):
    """A `LiveShoe`, or something that looks over its shoulder."""

    def begin_round(self) -> None: ...

    def draw(self) -> int: ...

    def follow(self, event: Event) -> None: ...


def deal_round(
    rules: Rules, shoe: FollowingShoe, wagers: Iterable[PlaceWagers], player: Player
) -> list[Event]:
    """From the first wager to the closed round; its events.

    Should the cards run out for good (`OutOfCards`), the round stays unfinished.
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
