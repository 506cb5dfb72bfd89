"""For those who keep the server running."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server.metrics import CONTENT_TYPE
from ventiuna.server.problems import LATER
from ventiuna.server.security import watcher
from ventiuna.server.services import Services, services_of
from ventiuna.table.store.errors import StoreError
from ventiuna.table.store.rows import run

router = APIRouter(tags=["operations"])
HouseServices = Annotated[Services, Depends(services_of)]


@router.get("/healthz")
async def is_alive() -> JSONResponse:
    """The process answers."""
    return JSONResponse({"alive": True})


@router.get("/readyz")
def is_ready(house: HouseServices) -> JSONResponse:
    """Everything that play needs is there; else 503 with what is not."""
    checks = {"database": _database_answers(house)}
    checks |= {name: check() for name, check in house.readiness.items()}
    ready = all(checks.values())
    data = {"ready": ready, "checks": checks}
    return JSONResponse(data) if ready else JSONResponse(data, 503, headers=dict(LATER))


def _database_answers(house: Services) -> bool:
    try:
        with house.store.read() as connection:
            return run(connection, "SELECT 1").fetchone() is not None
    except (SQLAlchemyError, StoreError):
        return False


@router.get("/metrics", dependencies=[Depends(watcher)], response_class=Response)
def metrics(house: HouseServices) -> Response:
    """Prometheus' text."""
    return Response(house.metrics.text(), media_type=CONTENT_TYPE)
