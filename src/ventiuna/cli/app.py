"""The Typer app: loads each command when it runs, and turns each error into one clear message."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ventiuna.cli import INTERRUPTED, MISSING_EXTRA
from ventiuna.cli.common.help import HelpfulGroup
from ventiuna.cli.common.stdio import error_lines, is_dumb_terminal, output_error, print_error
from ventiuna.errors import MissingExtra, VentiunaError
from ventiuna.texts import one_line

# Help panels. For each command: its module, and its summary.
PANELS = {
    "Play": {
        "table": ("serve", "Play at a live table in your browser, with play money and bots."),
        "play": ("play", "Play in this terminal, with a coach."),
        "school": ("school", "Learn to deal: every step in order, every payout exact."),
    },
    "Study": {
        "hand": ("study", "Compute and explain the exact value of every play for a hand."),
        "dealer": ("study", "Show the exact chances of the dealer's final totals by up card."),
        "strategy": ("strategy", "Derive the strategy chart for a rule set, to read or print."),
        "edge": ("study", "Compute the exact house edge with best play."),
        "design": ("study", "Find rule sets with the edge, deviation or hit rates you want."),
        "sidebets": ("side_bets", "Show the odds of Match the Dealer, Super Bonus and more."),
        "jackpot": ("side_bets", "Show a jackpot's returns, break-even meter and awards."),
        "simulate": ("simulate", "Play millions of rounds."),
        "count": ("count", "Design, compare and simulate card counts."),
    },
    "Rules": {
        "rules": (
            "rules",
            "List, show, check, compare and print house rules (card, procedure, layout …).",
        ),
    },
    "Disputes": {
        "settle": ("rounds", "Settle recorded rounds: every payment with its rule."),
        "deal": ("rounds", "Deal rounds and print them as text that `settle` can read."),
    },
    "Proof": {
        "par": ("documents", "Create the PAR sheet: every figure for a rule set."),
        "figures": ("documents", "Compare every published figure with ours."),
        "certify": (
            "proof",
            "Prove that analysis, kernel and engine agree, and write a certificate.",
        ),
        "verify": ("proof", "Check a shoe against its public record."),
        "conformance": ("proof", "Answer the conformance kit's questions, line by line."),
        "rng-sample": ("proof", "Write raw generator output and shuffled shoes in bulk."),
    },
    "House": {
        "house": ("house", "Manage a house: operators, tables, jackpots, play money."),
        "serve": ("serve", "Serve a house's live tables."),
        "audit": ("house_records", "Replay and check everything a house has recorded."),
        "recall": ("house_records", "Replay a recorded round step by step."),
        "report": ("house_records", "Report a day's drop, win and hold by table and wager."),
        "monitor": ("monitor", "Test whether tables pay what they should, at any time."),
        "backup": ("house_records", "Copy a house to a file, even while it is open."),
        "restore": ("house_records", "Restore a copy into an empty database."),
    },
}
HIDDEN = {"pocket": "strategy"}
MODULES = {
    name: module for panel in PANELS.values() for name, (module, _) in panel.items()
} | HIDDEN
# Old names that still work for one release.
MOVED = {
    "posting": "rules posting",
    "layout": "rules layout",
    "ambiguities": "rules ambiguities",
    "pocket": "strategy --pocket",
}

BAD_INPUT = 2


@contextmanager
def _one_message() -> Iterator[None]:
    """Turn errors that users can fix into a message and an exit code, never a traceback."""
    try:
        yield
    except typer.TyperException as error:  # the message quotes user input
        error.message = one_line(error.message)
        raise
    except MissingExtra as error:
        raise _exit_after(error, MISSING_EXTRA) from None
    except VentiunaError as error:
        raise _exit_after(error, BAD_INPUT) from None
    except OSError as error:
        if output_error():  # reported once, at exit
            raise typer.Exit(BAD_INPUT) from None
        raise _exit_after(error, BAD_INPUT) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _exit_after(error: Exception, code: int) -> typer.Exit:
    """Print the error and return the resulting exit."""
    for line in error_lines(error):
        print_error(line)
    return typer.Exit(code)


class _Commands(HelpfulGroup):
    """All commands by name and summary; a command's module is imported when it runs."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for panel, listed in PANELS.items():
            for name, (_, summary) in listed.items():
                self.add_command(TyperCommand(name, help=summary, rich_help_panel=panel))
        for name in HIDDEN:
            self.add_command(TyperCommand(name, hidden=True))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, _in_new_spelling(ctx, args))
        return name, name and _command(name, self.rich_markup_mode), rest

    def make_context(self, *words: Any, **settings: Any) -> Any:
        with _one_message():  # this may print help
            return super().make_context(*words, **settings)

    def invoke(self, ctx: Any) -> Any:
        with _one_message():
            return super().invoke(ctx)


@cache  # commands can be registered only once
def _command(name: str, markup: Any) -> Any:
    from ventiuna.cli.common.commands import DECLARED, App

    app = App(rich_markup_mode=markup)
    module = import_module(f"ventiuna.cli.{MODULES[name]}")
    if name in DECLARED:
        function, settings = DECLARED[name]
        app.command(name, **settings)(function)
    else:
        app.add_typer(module.commands, name=name)
    return typer.main.get_group(app).commands[name]


def _in_new_spelling(ctx: Any, words: list[str]) -> list[str]:
    old = words[0]
    if old not in MOVED:
        return words
    if not ctx.resilient_parsing:  # a message would confuse a shell that asks for completions
        print(f"`ventiuna {old}` is now `ventiuna {MOVED[old]}`.", file=sys.stderr)
    group = MOVED[old].removesuffix(f" {old}")
    return words if old in HIDDEN else [group, *words]


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


def new_app(words: Sequence[str] = ()) -> typer.Typer:
    """Create the app for a command line, with plain help if the line asks for it."""
    app = typer.Typer(
        cls=_Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None if is_dumb_terminal() or "--plain" in words else "rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Spanish 21 and Super Fun 21: play, study, settle and run them. Play money only.",
        epilog="New here? Start with `ventiuna table` in your browser or `ventiuna play` in this "
        "terminal. `ventiuna COMMAND --help` explains a command.",
    )
    app.callback()(_root)
    return app


def __getattr__(name: str) -> Any:
    """Provide `app` for programs that import it."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return new_app()
