"""Features that all commands share: rules without quoting, `--plain`, `--csv`, `--parquet`.

A module declares a command with `@command("edge")`, and the shared options are added automatically.
A parameter annotated with a query is replaced by that query's options, and a command without a
docstring gets the query's docstring. Use `tables=False` for a command that prints no tables, and
`pages=True` for one whose output can be longer than the window.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Annotated, Any, NamedTuple, TypeVar

import typer
from pydantic import BaseModel

from ventiuna.analysis.query import QueryOption
from ventiuna.cli.common.console import (
    CsvOption,
    ParquetOption,
    PlainFlag,
    RulesArgument,
    output_as,
)
from ventiuna.cli.common.help import HelpfulCommand, HelpfulGroup
from ventiuna.cli.common.rules_args import (
    DEFAULT_RULES,
    METAVAR,
    WORDS_BEFORE,
    Parameter,
    Parameters,
    fold_changes,
)
from ventiuna.cli.common.tables import CommandOutput

F = TypeVar("F", bound=Callable[..., Any])


# Commands of `ventiuna` by name, with the settings for `App.command`.
DECLARED: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}


def command(name: str, **settings: Any) -> Callable[[F], F]:
    """Declare a command of `ventiuna`; its options are built only when it runs."""

    def declare(function: F) -> F:
        DECLARED[name] = function, settings
        return function

    return declare


class App(typer.Typer):
    """A group of commands with the shared options."""

    def __init__(self, *, cls: type[HelpfulGroup] = HelpfulGroup, **settings: Any) -> None:
        super().__init__(cls=cls, **settings)

    def command(
        self,
        name: str | None = None,
        *,
        tables: bool = True,
        pages: bool = False,
        **settings: Any,
    ) -> Callable[[F], F]:
        register = super().command(name, cls=Command, **settings)

        def declare(function: F) -> F:
            shared = _CommandTraits(name or function.__name__, tables, pages)
            register(_with_shared_options(function, shared))
            return function

        return declare


class _CommandTraits(NamedTuple):
    """Settings for the options that a command shares with others."""

    name: str
    tables: bool  # prints tables, which can be exported
    pages: bool  # output may go to a pager because the command never prompts


def _with_shared_options(function: Callable[..., Any], about: _CommandTraits) -> Callable[..., Any]:
    function = _with_query_options(function)
    own = inspect.signature(function, eval_str=True)
    shared: dict[str, Any] = {"plain": (PlainFlag, False)}
    if about.tables:
        shared |= {"csv": (CsvOption, ""), "parquet": (ParquetOption, "")}
    shared = {option: kind for option, kind in shared.items() if option not in own.parameters}

    @wraps(function)
    def command(**given: Any) -> Any:
        wanted = CommandOutput(about.name, **{option: given.pop(option) for option in shared})
        with output_as(wanted):
            if not about.pages:
                return _run(function, given, wanted)
            from ventiuna.cli.common.console import paged

            with paged(wanted):
                return _run(function, given, wanted)

    more = [_parameter(option, kind, default) for option, (kind, default) in shared.items()]
    changed: Any = command
    changed.__signature__ = own.replace(parameters=[*own.parameters.values(), *more])
    return command


# --- Options of a query ---


def _with_query_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a parameter annotated with a query into that query's options."""
    own = inspect.signature(function, eval_str=True)
    found: list[tuple[str, Any]] = [
        (name, parameter.annotation)
        for name, parameter in own.parameters.items()
        if inspect.isclass(parameter.annotation) and issubclass(parameter.annotation, BaseModel)
    ]
    if not found:
        return function
    [(taken_as, query)] = found

    @wraps(function)
    def command(**given: Any) -> Any:
        options = query.options()
        for name, option in options.items():
            if option.old_name:
                given[name] |= given.pop(option.old_name)
        texts = {name: given.pop(name) for name in options}
        words = {
            name: " ".join(text) if isinstance(text, list) and options[name].is_argument else text
            for name, text in texts.items()
        }
        return function(**given, **{taken_as: query.parse(**words)})

    others = [each for name, each in own.parameters.items() if name != taken_as]
    parameters = [*_query_parameters(query), *others]
    changed: Any = command
    changed.__doc__ = function.__doc__ or query.__doc__
    changed.__signature__ = own.replace(
        parameters=[each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    )
    return command


def _query_parameters(query: type[Any]) -> Iterator[inspect.Parameter]:
    for name, option in query.options().items():
        if name == "rules":
            yield _parameter(name, RulesArgument, query.default_rules)
        elif option.is_argument:
            kind = list[str] if option.kind is list else option.kind
            argument = typer.Argument(metavar=option.metavar, help=option.help)
            yield _parameter(name, Annotated[kind, argument], inspect.Parameter.empty)
        else:
            default = query.model_fields[name].default
            if option.kind is str and not isinstance(default, str):
                default = option.default
            elif option.kind is list:
                default = None
            yield _parameter(name, _typer_option(name, option, default), default)
            if option.old_name:
                old = typer.Option(f"--{option.old_name}", hidden=True)
                yield _parameter(option.old_name, Annotated[option.kind, old], default)


def _typer_option(name: str, option: QueryOption, default: object) -> Any:
    names = option.names or (f"--{name.replace('_', '-')}",)
    kind: Any = list[str] if option.kind is list else option.kind
    if default is None:
        kind |= None
    settings = typer.Option(
        *names,
        metavar=option.metavar,
        help=option.help,
        show_default=option.show_default,
        min=option.low,
        max=option.high,
    )
    return Annotated[kind, settings]


def _parameter(name: str, annotation: Any, default: object) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _run(function: Callable[..., Any], arguments: dict[str, Any], output: CommandOutput) -> Any:
    if not (output.csv or output.parquet):
        return function(**arguments)
    from ventiuna.cli.common.exports import check_exports, write_exports

    check_exports(output, arguments)
    try:
        result = function(**arguments)
    except typer.Exit:  # for example exit code 1 for "differs", after printing the tables
        write_exports(output)
        raise
    write_exports(output)
    return result


class Command(HelpfulCommand):
    """A command whose rules argument can span several words."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = args if ctx.resilient_parsing else fold_changes(args, self._parameters(ctx))
        return super().parse_args(ctx, words)

    def _parameters(self, ctx: Any) -> Parameters:
        arguments = []
        options: dict[str, Parameter] = {}
        for each in self.get_params(ctx):
            takes_rules = each.metavar == METAVAR
            default = each.default if isinstance(each.default, str) else ""
            if each.param_type_name == "argument":
                if takes_rules and not each.required:
                    default = default or DEFAULT_RULES
                many = each.nargs != 1
                arguments.append(Parameter(takes_rules, default, "", many, each.required))
            elif not getattr(each, "is_flag", False):
                option = Parameter(takes_rules, default, each.opts[0])
                options |= dict.fromkeys(each.opts, option)
        return Parameters(tuple(arguments), options)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete the changes after a rule set the way its own argument is completed."""
        found = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            return found
        arguments = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        for argument in arguments:
            if argument.metavar == METAVAR:
                ctx.meta[WORDS_BEFORE] = [
                    *(str(ctx.params.get(one.name)) for one in arguments),
                    *ctx.args,
                ]
                return [*found, *argument.shell_complete(ctx, incomplete)]
        return found
