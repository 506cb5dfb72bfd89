"""Contradictions between options: every one is found, each with its rule and a fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from ventiuna.core.table import BONUS_ROWS, JACKPOTS, SUPER_BANDS
from ventiuna.money import Odds, money_text
from ventiuna.rules.data import FIXED_LINE_NAMES, jackpot_tables, limit_profiles, match_odds
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import (
    BlackjackPaid,
    BlackjackTie,
    Game,
    Jackpot,
    JackpotKind,
    PayRow,
    Rules,
    Soft17,
    Surrender,
)
from ventiuna.rules.values import did_you_mean

DECKS = {
    Game.SPANISH_21: ((2, 4, 5, 6, 8), "R-008"),
    Game.SUPER_FUN_21: ((1, 2), "R-103"),
    Game.BLACKJACK: ((1, 2, 3, 4, 5, 6, 7, 8), "O-01"),
}
JACKPOT_WAGER = (100, 2000)  # $1 to $20 (R-085, D-23)
SMALLEST_CUT = 10
SUPER_BONUS_CARDS = 3


def find_problems(rules: Rules) -> list[Problem]:
    return [
        *_cards(rules),
        *_blackjack(rules),
        *_doubling(rules),
        *_bonuses(rules),
        *_match_the_dealer(rules),
        *_jackpots(rules),
        *_limits(rules),
        *_whole_cents(rules),
    ]


def _cards(rules: Rules) -> Iterator[Problem]:
    decks, rule = DECKS[rules.game]
    if rules.decks not in decks:
        names = _or(decks)
        yield Problem(
            "decks",
            str(rules.decks),
            rule,
            f"{rules.game.words} is played with {names} decks",
            f"Use decks={names}.",
        )
    wanted = "spanish" if rules.game == Game.SPANISH_21 else "standard"
    if rules.pack != wanted:
        yield Problem(
            "pack",
            rules.pack,
            "R-007" if wanted == "spanish" else "R-103",
            f"{rules.game.words} uses the {wanted} pack",
            f"Use pack={wanted}.",
        )
    if 0 < rules.cut_card < SMALLEST_CUT:
        yield Problem(
            "cut_card",
            str(rules.cut_card),
            "O-03",
            f"the cut card lies behind at least {SMALLEST_CUT} % of the shoe",
            "Use 0 for the usual place or a larger number.",
        )


def _blackjack(rules: Rules) -> Iterator[Problem]:
    if (
        rules.blackjack_tie == BlackjackTie.PUSHES
        and rules.blackjack_paid != BlackjackPaid.AFTER_CHECK
    ):
        yield Problem(
            "blackjack_tie",
            rules.blackjack_tie,
            "R-029, R-030",
            "a blackjack that is paid before the dealer's check can't push",
            "Use blackjack_tie=wins or blackjack_paid=after_check.",
        )


def _or(numbers: tuple[int, ...]) -> str:
    words = [str(number) for number in numbers]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def _doubling(rules: Rules) -> Iterator[Problem]:
    if rules.double_double and rules.soft_17 == Soft17.STAND:
        yield Problem(
            "double_double",
            "on",
            "R-051",
            "double-double down may be offered only where the dealer hits soft 17",
            "Use double_double=off or soft_17=hit.",
        )
    if rules.double_double and rules.game == Game.SUPER_FUN_21:
        yield Problem(
            "double_double",
            "on",
            "R-107",
            "Super Fun 21 has no second doubling",
            "Use double_double=off.",
        )
    if rules.double_for_less and rules.surrender == Surrender.ANY_TIME:
        yield Problem(
            "double_for_less",
            "on",
            "R-107, R-110",
            "surrender of a doubled hand gives up one of two equal bets",
            "Use double_for_less=off or surrender=late.",
        )
    if rules.double_double and rules.surrender == Surrender.ANY_TIME:
        yield Problem(
            "surrender",
            rules.surrender,
            "R-110",
            "a hand doubled more than once can't be surrendered for one of two bets",
            "Use surrender=late or double_double=off.",
        )


def _bonuses(rules: Rules) -> Iterator[Problem]:
    rows = len(rules.bonus_21_rows()) + len(rules.instant_wins)
    if rows >= BONUS_ROWS:
        yield Problem(
            "bonus_21",
            f"{rows} rows",
            "",
            f"there may be at most {BONUS_ROWS - 1} rows of Bonus 21 and instant wins",
            "Take rows out.",
        )
    for field, pay_rows in (("bonus_21", rules.bonus_21), ("instant_wins", rules.instant_wins)):
        for row in pay_rows:
            yield from _pay_row(field, row)
    in_force = [row.name for row in (*rules.instant_wins, *rules.bonus_21_rows())]
    for name in dict.fromkeys(name for name in in_force if in_force.count(name) > 1):
        message = "two rows have this name, so a payment could not say which it is"
        yield Problem("bonus_21", name, "R-061", message, "Give each row a name of its own.")
    bands = rules.super_bonus_bands
    rising = all(a.base_from < b.base_from for a, b in pairwise(bands))
    if not rising or len(bands) > SUPER_BANDS:
        yield Problem(
            "super_bonus_bands",
            f"{len(bands)} bands",
            "R-069",
            f"bands of the base wager rise from row to row, at most {SUPER_BANDS} of them",
            "Sort the rows by base_from.",
        )
    for form in rules.super_bonus:
        if len(form.ranks) != SUPER_BONUS_CARDS:
            yield Problem(
                "super_bonus",
                form.hand,
                "R-067, R-068",
                f"the Super Bonus is won by the first {SUPER_BONUS_CARDS} cards",
                f"Name {SUPER_BONUS_CARDS} ranks.",
            )
    if rules.super_bonus and not bands:
        yield Problem(
            "super_bonus_bands",
            "none",
            "R-069",
            "a Super Bonus needs its amounts",
            "Add rows with base_from and pay.",
        )


def _pay_row(field: str, row: PayRow) -> Iterator[Problem]:
    low, high = row.cards
    if not 2 <= low <= high or not row.total[0] <= row.total[1] <= 21:
        yield Problem(
            field,
            row.name,
            row.rule,
            "a row needs two or more cards and a total of at most 21",
            "Correct cards and total of the row.",
        )


def _match_the_dealer(rules: Rules) -> Iterator[Problem]:
    configuration = rules.mtd_configuration
    if configuration and (rules.game != Game.SPANISH_21 or rules.decks not in match_odds()):
        yield Problem(
            "mtd_configuration",
            str(configuration),
            "R-022",
            f"Match the Dealer has odds for Spanish 21 with {_or(tuple(match_odds()))} decks only",
            "Use mtd_configuration=0.",
        )
    low, high = {3: (1, 4), 4: (1, 5)}.get(configuration, (0, 0))
    if not low <= rules.bonus_cards <= high:
        allowed = f"{low} to {high}" if high else "no"
        yield Problem(
            "bonus_cards",
            str(rules.bonus_cards),
            {3: "R-017", 4: "R-018"}.get(configuration, "R-017, R-018"),
            f"Match the Dealer configuration {configuration} has {allowed} Bonus Cards",
            "Change bonus_cards or mtd_configuration.",
        )
    if 0 < rules.mtd_maximum < rules.mtd_minimum:
        yield Problem(
            "mtd_maximum",
            money_text(rules.mtd_maximum),
            "R-024",
            f"it is below mtd_minimum = {money_text(rules.mtd_minimum)}",
            "Raise the maximum or lower the minimum.",
        )
    highest = rules.table_maximum if rules.mtd_at_most_base or not rules.mtd_maximum else None
    if configuration and highest is not None and rules.mtd_minimum > highest:
        yield Problem(
            "mtd_minimum",
            money_text(rules.mtd_minimum),
            "R-024",
            f"no wager can reach it: Match the Dealer wagers end at {money_text(highest)}, "
            "the table maximum",
            "Lower mtd_minimum or raise table_maximum.",
        )
    for name in rules.mtd_required:
        if name not in rules.mtd_wagers:
            yield Problem(
                "mtd_required",
                name,
                "R-025",
                "this Match the Dealer wager is not offered, so it can't be required",
                f"Name any of: {', '.join(rules.mtd_wagers) or 'none'}.",
            )


def _jackpots(rules: Rules) -> Iterator[Problem]:
    if len(rules.jackpots) > JACKPOTS:
        yield Problem(
            "jackpots",
            f"{len(rules.jackpots)} games",
            "R-084",
            "a layout has at most two jackpot games",
            "Take games out.",
        )
    if len({jackpot.kind for jackpot in rules.jackpots}) > 1:
        yield Problem(
            "jackpots",
            "progressive and house",
            "R-083",
            "a table runs either progressive jackpots or house jackpots, not both",
            "Give all jackpot games the same kind.",
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _jackpot(rules, f"jackpots game {number}", jackpot)


def _jackpot(rules: Rules, place: str, jackpot: Jackpot) -> Iterator[Problem]:
    low, high = JACKPOT_WAGER
    if not low <= jackpot.wager <= high:
        yield Problem(
            f"{place} wager",
            money_text(jackpot.wager),
            "R-085",
            f"the fixed jackpot wager is from {money_text(low)} to {money_text(high)}",
            "Choose an amount in that range.",
        )
    table = jackpot_tables().get(jackpot.table)
    if table is None:
        yield Problem(
            f"{place} table",
            jackpot.table,
            "R-086",
            "there is no such jackpot table",
            did_you_mean(jackpot.table, jackpot_tables()),
        )
        return
    if rules.game != Game.SPANISH_21 or rules.decks not in table.decks:
        yield Problem(
            f"{place} table",
            jackpot.table,
            "R-086",
            f"table {table.id} is for Spanish 21 with {_or(table.decks)} decks, "
            f"not for {rules.game.words} with {rules.decks}",
            _tables_fix(rules),
        )
    if jackpot.pay_table not in table.pay_tables:
        yield Problem(
            f"{place} pay_table",
            str(jackpot.pay_table),
            "R-086",
            f"table {table.id} has pay tables 1 to {len(table.pay_tables)}",
            "Choose one of these.",
        )
    if jackpot.alternate and jackpot.alternate not in table.alternates:
        sets = "no alternate set of lines"
        if table.alternates:
            sets = f"alternate {_or(tuple(table.alternates))}"
        yield Problem(
            f"{place} alternate",
            str(jackpot.alternate),
            "R-093, R-094, D-26",
            f"table {table.id} has {sets}",
            "Use alternate=0 or a set that the table has.",
        )
        return
    special = table.special_lines(jackpot.alternate)
    if jackpot.prize is None and any(line.percent == 0 for line in special):
        yield Problem(
            f"{place} prize",
            "not set",
            "R-092, O-21",
            "the table has a line that pays the operator's prize",
            "Set prize to dollars for $1 of wager.",
        )
    if jackpot.kind == JackpotKind.HOUSE and jackpot.seed == 0:
        yield Problem(
            f"{place} seed",
            money_text(jackpot.seed),
            "R-097",
            "a house jackpot needs its posted amount",
            "Set seed to the amount.",
        )


def _tables_fix(rules: Rules) -> str:
    # The casino card's own table is no choice of the approved rules.
    fitting = [
        table.id
        for table in jackpot_tables().values()
        if rules.decks in table.decks and table.rule != "R-099"
    ]
    if rules.game != Game.SPANISH_21 or not fitting:
        return "Offer no jackpot."
    return f"Use table {' or '.join(fitting)}."


def _limits(rules: Rules) -> Iterator[Problem]:
    if rules.table_maximum < rules.table_minimum:
        yield Problem(
            "table_maximum",
            money_text(rules.table_maximum),
            "R-003",
            f"it is below table_minimum = {money_text(rules.table_minimum)}",
            "Raise the maximum or lower the minimum.",
        )
    if rules.table_minimum == 0:
        yield Problem("table_minimum", "$0.00", "R-003", "a wager is above zero", "Raise it.")
    profile = limit_profiles().get(rules.limit_profile)
    if profile is None:
        yield Problem(
            "limit_profile",
            rules.limit_profile,
            "R-002, O-36",
            "there is no such limit profile",
            did_you_mean(rules.limit_profile, limit_profiles()),
        )
    elif profile.maximum_wager is not None:
        for field in ("table_maximum", "mtd_maximum"):
            limit: int = getattr(rules, field)
            if limit > profile.maximum_wager:
                most = money_text(profile.maximum_wager)
                yield Problem(
                    field,
                    money_text(limit),
                    "R-002",
                    f"limit profile {profile.id} allows wagers up to {most}",
                    f"Lower {field} or name another limit_profile (none: no regulator's limit).",
                )
    for field in ("table_minimum", "table_maximum", "mtd_minimum", "mtd_maximum"):
        amount: int = getattr(rules, field)
        if rules.chip_unit and amount % rules.chip_unit:
            yield Problem(
                field,
                money_text(amount),
                "O-18",
                f"wagers are multiples of chip_unit = {money_text(rules.chip_unit)}",
                "Choose a multiple.",
            )


def _whole_cents(rules: Rules) -> Iterator[Problem]:
    """Every pay must come out in whole cents, so a chip unit that could not is refused (O-18)."""
    for field in ("chip_unit", "small_chip_unit"):
        if getattr(rules, field) == 0:
            yield Problem(field, "$0.00", "O-18", "a chip unit is above zero", "Raise it.")
    on_base = [("a blackjack", rules.blackjack_pays), ("surrender", Odds(1, 2))]
    on_base.append(("a blackjack in diamonds", rules.diamond_blackjack_pays))
    on_base += [(row.name, row.pay) for row in (*rules.bonus_21, *rules.instant_wins)]
    yield from _fractions("chip_unit", rules.chip_unit, on_base)
    yield from _fractions(
        "small_chip_unit", rules.small_chip_unit, [("insurance", rules.insurance_pays)]
    )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _jackpot_cents(f"jackpots game {number} wager", jackpot)


def _fractions(field: str, unit: int, pays: Iterable[tuple[str, Odds]]) -> Iterator[Problem]:
    """One problem for all pays that could end in a fraction of a cent."""
    inexact = [f"{name} at {odds}" for name, odds in pays if not odds.is_exact_for(unit)]
    if inexact:
        yield Problem(
            field,
            money_text(unit),
            "O-18",
            f"a fraction of a cent could come of {', '.join(inexact)}",
            "Choose a larger unit that divides evenly.",
        )


def _jackpot_cents(place: str, jackpot: Jackpot) -> Iterator[Problem]:
    table = jackpot_tables().get(jackpot.table)
    if table is None or jackpot.pay_table not in table.pay_tables:
        return
    pays = [
        (FIXED_LINE_NAMES[line], odds)
        for line, odds in table.pay_tables[jackpot.pay_table].fixed.items()
    ]
    if jackpot.prize is not None:
        pays.append(("the operator's prize", Odds(jackpot.prize, 100, returns_stake=False)))
    yield from _fractions(place, jackpot.wager, pays)


def find_warnings(rules: Rules) -> list[str]:
    """What the rules allow but somebody ought to know."""
    warnings = []
    games = 1 + len(rules.mtd_wagers) + len(rules.jackpots)
    if rules.limit_profile.startswith("wac") and games > 6:
        warnings.append(
            f"{games} wagers may ride on one hand; WAC 230-15-040 (2009 text) speaks of at most "
            "six separate games with one hand. Whether each Match the Dealer wager counts is open."
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if jackpot.kind == JackpotKind.PROGRESSIVE and jackpot.seed == 0:
            warnings.append(
                f"Jackpot {number} has a seed of $0.00: after a 100 % award the meter starts empty "
                "(O-19, O-20)."
            )
    return warnings
