"""What is shown and written of a simulation's result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ventiuna.analysis.questions.numbers import problem
from ventiuna.cli.exports import FORMATS, description_path, prepare_export, table_paths
from ventiuna.cli.output import note
from ventiuna.cli.simulate.folders import make_output_folder
from ventiuna.cli.streams import error_lines
from ventiuna.extras import require
from ventiuna.files import check_file, write_file

if TYPE_CHECKING:
    from ventiuna.simulation.result import Result

NOT_WRITTEN = 2  # exit code


@dataclass(frozen=True)
class Shown:
    """What a user wants to see; each field is an option of the command."""

    fall: int = 0
    details: bool = False
    regret: bool = False
    csv: Path | None = None
    parquet: Path | None = None
    plot: Path | None = None
    json: bool = False  # last: scripts cut it off

    def words(self) -> list[str]:
        """The options that ask for the same."""
        words: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value:
                words += [f"--{field.name}"] if value is True else [f"--{field.name}", str(value)]
        return words

    def make_folders(self) -> None:
        """Find out before a long run, not after it, that nothing can be written there."""
        if self.parquet is not None:
            require("pyarrow")
        for option in FORMATS:
            path = getattr(self, option)
            if path is not None:
                prepare_export(option, path)
        if self.plot is not None:
            make_output_folder("plot", self.plot)


def check_save(save: Path | None, resume: Path | None) -> None:
    """A checkpoint takes no other file's place, and can be written."""
    if save is None:
        if resume is not None and resume.exists():
            check_file(resume)
        return
    if not save.resolve().parent.is_dir():
        raise problem("save", save, "its folder does not exist", "Make the folder first.")
    if save.exists() and (resume is None or not save.samefile(resume)):
        raise problem(
            "save",
            save,
            "this exists, and a checkpoint takes no file's place",
            f"Name another file, or continue it with --resume {save}.",
        )
    check_file(save)


def write_outputs(result: Result, shown: Shown) -> list[OSError]:
    """Write every file that was asked for."""
    return write_all(_writers(result, shown))


def write_all(writers: Iterable[Callable[[], None]]) -> list[OSError]:
    """One file that can't be written keeps no other from it."""
    failed = []
    for write in writers:
        try:
            write()
        except OSError as error:
            failed.append(error)
    return failed


def tell_not_written(failed: list[OSError]) -> None:
    for error in failed:
        for line in error_lines(error):
            note(f"error: not written: {line}")


def _writers(result: Result, shown: Shown) -> Iterator[Callable[[], None]]:
    from ventiuna.simulation import export

    names = export.tables_of(result)
    if shown.csv is not None:
        paths = table_paths(names, shown.csv, "csv")
        for name, path in paths.items():
            yield partial(export.write_csv, result, name, path)
        files = {name: path.name for name, path in paths.items()}
        yield partial(export.write_description, result, files, description_path(shown.csv))
    if shown.parquet is not None:
        for name, path in table_paths(names, shown.parquet, "parquet").items():
            yield partial(export.write_parquet, result, name, path)
    if shown.plot is not None:
        for name, sheet in _sheets(result).items():
            path = shown.plot / f"{name}.svg"
            yield partial(write_file, path, sheet)


def _sheets(result: Result) -> dict[str, str]:
    from ventiuna.simulation import plots

    sheets = {
        "convergence": plots.convergence_svg(result),
        "distribution": plots.distribution_svg(result),
    }
    if result.tally.work.session:
        sheets["sessions"] = plots.sessions_svg(result)
    for line in result.meters:
        sheets[f"meter-{line.game}"] = plots.meter_svg(result, line.game)
    return sheets
