"""`ventiuna house operators`: who may run the house, and who may look into its books."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Connection

from ventiuna.cli.commands import App
from ventiuna.cli.house.office import (
    OptionalAs,
    PersonName,
    ReasonOption,
    person_named,
    tell,
)
from ventiuna.cli.house_file import DatabaseOption
from ventiuna.cli.output import JsonFlag
from ventiuna.table.house import administration
from ventiuna.table.house.office import HouseError, office
from ventiuna.table.persons.cashier import GiveRole
from ventiuna.table.persons.people import (
    Person,
    PersonKind,
    Role,
    add_registered,
    checked_password,
    find_person,
)

commands = App(no_args_is_help=True, help="Appoint and dismiss operators and auditors.")


@commands.callback()
def _group() -> None:
    pass


@commands.command()
def add(
    name: PersonName,
    reason: ReasonOption,
    by: OptionalAs = "",
    auditor: Annotated[
        bool, typer.Option("--auditor", help="May read everything and change nothing.")
    ] = False,
    password_file: Annotated[
        str,
        typer.Option(
            "--password-file",
            metavar="FILE",
            help="File whose first line is a new person's password; without it, you are asked.",
            show_default=False,
        ),
    ] = "",
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Appoint an operator or auditor; new people are registered automatically."""
    role = Role.AUDITOR if auditor else Role.OPERATOR
    with office(database) as opened:
        act = opened.first_act(by)
        found = opened.read(lambda connection: find_person(connection, name))
        if found is not None and found.kind is PersonKind.GUEST:
            raise HouseError(f"{name}: this is a guest; only who has a password gets a role.")
        hashed = "" if found else _hashed(password_file)

        def give(connection: Connection) -> Person:
            who = found or add_registered(connection, name, hashed, Role.PLAYER, act.at)
            administration.give_role(connection, act, GiveRole(who.id, str(role), reason))
            return who

        who = opened.run(give)
    tell(
        as_json,
        f"{who.name} is {'an auditor' if auditor else 'an operator'} now.",
        person=who.id,
        name=who.name,
        role=role,
    )


def _hashed(password_file: str) -> str:
    from ventiuna.server.passwords import Passwords  # an extra of its own

    if password_file:
        text = Path(password_file).read_text(encoding="utf-8").splitlines()
        password = text[0] if text else ""
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return Passwords().hashed(checked_password(password))


@commands.command()
def remove(
    name: PersonName,
    reason: ReasonOption,
    by: OptionalAs = "",
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Make an operator or auditor a player again. The last operator must stay."""
    with office(database) as opened:
        act = opened.first_act(by)
        who = opened.read(lambda connection: person_named(connection, name))
        command = GiveRole(who.id, str(Role.PLAYER), reason)
        opened.run(lambda connection: administration.give_role(connection, act, command))
    tell(as_json, f"{name} is a player now.", person=who.id, name=name, role=Role.PLAYER)
