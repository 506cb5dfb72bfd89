"""The Typer app: its command modules, and errors turned into one clear message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ventiuna.cli import INTERRUPTED, MISSING_EXTRA
from ventiuna.cli.commands import App
from ventiuna.cli.completion_scripts import use_our_scripts
from ventiuna.cli.output import error_lines, is_plain
from ventiuna.cli.streams import complain, output_fails
from ventiuna.errors import MissingExtra, VentiunaError
from ventiuna.extras import extra_missing
from ventiuna.texts import one_line

# Each module has register(app) and adds its command; help lists them in this order.
COMMANDS = {
    "play": "play.command",
    "rules": "rules.command",
    "settle": "settle.command",
    "deal": "deal",
    "school": "school",
    "edge": "edge",
    "hand": "hand",
    "strategy": "strategy",
    "layout": "layout",
    "sidebets": "sidebets",
    "jackpot": "jackpot",
    "count": "count.command",
    "simulate": "simulate.command",
    "par": "par",
    "posting": "posting",
    "pocket": "pocket",
    "ambiguities": "ambiguities",
    "certify": "certify",
    "figures": "figures",
    "verify": "verify",
    "table": "table",
    "serve": "serve",
    "house": "house.command",
    "audit": "audit",
    "recall": "recall",
    "report": "report",
    "backup": "backup",
    "restore": "restore",
    "warm-up": "warm_up",
}

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


class _AsTyped:
    """A text or a flag is taken as it was typed."""

    def coerce(self, value: Any, **_: Any) -> Any:
        return value


def _take_texts_as_typed(parameters: list[Any]) -> list[Any]:
    """Typer may load Pydantic, which takes a tenth of a second, to find that a text is one."""
    for parameter in parameters:
        kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
        if kind in (str, bool) and getattr(parameter, "_runtime_param", ...) is None:
            parameter._runtime_param = _AsTyped()
    return parameters


class _Commands(TyperGroup):
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _take_texts_as_typed(command.get_params(ctx))
        return command

    def get_params(self, ctx: Any) -> Any:
        return _take_texts_as_typed(super().get_params(ctx))

    def make_context(self, *words: Any, **settings: Any) -> Any:
        with _one_message():  # help is printed here
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:
        with _one_message():
            return super().invoke(ctx)


def _show_version(wanted: bool) -> None:
    if wanted:
        from ventiuna import __version__

        typer.echo(f"ventiuna {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    pass


def new_app(words: Sequence[str] = ()) -> App:
    """The app for a command line: with the one command that it names, else with all of them."""
    app = App(
        cls=_Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None if is_plain() or "--plain" in words else "rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Spanish 21 and Super Fun 21: deal them, settle them, study them. Play money only.",
    )
    app.callback()(_root)
    use_our_scripts()
    named = words[0] if words else ""
    for name in [named] if named in COMMANDS else COMMANDS:
        import_module(f"ventiuna.cli.{COMMANDS[name]}").register(app)
    return app


def __getattr__(name: str) -> Any:
    """`app`, with every command."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return new_app()
