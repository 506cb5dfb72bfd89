"""A slow, independent implementation of the shoe recipe, to compare with the live shoe.

Cards are objects, so that two with the same face can be told apart. Words come from one generator
that is never restarted. The table is four lists.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

from ventiuna.cards import Pack
from ventiuna.engine.events import CardDealt, Event, HandRemoved, HandSplit, Place
from ventiuna.table.fairness import ShoeContext


class Card:
    def __init__(self, face: int) -> None:
        self.face = face


class NoCards(Exception):
    pass


class ModelShoe:
    def __init__(self, context: ShoeContext, seed: bytes, mix: bytes) -> None:
        self._words = _words(seed + mix + context.lines())
        faces = list(range(52))
        if context.pack is Pack.SPANISH:
            faces = [face for face in faces if face // 4 != 9]
        self.undealt = self._shuffled([Card(face) for _ in range(context.decks) for face in faces])
        size = len(self.undealt)
        self._behind_cut = size * (100 - context.cut_percent) // 100
        self.burnt = [self.undealt.pop(0) for _ in range(context.burn)]
        self.discards: list[Card] = []
        self.bonus: list[Card] = []
        self.dealer: list[Card] = []
        self.hands: dict[int, list[list[Card]]] = {}
        self._dealt: list[Card] = []  # each card at the position where it was last dealt
        self._drawn: list[Card] = []
        self.dealt = 0
        self.reshuffled = False

    @property
    def cut_card_came(self) -> bool:
        return self.reshuffled or len(self.undealt) <= self._behind_cut

    def begin_round(self) -> None:
        self.discards += self.dealer
        for hands in self.hands.values():
            for hand in hands:
                self.discards += hand
        self.dealer = []
        self.hands = {}

    def draw(self) -> int:
        if not self.undealt:
            if not self.discards:
                raise NoCards
            in_order = [card for card in self._dealt if card in self.discards]
            self.undealt = self._shuffled(in_order)
            self.discards = []
            self.reshuffled = True
        card = self.undealt.pop(0)
        if card in self._dealt:
            self._dealt.remove(card)
        self._dealt.append(card)
        self._drawn.append(card)
        self.dealt += 1
        return card.face

    def follow(self, event: Event) -> None:
        if isinstance(event, CardDealt):
            card = self._drawn.pop(0)
            assert card.face == event.card
            if event.place is Place.BONUS:
                self.bonus.append(card)
            elif event.place is Place.PLAYER:
                self.hands.setdefault(event.spot, [[]])[event.hand].append(card)
            else:
                self.dealer.append(card)
        elif isinstance(event, HandSplit):
            hands = self.hands[event.spot]
            first, second = hands[event.hand]
            hands[event.hand : event.hand + 1] = [[first], [second]]
        elif isinstance(event, HandRemoved):
            self.discards += self.hands[event.spot][event.hand]
            self.hands[event.spot][event.hand] = []

    def _shuffled(self, cards: list[Card]) -> list[Card]:
        """Fill the places from the last to the second, each with one of the remaining cards."""
        left = list(cards)
        placed: list[Card] = []
        while len(left) > 1:
            number = self._below(len(left))
            # Remove the chosen card; the last remaining card takes its place.
            left[number], left[-1] = left[-1], left[number]
            placed.insert(0, left.pop())
        return left + placed

    def _below(self, limit: int) -> int:
        while True:
            word = next(self._words)
            if word // limit < 2**32 // limit:
                return word % limit


def _words(material: bytes) -> Iterator[int]:
    def keyed(message: bytes) -> bytes:
        return hmac.new(key, message, hashlib.sha256).digest()

    key, value = bytes(32), bytes([1] * 32)
    for sign in (b"\x00", b"\x01"):
        key = keyed(value + sign + material)
        value = keyed(value)
    while True:
        for _ in range(1024 // 32):
            value = keyed(value)
            for start in range(0, 32, 4):
                yield int.from_bytes(value[start : start + 4], "big")
        key = keyed(value + b"\x00")
        value = keyed(value)
