"""Each event of a table as the sentence that people read; those of rounds are the engine's own.

A `TableTeller` follows a table from an opening of a round or from anywhere between rounds. It
knows people by the names that seats were taken under.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ventiuna.engine.events import WagersPlaced
from ventiuna.engine.sentences import Sentence, Teller
from ventiuna.engine.sentences.parts import capital
from ventiuna.engine.sentences.point_of_view import ONLOOKER, PointOfView, third_person
from ventiuna.engine.state import RoundState
from ventiuna.rules import Rules, canonical
from ventiuna.rules.words.facts import listed
from ventiuna.table import events as ev
from ventiuna.table.events import AskKind, TableEvent
from ventiuna.table.play.folding import meters_at

# Events that change nothing which people look at, or that other sentences tell.
SILENT: frozenset[type[ev.OwnEvent]] = frozenset(
    {
        ev.SeatReady,
        ev.ReserveRaised,  # hidden, a cent or two of each wager
        ev.RoundClosed,  # the round's own last sentences tell it
    }
)


class Told(NamedTuple):
    """An event in a sentence, and in the one for the person whom it is about."""

    sentence: Sentence | None
    person: str = ""
    own: Sentence | None = None


class TableTeller:
    """Tells a table event by event, from one person's point of view."""

    def __init__(
        self,
        rules: Rules,
        point_of_view: PointOfView = ONLOOKER,
        seats: Mapping[int, str] | None = None,  # persons by seat
        round_: RoundState | None = None,  # the open one, where it is told from its middle
    ) -> None:
        self._rules = rules
        self._names = dict(point_of_view.names)
        self._view = replace(point_of_view, names=self._names)
        self._seats = dict(seats or {})
        self._views = {self._view.you: self._view}  # by person
        self._round = Teller(round_, self._view) if round_ else None

    def tell(self, event: TableEvent) -> Sentence | None:
        """The event in a sentence; None where there is nothing to say."""
        return self._tell_to(event, (self._view.you,))[0]

    def tell_both(self, event: TableEvent) -> Told:
        """The event as it is told to everybody, and to the person whom it is about."""
        person = self._whom(event)
        if not person:
            return Told(self.tell(event))
        told, own = self._tell_to(event, (self._view.you, person))
        return Told(told, person, own)

    def follow(self, event: TableEvent) -> None:
        """An event that is told to nobody."""
        self._tell_to(event, ())

    @property
    def round(self) -> RoundState | None:
        """The round that is told, after the last event; it knows the down card."""
        return self._round.state if self._round else None

    def _whom(self, event: TableEvent) -> str:
        """The person whom an event is about; empty where it is about nobody or several."""
        if isinstance(event, ev.SeatTaken | WagersPlaced):
            return event.person
        if isinstance(event, ev.OwnEvent):
            return self._seats.get(getattr(event, "seat", 0), "")
        spot = getattr(event, "spot", 0)
        return self._round.state.spots[spot].person if spot and self._round else ""

    def _tell_to(self, event: TableEvent, persons: tuple[str, ...]) -> list[Sentence | None]:
        views = [self._view_of(person) for person in persons]
        if not isinstance(event, ev.OwnEvent):
            assert self._round is not None, "a round's events come behind its opening"
            return self._round.tell_to(event, views)
        if isinstance(event, ev.SeatTaken):
            self._seats[event.seat] = event.person
            self._names[event.person] = event.name
        elif isinstance(event, ev.RoundOpened):
            self._round = Teller(RoundState(self._rules, meters_at(self._rules, event)), self._view)
        say = _SENTENCES.get(type(event))
        told: list[Sentence | None] = []
        usual = self._view
        for view in views:
            self._view = view
            told.append(say(self, event) if say else None)
        self._view = usual
        if isinstance(event, ev.SeatLeft):
            self._seats.pop(event.seat, None)
        return told

    def _view_of(self, person: str) -> PointOfView:
        view = self._views.get(person)
        if view is None:
            view = self._views[person] = replace(self._view, you=person)
        return view

    # --- the table ---

    def _opened(self, event: ev.TableOpened) -> Sentence:
        return _plain(f"The table {event.name} opens under the rules {canonical(self._rules)}.")

    def _closing(self, event: ev.TableClosing) -> Sentence:
        return _strong(f"The table closes after this round: {event.reason}.")

    def _closed(self, _: ev.TableClosed) -> Sentence:
        return _strong("The table is closed.")

    def _faulted(self, event: ev.TableFaulted) -> Sentence:
        return _strong(f"Play stops for a fault: {event.reason}.")

    def _resumed(self, event: ev.TableResumed) -> Sentence:
        return _strong(f"Play goes on: {event.reason}.")

    def _dropped(self, event: ev.BankDropped) -> Sentence:
        amount = self._view.money(abs(event.amount))
        if event.amount < 0:
            return _plain(f"The house makes good the {amount} that the bank lacks.")
        return _plain(f"The bank's result of {amount} goes to the house.")

    # --- seats ---

    def _taken(self, event: ev.SeatTaken) -> Sentence:
        return self._does(event.seat, f"take seat {event.seat}")

    def _chosen(self, event: ev.SpotsChosen) -> Sentence:
        if not event.spots:
            return self._does(event.seat, "play no spot")
        word = "spot" if len(event.spots) == 1 else "spots"
        return self._does(event.seat, f"play {word} {listed(list(map(str, event.spots)))}")

    def _bought(self, event: ev.ChipsBought) -> Sentence:
        return self._does(event.seat, f"buy chips for {self._view.money(event.amount)}")

    def _cashed_out(self, event: ev.ChipsCashedOut) -> Sentence:
        return self._does(event.seat, f"cash out {self._view.money(event.amount)}")

    def _away(self, event: ev.SeatAway) -> Sentence:
        return self._does(event.seat, "are away")

    def _back(self, event: ev.SeatBack) -> Sentence:
        return self._does(event.seat, "are back")

    def _leaving(self, event: ev.SeatLeaving) -> Sentence:
        return self._does(event.seat, "leave after this round")

    def _left(self, event: ev.SeatLeft) -> Sentence:
        return self._does(event.seat, f"leave seat {event.seat}")

    # --- shoes ---

    def _committed(self, event: ev.ShoeCommitted) -> Sentence:
        return _plain(f"The house commits to shoe {event.shoe}: {event.commitment}.")

    def _cut_committed(self, event: ev.CutCommitted) -> Sentence:
        return self._does(event.seat, "commit a cut")

    def _cuts_listed(self, _: ev.CutsListed) -> Sentence:
        return _plain("All cuts are committed: now they are opened.")

    def _cut_opened(self, event: ev.CutOpened) -> Sentence:
        return self._does(event.seat, "open the cut")

    def _shoe_cut(self, event: ev.ShoeCut) -> Sentence:
        withheld = ""
        if event.withheld:
            names = listed([self._name(seat) for seat in event.withheld])
            withheld = f"; {names} did not open what was committed"
        return _plain(f"Shoe {event.shoe} is cut and in play{withheld}.")

    def _revealed(self, event: ev.ShoeRevealed) -> Sentence:
        return _plain(f"Shoe {event.shoe} has ended; its seed was {event.seed}.")

    def _lost(self, event: ev.ShoeLost) -> Sentence:
        return _plain(f"Shoe {event.shoe} has ended, and nobody can check it: {event.reason}.")

    # --- rounds and clocks ---

    def _round_opened(self, event: ev.RoundOpened) -> Sentence:
        return _plain(f"Round {event.number} is open for wagers.")

    def _asked(self, event: ev.AskRaised) -> Sentence | None:
        if event.kind is AskKind.CUT_COMMIT:
            return _plain("Everybody may cut the next shoe.")
        return None  # what is wanted is seen at the table, and its answer is told

    def _ran_out(self, _: ev.TimeRanOut) -> Sentence:
        return _strong("Time is up: the table goes on without an answer.")

    def _restarted(self, event: ev.ClocksRestarted) -> Sentence:
        return _plain(f"Everybody has the full time again: {event.reason}.")

    # --- jackpots ---

    def _linked(self, event: ev.JackpotLinked) -> Sentence:
        return _plain(f"Jackpot {event.game} of this table feeds meter {event.jackpot} now.")

    def _unlinked(self, event: ev.JackpotUnlinked) -> Sentence:
        return _plain(f"Jackpot {event.game} of this table has no meter any more.")

    # --- helpers ---

    def _does(self, seat: int, verb: str) -> Sentence:
        if self._view.you and self._seats.get(seat) == self._view.you:
            return _plain(f"You {verb}.")
        return _plain(f"{capital(self._name(seat))} {third_person(verb)}.")

    def _name(self, seat: int) -> str:
        person = self._seats.get(seat, "")
        return self._names.get(person, person) or f"seat {seat}"


def _plain(text: str) -> Sentence:
    return Sentence((text,))


def _strong(text: str) -> Sentence:
    return Sentence((text,), strong=True)


_SENTENCES: dict[type[ev.OwnEvent], Callable[[TableTeller, Any], Sentence | None]] = {
    ev.TableOpened: TableTeller._opened,
    ev.TableClosing: TableTeller._closing,
    ev.TableClosed: TableTeller._closed,
    ev.TableFaulted: TableTeller._faulted,
    ev.TableResumed: TableTeller._resumed,
    ev.BankDropped: TableTeller._dropped,
    ev.SeatTaken: TableTeller._taken,
    ev.SpotsChosen: TableTeller._chosen,
    ev.ChipsBought: TableTeller._bought,
    ev.ChipsCashedOut: TableTeller._cashed_out,
    ev.SeatAway: TableTeller._away,
    ev.SeatBack: TableTeller._back,
    ev.SeatLeaving: TableTeller._leaving,
    ev.SeatLeft: TableTeller._left,
    ev.ShoeCommitted: TableTeller._committed,
    ev.CutCommitted: TableTeller._cut_committed,
    ev.CutsListed: TableTeller._cuts_listed,
    ev.CutOpened: TableTeller._cut_opened,
    ev.ShoeCut: TableTeller._shoe_cut,
    ev.ShoeRevealed: TableTeller._revealed,
    ev.ShoeLost: TableTeller._lost,
    ev.RoundOpened: TableTeller._round_opened,
    ev.AskRaised: TableTeller._asked,
    ev.TimeRanOut: TableTeller._ran_out,
    ev.ClocksRestarted: TableTeller._restarted,
    ev.JackpotLinked: TableTeller._linked,
    ev.JackpotUnlinked: TableTeller._unlinked,
}
