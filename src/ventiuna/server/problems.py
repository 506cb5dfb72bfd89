"""Errors as problem+json: a code for programs, one sentence for people, and rule numbers.

All errors become responses here, so no traceback, internal state, or client input leaks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from ventiuna.analysis.coaching import NothingToCoach
from ventiuna.cards import CardError
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import DataError, Refused
from ventiuna.errors import MissingExtra, VentiunaError
from ventiuna.money import MoneyError
from ventiuna.rules.model import RulesError
from ventiuna.server.settings import SettingsError
from ventiuna.server.telemetry import log_database_error, request_facts
from ventiuna.strategy.protocol import PlanError
from ventiuna.table.access import (
    PersonError,
)
from ventiuna.table.accounts import AccountLocked
from ventiuna.table.store.statements import (
    DatabaseError,
    StoreError,
    is_unavailable,
    unavailable_reason,
)
from ventiuna.table.writer import OutcomeUnknown
from ventiuna.texts import one_line

MEDIA_TYPE = "application/problem+json"
SERVER_FAULT = "server_fault"
MAX_PLACES = 20  # maximum number of errors reported per request
MAX_SENTENCE_LENGTH = 2_000
Headers = Mapping[str, str]
NO_HEADERS: Headers = {}


@dataclass(frozen=True, slots=True)
class ProblemPlace:
    """One error and its location."""

    field: str
    sentence: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error response."""

    status: int
    code: str
    sentence: str
    rules: tuple[str, ...] = ()
    places: tuple[ProblemPlace, ...] = ()
    headers: Headers = field(default_factory=dict)

    def as_data(self) -> dict[str, object]:
        data: dict[str, object] = {
            "type": f"urn:ventiuna:problem:{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": one_line(self.sentence)[:MAX_SENTENCE_LENGTH],
            "code": self.code,
            "rules": list(self.rules),
        }
        if self.places:
            data["problems"] = [
                {"field": place.field, "sentence": one_line(place.sentence), "rule": place.rule}
                for place in self.places
            ]
        return data

    def response(self) -> JSONResponse:
        return JSONResponse(
            self.as_data(), self.status, headers=dict(self.headers), media_type=MEDIA_TYPE
        )

    async def send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that never reached a route."""
        scope.setdefault("state", {})["code"] = self.code
        await self.response()(scope, receive, send)


class RequestDeclined(VentiunaError):
    """A request that the server declines."""

    def __init__(
        self, status: int, code: str, sentence: str, headers: Headers = NO_HEADERS
    ) -> None:
        self.problem = Problem(status, code, sentence, headers=headers)
        super().__init__(sentence)


def unauthorized() -> RequestDeclined:
    return RequestDeclined(
        401,
        "token_wanted",
        "Sign in to continue. Your session may have expired.",
        {"WWW-Authenticate": "Bearer"},
    )


def forbidden() -> RequestDeclined:
    return RequestDeclined(403, "not_allowed", "Your role doesn't allow this.")


def not_found(what: str) -> RequestDeclined:
    return RequestDeclined(404, "not_found", f"There is no such {what}.")


def too_many_requests(sentence: str, seconds: float) -> RequestDeclined:
    wait = max(1, round(seconds))
    return RequestDeclined(429, "too_many", sentence, {"Retry-After": str(wait)})


def service_busy(what: str) -> RequestDeclined:
    sentence = f"{what} busy. Try again in a moment."
    return RequestDeclined(503, "busy", sentence, RETRY_LATER)


RETRY_LATER: Headers = {"Retry-After": "2"}
UNKNOWN_CHANGE = (
    "Your request may or may not have been applied. Send it again in a moment with the "
    "same Idempotency-Key."
)
INTERNAL_ERROR = Problem(
    500, SERVER_FAULT, "Internal error. Nothing was changed, and the error has been logged."
)
# Errors whose type determines their status and code.
_CODES: Sequence[tuple[type[VentiunaError], int, str]] = (
    (CardError, 422, "bad_card"),
    (MoneyError, 422, "bad_amount"),
    (DataError, 422, "bad_data"),
    (NothingToCoach, 409, "nothing_to_coach"),
    (MissingExtra, 501, "missing_extra"),
    (SettingsError, 500, SERVER_FAULT),
)
# Status codes for some refusals; all others are conflicts with the current state.
_REFUSED_STATUS: Mapping[RefusalCode, int] = {
    RefusalCode.NO_SUCH_TABLE: 404,
    RefusalCode.NO_SUCH_PERSON: 404,
    RefusalCode.NO_SUCH_PROGRESSIVE: 404,
    RefusalCode.NOT_ALLOWED: 403,
    RefusalCode.NO_REASON: 422,
    RefusalCode.NOT_A_NAME: 422,
    RefusalCode.NOT_A_CLOCK: 422,
    RefusalCode.NOT_CENTS: 422,
    RefusalCode.AMOUNT_RANGE: 422,
    RefusalCode.BAD_COMMAND: 422,
    RefusalCode.SERVER_FAULT: 500,
}
_PERSON_STATUS = {
    "name_taken": 409,
    "already_registered": 409,
    "unknown_person": 404,
    "blocked": 403,
    "excluded": 403,
}


def problem_for(error: VentiunaError) -> Problem:
    """The response to one of our own errors."""
    if isinstance(error, RequestDeclined):
        return error.problem
    if isinstance(error, StoreError):
        return _database_problem(error)
    if isinstance(error, OutcomeUnknown):
        return Problem(503, "unknown", str(error), headers=RETRY_LATER)
    if isinstance(error, RulesError):
        return _rules_problem(error)
    if isinstance(error, Refused):
        status = _REFUSED_STATUS.get(error.code, 409)
        return Problem(status, str(error.code), error.message, error.rules)
    if isinstance(error, AccountLocked):
        return Problem(429, error.code, str(error), headers={"Retry-After": str(error.seconds)})
    if isinstance(error, PersonError):
        return Problem(_PERSON_STATUS.get(error.code, 422), error.code, str(error))
    for kind, status, code in _CODES:
        if isinstance(error, kind):
            # Clients don't need the details of a server setting.
            return INTERNAL_ERROR if status == 500 else Problem(status, code, str(error))
    return Problem(422, "refused", str(error))


def _database_problem(error: DatabaseError, method: str = "GET") -> Problem:
    """Report an unavailable database; after a POST, say that the change may have been made."""
    again = UNKNOWN_CHANGE if method == "POST" else "Try again in a moment."
    return Problem(
        503, "database_away", f"{unavailable_reason(error)} {again}", headers=RETRY_LATER
    )


def _rules_problem(error: RulesError) -> Problem:
    places = tuple(
        ProblemPlace(problem.field, str(problem), problem.rule)
        for problem in error.problems[:MAX_PLACES]
    )
    rules = tuple(dict.fromkeys(place.rule for place in places if place.rule.startswith("R-")))
    sentence = " ".join(place.sentence for place in places)
    code = "bad_plan" if isinstance(error, PlanError) else "bad_rules"
    return Problem(422, code, sentence, rules, places)


def _request_problem(error: RequestValidationError) -> Problem:
    """List fields and their errors, but never the input, which may be a password."""
    if any(item["type"] == "json_invalid" for item in error.errors()):
        return BAD_BODY
    places = tuple(
        ProblemPlace(".".join(map(str, item["loc"][1:])) or str(item["loc"][0]), item["msg"])
        for item in error.errors()[:MAX_PLACES]
    )
    sentence = "; ".join(f"{place.field}: {place.sentence}" for place in places)
    return Problem(422, "bad_request", f"{sentence}.", places=places)


_PROBLEMS_BY_STATUS = {
    404: ("not_found", "There is nothing at this address."),
    405: ("not_offered", "This address doesn't support that method."),
}


BAD_BODY = Problem(422, "bad_request", "The body isn't valid JSON. Send a JSON object in UTF-8.")


def _status_problem(error: HTTPException) -> Problem:
    if error.status_code == HTTPStatus.BAD_REQUEST:  # the framework could not read the body
        return BAD_BODY
    code, sentence = _PROBLEMS_BY_STATUS.get(
        error.status_code, ("refused", HTTPStatus(error.status_code).phrase)
    )
    return Problem(error.status_code, code, sentence, headers=error.headers or {})


class ProblemData(BaseModel):
    """The format used for every error response."""

    type: str = Field(examples=["urn:ventiuna:problem:name_taken"])
    title: str
    status: int
    detail: str = Field(description="One sentence for the reader.")
    code: str = Field(description="Error code for programs.")
    rules: list[str] = Field(
        description="Numbers of the rules behind the error.", examples=[["R-042"]]
    )


PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": ProblemData.model_json_schema()}},
    }
    for status in (401, 403, 404, 405, 408, 409, 413, 421, 422, 429, 500, 501, 503)
}


def install_problem_handlers(app: FastAPI) -> None:
    """Turn every error in this application into problem+json."""

    def answer(request: Request, problem: Problem) -> JSONResponse:
        request.state.code = problem.code  # for the log
        return problem.response()

    @app.exception_handler(VentiunaError)
    async def _ours(request: Request, error: VentiunaError) -> JSONResponse:
        return answer(request, problem_for(error))

    @app.exception_handler(StoreError)
    @app.exception_handler(SQLAlchemyError)
    async def _database(request: Request, error: DatabaseError) -> JSONResponse:
        if not is_unavailable(error):
            raise error
        log_database_error(error, **request_facts(request.scope))
        return answer(request, _database_problem(error, request.method))

    @app.exception_handler(RequestValidationError)
    async def _request(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(request, _request_problem(error))

    @app.exception_handler(HTTPException)
    async def _status(request: Request, error: HTTPException) -> JSONResponse:
        return answer(request, _status_problem(error))
