"""The OpenAPI document, tested by Schemathesis with valid and invalid data."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests import IS_SOAK
from tests.server.conftest import House, house_of_each_role
from tests.server.running import PATIENCE
from tests.server.test_permissions import MATRIX, SERVED, Row, expected

EXAMPLES = 50 if IS_SOAK else 2  # examples of each kind for each route
GENERATED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own, because random requests may block people and sign them out."""
    with house_of_each_role(tmp_path_factory) as found:
        yield found


@pytest.fixture(scope="module")
def schema(house: House) -> OpenApiSchema:
    return schemathesis.openapi.from_dict(house.served.app.openapi())


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: f"{row.method} {row.route}")
def test_no_request_breaks_a_route(house: House, schema: OpenApiSchema, row: Row) -> None:
    document = house.served.app.openapi()
    operation = schema[row.route][row.method]
    token = house.tokens["operator"]
    if expected(row, "guest") == SERVED:
        with house.served.client() as client:  # a separate user, who may get logged out
            token = client.post("/accounts/guest", json={}).json()["tokens"]["access"]
    headers = {"Authorization": f"Bearer {token}"}

    def attempt(case: Any) -> None:
        answer = case.call(base_url=house.served.address, headers=headers, timeout=PATIENCE)
        # 501 and 503 are valid responses: something is missing or busy.
        assert answer.status_code < 500 or answer.status_code in (501, 503), answer.text
        case.validate_response(
            answer, checks=[status_code_conformance, response_schema_conformance]
        )

    offered = document["paths"][row.route][row.method.lower()]
    modes = [GenerationMode.POSITIVE]
    if offered.keys() & {"parameters", "requestBody"}:
        modes.append(GenerationMode.NEGATIVE)
    for mode in modes:
        GENERATED(given(operation.as_strategy(generation_mode=mode))(attempt))()


NOT_JSON = {
    "/analysis/sheet/{sheet}",
    "/metrics",
    "/school/certificate",
    "/school/classes/{number}/results",
    "/tables/{number}/inspection/sheet",
}


def test_every_json_route_declares_its_response(house: House) -> None:
    untyped = {
        route.path
        for route in house.served.app.routes
        if isinstance(route, APIRoute) and route.include_in_schema
        if route.response_model is None and route.status_code != HTTPStatus.NO_CONTENT
    }
    assert untyped == NOT_JSON


def test_every_route_has_a_description(house: House) -> None:
    document = house.served.app.openapi()
    for path, offered in document["paths"].items():
        for method, route in offered.items():
            assert route["description"], f"{method} {path}"
            assert "422" in route["responses"]
            problem = route["responses"]["422"]["content"]
            assert "application/problem+json" in problem, f"{method} {path}"


def test_example_bodies_are_accepted(house: House) -> None:
    """The examples in the document are valid requests."""
    document = house.served.app.openapi()
    tried = 0
    with house.served.client(house.tokens["operator"]) as client:
        for name, path in (("CoachedHand", "/coach/hand"), ("NewSimulation", "/simulations")):
            for example in document["components"]["schemas"][name]["examples"]:
                answer = client.post(path, json=example)
                assert answer.is_success, answer.text
                tried += 1
        for job in client.get("/simulations").json():
            client.delete(f"/simulations/{job['id']}")
    assert tried == 2
