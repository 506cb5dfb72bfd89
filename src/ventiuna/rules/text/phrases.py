"""Phrases and facts about rules shared by cards, lists, comparisons and messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ventiuna.cards import Pack
from ventiuna.core.meters import share_of
from ventiuna.core.rule_table import FAMILY_TWO_DECKS, FAMILY_UP_AND_DOWN
from ventiuna.money import money_text
from ventiuna.rules.data_files import (
    FIXED_LINE_NAMES,
    JackpotTable,
    PayTable,
    SpecialLine,
    jackpot_tables,
    match_odds,
)
from ventiuna.rules.model import (
    DoubleCards,
    DoubleTotals,
    Jackpot,
    JackpotKind,
    PayRow,
    Rules,
    Soft17,
    Split,
    SplitAces,
    SuperBonusForm,
    Winners,
)
from ventiuna.rules.options import MAX_CARDS, contribution_text, range_text, ranks_text

_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_CARDS_FOR_TWO_SUITED = 3  # both player cards and the dealer's, all identical


class Pay(NamedTuple):
    """A hand or wager and its payout."""

    hand: str
    pays: str


def dollars(cents: int) -> str:
    """Format money as on a sign: `$5`, `$7.50`, `$1,000`.

    >>> dollars(500), dollars(750)
    ('$5', '$7.50')
    """
    return money_text(cents).removesuffix(".00")


def number_word(number: int) -> str:
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else str(number)


def join_words(words: Sequence[str], last: str = "and") -> str:
    """
    >>> join_words(["up", "down", "b1"])
    'up, down and b1'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def ten_words(rules: Rules) -> str:
    """Name the cards that count 10."""
    return "jack, queen or king" if rules.pack == Pack.SPANISH else "ten, jack, queen or king"


def decks_words(rules: Rules) -> str:
    decks = f"{number_word(rules.decks)} deck{'s' if rules.decks > 1 else ''}"
    composition = "48 cards, without tens" if rules.pack == Pack.SPANISH else "52 cards"
    return f"{decks} of {composition}"


# --- Doubling and splitting ---

_DOUBLE_TOTALS = {
    DoubleTotals.ANY: "any total",
    DoubleTotals.NINE_TO_ELEVEN: "9, 10 or 11",
    DoubleTotals.TEN_OR_ELEVEN: "10 or 11",
}


def double_words(rules: Rules) -> str:
    """Describe the hands that may be doubled."""
    cards = "two cards" if rules.double_cards == DoubleCards.TWO else "two or more cards"
    split = "even after splitting" if rules.double_after_split else "but not after splitting"
    return f"on {cards} with {_DOUBLE_TOTALS[rules.double_totals]}, {split}"


def may_split(rules: Rules) -> bool:
    return rules.split != Split.OFF and rules.split_hands > 1


def split_pair_words(rules: Rules) -> str:
    same = "of equal value" if rules.split == Split.EQUAL_VALUE else "of the same rank"
    return f"two cards {same}"


def split_aces_words(rules: Rules, others: str) -> str:
    one_card = rules.split_aces == SplitAces.ONE_CARD
    aces = "get one card each" if one_card else f"are played like other {others}"
    again = "may be split again" if rules.resplit_aces else "may not be split again"
    return f"Split aces {aces} and {again}"


# --- Match the Dealer ---

_MTD_WORDS = {"up": "Up Card", "down": "Down Card"}


def mtd_word(name: str) -> str:
    """Turn `up` into Up Card, `b2` into Bonus Card 2."""
    return _MTD_WORDS.get(name) or f"Bonus Card {name[1:]}"


def mtd_limit_words(rules: Rules) -> str:
    """Describe the limits of each wager: `from $1 up to $100`."""
    least = f"from {dollars(rules.mtd_minimum)} " if rules.mtd_minimum else ""
    return f"{least}up to {dollars(rules.mtd_maximum or rules.table_maximum)}"


def mtd_words(names: Sequence[str]) -> str:
    """Name these wagers, with the Bonus Cards grouped."""
    words = [mtd_word(name) for name in names if name in _MTD_WORDS]
    numbers = [name[1:] for name in names if name not in _MTD_WORDS]
    if len(numbers) > 2 and len(numbers) == int(numbers[-1]):
        words.append(f"Bonus Cards 1 to {numbers[-1]}")
    else:
        words += [f"Bonus Card {number}" for number in numbers]
    return join_words(words)


def match_pays(rules: Rules) -> tuple[Pay, ...]:
    """Return the payouts for a hand's two cards; each match pays (R-021 to R-023)."""
    if not rules.mtd_configuration:
        return ()
    odds = match_odds()[rules.decks]
    unsuited, suited = odds.unsuited, odds.suited
    pays = [
        Pay("one unsuited match", f"{unsuited} to 1"),
        Pay("two unsuited matches", f"{2 * unsuited} to 1"),
        Pay("one suited match", f"{suited} to 1"),
        Pay("one suited and one unsuited match", f"{suited + unsuited} to 1"),
    ]
    if rules.decks >= _CARDS_FOR_TWO_SUITED:
        pays.append(Pay("two suited matches", f"{2 * suited} to 1"))
    return tuple(pays)


# --- Bonus rows and Super Bonus ---


def pay_row_text(row: PayRow) -> str:
    """Describe the hand, as in `6-7-8, one suit` or `7+ cards`, with its payout."""
    parts = []
    if row.ranks:
        parts.append(ranks_text(row.ranks))
    else:
        parts.append(f"{range_text(row.cards)} cards")
    if row.total != (21, 21):
        parts.append(f"total {range_text(row.total)}")
    if row.suits != "any":
        parts.append(row.suits)
    if not row.after_split:
        parts.append("not after a split")
    return f"{row.pay.words} ({', '.join(parts)})"


def row_words(row: PayRow) -> str:
    """Return the row's name, noting if it also pays hands with more cards (D-07)."""
    open_end = row.cards[1] == MAX_CARDS and row.total == (21, 21)
    if open_end and "more" not in row.name:
        return f"{row.name} ({row.cards[0]} or more cards)"
    return row.name


def super_bonus_text(form: SuperBonusForm) -> str:
    return f"{form.hand} against {up_card_words(form)}"


def up_card_words(form: SuperBonusForm) -> str:
    return f"any {form.up}" if len(form.up) == 1 else form.up


def super_bonus_pays(rules: Rules) -> tuple[Pay, ...]:
    """Return Super Bonus amounts by size of the base wager (R-069, O-13)."""
    bands = rules.super_bonus_bands
    pays = []
    for band, following in zip(bands, [*bands[1:], None], strict=True):
        if following:
            least, below = dollars(band.base_from), dollars(following.base_from)
            size = f"from {least} to under {below}"
        else:
            size = f"of {dollars(band.base_from)} or more"
        pays.append(Pay(f"base wager {size}", dollars(band.pay)))
    return tuple(pays)


# --- Jackpots ---


def jackpot_table(jackpot: Jackpot) -> JackpotTable:
    return jackpot_tables()[jackpot.table]


def jackpot_pays(jackpot: Jackpot) -> tuple[Pay, ...]:
    """Return every line of the jackpot's pay table, highest first, with its amount."""
    table = jackpot_table(jackpot)
    pot = "the meter" if jackpot.kind == JackpotKind.PROGRESSIVE else "the posted amount"
    pays = []
    for line in table.special_lines(jackpot.alternate):
        if line.percent:
            pays.append(Pay(line.hand, f"{line.percent}% of {pot}"))
        else:
            pays.append(Pay(line.hand, dollars(prize_amount(jackpot))))
    fixed = table.pay_tables[jackpot.pay_table].fixed
    for line_number in FIXED_LINE_NAMES:
        odds = fixed[line_number]
        amount = dollars(jackpot.wager * odds.num // odds.den)
        pays.append(Pay(FIXED_LINE_NAMES[line_number], f"{odds} = {amount}"))
    return tuple(pays)


def one_match_words(pay_table: PayTable) -> str:
    """What a pay table pays for one match, which tells it from the others.

    >>> from ventiuna.rules.data_files import jackpot_tables
    >>> one_match_words(jackpot_tables()["3c"].pay_tables[1])
    'one match 3 for 1, suited 5 for 1'
    """
    lines = {name: pay_table.fixed[number] for number, name in FIXED_LINE_NAMES.items()}
    return f"one match {lines['one unsuited match']}, suited {lines['one suited match']}"


def meter_words(lines: Iterable[SpecialLine]) -> str:
    """What these lines pay from the meter.

    >>> from ventiuna.rules.data_files import jackpot_tables
    >>> meter_words(jackpot_tables()["3c"].special)
    '10% or all of the meter'
    """
    shares = sorted({line.percent for line in lines if line.percent})
    words = ["all" if share == 100 else f"{share}%" for share in shares]
    return f"{join_words(words, 'or')} of the meter"


def compares_with_down(jackpot: Jackpot) -> bool:
    """Return whether fixed lines also count with the down card (R-088, R-089)."""
    return jackpot_table(jackpot).family in (FAMILY_UP_AND_DOWN, FAMILY_TWO_DECKS)


def has_prize(jackpot: Jackpot) -> bool:
    """Return whether a line pays the operator's prize (R-092)."""
    lines = jackpot_table(jackpot).special_lines(jackpot.alternate)
    return any(not line.percent for line in lines)


def prize_amount(jackpot: Jackpot) -> int:
    """Return the prize: the amount per $1, multiplied by the wager (R-092)."""
    return (jackpot.prize or 0) * jackpot.wager // 100


def house_winners_words(jackpot: Jackpot) -> str:
    """Describe both ways to pay a house jackpot that has several winners (O-39)."""
    lowest = min(
        line.percent
        for line in jackpot_table(jackpot).special_lines(jackpot.alternate)
        if line.percent
    )
    first = share_of(jackpot.seed, lowest)
    second = share_of(jackpot.seed - first, lowest)
    full = "each gets the full share of the posted amount"
    in_turn = "they are paid in order from the dealer's left, each from the remaining amount"
    paid = f"two awards of {lowest}% pay {dollars(first)} and"
    full_pays, in_turn_pays = f"{paid} {dollars(first)}", f"{paid} {dollars(second)}"
    ours, other = (full, full_pays), (in_turn, in_turn_pays)
    if jackpot.winners == Winners.IN_SEQUENCE:
        ours, other = other, ours
    return (
        f"If a round has several winners, {ours[0]} ({ours[1]}). The document can also be read "
        f"differently: {other[0]} ({other[1]}). See O-39."
    )


def jackpot_facts(jackpot: Jackpot) -> dict[str, str]:
    """Return the relevant settings of a jackpot game, in words, by name."""
    facts = {
        "table": jackpot.table,
        "pay table": str(jackpot.pay_table),
        "kind": str(jackpot.kind),
        "wager": money_text(jackpot.wager),
        "alternate lines": str(jackpot.alternate or "none"),
    }
    if has_prize(jackpot):
        facts["prize per $1"] = money_text(jackpot.prize or 0)
        facts["prize paid by"] = str(jackpot.prize_from)
    if compares_with_down(jackpot):
        facts["up and down"] = "only the better" if jackpot.best_only else "both paid"
    if jackpot_table(jackpot).family == FAMILY_TWO_DECKS:
        facts["highest line"] = "paid alone" if jackpot.top_alone else "paid with fixed lines"
    if jackpot.kind == JackpotKind.HOUSE:
        facts["posted amount"] = money_text(jackpot.seed)
        facts["several winners"] = str(jackpot.winners).replace("_", " ")
    else:
        facts["seed"] = money_text(jackpot.seed)
        facts["contribution"] = contribution_text(jackpot.contribution)
        facts["reseeded"] = str(jackpot.reseed).replace("_", " ")
    return facts


# --- Short descriptions of a table's rules ---


def headline(rules: Rules) -> str:
    """Summarize a table in one line: `Spanish 21 · 6 decks · $5 to $300 · double-double`."""
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    parts = [rules.game.words, decks, limits_words(rules)]
    if rules.double_double:
        parts.append("double-double")
    return " · ".join(parts)


def limits_words(rules: Rules) -> str:
    """Format the limits for the base wager: `$5 to $300`."""
    return f"{dollars(rules.table_minimum)} to {dollars(rules.table_maximum)}"


def summary(rules: Rules) -> str:
    """Describe how a table differs from others with the same game.

    >>> from ventiuna.rules import load_rules
    >>> summary(load_rules("wsgc-2021(double_double=on)"))
    '6 decks, dealer hits soft 17, double-double'
    """
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    does = "hits" if rules.soft_17 is Soft17.HIT else "stands on"
    parts = [decks, f"dealer {does} soft 17"]
    if rules.double_double:
        parts.append("double-double")
    if rules.bonus_cards:
        parts.append("Bonus Cards")
    if rules.jackpots:
        games = len(rules.jackpots)
        parts.append("1 jackpot" if games == 1 else f"{games} jackpots")
    return ", ".join(parts)
