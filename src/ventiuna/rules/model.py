"""House rules: the frozen, readable model, and the errors that report invalid rules.

Every option in the rule documents is a field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ventiuna.cards import Pack
from ventiuna.errors import VentiunaError
from ventiuna.money import Odds
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


@dataclass(frozen=True, slots=True)
class PayRow:
    """A hand that is paid immediately: a Bonus 21 payout or an instant win."""

    name: str
    pay: Odds
    cards: tuple[int, int]  # minimum, maximum
    rule: str = ""
    total: tuple[int, int] = (21, 21)
    ranks: tuple[int, ...] = ()  # empty: any
    suits: str = "any"  # any, one suit, or the suits that must all occur
    decks: tuple[int, ...] = ()  # empty: any number of decks
    after_split: bool = True


@dataclass(frozen=True, slots=True)
class SuperBonusForm:
    """The first three cards and the up card that win the Super Bonus."""

    ranks: tuple[int, ...]
    suits: str
    up_cards: tuple[int, ...]
    decks: tuple[int, ...]
    hand: str  # description
    up: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class SuperBonusBand:
    base_from: int  # cents
    pay: int


@dataclass(frozen=True, slots=True)
class Jackpot:
    """One jackpot game on a layout."""

    table: str
    pay_table: int = 1
    wager: int = 100
    kind: JackpotKind = JackpotKind.PROGRESSIVE
    alternate: int = 0
    prize: int | None = None  # cents per $1 of wager; None: not set (O-21)
    prize_from: PrizeFrom = PrizeFrom.HOUSE
    seed: int = 0  # progressive: start and reset; house: the posted amount
    contribution: int = 2100  # hundredths of a percent of each wager (O-19)
    reseed: Reseed = Reseed.AT_ONCE
    winners: Winners = Winners.EACH_IN_FULL  # house jackpots with several winners (O-39)
    best_only: bool = False  # D-24
    top_alone: bool = False  # O-23


OptionValue = str | int | Odds | tuple[str, ...]  # enum members are strings, flags are ints
Choice = str | int  # as listed in a document
Start = tuple[tuple[str, OptionValue | tuple[Jackpot, ...]], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rules come from, and what their document says apart from the options.

    Lets rules be named and printed without the file they came from; doesn't affect payments.
    """

    preset: str = ""  # the packaged preset at the root
    # Options and jackpots of the preset or file itself, before any changes
    start: Start = ()
    choices: tuple[tuple[str, tuple[Choice, ...]], ...] = ()  # the house's choices, by option
    jackpot_choices: tuple[tuple[str, tuple[Choice, ...]], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()  # rule numbers by option
    notices: tuple[str, ...] = ()  # other prohibitions and requirements in the document


@dataclass(frozen=True, slots=True)
class Rules:
    """A complete, resolved set of house rules.

    >>> from ventiuna import load_rules
    >>> load_rules("super-fun-21").decks
    1
    """

    # Identity; not part of the fingerprint
    name: str  # preset id or file path
    title: str
    document: str
    revision: int
    # Cards
    game: Game
    pack: Pack
    decks: int
    dealt_from: DealtFrom
    cut_card: int  # percent of the shoe dealt before it; 0: depends on the number of decks (O-03)
    burn_cards: int
    seats: int
    # Dealer, blackjack, 21
    soft_17: Soft17
    blackjack_pays: Odds
    diamond_blackjack_pays: Odds
    blackjack_tie: BlackjackTie
    blackjack_paid: BlackjackPaid
    double_blackjack: bool
    player_21: Player21
    # Doubling, rescue, surrender, splits, insurance
    double_on_21: DoubleOn21
    double_cards: DoubleCards
    double_totals: DoubleTotals
    double_after_split: bool
    double_for_less: bool
    double_double: bool
    rescue: bool
    surrender: Surrender
    split: Split
    split_hands: int
    split_aces: SplitAces
    resplit_aces: bool
    insurance: bool
    insurance_pays: Odds
    insurance_on_blackjack: bool
    # Bonuses
    bonus_21: tuple[PayRow, ...]
    instant_wins: tuple[PayRow, ...]
    super_bonus: tuple[SuperBonusForm, ...]
    super_bonus_bands: tuple[SuperBonusBand, ...]
    envy: Envy
    envy_amount: int
    # Match the Dealer
    mtd_configuration: int  # 0: not offered
    bonus_cards: int
    mtd_minimum: int
    mtd_maximum: int  # 0: no separate limit
    mtd_at_most_base: bool
    down_requires_up: bool
    mtd_required: tuple[str, ...]
    down_settled: DownSettled
    # Jackpots and limits
    jackpots: tuple[Jackpot, ...]  # any tables for the deck count, each with its own meter (O-28)
    table_minimum: int
    table_maximum: int
    chip_unit: int
    small_chip_unit: int
    limit_profile: str
    # Not part of the fingerprint either
    origin: Origin = Origin()

    def __hash__(self) -> int:
        """Hash only a few fields, for speed: compiled rules are looked up every round."""
        return hash((self.name, self.decks, self.soft_17, self.double_double))

    @property
    def sources(self) -> dict[str, str]:
        """Return the rule numbers behind the values, by option."""
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
        """Render the rule card. Imported by name to avoid a circular import."""
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
