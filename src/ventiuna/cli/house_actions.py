"""`ventiuna house operators`, `money`, and `tables`: actions that record operator and reason."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from sqlalchemy import Connection

from ventiuna.cli.common.commands import App
from ventiuna.cli.common.console import (
    DatabaseOption,
    JsonFlag,
    RulesArgument,
    console,
    plain_table,
    print_json,
)
from ventiuna.cli.common.reports import (
    DocumentOutput,
    HtmlOption,
    PdfOption,
    print_section,
)
from ventiuna.engine.events import Stakes
from ventiuna.money import money_text, parse_amount
from ventiuna.rules import load_rules, rules_data
from ventiuna.rules.text.phrases import join_words
from ventiuna.table import admin, duties, listings
from ventiuna.table.access import (
    Role,
    checked_password,
)
from ventiuna.table.accounts import (
    GiveRole,
    Person,
    PersonKind,
    add_registered,
    find_person,
)
from ventiuna.table.admin import HouseError, admin_session, read_house
from ventiuna.table.domain import commands as do
from ventiuna.table.floor import (
    award_data,
    hand_pays,
    held_awards,
    utc_text,
    waiting_tables,
)
from ventiuna.table.writer import SystemClock

# --- Shared by all actions ---

AsOption = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", help="Operator taking this action, for the books.",
        show_default=False,
    ),
]  # fmt: skip
OptionalAs = Annotated[
    str,
    typer.Option(
        "--as", metavar="NAME", show_default=False,
        help="Operator taking this action; not needed until the house has an operator.",
    ),
]  # fmt: skip
ReasonOption = Annotated[
    str,
    typer.Option(
        "--reason", metavar="WHY", help="Reason for the books, in one line.",
        show_default=False,
    ),
]  # fmt: skip


TableNumber = Annotated[int, typer.Argument(metavar="TABLE", min=1, show_default=False)]
PersonName = Annotated[str, typer.Argument(metavar="NAME", show_default=False)]
Amount = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Dollars, such as 500.", show_default=False)
]


@dataclass(frozen=True, slots=True)
class OperatorOrder:
    """Options that every operator action has."""

    by: str
    reason: str
    database: str
    as_json: bool


def parameter(name: str, kind: object, *usual: object) -> inspect.Parameter:
    """A parameter of a terminal command, with its default if it has one."""
    default = usual[0] if usual else inspect.Parameter.empty
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


_ORDER_OPTIONS = (
    parameter("by", AsOption),
    parameter("reason", ReasonOption),
    parameter("database", DatabaseOption, ""),
    parameter("as_json", JsonFlag, False),
)


def operator_command(
    commands: typer.Typer, name: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command whose last parameter, `order`, becomes four options."""

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        own = [
            part
            for part in inspect.signature(function, eval_str=True).parameters.values()
            if part.name != "order"
        ]

        @wraps(function)
        def ordered(by: str, reason: str, database: str, as_json: bool, **rest: object) -> None:
            function(**rest, order=OperatorOrder(by, reason, database, as_json))

        parts = [
            part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in (*own, *_ORDER_OPTIONS)
        ]
        parts.sort(key=lambda part: part.default is not inspect.Parameter.empty)
        registered: Any = ordered
        registered.__signature__ = inspect.Signature(parts)
        registered.__annotations__ = {part.name: part.annotation for part in parts}
        return commands.command(name)(ordered)

    return decorated


def person_named(connection: Connection, name: str) -> Person:
    found = find_person(connection, name)
    if found is None:
        raise HouseError(f"Nobody in this house is named {name}.")
    return found


def parse_cents(name: str, text: str, minimum: int = 1) -> int:
    """Parse an amount in dollars, which must be above zero or, if the minimum is 0, may be zero."""
    amount = parse_amount(text)
    if amount < minimum:
        least = "more than zero" if minimum else "zero or more"
        raise HouseError(f"{name} must be {least}, not {text}.")
    return amount


def print_result(as_json: bool, sentence: str, **data: object) -> None:
    """Print the result as a sentence or as JSON."""
    if as_json:
        print_json(data)
    else:
        console().print(sentence)


# --- house operators ---

operator_commands = App(
    no_args_is_help=True, help="Appoint and dismiss supervisors, operators, auditors and owners."
)
TITLES = {
    Role.FLOOR: "a floor supervisor",
    Role.OPERATOR: "an operator",
    Role.AUDITOR: "an auditor",
    Role.OWNER: "an owner",
}


@operator_commands.command()
def add(
    name: PersonName,
    reason: ReasonOption,
    by: OptionalAs = "",
    role: Annotated[
        Literal["floor", "operator", "auditor", "owner"],
        typer.Option("--role", help="Role to give."),
    ] = "operator",
    auditor: Annotated[bool, typer.Option("--auditor", help="Same as --role auditor.")] = False,
    password_file: Annotated[
        str,
        typer.Option(
            "--password-file",
            metavar="FILE",
            help="File with a new person's password in its first line. Default: prompt for it.",
            show_default=False,
        ),
    ] = "",
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Give a person a role; new people are registered automatically.

    Supervisors (floor) answer the dealers' calls at live tables. Operators run the house. Auditors
    see everything but change nothing. Owners are operators who also appoint owners and set the
    house's options.
    """
    given = Role.AUDITOR if auditor else Role(role)
    with admin_session(database) as opened:
        act = opened.first_act(by)
        found = opened.read(lambda connection: find_person(connection, name))
        if found is not None and found.kind is PersonKind.GUEST:
            raise HouseError(f"{name} is a guest. Only a person with a password can have a role.")
        hashed = "" if found else _password_hash(password_file, name)

        def give(connection: Connection) -> Person:
            who = found or add_registered(connection, name, hashed, Role.PLAYER, act.at)
            admin.change_person(connection, act, GiveRole(who.id, str(given), reason))
            return who

        who = opened.run(give)
    print_result(
        as_json,
        f"{who.name} is now {TITLES[given]}.",
        person=who.id,
        name=who.name,
        role=given,
    )


def _password_hash(password_file: str, name: str) -> str:
    from ventiuna.server.web_security import PasswordService  # loaded only if needed

    if password_file:
        text = Path(password_file).read_text(encoding="utf-8").splitlines()
        password = text[0] if text else ""
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return PasswordService().hashed(checked_password(password, name))


@operator_commands.command()
def remove(
    name: PersonName,
    reason: ReasonOption,
    by: OptionalAs = "",
    database: DatabaseOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Make a person with a role a player again. The last operator can't be dismissed."""
    with admin_session(database) as opened:
        act = opened.first_act(by)
        who = opened.read(lambda connection: person_named(connection, name))
        command = GiveRole(who.id, str(Role.PLAYER), reason)
        opened.run(lambda connection: admin.change_person(connection, act, command))
    print_result(as_json, f"{name} is now a player.", person=who.id, name=name, role=Role.PLAYER)


# --- house money ---

money_commands = App(no_args_is_help=True, help="Issue and redeem play money.")


# --- house people ---

people_commands = App(
    no_args_is_help=True, help="Block people, set their limits, and reset their passwords."
)


@operator_command(people_commands)
def reset(name: PersonName, order: OperatorOrder) -> None:
    """Get a one-time code that lets a person choose a new password within a day."""
    with admin_session(order.database) as opened:
        act = opened.act(order.by)
        who = opened.read(lambda connection: person_named(connection, name))
        code = opened.run(
            lambda conn: admin.reset_password(conn, act, who.id, order.reason, act.at, os.urandom)
        )
    print_result(
        order.as_json,
        f"Within a day, {who.name} can choose a new password with this code: {code}",
        person=who.id,
        name=who.name,
        code=code,
    )


# --- house floor ---

floor_commands = App(
    no_args_is_help=True, help="Answer the dealers' calls, and pay awards by hand (R-121, R-122)."
)


@floor_commands.command("list")
def list_floor(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List tables waiting for a floor person, awards to pay by hand, and awards already paid."""
    waits, held, paid = read_house(
        database, lambda found: (waiting_tables(found), held_awards(found), hand_pays(found))
    )
    if as_json:
        print_json(
            {
                "waiting": [asdict(line) for line in waits],
                "awards": [award_data(line) for line in held],
                "paid": [award_data(line) for line in paid],
            }
        )
        return
    calls = plain_table("table", "name", "spots", "task", "since (UTC)", "open to")
    for call in waits:
        spots = join_words(list(map(str, call.spots)))
        who = "floor or operator" if call.is_late else "floor"
        calls.add_row(str(call.table), call.name, spots, call.words, utc_text(call.since), who)
    print_section(console(), "Waiting for a floor person", calls)
    for title, lines in (("Awards to pay by hand", held), ("Awards paid by hand", paid)):
        awards = plain_table(
            "table", "award", "round", "spot", "player", "amount", "by", "at (UTC)"
        )
        for line in lines:
            numbers = (line.table, line.award, line.round_number, line.spot)
            by, at = line.paid_by or "-", utc_text(line.paid_at) if line.paid_at else "-"
            awards.add_row(*map(str, numbers), line.player, money_text(line.amount), by, at)
        print_section(console(), title, awards)


# --- house approvals ---

approval_commands = App(
    no_args_is_help=True, help="Separate duties: a second person approves money and corrections."
)
RequestNumber = Annotated[int, typer.Argument(metavar="REQUEST", min=1, show_default=False)]


@approval_commands.command("list")
def list_approvals(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List the last day's requests with their answers, newest first."""
    now = SystemClock().now()
    is_on, lines = read_house(
        database,
        lambda found: (duties.are_separate(found), listings.list_approvals(found, now)),
    )
    if as_json:
        print_json({"separate_duties": is_on, "requests": [asdict(line) for line in lines]})
        return
    console().print(f"Separate duties are {'on' if is_on else 'off'}.")
    table = plain_table("request", "at (UTC)", "by", "command", "details", "reason", "answer")
    for line in lines:
        by = f" by {line.answered_by_name}" if line.answered_by_name else ""
        about = (line.requested_by_name, line.title, line.details, line.reason)
        table.add_row(str(line.request), utc_text(line.at), *about, f"{line.status}{by}")
    print_section(console(), "Requests in the last day", table)


@operator_command(approval_commands, "require")
def require_approvals(
    state: Annotated[Literal["on", "off"], typer.Argument(metavar="on|off", show_default=False)],
    order: OperatorOrder,
) -> None:
    """Turn separate duties on or off, as an owner.

    With them on, issuing money, voiding a round and corrections need a second person's approval,
    and nobody can play at a table they opened or managed, except their own private table.
    """
    command = duties.SeparateDuties(state == "on", order.reason)
    with admin_session(order.database) as opened:
        act = opened.act(order.by)
        opened.run(lambda connection: admin.separate_duties(connection, act, command))
    print_result(order.as_json, f"Separate duties are {state}.", separate_duties=command.is_on)


def _answer(order: OperatorOrder, command: duties.ApproveRequest | duties.RefuseRequest) -> None:
    with admin_session(order.database) as opened:
        act, house = opened.act(order.by), opened.house
        found = opened.run(lambda conn: admin.answer_request(conn, house, act, command))
    print_result(
        order.as_json,
        f"Request {found.number} is {found.answer}.",
        request=found.number,
        status=found.answer,
    )


@operator_command(approval_commands, "approve")
def approve_request(request: RequestNumber, order: OperatorOrder) -> None:
    """Approve another person's request; its command is carried out at once."""
    _answer(order, duties.ApproveRequest(request, order.reason))


@operator_command(approval_commands, "refuse")
def refuse_request(request: RequestNumber, order: OperatorOrder) -> None:
    """Refuse another person's request; its command isn't carried out."""
    _answer(order, duties.RefuseRequest(request, order.reason))


# --- house tables ---

table_commands = App(no_args_is_help=True, help="Open, close and repair tables.")


@table_commands.command("list")
def list_tables(database: DatabaseOption = "", as_json: JsonFlag = False) -> None:
    """List all tables, including closed ones."""
    rows = read_house(database, listings.list_tables)
    if as_json:
        print_json(rows)
        return
    table = plain_table("table", "name", "game", "rules", "fingerprint", "status")
    for row in rows:
        columns = ("id", "name", "headline", "rules", "fingerprint", "status")
        table.add_row(*(str(row[column]) for column in columns))
    console().print(table)


@operator_command(table_commands, "open")
def open_table(
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False)],
    rules: RulesArgument,
    order: OperatorOrder,
    clock: Annotated[
        list[str] | None,
        typer.Option(
            "--clock",
            metavar="NAME=MS",
            help="Time limit in milliseconds for wagers, answer, decision, cut, away, leave, "
            "supervisor or unsupervised.",
            show_default=False,
        ),
    ] = None,
    jackpot: Annotated[
        list[str] | None,
        typer.Option(
            "--jackpot",
            metavar="GAME=NUMBER",
            help="Progressive that a game contributes to. Default: a new one for this table.",
            show_default=False,
        ),
    ] = None,
    inspection: Annotated[
        do.Requirement,
        typer.Option(
            "--inspection", help="Whether two people must inspect the decks before the deal."
        ),
    ] = do.Requirement.OFF,
    supervisor: Annotated[
        do.Requirement,
        typer.Option(
            "--supervisor",
            help="Whether a floor person must watch third cards and authorize payments.",
        ),
    ] = do.Requirement.OFF,
    hand_pay: Annotated[
        do.Requirement,
        typer.Option("--hand-pay", help="Whether percentage awards must be paid by hand."),
    ] = do.Requirement.OFF,
) -> None:
    """Open a table. Its rules and procedures never change."""
    clocks = dict(map(_pair, clock or ()))
    linked = {_game(word): number for word, number in map(_pair, jackpot or ())}
    command = do.OpenTable(
        name,
        rules_data(load_rules(rules)),
        Stakes(clocks),
        order.reason,
        inspection,
        supervisor,
        hand_pay,
    )
    with admin_session(order.database) as opened:
        acting = opened.act(order.by)
        house = opened.house
        opened_table = opened.run(
            lambda connection: admin.open_table(connection, house, acting, command, linked)
        )
    meters = "".join(
        f", jackpot game {game} uses jackpot {one}"
        for game, one in sorted(opened_table.jackpots.items())
    )
    print_result(
        order.as_json,
        f"Table {opened_table.number} is open{meters}.",
        table=opened_table.number,
        jackpot_of_game={str(game): one for game, one in sorted(opened_table.jackpots.items())},
    )


@table_commands.command("inspection")
def show_inspection(
    table: TableNumber,
    html: HtmlOption = None,
    pdf: PdfOption = None,
    database: DatabaseOption = "",
    json: JsonFlag = False,
) -> None:
    """Show or print the inspection of a table's decks: the steps so far, and the next one."""
    from ventiuna.reports.inspection import inspection_document, read_sheet

    output = DocumentOutput(html, pdf, json)
    sheet = read_house(database, lambda connection: read_sheet(connection, table))
    words = ["house", "tables", "inspection", str(table)]
    document = inspection_document(sheet, f"ventiuna {' '.join(words)}")
    output.print(document, sheet.as_data, words)


def _pair(text: str) -> tuple[str, int]:
    word, _, number = text.partition("=")
    if not number.isdecimal() or len(number) > 15:
        raise HouseError(
            f"{text} must be a name and a whole number, such as decision=30000 or 1=3."
        )
    return word, int(number)


def _game(word: str) -> int:
    if word not in ("1", "2"):
        raise HouseError(f"--jackpot {word}: the game must be 1 or 2.")
    return int(word)
