"""The tables of the exact kernels, each one record: compiled functions pass a pointer."""

from typing import Any

import numpy as np

from ventiuna.core.actions import ACTIONS
from ventiuna.core.cards import CARDS
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.lattice import COMPOSITIONS, VALUES
from ventiuna.kernels.jit import COMPILES


def _argument(number: int) -> Any:
    """A constant that compiled functions take as an argument.

    For a plain int each of its values would be compiled anew.
    """
    return np.int64(number)


# How a hand came to be.
UNSPLIT: int = _argument(0)
SPLIT_HAND: int = _argument(1)
SPLIT_ACE_HAND: int = _argument(2)
KINDS = 3
DOUBLINGS = 4  # none to three
UNDOUBLED: int = _argument(0)
DOUBLED: int = _argument(1)
SUIT_MASKS = 16
SUITED_COMPOSITIONS = 275  # all of two or three cards
TWO_CARD_HANDS = CARDS * (CARDS + 1) // 2
MOST_HANDS = 4
GONE = 2 * MOST_HANDS - 3  # numbers of further pair cards gone, from none
DEALT: int = _argument(0)  # split hands with a card of the dealt pair
LATER: int = _argument(1)  # and those split off later
NOT_BY_PAIR: int = _argument(0)  # second cards for which the pair's suits are idle
BY_PAIR: int = _argument(1)  # and those for which they count
NO_PAIR, ANY_CARD = 0, 1  # what a split hand's second card may be
FIGURES = 3  # what a split is summed up for: value, money wagered, square of the result
VALUE: int = _argument(0)
MONEY: int = _argument(1)
SQUARE: int = _argument(2)
# Figures of a deal: its chance; value, money wagered and square of the result, each times that.
DEAL_CHANCE, DEAL_VALUE, DEAL_MONEY, DEAL_SQUARE = 0, 1, 2, 3
DEAL_FIGURES = 4
WAITING, DECIDED = 0, 1  # of a hand that waits: its value, and the chance of no push
TEN_CARDS = 16  # different cards of a value, at most
WITH_VALUE = 9785  # compositions of two or more cards, once for each value they hold

_INT, _FLOAT, _FLAG = np.int64, np.float64, np.uint8

GAME = np.dtype(
    [
        # The compositions (see exact_lattice).
        ("counts", _INT, (COMPOSITIONS, VALUES)),
        ("cards", _INT, COMPOSITIONS),
        ("hard", _INT, COMPOSITIONS),
        ("adds", _INT, COMPOSITIONS),
        ("following", _INT, (COMPOSITIONS, VALUES)),
        ("total", _INT, COMPOSITIONS),
        # What the rules say of each.
        ("legal", _INT, (KINDS, DOUBLINGS, COMPOSITIONS)),  # a bit for each action
        ("paid", _FLAG, (KINDS, 2, COMPOSITIONS)),  # undoubled, doubled: a stand is paid at once
        ("pay", _FLOAT, (KINDS, 2, COMPOSITIONS)),  # profit then, for a wager of one
        # Money by doublings, in base wagers.
        ("wager", _FLOAT, DOUBLINGS),
        ("surrender_loss", _FLOAT, DOUBLINGS),
        ("rescue_loss", _FLOAT, DOUBLINGS),
        ("doublings_at_most", _INT),
        ("blackjack_wins", _INT),  # also against the dealer's
        # The shoe before the deal.
        ("composition", _INT, CARDS),
        ("shoe", _INT, VALUES),
        # Hands whose suits count.
        ("hidden", _FLAG, COMPOSITIONS),  # three cards whose suits decide the pay
        ("suited", _FLAG, COMPOSITIONS),  # two cards whose value depends on suits
        ("by_card", _FLAG, COMPOSITIONS),  # two cards looked at one by one
        ("suit_row", _INT, COMPOSITIONS),  # row of the two tables below, or -1
        ("suit_pay", _FLOAT, (KINDS, SUITED_COMPOSITIONS, SUIT_MASKS)),  # of a stand; NaN: none
        ("suit_legal", _INT, (KINDS, SUITED_COMPOSITIONS, SUIT_MASKS)),
        ("super_place", _INT),  # composition that may win the Super Bonus, or -1
        ("super_pay", _FLOAT, (SUIT_MASKS, CARDS)),  # by up card, in base wagers
        # Two cards looked at one by one, and up cards told apart.
        ("pairs", _INT),
        ("pair_first", _INT, TWO_CARD_HANDS),
        ("pair_second", _INT, TWO_CARD_HANDS),
        ("pair_place", _INT, TWO_CARD_HANDS),
        ("pair_row", _INT, (CARDS, CARDS)),  # row of the three above, or -1
        ("ups", _INT),
        ("up_card", _INT, CARDS),  # one stands for all of its value where suits are idle
        ("up_value", _INT, CARDS),
        ("up_count", _INT, CARDS),
        # Splits.
        ("hands_at_most", _INT, VALUES),
        ("same_rank", _INT),  # 1: a jack and a king are no pair
        ("weights", _FLOAT, (MOST_HANDS + 1, 2, 2, GONE)),
        ("with_start", _INT, VALUES + 1),  # where compositions with a value begin in the next
        ("with_value", _INT, WITH_VALUE),
    ],
    align=True,
)

# Hands against up cards (or against shoes with pair cards gone), one row each.
PLAYS = np.dtype(
    [
        ("preferences", _INT, (VALUES, DOUBLINGS, COMPOSITIONS)),
        ("values", _FLOAT, (VALUES, DOUBLINGS, COMPOSITIONS)),  # of the action taken
        ("wagered", _FLOAT, (VALUES, DOUBLINGS, COMPOSITIONS)),  # all money put on the hand
        ("squares", _FLOAT, (VALUES, DOUBLINGS, COMPOSITIONS)),  # of the result, on average
        ("by_action", _FLOAT, (VALUES, ACTIONS, COMPOSITIONS)),  # of undoubled hands
        ("decided", _FLOAT, (VALUES, COMPOSITIONS)),  # chance that waiting ends in no push
    ],
    align=True,
)

# Two cards looked at one by one, by hand and up card told apart.
SUITED_PLAYS = np.dtype(
    [
        ("preferences", _INT, (TWO_CARD_HANDS, CARDS)),
        ("values", _FLOAT, (TWO_CARD_HANDS, CARDS, ACTIONS)),
        ("wagered", _FLOAT, (TWO_CARD_HANDS, CARDS, ACTIONS)),  # when this action is taken
        ("squares", _FLOAT, (TWO_CARD_HANDS, CARDS, ACTIONS)),
    ],
    align=True,
)

# How split hands are played.
STRATEGY = np.dtype(
    [
        ("by_pair", _INT),  # 1: the first index below is the pair's value; 0: it is idle
        ("by_value", _INT),  # 1: a choice of three suited cards is made by value
        ("judge_unsplit", _INT),  # 1: and by the value of the same cards unsplit
        ("preferences", _INT, (VALUES, VALUES, DOUBLINGS, COMPOSITIONS)),  # by up card
        ("suited", _INT, (VALUES, TWO_CARD_HANDS, CARDS)),  # two known cards, by up card
    ],
    align=True,
)

# Splits by value of the pair.
SPLITS = np.dtype(
    [
        ("met", _FLAG, (VALUES, VALUES, COMPOSITIONS)),  # by up card: a bit for each doublings
        ("waits", _FLAG, (VALUES, COMPOSITIONS)),  # some such hand waits for the dealer
        (
            "slots",
            _INT,
            (VALUES, COMPOSITIONS),
        ),  # of the dealer's chances, none further gone; or -1
        ("first_row", _INT, VALUES),  # of the shoes that only differ in pair cards
        ("past_row", _INT, VALUES),
        ("values", _FLOAT, (VALUES, VALUES)),  # by up card
        ("wagered", _FLOAT, (VALUES, VALUES)),
        ("squares", _FLOAT, (VALUES, VALUES)),  # of each hand by itself
    ],
    align=True,
)

# Room to work in. A first index of a single row makes it an ordinary array where it is passed on.
SCRATCH = np.dtype(
    [
        ("shoe", _INT, (1, VALUES)),
        ("left", _INT, (1, CARDS)),
        ("chances", _FLOAT, (1, VALUES)),
        ("further", _FLOAT, (1, VALUES)),
        ("found", _FLOAT, (1, ACTIONS)),
        ("third", _FLOAT, (1, ACTIONS)),
        ("money", _FLOAT, (1, ACTIONS)),
        ("square", _FLOAT, (1, ACTIONS)),
        ("figures", _FLOAT, (1, FIGURES)),
        ("compared", _FLOAT, (2, COMPOSITIONS)),  # with the dealer: WAITING, DECIDED
        # Hands of one pair against one up card: figures one after the other, by pair cards gone.
        ("hands", _FLOAT, (DOUBLINGS, COMPOSITIONS, FIGURES * GONE)),
        ("result", _FLOAT, (1, FIGURES * GONE)),
        ("drawn", _FLOAT, (1, FIGURES * GONE)),
        ("specials", _FLOAT, (1, FIGURES * GONE)),  # by cards that make a blackjack
        ("card_weight", _FLOAT, (1, GONE)),
        ("special_weight", _FLOAT, (1, GONE)),
        ("card_share", _FLOAT, GONE),
        ("special_share", _FLOAT, GONE),
        ("stock", _INT, VALUES),
        ("waiting", _FLOAT, GONE),
        ("decided", _FLOAT, GONE),
        # One pair against one up card, by pair cards gone.
        ("gone_shoes", _INT, (GONE, VALUES)),
        ("second_chances", _FLOAT, (GONE, VALUES)),
        ("third_chances", _FLOAT, (VALUES, GONE, VALUES)),  # by second card
        ("hit_money", _FLOAT, (VALUES, GONE)),
        ("double_money", _FLOAT, (VALUES, GONE)),
        ("hit_square", _FLOAT, (VALUES, GONE)),
        ("double_square", _FLOAT, (VALUES, GONE)),
        ("pair_chances", _FLOAT, GONE),
        ("card_values", _FLOAT, (FIGURES, GONE)),  # of two known cards
        ("any_card", _FLOAT, (FIGURES, 2, GONE)),  # dealt or later
        ("pair_card", _FLOAT, (FIGURES, 2, GONE)),
        ("by_pair", _INT, VALUES),  # 1: the pair's suits count for what follows on this second
        ("from_card", _FLOAT, (TEN_CARDS, FIGURES, 2, GONE)),  # the rest: any, pair second card
    ],
    align=True,
)


def new_record(kind: np.dtype[Any]) -> Any:
    if not COMPILES:
        kind = np.dtype((np.record, kind))  # plain Python reads fields as attributes of these only
    return np.zeros(1, dtype=kind)[0]


def rules_record(rules: RuleTable) -> Any:
    fields = rules._asdict()
    kinds: list[Any] = [
        (name, _INT, (len(part),)) if isinstance(part, tuple) else (name, _INT)
        for name, part in fields.items()
    ]
    record = new_record(np.dtype(kinds, align=True))
    for name, part in fields.items():
        record[name] = part
    return record
