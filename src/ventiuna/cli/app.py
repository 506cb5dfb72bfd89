"""The Typer app: its command modules, and errors turned into one clear message."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ventiuna import __version__
from ventiuna.cli import (
    INTERRUPTED,
    MISSING_EXTRA,
    certify,
    deal,
    edge,
    figures,
    hand,
    jackpot,
    settle,
    sidebets,
    strategy,
)
from ventiuna.cli.output import error_lines
from ventiuna.cli.play import command as play
from ventiuna.cli.rules import command as rules
from ventiuna.cli.simulate import command as simulate
from ventiuna.cli.streams import complain, output_fails
from ventiuna.errors import MissingExtra, VentiunaError
from ventiuna.extras import extra_missing
from ventiuna.texts import one_line

# Each module has register(app) and adds its commands; help lists them in this order.
COMMAND_MODULES = (
    play,
    rules,
    settle,
    deal,
    edge,
    hand,
    strategy,
    sidebets,
    jackpot,
    simulate,
    certify,
    figures,
)

BAD_INPUT = 2

# What Typer says about the words of a command line; it does not name the class itself.
_UsageError: type[Any] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


@contextmanager
def _one_message() -> Iterator[None]:
    """What the user can mend is a message and an exit code, never a traceback."""
    try:
        yield
    except _UsageError as error:  # it repeats what was typed
        error.message = one_line(error.message)
        raise
    except ModuleNotFoundError as error:
        missing = extra_missing(error)
        if missing is None:
            raise
        raise _told(missing, MISSING_EXTRA) from None
    except MissingExtra as error:
        raise _told(error, MISSING_EXTRA) from None
    except VentiunaError as error:
        raise _told(error, BAD_INPUT) from None
    except OSError as error:
        if output_fails():  # told at the end, once
            raise typer.Exit(BAD_INPUT) from None
        raise _told(error, BAD_INPUT) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _told(error: Exception, code: int) -> typer.Exit:
    """Print what is wrong; the exit that follows."""
    for line in error_lines(error):
        complain(line)
    return typer.Exit(code)


class _Commands(TyperGroup):
    def make_context(self, *words: Any, **settings: Any) -> Any:
        with _one_message():  # help is printed here
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:
        with _one_message():
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Spanish 21 and Super Fun 21: deal them, settle them, study them. Play money only.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ventiuna {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    pass


for module in COMMAND_MODULES:
    module.register(app)
