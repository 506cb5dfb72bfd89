"""What sound rules allow but somebody ought to know."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.money import money_text
from ventiuna.rules.check.reach import can_come
from ventiuna.rules.compiled import suit_masks
from ventiuna.rules.model import JackpotKind, PayRow, Rules

MOST_GAMES = 6  # on one hand, by the text of 2009


def find_warnings(rules: Rules) -> list[str]:
    """What the rules allow but somebody ought to know."""
    return [
        *_games(rules),
        *_empty_meters(rules),
        *_rows_never_paid(rules),
        *_bands_never_paid(rules),
    ]


def _games(rules: Rules) -> Iterator[str]:
    games = 1 + len(rules.mtd_wagers) + len(rules.jackpots)
    if rules.limit_profile.startswith("wac") and games > MOST_GAMES:
        yield (
            f"{games} wagers may ride on one hand; WAC 230-15-040 (2009 text) speaks of at most "
            "six separate games with one hand. Whether each Match the Dealer wager counts is open."
        )


def _empty_meters(rules: Rules) -> Iterator[str]:
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if jackpot.kind == JackpotKind.PROGRESSIVE and jackpot.seed == 0:
            yield (
                f"Jackpot {number} has a seed of $0.00: after a 100 % award the meter starts empty "
                "(O-19, O-20)."
            )


def _rows_never_paid(rules: Rules) -> Iterator[str]:
    """Rows for which these decks have too few cards, or that stand behind one that takes all."""
    before: list[PayRow] = []
    for row in (*rules.instant_wins, *rules.bonus_21_rows()):
        if not can_come(row, rules.pack, rules.decks):
            decks = f"{rules.decks} deck{'s' if rules.decks > 1 else ''}"
            yield f"The row {row.name} is never paid: {decks} have no such hand (R-064)."
        for other in before:
            if _covers(other, row):
                yield (
                    f"The row {row.name} is never paid: {other.name} stands before it and fits "
                    "every such hand (R-061)."
                )
                break
        before.append(row)


def _covers(row: PayRow, other: PayRow) -> bool:
    """Does every hand that fits the other row fit this one?"""
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
