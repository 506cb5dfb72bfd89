"""What operators may do with a progressive, and what comes of it. Nothing is changed here.

A meter goes down only for the reasons that the code lists (WAC 230-15-695), each time with a
written reason; a maximum is set only at or above the present amount (WAC 230-15-685).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ventiuna.core.meters import SHARES
from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused, shown
from ventiuna.engine.wagers import check_cents, is_whole_number
from ventiuna.money import money_text
from ventiuna.table.jackpots import commands as do
from ventiuna.table.jackpots import events as ev
from ventiuna.table.jackpots.commands import OperatorCommand
from ventiuna.table.jackpots.events import JackpotEvent
from ventiuna.table.jackpots.happening import Happening
from ventiuna.table.jackpots.progressive import Progressive, Reading, Status, created
from ventiuna.table.jackpots.settings import settings_from_data

LONGEST_NAME = 60
RULES = ("R-098",)
Events = tuple[JackpotEvent, ...]


def decide(reading: Reading, command: OperatorCommand) -> Events:
    """What the command does; a refused one raises `Refused`."""
    check_reason(command.reason)
    _check_in_play(reading.jackpot)
    happening = Happening(reading.jackpot)
    _DECIDED[type(command)](happening, reading, command)
    return tuple(happening.events)


# --- creation ---------------------------------------------------------------------------------


def decide_creation(number: int, command: do.CreateJackpot) -> Events:
    """A new progressive opens with its seed, which the house advances."""
    check_reason(command.reason)
    _check_name(command.name)
    _check_rate(command.reserve_rate)
    seed = settings_from_data(dict(command.settings)).seed
    _check_limit("maximum", command.maximum)
    _check_limit("advance limit", command.advance_limit)
    _check_maximum_above_seed(command.maximum, seed)
    if command.advance_limit is not None and command.advance_limit < seed:
        raise Refused(
            RefusalCode.ADVANCE_LIMIT,
            RULES,
            f"The opening seed of {money_text(seed)} is above the advance limit of "
            f"{money_text(command.advance_limit)}: raise the limit.",
        )
    event = ev.JackpotCreated(
        command.name,
        dict(command.settings),
        command.maximum,
        command.reserve_rate,
        command.advance_limit,
        command.reason,
    )
    happening = Happening(created(number, event))
    if seed:
        happening.emit(ev.Seeded(0, seed, "opening"))
    return event, *happening.events


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            RefusalCode.NOT_A_NAME,
            (),
            f"name: give a line of at most {LONGEST_NAME} characters.",
        )


def _check_rate(rate: object) -> None:
    if not is_whole_number(rate) or not 0 <= rate <= SHARES:
        raise Refused(
            RefusalCode.RESERVE_RATE,
            RULES,
            f"reserve rate: give ten-thousandths of the wager, 0 to {SHARES}, not {shown(rate)}.",
        )


def _check_limit(what: str, limit: int | None) -> None:
    if limit is not None:
        check_cents(what, limit)


def _check_maximum_above_seed(maximum: int | None, seed: int) -> None:
    if maximum is not None and maximum < seed:
        raise Refused(
            RefusalCode.MAXIMUM_TOO_LOW,
            RULES,
            f"A maximum of {money_text(maximum)} is below the seed of {money_text(seed)}: "
            "set it at or above.",
        )


# --- limits, state ----------------------------------------------------------------------------


def _set_maximum(happening: Happening, reading: Reading, command: do.SetMaximum) -> None:
    _check_limit("maximum", command.maximum)
    _check_maximum_above_seed(command.maximum, reading.jackpot.settings.seed)
    happening.gather(reading)
    present = happening.jackpot.meter
    if command.maximum is not None and command.maximum < present:
        raise Refused(
            RefusalCode.MAXIMUM_TOO_LOW,
            RULES,
            f"The meter shows {money_text(present)}: a maximum is set at or above that.",
        )
    happening.emit(ev.MaximumSet(command.maximum, command.reason))


def _set_advance_limit(happening: Happening, _: Reading, command: do.SetAdvanceLimit) -> None:
    _check_limit("advance limit", command.limit)
    happening.emit(ev.AdvanceLimitSet(command.limit, command.reason))


def _suspend(happening: Happening, reading: Reading, command: do.SuspendJackpot) -> None:
    if reading.jackpot.status is Status.SUSPENDED:
        raise Refused(RefusalCode.JACKPOT_SUSPENDED, RULES, "The jackpot is suspended already.")
    happening.emit(ev.JackpotSuspended(command.reason))


def _resume(happening: Happening, reading: Reading, command: do.ResumeJackpot) -> None:
    jackpot = reading.jackpot
    if jackpot.status is Status.OPEN:
        raise Refused(RefusalCode.JACKPOT_OPEN, RULES, "The jackpot is open already.")
    if jackpot.missing:
        raise Refused(
            RefusalCode.JACKPOT_UNDERFUNDED,
            RULES,
            f"{money_text(jackpot.missing)} of the seed is missing: seed the jackpot first.",
        )
    if jackpot.is_underfunded:
        raise Refused(
            RefusalCode.JACKPOT_UNDERFUNDED,
            RULES,
            f"The house has advanced {money_text(jackpot.advanced)}, more than the limit: "
            "raise the limit or recover seed money first.",
        )
    happening.emit(ev.JackpotResumed(command.reason))


# --- tables -----------------------------------------------------------------------------------


def _link(happening: Happening, reading: Reading, command: do.LinkTable) -> None:
    jackpot = reading.jackpot
    if command.table in jackpot.tables:
        raise Refused(
            RefusalCode.ALREADY_LINKED,
            RULES,
            f"Table {command.table} feeds the jackpot {jackpot.name} already.",
        )
    if command.settings != jackpot.settings.hash.hex():
        raise Refused(
            RefusalCode.OTHER_SETTINGS,
            RULES,
            f"Jackpot {command.game} of table {command.table} has another pay table, wager, rate, "
            f"seed or reset than {jackpot.name}: link tables with equal settings.",
        )
    happening.emit(ev.TableLinked(command.table, command.game, command.reason))


def _unlink(happening: Happening, reading: Reading, command: do.UnlinkTable) -> None:
    if command.table not in reading.jackpot.tables:
        raise Refused(
            RefusalCode.JACKPOT_NOT_LINKED,
            RULES,
            f"Table {command.table} does not feed the jackpot {reading.jackpot.name}.",
        )
    happening.gather(reading)
    happening.emit(ev.TableUnlinked(command.table, command.reason))


def _fold(happening: Happening, reading: Reading, _: do.FoldStripes) -> None:
    happening.gather(reading)
    if not happening.events:
        raise Refused(RefusalCode.NOTHING_TO_FOLD, RULES, "The stripes are empty.")


# --- money ------------------------------------------------------------------------------------


def _seed(happening: Happening, reading: Reading, command: do.SeedJackpot) -> None:
    _check_amount("seed", command.amount)
    happening.gather(reading)
    _check_room_below_maximum(happening.jackpot, command.amount)
    from_reserve = min(command.amount, happening.jackpot.reserve)
    advanced = command.amount - from_reserve
    room = happening.room_for_advance()
    if room is not None and advanced > room:
        raise Refused(
            RefusalCode.ADVANCE_LIMIT,
            RULES,
            f"The house may advance {money_text(room)} more, and this takes "
            f"{money_text(advanced)}: raise the limit first.",
        )
    happening.emit(ev.Seeded(from_reserve, advanced, command.reason))


def _recover_seed(happening: Happening, reading: Reading, command: do.RecoverSeed) -> None:
    _check_amount("seed", command.amount)
    happening.gather(reading)
    jackpot = happening.jackpot
    if command.amount > jackpot.advanced:
        raise Refused(
            RefusalCode.MORE_THAN_ADVANCED,
            RULES,
            f"The house has advanced {money_text(jackpot.advanced)}: no more can be recovered.",
        )
    _check_held(jackpot.reserve + jackpot.meter, command.amount, "Meter and reserve hold")
    happening.recover(command.amount, command.reason)


def _correct_up(happening: Happening, reading: Reading, command: do.CorrectUp) -> None:
    _check_amount("correction", command.amount)
    happening.gather(reading)
    _check_room_below_maximum(happening.jackpot, command.amount)
    happening.emit(ev.CorrectedUp(command.amount, command.reason))


def _correct_down(happening: Happening, reading: Reading, command: do.CorrectDown) -> None:
    _check_amount("correction", command.amount)
    happening.gather(reading)
    _check_held(happening.jackpot.meter, command.amount, "The meter shows")
    happening.emit(ev.CorrectedDown(command.amount, command.reason))


def _take_receipts(happening: Happening, reading: Reading, command: do.TakeReceipts) -> None:
    _check_amount("receipts", command.amount)
    happening.gather(reading)
    _check_held(happening.jackpot.reserve, command.amount, "The reserve holds")
    happening.emit(ev.ReceiptsTaken(command.amount, command.reason))


# --- removal ----------------------------------------------------------------------------------


def decide_removal(
    reading: Reading, command: do.RemoveJackpot, to: Reading | None
) -> tuple[Events, Events]:
    """What happens to the jackpot, and to the one that gets its money.

    Players' money leaves the fund only to players (WAC 230-15-710): the house gets back at most
    the seed that it advanced, and what is not there any more is its expense.
    """
    check_reason(command.reason)
    jackpot = reading.jackpot
    _check_in_play(jackpot)
    if jackpot.tables:
        tables = ", ".join(map(str, sorted(jackpot.tables)))
        raise Refused(
            RefusalCode.STILL_LINKED,
            RULES,
            f"Tables still feed the jackpot {jackpot.name}: unlink first ({tables}).",
        )
    if to is not None:
        _check_receiver(jackpot, to.jackpot)
    happening = Happening(jackpot)
    happening.recover(min(jackpot.advanced, jackpot.reserve + jackpot.meter), command.reason)
    left = happening.jackpot
    if to is None and (left.meter or left.reserve):
        return _stays_suspended(jackpot, command.reason), ()
    if left.advanced:
        happening.emit(ev.SeedWon(left.advanced))
    received = Happening(to.jackpot) if to is not None else None
    if received is not None and (left.meter or left.reserve):
        number = received.jackpot.number
        happening.emit(ev.MovedOut(number, left.meter, left.reserve, command.reason))
        received.emit(ev.MovedIn(jackpot.number, left.meter, left.reserve, command.reason))
        received.overflow()
    happening.emit(ev.JackpotRemoved(command.reason))
    return tuple(happening.events), tuple(received.events) if received is not None else ()


def _check_receiver(jackpot: Progressive, to: Progressive) -> None:
    _check_in_play(to)
    if to.number == jackpot.number:
        raise Refused(
            RefusalCode.NO_SUCH_PROGRESSIVE, RULES, "Move the money to another progressive."
        )


def _stays_suspended(jackpot: Progressive, reason: str) -> Events:
    """Players' money that can't be moved stays where it is."""
    if jackpot.status is Status.SUSPENDED:
        raise Refused(
            RefusalCode.MONEY_LEFT,
            RULES,
            f"The jackpot {jackpot.name} holds players' money: name a progressive that gets it.",
        )
    return (ev.JackpotSuspended(reason),)


# --- what may be refused anywhere -------------------------------------------------------------


def check_reason(reason: object) -> None:
    if not isinstance(reason, str) or not reason.strip() or not reason.isprintable():
        raise Refused(RefusalCode.NO_REASON, RULES, "reason: say in a line of text why.")


def _check_in_play(jackpot: Progressive) -> None:
    if jackpot.status is Status.REMOVED:
        raise Refused(
            RefusalCode.JACKPOT_REMOVED, RULES, f"The jackpot {jackpot.name} has been removed."
        )


def _check_amount(what: str, amount: int) -> None:
    check_cents(what, amount)
    if not amount:
        raise Refused(RefusalCode.AMOUNT_RANGE, RULES, f"{what}: give an amount above zero.")


def _check_room_below_maximum(jackpot: Progressive, amount: int) -> None:
    if jackpot.maximum is not None and jackpot.meter + amount > jackpot.maximum:
        raise Refused(
            RefusalCode.ABOVE_MAXIMUM,
            RULES,
            f"The meter would show {money_text(jackpot.meter + amount)}, more than its maximum "
            f"of {money_text(jackpot.maximum)}.",
        )


def _check_held(held: int, amount: int, what: str) -> None:
    if amount > held:
        raise Refused(
            RefusalCode.FUND_SHORT,
            RULES,
            f"{what} {money_text(held)}: {money_text(amount)} can't be taken out.",
        )


_DECIDED: dict[type[OperatorCommand], Callable[[Happening, Reading, Any], None]] = {
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
