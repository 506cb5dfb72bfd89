"""The package itself: its version is the installed one, and it loads nothing it doesn't need."""

import pkgutil
import subprocess
import sys
from importlib.metadata import version

import ventiuna

# Packages and modules that must work in a bare installation without extras.
BARE_ROOMS = ("cards", "core", "engine", "money", "notation", "rules")


def loaded_by_importing(modules: list[str]) -> set[str]:
    """Top-level packages loaded by these imports in a fresh interpreter."""
    program = (
        f"import sys; before = set(sys.modules); import {', '.join(modules)}; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_version_is_the_installed_one() -> None:
    assert ventiuna.__version__ == version("ventiuna")


def test_a_bare_import_loads_only_the_standard_library() -> None:
    loaded = loaded_by_importing(["ventiuna"])
    assert "ventiuna" in loaded
    assert loaded - {"ventiuna"} <= set(sys.stdlib_module_names)


def test_dealing_a_round_needs_only_the_standard_library() -> None:
    modules = [
        module.name
        for module in pkgutil.walk_packages(ventiuna.__path__, "ventiuna.")
        if module.name.split(".")[1] in BARE_ROOMS
    ]
    assert modules
    assert loaded_by_importing(modules) - {"ventiuna"} <= set(sys.stdlib_module_names)
