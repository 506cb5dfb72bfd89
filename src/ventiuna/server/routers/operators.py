"""Operator commands: one route for each declared form, and the forms for the web client.

A command's fields, help, and permissions come from its declaration; see `OperatorForm`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field, create_model
from sqlalchemy import Connection

from ventiuna.server.deps import (
    CurrentPerson,
    DoneData,
    IdempotencyKey,
    LiveTables,
    PathId,
    PermittedRoute,
    ReasonBody,
    act_of,
    check_may_run_table,
    run_table_command,
)
from ventiuna.server.live_tables import run_for_owner
from ventiuna.server.problems import PROBLEM_RESPONSES, RequestDeclined
from ventiuna.server.routers.jackpots import FundData, fund_data
from ventiuna.table import admin, duties, listings
from ventiuna.table.access import Access, may
from ventiuna.table.accounts import GiveRole
from ventiuna.table.domain.commands import FORMS, FormField, Needed, OperatorForm, Subject

router = APIRouter(route_class=PermittedRoute, responses=PROBLEM_RESPONSES)
Endpoint = Callable[..., Any]
FOR_OWNERS = " For operators, and for the owner of a private table."


class CommandField(BaseModel):
    """A field to fill in besides the reason."""

    name: str
    label: str
    kind: Literal["money", "number", "choice", "text"] = Field(
        description="Money is entered in dollars and sent in cents."
    )
    optional: bool = Field(description="Whether to send null if the field is left blank.")
    value: str = Field(description="Initial value; empty for none.")
    choices: dict[str, str] = Field(description="Labels by value.")


class CommandForm(BaseModel):
    """An operator command as a form."""

    subject: Subject
    path: str = Field(description="Where to send it, with {number} for the subject's number.")
    label: str = Field(description="Label of the command's button, naming the action.")
    title: str = Field(description="Title of the dialog, with {name} for the subject's name.")
    help: str
    consequence: str = Field(description="What happens next, to show before confirming.")
    statuses: list[str] = Field(
        description="Subject statuses that allow the command; empty for all."
    )
    needs: Needed | None = Field(description="What a table must have for the command.")
    final: bool = Field(description="Whether it can't be undone.")
    step: bool = Field(
        description="Whether it is a step in a checklist, which offers it when it is due."
    )
    fields: list[CommandField]


@router.get("/commands", tags=["operators"])
async def commands(person: CurrentPerson) -> list[CommandForm]:
    """The commands that you can give, with their forms; every one also needs a reason."""
    return [_command_form(form) for form in FORMS if may(person.role, form.access)]


def _command_form(form: OperatorForm) -> CommandForm:
    return CommandForm(
        subject=form.subject,
        path=form.path,
        label=form.label,
        title=form.title,
        help=form.help,
        consequence=form.consequence,
        statuses=list(form.statuses),
        needs=form.needs,
        final=form.is_final,
        step=form.is_step,
        fields=[
            CommandField(
                name=name,
                label=item.label,
                kind=_kind(item),
                optional=item.is_optional,
                value=item.value,
                choices={choice: choice for choice in item.choices},
            )
            for name, item in form.fields.items()
        ],
    )


def _kind(item: FormField) -> Literal["money", "number", "choice", "text"]:
    if item.choices:
        return "choice"
    if item.longest:
        return "text"
    return "money" if item.is_money else "number"


class ApprovalList(BaseModel):
    separate_duties: bool = Field(description="Whether the house has separate duties.")
    requests: list[listings.ApprovalLine] = Field(
        description="The last day's requests, newest first."
    )


@router.get("/approvals", tags=["operators"])
async def approvals(live: LiveTables) -> ApprovalList:
    """Requests for a second person's approval."""
    now = live.clock.now()

    def look(connection: Connection) -> ApprovalList:
        found = listings.list_approvals(connection, now)
        return ApprovalList(separate_duties=duties.are_separate(connection), requests=found)

    return await live.read(look)


class DutiesBody(ReasonBody):
    is_on: bool


@router.post("/approvals/required", tags=["operators"], status_code=204)
def require_approvals(
    body: DutiesBody, live: LiveTables, person: CurrentPerson, key: IdempotencyKey = ""
) -> None:
    """Turn separate duties on or off, as an owner."""
    act, command = act_of(live, person, key), duties.SeparateDuties(body.is_on, body.reason)
    admin.run_action(live.writer, lambda conn: admin.separate_duties(conn, act, command))


@router.post("/approvals/{number}/approve", tags=["operators"], status_code=204)
def approve_request(
    number: PathId,
    body: ReasonBody,
    live: LiveTables,
    person: CurrentPerson,
    key: IdempotencyKey = "",
) -> None:
    """Approve another person's request; its command is carried out at once."""
    _answer(live, act_of(live, person, key), duties.ApproveRequest(number, body.reason))


@router.post("/approvals/{number}/refuse", tags=["operators"], status_code=204)
def refuse_request(
    number: PathId,
    body: ReasonBody,
    live: LiveTables,
    person: CurrentPerson,
    key: IdempotencyKey = "",
) -> None:
    """Refuse another person's request."""
    _answer(live, act_of(live, person, key), duties.RefuseRequest(number, body.reason))


def _answer(
    live: LiveTables,
    act: admin.OperatorAction,
    command: duties.ApproveRequest | duties.RefuseRequest,
) -> None:
    found = admin.run_action(
        live.writer, lambda conn: admin.answer_request(conn, live.house, act, command)
    )
    word, _, number = found.subject.partition(" ")
    if word == "table":
        live.writer.forget([int(number)])  # its book has a new entry


def _check_requested(
    live: LiveTables, act: admin.OperatorAction, form: OperatorForm, number: int, command: Any
) -> None:
    """Request a second person's approval instead, if the command needs one."""
    if not form.needs_second:
        return
    request = admin.run_action(
        live.writer,
        lambda conn: admin.request_approval(conn, act, form.subject, number, command),
    )
    if request is not None:
        raise RequestDeclined(409, "approval_wanted", admin.request_sentence(request))


class WalletAfter(BaseModel):
    wallet: int


def body_of(form: OperatorForm) -> type[ReasonBody]:
    """The request body: the reason and the command's fields."""
    if not form.fields:
        return ReasonBody
    parts: dict[str, Any] = {name: _body_field(item) for name, item in form.fields.items()}
    return create_model(form.kind.__name__, __base__=ReasonBody, **parts)


def _body_field(item: FormField) -> tuple[Any, Any]:
    about = Field(
        None if item.may_omit else ...,
        description=item.help or ("Cents." if item.is_money else None),
        examples=[item.example] if item.example else None,
    )
    if item.choices:
        return Literal[item.choices], about
    if item.longest:
        return Annotated[str, Field(min_length=1, max_length=item.longest)], about
    number = Annotated[int, Field(ge=item.minimum, le=item.maximum)]
    return (number | None if item.is_optional else number), about


def _table_route(form: OperatorForm) -> Endpoint:
    async def run(
        number: PathId,
        body: ReasonBody,
        live: LiveTables,
        person: CurrentPerson,
        key: IdempotencyKey = "",
    ) -> DoneData:
        command = form.kind(**body.model_dump())
        if form.access is Access.RUN_TABLE:
            await check_may_run_table(live, person, number)
        if not may(person.role, form.access):
            return DoneData(n=await run_for_owner(live, person.id, number, command))
        act = act_of(live, person, key)
        await asyncio.to_thread(_check_requested, live, act, form, number, command)
        return await run_table_command(live, person, key, number, command)

    return run


def _action_route(form: OperatorForm) -> Endpoint:
    is_jackpot, shows_wallet = form.subject is Subject.JACKPOT, form.kind is not GiveRole

    def run(
        number: PathId,
        body: ReasonBody,
        live: LiveTables,
        person: CurrentPerson,
        key: IdempotencyKey = "",
    ) -> FundData | WalletAfter | None:
        act, values = act_of(live, person, key), body.model_dump()
        command = form.kind(**values) if is_jackpot else form.kind(person=number, **values)
        _check_requested(live, act, form, number, command)
        change = (
            partial(admin.change_jackpot, act=act, number=number, command=command)
            if is_jackpot
            else partial(admin.change_person, act=act, command=command)
        )
        admin.run_action(live.writer, change)
        with live.store.read() as connection:
            if is_jackpot:
                found = fund_data(listings.find_jackpot(connection, number))
            elif shows_wallet:
                return WalletAfter(wallet=listings.wallet_of(connection, number))
            else:
                return None
        if form.is_sealed:
            live.writer.seal()
        return found

    answer = FundData if is_jackpot else WalletAfter if shows_wallet else None
    run.__annotations__ |= {"return": answer}
    return run


for _form in FORMS:
    _endpoint = (_table_route if _form.subject is Subject.TABLE else _action_route)(_form)
    _endpoint.__annotations__["body"] = body_of(_form)
    router.add_api_route(
        _form.path,
        _endpoint,
        methods=["POST"],
        name=_form.word.replace("-", "_"),
        description=_form.help + (FOR_OWNERS if _form.access is Access.RUN_TABLE else ""),
        tags=[_form.subject],
        status_code=204 if _form.kind is GiveRole else 200,
    )
