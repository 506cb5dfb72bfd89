"""A table where the engine deals and learners play: turns, legal actions and rewards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ventiuna.analysis.composition import Composition, fresh_composition, with_cards
from ventiuna.cards import CardError, card_text
from ventiuna.core import actions
from ventiuna.core.cards import is_soft, rank_of, suit_bit_of, value_of
from ventiuna.engine import OutOfCards, RoundState, deal_wanted_cards, execute
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    Double,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    TakeBlackjack,
)
from ventiuna.engine.dealing import Shoe, Shuffle
from ventiuna.engine.events import Event, WagerSettled
from ventiuna.engine.options import ACTION_COMMANDS, action_options, legal_actions
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    NothingWanted,
    waiting_for,
)
from ventiuna.engine.state import PlayerHand, Spot
from ventiuna.envs.settings import EnvSettings, Episode
from ventiuna.errors import VentiunaError
from ventiuna.kernels import vector_env_layout as at

# --- The shoe ---


class CountedShoe(Shoe):
    """A shoe that counts the cards not drawn since the shuffle, including burned ones."""

    undrawn: list[int]  # by card

    def shuffle_all(self) -> None:
        super().shuffle_all()
        self.undrawn = list(fresh_composition(self.rules))

    def draw(self) -> int:
        card = super().draw()
        self.undrawn[card] -= 1
        return card

    def stack(self, cards: Sequence[int]) -> None:
        """Put these cards on top, in this order; the others stay as they are."""
        remaining = self._cards[:]
        for card in cards:
            if card not in remaining:
                raise CardError(
                    f"cards: the shoe has no {card_text(card)} left. List it fewer times."
                )
            remaining.remove(card)
        self._cards = [*remaining, *reversed(cards)]

    def _shuffle_discards(self) -> None:
        super()._shuffle_discards()
        for card in self._cards:
            self.undrawn[card] += 1

    def unseen(self, hidden: int | None) -> Composition:
        """The cards a player has not seen: the undrawn cards and the dealer's hidden one."""
        undrawn = tuple(self.undrawn)
        return undrawn if hidden is None else with_cards(undrawn, (hidden,))


# --- The table ---

Shorts = npt.NDArray[np.int16]
Mask = npt.NDArray[np.int8]


NOT_DEALT = "No cards have been dealt yet. Reset the environment."


class NotLegal(VentiunaError, ValueError):
    """An action that is not legal now."""


class DealtTable:
    """Rounds with a real shoe; stops at every decision and at the end of the episode."""

    def __init__(self, settings: EnvSettings, shuffle: Shuffle) -> None:
        self.settings = settings
        self.shoe = CountedShoe(settings.rules, shuffle)
        self.round = RoundState(settings.rules)
        self.phase = at.OVER
        self.acting = 0  # the spot whose turn it is; 0 if none
        self.hand = 0  # index of that spot's acting hand
        self.events: list[Event] = []  # the current round's events
        self.last_events: list[Event] = []  # the last closed round's events
        self.rounds = 0  # rounds closed since the last `take_results`
        self.won = [0] * (settings.seats + 1)  # cents by spot, since the last `take_results`
        self.levels: list[int] = []  # wager levels, by seat
        self._is_void = False

    # --- episodes and rounds ---

    def begin_episode(self, anew: bool = False, cards: Sequence[int] = ()) -> None:
        """Start an episode and deal up to the first decision.

        Reshuffles if the last episode stopped mid-round. `cards` are dealt first, from a new
        shoe.
        """
        if anew or cards or self.phase != at.OVER:
            self.shoe.shuffle_all()
        self.shoe.stack(cards)
        while True:
            self._begin_round()
            if self.phase != at.OVER:
                return

    def choose(self, choice: int) -> bool:
        """Make a choice for the seat whose turn it is; returns whether it was legal.

        An illegal choice is replaced by `default_choice`.
        """
        legal = self.is_legal(choice)
        if not legal:
            choice = self.default_choice()
        if self.phase == at.WAGER:
            self._wager(choice - at.FIRST_WAGER)
        else:
            self._execute(self._command(choice))
            self._go_on()
        return legal

    def is_legal(self, choice: int) -> bool:
        mask = self.mask()
        return 0 <= choice < len(mask) and bool(mask[choice])

    def refuse(self, choice: int) -> None:
        """Raise an error that says why a choice is illegal, in the engine's words if possible."""
        names = self.settings.action_names
        if self.phase == at.OVER:
            raise NotLegal("The episode is over. Reset the environment.")
        if choice == at.DOUBLE_FOR_LESS and not self.settings.for_less:
            raise NotLegal(
                f"action {names[choice]!r} needs an environment with double_for_less=True."
            )
        if self.phase != at.WAGER and choice < at.FIRST_WAGER:
            execute(self.round.copy(), self._command(choice))
        legal = ", ".join(names[other] for other in np.flatnonzero(self.mask()))
        raise NotLegal(f"action {names[choice]!r} isn't legal now. Choose from: {legal}.")

    def default_choice(self) -> int:
        """The default choice: the first wager, take the blackjack, no insurance, stand."""
        defaults = {at.WAGER: at.FIRST_WAGER, at.BLACKJACK: at.TAKE, at.INSURANCE: at.DECLINE}
        return defaults.get(self.phase, actions.STAND)

    def take_results(self) -> tuple[list[int], int]:
        """Each spot's result in cents, and the number of rounds closed, since the last call."""
        noted = self.won, self.rounds
        self.won, self.rounds = [0] * (self.settings.seats + 1), 0
        return noted

    def _begin_round(self) -> None:
        if self._is_void:
            self.shoe.shuffle_all()
        else:
            self.shoe.begin_round()
        self._is_void = False
        self.round = RoundState(self.settings.rules)
        self.events = []
        self.levels = []
        if self.settings.wagers:
            self.phase, self.acting, self.hand = at.WAGER, 1, 0
        else:
            self.levels = [0] * self.settings.seats
            self._deal()

    def _wager(self, level: int) -> None:
        self.levels.append(level)
        if len(self.levels) < self.settings.seats:
            self.acting += 1
        else:
            self._deal()

    def _deal(self) -> None:
        for seat, level in enumerate(self.levels):
            # Every spot has its own player: playing two spots is a different game.
            self._execute(PlaceWagers(seat + 1, self.settings.bases[level], f"seat_{seat}"))
        self._execute(CloseWagers())
        self._go_on()

    def _execute(self, command: Command) -> None:
        self.events += execute(self.round, command)

    def _go_on(self) -> None:
        """Deal until a decision is due, starting the next round unless the episode is over."""
        try:
            self.events += deal_wanted_cards(self.round, self.shoe)
        except OutOfCards:  # every card is on the table: wagers are returned
            self._is_void = True
        prompt = waiting_for(self.round)
        if self._is_void or isinstance(prompt, NothingWanted):
            self._close()
        elif isinstance(prompt, DecisionWanted):
            self.phase, self.acting, self.hand = at.PLAY, prompt.spot, prompt.hand
        elif isinstance(prompt, InsuranceAnswersWanted):
            self.phase, self.acting, self.hand = at.INSURANCE, prompt.spots[0], 0
        elif isinstance(prompt, BlackjackAnswersWanted):
            self.phase, self.acting, self.hand = at.BLACKJACK, prompt.spots[0], 0

    def _close(self) -> None:
        self.rounds += 1
        self.last_events = self.events
        if not self._is_void:
            for event in self.events:
                if isinstance(event, WagerSettled):
                    self.won[event.spot] += event.net
        is_last = self.settings.episode is Episode.ROUND or self.shoe.cut_card_came
        self.phase, self.acting, self.hand = at.OVER, 0, 0
        if not is_last and not self._is_void:
            self._begin_round()

    # --- choices ---

    def mask(self) -> Mask:
        """The legal choices of the seat whose turn it is."""
        mask = np.zeros(len(self.settings.action_names), dtype=np.int8)
        if self.phase == at.WAGER:
            mask[at.FIRST_WAGER :] = 1
        elif self.phase == at.INSURANCE:
            mask[[at.INSURE, at.DECLINE]] = 1
        elif self.phase == at.BLACKJACK:
            mask[[at.TAKE, at.KEEP]] = 1
        elif self.phase == at.PLAY:
            mask[list(legal_actions(self.round))] = 1
            mask[at.DOUBLE_FOR_LESS] = self.settings.for_less and self.least_double > 0
        return mask

    @property
    def least_double(self) -> int:
        """The smallest amount for a double for less, in cents; 0 if not possible (R-050)."""
        double = action_options(self.round)[actions.DOUBLE]
        return double.least_chips if double.legal and double.least_chips < double.chips else 0

    def _command(self, choice: int) -> Command:
        spot = self.acting
        if choice in (at.INSURE, at.DECLINE):
            base = self.round.spots[spot].base
            return Insure(spot, self.settings.insurance(base) if choice == at.INSURE else 0)
        if choice == at.TAKE:
            return TakeBlackjack(spot)
        if choice == at.KEEP:
            return KeepBlackjack(spot)
        if choice == at.DOUBLE_FOR_LESS:
            return Double(spot, self.settings.rules.small_chip_unit)  # the minimum, see `mask`
        return ACTION_COMMANDS[choice](spot)

    # --- observations ---

    @property
    def current(self) -> tuple[Spot, PlayerHand] | None:
        """The spot and hand to act, once cards are dealt."""
        if self.phase in (at.WAGER, at.OVER):
            return None
        spot = self.round.spots[self.acting]
        return spot, spot.hands[self.hand]

    def unseen(self) -> Composition:
        """Cards that no player has seen."""
        dealer = self.round.dealer
        is_hidden = len(dealer) > 1 and not self.round.down_exposed
        return self.shoe.unseen(dealer[1] if is_hidden else None)

    def observation(self, spot: int) -> Shorts:
        """The table as this spot's player sees it; hand columns are filled only on its turn."""
        row = np.zeros(at.COLUMNS, dtype=np.int16)
        row[at.PHASE] = self.phase if spot == self.acting else at.OVER
        row[at.LEFT] = self.shoe.cards_left
        for card, count in enumerate(self.unseen()):
            if count:
                row[at.UNSEEN + value_of(card) - 1] += count
        current = self.current
        if current is not None and spot == self.acting:
            self._write_hand(row, *current)
        return row

    def _write_hand(self, row: Shorts, spot: Spot, hand: PlayerHand) -> None:
        shape = hand.shape
        row[at.TOTAL], row[at.SOFT] = hand.total, is_soft(shape.hard, shape.aces)
        row[at.CARDS], row[at.DOUBLINGS] = shape.cards, shape.doublings
        row[at.SPLIT] = shape.split + shape.split_ace
        row[at.HANDS], row[at.HAND] = len(spot.hands), self.hand
        row[at.UP], row[at.LEVEL] = self.round.up + 1, self.levels[spot.number - 1]
        row[at.INSURED] = bool(spot.insurance)
        row[at.FOR_LESS] = is_doubled_for_less(spot, hand)
        for card in hand.cards:
            row[at.RANK + rank_of(card) - 1] += 1
            row[at.SUITS] |= suit_bit_of(card)


def is_doubled_for_less(spot: Spot, hand: PlayerHand) -> bool:
    return hand.shape.doublings == 1 and hand.last_portion < spot.base
