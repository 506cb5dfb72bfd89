"""Deal and play a round to the end: cards from a shoe or a list, decisions from a player."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ventiuna.cards import new_shoe
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DataError,
    DealCard,
    ShowMeters,
    check_rules,
    quoted,
)
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, HandRemoved, RoundVoided, Wager, WagerSettled
from ventiuna.engine.prompts import CardWanted, MetersWanted, NothingWanted, Waiting, waiting_for
from ventiuna.engine.state import RoundState, check_round
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules

# --- Card sources ---

Shuffle = Callable[[list[int]], None]


class OutOfCards(VentiunaError, RuntimeError):
    """A card is needed, but none are left."""


class CardSource(Protocol):
    def draw(self) -> int:
        """Return the next card."""

    def discard(self, cards: Iterable[int]) -> None:
        """Accept cards removed from the table."""


class ListSource:
    """A fixed sequence of cards."""

    def __init__(self, cards: Iterable[int]) -> None:
        self._cards = iter(cards)

    def draw(self) -> int:
        try:
            return next(self._cards)
        except StopIteration:
            raise OutOfCards("The list of cards has run out. Pass more cards.") from None

    def discard(self, cards: Iterable[int]) -> None:
        """Do nothing: a list has no discards."""


class Shoe:
    """All of a table's cards, shuffled by the given function (O-03, O-29).

    When the cut card appears, the current round is finished and the next one starts with a shuffle.
    If the cards run out during a round, the discards are shuffled and dealt.

    >>> import random
    >>> from ventiuna import load_rules
    >>> shoe = Shoe(load_rules("wsgc-2021"), random.Random(1).shuffle)
    >>> card = shoe.draw()
    >>> shoe.cards_left, shoe.cut_card_came
    (287, False)
    """

    def __init__(self, rules: Rules, shuffle: Shuffle) -> None:
        check_rules(rules)
        if not callable(shuffle):
            raise DataError(
                "shuffle must be a function that shuffles a list in place, such as "
                f"random.shuffle, not {quoted(shuffle)}."
            )
        self.rules = rules
        self._shuffle = shuffle
        self._cards: list[int] = []
        self._discards: list[int] = []
        self._cut = 0
        self.shuffles = 0
        self.shuffle_all()

    def shuffle_all(self) -> None:
        """Shuffle all decks together, place the cut card, and burn cards."""
        self._cards = new_shoe(self.rules.pack, self.rules.decks)
        self._shuffle(self._cards)
        self._discards = []
        behind_cut = self.rules.shoe_size * (100 - self.rules.cut_card_percent) // 100
        self._cut = behind_cut
        self.shuffles += 1
        for _ in range(self.rules.burn_cards):
            self._cards.pop()

    @property
    def cards_left(self) -> int:
        return len(self._cards)

    @property
    def cut_card_came(self) -> bool:
        return len(self._cards) <= self._cut

    def begin_round(self) -> bool:
        """Shuffle if the cut card has appeared; return whether it did."""
        if self.cut_card_came:
            self.shuffle_all()
            return True
        return False

    def draw(self) -> int:
        if not self._cards:
            self._shuffle_discards()
        return self._cards.pop()

    def discard(self, cards: Iterable[int]) -> None:
        self._discards.extend(cards)

    def __repr__(self) -> str:
        return f"<Shoe of {self.rules.name}: {self.cards_left} cards left>"

    def _shuffle_discards(self) -> None:
        if not self._discards:
            raise OutOfCards(
                "Every card of the shoe is on the table. Use more decks or fewer spots."
            )
        self._cards, self._discards = self._discards, []
        self._shuffle(self._cards)


# --- Playing a round ---


class Player(Protocol):
    """Makes decisions for the spots of a round: any function of the round and its prompt.

    It is called for every prompt that a person answers (`BlackjackAnswersWanted`,
    `InsuranceAnswersWanted`, `DecisionWanted`) and returns a command for one of the spots. If
    several spots must answer, it is called again. Legal choices are in `options(state)`. It can see
    the whole round; use `view(state)` to hide the down card.

    >>> from ventiuna.engine import options
    >>> def stands(state, waiting):
    ...     return options(state)[0].command()  # stand, decline, take
    """

    def __call__(self, state: RoundState, waiting: Waiting, /) -> Command:
        """Return the answer to the prompt."""
        ...


def finish_round(state: RoundState, source: CardSource, player: Player) -> list[Event]:
    """Play a round from placed wagers to the end; return all events, starting with the wagers.

    If the cards run out (`OutOfCards`), the state is left waiting for a card.

    >>> import random
    >>> from ventiuna import Shoe, commands, load_rules, steady_player
    >>> rules = load_rules("wsgc-2021")
    >>> state = RoundState(rules)
    >>> placed = execute(state, commands.PlaceWagers(1, 500))
    >>> events = finish_round(state, Shoe(rules, random.Random(1).shuffle), steady_player)
    >>> str(state.stage)
    'closed'
    """
    check_round(state)
    events: list[Event] = [spot.wagers_placed() for spot in state.order]
    events += execute(state, CloseWagers())
    while True:
        prompt = waiting_for(state)
        kind = type(prompt)
        if kind is CardWanted:
            new = execute(state, DealCard(source.draw()))
        elif kind is NothingWanted:
            break
        elif kind is MetersWanted:
            new = execute(state, own_meters(state))
        else:
            new = execute(state, player(state, prompt))
        _discard_removed(state, source, new)
        events += new
    source.discard(state.dealer)
    return events


def deal_wanted_cards(state: RoundState, source: CardSource) -> list[Event]:
    """Deal until a person must act or the round is closed.

    Meter prompts are answered with the round's own readings. If the cards run out (`OutOfCards`),
    the state includes the cards dealt so far, but their events are lost. To recover, deal on a copy
    of the state and discard it, or void the round.
    """
    events: list[Event] = []
    while isinstance(prompt := waiting_for(state), CardWanted | MetersWanted):
        if isinstance(prompt, CardWanted):
            new = execute(state, DealCard(source.draw()))
        else:
            new = execute(state, own_meters(state))
        _discard_removed(state, source, new)
        events += new
    if isinstance(prompt, NothingWanted):
        source.discard(state.dealer)
    return events


def own_meters(state: RoundState) -> ShowMeters:
    """Return meter readings for a round whose meters no other table feeds."""
    prompt = waiting_for(state)
    games = prompt.games if isinstance(prompt, MetersWanted) else ()
    return ShowMeters({game: state.meters[game - 1].cents for game in games})


def _discard_removed(state: RoundState, source: CardSource, events: list[Event]) -> None:
    for event in events:
        if type(event) is HandRemoved:
            source.discard(state.spots[event.spot].hands[event.hand].cards)


def net_by_wager(events: list[Event]) -> dict[tuple[int, int, Wager], int]:
    """Return the result in cents by (spot, hand or -1, wager); void rounds have none."""
    nets: dict[tuple[int, int, Wager], int] = {}
    for event in events:
        if type(event) is WagerSettled:
            key = (event.spot, event.hand, event.wager)
            nets[key] = nets.get(key, 0) + event.net
        elif type(event) is RoundVoided:
            return {}
    return nets
