"""The `ventiuna` command. Heavy modules are imported only when a command needs them."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing `typing` would delay handling of Ctrl-C
if TYPE_CHECKING:
    from collections.abc import Sequence

MISSING_EXTRA = 1
INTERRUPTED = 130
# Importing a command creates many long-lived objects, so frequent collections find no garbage.
OBJECTS_BETWEEN_COLLECTIONS = 50_000


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its exit code."""
    import atexit
    import gc
    import os

    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # prevents a slow, useless collection at exit
    # NumPy starts these threads at import, but our matrices are too small to benefit from them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        _run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:  # even while a library is loading or compiling
        raise SystemExit(INTERRUPTED) from None


def _run(words: list[str]) -> None:
    from ventiuna.cli.common.stdio import finish_output, output_error, prepare_output

    prepare_output()
    try:
        if words == ["--version"]:  # without loading Typer
            from ventiuna import __version__

            print(f"ventiuna {__version__}")
            return
        _run_app(words)
    except OSError:
        if output_error() is None:
            raise
    finally:
        finish_output()


def _run_app(words: list[str]) -> None:
    import os

    from ventiuna.cli.app import new_app
    from ventiuna.cli.common.stdio import print_warnings

    app = new_app(words)
    print_warnings()
    if {"-h", "--help"} & set(words):  # command groups don't have --plain
        words = [word for word in words if word != "--plain"]
    if "_VENTIUNA_COMPLETE" in os.environ:  # the shell takes each line as a suggestion
        os.environ["COLUMNS"] = "1000"
    app(words, prog_name="ventiuna")
