"""`ventiuna simulate`: rounds by the billion, here or on a cluster."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ventiuna.analysis.questions.again import command_text
from ventiuna.analysis.questions.numbers import problem, read_number, read_share
from ventiuna.cli.output import JsonFlag, RulesArgument, console, note, print_json
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.cli.simulate.data import result_data
from ventiuna.cli.simulate.options import (
    BaseOption,
    CountOption,
    CsvOption,
    DaskOption,
    DetailsFlag,
    ErrorsOption,
    FallOption,
    MeterOption,
    ParquetOption,
    PlotOption,
    RegretFlag,
    ResumeOption,
    RoundsOption,
    SaveOption,
    SeedOption,
    SessionOption,
    ShoeOption,
    SideOption,
    SpotsOption,
    StrategyOption,
    UntilOption,
    WorkersOption,
)
from ventiuna.cli.simulate.outputs import (
    NOT_WRITTEN,
    Shown,
    check_save,
    tell_not_written,
    write_outputs,
)
from ventiuna.cli.simulate.playing import Places, Played, play
from ventiuna.rules import Rules, RulesError, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.simulation.run import Run
    from ventiuna.simulation.settings import Settings

USUAL_ROUNDS = 10**6
INTERRUPTED = 130
# Options that "To repeat" leaves out: where a run is played and kept changes no digit, and a run
# that --until ended comes out the same with the rounds that it played.
NOT_REPEATED = ("until", "workers", "dask", "save", "resume")


def register(app: typer.Typer) -> None:
    app.command("simulate")(simulate)


def simulate(
    rules: RulesArgument = "",
    rounds: RoundsOption = "",
    strategy: StrategyOption = "chart",
    spots: SpotsOption = 1,
    base: BaseOption = "",
    side: SideOption = "",
    shoe: ShoeOption = "cut-card",
    errors: ErrorsOption = "",
    count: CountOption = "",
    session: SessionOption = "",
    fall: FallOption = "",
    meter: MeterOption = "",
    seed: SeedOption = 21,
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
    """Play millions of rounds: house edge, spread, bonuses, meters, sessions.

    Ctrl-C stops a run and shows the results so far.
    """
    from ventiuna.simulation.settings import Settings

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
    wagers = read_number("fall", fall) if fall else 0
    shown = Shown(wagers, details, regret, csv, parquet, plot, json)
    wanted = read_number("rounds", rounds) if rounds else None
    error = _read_error(until) if until else None
    check_save(save, resume)
    if resume is not None:
        settings, run = _resumed(resume, settings, wanted, error)
    else:
        settings = replace(settings, rules=rules or DEFAULT_RULES)
        run = _begun(settings, wanted, error)
    _check_sessions(settings, run.rounds, wagers)
    shown.make_folders()
    keep = save or resume
    played = play(run, Places(workers, dask, keep), settings)
    _show(played, run, settings, shown)
    _finish(played, run, shown, keep)


def _show(played: Played, run: Run, settings: Settings, shown: Shown) -> None:
    words = [*settings.words(run.work.rules), "--rounds", str(run.tally.dealt), *shown.words()]
    if shown.json:
        more = {"workers": played.workers, "command": command_text(words)}
        print_json(result_data(played.result, shown) | more)
    else:
        from ventiuna.cli.simulate.text import print_result

        print_result(console(), played.result, played.workers, words, shown)


def _finish(played: Played, run: Run, shown: Shown, keep: Path | None) -> None:
    """Write files, once the result is out, and say what else there is to say."""
    failed = write_outputs(played.result, shown)
    if run.lost:
        blocks = f"{run.lost:,} block{'s' if run.lost > 1 else ''}"
        note(f"{blocks} lost with a worker, played again here: {run.last_loss}")
    if played.unsaved is not None:
        failed.append(played.unsaved)
    elif keep and not played.result.complete:
        note(f"continue with: {command_text(['simulate', '--resume', str(keep)])}")
    tell_not_written(failed)
    if not played.result.complete:
        raise typer.Exit(INTERRUPTED)
    if failed:
        raise typer.Exit(NOT_WRITTEN)


def _read_error(text: str) -> float:
    share = read_share("until", text)
    if not share:
        raise problem("until", text, "a standard error is above zero", "Write it as 0.01%.")
    return float(share)


def _check_sessions(settings: Settings, rounds: int, fall: int) -> None:
    if settings.session > rounds:
        raise problem(
            "session",
            settings.session,
            f"{rounds:,} rounds do not hold one session",
            "Choose more rounds or a shorter session.",
        )
    if fall and not settings.session:
        raise problem("fall", fall, "it is a session's", "Say how long one is: --session 500.")


def _begun(settings: Settings, rounds: int | None, until: float | None) -> Run:
    from ventiuna.simulation.plan import MOST_ROUNDS
    from ventiuna.simulation.run import begin

    if rounds is None:
        rounds = MOST_ROUNDS if until else USUAL_ROUNDS
    loaded = load_rules(settings.rules)
    return begin(settings.plan(loaded), rounds, until or 0.0)


def _resumed(
    path: Path, asked: Settings, rounds: int | None, until: float | None
) -> tuple[Settings, Run]:
    """A run from its checkpoint, to its own end or to another one."""
    from ventiuna.simulation.checkpoint import kept_rules, read_checkpoint, restore
    from ventiuna.simulation.run import begin
    from ventiuna.simulation.settings import Settings

    facts, arrays = read_checkpoint(path)
    settings = Settings(**facts["settings"])
    _check_same(settings, asked)
    rules = kept_rules(facts)
    _tell_changed_rules(settings.rules, rules)
    run = begin(
        settings.plan(rules),
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


def _tell_changed_rules(name: str, kept: Rules) -> None:
    """A run goes on under the rules it began with; people may think that it follows their file."""
    try:
        changed = fingerprint(load_rules(name)) != fingerprint(kept)
    except RulesError:
        changed = True
    if changed:
        note(
            f"note: {name} no longer says what it said when the checkpoint was written; the run "
            f"goes on under the rules it began with (fingerprint {fingerprint(kept)})."
        )


def _check_same(kept: Settings, asked: Settings) -> None:
    """A checkpoint goes on as it began: an option that says otherwise is refused."""
    from ventiuna.simulation.settings import Settings

    usual = Settings("")
    for name, value in asked.as_data().items():
        was = getattr(kept, name)
        if value not in (getattr(usual, name), was):
            option = "RULES" if name == "rules" else name
            fix = f"Leave {'it' if name == 'rules' else f'--{name}'} out, or start a new run."
            raise problem(option, value, f"the checkpoint is of {was or 'none'}", fix)
