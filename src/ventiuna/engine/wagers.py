"""Wagers that a spot may place (R-014 to R-025, R-082 to R-085, O-18): checks and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard, TypeVar

from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import PlaceWagers, Refused, quoted
from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Cents, Stakes, Wager, WagersPlaced
from ventiuna.money import LARGEST_AMOUNT, money_text
from ventiuna.rules import Rules

# --- Checks ---

K = TypeVar("K")
_CARD_TITLES = {"up": "Up Card", "down": "Down Card"}
WAGER_TITLES = {
    part: f"Match the Dealer {_CARD_TITLES.get(part) or f'Bonus Card {part[1:]}'} wager"
    for part in MTD_WAGERS
}


def checked_wagers(rules: Rules, command: PlaceWagers) -> WagersPlaced:
    """Return the wagers as placed; raises `Refused` with the first problem found."""
    person: object = command.person
    spot: object = command.spot
    if not isinstance(person, str):
        message = "person must be the player's id, as a string."
        raise Refused(RefusalCode.NOT_A_NAME, ("O-02",), message)
    if not is_whole_number(spot) or not 1 <= spot <= rules.seats:
        message = f"There is no spot {quoted(spot)}: this table has spots 1 to {rules.seats}."
        raise Refused(RefusalCode.NO_SUCH_SPOT, ("O-02",), message)
    mtd = _without_zeros("mtd", command.mtd, "{'up': 500}")
    jackpots = _without_zeros("jackpots", command.jackpots, "{1: 100}")
    _check_base(rules, command.base, bool(mtd or jackpots))
    _check_mtd(rules, command.base, mtd)
    _check_jackpots(rules, jackpots)
    if not mtd and not jackpots:
        return WagersPlaced(command.spot, command.person, command.base)
    return WagersPlaced(
        command.spot,
        command.person,
        command.base,
        Stakes({name: mtd[name] for name in rules.mtd_wagers if name in mtd}),
        Stakes(dict(sorted(jackpots.items()))),
    )


def _without_zeros(what: str, wagers: Mapping[K, int], example: str) -> Mapping[K, int]:
    """Return the wagers without zero amounts, which count as not placed."""
    if type(wagers) is not Stakes:  # callers have converted every valid mapping to this type
        message = f"{what} must give the cents for each wager, such as {example}."
        raise Refused(RefusalCode.NOT_WAGERS, ("R-014",), message)
    if not wagers:
        return wagers
    for name, amount in wagers.items():
        if type(amount) is not int or not 0 < amount <= LARGEST_AMOUNT:
            # Even a zero wager must have a valid name and an amount in whole cents.
            shown = name if isinstance(name, str) and name in WAGER_TITLES else quoted(name)
            check_cents(f"wager {shown}", amount)
            if name not in WAGER_TITLES and name not in JACKPOT_WAGERS:
                message = f"There is no wager {shown}. Leave it out."
                raise Refused(RefusalCode.NOT_WAGERS, ("R-014",), message)
    return {name: amount for name, amount in wagers.items() if amount}


def is_whole_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def checked_cents(what: str, amount: object) -> int:
    """Return the amount if it is valid; raises `Refused` otherwise."""
    check_cents(what, amount)
    assert isinstance(amount, int)
    return amount


def check_cents(what: str, amount: object) -> None:
    subject = what[:1].upper() + what[1:]
    if not is_whole_number(amount):
        raise Refused(
            RefusalCode.NOT_CENTS, ("O-18",), f"{subject} must be a whole number of cents."
        )
    if amount < 0 or amount > LARGEST_AMOUNT:
        raise Refused(
            RefusalCode.AMOUNT_RANGE,
            ("R-002",),
            f"{subject} must be from {money_text(0)} to {money_text(LARGEST_AMOUNT)}.",
        )


def check_unit(what: str, amount: int, unit: int) -> None:
    if amount % unit:
        raise Refused(
            RefusalCode.CHIP_UNIT,
            ("O-18",),
            f"{what} must be a multiple of {money_text(unit)}, not {money_text(amount)}.",
        )


def _check_base(rules: Rules, base: int, has_side_wagers: bool) -> None:
    check_cents("the base wager", base)
    if base == 0:
        if has_side_wagers:
            raise Refused(
                RefusalCode.BASE_FIRST,
                ("R-014", "R-082"),
                "A Match the Dealer or jackpot wager needs a base wager. Place that first.",
            )
        raise Refused(RefusalCode.NO_BASE, ("R-014",), "Place a base wager to play.")
    if not rules.table_minimum <= base <= rules.table_maximum:
        raise Refused(
            RefusalCode.TABLE_LIMITS,
            ("R-002", "R-003"),
            f"The base wager must be from {money_text(rules.table_minimum)} to "
            f"{money_text(rules.table_maximum)}, not {money_text(base)}.",
        )
    check_unit("The base wager", base, rules.chip_unit)


def _check_mtd(rules: Rules, base: int, mtd: Mapping[str, int]) -> None:
    for name, amount in mtd.items():
        if name not in rules.mtd_wagers:
            raise mtd_not_offered(rules, name)
        _check_mtd_amount(rules, base, WAGER_TITLES[name], amount)
    if rules.down_requires_up and "down" in mtd and "up" not in mtd:
        raise Refused(
            RefusalCode.DOWN_REQUIRES_UP,
            ("R-025", "D-02"),
            "A Down Card wager needs an Up Card wager on the same hand. Place that too.",
        )
    for name in rules.mtd_required:
        if name not in mtd:
            raise Refused(
                RefusalCode.MTD_REQUIRED,
                ("R-025",),
                f"The house requires a {WAGER_TITLES[name]} with every base wager.",
            )


def mtd_not_offered(rules: Rules, name: str) -> Refused:
    offered = ", ".join(WAGER_TITLES[offer] for offer in rules.mtd_wagers)
    title = WAGER_TITLES.get(name) or f"wager {quoted(name)}"
    choices = f"Choose from: {offered}." if offered else "It has no Match the Dealer wagers."
    return Refused(
        RefusalCode.MTD_NOT_OFFERED,
        ("R-015", "R-016", "R-017", "R-018"),
        f"This table doesn't offer the {title}. {choices}",
    )


def _check_mtd_amount(rules: Rules, base: int, title: str, amount: int) -> None:
    highest = rules.mtd_maximum or rules.table_maximum
    if not rules.mtd_minimum <= amount <= highest:
        raise Refused(
            RefusalCode.MTD_LIMITS,
            ("R-024",),
            f"The {title} must be from {money_text(rules.mtd_minimum)} to {money_text(highest)}, "
            f"not {money_text(amount)}.",
        )
    if rules.mtd_at_most_base and amount > base:
        raise Refused(
            RefusalCode.MTD_AT_MOST_BASE,
            ("R-024", "D-03"),
            f"The {title} of {money_text(amount)} can't exceed the base wager of "
            f"{money_text(base)}.",
        )
    check_unit(f"The {title}", amount, rules.chip_unit)


def _check_jackpots(rules: Rules, jackpots: Mapping[int, int]) -> None:
    for game, amount in jackpots.items():
        if not is_whole_number(game) or not 1 <= game <= len(rules.jackpots):
            raise no_such_jackpot(rules, game)
        fixed = rules.jackpots[game - 1].wager
        if amount != fixed:
            raise Refused(
                RefusalCode.JACKPOT_WAGER_FIXED,
                ("R-082", "R-085"),
                f"The wager on jackpot {game} must be {money_text(fixed)}, "
                f"not {money_text(amount)}.",
            )


def no_such_jackpot(rules: Rules, game: object) -> Refused:
    offered = ("no jackpots", "only jackpot 1", "jackpots 1 and 2")[len(rules.jackpots)]
    return Refused(
        RefusalCode.NO_SUCH_JACKPOT,
        ("R-082", "R-084"),
        f"There is no jackpot {quoted(game)}: this table offers {offered}.",
    )


# --- Options ---


@dataclass(frozen=True, slots=True)
class WagerOption:
    """A wager that may be placed before the deal on any of these spots, in multiples of the unit.

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
    required: bool = False  # every player must place it
    needs: tuple[Wager, ...] = ()  # wagers required on the same spot
    at_most: Wager | None = None  # the wager that this one can't exceed
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""

    @property
    def fixed(self) -> Cents | None:
        """Return the only possible amount, or None if there are several."""
        return self.least if self.legal and self.least == self.most else None


@lru_cache(maxsize=256)
def wager_options(rules: Rules) -> tuple[WagerOption, ...]:
    """Return the base wager, then every side wager, whether or not it is offered here."""
    spots = tuple(range(1, rules.seats + 1))
    return (
        _base_option(rules, spots),
        *(_mtd_option(rules, spots, wager) for wager in MTD_WAGERS.values()),
        *(_jackpot_option(rules, spots, wager) for wager in JACKPOT_WAGERS.values()),
    )


def _base_option(rules: Rules, spots: tuple[int, ...]) -> WagerOption:
    """Return the base wager option.

    The minimum covers required wagers that may not exceed the base wager (R-024, R-025).
    """
    unit = rules.chip_unit
    minimum = rules.table_minimum
    if rules.mtd_required and rules.mtd_at_most_base:
        minimum = max(minimum, rules.mtd_minimum)
    maximum = rules.table_maximum
    return WagerOption(
        Wager.HAND,
        spots,
        True,
        _round_up(minimum, unit),
        maximum - maximum % unit,
        unit,
        required=True,
    )


def _mtd_option(rules: Rules, spots: tuple[int, ...], wager: Wager) -> WagerOption:
    if wager.part not in rules.mtd_wagers:
        return refused_wager(wager, spots, mtd_not_offered(rules, wager.part))
    unit = rules.chip_unit
    maximum = rules.mtd_maximum or rules.table_maximum
    needs = [Wager.HAND]
    if wager is Wager.MTD_DOWN and rules.down_requires_up:
        needs.append(Wager.MTD_UP)
    return WagerOption(
        wager,
        spots,
        True,
        _round_up(max(rules.mtd_minimum, unit), unit),
        maximum - maximum % unit,
        unit,
        required=wager.part in rules.mtd_required,
        needs=tuple(needs),
        at_most=Wager.HAND if rules.mtd_at_most_base else None,
    )


def _jackpot_option(rules: Rules, spots: tuple[int, ...], wager: Wager) -> WagerOption:
    if wager.game > len(rules.jackpots):
        return refused_wager(wager, spots, no_such_jackpot(rules, wager.game))
    fixed = rules.jackpots[wager.game - 1].wager
    return WagerOption(wager, spots, True, fixed, fixed, fixed, needs=(Wager.HAND,))


def refused_wager(wager: Wager, spots: tuple[int, ...], refusal: Refused) -> WagerOption:
    return WagerOption(
        wager, spots, False, code=refusal.code, rules=refusal.rules, reason=refusal.message
    )


def _round_up(amount: int, unit: int) -> int:
    """Round the amount up to a multiple of the unit."""
    return -(-amount // unit) * unit


def no_wagers_refusal() -> Refused:
    return Refused(
        RefusalCode.NO_WAGERS, ("R-014",), "Nobody has placed a base wager. Place one first."
    )
