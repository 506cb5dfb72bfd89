"""`ventiuna sidebets` and `jackpot`: exact odds of side bets, jackpots line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console

from ventiuna.analysis.queries import JackpotQuery, SideBetsQuery
from ventiuna.cards import cards_text
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import JsonFlag, console, print_json
from ventiuna.cli.common.reports import (
    number_table,
    print_command,
    print_heading,
    print_section,
)
from ventiuna.cli.common.tables import (
    Figure,
    exact_cents,
    exact_number,
    exact_percent,
    money,
    one_in,
)
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


def register_sidebets(app: App) -> None:
    app.command("sidebets", pages=True)(show_side_bets)


def show_side_bets(question: SideBetsQuery, json: JsonFlag = False) -> None:
    found = question.run()
    if json:
        print_json(question.data(found))
        return
    out = console()
    _print_side_bets(out, found.rules, found)
    print_command(out, question.words())


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
    table = number_table("outcome", "profit", "probability", "", "one in", name="match_the_dealer")
    for outcome in match.outcomes:
        table.add_row(
            outcome.name,
            f"{outcome.profit:+d}",
            str(outcome.probability),
            exact_percent(outcome.probability, 6),
            one_in(outcome.probability),
        )
    odds = f"{match.unsuited_odds} to 1 unsuited, {match.suited_odds} to 1 suited"
    notes = [
        f"wins {exact_percent(match.win_frequency, 6)}, one in {one_in(match.win_frequency)}",
        f"house edge {exact_percent(match.house_edge, 6)} = {match.house_edge}",
        f"standard deviation {exact_number(match.standard_deviation, 6)}",
    ]
    print_section(out, f"Match the Dealer, any single wager: {odds}", table, notes)


def _print_together(out: Console, together: MatchWagers) -> None:
    stakes = ", ".join(f"{name} {money(stake)}" for name, stake in together.stakes)
    table = number_table("", "", name="match_the_dealer_together")
    table.add_row("at least one wager wins", exact_percent(together.win_frequency, 6))
    table.add_row("wins exceed losses", exact_percent(together.profit_frequency, 6))
    table.add_row("expected result", exact_cents(together.expected_profit, 6))
    table.add_row("house edge on all stakes", exact_percent(together.house_edge, 6))
    deviation = f"${exact_number(together.standard_deviation / 100, 6)}"
    table.add_row("standard deviation", deviation)
    if len(together.stakes) > 1 and together.correlation is not None:
        table.add_row("correlation of two wagers", exact_number(together.correlation, 9))
    print_section(out, f"Match the Dealer, all wagers on one hand: {stakes}", table)
    chances = number_table("total result", "probability", "", name="match_the_dealer_results")
    for profit, chance in list(together.distribution.items())[:MAX_ROWS]:
        total = Figure(money(profit), profit, "cents")
        chances.add_row(total, exact_percent(chance, 6), str(chance))
    out.print()
    out.print(chances)
    if len(together.distribution) > MAX_ROWS:
        out.print(f"… {len(together.distribution) - MAX_ROWS} more; --json prints all")


def _print_bonuses(out: Console, reports: list[SuperBonusReport]) -> None:
    headings = ("base", "Super Bonus", "expected", "expected Envy", "of base")
    table = number_table("players", *headings, name="super_bonus")
    for report in reports:
        alike: dict[tuple[str, ...], int] = {}
        for spot in report.spots:
            row: tuple[str, ...] = (
                money(spot.base),
                money(spot.super_bonus),
                exact_cents(spot.expected_super_bonus, 8),
                exact_cents(spot.expected_envy, 8),
                exact_percent(spot.share_of_base, 6),
            )
            alike[row] = alike.get(row, 0) + 1
        for cells, count in alike.items():
            of_all = f"{count} of {len(report.spots)}" if len(alike) > 1 else f"{count}"
            table.add_row(of_all, *cells)
    first = reports[0]
    notes = [f"a given hand wins it 1 in {one_in(first.event, 2)} times: {first.event}"]
    if len(first.spots) > 1:
        several = sum(first.winners[2:])
        notes.append(f"two or more in one round: 1 in {one_in(several)}" if several else "")
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
            exact_percent(wager.win_frequency, 6),
            exact_percent(wager.expected_value, 6),
        )
    even = next(iter(wagers.values())).break_even_frequency
    print_section(
        out,
        "Insurance, per insurance wager",
        table,
        [f"It breaks even if the dealer has blackjack {exact_percent(even)} of the time."],
    )


def _print_blackjacks(out: Console, blackjacks: BlackjackFrequencies) -> None:
    table = number_table("", "probability", "", "one in", name="blackjacks")
    for _, words, chance in blackjacks.chances():
        table.add_row(words, str(chance), exact_percent(chance, 6), one_in(chance))
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
            exact_percent(report.fixed_return),
            exact_percent(report.printed_house_advantage),
            "no meter" if even is None else money(even),
        )
    print_section(out, "Jackpots (for details: ventiuna jackpot RULES --game N)", table)


# --- jackpot ---

STEP = 100_000  # cents; the return is printed for this much in the meter


def register_jackpot(app: App) -> None:
    app.command("jackpot", pages=True)(show_jackpot)


def show_jackpot(question: JackpotQuery, json: JsonFlag = False) -> None:
    found = question.run()
    if json:
        print_json(question.data(found))
        return
    out = console()
    unset_prize = question.table is not None and question.prize is None
    _print_report(out, found.report, found.meter, unset_prize=unset_prize)
    if found.awards:
        _print_awards(out, found.awards)
    print_command(out, question.words())


def _print_report(
    out: Console, report: JackpotReport, meter: int | None, unset_prize: bool
) -> None:
    jackpot = report.jackpot
    title = f"Jackpot game {report.number}: {report.title}, {jackpot.kind}"
    print_heading(out, f"{title}, wager {money(jackpot.wager)}", report.basis)
    table = number_table("line", "pay", "frequency", "one in", "per 100,000", words=2)
    for line in report.lines:
        table.add_row(
            line.hand,
            line.pay,
            str(line.frequency),
            one_in(line.frequency),
            exact_number(line.per_100_000, 4, grouped=True),
        )
    notes = []
    if jackpot.table.startswith("4") or jackpot.table == "casino-card":
        notes.append("Both the up card and the down card can win a fixed line; both count.")
    if unset_prize and any(not line.percent for line in report.special_lines):
        notes.append("The operator's prize isn't set and counts as $0.00. Set it with --prize.")
    print_section(out, "Lines, per wager", table, notes)

    returns = number_table("", "", "")
    returns.add_row("chance that a wager is paid", exact_percent(report.hit_frequency), "")
    exact = str(report.fixed_return)
    returns.add_row("return of the fixed lines", exact_percent(report.fixed_return), exact)
    returns.add_row("return of the operator's prizes", exact_percent(report.prize_return), "")
    printed = report.published_house_advantage
    returns.add_row(
        "house advantage as printed (R-101)",
        exact_percent(report.printed_house_advantage),
        f"published: {printed}" if printed else "none published",
    )
    returns.add_row("share of a wager that the house keeps", exact_percent(report.house_hold), "")
    print_section(out, "Returns per wager", returns)
    _print_meter(out, report, meter)


def _print_meter(out: Console, report: JackpotReport, meter: int | None) -> None:
    wager = report.jackpot.wager
    worth = number_table("line", f"{money(STEP)} in the meter return", name="meter_return")
    for line in report.special_lines:
        if line.percent:
            worth.add_row(line.hand, exact_percent(line.expected_share * STEP / wager))
    worth.add_row("together", exact_percent(report.meter_share * STEP / wager))
    print_section(out, "The meter", worth)

    table = number_table("", "", name="meter")
    even = report.break_even_cents
    table.add_row("break-even meter", "none" if even is None else money(even))
    if meter is not None:
        words = f"at a meter of {money(meter)}"
        table.add_row(f"all returns {words}", exact_percent(report.return_at(meter)))
        table.add_row(f"house edge {words}", exact_percent(report.house_edge_at(meter)))
        deviation = exact_number(report.standard_deviation_at(meter), 4, grouped=True)
        table.add_row("standard deviation, in wagers", deviation)
    out.print()
    out.print(table)
    out.print("The meter is the one at the award, including this round's contributions (O-19).")


def _several_words(jackpot: Jackpot) -> str:
    if jackpot.kind is JackpotKind.PROGRESSIVE:
        return "awards are paid from the dealer's left (R-095)."
    if jackpot.winners is Winners.EACH_IN_FULL:
        return "each winner gets the full share (O-39)."
    return "awards are paid from the dealer's left, each from the remaining meter (O-39)."


def _print_awards(out: Console, awards: RoundAwards) -> None:
    headings = ["seat", "award one in", "share of meter, per million"]
    more = [] if awards.meter is None else ["expected award"]
    table = number_table(*headings, *more, name="awards")
    for seat in awards.seats:
        row = [
            str(seat.seat),
            one_in(seat.frequency),
            exact_number(seat.share * 1_000_000, 9),
        ]
        if seat.expected_award is not None:
            row.append(exact_cents(seat.expected_award, 8))
        table.add_row(*row)
    meter = "" if awards.meter is None else f", meter {money(awards.meter)}"
    notes = [
        f"Two or more awards in one round: 1 in {one_in(awards.several)}.",
        f"All players bet on the jackpot; {_several_words(awards.jackpot)}",
    ]
    print_section(out, f"Awards in one round, {awards.players} players{meter}", table, notes)
