"""Compiling is said, with how long it takes, and shown: what a command needs before it begins."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any

from ventiuna.kernels.forms import ANALYSER, DEVIATION, REOPTIMISED, SIMULATOR, Form
from ventiuna.texts import one_line

if TYPE_CHECKING:
    from ventiuna.simulation.work import Work

__all__ = [
    "ANALYSER",
    "DEVIATION",
    "REOPTIMISED",
    "SIMULATOR",
    "compile_for_work",
    "compile_parts",
    "compile_with_bar",
    "tell_warnings",
]

PROCESSES = 2


def compile_parts(*parts: str) -> None:
    """Compile what these parts of the program need, if some of it is not on disk yet."""
    from ventiuna.compiling import all_forms, missing

    _announce(missing(all_forms(parts)), parts)


def compile_for_work(work: Work) -> None:
    """The same for one simulation."""
    from ventiuna.compiling import missing
    from ventiuna.simulation.forms import forms_for

    _announce(missing(forms_for(work)), (SIMULATOR,))


def _announce(forms: list[Form], parts: tuple[str, ...]) -> None:
    from ventiuna.compiling import seconds_to_compile

    if not forms:
        return
    names = " and the ".join(part for part in parts if any(form.part == part for form in forms))
    seconds = max(1, round(seconds_to_compile(forms, PROCESSES)))
    print(
        f"Compiling the {names}: this happens once and takes about "
        f"{seconds} second{'s' if seconds > 1 else ''}.",
        file=sys.stderr,
    )
    compile_with_bar(forms)


def compile_with_bar(forms: list[Form]) -> None:
    """With a bar on standard error where a person is watching."""
    from rich.console import Console

    from ventiuna.cli.output import sees_bars
    from ventiuna.compiling import Progress, compile_forms, without_collection

    out = Console(stderr=True)
    if not sees_bars(out):
        with without_collection():
            compile_forms(forms, PROCESSES)
        return
    from rich.progress import Progress as Bar

    with without_collection(), Bar(console=out, transient=True) as bar:
        task = bar.add_task("compiling", total=1.0)

        def report(progress: Progress) -> None:
            bar.update(task, completed=progress.share, description=progress.name)

        compile_forms(forms, PROCESSES, report)


def tell_warnings() -> None:
    """Warnings are sentences for people here, not lines of source; each is told once."""
    told: set[str] = set()

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        sentence = one_line(f"warning: {message}")
        if sentence not in told:
            told.add(sentence)
            print(sentence, file=sys.stderr)

    warnings.showwarning = show
