"""A table as everybody may see it: plain data for JSON. The only way out of a table.

All players' cards are face up, so players and onlookers get the same. The down card is hidden by
the engine's view, cards of the shoe, seeds and salts are not here at all, and wallets belong to
their owners alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from ventiuna.engine.options import ActionOption, InsuranceOption, Option, options
from ventiuna.engine.records import Data
from ventiuna.engine.view_data import option_data, view_data
from ventiuna.engine.views import EVERYONE, redact, view
from ventiuna.engine.waiting import WagersWanted
from ventiuna.rules import canonical, fingerprint
from ventiuna.table import events as ev
from ventiuna.table.codec import event_data
from ventiuna.table.events import TableEvent
from ventiuna.table.state import Seat, TableState


def public_event(event: TableEvent) -> Data:
    """An event as it may leave the house."""
    if isinstance(event, ev.OwnEvent):
        return event_data(event)
    return event_data(redact(event, EVERYONE))


def public_events(events: Iterable[TableEvent]) -> list[Data]:
    return [public_event(event) for event in events]


def snapshot(state: TableState) -> Data:
    """The whole table after event `n`."""
    return {
        "n": state.head.events,
        "table": {
            "id": state.number,
            "name": state.name,
            "rules": state.rules.name,
            "canonical": canonical(state.rules),
            "fingerprint": fingerprint(state.rules),
            "status": str(state.status),
            "seats": state.rules.seats,
            "jackpots": {str(game): link.jackpot for game, link in state.links.items()},
        },
        "seats": [_seat(state, seat) for _, seat in sorted(state.seats.items())],
        "shoe": _shoe(state),
        "round": _round(state),
        "ask": ask_data(state),
    }


def _seat(state: TableState, seat: Seat) -> Data:
    return {
        "seat": seat.number,
        "person": seat.person,
        "name": seat.name,
        "status": str(seat.status),
        "spots": sorted(state.spots_of(seat.number)),
        "stack": state.stack(seat.number),
        "ready": seat.number in state.ready,
    }


def _shoe(state: TableState) -> Data:
    """The shoe in play, the commitment of the next one, and its cuts while it is cut."""
    live, playing, coming = state.live, state.in_play, state.next_shoe
    return {
        "number": playing.number if playing else None,
        "commitment": playing.commitment.hex() if playing else None,
        "left": live.cards_left if live else None,
        "next": coming.number if coming else None,
        "next_commitment": coming.commitment.hex() if coming else None,
        "cuts": {
            str(cut.seat): {
                "commitment": cut.commitment.hex(),
                "value": cut.value.hex() if cut.value else None,
            }
            for cut in state.cuts.values()
        },
    }


def _round(state: TableState) -> Data | None:
    if state.round is None or state.opened is None:
        return None
    names = {seat.person: seat.name for seat in state.seats.values()}
    seen = view_data(view(state.round, EVERYONE, names))
    del seen["options"], seen["waiting_for"]  # the table's own ask says it, with its clock
    return {"number": state.opened.number, **seen}


def ask_data(state: TableState) -> Data | None:
    """What the table waits for, until when, and what may be answered."""
    ask = state.ask
    if ask is None:
        return None
    return {
        "n": ask.number,
        "kind": str(ask.kind),
        "spots": list(ask.spots),
        "hand": ask.hand,
        "until": state.deadline,
        "options": _options(state),
    }


def _options(state: TableState) -> list[Data]:
    if state.round is None:
        return []
    return [_option(state, option) for option in options(state.round) if _is_theirs(state, option)]


def _is_theirs(state: TableState, option: Option) -> bool:
    """Nobody closes wagers: the table does when all are ready or time is up."""
    return not (isinstance(state.waiting, WagersWanted) and getattr(option, "name", "") == "close")


def _option(state: TableState, option: Option) -> Data:
    data = option_data(option)
    if isinstance(option, ActionOption):
        data["covered"] = option.chips <= _stack_of(state, option.spot)
    elif isinstance(option, InsuranceOption):
        data["covered"] = option.least <= _stack_of(state, option.spot)
    return data


def _stack_of(state: TableState, spot: int) -> int:
    return state.stack(state.spots.get(spot, 0)) if spot in state.spots else 0
