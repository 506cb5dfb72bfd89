"""One family of errors, one list of refusal codes, and one sentence for a missing extra."""

import importlib
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ventiuna
from ventiuna.cards import CardError, parse_card
from ventiuna.core.refusals import REASONS, RefusalCode
from ventiuna.engine.commands import DealCard, PlaceWagers, Refused
from ventiuna.errors import MissingExtra, VentiunaError
from ventiuna.package import EXTRA_OF, load_library, require_library
from ventiuna.rules import Problem, RulesError

NOT_FOR_USERS = {
    "ventiuna.analysis.base_game.design._Stopped",  # nobody is waiting for the search anymore
    "ventiuna.cli.play_terminal.LeaveTable",
    "ventiuna.proof.conformance._Stopped",  # becomes the refusal in an answer
    "ventiuna.school.console._ReplayNeeded",  # requests a replay
    "ventiuna.server.jobs._AuditCanceled",  # nobody is waiting for the audit anymore
    "ventiuna.table.domain.flow.NeedsMeters",  # a command that must run by itself
    "ventiuna.testing.invariants.InvariantBroken",
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


def test_an_error_is_still_a_value_error() -> None:
    with pytest.raises(VentiunaError) as caught:
        parse_card("X9")
    assert type(caught.value) is CardError
    for kind in (CardError, ventiuna.Refused, ventiuna.RulesError):
        assert issubclass(kind, VentiunaError)
        assert issubclass(kind, ValueError)


def test_a_refusal_code_is_a_string_for_programs_and_a_name_for_people() -> None:
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
    """Run the script in an interpreter that lacks these libraries."""
    blocked = f"import sys\nfor name in {libraries.split()!r}: sys.modules[name] = None\n"
    return subprocess.run(
        [sys.executable, "-c", blocked + script], capture_output=True, text=True, check=False
    )


OPTIONAL = " ".join(EXTRA_OF)
COMMANDS = [
    f"edge {RULES}",
    f"hand {RULES} 5c,6d 7s",
    f"strategy {RULES} --chart spanish-21-h17",
    f"simulate {RULES} --rounds 1000",
    "rules list",
    f"deal {RULES}",
    f"sidebets {RULES}",
    f"play {RULES}",
    "house create --database {folder}/own.sqlite",
    "audit --database {folder}/own.sqlite",
    "verify tests/golden/shoe_record.json",
]


def test_everyday_commands_need_no_extra(tmp_path: Path) -> None:
    commands = [command.format(folder=tmp_path) for command in COMMANDS]
    script = f"""
import contextlib, io
from ventiuna.cli import main
sys.stdin = io.StringIO("")
for line in {commands!r}:
    words = [word.replace(",", " ") for word in line.split()]
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            main(words)
        except SystemExit as leave:
            assert not leave.code, line
"""
    done = without(OPTIONAL, script)
    assert done.stderr.count("Traceback") == 0
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("library", sorted(EXTRA_OF))
def test_a_missing_library_is_reported_with_its_extra(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for ask in (require_library, load_library):
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
        MissingExtra("pandas", "data"),
        VentiunaError("plain"),
    ]


@pytest.mark.parametrize("error", errors_with_parts(), ids=lambda error: type(error).__name__)
def test_an_error_can_be_sent_between_processes(error: VentiunaError) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert (str(arrived), vars(arrived)) == (str(error), vars(error))
