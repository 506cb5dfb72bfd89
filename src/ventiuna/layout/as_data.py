"""A layout as plain data for JSON."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ventiuna.layout.records import Layout

Data = dict[str, object]


def layout_data(printed: Layout) -> Data:
    data = _plain(printed)
    assert isinstance(data, dict), "a record"
    return data


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if is_dataclass(value):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, bool | int | float):
        return value
    return str(value)
