"""Which pays are printed in blocks: every one that the rules have, by their own figures."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.layout.records import Line, LineKind
from ventiuna.rules.data import match_odds
from ventiuna.rules.model import Envy, PayRow, Rules
from ventiuna.rules.values import MOST_CARDS, range_text
from ventiuna.rules.words.facts import dollars, up_card_words

Content = tuple[str, tuple[Line, ...]]  # title, lines
Group = tuple[tuple[str, str], ...]  # suits in words, pay


def left_blocks(rules: Rules) -> list[Content]:
    """What a hand is paid for by itself."""
    return [
        (title, tuple(lines))
        for title, lines in (
            ("Bonus 21", _bonus_21(rules)),
            ("Instant wins", _instant_wins(rules)),
        )
        if lines
    ]


def right_blocks(rules: Rules) -> list[Content]:
    """What is paid besides, and for more than a hand's own wager."""
    return [
        (title, tuple(lines))
        for title, lines in (
            ("Blackjack", list(_blackjack(rules))),
            ("Super Bonus", list(_super_bonus(rules))),
            ("Match the Dealer", list(_match_the_dealer(rules))),
        )
        if lines
    ]


# --- Bonus 21 and instant wins ----------------------------------------------------------------


def _bonus_21(rules: Rules) -> list[Line]:
    """By number of cards, fewest first; then by ranks, those paid alike together."""
    rows = rules.bonus_21_rows()
    lines = [_pay(_row_words(row), row.pay.words) for row in reversed(rows) if not row.ranks]
    groups: dict[Group, list[str]] = {}
    for ranks, group in _by_ranks(rows).items():
        groups.setdefault(group, []).append(ranks)
    for group in sorted(groups, key=len):  # a single line below a group would look like its own
        names = groups[group]
        lines += _ranks_lines(" or ".join(names), group)
    return lines


def _by_ranks(rows: tuple[PayRow, ...]) -> dict[str, Group]:
    found: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        if row.ranks:
            ranks = "-".join("A23456789TJQK"[rank - 1] for rank in row.ranks)
            found.setdefault(ranks, []).append((_suits_words(row), row.pay.words))
    return {ranks: tuple(reversed(group)) for ranks, group in found.items()}


def _ranks_lines(names: str, group: Group) -> list[Line]:
    if len(group) == 1:
        [(suits, pays)] = group
        return [_pay(names if suits == "mixed suits" else f"{names}, {suits}", pays)]
    return [Line(LineKind.NOTE, names), *(_pay(suits, pays) for suits, pays in group)]


def _suits_words(row: PayRow) -> str:
    words = "mixed suits" if row.suits == "any" else row.suits
    return words if row.after_split else f"{words}, not after a split"


def _row_words(row: PayRow) -> str:
    """`5 cards`, `7 or more cards`; a row that is named by more keeps its name."""
    if row.suits != "any" or row.total != (21, 21) or not row.after_split:
        split = "" if row.after_split else ", not after a split"
        return f"{row.name}{split}"
    if row.cards[1] >= MOST_CARDS:
        return f"{row.cards[0]} or more cards"
    return f"{range_text(row.cards)} cards"


def _instant_wins(rules: Rules) -> list[Line]:
    return [_pay(row.name, row.pay.words) for row in rules.instant_wins]


# --- the other blocks -------------------------------------------------------------------------


def _blackjack(rules: Rules) -> Iterator[Line]:
    """Where diamonds are paid otherwise (R-114); else the arc says it."""
    if rules.diamond_blackjack_pays != rules.blackjack_pays:
        yield _pay("all diamonds", rules.diamond_blackjack_pays.words)
        yield _pay("any other", rules.blackjack_pays.words)


def _super_bonus(rules: Rules) -> Iterator[Line]:
    form = rules.super_bonus_form()
    if form is None:
        return
    yield Line(LineKind.NOTE, f"{form.hand} against {up_card_words(form)}")
    bands = rules.super_bonus_bands
    for band, following in zip(bands, [*bands[1:], None], strict=True):
        size = f"{dollars(band.base_from)} or more"
        if following:
            size = f"{dollars(band.base_from)} to {dollars(following.base_from - rules.chip_unit)}"
        yield _pay(size, dollars(band.pay))
    if rules.envy is not Envy.OFF and rules.envy_amount:
        yield _pay("Envy Bonus", dollars(rules.envy_amount))


def _match_the_dealer(rules: Rules) -> Iterator[Line]:
    if rules.mtd_configuration:
        odds = match_odds()[rules.decks]
        yield _pay("rank", f"{odds.unsuited} to 1")
        yield _pay("rank and suit", f"{odds.suited} to 1")


def _pay(words: str, pays: str) -> Line:
    return Line(LineKind.PAY, words, pays)
