"""Decides how a command or a round's awards change a progressive.

Nothing is stored here; `repository` writes the results. A meter goes down only for the reasons the
regulation lists (WAC 230-15-695), and a maximum may only be set at or above the current amount (WAC
230-15-685).

Awards are shares of a progressive won in a round, deducted one after the other (R-095). The round
computes the amounts from its meter reading. Here they become events in the jackpot's own book, in
the same order as in the round, so seed money is added at once or after the round, as the rules say
(O-20).

**When the house reaches its advance limit.** A reset uses the reserve first, then the amount that
the house can still advance. If that is less than the seed, the meter restarts with the available
amount, and the jackpot is suspended until an operator seeds it (`FundShort`). But seed money that a
later award in the same round wins is paid in full, even beyond the limit. The jackpot is then
suspended until the limit is raised or seed money is recovered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from ventiuna.core.meters import SHARES
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.codec import Formats, RecordCodec
from ventiuna.engine.commands import Refused, quoted
from ventiuna.engine.events import MeterRaised, MetersShown, Stakes, WagerSettled
from ventiuna.engine.wagers import check_cents, is_whole_number
from ventiuna.errors import VentiunaError
from ventiuna.money import money_text
from ventiuna.table.domain.events import (
    ChipAccounts,
    PendingContributions,
    TableEvent,
    pending_contributions,
)
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots import progressive as ev
from ventiuna.table.jackpots.progressive import (
    JACKPOT_FORMAT,
    JackpotCommand,
    JackpotEvent,
    JackpotStatus,
    MeterCommand,
    MeterSnapshot,
    Progressive,
    apply,
    create,
    settings_from_data,
)

_FORMATS = Formats("jackpot", JACKPOT_FORMAT, {})
EVENT_RECORDS: RecordCodec[JackpotEvent] = RecordCodec(
    "event", JackpotEvent.kinds.values(), _FORMATS
)
COMMAND_RECORDS: RecordCodec[JackpotCommand] = RecordCodec(
    "command", (kind for kind in JackpotCommand.kinds.values() if fields(kind)), _FORMATS
)
event_data, event_from_data = EVENT_RECORDS.data, EVENT_RECORDS.read
command_data, command_from_data = COMMAND_RECORDS.data, COMMAND_RECORDS.read


class JackpotChange:
    """Collects events and applies each one as soon as it is added."""

    def __init__(self, jackpot: Progressive) -> None:
        self.jackpot = jackpot
        self.events: list[JackpotEvent] = []

    def emit(self, event: JackpotEvent) -> None:
        self.jackpot = apply(self.jackpot, event)
        self.events.append(event)

    def gather(self, reading: MeterSnapshot) -> None:
        """Fold the stripes, and move the excess above the maximum to the reserve."""
        meters = {table: cents for table, cents in reading.meters.items() if cents}
        reserves = {table: cents for table, cents in reading.reserves.items() if cents}
        if meters or reserves:
            self.emit(ev.StripesFolded(Stakes(meters), Stakes(reserves)))
        self.overflow()

    def overflow(self) -> None:
        maximum = self.jackpot.maximum
        if maximum is not None and self.jackpot.meter > maximum:
            self.emit(ev.Overflowed(self.jackpot.meter - maximum))

    def room_for_advance(self) -> int | None:
        """How much more the house would advance; None if there is no limit."""
        limit = self.jackpot.advance_limit
        return None if limit is None else max(0, limit - self.jackpot.advanced)

    def recover(self, amount: int, reason: str) -> None:
        """Return seed money to the house, first from the reserve and then from the display."""
        from_reserve = min(amount, self.jackpot.reserve)
        if amount:
            self.emit(ev.SeedRecovered(from_reserve, amount - from_reserve, reason))


LONGEST_JACKPOT_NAME = 60
CITED_RULES = ("R-098",)
Events = tuple[JackpotEvent, ...]


def _refusal(code: RefusalCode, sentence: str) -> Refused:
    return Refused(code, CITED_RULES, sentence)


def decide(reading: MeterSnapshot, command: MeterCommand) -> Events:
    """The events of a command; raises `Refused`."""
    check_reason(command.reason)
    _check_in_play(reading.jackpot)
    happening = JackpotChange(reading.jackpot)
    _DECISIONS[type(command)](happening, reading, command)
    return tuple(happening.events)


def decide_creation(number: int, command: do.CreateJackpot) -> Events:
    """The events of a new progressive, which opens with a seed advanced by the house."""
    check_reason(command.reason)
    _check_name(command.name)
    rate = command.reserve_rate
    if not is_whole_number(rate) or not 0 <= rate <= SHARES:
        raise _refusal(
            RefusalCode.RESERVE_RATE,
            f"The reserve rate must be 0 to {SHARES} ten-thousandths of the wager, not "
            f"{quoted(rate)}.",
        )
    seed = settings_from_data(dict(command.settings)).seed
    _check_limit("maximum", command.maximum)
    _check_limit("advance limit", command.advance_limit)
    _check_maximum_above_seed(command.maximum, seed)
    if command.advance_limit is not None and command.advance_limit < seed:
        raise _refusal(
            RefusalCode.ADVANCE_LIMIT,
            f"The opening seed of {money_text(seed)} is above the advance limit of "
            f"{money_text(command.advance_limit)}. Raise the limit.",
        )
    event = ev.JackpotCreated(
        command.name,
        dict(command.settings),
        command.maximum,
        rate,
        command.advance_limit,
        command.reason,
    )
    happening = JackpotChange(create(number, event))
    if seed:
        happening.emit(ev.Seeded(0, seed, "opening"))
    return event, *happening.events


def _check_name(name: object) -> None:
    if (
        not isinstance(name, str)
        or not name.isprintable()
        or not 0 < len(name) <= LONGEST_JACKPOT_NAME
    ):
        raise Refused(
            RefusalCode.NOT_A_NAME,
            (),
            f"A name must be one line of at most {LONGEST_JACKPOT_NAME} characters.",
        )


def _check_limit(what: str, limit: int | None) -> None:
    if limit is not None:
        check_cents(what, limit)


def _check_maximum_above_seed(maximum: int | None, seed: int) -> None:
    if maximum is not None and maximum < seed:
        raise _refusal(
            RefusalCode.MAXIMUM_TOO_LOW,
            f"A maximum of {money_text(maximum)} is below the seed of {money_text(seed)}. "
            "Set it at or above the seed.",
        )


def _set_maximum(happening: JackpotChange, reading: MeterSnapshot, command: do.SetMaximum) -> None:
    _check_limit("maximum", command.maximum)
    _check_maximum_above_seed(command.maximum, reading.jackpot.settings.seed)
    happening.gather(reading)
    present = happening.jackpot.meter
    if command.maximum is not None and command.maximum < present:
        raise _refusal(
            RefusalCode.MAXIMUM_TOO_LOW,
            f"The meter shows {money_text(present)}. Set the maximum at or above that.",
        )
    happening.emit(ev.MaximumSet(command.maximum, command.reason))


def _set_advance_limit(
    happening: JackpotChange, _: MeterSnapshot, command: do.SetAdvanceLimit
) -> None:
    _check_limit("advance limit", command.limit)
    happening.emit(ev.AdvanceLimitSet(command.limit, command.reason))


def _suspend(happening: JackpotChange, reading: MeterSnapshot, command: do.SuspendJackpot) -> None:
    if reading.jackpot.status is JackpotStatus.SUSPENDED:
        raise _refusal(RefusalCode.JACKPOT_SUSPENDED, "The jackpot is already suspended.")
    happening.emit(ev.JackpotSuspended(command.reason))


def _resume(happening: JackpotChange, reading: MeterSnapshot, command: do.ResumeJackpot) -> None:
    jackpot = reading.jackpot
    if jackpot.status is JackpotStatus.OPEN:
        raise _refusal(RefusalCode.JACKPOT_OPEN, "The jackpot is already open.")
    if jackpot.missing:
        raise _refusal(
            RefusalCode.JACKPOT_UNDERFUNDED,
            f"{money_text(jackpot.missing)} of the seed is missing. Seed the jackpot first.",
        )
    if jackpot.is_underfunded:
        raise _refusal(
            RefusalCode.JACKPOT_UNDERFUNDED,
            f"The house has advanced {money_text(jackpot.advanced)}, more than the limit. "
            "Raise the limit or recover seed money first.",
        )
    happening.emit(ev.JackpotResumed(command.reason))


def _link(happening: JackpotChange, reading: MeterSnapshot, command: do.LinkTable) -> None:
    jackpot = reading.jackpot
    if command.table in jackpot.tables:
        raise _refusal(
            RefusalCode.ALREADY_LINKED,
            f"Table {command.table} already feeds the jackpot {jackpot.name}.",
        )
    if command.settings != jackpot.settings.hash.hex():
        raise _refusal(
            RefusalCode.OTHER_SETTINGS,
            f"Jackpot {command.game} of table {command.table} has a different pay table, "
            f"wager, rate, seed or reset than {jackpot.name}. Link only tables with equal "
            "settings.",
        )
    happening.emit(ev.TableLinked(command.table, command.game, command.reason))


def _unlink(happening: JackpotChange, reading: MeterSnapshot, command: do.UnlinkTable) -> None:
    if command.table not in reading.jackpot.tables:
        raise _refusal(
            RefusalCode.JACKPOT_NOT_LINKED,
            f"Table {command.table} doesn't feed the jackpot {reading.jackpot.name}.",
        )
    happening.gather(reading)
    happening.emit(ev.TableUnlinked(command.table, command.reason))


def _fold(happening: JackpotChange, reading: MeterSnapshot, _: do.FoldStripes) -> None:
    happening.gather(reading)
    if not happening.events:
        raise _refusal(RefusalCode.NOTHING_TO_FOLD, "The stripes are empty.")


def _seed(happening: JackpotChange, reading: MeterSnapshot, command: do.SeedJackpot) -> None:
    _check_amount("seed", command.amount)
    happening.gather(reading)
    _check_room_below_maximum(happening.jackpot, command.amount)
    from_reserve = min(command.amount, happening.jackpot.reserve)
    advanced = command.amount - from_reserve
    room = happening.room_for_advance()
    if room is not None and advanced > room:
        raise _refusal(
            RefusalCode.ADVANCE_LIMIT,
            f"The house may advance only {money_text(room)} more, but this takes "
            f"{money_text(advanced)}. Raise the limit first.",
        )
    happening.emit(ev.Seeded(from_reserve, advanced, command.reason))


def _recover_seed(
    happening: JackpotChange, reading: MeterSnapshot, command: do.RecoverSeed
) -> None:
    _check_amount("seed", command.amount)
    happening.gather(reading)
    jackpot = happening.jackpot
    if command.amount > jackpot.advanced:
        raise _refusal(
            RefusalCode.MORE_THAN_ADVANCED,
            f"The house has advanced only {money_text(jackpot.advanced)}, so no more can "
            "be recovered.",
        )
    _check_available(jackpot.reserve + jackpot.meter, command.amount, "The meter and reserve hold")
    happening.recover(command.amount, command.reason)


def _correct_up(happening: JackpotChange, reading: MeterSnapshot, command: do.CorrectUp) -> None:
    _check_amount("correction", command.amount)
    happening.gather(reading)
    _check_room_below_maximum(happening.jackpot, command.amount)
    happening.emit(ev.CorrectedUp(command.amount, command.reason))


def _correct_down(
    happening: JackpotChange, reading: MeterSnapshot, command: do.CorrectDown
) -> None:
    _check_amount("correction", command.amount)
    happening.gather(reading)
    _check_available(happening.jackpot.meter, command.amount, "The meter shows")
    happening.emit(ev.CorrectedDown(command.amount, command.reason))


def _take_receipts(
    happening: JackpotChange, reading: MeterSnapshot, command: do.TakeReceipts
) -> None:
    _check_amount("receipts", command.amount)
    happening.gather(reading)
    _check_available(happening.jackpot.reserve, command.amount, "The reserve holds")
    happening.emit(ev.ReceiptsTaken(command.amount, command.reason))


def decide_removal(
    reading: MeterSnapshot, command: do.RemoveJackpot, to: MeterSnapshot | None
) -> tuple[Events, Events]:
    """The events of the removed jackpot and of the one that receives its money.

    Players' money leaves the fund only to players (WAC 230-15-710): the house gets back at most the
    seed it advanced, and any shortfall is its expense.
    """
    check_reason(command.reason)
    jackpot = reading.jackpot
    _check_in_play(jackpot)
    if jackpot.tables:
        tables = ", ".join(map(str, sorted(jackpot.tables)))
        raise _refusal(
            RefusalCode.STILL_LINKED,
            f"Tables still feed the jackpot {jackpot.name}. Unlink them first ({tables}).",
        )
    if to is not None:
        _check_in_play(to.jackpot)
        if to.jackpot.number == jackpot.number:
            raise _refusal(
                RefusalCode.NO_SUCH_PROGRESSIVE, "Move the money to another progressive."
            )
    happening = JackpotChange(jackpot)
    happening.recover(min(jackpot.advanced, jackpot.reserve + jackpot.meter), command.reason)
    remaining = happening.jackpot
    if to is None and (remaining.meter or remaining.reserve):
        # If players' money can't be moved, it stays, and the jackpot is only suspended.
        if jackpot.status is JackpotStatus.SUSPENDED:
            raise _refusal(
                RefusalCode.MONEY_LEFT,
                f"The jackpot {jackpot.name} holds players' money. Name a progressive to receive "
                "it.",
            )
        return (ev.JackpotSuspended(command.reason),), ()
    if remaining.advanced:
        happening.emit(ev.SeedWon(remaining.advanced))
    received = JackpotChange(to.jackpot) if to is not None else None
    if received is not None and (remaining.meter or remaining.reserve):
        number = received.jackpot.number
        happening.emit(ev.MovedOut(number, remaining.meter, remaining.reserve, command.reason))
        received.emit(
            ev.MovedIn(jackpot.number, remaining.meter, remaining.reserve, command.reason)
        )
        received.overflow()
    happening.emit(ev.JackpotRemoved(command.reason))
    return tuple(happening.events), tuple(received.events) if received is not None else ()


def check_reason(reason: object) -> None:
    if not isinstance(reason, str) or not reason.strip() or not reason.isprintable():
        raise _refusal(RefusalCode.NO_REASON, "Give a reason in one line.")


def _check_in_play(jackpot: Progressive) -> None:
    if jackpot.status is JackpotStatus.REMOVED:
        raise _refusal(RefusalCode.JACKPOT_REMOVED, f"The jackpot {jackpot.name} has been removed.")


def _check_amount(what: str, amount: int) -> None:
    check_cents(what, amount)
    if not amount:
        raise _refusal(RefusalCode.AMOUNT_RANGE, f"The {what} must be above zero.")


def _check_room_below_maximum(jackpot: Progressive, amount: int) -> None:
    if jackpot.maximum is not None and jackpot.meter + amount > jackpot.maximum:
        raise _refusal(
            RefusalCode.ABOVE_MAXIMUM,
            f"The meter would show {money_text(jackpot.meter + amount)}, more than its maximum "
            f"of {money_text(jackpot.maximum)}.",
        )


def _check_available(balance: int, amount: int, what: str) -> None:
    if amount > balance:
        raise _refusal(
            RefusalCode.FUND_SHORT,
            f"{what} only {money_text(balance)}, so {money_text(amount)} can't be taken out.",
        )


_DECISIONS: dict[type[MeterCommand], Callable[[JackpotChange, MeterSnapshot, Any], None]] = {
    do.SetMaximum: _set_maximum,
    do.SetAdvanceLimit: _set_advance_limit,
    do.LinkTable: _link,
    do.UnlinkTable: _unlink,
    do.SuspendJackpot: _suspend,
    do.ResumeJackpot: _resume,
    do.SeedJackpot: _seed,
    do.RecoverSeed: _recover_seed,
    do.CorrectUp: _correct_up,
    do.CorrectDown: _correct_down,
    do.TakeReceipts: _take_receipts,
    do.FoldStripes: _fold,
}


BEYOND_LIMIT = "the house has advanced more than its limit"


class AwardError(VentiunaError):
    """The round's meter reading differs from the jackpot's, so nothing may be written."""


def awards_of(
    reading: MeterSnapshot, layout: ChipAccounts, game: int, events: Sequence[TableEvent]
) -> tuple[JackpotEvent, ...]:
    """The jackpot events for the awards of a table's command.

    `events` contains all of the command's events, including contributions. The jackpot's entry is
    written right after the table's, so the contributions are already in the table's stripe.
    """
    happening = JackpotChange(reading.jackpot)
    happening.gather(with_pending(reading, layout.table, pending_contributions(events, game)))
    recorded = [event.meters.get(game) for event in events if isinstance(event, MetersShown)]
    if recorded != [happening.jackpot.meter]:
        raise AwardError(
            f"The round was shown {recorded} cents for jackpot {happening.jackpot.number}, but "
            f"it shows {happening.jackpot.meter}."
        )
    steps = [  # this game's awards and seed money
        event
        for event in events
        if (isinstance(event, WagerSettled) and event.meter == game)
        or (isinstance(event, MeterRaised) and event.game == game and event.reason == "seed")
    ]
    last_award = max(
        (place for place, step in enumerate(steps) if isinstance(step, WagerSettled)), default=-1
    )
    for place, step in enumerate(steps):
        if isinstance(step, WagerSettled):
            _pay(happening, layout, step)
        else:
            _reset(happening, step.amount, is_won=place < last_award)
    return tuple(happening.events)


def with_pending(
    reading: MeterSnapshot, table: int, pending: PendingContributions
) -> MeterSnapshot:
    """The reading after the table's own entry has been written."""
    return replace(
        reading,
        meters=_added(reading.meters, table, pending.meter),
        reserves=_added(reading.reserves, table, pending.reserve),
    )


def _added(stripes: Mapping[int, int], table: int, amount: int) -> dict[int, int]:
    return {**stripes, table: stripes.get(table, 0) + amount}


def _pay(happening: JackpotChange, layout: ChipAccounts, award: WagerSettled) -> None:
    if not award.paid:
        return
    if layout.round_number is None:
        raise AwardError("An award belongs to a round, but the layout names none.")
    seat = layout.seats[award.spot]
    happening.emit(
        ev.AwardPaid(
            layout.table, layout.round_number, seat, award.spot, award.paid, layout.hand_pay
        )
    )
    jackpot = happening.jackpot
    if not jackpot.meter and jackpot.advanced:
        happening.emit(ev.SeedWon(jackpot.advanced))


def _reset(happening: JackpotChange, seed: int, *, is_won: bool) -> None:
    """Restart the meter; see the module docstring for the case of missing seed money."""
    from_reserve = min(seed, happening.jackpot.reserve)
    needed = seed - from_reserve
    room = happening.room_for_advance()
    advanced = needed if room is None or is_won else min(needed, room)
    if from_reserve or advanced:
        happening.emit(ev.Seeded(from_reserve, advanced, "reset"))
    if advanced < needed:
        happening.emit(ev.FundShort(needed - advanced))
    elif happening.jackpot.is_underfunded and happening.jackpot.takes_wagers:
        happening.emit(ev.JackpotSuspended(BEYOND_LIMIT))
