"""House rules: the frozen, readable model, and the errors that report invalid rules.

Every option in the rule documents is a field, declared once with its kind, default, rule numbers
and meaning. To add an option, add a field here and read it in `core`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple

from ventiuna.cards import Pack
from ventiuna.errors import VentiunaError
from ventiuna.money import Odds
from ventiuna.rules.options import Option, OptionKind, short_repr, up_cards
from ventiuna.texts import one_line

MAX_VALUE_LENGTH = 60  # limit for user input quoted in messages


class Problem(NamedTuple):
    field: str
    value: str
    rule: str  # R-, D- or O-number, or "" if no document covers it
    message: str
    fix: str

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        value = self.value
        if len(value) > MAX_VALUE_LENGTH:
            value = value[:MAX_VALUE_LENGTH] + "…"
        subject = f"{self.field} = {value}" if value else self.field
        return one_line(f"{subject}: {self.message}{rule}. {self.fix}")


class RulesError(VentiunaError, ValueError):
    """Invalid house rules.

    >>> from ventiuna import load_rules
    >>> try:
    ...     load_rules("wsgc-2021(decks=0)")
    ... except RulesError as error:
    ...     print(error.problems[0].field)
    decks
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Game(StrEnum):
    SPANISH_21 = "spanish-21"
    SUPER_FUN_21 = "super-fun-21"
    BLACKJACK = "blackjack"

    @property
    def words(self) -> str:
        return {"spanish-21": "Spanish 21", "super-fun-21": "Super Fun 21"}.get(self, "Blackjack")


class DealtFrom(StrEnum):
    SHOE = "shoe"
    HAND = "hand"


class Soft17(StrEnum):
    HIT = "hit"
    STAND = "stand"


class BlackjackTie(StrEnum):
    """Player blackjack against dealer blackjack."""

    WINS = "wins"
    PUSHES = "pushes"


class BlackjackPaid(StrEnum):
    AT_ONCE = "at_once"  # even before insurance against an ace
    UNLESS_INSURED = "at_once_unless_insured"
    AFTER_CHECK = "after_check"  # standard blackjack


class Player21(StrEnum):
    WINS = "wins"  # immediately, even against a dealer 21
    COMPARES = "compares"  # pushes against a dealer 21


class DoubleOn21(StrEnum):
    NEVER = "never"
    SOFT = "soft"  # R-041, O-06
    ANY = "any"  # R-105, O-33


class DoubleCards(StrEnum):
    TWO = "two"
    TWO_OR_MORE = "two_or_more"


class DoubleTotals(StrEnum):
    ANY = "any"
    NINE_TO_ELEVEN = "9-11"
    TEN_OR_ELEVEN = "10-11"


class Surrender(StrEnum):
    OFF = "off"
    LATE = "late"
    ANY_TIME = "any_time"


class Split(StrEnum):
    OFF = "off"
    EQUAL_VALUE = "equal_value"
    SAME_RANK = "same_rank"


class SplitAces(StrEnum):
    LIKE_OTHERS = "like_others"
    ONE_CARD = "one_card"


class Envy(StrEnum):
    OFF = "off"
    PER_OTHER_WINNER = "per_other_winner"
    LOSERS_ONLY = "losers_only"
    LOSERS_ONCE = "losers_once"


class DownSettled(StrEnum):
    WITH_BASE_GAME = "with_base_game"
    AT_EXPOSURE = "at_exposure"


class DealOrder(StrEnum):
    """When the dealer's two cards are dealt; players get theirs in two passes from the left."""

    UP_CARD_FIRST = "up_card_first"  # up card after the first pass, down card after the second
    DOWN_CARD_FIRST = "down_card_first"  # the other way around
    DEALER_LAST = "dealer_last"  # up card and down card after both passes


class SpotsSettled(StrEnum):
    FROM_LEFT = "from_left"
    FROM_RIGHT = "from_right"


class BonusOrder(StrEnum):
    SPOT_BY_SPOT = "spot_by_spot"
    WAGER_BY_WAGER = "wager_by_wager"  # all wagers on Bonus Card 1, then those on 2, and so on


class JackpotKind(StrEnum):
    PROGRESSIVE = "progressive"  # the players' money (R-098)
    HOUSE = "house"  # the house's money


class PrizeFrom(StrEnum):
    HOUSE = "house"
    JACKPOT = "jackpot"


class Reseed(StrEnum):
    AT_ONCE = "at_once"
    AFTER_ROUND = "after_round"


class Winners(StrEnum):
    IN_SEQUENCE = "in_sequence"
    EACH_IN_FULL = "each_in_full"


# A 21 that matches no Bonus 21 row still wins immediately, doubled or not.
PLAIN_21 = "21"


def _declare(
    kind: OptionKind, rule: str, text: str = "", default: object = MISSING, **more: Any
) -> Any:
    """Declare a field with its option; `more` sets the rest of `Option`, such as `is_new`."""
    option = Option(kind, rule, text, needed=default is MISSING, **more)
    return field(default=default, metadata={"option": option})


def _choice(default: StrEnum, rule: str, text: str, card: str = "", **more: Any) -> Any:
    return _declare("choice", rule, text, default, choices=type(default), card=card, **more)


def _flag(default: bool, rule: str, text: str, card: str = "", **more: Any) -> Any:
    return _declare("flag", rule, text, default, card=card, **more)


def _number(
    default: int, low: int, high: int, rule: str, text: str, card: str = "", **more: Any
) -> Any:
    return _declare("number", rule, text, default, low=low, high=high, card=card, **more)


def _money(default: int, rule: str, text: str, **more: Any) -> Any:
    return _declare("money", rule, text, default, **more)


def _odds(
    default: Odds, usual: tuple[str, ...], rule: str, text: str, card: str = "", **more: Any
) -> Any:
    return _declare("odds", rule, text, default, usual=usual, card=card, **more)


def _rows(row_type: type[Row], card: str = "") -> Any:
    """Declare a field with rows of this type."""
    return field(default=(), metadata={"rows": row_type, "card": card})


def _declared(owner: type[Rules | Row]) -> Mapping[str, Option]:
    """Return the options that the fields of a class declare, by name."""
    return {
        item.name: replace(item.metadata["option"], name=item.name)
        for item in fields(owner)
        if "option" in item.metadata
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PayRow:
    """A hand that is paid immediately: a Bonus 21 payout or an instant win."""

    name: str = _declare("name", "")
    pay: Odds = _declare("odds", "R-061")
    rule: str = _declare("rule", "", default="")
    # Ranges; a row in a file gives either the number of cards or the ranks.
    cards: tuple[int, int] = _declare("range", "R-062", default=(0, 0))
    total: tuple[int, int] = _declare("range", "R-062", default=(21, 21))
    ranks: tuple[int, ...] = _declare("ranks", "R-063", default=())  # empty for any ranks
    # "any", one suit, or a list of suits that must all occur
    suits: str = _declare("suits", "R-063", default="any")
    decks: tuple[int, ...] = _declare("decks", "R-064", default=())  # empty for any number
    after_split: bool = _flag(True, "R-046", "after a split")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperBonusForm:
    """The first three cards and the up card that win the Super Bonus."""

    hand: str = _declare("name", "")  # description
    ranks: tuple[int, ...] = _declare("ranks", "R-063")
    suits: str = _declare("suits", "R-063")
    up: str = _declare("up", "R-067, R-068")
    decks: tuple[int, ...] = _declare("decks", "R-064")
    rule: str = _declare("rule", "", default="")
    up_cards: tuple[int, ...] = ()  # by default, the cards that `up` names

    def __post_init__(self) -> None:
        object.__setattr__(self, "up_cards", self.up_cards or up_cards(self.up))


@dataclass(frozen=True, slots=True)
class SuperBonusBand:
    base_from: int = _declare("money", "R-069")  # cents
    pay: int = _declare("money", "R-069")


@dataclass(frozen=True, slots=True)
class Jackpot:
    """One jackpot game on a layout."""

    table: str = _declare("name", "R-086", example="Name a jackpot table, such as 3c.")
    pay_table: int = _number(1, 1, 99, "R-086", "a pay table")
    wager: int = _money(100, "R-085", "the fixed wager")
    kind: JackpotKind = _choice(JackpotKind.PROGRESSIVE, "R-083", "the kind of jackpot")
    alternate: int = _number(0, 0, 99, "R-093, R-094", "a set of alternate lines")
    # Cents per $1 of wager; None if not set (O-21)
    prize: int | None = _declare("money", "R-092, O-21", "the operator's prize", None)
    prize_from: PrizeFrom = _choice(PrizeFrom.HOUSE, "R-092, O-37", "who pays the prize")
    seed: int = _money(0, "O-19", "the seed")  # starting amount, or the amount that a house posts
    # Hundredths of a percent of each wager
    contribution: int = _declare("contribution", "O-19", "the meter's share", 2100)
    reseed: Reseed = _choice(Reseed.AT_ONCE, "O-20", "when the meter is reseeded")
    # House jackpots with several winners
    winners: Winners = _choice(Winners.EACH_IN_FULL, "O-39", "how several winners are paid")
    best_only: bool = _flag(False, "D-24", "only the better of up and down is paid")
    top_alone: bool = _flag(
        False, "O-23", "a hand with the highest line isn't paid for any other line"
    )


Row = PayRow | SuperBonusForm | SuperBonusBand | Jackpot
ROW_PARTS: Mapping[type[Row], Mapping[str, Option]] = {
    row_type: _declared(row_type) for row_type in (PayRow, SuperBonusForm, SuperBonusBand, Jackpot)
}
OptionValue = str | int | Odds | tuple[str, ...]  # enum members are strings, flags are ints
Choice = str | int  # a choice as listed in a document
Start = tuple[tuple[str, OptionValue | tuple[Jackpot, ...]], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of rules, and what their document says apart from the options.

    With this information, rules can be named and printed without their file. It doesn't affect
    payments.
    """

    preset: str = ""  # the packaged preset at the root
    # Options and jackpots of the preset or file itself, before any changes
    start: Start = ()
    choices: tuple[tuple[str, tuple[Choice, ...]], ...] = ()  # the house's choices, by option
    jackpot_choices: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()  # rule numbers by option
    notices: tuple[str, ...] = ()  # other prohibitions and requirements in the document


# Headings on the rule card
_GAME, _CHOICES, _SUPER, _MATCH = "The game", "Your choices", "Super Bonus", "Match the Dealer"
JACKPOT_CARD = "jackpot"  # used in the heading of each game
_BLACKJACK_ODDS = ("1 to 1", "6 to 5", "3 to 2", "2 to 1")
_DIAMOND_ODDS = ("1 to 1", "3 to 2", "2 to 1")


@dataclass(frozen=True, slots=True)
class Rules:
    """A complete, resolved set of house rules.

    >>> from ventiuna import load_rules
    >>> load_rules("super-fun-21").decks
    1
    """

    # Identity; not part of the fingerprint
    name: str = ""  # preset id or file path
    title: str = ""
    document: str = ""
    revision: int = 1
    # Cards
    game: Game = _choice(Game.BLACKJACK, "R-001, R-103", "the game", _GAME)
    pack: Pack = _choice(Pack.STANDARD, "R-007, R-103", "cards in a deck", _GAME)
    decks: int = _number(6, 1, 8, "R-008, R-103", "number of decks", _GAME, varied=1)
    dealt_from: DealtFrom = _choice(DealtFrom.SHOE, "R-009", "dealt by hand or from a shoe", _GAME)
    cut_card: int = _number(
        0,
        0,
        100,
        "O-03",
        "percentage dealt before the cut card; 0 means 75% (60% with 1 or 2 decks)",
    )
    burn_cards: int = _number(0, 0, 20, "O-03", "cards burned after each shuffle")
    seats: int = _number(7, 1, 7, "O-02", "spots at the table")
    # Dealer, blackjack, 21
    soft_17: Soft17 = _choice(Soft17.HIT, "R-077, R-117", "dealer on soft 17", _GAME, varied=2)
    blackjack_pays: Odds = _odds(
        Odds(3, 2),
        _BLACKJACK_ODDS,
        "R-029, R-114",
        "a player's blackjack pays",
        "Blackjack",
        varied=6,
    )
    diamond_blackjack_pays: Odds = _odds(
        Odds(3, 2), _DIAMOND_ODDS, "R-114", "an all-diamond blackjack pays", "Blackjack", varied=7
    )
    blackjack_tie: BlackjackTie = _choice(
        BlackjackTie.PUSHES,
        "R-029, R-114",
        "a blackjack against the dealer's",
        "Blackjack",
        varied=8,
    )
    blackjack_paid: BlackjackPaid = _choice(
        BlackjackPaid.AFTER_CHECK, "R-030, R-115", "when a blackjack is paid", "Blackjack"
    )
    double_blackjack: bool = _flag(
        False, "R-032, R-106", "a blackjack may be doubled", _CHOICES, varied=10
    )
    player_21: Player21 = _choice(
        Player21.COMPARES, "R-039, R-119", "a player's 21", _GAME, varied=9
    )
    # Doubling, rescue, surrender, splits, insurance
    double_on_21: DoubleOn21 = _choice(
        DoubleOn21.NEVER, "R-041, O-06, O-33", "which 21 may be doubled", _CHOICES, varied=11
    )
    double_cards: DoubleCards = _choice(
        DoubleCards.TWO,
        "R-047, R-105",
        "number of cards a hand may be doubled on",
        _CHOICES,
        varied=12,
    )
    double_totals: DoubleTotals = _choice(
        DoubleTotals.ANY, "R-047, R-105", "totals that may be doubled", _CHOICES, varied=13
    )
    double_after_split: bool = _flag(
        True, "R-047, R-105", "split hands may be doubled", _CHOICES, varied=14
    )
    double_for_less: bool = _flag(
        True, "R-050, R-107", "doubling for less than the wager", _CHOICES
    )
    double_double: bool = _flag(False, "R-051", "double-double down", _CHOICES, varied=3)
    rescue: bool = _flag(False, "R-057", "rescue of a doubled hand", _CHOICES, varied=5)
    surrender: Surrender = _choice(Surrender.OFF, "R-036, R-109", "surrender", _CHOICES, varied=4)
    split: Split = _choice(
        Split.EQUAL_VALUE, "R-042, R-108", "cards that may be split", _CHOICES, varied=15
    )
    split_hands: int = _number(
        4, 1, 4, "R-042, R-108", "maximum number of hands after splitting", _CHOICES, varied=16
    )
    split_aces: SplitAces = _choice(
        SplitAces.ONE_CARD, "R-043, R-108", "split aces", _CHOICES, varied=17
    )
    resplit_aces: bool = _flag(
        False, "R-043, R-108", "split aces may be split again", _CHOICES, varied=18
    )
    insurance: bool = _flag(True, "R-034, R-116", "insurance against an ace up", _CHOICES)
    insurance_pays: Odds = _odds(
        Odds(2, 1), ("2 to 1",), "R-034, R-116", "insurance pays", _CHOICES
    )
    insurance_on_blackjack: bool = _flag(
        True, "R-031, R-116", "a blackjack may be insured", _CHOICES
    )
    # Bonuses
    bonus_21: tuple[PayRow, ...] = _rows(PayRow, "Bonus 21")
    instant_wins: tuple[PayRow, ...] = _rows(PayRow, "Instant wins")
    super_bonus: tuple[SuperBonusForm, ...] = _rows(SuperBonusForm, _SUPER)
    super_bonus_bands: tuple[SuperBonusBand, ...] = _rows(SuperBonusBand, _SUPER)
    envy: Envy = _choice(Envy.OFF, "R-073, R-074, D-10", "Envy Bonus", _SUPER)
    envy_amount: int = _money(0, "R-073", "amount of an Envy Bonus", card=_SUPER)
    # Match the Dealer; configuration 0 means that it isn't offered
    mtd_configuration: int = _number(
        0, 0, 4, "R-015, R-016, R-017, R-018", "Match the Dealer configuration", _MATCH
    )
    bonus_cards: int = _number(
        0, 0, 5, "R-017, R-018", "number of Match the Dealer Bonus Cards", _MATCH
    )
    mtd_minimum: int = _money(0, "R-024", "smallest Match the Dealer wager", card=_MATCH)
    mtd_maximum: int = _money(
        0,
        "R-024",
        "largest Match the Dealer wager; 0 means the table maximum",
        zero="the table maximum",
    )
    mtd_at_most_base: bool = _flag(
        False, "R-024, D-03", "Match the Dealer wagers are limited to the base wager", _MATCH
    )
    down_requires_up: bool = _flag(
        False, "R-025, D-02", "a Down Card wager needs an Up Card wager", _MATCH
    )
    mtd_required: tuple[str, ...] = _declare(
        "names", "R-025", "Match the Dealer wagers the house requires", (), card=_MATCH
    )
    down_settled: DownSettled = _choice(
        DownSettled.WITH_BASE_GAME, "R-081, D-05", "when Down Card wagers are settled", _MATCH
    )
    # The sequence that the house determines; no payment depends on it
    deal_order: DealOrder = _choice(
        DealOrder.UP_CARD_FIRST,
        "R-026, R-123, D-20, O-04",
        "order of the initial deal",
        _GAME,
        is_new=True,
    )
    spots_settled: SpotsSettled = _choice(
        SpotsSettled.FROM_LEFT,
        "R-080, R-123",
        "direction in which spots are settled",
        _GAME,
        is_new=True,
    )
    bonus_order: BonusOrder = _choice(
        BonusOrder.SPOT_BY_SPOT,
        "R-080, R-123",
        "order in which Bonus Card wagers are settled",
        _MATCH,
        is_new=True,
    )
    # Jackpots, each with its own meter (O-28), and limits
    jackpots: tuple[Jackpot, ...] = _rows(Jackpot, JACKPOT_CARD)
    table_minimum: int = _money(500, "R-003", "table minimum", card="Limits")
    table_maximum: int = _money(30_000, "R-002, R-003", "table maximum", card="Limits")
    chip_unit: int = _money(100, "O-18", "wagers must be multiples of", card="Limits")
    small_chip_unit: int = _money(50, "O-18", "insurance and doubles for less must be multiples of")
    limit_profile: str = _declare(
        "text", "R-002", "regulator's limit that applies", "none", card="Limits"
    )
    # Not part of the fingerprint
    origin: Origin = Origin()

    def __hash__(self) -> int:
        """Hash only a few fields, for speed, because compiled rules are looked up every round."""
        return hash((self.name, self.decks, self.soft_17, self.double_double))

    @property
    def sources(self) -> dict[str, str]:
        """Return the rule numbers that determine the values, by option."""
        return dict(self.origin.sources)

    @property
    def offers_double_for_less(self) -> bool:
        """Whether doubling for less is offered; never with double-double down (R-050)."""
        return self.double_for_less and not self.double_double

    def in_force(self, option: str) -> OptionValue:
        """Return an option's effective value: double-double rules out doubling for less."""
        name = "offers_double_for_less" if option == "double_for_less" else option
        value: OptionValue = getattr(self, name)
        return value

    @property
    def doublings_at_most(self) -> int:
        """Maximum doublings: one double down, plus two double-doubles if offered.

        R-053, D-16, D-32.
        """
        return 3 if self.double_double else 1

    @property
    def offers_up_wager(self) -> bool:
        return self.mtd_configuration >= 1

    @property
    def offers_down_wager(self) -> bool:
        """Whether Down Card wagers are offered: in configurations 2 and 4 (R-016, R-018)."""
        return self.mtd_configuration in (2, 4)

    @property
    def mtd_wagers(self) -> tuple[str, ...]:
        """Return the Match the Dealer wagers offered: up, down, b1 to b5."""
        if not self.offers_up_wager:
            return ()
        down = ("down",) if self.offers_down_wager else ()
        return ("up", *down, *(f"b{number}" for number in range(1, self.bonus_cards + 1)))

    @property
    def cut_card_percent(self) -> int:
        """Percent of the shoe dealt before the cut card.

        By default 75, or 60 with one or two decks (O-03).
        """
        return self.cut_card or (60 if self.decks <= 2 else 75)

    @property
    def shoe_size(self) -> int:
        return self.decks * len(self.pack.cards)

    def __repr__(self) -> str:
        from importlib import import_module  # avoids a circular import

        return f"<Rules {import_module('ventiuna.rules.canonical').canonical(self)}>"

    def _repr_html_(self) -> str:
        """Render the rule card. Loads it by name to avoid a circular import."""
        from importlib import import_module

        return str(import_module("ventiuna.rules.text.rule_card").rules_html(self))

    def bonus_21_rows(self) -> tuple[PayRow, ...]:
        """Return the Bonus 21 rows that apply to this number of decks (R-064, R-065)."""
        return tuple(row for row in self.bonus_21 if not row.decks or self.decks in row.decks)

    def super_bonus_form(self) -> SuperBonusForm | None:
        for form in self.super_bonus:
            if self.decks in form.decks:
                return form
        return None


OPTIONS_BY_NAME = _declared(Rules)
OPTIONS = tuple(OPTIONS_BY_NAME.values())
ROW_FIELDS: dict[str, type[Row]] = {
    item.name: item.metadata["rows"] for item in fields(Rules) if "rows" in item.metadata
}
CARD_HEADINGS = {
    item.name: item.metadata["option"].card if "option" in item.metadata else item.metadata["card"]
    for item in fields(Rules)
    if item.metadata
}


def check_rules(rules: object) -> None:
    """Reject arguments that aren't Rules; callers sometimes pass a name."""
    if not isinstance(rules, Rules):
        fix = "Pass the result of load_rules."
        raise RulesError([Problem("rules", short_repr(rules), "", "not a Rules object", fix)])
