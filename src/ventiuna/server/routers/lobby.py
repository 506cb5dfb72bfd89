"""The lobby: games you can start right away, tables, and meters, each with exact figures."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from sqlalchemy import Connection, func, select

from ventiuna.rules import canonical, load_rules
from ventiuna.rules.text.phrases import dollars, summary
from ventiuna.server.analysis_pool import DAY_MS, ExactFigures
from ventiuna.server.deps import (
    HouseServices,
    LiveTables,
    OptionalPerson,
    from_state,
    permitted_router,
)
from ventiuna.server.live_tables import Tables
from ventiuna.table import listings
from ventiuna.table.admin import own_tables
from ventiuna.table.listings import DisplayedJackpot
from ventiuna.table.read_model import stored_rules
from ventiuna.table.store.schema import bot, game_table, round_, seat, spot
from ventiuna.table.store.statements import Prepared

router = permitted_router("tables")

# Games that can be started right away, most common first.
_METERS = "3c:1:seed=1000+4d:1:wager=5:seed=5000"
OFFERS = (
    ("Spanish 21, double-double", "wsgc-2021(double_double=on)"),
    ("Spanish 21, dealer stands", "wsgc-2021(soft_17=stand)"),
    (
        "Spanish 21 with jackpots",
        f"wsgc-2021(mtd_configuration=4,bonus_cards=5,jackpots={_METERS})",
    ),
    ("Super Fun 21", "super-fun-21"),
)


HouseFigures = Annotated[ExactFigures, from_state("figures", ExactFigures)]


class OfferData(BaseModel):
    title: str
    rules: str = Field(description="Rules for opening a private table.")
    words: str
    edge: float | None = Field(description="Null while it is being computed.")


class LobbyTable(BaseModel):
    id: int
    name: str
    game: str
    rules: str = Field(description="The preset and its changes.")
    words: str = Field(description="Summary of the rules.")
    limits: str = Field(examples=["$5 to $300"])
    status: Literal["open", "closing", "closed", "fault"]
    edge: float | None
    spots: int
    taken: list[int] = Field(description="Spots in use.")
    full: bool = Field(description="Whether all seats are taken.")
    people: int
    bots: int = Field(description="Number of bots; they sit down when a player does.")
    round: int
    is_open: bool = Field(description="Whether a round is in progress.")
    own: bool = Field(description="Whether this is your private table; nobody else sees it here.")


class LobbyMeter(BaseModel):
    id: int
    name: str
    status: Literal["open", "suspended", "removed"]
    shown: int = Field(description="Cents.")
    wager: int
    tables: list[int]
    per_dollar: float | None = Field(
        description="Average result of a $1 wager at the current meter; negative for a loss."
    )
    break_even: int | None = Field(description="Meter at which the wager breaks even, in cents.")


class LobbyData(BaseModel):
    offers: list[OfferData]
    tables: list[LobbyTable]
    meters: list[LobbyMeter]
    welcome: int = Field(description="Play money for a new player, in cents.")
    day: int = Field(description="Number of the UTC day; each day has its own hand of the day.")


@router.get("/lobby")
async def lobby(
    live: LiveTables, house: HouseServices, figures: HouseFigures, person: OptionalPerson
) -> LobbyData:
    """The house's tables, your private table, meters, and offers, each with exact figures."""
    you = person.id if person else None
    rows, meters = await live.reads.run(
        ("lobby", you), lambda conn: (_tables(conn, live, you), listings.list_jackpots(conn))
    )
    rules = {row.id: row.rules for row in rows}
    return LobbyData(
        offers=[
            OfferData(
                title=title, rules=name, words=_offer_text(title, name), edge=figures.edge(name)
            )
            for title, name in OFFERS
        ],
        tables=[row.model_copy(update={"edge": figures.edge(row.rules)}) for row in rows],
        meters=[
            _meter(meter, rules, figures)
            for meter in meters
            if meter.jackpot.status.value != "removed"
        ],
        welcome=house.settings.welcome,
        day=house.now() // DAY_MS,
    )


@cache  # cached, because there are few offers
def _offer_text(title: str, rules: str) -> str:
    """The summary of the rules, without what the title already says."""
    parts = summary(load_rules(rules)).split(", ")
    return ", ".join(part for part in parts if part.lower() not in title.lower())


def _meter(found: DisplayedJackpot, rules: dict[int, str], figures: ExactFigures) -> LobbyMeter:
    linked = sorted(found.jackpot.tables.items())
    fed_by = next(((table, game) for table, game in linked if table in rules), None)
    known = figures.jackpot(rules[fed_by[0]], fed_by[1]) if fed_by else None
    return LobbyMeter(
        id=found.jackpot.number,
        name=found.jackpot.name,
        status=found.jackpot.status.value,
        shown=found.shown,
        wager=found.jackpot.settings.wager,
        tables=[table for table, _ in linked if table in rules],
        per_dollar=known.per_dollar(found.shown) if known else None,
        break_even=known.break_even if known else None,
    )


_OF_TABLE = round_.c.table_id == game_table.c.id
_OPEN_TABLES = Prepared(
    select(
        game_table,
        select(func.max(round_.c.number)).where(_OF_TABLE).scalar_subquery().label("last"),
        select(round_.c.number)
        .where(_OF_TABLE, round_.c.outcome == "open")
        .exists()
        .label("is_open"),
    )
    .where(game_table.c.state != "closed")
    .order_by(game_table.c.id)
)
_BOTS = Prepared(select(bot.c.person_id, bot.c.table_id))
_SEATED = Prepared(select(seat.c.table_id, seat.c.person_id))
_TAKEN = Prepared(select(spot.c.table_id, spot.c.number))


def _tables(connection: Connection, live: Tables, you: int | None) -> list[LobbyTable]:
    own = {line.table: line.owner for line in own_tables(connection)}
    bots = {row.person_id: row.table_id for row in _BOTS.all(connection)}
    seated: dict[int, list[int]] = {}
    for row in _SEATED.all(connection):
        seated.setdefault(row.table_id, []).append(row.person_id)
    taken: dict[int, list[int]] = {}
    for row in _TAKEN.all(connection):
        taken.setdefault(row.table_id, []).append(row.number)
    found = []
    for row in _OPEN_TABLES.all(connection):
        if own.get(row.id, you) != you:
            continue
        rules = stored_rules(row.rules_data, live.house.rules)
        persons = seated.get(row.id, [])
        found.append(
            LobbyTable(
                id=row.id,
                name=row.name,
                game=rules.game.words,
                rules=canonical(rules),
                words=summary(rules),
                limits=f"{dollars(rules.table_minimum)} to {dollars(rules.table_maximum)}",
                status=row.state,
                edge=None,
                spots=rules.seats,
                taken=sorted(taken.get(row.id, [])),
                full=len(persons) >= rules.seats,
                people=sum(person not in bots for person in persons),
                bots=sum(table == row.id for table in bots.values()),
                round=row.last or 0,
                is_open=bool(row.is_open),
                own=row.id in own,
            )
        )
    return found
