"""The shoe of a live table: copied for every command, built anew after every restart.

All copies share the order of the cards; a copy is where the deal stands. The shoe follows the
events of the round, so that it knows which cards lie on the table when there is none left to
draw: the others are shuffled again then, and the shoe ends with that round.

A card's *place* is its index in the shoe's order, burnt cards included. It tells equal cards
apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ventiuna.cards import card_text
from ventiuna.engine.events import CardDealt, Event, HandRemoved, HandSplit, Place
from ventiuna.engine.shoe import OutOfCards
from ventiuna.errors import VentiunaError
from ventiuna.table.shoes.fairness import ShoeContext, shoe_order, shoe_words

Move = tuple[CardDealt | HandSplit | HandRemoved, int]  # and the place of the card dealt
_NO_CARD = -1


class ShoeError(VentiunaError, RuntimeError):
    """What was dealt and what the shoe holds are not the same. Its sentence names no card."""


class Position(NamedTuple):
    """Where a shoe stands between two rounds: what a table keeps of it."""

    dealt: int = 0  # cards, burnt ones not counted
    bonus: tuple[int, ...] = ()  # places of Bonus Cards: out of play until the shoe ends (O-29)


START = Position()


class LiveShoe:
    """Committed cards over many rounds; `draw` moves this copy alone."""

    __slots__ = (
        "_before",
        "_bonus",
        "_cards",
        "_context",
        "_followed",
        "_mix",
        "_moves",
        "_next",
        "_places",
        "_pools",
        "_seed",
    )

    def __init__(
        self,
        context: ShoeContext,
        seed: bytes,
        mix: bytes,
        position: Position = START,
        on_top: Sequence[int] = (),  # cards that a test wants to see first
    ) -> None:
        order = shoe_order(context, shoe_words(context, seed, mix))
        if on_top:
            check_on_top(context, on_top)
            order = _with_cards_on_top(order, on_top, context.burn)
        if not 0 <= position.dealt <= context.size - context.burn:
            raise ShoeError(
                f"{position.dealt} cards can't have been dealt: the shoe has {context.size}."
            )
        self._context = context
        self._seed = seed
        self._mix = mix
        self._cards = tuple(order)  # in the order of dealing
        self._places: Sequence[int] = range(len(order))  # of these cards
        self._next = context.burn + position.dealt  # index of the card to be drawn
        self._followed = self._next  # index of the first card that no event has told of
        self._before = -context.burn  # what `_next` lacks to the number of cards dealt
        self._bonus = position.bonus
        self._moves: list[Move] = []  # of this round
        self._pools: tuple[int, ...] = ()  # sizes of the shuffles within this round

    def copy(self) -> LiveShoe:
        twin = LiveShoe.__new__(LiveShoe)
        twin._context = self._context
        twin._seed = self._seed
        twin._mix = self._mix
        twin._cards = self._cards
        twin._places = self._places
        twin._next = self._next
        twin._followed = self._followed
        twin._before = self._before
        twin._bonus = self._bonus
        twin._moves = self._moves[:]
        twin._pools = self._pools
        return twin

    # --- what is known ---

    @property
    def context(self) -> ShoeContext:
        return self._context

    @property
    def dealt(self) -> int:
        """Cards dealt so far, burnt ones not counted."""
        return self._before + self._next

    @property
    def cards_left(self) -> int:
        return len(self._cards) - self._next

    @property
    def reshuffles(self) -> int:
        """How often cards were shuffled again within this round."""
        return len(self._pools)

    @property
    def cut_card_came(self) -> bool:
        """The shoe ends with this round (O-03)."""
        return bool(self._pools) or self.cards_left <= self._context.behind_cut

    @property
    def is_over(self) -> bool:
        """The next round is dealt from another shoe. Every shoe has one round at least."""
        return self.dealt > 0 and self.cut_card_came

    @property
    def seen_before(self) -> tuple[int, ...]:
        """Cards of earlier rounds, which all lay face up; of use until a shuffle within a round."""
        in_this_round = sum(type(move) is CardDealt for move, _ in self._moves)
        return self._cards[self._context.burn : self._followed - in_this_round]

    @property
    def position(self) -> Position:
        """Where the next round would begin."""
        return Position(self.dealt, (*self._bonus, *self._bonus_of_this_round()))

    # --- what happens ---

    def begin_round(self) -> None:
        """The table is clear: what lay there is among the discards, Bonus Cards are put away."""
        self._check_all_followed()
        if self.is_over:
            raise ShoeError("The cut card has come: deal the next round from the next shoe.")
        self._bonus += self._bonus_of_this_round()
        self._moves = []

    def draw(self) -> int:
        """The next card; `follow` must be told where it went before the shoe is shuffled again."""
        if self._next == len(self._cards):
            self._shuffle_again()
        card = self._cards[self._next]
        self._next += 1
        return card

    def discard(self, cards: Iterable[int]) -> None:
        """Nothing to do: `follow` tells it, and which of two equal cards it was."""

    def follow(self, event: Event) -> None:
        """Keep track of the table; an event of a card must tell of the next one drawn."""
        if type(event) is CardDealt:
            self._follow_card(event)
        elif type(event) is HandSplit or type(event) is HandRemoved:
            self._moves.append((event, _NO_CARD))

    def resume(self, events: Iterable[Event]) -> None:
        """Deal the open round's cards again; raises `ShoeError` where one is another card."""
        self.begin_round()
        for event in events:
            if type(event) is CardDealt:
                try:
                    self.draw()
                except OutOfCards:
                    raise ShoeError(
                        f"Card {self.dealt + 1} of the shoe can't have been dealt: every one lay "
                        "on the table."
                    ) from None
            self.follow(event)

    # --- inside ---

    def _follow_card(self, event: CardDealt) -> None:
        if self._followed == self._next:
            raise ShoeError("A card lies on the table that was not drawn from the shoe.")
        if event.card != self._cards[self._followed]:
            number = self._before + self._followed + 1
            raise ShoeError(f"Card {number} of the shoe is another one than the card dealt.")
        self._moves.append((event, self._places[self._followed]))
        self._followed += 1

    def _check_all_followed(self) -> None:
        if self._followed != self._next:
            raise ShoeError("A card was drawn from the shoe that is nowhere on the table.")

    def _bonus_of_this_round(self) -> tuple[int, ...]:
        return tuple(
            place
            for move, place in self._moves
            if type(move) is CardDealt and move.place is Place.BONUS
        )

    def _shuffle_again(self) -> None:
        """What lies neither on the table nor among Bonus and burnt cards, as last dealt."""
        self._check_all_followed()
        out = {*range(self._context.burn), *self._bonus, *_on_the_table(self._moves)}
        kept = [index for index, place in enumerate(self._places) if place in out]
        pool = [index for index, place in enumerate(self._places) if place not in out]
        if not pool:
            raise OutOfCards(
                "Every card of the shoe is on the table: use more decks or fewer spots."
            )
        words = shoe_words(self._context, self._seed, self._mix)
        for size in (self._context.size, *self._pools):
            words.shuffle([0] * size)  # the words that these shuffles took
        words.shuffle(pool)
        dealt = self.dealt
        order = kept + pool
        self._cards = tuple(self._cards[index] for index in order)
        self._places = tuple(self._places[index] for index in order)
        self._next = self._followed = len(kept)
        self._before = dealt - len(kept)
        self._pools += (len(pool),)


def _on_the_table(moves: Iterable[Move]) -> list[int]:
    """Places of the dealer's cards, the Bonus Cards and the hands that were not removed."""
    others: list[int] = []
    spots: dict[int, list[list[int]]] = {}
    try:
        for move, place in moves:
            if isinstance(move, CardDealt):
                if move.place is Place.PLAYER:
                    spots.setdefault(move.spot, [[]])[move.hand].append(place)
                else:
                    others.append(place)
            elif isinstance(move, HandSplit):
                hands = spots[move.spot]
                hands.insert(move.hand + 1, [hands[move.hand].pop()])
            else:
                spots[move.spot][move.hand].clear()
    except (KeyError, IndexError):
        raise ShoeError("The events of the round speak of a hand that is not there.") from None
    return others + [place for hands in spots.values() for hand in hands for place in hand]


def check_on_top(context: ShoeContext, on_top: Sequence[int]) -> None:
    """Refuse cards that a test wants to see first and that such a shoe does not hold."""
    for card, wanted in Counter(on_top).items():
        held = context.decks if card in context.pack.cards else 0
        if wanted > held:
            raise ShoeError(
                f"The prescribed shoe begins with {card_text(card)} {wanted} times, and its table "
                f"has {held} of it: prescribe fewer."
            )
    if len(on_top) + context.burn > context.size:
        raise ShoeError(
            f"The prescribed shoe begins with {len(on_top)} cards, and its table has "
            f"{context.size}, of which {context.burn} are burnt: prescribe fewer."
        )


def _with_cards_on_top(order: list[int], on_top: Sequence[int], burn: int) -> list[int]:
    rest = order[:]
    for card in on_top:
        rest.remove(card)
    return [*rest[:burn], *on_top, *rest[burn:]]
