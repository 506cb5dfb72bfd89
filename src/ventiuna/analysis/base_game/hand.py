"""One decision: the value of every action of one hand against any shoe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ventiuna.analysis.base_game.result import ActionValue
from ventiuna.analysis.base_game.running_out import hand_may_run_out, split_may_run_out
from ventiuna.analysis.base_game.solve import (
    dealer_chances,
    solve_splits,
    split_hands_of,
    workspace,
)
from ventiuna.analysis.base_game.split_play import SplitPlay, given_split_play
from ventiuna.analysis.base_game.tables import game_tables
from ventiuna.analysis.composition import (
    Composition,
    fresh_composition,
    names_of,
    usable_composition,
    with_cards,
    without_cards,
)
from ventiuna.analysis.empty_shoe import EmptyShoe
from ventiuna.analysis.frames import Framed, Row
from ventiuna.analysis.given import (
    card_codes,
    check_base,
    check_count,
    check_switch,
    given_rules,
)
from ventiuna.analysis.notebook import html_table
from ventiuna.cards import CardError, card_text, cards_text, parse_card
from ventiuna.core import actions
from ventiuna.core.cards import ACE, rank_of, suit_bit_of, value_of
from ventiuna.core.dealer import is_dealer_blackjack
from ventiuna.core.hand import EMPTY_HAND, Hand, add_card, is_bust
from ventiuna.core.payouts import rescue_loss
from ventiuna.core.refusals import LEGAL
from ventiuna.core.table import RuleTable
from ventiuna.kernels.exact.dealer import DealerTree, dealer_tree
from ventiuna.kernels.exact.game import play_against, value_hand
from ventiuna.kernels.exact.lattice import Floats, Ints, composition_index, lattice
from ventiuna.kernels.exact.records import SPLIT_ACE_HAND, SPLIT_HAND, UNSPLIT, Plays
from ventiuna.kernels.exact.suits import stand_by_suits, value_suited_hands
from ventiuna.money import money_text
from ventiuna.rules import Problem, Rules, RulesError, compile_rules


@dataclass(frozen=True, slots=True)
class HandValues(Framed):
    """What each legal action of a hand is worth, in base wagers, after the dealer's check."""

    main_table = "actions"

    rules: str
    fingerprint: str
    cards: tuple[int, ...]
    up: int
    doublings: int
    unseen: int  # cards, the down card among them
    split_play: SplitPlay
    actions: tuple[ActionValue, ...]  # best first

    @property
    def best(self) -> ActionValue:
        return self.actions[0]

    @property
    def ev(self) -> float:
        """Of the best action."""
        return self.best.ev

    def __repr__(self) -> str:
        worth = ", ".join(f"{found.action} {found.ev:+.4f}" for found in self.actions)
        held = f"{cards_text(self.cards)} against {card_text(self.up)}"
        return f"<HandValues of {self.rules}: {held}: {worth}>"

    def rows(self) -> list[Row]:
        return [
            {"action": found.action, "ev": found.ev, "cost": self.ev - found.ev}
            for found in self.actions
        ]

    def as_data(self) -> dict[str, object]:
        return {
            "rules": self.rules,
            "fingerprint": self.fingerprint,
            "hand": cards_text(self.cards),
            "up": card_text(self.up),
            "doublings": self.doublings,
            "unseen": self.unseen,
            "strategy_class": f"composition-dependent; {self.split_play.text}",
            "actions": [action.as_data() for action in self.actions],
        }

    def _repr_html_(self) -> str:
        caption = (
            f"{cards_text(self.cards)} against {card_text(self.up)}, {self.unseen} unseen cards, "
            f"{self.rules} ({self.fingerprint}); {self.split_play.text}"
        )
        rows = [
            (action.action, f"{action.ev:+.9f}", f"{self.best.ev - action.ev:.9f}")
            for action in self.actions
        ]
        return html_table(caption, ("action", "ev", "costs"), rows)


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
    """Value of each legal action, best play after it.

    Rules may be given by name and cards as text: `hand_values("wsgc-2021", "5c 6d", "2h")`.
    `cards` in the order they came: a split hand's first is the pair card. `unseen` is all that
    nobody has seen, the down card among it; by default a fresh shoe without these cards. A split
    hand is one of its spot's `hands`, and its value is its own. `base` is the wager in cents
    where the table maximum or the Super Bonus is to count, and `double_amount` what the first
    doubling adds where that is less than the wager (R-050).
    """
    rules, split_play = given_rules(rules), given_split_play(split_play)
    cards = card_codes(cards)
    up = parse_card(up) if isinstance(up, str) else card_codes([up])[0]
    check_count("doublings", doublings)
    check_count("hands", 1 if hands is None else hands)
    check_switch("split", split)
    check_switch("super_bonus", super_bonus)
    check_base(base, "an amount" if super_bonus or double_amount is not None else "")
    table = compile_rules(rules)
    if unseen is None:
        unseen = without_cards(fresh_composition(rules), (*cards, up))
    shape = _checked_shape(table, cards, up, doublings, split)
    unseen = usable_composition(rules, unseen, 1)
    composition = with_cards(unseen, (*cards, up))
    if not _may_go_on(up, unseen):
        raise CardError(
            f"up card {card_text(up)}: every unseen card would give the dealer a blackjack, so no "
            "hand is played (R-035). Check the unseen cards."
        )
    question = _Question(table, composition, shape, tuple(cards), up, base, super_bonus)
    if double_amount is not None and base is not None:
        question.double_for_less(base, double_amount)
    number = hands if hands is not None else 2 if split else 1
    if not (2 if split else 1) <= number <= (table.split_hands if split else 1):
        raise _problem(
            "hands",
            str(number),
            "R-042",
            f"an unsplit hand is one, a split one is of 2 to {table.split_hands} at this table",
            "Name the hands of the spot.",
        )
    found = question.answer(number, split_play)
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
    """The hand, if there can be such a one."""
    shape = EMPTY_HAND
    for card in cards:
        shape = add_card(shape, card)
    if len(cards) < 2:
        raise _problem(
            "cards", cards_text(cards), "R-026", "a hand has two or more cards", "Name them."
        )
    if is_bust(shape):
        raise _problem(
            "cards", cards_text(cards), "R-013", "the hand has passed 21 and is lost", "Check it."
        )
    if not 0 <= doublings <= min(table.doublings_at_most, len(cards) - 2):
        raise _problem(
            "doublings",
            str(doublings),
            "R-053",
            f"a hand of {len(cards)} cards was doubled 0 to "
            f"{min(table.doublings_at_most, len(cards) - 2)} times at this table",
            "Each doubling brings one card.",
        )
    split_ace = split and rank_of(cards[0]) == ACE
    return shape._replace(doublings=doublings, split=int(split), split_ace=int(split_ace))


def _may_go_on(up: int, unseen: Composition) -> bool:
    return any(count and not is_dealer_blackjack(up, card) for card, count in enumerate(unseen))


class _Question:
    """One hand against one up card: the kernels, kept to what it can meet."""

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
        """The first doubling adds this many cents instead of the wager (R-050, R-058)."""
        if not self.table.double_for_less or not 0 < amount <= base:
            raise _problem(
                "double",
                money_text(amount),
                "R-050",
                "doubling for less adds up to the wager, where it is offered",
                "Leave it out for a full double.",
            )
        self.game["wager"][1] = self.game["bust_loss"][1] = (base + amount) / base
        self.game["rescue_loss"][1] = rescue_loss(base + amount, amount) / base

    def answer(self, hands: int, split_play: SplitPlay) -> dict[int, float]:
        """Value by legal action."""
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

    def _played(self, kind: int, places: Ints) -> Plays:
        plays = workspace.records.plays
        chances = dealer_chances(self.tree, self.game["shoe"], places)
        play_against(self.game, kind, self.ups, places, chances, True, plays, workspace.scratch)
        return plays

    def _without_splitting(self) -> Floats:
        game, scratch = self.game, workspace.scratch
        counts = lattice().counts
        places = np.flatnonzero((counts >= counts[self.place]).all(axis=1))
        plays = self._played(self.kind, places)
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
        """This hand's share alone: the spot's other hands keep the right to their own cards."""
        game = self.game
        pair = value_of(self.cards[0]) - 1
        start, end = game["with_start"][pair], game["with_start"][pair + 1]
        places = game["with_value"][start:end]
        self._played(UNSPLIT, places)
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
