"""One family of errors, one list of refusal codes, one sentence for an extra that is missing."""

import importlib
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

import ventiuna
from ventiuna.cards import CardError, parse_card
from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.core.refusals import REASONS
from ventiuna.engine.commands import DealCard, PlaceWagers
from ventiuna.engine.errors import Refused
from ventiuna.errors import MissingExtra, VentiunaError
from ventiuna.extras import EXTRA_OF, load, require
from ventiuna.rules import Problem, RulesError

NOT_FOR_USERS = {
    "ventiuna.cli.play.terminal.Leave",
    "ventiuna.school.console.round._Learned",  # what has to be played again with it
    "ventiuna.server.audits._LetGo",  # an audit that nobody waits for any more
    "ventiuna.table.play.turn.WantsMeters",  # a command that must run by itself
    "ventiuna.testing.invariants.InvariantBroken",
    "ventiuna.testing.simulated.checks.Broken",
    "ventiuna.testing.simulated.failing.Failed",
    "ventiuna.testing.simulated.seen.Differs",
    "ventiuna.testing.simulated.seen.Gap",
    "ventiuna.testing.simulated.storing.Killed",
}
RULES = "wsgc-spanish-21"


def every_error_class() -> Iterator[type[BaseException]]:
    for found in pkgutil.walk_packages(ventiuna.__path__, "ventiuna."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, BaseException)
                and not issubclass(value, Warning)
                and value.__module__ == found.name
            ):
                yield value


def test_every_error_is_one_of_the_family() -> None:
    classes = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in every_error_class()}
    strangers = {name for name, kind in classes.items() if not issubclass(kind, VentiunaError)}
    assert strangers == NOT_FOR_USERS
    assert len(classes) > 10


def test_an_error_is_still_the_value_error_that_it_was() -> None:
    with pytest.raises(VentiunaError) as caught:
        parse_card("X9")
    assert type(caught.value) is CardError
    for kind in (CardError, ventiuna.Refused, ventiuna.RulesError):
        assert issubclass(kind, VentiunaError)
        assert issubclass(kind, ValueError)


def test_a_refusal_code_is_a_text_for_programs_and_a_name_for_people() -> None:
    for code in RefusalCode:
        assert code == code.name.lower()
    reasons = [code for code, _, _ in REASONS.values()]
    assert len(set(reasons)) == len(reasons)
    state = ventiuna.RoundState(ventiuna.load_rules(RULES))
    for command, code in (
        (PlaceWagers(1, 1), RefusalCode.TABLE_LIMITS),
        (DealCard(0), RefusalCode.NO_CARD_WANTED),
    ):
        with pytest.raises(ventiuna.Refused) as caught:
            ventiuna.execute(state, command)
        assert caught.value.code is code


# --- a missing extra ------------------------------------------------------------------------------


def without(libraries: str, script: str) -> subprocess.CompletedProcess[str]:
    """The script run by an interpreter that has none of these libraries."""
    blocked = f"import sys\nfor name in {libraries.split()!r}: sys.modules[name] = None\n"
    return subprocess.run(
        [sys.executable, "-c", blocked + script], capture_output=True, text=True, check=False
    )


COMPILED_COMMANDS = [
    f"edge {RULES}",
    f"edge {RULES} --sd",
    f"edge {RULES} --vary",
    f"edge {RULES} --effects",
    f"hand {RULES} 5c,6d 7s",
    f"strategy {RULES}",
    f"strategy {RULES} --format svg",
    f"strategy {RULES} --chart spanish-21-h17",
    f"simulate {RULES} --rounds 1000",
    f"simulate {RULES} --rounds 1000 --json",
    f"simulate {RULES} --rounds 1000 --strategy optimal",
    "simulate --resume none.ck",
    f"certify {RULES} --rounds 1000",
    "figures",
]
PLAIN_COMMANDS = [
    "rules list",
    f"rules show {RULES}",
    f"rules card {RULES}",
    f"deal {RULES}",
    f"sidebets {RULES}",
    f"play {RULES}",
    "jackpot wsgc-2021 --table 3c",
    "verify tests/golden/shoe_record.json",
]


def run_all(commands: list[str]) -> str:
    """A script that runs the commands one by one and says what came of each."""
    return f"""
import contextlib, io, os
from ventiuna.cli import main
sys.stdin = io.StringIO("")
for line in {commands!r}:
    words = [word.replace(",", " ") for word in line.split()]
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(words)
        code = 0
    except SystemExit as leave:
        code = leave.code
    print(line, code, len(out.getvalue()), err.getvalue().count(chr(10)), err.getvalue().strip(),
          sep="|")
"""


@pytest.mark.parametrize("library", ["numpy", "numba"])
def test_every_compiled_command_says_what_to_install(library: str) -> None:
    done = without(library, run_all(COMPILED_COMMANDS))
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == len(COMPILED_COMMANDS)
    for line in lines:
        command, code, printed, told, sentence = line.split("|")
        assert (code, printed, told) == ("1", "0", "1"), line
        assert f"this needs {library}" in sentence, command
        assert "pip install 'ventiuna[math]'" in sentence


def test_the_other_commands_need_neither() -> None:
    done = without("numpy numba fpdf dask distributed pyarrow sqlalchemy", run_all(PLAIN_COMMANDS))
    assert done.stderr == ""
    for line in done.stdout.splitlines():
        assert line.split("|")[1] == "0", line
        assert "not installed" not in line


@pytest.mark.parametrize("library", ["typer", "rich"])
def test_without_the_extra_cli_every_command_says_so(library: str) -> None:
    done = without(library, run_all([*COMPILED_COMMANDS, *PLAIN_COMMANDS]))
    assert done.stderr == ""
    for line in done.stdout.splitlines():
        _, code, printed, told, sentence = line.split("|")
        assert (code, printed, told) == ("1", "0", "1"), line
        assert "pip install 'ventiuna[cli]'" in sentence


ENTRIES = [
    "from ventiuna.analysis import analyse",
    "from ventiuna.analysis import hand_values",
    "from ventiuna.analysis import standard_deviation",
    "from ventiuna.analysis.charts.derive.result import derive_chart",
    "from ventiuna.simulation import simulate",
    "from ventiuna.simulation import Result",
    "from ventiuna.simulation.run import simulate",
    "from ventiuna.proof import certify",
    "from ventiuna import warm_up; warm_up()",
]


@pytest.mark.parametrize("library", ["numpy", "numba"])
def test_every_library_entry_says_what_to_install(library: str) -> None:
    script = f"""
from ventiuna import MissingExtra
for entry in {ENTRIES!r}:
    try:
        exec(entry)
    except MissingExtra as error:
        print(error)
"""
    done = without(library, script)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == len(ENTRIES)
    install = "Install it with: pip install 'ventiuna[math]'."
    assert set(lines) == {f"this needs {library}, which is not installed. {install}"}


@pytest.mark.parametrize("library", sorted(EXTRA_OF))
def test_a_missing_library_is_named_with_its_extra(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for ask in (require, load):
        with pytest.raises(MissingExtra) as caught:
            ask(library)
        assert (caught.value.library, caught.value.extra) == (library, EXTRA_OF[library])
        assert f"pip install 'ventiuna[{EXTRA_OF[library]}]'" in str(caught.value)
        assert isinstance(caught.value, ImportError)


# --- between processes ----------------------------------------------------------------------------


def errors_with_parts() -> list[VentiunaError]:
    problem = Problem("decks", "99", "R-006", "too many", "Take eight.")
    return [
        RulesError([problem, problem]),
        Refused(RefusalCode.NOT_RULES, ("R-042",), "No."),
        MissingExtra("numpy", "math"),
        VentiunaError("plain"),
    ]


@pytest.mark.parametrize("error", errors_with_parts(), ids=lambda error: type(error).__name__)
def test_an_error_travels_between_processes_whole(error: VentiunaError) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert (str(arrived), vars(arrived)) == (str(error), vars(error))
