"""`ventiuna count compare`: several counts and penetrations in one table and plot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from ventiuna.analysis.questions.again import command_text, rules_words
from ventiuna.analysis.questions.numbers import problem, read_number
from ventiuna.cli.count.options import PlotOption, SpreadOption, StrategyOption, WorkersOption
from ventiuna.cli.count.playing import INTERRUPTED, Kept, go_on
from ventiuna.cli.count.text import bar_text
from ventiuna.cli.output import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.reports import number_table, print_command, print_section
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.cli.simulate.playing import Places, play
from ventiuna.files import check_file, make_folder, write_file
from ventiuna.rules import canonical, fingerprint, load_rules


def register(app: typer.Typer) -> None:
    app.command("compare")(compare)


def compare(
    rules: RulesArgument = DEFAULT_RULES,
    count: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A built-in count or a file; may be repeated.",
                     show_default=False),
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option(metavar="TAGS", help="Tags such as '2=1 10=-1'; may be repeated.",
                     show_default=False),
    ] = None,
    penetration: Annotated[
        str, typer.Option(metavar="PERCENTS", help="Shares of the shoe dealt, such as 65,75,85.")
    ] = "",
    spread: SpreadOption = 8.0,
    rounds: Annotated[str, typer.Option(help="Rounds per count.")] = "5e6",
    strategy: StrategyOption = "optimal",
    seed: Annotated[int, typer.Option(help="Seed of the shuffles.")] = 21,
    workers: WorkersOption = 0,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Save a checkpoint of every count in this folder.",
                     show_default=False),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Continue from this folder; repeat the other options.",
                     show_default=False),
    ] = None,
    plot: PlotOption = None,
    json: JsonFlag = False,
) -> None:  # fmt: skip
    """Compare counts by SCORE, DI and N0, each with the best bets of the spread."""
    from ventiuna.counting.comparing import comparisons
    from ventiuna.counting.given import named_count, tags_count
    from ventiuna.counting.plots import compared_svg
    from ventiuna.counting.study import Sitting

    loaded = load_rules(rules)
    counts = [named_count(name, loaded) for name in count or ()]
    counts += [tags_count(text, text, None, loaded) for text in tags or ()]
    if not counts:
        raise problem("count", "", "no count is named", "Use --count NAME, or --tags.")
    percents = _percents(penetration) or [loaded.cut_card_percent]
    if plot is not None:
        check_file(plot)
    number = read_number("rounds", rounds)
    sitting = Sitting(strategy, 1, 0, seed)
    words = ["count", "compare", *rules_words(loaded)]
    for name in count or ():
        words += ["--count", name]
    for text in tags or ():
        words += ["--tags", text]
    words += ["--penetration", ",".join(map(str, percents)), "--spread", f"{spread:g}"]
    words += ["--rounds", rounds, "--seed", str(seed)]
    words += ["--strategy", strategy] if strategy != "optimal" else []
    keep = save or resume
    if keep is not None:
        make_folder(keep)
    found = []
    for one in comparisons(loaded, counts, percents):
        run = one.run(number, sitting)
        kept = None if keep is None else keep / f"{run.work.digest}.checkpoint"
        if resume is not None and kept is not None and kept.exists():
            go_on(run, kept)
        note(f"{one.count.name}, {one.penetration} % dealt: {number:,} rounds")
        played = play(
            run, Places(workers, "", kept), Kept(canonical(one.rules), one.count.name, seed)
        )
        if played.unsaved is not None:
            raise played.unsaved
        if not played.result.complete:
            _stop(words, keep)
        found.append(one.compared(played.result, spread))
    if json:
        print_json(
            {
                "rules": canonical(loaded),
                "fingerprint": fingerprint(loaded),
                "spread_wagers": spread,
                "seed": seed,
                "compared": [one.as_data() for one in found],
                "command": command_text([*words, "--json"]),
            }
        )
    else:
        out = console()
        out.print(f"Counts side by side: {loaded.title}")
        out.print(f"rules {canonical(loaded)}, fingerprint {fingerprint(loaded)}")
        table = number_table("count", "dealt", "SCORE", "±", "DI", "N0", "win/100", "bet", "drawn")
        table.columns[-1].justify = "left"
        most = max(one.ramp.c_score for one in found)
        for row in found:
            ramp = row.ramp
            table.add_row(
                row.count,
                f"{row.penetration} %",
                f"{ramp.c_score:.2f}",
                f"{ramp.c_score_error:.2f}",
                f"{ramp.desirability:.2f}",
                f"{ramp.n_zero:,.0f}" if ramp.mean > 0 else "never",
                f"{100 * ramp.mean:+.3f}",
                f"{ramp.average_bet:.2f}",
                bar_text(ramp.c_score, 2 * most),
            )
        notes = [f"win per 100 rounds and average bet in units; spread 1 to {spread:g}"]
        print_section(out, f"{number:,} rounds for each", table, notes)
        print_command(out, words)
    if plot is not None:
        write_file(plot, compared_svg(found))
        note(f"written: {plot}")


def _stop(words: list[str], keep: Path | None) -> NoReturn:
    """Somebody stopped a count: what is kept can be gone on with."""
    if keep is None:
        note("stopped: nothing is kept without --save FOLDER")
    else:
        note(f"continue with: {command_text([*words, '--resume', str(keep)])}")
    raise typer.Exit(INTERRUPTED)


def _percents(text: str) -> list[int]:
    words = [word.strip().removesuffix("%") for word in text.split(",") if word.strip()]
    for word in words:
        if not word.isdecimal() or not 1 <= int(word[:4]) <= 99:
            raise problem("penetration", word, "not a share from 1 to 99 per cent",
                          "Write it as 65,75,85.")  # fmt: skip
    return [int(word) for word in words]
