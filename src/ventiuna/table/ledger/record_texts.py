"""Records as canonical JSON in one go.

The text is the one that `chain.canonical_json` gives of a record's data. Every event of every
command is written so: for each kind of record there is a function of its own, made once, in
which the names stand in their order already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import Field, fields
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ventiuna.engine.records import Records, plain
from ventiuna.engine.stakes import Stakes
from ventiuna.table.ledger.chain import Canonical, canonical_json, check_utf8

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")

_NUMBERS = ("int", "Cents", "Card", "int | None", "Card | None")  # as fields are declared


class RecordTexts(Generic[R]):
    """How the records that one tag names are written."""

    def __init__(self, records: Records[R]) -> None:
        self._writers = {kind: _writer(records.tag, kind) for kind in records.kinds.values()}

    def text(self, value: R) -> Canonical:
        return self._writers[type(value)](value)

    def texts(self, values: Iterable[R]) -> list[Canonical]:
        writers = self._writers
        return [writers[type(value)](value) for value in values]


def _writer(tag: str, kind: type[DataclassInstance]) -> Callable[[object], Canonical]:
    """`lambda record: f'{"card":…,"event":"CardDealt",…}'`, with a look at each value."""
    parts = {field.name: f'"{field.name}":{{{_value(field)}}}' for field in fields(kind)}
    parts[tag] = f'"{tag}":"{kind.__name__}"'
    text = ",".join(parts[name] for name in sorted(parts))
    names = {"written": written, "whole": int}
    writer: Callable[[object], Canonical] = eval(f"lambda record: f'{{{{{text}}}}}'", names)
    return writer


def _value(field: Field[Any]) -> str:
    value = f"record.{field.name}"
    if field.type in _NUMBERS:
        return f"{value} if type({value}) is whole else written({value})"
    return f"written({value})"


def written(value: object) -> str:
    """One value, which may be such as can't be written."""
    if isinstance(value, str):  # the names of enumerations too
        return _string(value)
    if isinstance(value, Stakes):
        return _stakes(value)
    if isinstance(value, tuple):
        return f"[{','.join(map(written, value))}]"
    if value is None:
        return "null"
    if type(value) is int:
        return str(value)
    return canonical_json(plain(value))


def _stakes(stakes: Stakes[Any]) -> str:
    if not stakes:
        return "{}"
    by_name = sorted((str(name), amount) for name, amount in stakes.items())
    return f"{{{','.join(f'{_string(name)}:{written(amount)}' for name, amount in by_name)}}}"


def _string(text: str) -> str:
    if not text.isascii():
        check_utf8(text)
    return encode_basestring(text)
