"""Card counting: effects of removal, index numbers, simulated counts, jackpot break-evens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ventiuna.analysis.coerce import coerce_rules, coerce_text
from ventiuna.api import checked_call
from ventiuna.counting import study
from ventiuna.counting.files import coerce_count
from ventiuna.counting.indices import IndexStudy
from ventiuna.counting.jackpots import JackpotWorth
from ventiuna.counting.queries import CompareQuery, EffectsQuery, IndexQuery, JackpotWorthQuery
from ventiuna.counting.removal import RemovalStudy
from ventiuna.counting.study import ComparedCounts, CountStudy, PlayConditions
from ventiuna.rules import Rules
from ventiuna.strategy.counting import Count
from ventiuna.strategy.protocol import plan_problem

T = TypeVar("T")


@checked_call
def removal_effects(
    rules: Rules | str, *, base: int | None = None, meters: Sequence[int] = ()
) -> RemovalStudy:
    """Compute the exact effects of removal for every wager.

    `meters` are the jackpot games' meters in cents.

    >>> import ventiuna as vt
    >>> [each["wager"] for each in vt.removal_effects("super-fun-21").as_data()["wagers"]]
    ['base game', 'base game, play fixed', 'insurance']
    """
    given = locals()
    return EffectsQuery(meter=given.pop("meters"), **given).run()


@checked_call
def index_numbers(
    rules: Rules | str,
    count: Count | str = "",
    *,
    tags: str = "",
    start: float | None = None,
    base: int | None = None,
    at_its_bets: bool = True,
    sums: int = 1,
) -> IndexStudy:
    """Compute a count's index numbers for every chart cell, by exact analysis of tilted shoes.

    Index numbers use the count's own scale, as in its file. The result's `edges` gives the edge at
    each count. Give the count by name, or as `tags` with a `start`, as for `evaluate_count`.

    Earnings assume the count's own bets, or flat bets if `at_its_bets` is False. A count with side
    counts can use several `sums` of them; each cell then uses the sum that earns the most with flat
    bets.

    >>> import ventiuna as vt
    >>> vt.index_numbers("wsgc-2021", "no-such-count")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    ventiuna.strategy.protocol.PlanError: count = no-such-count: ...
    """
    return IndexQuery(**locals()).run()


@checked_call
def simulate_count(
    rules: Rules | str,
    count: Count | str = "",
    rounds: int = 10_000_000,
    *,
    tags: str = "",
    start: float | None = None,
    strategy: str = "optimal",
    spots: int = 1,
    base: int = 0,
    seed: int = 21,
    workers: int = 0,
) -> CountStudy:
    """Simulate a count: frequency, mean and standard deviation at each count value.

    Give the count by name, or as `tags` with a `start`, as for `evaluate_count`. On the result,
    `spread_ramp` and `bankroll_ramp` choose bets, `earnings` gives what they earn with a bankroll
    in cents, and `risk` gives their risk over trips of a given number of rounds.

    >>> import ventiuna as vt
    >>> study = vt.simulate_count("super-fun-21", "level-one", 20_000, strategy="chart")
    >>> round(sum(at.frequency for at in study.simulated), 9)
    1.0
    >>> study.earnings(2_000_000, unit=1000, spread=4).as_data()["bankroll_cents"]
    2000000
    >>> [risk.name for risk in study.risk(100, 2_000_000, unit=1000).risks][:2]
    ['lifetime', 'trip of 100 rounds']
    """
    house = coerce_rules(rules)
    sitting = PlayConditions(strategy, spots, base, seed)
    return study.study_count(
        house, coerce_count(count, tags, start, house), rounds, sitting, workers
    )


@checked_call
def compare_counts(
    rules: Rules | str,
    counts: Sequence[Count | str] = (),
    rounds: int = 5_000_000,
    *,
    tags: Sequence[str] = (),
    penetrations: Sequence[int] = (),
    spread: float = 8.0,
    strategy: str = "optimal",
    seed: int = 21,
    workers: int = 0,
) -> ComparedCounts:
    """Compare the SCORE, DI and N0 of several counts, each with the best bets within the spread.

    Give counts by name, or as `tags`, one string for each count. `penetrations` are percentages of
    the shoe dealt; the default is the position of the rules' cut card.

    >>> import ventiuna as vt
    >>> counts = ["level-one", "hi-lo"]
    >>> found = vt.compare_counts("super-fun-21", counts, 20_000, strategy="chart")
    >>> [one.penetration for one in found] == [vt.rules("super-fun-21").cut_card_percent] * 2
    True
    >>> own = ["5=1 A=-1"]
    >>> [one] = vt.compare_counts("super-fun-21", tags=own, rounds=20_000, strategy="chart")
    >>> one.count
    '5=1 A=-1'
    """
    house = coerce_rules(rules)
    several = [counts] if isinstance(counts, Count | str) else coerce_list("counts", counts)
    written = [coerce_text("tags", text) for text in coerce_list("tags", tags)]
    if not several and not written:
        raise plan_problem("counts", "", "name at least one count", "Use counts or tags.")
    percents = coerce_list("penetrations", penetrations)
    return CompareQuery(
        rules=house,
        count=tuple(several),
        tags=tuple(written),
        penetration=tuple(percents),
        spread=spread,
        rounds=rounds,
        strategy=strategy,
        seed=seed,
    ).run(workers=workers)


@checked_call
def jackpot_worth(
    rules: Rules | str,
    game: int | None = None,
    *,
    table: str | None = None,
    pay_table: int | None = None,
    alternate: int | None = None,
    wager: int | None = None,
    prize: int | None = None,
    spots: int = 1,
    team: int = 0,
    meter: int | None = None,
    hits: int = 1,
) -> JackpotWorth:
    """Find the meter at which a jackpot is worth playing, for a seat, a table or a team.

    The parameters `game` to `prize` are the same as for `jackpot`. The result's `round_value` and
    `staying_value` are computed for `meter` (in cents). For `waiting`, `hits` is the
    number of times the meter must be emptied.

    >>> import ventiuna as vt
    >>> worth = vt.jackpot_worth("wsgc-2021-jackpot", spots=3, team=2)
    >>> worth.team_break_even > 0, worth.waiting(1).mean > 1000
    (True, True)
    >>> other = vt.jackpot_worth("wsgc-2021", table="3c", wager=500, meter=90_000_000, hits=2)
    >>> 0 < other.round_value() < other.staying_value(), other.waiting().hits
    (True, 2)
    """
    given = locals()
    return JackpotWorthQuery(players=given.pop("spots"), **given).run()


def coerce_list(name: str, values: Sequence[T]) -> list[T]:
    """Return the values as a list; reject a single string, which would split into characters."""

    if isinstance(values, str) or not isinstance(values, Sequence):
        raise plan_problem(name, values, "expected a list", "Write it in brackets.")
    return list(values)
