"""A shoe that knows what nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence

from ventiuna.analysis.composition import Composition, fresh_composition, with_cards
from ventiuna.cards import CardError, card_text
from ventiuna.engine.shoe import Shoe


class CountedShoe(Shoe):
    """Keeps count of the cards that have not been drawn since the shuffle, burnt ones too."""

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
        left = self._cards[:]
        for card in cards:
            if card not in left:
                raise CardError(f"cards: the shoe has no {card_text(card)} more. Name fewer of it.")
            left.remove(card)
        self._cards = [*left, *reversed(cards)]

    def _shuffle_discards(self) -> None:
        super()._shuffle_discards()
        for card in self._cards:
            self.undrawn[card] += 1

    def unseen(self, hidden: int | None) -> Composition:
        """What a player has not seen: the undrawn cards and the dealer's hidden one."""
        undrawn = tuple(self.undrawn)
        return undrawn if hidden is None else with_cards(undrawn, (hidden,))
