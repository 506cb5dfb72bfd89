"""`ventiuna simulate`: billions of rounds, on this machine or a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ventiuna.analysis.coerce import command_text, input_error, read_number, read_share
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    OUTPUT_PANEL,
    JsonFlag,
    console,
    note,
    print_json,
    progress_bar,
)
from ventiuna.cli.common.exports import (
    NOT_WRITTEN,
    ResultOptions,
    check_save,
    report_unwritten,
    write_outputs,
)
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.cli.common.stdio import error_lines
from ventiuna.rules import Rules, RulesError, fingerprint, load_rules
from ventiuna.simulation.queries import SimulationSettings

if TYPE_CHECKING:
    from ventiuna.simulation.result import Result
    from ventiuna.simulation.run import BlockExecutor, Progress, Run


# --- Options ---

file_option = partial(typer.Option, metavar="FILE", show_default=False)
_text = partial(typer.Option, show_default=False)
_output = partial(file_option, metavar="FILE|FOLDER", rich_help_panel=OUTPUT_PANEL)

RoundsOption = Annotated[
    str,
    _text(
        metavar="NUMBER",
        help="Rounds to play: 5000000, 5e6 or 5M. Default: 1e6, or as many as --until needs.",
    ),
]
FallOption = Annotated[
    str,
    _text(metavar="WAGERS", help="Show the chance that a session drops by this many base wagers."),
]
UntilOption = Annotated[
    str, _text(metavar="ERROR", help="Stop at this standard error, such as 0.01%.")
]
WorkersOption = Annotated[
    int, typer.Option("--workers", "--threads", help="Number of threads; 0 for one per core.")
]
DaskOption = Annotated[
    str, _text(metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786, or local:4.")
]
SaveOption = Annotated[Path | None, file_option(help="Save a checkpoint here.")]
ResumeOption = Annotated[
    Path | None,
    file_option(help="Continue from a checkpoint, with the same results as an uninterrupted run."),
]
CsvOption = Annotated[
    Path | None, _output(help="Write all tables as CSV files, with a description.")
]
ParquetOption = Annotated[
    Path | None,
    _output(help="Like --csv, but as Parquet files with the rules, fingerprint, seed and version."),
]
PlotOption = Annotated[
    Path | None, file_option(metavar="FOLDER", help="Plot convergence and distribution (SVG).")
]
DetailsFlag = Annotated[
    bool, typer.Option("--details", help="Add events, starting hands and decisions.")
]
RegretFlag = Annotated[
    bool,
    typer.Option("--regret", help="Add the costliest decisions, priced by exact analysis."),
]


# --- Runs: workers, progress bar, checkpoints ---


@dataclass(frozen=True)
class FinishedRun:
    result: Result
    workers: str
    unsaved: OSError | None  # why the last checkpoint couldn't be written


def run_simulation(
    run: Run, settings: dict[str, Any], keep: Path | None, threads: int, dask: str = ""
) -> FinishedRun:
    """Play with a progress bar, and save checkpoints to the file `keep`."""
    from ventiuna.simulation import run as executors
    from ventiuna.simulation.checkpoint import CheckpointSaver

    place: AbstractContextManager[BlockExecutor]
    place = executors.dask_workers(dask) if dask else executors.threads(threads)
    saver = CheckpointSaver(keep, settings, run, _report_unsaved) if keep else None
    try:
        with place as workers, _progress_bar(run) as report:
            result = run.go(workers, report, saver)  # Ctrl-C ends it with the results so far
            if not run.tally.dealt:
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        note("Interrupted before the first results.")
        raise
    return FinishedRun(result, workers.name, saver.error if saver else None)


def _report_unsaved(error: OSError) -> None:
    for line in error_lines(error):
        note(f"Checkpoint not written; the run continues: {line}")


@contextmanager
def _progress_bar(run: Run) -> Iterator[Callable[[Progress], None] | None]:
    """Show a bar with rate, time left and the edge so far, if someone is watching."""
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.percentage:>3.0f}%"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[edge]}"),
    )
    with progress_bar(*columns) as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("", total=run.rounds, completed=run.tally.rounds, rate="", edge="")

        def report(progress: Progress) -> None:
            ev = progress.result.ev
            bar.update(
                task,
                completed=progress.rounds,
                total=progress.target,
                rate=f"{progress.rate / 1e6:.1f} M rounds/s",
                edge=f"edge {-100 * ev.value:.4f} ± {196 * ev.standard_error:.4f}%",
            )

        yield report


# --- Result as JSON ---


def result_data(result: Result, options: ResultOptions) -> dict[str, Any]:
    """Return all requested data, with null for unknown values."""
    from ventiuna.simulation.result import finite_data, ruin_data

    data = result.as_data()
    if not options.details:  # these two take up thousands of lines
        del data["starts"], data["decisions"]
    if options.fall:
        data["ruin"] = ruin_data(result, options.fall)
    if options.regret:
        from ventiuna.proof.regret import regret_lines

        data["regret"] = [
            vars(line) | {"cost": line.cost.value, "standard_error": line.cost.standard_error}
            for line in regret_lines(result)
        ]
    return finite_data(data)


# --- simulate ---

DEFAULT_ROUNDS = 10**6
INTERRUPTED = 130
# Options that the "To repeat" line omits. The results don't depend on where a run is played or
# saved, and a run stopped by --until is repeated with its number of rounds.
NOT_REPEATED = ("until", "workers", "dask", "save", "resume")


@command("simulate")
def simulate(
    settings: SimulationSettings,
    rounds: RoundsOption = "",
    fall: FallOption = "",
    until: UntilOption = "",
    workers: WorkersOption = 0,
    dask: DaskOption = "",
    save: SaveOption = None,
    resume: ResumeOption = None,
    csv: CsvOption = None,
    parquet: ParquetOption = None,
    plot: PlotOption = None,
    details: DetailsFlag = False,
    regret: RegretFlag = False,
    json: JsonFlag = False,
) -> None:
    """Play millions of rounds: house edge, deviation, bonuses, meters, sessions.

    Ctrl-C stops a run and shows the results so far.
    """
    from ventiuna.simulation.plan import MAX_ROUNDS
    from ventiuna.simulation.run import begin_run

    wagers = read_number("fall", fall) if fall else 0
    options = ResultOptions(wagers, details, regret, csv, parquet, plot, json)
    wanted = read_number("rounds", rounds) if rounds else None
    error = float(read_share("until", until)) if until else None
    if error == 0:
        message = "a standard error must be above zero"
        raise input_error("until", until, message, "Write it as 0.01%.")
    check_save(save, resume)
    if resume is not None:
        settings, run = _resumed_run(resume, settings, wanted, error)
    else:
        settings = settings.model_copy(update={"rules": settings.rules or DEFAULT_RULES})
        plan = settings.plan(load_rules(settings.rules))
        if wanted is None:
            wanted = MAX_ROUNDS if error else DEFAULT_ROUNDS
        run = begin_run(plan, wanted, error or 0.0)
    _check_sessions(settings, run.rounds, wagers)
    options.make_folders()
    keep = save or resume
    played = run_simulation(run, settings.model_dump(), keep, workers, dask)
    words = [*settings.words(run.spec.rules), "--rounds", str(run.tally.dealt), *options.words()]
    if json:
        more = {"workers": played.workers, "command": command_text(words)}
        print_json(result_data(played.result, options) | more)
    else:
        from ventiuna.cli.simulate_text import print_result

        print_result(console(), played.result, played.workers, words, options)
    _finish(played, run, options, keep)


def _finish(played: FinishedRun, run: Run, options: ResultOptions, keep: Path | None) -> None:
    """Write files after the result is printed, and report any problems."""
    failed = write_outputs(played.result, options)
    if run.lost:
        blocks = f"{run.lost:,} block{'s' if run.lost > 1 else ''}"
        note(f"{blocks} lost with a worker and replayed here: {run.last_loss}")
    if played.unsaved is not None:
        failed.append(played.unsaved)
    elif keep and not played.result.complete:
        note(f"To continue: {command_text(['simulate', '--resume', str(keep)])}")
    report_unwritten(failed)
    if not played.result.complete:
        raise typer.Exit(INTERRUPTED)
    if failed:
        raise typer.Exit(NOT_WRITTEN)


def _check_sessions(settings: SimulationSettings, rounds: int, fall: int) -> None:
    if settings.session > rounds:
        raise input_error(
            "session",
            settings.session,
            f"{rounds:,} rounds are too few for one session",
            "Choose more rounds or a shorter session.",
        )
    if fall and not settings.session:
        raise input_error(
            "fall", fall, "this needs a session length", "Add --session 500, for example."
        )


def _resumed_run(
    path: Path, requested: SimulationSettings, rounds: int | None, until: float | None
) -> tuple[SimulationSettings, Run]:
    """Resume a run from its checkpoint, to its original end or a new one."""
    from ventiuna.simulation.checkpoint import read_checkpoint, stored_rules
    from ventiuna.simulation.checkpoint import resume as resume_run
    from ventiuna.simulation.run import begin_run

    facts, arrays = read_checkpoint(path)
    settings = SimulationSettings.model_construct(**facts["settings"])
    _check_same(settings, requested)
    rules = stored_rules(facts)
    _note_changed_rules(settings.rules, rules)
    run = begin_run(
        settings.plan(rules),
        int(facts["rounds"]) if rounds is None else rounds,
        float(facts["until"]) if until is None else until,
    )
    resume_run(run, facts, arrays)
    return settings, run


def _note_changed_rules(name: str, stored: Rules) -> None:
    """If the rules file has changed, note that the run keeps its original rules."""
    try:
        changed = fingerprint(load_rules(name)) != fingerprint(stored)
    except RulesError:
        changed = True
    if changed:
        note(
            f"note: {name} has changed since the checkpoint was written; the run continues with "
            f"its original rules (fingerprint {fingerprint(stored)})."
        )


def _check_same(stored: SimulationSettings, requested: SimulationSettings) -> None:
    """Reject an option that differs from the checkpoint's."""
    for name, value in requested.model_dump(exclude_defaults=True).items():
        was = getattr(stored, name)
        if value != was:
            option = "RULES" if name == "rules" else name
            fix = f"Leave out {'it' if name == 'rules' else f'--{name}'}, or start a new run."
            raise input_error(
                option, value, f"the checkpoint was created with {was or 'none'}", fix
            )
