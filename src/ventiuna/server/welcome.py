"""Play money for everybody who comes into the house."""

from __future__ import annotations

from sqlalchemy import Connection

from ventiuna.server.first_use import welcome_money
from ventiuna.server.logs import now_ms
from ventiuna.server.services import Welcome
from ventiuna.table.persons.cashier import carry_out
from ventiuna.table.persons.people import Person
from ventiuna.table.play.carrying_out import SERVICE


def welcome_with(cents: int) -> Welcome:
    """Gives each newcomer so much; nothing where it is 0."""

    def welcome(connection: Connection, person: Person) -> None:
        if cents:
            money = welcome_money(person.id, cents)
            carry_out(connection, SERVICE, f"welcome/{person.id}", money, now_ms())

    return welcome
