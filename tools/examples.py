"""Run the documentation's examples, compare their output, and update it.

    python -m tools.examples PAGE...           report outdated examples
    python -m tools.examples --write PAGE...   update them; review, and shorten with `...`

A page's fences are run from top to bottom in an empty folder:

- `console`: lines that begin with `$ ventiuna` are commands, followed by their output. `...`
  matches anything. A comment `<!-- exit: 1 -->` before the fence sets the expected exit code if
  it isn't 0.
- with a `:caption:`: a file of that name. A comment `<!-- copy: PATH -->` before a fence copies
  a file from the repository there.
- `>>>` in `python` fences: doctests, which share a namespace.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
_FENCE = re.compile(
    r"(?:^<!-- exit: (?P<code>\d+) -->\n)?"
    r"(?:^<!-- copy: (?P<copy>\S+) -->\n)?"
    r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_CAPTION = re.compile(r":caption: (?P<name>\S+)\n+")
_PROMPT = "$ ventiuna"
_CHECK = doctest.OutputChecker()
_WIDTH = "80"


@dataclass(frozen=True)
class Command:
    """One command line of a page, and the output shown below it."""

    line: str  # as on the page, with its prompt
    shown: str
    code: int = 0

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line.removeprefix("$ ").replace("\\\n", " "))[1:]

    @property
    def text(self) -> str:
        return f"{self.line}\n{self.shown}"


@dataclass(frozen=True)
class Difference:
    command: Command
    printed: str
    code: int

    def __str__(self) -> str:
        about = f"{self.command.line}\n(exit code {self.code}, {self.command.code} expected)"
        return f"{about}\nshown:\n{self.command.shown}\nprinted:\n{self.printed}"


def pages(docs: Path) -> list[Path]:
    """Return the pages with runnable examples."""
    return [
        page
        for page in sorted(docs.rglob("*.md"))
        if "made" not in page.parts and _has_examples(page.read_text(encoding="utf-8"))
    ]


def _has_examples(text: str) -> bool:
    return ">>> " in text or any(commands(match) for match in _FENCE.finditer(text))


def commands(fence: re.Match[str]) -> list[Command]:
    if not fence["kind"].startswith("console"):
        return []
    code = int(fence["code"] or 0)
    found: list[Command] = []
    continued = False
    for line in fence["body"].splitlines(keepends=True):
        if continued:
            found[-1] = replace(found[-1], line=f"{found[-1].line}\n{line.rstrip()}")
        elif line.startswith(_PROMPT):
            found.append(Command(line.rstrip(), "", code))
        elif found:
            found[-1] = replace(found[-1], shown=found[-1].shown + line)
        continued = line.rstrip().endswith("\\") and (continued or line.startswith(_PROMPT))
    return found


def run(command: Command) -> tuple[str, int]:
    """Return a command's output, both streams, and its exit code."""
    from typer.testing import CliRunner

    from ventiuna.cli.app import app

    usual = {"COLUMNS": _WIDTH, "TERM": "xterm"}  # the same no matter where the pages are built
    done = CliRunner().invoke(app, command.words, env=usual, catch_exceptions=False)
    lines = (line.rstrip() for line in done.output.splitlines())
    return "".join(f"{line}\n" for line in lines), done.exit_code


def is_shown(command: Command, printed: str) -> bool:
    return _CHECK.check_output(command.shown, printed, doctest.ELLIPSIS)


def differences(page: Path) -> list[Difference]:
    """Return the differences between a page and the output of its commands."""
    found = []
    with _own_folder():
        for command, printed, code in _happening(page.read_text(encoding="utf-8")):
            if code != command.code or not is_shown(command, printed):
                found.append(Difference(command, printed, code))
    return found


def wrong_doctests(page: Path) -> int:
    with _own_folder():
        _write_files(page.read_text(encoding="utf-8"))
        return doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed


def written(text: str) -> str:
    """Return the page with the current output of its commands."""
    with _own_folder():
        for command, printed, code in list(_happening(text)):
            if code != command.code:
                print(f"{command.line}: exit code {code}", file=sys.stderr)
            if not is_shown(command, printed):
                text = text.replace(command.text, f"{command.line}\n{printed}")
    return text


def _happening(text: str) -> Iterator[tuple[Command, str, int]]:
    for fence in _FENCE.finditer(text):
        _write_file(fence)
        for command in commands(fence):
            yield command, *run(command)


def _write_files(text: str) -> None:
    for fence in _FENCE.finditer(text):
        _write_file(fence)


def _write_file(fence: re.Match[str]) -> None:
    if fence["copy"]:
        shutil.copy(PROJECT / fence["copy"], ".")
    caption = _CAPTION.match(fence["body"])
    if caption:
        Path(caption["name"]).write_text(fence["body"][caption.end() :], encoding="utf-8")


@contextlib.contextmanager
def _own_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        data = os.environ.get("XDG_DATA_HOME")
        os.environ["XDG_DATA_HOME"] = folder
        try:
            yield
        finally:
            if data is None:
                del os.environ["XDG_DATA_HOME"]
            else:
                os.environ["XDG_DATA_HOME"] = data


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.examples", description=__doc__)
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument(
        "--write", action="store_true", help="write the current output into the pages"
    )
    options = parser.parse_args(arguments)
    wrong = 0
    for page in (one.resolve() for one in options.pages):
        if options.write:
            page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            for difference in differences(page):
                print(f"{page.name}: {difference}", file=sys.stderr)
                wrong += 1
            wrong += wrong_doctests(page)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
