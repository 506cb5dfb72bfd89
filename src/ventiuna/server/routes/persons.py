"""One's own wallet; persons, money and roles for those who run the house."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from ventiuna.server.acting import (
    Amount,
    Key,
    LiveTables,
    Number,
    Operator,
    Overseer,
    Why,
    act_of,
    carry_out,
)
from ventiuna.server.security import Somebody
from ventiuna.table.house import administration
from ventiuna.table.persons import cashier
from ventiuna.table.records import registers
from ventiuna.table.records.registers import SeatLine

router = APIRouter(tags=["persons"])


class SeatData(BaseModel):
    table: int
    seat: int
    status: str
    stack: int = Field(description="Chips, in cents.")


class WalletData(BaseModel):
    wallet: int = Field(description="Cents away from tables.", examples=[950_000])
    seats: list[SeatData]


class PersonLine(BaseModel):
    id: int
    name: str
    kind: Literal["guest", "registered"]
    role: Literal["player", "operator", "auditor"]
    wallet: int


class Money(Why):
    amount: Amount


class NewRole(Why):
    role: Literal["player", "operator", "auditor"]


class WalletAfter(BaseModel):
    wallet: int


def _seat(line: SeatLine) -> SeatData:
    return SeatData(table=line.table, seat=line.seat, status=line.status, stack=line.stack)


@router.get("/wallet")
async def wallet(live: LiveTables, found: Somebody) -> WalletData:
    """Your own money, and your chips at tables."""
    held, seats = await live.read(
        lambda one: (registers.wallet_of(one, found.id), registers.seats_of(one, found.id))
    )
    return WalletData(wallet=held, seats=[_seat(line) for line in seats])


@router.get("/persons")
def list_persons(
    live: LiveTables,
    _: Overseer,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[PersonLine]:
    """Everybody, by number."""
    with live.store.read() as connection:
        lines = registers.persons(connection, after, most)
    return [
        PersonLine(
            id=line.person.id,
            name=line.person.name,
            kind=line.person.kind.value,
            role=line.person.role.value,
            wallet=line.wallet,
        )
        for line in lines
    ]


@router.post("/persons/{number}/issue")
def issue(
    number: Number, asked: Money, live: LiveTables, operator: Operator, key: Key = ""
) -> WalletAfter:
    """Play money for a person."""
    act = act_of(live, operator, key)
    command = cashier.IssueMoney(number, asked.amount, asked.reason)
    carry_out(live, lambda connection: administration.move_money(connection, act, command))
    return _wallet_after(live, number)


@router.post("/persons/{number}/redeem")
def redeem(
    number: Number, asked: Money, live: LiveTables, operator: Operator, key: Key = ""
) -> WalletAfter:
    """Play money back, at most what the wallet holds."""
    act = act_of(live, operator, key)
    command = cashier.RedeemMoney(number, asked.amount, asked.reason)
    carry_out(live, lambda connection: administration.move_money(connection, act, command))
    return _wallet_after(live, number)


def _wallet_after(live: LiveTables, number: int) -> WalletAfter:
    with live.store.read() as connection:
        return WalletAfter(wallet=registers.wallet_of(connection, number))


@router.post("/persons/{number}/role", status_code=204)
def give_role(
    number: Number, asked: NewRole, live: LiveTables, operator: Operator, key: Key = ""
) -> None:
    """What a person may do from now on."""
    act = act_of(live, operator, key)
    command = cashier.GiveRole(number, asked.role, asked.reason)
    carry_out(live, lambda connection: administration.give_role(connection, act, command))
