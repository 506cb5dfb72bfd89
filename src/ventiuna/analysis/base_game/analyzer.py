"""The exact value of the base game, and of each action for every hand.

    >>> from ventiuna.rules import load_rules
    >>> analysis = analyze(load_rules("blackjack(soft_17=stand,split_hands=2)"))
    >>> f"{analysis.ev:.11f}"
    '-0.00456886297'

Values are in base wagers. Nothing is sampled: cards leave the shoe as they are dealt, and every
result states how split hands are played (`SplitPlay`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter, itemgetter
from typing import Annotated, NotRequired

import numpy as np
from typing_extensions import TypedDict

from ventiuna.analysis.base_game.shoe_exhaustion import hand_may_run_out, split_may_run_out
from ventiuna.analysis.base_game.solver import (
    FIRST_PLACE,
    TWO_CARD_PLACES,
    Deals,
    Solution,
    SolverQuery,
    StrategyTables,
    dealer_chances,
    game_tables,
    solve,
    solve_deals,
    solve_splits,
    split_hands_of,
    workspace,
)
from ventiuna.analysis.coerce import card_codes, check_base, check_count, check_flag, coerce_rules
from ventiuna.analysis.composition import (
    Basis,
    BasisData,
    Composition,
    EmptyShoe,
    SplitPlay,
    basis_of,
    coerce_split_play,
    fresh_composition,
    names_of,
    usable_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.results import (
    FIXED_6,
    FIXED_8,
    SIGNED_9,
    Column,
    Form,
    TabularResult,
    data_of,
    html_of,
    percent_text,
)
from ventiuna.cards import CardError, card_text, cards_text, parse_card
from ventiuna.core import actions
from ventiuna.core.actions import (
    ACTION_BITS,
    ACTION_NAMES,
    DOUBLE,
    DOUBLE_DOUBLE,
    HIT,
    NO_ACTION,
    STAND,
)
from ventiuna.core.base_game import dealer_checks, is_dealer_blackjack, rescue_loss, winning_row
from ventiuna.core.cards import (
    ACE,
    EMPTY_HAND,
    Hand,
    add_card,
    best_total,
    is_bust,
    rank_of,
    suit_bit_of,
    value_of,
)
from ventiuna.core.refusals import LEGAL
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.dealer import DealerTree, dealer_tree
from ventiuna.kernels.exact.game import play_against, value_hand
from ventiuna.kernels.exact.suits import stand_by_suits, value_suited_hands
from ventiuna.kernels.exact.tables import (
    DEAL_CHANCE,
    DEAL_MONEY,
    DEAL_VALUE,
    SPLIT_ACE_HAND,
    SPLIT_HAND,
    UNSPLIT,
    VALUES,
    Floats,
    Ints,
    Plays,
    composition_index,
    lattice,
)
from ventiuna.money import money_text
from ventiuna.rules import Problem, Rules, RulesError, compile_rules
from ventiuna.rules.compiled import winning_rows
from ventiuna.rules.text.phrases import join_words
from ventiuna.texts import brief_repr

# --- Results ---

VALUE_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The value of an action in base wagers, with best play afterward."""

    action: str
    ev: float


@dataclass(frozen=True, slots=True)
class UpCardResult:
    """All deals against up cards with one value."""

    up: str
    chance: float
    ev: float  # value of these deals before the dealer checks for blackjack
    wagered: float


UP_CARD_COLUMNS = (
    Column("up card", None, attrgetter("up")),
    Column("chance", FIXED_6, attrgetter("chance")),
    Column("expected result", SIGNED_9, attrgetter("ev")),
    Column("chips risked", FIXED_6, attrgetter("wagered")),
)


@dataclass(frozen=True, slots=True)
class HandResult:
    """All deals with these two card values against up cards with one value."""

    hand: str
    up: str
    chance: float
    ev: float  # value before the dealer checks for blackjack
    wagered: float
    actions: tuple[ActionValue, ...]  # after the check, best first; empty if they depend on suits

    @property
    def best(self) -> str:
        return self.actions[0].action if self.actions else "by suits"


class BaseGameData(BasisData):
    strategy_class: str
    base_cents: Annotated[int | None, attrgetter("base")]
    super_bonus: bool
    ev: float
    house_edge: float
    wagered: float
    element_of_risk: float
    by_up: list[UpCardResult]


@dataclass(frozen=True, slots=True)
class BaseGameAnalysis(TabularResult):
    """The base game per base wager, without side bets or insurance."""

    main_table = "hands"
    columns = (
        Column("hand", None, attrgetter("hand"), "hand"),
        Column("up", None, attrgetter("up"), "up"),
        Column("chance", FIXED_8, attrgetter("chance"), "chance"),
        Column("ev", SIGNED_9, attrgetter("ev"), "ev"),
        Column(None, None, attrgetter("wagered"), "wagered"),
        Column("best", None, attrgetter("best"), "best"),
    )

    basis: Basis
    strategy: str
    split_play: SplitPlay | None  # None for a fixed strategy
    base: int | None  # cents
    super_bonus: bool
    ev: float
    wagered: float  # average chips at risk
    by_up: tuple[UpCardResult, ...]
    deals: Deals = field(compare=False, repr=False)
    query: SolverQuery = field(compare=False, repr=False)

    __repr__ = brief_repr

    @property
    def solution(self) -> Solution:
        """All records of the analysis, about 20 MB; recomputed on each call, not stored."""
        return solve(*self.query)

    @property
    def house_edge(self) -> float:
        """Expected loss per base wager."""
        return -self.ev

    @property
    def element_of_risk(self) -> float:
        """Expected loss per chip risked."""
        return -self.ev / self.wagered

    @property
    def strategy_class(self) -> str:
        if self.split_play is None:
            return self.strategy
        return f"{self.strategy}; {self.split_play.text}"

    @property
    def fingerprint(self) -> str:
        return self.basis.fingerprint

    @property
    def rules(self) -> str:
        """Canonical name of the rules."""
        return self.basis.rules

    def hands(self) -> tuple[HandResult, ...]:
        """Starting hands (by card value) against each up card, with the value of each action."""
        return tuple(
            _hand_result(self.deals, place, up)
            for up in range(VALUES)
            for place in range(FIRST_PLACE, TWO_CARD_PLACES)
            if self.deals.figures[up, place, DEAL_CHANCE] > 0
        )

    records = hands

    def hand(self, first: int, second: int, up: int) -> HandResult:
        """All deals with the values of these two cards, against up cards with the value of `up`."""
        place = composition_index((value_of(first) - 1, value_of(second) - 1))
        return _hand_result(self.deals, place, value_of(up) - 1)

    def as_data(self) -> BaseGameData:
        return data_of(BaseGameData, self)

    def _repr_html_(self) -> str:
        every = UpCardResult("all", 1.0, self.ev, self.wagered)
        caption = (
            f"{self.rules} ({self.fingerprint}), {self.basis.shoe_text}: house edge "
            f"{100 * self.house_edge:.4f}%, element of risk {100 * self.element_of_risk:.4f}%; "
            f"{self.strategy_class}"
        )
        return html_of(caption, UP_CARD_COLUMNS, (*self.by_up, every))


def hand_name(place: int) -> str:
    """Name of a composition, such as `A-10` or `7-7-7`."""
    counts = lattice().counts[place]
    return "-".join(VALUE_NAMES[value] for value in range(VALUES) for _ in range(counts[value]))


def preferred_actions(preference: int) -> tuple[int, ...]:
    """Unpack a packed preference into actions, best first."""
    found = []
    while preference & NO_ACTION != NO_ACTION:
        found.append(preference & NO_ACTION)
        preference >>= ACTION_BITS
    return tuple(found)


def packed_preference(preferred: tuple[int, ...]) -> int:
    """Pack actions, best first, in the format the kernels read.

    >>> preferred_actions(packed_preference((2, 1)))
    (2, 1)
    """
    packed = NO_ACTION
    for action in reversed(preferred):
        packed = packed << ACTION_BITS | action
    return packed


def _hand_result(deals: Deals, place: int, up: int) -> HandResult:
    figures = deals.figures[up, place]
    chance = float(figures[DEAL_CHANCE])
    found: tuple[ActionValue, ...] = ()
    if not deals.by_card[place]:
        values = [
            ActionValue(actions.ACTION_NAMES[action], float(deals.by_action[up, action, place]))
            for action in range(actions.ACTIONS)
            if int(deals.legal[place]) >> action & 1
        ]
        found = tuple(sorted(values, key=lambda known: -known.ev))
    return HandResult(
        hand=hand_name(place),
        up=VALUE_NAMES[up],
        chance=chance,
        ev=float(figures[DEAL_VALUE]) / chance if chance else 0.0,
        wagered=float(figures[DEAL_MONEY]) / chance if chance else 0.0,
        actions=found,
    )


def read_deals(
    basis: Basis,
    strategy: str,
    split_play: SplitPlay | None,
    base: int | None,
    super_bonus: bool,
    query: SolverQuery,
    deals: Deals,
) -> BaseGameAnalysis:
    """Combine the deals into a result."""
    by_up: list[UpCardResult] = []
    for up in range(VALUES):
        chance, value, wagered, _ = (float(part) for part in deals.figures[up].sum(axis=0))
        if chance:
            name = VALUE_NAMES[up]
            by_up.append(UpCardResult(name, chance, value / chance, wagered / chance))
    totals = deals.figures.sum(axis=(0, 1))
    return BaseGameAnalysis(
        basis=basis,
        strategy=strategy,
        split_play=split_play,
        base=base,
        super_bonus=super_bonus,
        ev=float(totals[DEAL_VALUE]),
        wagered=float(totals[DEAL_MONEY]),
        by_up=tuple(by_up),
        deals=deals,
        query=query,
    )


# --- The whole game ---

CARDS_OF_A_DEAL = 4  # two for the player, up card and down card
OPTIMAL = "composition-dependent"


def analyze(
    rules: Rules | str,
    composition: Composition | None = None,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    super_bonus: bool = False,
) -> BaseGameAnalysis:
    """Analyze best composition-dependent play from a fresh shoe or from this composition.

    `rules` can be a name. With a `base` wager in cents, the table maximum caps a double-double
    (R-055). With `super_bonus`, the values include the wager's own Super Bonus, and so does best
    play. Envy Bonuses are never included.

    >>> round(100 * analyze("wsgc-spanish-21(soft_17=stand)").house_edge, 6)
    0.364516
    """
    rules, split_play = coerce_rules(rules), coerce_split_play(split_play)
    check_flag("super_bonus", super_bonus)
    check_base(base, "the Super Bonus" if super_bonus else "")
    cards = usable_composition(rules, composition, CARDS_OF_A_DEAL)
    query = SolverQuery(compile_rules(rules), cards, split_play, base, super_bonus)
    return read_deals(
        basis=basis_of(rules, cards),
        strategy=OPTIMAL,
        split_play=split_play,
        base=base,
        super_bonus=super_bonus,
        query=query,
        deals=solve_deals(query),
    )


analyse = analyze  # old spelling, kept for one release


def ev_with_super_bonus(
    rules: Rules | str,
    base: int,
    composition: Composition | None = None,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
) -> float:
    """Value per base wager of `base` cents, including its own Super Bonus (R-067 to R-071)."""
    return analyze(rules, composition, split_play, base, super_bonus=True).ev


def evaluate(
    rules: Rules | str,
    strategy: StrategyTables,
    name: str,
    composition: Composition | None = None,
    base: int | None = None,
    super_bonus: bool = False,
) -> BaseGameAnalysis:
    """Value of a fixed strategy, by the same exact method.

    The strategy's suited rows refer to `game_for`, called with the same rules, composition and
    wager.
    """
    rules = coerce_rules(rules)
    check_flag("super_bonus", super_bonus)
    check_base(base, "the Super Bonus" if super_bonus else "")
    cards = usable_composition(rules, composition, CARDS_OF_A_DEAL)
    query = SolverQuery(
        compile_rules(rules), cards, SplitPlay.AS_UNSPLIT, base, super_bonus, strategy
    )
    return read_deals(
        basis=basis_of(rules, cards),
        strategy=name,
        split_play=None,
        base=base,
        super_bonus=super_bonus,
        query=query,
        deals=solve_deals(query),
    )


def game_for(
    rules: Rules | str,
    composition: Composition | None = None,
    base: int | None = None,
    super_bonus: bool = False,
) -> object:
    """The compositions, legal actions and suited hands that strategies refer to."""
    rules = coerce_rules(rules)
    cards = usable_composition(rules, composition, CARDS_OF_A_DEAL)
    return game_tables(compile_rules(rules), cards, base, super_bonus)


# --- One hand ---


class HandFacts(TypedDict):
    rules: str
    fingerprint: str
    hand: Annotated[str, lambda values: cards_text(values.cards)]
    up: Annotated[str, lambda values: card_text(values.up)]
    doublings: int
    unseen: int
    strategy_class: str


class HandData(HandFacts):
    actions: list[ActionValue]


class HandRow(HandFacts):
    """One action for a hand, together with the query."""

    action: str
    ev: float
    cost: float
    why: str
    command: str
    insurance_ev: NotRequired[float]


@dataclass(frozen=True, slots=True)
class HandValues(TabularResult):
    """The value of each legal action of a hand, in base wagers, after the dealer's check."""

    main_table = "actions"
    columns = (
        Column("", None, itemgetter(0), "action"),
        Column("expected result", SIGNED_9, itemgetter(1), "ev"),
        Column("cost", Form(9, zero="0 (best play)"), itemgetter(2), "cost"),
    )

    rules: str
    fingerprint: str
    cards: tuple[int, ...]
    up: int
    doublings: int
    unseen: int  # cards, including the down card
    split_play: SplitPlay
    actions: tuple[ActionValue, ...]  # best first

    @property
    def best(self) -> ActionValue:
        return self.actions[0]

    @property
    def ev(self) -> float:
        """Value of the best action."""
        return self.best.ev

    def __repr__(self) -> str:
        worth = ", ".join(f"{action.action} {action.ev:+.4f}" for action in self.actions)
        hand = f"{cards_text(self.cards)} against {card_text(self.up)}"
        return f"<HandValues of {self.rules}: {hand}: {worth}>"

    def records(self) -> list[tuple[str, float, float]]:
        """Each action with its value, and its cost compared with the best one."""
        return [(action.action, action.ev, self.ev - action.ev) for action in self.actions]

    @property
    def strategy_class(self) -> str:
        return f"composition-dependent; {self.split_play.text}"

    def as_data(self) -> HandData:
        return data_of(HandData, self)

    def _repr_html_(self) -> str:
        caption = (
            f"{cards_text(self.cards)} against {card_text(self.up)}, {self.unseen} unseen cards, "
            f"{self.rules} ({self.fingerprint}); {self.split_play.text}"
        )
        return html_of(caption, self.columns, self.records())


def hand_values(
    rules: Rules | str,
    cards: Sequence[int] | str,
    up: int | str,
    unseen: Composition | None = None,
    doublings: int = 0,
    split: bool = False,
    hands: int | None = None,
    base: int | None = None,
    super_bonus: bool = False,
    double_amount: int | None = None,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
) -> HandValues:
    """Value of each legal action, with best play afterward.

    Rules can be a name and cards a string: `hand_values("wsgc-2021", "5c 6d", "2h")`. `cards` are
    in dealt order: a split hand's first card is the pair card. `unseen` contains every card that
    nobody has seen, including the down card; the default is a fresh shoe without these cards. For a
    split hand, `hands` is the number of hands on its spot, and the value is for that hand only.
    Pass `base`, the wager in cents, to include the table maximum or the Super Bonus.
    `double_amount` is the amount that the first doubling adds, if it is less than the wager
    (R-050).
    """
    rules, split_play = coerce_rules(rules), coerce_split_play(split_play)
    cards = card_codes(cards)
    up = parse_card(up) if isinstance(up, str) else card_codes([up])[0]
    check_count("doublings", doublings)
    check_count("hands", 1 if hands is None else hands)
    check_flag("split", split)
    check_flag("super_bonus", super_bonus)
    check_base(base, "this calculation" if super_bonus or double_amount is not None else "")
    table = compile_rules(rules)
    if unseen is None:
        unseen = without_cards(fresh_composition(rules), (*cards, up))
    shape = _checked_shape(table, cards, up, doublings, split)
    unseen = usable_composition(rules, unseen, 1)
    composition = with_cards(unseen, (*cards, up))
    if not _may_continue(up, unseen):
        raise CardError(
            f"up card {card_text(up)}: every unseen card would give the dealer a blackjack, so no "
            "hand is played (R-035). Check the unseen cards."
        )
    solver = _HandSolver(table, composition, shape, tuple(cards), up, base, super_bonus)
    if double_amount is not None and base is not None:
        solver.double_for_less(base, double_amount)
    number = hands if hands is not None else 2 if split else 1
    if not (2 if split else 1) <= number <= (table.split_hands if split else 1):
        raise _problem(
            "hands",
            str(number),
            "R-042",
            f"a spot has one hand, or 2 to {table.split_hands} after a split at this table",
            "Give the number of hands on the spot.",
        )
    found = solver.answer(number, split_play)
    values = [ActionValue(actions.ACTION_NAMES[action], found[action]) for action in sorted(found)]
    name, mark = names_of(rules)
    return HandValues(
        rules=name,
        fingerprint=mark,
        cards=tuple(cards),
        up=up,
        doublings=doublings,
        unseen=sum(unseen),
        split_play=split_play,
        actions=tuple(sorted(values, key=lambda value: -value.ev)),
    )


def _problem(name: str, value: str, rule: str, message: str, fix: str) -> RulesError:
    return RulesError([Problem(name, value, rule, message, fix)])


def _checked_shape(
    table: RuleTable, cards: Sequence[int], up: int, doublings: int, split: bool
) -> Hand:
    """Build the hand; reject an impossible one."""
    shape = EMPTY_HAND
    for card in cards:
        shape = add_card(shape, card)
    if len(cards) < 2:
        raise _problem(
            "cards", cards_text(cards), "R-026", "a hand has at least two cards", "Give them all."
        )
    if is_bust(shape):
        raise _problem(
            "cards", cards_text(cards), "R-013", "the hand is over 21 and has lost", "Check it."
        )
    if not 0 <= doublings <= min(table.doublings_at_most, len(cards) - 2):
        raise _problem(
            "doublings",
            str(doublings),
            "R-053",
            f"at this table, a hand of {len(cards)} cards can't have been doubled more than "
            f"{min(table.doublings_at_most, len(cards) - 2)} times",
            "Each double draws one card.",
        )
    split_ace = split and rank_of(cards[0]) == ACE
    return shape._replace(doublings=doublings, split=int(split), split_ace=int(split_ace))


def _may_continue(up: int, unseen: Composition) -> bool:
    return any(count and not is_dealer_blackjack(up, card) for card, count in enumerate(unseen))


class _HandSolver:
    """One hand against one up card; the kernels evaluate only hands that can develop from it."""

    def __init__(
        self,
        table: RuleTable,
        composition: Composition,
        shape: Hand,
        cards: tuple[int, ...],
        up: int,
        base: int | None,
        super_bonus: bool,
    ) -> None:
        self.table = table
        self.shape = shape
        self.cards = cards
        self.up = up
        self.up_value = value_of(up) - 1
        self.place = composition_index(value_of(card) - 1 for card in cards)
        self.kind = UNSPLIT if not shape.split else SPLIT_HAND
        if shape.split_ace:
            self.kind = SPLIT_ACE_HAND
        self.game = game_tables(table, composition, base, super_bonus)
        self.game["ups"] = 1
        self.game["up_card"][0] = up
        self.game["up_value"][0] = self.up_value
        self.game["up_count"][0] = composition[up]
        self.tree: DealerTree = dealer_tree(table, self.up_value)
        self.ups: Ints = np.array([self.up_value], dtype=np.int64)
        self.unseen = sum(composition) - len(cards) - 1

    def double_for_less(self, base: int, amount: int) -> None:
        """Make the first doubling add `amount` cents instead of the wager (R-050, R-058)."""
        if not self.table.double_for_less or not 0 < amount <= base:
            raise _problem(
                "double",
                money_text(amount),
                "R-050",
                "a double for less, if offered, adds at most the base wager",
                "Omit it for a full double.",
            )
        self.game["wager"][1] = self.game["bust_loss"][1] = (base + amount) / base
        self.game["rescue_loss"][1] = rescue_loss(base + amount, amount) / base

    def answer(self, hands: int, split_play: SplitPlay) -> dict[int, float]:
        """Value of each legal action."""
        legal = [
            action
            for action in range(actions.ACTIONS)
            if actions.refusal(self.table, action, self.shape, hands) == LEGAL
        ]
        if hand_may_run_out(
            self.table, self.game, self.up, self.kind, self.shape.doublings, self.place
        ):
            raise EmptyShoe(self.unseen)
        found = self._without_splitting()
        values = {action: float(found[action]) for action in legal if action != actions.SPLIT}
        if actions.SPLIT in legal:
            values[actions.SPLIT] = self._splitting(hands, split_play)
        return values or {actions.STAND: float(found[actions.STAND])}

    def _plays_against_up(self, kind: int, places: Ints) -> Plays:
        plays = workspace.records.plays
        chances = dealer_chances(self.tree, self.game["shoe"], places)
        play_against(self.game, kind, self.ups, places, chances, True, plays, workspace.scratch)
        return plays

    def _without_splitting(self) -> Floats:
        game, scratch = self.game, workspace.scratch
        counts = lattice().counts
        places = np.flatnonzero((counts >= counts[self.place]).all(axis=1))
        plays = self._plays_against_up(self.kind, places)
        if len(self.cards) == 2 and game["suited"][self.place]:
            suited = workspace.records.suited
            value_suited_hands(game, self.kind, True, plays, suited, scratch)
            row = game["pair_row"][min(self.cards), max(self.cards)]
            by_suits: Floats = suited["values"][row, 0].copy()
            return by_suits
        value_hand(
            game,
            self.kind,
            self.place,
            self.shape.doublings,
            self.up_value,
            plays,
            scratch,
        )
        found: Floats = scratch["found"][0].copy()
        if not self.shape.doublings:
            mask = 0
            for card in self.cards:
                mask |= suit_bit_of(card)
            found[actions.STAND] = stand_by_suits(
                game, self.kind, self.place, mask, self.up, found[actions.STAND]
            )
        return found

    def _splitting(self, hands: int, split_play: SplitPlay) -> float:
        """Value of splitting this hand; the spot's other hands still draw their own cards."""
        game = self.game
        pair = value_of(self.cards[0]) - 1
        start, end = game["with_start"][pair], game["with_start"][pair + 1]
        places = game["with_value"][start:end]
        self._plays_against_up(UNSPLIT, places)
        records = workspace.records
        value_suited_hands(game, UNSPLIT, True, records.plays, records.suited, workspace.scratch)
        game["hands_at_most"][pair] -= hands - 1
        pairs = np.array([pair], dtype=np.int64)
        solve_splits(self.table, game, self.ups, pairs, split_play, records)
        if split_may_run_out(self.table, game, self.up, pair, split_hands_of(game)):
            raise EmptyShoe(self.unseen)
        if game["by_card"][self.place]:
            row = game["pair_row"][min(self.cards), max(self.cards)]
            return float(records.suited["values"][row, 0, actions.SPLIT])
        return float(records.splits["values"][pair, self.up_value])


# --- Explanation ---

CLOSE = 0.0005  # in base wagers; smaller differences hardly matter
LOWEST_STANDING = 17
_DRAWING = {ACTION_NAMES[action] for action in (HIT, DOUBLE, DOUBLE_DOUBLE)}


def explain_hand(rules: Rules, values: HandValues, unseen: Composition) -> str:
    """Explain the best action and the runner-up in one or two sentences."""
    if len(values.actions) == 1:
        return f"The hand can only {values.best.action}."
    parts = [_ranking(values)]
    if _DRAWING & {action.action for action in values.actions}:
        parts.append(_next_card_clause(rules, values, unseen))
        parts += _instant_win_clause(rules, values, unseen)
    return " ".join(parts + _dealer_clause(values))


def _ranking(values: HandValues) -> str:
    best, second = values.actions[:2]
    lead = best.ev - second.ev
    if lead < CLOSE:
        return (
            f"{_doing(best.action).capitalize()} and {_doing(second.action)} are almost equal "
            f"({per_dollar(lead, 4)} per $1 apart)."
        )
    share = shares_of(action.ev for action in values.actions)
    what = "wins the most" if best.ev > 0 else "loses the least"
    base = " of the base wager" if abs(best.ev) > 1 else ""  # a doubled hand loses more than that
    return (
        f"{_doing(best.action).capitalize()} {what}, {share(best.ev)} per $1{base} on average. "
        f"{_doing(second.action).capitalize()} is {share(lead)} worse."
    )


_DOING = {"hit": "hitting", "split": "splitting", "double": "doubling", "rescue": "rescuing"}


def _doing(action: str) -> str:
    """
    >>> _doing("hit"), _doing("stand"), _doing("double-double")
    ('hitting', 'standing', 'double-doubling')
    """
    if action == "double-double":
        return "double-doubling"
    return _DOING.get(action) or f"{action}ing"


def per_dollar(share: float, places: int = 1) -> str:
    """Format a share of a wager the way the coach does: 16.2¢ of every dollar, or $1.25."""
    cents = 100 * abs(share)
    return f"{cents:.{places}f}¢" if round(cents, places) < 100 else f"${cents / 100:.2f}"


def shares_of(values: Iterable[float]) -> Callable[[float], str]:
    """Format the shares of one comparison in one unit: if any is a dollar or more, all in dollars.

    >>> shares_of([0.1112, -1.2])(0.1112), shares_of([0.1112, -0.2])(0.1112)
    ('$0.11', '11.1¢')
    """
    found = list(values)
    if max(*map(abs, found), max(found) - min(found)) < 0.9995:
        return per_dollar
    return lambda share: per_dollar(share) if abs(share) < 0.005 else f"${abs(share):.2f}"


def _next_card_clause(rules: Rules, values: HandValues, unseen: Composition) -> str:
    hand = hand_of(values.cards)
    table = compile_rules(rules)
    drawn = [
        (add_card(hand, card), chance)
        for card, chance in next_card_chances(values.up, unseen).items()
    ]
    bust = sum(chance for grown, chance in drawn if is_bust(grown))
    reach = sum(chance for grown, chance in drawn if _total(grown) == 21)
    bonus = sum(chance for grown, chance in drawn if pays_bonus(table, grown))
    making = "making 21"
    if bonus and not values.doublings:
        making = "making a 21 that pays more than even money"
        if bonus < reach:
            making = f"making 21 ({_percent(bonus)} for one that pays more than even money)"
    chances = [
        f"{_percent_with_article(chance)} chance of {what}"
        for chance, what in ((reach, making), (bust, "busting the hand"))
        if chance
    ]
    cannot = [verb for chance, verb in ((reach, "make 21"), (bust, "bust the hand")) if not chance]
    clauses = [f"has {join_words(chances)}"] if chances else []
    clauses += [f"can't {join_words(cannot, 'or')}"] if cannot else []
    return f"The next card {(', and ' if len(chances) > 1 else ' and ').join(clauses)}."


def _instant_win_clause(rules: Rules, values: HandValues, unseen: Composition) -> list[str]:
    """Hands below 21 that win at once, such as six cards in Super Fun 21 (R-111)."""
    if values.doublings:
        return []
    table, hand, chances = compile_rules(rules), hand_of(values.cards), dict[str, Fraction]()
    for card, chance in next_card_chances(values.up, unseen).items():
        grown = add_card(hand, card)
        row = winning_row(table, grown)
        if row >= 0 and _total(grown) < 21:
            name = winning_rows(rules)[row][0].name
            chances[name] = chances.get(name, Fraction(0)) + chance
    return [
        f"{_percent(chance)} of the next cards make {name} and win at once."
        for name, chance in chances.items()
    ]


def _percent_with_article(share: Fraction | float) -> str:
    """A chance with its article: `an 8.4%`, `a 25.3%`."""
    shown = _percent(share)
    return f"{'an' if shown.startswith(('8', '11.', '18.')) else 'a'} {shown}"


def _percent(share: Fraction | float) -> str:
    return percent_text(Fraction(share), 1)


def next_card_chances(up: int, unseen: Composition) -> dict[int, Fraction]:
    """Chance of each next card, given that the dealer checked and has no blackjack."""
    cards = sum(unseen)
    makes_blackjack = [
        dealer_checks(up) and is_dealer_blackjack(up, card) for card in range(len(unseen))
    ]
    possible = sum(count for card, count in enumerate(unseen) if not makes_blackjack[card])
    found = {}
    for card, count in enumerate(unseen):
        if count:
            share = Fraction(1) if makes_blackjack[card] else Fraction(possible - 1, possible)
            found[card] = Fraction(count, cards - 1) * share
    return found


def _dealer_clause(values: HandValues) -> list[str]:
    standing = {action.action: action.ev for action in values.actions}.get(ACTION_NAMES[STAND])
    if standing is None or values.doublings or _total(hand_of(values.cards)) >= LOWEST_STANDING:
        return []
    # Below 17, a standing hand wins if and only if the dealer busts.
    return [f"The dealer busts {_percent((1 + standing) / 2)} of the time."]


def hand_of(cards: Iterable[int]) -> Hand:
    hand = EMPTY_HAND
    for card in cards:
        hand = add_card(hand, card)
    return hand


def _total(hand: Hand) -> int:
    return best_total(hand.hard, hand.aces)


def pays_bonus(rules: RuleTable, hand: Hand) -> bool:
    """Whether the hand is paid more than even money immediately, by its own pay row."""
    row = winning_row(rules, hand)
    return row >= 0 and rules.bonus_num[row] > rules.bonus_den[row]
