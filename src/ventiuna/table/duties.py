"""The house's rules for people: blocks, self-exclusion, limits on money, and separate duties.

The cashier's book records blocks, exclusions and limits. The rows in `restriction` follow from it,
and the audit checks them. Limits cover the last 24 hours at all tables. The house's limits and the
person's own limits both apply. A person's own limit can be lowered at once; a higher one begins
after `COOLING_OFF`. Nobody can shorten a self-exclusion.

With separate duties, which an owner turns on, money issued, voided rounds and corrections need two
people: one requests the command, and another approves it within a day. The approved command is
recorded in the requester's name with a key that names the request. Nobody may play at a table they
run, except their own private table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias, get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    text,
)

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine.codec import RecordCodec
from ventiuna.engine.commands import PlaceWagers
from ventiuna.money import money_text
from ventiuna.table.access import PersonError
from ventiuna.table.domain.commands import (
    MAX_NUMBER,
    NEEDS_SECOND,
    OPERATOR_COMMANDS,
    BuyChips,
    Subject,
    TableCommand,
    TakeSeat,
    checked_reason,
    command_data,
    money_field,
    operator_form,
)
from ventiuna.table.domain.handlers import Actor
from ventiuna.table.ledger import AccountKind, Entry, PostingCode, account_code, canonical_json
from ventiuna.table.store.schema import (
    account,
    book,
    entry,
    house,
    posting,
    restriction,
    round_,
)
from ventiuna.table.store.statements import Prepared

DAY = 86_400_000
COOLING_OFF = DAY  # until a person's own higher limit begins
LONGEST_EXCLUSION = 5 * 366  # days


@operator_form(
    Subject.PERSON,
    "block",
    group="people",
    label="Block player",
    title="Block {name}",
    consequence="The person is signed out everywhere and can't take a seat or buy chips. "
    "Hands in play are finished.",
    done="{name} is blocked and signed out everywhere.",
)
@dataclass(frozen=True, slots=True)
class BlockPerson:
    """Block a person: no sign-in, no seat, no chips. Their money stays."""

    person: int
    reason: str


@operator_form(
    Subject.PERSON,
    "unblock",
    group="people",
    label="Unblock player",
    title="Unblock {name}",
    consequence="The person can sign in and play again at once.",
    done="{name} can sign in again.",
)
@dataclass(frozen=True, slots=True)
class UnblockPerson:
    """End a block, and the wait after wrong passwords; a self-exclusion continues."""

    person: int
    reason: str


@operator_form(
    Subject.PERSON,
    "limits",
    group="people",
    label="Set limits",
    title="The house's limits for {name}",
    consequence="The limits apply immediately at all tables and cover the last 24 hours. Limits "
    "that the player has set also apply.",
    done="The house's limits for {name} were set.",
)
@dataclass(frozen=True, slots=True)
class LimitPerson:
    """Set the house's limits for a person in any 24 hours; `none` removes a limit."""

    person: int
    deposit: int | None = field(
        metadata=money_field("Money received, in dollars", is_optional=True)
    )
    loss: int | None = field(metadata=money_field("Loss, in dollars", is_optional=True))
    wager: int | None = field(metadata=money_field("Wagers, in dollars", is_optional=True))
    reason: str


@dataclass(frozen=True, slots=True)
class LimitOneself:
    """Set your own limits for any 24 hours; higher ones begin after the cooling-off time."""

    person: int
    deposit: int | None
    loss: int | None
    wager: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ExcludePerson:
    """Exclude yourself until a time, in milliseconds since 1970."""

    person: int
    until: int
    reason: str


@dataclass(frozen=True, slots=True)
class AllowReset:
    """Let a person choose a new password with a one-time code."""

    person: int
    reason: str


@dataclass(frozen=True, slots=True)
class PersonBlocked:
    person: int
    reason: str


@dataclass(frozen=True, slots=True)
class PersonUnblocked:
    person: int
    reason: str


@dataclass(frozen=True, slots=True)
class PersonLimited:
    person: int
    deposit: int | None
    loss: int | None
    wager: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class OwnLimitsSet:
    person: int
    deposit: int | None
    loss: int | None
    wager: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class PersonExcluded:
    person: int
    until: int
    reason: str


@dataclass(frozen=True, slots=True)
class ResetAllowed:
    person: int
    reason: str


DutyCommand: TypeAlias = (
    BlockPerson | UnblockPerson | LimitPerson | LimitOneself | ExcludePerson | AllowReset
)
DutyEvent: TypeAlias = (
    PersonBlocked | PersonUnblocked | PersonLimited | OwnLimitsSet | PersonExcluded | ResetAllowed
)
_HAPPENS: Mapping[type[DutyCommand], type[DutyEvent]] = {
    BlockPerson: PersonBlocked,
    UnblockPerson: PersonUnblocked,
    LimitPerson: PersonLimited,
    LimitOneself: OwnLimitsSet,
    ExcludePerson: PersonExcluded,
    AllowReset: ResetAllowed,
}


def duty_event(command: DutyCommand) -> DutyEvent:
    """The event for a command, without checking it against the database; raises `Refused`."""
    values = asdict(command) | {"reason": checked_reason(command.reason)}
    for name in ("deposit", "loss", "wager", "until"):
        value = values.get(name)
        if value is not None and not 1 <= value <= MAX_NUMBER:
            raise Refused(RefusalCode.BAD_COMMAND, (), f"{name} must be more than zero.")
    kind: Any = _HAPPENS[type(command)]
    event: DutyEvent = kind(**values)
    return event


@dataclass(frozen=True, slots=True)
class Limits:
    """Cents in any 24 hours at all tables; None means no limit."""

    deposit: int | None = None  # money received
    loss: int | None = None  # chips bought minus chips cashed out
    wager: int | None = None  # chips wagered

    def lower(self, other: Limits) -> Limits:
        """The lower of each two limits."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Limits(*(_lower(one, two) for one, two in pairs))


def _lower(one: int | None, two: int | None) -> int | None:
    return min((limit for limit in (one, two) if limit is not None), default=None)


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Restriction:
    """A person's block, self-exclusion and limits."""

    blocked: bool = False
    excluded_until: int = 0
    house: Limits = NO_LIMITS
    own: Limits = NO_LIMITS
    later: Limits = NO_LIMITS  # the person's limits from `later_at` on, if pending
    later_at: int = 0  # 0 if none are pending

    def after(self, event: DutyEvent, at: int) -> Restriction:
        """The restrictions after an event that was recorded at this time."""
        if isinstance(event, PersonBlocked):
            return replace(self, blocked=True)
        if isinstance(event, PersonUnblocked):
            return replace(self, blocked=False)
        if isinstance(event, PersonExcluded):
            return replace(self, excluded_until=event.until)
        if isinstance(event, PersonLimited):
            return replace(self, house=Limits(event.deposit, event.loss, event.wager))
        if isinstance(event, OwnLimitsSet):
            return self.at(at)._after_own(Limits(event.deposit, event.loss, event.wager), at)
        return self

    def _after_own(self, chosen: Limits, at: int) -> Restriction:
        own = self.own.lower(chosen)
        if own == chosen:
            return replace(self, own=own, later=NO_LIMITS, later_at=0)
        waits = bool(self.later_at) and chosen.lower(self.later) == chosen
        # Lowering a pending limit doesn't restart the cooling-off time.
        later_at = self.later_at if waits else at + COOLING_OFF
        return replace(self, own=own, later=chosen, later_at=later_at)

    def at(self, now: int) -> Restriction:
        """The restrictions at a time, when the person's own higher limits may have begun."""
        if not self.later_at or now < self.later_at:
            return self
        return replace(self, own=self.later, later=NO_LIMITS, later_at=0)

    def limits(self, now: int) -> Limits:
        """The limits that apply at a time."""
        return self.house.lower(self.at(now).own)

    @property
    def chosen(self) -> Limits:
        """The person's own limits as last chosen, whether or not they apply yet."""
        return self.later if self.later_at else self.own

    def check_admitted(self, now: int) -> None:
        """Refuse a person who is blocked or excluded; raises `PersonError`."""
        if self.blocked:
            raise PersonError("blocked", "Your account is blocked. Ask an operator of the house.")
        if self.excluded_until > now:
            until = day(self.excluded_until)
            raise PersonError("excluded", f"You excluded yourself until {until}.")


NO_RESTRICTION = Restriction()


def day(at: int) -> str:
    """Format a time for people."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


_LIMIT_COLUMNS = tuple(
    f"{which}_{part.name}" for which in ("house", "own", "later") for part in fields(Limits)
)
_COLUMNS = ("person_id", "blocked", "excluded_until", *_LIMIT_COLUMNS, "later_at")
_RESTRICTION = Prepared(
    select(*(restriction.c[name] for name in _COLUMNS[1:])).where(
        restriction.c.person_id == bindparam("person")
    )
)


def restriction_of(connection: Connection, person: int) -> Restriction:
    row = _RESTRICTION.first(connection, person=person)
    if row is None:
        return NO_RESTRICTION
    blocked, until, *limits, later_at = row
    house_limits, own, later = (Limits(*limits[first : first + 3]) for first in (0, 3, 6))
    return Restriction(bool(blocked), until, house_limits, own, later, later_at)


def restrictions(connection: Connection) -> dict[int, Restriction]:
    """The restrictions of everyone who ever had one."""
    return {
        number: restriction_of(connection, number)
        for number in connection.scalars(select(restriction.c.person_id))
    }


_WRITE = text(
    f"INSERT INTO restriction ({', '.join(_COLUMNS)}) "
    f"VALUES ({', '.join(f':{name}' for name in _COLUMNS)}) ON CONFLICT (person_id) DO UPDATE SET "
    + ", ".join(f"{name} = :{name}" for name in _COLUMNS[1:])
)


def check_duty(connection: Connection, event: DutyEvent) -> None:
    """Refuse an event that the person's restrictions rule out; raises `Refused`."""
    before = restriction_of(connection, event.person)
    if isinstance(event, PersonExcluded) and event.until <= before.excluded_until:
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            f"The exclusion lasts until {day(before.excluded_until)}. It can't be shortened.",
        )


def write_duty(connection: Connection, event: DutyEvent, at: int) -> None:
    """Store the effect of a recorded event."""
    before = restriction_of(connection, event.person)
    now = before.after(event, at)
    if now == before:
        return
    limits = (*astuple(now.house), *astuple(now.own), *astuple(now.later))
    values = (event.person, int(now.blocked), now.excluded_until, *limits, now.later_at)
    connection.execute(_WRITE, dict(zip(_COLUMNS, values, strict=True)))


def check_deposit(connection: Connection, person: int, amount: int, now: int) -> None:
    """Refuse money that would exceed the person's 24-hour limit."""
    limit = restriction_of(connection, person).limits(now).deposit
    if limit is None:
        return
    received = _amount_moved(connection, person, PostingCode.ISSUE, now)
    _check_limit("received", limit, received, amount)


# Commands that a person's restrictions may rule out. Doubling, splitting and insurance finish a
# hand that has begun; they count as wagers but are never refused.
RESTRICTED = (TakeSeat, BuyChips, PlaceWagers)


def check_may_play(
    connection: Connection,
    person: int,
    command: TakeSeat | BuyChips | PlaceWagers,
    now: int,
    *,
    pending: Iterable[Entry] = (),
    replaced: int = 0,
) -> None:
    """Refuse a seat, chips or wagers to a person who is blocked, excluded or over a limit.

    Only money from the last 24 hours counts, and chips on a table count as lost until they are
    cashed out. `pending` are entries that the transaction hasn't written yet, and `replaced` is the
    sum of the wagers that the new ones replace.
    """
    found = restriction_of(connection, person)
    if not isinstance(command, PlaceWagers):
        try:
            found.check_admitted(now)
        except PersonError as error:
            raise Refused(RefusalCode.NOT_ALLOWED, (), str(error)) from None
    limits = found.limits(now)
    if limits.loss is not None and isinstance(command, BuyChips):
        bought = _amount_moved(connection, person, PostingCode.BUY_IN, now)
        cashed = _amount_moved(connection, person, PostingCode.CASH_OUT, now)
        wallet = account_code(AccountKind.WALLET, person)
        for line in (line for one in pending for line in one.postings):
            bought += line.amount * (line.from_account == wallet)
            cashed += line.amount * (line.to_account == wallet)
        _check_limit("lost", limits.loss, max(0, bought - cashed), command.amount)
    elif limits.wager is not None and isinstance(command, PlaceWagers):
        actor = f"person/{person}"
        used = _wagered(connection, actor, now)
        for one in pending:
            if one.actor == actor:
                used += sum(line.amount * _WAGERED.get(line.code, 0) for line in one.postings)
        amounts = (command.base, *command.mtd.values(), *command.jackpots.values())
        _check_limit("wagered", limits.wager, max(0, used - replaced), sum(amounts))


def _check_limit(verb: str, limit: int, used: int, amount: int) -> None:
    if used + amount > limit:
        left = money_text(max(0, limit - used))
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            f"At most {money_text(limit)} may be {verb} in 24 hours; {left} of that is left.",
        )


def _amount_moved(connection: Connection, person: int, code: PostingCode, now: int) -> int:
    """The cents that these postings moved from or to a wallet in the last 24 hours."""
    wallet = select(account.c.id).where(account.c.code == account_code(AccountKind.WALLET, person))
    side = posting.c.from_id if code is PostingCode.BUY_IN else posting.c.to_id
    total = connection.scalar(
        select(func.sum(posting.c.amount))
        .join(entry, _SAME_ENTRY)
        .where(posting.c.code == literal_column(f"'{code}'"))  # a literal, for the partial index
        .where(side == wallet.scalar_subquery(), entry.c.at > now - DAY)
    )
    return int(total or 0)


_SAME_ENTRY = (entry.c.book_id == posting.c.book_id) & (entry.c.version == posting.c.version)
_WAGERED: Mapping[str, int] = {
    **dict.fromkeys(
        (PostingCode.WAGER, PostingCode.DOUBLE, PostingCode.SPLIT, PostingCode.INSURANCE), 1
    ),
    PostingCode.TAKE_BACK: -1,
}


def _wagered(connection: Connection, actor: str, now: int) -> int:
    """The cents that a person wagered in the last 24 hours, minus wagers taken back."""
    totals = (
        select(posting.c.code, func.sum(posting.c.amount))
        .join(entry, _SAME_ENTRY)
        .where(entry.c.actor == actor, entry.c.at > now - DAY)
        .where(posting.c.code.in_(list(_WAGERED)))
        .group_by(posting.c.code)
    )
    return sum(_WAGERED[code] * int(cents) for code, cents in connection.execute(totals))


# --- Separate duties ---


@dataclass(frozen=True, slots=True)
class SeparateDuties:
    """Turn separate duties on or off."""

    is_on: bool
    reason: str


@dataclass(frozen=True, slots=True)
class RequestApproval:
    """Ask for a second person's approval of a command."""

    subject: str  # such as "table 3"
    wanted: str  # the command as canonical JSON
    reason: str


@dataclass(frozen=True, slots=True)
class ApproveRequest:
    request: int
    reason: str


@dataclass(frozen=True, slots=True)
class RefuseRequest:
    request: int
    reason: str


@dataclass(frozen=True, slots=True)
class DutiesSeparated:
    is_on: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ApprovalRequested:
    subject: str
    wanted: str
    reason: str


@dataclass(frozen=True, slots=True)
class RequestApproved:
    request: int
    reason: str


@dataclass(frozen=True, slots=True)
class RequestRefused:
    request: int
    reason: str


HouseCommand: TypeAlias = SeparateDuties | RequestApproval | ApproveRequest | RefuseRequest
HouseEvent: TypeAlias = DutiesSeparated | ApprovalRequested | RequestApproved | RequestRefused
_HOUSE_EVENTS: Mapping[type[HouseCommand], type[HouseEvent]] = {
    SeparateDuties: DutiesSeparated,
    RequestApproval: ApprovalRequested,
    ApproveRequest: RequestApproved,
    RefuseRequest: RequestRefused,
}
_HOUSE_RECORDS: RecordCodec[HouseCommand] = RecordCodec("command", get_args(HouseCommand))
APPROVED = "approved"


def house_event(command: HouseCommand) -> HouseEvent:
    kind: Any = _HOUSE_EVENTS[type(command)]
    event: HouseEvent = kind(**asdict(command) | {"reason": checked_reason(command.reason)})
    return event


@dataclass(frozen=True, slots=True)
class Approval:
    """A request for approval, and its answer if it has one."""

    number: int  # its entry in the cashier's book
    at: int
    actor: str
    subject: str
    wanted: str
    reason: str
    answer: str = ""  # "approved" or "refused"
    answered_by: str = ""
    answer_reason: str = ""

    @property
    def key(self) -> str:
        """The key of the approved command."""
        return f"{APPROVED}/{self.number}"

    @property
    def until(self) -> int:
        return self.at + DAY

    def check_answer(self, actor: str, at: int) -> None:
        """Refuse an answer that comes twice, too late, or from the requester."""
        if self.answer:
            raise Refused(RefusalCode.STALE, (), f"Request {self.number} is already {self.answer}.")
        if at >= self.until:
            raise Refused(
                RefusalCode.STALE,
                (),
                f"Request {self.number} expired after a day. Request the command again.",
            )
        if actor == self.actor:
            raise Refused(
                RefusalCode.NOT_ALLOWED,
                (),
                f"You made request {self.number} yourself. Another person must answer it.",
            )


Approvals: TypeAlias = dict[int, Approval]


def add_approval(found: Approvals, number: int, at: int, actor: str, command: HouseCommand) -> None:
    """Add a request, or the answer to one, in the order of the book."""
    if isinstance(command, RequestApproval):
        found[number] = Approval(
            number, at, actor, command.subject, command.wanted, command.reason.strip()
        )
    elif isinstance(command, ApproveRequest | RefuseRequest) and command.request in found:
        answer = APPROVED if isinstance(command, ApproveRequest) else "refused"
        found[command.request] = replace(
            found[command.request],
            answer=answer,
            answered_by=actor,
            answer_reason=command.reason.strip(),
        )


def _has_command(*kinds: type[Any]) -> ColumnElement[bool]:
    """Matches entries with one of these commands."""
    return or_(*(entry.c.command.contains(f'"command":"{kind.__name__}"') for kind in kinds))


def _approvals(connection: Connection, which: ColumnElement[bool]) -> Approvals:
    rows = connection.execute(
        select(entry.c.version, entry.c.at, entry.c.actor, entry.c.command)
        .join(book, book.c.id == entry.c.book_id)
        .where(book.c.kind == "cashier", which)
        .where(_has_command(RequestApproval, ApproveRequest, RefuseRequest))
        .order_by(entry.c.version)
    )
    found: Approvals = {}
    for row in rows:
        command = _HOUSE_RECORDS.read(json.loads(row.command))
        add_approval(found, row.version, row.at, row.actor, command)
    return found


def recent_approvals(connection: Connection, now: int) -> list[Approval]:
    """The last day's requests, newest first."""
    return list(_approvals(connection, entry.c.at > now - DAY).values())[::-1]


def find_approval(connection: Connection, number: int) -> Approval:
    """The request with this number; raises `Refused` if there is none."""
    found = _approvals(connection, entry.c.version >= number).get(number)
    if found is None:
        raise Refused(RefusalCode.STALE, (), f"There is no request {number}.")
    return found


def round_begun(connection: Connection, table: int, at: int) -> int | None:
    """The number of the table's last round that had begun at this time, or None."""
    first = (entry.c.book_id == round_.c.table_id) & (entry.c.version == round_.c.first_version)
    number: int | None = connection.scalar(
        select(round_.c.number)
        .join(entry, first)
        .where(round_.c.table_id == table, entry.c.at <= at)
        .order_by(round_.c.number.desc())
        .limit(1)
    )
    return number


def check_same_round(connection: Connection, table: int, found: Approval) -> None:
    """Refuse to void any round but the one the request was made in; raises `Refused`."""
    current = round_.c.table_id == table, round_.c.outcome == "open"
    number = connection.scalar(select(round_.c.number).where(*current))
    wanted = round_begun(connection, table, found.at)
    if number is not None and number != wanted:
        raise Refused(
            RefusalCode.STALE,
            (),
            f"Request {found.number} is for round {wanted}, which is over. Round {number} is being "
            "played now.",
        )


def are_separate(connection: Connection) -> bool:
    """Whether the house has separate duties."""
    return bool(connection.scalar(select(house.c.separate_duties)))


def check_house_command(
    connection: Connection, actor: Actor, command: HouseCommand, at: int
) -> None:
    """Refuse an answer that doesn't fit its request; raises `Refused`."""
    if isinstance(command, ApproveRequest | RefuseRequest):
        find_approval(connection, command.request).check_answer(actor.name, at)


def check_second_person(
    connection: Connection, actor: Actor, key: str, subject: str, data: Mapping[str, object]
) -> None:
    """Refuse a person's command if it needs a second person's approval and doesn't have it."""
    if not actor.person or not are_separate(connection):
        return
    word, _, number = key.partition("/")
    if word == APPROVED and number.isdecimal():
        found = find_approval(connection, int(number))
        if found.answer and is_approved(found, actor.name, subject, canonical_json(data)):
            return
    raise Refused(
        RefusalCode.NOT_ALLOWED,
        (),
        "This house has separate duties: a second person must approve this. Request it, and ask "
        "another operator to approve the request.",
    )


def is_approved(found: Approval, actor: str, subject: str, wanted: str) -> bool:
    """Whether this request was approved, and for exactly this command."""
    approved = (found.answer, found.actor, found.subject, found.wanted)
    return approved == (APPROVED, actor, subject, wanted)


def check_separation(
    connection: Connection,
    actor: Actor,
    key: str,
    table: int,
    command: TableCommand,
    *,
    is_seated: bool,
) -> None:
    """Refuse commands that separate duties rule out at a table; raises `Refused`."""
    runs = isinstance(command, OPERATOR_COMMANDS)
    if not (runs or isinstance(command, TakeSeat)) or not are_separate(connection):
        return
    if is_seated and runs and not _is_own(connection, actor, table):
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "This house has separate duties: nobody may run a table where they play. Leave your "
            "seat, or ask another operator.",
        )
    if type(command) in NEEDS_SECOND:
        check_second_person(connection, actor, key, f"table {table}", command_data(command))
    if runs or _is_own(connection, actor, table):
        return
    ran = entry.c.actor == actor.name, entry.c.book_id == table, _has_command(*OPERATOR_COMMANDS)
    if connection.scalar(select(entry.c.version).where(*ran).limit(1)):
        raise Refused(
            RefusalCode.NOT_ALLOWED,
            (),
            "This house has separate duties: you opened or managed this table, so you can't play "
            "here. Choose another table.",
        )


def _is_own(connection: Connection, actor: Actor, table: int) -> bool:
    """Whether this is the person's own private table."""
    opened = (entry.c.book_id == table) & (entry.c.version == 1)
    return connection.scalar(select(entry.c.actor).where(opened)) == f"own/{actor.person}"
