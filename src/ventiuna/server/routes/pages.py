"""The web client: files of its build, and nothing of any other site."""

from __future__ import annotations

import mimetypes
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter
from fastapi.responses import Response

from ventiuna.server.problems import Declined, not_found

router = APIRouter(include_in_schema=False)
INDEX = "index.html"
FOR_EVER = "public, max-age=31536000, immutable"  # names of built files change with what they hold
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}


@router.get("/")
async def page() -> Response:
    found = _file(INDEX, "no-cache")
    if found is None:
        raise Declined(
            503,
            "no_web_table",
            "The web table is not built: `make client` builds it, and every wheel has it.",
        )
    return found


@router.get("/web/{path:path}")
async def part(path: str) -> Response:
    found = _file(path, FOR_EVER)
    if found is None:
        raise not_found("page")
    return found


@cache
def web_files() -> dict[str, Traversable]:
    """The files of the build by their path; a name that is not here is never looked up on disk."""
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
    """None where there is none: it never was, or a new build has replaced it meanwhile."""
    if path not in web_files():
        return None
    try:
        content = _content(path)
    except OSError:
        web_files.cache_clear()  # so that the page itself is the new build's from now on
        _content.cache_clear()
        return None
    suffix = path.rpartition(".")[2]
    kind = TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    return Response(content, media_type=kind, headers={"Cache-Control": caching})


@cache
def _content(path: str) -> bytes:
    return web_files()[path].read_bytes()
