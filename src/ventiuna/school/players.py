"""Who sits at a training table: scripts where there are any, else steady with a whim at times."""

from __future__ import annotations

import random

from ventiuna.core import actions
from ventiuna.core.payouts import most_insurance_in_chips
from ventiuna.engine.commands import (
    Command,
    Double,
    Insure,
    KeepBlackjack,
    TakeBlackjack,
)
from ventiuna.engine.options import ACTION_COMMANDS, legal_actions
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.strategy.players import RandomPlayer, steady_player

INSURES = 0.3  # of the spots that are asked
KEEP, INSURE, NO_INSURANCE, HALF = "keep", "insure", "no insurance", "double:half"
_ACTIONS = {name: code for code, name in enumerate(actions.ACTION_NAMES)}


class TrainingPlayers:
    """Answers for all spots. `acts` are the scripts' actions by spot, in the order they are wanted.

    What a script wants and the rules refuse is left out; the spot goes on as the others do.
    """

    def __init__(
        self,
        chance: random.Random,
        acts: dict[int, list[str]],
        whims: float,
        allowed: frozenset[int],
    ) -> None:
        self._chance = chance
        self._acts = acts
        self._whims = whims
        self._allowed = allowed  # codes of the actions that a level has
        self._random = RandomPlayer(chance)

    def __call__(self, state: RoundState, wanted: Waiting) -> Command:
        if isinstance(wanted, BlackjackAnswersWanted):
            return self._blackjack(wanted.spots[0])
        if isinstance(wanted, InsuranceAnswersWanted):
            return self._insurance(state, wanted.spots[0])
        assert isinstance(wanted, DecisionWanted)
        return self._decision(state, wanted)

    def _next_act(self, spot: int, *possible: str) -> str | None:
        acts = self._acts.get(spot)
        return acts.pop(0) if acts and acts[0] in possible else None

    def _blackjack(self, spot: int) -> Command:
        return KeepBlackjack(spot) if self._next_act(spot, KEEP) else TakeBlackjack(spot)

    def _insurance(self, state: RoundState, spot: int) -> Command:
        act = self._next_act(spot, INSURE, NO_INSURANCE)
        by_chance = spot not in self._acts and self._chance.random() < INSURES
        if act != INSURE and not by_chance:
            return Insure(spot, 0)
        unit = state.rules.small_chip_unit
        return Insure(spot, most_insurance_in_chips(state.spots[spot].base, unit))

    def _decision(self, state: RoundState, wanted: DecisionWanted) -> Command:
        legal = set(legal_actions(state))
        scripted = self._scripted(state, wanted, legal)
        if scripted is not None:
            return scripted
        if wanted.spot not in self._acts and self._chance.random() < self._whims:
            usual = self._random(state, wanted)
        else:
            usual = steady_player(state, wanted)
        code = next(code for code, kind in ACTION_COMMANDS.items() if isinstance(usual, kind))
        if code in self._allowed:
            return usual
        hits = actions.HIT in legal and state.spots[wanted.spot].hands[wanted.hand].total < 17
        return ACTION_COMMANDS[actions.HIT if hits else actions.STAND](wanted.spot)

    def _scripted(
        self, state: RoundState, wanted: DecisionWanted, legal: set[int]
    ) -> Command | None:
        acts = self._acts.get(wanted.spot)
        if not acts:
            return None
        act = acts.pop(0)
        if act == HALF and state.table.double_for_less:
            unit = state.rules.small_chip_unit
            wager = state.spots[wanted.spot].hands[wanted.hand].wager
            return Double(wanted.spot, max(unit, wager // 2 // unit * unit))
        code = _ACTIONS.get(act.partition(":")[0], -1)
        return ACTION_COMMANDS[code](wanted.spot) if code in legal else None
