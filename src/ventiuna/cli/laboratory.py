"""`ventiuna conformance` and `rng-sample`: what a laboratory asks of an implementation."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ventiuna.analysis.coerce import command_text, options_to_args, read_number, rules_to_args
from ventiuna.cli import INTERRUPTED
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    JsonFlag,
    RulesOption,
    console,
    plain_table,
    print_json,
    progress_bar,
)
from ventiuna.cli.common.exports import make_output_folder
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.rules import load_rules

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@command("conformance", tables=False)
def conformance(as_json: JsonFlag = False) -> None:
    """Answer the conformance kit's questions: one JSON object per line, in and out.

    The answers are always JSON. To run the kit: python conformance/run.py -- ventiuna conformance
    """
    from ventiuna.proof.conformance import answer_lines

    if sys.stdin is None:
        return
    if sys.stdin.isatty():
        print("Waiting for questions, one JSON object per line.", file=sys.stderr)
    lines = (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
    for line in answer_lines(lines):
        print(line, flush=True)


@command("rng-sample")
def rng_sample(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder for the files.")],
    rules: RulesOption = DEFAULT_RULES,
    shoes: Annotated[
        str, typer.Option(metavar="NUMBER", help="Shoes to shuffle: 1000000, 1e6 or 1M.")
    ] = "10000",
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="The same seed gives the same sample. Default: the operating system's randomness.",
            show_default=False,
        ),
    ] = "",
    json: JsonFlag = False,
) -> None:
    """Write the generator's raw output and shuffled shoes in bulk, with checksums.

    A stopped sample continues if you give the same command again.
    """
    from ventiuna.proof.rng_sample import Sample, write_sample

    loaded = load_rules(rules)
    sample = Sample(loaded, read_number("shoes", shoes), seed)
    make_output_folder("folder", folder)
    try:
        with progress_bar() as bar:
            report = None
            if bar is not None:
                task = bar.add_task("shoes", total=sample.shoes)
                report = partial(_show, bar, task)
            manifest = write_sample(sample, folder, report)
    except KeyboardInterrupt:
        words = ["rng-sample", str(folder), "--rules", *rules_to_args(loaded)]
        again = command_text([*words, *options_to_args(shoes=sample.shoes, seed=seed)])
        print(f"To continue: {again}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    if json:
        print_json(manifest)
        return
    table = plain_table("SHA-256", "file", name="files")
    for name, digest in cast(dict[str, str], manifest["sha256"]).items():
        table.add_row(digest, name)
    console().print(f"{manifest['shoes']:,} shoes, randomness from the {manifest['source']}")
    console().print()
    console().print(table)
    console().print()
    console().print(f"The contents of each file are described in {folder / 'manifest.json'}")


def _show(bar: Progress, task: TaskID, done: int) -> None:
    bar.update(task, completed=done)
