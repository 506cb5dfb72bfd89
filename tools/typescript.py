"""TypeScript types for the server's data: `python -m tools.typescript > client/src/wire.ts`.

The types of HTTP bodies and responses that the client uses come from the OpenAPI document. The
socket's types come from its messages.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from ventiuna.server.app import ROUTERS, TABLE_ROUTERS
from ventiuna.server.problems import ProblemData
from ventiuna.server.schemas import CLIENT_MESSAGE, COMMAND, EVENT, SERVER_MESSAGE

Schema = Mapping[str, Any]
HEADER = """// Generated from the Python types by `make types`: don't edit.
// Cards are numbers from 0 to 51, amounts are cents, times are milliseconds since 1970.
"""
# Clients may omit fields in data they send; data they receive is complete.
UNIONS: dict[str, tuple[TypeAdapter[Any], JsonSchemaMode]] = {
    "WireEvent": (EVENT, "serialization"),
    "WireCommand": (COMMAND, "validation"),
    "ClientMessage": (CLIENT_MESSAGE, "validation"),
    "ServerMessage": (SERVER_MESSAGE, "serialization"),
}
CLIENT = Path(__file__).parents[1] / "client" / "src"
_PRIMITIVES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}


def typescript() -> str:
    """Return all wire types by name, each once."""
    _, together = TypeAdapter.json_schemas(
        [(name, mode, adapter) for name, (adapter, mode) in UNIONS.items()],
        ref_template="{model}",
    )
    known = used_http_schemas() | together["$defs"]
    parts = [HEADER]
    parts += [_declaration(name, known[name]) for name in sorted(known)]
    for name, (adapter, mode) in UNIONS.items():
        kinds = adapter.json_schema(ref_template="{model}", mode=mode)["oneOf"]
        lines = "".join(f"\n  | {_ref(kind)}" for kind in kinds)
        parts.append(f"export type {name} ={lines};\n")
    return "\n".join(parts)


def used_http_schemas() -> dict[str, Schema]:
    """The schemas of bodies and responses that the client's sources mention, and their parts."""
    known = http_schemas()
    sources = [path for path in CLIENT.rglob("*") if path.suffix in (".ts", ".svelte")]
    text = " ".join(path.read_text("utf-8") for path in sources if path.name != "wire.ts")
    return {
        name: known[name] for name in _closed(known.keys() & set(re.findall(r"\w+", text)), known)
    }


def http_schemas() -> dict[str, Any]:
    """The schemas of all bodies and responses, by name."""
    app = FastAPI()
    for router in (*ROUTERS, *TABLE_ROUTERS):
        app.router.routes.extend(router.routes)
    document = app.openapi()
    known: dict[str, Any] = document["components"]["schemas"]
    known[ProblemData.__name__] = ProblemData.model_json_schema()
    operations = [one for path in document["paths"].values() for one in path.values()]
    sent = _closed(set(_refs([one.get("requestBody") for one in operations])), known)
    for name in known.keys() - sent:  # responses include fields that have their default value
        parts = known[name].get("properties", {})
        defaults = [field for field, part in parts.items() if "default" in part]
        known[name] = known[name] | {"required": [*known[name].get("required", ()), *defaults]}
    return known


def _closed(names: set[str], known: Mapping[str, Any]) -> set[str]:
    """These names and all names that their schemas refer to."""
    while more := {name for each in names for name in _refs(known[each])} - names:
        names = names | more
    return names


def _refs(schema: object) -> Iterator[str]:
    """The names of all schemas that this one refers to directly."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield _ref(schema)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _refs(part)


def _declaration(name: str, schema: Schema) -> str:
    about = _comment(schema.get("description", ""), "")
    if "enum" in schema:
        return f"{about}export type {name} = {_typescript_type(schema)};\n"
    needed = set(schema.get("required", ()))
    lines = []
    for field, part in schema.get("properties", {}).items():
        mark = "" if field in needed else "?"
        lines.append(
            _comment(part.get("description", ""), "  ")
            + f"  {field}{mark}: {_typescript_type(part)};\n"
        )
    return f"{about}export interface {name} {{\n{''.join(lines)}}}\n"


def _comment(text: str, indent: str) -> str:
    words = " ".join(text.split())
    return f"{indent}/** {words} */\n" if words else ""


def _typescript_type(schema: Schema) -> str:
    """Return the TypeScript type for part of a JSON Schema."""
    if "$ref" in schema:
        return _ref(schema)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(map(_typescript_type, schema[several])))
    kind = schema.get("type")
    if kind == "null":
        return "null"
    if "prefixItems" in schema:
        return f"[{', '.join(map(_typescript_type, schema['prefixItems']))}]"
    if kind == "array":
        inner = _typescript_type(schema["items"])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        return _mapping(schema)
    return _PRIMITIVES[kind] if isinstance(kind, str) else "unknown"


def _mapping(schema: Schema) -> str:
    values = schema.get("additionalProperties", {})
    value = (
        "unknown" if isinstance(values, bool) else _typescript_type(values) if values else "unknown"
    )
    names = schema.get("propertyNames", {})
    if "enum" in names or "const" in names:
        return f"Partial<Record<{_typescript_type(names)}, {value}>>"
    return f"Record<string, {value}>"


def _ref(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


if __name__ == "__main__":
    sys.stdout.write(typescript())
