"""The dealer's steps up to the base game: opening, wagers, deal, wagers on the up card."""

from __future__ import annotations

from ventiuna.cards import Pack
from ventiuna.rules.data import match_odds
from ventiuna.rules.model import (
    DealtFrom,
    Game,
    JackpotKind,
    Rules,
)
from ventiuna.rules.words.facts import (
    compares_with_down,
    dollars,
    jackpot_table,
    mtd_words,
    number_word,
    up_card_words,
)
from ventiuna.rules.words.steps import Step, Steps, cite, document_id

CASINO_CARD, CATFISH_BEND = "001", "002"


def opening_steps(rules: Rules) -> Steps:
    decks = f"{number_word(rules.decks)} deck{'s' if rules.decks > 1 else ''}"
    own = document_id(rules)
    if rules.pack == Pack.SPANISH:
        yield Step(
            "opening",
            f"Use {decks} of 48 cards: the four tens and the jokers are removed.",
            "R-007, D-01" if own == CASINO_CARD else "R-007, R-008",
        )
        yield Step(
            "opening",
            f"Dealer and supervisor take the four tens and the jokers out of each of the {decks} "
            "in turn and verify this together.",
            "R-010",
        )
        if rules.decks > 1:
            yield Step("opening", "Make sure that all decks have the same back.", "R-010")
    else:
        yield Step("opening", f"Use {decks} of 52 cards, tens included.", "R-103")
    shuffle = "R-009, R-010, O-03" if own == CATFISH_BEND else "R-009, O-03"
    yield Step("opening", _shuffle(rules), cite(rules, shuffle, "O-03", "O-03"))
    yield from _posted(rules)


def _shuffle(rules: Rules) -> str:
    cut = f"the cut card behind {rules.cut_card_percent} % of them"
    if rules.dealt_from == DealtFrom.SHOE:
        text = f"Shuffle and put the cards into the shoe, {cut}."
    else:
        text = f"Shuffle, put {cut}, and deal by hand."
    if rules.burn_cards:
        cards = f"{rules.burn_cards} card{'s' if rules.burn_cards > 1 else ''}"
        text += f" Burn {cards}."
    return text


def _posted(rules: Rules) -> Steps:
    if rules.game == Game.SPANISH_21:
        yield Step("opening", f"Post the table's limits: {_limits(rules)}.", "R-003")
        if document_id(rules) == CATFISH_BEND:
            text = "Use a layout with the name of the game and the Bonus 21 payouts."
        else:
            text = "Post the rule sign. The layout names the game and shows the Bonus 21 payouts."
        yield Step("opening", text, "R-004")
    kinds = {jackpot.kind for jackpot in rules.jackpots}
    if kinds:
        yield Step(
            "opening",
            "Display each jackpot's amount, prizes and notices at the table.",
            f"R-005, R-084, {'R-097' if JackpotKind.HOUSE in kinds else 'R-098'}",
        )


def _limits(rules: Rules) -> str:
    return f"{dollars(rules.table_minimum)} to {dollars(rules.table_maximum)}"


def wager_steps(rules: Rules) -> Steps:
    limits = {CASINO_CARD: "R-014", CATFISH_BEND: "R-003, R-014"}.get(
        document_id(rules), "R-002, R-014"
    )
    yield Step(
        "wagers",
        f"Players place base wagers of {_limits(rules)}, in multiples of "
        f"{dollars(rules.chip_unit)}.",
        f"{cite(rules, limits, 'R-002, R-120')}, O-18",
    )
    if rules.mtd_configuration:
        yield Step("wagers", _mtd_wagers(rules), _mtd_rules(rules))
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield Step(
            "wagers",
            f"Players with a base wager may place the wager of {dollars(jackpot.wager)} on jackpot "
            f"{number} ({jackpot.kind}).",
            "R-014, R-082, R-085",
        )
    text = 'Call "No more bets": all wagers are placed before the deal.'
    if any(jackpot.kind == JackpotKind.PROGRESSIVE for jackpot in rules.jackpots):
        text += " The contributions of the jackpot wagers enter their meters."
        yield Step("wagers", text, "R-102, O-19")
    else:
        yield Step("wagers", text, cite(rules, "R-102", "R-120"))


def _mtd_wagers(rules: Rules) -> str:
    names = mtd_words(rules.mtd_wagers)
    most = dollars(rules.mtd_maximum or rules.table_maximum)
    least = f"from {dollars(rules.mtd_minimum)} " if rules.mtd_minimum else ""
    text = f"Players with a base wager may place Match the Dealer wagers on {names}, "
    text += f"each {least}up to {most}"
    text += " and not above the base wager." if rules.mtd_at_most_base else "."
    if rules.mtd_required:
        text += f" Required with every base wager: {mtd_words(rules.mtd_required)}."
    if rules.down_requires_up and rules.offers_down_wager:
        text += " A Down Card wager needs an Up Card wager on the same hand."
    return text


def _mtd_rules(rules: Rules) -> str:
    configuration = {1: "R-015", 2: "R-016", 3: "R-017, R-019", 4: "R-018, R-019"}
    needs = rules.down_requires_up and rules.offers_down_wager
    also = ", R-025" if needs or rules.mtd_required else ""
    return f"R-014, {configuration[rules.mtd_configuration]}, R-024{also}"


# --- the deal and what is settled right after it ----------------------------------------------


def deal_steps(rules: Rules) -> Steps:
    yield Step(
        "deal",
        "Deal one card face up to each spot from your left and your up card, then a second card "
        "face up to each spot and your down card, face down.",
        cite(rules, "R-026, O-04", "R-104, O-04"),
    )
    if rules.bonus_cards:
        names = mtd_words([name for name in rules.mtd_wagers if name.startswith("b")])
        yield Step(
            "deal",
            f"Deal {names} face up, in order, each on its numbered place.",
            "R-019, R-027, O-29",
        )


def up_card_wager_steps(rules: Rules) -> Steps:
    if rules.mtd_configuration:
        odds = match_odds()[rules.decks]
        pays = f"{odds.unsuited} to 1 unsuited, {odds.suited} to 1 suited"
        yield Step(
            "up_card_wagers",
            "Settle the Up Card wagers: pay each of the two cards that has the up card's rank "
            f"({pays}); take the wager if neither has.",
            f"R-020, R-021, {match_odds_rule(rules)}, R-079",
        )
    if rules.bonus_cards:
        yield Step(
            "up_card_wagers",
            "Settle the Bonus Card wagers in the same way, each against the card of its number.",
            "R-019, R-022, R-080",
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if not compares_with_down(jackpot):
            yield Step(
                "up_card_wagers",
                f"Jackpot {number}: pay the fixed lines of table {jackpot.table}, pay table "
                f"{jackpot.pay_table}, and take wagers that have won nothing. Two suited matches "
                "are noted and wait until the base game is over.",
                f"{jackpot_table(jackpot).rule}, R-091, R-096",
            )
    if rules.bonus_cards:
        yield Step(
            "up_card_wagers", "Lock up the Bonus Cards: they are out of play.", "R-028, O-29"
        )
    if form := rules.super_bonus_form():
        yield Step(
            "up_card_wagers",
            f"Super Bonus: if the two cards of a spot may become {form.hand} and your up card is "
            f"{up_card_words(form)}, {_call(rules)}.",
            f"{form.rule or 'R-067'}, R-072",
        )


def _call(rules: Rules) -> str:
    if document_id(rules) == CATFISH_BEND:
        return "stop play and notify the supervisor, who observes the draw of the third card"
    return f"notify the {floor_person(rules)}"


def floor_person(rules: Rules) -> str:
    """Who authorizes Super Bonuses, in the document's own words."""
    return "supervisor" if document_id(rules) == CATFISH_BEND else "floor person"


def match_odds_rule(rules: Rules) -> str:
    """The casino card prints its odds as a list (R-023)."""
    return "R-023" if document_id(rules) == CASINO_CARD else "R-022"
