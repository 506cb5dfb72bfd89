"""Reports on counts as text: figures, warnings, index numbers, bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from ventiuna.cli.reports import number_table, print_section

if TYPE_CHECKING:
    from ventiuna.counting.evaluate import CountReport
    from ventiuna.counting.indices import CellIndex, IndexStudy, Turn
    from ventiuna.strategy.counting import Count
    from ventiuna.strategy.plays import Weights

BAR = 16  # widest bar, in characters


def bar_text(value: float, most: float) -> str:
    """A bar of # to the right for gains, of - for losses.

    >>> bar_text(1, 3), bar_text(-0.5, 3)
    ('#####', '---')
    """
    length = round(BAR * abs(value) / most) if most else 0
    return ("#" if value >= 0 else "-") * length


def print_reports(out: Console, reports: Sequence[CountReport]) -> None:
    """Counts side by side."""
    for report in reports:
        out.print()
        out.print(f"{report.count.name}: {report.tags}", soft_wrap=True)
        for side in report.count.sides:
            from ventiuna.counting.tags import named_tags, tags_text

            tags = tags_text(named_tags(side, report.rules.pack))
            first = float(side.start_in(report.rules.pack))
            start = f", starting at {first:+g} a deck" if first else ""
            weight = f"each {float(side.weight):+g} to the count that bets"
            out.print(f"  beside it {side.name}: {tags}{start}, {weight}", soft_wrap=True)
        if report.count.insurance_weights:
            words = _weights_text(report.count, report.count.insurance_weights)
            out.print(f"  insurance by {words}", soft_wrap=True)
        table = number_table("", "", gap=3)
        table.add_row("betting correlation", f"{report.betting:.6f}")
        if report.count.sides:
            table.add_row("betting correlation of the main count", f"{report.main_betting:.6f}")
            for gain in report.side_gains:
                table.add_row(f"betting correlation that {gain.name} adds", f"{gain.betting:+.6f}")
        if report.playing is not None:
            table.add_row("playing efficiency, linear and normal", f"{report.playing:.4f}")
            if report.count.sides:
                table.add_row("the same by one sum for all plays", f"{report.one_sum_playing:.4f}")
            for gain in report.side_gains:
                table.add_row(f"playing efficiency that {gain.name} adds", f"{gain.playing:+.4f}")
        if report.sampled is not None:
            found = report.sampled.efficiency
            table.add_row(
                f"playing efficiency, {report.sampled.shoes} shoes drawn and analysed",
                f"{found.value:.4f} ± {found.standard_error:.4f}",
            )
        if report.insurance is not None:
            table.add_row("insurance correlation", f"{report.insurance:.6f}")
            if report.count.sides and report.one_sum_insurance is not None:
                table.add_row("the same by the sum that bets", f"{report.one_sum_insurance:.6f}")
            for gain in report.side_gains:
                if gain.insurance is not None:
                    words = f"insurance correlation that {gain.name} adds"
                    table.add_row(words, f"{gain.insurance:+.6f}")
        for name, found_value in report.side_wagers:
            shown = "no effect to follow" if found_value is None else f"{found_value:+.6f}"
            table.add_row(f"correlation with {name}", shown)
        table.add_row("gain per true count, first order", f"{100 * report.slope:+.4f} %")
        even = report.break_even
        table.add_row("base game breaks even at", "no count" if even is None else f"{even:+.2f}")
        drift = f"{float(report.drift):+g}" if report.drift else "0, balanced"
        table.add_row("tags of a deck add up to", drift)
        out.print(table)
        out.print(report.scale.text())
        for warning in report.warnings:
            out.print(f"warning: {warning}")


def _weights_text(count: Count, weights: Weights) -> str:
    """A sum of counts in words: `the main count + 2 of 7`."""
    names = ("the main count", *(side.name for side in count.sides))
    parts = [
        name if weight == 1 else f"{float(weight):g} of {name}"
        for name, weight in zip(names, weights, strict=True)
        if weight
    ]
    return " + ".join(parts) or "nothing"


def turn_text(turn: Turn | None, word: str, of: str = "") -> str:
    return "" if turn is None else f"{turn.letter} {word} {turn.at:+.1f}{of}"


def print_indices(
    out: Console, study: IndexStudy, cells: Sequence[CellIndex], count: Count
) -> None:
    from ventiuna.analysis.charts.derive.groups import LETTER_OF
    from ventiuna.counting.sums import sums_of
    from ventiuna.counting.tags import value_name

    sums = sums_of(tuple(cells))
    letters = {weights: chr(ord("a") + place) for place, weights in enumerate(sums)}
    table = number_table("hand", "cards", "", "up", "usual", "from", "below", "earns", "together",
                         words=7)  # fmt: skip
    together = 0.0
    for index in cells:
        together += index.earns
        table.add_row(
            index.cell.hand,
            index.cell.cards,
            index.cell.situation,
            value_name(index.cell.up),
            LETTER_OF[index.usual],
            turn_text(index.above, "from", letters.get(index.weights, "")),
            turn_text(index.below, "below", letters.get(index.weights, "")),
            f"{1e4 * index.earns:.3f}",
            f"{together / study.earns:.1%}" if study.earns else "",
        )
    notes = [
        "H hit, S stand, D double, P split, R surrender, or rescue once doubled",
        *([study.scale.text()] if study.scale else []),
        "the count includes the hand's own cards and the up card",
        "earns: hundredths of a base wager per 100 rounds, one wager bet at every count",
        f"all indices together: {1e4 * study.earns:.2f}",
        f"range searched: counts {study.lowest:+.1f} to {study.highest:+.1f}",
    ]
    notes += [
        f"{letter}: counts of {_weights_text(count, weights)}"
        for weights, letter in letters.items()
    ]
    if study.insurance is not None:
        by = ""
        if count.insurance_weights:
            by = f", by {_weights_text(count, count.insurance_weights)}"
        notes.insert(0, f"insurance: from {study.insurance:+.2f} on{by}")
    print_section(out, "Index numbers, best earners first", table, notes)
