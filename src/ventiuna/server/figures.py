"""Exact figures beside tables and meters: worked out once, in the background, for everybody.

Nobody waits for them: a figure that is not known yet is asked for, and there when somebody looks
again. Only rules of tables and offers of the house are asked about, so strangers can't spend the
house's time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from ventiuna.analysis.questions.edge import EdgeQuestion, edge_data
from ventiuna.analysis.questions.jackpot import JackpotQuestion, jackpot_data
from ventiuna.errors import VentiunaError
from ventiuna.server.studies import Studies

MOST = 500  # rules whose figures are kept


@dataclass(frozen=True, slots=True)
class JackpotFigures:
    """Of $1 of wager: what comes back whatever the meter shows, and for each cent it shows."""

    fixed: float
    per_cent_shown: float
    break_even: int | None  # cents

    def per_dollar(self, shown: int) -> float:
        """What $1 earns (or costs, below 0) at this meter."""
        return self.fixed + self.per_cent_shown * shown - 1


class Figures:
    def __init__(self, studies: Studies) -> None:
        self._studies = studies
        self._edges: dict[str, float] = {}
        self._jackpots: dict[tuple[str, int], JackpotFigures] = {}
        self._asked: dict[object, asyncio.Task[None]] = {}

    def edge(self, rules: str) -> float | None:
        """The house edge of rules by their canonical name; None while it is not known."""
        if rules not in self._edges:
            self._ask(rules, self._find_edge(rules))
        return self._edges.get(rules)

    def jackpot(self, rules: str, game: int) -> JackpotFigures | None:
        key = (rules, game)
        if key not in self._jackpots:
            self._ask(key, self._find_jackpot(rules, game))
        return self._jackpots.get(key)

    def _ask(self, key: object, work: Coroutine[object, object, None]) -> None:
        if key in self._asked or len(self._edges) + len(self._jackpots) >= MOST:
            work.close()
            return
        task = asyncio.create_task(work)
        self._asked[key] = task
        task.add_done_callback(lambda _: self._asked.pop(key, None))

    async def _find_edge(self, rules: str) -> None:
        found = await self._study(edge_data, EdgeQuestion(rules))
        if found is not None:
            self._edges[rules] = float(found["house_edge"])

    async def _find_jackpot(self, rules: str, game: int) -> None:
        found = await self._study(jackpot_data, JackpotQuestion(rules, game))
        if found is None:
            return
        wager = int(found["wager_cents"])
        even = found["break_even_meter_cents"]
        self._jackpots[rules, game] = JackpotFigures(
            fixed=found["fixed_return"]["value"] + found["prize_return"]["value"],
            per_cent_shown=found["expected_share_of_meter"]["value"] / wager,
            break_even=even,
        )

    async def _study(self, study: Any, question: Any) -> dict[str, Any] | None:
        """None where the analysis is busy, or can't answer for these rules: asked again later."""
        try:
            found = await self._studies.ask(study, question)
        except VentiunaError:
            return None
        return found if isinstance(found, dict) else None
