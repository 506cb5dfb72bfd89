"""Writes a command's tables, results, and plots to files, with rules, seed, and version."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ventiuna.analysis.coerce import input_error
from ventiuna.cli.common.console import note
from ventiuna.cli.common.stdio import error_lines
from ventiuna.cli.common.tables import CommandOutput, slug, unique_name
from ventiuna.files import (
    DESCRIPTION_FILE,
    Columns,
    check_file,
    csv_description,
    csv_text,
    make_folder,
    parquet_bytes,
    write_file,
)
from ventiuna.package import require_library, version
from ventiuna.rules import Rules, canonical, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.simulation.result import Result


FORMATS = ("csv", "parquet")
_FILE_EXISTS = "a file with this name already exists"


def check_exports(output: CommandOutput, arguments: dict[str, Any]) -> None:
    """Before a long run, check that the files can be written, and record rules and seed."""
    formats = [name for name in FORMATS if getattr(output, name)]
    if not formats:
        return
    if arguments.get("json") or arguments.get("as_json"):
        message = "only printed tables can be exported, and --json doesn't print any"
        raise input_error(
            formats[0], getattr(output, formats[0]), message, "Leave out one of the two."
        )
    if output.parquet:
        require_library("pyarrow")
    for name in formats:
        prepare_export(name, Path(getattr(output, name)))
    output.facts |= _facts_of(arguments)


def prepare_export(option: str, path: Path) -> None:
    """Check that the file can be written; a path without the format's suffix becomes a folder."""
    if path.suffix == f".{option}":
        check_file(path)
        return
    try:
        make_folder(path)
    except (FileExistsError, NotADirectoryError):
        fix = f"Name a folder, or a file that ends in .{option}."
        raise input_error(option, path, _FILE_EXISTS, fix) from None


def _facts_of(arguments: dict[str, Any]) -> dict[str, str]:
    """Extract rules and seed from the command's arguments."""
    facts = {}
    if isinstance(arguments.get("rules"), str) and arguments["rules"]:
        facts = _rules_facts(load_rules(arguments["rules"]))
    if arguments.get("seed") is not None:
        facts["seed"] = str(arguments["seed"])
    return facts


def _rules_facts(rules: Rules) -> dict[str, str]:
    return {"rules": canonical(rules), "fingerprint": fingerprint(rules)}


def write_exports(output: CommandOutput) -> None:
    """Write every printed table in each requested format."""
    if not (output.csv or output.parquet):
        return
    tables: dict[str, Columns] = {}
    for sheet in output.sheets:
        tables[unique_name(tables, sheet.name or slug(output.command))] = sheet.columns_of_data()
    if not tables:
        option = "csv" if output.csv else "parquet"
        raise input_error(option, "", "no table was printed", f"Leave out --{option}.")
    write_tables(tables, output)


def write_tables(tables: dict[str, Columns], output: CommandOutput) -> None:
    facts = {**output.facts, "version": version()}
    if output.csv:
        paths = table_paths(tables, Path(output.csv), "csv")
        for name, path in paths.items():
            write_file(path, csv_text(tables[name]))
        described = {path.name: tables[name] for name, path in paths.items()}
        write_file(description_path(Path(output.csv)), csv_description(described, facts) + "\n")
        _note_files(list(paths.values()))
    if output.parquet:
        paths = table_paths(tables, Path(output.parquet), "parquet")
        for name, path in paths.items():
            write_file(path, parquet_bytes(tables[name], {**facts, "table": name}))
        _note_files(list(paths.values()))


def table_paths(tables: Collection[str], path: Path, suffix: str) -> dict[str, Path]:
    """Return a file for each table: in the folder `path`, or named after the file `path`."""
    if path.suffix != f".{suffix}":
        return {name: path / f"{name}.{suffix}" for name in tables}
    if len(tables) == 1:
        return dict.fromkeys(tables, path)
    return {name: path.with_name(f"{path.stem}-{name}.{suffix}") for name in tables}


def description_path(path: Path) -> Path:
    if path.suffix != ".csv":
        return path / DESCRIPTION_FILE
    return path.with_name(f"{path.name}-metadata.json")


def _note_files(paths: list[Path]) -> None:
    note(f"written to {', '.join(map(str, paths))}")


# --- Results and plots of a simulation ---


def make_output_folder(option: str, folder: Path) -> None:
    """Before a long run, create the folder and check that it is writable."""
    if folder.exists() and not folder.is_dir():
        raise input_error(option, folder, _FILE_EXISTS, "Name a folder.")
    try:
        make_folder(folder)
    except (FileExistsError, NotADirectoryError):
        raise input_error(option, folder, _FILE_EXISTS, "Name a folder.") from None


NOT_WRITTEN = 2  # exit code


@dataclass(frozen=True)
class ResultOptions:
    """Output options of a simulation; each field is an option of the command."""

    fall: int = 0
    details: bool = False
    regret: bool = False
    csv: Path | None = None
    parquet: Path | None = None
    plot: Path | None = None
    json: bool = False  # must stay last: scripts remove it from the end of the command

    def words(self) -> list[str]:
        """Return these options as command line words."""
        words: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value:
                words += [f"--{field.name}"] if value is True else [f"--{field.name}", str(value)]
        return words

    def make_folders(self) -> None:
        """Before a long run, create folders and check that all files can be written."""
        if self.parquet is not None:
            require_library("pyarrow")
        for option in FORMATS:
            path = getattr(self, option)
            if path is not None:
                prepare_export(option, path)
        if self.plot is not None:
            make_output_folder("plot", self.plot)


def check_save(save: Path | None, resume: Path | None) -> None:
    """Check that a checkpoint can be written and doesn't replace another file."""
    if save is None:
        if resume is not None and resume.exists():
            check_file(resume)
        return
    if not save.resolve().parent.is_dir():
        raise input_error("save", save, "its folder doesn't exist", "Create the folder first.")
    if save.exists() and (resume is None or not save.samefile(resume)):
        raise input_error(
            "save",
            save,
            "this file already exists, and a checkpoint doesn't overwrite it",
            f"Choose another file, or continue the run with --resume {save}.",
        )
    check_file(save)


def write_outputs(result: Result, options: ResultOptions) -> list[OSError]:
    """Write every requested file."""
    return write_all(_writers(result, options))


def write_all(writers: Iterable[Callable[[], None]]) -> list[OSError]:
    """Run all writers, even if some fail, and return the errors."""
    failed = []
    for write in writers:
        try:
            write()
        except OSError as error:
            failed.append(error)
    return failed


def report_unwritten(failed: list[OSError]) -> None:
    for error in failed:
        for line in error_lines(error):
            note(f"error: file not written: {line}")


def _writers(result: Result, options: ResultOptions) -> Iterator[Callable[[], None]]:
    from ventiuna.simulation.result import facts_of

    tables = {name: result.table(name) for name in result.tables}
    facts = facts_of(result)
    if options.csv is not None:
        paths = table_paths(tables, options.csv, "csv")
        for name, path in paths.items():
            yield partial(write_file, path, csv_text(tables[name]))
        described = {path.name: tables[name] for name, path in paths.items()}
        text = csv_description(described, facts) + "\n"
        yield partial(write_file, description_path(options.csv), text)
    if options.parquet is not None:
        for name, path in table_paths(tables, options.parquet, "parquet").items():
            yield partial(write_file, path, parquet_bytes(tables[name], {**facts, "table": name}))
    if options.plot is not None:
        for name, sheet in _sheets(result).items():
            path = options.plot / f"{name}.svg"
            yield partial(write_file, path, sheet)


def _sheets(result: Result) -> dict[str, str]:
    from ventiuna.simulation import result as plots

    sheets = {
        "convergence": plots.convergence_svg(result),
        "distribution": plots.distribution_svg(result),
    }
    if result.tally.spec.session:
        sheets["sessions"] = plots.sessions_svg(result)
    for line in result.meters:
        sheets[f"meter-{line.game}"] = plots.meter_svg(result, line.game)
    return sheets
