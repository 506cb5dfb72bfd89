"""Seconds from rules to a finished PAR sheet in a new process, and again in the same process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.figures import Figure

_SHEET = """
from time import perf_counter, process_time
started, worked = perf_counter(), process_time()
from ventiuna.reports.render import document_html
from ventiuna.reports.render import document_pdf
from ventiuna.reports.queries import ParQuery

def sheet(rules):
    question = ParQuery(rules=rules)
    study = question.run()
    document = question.document(study)
    question.data(study)
    return document_html(document), document_pdf(document)

sheet("{rules}")
print(perf_counter() - started, process_time() - worked)
started, worked = perf_counter(), process_time()
sheet("{rules}")
print(perf_counter() - started, process_time() - worked)
"""


def measure(quick: bool) -> Iterator[Figure]:
    """Kernels are already compiled; "first" includes imports and loading them."""
    for rules in ("super-fun-21",) if quick else ("super-fun-21", "wsgc-2021-jackpot"):
        done = subprocess.run(
            [sys.executable, "-c", _SHEET.format(rules=rules)],
            capture_output=True,
            text=True,
            check=True,
        )
        first, first_work, again, again_work = map(float, done.stdout.split())
        yield Figure(f"PAR sheet of {rules}, first", first, "seconds")
        yield Figure("  work of all threads", first_work, "CPU seconds")
        yield Figure(f"PAR sheet of {rules}, again", again, "seconds")
        yield Figure("  work of all threads", again_work, "CPU seconds")
