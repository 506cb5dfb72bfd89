"""Plays a round to its end: cards from a source, decisions from a player."""

from __future__ import annotations

from typing import Protocol

from ventiuna.engine.commands import CloseWagers, Command, DealCard, ShowMeters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, HandRemoved, RoundVoided, WagerSettled
from ventiuna.engine.shoe import CardSource
from ventiuna.engine.stakes import Wager
from ventiuna.engine.state import RoundState, check_round
from ventiuna.engine.waiting import CardWanted, MetersWanted, NothingWanted, Waiting, waiting_for


class Player(Protocol):
    """Whoever answers for the spots of a round: any function of the round and what it waits for.

    It is asked for every wait that a person answers (`BlackjackAnswersWanted`,
    `InsuranceAnswersWanted`, `DecisionWanted`), and returns a command for one of its spots; where
    several are asked it is asked again. What is legal it finds in `options(state)`. It sees all of
    the round, so whoever must not look at the down card takes `view(state)`.

    >>> from ventiuna.engine import options
    >>> def stands(state, waiting):
    ...     return options(state)[0].command()  # stand, decline, take
    """

    def __call__(self, state: RoundState, waiting: Waiting, /) -> Command:
        """The answer to what the round waits for."""
        ...


def finish_round(state: RoundState, source: CardSource, player: Player) -> list[Event]:
    """From placed wagers to the closed round; returns all events, the wagers first.

    Should the cards run out (`OutOfCards`), the state stays where it waits for a card.

    >>> import random
    >>> from ventiuna import Shoe, commands, load_rules, steady_player
    >>> rules = load_rules("wsgc-2021")
    >>> state = RoundState(rules)
    >>> placed = execute(state, commands.PlaceWagers(1, 500))
    >>> events = finish_round(state, Shoe(rules, random.Random(1).shuffle), steady_player)
    >>> str(state.stage)
    'closed'
    """
    check_round(state)
    events: list[Event] = [spot.wagers_placed() for spot in state.order]
    events += execute(state, CloseWagers())
    while True:
        wanted = waiting_for(state)
        kind = type(wanted)
        if kind is CardWanted:
            new = execute(state, DealCard(source.draw()))
        elif kind is NothingWanted:
            break
        elif kind is MetersWanted:
            new = execute(state, own_meters(state))
        else:
            new = execute(state, player(state, wanted))
        _discard_removed(state, source, new)
        events += new
    source.discard(state.dealer)
    return events


def deal_wanted_cards(state: RoundState, source: CardSource) -> list[Event]:
    """Deal until a person is asked or the round is closed: the step of a table with people.

    A reading of the meters is answered from the round's own. Should the cards run out
    (`OutOfCards`), the cards dealt so far lie in the state and their events are not returned:
    deal on a copy and drop it then, or call the round off.
    """
    events: list[Event] = []
    while isinstance(wanted := waiting_for(state), CardWanted | MetersWanted):
        if isinstance(wanted, CardWanted):
            new = execute(state, DealCard(source.draw()))
        else:
            new = execute(state, own_meters(state))
        _discard_removed(state, source, new)
        events += new
    if isinstance(wanted, NothingWanted):
        source.discard(state.dealer)
    return events


def own_meters(state: RoundState) -> ShowMeters:
    """The reading that a round waits for where no other table feeds its meters."""
    wanted = waiting_for(state)
    games = wanted.games if isinstance(wanted, MetersWanted) else ()
    return ShowMeters({game: state.meters[game - 1].cents for game in games})


def _discard_removed(state: RoundState, source: CardSource, events: list[Event]) -> None:
    for event in events:
        if type(event) is HandRemoved:
            source.discard(state.spots[event.spot].hands[event.hand].cards)


def net_by_wager(events: list[Event]) -> dict[tuple[int, int, Wager], int]:
    """Result in cents of each wager of each spot: (spot, hand or -1, wager); none of a void one."""
    nets: dict[tuple[int, int, Wager], int] = {}
    for event in events:
        if type(event) is WagerSettled:
            key = (event.spot, event.hand, event.wager)
            nets[key] = nets.get(key, 0) + event.net
        elif type(event) is RoundVoided:
            return {}
    return nets
