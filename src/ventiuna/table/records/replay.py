"""A round as a window at the table saw it: its beginning, then its events with their sentences
and what each left on the felt, in the shape in which a table's socket tells them.

Shared with others it tells what anybody at the table could see, and nobody's name: players are
numbered by their first spot, and who came and went besides is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ventiuna.engine.events import WagersPlaced
from ventiuna.engine.records import Data
from ventiuna.rules import canonical, fingerprint
from ventiuna.rules.words.headline import headline, limits_words
from ventiuna.table import events as ev
from ventiuna.table.records.recall import RecalledRound, Step
from ventiuna.table.telling.shown import Telling
from ventiuna.table.telling.views import public_event

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
            }
            for step, one in zip(steps, shown, strict=True)
        ],
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
        "shoe": {
            "number": round_.shoe,
            "commitment": None,
            "left": None,
            "size": None,
            "to_cut": None,
            "discards": None,
            "words": "",
            "next": None,
            "next_commitment": None,
            "cuts": {},
        },
        "round": None,
        "ask": None,
        "story": [],
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
