"""The error of a shoe that has too few cards for what may be asked of it."""

from ventiuna.cards import CardError


class EmptyShoe(CardError):
    """A card may be asked for that is not there."""

    def __init__(self, cards: int) -> None:
        super().__init__(
            f"composition: with {cards} cards a round may ask for a card that is not there. "
            "Use a composition with more cards."
        )
