"""Contradictions between options, each with its rule and a fix, and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from ventiuna.cards import SUIT_NAMES, Pack
from ventiuna.core.cards import TEN, best_total, rank_of
from ventiuna.core.rule_table import BONUS_ROWS, JACKPOTS, SUPER_BANDS
from ventiuna.money import Odds, money_text
from ventiuna.rules.compiled import suit_masks
from ventiuna.rules.data_files import FIXED_LINE_NAMES, jackpot_tables, limit_profiles, match_odds
from ventiuna.rules.model import (
    OPTIONS_BY_NAME,
    PLAIN_21,
    ROW_PARTS,
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
from ventiuna.rules.options import alternatives, did_you_mean, option_text

# --- Cards, dealer, blackjack and doubling ---

ALLOWED_DECKS = {
    Game.SPANISH_21: ((2, 4, 5, 6, 8), "R-008"),
    Game.SUPER_FUN_21: ((1, 2), "R-103"),
    Game.BLACKJACK: ((1, 2, 3, 4, 5, 6, 7, 8), "O-01"),
}
MIN_CUT_PERCENT = 10


def _problem(owner: Rules | Jackpot, field: str, rule: str, message: str, fix: str) -> Problem:
    """Return a problem with an option's value."""
    options = OPTIONS_BY_NAME if isinstance(owner, Rules) else ROW_PARTS[Jackpot]
    value = getattr(owner, field)
    text = "not set" if value is None else option_text(options[field], value)
    return Problem(field, text, rule, message, fix)


def check_cards(rules: Rules) -> Iterator[Problem]:
    decks, rule = ALLOWED_DECKS[rules.game]
    if rules.decks not in decks:
        names = alternatives(decks)
        message = f"{rules.game.words} is played with {names} decks"
        yield _problem(rules, "decks", rule, message, f"Use decks={names}.")
    expected = "spanish" if rules.game == Game.SPANISH_21 else "standard"
    if rules.pack != expected:
        rule = "R-007" if expected == "spanish" else "R-103"
        message = f"{rules.game.words} uses the {expected} pack"
        yield _problem(rules, "pack", rule, message, f"Use pack={expected}.")
    if 0 < rules.cut_card < MIN_CUT_PERCENT:
        message = f"at least {MIN_CUT_PERCENT}% of the shoe must be dealt before the cut card"
        fix = "Use a larger number, or 0 for the default."
        yield _problem(rules, "cut_card", "O-03", message, fix)


def check_play(rules: Rules) -> Iterator[Problem]:
    if (
        rules.blackjack_tie == BlackjackTie.PUSHES
        and rules.blackjack_paid != BlackjackPaid.AFTER_CHECK
    ):
        message = "a blackjack that is paid before the dealer's check can't push"
        fix = "Use blackjack_tie=wins or blackjack_paid=after_check."
        yield _problem(rules, "blackjack_tie", "R-029, R-030", message, fix)
    # A document that always offers double-double doesn't tie it to soft 17 (D-12).
    is_always_offered = dict(rules.origin.choices).get("double_double") == ("on",)
    if rules.double_double and rules.soft_17 == Soft17.STAND and not is_always_offered:
        message = "double-double down may be offered only if the dealer hits soft 17"
        fix = "Use double_double=off or soft_17=hit."
        yield _problem(rules, "double_double", "R-051", message, fix)
    if rules.double_double and rules.game == Game.SUPER_FUN_21:
        message = "a hand can be doubled only once in Super Fun 21"
        yield _problem(rules, "double_double", "R-107", message, "Use double_double=off.")
    forfeits = "surrender forfeits one of a doubled hand's two wagers, so"
    if rules.double_for_less and rules.surrender == Surrender.ANY_TIME:
        message = f"{forfeits} they must be equal"
        fix = "Use double_for_less=off or surrender=late."
        yield _problem(rules, "double_for_less", "R-107, R-110", message, fix)
    if rules.double_double and rules.surrender == Surrender.ANY_TIME:
        message = f"{forfeits} there can't be more"
        fix = "Use surrender=late or double_double=off."
        yield _problem(rules, "surrender", "R-110", message, fix)


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
    suited = _SUITS_OF_A_PACK if suits == "any" else len(named_suits(suits)) or 1
    return max(Counter(ranks).values()) <= decks * suited


def rank_total(ranks: tuple[int, ...]) -> int:
    return best_total(sum(min(rank, TEN) for rank in ranks), ranks.count(1))


def named_suits(suits: str) -> tuple[str, ...]:
    return tuple(word for word in suits.split(" ") if word in SUIT_NAMES)


@cache
def _reachable_hands(pack: Pack, decks: int) -> frozenset[tuple[int, int]]:
    """Return (number of cards, best total) of every possible hand up to 21."""
    found = {(0, 0, 0)}  # cards, hard total, aces
    # A hand can hold at most two ten-valued cards, and each rank has at least four cards. Aces come
    # last, because only they can give two hands with the same size and hard total different best
    # totals.
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
FORM_RULES = "R-067, R-068"


def check_bonuses(rules: Rules) -> Iterator[Problem]:
    rows = (*rules.instant_wins, *rules.bonus_21_rows())
    if len(rows) >= BONUS_ROWS:  # one row is reserved for a plain 21
        message = f"Bonus 21 and instant wins can have at most {BONUS_ROWS - 1} rows together"
        yield Problem("bonus_21", f"{len(rows)} rows", "", message, "Remove some rows.")
    for field, pay_rows in (("bonus_21", rules.bonus_21), ("instant_wins", rules.instant_wins)):
        for row in pay_rows:
            yield from _check_pay_row(field, row, rules.pack)
    for row in rules.instant_wins:
        if row.decks:
            message = "instant wins can't depend on the number of decks"
            fix = "Remove decks from the row."
            yield Problem("instant_wins", row.name, row.rule, message, fix)
    for name, count in Counter(row.name for row in rows).items():
        if count > 1:
            message = "two rows have this name, so their payments couldn't be told apart"
            yield Problem("bonus_21", name, "R-061", message, "Give each row a unique name.")
    if any(row.name == PLAIN_21 for row in rows):
        message = "this name is reserved for a 21 that pays even money"
        yield Problem("bonus_21", PLAIN_21, "R-040", message, "Rename the row.")
    yield from _check_super_bonus(rules)


def _check_pay_row(field: str, row: PayRow, pack: Pack) -> Iterator[Problem]:
    low, high = row.cards
    if not 2 <= low <= high or not row.total[0] <= row.total[1] <= 21:
        message = "a row needs two or more cards and a total of at most 21"
        yield Problem(field, row.name, row.rule, message, "Correct the row's cards and total.")
    elif wrong := why_unreachable(row, pack):
        rule = "R-007" if "tens" in wrong else row.rule
        message = f"no hand can win this row: {wrong}"
        fix = "Correct the row's ranks, suits, cards or total."
        yield Problem(field, row.name, rule, message, fix)


def _check_super_bonus(rules: Rules) -> Iterator[Problem]:
    bands = rules.super_bonus_bands
    rising = all(a.base_from < b.base_from for a, b in pairwise(bands))
    if not rising or len(bands) > SUPER_BANDS:
        message = f"there can be at most {SUPER_BANDS} bands, in rising order of base_from"
        fix = "Sort the rows, or remove some."
        yield Problem("super_bonus_bands", f"{len(bands)} bands", "R-069", message, fix)
    if rules.super_bonus and not bands:
        message = "the Super Bonus amounts are missing"
        fix = "Add rows with base_from and pay."
        yield Problem("super_bonus_bands", "none", "R-069", message, fix)
    for form in rules.super_bonus:
        for rule, message, fix in _check_form(form, rules.pack):
            yield Problem("super_bonus", form.hand, rule, message, fix)
    counts = [count for form in rules.super_bonus for count in form.decks]
    for count in sorted({count for count in counts if counts.count(count) > 1}):
        message = f"two rows apply to {count} decks"
        fix = "List each number of decks in one row only."
        yield Problem("super_bonus", f"decks {count}", FORM_RULES, message, fix)
    for form in rules.super_bonus:
        if not form.decks:
            message = "the row lists no decks, so nobody can win it"
            fix = "List the numbers of decks, such as [4, 5, 6, 8]."
            yield Problem("super_bonus", form.hand, FORM_RULES, message, fix)


def _check_form(form: SuperBonusForm, pack: Pack) -> Iterator[tuple[str, str, str]]:
    """Yield rule, message and fix for each problem of the hand."""
    if len(form.ranks) != SUPER_BONUS_CARDS:
        message = f"the Super Bonus is won with the first {SUPER_BONUS_CARDS} cards"
        yield FORM_RULES, message, f"Name {SUPER_BONUS_CARDS} ranks."
        return
    if pack == Pack.SPANISH and TEN in (*form.ranks, *map(rank_of, form.up_cards)):
        yield "R-007", "no hand can win it: the Spanish pack has no tens", "Name other cards."
    if len(named_suits(form.suits)) > SUPER_BONUS_CARDS:
        message = f"{SUPER_BONUS_CARDS} cards can't have four suits"
        yield FORM_RULES, message, "Name fewer suits."
    few = [decks for decks in form.decks if not has_copies(form.ranks, form.suits, decks)]
    if few:
        message = f"{alternatives(few)} decks don't have enough of these cards"
        yield FORM_RULES, message, "Remove these numbers from the row's decks."


# --- Match the Dealer ---


def check_match_the_dealer(rules: Rules) -> Iterator[Problem]:
    configuration = rules.mtd_configuration
    if configuration and (rules.game != Game.SPANISH_21 or rules.decks not in match_odds()):
        decks = alternatives(match_odds())
        message = f"Match the Dealer has odds only for Spanish 21 with {decks} decks"
        fix = "Use mtd_configuration=0."
        yield _problem(rules, "mtd_configuration", "R-022", message, fix)
    low, high = {3: (1, 4), 4: (1, 5)}.get(configuration, (0, 0))
    if not low <= rules.bonus_cards <= high:
        allowed = f"{low} to {high}" if high else "no"
        rule = {3: "R-017", 4: "R-018"}.get(configuration, "R-017, R-018")
        message = f"Match the Dealer configuration {configuration} has {allowed} Bonus Cards"
        fix = "Change bonus_cards or mtd_configuration."
        yield _problem(rules, "bonus_cards", rule, message, fix)
    if 0 < rules.mtd_maximum < rules.mtd_minimum:
        message = f"below mtd_minimum = {money_text(rules.mtd_minimum)}"
        fix = "Raise the maximum or lower the minimum."
        yield _problem(rules, "mtd_maximum", "R-024", message, fix)
    highest = rules.table_maximum if rules.mtd_at_most_base or not rules.mtd_maximum else None
    if configuration and highest is not None and rules.mtd_minimum > highest:
        largest = f"the largest Match the Dealer wager, {money_text(highest)}"
        message = f"above {largest}, which is the table maximum"
        fix = "Lower mtd_minimum or raise table_maximum."
        yield _problem(rules, "mtd_minimum", "R-024", message, fix)
    for name in rules.mtd_required:
        if name not in rules.mtd_wagers:
            message = "this wager isn't offered, so it can't be required"
            fix = f"Name any of: {', '.join(rules.mtd_wagers) or 'none'}."
            yield Problem("mtd_required", name, "R-025", message, fix)


# --- Jackpots ---

JACKPOT_WAGER_RANGE = (100, 2000)  # $1 to $20 (R-085, D-23)


def check_jackpots(rules: Rules) -> Iterator[Problem]:
    games = len(rules.jackpots)
    if games > JACKPOTS:
        message = "a layout can have at most two jackpot games"
        yield Problem("jackpots", f"{games} games", "R-084", message, "Remove some games.")
    if len({jackpot.kind for jackpot in rules.jackpots}) > 1:
        message = "a table can have progressive jackpots or house jackpots, not both"
        fix = "Give all jackpot games the same kind."
        yield Problem("jackpots", "progressive and house", "R-083", message, fix)
    for number, jackpot in enumerate(rules.jackpots, start=1):
        for problem in _check_jackpot(rules, jackpot):
            yield problem._replace(field=f"jackpots game {number} {problem.field}")


def _check_jackpot(rules: Rules, jackpot: Jackpot) -> Iterator[Problem]:
    low, high = JACKPOT_WAGER_RANGE
    if not low <= jackpot.wager <= high:
        message = f"the fixed jackpot wager must be from {money_text(low)} to {money_text(high)}"
        yield _problem(jackpot, "wager", "R-085", message, "Choose an amount in that range.")
    table = jackpot_tables().get(jackpot.table)
    if table is None:
        fix = did_you_mean(jackpot.table, jackpot_tables())
        yield _problem(jackpot, "table", "R-086", "no such jackpot table", fix)
        return
    if rules.game != Game.SPANISH_21 or rules.decks not in table.decks:
        message = (
            f"table {table.id} is for Spanish 21 with {alternatives(table.decks)} decks, "
            f"not for {rules.game.words} with {rules.decks}"
        )
        yield _problem(jackpot, "table", "R-086", message, _tables_fix(rules))
    if jackpot.pay_table not in table.pay_tables:
        message = f"table {table.id} has pay tables 1 to {len(table.pay_tables)}"
        yield _problem(jackpot, "pay_table", "R-086", message, "Choose one of these.")
    if jackpot.alternate and jackpot.alternate not in table.alternates:
        only = f"only alternate {alternatives(table.alternates)}"
        message = f"table {table.id} has {only if table.alternates else 'no alternate lines'}"
        fix = "Use alternate=0 or one that the table has."
        yield _problem(jackpot, "alternate", "R-093, R-094, D-26", message, fix)
        return
    special = table.special_lines(jackpot.alternate)
    if jackpot.prize is None and any(line.percent == 0 for line in special):
        message = "the table has a line that pays the operator's prize"
        fix = "Set prize to the dollars paid per $1 of wager."
        yield _problem(jackpot, "prize", "R-092, O-21", message, fix)
    if jackpot.kind == JackpotKind.HOUSE and jackpot.seed == 0:
        message = "a house jackpot needs a posted amount"
        yield _problem(jackpot, "seed", "R-097", message, "Set seed to the amount.")


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
        message = f"below table_minimum = {money_text(rules.table_minimum)}"
        fix = "Raise the maximum or lower the minimum."
        yield _problem(rules, "table_maximum", "R-003", message, fix)
    if rules.table_minimum == 0:
        yield _problem(rules, "table_minimum", "R-003", "must be above zero", "Raise it.")
    profile = limit_profiles().get(rules.limit_profile)
    if profile is None:
        fix = did_you_mean(rules.limit_profile, limit_profiles())
        yield _problem(rules, "limit_profile", "R-002, O-36", "no such limit profile", fix)
    elif profile.maximum_wager is not None:
        for field in ("table_maximum", "mtd_maximum"):
            if getattr(rules, field) > profile.maximum_wager:
                maximum = money_text(profile.maximum_wager)
                message = f"limit profile {profile.id} allows wagers up to {maximum}"
                fix = f"Lower {field} or choose another limit_profile (none means no limit)."
                yield _problem(rules, field, "R-002", message, fix)
    for field in ("table_minimum", "table_maximum", "mtd_minimum", "mtd_maximum"):
        if rules.chip_unit and getattr(rules, field) % rules.chip_unit:
            message = f"must be a multiple of chip_unit = {money_text(rules.chip_unit)}"
            yield _problem(rules, field, "O-18", message, "Choose a multiple.")


def check_whole_cents(rules: Rules) -> Iterator[Problem]:
    """Reject a chip unit that could make a payout end in a fraction of a cent (O-18)."""
    for field in ("chip_unit", "small_chip_unit"):
        if getattr(rules, field) == 0:
            yield _problem(rules, field, "O-18", "must be above zero", "Raise it.")
    on_base = [("a blackjack", rules.blackjack_pays), ("surrender", Odds(1, 2))]
    on_base.append(("an all-diamond blackjack", rules.diamond_blackjack_pays))
    on_base += [(row.name, row.pay) for row in (*rules.bonus_21, *rules.instant_wins)]
    yield from _check_fractions("chip_unit", rules.chip_unit, on_base)
    insured = [("insurance", rules.insurance_pays)]
    yield from _check_fractions("small_chip_unit", rules.small_chip_unit, insured)
    for number, jackpot in enumerate(rules.jackpots, start=1):
        table = jackpot_tables().get(jackpot.table)
        if table is None or jackpot.pay_table not in table.pay_tables:
            continue
        fixed = table.pay_tables[jackpot.pay_table].fixed
        pays = [(FIXED_LINE_NAMES[line], odds) for line, odds in fixed.items()]
        if jackpot.prize is not None:
            pays.append(("the operator's prize", Odds(jackpot.prize, 100, returns_stake=False)))
        yield from _check_fractions(f"jackpots game {number} wager", jackpot.wager, pays)


def _check_fractions(field: str, unit: int, pays: Iterable[tuple[str, Odds]]) -> Iterator[Problem]:
    """Report all payouts that could end in a fraction of a cent as one problem."""
    inexact = [f"{name} at {odds}" for name, odds in pays if not odds.is_exact_for(unit)]
    if inexact:
        message = f"some payouts could end in a fraction of a cent: {', '.join(inexact)}"
        fix = "Choose a larger unit that divides evenly."
        yield Problem(field, money_text(unit), "O-18", message, fix)


# --- Warnings ---

MAX_GAMES_PER_HAND = 6  # limit in the 2009 text


def find_warnings(rules: Rules) -> list[str]:
    """Return warnings about things that are allowed but worth knowing."""
    return list(_warnings(rules))


def _warnings(rules: Rules) -> Iterator[str]:
    games = 1 + len(rules.mtd_wagers) + len(rules.jackpots)
    if rules.limit_profile.startswith("wac") and games > MAX_GAMES_PER_HAND:
        yield (
            f"One hand can carry {games} wagers; WAC 230-15-040 (2009 text) allows at most "
            "six separate games per hand. It's unclear whether each Match the Dealer wager counts."
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if jackpot.kind == JackpotKind.PROGRESSIVE and jackpot.seed == 0:
            yield (
                f"Jackpot {number} has a seed of $0.00: after a 100% award the meter starts empty "
                "(O-19, O-20)."
            )
    yield from _rows_never_paid(rules)
    for band in rules.super_bonus_bands if rules.super_bonus_form() else ():
        if band.base_from > rules.table_maximum:
            yield (
                f"The Super Bonus of {money_text(band.pay)} needs a base wager of "
                f"{money_text(band.base_from)}, above the table maximum (R-069)."
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


def find_problems(rules: Rules) -> list[Problem]:
    return [
        *check_cards(rules),
        *check_play(rules),
        *check_bonuses(rules),
        *check_match_the_dealer(rules),
        *check_jackpots(rules),
        *check_limits(rules),
        *check_whole_cents(rules),
    ]
