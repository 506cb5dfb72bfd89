"""`ventiuna house …`: create and inspect a house, and run its progressive jackpots."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Literal

import typer

from ventiuna.cli import house_actions
from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import (
    DatabaseOption,
    JsonFlag,
    RulesArgument,
    console,
    plain_table,
    print_json,
)
from ventiuna.cli.house_actions import (
    Amount,
    OperatorOrder,
    OptionalAs,
    PersonName,
    ReasonOption,
    TableNumber,
    operator_command,
    parameter,
    parse_cents,
    person_named,
    print_result,
)
from ventiuna.money import money_text
from ventiuna.rules import load_rules
from ventiuna.table import admin, listings
from ventiuna.table.admin import (
    AdminSession,
    HouseError,
    admin_session,
    initialize_house,
    read_house,
    redacted_address,
    rotate_key,
)
from ventiuna.table.domain.commands import FORMS, MAX_NUMBER, FormField, OperatorForm, Subject
from ventiuna.table.jackpots.progressive import CreateJackpot, settings_of
from ventiuna.table.listings import DisplayedJackpot
from ventiuna.table.moments import Moments, moment_data, read_time, time_words
from ventiuna.table.store import database_address
from ventiuna.table.store.connection import is_postgres

# --- house jackpots ---

jackpot_commands = App(
    no_args_is_help=True, help="Progressive jackpots: create, link, seed, correct, remove."
)

JackpotNumber = Annotated[int, typer.Argument(metavar="JACKPOT", min=1, show_default=False)]
AmountOrNone = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, or none.", show_default=False)
]
NONE = "none"


@jackpot_commands.command("list")
def list_jackpots(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List all progressives with their meters and funds."""
    found = read_house(database, listings.list_jackpots)
    if as_json:
        print_json([_jackpot_data(item) for item in found])
        return
    table = plain_table("number", "name", "status", "shows", "reserve", "advanced", "tables")
    for item in found:
        jackpot = item.jackpot
        tables = ", ".join(map(str, sorted(jackpot.tables))) or NONE
        amounts = (money_text(cents) for cents in (item.shown, item.reserve, jackpot.advanced))
        table.add_row(str(jackpot.number), jackpot.name, jackpot.status, *amounts, tables)
    console().print(table)


@jackpot_commands.command("history")
def jackpot_history(
    jackpot: JackpotNumber,
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="TIME",
            help="In UTC. Default: when the jackpot was created.",
            show_default=False,
        ),
    ] = "",
    until: Annotated[
        str,
        typer.Option(
            "--until",
            metavar="TIME",
            help="In UTC. Default: when the last entry was written.",
            show_default=False,
        ),
    ] = "",
    points: Annotated[int, typer.Option("--points", min=1, max=1000)] = 24,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List the amounts a jackpot displayed over time, and the awards it paid."""
    first, last = read_time(since), read_time(until)
    curve = read_house(
        database, lambda connection: Moments().curve(connection, jackpot, first, last, points)
    )
    if as_json:
        print_json(moment_data(curve))
        return
    table = plain_table("time", "shows", "awards since")
    before = -1
    for point in curve.points:
        paid = sum(award.cents for award in curve.awards if before < award.at <= point.at)
        table.add_row(
            time_words(point.at), money_text(point.shown), money_text(paid) if paid else NONE
        )
        before = point.at
    console().print(table)


def _jackpot_data(one: DisplayedJackpot) -> dict[str, object]:
    jackpot = one.jackpot
    return {
        "id": jackpot.number,
        "name": jackpot.name,
        "status": jackpot.status,
        "shown_cents": one.shown,
        "reserve_cents": one.reserve,
        "advanced_cents": jackpot.advanced,
        "maximum_cents": jackpot.maximum,
        "advance_limit_cents": jackpot.advance_limit,
        "missing_cents": jackpot.missing,
        "tables": {str(table): game for table, game in sorted(jackpot.tables.items())},
    }


@operator_command(jackpot_commands)
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    rules: RulesArgument,
    order: OperatorOrder,
    game: Annotated[
        int, typer.Option("--game", min=1, max=2, help="Which of the rules' jackpot games to use.")
    ] = 1,
    maximum: Annotated[
        str,
        typer.Option("--maximum", help="Highest amount the meter can show, in dollars, or none."),
    ] = NONE,
    reserve_rate: Annotated[
        int,
        typer.Option(
            "--reserve-rate",
            min=0,
            max=10_000,
            help="Share of each wager that goes to the reserve, in ten-thousandths.",
        ),
    ] = 0,
    advance_limit: Annotated[
        str, typer.Option("--advance-limit", help="Maximum seed money, in dollars, or none.")
    ] = NONE,
) -> None:
    """Create a progressive for tables with the same jackpot game as these rules."""
    command = CreateJackpot(
        name,
        settings_of(load_rules(rules), game).data(),
        order.reason,
        _limit("--maximum", maximum),
        reserve_rate,
        _limit("--advance-limit", advance_limit),
    )
    with admin_session(order.database) as opened:
        acting = opened.act(order.by)
        number = opened.run(lambda connection: admin.create_jackpot(connection, acting, command))
        _print_jackpot(opened, number, order.as_json)


def _limit(name: str, text: str) -> int | None:
    return None if text == NONE else parse_cents(name, text)


def _print_jackpot(opened: AdminSession, number: int, as_json: bool) -> None:
    one = opened.read(lambda connection: listings.find_jackpot(connection, number))
    jackpot = one.jackpot
    print_result(
        as_json,
        f"Jackpot {number} ({jackpot.name}) is {jackpot.status} and shows "
        f"{money_text(one.shown)}; reserve {money_text(one.reserve)}, seed advanced "
        f"{money_text(jackpot.advanced)}.",
        **_jackpot_data(one),
    )


# --- Declared commands ---

_GROUPS = {
    "tables": house_actions.table_commands,
    "floor": house_actions.floor_commands,
    "money": house_actions.money_commands,
    "people": house_actions.people_commands,
    "jackpots": jackpot_commands,
}
_SUBJECTS: dict[Subject, tuple[str, object]] = {
    Subject.TABLE: ("table", TableNumber),
    Subject.JACKPOT: ("jackpot", JackpotNumber),
    Subject.PERSON: ("name", PersonName),
}


def _register(form: OperatorForm) -> None:
    """Add the terminal command for an operator command."""
    subject, kind = _SUBJECTS[form.subject]

    def run(order: OperatorOrder, **given: Any) -> None:
        values = {
            name: _cents(given[name], item) if item.is_money else given[name]
            for name, item in form.fields.items()
        }
        with admin_session(order.database) as opened:
            if form.subject is Subject.PERSON:
                _change_person(opened, order, given["name"], form, values)
                return
            number, command = given[subject], form.kind(**values, reason=order.reason)
            if _is_requested(opened, order, form, number, command):
                return
            n = 0
            if form.subject is Subject.TABLE:
                n = opened.command(order.by, number, command)
            else:
                act = opened.act(order.by)
                opened.run(lambda conn: admin.change_jackpot(conn, act, number, command))
            if "jackpot" in given:
                _print_jackpot(opened, given["jackpot"], order.as_json)
            else:
                print_result(order.as_json, form.done.format(**given), table=number, n=n)

    parts = [parameter(subject, kind)]
    parts += [form_parameter(name, item) for name, item in form.fields.items()]
    if form.group == "jackpots":  # the jackpot is always the first argument
        parts.sort(key=lambda part: part.name != "jackpot")
    registered: Any = run
    registered.__signature__ = inspect.Signature(parts)
    run.__doc__ = f"{form.help}\n\n{form.consequence}"
    operator_command(_GROUPS[form.group], form.word)(run)


def _is_requested(
    opened: AdminSession, order: OperatorOrder, form: OperatorForm, number: int, command: object
) -> bool:
    """Whether the command was only requested, because a second person must approve it."""
    request = opened.request(opened.act(order.by), form.subject, number, command)
    if request is not None:
        print_result(order.as_json, admin.request_sentence(request), request=request)
    return request is not None


def form_parameter(name: str, item: FormField) -> inspect.Parameter:
    if item.is_money:
        return parameter(name, AmountOrNone if item.is_optional else Amount)
    if item.choices:
        choice = typer.Argument(metavar="|".join(item.choices), show_default=False)
        return parameter(name, Annotated[Literal[item.choices], choice])
    if item.is_named:
        least, most = (None, None) if item.longest else (item.minimum, item.maximum)
        named = typer.Option(
            "--" + name.replace("_", "-"),
            min=least,
            max=most,
            help=item.help or f"{item.label}.",
            show_default=False,
        )
        return parameter(name, Annotated[str if item.longest else int, named])
    if item.longest:
        text = typer.Argument(metavar=name.upper(), help=item.help, show_default=False)
        return parameter(name, Annotated[str, text])
    if item.may_omit:
        option = typer.Option(f"--{name}", min=item.minimum, help=item.help)
        return parameter(name, Annotated[int | None, option], None)
    maximum = item.maximum if item.maximum < MAX_NUMBER else None
    number = typer.Argument(metavar=name.upper(), min=item.minimum, max=maximum, show_default=False)
    return parameter(name, Annotated[int, number])


def _cents(text: str, item: FormField) -> int | None:
    return _limit("AMOUNT", text) if item.is_optional else parse_cents("AMOUNT", text, item.minimum)


def _change_person(
    opened: AdminSession,
    order: OperatorOrder,
    name: str,
    form: OperatorForm,
    values: dict[str, object],
) -> None:
    act = opened.act(order.by)
    who = opened.read(lambda connection: person_named(connection, name))
    command = form.kind(who.id, **values, reason=order.reason)
    if _is_requested(opened, order, form, who.id, command):
        return
    opened.run(lambda connection: admin.change_person(connection, act, command))
    wallet = opened.read(lambda connection: listings.wallet_of(connection, who.id))
    balance = f"a balance of {money_text(wallet)}"
    print_result(
        order.as_json,
        form.done.format(name=who.name) or f"{who.name} now has {balance}.",
        person=who.id,
        name=who.name,
        wallet_cents=wallet,
    )


for _form in FORMS:
    if _form.group:
        _register(_form)


# --- house ---

commands = App(
    no_args_is_help=True,
    help="Manage a house of live tables: operators, tables, jackpots, play money. The books record "
    "who took each action, and why.",
)
commands.add_typer(house_actions.operator_commands, name="operators")
commands.add_typer(house_actions.money_commands, name="money")
commands.add_typer(house_actions.people_commands, name="people")
commands.add_typer(house_actions.table_commands, name="tables")
commands.add_typer(house_actions.floor_commands, name="floor")
commands.add_typer(house_actions.approval_commands, name="approvals")
commands.add_typer(jackpot_commands, name="jackpots")


@commands.command()
def migrate(
    role: Annotated[
        str, typer.Argument(metavar="ROLE", help="The database role that serves the house.")
    ],
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Set up or upgrade PostgreSQL, as the owner of its schema.

    ROLE gets only the rights needed to serve the house. SQLite files are upgraded automatically.
    """
    address = database_address(database)
    if not is_postgres(address):
        raise HouseError(f"{address} is a SQLite file, which is upgraded when it is opened.")
    from ventiuna.table.store.postgres import migrate as upgrade  # needs the PostgreSQL extra

    upgrade(address, role)
    shown = redacted_address(address)
    print_result(as_json, f"{shown} is ready for {role}.", database=shown, role=role)


@commands.command("create")
def new_house(
    database: DatabaseOption = "",
    name: Annotated[str, typer.Option("--name", help="Name of the house.")] = "Ventiuna",
    as_json: JsonFlag = False,
) -> None:
    """Create a house: its database and secret key. Then appoint an operator."""
    number = initialize_house(database, name)
    place = redacted_address(database_address(database))
    print_result(
        as_json,
        f"House {number} was created in {place}. "
        "Next, appoint an operator: ventiuna house operators add NAME.",
        house=number,
        name=name,
        database=place,
    )


@commands.command("rotate-key")
def rotate(
    reason: ReasonOption,
    by: OptionalAs = "",
    void_open_rounds: Annotated[
        bool,
        typer.Option(
            "--void-open-rounds",
            help="Confirm that open rounds are voided and their bets returned.",
        ),
    ] = False,
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Replace the house's secret key, for example if it was lost.

    Every open round is voided, and its shoe ends without a reveal, so nobody can check it. Each
    table's book records who did this and why. For a SQLite house, the new key is written next to
    the database file. If VENTIUNA_HOUSE_KEY_FILE or VENTIUNA_HOUSE_KEY is set, it must hold the new
    key.
    """
    if not void_open_rounds:
        raise HouseError(
            "A new key voids all open rounds, and their shoes can no longer be checked. To "
            "confirm, add --void-open-rounds."
        )
    tables = rotate_key(database, by, reason)
    numbers = ", ".join(map(str, tables)) or "none"
    print_result(
        as_json,
        f"The house has a new key. Tables with a new shoe: {numbers}.",
        tables=tables,
    )


@commands.command()
def status(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """Show a summary: people, tables, jackpots, money, the newest seal."""
    address = database_address(database)
    data = {"database": redacted_address(address), **read_house(database, listings.house_summary)}
    if as_json:
        print_json(data)
        return
    table = plain_table("", "")
    for what, value in data.items():
        if what.endswith("_cents"):
            table.add_row(what.removesuffix("_cents"), money_text(int(str(value))))
        else:
            table.add_row(what.replace("_", " "), "none" if value is None else str(value))
    console().print(table)


@commands.command()
def persons(
    database: DatabaseOption = "",
    after: Annotated[int, typer.Option("--after", min=0, help="Start after this number.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """List everyone by number with roles and balances, a hundred at a time."""
    lines = read_house(database, lambda connection: listings.list_people(connection, after))
    if as_json:
        print_json(
            [
                {
                    "id": line.person.id,
                    "name": line.person.name,
                    "kind": line.person.kind,
                    "role": line.person.role,
                    "wallet_cents": line.wallet,
                }
                for line in lines
            ]
        )
        return
    table = plain_table("number", "name", "kind", "role", "wallet")
    for line in lines:
        who = line.person
        table.add_row(str(who.id), who.name, who.kind, who.role, money_text(line.wallet))
    console().print(table)
