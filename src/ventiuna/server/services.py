"""What the routes of one application work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fastapi import Request
from sqlalchemy import Connection

from ventiuna.server.coach import Coach
from ventiuna.server.jobs import Jobs
from ventiuna.server.limits import RateLimit
from ventiuna.server.metrics import Metrics
from ventiuna.server.passwords import Passwords
from ventiuna.server.settings import Settings
from ventiuna.server.studies import Studies
from ventiuna.table.persons.people import Entropy, Person
from ventiuna.table.store.opening import Store

# Called in the transaction that adds a person: the place for a guest's bankroll.
Welcome: TypeAlias = Callable[[Connection, Person], None]
Check: TypeAlias = Callable[[], bool]  # asked by /readyz, in a thread


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    store: Store
    metrics: Metrics
    passwords: Passwords
    guest_limit: RateLimit
    log_in_limit: RateLimit
    table_limit: RateLimit
    coach: Coach
    studies: Studies
    jobs: Jobs
    entropy: Entropy
    now: Callable[[], int]  # milliseconds since 1970
    welcome: Welcome
    readiness: Mapping[str, Check]


async def services_of(request: Request) -> Services:
    """A dependency; async, like every mere lookup, so that it needs no thread."""
    found = request.app.state.services
    assert isinstance(found, Services)
    return found
