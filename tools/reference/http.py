"""Every endpoint of the server, from its OpenAPI document."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from tools.reference.markdown import code, codes, joined, sentence, table
from ventiuna.server.app import create_app
from ventiuna.server.serve import open_house
from ventiuna.server.settings import settings_from

ABOUT = """\
Generated from the OpenAPI document that the server provides at `/openapi.json`. For permissions,
limits and the format of errors, see [the server](../../server.md). Events at a table are sent over
[its socket](../../socket.md)."""
_LONGEST_CHOICE = 12


def openapi() -> Any:
    """Return the OpenAPI document of a house with tables."""
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_from(database=str(Path(folder) / "house.sqlite"))
        opened = open_house(settings)
        try:
            return create_app(settings, opened.store, opened.house).openapi()
        finally:
            opened.store.close()


def page() -> str:
    document = openapi()
    routes = [
        (path, method, route)
        for path, methods in sorted(document["paths"].items())
        for method, route in methods.items()
    ]
    return joined(["# HTTP", ABOUT, *_parts(document, routes)])


def _parts(document: Any, routes: list[tuple[str, str, Any]]) -> Iterator[str]:
    for part, group in groupby(routes, lambda one: one[0].split("/")[1]):
        yield f"## `/{part}`"
        for path, method, route in group:
            yield f"### `{method.upper()} {path}`"
            yield sentence((route.get("description") or route.get("summary") or "").strip())
            yield from _parameters(document, route)
            yield from _body(document, route)
            answers = codes(
                number for number, one in route["responses"].items() if number[0] == "2"
            )
            yield f"Returns {answers}." if answers else ""


def _parameters(document: Any, route: Any) -> Iterator[str]:
    rows = [
        (code(one["name"]), one["in"], _kind(document, one["schema"]), _meaning(one))
        for one in route.get("parameters", ())
        if one["in"] != "header"
    ]
    if rows:
        yield table(("parameter", "in", "type", "meaning"), rows)


def _body(document: Any, route: Any) -> Iterator[str]:
    content = route.get("requestBody", {}).get("content", {})
    for media, body in content.items():
        schema = _resolved(document, body["schema"])
        wanted = schema.get("required", ())
        rows = [
            (
                code(name),
                _kind(document, one),
                "yes" if name in wanted else "",
                _meaning(one),
            )
            for name, one in schema.get("properties", {}).items()
        ]
        if rows:
            yield table((f"field ({media})", "type", "required", "meaning"), rows)


def _meaning(one: Any) -> str:
    return sentence(one.get("description") or one.get("schema", {}).get("description") or "")


def _resolved(document: Any, schema: Any) -> Any:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _kind(document: Any, schema: Any) -> str:
    """Describe a value's type in a few words."""
    schema = _resolved(document, schema)
    if "anyOf" in schema:
        kinds = dict.fromkeys(_kind(document, one) for one in schema["anyOf"])
        return " or ".join(kinds)
    if "enum" in schema:
        values = schema["enum"][:_LONGEST_CHOICE]
        return codes(values) + (" …" if len(values) < len(schema["enum"]) else "")
    if schema.get("type") == "array":
        return f"list of {_kind(document, schema.get('items', {}))}"
    words = {"integer": "whole number", "string": "string", "null": "null", "boolean": "boolean"}
    kind = schema.get("type", "any")
    return f"{words.get(kind, kind)}{_range(schema)}"


def _range(schema: Any) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f", {low} to {high}"
    return f", {low} or more" if low is not None else ""
