"""The dealer's procedure, from opening the table to every payment (R-102, R-120)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ventiuna.cards import Pack
from ventiuna.rules.data_files import match_odds
from ventiuna.rules.model import (
    BlackjackPaid,
    BlackjackTie,
    BonusOrder,
    DealOrder,
    DealtFrom,
    DoubleOn21,
    DownSettled,
    Envy,
    Game,
    JackpotKind,
    Player21,
    PrizeFrom,
    Reseed,
    Rules,
    Soft17,
    SpotsSettled,
    Surrender,
    Winners,
)
from ventiuna.rules.text.phrases import (
    compares_with_down,
    dollars,
    double_words,
    has_prize,
    jackpot_table,
    join_words,
    limits_words,
    may_split,
    mtd_limit_words,
    mtd_words,
    number_word,
    prize_amount,
    row_words,
    split_aces_words,
    split_pair_words,
    super_bonus_pays,
    ten_words,
    up_card_words,
)
from ventiuna.rules.text.references import explain

_DOCUMENT_ID = re.compile(r"00[0-4]\b")


class ProcedureStep(NamedTuple):
    stage: str
    text: str
    numbers: str  # rule numbers
    borrowed: tuple[tuple[str, str], ...] = ()  # other documents, with their rules

    @property
    def heading(self) -> str:
        return _STAGES[self.stage][0]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.numbers.split(", ")))

    @property
    def readings(self) -> tuple[str, ...]:
        """D- and O-numbers, which are our readings rather than the words of a document."""
        return tuple(number for number in self.rules if not number.startswith("R"))

    @property
    def source(self) -> str:
        """Format the sources: `R-007; from document 002: R-010; our reading: O-03`."""
        foreign = {number for _, number in self.borrowed}
        own = [number for number in self.rules if number[0] == "R" and number not in foreign]
        parts = [", ".join(own)]
        for documents in dict.fromkeys(documents for documents, _ in self.borrowed):
            numbers = ", ".join(number for place, number in self.borrowed if place == documents)
            several = "s" if "," in documents else ""
            parts.append(f"from document{several} {documents}: {numbers}")
        if self.readings:
            parts.append(f"our reading: {', '.join(self.readings)}")
        return "; ".join(filter(None, parts))


class CitedText(NamedTuple):
    text: str
    numbers: str  # rule numbers


CitedSteps = Iterator[CitedText]


def document_id(rules: Rules) -> str:
    """Return the id of the document that the rules are based on, such as `003`; "" if none."""
    found = _DOCUMENT_ID.match(rules.document)
    return found[0] if found else ""


def cite(rules: Rules, spanish: str, super_fun: str, standard: str = "O-01") -> str:
    """Return the rule numbers for the game being played."""
    return {
        Game.SPANISH_21: spanish,
        Game.SUPER_FUN_21: super_fun,
        Game.BLACKJACK: standard,
    }[rules.game]


# --- Opening, wagers, deal, wagers on the up card ---

CASINO_CARD, CATFISH_BEND = "001", "002"


def opening_steps(rules: Rules) -> CitedSteps:
    decks = f"{number_word(rules.decks)} deck{'s' if rules.decks > 1 else ''}"
    own = document_id(rules)
    if rules.pack == Pack.SPANISH:
        yield CitedText(
            f"Use {decks} of 48 cards, with the four tens and the jokers removed.",
            "R-007, D-01" if own == CASINO_CARD else "R-007, R-008",
        )
        yield CitedText(
            f"The dealer and the supervisor take the four tens and the jokers out of each of the "
            f"{decks} in turn and verify this together.",
            "R-010",
        )
        if rules.decks > 1:
            yield CitedText("Make sure all decks have the same back.", "R-010")
    else:
        yield CitedText(f"Use {decks} of 52 cards, tens included.", "R-103")
    shuffle = "R-009, R-010, O-03" if own == CATFISH_BEND else "R-009, O-03"
    yield CitedText(_shuffle(rules), cite(rules, shuffle, "O-03", "O-03"))
    yield from _posted(rules)


def _shuffle(rules: Rules) -> str:
    cut = f"the cut card {rules.cut_card_percent}% of the way through"
    if rules.dealt_from == DealtFrom.SHOE:
        text = f"Shuffle and load the shoe, with {cut}."
    else:
        text = f"Shuffle, insert {cut}, and deal by hand."
    if rules.burn_cards:
        cards = f"{rules.burn_cards} card{'s' if rules.burn_cards > 1 else ''}"
        text += f" Burn {cards}."
    return text


def _posted(rules: Rules) -> CitedSteps:
    if rules.game == Game.SPANISH_21:
        yield CitedText(f"Post the table limits: {limits_words(rules)}.", "R-003")
        if document_id(rules) == CATFISH_BEND:
            text = "Use a layout that shows the name of the game and the Bonus 21 payouts."
        else:
            text = "Post the rule sign. The layout names the game and shows the Bonus 21 payouts."
        yield CitedText(text, "R-004")
    kinds = {jackpot.kind for jackpot in rules.jackpots}
    if kinds:
        yield CitedText(
            "Display each jackpot's amount, prizes and notices at the table.",
            f"R-005, R-084, {'R-097' if JackpotKind.HOUSE in kinds else 'R-098'}",
        )


def wager_steps(rules: Rules) -> CitedSteps:
    limits = {CASINO_CARD: "R-014", CATFISH_BEND: "R-003, R-014"}.get(
        document_id(rules), "R-002, R-014"
    )
    yield CitedText(
        f"Players place base wagers of {limits_words(rules)}, in multiples of "
        f"{dollars(rules.chip_unit)}.",
        f"{cite(rules, limits, 'R-002, R-120')}, O-18",
    )
    if rules.mtd_configuration:
        yield _mtd_wagers(rules)
    for number, jackpot in enumerate(rules.jackpots, start=1):
        yield CitedText(
            f"Players with a base wager may place the {dollars(jackpot.wager)} wager on jackpot "
            f"{number} ({jackpot.kind}).",
            "R-014, R-082, R-085",
        )
    text = 'Call "No more bets." All wagers must be placed before the deal.'
    if any(jackpot.kind == JackpotKind.PROGRESSIVE for jackpot in rules.jackpots):
        text += " The jackpot wagers' contributions are added to their meters."
        yield CitedText(text, "R-102, O-19")
    else:
        yield CitedText(text, cite(rules, "R-102", "R-120"))


def _mtd_wagers(rules: Rules) -> CitedText:
    configuration = {1: "R-015", 2: "R-016", 3: "R-017, R-019", 4: "R-018, R-019"}
    numbers = f"R-014, {configuration[rules.mtd_configuration]}, R-024"
    text = "Players with a base wager may place Match the Dealer wagers on "
    text += f"{mtd_words(rules.mtd_wagers)}, each {mtd_limit_words(rules)}"
    text += " but no more than the base wager." if rules.mtd_at_most_base else "."
    if rules.mtd_required:
        text += f" Required with every base wager: {mtd_words(rules.mtd_required)}."
    needs_up = rules.down_requires_up and rules.offers_down_wager
    if needs_up:
        text += " A Down Card wager needs an Up Card wager on the same hand."
    return CitedText(text, f"{numbers}, R-025" if needs_up or rules.mtd_required else numbers)


# --- The deal and the settlements right after it ---


_DEAL = {
    DealOrder.UP_CARD_FIRST: "Starting on your left, deal one card face up to each spot, then your "
    "up card. Deal a second card face up to each spot, then your down card, face down.",
    DealOrder.DOWN_CARD_FIRST: "Starting on your left, deal one card face up to each spot, then "
    "your down card, face down. Deal a second card face up to each spot, then your up card.",
    DealOrder.DEALER_LAST: "Starting on your left, deal one card face up to each spot, then a "
    "second one. Then deal your up card and your down card, face down.",
}


def deal_steps(rules: Rules) -> CitedSteps:
    numbers = cite(rules, "R-026, O-04", "R-104, O-04")
    if rules.deal_order != DealOrder.UP_CARD_FIRST:
        numbers += ", R-123"
    yield CitedText(_DEAL[rules.deal_order], numbers)
    if rules.bonus_cards:
        names = mtd_words([name for name in rules.mtd_wagers if name.startswith("b")])
        yield CitedText(
            f"Deal {names} face up, in order, each to its numbered place.",
            "R-019, R-027, O-29",
        )


def up_card_wager_steps(rules: Rules) -> CitedSteps:
    if rules.mtd_configuration:
        odds = match_odds()[rules.decks]
        pays = f"{odds.unsuited} to 1 unsuited, {odds.suited} to 1 suited"
        yield CitedText(
            "Settle the Up Card wagers: pay for each of the two cards that matches the up card in "
            f"rank ({pays}); take the wager if neither does.",
            f"R-020, R-021, {match_odds_rule(rules)}, R-079",
        )
    if rules.bonus_cards:
        text = "Settle the Bonus Card wagers the same way, each against the card with its number"
        numbers = "R-019, R-022, R-080"
        if rules.bonus_order == BonusOrder.WAGER_BY_WAGER:
            text += ": first all wagers on Bonus Card 1, then those on the next card"
            numbers += ", R-123"
        yield CitedText(f"{text}.", numbers)
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if not compares_with_down(jackpot):
            yield CitedText(
                f"Jackpot {number}: pay the fixed lines of table {jackpot.table}, pay table "
                f"{jackpot.pay_table}, and take the wagers that won nothing. Leave wagers "
                "with two suited matches in place; they are paid after the base game.",
                f"{jackpot_table(jackpot).rule}, R-091, R-096",
            )
    if rules.mtd_configuration or rules.jackpots:
        yield from _direction(rules)
    if rules.bonus_cards:
        yield CitedText("Lock up the Bonus Cards. They are out of play.", "R-028, O-29")
    if form := rules.super_bonus_form():
        call = f"notify the {floor_person(rules)}"
        if document_id(rules) == CATFISH_BEND:
            call = f"stop play and {call}, who observes the draw of the third card"
        yield CitedText(
            f"Super Bonus: if a spot's two cards can become {form.hand} and your up card is "
            f"{up_card_words(form)}, {call}.",
            f"{form.rule or 'R-067'}, R-072",
        )


def _direction(rules: Rules) -> CitedSteps:
    if rules.spots_settled == SpotsSettled.FROM_RIGHT:
        yield CitedText("Settle the spots from your right to your left.", "R-123")


def floor_person(rules: Rules) -> str:
    """Return who authorizes Super Bonuses, in the document's words."""
    return "supervisor" if document_id(rules) == CATFISH_BEND else "floor person"


def match_odds_rule(rules: Rules) -> str:
    """Return the rule for the odds; the casino card prints its odds as a list (R-023)."""
    return "R-023" if document_id(rules) == CASINO_CARD else "R-022"


# --- Blackjacks, insurance and the check of the down card ---


def _blackjack_pay(rules: Rules) -> str:
    text = f"Pay blackjacks (an ace with a {ten_words(rules)}) {rules.blackjack_pays.words}"
    if rules.diamond_blackjack_pays != rules.blackjack_pays:
        text += f" (all diamonds {rules.diamond_blackjack_pays.words})"
    return text


def _keep(rules: Rules) -> str:
    return (
        " Ask first: the player may keep the hand to double it." if rules.double_blackjack else ""
    )


def _blackjack_rules(rules: Rules, spanish: str, super_fun: str) -> str:
    keep = cite(rules, ", R-032", ", R-106", "") if rules.double_blackjack else ""
    return cite(rules, spanish, super_fun) + keep


def blackjack_steps(rules: Rules) -> CitedSteps:
    if rules.blackjack_paid == BlackjackPaid.AT_ONCE:
        text = f"{_blackjack_pay(rules)} before any other play, and remove the hands."
        if rules.insurance and rules.insurance_on_blackjack:
            text += " If an ace is up, the paid hands stay for insurance."
        numbers = _blackjack_rules(rules, "R-012, R-029, R-030, R-031", "R-114, R-115")
        yield CitedText(text + _keep(rules), numbers)
    else:
        insured = rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED
        other = "Up card other than an ace" if insured else "Up card 2 to 9"
        text = f"{other}: {_lower(_blackjack_pay(rules))} at once and remove "
        numbers = _blackjack_rules(rules, "R-012, R-029, R-030", "R-114, R-115, R-120")
        yield CitedText(f"{text}the hands.{_keep(rules)}", numbers)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def insurance_steps(rules: Rules) -> CitedSteps:
    if not rules.insurance:
        return
    also = ", even on a blackjack" if rules.insurance_on_blackjack else ", but not on a blackjack"
    yield CitedText(
        f"Ace up: offer insurance to every spot, up to half of the original wager{also}, in "
        f"multiples of {dollars(rules.small_chip_unit)}.",
        cite(rules, "R-031, R-034, O-17", "R-116, R-120, O-34"),
    )
    if rules.blackjack_paid == BlackjackPaid.AT_ONCE and rules.insurance_on_blackjack:
        text = "Remove the paid blackjacks that aren't insured before you check for blackjack."
        yield CitedText(text, cite(rules, "R-031", "R-115"))


def uninsured_blackjack_steps(rules: Rules) -> CitedSteps:
    if rules.insurance and rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED:
        yield CitedText(
            f"Ace up: {_lower(_blackjack_pay(rules))} unless they are insured, and remove them."
            f"{_keep(rules)}",
            _blackjack_rules(rules, "R-029", "R-115, R-120"),
        )


def check_steps(rules: Rules) -> CitedSteps:
    tens = "face card" if rules.pack == Pack.SPANISH else "ten-valued card"
    yield CitedText(
        f"Ace or {tens} up: check the down card for blackjack before the players act.",
        cite(rules, "R-033", "R-120"),
    )
    insured = f"pay insurance {rules.insurance_pays.words}, " if rules.insurance else ""
    wins = rules.blackjack_tie == BlackjackTie.WINS
    following = "Collect the cards"
    if rules.offers_down_wager or rules.jackpots:
        following = "Continue with the wagers that need the down card"
    sentence = "Pay any blackjack not yet paid" if wins else "A player's blackjack pushes"
    yield CitedText(
        f"Blackjack: expose it, {insured}and take the original wagers of all hands not already "
        f"paid. {sentence}. {following}.",
        cite(rules, "R-034, R-035, O-09", "R-109, R-114, R-116, R-120, O-09"),
    )
    taken = "take the insurance wagers" if rules.insurance else "say so"
    removed = ""
    if rules.insurance_on_blackjack and rules.blackjack_paid == BlackjackPaid.AT_ONCE:
        removed = " and remove the insured blackjacks"
    yield CitedText(
        f"No blackjack: {taken}{removed}. The players act.",
        cite(rules, "R-034, R-102", "R-116, R-120"),
    )


def after_check_steps(rules: Rules) -> CitedSteps:
    if rules.blackjack_paid == BlackjackPaid.AFTER_CHECK:
        which = "the blackjacks that had to wait for the check"
    elif rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED and not rules.insurance:
        which = "the blackjacks against an ace"
    elif rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED and rules.insurance_on_blackjack:
        which = "the insured blackjacks"
    else:
        return
    yield CitedText(
        f"Pay {which} and remove them.{_keep(rules)}",
        _blackjack_rules(rules, "R-029", "R-115, R-116, R-120, O-09"),
    )


# --- The players' turns ---


def play_steps(rules: Rules) -> CitedSteps:
    yield CitedText(
        "Go from spot to spot, starting on your left. Split hands are played one after the other.",
        cite(rules, "R-102, O-02, O-30", "R-120, O-02, O-30"),
    )
    if rules.surrender == Surrender.LATE:
        yield CitedText(
            "Surrender: only on the first two cards and as the first decision, against any up "
            "card, but not on split hands. Take half of the wager and remove the cards.",
            cite(rules, "R-036, R-037, R-038, O-10", "R-109"),
        )
    if may_split(rules):
        yield CitedText(
            f"Split: {split_pair_words(rules)}, for a wager equal to the original, up to "
            f"{number_word(rules.split_hands)} hands. Give the first hand its second card and play "
            f"it, then the next. {split_aces_words(rules, 'cards')}.",
            cite(rules, "R-042, R-043, R-044, R-045, D-11", "R-045, R-108"),
        )
    yield CitedText(
        "Hit: as often as the player wants below 21. If the hand busts, take the wager and the "
        "cards at once, even if you bust later.",
        cite(rules, "R-011, R-013", "R-103, O-01"),
    )
    yield from _instant_wins(rules)
    yield from _player_21(rules)
    yield from _double(rules)
    if rules.super_bonus_form():
        yield CitedText("Splitting or doubling a hand voids its Super Bonus.", "R-070")
    if rules.double_double:
        yield CitedText(
            "Double-double down: after a double card that didn't bust, the player may add a wager "
            f"equal to the one on the hand, but at most {dollars(rules.table_maximum)}, and get "
            "one more card. At most twice, so three doublings in all; then only stand or rescue.",
            "R-051, R-052, R-053, R-054, R-055, R-056",
        )
    if rules.rescue:
        yield CitedText(
            "Rescue: after a double card that neither busted nor made 21. Return the last doubled "
            "portion, take the rest of the wager and remove the cards. Do not call it surrender.",
            "R-057, R-058, R-059, R-060, O-08",
        )
    if rules.surrender == Surrender.ANY_TIME:
        yield CitedText(
            "Surrender: at any time below 21, even after hitting, splitting or doubling. Take half "
            "of the wager (on a doubled hand, one of its two wagers) and remove the cards.",
            "R-109, R-110",
        )


def _instant_wins(rules: Rules) -> CitedSteps:
    """Return the advice on instant wins (R-118), then the wins."""
    if rules.game == Game.SUPER_FUN_21 and rules.instant_wins:
        yield CitedText(
            "Tell a player with five cards and a soft total of 20 or less that a hit is a "
            "guaranteed six-card winner, and could even make a 2-to-1 winner with exactly 21.",
            "R-118",
        )
        yield CitedText(
            "Suggest that a player with 11 in four cards hit instead of doubling: a ten-valued "
            "card pays 2 to 1.",
            "R-118",
        )
    for row in rules.instant_wins:
        split = "even on split hands, but not on" if row.after_split else "but not on split or"
        yield CitedText(
            f"{row_words(row).capitalize()}: pay {row.pay.words} at once and remove the cards, "
            f"{split} doubled hands.",
            ", ".join(part for part in (row.rule, "R-113") if part),
        )


def _player_21(rules: Rules) -> CitedSteps:
    rows = rules.bonus_21_rows()
    if rows:
        pays = "; ".join(f"{row_words(row)} {row.pay.words}" for row in rows)
        yield CitedText(
            "Bonus 21: pay these 21s at once, even on split hands, but not on doubled hands: "
            f"{pays}.",
            ", ".join(
                ["R-039, R-040, R-046, R-061", *(row.rule for row in rows if row.rule), "R-066"]
            ),
        )
    if rules.player_21 == Player21.WINS:
        other = "Any other 21" if rows else "21"
        text = f"{other}: pay even money at once, doubled or not. Remove the cards of a paid 21"
        if rules.super_bonus_form():
            text += "; a Super Bonus hand stays on the table"
        if rules.double_on_21 == DoubleOn21.SOFT:
            text += ". If it is a soft 21, ask first: it may be doubled instead"
        yield CitedText(f"{text}.", cite(rules, "R-039, R-040, R-041, R-072, O-06, O-07", "R-119"))
    else:
        exception = (
            ", unless the player doubles it," if rules.double_on_21 == DoubleOn21.ANY else ""
        )
        yield CitedText(
            f"Any other 21 stands{exception} and is compared at the end.",
            cite(rules, "R-039", "R-119, O-33"),
        )


def _double(rules: Rules) -> CitedSteps:
    if rules.offers_double_for_less:
        amount = f"up to the wager, in multiples of {dollars(rules.small_chip_unit)}"
    else:
        amount = "an amount equal to the wager"
    amount_rules = "R-050, O-40" if rules.offers_double_for_less else "R-050, R-054"
    after = {
        "double-double": rules.double_double,
        "rescue": rules.rescue,
        "surrender": rules.surrender == Surrender.ANY_TIME,
    }
    only = join_words(["stand", *(action for action, offered in after.items() if offered)], "or")
    ace = ""
    if rules.game == Game.SUPER_FUN_21 and rules.double_blackjack:
        ace = (
            " An ace with a ten-valued card, even a blackjack, may also be doubled: the ace then "
            "counts as one."
        )
    yield CitedText(
        f"Double down: {double_words(rules)}, for {amount}. Give one card; the player "
        f"may then only {only}. All money on the hand pays even money, without bonuses.{ace}",
        cite(rules, f"R-047, R-048, R-049, {amount_rules}, R-066", "R-105, R-106, R-107, R-113"),
    )


# --- The dealer's hand, settlement, awards, bonuses, end of the round ---


def dealer_steps(rules: Rules) -> CitedSteps:
    soft = "hit" if rules.soft_17 == Soft17.HIT else "stand on"
    yield CitedText(
        f"Expose the down card. Draw to 17 or more and {soft} soft 17. Do not draw if no hand is "
        "left to compare.",
        cite(rules, "R-077, O-16", "R-117, O-16", "O-01, O-16"),
    )
    if rules.offers_down_wager and rules.down_settled == DownSettled.AT_EXPOSURE:
        yield CitedText(
            "Settle the Down Card wagers as soon as the card is exposed, even after a dealer "
            "blackjack. The original two cards count, whatever happened to the hand.",
            f"R-020, {match_odds_rule(rules)}, R-081, D-05, O-15",
        )


def settlement_steps(rules: Rules) -> CitedSteps:
    push = "equal totals push, including 21 against 21"
    if rules.player_21 == Player21.WINS:
        push = "equal totals of 20 or less push"
    yield CitedText(
        f"Compare the remaining hands: closer to 21 wins even money, {push}. If you bust, they all "
        "win.",
        cite(rules, "R-078", "R-119, R-120"),
    )
    yield from _direction(rules)


def down_card_wager_steps(rules: Rules) -> CitedSteps:
    if rules.offers_down_wager and rules.down_settled == DownSettled.WITH_BASE_GAME:
        yield CitedText(
            "Settle the Down Card wagers like the Up Card wagers. The original two cards count, "
            "whatever happened to the hand.",
            f"R-020, {match_odds_rule(rules)}, R-081, D-05, O-15",
        )
    for number, jackpot in enumerate(rules.jackpots, start=1):
        table = jackpot_table(jackpot)
        numbers = f"{table.rule}, R-091, D-24, D-25, O-15"
        if compares_with_down(jackpot):
            which = "the better of the fixed lines" if jackpot.best_only else "the fixed lines"
            text = f"pay {which} with the up card and the down card (table {jackpot.table}, pay "
            text += f"table {jackpot.pay_table})"
        elif has_prize(jackpot):
            text = f"see whether the down card improves any line you noted (table {jackpot.table})"
            numbers = f"{table.rule}, R-092, O-15, O-26"
        else:
            continue
        if has_prize(jackpot) and jackpot.prize_from == PrizeFrom.HOUSE:
            text += f" and pay the house's prize of {dollars(prize_amount(jackpot))}"
        yield CitedText(f"Jackpot {number}: {text}.", numbers)


def award_steps(rules: Rules) -> CitedSteps:
    for number, jackpot in enumerate(rules.jackpots, start=1):
        if jackpot.kind == JackpotKind.HOUSE:
            if jackpot.winners == Winners.EACH_IN_FULL:
                how = "each winner gets the full share of the posted amount, which stays posted"
            else:
                how = "each award is a share of the amount left by the previous award"
            numbers = "R-096, R-097, O-39"
        else:
            how = "take each award off the meter before you calculate the next"
            when = "at once" if jackpot.reseed == Reseed.AT_ONCE else "after the round"
            how += f"; after a 100% award the meter starts again at {dollars(jackpot.seed)} {when}"
            numbers = "R-095, R-096, R-098, O-18, O-19, O-20"
        awards = "percentage awards"
        if has_prize(jackpot) and jackpot.prize_from == PrizeFrom.JACKPOT:
            awards += f" and prizes of {dollars(prize_amount(jackpot))}"
        yield CitedText(
            f"Jackpot {number}: pay the {awards} in order from your left, by house procedure, "
            f"rounded down to the cent; {how}.",
            numbers,
        )


def super_bonus_steps(rules: Rules) -> CitedSteps:
    if not rules.super_bonus_form():
        return
    pays = join_words([f"{pay.pays} for a {pay.hand}" for pay in super_bonus_pays(rules)])
    yield CitedText(
        f"Pay the Super Bonuses as the {floor_person(rules)} instructs, by each player's own "
        f"wager: {pays}.",
        "R-069, R-071, R-072, D-09, O-13",
    )
    if rules.envy == Envy.OFF:
        return
    amount = dollars(rules.envy_amount)
    who, numbers = {
        Envy.PER_OTHER_WINNER: (
            "every spot with a base wager, even to winners, for each Super Bonus of another player",
            "R-073, R-074, D-10, O-14",
        ),
        Envy.LOSERS_ONLY: (
            "every spot with a base wager, except winners, for each Super Bonus of another player",
            "R-073, R-075, D-10, O-14",
        ),
        Envy.LOSERS_ONCE: (
            "every spot with a base wager whose player won no Super Bonus, once only",
            "R-073, R-076, D-10, O-14",
        ),
    }[rules.envy]
    yield CitedText(f"Then pay an Envy Bonus of {amount} to {who}.", numbers)


def end_steps(rules: Rules) -> CitedSteps:
    step = cite(rules, "R-102", "R-103")
    yield CitedText("Collect the cards still on the table.", step)
    yield CitedText(
        "If the cut card comes out, finish the round and shuffle before the next one.",
        "O-03",
    )


def closing_steps(rules: Rules) -> CitedSteps:
    if rules.pack == Pack.SPANISH:
        yield CitedText(
            "At the end of the gaming day, put the four tens and the jokers back into their "
            "original boxes.",
            "R-010",
        )


# --- The whole procedure ---

# Stages by their engine names, plus opening and closing the table: heading and steps
_STAGES: dict[str, tuple[str, Callable[[Rules], CitedSteps]]] = {
    "opening": ("Opening the table", opening_steps),
    "wagers": ("Wagers", wager_steps),
    "deal": ("The deal", deal_steps),
    "up_card_wagers": ("Wagers settled before the base game", up_card_wager_steps),
    "blackjacks": ("Player blackjacks", blackjack_steps),
    "insurance": ("Insurance", insurance_steps),
    "uninsured_blackjacks": ("Blackjacks without insurance", uninsured_blackjack_steps),
    "check": ("The dealer's check", check_steps),
    "blackjacks_after_check": ("Blackjacks after the check", after_check_steps),
    "play": ("The players act", play_steps),
    "dealer": ("The dealer's hand", dealer_steps),
    "settlement": ("Settlement", settlement_steps),
    "down_card_wagers": ("Wagers that need the down card", down_card_wager_steps),
    "awards": ("Jackpot awards", award_steps),
    "super_bonus": ("Super Bonus and Envy Bonus", super_bonus_steps),
    "closed": ("End of the round", end_steps),
    "closing": ("Closing the table", closing_steps),
}


def procedure(rules: Rules) -> list[ProcedureStep]:
    """Return only the steps that these rules need; rules from other documents are marked."""
    own = document_id(rules)
    steps = []
    for stage, (_, cited_steps) in _STAGES.items():
        for text, numbers in cited_steps(rules):
            step = ProcedureStep(stage, text, numbers)
            cited = [
                ([document.id for document in explain(number).documents], number)
                for number in step.rules
                if own and number.startswith("R")
            ]
            borrowed = tuple((", ".join(ids), number) for ids, number in cited if own not in ids)
            steps.append(step._replace(borrowed=borrowed))
    return steps
