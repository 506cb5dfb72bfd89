"""Where cards come from: a shoe with a cut card over many rounds, or a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ventiuna.cards import new_shoe
from ventiuna.engine.errors import DataError, check_rules, shown
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules

Shuffle = Callable[[list[int]], None]


class OutOfCards(VentiunaError, RuntimeError):
    """A card is wanted and there is none."""


class CardSource(Protocol):
    def draw(self) -> int:
        """The next card."""

    def discard(self, cards: Iterable[int]) -> None:
        """Cards that were taken off the table."""


class ListSource:
    """A given sequence of cards."""

    def __init__(self, cards: Iterable[int]) -> None:
        self._cards = iter(cards)

    def draw(self) -> int:
        try:
            return next(self._cards)
        except StopIteration:
            raise OutOfCards("The list of cards has come to its end: give more cards.") from None

    def discard(self, cards: Iterable[int]) -> None:
        """A list has no discards."""


class Shoe:
    """All cards of the table, shuffled by the function given (O-03, O-29).

    A round in play is finished when the cut card has come; the next one starts with a new
    shuffle. Should the cards run out within a round, the discards are shuffled and dealt.

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
                "shuffle: give a function that shuffles a list in place, such as random.shuffle, "
                f"not {shown(shuffle)}."
            )
        self.rules = rules
        self._shuffle = shuffle
        self._cards: list[int] = []
        self._discards: list[int] = []
        self._cut = 0
        self.shuffles = 0
        self.shuffle_all()

    def shuffle_all(self) -> None:
        """All decks together, the cut card placed, cards burnt."""
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
        """Shuffle when the cut card has come; says whether it did."""
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
                "Every card of the shoe is on the table: use more decks or fewer spots."
            )
        self._cards, self._discards = self._discards, []
        self._shuffle(self._cards)
