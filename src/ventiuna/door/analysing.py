"""`vt.analyse`: the base game with all that the command `edge` can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ventiuna.analysis.given import (
    Cards,
    check_base,
    check_switch,
    given_cards,
    given_rules,
    given_text,
)
from ventiuna.door.entries import entry
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.split_play import SplitPlay
    from ventiuna.analysis.composition import Composition
    from ventiuna.analysis.questions.edge_analysis import EdgeAnalysis


@entry
def analyse(
    rules: Rules | str,
    composition: Composition | None = None,
    split_play: SplitPlay | None = None,
    base: int | None = None,
    super_bonus: bool = False,
    *,
    reoptimise: bool = False,
    shoe: str = "",
    without: Cards = (),
    sd: bool = False,
    vary: bool = False,
    grid: bool = False,
    effects: bool = False,
) -> EdgeAnalysis:
    """Best composition-dependent play from a fresh shoe, exactly, as `ventiuna edge` has it.

    `base` is a wager in cents: it lets the table maximum cap a double-double, and
    `ev_with_super_bonus` is the value with its Super Bonus (with `super_bonus` that is `ev` and the
    play as well). `shoe` names the cards that are left ("7s:3 K:12"), `without` those that are
    gone; a `composition` may hold any number of each card, more than the decks have, too.
    `reoptimise` plays split hands anew. `sd`, `vary`, `grid` and `effects` add the standard
    deviation, one option changed at a time, all approved combinations and effects of removal.

    >>> import ventiuna as vt
    >>> round(100 * vt.analyse("wsgc-spanish-21(soft_17=stand)").house_edge, 6)
    0.364516
    >>> poorer = vt.analyse("super-fun-21", without="Ac Ad", sd=True)
    >>> poorer.ev < vt.analyse("super-fun-21").ev, 1 < poorer.sd < 2
    (True, True)
    """
    from ventiuna.analysis.base_game.analyser import analyse as analyse_base_game
    from ventiuna.analysis.base_game.split_play import SplitPlay
    from ventiuna.analysis.questions.edge import EdgeQuestion, EdgeStudy, ReadEdgeQuestion
    from ventiuna.analysis.questions.edge_analysis import edge_analysis
    from ventiuna.analysis.questions.shoes import shoe_of
    from ventiuna.strategy.errors import plan_problem

    house = given_rules(rules)
    switches = {
        "super_bonus": super_bonus,
        "reoptimise": reoptimise,
        "sd": sd,
        "vary": vary,
        "grid": grid,
        "effects": effects,
    }
    for name, switch in switches.items():
        check_switch(name, switch)
    check_base(base, "the Super Bonus" if super_bonus else "")
    gone = given_cards(without)
    if split_play is not None and split_play not in list(SplitPlay):
        raise plan_problem(
            "split_play", split_play, "no such play of split hands", f"Use {', '.join(SplitPlay)}."
        )
    if composition is not None and (given_text("shoe", shoe) or gone):
        raise plan_problem(
            "composition", "given", "it says by itself which cards are left",
            "Leave out shoe and without.",
        )  # fmt: skip
    question = EdgeQuestion(
        "", shoe=shoe, without="gone" if gone else "", vary=vary, grid=grid, effects=effects
    )
    question.refuse_comparisons()
    cards = composition or shoe_of(house, gone, given_text("shoe", shoe))
    reoptimised = reoptimise or split_play == SplitPlay.REOPTIMISED
    study = EdgeStudy(ReadEdgeQuestion(house, cards, base, reoptimised), sd)
    found = study.found
    if super_bonus:
        found = analyse_base_game(house, cards, study.split_play, base, super_bonus)
    return edge_analysis(study, found, question)
