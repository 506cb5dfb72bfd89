"""Every route for every role has exactly the access that the table of permissions gives it.

If you add a route, add it to `ROUTES` and add a request for it here; otherwise, a test fails.
Operator commands get their permissions from their declarations.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.pages import is_written
from tests.permissions_page import PAGE, page
from tests.server.conftest import ROLES, House
from ventiuna.server.deps import access_of
from ventiuna.table.access import PERMISSIONS, Access, Role
from ventiuna.table.domain.commands import FORMS

# A role is served (any response unrelated to permissions), lacks a token, or isn't allowed.
SERVED, TOKEN_WANTED, NOT_ALLOWED = "served", "token_wanted", "not_allowed"
RULES = "?rules=wsgc-2021"


def expected(row: Row, role: str) -> str:
    """The response that the role gets; nobody owns the things in these requests."""
    access = access_of(f"{row.method} {row.route}")
    permission = PERMISSIONS[access]
    if role == "anyone":
        return TOKEN_WANTED if permission.needs_token else SERVED
    who = Role.PLAYER if role == "guest" else Role(role)
    missing = access is Access.SEE_ROUND  # the round doesn't exist, which anyone may know
    return SERVED if who in permission.roles or missing else NOT_ALLOWED


class Row(NamedTuple):
    method: str
    route: str
    address: str
    body: object = None


MATRIX = [
    Row("POST", "/accounts/guest", "/accounts/guest", {}),
    Row("POST", "/accounts/register", "/accounts/register", {"password": "short"}),
    Row("POST", "/accounts/log-in", "/accounts/log-in", {}),
    Row("POST", "/accounts/refresh", "/accounts/refresh", {}),
    Row("POST", "/accounts/log-out", "/accounts/log-out", {"refresh": "none", "all": 1}),
    Row("GET", "/accounts/me", "/accounts/me"),
    Row("GET", "/accounts/limits", "/accounts/limits"),
    Row("POST", "/accounts/limits", "/accounts/limits", {"deposit": 0}),
    Row("POST", "/accounts/exclusion", "/accounts/exclusion", {"days": 0}),
    Row("POST", "/accounts/name", "/accounts/name", {"name": ""}),
    Row("POST", "/accounts/password", "/accounts/password", {}),
    Row("POST", "/accounts/reset", "/accounts/reset", {}),
    Row("POST", "/persons/{number}/reset", "/persons/999/reset", {"reason": "none"}),
    Row("GET", "/rules", "/rules"),
    Row("GET", "/rules/options", "/rules/options"),
    Row("GET", "/rules/show", f"/rules/show{RULES}"),
    Row("GET", "/rules/check", f"/rules/check{RULES}"),
    Row("GET", "/rules/diff", f"/rules/diff{RULES}&other=super-fun-21"),
    Row("GET", "/rules/card", f"/rules/card{RULES}"),
    Row("GET", "/rules/procedure", f"/rules/procedure{RULES}"),
    Row("GET", "/rules/layout", f"/rules/layout{RULES}"),
    Row("GET", "/rules/numbers", "/rules/numbers"),
    Row("GET", "/rules/number/{number}", "/rules/number/R-036"),
    Row("GET", "/rules/data", f"/rules/data{RULES}"),
    Row("GET", "/analysis/edge", f"/analysis/edge{RULES}"),
    Row("GET", "/analysis/changes", f"/analysis/changes{RULES}"),
    Row("GET", "/analysis/games", f"/analysis/games{RULES}"),
    Row("GET", "/analysis/design", f"/analysis/design{RULES}&vary=none"),
    Row("GET", "/analysis/change", f"/analysis/change{RULES}&name=none"),
    Row("GET", "/analysis/hand", f"/analysis/hand{RULES}&cards=5c 6d&up=2h"),
    Row("GET", "/analysis/shoe", f"/analysis/shoe{RULES}"),
    Row("GET", "/analysis/strategy", f"/analysis/strategy{RULES}&chart=none"),
    Row("GET", "/analysis/side-bets", f"/analysis/side-bets{RULES}"),
    Row("GET", "/analysis/jackpot", f"/analysis/jackpot{RULES}&table=3c"),
    Row("GET", "/analysis/effects", "/analysis/effects?rules=none"),
    Row("GET", "/analysis/count", f"/analysis/count{RULES}&level=0"),
    Row("GET", "/analysis/sheet/{sheet}", f"/analysis/sheet/none{RULES}"),
    Row("POST", "/coach/hand", "/coach/hand", {}),
    Row("GET", "/school/certificate", "/school/certificate"),
    Row("GET", "/school/classes", "/school/classes"),
    Row("POST", "/school/classes", "/school/classes", {"name": ""}),
    Row("POST", "/school/classes/join", "/school/classes/join", {"code": "none"}),
    Row("GET", "/school/classes/{number}", "/school/classes/999"),
    Row("GET", "/school/classes/{number}/results", "/school/classes/999/results"),
    Row("DELETE", "/school/classes/{number}", "/school/classes/999"),
    Row(
        "DELETE",
        "/school/classes/{number}/trainees/{trainee}",
        "/school/classes/999/trainees/999",
    ),
    Row("GET", "/school/lessons", "/school/lessons"),
    Row("POST", "/school/lessons", "/school/lessons", {"level": "none"}),
    Row("DELETE", "/school/lessons", "/school/lessons"),
    Row("GET", "/school/lessons/{number}", "/school/lessons/999"),
    Row(
        "POST",
        "/school/lessons/{number}/moves",
        "/school/lessons/999/moves",
        {"round": 1, "at": 0},
    ),
    Row("POST", "/school/lessons/{number}/rounds", "/school/lessons/999/rounds"),
    Row("POST", "/school/lessons/{number}/finish", "/school/lessons/999/finish"),
    Row("POST", "/school/catch/rounds", "/school/catch/rounds", {"level": "none"}),
    Row("POST", "/school/catch/results", "/school/catch/results", {"level": "none"}),
    Row("GET", "/school/levels", "/school/levels"),
    Row("POST", "/school/rounds", "/school/rounds", {"level": "base-game"}),
    Row("POST", "/school/results", "/school/results", {}),
    Row("POST", "/school/catch/rounds", "/school/catch/rounds", {}),
    Row("POST", "/school/catch/results", "/school/catch/results", {}),
    Row("POST", "/school/console", "/school/console", {"rules": "wsgc-2021"}),
    Row("GET", "/learning/session", "/learning/session"),
    Row("GET", "/learning/kinds", "/learning/kinds"),
    Row("GET", "/learning/day", "/learning/day"),
    Row("POST", "/learning/drills", "/learning/drills", {}),
    Row("POST", "/learning/answers", "/learning/answers", {}),
    Row("GET", "/learning/practice", f"/learning/practice{RULES}"),
    Row("POST", "/simulations", "/simulations", {}),
    Row("GET", "/simulations", "/simulations"),
    Row("GET", "/simulations/{number}", "/simulations/none"),
    Row("GET", "/simulations/{number}/result", "/simulations/none/result"),
    Row("GET", "/simulations/choices", "/simulations/choices"),
    Row("POST", "/simulations/{number}/stop", "/simulations/none/stop"),
    Row("POST", "/simulations/{number}/resume", "/simulations/none/resume", {}),
    Row("DELETE", "/simulations/{number}", "/simulations/none"),
    Row("GET", "/floor", "/floor"),
    Row("GET", "/lobby", "/lobby"),
    Row("POST", "/tables/own", "/tables/own", {"rules": "none"}),
    Row("POST", "/tables/{number}/seat", "/tables/999/seat", {}),
    Row("POST", "/wallet/refill", "/wallet/refill", {}),
    Row("GET", "/tables", "/tables"),
    Row("POST", "/tables", "/tables", {}),
    Row("GET", "/tables/{number}", "/tables/999"),
    Row("GET", "/tables/{number}/story", "/tables/999/story"),
    Row("POST", "/tables/{number}/bots", "/tables/999/bots", {"count": 0}),
    Row("GET", "/tables/{number}/costs", "/tables/999/costs"),
    Row("POST", "/tables/{number}/costs", "/tables/999/costs", {}),
    Row("GET", "/tables/{number}/coach", "/tables/999/coach"),
    Row("GET", "/tables/{number}/shoes", "/tables/999/shoes"),
    Row("GET", "/tables/{number}/shoes/{shoe}", "/tables/999/shoes/1"),
    Row("GET", "/tables/{number}/inspection", "/tables/999/inspection"),
    Row("GET", "/tables/{number}/inspection/sheet", "/tables/999/inspection/sheet"),
    Row("GET", "/tables/{number}/rounds", "/tables/999/rounds"),
    Row("GET", "/tables/{number}/rounds/{round_number}", "/tables/999/rounds/1"),
    Row(
        "POST",
        "/tables/{number}/rounds/{round_number}/share",
        "/tables/999/rounds/1/share",
    ),
    Row("GET", "/shared/{number}/{round_number}", "/shared/999/1?by=none"),
    Row("GET", "/jackpots", "/jackpots"),
    Row("POST", "/jackpots", "/jackpots", {}),
    Row("GET", "/jackpots/{number}", "/jackpots/999"),
    Row("GET", "/jackpots/{number}/movements", "/jackpots/999/movements"),
    Row("GET", "/jackpots/{number}/history", "/jackpots/999/history"),
    Row("GET", "/recall/balance", "/recall/balance?account=house&at=0"),
    Row("GET", "/recall/jackpots/{number}", "/recall/jackpots/999?at=0"),
    Row("GET", "/recall/tables/{number}", "/recall/tables/999?at=0"),
    Row("GET", "/wallet", "/wallet"),
    Row("GET", "/history", "/history"),
    Row("GET", "/persons", "/persons"),
    Row("GET", "/seals/newest", "/seals/newest"),
    Row("GET", "/seals/{number}", "/seals/1"),
    Row("GET", "/books", "/books"),
    Row("GET", "/ledger", "/ledger"),
    Row("GET", "/entries", "/entries"),
    Row("GET", "/books/{number}", "/books/1"),
    Row("GET", "/reports/daily", "/reports/daily"),
    Row("GET", "/audits", "/audits"),
    Row("POST", "/audits", "/audits"),
    Row("GET", "/audits/{number}", "/audits/999"),
    Row("DELETE", "/audits/{number}", "/audits/999"),
    Row("GET", "/healthz", "/healthz"),
    Row("GET", "/readyz", "/readyz"),
    Row("GET", "/metrics", "/metrics"),
    Row("GET", "/commands", "/commands"),
    Row("GET", "/approvals", "/approvals"),
    Row("POST", "/approvals/required", "/approvals/required", {}),
    Row("POST", "/approvals/{number}/approve", "/approvals/999/approve", {"reason": "none"}),
    Row("POST", "/approvals/{number}/refuse", "/approvals/999/refuse", {"reason": "none"}),
    *(
        Row(
            "POST",
            f"/{form.subject}/{{number}}/{form.word}",
            f"/{form.subject}/999/{form.word}",
            {"reason": "none"},
        )
        for form in FORMS
    ),
]


def test_every_route_has_its_row(house: House) -> None:
    routes = {
        (method.upper(), path)
        for path, offered in house.served.app.openapi()["paths"].items()
        for method in offered
    }
    assert routes == {(row.method, row.route) for row in MATRIX}


def test_the_documentation_shows_the_table() -> None:
    assert is_written(PAGE, page()), "stale: run make pages"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("row", MATRIX, ids=lambda row: f"{row.method} {row.route}")
def test_each_role_has_the_right_access(house: House, row: Row, role: str) -> None:
    with house.served.client(house.tokens[role]) as client:
        answer = client.request(row.method, row.address, json=row.body)
    code = "" if answer.is_success else answer.json()["code"]
    wanted = expected(row, role)
    assert wanted == (code if code in (TOKEN_WANTED, NOT_ALLOWED) else SERVED)
    assert answer.status_code == {TOKEN_WANTED: 401, NOT_ALLOWED: 403}.get(
        wanted, answer.status_code
    )
    assert answer.status_code < 500


def test_an_invalid_token_is_refused_even_if_none_is_needed(house: House) -> None:
    with house.served.client("x" * 43) as client:
        assert client.get("/metrics").json()["code"] == TOKEN_WANTED
        assert client.get("/accounts/me").status_code == 401
