"""Queries, each declared once: a model's fields become the options of a command and a route.

A query is a frozen model. A field that people can set has a `QueryOption` in its annotation: its
help, how to parse it from text, how to check a typed value, and how to write it on a command line.
Fields without one are for the library only.

    class CutQuery(Query):
        '''The value of a cut.'''

        command: ClassVar[str] = "cut"

        base: Annotated[int | None, Amount("Base wager in dollars.")] = None

        def run(self, progress: ProgressIterator = without_progress) -> CutResult: ...

A command with the parameter `query: CutQuery` gets these options (see `cli.common.commands`),
and so does a route (see `server.routers.analysis`). Both call `CutQuery.parse` with text. The
library calls `CutQuery` with typed values.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import core_schema

from ventiuna.analysis.coerce import (
    check_amount,
    check_base,
    check_flag,
    coerce_card,
    coerce_cards,
    coerce_rules,
    coerce_text,
    command_text,
    input_error,
    rules_to_args,
)
from ventiuna.cards import card_text, cards_text
from ventiuna.errors import VentiunaError
from ventiuna.money import plain_amount, read_amount
from ventiuna.rules import Rules

DEFAULT_RULES = "wsgc-spanish-21"
JACKPOT_RULES = "wsgc-2021-jackpot"  # default for jackpot commands

T = TypeVar("T")


class ProgressIterator(Protocol):
    """Iterates over items and may show progress."""

    def __call__(self, what: str, items: Sequence[T], /) -> Iterable[T]: ...


def without_progress(_what: str, items: Sequence[T], /) -> Iterable[T]:
    return items


# --- Options ---

Convert = Callable[[str, Any], Any]  # takes the field's name and its value


def _unchanged(_name: str, value: Any) -> Any:
    return value


@dataclass(frozen=True)
class QueryOption:
    """A field that people set: on the command line, in a URL, or as a keyword."""

    help: str
    _: KW_ONLY
    # The type of the value in a command line or a URL: str, int, float or bool, or list for several
    # words of an argument or an option that can be repeated.
    kind: type = str
    parse: Convert = _unchanged  # converts text into a value that `check` accepts
    check: Convert = _unchanged  # checks a typed value
    write: Callable[[Any], str] = str  # writes the value on a command line
    example: str = ""
    names: tuple[str, ...] = ()  # names on the command line; by default, the field's name
    old_name: str = ""  # still accepted, but not listed
    metavar: str | None = None
    default: str = ""  # the default as text, for values that aren't strings
    show_default: bool | str = False
    longest: int = 1_000  # characters in a URL
    low: float | None = None
    high: float | None = None
    is_argument: bool = False
    is_plain: bool = False  # whether Pydantic validates the value by its type

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        if self.is_plain:
            return handler(source)
        return core_schema.with_info_plain_validator_function(
            lambda value, info: self.check(str(info.field_name), value)
        )


def _checked(check: Callable[[str, object], None]) -> Convert:
    def convert(name: str, value: Any) -> Any:
        check(name, value)
        return value

    return convert


# Kinds of options; each takes the help text and any other settings.
Text = partial(QueryOption, check=coerce_text)
Flag = partial(QueryOption, kind=bool, check=_checked(check_flag))
Number = partial(QueryOption, kind=int)  # the calculation checks its range
Decimal = partial(QueryOption, kind=float, write="{:g}".format, show_default=True)
Texts = partial(QueryOption, kind=list, check=lambda _, texts: tuple(texts or ()))
Cards = partial(
    QueryOption,
    check=lambda _, cards: coerce_cards(cards),
    write=cards_text,
    metavar="CARDS",
)
Card = partial(
    QueryOption,
    check=lambda _, card: coerce_card(card),
    write=card_text,
)
Amount = partial(  # dollars as text, whole cents as a value
    QueryOption,
    parse=lambda name, text: read_amount(name, text) if text else None,
    check=_checked(check_amount),
    write=plain_amount,
    example="25",
    longest=30,
)
BaseWager = partial(Amount, check=_checked(lambda _, cents: check_base(cents)), metavar="AMOUNT")

HouseRules = Annotated[
    Rules,
    QueryOption(
        "A preset or a rules file (.toml), and any changes: wsgc-2021 decks=8 soft_17=stand. See "
        "`ventiuna rules list` and `ventiuna rules options`.",
        check=lambda _, rules: coerce_rules(rules),
        metavar="RULES",
        longest=2_000,
        is_argument=True,
    ),
]
Shoe = Annotated[
    str,
    Text(
        "Cards left in the shoe, such as '7s:3 K:12 2:20'. A rank without a suit counts all four "
        "suits evenly. Default: a fresh shoe.",
        metavar="COUNTS",
        example="7s:3 K:12 2:20",
    ),
]
Without = Annotated[
    tuple[int, ...],
    Cards("Cards already dealt from the shoe, such as '7s 7s Kh'.", example="7s 7s Kh"),
]


# --- Queries ---


class Query(BaseModel):
    """A question about a rule set; equal questions have equal answers."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    command: ClassVar[str]  # words that call it on the command line
    default_rules: ClassVar[str] = DEFAULT_RULES

    rules: HouseRules

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _first_error(error) from None

    @classmethod
    def options(cls) -> dict[str, QueryOption]:
        """The fields that people set, in order."""
        return _options(cls)

    @classmethod
    def parse(cls, **texts: Any) -> Self:
        """Read a query from text, as given on a command line or in a URL."""
        for name, option in cls.options().items():
            if name in texts:
                texts[name] = option.parse(name, texts[name])
        return cls(**texts)

    @abstractmethod
    def run(self, progress: ProgressIterator = without_progress) -> Any:
        """Compute the result."""

    @property
    def is_slow(self) -> bool:
        """Whether the computation takes more than a moment."""
        return False

    @property
    def too_long(self) -> str:
        """Why a server declines this query, or "" if it answers it."""
        return ""

    def data(self, result: Any) -> Any:
        """The complete answer as plain data."""
        return {**result.as_data(), "command": self.repeat("--json")}

    def words(self) -> list[str]:
        """The equivalent command line: arguments, options with a value, then flags."""
        arguments, valued, flags = self.command.split(), list[str](), list[str]()
        for name, option in self.options().items():
            value = getattr(self, name)
            flag = f"--{name.replace('_', '-')}"
            if option.names and flag not in option.names:
                flag = option.names[0].rpartition("/")[2]
            if name == "rules":
                arguments += rules_to_args(value)
            elif option.is_argument:
                arguments.append(option.write(value))
            elif value != type(self).model_fields[name].default:
                if option.kind is bool:
                    flags.append(flag)
                elif option.kind is list:
                    for item in value:
                        valued += [flag, option.write(item)]
                else:
                    valued += [flag, option.write(value)]
        return [*arguments, *valued, *flags]

    def repeat(self, *more: str) -> str:
        """The command line that repeats this query."""
        return command_text([*self.words(), *more])


@cache
def _options(query: type[Query]) -> dict[str, QueryOption]:
    return dict(find_options(query))


def find_options(query: type[BaseModel]) -> Iterator[tuple[str, QueryOption]]:
    for name, field in query.model_fields.items():
        for part in field.metadata:
            if isinstance(part, QueryOption):
                yield name, part


def _first_error(error: ValidationError) -> VentiunaError:
    """Return our own error if Pydantic's wraps one, or else Pydantic's as one sentence."""
    first = error.errors()[0]
    found = first.get("ctx", {}).get("error")
    if isinstance(found, VentiunaError):
        return found
    field = ".".join(map(str, first["loc"])) or error.title
    return input_error(field, first["input"], first["msg"].lower(), "Check the value.")


def answer(query: Query) -> object:
    """The complete answer as plain data, for a worker process."""
    return query.data(query.run())
