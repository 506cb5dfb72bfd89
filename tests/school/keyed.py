"""Rounds keyed into the console as at a real table: the down card only when it is exposed."""

from __future__ import annotations

from collections.abc import Sequence

from ventiuna.cards import card_text
from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Place
from ventiuna.engine.views import EVERYONE, redact
from ventiuna.money import plain_amount
from ventiuna.rules import Rules
from ventiuna.school.console import ConsoleRound

WORDS: dict[type[Event], str] = {
    ev.HandHit: "h",
    ev.HandStood: "s",
    ev.HandSplit: "p",
    ev.HandSurrendered: "u",
    ev.HandRescued: "c",
    ev.SupervisorAnswered: "here",
    ev.PaymentsAuthorized: "authorized",
}


def key_in(
    rules: Rules,
    events: Sequence[Event],
    meters: Sequence[tuple[int, int]] = (),
    supervised: bool = False,
) -> ConsoleRound:
    """Key entries one by one until these events have happened; check all events after each."""
    entries: list[str] = []
    while True:
        console = ConsoleRound(rules, entries, meters, supervised=supervised)
        assert console.problem is None, (entries, console.problem)
        come = len(console.events)
        assert public(console.events) == public(events[:come])
        if console.is_over:
            assert come == len(events)
            return console
        entries.append(entry_for(console, events[come:]))


def public(events: Sequence[Event]) -> list[Event]:
    return [redact(event, EVERYONE) for event in events]


def entry_for(console: ConsoleRound, coming: Sequence[Event]) -> str:
    """The entry that makes the next event happen."""
    event = coming[0]
    if isinstance(event, ev.WagersPlaced):
        return _wagers(event)
    if isinstance(event, ev.StageReached | ev.MeterRaised):
        return "close"
    if isinstance(event, ev.CardDealt):
        assert event.card is not None
        assert event.place is not Place.DOWN, "nobody is asked for a face-down card"
        return card_text(event.card)
    if isinstance(event, ev.DealerChecked):
        return "bj" if event.blackjack else "no"
    if isinstance(event, ev.DownCardExposed):
        return card_text(event.card)
    if isinstance(event, ev.InsurancePlaced):
        amount = plain_amount(event.amount)
        return f"ins {event.spot} {amount}" if event.amount else f"no {event.spot}"
    if isinstance(event, ev.MetersShown):
        return " ".join(plain_amount(cents) for cents in event.meters.values())
    if isinstance(event, ev.BlackjackTaken):
        return f"paid {event.spot}"
    if isinstance(event, ev.BlackjackKept):
        return f"keep {event.spot}"
    if isinstance(event, ev.HandDoubled):
        hand = console.state.spots[event.spot].hands[event.hand]
        is_less = not hand.shape.doublings and event.amount != hand.wager
        return f"d {plain_amount(event.amount)}" if is_less else "d"
    return WORDS.get(type(event), "s")  # standing on 21 is paid at once


def _wagers(event: ev.WagersPlaced) -> str:
    words = [plain_amount(event.base)]
    words += [f"{part} {plain_amount(cents)}" for part, cents in event.mtd.items()]
    words += [f"j{game} {plain_amount(cents)}" for game, cents in event.jackpots.items()]
    return f"{event.spot} {event.person}: {' '.join(words)}"
