"""Who makes the shoes of a house: its key, its source of chance, and the recipe."""

from __future__ import annotations

from ventiuna.table.play.state import ShoeRecord
from ventiuna.table.shoes.entropy import Entropy
from ventiuna.table.shoes.fairness import ShoeContext, shoe_commitment
from ventiuna.table.shoes.house_key import HouseKey
from ventiuna.table.shoes.shoe import START, LiveShoe, Position, check_on_top


class HouseShoes:
    """The database keeps salts alone; together with the key they give the seeds."""

    def __init__(self, key: HouseKey, entropy: Entropy) -> None:
        self._key = key
        self._entropy = entropy

    def new_shoe(self, context: ShoeContext) -> ShoeRecord:
        salt = self._entropy.salt()
        check_on_top(context, self.on_top(salt))
        seed = self._key.seed(context, salt)
        commitment = shoe_commitment(context, seed)
        return ShoeRecord(context.number, context, salt, commitment, str(self._entropy.source))

    def seed(self, shoe: ShoeRecord) -> bytes:
        return self._key.seed(shoe.context, shoe.salt)

    def signature(self, purpose: str, text: str) -> str:
        """The house's own, by its key."""
        return self._key.signature(purpose, text)

    def fits(self, shoe: ShoeRecord) -> bool:
        return shoe_commitment(shoe.context, self.seed(shoe)) == shoe.commitment

    def live(self, shoe: ShoeRecord, position: Position = START) -> LiveShoe:
        assert shoe.mix is not None, "a shoe is dealt from after it was cut"
        on_top = self.on_top(shoe.salt)
        return LiveShoe(shoe.context, self.seed(shoe), shoe.mix, position, on_top)

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        """Cards that a test has laid on top of the shoe with this salt."""
        return self._entropy.on_top(salt)
