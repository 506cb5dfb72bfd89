"""The package itself: it installs under its version and loads nothing it does not need."""

import subprocess
import sys
from importlib.metadata import version

import ventiuna


def test_version_is_the_installed_one() -> None:
    assert ventiuna.__version__ == version("ventiuna")


def test_bare_import_loads_no_third_party_package() -> None:
    # A fresh interpreter, since this one has long loaded the test tools.
    program = (
        "import sys; before = set(sys.modules); import ventiuna; "
        "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "ventiuna" in loaded
    assert loaded - {"ventiuna"} <= set(sys.stdlib_module_names)
