"""TypeScript types for the server's data: `python -m tools.typescript > client/src/wire.ts`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from ventiuna.server.problems import ProblemData
from ventiuna.server.routers.accounts import PersonLine, SessionData
from ventiuna.server.routers.jackpots import FundData, Movement
from ventiuna.server.routers.lobby import LobbyData
from ventiuna.server.routers.operators import CommandForm
from ventiuna.server.routers.records import AuditData, BookData, LedgerData, OwnRound
from ventiuna.server.routers.tables import SatDown
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
RECORDS: tuple[type[BaseModel], ...] = (
    SessionData,
    ProblemData,
    LobbyData,
    SatDown,
    OwnRound,
    PersonLine,
    FundData,
    Movement,
    CommandForm,
    BookData,
    AuditData,
    LedgerData,
)
_PRIMITIVES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}


def typescript() -> str:
    """Return all wire types by name, each once."""
    _, together = TypeAdapter.json_schemas(
        [(name, mode, adapter) for name, (adapter, mode) in UNIONS.items()],
        ref_template="{model}",
    )
    known: dict[str, Schema] = dict(together.get("$defs", {}))
    _, records = models_json_schema(
        [(record, "serialization") for record in RECORDS], ref_template="{model}"
    )
    known |= records.get("$defs", {})
    parts = [HEADER]
    parts += [_declaration(name, known[name]) for name in sorted(known)]
    for name, (adapter, mode) in UNIONS.items():
        kinds = adapter.json_schema(ref_template="{model}", mode=mode)["oneOf"]
        lines = "".join(f"\n  | {_ref(kind)}" for kind in kinds)
        parts.append(f"export type {name} ={lines};\n")
    return "\n".join(parts)


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
    return str(schema["$ref"])


if __name__ == "__main__":
    sys.stdout.write(typescript())
