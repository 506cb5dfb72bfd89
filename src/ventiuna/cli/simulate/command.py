"""`ventiuna simulate`: rounds by the billion, here or on a cluster."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ventiuna.cli.compiling import ANALYSER, compile_for_work, compile_parts
from ventiuna.cli.output import JsonFlag, console, print_json
from ventiuna.cli.reports import command_text
from ventiuna.cli.simulate.settings import (
    Settings,
    make_folder,
    problem,
    read_number,
    read_share,
)

if TYPE_CHECKING:
    from ventiuna.simulation.executors import Workers
    from ventiuna.simulation.result import Result
    from ventiuna.simulation.run import Progress, Run, Save
    from ventiuna.simulation.tally import Tally

SAVE_EVERY = 20.0  # seconds
USUAL_ROUNDS = 10**6
INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    app.command("simulate")(simulate)


def simulate(
    rules: Annotated[
        str,
        typer.Argument(
            metavar="RULES",
            help="A preset, a rules file (.toml), or either with changes: "
            "'wsgc-2021(decks=8,soft_17=stand)'. Not needed with --resume.",
            show_default=False,
        ),
    ] = "",
    rounds: Annotated[
        str,
        typer.Option(
            metavar="NUMBER",
            help="Rounds to play: 5000000, 5e6 or 5M; default: 1e6, or as --until needs.",
            show_default=False,
        ),
    ] = "",
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="chart, optimal, mimic, habits, a built-in chart, or a chart file (.toml).",
        ),
    ] = "chart",
    spots: Annotated[
        int, typer.Option("--spots", "--seats", help="Betting spots, each a player of its own.")
    ] = 1,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT", help="Base wager; default: table minimum.", show_default=False
        ),
    ] = "",
    side: Annotated[
        str,
        typer.Option(
            metavar="WAGERS",
            help="up=5,down=5,b1=2,jackpot-1; or all that the table offers.",
            show_default=False,
        ),
    ] = "",
    shoe: Annotated[
        str, typer.Option(metavar="USE", help="cut-card, or fresh: a full shoe for every round.")
    ] = "cut-card",
    errors: Annotated[
        str,
        typer.Option(metavar="SHARE", help="Errors, as 2% of the decisions.", show_default=False),
    ] = "",
    count: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Bet and play by a count: a name or file.", show_default=False
        ),
    ] = "",
    session: Annotated[
        str,
        typer.Option(metavar="ROUNDS", help="Statistics of such sessions.", show_default=False),
    ] = "",
    bankroll: Annotated[
        str,
        typer.Option(
            metavar="WAGERS",
            help="Chance that a session loses so many base wagers.",
            show_default=False,
        ),
    ] = "",
    meter: Annotated[
        str,
        typer.Option(
            metavar="AMOUNTS",
            help="Where the meters start; default: their seeds.",
            show_default=False,
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="Same seed, same digits.")] = 21,
    until: Annotated[
        str,
        typer.Option(
            metavar="ERROR", help="Stop at this standard error, as 0.01%.", show_default=False
        ),
    ] = "",
    threads: Annotated[int, typer.Option(help="Threads; 0: one for each core.")] = 0,
    dask: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Play on a Dask cluster: tcp://host:8786, or local:4.",
            show_default=False,
        ),
    ] = "",
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep a checkpoint here.", show_default=False),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Continue a checkpoint to the same digits.", show_default=False
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write all tables as CSV.", show_default=False),
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write all tables as Parquet.", show_default=False),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Plot convergence and distribution (SVG).", show_default=False
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Also events, starting hands, decisions.")
    ] = False,
    regret: Annotated[
        bool,
        typer.Option("--regret", help="Also the costly decisions, by the exact values."),
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Play rounds by the million: edge, spread, bonuses, meters, sessions.

    Ctrl-C ends a run with what there is.
    """
    settings = Settings(
        rules=rules,
        strategy=strategy,
        spots=spots,
        base=base,
        side=side,
        shoe=shoe,
        errors=errors,
        count=count,
        session=read_number("session", session) if session else 0,
        meter=meter,
        seed=seed,
    )
    wanted = read_number("rounds", rounds) if rounds else None
    error = _read_error(until) if until else None
    fall = read_number("bankroll", bankroll) if bankroll else 0
    _check_places(save, resume, csv=csv, parquet=parquet, plot=plot)
    if regret:
        compile_parts(ANALYSER)
    if resume is not None:
        settings, run = _resumed(resume, settings, wanted, error)
    else:
        run = _begun(settings, wanted, error)
    compile_for_work(run.work)
    _check_sessions(settings, run.rounds, fall)
    keep = save or resume
    result, name = _play(run, threads, dask, settings, keep)
    _write(result, csv, parquet, plot)
    words = settings.words()
    # Rounds that were played: with them a run that --until or Ctrl-C ended comes out the same.
    words += ["--rounds", str(run.tally.dealt)]
    if json:
        data = result.as_data()
        if not details:  # thousands of lines
            del data["starts"], data["decisions"]
        if fall:
            data["ruin"] = _ruin_data(result, fall)
        if regret:
            data["regret"] = _regret_data(result)
        print_json(data | {"workers": name, "command": command_text([*words, "--json"])})
    else:
        from ventiuna.cli.simulate.text import print_result

        print_result(console(), result, name, words, fall, details, regret)
    if run.lost:
        blocks = f"{run.lost:,} block{'s' if run.lost > 1 else ''}"
        print(f"{blocks} lost with a worker, played again here: {run.last_loss}", file=sys.stderr)
    if keep and not result.complete:
        print(f"continue with: ventiuna simulate --resume {keep}", file=sys.stderr)
    if not result.complete:
        raise typer.Exit(INTERRUPTED)


def _ruin_data(result: Result, bankroll: int) -> dict[str, Any]:
    estimate = result.ruin(bankroll)
    return {
        "bankroll": bankroll,
        "probability": estimate.value,
        "standard_error": estimate.standard_error,
    }


def _regret_data(result: Result) -> list[dict[str, Any]]:
    from ventiuna.proof.regret import regret_lines

    return [
        {
            "hand": line.hand,
            "state": line.state,
            "up": line.up,
            "action": line.action,
            "best": line.best,
            "visits": line.visits,
            "loss": line.loss,
            "cost": line.cost.value,
            "standard_error": line.cost.standard_error,
        }
        for line in regret_lines(result)
    ]


def _read_error(text: str) -> float:
    share = read_share("until", text)
    if not share:
        raise problem("until", text, "a standard error is above zero", "Write it as 0.01%.")
    return float(share)


def _check_places(save: Path | None, resume: Path | None, **folders: Path | None) -> None:
    """Find out before a long run, not after it, that a file can't be written."""
    if save is not None and not save.resolve().parent.is_dir():
        raise problem("save", save, "its folder does not exist", "Make the folder first.")
    if save is not None and save.exists() and (resume is None or not save.samefile(resume)):
        raise problem(
            "save",
            save,
            "this exists, and a checkpoint takes no file's place",
            f"Name another file, or continue it with --resume {save}.",
        )
    for option, folder in folders.items():
        if folder is not None:
            make_folder(option, folder)


def _check_sessions(settings: Settings, rounds: int, bankroll: int) -> None:
    if settings.session > rounds:
        raise problem(
            "session",
            settings.session,
            f"{rounds:,} rounds do not hold one session",
            "Choose more rounds or a shorter session.",
        )
    if bankroll and not settings.session:
        raise problem(
            "bankroll", bankroll, "it is a session's", "Say how long one is: --session 500."
        )


def _begun(settings: Settings, rounds: int | None, until: float | None) -> Run:
    from ventiuna.simulation.plan import MOST_ROUNDS
    from ventiuna.simulation.run import begin

    if not settings.rules:
        raise problem("RULES", "", "no rules are named", "Name a preset: ventiuna rules list.")
    if rounds is None:
        rounds = MOST_ROUNDS if until else USUAL_ROUNDS
    _compile_strategy(settings)
    return begin(settings.plan(), rounds, until or 0.0)


def _compile_strategy(settings: Settings) -> None:
    """Best play is the analyser's."""
    if settings.strategy == "optimal":
        compile_parts(ANALYSER)


def _resumed(
    path: Path, asked: Settings, rounds: int | None, until: float | None
) -> tuple[Settings, Run]:
    """A run from its checkpoint, to its own end or to another one."""
    from ventiuna.simulation.checkpoint import read_checkpoint, restore
    from ventiuna.simulation.run import begin

    facts, arrays = read_checkpoint(path)
    settings = Settings(**facts["settings"])
    _check_same(settings, asked)
    _compile_strategy(settings)
    run = begin(
        settings.plan(),
        int(facts["rounds"]) if rounds is None else rounds,
        float(facts["until"]) if until is None else until,
    )
    run.tally = restore(run.work, facts, arrays)
    if run.tally.blocks > run.blocks:
        played = run.tally.dealt
        raise problem(
            "rounds", run.rounds, f"the checkpoint has {played:,} already", "Ask for more."
        )
    return settings, run


def _check_same(kept: Settings, asked: Settings) -> None:
    """A checkpoint goes on as it began: an option that says otherwise is refused."""
    usual = Settings("")
    for name, value in asked.as_data().items():
        was = getattr(kept, name)
        if value not in (getattr(usual, name), was):
            option = "RULES" if name == "rules" else name
            fix = f"Leave {'it' if name == 'rules' else f'--{name}'} out, or start a new run."
            raise problem(option, value, f"the checkpoint is of {was or 'none'}", fix)


def _play(
    run: Run, threads: int, dask: str, settings: Settings, keep: Path | None
) -> tuple[Result, str]:
    from ventiuna.simulation import executors
    from ventiuna.simulation.run import warm_up

    warm_up(run.work)
    place: AbstractContextManager[Workers]
    place = executors.dask_workers(dask) if dask else executors.threads(threads)
    with place as workers, _bar(run) as report:
        saver = _saver(keep, settings, run) if keep else None
        return run.go(workers, report, saver), workers.name


def _saver(path: Path, settings: Settings, run: Run) -> Save:
    """Writes the first block, then every few seconds, and always what the run ends with."""
    from ventiuna.simulation.checkpoint import save_checkpoint

    last = -SAVE_EVERY  # the first block is saved at once: a full disk shows early

    def save(tally: Tally, ending: bool) -> None:
        nonlocal last
        if ending or time.monotonic() - last > SAVE_EVERY:
            save_checkpoint(path, tally, settings.as_data(), run.rounds, run.until)
            last = time.monotonic()

    return save


@contextmanager
def _bar(run: Run) -> Iterator[Callable[[Progress], None] | None]:
    """A bar with rate, time left and the edge so far, where a person is watching."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    out = Console(stderr=True)
    if not out.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.percentage:>3.0f}%"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[edge]}"),
    )
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("", total=run.rounds, completed=run.tally.rounds, rate="", edge="")

        def report(progress: Any) -> None:
            ev = progress.result.ev
            bar.update(
                task,
                completed=progress.rounds,
                total=progress.target,
                rate=f"{progress.rate / 1e6:.1f} M rounds/s",
                edge=f"edge {-100 * ev.value:.4f} ± {196 * ev.standard_error:.4f} %",
            )

        yield report


def _write(result: Result, csv: Path | None, parquet: Path | None, plot: Path | None) -> None:
    from ventiuna.simulation import export, plots

    for name in export.tables_of(result):
        if csv is not None:
            export.write_csv(result, name, csv / f"{name}.csv")
        if parquet is not None:
            export.write_parquet(result, name, parquet / f"{name}.parquet")
    if plot is not None:
        sheets = {
            "convergence": plots.convergence_svg(result),
            "distribution": plots.distribution_svg(result),
        }
        if result.tally.work.session:
            sheets["sessions"] = plots.sessions_svg(result)
        for line in result.meters:
            sheets[f"meter-{line.game}"] = plots.meter_svg(result, line.game)
        for name, sheet in sheets.items():
            (plot / f"{name}.svg").write_text(sheet, encoding="utf-8")
