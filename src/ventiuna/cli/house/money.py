"""`ventiuna house money`: play money for people, and back."""

from __future__ import annotations

from typing import Annotated

import typer

from ventiuna.cli.house.office import (
    AsOption,
    DatabaseOption,
    ReasonOption,
    cents,
    office,
    person_named,
    tell,
)
from ventiuna.cli.output import JsonFlag
from ventiuna.money import money_text
from ventiuna.table import administration, registers
from ventiuna.table.cashier import IssueMoney, RedeemMoney

commands = typer.Typer(no_args_is_help=True, help="Issue play money, and take it back.")

PersonName = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
Amount = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 500.", show_default=False)
]


@commands.callback()
def _group() -> None:
    pass


@commands.command()
def issue(
    name: PersonName,
    amount: Amount,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Play money for somebody's wallet."""
    _move(IssueMoney, name, amount, by, reason, database, as_json)


@commands.command()
def redeem(
    name: PersonName,
    amount: Amount,
    by: AsOption,
    reason: ReasonOption,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Play money back, at most what the wallet holds."""
    _move(RedeemMoney, name, amount, by, reason, database, as_json)


def _move(
    kind: type[IssueMoney] | type[RedeemMoney],
    name: str,
    amount: str,
    by: str,
    reason: str,
    database: str,
    as_json: bool,
) -> None:
    moved = cents("AMOUNT", amount)
    with office(database) as opened:
        act = opened.act(by)
        who = opened.read(lambda connection: person_named(connection, name))
        command = kind(who.id, moved, reason)
        opened.run(lambda connection: administration.move_money(connection, act, command))
        wallet = opened.read(lambda connection: registers.wallet_of(connection, who.id))
    tell(
        as_json,
        f"The wallet of {who.name} holds {money_text(wallet)} now.",
        person=who.id,
        name=who.name,
        wallet=wallet,
    )
