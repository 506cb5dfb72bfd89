"""Contradictions of Bonus 21, instant wins and the Super Bonus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ventiuna.cards import Pack
from ventiuna.core.cards import TEN, rank_of
from ventiuna.core.table import BONUS_ROWS, SUPER_BANDS
from ventiuna.rules.check.reach import has_copies, named_suits, wrong_part
from ventiuna.rules.errors import Problem
from ventiuna.rules.model import PLAIN_21, PayRow, Rules, SuperBonusForm
from ventiuna.rules.values import alternatives

SUPER_BONUS_CARDS = 3


def bonuses(rules: Rules) -> Iterator[Problem]:
    yield from _number_of_rows(rules)
    for field, pay_rows in (("bonus_21", rules.bonus_21), ("instant_wins", rules.instant_wins)):
        for row in pay_rows:
            yield from _pay_row(field, row, rules.pack)
    yield from _instant_wins(rules)
    yield from _names(rules)
    yield from _bands(rules)
    for form in rules.super_bonus:
        yield from _super_bonus(form, rules.pack)
    yield from _super_bonus_decks(rules)


def _number_of_rows(rules: Rules) -> Iterator[Problem]:
    rows = len(rules.bonus_21_rows()) + len(rules.instant_wins)
    if rows >= BONUS_ROWS:  # one is left for a plain 21
        yield Problem(
            "bonus_21",
            f"{rows} rows",
            "",
            f"there may be at most {BONUS_ROWS - 1} rows of Bonus 21 and instant wins",
            "Take rows out.",
        )


def _pay_row(field: str, row: PayRow, pack: Pack) -> Iterator[Problem]:
    low, high = row.cards
    if not 2 <= low <= high or not row.total[0] <= row.total[1] <= 21:
        yield Problem(
            field,
            row.name,
            row.rule,
            "a row needs two or more cards and a total of at most 21",
            "Correct cards and total of the row.",
        )
    elif wrong := wrong_part(row, pack):
        rule = "R-007" if "tens" in wrong else row.rule
        message = f"no hand can ever win this row: {wrong}"
        fix = "Correct ranks, suits, cards or total of the row."
        yield Problem(field, row.name, rule, message, fix)


def _instant_wins(rules: Rules) -> Iterator[Problem]:
    for row in rules.instant_wins:
        if row.decks:
            yield Problem(
                "instant_wins",
                row.name,
                row.rule,
                "an instant win is paid with any number of decks",
                "Leave decks out of the row.",
            )


def _names(rules: Rules) -> Iterator[Problem]:
    in_force = [row.name for row in (*rules.instant_wins, *rules.bonus_21_rows())]
    for name in dict.fromkeys(name for name in in_force if in_force.count(name) > 1):
        message = "two rows have this name, so a payment could not say which it is"
        yield Problem("bonus_21", name, "R-061", message, "Give each row a name of its own.")
    if PLAIN_21 in in_force:
        message = "a 21 that wins even money has this name in payments"
        yield Problem("bonus_21", PLAIN_21, "R-040", message, "Give the row a name of its own.")


def _bands(rules: Rules) -> Iterator[Problem]:
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
    if rules.super_bonus and not bands:
        yield Problem(
            "super_bonus_bands",
            "none",
            "R-069",
            "a Super Bonus needs its amounts",
            "Add rows with base_from and pay.",
        )


def _super_bonus(form: SuperBonusForm, pack: Pack) -> Iterator[Problem]:
    if len(form.ranks) != SUPER_BONUS_CARDS:
        yield Problem(
            "super_bonus",
            form.hand,
            "R-067, R-068",
            f"the Super Bonus is won by the first {SUPER_BONUS_CARDS} cards",
            f"Name {SUPER_BONUS_CARDS} ranks.",
        )
        return
    if pack == Pack.SPANISH and TEN in (*form.ranks, *map(rank_of, form.up_cards)):
        message = "no hand can ever win it: the Spanish pack has no tens"
        yield Problem("super_bonus", form.hand, "R-007", message, "Name other cards.")
    if len(named_suits(form.suits)) > SUPER_BONUS_CARDS:
        message = f"{SUPER_BONUS_CARDS} cards can't have four suits"
        yield Problem("super_bonus", form.hand, "R-067, R-068", message, "Name fewer suits.")
    few = [decks for decks in form.decks if not has_copies(form.ranks, form.suits, decks)]
    if few:
        message = f"{alternatives(few)} decks have too few such cards for the hand"
        fix = "Leave these numbers of decks out of the row."
        yield Problem("super_bonus", form.hand, "R-067, R-068", message, fix)


def _super_bonus_decks(rules: Rules) -> Iterator[Problem]:
    """One row at most holds for a number of decks, and each row for at least one."""
    counts = [count for form in rules.super_bonus for count in form.decks]
    for count in sorted({count for count in counts if counts.count(count) > 1}):
        message = f"two rows of the Super Bonus are for {count} decks"
        fix = "Name each number of decks in one row."
        yield Problem("super_bonus", f"decks {count}", "R-067, R-068", message, fix)
    for form in rules.super_bonus:
        if not form.decks:
            message = "the row is for no number of decks, so nobody can win it"
            fix = "Name the numbers of decks, such as [4, 5, 6, 8]."
            yield Problem("super_bonus", form.hand, "R-067, R-068", message, fix)
