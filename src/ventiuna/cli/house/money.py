"""`ventiuna house money`: play money for people, and back."""

from __future__ import annotations

from ventiuna.cli.commands import App
from ventiuna.cli.house.office import (
    Amount,
    Order,
    PersonName,
    act,
    cents,
    person_named,
    tell,
)
from ventiuna.money import money_text
from ventiuna.table.house import administration
from ventiuna.table.house.office import office
from ventiuna.table.persons.cashier import IssueMoney, RedeemMoney
from ventiuna.table.records import registers

commands = App(no_args_is_help=True, help="Issue and redeem play money.")


@commands.callback()
def _group() -> None:
    pass


@act(commands)
def issue(name: PersonName, amount: Amount, order: Order) -> None:
    """Add play money to a player's balance."""
    _move(IssueMoney, name, amount, order)


@act(commands)
def redeem(name: PersonName, amount: Amount, order: Order) -> None:
    """Take play money back, at most the player's balance."""
    _move(RedeemMoney, name, amount, order)


def _move(kind: type[IssueMoney] | type[RedeemMoney], name: str, amount: str, order: Order) -> None:
    moved = cents("AMOUNT", amount)
    with office(order.database) as opened:
        acting = opened.act(order.by)
        who = opened.read(lambda connection: person_named(connection, name))
        command = kind(who.id, moved, order.reason)
        opened.run(lambda connection: administration.move_money(connection, acting, command))
        wallet = opened.read(lambda connection: registers.wallet_of(connection, who.id))
    tell(
        order.as_json,
        f"The wallet of {who.name} holds {money_text(wallet)} now.",
        person=who.id,
        name=who.name,
        wallet_cents=wallet,
    )
