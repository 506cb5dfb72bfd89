"""The base game with whatever else was asked for, as one result."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ventiuna.analysis.base_game.result import BaseGameAnalysis
from ventiuna.analysis.questions.edge import EdgeQuestion, EdgeStudy, Line
from ventiuna.records import brief_repr


@dataclass(frozen=True, slots=True)
class EdgeAnalysis(BaseGameAnalysis):
    """The base game, and what was asked for besides; what was not asked for is None."""

    sd: float | None = None  # of a round
    ev_with_super_bonus: float | None = None  # of the base wager that was given
    vary: tuple[Line, ...] | None = None  # one option changed at a time
    grid: tuple[Line, ...] | None = None  # what the document approves
    effects: tuple[Line, ...] | None = None  # one card per deck taken out

    __repr__ = brief_repr

    def as_data(self) -> dict[str, object]:
        data = BaseGameAnalysis.as_data(self)
        for name in ("sd", "ev_with_super_bonus"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        for name in ("vary", "grid", "effects"):
            if (lines := getattr(self, name)) is not None:
                data[name] = [line.as_data() for line in lines]
        return data


def edge_analysis(
    study: EdgeStudy, found: BaseGameAnalysis, question: EdgeQuestion
) -> EdgeAnalysis:
    """What the study found, with the comparisons that the question asks for."""
    lines = {name: tuple(each) for name, each in study.comparisons(question).items()}
    return EdgeAnalysis(
        **{part.name: getattr(found, part.name) for part in fields(BaseGameAnalysis)},
        sd=study.sd,
        ev_with_super_bonus=study.super_bonus_ev,
        vary=lines.get("vary"),
        grid=lines.get("grid"),
        effects=lines.get("effects"),
    )
