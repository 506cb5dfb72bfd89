"""Every D- and O-number with its readings: what can be worked out is, the rest says why not."""

from __future__ import annotations

from ventiuna.core.table import FAMILY_TWO_DECKS
from ventiuna.reports.ambiguities.changes import (
    blackjack_after_split,
    bonuses_when_doubled,
    counted_without_the_split_card,
    envy_as,
    envy_of_two_spots,
    exactly_seven_cards,
    house_jackpot_paying,
    jackpot_with,
    match_paying,
    no_double_after_a_split,
    rescue_for_the_lesser_amount,
    seven_or_more_cards,
    super_bonus_by,
    surrender_of_split_hands,
    without_6_7_8,
    without_two_deck_hands,
)
from ventiuna.reports.ambiguities.readings import (
    ENVY_BONUS,
    FULL_TABLE_JACKPOT,
    JACKPOT_WAGER,
    MATCH_WAGER,
    SUPER_BONUS,
    Point,
    Reading,
    as_they_are,
    with_game,
    with_options,
    with_rules,
    with_table,
)
from ventiuna.rules import Rules
from ventiuna.rules.model import Envy, Game, JackpotKind, PrizeFrom, Split, Surrender, Winners
from ventiuna.rules.words.facts import compares_with_down, has_prize, jackpot_table

_EXCHANGE = "Unseen cards are alike wherever they lie, so no order of dealing changes a chance."
_INSURANCE = (
    "Best play from a fresh shoe never insures, so nothing of it changes the game; who insures "
    "pays the edge of ventiuna sidebets, the same for each chip."
)
_LESS = (
    "What a double is worth is convex in its amount, since after it the player takes the better of "
    "standing and rescue: best is the full amount or next to nothing, and next to nothing is no "
    "better than a hit. So doubling for less is never better than both."
)
_PRINTED = "Only this reading gives the figures that the document prints (R-101)."
_TIME = "It is a matter of when money moves, not of how much."
_TABLES = "It is about jackpot tables, which these rules may offer or not; no other wager changes."


def _spanish(rules: Rules) -> bool:
    return rules.game == Game.SPANISH_21


def _super_fun(rules: Rules) -> bool:
    return rules.game == Game.SUPER_FUN_21


def _splits(rules: Rules) -> bool:
    return rules.split != Split.OFF and rules.split_hands > 1


def _has_super_bonus(rules: Rules) -> bool:
    return rules.super_bonus_form() is not None


def _spanish_match(rules: Rules) -> bool:
    return bool(rules.mtd_wagers)


def _down_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and compares_with_down(rules.jackpots[0])


def _house_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and rules.jackpots[0].kind is JackpotKind.HOUSE


def _two_deck_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and jackpot_table(rules.jackpots[0]).family == FAMILY_TWO_DECKS


def _prize_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and has_prize(rules.jackpots[0])


def _decks(*numbers: int) -> tuple[Reading, ...]:
    return tuple(
        Reading(f"{number} deck{'s' if number > 1 else ''}", with_options(decks=str(number)))
        for number in numbers
    )


def _switch(option: str, on: str, off: str) -> tuple[Reading, ...]:
    return (
        Reading(on, with_options(**{option: "on"})),
        Reading(off, with_options(**{option: "off"})),
    )


_NO = Reading("no", as_they_are)

POINTS: tuple[Point, ...] = (
    Point("D-01", _decks(2, 4, 5, 6, 8), only=_spanish, option="decks"),
    Point("D-01", _decks(1, 2), only=_super_fun, option="decks"),
    Point(
        "D-02",
        zero="It limits which wagers may be placed; each wager keeps its odds.",
        option="down_requires_up",
    ),
    Point("D-03", zero="It limits stakes; each chip keeps its odds.", option="mtd_maximum"),
    Point(
        "D-04",
        zero="Each additional Match the Dealer wager has the same edge (R-021).",
        option="mtd_configuration",
    ),
    Point("D-05", zero=_TIME, option="down_settled"),
    Point(
        "D-06",
        (
            Reading("odds by decks", match_paying(0, 0), "000, 002, 003"),
            Reading("4 and 9 to 1 whatever the decks", match_paying(4, 9), "001"),
        ),
        MATCH_WAGER,
        only=_spanish_match,
        open_in=("001",),
    ),
    Point(
        "D-07",
        (
            Reading("seven or more cards pay 3 to 1", with_rules(seven_or_more_cards), "001, 002"),
            Reading("exactly seven; eight or more are a plain 21", with_rules(exactly_seven_cards)),
        ),
        only=_spanish,
        open_in=("000", "003"),
    ),
    Point(
        "D-08",
        (
            Reading("any 7 as up card", super_bonus_by(500_000), "000, 001, 003"),
            Reading(
                "by the letter of 002 no card is such, and it is never paid", super_bonus_by(0)
            ),
        ),
        SUPER_BONUS,
        only=_has_super_bonus,
        open_in=("002",),
    ),
    Point(
        "D-09",
        (
            Reading("by the player's own bet", super_bonus_by(500_000), "001, 002, procedures"),
            Reading("by a table minimum of $5: $1,000", super_bonus_by(100_000)),
        ),
        SUPER_BONUS,
        only=_has_super_bonus,
        open_in=("000", "003"),
    ),
    Point(
        "D-10",
        (
            Reading(
                "for each other winner, winners too", envy_as(Envy.PER_OTHER_WINNER), "000, 003"
            ),
            Reading("for each Super Bonus, winners none", envy_as(Envy.LOSERS_ONLY), "001"),
            Reading("once, to those who did not qualify", envy_as(Envy.LOSERS_ONCE), "002"),
        ),
        ENVY_BONUS,
        only=_has_super_bonus,
        open_in=("002",),
    ),
    Point(
        "D-11",
        (
            Reading("equal value", with_options(split="equal_value"), "000, 002, 003"),
            Reading("same rank", with_options(split="same_rank"), "001"),
        ),
        only=_splits,
        open_in=("001",),
    ),
    Point(
        "D-12",
        (
            Reading("the dealer hits soft 17", with_options(soft_17="hit")),
            Reading("the dealer stands on soft 17", with_options(soft_17="stand")),
        ),
        option="soft_17",
    ),
    Point(
        "D-13",
        _switch("double_double", "offered", "not offered"),
        only=_spanish,
        option="double_double",
    ),
    Point("D-14", zero=_LESS, open_in=("001", "002")),
    Point(
        "D-15",
        (
            Reading("the last portion comes back, the rest is lost", as_they_are),
            Reading(
                "by the letter of 7a a rescue costs the lesser amount",
                with_game(
                    rescue_for_the_lesser_amount,
                    "a lower bound: worked out for a player who doubles by the smallest chip alone",
                ),
            ),
        ),
        only=lambda rules: rules.rescue and rules.offers_double_for_less,
        open_in=("000", "002", "003"),
    ),
    Point(
        "D-16",
        _switch("double_double", "up to three times", "once"),
        only=_spanish,
        open_in=("002",),
    ),
    Point(
        "D-17", _switch("double_blackjack", "may be doubled", "may not"), option="double_blackjack"
    ),
    Point("D-18", zero=_INSURANCE, option="insurance_on_blackjack"),
    Point("D-19", zero=_INSURANCE, option="insurance_pays"),
    Point("D-20", zero=_EXCHANGE, house_in=("003",), open_in=("000", "002", "004")),
    Point(
        "D-21",
        (
            Reading("7-7-7 at 2 to 1 and its Super Bonus", as_they_are, "000, 003"),
            Reading("7-7-7 as with more decks", with_rules(without_two_deck_hands)),
        ),
        only=lambda rules: _spanish(rules) and rules.decks == 2,
        open_in=("001", "002"),
    ),
    Point("D-22", zero=_TABLES, open_in=()),
    Point(
        "D-23",
        unknown="A percentage award is not multiplied by the wager, so the answer depends on the "
        "meter: ventiuna jackpot --wager and --meter work it out.",
        only=lambda rules: bool(rules.jackpots),
        house_in=("003",),
        open_in=("001",),
    ),
    Point(
        "D-24",
        (
            Reading("up and down card both paid", jackpot_with(best_only=False)),
            Reading("the better one alone", jackpot_with(best_only=True), "001, perhaps"),
        ),
        JACKPOT_WAGER,
        only=_down_jackpot,
        open_in=("001",),
    ),
    Point("D-25", zero=_TIME, open_in=("003",)),
    Point(
        "D-26", zero="Table 4a has none of the lines that the alternates replace.", open_in=("003",)
    ),
    Point(
        "D-27",
        (
            Reading("first two cards", with_options(surrender="late")),
            # It needs equal bets; what doubling for less is worth, D-14 says: nothing.
            Reading(
                "any number of cards below 21, doubled hands too",
                with_options(surrender="any_time", double_for_less="off"),
            ),
        ),
        open_in=("004",),
    ),
    Point(
        "D-28",
        zero="A sixth card always ends an undoubled hand.",
        only=_super_fun,
        open_in=("004",),
    ),
    Point(
        "D-29",
        zero="Each game's document states its own payout plainly; nothing is left open.",
        open_in=(),
    ),
    Point(
        "D-30",
        (
            Reading("each matching card is paid", match_paying(0, 0), "payment text"),
            Reading("only the better of two matches", match_paying(0, 0, best_card_only=True)),
        ),
        MATCH_WAGER,
        only=lambda rules: rules.offers_down_wager,
        open_in=("000", "003"),
    ),
    Point(
        "D-31",
        unknown="The wager is announced but never described.",
        only=_super_fun,
        open_in=("004",),
    ),
    Point(
        "D-32",
        zero="A wager that is not capped reaches eight times the base wager after three doublings "
        "either way.",
        open_in=("001",),
    ),
    Point(
        "D-33",
        zero="It bars wagers that these rules don't offer; wagers on the card keep their odds.",
        only=_spanish,
        open_in=("001",),
    ),
    Point(
        "D-34",
        zero="It is about what the layout prints; every wager keeps its odds.",
        only=_spanish,
        open_in=("002",),
    ),
    Point(
        "O-01",
        settled="Where the documents say nothing they take over standard blackjack, and these "
        "rules of it are the same wherever it is dealt.",
    ),
    Point("O-02", zero=_EXCHANGE),
    Point(
        "O-03",
        unknown="A burn card changes nothing, and neither does the cut card for rounds that every "
        "shoe deals: unseen cards are alike wherever they lie. The last rounds come only where "
        "those before took few cards, and are worth less. No enumeration reaches all orders of a "
        "shoe: ventiuna simulate with cut_card=… tells by how much, with its error.",
    ),
    Point("O-04", zero=_EXCHANGE, house_in=("003",)),
    Point(
        "O-05",
        (
            _NO,
            Reading("yes, with the pay of a blackjack", with_game(blackjack_after_split)),
        ),
        only=_splits,
    ),
    Point(
        "O-06",
        (
            Reading("only a soft 21", with_options(double_on_21="soft")),
            Reading("any 21", with_options(double_on_21="any")),
            Reading("none", with_options(double_on_21="never")),
        ),
        only=_spanish,
    ),
    Point("O-07", zero="A 21 always wins, and no double of it can be better.", only=_spanish),
    Point("O-08", zero="A doubled 21 always wins, so no rescue of it can be better."),
    Point("O-09", zero="Best play takes the pay of a blackjack and never keeps it for doubling."),
    Point(
        "O-10",
        (_NO, Reading("yes, on its first two cards", with_game(surrender_of_split_hands))),
        only=lambda rules: rules.surrender == Surrender.LATE and _splits(rules),
    ),
    Point(
        "O-11",
        (
            Reading("any order", as_they_are),
            Reading(
                "6, then 7, then 8 alone",
                with_rules(without_6_7_8, "a lower bound: as if 6-7-8 earned nothing at all"),
            ),
        ),
        only=_spanish,
    ),
    Point(
        "O-12",
        (
            Reading("all cards of the hand", as_they_are),
            Reading("without the card that was split", with_game(counted_without_the_split_card)),
        ),
        only=lambda rules: _spanish(rules) and _splits(rules),
    ),
    Point("O-13", zero="It is about wagers below $5 and between $24 and $25 alone."),
    Point(
        "O-14",
        (
            Reading("a person's own Super Bonus earns him none", envy_of_two_spots(False)),
            Reading("each spot is its own player", envy_of_two_spots(True)),
        ),
        ENVY_BONUS,
        only=_has_super_bonus,
    ),
    Point(
        "O-15",
        settled="Only the original two cards count (R-020), also when the hand was split, lost or "
        "paid long before (R-081): the documents have no wager that ends with its hand.",
        only=_spanish_match,
    ),
    Point("O-16", zero="No hand is left for the dealer's cards to decide."),
    Point("O-17", zero=_INSURANCE),
    Point("O-18", zero="Chip units that could give a fraction of a cent are refused."),
    Point(
        "O-19",
        zero="Contributions are the players' money: what goes into the meter comes out of it.",
        only=lambda rules: bool(rules.jackpots),
    ),
    Point(
        "O-20",
        unknown="It counts when a second award follows one of 100 % in the same round: ventiuna "
        "jackpot --spots tells how rare that is.",
        only=lambda rules: bool(rules.jackpots),
    ),
    Point(
        "O-21",
        unknown="The operator sets the prize: ventiuna jackpot --prize works it out.",
        only=_prize_jackpot,
        house_in=("003",),
    ),
    Point("O-22", settled=_PRINTED),
    Point(
        "O-23",
        (
            Reading("fixed lines besides the 100 %", jackpot_with(top_alone=False)),
            Reading("the 100 % alone", jackpot_with(top_alone=True)),
        ),
        JACKPOT_WAGER,
        only=_two_deck_jackpot,
    ),
    Point("O-24", settled=_PRINTED),
    Point("O-25", settled=_PRINTED),
    Point("O-26", zero=_TIME),
    Point("O-27", zero="Tables that no document prints can't be offered; no other wager changes."),
    Point("O-28", zero="Meters never mix, so each game is separate.", house_in=("003",)),
    Point("O-29", zero=_EXCHANGE),
    Point(
        "O-30", zero=f"{_EXCHANGE} A split hand is played by its own cards and the up card alone."
    ),
    Point("O-31", zero="The base wager is within the maximum, so the first double is too."),
    Point(
        "O-32",
        (
            Reading("each split hand counts its own", as_they_are),
            Reading(
                "they are counted over all of them",
                with_rules(
                    no_double_after_a_split, "a lower bound: as if no split hand could double"
                ),
            ),
        ),
        only=lambda rules: _splits(rules) and rules.double_after_split,
    ),
    Point(
        "O-33",
        (
            Reading("any 21 of up to four cards may be doubled", with_options(double_on_21="any")),
            Reading("a soft one alone", with_options(double_on_21="soft")),
            Reading("none", with_options(double_on_21="never")),
        ),
        only=_super_fun,
    ),
    Point("O-34", zero=_INSURANCE),
    Point(
        "O-35",
        (
            Reading("compared with the dealer at the end", as_they_are),
            Reading("instant wins and bonuses are paid on it", with_table(bonuses_when_doubled)),
        ),
        only=_super_fun,
    ),
    Point("O-36", zero="It limits stakes; each chip keeps its odds."),
    Point(
        "O-37",
        (
            Reading("the house pays prizes", jackpot_with(prize_from=PrizeFrom.HOUSE)),
            Reading("they come out of the jackpot", jackpot_with(prize_from=PrizeFrom.JACKPOT)),
        ),
        JACKPOT_WAGER,
        only=_prize_jackpot,
        house_in=("003",),
    ),
    Point("O-38", zero=_LESS, open_in=("001",)),
    Point(
        "O-39",
        (
            Reading(
                "each winner gets the full share of the posted amount",
                house_jackpot_paying(Winners.EACH_IN_FULL),
                "003 on displayed prizes, WAC 230-15-671",
            ),
            Reading(
                "paid in sequence, each award taken off before the next",
                house_jackpot_paying(Winners.IN_SEQUENCE),
                "003 on several awards",
            ),
        ),
        FULL_TABLE_JACKPOT,
        only=_house_jackpot,
    ),
    Point("O-40", zero=_LESS),
)
