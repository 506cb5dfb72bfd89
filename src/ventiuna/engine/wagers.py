"""Which wagers a spot may place (R-014 to R-025, R-082 to R-085, O-18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard, TypeVar

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.errors import Refused, shown
from ventiuna.engine.events import WagersPlaced
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Stakes
from ventiuna.money import LARGEST_AMOUNT, money_text
from ventiuna.rules import Rules

K = TypeVar("K")
_CARDS = {"up": "Up Card", "down": "Down Card"}
WAGER_TITLES = {
    part: f"Match the Dealer {_CARDS.get(part) or f'Bonus Card {part[1:]}'} wager"
    for part in MTD_WAGERS
}


def checked_wagers(rules: Rules, command: PlaceWagers) -> WagersPlaced:
    """The wagers as placed, or the first reason to refuse them."""
    _check_person(command.person)
    _check_spot(rules, command.spot)
    mtd = _placed("mtd", command.mtd, "{'up': 500}")
    jackpots = _placed("jackpots", command.jackpots, "{1: 100}")
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


def _placed(what: str, wagers: Mapping[K, int], example: str) -> Mapping[K, int]:
    """Without wagers of nothing: those are not placed."""
    _check_form(what, wagers, example)
    if not wagers:
        return wagers
    for name, amount in wagers.items():
        if type(amount) is not int or not 0 < amount <= LARGEST_AMOUNT:
            _check_nothing(name, amount)
    return {name: amount for name, amount in wagers.items() if amount}


def _check_nothing(name: object, amount: object) -> None:
    """A wager of nothing has a name that there is, and whole cents, like others."""
    check_cents(f"wager {_shown(name)}", amount)
    if name not in WAGER_TITLES and name not in JACKPOT_WAGERS:
        raise Refused(
            RefusalCode.NOT_WAGERS,
            ("R-014",),
            f"wager {_shown(name)}: there is no such wager; leave it out.",
        )


def _shown(name: object) -> str:
    return name if isinstance(name, str) and name in WAGER_TITLES else shown(name)


def _check_person(person: object) -> None:
    if not isinstance(person, str):
        raise Refused(RefusalCode.NOT_A_NAME, ("O-02",), "person: give the player's id as text.")


def _check_form(what: str, wagers: object, example: str) -> None:
    """Programs may hand over anything; a wrong type is told like any other wrong wager."""
    if type(wagers) is not Stakes:  # which any mapping has become
        raise Refused(
            RefusalCode.NOT_WAGERS,
            ("R-014",),
            f"{what}: give cents for each wager, such as {example}.",
        )


def is_whole_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def checked_cents(what: str, amount: object) -> int:
    """The amount, if it is one."""
    check_cents(what, amount)
    assert isinstance(amount, int)
    return amount


def check_cents(what: str, amount: object) -> None:
    if not is_whole_number(amount):
        raise Refused(RefusalCode.NOT_CENTS, ("O-18",), f"{what}: give a whole number of cents.")
    if amount < 0 or amount > LARGEST_AMOUNT:
        raise Refused(
            RefusalCode.AMOUNT_RANGE,
            ("R-002",),
            f"{what}: give an amount from nothing to {money_text(LARGEST_AMOUNT)}.",
        )


def check_unit(what: str, amount: int, unit: int) -> None:
    if amount % unit:
        raise Refused(
            RefusalCode.CHIP_UNIT,
            ("O-18",),
            f"{what} of {money_text(amount)}: wager in multiples of {money_text(unit)}.",
        )


def _check_spot(rules: Rules, spot: object) -> None:
    if not is_whole_number(spot) or not 1 <= spot <= rules.seats:
        raise Refused(
            RefusalCode.NO_SUCH_SPOT,
            ("O-02",),
            f"Spot {shown(spot)}: this table has spots 1 to {rules.seats}.",
        )


def _check_base(rules: Rules, base: int, has_side_wagers: bool) -> None:
    check_cents("base wager", base)
    if base == 0:
        if has_side_wagers:
            raise Refused(
                RefusalCode.BASE_FIRST,
                ("R-014", "R-082"),
                "A Match the Dealer or jackpot wager needs a base wager: place that first.",
            )
        raise Refused(RefusalCode.NO_BASE, ("R-014",), "Place a base wager to play.")
    if not rules.table_minimum <= base <= rules.table_maximum:
        raise Refused(
            RefusalCode.TABLE_LIMITS,
            ("R-002", "R-003"),
            f"Base wager of {money_text(base)}: the table takes {money_text(rules.table_minimum)} "
            f"to {money_text(rules.table_maximum)}.",
        )
    check_unit("Base wager", base, rules.chip_unit)


def _check_mtd(rules: Rules, base: int, mtd: Mapping[str, int]) -> None:
    for name, amount in mtd.items():
        if name not in rules.mtd_wagers:
            raise mtd_not_offered(rules, name)
        _check_mtd_amount(rules, base, WAGER_TITLES[name], amount)
    if rules.down_requires_up and "down" in mtd and "up" not in mtd:
        raise Refused(
            RefusalCode.DOWN_REQUIRES_UP,
            ("R-025", "D-02"),
            "A Down Card wager needs an Up Card wager on the same hand: place that too.",
        )
    for name in rules.mtd_required:
        if name not in mtd:
            raise Refused(
                RefusalCode.MTD_REQUIRED,
                ("R-025",),
                f"The house requires a {WAGER_TITLES[name]}: place it.",
            )


def mtd_not_offered(rules: Rules, name: str) -> Refused:
    offered = ", ".join(WAGER_TITLES[offer] for offer in rules.mtd_wagers) or "none"
    return Refused(
        RefusalCode.MTD_NOT_OFFERED,
        ("R-015", "R-016", "R-017", "R-018"),
        f"{WAGER_TITLES.get(name) or shown(name)}: not offered here (offered: {offered}).",
    )


def _check_mtd_amount(rules: Rules, base: int, title: str, amount: int) -> None:
    highest = rules.mtd_maximum or rules.table_maximum
    if not rules.mtd_minimum <= amount <= highest:
        raise Refused(
            RefusalCode.MTD_LIMITS,
            ("R-024",),
            f"{title} of {money_text(amount)}: it is {money_text(rules.mtd_minimum)} "
            f"to {money_text(highest)} here.",
        )
    if rules.mtd_at_most_base and amount > base:
        raise Refused(
            RefusalCode.MTD_AT_MOST_BASE,
            ("R-024", "D-03"),
            f"{title} of {money_text(amount)}: it may not be above the base wager "
            f"of {money_text(base)}.",
        )
    check_unit(title, amount, rules.chip_unit)


def _check_jackpots(rules: Rules, jackpots: Mapping[int, int]) -> None:
    for game, amount in jackpots.items():
        if not is_whole_number(game) or not 1 <= game <= len(rules.jackpots):
            raise no_such_jackpot(rules, game)
        fixed = rules.jackpots[game - 1].wager
        if amount != fixed:
            raise Refused(
                RefusalCode.JACKPOT_WAGER_FIXED,
                ("R-082", "R-085"),
                f"Jackpot {game} wager of {money_text(amount)}: "
                f"it is fixed at {money_text(fixed)}.",
            )


def no_such_jackpot(rules: Rules, game: object) -> Refused:
    return Refused(
        RefusalCode.NO_SUCH_JACKPOT,
        ("R-082", "R-084"),
        f"Jackpot {shown(game)}: {_offered_games(len(rules.jackpots))}.",
    )


def _offered_games(games: int) -> str:
    if games == 0:
        return "this table offers no jackpot game"
    return "this table offers jackpot 1" + (" and 2" if games > 1 else "")
