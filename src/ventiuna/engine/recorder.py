"""Collects the events of one command while applying each to the state."""

from __future__ import annotations

from ventiuna.engine.events import Event
from ventiuna.engine.state import CHANGES, RoundState


class Recorder:
    __slots__ = ("events", "labels", "state")

    def __init__(self, state: RoundState) -> None:
        self.state = state
        self.labels = state.labels
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        CHANGES[type(event)](self.state, event)
        self.events.append(event)
