"""Enumerate all card orders of small shoes, card by card: slow but obviously correct."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ventiuna.analysis import Composition, composition_of
from ventiuna.cards import Pack, parse_cards
from ventiuna.core.cards import CARDS

GOLDEN = Path(__file__).parents[2] / "golden"


def golden(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return data


def shoe(text: str) -> Composition:
    return composition_of(parse_cards(text))


def random_shoe(seed: int, kinds: int, most: int) -> Composition:
    """Pick `kinds` kinds of Spanish cards, up to `most` of each, including spade aces and kings."""
    chosen = random.Random(seed)
    picked = {*parse_cards("As Ks"), *chosen.sample(Pack.SPANISH.cards, kinds - 2)}
    counts = [chosen.randint(1, most) if card in picked else 0 for card in range(CARDS)]
    return tuple(counts)


def all_deals(composition: Composition, cards: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every order of `cards` cards, with the number of ways to deal it."""
    left = list(composition)

    def deal(dealt: tuple[int, ...], ways: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        if len(dealt) == cards:
            yield ways, dealt
            return
        for card, count in enumerate(left):
            if count:
                left[card] -= 1
                yield from deal((*dealt, card), ways * count)
                left[card] += 1

    return deal((), 1)
