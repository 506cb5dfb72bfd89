"""`ventiuna warm-up`: compile everything once, so that no command has to later."""

from __future__ import annotations

from time import perf_counter

from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, console, print_json


def register(app: App) -> None:
    app.command("warm-up", tables=False)(warm_up)


def warm_up(json: JsonFlag = False) -> None:
    """Compile everything that is not compiled yet; it stays on disk."""
    from ventiuna.cli.compiling import compile_with_bar
    from ventiuna.compiling import WarmUp, all_forms, missing

    started = perf_counter()
    forms = all_forms()
    wanted = missing(forms)
    compile_with_bar(wanted)
    done = WarmUp(len(wanted), len(forms) - len(wanted), perf_counter() - started)
    if json:
        print_json(done.as_data())
    elif done.compiled:
        out = console()
        out.print(f"{done.compiled} of {len(forms)} kernels compiled in {done.seconds:.1f} seconds")
    else:
        console().print(f"all {done.ready} kernels are compiled already")
