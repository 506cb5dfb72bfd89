"""A simulation's figures as plain data."""

from __future__ import annotations

from typing import Any, cast

from ventiuna.kernels.simulate import layout as at
from ventiuna.simulation.events import EventLine
from ventiuna.simulation.figures import Figures
from ventiuna.simulation.lines import MeterLine, StartLine, WagerLine
from ventiuna.simulation.work import describe
from ventiuna.texts import finite

Data = dict[str, Any]  # what JSON can hold, by name
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)


def data_of(result: Figures) -> Data:
    """Plain data for JSON. No figure without its standard error."""
    work = result.tally.work
    data = {
        **describe(work),
        "rounds": result.rounds,
        "spots": result.spots,
        "seed": work.seed,
        "ev": result.ev.value,
        "standard_error": result.ev.standard_error,
        "standard_error_by_blocks": result.block_error,
        "sd": result.ev.sd,
        "sd_standard_error": result.sd_error,
        "house_edge": result.house_edge,
        "element_of_risk": result.element_of_risk.value,
        "element_of_risk_standard_error": result.element_of_risk.standard_error,
        "average_base_wager": result.average_bet.value,
        "average_base_wager_standard_error": result.average_bet.standard_error,
        "average_stake": result.stake.value,
        "average_stake_standard_error": result.stake.standard_error,
        "total_ev": result.total.value,
        "total_standard_error": result.total.standard_error,
        "total_sd": result.total.sd,
        "n0": result.n_zero.value,
        "n0_standard_error": result.n_zero.standard_error,
        "total_n0": result.total_n_zero.value,
        "total_n0_standard_error": result.total_n_zero.standard_error,
        "complete": result.complete,
        "base_wager_cents": work.bases[0],
        "digest": work.digest,
        "blocks": result.tally.blocks,
        "void_rounds": result.tally.counters[at.VOID],
        "shuffles": result.tally.counters[at.SHUFFLES],
        "cards_dealt": result.tally.counters[at.CARDS_DEALT],
        "wagers": [_wager_data(line) for line in result.wagers],
        "events": [_event_data(line) for line in (*result.events, *result.dealer)],
        "histogram": [
            {"result_wagers": value, "count": count} for value, count in result.histogram
        ],
        "by_count": [line.as_data() for line in result.by_count],
        "covariance": result.covariance,
        "covariance_standard_error": result.covariance_error,
        "meters": [_meter_data(line) for line in result.meters],
        "sessions": session_data(result),
        "convergence": [
            {"rounds": p.rounds, "ev": p.ev, "standard_error": p.standard_error}
            for p in result.tally.points
        ],
        "starts": [_start_data(line) for line in result.starts],
        "decisions": [vars(line) for line in result.decisions] if result.has_records else None,
    }
    return finite_data(data)


def session_data(result: Figures) -> Data | None:
    sessions = result.tally.sessions
    if not sessions.sessions:
        return None
    mean, longest = result.session_mean, result.longest_losing_run
    return {
        "length": result.tally.work.session,
        "sessions": sessions.sessions,
        "mean_wagers": mean.value,
        "standard_error_wagers": mean.standard_error,
        "sd_wagers": mean.sd,
        "results": sorted(sessions.results.items()),
        "percentiles": [
            {
                "percent": percent,
                "result_wagers": found.value,
                "standard_error_wagers": found.standard_error,
            }
            for percent in PERCENTILES
            for found in (result.session_quantile(percent / 100),)
        ],
        "ruin": [
            {
                "bankroll_wagers": bankroll,
                "probability": estimate.value,
                "standard_error": estimate.standard_error,
            }
            for bankroll in ruin_bankrolls(sessions.lowest)
            for estimate in (result.ruin(bankroll),)
        ],
        "mean_longest_losing_run": longest.value,
        "mean_longest_losing_run_standard_error": longest.standard_error,
        "longest_losing_run": sorted(sessions.losing.items()),
    }


def ruin_bankrolls(lowest: dict[int, int]) -> list[int]:
    """Bankrolls worth a line: round numbers up to the deepest fall."""
    deepest = -min(lowest, default=0)
    steps = [5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10000]
    return [step for step in steps if step <= max(deepest, 5)]


def finite_data(data: Data) -> Data:
    """The same with null for what is not known: JSON has no infinity."""
    return cast(Data, finite(data))


def _wager_data(line: WagerLine) -> Data:
    return {
        "name": line.name,
        "placed": line.placed,
        "staked_cents": line.staked,
        "net_cents": line.net,
        "per": line.per,
        "ev": line.ev.value,
        "standard_error": line.ev.standard_error,
        "sd": line.ev.sd,
    }


def _start_data(line: StartLine) -> Data:
    return {
        "hand": line.hand,
        "up": line.up,
        "rounds": line.ev.trials,
        "ev": line.ev.value,
        "standard_error": line.ev.standard_error,
        "sd": line.ev.sd,
    }


def _event_data(line: EventLine) -> Data:
    return {
        "name": line.name,
        "count": line.count,
        "frequency": line.frequency.value,
        "standard_error": line.frequency.standard_error,
        "pay_per_wager": line.pay,
    }


def _meter_data(line: MeterLine) -> Data:
    return {
        "game": line.game,
        "table": line.table,
        "lines": [
            {
                "line": award.name,
                "hits": award.hits,
                "paid_cents": award.paid,
                "average_cents": award.average.value if award.hits else None,
                "standard_error_cents": award.average.standard_error,
            }
            for award in line.awards
        ],
        "resets": line.resets,
        "highest_cents": line.highest,
        "seeded_cents": line.seeded,
        "last_cents": line.last,
        "history": [{"rounds": rounds, "meter_cents": cents} for rounds, cents in line.history],
    }
