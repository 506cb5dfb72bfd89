"""Plays a round to its end: cards from a source, decisions from a player."""

from __future__ import annotations

from collections.abc import Callable

from ventiuna.engine.commands import CloseWagers, Command, DealCard
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, HandRemoved, WagerSettled
from ventiuna.engine.shoe import CardSource
from ventiuna.engine.stakes import Wager
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import CardWanted, NothingWanted, Waiting, waiting_for

Player = Callable[[RoundState, Waiting], Command]


def finish_round(state: RoundState, source: CardSource, player: Player) -> list[Event]:
    """From placed wagers to the closed round; returns all events."""
    events = execute(state, CloseWagers())
    while True:
        wanted = waiting_for(state)
        kind = type(wanted)
        if kind is CardWanted:
            new = execute(state, DealCard(source.draw()))
        elif kind is NothingWanted:
            break
        else:
            new = execute(state, player(state, wanted))
        _discard_removed(state, source, new)
        events += new
    source.discard(state.dealer)
    return events


def deal_wanted_cards(state: RoundState, source: CardSource) -> list[Event]:
    """Deal until a person is asked or the round is closed: the step of a table with people."""
    events: list[Event] = []
    while type(waiting_for(state)) is CardWanted:
        new = execute(state, DealCard(source.draw()))
        _discard_removed(state, source, new)
        events += new
    if isinstance(waiting_for(state), NothingWanted):
        source.discard(state.dealer)
    return events


def _discard_removed(state: RoundState, source: CardSource, events: list[Event]) -> None:
    for event in events:
        if type(event) is HandRemoved:
            source.discard(state.spots[event.spot].hands[event.hand].cards)


def net_by_wager(events: list[Event]) -> dict[tuple[int, int, Wager], int]:
    """Result in cents of each wager of each spot: (spot, hand or -1, wager)."""
    nets: dict[tuple[int, int, Wager], int] = {}
    for event in events:
        if type(event) is WagerSettled:
            key = (event.spot, event.hand, event.wager)
            nets[key] = nets.get(key, 0) + event.net
    return nets
