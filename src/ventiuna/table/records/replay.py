"""A round as a window at the table saw it: its beginning, then its events with their sentences
and what each left on the felt, in the shape in which a table's socket tells them.

Shared with others it tells what anybody at the table could see, and nobody's name: players are
numbered by their first spot, and who came and went besides is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ventiuna.engine.events import CardDealt, HandRemoved, WagersPlaced
from ventiuna.engine.records import Data
from ventiuna.engine.state import RoundState, apply
from ventiuna.rules import canonical, fingerprint
from ventiuna.rules.words.headline import headline, limits_words
from ventiuna.table import events as ev
from ventiuna.table.play.folding import meters_at
from ventiuna.table.records.recall import RecalledRound, Step
from ventiuna.table.shoes.fairness import context_of
from ventiuna.table.telling.shown import Telling
from ventiuna.table.telling.views import cards_data, public_event

_SHARED_EVENTS = (ev.RoundOpened, ev.RoundClosed)


def replay_data(round_: RecalledRound) -> Data:
    """For who may see the round with its names."""
    return _replay(round_, round_.truth)


def shared_data(round_: RecalledRound) -> Data:
    """For everybody who has its link."""
    players = {person: f"player {n}" for n, person in enumerate(_players(round_), start=1)}
    steps = [
        replace(step, event=_unnamed(step.event, players), actor="")
        for step in round_.truth
        if not isinstance(step.event, ev.OwnEvent) or isinstance(step.event, _SHARED_EVENTS)
    ]
    names = {alias: alias.capitalize() for alias in players.values()}
    seats = {
        number: players[person] for number, person in round_.seats.items() if person in players
    }
    return _replay(replace(round_, names=names, seats=seats), steps)


def _unnamed(event: ev.TableEvent, players: dict[str, str]) -> ev.TableEvent:
    if isinstance(event, WagersPlaced):
        return replace(event, person=players.get(event.person, ""))
    return event


def _players(round_: RecalledRound) -> list[str]:
    """Those who wagered, by their first spot."""
    spots: dict[int, str] = {}
    for step in round_.truth:
        if isinstance(step.event, WagersPlaced) and step.event.person:
            spots[step.event.spot] = step.event.person
    return list(dict.fromkeys(person for _, person in sorted(spots.items())))


def _replay(round_: RecalledRound, steps: Sequence[Step]) -> Data:
    telling = Telling(round_.rules, round_.names, round_.seats)
    shown = telling.show_all(step.event for step in steps)
    return {
        "table": round_.table,
        "round": round_.number,
        "shoe": round_.shoe,
        "outcome": round_.outcome,
        "at": steps[0].at if steps else 0,
        "shoe_ended": round_.shoe_ended,
        "snapshot": _beginning(round_, steps),
        "steps": [
            {
                "n": step.number,
                "at": step.at,
                "event": public_event(step.event),
                "told": one.told,
                "after": one.after,
                "shoe": shoe,
            }
            for step, one, shoe in zip(steps, shown, _shoes(round_, steps), strict=True)
        ],
    }


def _shoes(round_: RecalledRound, steps: Sequence[Step]) -> Iterator[Data | None]:
    """Shoe and discard tray after each event that moved a card, as they were at the table."""
    state: RoundState | None = None
    dealt = round_.dealt_before
    for step in steps:
        event = step.event
        if isinstance(event, ev.RoundOpened):
            state = RoundState(round_.rules, meters_at(round_.rules, event))
        elif isinstance(event, ev.RoundClosed):
            state = None
        elif state is not None and not isinstance(event, ev.OwnEvent):
            apply(state, event)
            dealt += isinstance(event, CardDealt)
        is_moved = isinstance(event, CardDealt | HandRemoved | ev.RoundClosed)
        yield _shoe_data(round_, dealt, state) if is_moved else None


def _shoe_data(round_: RecalledRound, dealt: int, state: RoundState | None) -> Data:
    # How many cards lie where does not depend on the house that dealt them.
    context = context_of(round_.rules, "house", str(round_.table), round_.shoe)
    left = max(0, context.size - dealt)  # one that was shuffled within the round has none left
    to_cut = max(0, left - context.behind_cut)
    return {
        "number": round_.shoe,
        "commitment": None,
        **cards_data(context.size, left, to_cut, state),
        "next": None,
        "next_commitment": None,
        "cuts": {},
    }


def _beginning(round_: RecalledRound, steps: Sequence[Step]) -> Data:
    """The table before the round's first event."""
    rules = round_.rules
    return {
        "type": "snapshot",
        "n": steps[0].number - 1 if steps else 0,
        "table": {
            "id": round_.table,
            "name": round_.table_name,
            "rules": rules.name,
            "canonical": canonical(rules),
            "fingerprint": fingerprint(rules),
            "game": rules.game.words,
            "headline": headline(rules),
            "limits": limits_words(rules),
            "status": "open",
            "seats": rules.seats,
            "jackpots": {},
        },
        "seats": _seats(round_, steps),
        "shoe": _shoe_data(round_, round_.dealt_before, None),
        "round": None,
        "ask": None,
        "story": [],
        "scene": [],
    }


def _seats(round_: RecalledRound, steps: Sequence[Step]) -> list[Data]:
    """Who wagers in the round, with the spots of those wagers."""
    spots: dict[str, set[int]] = {}
    for step in steps:
        if isinstance(step.event, WagersPlaced):
            spots.setdefault(step.event.person, set()).add(step.event.spot)
    numbers = {person: number for number, person in round_.seats.items()}
    return [
        {
            "seat": numbers.get(person, min(played)),
            "person": person,
            "name": round_.names.get(person, ""),
            "status": "here",
            "spots": sorted(played),
            "stack": 0,
            "ready": False,
        }
        for person, played in spots.items()
    ]
