"""The exact value of the base game, and of every action of every hand.

    >>> from ventiuna.rules import load_rules
    >>> analysis = analyse(load_rules("blackjack(soft_17=stand,split_hands=2)"))
    >>> f"{analysis.ev:.11f}"
    '-0.00456886297'

Values are in base wagers. Nothing is sampled: cards leave the shoe as they are dealt, and the
play of split hands is stated (`SplitPlay`).
"""

from __future__ import annotations

from ventiuna.analysis.base_game.result import BaseGameAnalysis, read_deals
from ventiuna.analysis.base_game.solve import Question, StrategyTables, solve_deals
from ventiuna.analysis.base_game.split_play import SplitPlay, given_split_play
from ventiuna.analysis.base_game.tables import game_tables
from ventiuna.analysis.composition import Composition, basis_of, usable_composition
from ventiuna.analysis.given import check_base, check_switch, given_rules
from ventiuna.rules import Rules, compile_rules

CARDS_OF_A_DEAL = 4  # two for the player, up card and down card
OPTIMAL = "composition-dependent"


def analyse(
    rules: Rules | str,
    composition: Composition | None = None,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
    base: int | None = None,
    super_bonus: bool = False,
) -> BaseGameAnalysis:
    """Best composition-dependent play from a fresh shoe or from this composition.

    The rules may be given by name.

    A `base` wager in cents lets the table maximum cap a double-double (R-055). With
    `super_bonus` the wager's own Super Bonus is in the values and in the play; an Envy Bonus
    never is.

    >>> round(100 * analyse("wsgc-spanish-21(soft_17=stand)").house_edge, 6)
    0.364516
    """
    rules, split_play = given_rules(rules), given_split_play(split_play)
    check_switch("super_bonus", super_bonus)
    check_base(base, "the Super Bonus" if super_bonus else "")
    cards = usable_composition(rules, composition, CARDS_OF_A_DEAL)
    question = Question(compile_rules(rules), cards, split_play, base, super_bonus)
    return read_deals(
        basis=basis_of(rules, cards),
        strategy=OPTIMAL,
        split_play=split_play,
        base=base,
        super_bonus=super_bonus,
        question=question,
        deals=solve_deals(question),
    )


def ev_with_super_bonus(
    rules: Rules | str,
    base: int,
    composition: Composition | None = None,
    split_play: SplitPlay = SplitPlay.AS_UNSPLIT,
) -> float:
    """Value per base wager of this many cents, its own Super Bonus included (R-067 to R-071)."""
    return analyse(rules, composition, split_play, base, super_bonus=True).ev


def evaluate(
    rules: Rules | str,
    strategy: StrategyTables,
    name: str,
    composition: Composition | None = None,
    base: int | None = None,
    super_bonus: bool = False,
) -> BaseGameAnalysis:
    """What a fixed strategy comes to, by the same exact method.

    The strategy's suited rows are those of `game_for`, which has to be called with the same
    rules, composition and wager.
    """
    rules = given_rules(rules)
    check_switch("super_bonus", super_bonus)
    check_base(base, "the Super Bonus" if super_bonus else "")
    cards = usable_composition(rules, composition, CARDS_OF_A_DEAL)
    question = Question(
        compile_rules(rules), cards, SplitPlay.AS_UNSPLIT, base, super_bonus, strategy
    )
    return read_deals(
        basis=basis_of(rules, cards),
        strategy=name,
        split_play=None,
        base=base,
        super_bonus=super_bonus,
        question=question,
        deals=solve_deals(question),
    )


def game_for(
    rules: Rules | str,
    composition: Composition | None = None,
    base: int | None = None,
    super_bonus: bool = False,
) -> object:
    """The record of compositions, legal actions and suited hands that strategies refer to."""
    rules = given_rules(rules)
    cards = usable_composition(rules, composition, CARDS_OF_A_DEAL)
    return game_tables(compile_rules(rules), cards, base, super_bonus)
