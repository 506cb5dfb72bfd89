"""The FastAPI application: its routers, middleware, and lifespan."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial

from fastapi import APIRouter, FastAPI
from sqlalchemy import Connection

import ventiuna
from ventiuna.server import socket
from ventiuna.server.analysis_pool import (
    AnalysisPool,
    Coach,
    ExactFigures,
    HandOfTheDay,
    coach_workers,
)
from ventiuna.server.background import PeriodicTasks
from ventiuna.server.bootstrap import OwnerLink
from ventiuna.server.bots import Bots
from ventiuna.server.deps import ReadinessCheck, Services, Welcome
from ventiuna.server.idempotency import Answers, Idempotency
from ventiuna.server.job_store import Cluster
from ventiuna.server.jobs import Audits, Jobs
from ventiuna.server.live_tables import CachedReads, Tables
from ventiuna.server.problems import install_problem_handlers
from ventiuna.server.routers import (
    accounts,
    analysis,
    coach,
    floor,
    jackpots,
    lobby,
    operators,
    pages,
    records,
    rules,
    school,
    school_records,
    tables,
)
from ventiuna.server.settings import ServerSettings
from ventiuna.server.telemetry import Metrics, now_ms
from ventiuna.server.web_security import (
    BodyLimit,
    OriginCheck,
    PasswordService,
    RateLimit,
    RequestLogging,
    SecurityHeaders,
)
from ventiuna.table.accounts import Person, RandomBytes
from ventiuna.table.store.connection import Store
from ventiuna.table.writer import AnchoredClock, Clock, HouseContext, SystemClock

HOUR, MINUTE = 3_600.0, 60.0
ROUTERS: tuple[APIRouter, ...] = (
    accounts.router,
    rules.router,
    analysis.router,
    coach.router,
    analysis.simulations_router,
    school.router,
    school_records.router,
    pages.health_router,
)
TABLE_ROUTERS: tuple[APIRouter, ...] = (
    lobby.router,
    floor.router,
    tables.seating_router,
    tables.router,
    jackpots.router,
    accounts.own_duties_router,
    accounts.persons_router,
    operators.router,
    records.fairness_router,
    records.history_router,
    coach.learning_router,
    records.journal_router,
    records.reports_router,
    tables.bots_router,
    tables.story_router,
    pages.router,
    coach.table_router,
    tables.costs_router,
    socket.router,
)
NO_CHECKS: Mapping[str, ReadinessCheck] = {}


def no_welcome(_connection: Connection, _person: Person) -> None:
    """Give newcomers nothing."""


def create_app(
    settings: ServerSettings,
    store: Store,
    house: HouseContext | None = None,
    *,
    clock: Clock | None = None,
    owner: OwnerLink | None = None,
    welcome: Welcome = no_welcome,
    readiness: Mapping[str, ReadinessCheck] = NO_CHECKS,
    entropy: RandomBytes = os.urandom,
    now: Callable[[], int] = now_ms,
) -> FastAPI:
    """Build an application on an open store, which the caller must close.

    If there is a house, its tables are live. `welcome` is called in the transaction that adds a
    person; `readiness` holds named checks that `/readyz` runs in addition to the database check.
    """
    metrics = Metrics()
    peers, live, background = Cluster(store, now=now), None, None
    if house is not None:
        if clock is None:  # the database's clock if several processes share it
            clock = AnchoredClock(store) if getattr(store, "address", None) else SystemClock()
        tables = live = Tables(store, house, clock, metrics)
        background = PeriodicTasks(live, settings.seal_to)
        peers = Cluster(store, lambda: tables.process, lambda: tables.is_alone, clock.now)
    services = Services(
        settings=settings,
        store=store,
        reads=CachedReads(store) if live is None else live.reads,
        metrics=metrics,
        passwords=PasswordService(),
        guest_limit=RateLimit(store, "new guests", settings.guests_per_hour, HOUR, now),
        log_in_limit=RateLimit(store, "log-ins", settings.log_ins_per_minute, MINUTE, now),
        code_limit=RateLimit(store, "class codes", settings.log_ins_per_minute, MINUTE, now),
        table_limit=RateLimit(store, "new tables", settings.own_tables_per_hour, HOUR, now),
        coach=Coach(coach_workers(settings.coaches), metrics),
        analysis_pool=AnalysisPool(),
        jobs=Jobs(settings, metrics, lambda: secrets.token_urlsafe(12), peers),
        entropy=entropy,
        now=now,
        welcome=welcome,
        readiness={**(background.checks() if background else {}), **readiness},
    )
    app = FastAPI(
        title="Ventiuna",
        version=ventiuna.__version__,
        summary="Spanish 21 and Super Fun 21: tables, exact analysis, simulation.",
        docs_url=None,  # those pages load scripts from other sites
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.services = services
    app.state.open_sockets = Counter[str]()  # by address
    app.state.day_hand = HandOfTheDay(services.coach, services.now)
    _add_routes(app, *ROUTERS)
    if live is not None and background is not None:
        app.state.tables, app.state.background = live, background
        app.state.audits = Audits(peers, live.house.shoes.on_top)
        app.state.figures = ExactFigures(services.analysis_pool)
        app.state.floor = floor.Floor(
            live, partial(floor.HouseHealth.of, live, background), services.analysis_pool
        )
        app.state.bots = Bots(live, settings.bot_pause / 1000, entropy)
        if owner is not None:
            app.state.owner_link = owner
            _add_routes(app, accounts.owner_router)
        _add_routes(app, *TABLE_ROUTERS)
    install_problem_handlers(app)
    # The middleware added last runs first.
    app.add_middleware(Idempotency, answers=Answers() if live is None else live.answers)
    app.add_middleware(BodyLimit, maximum=settings.body_bytes)
    app.add_middleware(OriginCheck, settings=settings)
    app.add_middleware(RequestLogging, metrics=metrics)
    app.add_middleware(SecurityHeaders, settings=settings)
    return app


def _add_routes(app: FastAPI, *routers: APIRouter) -> None:
    """Add the routes directly.

    With `include_router`, the first request would build each route again, and every request would
    search the routers twice.
    """
    for router in routers:
        app.router.routes.extend(router.routes)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    live: Tables | None = getattr(app.state, "tables", None)
    if live is not None:
        await live.start()
        app.state.background.start()
        await app.state.bots.start()
    await services.jobs.open()
    # Tables don't need the coach. Anyone who uses it early just waits a little longer.
    warming = asyncio.gather(services.coach.start(), services.analysis_pool.start())
    try:
        yield
    finally:
        if live is not None:
            await app.state.audits.close()
            await app.state.bots.stop()
            await live.drain()
            await app.state.background.stop()
            await app.state.background.seal()
            await app.state.background.copy_seals()
            await live.stop()
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await services.jobs.close()
        services.analysis_pool.close()
        services.coach.close()
