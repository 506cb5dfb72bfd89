"""Commands that prove something to others: `certify`, `verify`, `conformance` and `rng-sample`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ventiuna.analysis.coerce import (
    command_text,
    input_error,
    options_to_args,
    read_number,
    rules_to_args,
)
from ventiuna.analysis.results import PERCENT_9, Form, FormattedNumber
from ventiuna.cli import INTERRUPTED
from ventiuna.cli.common.commands import command
from ventiuna.cli.common.console import (
    JsonFlag,
    RulesArgument,
    RulesOption,
    console,
    plain_table,
    print_json,
    progress_bar,
)
from ventiuna.cli.common.exports import NOT_WRITTEN, make_output_folder, report_unwritten, write_all
from ventiuna.cli.common.reports import number_table
from ventiuna.cli.common.rules_args import DEFAULT_RULES
from ventiuna.cli.common.stdio import read_input
from ventiuna.cli.simulate import WorkersOption
from ventiuna.files import check_file, write_file
from ventiuna.money import read_amount
from ventiuna.rules import Rules, canonical, fingerprint, load_rules
from ventiuna.table.fairness import EntropySource
from ventiuna.table.shoe_record import (
    LARGEST_RECORD,
    PublicRecord,
    RecordError,
    Verification,
    read_record,
)
from ventiuna.table.shoe_record import verify as verify_record
from ventiuna.texts import json_text

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ventiuna.proof.certificate import Certificate


# --- certify ---

DISAGREES = 1
_SHOWN = 3  # figures shown for each group


@command("certify")
def certify(
    rules: RulesArgument = DEFAULT_RULES,
    rounds: Annotated[
        str, typer.Option(metavar="NUMBER", help="Rounds for the kernel: 10000000, 1e7 or 10M.")
    ] = "1e7",
    lockstep: Annotated[
        str, typer.Option(metavar="NUMBER", help="Rounds played by both the kernel and the engine.")
    ] = "20000",
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="Strategy, as in simulate: optimal, chart, a file …")
    ] = "optimal",
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT", help="Base wager. Default: the table minimum.", show_default=False
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="The same seed gives the same results.")] = 21,
    workers: WorkersOption = 0,
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the HTML and JSON files.")
    ] = Path(),
    pdf: Annotated[bool, typer.Option("--pdf", help="Also write a PDF.")] = False,
    made: Annotated[
        str,
        typer.Option(
            "--date", metavar="DAY", help="Date of the certificate. Default: today (UTC)."
        ),
    ] = "",
    policy: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write best play and the value of every hand instead, for tools/check_edge.py.",
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Prove that exact analysis, kernel and engine agree, and write a certificate.

    Exit code 1 if they don't agree. With --policy, write a proof of the house edge that a short,
    independent program can check.
    """
    options = dict(locals())
    loaded = load_rules(rules)
    if policy is not None:
        _refuse_other_options(options)
        _write_policy(loaded, policy, json)
        return
    kernel_rounds = read_number("rounds", rounds)
    engine_rounds = read_number("lockstep", lockstep)
    if workers < 0:
        raise input_error(
            "workers", workers, "the number of threads can't be negative", "Use 0 for one per core."
        )
    base_wager = read_amount("base", base) if base else 0
    day = _parse_date(made)
    make_output_folder("folder", folder)
    from ventiuna.proof.certificate import certify as make_certificate
    from ventiuna.reports.certificate import certificate_data, certificate_document
    from ventiuna.reports.render import document_html, document_pdf

    words = ["certify", *rules_to_args(loaded)]
    words += options_to_args(
        rounds=kernel_rounds, lockstep=engine_rounds, strategy=strategy, base=base, seed=seed
    )
    with _bar() as report:
        certificate = make_certificate(
            loaded,
            kernel_rounds,
            engine_rounds,
            strategy,
            base_wager,
            seed,
            workers,
            report,
            command_text(words),
        )
    # Rules and strategies can be files; use their names without folders.
    names = Path(loaded.name).stem, fingerprint(loaded), Path(strategy).stem
    name = "-".join(("certificate", *names))
    page, data, printed = (folder / f"{name}.{ending}" for ending in ("html", "json", "pdf"))
    found = certificate_data(certificate, day)
    document = certificate_document(certificate, day)
    if json:
        print_json(found)
    else:
        _print_certificate(certificate)
    failed = write_all(
        [
            lambda: write_file(page, document_html(document)),
            lambda: write_file(data, json_text(found) + "\n"),
            *([lambda: write_file(printed, document_pdf(document))] if pdf else []),
        ]
    )
    report_unwritten(failed)
    if not json and not failed:
        also = f", {printed}" if pdf else ""
        console().print(f"written to {page}{also} and {data}")
    if not certificate.agrees:
        raise typer.Exit(DISAGREES)
    if failed:
        raise typer.Exit(NOT_WRITTEN)


_OF_POLICY = ("rules", "policy", "json")


def _refuse_other_options(options: dict[str, object]) -> None:
    """An edge certificate has no other options."""
    for name, parameter in inspect.signature(certify).parameters.items():
        if name not in _OF_POLICY and options[name] != parameter.default:
            message = "with --policy, nothing is simulated, so this option has no effect"
            raise input_error(name, options[name], message, "Leave out this option or --policy.")


def _write_policy(rules: Rules, path: Path, as_json: bool) -> None:
    """Write an edge certificate."""
    check_file(path)
    from ventiuna.proof.edge_certificate import edge_certificate

    with progress_bar() as bar:
        report = None
        if bar is not None:
            report = partial(_advance, bar, bar.add_task("hands", total=1.0))
        found = edge_certificate(rules, report)
    write_file(path, found.content)
    command = ["certify", *rules_to_args(rules), "--policy", path.name]
    if as_json:
        print_json({**found.as_data(), "file": str(path), "command": command_text(command)})
        return
    out = console()
    table = plain_table("", "", name="edge_certificate")
    table.add_row("rules", canonical(rules))
    table.add_row("house edge", PERCENT_9.text(found.house_edge))
    table.add_row("hands", f"{found.lines:,}, with best play and its value")
    table.add_row("file", f"{len(found.content):,} bytes")
    out.print(table)
    out.print()
    out.print(f"Written to {path}. To check it: python tools/check_edge.py {path}")


def _advance(bar: Progress, task: TaskID, share: float) -> None:
    bar.update(task, completed=share)


def _parse_date(text: str) -> str:
    """Return today's date, or check the given one."""
    if not text:
        return datetime.now(UTC).date().isoformat()
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise input_error("date", text, "not a date", "Write it as 2026-03-01.") from None


def _print_certificate(certificate: Certificate) -> None:
    out = console()
    out.print(f"Certificate of agreement: {certificate.rules.title}")
    out.print()
    table = plain_table("", "", name="certificate")
    for name, text in certificate.fact_lines():
        table.add_row(name, text)
    out.print(table)
    out.print()
    figures = number_table(
        "figure", "exact", "simulated", "error", "apart", gap=2, name="agreement"
    )
    for group, checks in certificate.groups().items():
        for check in sorted(checks, key=lambda each: each.chance)[:_SHOWN]:
            figures.add_row(
                f"{group}: {check.name}",
                FormattedNumber(check.exact, Form(6, style="g")),
                FormattedNumber(check.simulated, Form(6, style="g")),
                FormattedNumber(check.standard_error, Form(2, style="g")),
                FormattedNumber(check.sigmas, Form(2, plus=True)),
            )
    out.print(f"The {_SHOWN} least likely figures of each kind; “apart” is in standard errors")
    out.print()
    out.print(figures)
    out.print()
    out.print(certificate.verdict)


@contextmanager
def _bar() -> Iterator[Callable[[str, float], None] | None]:
    with progress_bar() as bar:
        if bar is None:
            yield None
            return
        tasks = {name: bar.add_task(name, total=1.0) for name in ("kernel", "engine")}
        yield lambda name, share: bar.update(tasks[name], completed=share)


# --- verify ---

WRONG = 1


@command("verify")
def verify(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="The shoe's record in JSON; - for standard input."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Check a shoe against its public record: commitment, cuts, order, every card dealt.

    Exit code 1 if the record is wrong.
    """
    record = _read_public_record(file)
    found = verify_record(record)
    if as_json:
        print_json(_verification_data(record, found))
    else:
        _print_verification(record, found)
    if not found.holds:
        raise typer.Exit(WRONG)


def _read_public_record(file: str) -> PublicRecord:
    raw = read_input(file, LARGEST_RECORD)
    try:
        if len(raw) > LARGEST_RECORD:
            raise RecordError(f"The record is longer than {LARGEST_RECORD:,} bytes.")
        return read_record(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise RecordError(f"{file}: the record isn't UTF-8 text.") from None
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None


def _print_verification(record: PublicRecord, found: Verification) -> None:
    out = console()
    context = record.context
    decks = f"{context.decks} deck{'s' if context.decks > 1 else ''}"
    out.print(
        f"Shoe {context.number} of table {context.table} in house {context.house}: {decks} of the "
        f"{context.pack} pack, rules {context.rules}"
    )
    if record.source is not EntropySource.OS:
        out.print("This shoe was dealt for a test. Its order isn't random.")
    out.print()
    table = plain_table("step", "checked")
    for check in found.checked:
        table.add_row(check.steps, check.words)
    out.print(table)
    out.print()
    out.print(
        "The record checks out. Compare its cards with the ones you saw."
        if found.holds
        else f"Wrong: {found.fault}"
    )


def _verification_data(record: PublicRecord, found: Verification) -> dict[str, object]:
    context = record.context
    return {
        "holds": found.holds,
        "fault": found.fault or None,
        "checked": [{"steps": check.steps, "words": check.words} for check in found.checked],
        "house": context.house,
        "table": context.table,
        "shoe": context.number,
        "rules": context.rules,
        "source": record.source,
        "commitment": record.commitment.hex(),
    }


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
                report = partial(_show_shoes, bar, task)
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


def _show_shoes(bar: Progress, task: TaskID, done: int) -> None:
    bar.update(task, completed=done)
