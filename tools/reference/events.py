"""Commands and events of a round and of a live table, with their fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from inspect import getdoc
from typing import Any, get_args

from tools.reference.markdown import code, codes, joined, table
from ventiuna.engine import commands, events
from ventiuna.server.schemas import record_doc
from ventiuna.table.domain.events import TableEvent

ABOUT = """\
Events are the source of truth for a round ([why](../../adr/0003-events-are-the-truth.md)): its
state is computed from them, and so is everything a table shows, stores and replays. Commands and
events are immutable records that convert to plain data and back (`ventiuna.engine.codec`). Amounts
are whole cents, a card is a number from 0 to 51, spots are numbered from 1 and the hands of a spot
from 0. For messages of a live table with examples, see [the socket](../../socket.md)."""


def page() -> str:
    return joined(_parts())


def _parts() -> Iterator[str]:
    yield "# Commands and events"
    yield ABOUT
    yield "## Commands of a round"
    yield "Pass them to `execute(state, command)`, which returns events or refuses with a rule."
    yield _table("command", _records(commands))
    yield "## Stages of a round"
    yield codes(events.Stage) + "."
    yield "## Events of a round"
    own = _records(events)
    yield _table("event", own)
    yield "## Events of a live table"
    yield "A live table has these in addition to the events of its rounds."
    yield _table("event", (kind for kind in get_args(TableEvent) if kind not in own))


def _records(module: Any) -> list[type[Any]]:
    """Return the records that a module defines, in order."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and kind.__module__ == module.__name__
        and hasattr(kind, "__dataclass_fields__")
    ]


def _table(heading: str, kinds: Iterable[type[Any]]) -> str:
    return table(
        (heading, "fields", "meaning"),
        ((code(kind.__name__), _fields(kind), _meaning(kind)) for kind in kinds),
    )


def _fields(kind: type[Any]) -> str:
    return ", ".join(f"`{one.name}: {one.type}`" for one in fields(kind))


def _meaning(kind: type[Any]) -> str:
    text = record_doc(kind) or ""
    return text if text and text == (getdoc(kind) or "") else re.sub(r"^\w+\(.*\)$", "", text)
