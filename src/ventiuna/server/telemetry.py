"""JSON log lines and Prometheus metrics."""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from pathlib import Path
from typing import TextIO

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.types import Scope

from ventiuna.table.store.statements import DatabaseError, cause_of

LOGGER = logging.getLogger("ventiuna.server")
Fact = str | int | float | bool | None


def log(event: str, level: int = logging.INFO, **facts: Fact) -> None:
    """Log one line: the event, and details that are safe for anyone to read."""
    LOGGER.log(level, event, extra={"facts": facts})


def log_failure(event: str, error: BaseException, **facts: Fact) -> None:
    """Log an unexpected error by type and location, without its message."""
    places = [
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    log(event, logging.ERROR, error=type(error).__name__, at=" < ".join(places[:-13:-1]), **facts)


def log_database_error(error: DatabaseError, **facts: Fact) -> None:
    """Log an unavailable database, with the database's message as the reason."""
    log(
        "database_error",
        logging.WARNING,
        error=type(error).__name__,
        reason=cause_of(error),
        **facts,
    )


def request_facts(scope: Scope) -> dict[str, Fact]:
    """The request that a log line is about, and the person who sent it."""
    state = scope.get("state", {})
    facts = {"request": state.get("request"), "person": state.get("person")}
    return {name: fact for name, fact in facts.items() if fact is not None}


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

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
    """Send the server's and uvicorn's logs to `stream`; return the handler for later removal."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.setLevel(level)
    # Below WARNING, uvicorn logs every socket's URL with its query string, including tokens.
    levels = {LOGGER.name: level, "uvicorn.error": max(level, logging.WARNING)}
    for name, own in levels.items():
        logger = logging.getLogger(name)
        logger.setLevel(own)
        logger.propagate = False
        logger.addHandler(handler)
    logging.getLogger("uvicorn.access").disabled = True  # it would log URLs with query strings
    return handler


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_BATCH = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """One application's metrics, separate from any others in the same process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = self._counter("commands", "Commands by kind and result", "kind", "result")
        self.commit_seconds = self._seconds("commit", "Time from BEGIN to the end of COMMIT")
        self.commands_per_commit = Histogram(
            "ventiuna_commands_per_commit",
            "Commands that shared a commit",
            buckets=_BATCH,
            registry=self.registry,
        )
        self.queue_seconds = self._seconds("queue", "Time from a command's arrival to its batch")
        self.settle_seconds = self._seconds(
            "settle", "Time from the last decision to the last payment"
        )
        self.rounds = self._counter("rounds", "Rounds by outcome", "outcome")
        self.meter_cents = self._gauge("meter_cents", "Displayed meter of a jackpot", "jackpot")
        self.ledger_imbalance_cents = self._gauge(
            "ledger_imbalance_cents", "Sum of all balances; must be 0"
        )
        self.open_tables = self._gauge("open_tables", "Open tables")
        self.disk_free_bytes = self._gauge("disk_free_bytes", "Free disk space of a SQLite house")
        self.sockets = self._gauge("sockets", "Connections by role", "role")
        self.slow_clients = self._counter("slow_clients", "Clients disconnected for being too slow")
        self.resumes = self._counter("resumes", "Reconnected clients, by method", "how")
        self.time_ups = self._counter("time_ups", "Prompts that timed out")
        self.awards = self._counter("awards", "Jackpot awards paid")
        self.seal_age_seconds = self._gauge("seal_age_seconds", "Age of the newest seal")
        self.seal_copy_age_seconds = self._gauge(
            "seal_copy_age_seconds", "Time since the seals outside the house were last complete"
        )
        self.seal_copy_failures = self._counter(
            "seal_copy_failures", "Failed attempts to copy seals out of the house"
        )
        self.monitor_alarms = self._gauge(
            "monitor_alarms", "Alarms that nobody has acknowledged", "table"
        )
        self.monitor_evidence = self._gauge(
            "monitor_evidence", "Strongest evidence of a fault; 1 raises an alarm", "table"
        )
        self.clock_restarts = self._counter("clock_restarts", "Times all clocks were restarted")
        self.retries = self._counter("retries", "Retried batches, by reason", "reason")
        self.withheld_cuts = self._counter("withheld_cuts", "Cuts committed but not opened")
        self.requests = self._counter(
            "requests", "HTTP requests by route, method and status", "route", "method", "status"
        )
        self.request_seconds = self._seconds("request", "Duration of HTTP requests", "route")
        self.coach_seconds = self._seconds("coach", "Duration of coach requests, including waiting")
        self.jobs = self._counter("jobs", "Finished simulation jobs, by outcome", "end")
        self.jobs_at_work = self._gauge("jobs_at_work", "Running simulation jobs")

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        known = method if method in METHODS else "other"
        self.requests.labels(route, known, str(status)).inc()
        self.request_seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"ventiuna_{name}", about, labels, registry=self.registry)

    def _gauge(self, name: str, about: str, *labels: str) -> Gauge:
        return Gauge(f"ventiuna_{name}", about, labels, registry=self.registry)

    def _seconds(self, name: str, about: str, *labels: str) -> Histogram:
        return Histogram(
            f"ventiuna_{name}_seconds", about, labels, buckets=_SECONDS, registry=self.registry
        )
