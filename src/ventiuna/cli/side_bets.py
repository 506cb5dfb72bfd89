"""`ventiuna sidebets` and `jackpot`: exact odds of side bets, jackpots line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from rich.console import Console

from ventiuna.analysis.results import (
    CENTS_6,
    CENTS_8,
    FIXED_6,
    FIXED_9,
    MONEY,
    ONE_IN,
    PERCENT_4,
    PERCENT_6,
    Form,
    FormattedNumber,
    one_in_text,
)
from ventiuna.analysis.side_bets.queries import JackpotQuery, SideBetsQuery
from ventiuna.cards import cards_text
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import JsonFlag, console, print_json
from ventiuna.cli.common.reports import (
    number_table,
    print_command,
    print_heading,
    print_section,
)
from ventiuna.cli.common.tables import OutputTable
from ventiuna.money import money_text
from ventiuna.rules import Rules
from ventiuna.rules.model import Jackpot, JackpotKind, Winners

if TYPE_CHECKING:
    from ventiuna.analysis.side_bets.insurance import BlackjackFrequencies, InsuranceWager
    from ventiuna.analysis.side_bets.jackpots import JackpotReport, RoundAwards
    from ventiuna.analysis.side_bets.match_the_dealer import MatchWager, MatchWagers
    from ventiuna.analysis.side_bets.queries import SideBetsAnalysis
    from ventiuna.analysis.side_bets.super_bonus import SuperBonusReport


# --- sidebets ---

MAX_ROWS = 24  # maximum rows of a distribution to print


@command("sidebets", pages=True)
def show_side_bets(query: SideBetsQuery, json: JsonFlag = False) -> None:
    found = query.run()
    if json:
        print_json(query.data(found))
        return
    out = console()
    _print_side_bets(out, found.rules, found)
    print_command(out, query.words())


# --- Output ---------------------------------------------------------------------------------------


def _print_side_bets(out: Console, rules: Rules, found: SideBetsAnalysis) -> None:
    print_heading(out, f"Side bets and events: {rules.title}", found.blackjacks.basis)
    if found.match and found.together:
        _print_match(out, found.match)
        _print_together(out, found.together)
    else:
        out.print("\nMatch the Dealer isn't offered.")
    if found.bonuses:
        _print_bonuses(out, found.bonuses)
    else:
        out.print("\nThere is no Super Bonus.")
    _print_insurance(out, found.insurance)
    _print_blackjacks(out, found.blackjacks)
    _print_jackpots(out, found.jackpots)


def _print_match(out: Console, match: MatchWager) -> None:
    from ventiuna.analysis.side_bets.match_the_dealer import OUTCOME_COLUMNS

    table = OutputTable.of(OUTCOME_COLUMNS, match.outcomes, name="match_the_dealer")
    odds = f"{match.unsuited_odds} to 1 unsuited, {match.suited_odds} to 1 suited"
    notes = [
        f"wins {PERCENT_6.text(match.win_frequency)}, one in {ONE_IN.text(match.win_frequency)}",
        f"house edge {PERCENT_6.text(match.house_edge)} = {match.house_edge}",
        f"standard deviation {FIXED_6.text(match.standard_deviation)}",
    ]
    print_section(out, f"Match the Dealer, any single wager: {odds}", table, notes)


def _print_together(out: Console, together: MatchWagers) -> None:
    stakes = ", ".join(f"{name} {money_text(stake)}" for name, stake in together.stakes)
    table = number_table("", "", name="match_the_dealer_together")
    table.add_row("at least one wager wins", FormattedNumber(together.win_frequency, PERCENT_6))
    table.add_row("wins exceed losses", FormattedNumber(together.profit_frequency, PERCENT_6))
    table.add_row("expected result", FormattedNumber(together.expected_profit, CENTS_6))
    table.add_row("house edge on all stakes", FormattedNumber(together.house_edge, PERCENT_6))
    table.add_row("standard deviation", FormattedNumber(together.standard_deviation, CENTS_6))
    if len(together.stakes) > 1 and together.correlation is not None:
        table.add_row("correlation of two wagers", FormattedNumber(together.correlation, FIXED_9))
    print_section(out, f"Match the Dealer, all wagers on one hand: {stakes}", table)
    chances = OutputTable.of(
        together.columns,
        list(together.distribution.items())[:MAX_ROWS],
        name="match_the_dealer_results",
    )
    out.print()
    out.print(chances)
    if len(together.distribution) > MAX_ROWS:
        out.print(f"… {len(together.distribution) - MAX_ROWS} more; --json prints all")


def _print_bonuses(out: Console, reports: list[SuperBonusReport]) -> None:
    headings = ("base", "Super Bonus", "expected", "expected Envy", "of base")
    figures_of = attrgetter(
        "base", "super_bonus", "expected_super_bonus", "expected_envy", "share_of_base"
    )
    forms = (MONEY, MONEY, CENTS_8, CENTS_8, PERCENT_6)
    table = number_table("players", *headings, name="super_bonus")
    for report in reports:
        alike = Counter(map(figures_of, report.spots))
        for figures, count in alike.items():
            of_all = f"{count} of {len(report.spots)}" if len(alike) > 1 else f"{count}"
            table.add_row(of_all, *map(FormattedNumber, figures, forms))
    first = reports[0]
    notes = [
        f"chance that a given hand wins it: 1 in {one_in_text(first.event, 2)} = {first.event}"
    ]
    if len(first.spots) > 1:
        several = sum(first.winners[2:])
        notes.append(f"two or more in one round: 1 in {ONE_IN.text(several)}" if several else "")
    notes.append(first.assumption)
    title = f"Super Bonus and Envy Bonus: {first.hand} against {first.up} up"
    print_section(out, title, table, filter(None, notes))


def _print_insurance(out: Console, wagers: Mapping[str, InsuranceWager]) -> None:
    if not wagers:
        out.print("\nInsurance isn't offered, or no ace is left.")
        return
    table = number_table(
        "seen", "cards", "dealer's blackjack", "expected value", words=2, name="insurance"
    )
    for words, wager in wagers.items():
        table.add_row(
            words,
            cards_text((wager.up, *wager.seen)),
            FormattedNumber(wager.win_frequency, PERCENT_6),
            FormattedNumber(wager.expected_value, PERCENT_6),
        )
    even = next(iter(wagers.values())).break_even_frequency
    print_section(
        out,
        "Insurance, per insurance wager",
        table,
        [f"It breaks even if the dealer has blackjack {PERCENT_4.text(even)} of the time."],
    )


def _print_blackjacks(out: Console, blackjacks: BlackjackFrequencies) -> None:
    table = OutputTable.of(blackjacks.columns, blackjacks.chances(), name="blackjacks")
    print_section(out, "Blackjacks, one player and the dealer", table)


def _print_jackpots(out: Console, reports: list[JackpotReport]) -> None:
    if not reports:
        return
    table = number_table(
        "game", "fixed lines return", "as printed (R-101)", "breaks even at", name="jackpots"
    )
    for report in reports:
        even = report.break_even_cents
        table.add_row(
            f"{report.number}: {report.title}",
            FormattedNumber(report.fixed_return, PERCENT_4),
            FormattedNumber(report.printed_house_advantage, PERCENT_4),
            "no meter" if even is None else FormattedNumber(even, MONEY),
        )
    print_section(out, "Jackpots (for details: ventiuna jackpot RULES --game N)", table)


# --- jackpot ---

STEP = 100_000  # cents; the return is printed for this much in the meter


@command("jackpot", pages=True)
def show_jackpot(query: JackpotQuery, json: JsonFlag = False) -> None:
    found = query.run()
    if json:
        print_json(query.data(found))
        return
    out = console()
    unset_prize = query.table is not None and query.prize is None
    _print_report(out, found.report, found.meter, unset_prize=unset_prize)
    if found.awards:
        _print_awards(out, found.awards)
    print_command(out, query.words())


def _print_report(
    out: Console, report: JackpotReport, meter: int | None, unset_prize: bool
) -> None:
    jackpot = report.jackpot
    title = f"Jackpot game {report.number}: {report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money_text(jackpot.wager)}", report.basis)
    table = OutputTable.of(report.columns, report.lines, words=2)
    notes = []
    if jackpot.table.startswith("4") or jackpot.table == "casino-card":
        notes.append("Both the up card and the down card can win a fixed line; both count.")
    if unset_prize and any(not line.percent for line in report.special_lines):
        notes.append("The operator's prize isn't set and counts as $0.00. Set it with --prize.")
    print_section(out, "Lines, per wager", table, notes)

    returns = number_table("", "", "")
    returns.add_row(
        "chance that a wager is paid", FormattedNumber(report.hit_frequency, PERCENT_4), ""
    )
    exact = str(report.fixed_return)
    returns.add_row(
        "return of the fixed lines", FormattedNumber(report.fixed_return, PERCENT_4), exact
    )
    returns.add_row(
        "return of the operator's prizes", FormattedNumber(report.prize_return, PERCENT_4), ""
    )
    printed = report.published_house_advantage
    returns.add_row(
        "house advantage as printed (R-101)",
        FormattedNumber(report.printed_house_advantage, PERCENT_4),
        f"published: {printed}" if printed else "none published",
    )
    returns.add_row(
        "share of a wager that the house keeps", FormattedNumber(report.house_hold, PERCENT_4), ""
    )
    print_section(out, "Returns per wager", returns)
    _print_meter(out, report, meter)


def _print_meter(out: Console, report: JackpotReport, meter: int | None) -> None:
    wager = report.jackpot.wager
    worth = number_table("line", f"{money_text(STEP)} in the meter return", name="meter_return")
    for line in report.special_lines:
        if line.percent:
            worth.add_row(line.hand, FormattedNumber(line.expected_share * STEP / wager, PERCENT_4))
    worth.add_row("together", FormattedNumber(report.meter_share * STEP / wager, PERCENT_4))
    print_section(out, "The meter", worth)

    table = number_table("", "", name="meter")
    even = report.break_even_cents
    table.add_row("break-even meter", "none" if even is None else FormattedNumber(even, MONEY))
    if meter is not None:
        words = f"at a meter of {money_text(meter)}"
        table.add_row(f"all returns {words}", FormattedNumber(report.return_at(meter), PERCENT_4))
        table.add_row(
            f"house edge {words}", FormattedNumber(report.house_edge_at(meter), PERCENT_4)
        )
        deviation = FormattedNumber(report.standard_deviation_at(meter), Form(4, grouped=True))
        table.add_row("standard deviation, in wagers", deviation)
    out.print()
    out.print(table)
    out.print("Meters are as of the award, including this round's contributions (O-19).")


def _several_words(jackpot: Jackpot) -> str:
    if jackpot.kind is JackpotKind.PROGRESSIVE:
        return "awards are paid from the dealer's left (R-095)."
    if jackpot.winners is Winners.EACH_IN_FULL:
        return "each winner gets the full share (O-39)."
    return "awards are paid from the dealer's left, each from the remaining meter (O-39)."


def _print_awards(out: Console, awards: RoundAwards) -> None:
    from ventiuna.analysis.side_bets.jackpots import SEAT_COLUMNS

    columns = SEAT_COLUMNS[:-1] if awards.meter is None else SEAT_COLUMNS
    table = OutputTable.of(columns, awards.seats, name="awards")
    meter = "" if awards.meter is None else f", meter {money_text(awards.meter)}"
    notes = [
        f"Two or more awards in one round: 1 in {ONE_IN.text(awards.several)}.",
        f"All players bet on the jackpot; {_several_words(awards.jackpot)}",
    ]
    print_section(out, f"Awards in one round, {awards.players} players{meter}", table, notes)
