"""Ventiuna doesn't change the state of the program that uses it."""

from __future__ import annotations

import os
import subprocess
import sys

# Each of these programs prints the changes it finds, so no output means no changes.
_LOOK = """
import decimal, locale, os, signal, sys, threading, warnings
import numba
from numba.core import config
numba.njit(lambda x: x)(1)

def looks():
    return {
        "numba": {name: repr(getattr(config, name)) for name in dir(config) if name.isupper()},
        "signals": {n: signal.getsignal(n) for n in signal.valid_signals()},
        "warnings": list(warnings.filters),
        "shown by": warnings.showwarning,
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "locale": locale.setlocale(locale.LC_ALL),
        "decimal": repr(decimal.getcontext()),
        "recursion": sys.getrecursionlimit(),
        "hooks": (sys.excepthook, threading.excepthook, sys.unraisablehook),
        "umask": (os.umask(0o22), os.umask(0o22))[1],
        "streams": (sys.stdout, sys.stderr, sys.stdin),
    }

def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()

signals_set, started = [], []
usual_signal, usual_fork = signal.signal, os.posix_spawn
def watch(event, arguments):
    if event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec"):
        started.append(event)
signal.signal = lambda *a: (signals_set.append(a), usual_signal(*a))[1]
sys.addaudithook(watch)
before = looks()
"""
_USE = """
from ventiuna import load_rules, parse_card, parse_cards
from ventiuna.analysis import analyze, hand_values
from ventiuna.simulation import simulate
rules = load_rules("super-fun-21")
analyze(rules)
hand_values(rules, parse_cards("8c 8d"), parse_card("7h"))
simulate(rules, rounds=2_000)
"""
_TELL = """
after = looks()
signal.signal = usual_signal
for name in before:
    if before[name] != after[name]:
        print("changed:", name)
for found in signals_set:
    print("signal handler set:", found)
for found in started:
    print("started:", found)
left = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
for name in left:
    print("left a thread:", name)
"""


def _told(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_importing_and_using_changes_nothing_for_the_host() -> None:
    assert _told(_LOOK + _USE + _TELL) == ""


def test_kernels_run_without_numba() -> None:
    assert _told(_USE + "import sys; print('numba' in sys.modules)").strip() == "False"
