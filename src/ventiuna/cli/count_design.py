"""`ventiuna count effects`, `design`, `evaluate` and `index`; code shared by count commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.analysis.coerce import command_text, options_to_args, rules_to_args
from ventiuna.cli.common.console import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.common.reports import number_table, print_command, print_section, with_progress
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.files import check_file
from ventiuna.rules import canonical, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.counting.evaluation import CountReport
    from ventiuna.counting.indices import CellIndex, IndexStudy, Turn
    from ventiuna.counting.removal import RemovalStudy
    from ventiuna.strategy.counting import Count, Weights


# --- Shared options ---

CountOption = Annotated[
    str,
    typer.Option(
        "--count", metavar="NAME", help="A built-in count or a file (.toml).", show_default=False
    ),
]
TagsOption = Annotated[
    str,
    typer.Option(
        metavar="TAGS",
        help="Tags: '2=1 3=1 10=-1 A=-1'. A card such as 7s can have its own tag.",
        show_default=False,
    ),
]
StartOption = Annotated[
    str,
    typer.Option(
        "--start",
        metavar="NUMBER",
        help="With --tags: running count of a new shoe, per deck. Default: minus the sum of a "
        "deck's tags.",
        show_default=False,
    ),
]
BaseOption = Annotated[
    str,
    typer.Option(
        metavar="AMOUNT",
        help="Base wager in dollars, to include its Super Bonus.",
        show_default=False,
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the count to a file.", show_default=False),
]
SeedOption = Annotated[int, typer.Option(help="Seed for the sample.")]
SpreadOption = Annotated[
    float, typer.Option(metavar="N", help="Highest bet as a multiple of the lowest.", min=1.0)
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Continue from a checkpoint; repeat the other options.",
        show_default=False,
    ),
]
StrategyOption = Annotated[
    str,
    typer.Option(help="Strategy beyond the count's index plays: optimal, chart, or a chart file."),
]
WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        "--threads",
        help="Number of threads; 0 for one per core.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Write a plot (SVG) to this file.", show_default=False
    ),
]


def read_base(name: str, text: str) -> int | None:
    from ventiuna.money import read_amount

    return read_amount(name, text) if text else None


# --- Counts as text ---

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
        table.add_row("betting correlation", f"{report.betting:.6f}")
        if report.count.sides:
            table.add_row("main count's betting correlation", f"{report.main_betting:.6f}")
            for gain in report.side_gains:
                table.add_row(f"betting correlation added by {gain.name}", f"{gain.betting:+.6f}")
        if report.playing is not None:
            table.add_row("playing efficiency, linear normal model", f"{report.playing:.4f}")
            if report.count.sides:
                table.add_row("same, with one sum for all plays", f"{report.one_sum_playing:.4f}")
            for gain in report.side_gains:
                table.add_row(f"playing efficiency added by {gain.name}", f"{gain.playing:+.4f}")
        if report.sampled is not None:
            found = report.sampled.efficiency
            table.add_row(
                f"playing efficiency, {report.sampled.shoes} random shoes analyzed",
                f"{found.value:.4f} ± {found.standard_error:.4f}",
            )
        if report.insurance is not None:
            table.add_row("insurance correlation", f"{report.insurance:.6f}")
            if report.count.sides and report.one_sum_insurance is not None:
                table.add_row("same, with the betting sum", f"{report.one_sum_insurance:.6f}")
            for gain in report.side_gains:
                if gain.insurance is not None:
                    words = f"insurance correlation added by {gain.name}"
                    table.add_row(words, f"{gain.insurance:+.6f}")
        for name, found_value in report.side_wagers:
            text = "no effect" if found_value is None else f"{found_value:+.6f}"
            table.add_row(f"correlation with {name}", text)
        table.add_row("gain per true count, first order", f"{100 * report.slope:+.4f}%")
        even = report.break_even
        table.add_row("base game breaks even at", "no count" if even is None else f"{even:+.2f}")
        drift = f"{float(report.drift):+g}" if report.drift else "0, balanced"
        table.add_row("a deck's tags add up to", drift)
        out.print(table)
        out.print(report.scale.text())
        for warning in report.warnings:
            out.print(f"warning: {warning}")


def _weights_text(count: Count, weights: Weights) -> str:
    """Describe a sum of counts: `the main count + 2 of 7`."""
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
            f"{1e4 * index.earns:.3f}",
            f"{together / study.earns:.1%}" if study.earns else "",
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

POINTS = 100  # percentage points per unit


def register_effects(app: typer.Typer) -> None:
    app.command("effects")(show_effects)


def show_effects(
    rules: RulesArgument = DEFAULT_RULES,
    base: BaseOption = "",
    meter: Annotated[
        str,
        typer.Option(
            metavar="AMOUNTS",
            help="Jackpot meters in dollars, such as 5000,900. "
            "Default: the break-even meter of each game.",
            show_default=False,
        ),
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Exact effects of removal for every wager: one card removed, everything recomputed."""
    from ventiuna.counting.removal import effects_of_removal
    from ventiuna.money import read_amount

    loaded = load_rules(rules)
    meters = tuple(read_amount("meter", word) for word in meter.split(",") if word)
    study = effects_of_removal(loaded, read_base("base", base), meters, with_progress)
    words = ["count", "effects", *rules_to_args(loaded), *options_to_args(base=base, meter=meter)]
    if json:
        print_json(study.as_data() | {"command": command_text([*words, "--json"])})
        return
    _print(study)
    print_command(console(), words)


def _print(study: RemovalStudy) -> None:
    out = console()
    rules = study.rules
    out.print(f"Effects of removal: {rules.title}")
    out.print(f"rules {canonical(rules)}, fingerprint {fingerprint(rules)}")
    out.print(f"fresh shoe of {rules.shoe_size} cards minus one; exact")
    table = number_table("card", *(effects.wager for effects in study.wagers))
    for kind in study.classes:
        row = [f"{rules.decks * POINTS * effects.of(kind.cards):+.4f}" for effects in study.wagers]
        table.add_row(kind.name, *row)
    table.add_row("all", *(_sum_text(effects.total) for effects in study.wagers))
    notes = [
        "percentage points of the wager for one card per deck (one card, times the decks)",
        "all: the effects of every card in the shoe added up; 0 if play doesn't depend on the card",
    ]
    if any(effects.wager == "Match the Dealer" for effects in study.wagers):
        notes.append(
            "Match the Dealer treats all ranks and suits alike, so removing one card has no effect"
        )
    print_section(out, "By card", table, notes)


def _sum_text(total: float) -> str:
    return f"{POINTS * total:+.4f}" if abs(total) > 1e-9 else "0"


# --- count design ---


def register_design(app: typer.Typer) -> None:
    app.command("design")(design)


def design(
    rules: RulesArgument = DEFAULT_RULES,
    level: Annotated[int, typer.Option(help="Largest tag: 1, 2 or 3.")] = 1,
    balanced: Annotated[
        bool,
        typer.Option("--balanced/--unbalanced", help="Whether a deck's tags add up to 0."),
    ] = True,
    running: Annotated[
        bool,
        typer.Option("--running", help="Search for an unbalanced count used as a running count."),
    ] = False,
    side_count: Annotated[
        list[str] | None,
        typer.Option(metavar="CARDS", help="Cards counted separately, such as 7 or '7s 7h'."),
    ] = None,
    suits: Annotated[
        list[str] | None,
        typer.Option(metavar="RANK", help="A rank whose suits have separate tags, such as 7."),
    ] = None,
    goal: Annotated[
        str, typer.Option(help="What to optimize the tags for: betting, playing or insurance.")
    ] = "betting",
    best: Annotated[int, typer.Option(help="Number of best ones to show.", min=1, max=20)] = 1,
    indices: Annotated[
        bool, typer.Option("--indices", help="Add the index numbers worth knowing.")
    ] = False,
    most: Annotated[int, typer.Option(help="Maximum number of index plays.", min=0, max=100)] = 30,
    sums: Annotated[
        int,
        typer.Option(help="With side counts: number of sums of counts to play by.", min=1, max=8),
    ] = 1,
    base: BaseOption = "",
    save: SaveOption = None,
    json: JsonFlag = False,
) -> None:
    """The best balanced (or unbalanced) tags of a level, from exact effects of removal."""
    from ventiuna.counting.design import CountSpec
    from ventiuna.counting.design import design as find_counts
    from ventiuna.counting.efficiency import EffectsCalculator, Goal
    from ventiuna.counting.evaluation import evaluate_count
    from ventiuna.counting.files import save_count, with_indices
    from ventiuna.counting.indices import index_by_sums
    from ventiuna.strategy.errors import plan_problem

    loaded = load_rules(rules)
    if goal not in list(Goal):
        raise plan_problem("goal", goal, "unknown goal", f"Choose from: {', '.join(Goal)}.")
    if sums > 1 and not (indices and side_count):
        raise plan_problem(
            "sums", sums, "only index plays with side counts can use several sums",
            "Add --indices and --side-count, or leave out --sums.",
        )  # fmt: skip
    wish = CountSpec(
        level, balanced, tuple(side_count or ()), tuple(suits or ()), Goal(goal), running
    )
    cents = read_base("base", base)
    if save is not None:
        check_file(save)
    workshop = EffectsCalculator(loaded, cents, with_progress)
    found = find_counts(workshop, wish, best)
    counts = found.counts
    reports = [evaluate_count(workshop, count) for count in counts]
    study = None
    first = counts[0]
    if indices:
        study = index_by_sums(workshop, first, sums)
        listed = study.worth_knowing(most)
        first = with_indices(first, loaded, listed, study.insurance)
    words = ["count", "design", *rules_to_args(loaded), "--level", str(level)]
    words += [] if balanced else ["--unbalanced"]
    words += ["--running"] if running else []
    for name in side_count or ():
        words += ["--side-count", name]
    for name in suits or ():
        words += ["--suits", name]
    words += options_to_args(goal=goal if goal != "betting" else None, base=base)
    words += ["--best", str(best)] if best > 1 else []
    words += ["--indices", "--most", str(most)] if indices else []
    words += ["--sums", str(sums)] if sums > 1 else []
    if json:
        print_json(
            {
                "counts": [report.as_data() for report in reports],
                "proof": found.as_data(),
                "indices": [cell.as_data() for cell in study.cells] if study else None,
                "insurance_at_count": study.insurance if study else None,
                "command": command_text([*words, "--json"]),
            }
        )
    else:
        out = console()
        out.print(f"Best {found.proof.searched} for {goal}: {loaded.title}")
        out.print(f"rules {canonical(loaded)}, fingerprint {fingerprint(loaded)}")
        out.print(found.text())
        print_reports(out, reports)
        if study is not None:
            print_indices(out, study, study.worth_knowing(most), first)
        print_command(out, words)
    if save is not None:
        save_count(save, first, loaded.pack)
        note(f"written to {save}")


# --- count evaluate ---


def register_evaluate(app: typer.Typer) -> None:
    app.command("evaluate")(evaluate)


def evaluate(
    rules: RulesArgument = DEFAULT_RULES,
    count: CountOption = "",
    tags: TagsOption = "",
    start: StartOption = "",
    sample: Annotated[
        int, typer.Option(help="Number of shoes to analyze for the playing efficiency.", min=0)
    ] = 0,
    seed: SeedOption = 21,
    base: BaseOption = "",
    json: JsonFlag = False,
) -> None:
    """Correlations and playing efficiency of a count, and whether it fits the deck."""
    from ventiuna.counting.efficiency import EffectsCalculator
    from ventiuna.counting.evaluation import evaluate_count
    from ventiuna.counting.files import coerce_count

    loaded = load_rules(rules)
    known = coerce_count(count, tags, start, loaded)
    workshop = EffectsCalculator(loaded, read_base("base", base), with_progress)
    report = evaluate_count(workshop, known, sample, seed)
    words = ["count", "evaluate", *rules_to_args(loaded)]
    words += options_to_args(count=count, tags=tags, start=start, base=base)
    words += ["--sample", str(sample), "--seed", str(seed)] if sample else []
    if json:
        print_json(report.as_data() | {"command": command_text([*words, "--json"])})
        return
    out = console()
    out.print(f"A count under {loaded.title}")
    out.print(f"rules {canonical(loaded)}, fingerprint {fingerprint(loaded)}")
    print_reports(out, [report])
    print_command(out, words)


# --- count index ---


def register_index(app: typer.Typer) -> None:
    app.command("index")(show_indices)


def show_indices(
    rules: RulesArgument = DEFAULT_RULES,
    count: CountOption = "",
    tags: TagsOption = "",
    start: StartOption = "",
    most: Annotated[int, typer.Option(help="Number of best ones to show.", min=1, max=1000)] = 30,
    whole: Annotated[bool, typer.Option("--all", help="Show every cell with an index.")] = False,
    sums: Annotated[
        int,
        typer.Option(help="With side counts: number of sums of counts to play by.", min=1, max=8),
    ] = 1,
    sample: Annotated[
        int,
        typer.Option(help="Shoes to analyze at each count, for its edge.", min=2, max=1000),
    ] = 16,
    base: BaseOption = "",
    save: SaveOption = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save progress here.", show_default=False),
    ] = None,
    resume: ResumeOption = None,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Index numbers from exact analysis, and what they earn with the count's own bets."""
    from ventiuna.counting.efficiency import EffectsCalculator
    from ventiuna.counting.files import coerce_count, designed_for, save_count, with_indices
    from ventiuna.counting.indices import IndexCheckpoint, bets_by_true_count, index_by_sums
    from ventiuna.counting.tags import Scale
    from ventiuna.money import money_text

    loaded = load_rules(rules)
    known = coerce_count(count, tags, start, loaded)
    for path in filter(None, (save, checkpoint)):
        check_file(path)
    bets = bets_by_true_count(known, loaded) if sums == 1 else None
    words = [
        "count",
        "index",
        *rules_to_args(loaded),
        *options_to_args(count=count, tags=tags, start=start, base=base),
    ]
    words += ["--sums", str(sums)] if sums > 1 else []
    words += ["--sample", str(sample)] if sample != 16 else []
    words += ["--all"] if whole else ["--most", str(most)]
    kept = checkpoint or resume
    keep = None if kept is None else IndexCheckpoint(kept, goes_on=resume is not None)
    workshop = EffectsCalculator(loaded, read_base("base", base), with_progress)
    try:
        study = index_by_sums(workshop, known, sums, bets, keep=keep)
    except KeyboardInterrupt:
        if kept is not None:
            note(f"To continue: {command_text([*words, '--resume', str(kept)])}")
        raise
    cells = study.cells if whole else study.worth_knowing(most, 1.0)
    cells = tuple(cell for cell in cells if cell.above or cell.below)
    edges = study.edges(sample, each=with_progress)
    warning = known.misfit(loaded.pack)
    by_count, scale = study.by_count, Scale(known, loaded)
    average_shoes = [
        {"at_count": scale.own(float(t)), "ev": float(ev), "fixed_play_per_wager": float(fixed)}
        for t, ev, fixed in zip(by_count.points, by_count.ev, by_count.fixed_ev, strict=True)
    ]
    if json:
        print_json(
            {
                "rules": canonical(loaded),
                "fingerprint": fingerprint(loaded),
                "count": known.name,
                "scale": scale.text(),
                "insurance_at_count": study.insurance,
                "earns_per_wager": study.earns,
                "bets": "the count's" if bets else "flat",
                "cells": [cell.as_data() for cell in (study.cells if whole else cells)],
                "by_count": [edge.as_data() for edge in edges],
                "tilted_shoes": average_shoes,
                "warnings": [warning] if warning else [],
                "command": command_text([*words, "--json"]),
            }
        )
    else:
        out = console()
        out.print(f"Index numbers of {known.title}: {loaded.title}")
        out.print(f"rules {canonical(loaded)}, fingerprint {fingerprint(loaded)}")
        out.print(f"earnings with {'the bets of this count' if bets else 'flat bets'}")
        if sums > 1 and len(known.bets) > 1:
            out.print("(the count's bets apply only to plays by a single sum)")
        print_indices(out, study, cells, known)
        table = number_table("count", "rounds", "edge", "±", gap=3)
        for edge in edges:
            table.add_row(
                f"{edge.count:+d}",
                f"{100 * edge.frequency:.2f}%",
                f"{100 * edge.ev:+.3f}%",
                f"{100 * edge.error:.3f}%",
            )
        wager = money_text(workshop.base or loaded.table_minimum)
        notes = [
            "average over the shoes from this count up to the next whole one",
            "best play for a full shoe, without index plays or insurance",
            f"Super Bonus of a {wager} wager included",
        ]
        print_section(out, "Edge at each count", table, notes)
        table = number_table("count", "best play", "play for a full shoe", gap=3)
        for shoe in average_shoes:
            table.add_row(*(f"{shoe['at_count']:+.2f}", f"{100 * shoe['ev']:+.3f}%",
                            f"{100 * shoe['fixed_play_per_wager']:+.3f}%"))  # fmt: skip
        notes = [
            "one full shoe with the average composition at this count; its value isn't the edge",
            f"Super Bonus {'included' if workshop.base else 'not included'}",
        ]
        print_section(out, "Value of the average shoe", table, notes)
        if warning:
            out.print(f"warning: {warning}")
        print_command(out, words)
    if save is not None:
        best = [cell for cell in cells if cell.earns > 0][:most]
        save_count(save, designed_for(with_indices(known, loaded, best, study.insurance), loaded),
                   loaded.pack)  # fmt: skip
        note(f"written to {save}")
