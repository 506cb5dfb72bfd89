"""Operator commands: one route for each declared form, and the forms for the web client.

A command's fields, help and permissions come from its declaration: see `OperatorForm`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model
from sqlalchemy.exc import IntegrityError

from ventiuna.server.deps import (
    CurrentPerson,
    DoneData,
    IdempotencyKey,
    LiveTables,
    Operator,
    PathId,
    ReasonBody,
    act_of,
    check_may_run_table,
    run_table_command,
)
from ventiuna.server.live_tables import run_for_owner
from ventiuna.server.problems import Router
from ventiuna.server.routers.jackpots import FundData, fund_data
from ventiuna.table import admin, listings
from ventiuna.table.accounts import GiveRole, Person, Role
from ventiuna.table.domain.commands import FORMS, Asked, OperatorForm, Subject
from ventiuna.table.journal import seal_books

router = Router()
Endpoint = Callable[..., Any]
FOR_OWNERS = "For operators, and for the owner of a private table."


class CommandField(BaseModel):
    """A field to fill in besides the reason."""

    name: str
    label: str
    kind: Literal["money", "number", "choice", "text"] = Field(
        description="Money is entered in dollars and sent in cents."
    )
    optional: bool = Field(description="Whether to send null if it is left blank.")
    value: str = Field(description="Initial value; empty for none.")
    choices: dict[str, str] = Field(description="Labels by value.")


class CommandForm(BaseModel):
    """An operator command as a form."""

    subject: Subject
    path: str = Field(description="Where to send it, with {number} for the subject's number.")
    label: str = Field(description="For its button.")
    title: str = Field(description="For its dialog, with {name} for the subject's name.")
    help: str
    statuses: list[str] = Field(
        description="The subject's statuses in which it is possible; empty for all."
    )
    final: bool = Field(description="Whether it can't be undone.")
    fields: list[CommandField]


@router.get("/commands", tags=["operators"])
async def commands(_: Operator) -> list[CommandForm]:
    """The commands that operators can give, with their forms; every one also needs a reason."""
    return [_command_form(form) for form in FORMS]


def _command_form(form: OperatorForm) -> CommandForm:
    return CommandForm(
        subject=form.subject,
        path=_path(form),
        label=form.label,
        title=form.title,
        help=form.help,
        statuses=list(form.statuses),
        final=form.is_final,
        fields=[
            CommandField(
                name=name,
                label=asked.label,
                kind=_kind(asked),
                optional=asked.is_optional,
                value=asked.value,
                choices={choice: choice for choice in asked.choices},
            )
            for name, asked in form.fields.items()
        ],
    )


def _kind(asked: Asked) -> Literal["money", "number", "choice", "text"]:
    if asked.choices:
        return "choice"
    if asked.longest:
        return "text"
    return "money" if asked.is_money else "number"


def _path(form: OperatorForm) -> str:
    return f"/{form.subject}/{{number}}/{form.word}"


class WalletAfter(BaseModel):
    wallet: int


def body_of(form: OperatorForm) -> type[ReasonBody]:
    """The request body: the reason and the command's fields."""
    if not form.fields:
        return ReasonBody
    parts: dict[str, Any] = {name: _body_field(asked) for name, asked in form.fields.items()}
    return create_model(form.kind.__name__, __base__=ReasonBody, **parts)


def _body_field(asked: Asked) -> tuple[Any, Any]:
    about = Field(
        None if asked.may_omit else ...,
        description=asked.help or ("Cents." if asked.is_money else None),
        examples=[asked.example] if asked.example else None,
    )
    if asked.choices:
        return Literal[asked.choices], about
    if asked.longest:
        return Annotated[str, Field(min_length=1, max_length=asked.longest)], about
    number = Annotated[int, Field(ge=asked.minimum, le=asked.maximum)]
    return (number | None if asked.is_optional else number), about


def _table_route(form: OperatorForm) -> Endpoint:
    async def run(
        number: PathId, body: ReasonBody, live: LiveTables, person: Person, key: IdempotencyKey = ""
    ) -> DoneData:
        command = form.kind(**body.model_dump())
        if form.for_owners:
            await check_may_run_table(live, person, number)
        if person.role is not Role.OPERATOR:
            return DoneData(n=await run_for_owner(live, person.id, number, command))
        return await run_table_command(live, person, key, number, command)

    run.__annotations__["person"] = CurrentPerson if form.for_owners else Operator
    return run


def _jackpot_route(form: OperatorForm) -> Endpoint:
    def run(
        number: PathId,
        body: ReasonBody,
        live: LiveTables,
        person: Operator,
        key: IdempotencyKey = "",
    ) -> FundData:
        act, command = act_of(live, person, key), form.kind(**body.model_dump())
        admin.run_action(
            live.writer, lambda connection: admin.change_jackpot(connection, act, number, command)
        )
        with live.store.read() as connection:
            found = fund_data(listings.find_jackpot(connection, number))
        if form.is_sealed:
            with suppress(IntegrityError):  # someone else is sealing at the same time
                live.writer.run(lambda connection: seal_books(connection, live.clock.now()))
        return found

    return run


def _person_route(form: OperatorForm) -> Endpoint:
    def run(
        number: PathId,
        body: ReasonBody,
        live: LiveTables,
        person: Operator,
        key: IdempotencyKey = "",
    ) -> WalletAfter | None:
        act, command = act_of(live, person, key), form.kind(person=number, **body.model_dump())
        admin.run_action(
            live.writer, lambda connection: admin.change_person(connection, act, command)
        )
        if form.kind is GiveRole:
            return None
        with live.store.read() as connection:
            return WalletAfter(wallet=listings.wallet_of(connection, number))

    run.__annotations__["return"] = None if form.kind is GiveRole else WalletAfter
    return run


_ROUTES = {
    Subject.TABLE: _table_route,
    Subject.JACKPOT: _jackpot_route,
    Subject.PERSON: _person_route,
}
for _form in FORMS:
    _endpoint = _ROUTES[_form.subject](_form)
    _endpoint.__annotations__["body"] = body_of(_form)
    router.add_api_route(
        _path(_form),
        _endpoint,
        methods=["POST"],
        name=_form.word.replace("-", "_"),
        description=f"{_form.help} {FOR_OWNERS}" if _form.for_owners else _form.help,
        tags=[_form.subject],
        status_code=204 if _form.kind is GiveRole else 200,
    )
