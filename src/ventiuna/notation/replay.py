"""Play a record through the engine, with every card and decision taken from the record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ventiuna.cards import card_text, cards_text
from ventiuna.core import actions
from ventiuna.core.base_game import is_dealer_blackjack
from ventiuna.core.meters import meter_share
from ventiuna.core.refusals import RefusalCode
from ventiuna.core.side_bets import NO_LINE
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Double,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    Refused,
    Stand,
    TakeBlackjack,
)
from ventiuna.engine.dealing import net_by_wager, own_meters
from ventiuna.engine.decide import execute, why_hand_is_over
from ventiuna.engine.events import Event, Place, WagerSettled
from ventiuna.engine.options import ACTION_COMMANDS
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    waiting_for,
)
from ventiuna.engine.settlement import special_line_won
from ventiuna.engine.state import RoundState
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RecordedAction,
    RoundRecord,
    SpotRecord,
    check_record,
)
from ventiuna.texts import brief_repr


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed round: its events and final state."""

    record: RoundRecord
    events: list[Event]
    state: RoundState = field(compare=False, repr=False)
    refused: tuple[Refused, ...] = ()  # refused commands; the round was settled without them
    surplus: tuple[int, ...] = ()  # recorded dealer cards that the rules don't draw

    __repr__ = brief_repr

    @property
    def payments(self) -> list[WagerSettled]:
        return [event for event in self.events if isinstance(event, WagerSettled)]

    def net(self, spot: int) -> dict[str, tuple[int, ...]]:
        """Return the result of each of a spot's wagers in cents; "hand" has one for each hand."""
        found: dict[str, list[int]] = {}
        for (number, _, wager), cents in sorted(
            net_by_wager(self.events).items(), key=lambda item: item[0][:2]
        ):
            if number == spot:
                found.setdefault(wager, []).append(cents)
        return {wager: tuple(amounts) for wager, amounts in found.items()}


def replay(record: RoundRecord, *, lenient: bool = False) -> Replay:
    """Replay a record.

    Raises `Refused` if the rules refuse something in the record, `NotationError` if its cards don't
    match what the rules require.

    A lenient replay settles the round without the refused wagers and actions and without surplus
    dealer cards, and lists both. It still raises if nothing can be settled that way.

    >>> from ventiuna import Table, read_rounds
    >>> played = Table("wsgc-2021", seed=1).play_round()
    >>> [record] = read_rounds(played.text)
    >>> len(replay(record).events) == len(played.events)
    True
    """
    check_record(record)
    return _Replayer(record, lenient).run()


class _HandReader:
    """Reader for a spot's hands, in playing order."""

    def __init__(self, spot: SpotRecord) -> None:
        self.spot = spot
        self.hands = list(spot.hands)
        self.line = 0  # index into `hands`
        self.hand = 0  # the engine's index of that hand
        self.cards_given = 2
        self.step = 0

    @property
    def current(self) -> HandRecord:
        return self.hands[self.line]

    def next_step(self) -> RecordedAction | None:
        steps = self.current.steps
        return steps[self.step] if self.step < len(steps) else None

    def next_line(self, what: str) -> None:
        if self.line + 1 >= len(self.hands):
            raise NotationError(
                f"spot {self.spot.number}: {what} needs one more hand than the record lists"
            )
        self.line += 1
        self.step = 0
        self.cards_given = 1

    def drop_split_hands(self) -> None:
        """Drop the hands that a refused split of this hand would have created."""
        end, missing = self.line + 1, 2
        while missing and end < len(self.hands):
            missing += 1 if self.hands[end].is_split else -1
            end += 1
        del self.hands[self.line + 1 : end]


class _Replayer:
    def __init__(self, record: RoundRecord, lenient: bool) -> None:
        self.record = record
        self.lenient = lenient
        self.refused: list[Refused] = []
        self.state = RoundState(record.rules, list(record.meters) or None)
        self.events: list[Event] = []
        self.readers = {spot.number: _HandReader(spot) for spot in record.spots}
        self.draws = list(record.draws)
        self.spot = 0  # the acting spot
        self.at_wagers = self.at_dealer = False

    def run(self) -> Replay:
        try:
            return self._run()
        except (Refused, NotationError) as error:  # so that callers can point to the line
            error.place = self._place()
            if self.refused:  # the remaining cards don't fit without the refused command
                raise self.refused[0] from error
            raise

    def _place(self) -> str:
        if self.spot not in self.readers:
            return "dealer" if self.at_dealer else ""
        hand = "" if self.at_wagers else f" hand {self.readers[self.spot].line + 1}"
        return f"spot {self.spot}{hand}"

    def _run(self) -> Replay:
        recorded, dealt = len(self.record.bonus_cards), self.record.rules.bonus_cards
        if recorded != dealt:
            raise NotationError(
                f"bonus cards: the rules call for {dealt}, but the record has {recorded} (R-027)"
            )
        for spot in self.record.spots:
            self._place_wagers(spot)
        self._do(CloseWagers())
        while not isinstance(prompt := waiting_for(self.state), NothingWanted):
            if isinstance(prompt, CardWanted):
                self._do(DealCard(self._card(prompt)))
            elif isinstance(prompt, MetersWanted):
                self._do(own_meters(self.state))
            elif isinstance(prompt, BlackjackAnswersWanted):
                self._answer_blackjack(prompt.spots[0])
            elif isinstance(prompt, InsuranceAnswersWanted):
                number = prompt.spots[0]
                if not self._try(Insure(number, self.readers[number].spot.insurance)):
                    self._do(Insure(number, 0))
            elif isinstance(prompt, DecisionWanted):
                self._act(prompt)
        self.spot = 0
        self._check_all_used()
        self._check_prizes()
        return Replay(self.record, self.events, self.state, tuple(self.refused), tuple(self.draws))

    def _do(self, command: Command) -> None:
        self.spot = getattr(command, "spot", self.spot)
        self.at_wagers = isinstance(command, PlaceWagers | Insure)
        self.events += execute(self.state, command)
        self.at_wagers = False

    def _try(self, command: Command) -> bool:
        """Execute the command; a lenient replay records a refusal and continues without it."""
        try:
            self._do(command)
        except Refused as error:
            self._refuse(error)
            return False
        return True

    def _refuse(self, error: Refused) -> None:
        if not self.lenient:
            raise error
        error.place = self._place()
        self.at_wagers = False
        self.refused.append(error)

    def _place_wagers(self, spot: SpotRecord) -> None:
        """Place all wagers of a spot; if they are refused, as many as the rules allow."""
        first, *fewer = _wagers_of(spot)
        if self._try(first):
            return
        for wagers in fewer:
            try:
                self._do(wagers)
            except Refused:
                continue
            return
        del self.readers[spot.number]  # even the base wager was refused, so the spot sits out

    def _answer_blackjack(self, number: int) -> None:
        reader = self.readers[number]
        keeps = reader.spot.keeps_blackjack
        step = reader.next_step()
        if step and step.action == "keep":
            reader.step += 1
        self._do(KeepBlackjack(number) if keeps else TakeBlackjack(number))

    # --- Cards ---

    def _card(self, prompt: CardWanted) -> int:
        if prompt.place is Place.UP:
            return self.record.up
        if prompt.place is Place.DOWN:
            return self.record.down
        if prompt.place is Place.BONUS:
            return self.record.bonus_cards[len(self.state.bonus_cards)]
        if prompt.place is Place.DEALER:
            self.spot, self.at_dealer = 0, True
            if not self.draws:
                dealt = cards_text(self.state.dealer)
                raise NotationError(
                    f"dealer: the dealer must draw with {dealt}, but the record has no more cards"
                )
            return self.draws.pop(0)
        return self._player_card(prompt)

    def _player_card(self, prompt: CardWanted) -> int:
        self.spot = prompt.spot
        spot = self.state.spots[prompt.spot]
        reader = self.readers[prompt.spot]
        if len(self.state.dealer) < 2:
            return reader.hands[0].cards[len(spot.originals)]
        self._catch_up(reader, prompt.hand)
        if reader.cards_given == 1:  # the second card of a split hand
            card = spot.hands[prompt.hand].cards[0]
            if reader.current.cards[0] != card:
                raise NotationError(
                    f"spot {prompt.spot}: a split hand starts with {card_text(card)}, "
                    f"but the record has {card_text(reader.current.cards[0])}"
                )
            reader.cards_given = 2
            return reader.current.cards[1]
        step = reader.current.steps[reader.step - 1]
        if step.card is None:
            raise NotationError(f"spot {prompt.spot}: the card for this {step.action} is missing")
        return step.card

    def _catch_up(self, reader: _HandReader, hand: int) -> None:
        """Advance to the record's line for the hand that the engine is playing."""
        while reader.hand < hand:
            self._refuse_leftover(reader)
            reader.next_line("the split")
            reader.hand += 1

    # --- Decisions ---

    def _act(self, prompt: DecisionWanted) -> None:
        reader = self.readers[prompt.spot]
        self._catch_up(reader, prompt.hand)
        step = reader.next_step()
        if step is None:
            self._do(Stand(prompt.spot))  # without a final action, the hand stands
            return
        reader.step += 1
        if step.action not in actions.ACTION_NAMES:
            message = f"{step.action!r} isn't possible here: only a blackjack can be kept."
            self._refuse(Refused(RefusalCode.NOTHING_TO_KEEP, ("R-032",), message))
            return
        command: Command = Double(prompt.spot, step.amount)
        if step.action != "double":
            command = ACTION_COMMANDS[_ACTION_CODES[step.action]](prompt.spot)
        if self._try(command):
            if step.action == "split":
                reader.next_line("the split")
        elif step.action == "split":
            reader.drop_split_hands()

    def _refuse_leftover(self, reader: _HandReader) -> None:
        """Refuse a leftover action for a finished hand as the table would."""
        step = reader.next_step()
        if step is not None and self._is_settled_without(reader, step):
            reader.step += 1
            step = reader.next_step()
        if step is not None:
            hand = self.state.spots[reader.spot.number].hands[reader.hand]
            self._refuse(why_hand_is_over(self.state, hand, _ACTION_CODES[step.action]))
            reader.step = len(reader.current.steps)
            if reader.current.is_split:
                reader.drop_split_hands()

    def _is_settled_without(self, reader: _HandReader, step: RecordedAction) -> bool:
        """Return whether the action is redundant.

        Standing on a finished hand is redundant, and so is keeping an insured blackjack that the
        dealer's blackjack settled before anyone was asked (O-09, R-120).
        """
        if step.action == "stand":
            return True
        state = self.state
        dealer_blackjack = state.down_exposed and is_dealer_blackjack(state.up, state.down)
        return (
            step.action == "keep"
            and dealer_blackjack
            and state.spots[reader.spot.number].has_blackjack
        )

    def _check_all_used(self) -> None:
        for reader in self.readers.values():
            self.spot = reader.spot.number
            self._refuse_leftover(reader)
            if reader.spot.insurance and self.state.spots[reader.spot.number].insurance is None:
                self._try(Insure(reader.spot.number, reader.spot.insurance))  # refused by R-034
            if reader.line + 1 < len(reader.hands):
                raise NotationError(
                    f"spot {reader.spot.number}: the record lists more hands than were played"
                )
        if self.draws and not self.lenient:
            self.spot, self.at_dealer = 0, True
            raise NotationError(
                f"dealer: the dealer doesn't draw, but the record has {cards_text(self.draws)}"
            )

    def _check_prizes(self) -> None:
        """Check that every operator's prize that was won is known (R-092, O-21)."""
        state = self.state
        for spot in state.order:
            for game in set(spot.jackpots) & set(self.record.unknown_prizes):
                line = special_line_won(state, spot, game)
                if line != NO_LINE and not meter_share(state.table, game - 1, line):
                    raise NotationError(
                        f"jackpot {game}: spot {spot.number} wins the operator's prize, "
                        "so the record must give it (R-092)"
                    )


def _wagers_of(spot: SpotRecord) -> Iterator[PlaceWagers]:
    """Yield all wagers of the spot, then all but one side bet, then only the base wager."""
    wagers = PlaceWagers(spot.number, spot.base, spot.person, spot.mtd, spot.jackpots)
    yield wagers
    for name in spot.mtd:
        mtd = {other: amount for other, amount in spot.mtd.items() if other != name}
        yield replace(wagers, mtd=mtd)
    for game in spot.jackpots:
        jackpots = {other: amount for other, amount in spot.jackpots.items() if other != game}
        yield replace(wagers, jackpots=jackpots)
    yield PlaceWagers(spot.number, spot.base, spot.person)


_ACTION_CODES = {name: code for code, name in enumerate(actions.ACTION_NAMES)}
_ACTION_CODES["keep"] = actions.DOUBLE
