"""Tags of a count: written as text, laid beside the pack, with what they weigh there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ventiuna.analysis.charts.render.page_data import FACES, TENS
from ventiuna.cards import RANKS as RANK_LETTERS
from ventiuna.cards import Pack, card_text
from ventiuna.core.cards import CARDS, rank_of, value_of
from ventiuna.strategy.counting import RANKS, Count, SideCount, read_count
from ventiuna.strategy.errors import plan_problem
from ventiuna.strategy.plays import Weights

Tags = tuple[Fraction, ...]  # by card, 52 of them


class CardClass(NamedTuple):
    """Cards that a counter does not tell apart."""

    name: str  # 7, 10, 7s
    cards: tuple[int, ...]


def value_name(value: int) -> str:
    return RANKS[value - 1]


def ten_name(pack: Pack) -> str:
    """What charts call the cards that count ten (R-007)."""
    return FACES if pack is Pack.SPANISH else TENS


def value_classes(pack: Pack) -> tuple[CardClass, ...]:
    """One class for each value: aces, twos … all ten-valued cards."""
    return tuple(
        CardClass(name, tuple(card for card in pack.cards if value_of(card) == value))
        for value, name in enumerate(RANKS, 1)
    )


def classes_by_suit(pack: Pack, told_apart: Sequence[str]) -> tuple[CardClass, ...]:
    """The same, with values or faces named in `told_apart` taken card by card: `7`, `K`."""
    found: list[CardClass] = []
    known = {*RANKS, *RANK_LETTERS[10:]}
    for name in told_apart:
        if name not in known:
            raise plan_problem(
                "suits", name, "not a rank", f"Use ranks such as 7 or K, out of {', '.join(RANKS)}."
            )
    for plain in value_classes(pack):
        single = [card for card in plain.cards if _is_told_apart(card, told_apart)]
        rest = tuple(card for card in plain.cards if card not in single)
        found += [CardClass(card_text(card), (card,)) for card in single]
        if rest:
            found.append(CardClass(plain.name, rest))
    return tuple(found)


def _is_told_apart(card: int, names: Sequence[str]) -> bool:
    return value_name(value_of(card)) in names or RANK_LETTERS[rank_of(card) - 1] in names


def tags_of(count: Count, weights: Weights = ()) -> Tags:
    """By card, side counts at these weights included, or at those of bets."""
    return tuple(count.tag(card, weights) for card in range(CARDS))


def telling_tags(count: Count, pack: Pack) -> Tags:
    """Those of `tags_of`, refused where they tell no card of the pack from another."""
    tags = tags_of(count)
    if len({tags[card] for card in pack.cards}) == 1:
        raise plan_problem("tags", count.title, "all cards count the same", "Give other tags.")
    return tags


def parts_of(count: Count) -> tuple[Tags, ...]:
    """By card, of the main count and of each side count."""
    return tuple(zip(*map(count.part_tags, range(CARDS)), strict=True))


def read_tags(text: str, name: str = "tags") -> Count:
    """Tags as a command line has them: `2=1 3=1 10=-1 A=-1 7s=2`; what is not named counts 0."""
    tags: dict[str, float] = {}
    for word in text.replace(",", " ").split():
        rank, separator, number = word.partition("=")
        rank = rank.upper() if rank.upper() in (*RANKS, "J", "Q", "K") else rank
        if rank in tags:
            raise plan_problem(name, word, f"the tag of {rank} is given twice", "Give it once.")
        try:
            tags[rank] = float(number)
        except ValueError:
            raise plan_problem(
                name, word, "not a tag", 'Write tags as "2=1 3=1 10=-1 A=-1".'
            ) from None
        if not separator:
            raise plan_problem(name, word, "not a tag", 'Write tags as "2=1 3=1 10=-1 A=-1".')
    whole = {rank: int(number) if number.is_integer() else number for rank, number in tags.items()}
    return read_count(name, {"title": text, "tags": whole})


def tags_text(tags: Mapping[str, Fraction] | Sequence[tuple[str, Fraction]]) -> str:
    """`2=+1 3=+1 10=-1`: those that are not 0."""
    pairs = tags.items() if isinstance(tags, Mapping) else tags
    return " ".join(f"{name}={number_text(tag, sign=True)}" for name, tag in pairs if tag) or "none"


def number_text(number: Fraction, sign: bool = False) -> str:
    """
    >>> number_text(Fraction(1, 2)), number_text(Fraction(-2), sign=True)
    ('0.5', '-2')
    """
    return f"{float(number):{'+' if sign else ''}g}"


def named_tags(count: Count | SideCount, pack: Pack) -> tuple[tuple[str, Fraction], ...]:
    """The tags by class: values, and single cards where they are unlike their value."""
    unlike = {card for card, _ in count.card_tags}
    tag = count.main_tag if isinstance(count, Count) else count.tag
    found: list[tuple[str, Fraction]] = []
    for plain in value_classes(pack):
        rest = [card for card in plain.cards if card not in unlike]
        found += [(card_text(card), tag(card)) for card in plain.cards if card in unlike]
        if rest:
            found.append((plain.name, tag(rest[0])))
    return tuple(found)
