"""The plain page of a house, and what it reads: its own files and nothing of any other site."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

from ventiuna.server.problems import not_found

router = APIRouter(include_in_schema=False)
_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_NAMES = ("index.html", "page.css", "page.js", "session.js", "live.js", "cut.js", "draw.js")
_PAGES = {name: (files("ventiuna.server") / "pages" / name).read_bytes() for name in _NAMES}


@router.get("/")
async def page() -> Response:
    return _file("index.html")


@router.get("/pages/{name}")
async def part(name: str) -> Response:
    if name not in _PAGES:
        raise not_found("page")
    return _file(name)


def _file(name: str) -> Response:
    kind = _TYPES[name.rpartition(".")[2]]
    return Response(_PAGES[name], media_type=f"{kind}; charset=utf-8")
