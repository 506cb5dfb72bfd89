"""The rule card posted at the table (R-003, R-004): rules, payouts, limits and jackpots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ventiuna.cards import Pack
from ventiuna.rules.canonical import NEW_DEFAULTS, canonical, fingerprint
from ventiuna.rules.data_files import limit_profiles
from ventiuna.rules.model import (
    CARD_HEADINGS,
    JACKPOT_CARD,
    OPTIONS_BY_NAME,
    BlackjackPaid,
    BlackjackTie,
    BonusOrder,
    DealOrder,
    DealtFrom,
    DoubleOn21,
    Envy,
    Jackpot,
    JackpotKind,
    PayRow,
    Player21,
    PrizeFrom,
    Rules,
    Soft17,
    SpotsSettled,
    Surrender,
)
from ventiuna.rules.options import contribution_text
from ventiuna.rules.text.comparison import departures, who_decides
from ventiuna.rules.text.phrases import (
    Pay,
    compares_with_down,
    decks_words,
    dollars,
    double_words,
    has_prize,
    house_winners_words,
    jackpot_pays,
    join_words,
    match_pays,
    may_split,
    mtd_limit_words,
    mtd_words,
    number_word,
    row_words,
    split_aces_words,
    split_pair_words,
    super_bonus_pays,
    ten_words,
    up_card_words,
)
from ventiuna.rules.text.references import numbers_in
from ventiuna.texts import brief_repr, markup_text

STATEMENT = "Ventiuna is an independent implementation, for play money only."


class CardSection(NamedTuple):
    heading: str
    text: tuple[str, ...] = ()
    pays: tuple[Pay, ...] = ()
    notes: tuple[str, ...] = ()
    wager: str = ""  # the side bet that the section explains: `mtd`, `jackpot 1`


class RuleCard(NamedTuple):
    game: str
    title: str
    rules: str  # canonical string
    fingerprint: str
    sections: tuple[CardSection, ...]
    notices: tuple[str, ...]
    departures: tuple[str, ...]
    who_decides: tuple[str, ...] = ()  # the document, the house or our reading, in sentences
    statement: str = STATEMENT

    def __repr__(self) -> str:
        return brief_repr(self)


def rule_card(rules: Rules) -> RuleCard:
    sections = [
        _game(rules),
        _blackjack(rules),
        CardSection("Your choices", tuple(_choices(rules))),
        *_row_sections(rules),
        *_super_bonus(rules),
        *_match_the_dealer(rules),
        *(_jackpot(rules, number) for number in range(1, len(rules.jackpots) + 1)),
        _limits(rules),
    ]
    return RuleCard(
        rules.game.words,
        rules.title,
        canonical(rules),
        fingerprint(rules),
        tuple(sections),
        rules.origin.notices,
        tuple(str(departure) for departure in departures(rules)),
        who_decides(rules),
    )


def _game(rules: Rules) -> CardSection:
    dealt = "from a shoe" if rules.dealt_from == DealtFrom.SHOE else "by hand"
    tens = "Jacks, queens and kings" if rules.pack == Pack.SPANISH else "Tens and face cards"
    aim = (
        f"{tens} count 10, aces 1 or 11. The hand closer to 21 wins even money; a hand over 21 "
        "loses at once."
    )
    soft = "hits" if rules.soft_17 == Soft17.HIT else "stands on"
    push = "Equal totals push."
    if rules.player_21 == Player21.WINS:
        push = (
            "A player's 21 always wins, even against a dealer's 21, and is paid at once. Equal "
            "totals of 20 or less push."
        )
    text = [
        f"{decks_words(rules).capitalize()}, dealt {dealt}.",
        aim,
        f"The dealer draws to 17 and {soft} soft 17.",
        push,
        *_sequence(rules),
    ]
    return CardSection("The game", tuple(text))


def _sequence(rules: Rules) -> Iterator[str]:
    """Yield the house's choices of sequence that differ from the usual one (R-123)."""
    if rules.deal_order == DealOrder.DOWN_CARD_FIRST:
        yield "The dealer's first card is dealt face down and the second face up."
    elif rules.deal_order == DealOrder.DEALER_LAST:
        yield "The dealer's two cards are dealt after all players have two cards."
    if rules.spots_settled == SpotsSettled.FROM_RIGHT:
        yield "Spots are settled from the dealer's right."


def _blackjack(rules: Rules) -> CardSection:
    paid = {
        BlackjackPaid.AT_ONCE: "It is paid at once, before the dealer checks for blackjack.",
        BlackjackPaid.UNLESS_INSURED: "It is paid at once, or after the check if you insure it.",
        BlackjackPaid.AFTER_CHECK: "It is paid after the dealer has checked for blackjack.",
    }[rules.blackjack_paid]
    tie = "It always wins, even against a dealer's blackjack."
    if rules.blackjack_tie == BlackjackTie.PUSHES:
        tie = "It pushes against a dealer's blackjack."
    pays = [Pay("blackjack", rules.blackjack_pays.words)]
    if rules.diamond_blackjack_pays != rules.blackjack_pays:
        pays = [
            Pay("all-diamond blackjack", rules.diamond_blackjack_pays.words),
            Pay("any other blackjack", rules.blackjack_pays.words),
        ]
    return CardSection(
        "Blackjack",
        (f"An ace with a {ten_words(rules)} as your first two cards. {tie} {paid}",),
        tuple(pays),
        ("After a split, an ace with such a card is a 21, not a blackjack.",),
    )


# --- Player options ---


def _choices(rules: Rules) -> Iterator[str]:
    amount = "up to an equal wager" if rules.offers_double_for_less else "an equal wager"
    end = " and no bonus" if rules.bonus_21_rows() or rules.instant_wins else ""
    yield (
        f"Double down: add {amount} {double_words(rules)}. You get one card. A doubled hand pays "
        f"even money{end}."
    )
    kinds = {
        "a blackjack": rules.double_blackjack,
        "a soft 21": rules.double_on_21 == DoubleOn21.SOFT,
        "a 21": rules.double_on_21 == DoubleOn21.ANY,
    }
    if any(kinds.values()):
        words = join_words([kind for kind, offered in kinds.items() if offered], "or")
        paid = " instead of being paid" if rules.player_21 == Player21.WINS else ""
        yield f"You may also double {words}{paid}; the ace then counts as 1."
    if rules.double_double:
        yield (
            "Double-double down: after the double card, you may double the whole wager again, at "
            "most twice, for one more card each time. Each added wager is limited to the table "
            f"maximum of {dollars(rules.table_maximum)}."
        )
    if rules.rescue:
        yield (
            "Rescue: after a double card that didn't bust or make 21, you may take back the last "
            "doubled portion and forfeit the rest of the wager."
        )
    if may_split(rules):
        yield (
            f"Split: {split_pair_words(rules)} become two hands with equal wagers, up to "
            f"{number_word(rules.split_hands)} hands. {split_aces_words(rules, 'hands')}."
        )
    else:
        yield "Hands can't be split."
    if rules.surrender == Surrender.LATE:
        yield (
            "Surrender: on your first two cards, as your first decision, after the dealer has "
            "checked for blackjack. You lose half of your wager."
        )
    elif rules.surrender == Surrender.ANY_TIME:
        yield (
            "Surrender: at any time below 21, even after hitting, splitting or doubling. You lose "
            "half of the wager on the hand."
        )
    if rules.insurance:
        also = ", even with a blackjack" if rules.insurance_on_blackjack else ""
        yield (
            f"Insurance: against a dealer's ace, up to half of your wager{also}. It pays "
            f"{rules.insurance_pays.words} if the dealer has blackjack and loses otherwise."
        )


# --- Bonuses ---


def _row_sections(rules: Rules) -> Iterator[CardSection]:
    if rows := rules.bonus_21_rows():
        text = (
            "These 21s are paid at once, at these odds instead of even money, with no extra "
            "wager. Split hands qualify; doubled hands don't."
        )
        yield CardSection("Bonus 21", (text,), _row_pays(rows))
    if rules.instant_wins:
        text = (
            "These hands win at once, whatever the dealer has. Split hands qualify; doubled hands "
            "don't."
        )
        yield CardSection("Instant wins", (text,), _row_pays(rules.instant_wins))


def _row_pays(rows: tuple[PayRow, ...]) -> tuple[Pay, ...]:
    return tuple(
        Pay(row_words(row) + ("" if row.after_split else " (not after a split)"), row.pay.words)
        for row in rows
    )


def _super_bonus(rules: Rules) -> Iterator[CardSection]:
    form = rules.super_bonus_form()
    if form is None:
        return
    text = (
        f"Your first three cards are {form.hand} and the dealer's up card is "
        f"{up_card_words(form)}. Paid in addition to the hand. Splitting or doubling forfeits "
        "it."
    )
    yield CardSection("Super Bonus", (text,), super_bonus_pays(rules), tuple(_envy(rules)))


def _envy(rules: Rules) -> Iterator[str]:
    bonus = f"Envy Bonus: {dollars(rules.envy_amount)}"
    if rules.envy == Envy.PER_OTHER_WINNER:
        yield f"{bonus} for each Super Bonus another player wins, if you have a base wager."
    elif rules.envy == Envy.LOSERS_ONLY:
        yield (
            f"{bonus} for each Super Bonus another player wins, if you have a base wager and win "
            "no Super Bonus yourself."
        )
    elif rules.envy == Envy.LOSERS_ONCE:
        yield (
            f"{bonus} if you have a base wager and another player wins a Super Bonus but you "
            "don't. Paid once."
        )


# --- Other wagers ---


def _match_the_dealer(rules: Rules) -> Iterator[CardSection]:
    if not rules.mtd_configuration:
        return
    limits = mtd_limit_words(rules)
    if rules.mtd_at_most_base:
        limits += ", but no more than your base wager"
    notes = [f"Each Match the Dealer wager: {limits}."]
    if rules.down_requires_up and rules.offers_down_wager:
        notes.append("A Down Card wager needs an Up Card wager on the same hand.")
    if rules.mtd_required:
        notes.append(f"Required with every base wager: {mtd_words(rules.mtd_required)}.")
    if rules.bonus_cards and rules.bonus_order == BonusOrder.WAGER_BY_WAGER:
        notes.append("Bonus Card wagers are settled card by card, Bonus Card 1 first.")
    names = mtd_words(rules.mtd_wagers)
    bets = "A side bet on the dealer's"
    if len(rules.mtd_wagers) > 1:
        bets = "Side bets, each placed separately, on the dealer's"
    text = (
        f"{bets} {names}. A side bet wins if one of your first two cards has the same rank as its "
        "card (jack, queen and king are different ranks), and pays more if the suit matches too. "
        "If both of your cards match, both are paid."
    )
    yield CardSection("Match the Dealer", (text,), match_pays(rules), tuple(notes), "mtd")


def _jackpot(rules: Rules, number: int) -> CardSection:
    jackpot = rules.jackpots[number - 1]
    kind = "Progressive jackpot" if jackpot.kind == JackpotKind.PROGRESSIVE else "House jackpot"
    heading = kind if len(rules.jackpots) == 1 else f"{kind} {number}"
    cards = "the dealer's up card and down card" if compares_with_down(jackpot) else "the up card"
    text = (
        f"A wager of {dollars(jackpot.wager)} in addition to your base wager. Your first two cards "
        f"are compared with {cards}."
    )
    source = f"Payouts: table {jackpot.table}, pay table {jackpot.pay_table} of the rule document."
    notes = (*_jackpot_notes(jackpot), source)
    return CardSection(heading, (text,), jackpot_pays(jackpot), notes, f"jackpot {number}")


def _jackpot_notes(jackpot: Jackpot) -> list[str]:
    notes = ["The jackpot wager isn't returned."]
    if compares_with_down(jackpot):
        if jackpot.best_only:
            notes.append("Only the better of the up card and the down card is paid.")
        else:
            notes.append("The up card and the down card are both paid.")
    if jackpot.prize is not None and has_prize(jackpot):
        source = "the house" if jackpot.prize_from == PrizeFrom.HOUSE else "the jackpot"
        notes.append(f"The prize of {dollars(jackpot.prize)} per $1 of wager is paid by {source}.")
    if jackpot.kind == JackpotKind.HOUSE:
        notes.append(f"Posted amount: {dollars(jackpot.seed)}, house money until won.")
        notes.append(house_winners_words(jackpot))
        return notes
    share = contribution_text(jackpot.contribution)
    notes.append(
        f"{share} of each wager goes to the jackpot. After a 100% award it starts again "
        f"at {dollars(jackpot.seed)}."
    )
    notes.append(
        "Several winners in a round are paid in order from the dealer's left, each from the "
        "remaining amount."
    )
    return notes


def _limits(rules: Rules) -> CardSection:
    pays = (
        Pay("table minimum", dollars(rules.table_minimum)),
        Pay("table maximum", dollars(rules.table_maximum)),
    )
    small = ["insurance"] if rules.insurance else []
    small += ["doubles for less"] if rules.offers_double_for_less else []
    notes = [f"Base wagers must be multiples of {dollars(rules.chip_unit)}."]
    if small:
        unit = dollars(rules.small_chip_unit)
        notes.append(f"{join_words(small).capitalize()} must be in multiples of {unit}.")
    profile = limit_profiles()[rules.limit_profile]
    if profile.maximum_wager is not None:
        most = dollars(profile.maximum_wager)
        notes.append(f"The regulator's limit is {most} per wager.")
    spots = f"{number_word(rules.seats)} spot{'s' if rules.seats > 1 else ''}"
    notes.append(f"{spots.capitalize()} at the table.")
    return CardSection("Limits", (), pays, tuple(notes))


# --- Rule numbers behind each section ---

# The order of the options under "Your choices"; all others follow in the order declared.
_CHOICES_ORDER = (
    "double_cards",
    "double_totals",
    "double_after_split",
    "double_for_less",
    "double_blackjack",
    "double_on_21",
    "double_double",
    "rescue",
    "split",
    "split_hands",
    "split_aces",
    "resplit_aces",
)


_UNSET = object()


def section_numbers(rules: Rules, heading: str) -> list[str]:
    """Return the R-, D- and O-numbers for a section of the card, without duplicates."""
    heading = JACKPOT_CARD if "jackpot" in heading.lower() else heading
    names = [
        name
        for name, card in CARD_HEADINGS.items()
        if card == heading and getattr(rules, name) != NEW_DEFAULTS.get(name, _UNSET)
    ]
    names.sort(key=lambda name: (*_CHOICES_ORDER, name).index(name))
    numbers: list[str] = []
    for name in names:
        default = OPTIONS_BY_NAME[name].rule if name in OPTIONS_BY_NAME else ""
        numbers += numbers_in(rules.sources.get(name) or default)
    return list(dict.fromkeys(numbers))


# --- HTML for notebooks ---


def rules_html(rules: Rules) -> str:
    """
    >>> from ventiuna.rules import load_rules
    >>> rules_html(load_rules("super-fun-21")).startswith("<details open><summary>Super Fun 21")
    True
    """
    card = rule_card(rules)
    head = markup_text(f"{card.title}: {card.rules} ({card.fingerprint})")
    body = "".join(_section_html(section) for section in card.sections)
    lines = (*card.departures, *card.notices, *card.who_decides)
    notes = "".join(f"<li>{markup_text(line)}</li>" for line in lines)
    return f"<details open><summary>{head}</summary>{body}<ul>{notes}</ul></details>"


def _section_html(section: CardSection) -> str:
    text = "".join(f"<p>{markup_text(line)}</p>" for line in (*section.text, *section.notes))
    rows = "".join(
        "<tr>" + "".join(f"<td>{markup_text(str(part))}</td>" for part in pay) + "</tr>"
        for pay in section.pays
    )
    table = f"<table>{rows}</table>" if rows else ""
    return f"<h4>{markup_text(section.heading)}</h4>{text}{table}"
