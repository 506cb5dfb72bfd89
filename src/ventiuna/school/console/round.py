"""A round at a real table, from what was keyed.

The engine wants the down card when it is dealt, and nobody knows it then. So a card is assumed
that fits what the look found; when the real one is turned over, the round is played again with it.
Up to then only the look depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from ventiuna.cards import card_text
from ventiuna.core.dealer import dealer_checks, is_dealer_blackjack
from ventiuna.engine.commands import DealCard
from ventiuna.engine.decide import check_card, execute
from ventiuna.engine.errors import Refused
from ventiuna.engine.events import (
    CardDealt,
    DealerChecked,
    DownCardExposed,
    Event,
    Place,
    Stage,
)
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)
from ventiuna.notation.wager_line import WagerLineError
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.school.console.entries import (
    ConsoleError,
    OutOfTurn,
    commands_of,
    parts_of,
    read_card,
    read_look,
    read_up_card,
)
from ventiuna.school.following import Follower, Move
from ventiuna.school.order import Part, own_cards_any_time, why_first
from ventiuna.school.steps import Step


class Boundary(StrEnum):
    """What only the dealer sees, and has to say."""

    LOOK = "look"  # whether there is a blackjack
    DOWN = "down"  # the card that is turned over


@record(frozen=True, slots=True)
class Problem:
    """The entry that does not fit, and why; what comes after it is not read."""

    entry: int  # its place among all entries, from 0
    sentence: str
    rules: tuple[str, ...] = ()


_CARDS = {Stage.DEAL: Part.DEAL, Stage.PLAY: Part.PLAY, Stage.DEALER: Part.DRAW}
_WAITS: dict[type[Waiting], Part] = {
    WagersWanted: Part.CLOSE,
    BlackjackAnswersWanted: Part.ASK_BLACKJACKS,
    InsuranceAnswersWanted: Part.INSURANCE,
    DecisionWanted: Part.PLAY,
    MetersWanted: Part.AWARD,
}


class _Learned(Exception):
    """The round has to be played again with what the dealer said."""

    def __init__(self, blackjack: bool | None, down: int | None) -> None:
        self.blackjack = blackjack
        self.down = down


class ConsoleRound:
    """Everything that follows from rules, meters, cards gone since the shuffle, and entries."""

    def __init__(
        self,
        rules: Rules,
        entries: Sequence[str],
        meters: Sequence[tuple[int, int]] = (),
        gone: Sequence[int] = (),
    ) -> None:
        self.rules = rules
        self.entries = tuple(entries)
        self.meters = tuple(meters) or tuple((jackpot.seed, 0) for jackpot in rules.jackpots)
        run = _run(rules, self.entries, self.meters, gone)
        self.problem = run.problem
        if run.problem is not None:  # nothing of that entry counts
            self.entries = self.entries[: run.problem.entry]
            run = _run(rules, self.entries, self.meters, gone)
        self.state = run.seen
        self.events: tuple[Event, ...] = tuple(run.events)
        self.steps: tuple[Step, ...] = tuple(run.follower.steps)
        self.steps_before: int = run.steps_before  # the last entry
        self.boundary: Boundary | None = run.boundary
        self.wanted: Waiting = run.wanted
        self.up: int | None = run.up  # keyed before its turn

    @property
    def is_over(self) -> bool:
        return self.boundary is None and isinstance(self.wanted, NothingWanted)

    @property
    def cards(self) -> tuple[int, ...]:
        """All that have come, for the shoe's count: the down card once it is known."""
        known = self.state.down_exposed
        return tuple(
            event.card
            for event in self.events
            if isinstance(event, CardDealt)
            and event.card is not None
            and (known or event.place is not Place.DOWN)
        )


def _run(
    rules: Rules,
    entries: tuple[str, ...],
    meters: tuple[tuple[int, int], ...],
    gone: Sequence[int],
) -> _Run:
    blackjack: bool | None = None
    down: int | None = None
    while True:
        run = _Run(rules, entries, meters, gone, blackjack, down)
        try:
            run.go()
        except _Learned as learned:
            blackjack, down = learned.blackjack, learned.down
        else:
            return run


class _Run:
    def __init__(
        self,
        rules: Rules,
        entries: tuple[str, ...],
        meters: tuple[tuple[int, int], ...],
        gone: Sequence[int],
        blackjack: bool | None,
        down: int | None,
    ) -> None:
        self._state = RoundState(rules, list(meters) or None)
        self.follower = Follower(self._state)
        self._entries = entries
        self._next = 0
        self._gone = Counter(gone)
        self._blackjack = blackjack
        self._down = down
        self.events: list[Event] = []  # that have been seen
        self._ahead: list[Event] = []  # that follow from what is assumed
        self.up: int | None = None  # keyed before its turn
        self.steps_before = 0
        self.problem: Problem | None = None
        self.boundary: Boundary | None = None
        self.wanted: Waiting = waiting_for(self._state)

    @property
    def seen(self) -> RoundState:
        """The round as far as it is known."""
        return self.follower.state

    def go(self) -> None:
        try:
            while self._advance():
                pass
        except Refused as refused:
            self._stop(refused.message, refused.rules)
        except OutOfTurn as error:
            self._refuse(str(error), Part.PLAY, Part.PLAY)
        except (ConsoleError, WagerLineError) as error:
            now, elsewhere = self._part(), self._elsewhere()
            if now is None or elsewhere is None:
                self._stop(str(error))
            else:
                self._refuse(str(error), now, elsewhere)

    def _refuse(self, sentence: str, now: Part, later: Part) -> None:
        """What would fit at another moment is told with the rule that says what comes first."""
        reason = why_first(self._state.rules, now, later)
        self._stop(f"{reason.sentence} {sentence}", reason.numbers)

    def _elsewhere(self) -> Part | None:
        """Where the entry would fit, if not here."""
        parts = parts_of(self._entries[self._next - 1])
        is_card_for_card = isinstance(self.wanted, CardWanted) and Part.DRAW in parts
        if self._part() in parts or is_card_for_card:
            return None
        later = [part for part in Part if part in parts]
        return later[-1] if later else None

    def _part(self) -> Part | None:
        """The part of the round that is waited for."""
        if self.boundary is not None:
            return Part.LOOK if self.boundary is Boundary.LOOK else Part.EXPOSE
        if isinstance(self.wanted, CardWanted):
            return _CARDS[self._state.stage]
        return _WAITS.get(type(self.wanted))

    def _stop(self, sentence: str, rules: tuple[str, ...] = ()) -> None:
        self.problem = Problem(max(self._next - 1, 0), sentence, rules)

    def _advance(self) -> bool:
        """One entry further; False when there is none left, or the round is over."""
        if self._ahead:
            return self._pass_boundary()
        self.boundary = None
        self.wanted = waiting_for(self._state)
        if isinstance(self.wanted, CardWanted) and self.wanted.place is Place.DOWN:
            self._deal(self._assumed_card())
            return True
        if self._is_for(Place.UP) and self.up is not None:
            self._deal(self.up)
            self.up = None
            return True
        if self._next >= len(self._entries):
            return False
        if isinstance(self.wanted, NothingWanted):
            self._take_entry()
            raise ConsoleError("The round is over: begin the next one.")
        entry = self._take_entry()
        if isinstance(self.wanted, CardWanted):
            self._deal_keyed(entry)
            return True
        for command in commands_of(entry, self._state, self.wanted):
            self._see(execute(self._state, command))
            self.wanted = waiting_for(self._state)
        return True

    def _take_entry(self) -> str:
        self.steps_before = len(self.follower.steps)
        self._next += 1
        return self._entries[self._next - 1]

    def _is_for(self, place: Place) -> bool:
        return isinstance(self.wanted, CardWanted) and self.wanted.place is place

    def _deal_keyed(self, entry: str) -> None:
        up = read_up_card(entry)
        if up is None:
            self._deal(self._card(entry))
        elif self._is_for(Place.UP):
            self._refuse_one_too_many(up)
            self._deal(up)
        else:
            self._hold_up_card(up)

    def _hold_up_card(self, card: int) -> None:
        """The house chooses when its own cards are dealt, if the document says so (R-026)."""
        if self._state.stage is not Stage.DEAL or self._state.dealer or self.up is not None:
            raise ConsoleError("The up card lies already: key the card without up.")
        if not own_cards_any_time(self._state.rules):
            raise ConsoleError(
                "The up card has its turn after the first cards of all spots under these rules: "
                "key the card of the next spot."
            )
        check_card(self._state, card)
        self._refuse_one_too_many(card)
        self.up = card

    def _deal(self, card: int) -> None:
        self._see(execute(self._state, DealCard(card)))

    def _see(self, events: list[Event]) -> None:
        """Show events as far as they are certain."""
        for place, event in enumerate(events):
            if isinstance(event, DealerChecked | DownCardExposed):
                self._show(events[:place])
                self._ahead = events[place:]
                return
        self._show(events)

    def _show(self, events: list[Event]) -> None:
        self.follower.follow(Move(self.wanted, tuple(events)))
        self.events += events

    def _pass_boundary(self) -> bool:
        """The dealer says what only the dealer sees."""
        event = self._ahead[0]
        is_look = isinstance(event, DealerChecked)
        self.boundary = Boundary.LOOK if is_look else Boundary.DOWN
        if self._next >= len(self._entries):
            return False
        entry = self._take_entry()
        if is_look:
            blackjack = read_look(entry)
            if self._blackjack is None:
                raise _Learned(blackjack, self._down)
        elif self._down is None:
            raise _Learned(self._blackjack, self._down_card(entry))
        following, self._ahead = self._ahead[1:], []
        self.wanted = NothingWanted()
        self._show([event])
        self._see(following)
        return True

    # --- cards ---

    def _card(self, entry: str) -> int:
        card = read_card(entry, "the next card")
        self._refuse_one_too_many(card)
        return card

    def _down_card(self, entry: str) -> int:
        card = read_card(entry, "the down card")
        check_card(self._state, card)
        self._refuse_one_too_many(card)
        up = self._state.up
        if dealer_checks(up) and is_dealer_blackjack(up, card) != bool(self._blackjack):
            found = "a blackjack" if self._blackjack else "none"
            raise ConsoleError(
                f"{card_text(card)} does not fit: the look found {found}. Key the card again, or "
                "correct the look."
            )
        return card

    def _assumed_card(self) -> int:
        if self._down is not None:
            return self._down
        return self._placeholder()

    def _placeholder(self) -> int:
        """A card that may lie face down: it makes a blackjack or not, and no card that is keyed
        lacks for it. Until it is turned over nothing else about it decides anything."""
        rules, up = self._state.rules, self._state.up
        come = self._gone + Counter(self._keyed())
        for card in rules.pack.cards:
            is_blackjack = dealer_checks(up) and is_dealer_blackjack(up, card)
            if is_blackjack == bool(self._blackjack) and come[card] < rules.decks:
                return card
        raise ConsoleError(
            f"No card is left that could lie beside {card_text(up)}: look at the cards again."
        )

    def _keyed(self) -> list[int]:
        """All cards among the entries, those that are still to be read too."""
        cards = []
        for entry in self._entries:
            try:
                up = read_up_card(entry)
                cards.append(read_card(entry, "") if up is None else up)
            except ConsoleError:
                continue
        return cards

    def _refuse_one_too_many(self, card: int) -> None:
        decks = self._state.rules.decks
        come = self._gone[card] + (self.up == card)
        come += sum(
            1
            for event in self.events
            if isinstance(event, CardDealt)
            and event.card == card
            and (event.place is not Place.DOWN or self._down is not None)
        )
        if card in self._state.rules.pack.cards and come >= decks:
            raise ConsoleError(
                f"{card_text(card)} has come {come} times since the shuffle, as often as the shoe "
                "holds it: look at the card again, or begin a new shoe."
            )
