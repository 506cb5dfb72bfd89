"""Every route for every role: who has access, and what the others get.

Anyone who adds a route adds its row here; a test fails until it has one. Operator commands have
theirs from their declarations.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.server.conftest import ROLES, House
from ventiuna.table.domain.commands import FORMS

# A role is served (any response unrelated to permissions), lacks a token, or isn't allowed.
SERVED, TOKEN_WANTED, NOT_ALLOWED = "served", "token_wanted", "not_allowed"
ANYBODY = dict.fromkeys(ROLES, SERVED)
PERSONS = {**ANYBODY, "anyone": TOKEN_WANTED}
PLAYERS = {**PERSONS, "auditor": NOT_ALLOWED}
WATCHERS = {**ANYBODY, "guest": NOT_ALLOWED, "player": NOT_ALLOWED}  # "anyone" is a local client
OVERSEERS = {**PERSONS, "guest": NOT_ALLOWED, "player": NOT_ALLOWED}
OPERATORS = {**OVERSEERS, "auditor": NOT_ALLOWED}
RULES = "?rules=wsgc-2021"


class Row(NamedTuple):
    method: str
    route: str
    address: str
    who: dict[str, str]
    body: object = None


MATRIX = [
    Row("POST", "/accounts/guest", "/accounts/guest", ANYBODY, {}),
    Row("POST", "/accounts/register", "/accounts/register", ANYBODY, {"password": "short"}),
    Row("POST", "/accounts/log-in", "/accounts/log-in", ANYBODY, {}),
    Row("POST", "/accounts/refresh", "/accounts/refresh", ANYBODY, {}),
    Row("POST", "/accounts/log-out", "/accounts/log-out", PERSONS, {"refresh": "none", "all": 1}),
    Row("GET", "/accounts/me", "/accounts/me", PERSONS),
    Row("GET", "/rules", "/rules", ANYBODY),
    Row("GET", "/rules/options", "/rules/options", ANYBODY),
    Row("GET", "/rules/show", f"/rules/show{RULES}", ANYBODY),
    Row("GET", "/rules/check", f"/rules/check{RULES}", ANYBODY),
    Row("GET", "/rules/diff", f"/rules/diff{RULES}&other=super-fun-21", ANYBODY),
    Row("GET", "/rules/card", f"/rules/card{RULES}", ANYBODY),
    Row("GET", "/rules/procedure", f"/rules/procedure{RULES}", ANYBODY),
    Row("GET", "/rules/layout", f"/rules/layout{RULES}", ANYBODY),
    Row("GET", "/rules/numbers", "/rules/numbers", ANYBODY),
    Row("GET", "/rules/number/{number}", "/rules/number/R-036", ANYBODY),
    Row("GET", "/rules/data", f"/rules/data{RULES}", ANYBODY),
    Row("GET", "/analysis/edge", f"/analysis/edge{RULES}", PERSONS),
    Row("GET", "/analysis/changes", f"/analysis/changes{RULES}", PERSONS),
    Row("GET", "/analysis/change", f"/analysis/change{RULES}&name=none", PERSONS),
    Row("GET", "/analysis/hand", f"/analysis/hand{RULES}&cards=5c 6d&up=2h", PERSONS),
    Row("GET", "/analysis/shoe", f"/analysis/shoe{RULES}", PERSONS),
    Row("GET", "/analysis/strategy", f"/analysis/strategy{RULES}&chart=none", PERSONS),
    Row("GET", "/analysis/side-bets", f"/analysis/side-bets{RULES}", PERSONS),
    Row("GET", "/analysis/jackpot", f"/analysis/jackpot{RULES}&table=3c", PERSONS),
    Row("GET", "/analysis/effects", "/analysis/effects?rules=none", PERSONS),
    Row("GET", "/analysis/count", f"/analysis/count{RULES}&level=0", PERSONS),
    Row("GET", "/analysis/sheet/{sheet}", f"/analysis/sheet/none{RULES}", PERSONS),
    Row("POST", "/coach/hand", "/coach/hand", PERSONS, {}),
    Row("GET", "/school/levels", "/school/levels", ANYBODY),
    Row("POST", "/school/rounds", "/school/rounds", PERSONS, {"level": "base-game"}),
    Row("POST", "/school/results", "/school/results", PERSONS, {}),
    Row("POST", "/school/console", "/school/console", PERSONS, {"rules": "wsgc-2021"}),
    Row("GET", "/learning/session", "/learning/session", PERSONS),
    Row("GET", "/learning/kinds", "/learning/kinds", ANYBODY),
    Row("GET", "/learning/day", "/learning/day", ANYBODY),
    Row("POST", "/learning/drills", "/learning/drills", PERSONS, {}),
    Row("POST", "/learning/answers", "/learning/answers", PERSONS, {}),
    Row("GET", "/learning/practice", f"/learning/practice{RULES}", PERSONS),
    Row("POST", "/simulations", "/simulations", PERSONS, {}),
    Row("GET", "/simulations", "/simulations", PERSONS),
    Row("GET", "/simulations/{number}", "/simulations/none", PERSONS),
    Row("GET", "/simulations/{number}/result", "/simulations/none/result", PERSONS),
    Row("GET", "/simulations/choices", "/simulations/choices", PERSONS),
    Row("POST", "/simulations/{number}/stop", "/simulations/none/stop", PERSONS),
    Row("POST", "/simulations/{number}/resume", "/simulations/none/resume", PERSONS, {}),
    Row("DELETE", "/simulations/{number}", "/simulations/none", PERSONS),
    Row("GET", "/lobby", "/lobby", ANYBODY),
    Row("POST", "/tables/own", "/tables/own", PLAYERS, {"rules": "none"}),
    Row("POST", "/tables/{number}/seat", "/tables/999/seat", PLAYERS, {}),
    Row("POST", "/wallet/refill", "/wallet/refill", PLAYERS, {}),
    Row("GET", "/tables", "/tables", ANYBODY),
    Row("POST", "/tables", "/tables", OPERATORS, {}),
    Row("GET", "/tables/{number}", "/tables/999", ANYBODY),
    Row("GET", "/tables/{number}/story", "/tables/999/story", ANYBODY),
    Row("POST", "/tables/{number}/bots", "/tables/999/bots", OPERATORS, {"count": 0}),
    Row("GET", "/tables/{number}/costs", "/tables/999/costs", PERSONS),
    Row("POST", "/tables/{number}/costs", "/tables/999/costs", PERSONS, {}),
    Row("GET", "/tables/{number}/coach", "/tables/999/coach", PERSONS),
    Row("GET", "/tables/{number}/shoes", "/tables/999/shoes", ANYBODY),
    Row("GET", "/tables/{number}/shoes/{shoe}", "/tables/999/shoes/1", ANYBODY),
    Row("GET", "/tables/{number}/rounds", "/tables/999/rounds", OVERSEERS),
    Row("GET", "/tables/{number}/rounds/{round_number}", "/tables/999/rounds/1", PERSONS),
    Row(
        "POST",
        "/tables/{number}/rounds/{round_number}/share",
        "/tables/999/rounds/1/share",
        PERSONS,
    ),
    Row("GET", "/shared/{number}/{round_number}", "/shared/999/1?by=none", ANYBODY),
    Row("GET", "/jackpots", "/jackpots", ANYBODY),
    Row("POST", "/jackpots", "/jackpots", OPERATORS, {}),
    Row("GET", "/jackpots/{number}", "/jackpots/999", OVERSEERS),
    Row("GET", "/jackpots/{number}/movements", "/jackpots/999/movements", OVERSEERS),
    Row("GET", "/wallet", "/wallet", PERSONS),
    Row("GET", "/history", "/history", PERSONS),
    Row("GET", "/persons", "/persons", OVERSEERS),
    Row("GET", "/seals/newest", "/seals/newest", ANYBODY),
    Row("GET", "/seals/{number}", "/seals/1", ANYBODY),
    Row("GET", "/books", "/books", OVERSEERS),
    Row("GET", "/ledger", "/ledger", OVERSEERS),
    Row("GET", "/entries", "/entries", OVERSEERS),
    Row("GET", "/books/{number}", "/books/1", OVERSEERS),
    Row("GET", "/reports/daily", "/reports/daily", OVERSEERS),
    Row("GET", "/audits", "/audits", OVERSEERS),
    Row("POST", "/audits", "/audits", OVERSEERS),
    Row("GET", "/audits/{number}", "/audits/999", OVERSEERS),
    Row("DELETE", "/audits/{number}", "/audits/999", OVERSEERS),
    Row("GET", "/healthz", "/healthz", ANYBODY),
    Row("GET", "/readyz", "/readyz", ANYBODY),
    Row("GET", "/metrics", "/metrics", WATCHERS),
    Row("GET", "/commands", "/commands", OPERATORS),
    *(
        Row(
            "POST",
            f"/{form.subject}/{{number}}/{form.word}",
            f"/{form.subject}/999/{form.word}",
            OPERATORS,
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


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("row", MATRIX, ids=lambda row: f"{row.method} {row.route}")
def test_each_role_has_the_right_access(house: House, row: Row, role: str) -> None:
    with house.served.client(house.tokens[role]) as client:
        answer = client.request(row.method, row.address, json=row.body)
    code = "" if answer.is_success else answer.json()["code"]
    assert row.who[role] == (code if code in (TOKEN_WANTED, NOT_ALLOWED) else SERVED)
    assert answer.status_code == {TOKEN_WANTED: 401, NOT_ALLOWED: 403}.get(
        row.who[role], answer.status_code
    )
    assert answer.status_code < 500


def test_an_invalid_token_is_refused_even_if_none_is_needed(house: House) -> None:
    with house.served.client("x" * 43) as client:
        assert client.get("/metrics").json()["code"] == TOKEN_WANTED
        assert client.get("/accounts/me").status_code == 401
