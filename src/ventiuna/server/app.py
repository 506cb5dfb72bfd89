"""The application: what is served, and what every request passes on its way."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from sqlalchemy import Connection

import ventiuna
from ventiuna.server import socket
from ventiuna.server.audits import Audits
from ventiuna.server.bots import Bots
from ventiuna.server.chores import Chores
from ventiuna.server.coach import Coach, coaches
from ventiuna.server.day_hand import HandOfTheDay
from ventiuna.server.figures import Figures
from ventiuna.server.first_use import OwnerLink
from ventiuna.server.idempotency import Idempotency
from ventiuna.server.jobs import Jobs
from ventiuna.server.limits import RateLimit
from ventiuna.server.logs import now_ms
from ventiuna.server.metrics import Metrics
from ventiuna.server.middleware import BodyLimit, DoorCheck, LastResort, SafeHeaders
from ventiuna.server.passwords import Passwords
from ventiuna.server.peers import Peers
from ventiuna.server.problems import PROBLEM_RESPONSES, answer_with_problems
from ventiuna.server.routes import (
    accounts,
    analysis,
    books,
    bots,
    coach,
    costs,
    fairness,
    history,
    jackpots,
    jobs,
    learning,
    lobby,
    operations,
    own,
    pages,
    persons,
    reports,
    rules,
    school,
    story,
    tables,
)
from ventiuna.server.routes import owner as owner_routes
from ventiuna.server.services import Check, Services, Welcome
from ventiuna.server.settings import Settings
from ventiuna.server.studies import Studies
from ventiuna.server.tables import Tables
from ventiuna.table.persons.people import Entropy, Person
from ventiuna.table.ports import AnchoredClock, Clock, SystemClock
from ventiuna.table.store.opening import Store
from ventiuna.table.writing.transaction import House

HOUR, MINUTE = 3_600.0, 60.0
ROUTERS: tuple[APIRouter, ...] = (
    accounts.router,
    rules.router,
    analysis.router,
    coach.router,
    jobs.router,
    school.router,
    operations.router,
)
TABLE_ROUTERS: tuple[APIRouter, ...] = (
    lobby.router,
    own.router,
    tables.router,
    jackpots.router,
    persons.router,
    fairness.router,
    history.router,
    learning.router,
    books.router,
    reports.router,
    bots.router,
    story.router,
    pages.router,
    coach.table_router,
    costs.router,
    socket.router,
)
NO_CHECKS: Mapping[str, Check] = {}


def no_welcome(_connection: Connection, _person: Person) -> None:
    """A house that gives newcomers nothing."""


def create_app(
    settings: Settings,
    store: Store,
    house: House | None = None,
    *,
    clock: Clock | None = None,
    owner: OwnerLink | None = None,
    welcome: Welcome = no_welcome,
    readiness: Mapping[str, Check] = NO_CHECKS,
    entropy: Entropy = os.urandom,
    now: Callable[[], int] = now_ms,
) -> FastAPI:
    """An application on an open store, which stays the caller's to close; with a house its tables
    are live.

    `welcome` is called in the transaction that adds a person; `readiness` are checks by name
    that `/readyz` asks besides the database.
    """
    metrics = Metrics()
    live = None if house is None else Tables(store, house, clock or clock_of(store), metrics)
    chores = None if live is None else Chores(live)
    peers = Peers(store, now=now) if live is None else peers_of(live)
    services = Services(
        settings=settings,
        store=store,
        metrics=metrics,
        passwords=Passwords(),
        guest_limit=RateLimit(store, "new guests", settings.guests_per_hour, HOUR, now),
        log_in_limit=RateLimit(store, "log-ins", settings.log_ins_per_minute, MINUTE, now),
        table_limit=RateLimit(store, "new tables", settings.own_tables_per_hour, HOUR, now),
        coach=Coach(coaches(settings.coaches), metrics),
        studies=Studies(),
        jobs=Jobs(
            settings,
            metrics,
            lambda: secrets.token_urlsafe(12),
            peers,
        ),
        entropy=entropy,
        now=now,
        welcome=welcome,
        readiness={**(chores.checks() if chores else {}), **readiness},
    )
    app = FastAPI(
        title="Ventiuna",
        version=ventiuna.__version__,
        summary="Spanish 21 and Super Fun 21: tables, exact analysis, simulation.",
        docs_url=None,  # those pages load scripts of other sites
        redoc_url=None,
        lifespan=_lifespan,
        responses=PROBLEM_RESPONSES,
    )
    app.state.services = services
    app.state.day_hand = HandOfTheDay(services.coach, services.now)
    for router in ROUTERS:
        app.include_router(router)
    if live is not None:
        app.state.tables, app.state.chores = live, chores
        app.state.audits = Audits(peers, live.house.shoes.on_top)
        app.state.figures = Figures(services.studies)
        app.state.bots = Bots(live, settings.bot_pause / 1000, entropy)
        if owner is not None:
            app.state.owner_link = owner
            app.include_router(owner_routes.router)
        for router in TABLE_ROUTERS:
            app.include_router(router)
    answer_with_problems(app)
    # The last one added is the first that a request passes.
    app.add_middleware(Idempotency)
    app.add_middleware(BodyLimit, most=settings.body_bytes)
    app.add_middleware(DoorCheck, settings=settings)
    app.add_middleware(LastResort, metrics=metrics)
    app.add_middleware(SafeHeaders, settings=settings)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    live: Tables | None = getattr(app.state, "tables", None)
    if live is not None:
        await live.start()
        app.state.chores.start()
        await app.state.bots.start()
    await services.jobs.open()
    # Tables are played without the coach: whoever asks it earlier waits a little longer.
    warming = asyncio.gather(services.coach.start(), services.studies.start())
    try:
        yield
    finally:
        if live is not None:
            await app.state.audits.close()
            await app.state.bots.stop()
            await live.drain()
            await app.state.chores.stop()
            await app.state.chores.seal()
            await live.stop()
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await services.jobs.close()
        services.studies.close()
        services.coach.close()


def peers_of(live: Tables) -> Peers:
    return Peers(live.store, lambda: live.process, lambda: live.is_alone, live.clock.now)


def clock_of(store: Store) -> Clock:
    """That of the database where several processes share it, else this machine's."""
    return AnchoredClock(store) if getattr(store, "address", None) else SystemClock()
