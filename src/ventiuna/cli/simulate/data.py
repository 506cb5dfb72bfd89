"""A simulation's result as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ventiuna.cli.simulate.outputs import Shown

if TYPE_CHECKING:
    from ventiuna.simulation.result import Result


def result_data(result: Result, shown: Shown) -> dict[str, Any]:
    """All that was asked for; what is not known is null."""
    from ventiuna.simulation.result_data import finite_data

    data = result.as_data()
    if not shown.details:  # thousands of lines
        del data["starts"], data["decisions"]
    if shown.fall:
        data["ruin"] = _ruin_data(result, shown.fall)
    if shown.regret:
        data["regret"] = _regret_data(result)
    return finite_data(data)


def _ruin_data(result: Result, wagers: int) -> dict[str, Any]:
    estimate = result.ruin(wagers)
    return {
        "bankroll_wagers": wagers,
        "probability": estimate.value,
        "standard_error": estimate.standard_error,
    }


def _regret_data(result: Result) -> list[dict[str, Any]]:
    from ventiuna.proof.regret import regret_lines

    return [
        {
            "hand": line.hand,
            "state": line.state,
            "up": line.up,
            "action": line.action,
            "best": line.best,
            "visits": line.visits,
            "loss": line.loss,
            "cost": line.cost.value,
            "standard_error": line.cost.standard_error,
        }
        for line in regret_lines(result)
    ]
