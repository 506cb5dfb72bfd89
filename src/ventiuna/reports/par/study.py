"""The figures of a PAR sheet, from the analyses that `edge`, `sidebets`, `jackpot` print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ventiuna.analysis.base_game.events import RoundEvents, round_events
from ventiuna.analysis.base_game.result import BaseGameAnalysis
from ventiuna.analysis.base_game.variations import Variation, variations
from ventiuna.analysis.questions.dealer import DealerOutcomes, dealer_outcomes
from ventiuna.analysis.questions.edge import EdgeQuestion, EdgeStudy, Line, in_silence
from ventiuna.analysis.questions.side_bets import SideBets, SideBetsQuestion
from ventiuna.money import plain_amount, read_amount
from ventiuna.records import brief_repr
from ventiuna.reports.par.countability import Countability, countability
from ventiuna.reports.par.funding import Funding, funding
from ventiuna.reports.par.holds import Hold, holds
from ventiuna.reports.par.spots import SpotsTogether, spots_together
from ventiuna.reports.par.strategies import StrategyCost, strategy_costs
from ventiuna.rules import Rules, RulesError, canonical, load_rules

Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ParQuestion:
    """As the command line words it."""

    rules: str
    base: str = ""

    def words(self, rules: Rules) -> list[str]:
        from ventiuna.analysis.questions.again import option_words, rules_words

        return ["par", *rules_words(rules), *option_words(base=self.base)]


@dataclass(frozen=True, slots=True)
class BonusEdge:
    """The edge of a base wager with its own Super Bonus (R-069)."""

    base: int  # cents
    pays: int
    house_edge: float
    one_in: float


@dataclass(frozen=True, slots=True)
class VariedEdge:
    """One thing changed."""

    variation: Variation
    house_edge: float
    change: float  # of the expected value: + is better for the player


@dataclass(frozen=True, slots=True)
class ParStudy:
    rules: Rules
    base: int | None  # as asked for: caps double-doubles and has its Super Bonus
    analysis: BaseGameAnalysis
    events: RoundEvents
    dealer: DealerOutcomes
    sd: float | None  # None: `sd_reason` says why
    sd_reason: str
    together: SpotsTogether
    bonuses: tuple[BonusEdge, ...]
    varied: tuple[VariedEdge, ...]
    strategies: tuple[StrategyCost, ...]
    side_bets: SideBets
    funding: tuple[Funding, ...]
    holds: tuple[Hold, ...]
    countability: Countability

    __repr__ = brief_repr

    @property
    def wager(self) -> int:
        """Cents of the base wager that amounts are told for."""
        return self.base if self.base is not None else self.rules.table_minimum


def par_study(question: ParQuestion, step: Step = lambda _: None) -> ParStudy:
    """All of it; `step` is told what is worked out next."""
    rules = load_rules(question.rules)
    base = read_amount("base", question.base) if question.base else None
    step("edge")
    study = EdgeStudy(EdgeQuestion(canonical(rules), base=question.base).read(), sd=False)
    sd, reason = _deviation(rules, study.found)
    step("events")
    events = round_events(rules, base, super_bonus=base is not None)
    step("options")
    lines = study.variations(in_silence)
    step("strategies")
    strategies = strategy_costs(rules, study.found)
    step("spots together")
    together = spots_together(rules)
    step("removal effects")
    effects = countability(rules)
    step("side wagers")
    side_bets = SideBets(SideBetsQuestion(canonical(rules)))
    wager = base if base is not None else rules.table_minimum
    return ParStudy(
        rules=rules,
        base=base,
        analysis=study.found,
        events=events,
        dealer=dealer_outcomes(rules),
        sd=sd,
        sd_reason=reason,
        together=together,
        bonuses=_bonuses(rules, base),
        varied=_varied(rules, lines),
        strategies=strategies,
        side_bets=side_bets,
        funding=tuple(map(funding, side_bets.jackpots)),
        holds=holds(rules, study.found, sd, together, wager),
        countability=effects,
    )


def _deviation(rules: Rules, analysis: BaseGameAnalysis) -> tuple[float | None, str]:
    from ventiuna.analysis.base_game.spread import standard_deviation

    try:
        return standard_deviation(rules, analysis), ""
    except RulesError as error:
        return None, str(error)


def _bonuses(rules: Rules, base: int | None) -> tuple[BonusEdge, ...]:
    """For the smallest wager of each size, and for the one asked for."""
    if rules.super_bonus_form() is None:
        return ()
    sizes = {band.base_from: band.pay for band in rules.super_bonus_bands}
    if base is not None:
        earned = [pay for size, pay in sizes.items() if size <= base]
        sizes[base] = max(earned, default=0)
    found = []
    for size, pay in sorted(sizes.items()):
        if size > rules.table_maximum or not pay:
            continue
        events = round_events_of_bonus(rules, size)
        found.append(BonusEdge(size, pay, -events[0], events[1]))
    return tuple(found)


def round_events_of_bonus(rules: Rules, base: int) -> tuple[float, float]:
    """Value with the Super Bonus of such a wager, and rounds between two of them."""
    from ventiuna.analysis.side_bets.super_bonus import super_bonus_report

    text = plain_amount(base)
    value = EdgeStudy(EdgeQuestion(canonical(rules), base=text).read(), sd=False).super_bonus_ev
    assert value is not None
    return value, float(1 / super_bonus_report(rules, [base]).event)


def _varied(rules: Rules, lines: list[Line]) -> tuple[VariedEdge, ...]:
    """The lines of `edge --vary`, with what was changed."""
    by_name = {variation.name: variation for variation in variations(rules)}
    return tuple(
        VariedEdge(by_name[line.name], -line.ev, line.change)
        for line in lines
        if line.change is not None
    )
