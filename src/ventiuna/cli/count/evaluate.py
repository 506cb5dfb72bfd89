"""`ventiuna count evaluate`: how good known counts are under given rules."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.cli.count.options import (
    BaseOption,
    CountOption,
    SeedOption,
    StartOption,
    TagsOption,
    read_cents,
)
from ventiuna.cli.count.text import print_reports
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import print_command, with_progress
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.rules import canonical, fingerprint, load_rules


def register(app: typer.Typer) -> None:
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
    from ventiuna.counting.evaluate import evaluate_count
    from ventiuna.counting.given import given_count
    from ventiuna.counting.workshop import Workshop

    loaded = load_rules(rules)
    known = given_count(count, tags, start, loaded)
    workshop = Workshop(loaded, read_cents("base", base), with_progress)
    report = evaluate_count(workshop, known, sample, seed)
    words = ["count", "evaluate", *rules_words(loaded)]
    words += option_words(count=count, tags=tags, start=start, base=base)
    words += ["--sample", str(sample), "--seed", str(seed)] if sample else []
    if json:
        print_json(report.as_data() | {"command": command_text([*words, "--json"])})
        return
    out = console()
    out.print(f"A count under {loaded.title}")
    out.print(f"rules {canonical(loaded)}, fingerprint {fingerprint(loaded)}")
    print_reports(out, [report])
    print_command(out, words)
