"""Contradictions between options, each with its rule and a fix, and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from ventiuna.cards import SUIT_NAMES, Pack
from ventiuna.core.cards import TEN, rank_of
from ventiuna.core.hand import best_total
from ventiuna.core.rule_table import BONUS_ROWS, JACKPOTS, SUPER_BANDS
from ventiuna.money import Odds, money_text
from ventiuna.rules.compiled import suit_masks
from ventiuna.rules.data_files import FIXED_LINE_NAMES, jackpot_tables, limit_profiles, match_odds
from ventiuna.rules.model import (
    PLAIN_21,
    BlackjackPaid,
    BlackjackTie,
    Game,
    Jackpot,
    JackpotKind,
    PayRow,
    Problem,
    Rules,
    Soft17,
    SuperBonusForm,
    Surrender,
)
from ventiuna.rules.options import alternatives, did_you_mean

# --- Cards, dealer, blackjack and doubling ---

ALLOWED_DECKS = {
    Game.SPANISH_21: ((2, 4, 5, 6, 8), "R-008"),
    Game.SUPER_FUN_21: ((1, 2), "R-103"),
    Game.BLACKJACK: ((1, 2, 3, 4, 5, 6, 7, 8), "O-01"),
}
MIN_CUT_PERCENT = 10


def check_cards(rules: Rules) -> Iterator[Problem]:
    decks, rule = ALLOWED_DECKS[rules.game]
    if rules.decks not in decks:
        names = alternatives(decks)
        yield Problem(
            "decks",
            str(rules.decks),
            rule,
            f"{rules.game.words} is played with {names} decks",
            f"Use decks={names}.",
        )
    expected = "spanish" if rules.game == Game.SPANISH_21 else "standard"
    if rules.pack != expected:
        yield Problem(
            "pack",
            rules.pack,
            "R-007" if expected == "spanish" else "R-103",
            f"{rules.game.words} uses the {expected} pack",
            f"Use pack={expected}.",
        )
    if 0 < rules.cut_card < MIN_CUT_PERCENT:
        yield Problem(
            "cut_card",
            str(rules.cut_card),
            "O-03",
            f"at least {MIN_CUT_PERCENT}% of the shoe must be dealt before the cut card",
            "Use a larger number, or 0 for the default.",
        )


def check_blackjack(rules: Rules) -> Iterator[Problem]:
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


def check_doubling(rules: Rules) -> Iterator[Problem]:
    # A document that always offers double-double doesn't tie it to soft 17 (D-12).
    is_always_offered = dict(rules.origin.choices).get("double_double") == ("on",)
    if rules.double_double and rules.soft_17 == Soft17.STAND and not is_always_offered:
        yield Problem(
            "double_double",
            "on",
            "R-051",
            "double-double down may be offered only if the dealer hits soft 17",
            "Use double_double=off or soft_17=hit.",
        )
    if rules.double_double and rules.game == Game.SUPER_FUN_21:
        yield Problem(
            "double_double",
            "on",
            "R-107",
            "a hand can be doubled only once in Super Fun 21",
            "Use double_double=off.",
        )
    if rules.double_for_less and rules.surrender == Surrender.ANY_TIME:
        yield Problem(
            "double_for_less",
            "on",
            "R-107, R-110",
            "surrender forfeits one of a doubled hand's two wagers, so they must be equal",
            "Use double_for_less=off or surrender=late.",
        )
    if rules.double_double and rules.surrender == Surrender.ANY_TIME:
        yield Problem(
            "surrender",
            rules.surrender,
            "R-110",
            "surrender forfeits one of a doubled hand's two wagers, so there can't be more",
            "Use surrender=late or double_double=off.",
        )


# --- Possible hands: a row that no hand matches never pays ---

_SUITS_OF_A_PACK = 4
_MAX_DECKS = 8
_MAX_TOTAL = 21


def why_unreachable(row: PayRow, pack: Pack) -> str:
    """Explain why the row can never pay with any number of decks; "" if it can."""
    if pack == Pack.SPANISH and TEN in row.ranks:
        return "the Spanish pack has no tens"
    named = named_suits(row.suits)
    if len(named) > row.cards[1]:
        return f"{row.cards[1]} cards can't have {len(named)} suits"
    if not is_reachable(row, pack, _MAX_DECKS):
        if row.ranks:
            return f"its ranks add up to {rank_total(row.ranks)}"
        return "that many cards can't make that total"
    return ""


def is_reachable(row: PayRow, pack: Pack, decks: int) -> bool:
    """Return whether a hand from this many decks can match the row."""
    if row.ranks:
        fits = row.total[0] <= rank_total(row.ranks) <= row.total[1]
        return fits and has_copies(row.ranks, row.suits, decks)
    return any(
        row.cards[0] <= cards <= row.cards[1] and row.total[0] <= total <= row.total[1]
        for cards, total in _reachable_hands(pack, decks)
    )


def has_copies(ranks: tuple[int, ...], suits: str, decks: int) -> bool:
    """Return whether this many decks have enough cards of each rank in these suits."""
    return max(Counter(ranks).values()) <= decks * _number_of_suits(suits)


def rank_total(ranks: tuple[int, ...]) -> int:
    return best_total(sum(min(rank, TEN) for rank in ranks), ranks.count(1))


def named_suits(suits: str) -> tuple[str, ...]:
    return tuple(word for word in suits.split(" ") if word in SUIT_NAMES)


def _number_of_suits(suits: str) -> int:
    """Return the maximum number of suits among the cards of a row."""
    return _SUITS_OF_A_PACK if suits == "any" else len(named_suits(suits)) or 1


@cache
def _reachable_hands(pack: Pack, decks: int) -> frozenset[tuple[int, int]]:
    """Return (number of cards, best total) of every possible hand up to 21."""
    found = {(0, 0, 0)}  # cards, hard total, aces
    # A hand can hold at most two ten-valued cards, and each rank has at least four cards. Aces come
    # last: only they make hands with the same number of cards and the same total differ.
    for value in sorted({min(rank_of(card), TEN) for card in pack.cards}, reverse=True):
        is_ace = value == 1
        found = {
            (cards + more, hard + more * value, aces + more * is_ace)
            for cards, hard, aces in found
            for more in range(min(_SUITS_OF_A_PACK * decks, (_MAX_TOTAL - hard) // value) + 1)
        }
    return frozenset((cards, best_total(hard, aces)) for cards, hard, aces in found)


# --- Bonus 21, instant wins and Super Bonus ---

SUPER_BONUS_CARDS = 3


def check_bonuses(rules: Rules) -> Iterator[Problem]:
    yield from _check_number_of_rows(rules)
    for field, pay_rows in (("bonus_21", rules.bonus_21), ("instant_wins", rules.instant_wins)):
        for row in pay_rows:
            yield from _check_pay_row(field, row, rules.pack)
    yield from _check_instant_wins(rules)
    yield from _check_row_names(rules)
    yield from _check_bands(rules)
    for form in rules.super_bonus:
        yield from _check_super_bonus(form, rules.pack)
    yield from _check_super_bonus_decks(rules)


def _check_number_of_rows(rules: Rules) -> Iterator[Problem]:
    rows = len(rules.bonus_21_rows()) + len(rules.instant_wins)
    if rows >= BONUS_ROWS:  # one is reserved for a plain 21
        yield Problem(
            "bonus_21",
            f"{rows} rows",
            "",
            f"Bonus 21 and instant wins can have at most {BONUS_ROWS - 1} rows together",
            "Remove some rows.",
        )


def _check_pay_row(field: str, row: PayRow, pack: Pack) -> Iterator[Problem]:
    low, high = row.cards
    if not 2 <= low <= high or not row.total[0] <= row.total[1] <= 21:
        yield Problem(
            field,
            row.name,
            row.rule,
            "a row needs two or more cards and a total of at most 21",
            "Correct the row's cards and total.",
        )
    elif wrong := why_unreachable(row, pack):
        rule = "R-007" if "tens" in wrong else row.rule
        message = f"no hand can win this row: {wrong}"
        fix = "Correct the row's ranks, suits, cards or total."
        yield Problem(field, row.name, rule, message, fix)


def _check_instant_wins(rules: Rules) -> Iterator[Problem]:
    for row in rules.instant_wins:
        if row.decks:
            yield Problem(
                "instant_wins",
                row.name,
                row.rule,
                "instant wins can't depend on the number of decks",
                "Remove decks from the row.",
            )


def _check_row_names(rules: Rules) -> Iterator[Problem]:
    in_force = [row.name for row in (*rules.instant_wins, *rules.bonus_21_rows())]
    for name in dict.fromkeys(name for name in in_force if in_force.count(name) > 1):
        message = "two rows have this name, so their payments couldn't be told apart"
        yield Problem("bonus_21", name, "R-061", message, "Give each row a unique name.")
    if PLAIN_21 in in_force:
        message = "this name is reserved for a 21 that pays even money"
        yield Problem("bonus_21", PLAIN_21, "R-040", message, "Rename the row.")


def _check_bands(rules: Rules) -> Iterator[Problem]:
    bands = rules.super_bonus_bands
    rising = all(a.base_from < b.base_from for a, b in pairwise(bands))
    if not rising or len(bands) > SUPER_BANDS:
        yield Problem(
            "super_bonus_bands",
            f"{len(bands)} bands",
            "R-069",
            f"there can be at most {SUPER_BANDS} bands, in rising order of base_from",
            "Sort the rows, or remove some.",
        )
    if rules.super_bonus and not bands:
        yield Problem(
            "super_bonus_bands",
            "none",
            "R-069",
            "the amounts of the Super Bonus are missing",
            "Add rows with base_from and pay.",
        )


def _check_super_bonus(form: SuperBonusForm, pack: Pack) -> Iterator[Problem]:
    if len(form.ranks) != SUPER_BONUS_CARDS:
        yield Problem(
            "super_bonus",
            form.hand,
            "R-067, R-068",
            f"the Super Bonus is won with the first {SUPER_BONUS_CARDS} cards",
            f"Name {SUPER_BONUS_CARDS} ranks.",
        )
        return
    if pack == Pack.SPANISH and TEN in (*form.ranks, *map(rank_of, form.up_cards)):
        message = "no hand can win it: the Spanish pack has no tens"
        yield Problem("super_bonus", form.hand, "R-007", message, "Name other cards.")
    if len(named_suits(form.suits)) > SUPER_BONUS_CARDS:
        message = f"{SUPER_BONUS_CARDS} cards can't have four suits"
        yield Problem("super_bonus", form.hand, "R-067, R-068", message, "Name fewer suits.")
    few = [decks for decks in form.decks if not has_copies(form.ranks, form.suits, decks)]
    if few:
        message = f"{alternatives(few)} decks don't have enough of these cards"
        fix = "Remove these numbers from the row's decks."
        yield Problem("super_bonus", form.hand, "R-067, R-068", message, fix)


def _check_super_bonus_decks(rules: Rules) -> Iterator[Problem]:
    """Check that at most one row applies to each number of decks, and each row to at least one."""
    counts = [count for form in rules.super_bonus for count in form.decks]
    for count in sorted({count for count in counts if counts.count(count) > 1}):
        message = f"two rows apply to {count} decks"
        fix = "List each number of decks in one row only."
        yield Problem("super_bonus", f"decks {count}", "R-067, R-068", message, fix)
    for form in rules.super_bonus:
        if not form.decks:
            message = "the row lists no decks, so nobody can win it"
            fix = "List the numbers of decks, such as [4, 5, 6, 8]."
            yield Problem("super_bonus", form.hand, "R-067, R-068", message, fix)


# --- Match the Dealer ---


def check_match_the_dealer(rules: Rules) -> Iterator[Problem]:
    configuration = rules.mtd_configuration
    if configuration and (rules.game != Game.SPANISH_21 or rules.decks not in match_odds()):
        decks = alternatives(match_odds())
        yield Problem(
            "mtd_configuration",
            str(configuration),
            "R-022",
            f"Match the Dealer has odds only for Spanish 21 with {decks} decks",
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
            f"below mtd_minimum = {money_text(rules.mtd_minimum)}",
            "Raise the maximum or lower the minimum.",
        )
    highest = rules.table_maximum if rules.mtd_at_most_base or not rules.mtd_maximum else None
    if configuration and highest is not None and rules.mtd_minimum > highest:
        yield Problem(
            "mtd_minimum",
            money_text(rules.mtd_minimum),
            "R-024",
            f"above the largest Match the Dealer wager, {money_text(highest)}, "
            "which is the table maximum",
            "Lower mtd_minimum or raise table_maximum.",
        )
    for name in rules.mtd_required:
        if name not in rules.mtd_wagers:
            yield Problem(
                "mtd_required",
                name,
                "R-025",
                "this wager isn't offered, so it can't be required",
                f"Name any of: {', '.join(rules.mtd_wagers) or 'none'}.",
            )


# --- Jackpots ---

JACKPOT_WAGER_RANGE = (100, 2000)  # $1 to $20 (R-085, D-23)


def check_jackpots(rules: Rules) -> Iterator[Problem]:
    if len(rules.jackpots) > JACKPOTS:
        yield Problem(
            "jackpots",
            f"{len(rules.jackpots)} games",
            "R-084",
            "a layout can have at most two jackpot games",
            "Remove some games.",
        )
    if len({jackpot.kind for jackpot in rules.jackpots}) > 1:
        yield Problem(
            "jackpots",
            "progressive and house",
            "R-083",
            "a table can have progressive jackpots or house jackpots, not both",
            "Give all jackpot games the same kind.",
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _check_jackpot(rules, f"jackpots game {number}", jackpot)


def _check_jackpot(rules: Rules, place: str, jackpot: Jackpot) -> Iterator[Problem]:
    low, high = JACKPOT_WAGER_RANGE
    if not low <= jackpot.wager <= high:
        yield Problem(
            f"{place} wager",
            money_text(jackpot.wager),
            "R-085",
            f"the fixed jackpot wager must be from {money_text(low)} to {money_text(high)}",
            "Choose an amount in that range.",
        )
    table = jackpot_tables().get(jackpot.table)
    if table is None:
        yield Problem(
            f"{place} table",
            jackpot.table,
            "R-086",
            "no such jackpot table",
            did_you_mean(jackpot.table, jackpot_tables()),
        )
        return
    if rules.game != Game.SPANISH_21 or rules.decks not in table.decks:
        yield Problem(
            f"{place} table",
            jackpot.table,
            "R-086",
            f"table {table.id} is for Spanish 21 with {alternatives(table.decks)} decks, "
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
        sets = "no alternate lines"
        if table.alternates:
            sets = f"only alternate {alternatives(tuple(table.alternates))}"
        yield Problem(
            f"{place} alternate",
            str(jackpot.alternate),
            "R-093, R-094, D-26",
            f"table {table.id} has {sets}",
            "Use alternate=0 or one that the table has.",
        )
        return
    special = table.special_lines(jackpot.alternate)
    if jackpot.prize is None and any(line.percent == 0 for line in special):
        yield Problem(
            f"{place} prize",
            "not set",
            "R-092, O-21",
            "the table has a line that pays the operator's prize",
            "Set prize to the dollars paid per $1 of wager.",
        )
    if jackpot.kind == JackpotKind.HOUSE and jackpot.seed == 0:
        yield Problem(
            f"{place} seed",
            money_text(jackpot.seed),
            "R-097",
            "a house jackpot needs a posted amount",
            "Set seed to the amount.",
        )


def _tables_fix(rules: Rules) -> str:
    # The casino card's own table isn't available under the approved rules.
    fitting = [
        table.id
        for table in jackpot_tables().values()
        if rules.decks in table.decks and table.rule != "R-099"
    ]
    if rules.game != Game.SPANISH_21 or not fitting:
        return "Offer no jackpot."
    return f"Use table {' or '.join(fitting)}."


# --- Limits, and payouts in whole cents ---


def check_limits(rules: Rules) -> Iterator[Problem]:
    if rules.table_maximum < rules.table_minimum:
        yield Problem(
            "table_maximum",
            money_text(rules.table_maximum),
            "R-003",
            f"below table_minimum = {money_text(rules.table_minimum)}",
            "Raise the maximum or lower the minimum.",
        )
    if rules.table_minimum == 0:
        yield Problem("table_minimum", "$0.00", "R-003", "must be above zero", "Raise it.")
    profile = limit_profiles().get(rules.limit_profile)
    if profile is None:
        yield Problem(
            "limit_profile",
            rules.limit_profile,
            "R-002, O-36",
            "no such limit profile",
            did_you_mean(rules.limit_profile, limit_profiles()),
        )
    elif profile.maximum_wager is not None:
        for field in ("table_maximum", "mtd_maximum"):
            limit: int = getattr(rules, field)
            if limit > profile.maximum_wager:
                maximum = money_text(profile.maximum_wager)
                yield Problem(
                    field,
                    money_text(limit),
                    "R-002",
                    f"limit profile {profile.id} allows wagers up to {maximum}",
                    f"Lower {field} or choose another limit_profile (none: no regulator's limit).",
                )
    for field in ("table_minimum", "table_maximum", "mtd_minimum", "mtd_maximum"):
        amount: int = getattr(rules, field)
        if rules.chip_unit and amount % rules.chip_unit:
            yield Problem(
                field,
                money_text(amount),
                "O-18",
                f"must be a multiple of chip_unit = {money_text(rules.chip_unit)}",
                "Choose a multiple.",
            )


def check_whole_cents(rules: Rules) -> Iterator[Problem]:
    """Refuse a chip unit with which a payout could end in a fraction of a cent (O-18)."""
    for field in ("chip_unit", "small_chip_unit"):
        if getattr(rules, field) == 0:
            yield Problem(field, "$0.00", "O-18", "must be above zero", "Raise it.")
    on_base = [("a blackjack", rules.blackjack_pays), ("surrender", Odds(1, 2))]
    on_base.append(("an all-diamond blackjack", rules.diamond_blackjack_pays))
    on_base += [(row.name, row.pay) for row in (*rules.bonus_21, *rules.instant_wins)]
    yield from _check_fractions("chip_unit", rules.chip_unit, on_base)
    yield from _check_fractions(
        "small_chip_unit", rules.small_chip_unit, [("insurance", rules.insurance_pays)]
    )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield from _check_jackpot_cents(f"jackpots game {number} wager", jackpot)


def _check_fractions(field: str, unit: int, pays: Iterable[tuple[str, Odds]]) -> Iterator[Problem]:
    """Report all payouts that could end in a fraction of a cent as one problem."""
    inexact = [f"{name} at {odds}" for name, odds in pays if not odds.is_exact_for(unit)]
    if inexact:
        yield Problem(
            field,
            money_text(unit),
            "O-18",
            f"some payouts could end in a fraction of a cent: {', '.join(inexact)}",
            "Choose a larger unit that divides evenly.",
        )


def _check_jackpot_cents(place: str, jackpot: Jackpot) -> Iterator[Problem]:
    table = jackpot_tables().get(jackpot.table)
    if table is None or jackpot.pay_table not in table.pay_tables:
        return
    pays = [
        (FIXED_LINE_NAMES[line], odds)
        for line, odds in table.pay_tables[jackpot.pay_table].fixed.items()
    ]
    if jackpot.prize is not None:
        pays.append(("the operator's prize", Odds(jackpot.prize, 100, returns_stake=False)))
    yield from _check_fractions(place, jackpot.wager, pays)


# --- Warnings ---

MAX_GAMES_PER_HAND = 6  # per hand, in the 2009 text


def find_warnings(rules: Rules) -> list[str]:
    """Return warnings about things that are allowed but worth knowing."""
    return [
        *_too_many_games(rules),
        *_empty_meters(rules),
        *_rows_never_paid(rules),
        *_bands_never_paid(rules),
    ]


def _too_many_games(rules: Rules) -> Iterator[str]:
    games = 1 + len(rules.mtd_wagers) + len(rules.jackpots)
    if rules.limit_profile.startswith("wac") and games > MAX_GAMES_PER_HAND:
        yield (
            f"One hand can carry {games} wagers; WAC 230-15-040 (2009 text) allows at most "
            "six separate games per hand. It's unclear whether each Match the Dealer wager counts."
        )


def _empty_meters(rules: Rules) -> Iterator[str]:
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if jackpot.kind == JackpotKind.PROGRESSIVE and jackpot.seed == 0:
            yield (
                f"Jackpot {number} has a seed of $0.00: after a 100% award the meter starts empty "
                "(O-19, O-20)."
            )


def _rows_never_paid(rules: Rules) -> Iterator[str]:
    """Report rows that need more cards than these decks have, or that an earlier row preempts."""
    before: list[PayRow] = []
    for row in (*rules.instant_wins, *rules.bonus_21_rows()):
        if not is_reachable(row, rules.pack, rules.decks):
            decks = f"{rules.decks} deck{'s' if rules.decks > 1 else ''}"
            yield f'The row "{row.name}" is never paid: {decks} can\'t make such a hand (R-064).'
        for other in before:
            if _covers(other, row):
                yield (
                    f'The row "{row.name}" is never paid: "{other.name}" comes first and covers '
                    "every such hand (R-061)."
                )
                break
        before.append(row)


def _covers(row: PayRow, other: PayRow) -> bool:
    """Return whether every hand that matches the other row also matches this one."""
    return (
        row.cards[0] <= other.cards[0]
        and other.cards[1] <= row.cards[1]
        and row.total[0] <= other.total[0]
        and other.total[1] <= row.total[1]
        and row.ranks in ((), other.ranks)
        and suit_masks(other.suits) & ~suit_masks(row.suits) == 0
        and (row.after_split or not other.after_split)
    )


def _bands_never_paid(rules: Rules) -> Iterator[str]:
    if rules.super_bonus_form() is None:
        return
    for band in rules.super_bonus_bands:
        if band.base_from > rules.table_maximum:
            yield (
                f"The Super Bonus of {money_text(band.pay)} needs a base wager of "
                f"{money_text(band.base_from)}, above the table maximum (R-069)."
            )


def find_problems(rules: Rules) -> list[Problem]:
    return [
        *check_cards(rules),
        *check_blackjack(rules),
        *check_doubling(rules),
        *check_bonuses(rules),
        *check_match_the_dealer(rules),
        *check_jackpots(rules),
        *check_limits(rules),
        *check_whole_cents(rules),
    ]
