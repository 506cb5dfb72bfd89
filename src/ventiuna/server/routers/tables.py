"""Tables: opening, closing, and repairing them, sitting down, bots, history, wager costs."""

from __future__ import annotations

from typing import Annotated, Literal, cast

from anyio.to_thread import run_sync
from fastapi import Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Exists, exists, func, select

from ventiuna.analysis.figures import CostData, Prices, costs_data, prices_of, wagers_of
from ventiuna.engine.events import Stakes, Wager
from ventiuna.money import LARGEST_AMOUNT
from ventiuna.package import require_library
from ventiuna.reports.inspection import inspection_document, read_sheet
from ventiuna.reports.queries import ReportFormat, document_file
from ventiuna.rules import canonical, rules_data
from ventiuna.rules.text.phrases import headline
from ventiuna.server import live_tables
from ventiuna.server.bots import Bots, check_bots
from ventiuna.server.deps import (
    Amount,
    CurrentPerson,
    HouseServices,
    IdempotencyKey,
    LiveTables,
    OptionalPerson,
    PathId,
    ReasonBody,
    RequestBody,
    Services,
    act_of,
    check_may_run_table,
    client_address,
    from_state,
    permitted_router,
)
from ventiuna.server.live_tables import Tables
from ventiuna.server.problems import RequestDeclined, not_found
from ventiuna.server.routers.analysis import file_response
from ventiuna.server.routers.rules import json_response
from ventiuna.server.schemas import JackpotGame, MtdWager, TableView, load_named_rules
from ventiuna.table import accounts, admin, listings
from ventiuna.table.access import Access, may
from ventiuna.table.admin import LONGEST_TABLE_NAME
from ventiuna.table.admin import own_tables as tables_of_people
from ventiuna.table.domain.commands import Needed, OpenTable, Requirement
from ventiuna.table.domain.handlers import SERVICE
from ventiuna.table.domain.state import TableState, TableStatus
from ventiuna.table.history import message_lines
from ventiuna.table.presentation import snapshot
from ventiuna.table.read_model import stored_rules
from ventiuna.table.store import schema
from ventiuna.table.store.statements import Prepared

router = permitted_router("tables", "/tables")


class TableLine(BaseModel):
    """A table in the lobby."""

    id: int
    name: str
    headline: str = Field(examples=["Spanish 21 · 6 decks · $5 to $300 · double-double"])
    rules: str = Field(description="The preset or file.")
    canonical: str = Field(description="The rules with any changes.")
    fingerprint: str = Field(description="Identical for all rules that play alike.")
    status: str
    seats: int = Field(description="Number of taken seats.")
    inspection: bool = Field(description="Whether two people inspect its decks (R-010).")
    has: list[Needed] = Field(description="What operator commands may need.")


class NewTable(ReasonBody):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Table 1",
                    "rules": "wsgc-spanish-21(decks=6)",
                    "clocks": {"decision": 30_000},
                    "reason": "a busy evening",
                }
            ]
        }
    )

    name: str = Field(max_length=60)
    rules: str = Field(max_length=2_000, description="A preset, optionally with changes.")
    clocks: dict[str, int] = Field(
        default_factory=dict,
        description="Milliseconds for each clock that differs from the default.",
    )
    jackpots: dict[str, int] = Field(
        default_factory=dict,
        description="Progressives to feed, by game; an omitted game gets its own progressive.",
        examples=[{"1": 12}],
    )
    inspection: Literal["off", "required"] = Field(
        "off", description="Whether two people inspect the decks before the deal (R-010)."
    )
    supervisor: Literal["off", "required"] = Field(
        "off",
        description="Whether a floor person watches third cards and authorizes payments (R-121).",
    )
    hand_pay: Literal["off", "required"] = Field(
        "off", description="Whether percentage awards are paid by hand (R-122)."
    )


class OpenedTable(BaseModel):
    id: int
    jackpots: dict[str, int] = Field(description="The table's progressives, by game.")


def _rounds(outcome: str) -> Exists:
    rounds = schema.round_.c
    of_table = rounds.table_id == schema.game_table.c.id
    return exists().where(of_table, rounds.outcome == outcome)


_NEEDED: dict[Needed, Exists] = {
    "jackpot": exists().where(schema.link.c.table_id == schema.game_table.c.id),
    "open_round": _rounds("open"),
    "closed_round": _rounds("closed"),
}
_OPEN_TABLES = Prepared(
    select(
        schema.game_table,
        select(func.count())
        .select_from(schema.seat)
        .where(schema.seat.c.table_id == schema.game_table.c.id)
        .scalar_subquery()
        .label("taken"),
        *(found.label(name) for name, found in _NEEDED.items()),
    )
    .where(schema.game_table.c.state != "closed")
    .order_by(schema.game_table.c.id)
)


@router.get("")
async def lobby(live: LiveTables, person: OptionalPerson) -> list[TableLine]:
    """All open tables of the house; only staff also see private tables."""
    oversees = person is not None and may(person.role, Access.SEE_FLOOR)
    rows, own = await live.reads.run(
        "open tables", lambda conn: (_OPEN_TABLES.all(conn), tables_of_people(conn))
    )
    hidden = set() if oversees else {line.table for line in own}
    return [
        TableLine(
            id=row.id,
            name=row.name,
            rules=row.rules_name,
            headline=headline(stored_rules(row.rules_data, live.house.rules)),
            canonical=canonical(stored_rules(row.rules_data, live.house.rules)),
            fingerprint=row.rules_fingerprint,
            status=row.state,
            seats=row.taken,
            inspection=row.inspection is not None,
            has=[name for name in _NEEDED if getattr(row, name)],
        )
        for row in rows
        if row.id not in hidden
    ]


@router.post("", status_code=201)
def make_table(
    body: NewTable, live: LiveTables, operator: CurrentPerson, key: IdempotencyKey = ""
) -> OpenedTable:
    """Open a table; it keeps its rules even if the preset changes later."""
    rules = load_named_rules(body.rules)
    opening = OpenTable(
        body.name,
        rules_data(rules),
        Stakes(body.clocks),
        body.reason,
        *map(Requirement, (body.inspection, body.supervisor, body.hand_pay)),
    )
    if not body.jackpots.keys() <= {"1", "2"}:
        raise RequestDeclined(422, "bad_request", "The games under jackpots must be 1 or 2.")
    linked = {int(game): number for game, number in body.jackpots.items()}
    act = act_of(live, operator, key)
    opened = admin.run_action(
        live.writer,
        lambda connection: admin.open_table(connection, live.house, act, opening, linked),
    )
    return OpenedTable(
        id=opened.number,
        jackpots={str(game): number for game, number in sorted(opened.jackpots.items())},
    )


async def find_table(live: Tables, number: int) -> TableState:
    state = await live.state(number)
    if state is None:
        raise RequestDeclined(404, "no_such_table", f"There is no table {number}.")
    return state


@router.get("/{number}", response_model=TableView)
async def table(number: PathId, live: LiveTables) -> JSONResponse:
    """The table as everyone sees it now; the socket reports later events."""
    state = await find_table(live, number)
    return JSONResponse(snapshot(state, live.hub.suspended))


class InspectionStepData(BaseModel):
    """A recorded step; only inspected decks have counts."""

    event: Literal["DeckInspected", "DecksShuffled", "CardsBoxed"]
    at: int
    dealer: str
    supervisor: str
    deck: int | None = None
    tens: int | None = None
    jokers: int | None = None
    cards_left: int | None = None
    back: str | None = None


class InspectionData(BaseModel):
    """The inspection of a table's decks (R-010)."""

    table: int
    name: str
    rules: str
    decks: int
    inspected: int
    tens: int = Field(description="Tens to take out of each deck.")
    cards_left: int = Field(description="Cards left in each deck.")
    next_step: Literal["inspect", "shuffle", "box", ""] = Field(
        description="Empty if there is none."
    )
    message: str = Field(description="Explains what the table is waiting for.")
    guide: list[str] = Field(description="The dealer's steps, with their rules.")
    steps: list[InspectionStepData]


@router.get("/{number}/inspection")
async def inspection(number: PathId, live: LiveTables) -> InspectionData:
    """The inspection of a table's decks: the steps so far, and the next one."""
    sheet = await live.reads.run("inspection", lambda conn: read_sheet(conn, number))
    return InspectionData.model_validate(sheet.as_data())


@router.get(
    "/{number}/inspection/sheet",
    response_class=Response,
    responses={200: {"content": {"text/html": {}, "application/pdf": {}}}},
)
async def inspection_form(
    number: PathId,
    live: LiveTables,
    form: Annotated[ReportFormat, Query(alias="format")] = ReportFormat.HTML,
) -> Response:
    """The inspection as a form to print. A PDF requires the extra `print`."""
    if form is ReportFormat.PDF:
        require_library("fpdf")
    sheet = await live.reads.run("inspection", lambda conn: read_sheet(conn, number))
    document = inspection_document(sheet, f"ventiuna house tables inspection {number}")
    page = await run_sync(document_file, document, form)
    return file_response(page, f"inspection-{number}", form)


bots_router = permitted_router("tables", "/tables")


HouseBots = Annotated[Bots, from_state("bots", Bots)]


class BotsRequest(RequestBody):
    count: int = Field(ge=0, description="New number of bots; one seat stays free.", examples=[3])
    strategy: str = Field("chart", max_length=60, description="The bots' strategy.")


class BotsData(BaseModel):
    names: list[str]


@bots_router.post("/{number}/bots")
async def fill(
    number: PathId, body: BotsRequest, live: LiveTables, bots: HouseBots, person: CurrentPerson
) -> BotsData:
    """Set the number of bots at a table; surplus bots leave after their round.

    For operators and for the owner of a private table.
    """
    await check_may_run_table(live, person, number)
    state = await find_table(live, number)
    if state.status is not TableStatus.OPEN:
        raise RequestDeclined(409, "table_closed", "The table isn't open.")
    check_bots(body.count, body.strategy, state.rules)
    return BotsData(names=await bots.fill(number, body.count, body.strategy))


seating_router = permitted_router("tables")
REFILL_REASON = "new starting play money"


class OwnTable(RequestBody):
    rules: str = Field(
        max_length=2_000,
        description="A preset, optionally with changes.",
        examples=["wsgc-2021(double_double=on)"],
    )
    name: str = Field("", max_length=60, description="Defaults to the owner's name.")
    bots: int = Field(0, ge=0, description="Number of bots.", examples=[2])
    strategy: str = Field("chart", max_length=60, description="The bots' strategy.")


class NewSeat(RequestBody):
    seat: Annotated[int, Field(ge=1, le=7)] | None = Field(
        None, description="Defaults to the free seat nearest the middle."
    )
    chips: Amount | None = Field(
        None, description="Amount to buy, in cents; for a new seat, the default is up to $1,000."
    )


class SatDown(BaseModel):
    table: int
    seat: int


class Refilled(BaseModel):
    wallet: int = Field(description="Balance away from the tables, in cents.")


@seating_router.post("/tables/own", status_code=201)
async def open_own_table(
    body: OwnTable,
    request: Request,
    live: LiveTables,
    house: HouseServices,
    bots: HouseBots,
    person: CurrentPerson,
    key: IdempotencyKey = "",
) -> SatDown:
    """Open a private table and take a seat there with chips.

    Nobody else can sit down at it, and its clocks are as long as possible. Your previous private
    table is closed, and an abandoned one closes by itself.
    """
    rules = load_named_rules(body.rules)
    check_bots(body.bots, body.strategy, rules)
    await run_sync(house.table_limit.take, client_address(request))
    name = body.name.strip() or f"{person.name}'s table"[:LONGEST_TABLE_NAME]
    number = await live_tables.open_personal_table(
        live, person, key, name, rules, house.settings.own_tables
    )
    seat = await live_tables.seat_person(live, person, number, None, None)
    if body.bots:
        await bots.fill(number, body.bots, body.strategy)
    return SatDown(table=number, seat=seat)


@seating_router.post("/tables/{number}/seat")
async def take_seat(
    number: PathId, body: NewSeat, live: LiveTables, person: CurrentPerson, key: IdempotencyKey = ""
) -> SatDown:
    """Take a seat and buy chips, as over the socket; if you already have a seat, you keep it."""
    seat = await live_tables.seat_person(live, person, number, body.seat, body.chips)
    return SatDown(table=number, seat=seat)


@seating_router.post("/wallet/refill")
def refill(live: LiveTables, house: HouseServices, person: CurrentPerson) -> Refilled:
    """Give a player who has lost nearly everything a new starting bankroll."""
    welcome, now = house.settings.welcome, live.clock.now()
    with house.store.write() as connection:
        seats = listings.seats_of(connection, person.id)
        remaining = listings.wallet_of(connection, person.id) + sum(line.stack for line in seats)
        if not welcome or remaining > welcome // 10:
            raise RequestDeclined(
                409,
                "money_left",
                "You can get new play money when you have less than a tenth of the "
                "starting amount.",
            )
        money = accounts.IssueMoney(person.id, welcome, REFILL_REASON)
        accounts.handle_cashier_command(
            connection, SERVICE, f"refill/{person.id}/{now}", money, now
        )
        return Refilled(wallet=listings.wallet_of(connection, person.id))


MAX_STORY_EVENTS = 400  # events per request

story_router = permitted_router("tables", "/tables")
After = Annotated[int, Query(ge=0, le=2**53, description="Number of the last event you have.")]


class StoryLine(BaseModel):
    n: int
    text: str


class Timeline(BaseModel):
    n: int
    lines: list[StoryLine]


@story_router.get("/{number}/story")
async def story(number: PathId, live: LiveTables, after: After = 0) -> Timeline:
    """A table's events as sentences; at most the last few hundred."""
    state = await find_table(live, number)
    since = max(after, state.head.events - MAX_STORY_EVENTS)
    is_news = since < state.head.events
    lines = (
        await live.read(lambda conn: live.timelines.since(conn, state, since)) if is_news else []
    )
    return Timeline(
        n=state.head.events, lines=[StoryLine.model_validate(line) for line in message_lines(lines)]
    )


costs_router = permitted_router("tables", "/tables")

NO_STAKES: Stakes[Wager] = Stakes({})
Stake = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT, description="Cents.", examples=[2_500])]


class SpotWagers(RequestBody):
    """The wagers to place on one spot."""

    base: Stake = 0
    mtd: dict[MtdWager, Stake] = Field(default={}, examples=[{"up": 500, "b3": 500}])
    jackpots: dict[JackpotGame, Stake] = Field(default={}, examples=[{"1": 100}])


@costs_router.get("/{number}/costs", response_model=CostData)
async def spot_costs(
    number: PathId,
    live: LiveTables,
    house: HouseServices,
    spot: Annotated[int, Query(ge=0, le=100, description="0 returns only the meters.")] = 0,
) -> JSONResponse:
    """Average cost of the wagers on a spot, and each meter compared with break-even."""
    state = await _table_state(live, number)
    placed = state.round.spots.get(spot) if state.round else None
    stakes = NO_STAKES
    if placed is not None:
        stakes = wagers_of(state.rules, placed.base, placed.mtd, placed.jackpots)
    return await _costs_response(state, live, house, stakes)


@costs_router.post("/{number}/costs", response_model=CostData)
async def wager_costs(
    number: PathId, body: SpotWagers, live: LiveTables, house: HouseServices
) -> JSONResponse:
    """Average cost of wagers not placed yet, and each meter compared with break-even."""
    state = await _table_state(live, number)
    mtd = {str(name): cents for name, cents in body.mtd.items()}
    games = {int(game): cents for game, cents in body.jackpots.items()}
    stakes = wagers_of(state.rules, body.base, mtd, games)
    return await _costs_response(state, live, house, stakes)


async def _table_state(live: Tables, number: int) -> TableState:
    state = await live.state(number)
    if state is None:
        raise not_found("table")
    return state


async def _costs_response(
    state: TableState, live: Tables, house: Services, stakes: Stakes[Wager]
) -> JSONResponse:
    prices = cast(Prices, await house.analysis_pool.ask(prices_of, state.rules))
    return json_response(
        costs_data(state.rules, prices, stakes, meters_of(state, live.house.shown))
    )


def meters_of(state: TableState, displayed: dict[int, int]) -> list[int]:
    """Current meter for each jackpot game; other tables also feed linked meters."""
    meters = []
    for game, jackpot in enumerate(state.rules.jackpots, start=1):
        link = state.links.get(game)
        own = state.round.meters[game - 1].cents if state.round else jackpot.seed
        meters.append(displayed.get(link.jackpot, own) if link else own)
    return meters
