"""`ventiuna count design`: the best whole-number tags for given rules."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.cli.count.options import BaseOption, SaveOption, read_cents
from ventiuna.cli.count.text import print_indices, print_reports
from ventiuna.cli.output import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.reports import print_command, with_progress
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.files import check_file
from ventiuna.rules import canonical, fingerprint, load_rules


def register(app: typer.Typer) -> None:
    app.command("design")(design)


def design(
    rules: RulesArgument = DEFAULT_RULES,
    level: Annotated[int, typer.Option(help="Largest tag: 1, 2 or 3.")] = 1,
    balanced: Annotated[
        bool,
        typer.Option("--balanced/--unbalanced", help="Whether the tags of a deck add up to 0."),
    ] = True,
    running: Annotated[
        bool, typer.Option("--running", help="An unbalanced count that isn't divided by decks.")
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
    best: Annotated[int, typer.Option(help="How many of the best to show.", min=1, max=20)] = 1,
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
    from ventiuna.counting.design import Wish
    from ventiuna.counting.design import design as find_counts
    from ventiuna.counting.evaluate import evaluate_count
    from ventiuna.counting.files import save_count, with_indices
    from ventiuna.counting.sums import index_by_sums
    from ventiuna.counting.workshop import Goal, Workshop
    from ventiuna.strategy.errors import plan_problem

    loaded = load_rules(rules)
    if goal not in list(Goal):
        raise plan_problem("goal", goal, "no such goal", f"Use {', '.join(Goal)}.")
    if sums > 1 and not (indices and side_count):
        raise plan_problem(
            "sums", sums, "index plays of side counts go by several sums",
            "Give --indices and --side-count as well, or leave it out.",
        )  # fmt: skip
    wish = Wish(level, balanced, tuple(side_count or ()), tuple(suits or ()), Goal(goal), running)
    cents = read_cents("base", base)
    if save is not None:
        check_file(save)
    workshop = Workshop(loaded, cents, with_progress)
    found = find_counts(workshop, wish, best)
    counts = found.counts
    reports = [evaluate_count(workshop, count) for count in counts]
    study = None
    first = counts[0]
    if indices:
        study = index_by_sums(workshop, first, sums)
        shown = study.worth_knowing(most)
        first = with_indices(first, loaded, shown, study.insurance)
    words = ["count", "design", *rules_words(loaded), "--level", str(level)]
    words += [] if balanced else ["--unbalanced"]
    words += ["--running"] if running else []
    for name in side_count or ():
        words += ["--side-count", name]
    for name in suits or ():
        words += ["--suits", name]
    words += option_words(goal=goal if goal != "betting" else None, base=base)
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
        note(f"written: {save}")
