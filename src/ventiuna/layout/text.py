"""A layout's words, line by line, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ventiuna.layout.printing import wager_title
from ventiuna.layout.records import Layout, Line

PAYS_AT = 34  # columns


def layout_text(printed: Layout) -> str:
    return "\n".join(_lines(printed))


def _lines(printed: Layout) -> Iterator[str]:
    yield printed.name.words
    for arc in printed.arcs:
        yield " ".join(arc.words.split())
    for block in printed.blocks:
        yield ""
        yield block.title
        yield from _pays(block.lines)
    for jackpot in printed.jackpots:
        yield ""
        yield f"{jackpot.title}, {jackpot.wager}"
        yield from _pays(jackpot.pays)
    yield ""
    yield f"Cards: {', '.join(_card_words(card.name, card.words) for card in printed.cards)}"
    yield f"Spots: 1 to {len(printed.spots)}"
    places = [wager_title(place.name) for place in printed.spots[0].wagers]
    yield f"On each: {', '.join(places)}"


def _pays(lines: Sequence[Line]) -> Iterator[str]:
    at = max([PAYS_AT, *(len(line.words) + 2 for line in lines)])
    for line in lines:
        yield f"  {line.words:<{at}}{line.pays}".rstrip()


def _card_words(name: str, words: str) -> str:
    return words if name in ("up", "down") else f"Bonus Card {words}"
