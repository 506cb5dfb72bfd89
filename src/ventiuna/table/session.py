"""One person's session: shoe, meters, balance, and rounds.

The engine applies all the rules. The session adds only the balance, because the engine doesn't
know it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import (
    Refused,
    RoundState,
    Shoe,
    apply,
    deal_wanted_cards,
    decide,
    waiting_for,
)
from ventiuna.engine.chips import Chips
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    PlaceWagers,
    ShowMeters,
    VoidRound,
    WithdrawWagers,
    quoted,
)
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import CardDealt, Event, HandRemoved, WagerSettled
from ventiuna.engine.prompts import NothingWanted, WagersWanted, Waiting
from ventiuna.money import LARGEST_AMOUNT, money_text
from ventiuna.notation import RoundRecord, record_of
from ventiuna.rules import Rules
from ventiuna.texts import pluralize

YOU = "You"  # the same person on all spots, so O-14 applies to Envy Bonuses
ROUNDS_REMEMBERED = 10


class Session:
    def __init__(
        self, rules: Rules, bankroll: int, spots: int, shuffle: Callable[[list[int]], None]
    ) -> None:
        if spots > rules.seats:
            raise Refused(
                RefusalCode.NO_SUCH_SPOT,
                ("O-02",),
                f"This table has {pluralize(rules.seats, 'spot')}, not {spots} (--spots).",
            )
        self.rules = rules
        self.spots = spots
        self.bought_in = bankroll
        self.rounds = 0  # number of finished rounds
        self.history: deque[RoundRecord] = deque(maxlen=ROUNDS_REMEMBERED)
        self.shuffles = 0
        self._shuffle = shuffle
        self._balance = bankroll  # balance before the round in play
        self._meters = [(jackpot.seed, 0) for jackpot in rules.jackpots]
        self._seen: list[int] | None = []
        self.shoe = Shoe(rules, self._shuffle_and_count)
        self._begin()

    def _shuffle_and_count(self, cards: list[int]) -> None:
        self.shuffles += 1
        self._shuffle(cards)

    @property
    def balance(self) -> int:
        """The person's chips, not counting those on the table."""
        return self._balance + sum(self._chips.spots.values())

    @property
    def result(self) -> int:
        """Net result of all finished rounds."""
        return self._balance - self.bought_in

    @property
    def waiting(self) -> Waiting:
        return waiting_for(self.state)

    @property
    def is_open_for_wagers(self) -> bool:
        return isinstance(self.waiting, WagersWanted)

    @property
    def round_is_over(self) -> bool:
        return isinstance(self.waiting, NothingWanted)

    @property
    def in_play(self) -> bool:
        """Whether chips are at stake."""
        return not self.is_open_for_wagers and not self.round_is_over

    @property
    def seen_before(self) -> tuple[int, ...] | None:
        """Cards from earlier rounds of this shoe; None once the discards have been reshuffled."""
        if self._seen is None or self.shuffles > self._shuffles_before:
            return None
        return tuple(self._seen)

    @property
    def payments(self) -> list[WagerSettled]:
        return [event for event in self.events if isinstance(event, WagerSettled)]

    def next_round(self) -> bool:
        """Open betting; return whether the shoe was shuffled first (O-03)."""
        seen = self.seen_before
        shuffled = self.shoe.begin_round()
        if shuffled:
            self._seen = []
        elif seen is None:
            self._seen = None
        else:
            dealt = [event.card for event in self.events if isinstance(event, CardDealt)]
            self._seen = [*seen, *(card for card in dealt if card is not None)]
        self._begin()
        return shuffled

    def _begin(self) -> None:
        self._shuffles_before = self.shuffles
        self.meters_before = list(self._meters)
        self.state = RoundState(self.rules, self._meters)
        self.events: list[Event] = []
        self._chips = Chips()

    def submit(self, command: Command) -> list[Event]:
        """Carry out a command, deal any cards it requires, and return the events.

        A refused command raises `Refused` and changes nothing, with one exception: if there are no
        cards left to deal, the round is called off.
        """
        if isinstance(command, DealCard | ShowMeters | VoidRound):
            raise Refused(
                RefusalCode.SHOE_DEALS,
                (),
                "Only the table deals cards, reads meters, and voids rounds.",
            )
        if isinstance(command, PlaceWagers):
            self._check_own_spot(command.spot)
        events = decide(self.state, command)
        self._check_covered(events)
        for event in events:
            apply(self.state, event)
            if isinstance(event, HandRemoved):
                self.shoe.discard(self.state.spots[event.spot].hands[event.hand].cards)
        events += self._deal()
        self.events += events
        self._chips.add_all(events)
        if self.round_is_over:
            self._close()
        return events

    def place_all(self, wagers: Iterable[PlaceWagers]) -> list[Event]:
        """Place all wagers and deal. If any wager is refused, withdraw them all."""
        placed = list(wagers)
        commands: list[Command] = [*placed, CloseWagers()]
        events: list[Event] = []
        for command in commands:
            try:
                events += self.submit(command)
            except Refused as refusal:
                if self.is_open_for_wagers:
                    for number in list(self.state.spots):
                        self.submit(WithdrawWagers(number))
                raise self._clearer(refusal, command, placed) from None
        return events

    def _clearer(self, refusal: Refused, command: Command, placed: list[PlaceWagers]) -> Refused:
        """Reword a refusal for wagers placed together."""
        message = refusal.message
        if refusal.code == RefusalCode.NOT_COVERED:
            total = sum(
                wagers.base + sum(wagers.mtd.values()) + sum(wagers.jackpots.values())
                for wagers in placed
            )
            message = (
                f"These wagers come to {money_text(total)}, but your balance is "
                f"{money_text(self.balance)}."
            )
        elif self.spots > 1 and isinstance(command, PlaceWagers):
            message = f"Spot {quoted(command.spot)}: {message}"
        return Refused(refusal.code, refusal.rules, message)

    def call_off(self) -> int:
        """Abandon a round, give back its chips, and return the amount that was on the table.

        Wagers already settled don't count, and the cards go back into the shoe.
        """
        on_table = self._chips.on_table
        self.shoe.shuffle_all()
        self._seen = []
        self._begin()
        return on_table

    def buy_in(self, amount: int) -> None:
        if amount <= 0 or self.bought_in + amount > LARGEST_AMOUNT:
            raise Refused(
                RefusalCode.BUY_IN, (), "Buy in for an amount above zero, such as buy 500."
            )
        self.bought_in += amount
        self._balance += amount

    def _check_own_spot(self, spot: object) -> None:
        if spot not in range(1, self.spots + 1):
            own = "spot 1" if self.spots == 1 else f"spots 1 to {self.spots}"
            raise Refused(
                RefusalCode.NOT_YOUR_SPOT,
                (),
                f"Spot {quoted(spot)} isn't yours. You have {own}; use --spots to play more.",
            )

    def _check_covered(self, events: list[Event]) -> None:
        chips = self._chips.copy()
        for event in events:
            chips.add(event)
            short = -(self._balance + sum(chips.spots.values()))
            if short > 0:
                raise Refused(
                    RefusalCode.NOT_COVERED,
                    (),
                    f"This takes {money_text(self.balance + short)}, but your balance is "
                    f"{money_text(self.balance)}.",
                )

    def _deal(self) -> list[Event]:
        try:
            return deal_wanted_cards(self.state, self.shoe)
        except OutOfCards:
            self.call_off()
            raise Refused(
                RefusalCode.OUT_OF_CARDS,
                ("O-03",),
                "Every card in the shoe is on the table. The round is void: its wagers "
                "are returned, and the shoe is shuffled.",
            ) from None

    def _close(self) -> None:
        record = record_of(self.rules, self.events, self._meters, str(self.rounds + 1))
        self.history.append(record)
        self.rounds += 1
        self._meters = [(meter.cents, meter.remainder) for meter in self.state.meters]
        self._balance = self.balance
        self._chips = Chips()
