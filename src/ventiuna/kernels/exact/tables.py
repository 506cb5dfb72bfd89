"""Tables of the exact kernels: every composition of a hand, and shared records.

Values are numbered 0 (ace), 1 (two) … 8 (nine), 9 (all ten-valued cards). A hand's number of cards,
total and softness follow from its composition, so play depends only on compositions, apart from a
few suits. Compiled functions pass records as pointers.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ventiuna.core.actions import ACTIONS
from ventiuna.core.cards import CARDS
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.jit import MODE, PYTHON

# --- Compositions ---

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

VALUES = 10
ACE_VALUE, TEN_VALUE = 0, 9
BUST = -1
EMPTY = 0  # index of the empty composition; the ten one-card compositions follow
COMPOSITIONS = 3083  # all with a hard total of at most 21, including those eleven


class Lattice(NamedTuple):
    """Compositions, fewest cards first."""

    counts: Ints  # [composition, value]
    cards: Ints
    hard: Ints
    following: Ints  # [composition, value]: index, or BUST
    adds: Ints  # [composition]: how many values, from the ace up, can still be added


@cache
def lattice() -> Lattice:
    found: list[tuple[int, ...]] = [(0,) * VALUES]
    index = {found[0]: EMPTY}
    hard = [0]
    following: list[list[int]] = []
    for place, counts in enumerate(found):
        row = [BUST] * VALUES
        for value in range(min(VALUES, 21 - hard[place])):
            grown = (*counts[:value], counts[value] + 1, *counts[value + 1 :])
            if grown not in index:
                index[grown] = len(found)
                found.append(grown)
                hard.append(hard[place] + value + 1)
            row[value] = index[grown]
        following.append(row)
    counts_array = np.array(found, dtype=np.int64)
    hard_array = np.array(hard, dtype=np.int64)
    return Lattice(
        counts=counts_array,
        cards=counts_array.sum(axis=1),
        hard=hard_array,
        following=np.array(following, dtype=np.int64),
        adds=np.minimum(VALUES, 21 - hard_array),
    )


@cache
def without_value() -> Ints:
    """[value, composition]: the composition without the cards of this value."""
    places = lattice()
    left = np.empty((VALUES, COMPOSITIONS), dtype=np.int64)
    for value in range(VALUES):
        before = np.arange(COMPOSITIONS)
        grows = places.following[:, value] != BUST
        before[places.following[grows, value]] = np.flatnonzero(grows)
        left[value] = np.arange(COMPOSITIONS)
        while places.counts[left[value], value].any():
            left[value] = before[left[value]]
    return left


@cache
def _following() -> list[list[int]]:
    """Convert to lists, whose single entries are read much faster than an array's."""
    rows: list[list[int]] = lattice().following.tolist()
    return rows


def composition_index(values: Iterable[int]) -> int:
    """Return the index of a hand of these values (0 to 9), or BUST."""
    following = _following()
    place = EMPTY
    for value in values:
        if place != BUST:
            place = following[place][value]
    return place


# --- Records ---


def _argument(number: int) -> int:
    """A constant that compiled functions take as an argument.

    With a plain int, every value would be compiled separately.
    """
    return cast(int, np.int64(number))


# Origin of a hand.
UNSPLIT = _argument(0)
SPLIT_HAND = _argument(1)
SPLIT_ACE_HAND = _argument(2)
KINDS = 3
DOUBLINGS = 4  # none to three
UNDOUBLED = _argument(0)
DOUBLED = _argument(1)
SUIT_MASKS = 16
SUITED_COMPOSITIONS = 275  # all compositions of two or three cards
TWO_CARD_HANDS = CARDS * (CARDS + 1) // 2
MAX_HANDS = 4
GONE = 2 * MAX_HANDS - 3  # number of possible counts of additional pair cards gone, from 0 up
DEALT = _argument(0)  # split hands with a card of the dealt pair
LATER = _argument(1)  # hands split off later
NOT_BY_PAIR = _argument(0)  # second cards for which the pair's suits don't matter
BY_PAIR = _argument(1)  # second cards for which the pair's suits matter
NO_PAIR, ANY_CARD = 0, 1  # possible second cards of a split hand
FIGURES = 3  # figures of a split: value, money wagered, square of the result
VALUE = _argument(0)
MONEY = _argument(1)
SQUARE = _argument(2)
# Figures of a deal: its probability, then value, money wagered and squared result, each multiplied
# by the probability.
DEAL_CHANCE, DEAL_VALUE, DEAL_MONEY, DEAL_SQUARE = 0, 1, 2, 3
DEAL_FIGURES = 4
WAITING, DECIDED = 0, 1  # a waiting hand's value, and its probability of no push
COMPARED_TOTALS = 6  # player totals with equal results: all below 17, then 17 to 21
DEALER_RESULTS = 6  # the dealer's totals 17 to 21, and a bust
TEN_CARDS = 16  # maximum number of different cards of a value
WITH_VALUE = 9785  # compositions of two or more cards, each listed once per value it contains


class _Field(NamedTuple):
    kind: type[np.generic]
    shape: tuple[int, ...]


def ints(*shape: int) -> Ints:
    return cast(Ints, _Field(np.int64, shape))


def floats(*shape: int) -> Floats:
    return cast(Floats, _Field(np.float64, shape))


def flags(*shape: int) -> Bytes:
    return cast(Bytes, _Field(np.uint8, shape))


def number() -> int:
    return cast(int, _Field(np.int64, ()))


def amount() -> float:
    return cast(float, _Field(np.float64, ()))


class Record:
    """Names and types of a record's fields.

    The record itself is NumPy's: kernels read its fields as attributes, Python by name.
    """

    layout: ClassVar[np.dtype[np.void]]

    def __init_subclass__(cls) -> None:
        fields = [
            (name, field.kind, field.shape)
            for name, field in vars(cls).items()
            if isinstance(field, _Field)
        ]
        cls.layout = np.dtype(fields, align=True)

    def __getitem__(self, name: str) -> Any: ...

    def __setitem__(self, name: str, value: object) -> None: ...


R = TypeVar("R", bound=Record)


class Game(Record):
    """Everything the kernels read about the rules, the shoe and the hands."""

    # The compositions (see `lattice`).
    counts = ints(COMPOSITIONS, VALUES)
    cards = ints(COMPOSITIONS)
    hard = ints(COMPOSITIONS)
    adds = ints(COMPOSITIONS)
    following = ints(COMPOSITIONS, VALUES)
    total = ints(COMPOSITIONS)
    # The rules for each composition.
    legal = ints(KINDS, DOUBLINGS, COMPOSITIONS)  # one bit per action
    paid = flags(KINDS, 2, COMPOSITIONS)  # 1 if a stand is paid immediately: undoubled, doubled
    pay = floats(KINDS, 2, COMPOSITIONS)  # profit in that case, per unit wagered
    # Money by doublings, in base wagers.
    wager = floats(DOUBLINGS)
    surrender_loss = floats(DOUBLINGS)
    rescue_loss = floats(DOUBLINGS)
    bust_loss = floats(DOUBLINGS)
    blackjack_loss = amount()  # loss against a dealer blackjack
    against = floats(COMPARED_TOTALS, DEALER_RESULTS)  # result of a unit wager
    doublings_at_most = number()
    blackjack_wins = number()  # 1 if a blackjack wins even against the dealer's
    # The shoe before the deal.
    composition = ints(CARDS)
    shoe = ints(VALUES)
    # Hands whose suits matter.
    hidden = flags(COMPOSITIONS)  # three cards whose suits decide the pay
    suited = flags(COMPOSITIONS)  # two cards whose value depends on suits
    by_card = flags(COMPOSITIONS)  # two cards evaluated card by card
    suit_row = ints(COMPOSITIONS)  # row of the two tables below, or -1
    suit_pay = floats(KINDS, SUITED_COMPOSITIONS, SUIT_MASKS)  # pay for a stand; NaN if none
    suit_legal = ints(KINDS, SUITED_COMPOSITIONS, SUIT_MASKS)
    super_place = number()  # composition that may win the Super Bonus, or -1
    super_pay = floats(SUIT_MASKS, CARDS)  # pay by up card, in base wagers
    # Two cards evaluated card by card, and distinguished up cards.
    pairs = number()
    pair_first = ints(TWO_CARD_HANDS)
    pair_second = ints(TWO_CARD_HANDS)
    pair_place = ints(TWO_CARD_HANDS)
    pair_row = ints(CARDS, CARDS)  # row of the three tables above, or -1
    ups = number()
    up_card = ints(CARDS)  # one card represents its value if suits don't matter
    up_value = ints(CARDS)
    up_count = ints(CARDS)
    # Splits.
    hands_at_most = ints(VALUES)
    same_rank = number()  # 1 if a jack and a king don't count as a pair
    weights = floats(MAX_HANDS + 1, 2, 2, GONE)
    with_start = ints(VALUES + 1)  # where compositions with a value begin in the next table
    with_value = ints(WITH_VALUE)


class Plays(Record):
    """Hands against up cards (or against shoes with pair cards gone), one row each."""

    preferences = ints(VALUES, DOUBLINGS, COMPOSITIONS)
    values = floats(VALUES, DOUBLINGS, COMPOSITIONS)  # value of the chosen action
    wagered = floats(VALUES, DOUBLINGS, COMPOSITIONS)  # total money wagered on the hand
    squares = floats(VALUES, DOUBLINGS, COMPOSITIONS)  # mean square of the result
    by_action = floats(VALUES, ACTIONS, COMPOSITIONS)  # for undoubled hands
    decided = floats(VALUES, COMPOSITIONS)  # probability that waiting doesn't end in a push


class SuitedPlays(Record):
    """Two cards evaluated card by card, by hand and distinguished up card."""

    preferences = ints(TWO_CARD_HANDS, CARDS)
    values = floats(TWO_CARD_HANDS, CARDS, ACTIONS)
    wagered = floats(TWO_CARD_HANDS, CARDS, ACTIONS)  # money wagered if this action is taken
    squares = floats(TWO_CARD_HANDS, CARDS, ACTIONS)


class SplitStrategy(Record):
    """How split hands are played."""

    by_pair = number()  # 1 if the first index below is the pair's value, 0 if it is unused
    by_value = number()  # 1 if three suited cards are played by value
    judge_unsplit = number()  # 1 if the values of the same cards unsplit decide the play
    preferences = ints(VALUES, VALUES, DOUBLINGS, COMPOSITIONS)  # by up card
    suited = ints(VALUES, TWO_CARD_HANDS, CARDS)  # two known cards, by up card


class Splits(Record):
    """Splits by value of the pair."""

    met = flags(VALUES, VALUES, COMPOSITIONS)  # by up card: one bit per number of doublings
    waits = flags(VALUES, COMPOSITIONS)  # whether any such composition waits for the dealer
    slots = ints(VALUES, COMPOSITIONS)  # dealer's slot with no further cards gone, or -1
    first_row = ints(VALUES)  # first row of the shoes that differ only in pair cards
    past_row = ints(VALUES)
    values = floats(VALUES, VALUES)  # by up card
    wagered = floats(VALUES, VALUES)
    squares = floats(VALUES, VALUES)  # mean squares of single hands


class Scratch(Record):
    """Working memory.

    A first dimension of size one makes a field an ordinary array when it is passed on.
    """

    shoe = ints(1, VALUES)
    left = ints(1, CARDS)
    chances = floats(1, VALUES)
    further = floats(1, VALUES)
    found = floats(1, ACTIONS)
    third = floats(1, ACTIONS)
    money = floats(1, ACTIONS)
    square = floats(1, ACTIONS)
    figures = floats(1, FIGURES)
    compared = floats(2, COMPOSITIONS)  # compared with the dealer: WAITING, DECIDED
    # Hands split from one pair against one up card. The last axis is indexed by figure * GONE +
    # additional pair cards gone.
    hands = floats(DOUBLINGS, COMPOSITIONS, FIGURES * GONE)
    result = floats(1, FIGURES * GONE)
    drawn = floats(1, FIGURES * GONE)
    specials = floats(1, FIGURES * GONE)  # for cards that make a blackjack
    card_weight = floats(1, GONE)
    special_weight = floats(1, GONE)
    card_share = floats(GONE)
    special_share = floats(GONE)
    stock = ints(VALUES)
    waiting = floats(GONE)
    decided = floats(GONE)
    # For one pair against one up card; GONE axes are indexed by additional pair cards gone.
    gone_shoes = ints(GONE, VALUES)
    second_chances = floats(GONE, VALUES)
    third_chances = floats(VALUES, GONE, VALUES)  # by second card
    hit_money = floats(VALUES, GONE)
    double_money = floats(VALUES, GONE)
    hit_square = floats(VALUES, GONE)
    double_square = floats(VALUES, GONE)
    pair_chances = floats(GONE)
    card_values = floats(FIGURES, GONE)  # for two known cards
    any_card = floats(FIGURES, 2, GONE)  # [figure, DEALT or LATER, gone]
    pair_card = floats(FIGURES, 2, GONE)
    by_pair = ints(VALUES)  # 1 if the pair's suits matter after this second card
    from_card = floats(TEN_CARDS, FIGURES, 2, GONE)  # [card, figure, any or pair second card, gone]


def new_record(described: type[R]) -> R:
    return cast(R, _zeros(described.layout))


def copy_of(record: R) -> R:
    return cast(R, cast(np.void, record).copy())


def _zeros(kind: np.dtype[np.void]) -> np.void:
    if MODE == PYTHON:
        kind = np.dtype((np.record, kind))  # makes fields readable as attributes in plain Python
    record: np.void = np.zeros(1, dtype=kind)[0]
    return record


def rules_record(rules: RuleTable) -> RuleTable:
    """Return a rule table as one record, with arrays in place of tuples."""
    fields = rules._asdict()
    kinds = [
        (name, np.int64, (len(part),) if isinstance(part, tuple) else ())
        for name, part in fields.items()
    ]
    record = _zeros(np.dtype(kinds, align=True))
    for name, part in fields.items():
        record[name] = part
    return cast(RuleTable, record)
