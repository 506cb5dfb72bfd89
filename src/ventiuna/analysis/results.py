"""Building blocks of results: exact fractions as text, data frames, notebook tables.

A result has a main table, its `rows()`. Lists inside its `as_data()` are additional tables, named
after their path in the data: `by_up`, `worst.hands`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import isfinite, perm
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NotRequired,
    TypeGuard,
    TypeVar,
    cast,
    get_args,
    get_origin,
)

from typing_extensions import TypedDict, get_type_hints, is_typeddict

from ventiuna.files import Cell, arrow_table
from ventiuna.money import money_text
from ventiuna.package import load_library, version
from ventiuna.rules import Problem, Rules, RulesError, canonical, fingerprint
from ventiuna.rules.options import short_repr
from ventiuna.texts import markup_text

# --- Exact fractions ---

PER_WAGERS = 100_000  # jackpot hits are reported per this many wagers
_ROOT_DIGITS = 50

Key = TypeVar("Key")
T = TypeVar("T")


def decimal_text(value: Fraction | int, digits: int, grouped: bool = False) -> str:
    """Format to `digits` decimals, rounding half away from zero.

    >>> decimal_text(Fraction(-1, 8), 2)
    '-0.13'
    """
    scale = 10**digits
    rounded = (abs(Fraction(value)) * scale * 2 + 1) // 2
    units, rest = divmod(rounded, scale)
    sign = "-" if value < 0 and rounded else ""
    text = f"{units:,}" if grouped else str(units)
    return f"{sign}{text}.{rest:0{digits}d}" if digits else f"{sign}{text}"


def percent_text(value: Fraction | float, digits: int = 4) -> str:
    """Format as a percentage.

    >>> percent_text(Fraction(114, 3731))
    '3.0555%'
    """
    return Form(digits, "percent").text(value)


def one_in_text(probability: Fraction, digits: int = 1) -> str:
    """Format a probability as the N of "1 in N".

    >>> one_in_text(Fraction(1, 290320))
    '290,320.0'
    """
    return decimal_text(1 / probability, digits, grouped=True) if probability else "never"


def square_root(value: Fraction) -> Fraction:
    """Square root to fifty digits, more than any output needs; the same on every platform."""
    with localcontext() as context:
        context.prec = _ROOT_DIGITS
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def cents_text(cents: Fraction, digits: int = 4) -> str:
    """Format an expected amount in dollars, with more digits than a payment has.

    >>> cents_text(Fraction(-1, 3))
    '-$0.0033'
    """
    text = decimal_text(cents / 100, digits, grouped=True)
    return f"-${text[1:]}" if text.startswith("-") else f"${text}"


class ExactData(TypedDict):
    """An exact fraction and the nearest float."""

    exact: str
    value: float


def exact_data(value: Fraction | int) -> ExactData:
    """The fraction and the nearest float, for JSON."""
    return {"exact": str(Fraction(value)), "value": float(value)}


def orders(cards: int, dealt: int) -> int:
    """Number of ways to deal `dealt` of `cards` cards in order."""
    return perm(cards, dealt)


def mean(distribution: Mapping[int, Fraction]) -> Fraction:
    return sum((value * chance for value, chance in distribution.items()), Fraction())


def variance(distribution: Mapping[int, Fraction]) -> Fraction:
    squares = sum((value * value * chance for value, chance in distribution.items()), Fraction())
    return squares - mean(distribution) ** 2


def total(values: Iterable[Fraction]) -> Fraction:
    """The sum as a Fraction, even if there is nothing to add."""
    return sum(values, Fraction())


def gather(chances: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Add up probabilities by key, leaving out impossible outcomes."""
    found: dict[Key, Fraction] = {}
    for key, chance in chances:
        if chance:
            found[key] = found.get(key, Fraction()) + chance
    return found


# --- Plain data ---


def data_of(kind: type[T], record: object) -> T:
    """A record as plain data for JSON, with the fields of a typed dictionary or a dataclass.

    A field is the record's attribute of that name, or the result of the function in its annotation:
    `base_cents: Annotated[int, attrgetter("base")]`. If the value is None, a field that isn't
    required is left out. Empty text becomes None if that is allowed. A value that is already plain
    data is unchanged.
    """
    of: Any = kind
    data: Any = {}
    for name, (read, is_required, convert) in _data_fields(of).items():
        value = read(record)
        if is_required or value is not None:
            data[name] = convert(value)
    return cast(T, data)


Convert = Callable[[Any], Any]


@cache
def _data_fields(kind: Any) -> dict[str, tuple[Convert, bool, Convert]]:
    fields: dict[str, tuple[Convert, bool, Convert]] = {}
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    for name, hint in hints.items():
        read: Convert = attrgetter(name)
        is_required, kind = True, hint
        if get_origin(kind) is NotRequired:
            is_required, (kind,) = False, get_args(kind)
        if get_origin(kind) is Annotated:
            kind, read = get_args(kind)
        fields[name] = (read, is_required, _converter(kind))
    return fields


def _converter(kind: Any) -> Convert:
    """The function that turns a value into plain data of this type."""
    origin: Any = get_origin(kind)
    parts = get_args(kind)
    if origin is UnionType:
        (kind,) = (part for part in parts if part is not NoneType)
        inner = _converter(kind)
        nothing = (None, "") if kind is str else (None,)
        return lambda value: None if value in nothing else inner(value)
    if kind is ExactData:
        return exact_data
    if is_typeddict(kind) or is_dataclass(kind):
        return lambda value: value if isinstance(value, dict) else data_of(kind, value)
    if origin in (list, tuple):
        inner = _converter(parts[0])
        return lambda values: [inner(value) for value in values]
    if origin is dict:
        inner = _converter(parts[1])
        return lambda values: {str(key): inner(value) for key, value in dict(values).items()}
    if kind is float:
        return lambda value: float(value) if isinstance(value, Fraction) else value
    return str if kind is str else lambda value: value


# --- Columns ---


@dataclass(frozen=True, slots=True)
class Form:
    """How a number is printed, and its unit in exports: percent, points or cents."""

    digits: int = 0
    unit: str = ""
    plus: bool = False
    grouped: bool = False
    one_in: bool = False  # a probability, printed as the N of "1 in N"
    zero: str = ""  # printed instead of zero
    style: str = "f"  # "g" for significant digits, "e" for an exponent

    @property
    def _scale(self) -> int:
        return 100 if self.unit in ("percent", "points") else 1

    def number(self, value: Fraction | float | None) -> float | int | None:
        """The exact value in its unit; None if it is unknown or infinite."""
        if value is None or not isfinite(value) or (self.one_in and not value):
            return None
        value = 1 / value if self.one_in else value * self._scale
        return float(value) if isinstance(value, Fraction) else value

    def text(self, value: Fraction | float | None) -> str:
        if value is None:
            return ""
        if self.one_in:
            return one_in_text(Fraction(value), self.digits)
        value *= self._scale
        if self.zero and not round(value, self.digits):
            return self.zero
        plus = "+" if self.plus else ""
        if self.unit == "cents":
            if isinstance(value, int):
                text = money_text(value)
            else:
                text = cents_text(Fraction(value), self.digits)
            return f"{plus}{text}" if value > 0 else text
        if isinstance(value, Fraction):
            text = decimal_text(value, self.digits, self.grouped)
        else:
            comma = "," if self.grouped else ""
            text = f"{value + 0.0:{plus}{comma}.{self.digits}{self.style}}"  # -0.0 becomes 0.0
        return f"{text}%" if self.unit == "percent" else text


PERCENT_4, PERCENT_6, PERCENT_9 = (Form(digits, "percent") for digits in (4, 6, 9))
POINTS = Form(6, "points", plus=True)
MONEY = Form(unit="cents")
CENTS_2, CENTS_4, CENTS_6, CENTS_8 = (Form(digits, "cents") for digits in (2, 4, 6, 8))
WHOLE = Form(grouped=True)
ONE_IN = Form(1, grouped=True, one_in=True)
FIXED_6, FIXED_8, FIXED_9, SIGNED_9 = Form(6), Form(8), Form(9), Form(9, plus=True)


@dataclass(frozen=True, slots=True)
class FormattedNumber:
    """A cell of a table: printed with its form, exported with all digits and its unit."""

    value: Fraction | float | None
    form: Form
    shown: str = ""  # printed instead of the number, such as the wording of a source

    def __str__(self) -> str:
        return self.shown or self.form.text(self.value)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a result: its heading and format in print, its name in data frames."""

    heading: str | None  # None if the column isn't printed
    form: Form | None = None  # None for text, or if the value is a `FormattedNumber`
    value: Callable[[Any], Any] = str  # gets the value from a record
    name: str = ""  # empty if the column is only printed
    json: str = ""  # name in JSON, if different

    def cell(self, record: object) -> Cell:
        value = self.value(record)
        if self.form is not None and self.form.one_in:
            return self.form.number(value)
        return float(value) if isinstance(value, Fraction) else value

    def text(self, record: object) -> str:
        value = self.value(record)
        return str(value) if self.form is None else self.form.text(value)


Columns = tuple[Column, ...]


def printed(columns: Columns) -> Columns:
    return tuple(column for column in columns if column.heading is not None)


def html_of(caption: str, columns: Columns, records: Iterable[object]) -> str:
    """Render records as an HTML table."""
    shown = printed(columns)
    rows = ([column.text(record) for column in shown] for record in records)
    return html_table(caption, [str(column.heading) for column in shown], rows)


# --- Notebooks ---

_NUMBER = ' style="text-align:right"'


def html_table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Render a plain HTML table: the first column names the row, the others are numbers."""
    head = "".join(f"<th>{markup_text(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{_html_cells(row)}</tr>" for row in rows)
    return (
        f'<table><caption style="text-align:left">{markup_text(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _html_cells(row: Sequence[str]) -> str:
    first = f"<th>{markup_text(row[0])}</th>"
    return first + "".join(f"<td{_NUMBER}>{markup_text(cell)}</td>" for cell in row[1:])


def html_notes(notes: Iterable[str]) -> str:
    items = "".join(f"<li>{markup_text(note)}</li>" for note in notes)
    return f"<ul>{items}</ul>" if items else ""


# --- Data frames ---

TableRow = dict[str, Cell]
DRAWING = "page"  # the chart's layout; not a table of figures


class TabularResult:
    """A result with tables in it. `tables` lists their names, the main table first."""

    __slots__ = ()
    main_table: ClassVar[str] = "rows"  # name of the table that `rows()` returns

    columns: ClassVar[Columns] = ()  # columns of the main table

    def records(self) -> Iterable[object]:
        """The records shown as rows of the main table, if it declares columns."""
        return ()

    def rows(self) -> list[TableRow]:
        """The main table, row by row: from its columns, or from the data that contain it."""
        if not self.columns:
            return data_tables(self.as_data()).get(self.main_table, [])
        named = [column for column in self.columns if column.name]
        return [{column.name: column.cell(item) for column in named} for item in self.records()]

    def as_data(self) -> Mapping[str, object]:
        """Plain data for JSON."""
        return {**self.facts(), self.main_table: self.rows()}

    @property
    def tables(self) -> tuple[str, ...]:
        """Table names accepted by `table_rows`, `to_pandas`, `to_polars` and `to_arrow`."""
        return tuple(dict.fromkeys((self.main_table, *data_tables(self.as_data()))))

    def table_rows(self, name: str = "") -> list[TableRow]:
        """One table, row by row; the main table by default."""
        if name in ("", self.main_table):
            return self.rows()
        found = data_tables(self.as_data()).get(str(name))
        if found is None:
            fix = f"Choose from {', '.join(self.tables)}."
            raise RulesError(
                [Problem("table", short_repr(name), "", "there is no such table", fix)]
            )
        return found

    def facts(self) -> dict[str, str]:
        """Provenance of the table: version, and rules with their fingerprint if it has them."""
        basis = getattr(self, "basis", self)
        rules = getattr(basis, "rules", None)
        if isinstance(rules, Rules):
            known: dict[str, object] = {
                "rules": canonical(rules),
                "fingerprint": fingerprint(rules),
            }
        else:
            known = {"rules": rules, "fingerprint": getattr(basis, "fingerprint", None)}
        known |= self.more_facts()
        found = {name: str(fact) for name, fact in known.items() if fact is not None}
        return {**found, "version": version()}

    def more_facts(self) -> Mapping[str, object]:
        """Additional provenance, such as seed, count or meter; None values are left out."""
        return {}

    def to_pandas(self, name: str = "") -> Any:
        """A table as a pandas data frame (extra `data`); the main table by default."""
        return load_library("pandas", "use table_rows()").DataFrame(self.table_rows(name))

    def to_polars(self, name: str = "") -> Any:
        """A table as a Polars data frame (extra `data`); the main table by default."""
        frame = load_library("polars", "use table_rows()").DataFrame
        return frame(self.table_rows(name), infer_schema_length=None)

    def to_arrow(self, name: str = "") -> Any:
        """A table in Arrow format (extra `data`), with its facts and units as metadata."""
        rows = self.table_rows(name)
        names = dict.fromkeys(name for row in rows for name in row)
        return arrow_table({name: [row.get(name) for row in rows] for name in names}, self.facts())


def data_tables(data: Mapping[str, object]) -> dict[str, list[TableRow]]:
    """Every list of records inside plain data, by its path.

    >>> data_tables({"ups": [{"up": "A", "hands": [{"hand": "7-7"}]}]})
    {'ups': [{'up': 'A'}], 'ups.hands': [{'ups_up': 'A', 'hand': '7-7'}]}
    """
    found: dict[str, list[TableRow]] = {}
    _collect({name: part for name, part in data.items() if name != DRAWING}, "", {}, found)
    return {name: _one_type_each(rows) for name, rows in found.items()}


def _collect(
    data: Mapping[str, object], path: str, known: TableRow, found: dict[str, list[TableRow]]
) -> None:
    for name, part in data.items():
        place = f"{path}.{name}" if path else name
        if isinstance(part, dict):
            _collect(part, place, known, found)
        elif _are_records(part):
            for item in part:
                row = known | _scalar_cells(item)
                found.setdefault(place, []).append(row)
                _collect(item, place, {f"{name}_{key}": row[key] for key in row}, found)


def _are_records(part: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    return isinstance(part, list | tuple) and bool(part) and all(map(_is_record, part))


def _is_record(part: object) -> bool:
    return isinstance(part, dict)


def _scalar_cells(item: Mapping[str, object]) -> TableRow:
    """The scalar values of a record; exact fractions become numbers."""
    cells: TableRow = {}
    for name, part in item.items():
        if isinstance(part, dict) and set(part) == {"exact", "value"}:
            cells[name] = part["value"]
        elif isinstance(part, dict):
            cells |= {f"{name}_{key}": cell for key, cell in _scalar_cells(part).items()}
        elif isinstance(part, list | tuple):
            if not any(map(_is_record, part)):
                cells[name] = " ".join(map(str, part))
        else:
            cells[name] = part if part is None or isinstance(part, int | float) else str(part)
    return cells


def _one_type_each(rows: list[TableRow]) -> list[TableRow]:
    """The same rows; columns that mix text and numbers become text."""
    kinds: dict[str, set[bool]] = {}
    for row in rows:
        for name, cell in row.items():
            if cell is not None:
                kinds.setdefault(name, set()).add(isinstance(cell, str))
    mixed = {name for name, found in kinds.items() if len(found) > 1}
    return [
        {
            name: str(cell) if name in mixed and cell is not None else cell
            for name, cell in row.items()
        }
        for row in rows
    ]


# --- Tables with titles ---


class TitledResult(TabularResult, ABC):
    """A counting result with a titled table."""

    __slots__ = ()

    @property
    @abstractmethod
    def title(self) -> str:
        """A short description of the table."""

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        cells = ([_cell_text(row.get(name)) for name in names] for row in rows)
        return html_table(self.title, [name.replace("_", " ") for name in names], cells)


def _cell_text(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
