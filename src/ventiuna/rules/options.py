"""What each option may be: kind, values, rule numbers, and a line for people.

The list drives reading, checking, canonical strings and display, so a new option is
one field of `Rules` and one row here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from ventiuna.cards import Pack
from ventiuna.records import record
from ventiuna.rules import model

Kind = Literal["choice", "flag", "number", "money", "odds", "names", "text"]


@record(frozen=True, slots=True)
class Option:
    name: str
    kind: Kind
    rule: str
    text: str
    choices: type[StrEnum] | None = None
    low: int = 0
    high: int = 0
    usual: tuple[str, ...] = ()  # values that are met at tables, where any could be written
    zero: str = ""  # what 0 means where it is no amount


def _choice(name: str, choices: type[StrEnum], rule: str, text: str) -> Option:
    return Option(name, "choice", rule, text, choices=choices)


def _odds(name: str, usual: tuple[str, ...], rule: str, text: str) -> Option:
    return Option(name, "odds", rule, text, usual=usual)


def _number(name: str, low: int, high: int, rule: str, text: str) -> Option:
    return Option(name, "number", rule, text, low=low, high=high)


_BLACKJACK = ("1 to 1", "6 to 5", "3 to 2", "2 to 1")
_DIAMONDS = ("1 to 1", "3 to 2", "2 to 1")

OPTIONS: tuple[Option, ...] = (
    _choice("game", model.Game, "R-001, R-103", "the game"),
    _choice("pack", Pack, "R-007, R-103", "make-up of a deck"),
    _number("decks", 1, 8, "R-008, R-103", "number of decks"),
    _choice("dealt_from", model.DealtFrom, "R-009", "dealt from hand or shoe"),
    _number("cut_card", 0, 100, "O-03", "per cent of the shoe before the cut card; 0: by decks"),
    _number("burn_cards", 0, 20, "O-03", "cards burnt after each shuffle"),
    _number("seats", 1, 7, "O-02", "spots at the table"),
    _choice("soft_17", model.Soft17, "R-077, R-117", "dealer on soft 17"),
    _odds("blackjack_pays", _BLACKJACK, "R-029, R-114", "a player's blackjack pays"),
    _odds("diamond_blackjack_pays", _DIAMONDS, "R-114", "a blackjack all in diamonds pays"),
    _choice("blackjack_tie", model.BlackjackTie, "R-029, R-114", "against a dealer blackjack"),
    _choice("blackjack_paid", model.BlackjackPaid, "R-030, R-115", "when a blackjack is paid"),
    Option("double_blackjack", "flag", "R-032, R-106", "a blackjack may be doubled"),
    _choice("player_21", model.Player21, "R-039, R-119", "a player's 21"),
    _choice("double_on_21", model.DoubleOn21, "R-041, O-06, O-33", "which 21 may be doubled"),
    _choice("double_cards", model.DoubleCards, "R-047, R-105", "cards a hand may be doubled on"),
    _choice("double_totals", model.DoubleTotals, "R-047, R-105", "totals that may be doubled"),
    Option("double_after_split", "flag", "R-047, R-105", "split hands may be doubled"),
    Option("double_for_less", "flag", "R-050, R-107", "doubling for less than the wager"),
    Option("double_double", "flag", "R-051", "double-double down"),
    Option("rescue", "flag", "R-057", "rescue of a doubled hand"),
    _choice("surrender", model.Surrender, "R-036, R-109", "surrender"),
    _choice("split", model.Split, "R-042, R-108", "cards that may be split"),
    _number("split_hands", 1, 4, "R-042, R-108", "hands after splitting"),
    _choice("split_aces", model.SplitAces, "R-043, R-108", "split aces"),
    Option("resplit_aces", "flag", "R-043, R-108", "split aces may be split again"),
    Option("insurance", "flag", "R-034, R-116", "insurance against an ace up"),
    _odds("insurance_pays", ("2 to 1",), "R-034, R-116", "insurance pays"),
    Option("insurance_on_blackjack", "flag", "R-031, R-116", "a blackjack may be insured"),
    _choice("envy", model.Envy, "R-073, R-074, D-10", "Envy Bonus"),
    Option("envy_amount", "money", "R-073", "amount of an Envy Bonus"),
    _number("mtd_configuration", 0, 4, "R-015, R-016, R-017, R-018", "Match the Dealer wagers"),
    _number("bonus_cards", 0, 5, "R-017, R-018", "Match the Dealer Bonus Cards"),
    Option("mtd_minimum", "money", "R-024", "smallest Match the Dealer wager"),
    Option(
        "mtd_maximum",
        "money",
        "R-024",
        "largest Match the Dealer wager; 0: the base limits",
        zero="none of its own",
    ),
    Option("mtd_at_most_base", "flag", "R-024, D-03", "not above the base wager"),
    Option("down_requires_up", "flag", "R-025, D-02", "a Down Card wager needs an Up Card wager"),
    Option("mtd_required", "names", "R-025", "Match the Dealer wagers the house requires"),
    _choice("down_settled", model.DownSettled, "R-081, D-05", "Down Card wagers are settled"),
    Option("table_minimum", "money", "R-003", "table minimum"),
    Option("table_maximum", "money", "R-002, R-003", "table maximum"),
    Option("chip_unit", "money", "O-18", "wagers are multiples of"),
    Option("small_chip_unit", "money", "O-18", "insurance and double for less: multiples of"),
    Option("limit_profile", "text", "R-002", "regulator's limit in force"),
)

BY_NAME = {option.name: option for option in OPTIONS}
