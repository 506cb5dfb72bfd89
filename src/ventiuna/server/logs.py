"""Logs as lines of JSON.

They name routes, tables, persons' ids and codes: never a token, a password, a body, a query or
a card. Of a failure they tell its kind and where it happened, not its message, which may hold
what was being dealt. Only an unavailable database is quoted.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from pathlib import Path
from typing import TextIO

from starlette.types import Scope

from ventiuna.table.store.errors import DatabaseError, cause_of

LOGGER = logging.getLogger("ventiuna.server")
Fact = str | int | float | bool | None


def log(event: str, level: int = logging.INFO, **facts: Fact) -> None:
    """One line: what happened, and facts of it that anybody may read."""
    LOGGER.log(level, event, extra={"facts": facts})


def log_failure(event: str, error: BaseException, **facts: Fact) -> None:
    """Something that must not happen: kind and place, without its words."""
    places = [
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    log(event, logging.ERROR, error=type(error).__name__, at=" < ".join(places[:-13:-1]), **facts)


def log_database_error(error: DatabaseError, **facts: Fact) -> None:
    """Log an unavailable database with its own message as the reason."""
    log(
        "database_error",
        logging.WARNING,
        error=type(error).__name__,
        reason=cause_of(error),
        **facts,
    )


def facts_of(scope: Scope) -> dict[str, Fact]:
    """The request that a line is about, and the person who sent it."""
    state = scope.get("state", {})
    facts = {"request": state.get("request"), "person": state.get("person")}
    return {name: fact for name, fact in facts.items() if fact is not None}


class JsonLines(logging.Formatter):
    """A record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        data: dict[str, Fact] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.msg if record.name == LOGGER.name else record.name,
        }
        facts = getattr(record, "facts", None)
        if facts is not None:
            data |= facts
        elif record.exc_info and record.exc_info[0] is not None:
            data["error"] = record.exc_info[0].__name__
        elif not record.exc_info:
            data["message"] = record.getMessage()
        return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def write_logs(stream: TextIO | None = None, level: int = logging.INFO) -> logging.Handler:
    """Send the server's and uvicorn's lines there; returns the handler, to be taken off again."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    handler.setLevel(level)
    # Below WARNING, uvicorn logs every socket's URL with its query string, including tokens.
    levels = {LOGGER.name: level, "uvicorn.error": max(level, logging.WARNING)}
    for name, own in levels.items():
        logger = logging.getLogger(name)
        logger.setLevel(own)
        logger.propagate = False
        logger.addHandler(handler)
    logging.getLogger("uvicorn.access").disabled = True  # it would write addresses with queries
    return handler


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
