"""The web client's files, and health checks and metrics for monitoring."""

from __future__ import annotations

import mimetypes
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from ventiuna.server.deps import (
    HouseServices,
    Services,
    permitted_router,
)
from ventiuna.server.problems import RETRY_LATER, RequestDeclined, not_found
from ventiuna.server.telemetry import CONTENT_TYPE
from ventiuna.table.store.statements import StoreError, run

router = APIRouter(include_in_schema=False)
INDEX = "index.html"
CACHE_FOREVER = "public, max-age=31536000, immutable"  # built files are named after their content
MEDIA_TYPES = {
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "html": "text/html",
}


@router.get("/")
async def page() -> Response:
    found = _file(INDEX, "no-cache")
    if found is None:
        raise RequestDeclined(
            503,
            "no_web_table",
            "The web table hasn't been built. Run `make client`, or install a wheel, which "
            "includes it.",
        )
    return found


@router.get("/web/{path:path}")
async def part(path: str) -> Response:
    found = _file(path, CACHE_FOREVER)
    if found is None:
        raise not_found("page")
    return found


@cache
def web_files() -> dict[str, Traversable]:
    """Built files by path; other names are never looked up on disk."""
    found: dict[str, Traversable] = {}

    def walk(folder: Traversable, path: str) -> None:
        for child in folder.iterdir():
            name = f"{path}{child.name}"
            if child.is_dir():
                walk(child, f"{name}/")
            else:
                found[name] = child

    top = files("ventiuna.server") / "web"
    if top.is_dir():
        walk(top, "")
    return found


def _file(path: str, caching: str) -> Response | None:
    """The file, or None if it never existed or a new build has replaced it."""
    if path not in web_files():
        return None
    try:
        content = _content(path)
    except OSError:
        web_files.cache_clear()  # the page now comes from the new build
        _content.cache_clear()
        return None
    suffix = path.rpartition(".")[2]
    kind = MEDIA_TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return Response(content, media_type=kind, headers={"Cache-Control": caching})


@cache
def _content(path: str) -> bytes:
    return web_files()[path].read_bytes()


health_router = permitted_router("operations")


class Alive(BaseModel):
    alive: bool = True


class Readiness(BaseModel):
    ready: bool
    checks: dict[str, bool]


@health_router.get("/healthz")
async def is_alive() -> Alive:
    """Whether the process responds."""
    return Alive()


@health_router.get("/readyz", response_model=Readiness)
def is_ready(house: HouseServices) -> JSONResponse:
    """Whether everything needed for play is available; if not, 503 with the failed checks."""
    checks = {"database": _database_answers(house)}
    checks |= {name: check() for name, check in house.readiness.items()}
    ready = all(checks.values())
    data = {"ready": ready, "checks": checks}
    return JSONResponse(data) if ready else JSONResponse(data, 503, headers=dict(RETRY_LATER))


def _database_answers(house: Services) -> bool:
    try:
        with house.store.read() as connection:
            return run(connection, "SELECT 1").fetchone() is not None
    except (SQLAlchemyError, StoreError):
        return False


@health_router.get("/metrics", response_class=Response)
def metrics(house: HouseServices) -> Response:
    """Metrics in Prometheus text format."""
    return Response(house.metrics.text(), media_type=CONTENT_TYPE)
