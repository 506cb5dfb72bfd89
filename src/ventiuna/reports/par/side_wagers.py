"""The parts of a PAR sheet on side wagers, Super Bonus and jackpots."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.analysis.exact import cents_text, decimal_text, one_in_text, percent_text
from ventiuna.engine.labels import (
    ENVY_BONUS_RULE,
    MATCH_RULE,
    SUPER_BONUS_RULE,
    jackpot_rule,
    labels_of,
)
from ventiuna.money import money_text
from ventiuna.reports.numbers import dollars, hours
from ventiuna.reports.pages.document import Facts, Grid, Part, Text
from ventiuna.reports.par.funding import ROUNDS_PER_HOUR, WAGERS_PER_ROUND, Funding
from ventiuna.reports.par.study import ParStudy
from ventiuna.rules import Rules


def side_wager_parts(study: ParStudy) -> Iterator[Part]:
    yield from _match(study)
    yield from _insurance(study)
    yield from _super_bonus(study)
    for funding in study.funding:
        yield _jackpot(study.rules, funding)


def _match(study: ParStudy) -> Iterator[Part]:
    match, together = study.side_bets.match, study.side_bets.together
    if match is None:
        return
    rows = tuple(
        (
            outcome.name,
            f"{outcome.profit:+d}",
            percent_text(outcome.probability, 6),
            one_in_text(outcome.probability, 2),
            f"{float(outcome.probability * outcome.profit) * 100:+.6f}",
        )
        for outcome in match.outcomes
    )
    sums = ("all", "", "100.000000 %", "", f"{float(match.expected_value) * 100:+.6f}")
    grid = Grid(
        "One wager, per unit of its stake",
        ("outcome", "profit", "chance", "one in", "points"),
        (*rows, sums),
        sums_up=True,
    )
    facts = [
        ("house edge", percent_text(match.house_edge, 6)),
        ("wins", percent_text(match.win_frequency, 6)),
        ("standard deviation", decimal_text(match.standard_deviation, 6)),
    ]
    if together is not None and len(study.rules.mtd_wagers) > 1:
        facts.append(("covariance of two wagers of one", f"{float(together.unit_covariance):.6f}"))
    yield Part("Match the Dealer odds", (grid, Facts(tuple(facts))), (MATCH_RULE, "R-022"))


def _insurance(study: ParStudy) -> Iterator[Part]:
    found = study.side_bets.insurance
    if not found:
        return
    rows = tuple(
        (
            words,
            percent_text(wager.win_frequency, 6),
            percent_text(wager.house_edge, 6),
        )
        for words, wager in found.items()
    )
    grid = Grid(
        "Insurance, by the cards seen", ("seen", "wins", "edge of the insurance wager"), rows
    )
    yield Part("Insurance odds", (grid,), (labels_of(study.rules).insurance_rule,))


def _super_bonus(study: ParStudy) -> Iterator[Part]:
    reports = study.side_bets.bonuses
    if not reports:
        return
    rows = tuple(
        (
            money_text(spot.base),
            money_text(spot.super_bonus),
            one_in_text(report.event, 0),
            cents_text(spot.expected_super_bonus, 6),
            percent_text(spot.share_of_base, 6),
        )
        for report in reports
        for spot in report.spots
    )
    grid = Grid(
        "One player, by the smallest wager of each size",
        ("base wager", "pays", "one in", "expected", "of the base wager"),
        rows,
    )
    note = Text(f"{reports[0].assumption} An Envy Bonus needs other players and is not in it.")
    form = study.rules.super_bonus_form()
    own = (form.rule,) if form is not None and form.rule else ()
    yield Part("Super Bonus odds", (grid, note), (*own, SUPER_BONUS_RULE, ENVY_BONUS_RULE))


# --- jackpots -----------------------------------------------------------------------------------


def _jackpot(rules: Rules, funding: Funding) -> Part:
    report = funding.report
    awards = ("R-095", "O-19") if funding.is_progressive else ("R-097", "O-39")
    lines = tuple(
        (
            line.hand,
            line.pay,
            one_in_text(line.frequency, 2),
            percent_text(line.expected_pay / report.jackpot.wager, 4) if line.pays else "",
            f"{float(line.expected_share):.4e}" if line.percent else "",
        )
        for line in report.lines
    )
    grid = Grid(
        f"Lines of {report.title}, wager {money_text(report.jackpot.wager)}",
        ("line", "pays", "one in", "returns", "of the meter"),
        lines,
        words=2,
    )
    even = report.break_even_cents
    facts = [
        ("a wager is paid anything", percent_text(report.hit_frequency, 6)),
        ("return of the fixed lines", percent_text(report.fixed_return, 6)),
        ("return of the operator's prizes", percent_text(report.prize_return, 6)),
        ("house advantage as printed (R-101)", percent_text(report.printed_house_advantage, 6)),
        ("meter that breaks even", "none" if even is None else money_text(even)),
        ("what the house keeps of a wager", percent_text(report.house_hold, 6)),
    ]
    return Part(
        f"Jackpot game {report.number}: odds, meter and funding",
        (grid, Facts(tuple(facts)), _hits(funding), Facts(tuple(_funds(funding)))),
        (jackpot_rule(rules, report.number), "R-091", *awards),
    )


def _hits(funding: Funding) -> Grid:
    rows = tuple(
        (
            line.hand,
            line.pay,
            "never" if wagers is None else f"{float(wagers):,.0f}",
            "" if time is None else hours(time),
        )
        for line, wagers, time in funding.hits()
    )
    return Grid(
        f"Mean time between hits; {ROUNDS_PER_HOUR} rounds an hour with {WAGERS_PER_ROUND} wagers "
        "each, as an example",
        ("line", "pays", "wagers", "time"),
        rows,
        words=2,
    )


def _funds(funding: Funding) -> Iterator[tuple[str, str]]:
    jackpot = funding.report.jackpot
    if not funding.is_progressive:
        yield "posted amount, the house's own (R-097)", money_text(jackpot.seed)
        yield "no wager raises it", "nothing to fund"
        return
    yield "contribution of each wager (O-19)", percent_text(funding.report.contribution, 2)
    mean = funding.mean_meter
    if mean is not None:
        yield "meter in the long run, on average", dollars(float(mean))
    yield "seed", money_text(jackpot.seed)
    if jackpot.seed:
        yield "seeds cost the house, of each wager", percent_text(funding.reserve_share, 6)
        yield (
            "a reserve that pays all seeds would take",
            f"{cents_text(funding.seeding, 6)} of each wager",
        )
        earned = funding.wagers_to_earn_the_seed
        if earned is not None:
            yield "wagers until contributions equal the seed", f"{float(earned):,.0f}"
