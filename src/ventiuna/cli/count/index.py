"""`ventiuna count index`: index numbers of every chart cell, by what they earn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.cli.count.options import (
    BaseOption,
    CountOption,
    ResumeOption,
    SaveOption,
    StartOption,
    TagsOption,
    read_cents,
)
from ventiuna.cli.count.text import print_indices
from ventiuna.cli.output import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.reports import number_table, print_command, print_section, with_progress
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.files import check_file
from ventiuna.rules import canonical, fingerprint, load_rules


def register(app: typer.Typer) -> None:
    app.command("index")(show_indices)


def show_indices(
    rules: RulesArgument = DEFAULT_RULES,
    count: CountOption = "",
    tags: TagsOption = "",
    start: StartOption = "",
    most: Annotated[int, typer.Option(help="How many of the best to show.", min=1, max=1000)] = 30,
    whole: Annotated[bool, typer.Option("--all", help="Show every cell with an index.")] = False,
    sums: Annotated[
        int,
        typer.Option(help="With side counts: number of sums of counts to play by.", min=1, max=8),
    ] = 1,
    sample: Annotated[
        int,
        typer.Option(help="Shoes to analyze at each count for the edge there.", min=2, max=1000),
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
    """Index numbers from exact analysis, and what they earn at the count's own bets."""
    from ventiuna.counting.files import made_for, save_count, with_indices
    from ventiuna.counting.given import given_count
    from ventiuna.counting.keeping import KeptShoes
    from ventiuna.counting.own_bets import own_bets
    from ventiuna.counting.scales import Scale
    from ventiuna.counting.sums import index_by_sums
    from ventiuna.counting.workshop import Workshop
    from ventiuna.money import money_text

    loaded = load_rules(rules)
    known = given_count(count, tags, start, loaded)
    for path in filter(None, (save, checkpoint)):
        check_file(path)
    bets = own_bets(known, loaded) if sums == 1 else None
    words = [
        "count",
        "index",
        *rules_words(loaded),
        *option_words(count=count, tags=tags, start=start, base=base),
    ]
    words += ["--sums", str(sums)] if sums > 1 else []
    words += ["--sample", str(sample)] if sample != 16 else []
    words += ["--all"] if whole else ["--most", str(most)]
    kept = checkpoint or resume
    keep = None if kept is None else KeptShoes(kept, goes_on=resume is not None)
    workshop = Workshop(loaded, read_cents("base", base), with_progress)
    try:
        study = index_by_sums(workshop, known, sums, bets, keep=keep)
    except KeyboardInterrupt:
        if kept is not None:
            note(f"continue with: {command_text([*words, '--resume', str(kept)])}")
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
        out.print(f"earnings {'at the bets of the count' if bets else 'at flat bets'}")
        if sums > 1 and len(known.bets) > 1:
            out.print("(bets follow another count than plays that go by several sums)")
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
            "average over the shoes that occur from this count up to the next whole one",
            "best play for a full shoe, without index plays or insurance",
            f"Super Bonus of a {wager} wager included",
        ]
        print_section(out, "Edge at each count", table, notes)
        table = number_table("count", "best play", "play for a full shoe", gap=3)
        for shoe in average_shoes:
            table.add_row(*(f"{shoe['at_count']:+.2f}", f"{100 * shoe['ev']:+.3f}%",
                            f"{100 * shoe['fixed_play_per_wager']:+.3f}%"))  # fmt: skip
        notes = [
            "one full-size shoe with the average composition at the count, not the edge there",
            f"Super Bonus {'included' if workshop.base else 'not included'}",
        ]
        print_section(out, "Value of the average shoe", table, notes)
        if warning:
            out.print(f"warning: {warning}")
        print_command(out, words)
    if save is not None:
        best = [cell for cell in cells if cell.earns > 0][:most]
        save_count(save, made_for(with_indices(known, loaded, best, study.insurance), loaded),
                   loaded.pack)  # fmt: skip
        note(f"written: {save}")
