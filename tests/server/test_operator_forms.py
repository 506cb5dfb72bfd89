"""Every declared operator command has its route, its web form and its terminal command."""

from __future__ import annotations

from dataclasses import dataclass, field
from string import Formatter
from typing import Any

import pytest
from pydantic import ValidationError

from tests.server.conftest import House
from ventiuna.cli.house import commands, form_parameter
from ventiuna.server.routers.operators import body_of
from ventiuna.table.domain.commands import FORMS, OperatorForm, Subject, form_field

TERMINAL = {
    (group.name, command.name)
    for group in commands.registered_groups
    if group.typer_instance
    for command in group.typer_instance.registered_commands
}


def by_path(form: OperatorForm) -> str:
    return f"/{form.subject}/{{number}}/{form.word}"


def test_the_forms_list_each_routes_fields(house: House) -> None:
    with house.served.client(house.tokens["operator"]) as client:
        listed: list[dict[str, Any]] = client.get("/commands").json()
    assert [form["path"] for form in listed] == [by_path(form) for form in FORMS]
    for form in listed:
        assert form["consequence"].endswith("."), "operators read it before they confirm"
        assert " " in form["label"], "a button names its action and its target"
    api = house.served.app.openapi()
    for form in listed:
        body = api["paths"][form["path"]]["post"]["requestBody"]["content"]["application/json"]
        schema = api["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
        assert {"reason", *(part["name"] for part in form["fields"])} == set(schema["properties"])
        for part in form["fields"]:
            taken = schema["properties"][part["name"]]
            assert part["optional"] == ({"type": "null"} in taken.get("anyOf", ()))
            assert list(part["choices"]) == taken.get("enum", [])


@pytest.mark.parametrize("form", FORMS, ids=by_path)
def test_a_form_is_a_terminal_command_that_says_what_it_did(form: OperatorForm) -> None:
    assert not form.group or (form.group, form.word) in TERMINAL
    named = {name for _, name, _, _ in Formatter().parse(form.done) if name}
    assert named <= {"name" if form.subject is Subject.PERSON else "table", *form.fields}
    if form.subject is Subject.TABLE and "jackpot" not in form.fields:
        assert form.done, "the terminal has nothing else to print"


@dataclass(frozen=True, slots=True)
class Remark:
    """Write a remark."""

    text: str = field(metadata=form_field("Remark", longest=5))
    reason: str


def test_a_field_can_be_text() -> None:
    form = OperatorForm(Remark, Subject.TABLE, "remark", "Remark", "Remark", "tables", "", "")
    body = body_of(form)
    read = body.model_validate({"reason": "why", "text": "fine"})
    assert form.kind(**read.model_dump()) == Remark("fine", "why")
    for wrong in ("", "too long", 5, None):
        with pytest.raises(ValidationError):
            body.model_validate({"reason": "why", "text": wrong})
    assert form_parameter("text", form.fields["text"]).annotation.__origin__ is str
