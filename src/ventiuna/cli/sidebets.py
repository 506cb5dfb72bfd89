"""`ventiuna sidebets`: Match the Dealer, Super Bonus, insurance and blackjacks, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.questions.again import command_text
from ventiuna.cards import cards_text
from ventiuna.cli.cells import exact_cents, exact_number, exact_percent, money, one_in
from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    ShoeOption,
    WithoutOption,
    number_table,
    print_command,
    print_heading,
    print_section,
)
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.cli.sheets import Figure
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.analysis.questions.side_bets import SideBets
    from ventiuna.analysis.side_bets.blackjacks import BlackjackFrequencies
    from ventiuna.analysis.side_bets.insurance import InsuranceWager
    from ventiuna.analysis.side_bets.jackpots import JackpotReport
    from ventiuna.analysis.side_bets.match_the_dealer import MatchWager, MatchWagers
    from ventiuna.analysis.side_bets.super_bonus import SuperBonusReport

MOST_ROWS = 24  # of a distribution in print


def register(app: App) -> None:
    app.command("sidebets", pages=True)(show_side_bets)


def show_side_bets(
    rules: RulesArgument = DEFAULT_RULES,
    stakes: Annotated[
        str,
        typer.Option(
            "--side",
            "--stakes",
            metavar="WAGERS",
            help="Match the Dealer wagers on one hand, such as up=5,down=2,b1=1.",
            show_default="$1 on each",
        ),
    ] = "",
    players: Annotated[
        int | None,
        typer.Option(
            "--spots", "--players", help="Number of spots, for the Envy Bonus.", show_default="1"
        ),
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            help="Base wagers for the Super Bonus: one for all, or one per player (5,25,10).",
            show_default="the lowest of each band",
        ),
    ] = "",
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    json: JsonFlag = False,
) -> None:
    """Exact odds of Match the Dealer, the Super and Envy Bonuses, insurance and blackjacks."""
    from ventiuna.analysis.questions.side_bets import SideBets, SideBetsQuestion

    question = SideBetsQuestion(rules, stakes, players, base, shoe, without)
    found = SideBets(question)
    words = question.words(found.rules)
    if json:
        print_json({**found.as_data(), "command": command_text([*words, "--json"])})
        return
    out = console()
    _print(out, found.rules, found)
    print_command(out, words)


# --- print ----------------------------------------------------------------------------------------


def _print(out: Console, rules: Rules, found: SideBets) -> None:
    print_heading(out, f"Side bets and events: {rules.title}", found.blackjacks.basis)
    if found.match and found.together:
        _print_match(out, found.match)
        _print_together(out, found.together)
    else:
        out.print("\nMatch the Dealer is not offered.")
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
    print_section(out, f"Match the Dealer, any one wager: {odds}", table, notes)


def _print_together(out: Console, together: MatchWagers) -> None:
    stakes = ", ".join(f"{name} {money(stake)}" for name, stake in together.stakes)
    table = number_table("", "", name="match_the_dealer_together")
    table.add_row("at least one wager wins", exact_percent(together.win_frequency, 6))
    table.add_row("more is won than lost", exact_percent(together.profit_frequency, 6))
    table.add_row("expected result", exact_cents(together.expected_profit, 6))
    table.add_row("house edge of all stakes", exact_percent(together.house_edge, 6))
    deviation = f"${exact_number(together.standard_deviation / 100, 6)}"
    table.add_row("standard deviation", deviation)
    if len(together.stakes) > 1 and together.correlation is not None:
        table.add_row("correlation of two wagers", exact_number(together.correlation, 9))
    print_section(out, f"Match the Dealer on one hand together: {stakes}", table)
    chances = number_table("total result", "probability", "", name="match_the_dealer_results")
    for profit, chance in list(together.distribution.items())[:MOST_ROWS]:
        total = Figure(money(profit), profit, "cents")
        chances.add_row(total, exact_percent(chance, 6), str(chance))
    out.print()
    out.print(chances)
    if len(together.distribution) > MOST_ROWS:
        out.print(f"… {len(together.distribution) - MOST_ROWS} more; --json prints all")


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
    notes = [f"one given hand wins it 1 in {one_in(first.event, 2)}: {first.event}"]
    if len(first.spots) > 1:
        several = sum(first.winners[2:])
        notes.append(f"two or more in one round: 1 in {one_in(several)}" if several else "")
    notes.append(first.assumption)
    title = f"Super Bonus and Envy Bonus: {first.hand} against {first.up} up"
    print_section(out, title, table, filter(None, notes))


def _print_insurance(out: Console, wagers: Mapping[str, InsuranceWager]) -> None:
    if not wagers:
        out.print("\nThere is no insurance, or no ace left for it.")
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
        "Insurance, of the insurance wager",
        table,
        [f"It breaks even where the dealer has blackjack {exact_percent(even)} of the time."],
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
    print_section(out, "Jackpots (more with: ventiuna jackpot RULES --game N)", table)
