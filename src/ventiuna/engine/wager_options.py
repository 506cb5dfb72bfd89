"""Which wagers the spots of a table may place: least, most, unit, and what each needs."""

from __future__ import annotations

from functools import lru_cache

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused
from ventiuna.engine.events import Cents
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.engine.wagers import mtd_not_offered, no_such_jackpot
from ventiuna.records import record
from ventiuna.rules import Rules


@record(frozen=True, slots=True)
class WagerOption:
    """One wager before the deal, on any of these spots: a multiple of the unit.

    >>> from ventiuna import Round, options
    >>> options(Round("wsgc-2021").state)[0].least
    500
    """

    wager: Wager
    spots: tuple[int, ...]
    legal: bool
    least: Cents = 0
    most: Cents = 0
    unit: Cents = 0
    required: bool = False  # who plays places it
    needs: tuple[Wager, ...] = ()  # must lie on the same spot
    at_most: Wager | None = None  # it may not be above that one
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""

    @property
    def fixed(self) -> Cents | None:
        """The one amount that is possible, where there is but one."""
        return self.least if self.legal and self.least == self.most else None


@lru_cache(maxsize=256)
def wager_options(rules: Rules) -> tuple[WagerOption, ...]:
    """The base wager, then all side wagers of the games, offered here or not."""
    spots = tuple(range(1, rules.seats + 1))
    return (
        _base(rules, spots),
        *(_mtd(rules, spots, wager) for wager in MTD_WAGERS.values()),
        *(_jackpot(rules, spots, wager) for wager in JACKPOT_WAGERS.values()),
    )


def _base(rules: Rules, spots: tuple[int, ...]) -> WagerOption:
    """Below a required wager that may not be above it, no base wager is possible (R-024, R-025)."""
    unit = rules.chip_unit
    least = rules.table_minimum
    if rules.mtd_required and rules.mtd_at_most_base:
        least = max(least, rules.mtd_minimum)
    most = rules.table_maximum
    return WagerOption(
        Wager.HAND, spots, True, _up_to(least, unit), most - most % unit, unit, required=True
    )


def _mtd(rules: Rules, spots: tuple[int, ...], wager: Wager) -> WagerOption:
    if wager.part not in rules.mtd_wagers:
        return refused_wager(wager, spots, mtd_not_offered(rules, wager.part))
    unit = rules.chip_unit
    most = rules.mtd_maximum or rules.table_maximum
    needs = [Wager.HAND]
    if wager is Wager.MTD_DOWN and rules.down_requires_up:
        needs.append(Wager.MTD_UP)
    return WagerOption(
        wager,
        spots,
        True,
        _up_to(max(rules.mtd_minimum, unit), unit),
        most - most % unit,
        unit,
        required=wager.part in rules.mtd_required,
        needs=tuple(needs),
        at_most=Wager.HAND if rules.mtd_at_most_base else None,
    )


def _jackpot(rules: Rules, spots: tuple[int, ...], wager: Wager) -> WagerOption:
    if wager.game > len(rules.jackpots):
        return refused_wager(wager, spots, no_such_jackpot(rules, wager.game))
    fixed = rules.jackpots[wager.game - 1].wager
    return WagerOption(wager, spots, True, fixed, fixed, fixed, needs=(Wager.HAND,))


def refused_wager(wager: Wager, spots: tuple[int, ...], refusal: Refused) -> WagerOption:
    return WagerOption(
        wager, spots, False, code=refusal.code, rules=refusal.rules, reason=refusal.message
    )


def _up_to(amount: int, unit: int) -> int:
    """The amount, or the next multiple of the unit above it."""
    return -(-amount // unit) * unit


def no_wagers_refusal() -> Refused:
    return Refused(
        RefusalCode.NO_WAGERS, ("R-014",), "No base wager is on the table: place one first."
    )
