"""The command line, run inside the test's process or as a program of its own."""

import json
import os
import subprocess
import sys
from typing import Any

from typer.testing import CliRunner

from ventiuna.cli.app import new_app

# Started by a script in the background, the tests and their children would ignore Ctrl-C for good.
_CODE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from ventiuna.cli import main
main()
"""
PROGRAM = [sys.executable, "-c", _CODE]


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def data(self) -> Any:
        return json.loads(self.out)


def run(*words: str) -> Outcome:
    """As the program does it: with the one command that is named, a tenth of a second sooner."""
    done = CliRunner().invoke(new_app(words), list(words), catch_exceptions=False)
    return Outcome(done.exit_code, done.stdout, done.stderr)


def good(*words: str) -> str:
    """What a command prints that succeeds and has nothing to complain about."""
    done = run(*words)
    assert done.code == 0, done.err
    assert done.err == ""
    return done.out


def program(*words: str, **environment: str) -> Outcome:
    """The same in a fresh interpreter, its output piped."""
    command = [*PROGRAM, *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
