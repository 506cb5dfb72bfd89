"""The tables that a command printed, written as CSV or Parquet with what they rest on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from ventiuna import __version__
from ventiuna.analysis.questions.numbers import problem
from ventiuna.cli.output import note, output
from ventiuna.cli.sheets import Output, free_name, key_of
from ventiuna.extras import require
from ventiuna.files import check_file, make_folder, write_file
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.tabular import DESCRIPTION, Columns, csv_description, csv_text, parquet_bytes

FORMATS = ("csv", "parquet")


def check_exports(wanted: Output, given: dict[str, Any]) -> None:
    """Found out before a long run, not after it: what can't be written, and rules of the files."""
    asked = [name for name in FORMATS if getattr(wanted, name)]
    if not asked:
        return
    if given.get("json") or given.get("as_json"):
        message = "tables are written as they are printed, and --json prints none"
        raise problem(asked[0], getattr(wanted, asked[0]), message, "Leave one of the two out.")
    if wanted.parquet:
        require("pyarrow")
    for name in asked:
        prepare_export(name, Path(getattr(wanted, name)))
    wanted.facts |= _facts_of(given)


def prepare_export(option: str, path: Path) -> None:
    """A file that ends in the format's name can be written, any other is a folder, made here."""
    if path.suffix == f".{option}":
        check_file(path)
        return
    try:
        make_folder(path)
    except (FileExistsError, NotADirectoryError):
        fix = f"Name a folder, or a file that ends in .{option}."
        raise problem(option, path, "a file of this name exists", fix) from None


def describe_export(rules: Rules | None = None, **facts: object) -> None:
    """Tell the files what the tables rest on, where a command's own words don't: rules, seed …"""
    told = {name: str(fact) for name, fact in facts.items()}
    output().facts.update(_rules_facts(rules) | told if rules else told)


def _facts_of(given: dict[str, Any]) -> dict[str, str]:
    """What the words of the command say: rules and seed."""
    facts = {}
    if isinstance(given.get("rules"), str) and given["rules"]:
        facts = _rules_facts(load_rules(given["rules"]))
    if given.get("seed") is not None:
        facts["seed"] = str(given["seed"])
    return facts


def _rules_facts(rules: Rules) -> dict[str, str]:
    return {"rules": canonical(rules), "fingerprint": fingerprint(rules)}


def write_exports(wanted: Output) -> None:
    """Every table that was printed, in each form that was asked for."""
    if not (wanted.csv or wanted.parquet):
        return
    tables: dict[str, Columns] = {}
    for sheet in wanted.sheets:
        tables[free_name(tables, sheet.name or key_of(wanted.command))] = sheet.columns_of_data()
    if not tables:
        option = "csv" if wanted.csv else "parquet"
        raise problem(option, "", "no table was printed", f"Leave --{option} out.")
    write_tables(tables, wanted)


def write_tables(tables: dict[str, Columns], wanted: Output) -> None:
    facts = {**wanted.facts, "version": __version__}
    if wanted.csv:
        paths = table_paths(tables, Path(wanted.csv), "csv")
        for name, path in paths.items():
            write_file(path, csv_text(tables[name]))
        described = {path.name: tables[name] for name, path in paths.items()}
        write_file(description_path(Path(wanted.csv)), csv_description(described, facts) + "\n")
        _tell(list(paths.values()))
    if wanted.parquet:
        paths = table_paths(tables, Path(wanted.parquet), "parquet")
        for name, path in paths.items():
            write_file(path, parquet_bytes(tables[name], {**facts, "table": name}))
        _tell(list(paths.values()))


def table_paths(tables: Collection[str], given: Path, suffix: str) -> dict[str, Path]:
    """One table is the file that was named; several stand beside each other, each with its name."""
    if given.suffix != f".{suffix}":
        return {name: given / f"{name}.{suffix}" for name in tables}
    if len(tables) == 1:
        return dict.fromkeys(tables, given)
    return {name: given.with_name(f"{given.stem}-{name}.{suffix}") for name in tables}


def description_path(given: Path) -> Path:
    if given.suffix != ".csv":
        return given / DESCRIPTION
    return given.with_name(f"{given.name}-metadata.json")


def _tell(paths: list[Path]) -> None:
    note(f"written: {', '.join(map(str, paths))}")
