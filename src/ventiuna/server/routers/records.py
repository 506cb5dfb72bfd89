"""The house's records: shoes, seals, finished rounds, the journal, audits, daily reports."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, fields
from datetime import UTC, tzinfo
from fractions import Fraction
from typing import Annotated, Literal, cast
from zoneinfo import ZoneInfo

from anyio.to_thread import run_sync
from fastapi import Query
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection
from typing_extensions import TypedDict

from ventiuna.analysis.figures import edge_and_deviation
from ventiuna.analysis.review import REVIEW_FORMAT, ReviewData, ReviewedDecision
from ventiuna.engine.events import Wager
from ventiuna.notation import NotationError
from ventiuna.rules import Rules
from ventiuna.server.deps import (
    CurrentPerson,
    HouseServices,
    IdempotencyKey,
    LiveTables,
    PathId,
    from_state,
    permitted_router,
)
from ventiuna.server.job_store import AuditRun
from ventiuna.server.jobs import Audits
from ventiuna.server.live_tables import Tables
from ventiuna.server.problems import RequestDeclined
from ventiuna.server.schemas import After, EventText, ShoeData, Snapshot, WireEvent
from ventiuna.table import listings
from ventiuna.table.access import Access, may
from ventiuna.table.accounts import Person
from ventiuna.table.daily_report import (
    START_HOUR,
    DailyReport,
    Expectation,
    GamblingDay,
    ReportData,
    daily_report,
    day_of,
    read_day,
    report_csv,
    report_data,
    report_lines,
)
from ventiuna.table.domain.flow import HouseShoeFactory
from ventiuna.table.history import (
    Outcome,
    RecalledData,
    RecalledRound,
    RecallError,
    RoundLine,
    format_round,
    notation,
    read_reviews,
    recall,
    replay_data,
    round_lines,
    rounds_of,
    shared_data,
)
from ventiuna.table.journal import BookKind, Seal, find_seal, newest_seal
from ventiuna.table.listings import (
    BookLine,
    EntryData,
    EntryFilter,
    FoundEntry,
    LedgerLine,
    PlayedRound,
    ShoeLine,
    ledger_totals,
    played_in,
    public_record,
    rounds_of_person,
)
from ventiuna.table.moments import (
    Moment,
    MomentError,
    PastBalance,
    PastMeter,
    PastTable,
    moment_data,
    read_moment,
)
from ventiuna.table.shoe_record import RecordData, RecordError, record_data

fairness_router = permitted_router("fairness")


class SealData(BaseModel):
    """One hash over all of the house's books; anyone who keeps it can detect rewritten books."""

    number: int
    at: int = Field(description="Milliseconds since 1970.")
    heads: str
    previous: str
    hash: str


@fairness_router.get("/tables/{number}/shoes")
def shoes(number: PathId, live: LiveTables) -> list[ShoeLine]:
    """All of a table's shoes, including the one in play and committed ones."""
    with live.store.read() as connection:
        require_table(connection, number)
        return listings.shoes_of(connection, number)


@fairness_router.get("/tables/{number}/shoes/{shoe}", response_model=RecordData)
def record(number: PathId, shoe: PathId, live: LiveTables) -> JSONResponse:
    """The public record of a finished shoe; `ventiuna verify` checks it."""
    with live.store.read() as connection:
        require_table(connection, number)
        known = {line.number: line for line in listings.shoes_of(connection, number)}
        if shoe not in known:
            raise RequestDeclined(404, "no_such_shoe", f"Table {number} has no shoe {shoe}.")
        try:
            return JSONResponse(record_data(public_record(connection, number, shoe)))
        except RecordError as error:
            raise RequestDeclined(409, "shoe_in_play", str(error)) from None


@fairness_router.get("/seals/newest")
async def newest(live: LiveTables) -> SealData:
    """The latest seal."""
    found = await live.reads.run("newest seal", newest_seal)
    return _seal_data(found, "There is no seal yet. The first one will be created within a minute.")


@fairness_router.get("/seals/{number}")
def one_seal(number: PathId, live: LiveTables) -> SealData:
    """A seal by its number."""
    with live.store.read() as connection:
        return _seal_data(find_seal(connection, number), f"There is no seal {number}.")


def _seal_data(found: Seal | None, sentence: str) -> SealData:
    if found is None:
        raise RequestDeclined(404, "no_such_seal", sentence)
    return SealData(
        number=found.number,
        at=found.at,
        heads=found.heads.hex(),
        previous=found.previous.hex(),
        hash=found.hash.hex(),
    )


def require_table(connection: Connection, number: int) -> None:
    if listings.kind_of_book(connection, number) is not BookKind.TABLE:
        raise RequestDeclined(404, "no_such_table", f"There is no table {number}.")


history_router = permitted_router("history")
RoundLimit = Annotated[int, Query(ge=1, le=100)]


class SharedRound(BaseModel):
    by: str = Field(description="For the link: `#/history/3/17?by=…`.")


class TableRounds(BaseModel):
    rounds: list[int] = Field(description="Newest first.")
    lines: list[RoundLine] = Field(description="The same rounds with their outcomes and times.")


class RoundMistake(TypedDict):
    """A decision for which another choice was better."""

    event: int  # position among the round's game events, as in a replay
    cards: list[int]
    up: int
    done: str
    best: str
    cost: float  # in base wagers
    cents: float


@dataclass(frozen=True, slots=True)
class HistoryRound(PlayedRound):
    mistakes: list[RoundMistake] | None = None  # None: not reviewed yet


@history_router.get("/history")
async def own_rounds(
    live: LiveTables,
    person: CurrentPerson,
    before: Annotated[
        int | None, Query(ge=0, le=2**53, description="Time of the last round you have.")
    ] = None,
    most: RoundLimit = 20,
) -> list[HistoryRound]:
    """Rounds you played in, newest first, with their cards and the mistakes found so far.

    `GET /learning/session` reviews rounds.
    """
    return await live.reads.run(
        ("history", person.id, before, most),
        lambda conn: _history(conn, person.id, before, most),
    )


def _history(
    connection: Connection, person: int, before: int | None, most: int
) -> list[HistoryRound]:
    rounds = rounds_of_person(connection, person, before, most)
    reviews = read_reviews(connection, person, [(one.table, one.number) for one in rounds])
    found = []
    for one in rounds:
        review = cast(ReviewData | None, reviews.get((one.table, one.number)))
        mistakes = None
        if review is not None and review["form"] == REVIEW_FORMAT:
            mistakes = [_mistake(one) for one in review["decisions"] if one["cents"] > 0]
        values = {part.name: getattr(one, part.name) for part in fields(one)}
        found.append(HistoryRound(**values, mistakes=mistakes))
    return found


def _mistake(decision: ReviewedDecision) -> RoundMistake:
    return {
        "event": decision["event"],
        "cards": decision["cards"],
        "up": decision["up"],
        "done": decision["done"],
        "best": decision["best"],
        "cost": decision["cost"],
        "cents": decision["cents"],
    }


@history_router.get("/tables/{number}/rounds")
def table_rounds(
    number: PathId,
    live: LiveTables,
    before: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: RoundLimit = 20,
) -> TableRounds:
    """A table's rounds."""
    with live.store.read() as connection:
        require_table(connection, number)
        lines = round_lines(connection, number, most, before)
    return TableRounds(rounds=[line["number"] for line in lines], lines=lines)


class ReplayStep(BaseModel):
    n: int
    at: int
    event: WireEvent
    position: int | None = Field(
        description="Position among the round's game events; null for the table's own events."
    )
    told: EventText | None
    after: After | None
    shoe: ShoeData | None = Field(description="null if unchanged.")


class ReplayData(BaseModel):
    """A finished round, as the socket sent it."""

    table: int
    round: int
    shoe: int
    outcome: Outcome
    at: int
    shoe_ended: bool
    snapshot: Snapshot
    steps: list[ReplayStep]


@history_router.get(
    "/tables/{number}/rounds/{round_number}", response_model=RecalledData | ReplayData
)
def one_round(
    number: PathId,
    round_number: PathId,
    live: LiveTables,
    person: CurrentPerson,
    written: Annotated[
        Literal["json", "text", "notation", "replay"],
        Query(
            alias="format",
            description="Format of the answer; `replay` is the socket's format.",
        ),
    ] = "json",
) -> Response:
    """A round step by step, as a replay. Players see the rounds they bet in."""
    recalled = _visible_round(live, person, number, round_number)
    if written == "json":
        return JSONResponse(recalled.as_data())
    if written == "replay":
        return JSONResponse(replay_data(recalled))
    if written == "text":
        return PlainTextResponse("\n".join(format_round(recalled, str(person.id))) + "\n")
    return _notation_response(recalled)


@history_router.post("/tables/{number}/rounds/{round_number}/share")
def share(
    number: PathId,
    round_number: PathId,
    live: LiveTables,
    person: CurrentPerson,
    key: IdempotencyKey = "",
) -> SharedRound:
    """Get a link to a round that works for anyone; creating it requires access to the round."""
    recalled = _visible_round(live, person, number, round_number)
    if recalled.outcome == "open":
        raise RequestDeclined(409, "round_open", "The round isn't over yet. Share it when it is.")
    return SharedRound(by=_signature(live, number, round_number))


@history_router.get("/shared/{number}/{round_number}", response_model=ReplayData)
def shared_round(
    number: PathId,
    round_number: PathId,
    live: LiveTables,
    by: Annotated[str, Query(max_length=64, description="Signature from the link.")],
    written: Annotated[Literal["replay", "notation"], Query(alias="format")] = "replay",
) -> Response:
    """A round shared by someone with access to it, without names."""
    if not hmac.compare_digest(by.encode(), _signature(live, number, round_number).encode()):
        raise RequestDeclined(
            403, "not_shared", "This link isn't valid. Ask the sender for a new one."
        )
    with live.store.read() as connection:
        recalled = _recall_round(connection, number, round_number)
    if written == "notation":
        return _notation_response(recalled)
    return JSONResponse(shared_data(recalled))


def _signature(live: Tables, table: int, number: int) -> str:
    shoes = live.house.shoes
    assert isinstance(shoes, HouseShoeFactory), "a served house has its key"
    return shoes.signature("share", f"{live.house.name} {table} {number}")


def _visible_round(live: Tables, person: Person, table: int, number: int) -> RecalledRound:
    with live.store.read() as connection:
        _check_may_see(connection, person, table, number)
        return _recall_round(connection, table, number)


def _recall_round(connection: Connection, table: int, number: int) -> RecalledRound:
    require_table(connection, table)
    try:
        return recall(connection, table, number)
    except RecallError as error:
        raise RequestDeclined(404, "no_such_round", str(error)) from None


def _notation_response(recalled: RecalledRound) -> Response:
    try:
        return PlainTextResponse(notation(recalled, complete=False))
    except NotationError as error:
        raise RequestDeclined(409, "no_notation", f"{error}.") from None


def _check_may_see(connection: Connection, person: Person, table: int, number: int) -> None:
    """Raise unless the person bet in the round or is staff; round numbers are public."""
    if may(person.role, Access.SEE_ROUND) or played_in(connection, person.id, table, number):
        return
    require_table(connection, table)
    if number not in rounds_of(connection, table, maximum=1, before=number + 1):
        raise RequestDeclined(404, "no_such_round", f"Table {table} has no round {number}.")
    raise RequestDeclined(
        403,
        "not_allowed",
        "You didn't bet in this round. Someone who did can share a link to it.",
    )


journal_router = permitted_router("books")


HouseAudits = Annotated[Audits, from_state("audits", Audits)]


class LedgerData(BaseModel):
    lines: list[LedgerLine]
    sum: int = Field(description="Always 0.")


@journal_router.get("/books")
def list_books(live: LiveTables) -> list[BookLine]:
    """Every book of the house."""
    with live.store.read() as connection:
        return listings.list_books(connection)


@journal_router.get("/ledger")
def sums(live: LiveTables) -> LedgerData:
    """Total balance for each kind of account; all balances add up to 0."""
    with live.store.read() as connection:
        lines = ledger_totals(connection)
    return LedgerData(lines=lines, sum=sum(line.cents for line in lines))


@journal_router.get("/entries", response_model=list[FoundEntry])
def search_entries(
    live: LiveTables,
    book: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    actor: Annotated[
        str, Query(max_length=60, description="An actor or a name.", examples=["person/3", "Ana"])
    ] = "",
    text: Annotated[str, Query(max_length=100, description="Text in a command or a reason.")] = "",
    code: Annotated[
        str, Query(max_length=30, description="Posting code.", examples=["award"])
    ] = "",
    before: Annotated[
        int | None, Query(ge=0, le=2**53, description="Milliseconds since 1970.")
    ] = None,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """Matching entries from all books, newest first."""
    with live.store.read() as connection:
        criteria = EntryFilter(book, actor, text, code)
        return JSONResponse(listings.find_entries(connection, criteria, before, most))


@journal_router.get("/books/{number}", response_model=list[EntryData])
def entries(
    number: PathId,
    live: LiveTables,
    after: Annotated[int, Query(ge=0, le=2**53, description="The last version you have.")] = 0,
    most: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """A book's entries in order: actor, command, events, and postings."""
    with live.store.read() as connection:
        if listings.kind_of_book(connection, number) is None:
            raise RequestDeclined(404, "no_such_book", f"There is no book {number}.")
        return JSONResponse(listings.entries_of(connection, number, after, most))


MomentText = Annotated[
    str,
    Query(
        max_length=40,
        description="A time (UTC without an offset, or milliseconds since 1970), an entry such as "
        "`7/123` (entry 123 of book 7), or a seal such as `seal/9`.",
        examples=["2026-11-18T20:30"],
    ),
]


class BalanceAt(BaseModel):
    """The balance of an account at a past moment."""

    account: str
    at: int = Field(description="Milliseconds since 1970.")
    balance_cents: int


class MeterAt(BaseModel):
    """The display of a progressive at a past moment."""

    jackpot: int
    at: int
    shown_cents: int
    maximum_cents: int | None


class TableAt(BaseModel):
    """A table at a past moment, as anyone could see it."""

    table: int
    version: int = Field(description="Number of the last entry in its book.")
    at: int
    written_at: int = Field(description="Time of that entry.")
    bank_cents: int
    stake_cents: int = Field(description="Chips on the layout.")
    snapshot: Snapshot


@journal_router.get("/recall/balance", response_model=BalanceAt)
def balance_at(
    account: Annotated[str, Query(max_length=60, examples=["wallet/3"])],
    at: MomentText,
    live: LiveTables,
) -> JSONResponse:
    """The balance of an account at a past moment."""
    return _past(live, at, lambda conn, moment: live.moments.balance(conn, account, moment))


@journal_router.get("/recall/jackpots/{number}", response_model=MeterAt)
def meter_at(number: PathId, at: MomentText, live: LiveTables) -> JSONResponse:
    """The amount that a jackpot displayed at a past moment."""
    return _past(live, at, lambda conn, moment: live.moments.meter(conn, number, moment))


@journal_router.get("/recall/tables/{number}", response_model=TableAt)
def table_at(number: PathId, at: MomentText, live: LiveTables) -> JSONResponse:
    """A table at a past moment. Cards that were face down stay hidden."""
    return _past(live, at, lambda conn, moment: live.moments.table(conn, number, moment))


def _past(
    live: Tables,
    at: str,
    find: Callable[[Connection, Moment], PastBalance | PastMeter | PastTable],
) -> JSONResponse:
    try:
        moment = read_moment(at)
    except MomentError as error:
        raise RequestDeclined(422, "not_a_moment", str(error)) from None
    try:
        with live.store.read() as connection:
            return JSONResponse(moment_data(find(connection, moment)))
    except MomentError as error:
        raise RequestDeclined(404, "nothing_then", str(error)) from None


@journal_router.post("/audits", status_code=202)
async def begin_audit(audits: HouseAudits, key: IdempotencyKey = "") -> AuditRun:
    """Start an audit, which recomputes all books in a thread. Only one can run at a time."""
    return await audits.begin()


@journal_router.get("/audits")
async def last_audits(audits: HouseAudits) -> list[AuditRun]:
    """The latest audits, newest first; at most one is running."""
    return await audits.last()


@journal_router.get("/audits/{number}")
async def audit(number: PathId, audits: HouseAudits) -> AuditRun:
    """An audit's progress, and the differences it found."""
    return await audits.find(number)


@journal_router.delete("/audits/{number}")
async def cancel_audit(number: PathId, audits: HouseAudits) -> AuditRun:
    """Cancel a running audit and discard its results."""
    return await audits.cancel(number)


reports_router = permitted_router("reports", "/reports")
TheoryQuery = tuple[Rules, Wager]


@reports_router.get("/daily", response_model=ReportData)
async def daily(
    live: LiveTables,
    house: HouseServices,
    day: Annotated[
        str,
        Query(
            max_length=22,
            description="A day, or a range such as 2026-11-16..2026-11-18. Defaults to today.",
            examples=["2026-11-16"],
        ),
    ] = "",
    start_hour: Annotated[int, Query(ge=0, le=23)] = START_HOUR,
    zone: Annotated[str, Query(max_length=40, examples=["America/Los_Angeles"])] = "UTC",
    theory: Annotated[
        bool, Query(description="Include the expected win, which takes seconds the first time.")
    ] = True,
    written: Annotated[Literal["json", "text", "csv"], Query(alias="format")] = "json",
) -> Response:
    """Drop, win, and hold by table and wager, meter changes and reasons, and the expected range."""
    here = _zone(zone)
    business_day = read_day(day, start_hour, here) if day else day_of(house.now(), start_hour, here)
    questions: dict[TheoryQuery, None] = {}
    # The first report has no expected win; it collects the queries needed to add it.
    found = await run_sync(_report, live, business_day, lambda one: questions.setdefault(one))
    if theory and questions:
        known = await expectations(
            questions, lambda one: house.analysis_pool.ask(answer_theory, one, patient=True)
        )
        found = await run_sync(_report, live, business_day, known.get)
    if written == "json":
        return JSONResponse(report_data(found))
    if written == "csv":
        return PlainTextResponse(report_csv(found), media_type="text/csv")
    return PlainTextResponse("\n".join(report_lines(found)) + "\n")


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise RequestDeclined(422, "bad_zone", "There is no such time zone. Try UTC.") from None


def _report(
    live: Tables, day: GamblingDay, known: Callable[[TheoryQuery], Expectation | None]
) -> DailyReport:
    def theory(rules: Rules, wager: Wager) -> Expectation | None:
        return known((rules, wager))

    with live.store.read() as connection:
        return daily_report(connection, day, theory)


def answer_theory(question: TheoryQuery) -> tuple[Fraction, float] | None:
    return edge_and_deviation(*question)


async def expectations(
    questions: Collection[TheoryQuery], ask: Callable[[TheoryQuery], Awaitable[object]]
) -> dict[TheoryQuery, Expectation]:
    """Expected values for each query, computed in a separate process while play continues."""
    found = {}
    for question in questions:
        answer = await ask(question)
        if isinstance(answer, tuple):
            found[question] = Expectation(*answer)
    return found
