"""`ventiuna count effects`, `design`, `evaluate` and `index`; code shared by count commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import Console

from ventiuna.analysis.results import FIXED_6, Column, Form, FormattedNumber
from ventiuna.cli.common.console import JsonFlag, console, note, number_table, print_json
from ventiuna.cli.common.reports import print_command, print_section, with_progress
from ventiuna.cli.common.tables import OutputTable
from ventiuna.cli.simulate import file_option
from ventiuna.counting.queries import (
    DesignQuery,
    EffectsQuery,
    EvaluateQuery,
    IndexQuery,
    rules_facts,
)
from ventiuna.files import check_file
from ventiuna.rules import Rules, canonical, fingerprint

if TYPE_CHECKING:
    from ventiuna.counting.evaluation import CountReport
    from ventiuna.counting.indices import CellIndex, IndexPoint, IndexStudy
    from ventiuna.strategy.counting import Count, Weights


# --- Shared ---

ResumeOption = Annotated[
    Path | None, file_option(help="Continue from a checkpoint; repeat the other options.")
]
SaveOption = Annotated[Path | None, file_option(help="Write the count to a file.")]


def print_title(out: Console, title: str, rules: Rules) -> None:
    out.print(f"{title}: {rules.title}")
    out.print(f"rules {canonical(rules)}, fingerprint {fingerprint(rules)}")


# --- Counts as text ---

_SIGNED_6 = Form(6, plus=True)

BAR = 16  # widest bar, in characters


def bar_text(value: float, maximum: float) -> str:
    """Draw a bar: # for gains, - for losses.

    >>> bar_text(1, 3), bar_text(-0.5, 3)
    ('#####', '---')
    """
    length = round(BAR * abs(value) / maximum) if maximum else 0
    return ("#" if value >= 0 else "-") * length


def print_reports(out: Console, reports: Sequence[CountReport]) -> None:
    """Print counts side by side."""
    for report in reports:
        out.print()
        out.print(f"{report.count.name}: {report.tags}", soft_wrap=True)
        for side in report.count.sides:
            from ventiuna.counting.tags import named_tags, tags_text

            tags = tags_text(named_tags(side, report.rules.pack))
            first = float(side.start_in(report.rules.pack))
            start = f", starting at {first:+g} per deck" if first else ""
            weight = f"weight {float(side.weight):+g} in the betting count"
            out.print(f"  side count {side.name}: {tags}{start}, {weight}", soft_wrap=True)
        if report.count.insurance_weights:
            words = _weights_text(report.count, report.count.insurance_weights)
            out.print(f"  insurance by {words}", soft_wrap=True)
        table = number_table("", "", gap=3)
        for row in _report_rows(report):
            table.add_row(*row)
        out.print(table)
        out.print(report.scale.text())
        for warning in report.warnings:
            out.print(f"warning: {warning}")


def _report_rows(report: CountReport) -> Iterator[tuple[str, str | FormattedNumber]]:
    yield "betting correlation", FormattedNumber(report.betting, FIXED_6)
    if report.count.sides:
        yield "main count's betting correlation", FormattedNumber(report.main_betting, FIXED_6)
        for gain in report.side_gains:
            yield (
                f"betting correlation added by {gain.name}",
                FormattedNumber(gain.betting, _SIGNED_6),
            )
    if report.playing is not None:
        yield "playing efficiency, linear normal model", FormattedNumber(report.playing, Form(4))
        if report.count.sides:
            yield (
                "same, with one sum for all plays",
                FormattedNumber(report.one_sum_playing, Form(4)),
            )
        for gain in report.side_gains:
            name = f"playing efficiency added by {gain.name}"
            yield name, FormattedNumber(gain.playing, Form(4, plus=True))
    if report.sampled is not None:
        found = report.sampled.efficiency
        name = f"playing efficiency, {report.sampled.shoes} random shoes analyzed"
        shown = f"{found.value:.4f} ± {found.standard_error:.4f}"
        yield name, FormattedNumber(found.value, Form(4), shown)
    if report.insurance is not None:
        yield "insurance correlation", FormattedNumber(report.insurance, FIXED_6)
        if report.count.sides and report.one_sum_insurance is not None:
            yield "same, with the betting sum", FormattedNumber(report.one_sum_insurance, FIXED_6)
        for gain in report.side_gains:
            if gain.insurance is not None:
                name = f"insurance correlation added by {gain.name}"
                yield name, FormattedNumber(gain.insurance, _SIGNED_6)
    for name, value in report.side_wagers:
        cell = "no effect" if value is None else FormattedNumber(value, _SIGNED_6)
        yield f"correlation with {name}", cell
    slope = FormattedNumber(report.slope, Form(4, "percent", plus=True))
    yield "gain per true count, first order", slope
    even = report.break_even
    at = "no count" if even is None else FormattedNumber(even, Form(2, plus=True))
    yield "base game breaks even at", at
    drift = Form(6, plus=True, zero="0, balanced", style="g")
    yield "a deck's tags add up to", FormattedNumber(float(report.drift), drift)


def _weights_text(count: Count, weights: Weights) -> str:
    """Describe a sum of counts, such as `the main count + 2 of 7`."""
    names = ("the main count", *(side.name for side in count.sides))
    parts = [
        name if weight == 1 else f"{float(weight):g} of {name}"
        for name, weight in zip(names, weights, strict=True)
        if weight
    ]
    return " + ".join(parts) or "nothing"


def turn_text(turn: IndexPoint | None, word: str, of: str = "") -> str:
    return "" if turn is None else f"{turn.letter} {word} {turn.at:+.1f}{of}"


def print_indices(
    out: Console, study: IndexStudy, cells: Sequence[CellIndex], count: Count
) -> None:
    from ventiuna.analysis.charts.best_play import LETTER_OF
    from ventiuna.counting.indices import sums_of
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
            FormattedNumber(1e4 * index.earns, Form(3)),
            FormattedNumber(together / study.earns, Form(1, "percent")) if study.earns else "",
        )
    notes = [
        "H hit, S stand, D double, P split, R surrender, or rescue once doubled",
        *([study.scale.text()] if study.scale else []),
        "the count includes the hand's own cards and the up card",
        "earns: hundredths of a base wager per 100 rounds, with a flat bet of one wager",
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
        notes.insert(0, f"insurance: at {study.insurance:+.2f} or higher{by}")
    print_section(out, "Index numbers, best earners first", table, notes)


# --- count effects ---


def show_effects(query: EffectsQuery, json: JsonFlag = False) -> None:
    study = query.run(with_progress)
    if json:
        print_json(query.data(study))
        return
    out, rules = console(), query.rules
    print_title(out, "Effects of removal", rules)
    out.print(f"fresh shoe of {rules.shoe_size} cards minus one; exact")
    table = number_table("card", *(effects.wager for effects in study.wagers))
    for kind in study.classes:
        row = [100 * rules.decks * effects.of(kind.cards) for effects in study.wagers]
        table.add_row(kind.name, *(FormattedNumber(points, Form(4, plus=True)) for points in row))
    sums = [effects.total if abs(effects.total) > 1e-9 else 0.0 for effects in study.wagers]
    form = Form(4, plus=True, zero="0")
    table.add_row("all", *(FormattedNumber(100 * total, form) for total in sums))
    notes = [
        "percentage points of the wager for each card removed, times the number of decks",
        "all: the effects of every card in the shoe added up; 0 if play doesn't depend on the card",
    ]
    if any(effects.wager == "Match the Dealer" for effects in study.wagers):
        notes.append(
            "Match the Dealer treats all ranks and suits alike, so removing one card has no effect"
        )
    print_section(out, "By card", table, notes)
    print_command(out, query.words())


# --- count design ---


def design(query: DesignQuery, save: SaveOption = None, json: JsonFlag = False) -> None:
    from ventiuna.counting.files import save_count

    if save is not None:
        check_file(save)
    found = query.run(with_progress)
    if json:
        print_json(query.data(found))
    else:
        out, study = console(), found.study
        title = f"Best {found.design.proof.searched} for {query.goal}"
        print_title(out, title, query.rules)
        out.print(found.design.text())
        print_reports(out, found.reports)
        if study is not None:
            print_indices(out, study, study.worth_knowing(query.most), found.best)
        print_command(out, query.words())
    if save is not None:
        save_count(save, found.best, query.rules.pack)
        note(f"written to {save}")


# --- count evaluate ---


def evaluate(query: EvaluateQuery, json: JsonFlag = False) -> None:
    report = query.run(with_progress)
    if json:
        print_json(query.data(report))
        return
    out = console()
    out.print(f"A count under {query.rules.title}")
    out.print(f"rules {canonical(query.rules)}, fingerprint {fingerprint(query.rules)}")
    print_reports(out, [report])
    print_command(out, query.words())


# --- count index ---

_EDGE = Form(3, "percent", plus=True)
_EDGES = (
    Column("count", None, lambda edge: f"{edge.count:+d}"),
    Column("rounds", Form(2, "percent"), attrgetter("frequency")),
    Column("edge", _EDGE, attrgetter("ev")),
    Column("±", Form(3, "percent"), attrgetter("error")),
)
_AVERAGE_SHOES = (
    Column("count", None, lambda shoe: f"{shoe['at_count']:+.2f}"),
    Column("best play", _EDGE, itemgetter("ev")),
    Column("play for a full shoe", _EDGE, itemgetter("fixed_play_per_wager")),
)


def show_indices(
    query: IndexQuery,
    save: SaveOption = None,
    checkpoint: Annotated[Path | None, file_option(help="Save progress here.")] = None,
    resume: ResumeOption = None,
    json: JsonFlag = False,
) -> None:
    from ventiuna.counting.files import designed_for, save_count, with_indices
    from ventiuna.counting.indices import IndexCheckpoint
    from ventiuna.counting.tags import Scale
    from ventiuna.money import money_text

    rules, known, whole, most = query.rules, query.known, query.whole, query.most
    for path in filter(None, (save, checkpoint)):
        check_file(path)
    kept = checkpoint or resume
    keep = None if kept is None else IndexCheckpoint(kept, goes_on=resume is not None)
    try:
        study = query.run(with_progress, keep)
    except KeyboardInterrupt:
        if kept is not None:
            note(f"To continue: {query.repeat('--resume', str(kept))}")
        raise
    cells = study.cells if whole else study.worth_knowing(most, 1.0)
    cells = tuple(cell for cell in cells if cell.above or cell.below)
    edges = study.edges(query.sample, each=with_progress)
    warning = known.misfit(rules.pack)
    by_count, scale = study.by_count, Scale(known, rules)
    at_its_bets = query.sums == 1 and len(known.bets) > 1
    average_shoes = [
        {"at_count": scale.own(float(t)), "ev": float(ev), "fixed_play_per_wager": float(fixed)}
        for t, ev, fixed in zip(by_count.points, by_count.ev, by_count.fixed_ev, strict=True)
    ]
    if json:
        print_json(
            {
                **rules_facts(rules),
                "count": known.name,
                "scale": scale.text(),
                "insurance_at_count": study.insurance,
                "earns_per_wager": study.earns,
                "bets": "the count's" if at_its_bets else "flat",
                "cells": [cell.as_data() for cell in (study.cells if whole else cells)],
                "by_count": [edge.as_data() for edge in edges],
                "tilted_shoes": average_shoes,
                "warnings": [warning] if warning else [],
                "command": query.repeat("--json"),
            }
        )
    else:
        out = console()
        print_title(out, f"Index numbers of {known.title}", rules)
        out.print(f"earnings with {'the bets of this count' if at_its_bets else 'flat bets'}")
        if query.sums > 1 and len(known.bets) > 1:
            out.print("(the count's own bets can be used only if all plays use the same sum)")
        print_indices(out, study, cells, known)
        table = OutputTable.of(_EDGES, edges, gap=3)
        wager = money_text(query.base or rules.table_minimum)
        notes = [
            "each row averages shoes with counts up to the next whole number",
            "best play for a full shoe, without index plays or insurance",
            f"Super Bonus for a {wager} wager included",
        ]
        print_section(out, "Edge at each count", table, notes)
        table = OutputTable.of(_AVERAGE_SHOES, average_shoes, gap=3)
        notes = [
            "one full shoe with the average composition at this count; its value isn't the edge",
            f"Super Bonus {'included' if query.base else 'not included'}",
        ]
        print_section(out, "Value of the average shoe", table, notes)
        if warning:
            out.print(f"warning: {warning}")
        print_command(out, query.words())
    if save is not None:
        best = [cell for cell in cells if cell.earns > 0][:most]
        count = designed_for(with_indices(known, rules, best, study.insurance), rules)
        save_count(save, count, rules.pack)
        note(f"written to {save}")
