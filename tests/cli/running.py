"""Runs the command line, either in the test's process or as a separate program."""

import json
import os
import subprocess
import sys
from typing import Any

from typer.testing import CliRunner

from ventiuna.cli.app import new_app

# When a script starts the tests in the background, they and their children ignore Ctrl-C.
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
    """Run a command in this process; loading only its own module saves a tenth of a second."""
    done = CliRunner().invoke(new_app(words), list(words), catch_exceptions=False)
    return Outcome(done.exit_code, done.stdout, done.stderr)


def good(*words: str) -> str:
    """Output of a command that must succeed without warnings."""
    done = run(*words)
    assert done.code == 0, done.err
    assert done.err == ""
    return done.out


def program(*words: str, **environment: str) -> Outcome:
    """Run a command in a fresh interpreter with its output piped."""
    command = [*PROGRAM, *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
