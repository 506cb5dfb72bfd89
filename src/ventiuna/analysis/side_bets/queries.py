"""All side bets of a rule set together, and one jackpot game with its awards."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, ClassVar, NotRequired, Self, cast

from pydantic import model_validator

from ventiuna.analysis.coerce import check_number, coerce_text, input_error, parse_shoe
from ventiuna.analysis.composition import Basis, BasisData, Composition, players_problem
from ventiuna.analysis.query import (
    JACKPOT_RULES,
    Amount,
    Number,
    ProgressIterator,
    Query,
    QueryOption,
    Shoe,
    Without,
    without_progress,
)
from ventiuna.analysis.results import data_of
from ventiuna.analysis.side_bets.insurance import (
    BlackjackFrequencies,
    BlackjacksData,
    InsuranceData,
    InsuranceWager,
    blackjack_frequencies,
    insurance_wager,
)
from ventiuna.analysis.side_bets.jackpots import (
    JackpotReport,
    JackpotReportData,
    MeterReturn,
    RoundAwards,
    RoundAwardsData,
    game_of,
    jackpot_report,
    round_awards,
    with_jackpot,
)
from ventiuna.analysis.side_bets.match_the_dealer import (
    MatchWager,
    MatchWagerData,
    MatchWagers,
    MatchWagersData,
    match_wager,
    match_wagers,
)
from ventiuna.analysis.side_bets.super_bonus import (
    SuperBonusReport,
    SuperBonusReportData,
    super_bonus_report,
)
from ventiuna.cards import parse_cards
from ventiuna.money import MoneyError, plain_amount, read_amount
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.data_files import jackpot_tables
from ventiuna.rules.model import Game, Jackpot, JackpotKind

# --- All side bets ---

NO_STRATEGY = "none: side bets involve no decisions"
ACES = parse_cards("As Ah Ad Ac")
# Cards that a player considering insurance may have seen besides the dealer's ace.
SEEN = {
    "only the up card": "",
    "and two small cards": "5c 6d",
    "and two faces": "Jc Kd",
    "and a blackjack": "Ac Kd",
}


class SideBetsData(BasisData):
    strategy_class: str
    match_the_dealer: Annotated[MatchWagerData | None, attrgetter("match")]
    match_the_dealer_together: Annotated[MatchWagersData | None, attrgetter("together")]
    super_bonus: Annotated[list[SuperBonusReportData], attrgetter("bonuses")]
    insurance: Annotated[list[InsuranceData], lambda found: found.insurance.values()]
    blackjacks: BlackjacksData
    jackpots: list[JackpotReportData]


class SideBetsAnswer(SideBetsData):
    command: str


@dataclass(frozen=True, slots=True)
class SideBetsAnalysis:
    """Every side bet the rules offer; the others are None or empty."""

    rules: Rules
    match: MatchWager | None
    together: MatchWagers | None
    bonuses: list[SuperBonusReport]  # one for the given base wagers, or one for each wager band
    insurance: dict[str, InsuranceWager]
    blackjacks: BlackjackFrequencies
    jackpots: list[JackpotReport]

    strategy_class: ClassVar[str] = NO_STRATEGY

    @property
    def basis(self) -> Basis:
        return self.blackjacks.basis

    def as_data(self) -> SideBetsData:
        return data_of(SideBetsData, self)


def _insurance(rules: Rules, shoe: Composition) -> dict[str, InsuranceWager]:
    found: dict[str, InsuranceWager] = {}
    up = next((ace for ace in ACES if shoe[ace]), None)
    if rules.insurance and up is not None:
        for words, text in SEEN.items():
            cards = parse_cards(text)
            if all(shoe[card] > (card == up) for card in cards):
                found[words] = insurance_wager(rules, cards, up, shoe)
    return found


def _super_bonuses(
    rules: Rules, shoe: Composition, players: int | None, bases: Sequence[int]
) -> list[SuperBonusReport]:
    if rules.super_bonus_form() is None:
        return []
    count = players if players is not None else 1
    if too_many := players_problem(rules, count):  # check before building a list of this length
        raise RulesError([too_many])
    if len(bases) > 1:
        return [super_bonus_report(rules, bases, composition=shoe)]
    each = bases or [band.base_from for band in rules.super_bonus_bands]
    return [super_bonus_report(rules, [amount] * count, composition=shoe) for amount in each]


# --- The query of all side bets ---

Stakes = tuple[tuple[str, int], ...]


def _parse_stakes(_name: str, text: str) -> Stakes:
    stakes = {}
    for part in filter(str.strip, text.split(",")):
        name, sign, amount = part.partition("=")
        if not sign:
            raise MoneyError(f"stakes {part.strip()!r}: write each as wager=amount, such as up=5")
        stakes[name.strip()] = read_amount(f"stakes {name.strip()}", amount)
    return tuple(stakes.items())


def _parse_amounts(name: str, text: str) -> tuple[int, ...]:
    return tuple(read_amount(name, amount) for amount in filter(str.strip, text.split(",")))


def _amounts_text(amounts: tuple[int, ...]) -> str:
    return ",".join(map(plain_amount, amounts))


class SideBetsQuery(Query):
    """Exact odds of Match the Dealer, the Super and Envy Bonuses, insurance and blackjacks."""

    command: ClassVar[str] = "sidebets"

    stakes: Annotated[
        Stakes,
        QueryOption(
            "Match the Dealer wagers on one hand, such as up=5,down=2,b1=1.",
            parse=_parse_stakes,
            write=lambda stakes: ",".join(f"{name}={plain_amount(at)}" for name, at in stakes),
            names=("--side", "--stakes"),
            metavar="WAGERS",
            show_default="$1 on each",
            example="up=5,down=2",
            longest=200,
        ),
    ] = ()
    players: Annotated[
        int | None,
        Number(
            "Number of spots, for the Envy Bonus.",
            names=("--spots", "--players"),
            show_default="1",
        ),
    ] = None
    base: Annotated[
        tuple[int, ...],
        QueryOption(
            "Base wagers for the Super Bonus: one for all, or one per player (5,25,10).",
            parse=_parse_amounts,
            write=_amounts_text,
            show_default="the lowest in each band",
            example="5,25,10",
            longest=200,
        ),
    ] = ()
    shoe: Shoe = ""
    without: Without = ()

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.players is not None and len(self.base) > 1 and len(self.base) != self.players:
            message = f"there are {len(self.base)} base wagers for {self.players} players"
            fix = "Give one for all, or one for each."
            raise input_error("base", _amounts_text(self.base), message, fix, "R-069")
        return self

    def run(self, progress: ProgressIterator = without_progress) -> SideBetsAnalysis:
        rules, shoe = self.rules, parse_shoe(self.rules, self.without, self.shoe)
        is_match = bool(rules.mtd_wagers or self.stakes)
        return SideBetsAnalysis(
            rules=rules,
            match=match_wager(rules, shoe) if is_match else None,
            together=match_wagers(rules, dict(self.stakes) or None, shoe) if is_match else None,
            bonuses=_super_bonuses(rules, shoe, self.players, self.base),
            insurance=_insurance(rules, shoe),
            blackjacks=blackjack_frequencies(rules, shoe),
            jackpots=[jackpot_report(rules, game + 1, shoe) for game in range(len(rules.jackpots))],
        )


# --- One jackpot game ---


class JackpotAnalysisData(JackpotReportData):
    at_meter: NotRequired[MeterReturn]
    strategy_class: str
    awards: RoundAwardsData | None


class JackpotAnswer(JackpotAnalysisData):
    command: str


@dataclass(frozen=True, slots=True)
class JackpotAnalysis:
    """The game's report, with awards seat by seat if players were given."""

    rules: Rules
    report: JackpotReport
    meter: int | None
    awards: RoundAwards | None

    def as_data(self) -> JackpotAnalysisData:
        data: Any = self.report.as_data()
        if self.meter is not None:
            data["at_meter"] = self.report.data_at(self.meter)
        data["strategy_class"] = NO_STRATEGY
        data["awards"] = self.awards.as_data() if self.awards else None
        return cast(JackpotAnalysisData, data)


def _no_jackpot(rules: Rules) -> Problem:
    fix = "Use rules that have one, such as wsgc-2021-jackpot."
    if rules.game == Game.SPANISH_21:
        fitting = [table.id for table in jackpot_tables().values() if rules.decks in table.decks]
        fix = f"Name a table: {', '.join(fitting)}. {fix}"
    return Problem("jackpots", "none", "R-084", "these rules have no jackpot game", fix)


def posted_amount(jackpot: Jackpot) -> int | None:
    """A house jackpot's posted amount; None for a progressive, whose meter varies (R-097)."""
    return jackpot.seed if jackpot.kind == JackpotKind.HOUSE else None


OF_A_TABLE = ("pay_table", "alternate", "wager", "prize")  # these require a pay table


def _check_count(name: str, value: Any) -> Any:
    if value is not None:
        check_number(name, value)
    return value


class JackpotGameQuery(Query):
    """A query about one jackpot game."""

    default_rules: ClassVar[str] = JACKPOT_RULES

    game: Annotated[
        int | None, Number("Which of the rules' jackpot games: 1 or 2.", show_default="1")
    ] = None
    table: Annotated[
        str | None,
        QueryOption(
            "Use a different jackpot table, such as 3c.",
            parse=lambda _, text: text or None,
            check=lambda name, table: table if table is None else coerce_text(name, table),
            example="3c",
            longest=20,
        ),
    ] = None
    pay_table: Annotated[
        int | None, Number("Pay table, 1 to 8.", check=_check_count, show_default="1")
    ] = None
    alternate: Annotated[
        int | None,
        Number("Set of alternate lines; 0 for none.", check=_check_count, show_default="0"),
    ] = None
    wager: Annotated[
        int | None, Amount("Jackpot wager, $1 to $20.", show_default="1", example="1")
    ] = None
    prize: Annotated[int | None, Amount("The operator's prize per $1 wagered.", example="5000")] = (
        None
    )

    @property
    def number(self) -> int:
        return 1 if self.game is None else self.game

    @property
    def house(self) -> Rules:
        """The rules. If the options name a jackpot table, it replaces the rules' own games."""
        if self.table is None:
            problems = [
                Problem(name, option.write(value), "R-086", "it requires a table", "Name a table.")
                for name, option in self.options().items()
                if name in OF_A_TABLE and (value := getattr(self, name)) is not None
            ]
            if problems:
                raise RulesError(problems)
            if not self.rules.jackpots:
                raise RulesError([_no_jackpot(self.rules)])
            return self.rules
        if self.game is not None:
            message, fix = "can't be combined with a table", "Give only one of the two."
            raise input_error("game", self.game, message, fix, "R-086")
        return with_jackpot(
            self.rules,
            self.table,
            1 if self.pay_table is None else self.pay_table,
            self.alternate or 0,
            100 if self.wager is None else self.wager,
            self.prize,
        )

    def words(self) -> list[str]:
        """The equivalent command line; a jackpot table among the options is moved to the rules."""
        folded = dict.fromkeys(("table", *OF_A_TABLE))
        return Query.words(self.model_copy(update={"rules": self.house, **folded}))


class JackpotQuery(JackpotGameQuery):
    """A jackpot game: pay lines, returns, break-even meter, and awards seat by seat."""

    command: ClassVar[str] = "jackpot"

    meter: Annotated[
        int | None, Amount("Meter when awards are paid, in dollars.", example="12345.21")
    ] = None
    players: Annotated[
        int | None,
        Number("Number of spots to show awards for.", names=("--spots", "--players")),
    ] = None
    shoe: Shoe = ""
    without: Without = ()

    def run(self, progress: ProgressIterator = without_progress) -> JackpotAnalysis:
        report = jackpot_report(self.house, self.number, self._cards)
        awards = None if self.players is None else self.awards()
        return JackpotAnalysis(self.house, report, self._meter, awards)

    def awards(self) -> RoundAwards:
        """What the game pays each seat."""
        return round_awards(
            self.house, cast(int, self.players), self._meter, self.number, self._cards
        )

    @property
    def _cards(self) -> Composition:
        return parse_shoe(self.house, self.without, self.shoe)

    @property
    def _meter(self) -> int | None:
        """The given meter, or the posted amount of a house jackpot."""
        if self.meter is not None:
            return self.meter
        return posted_amount(game_of(self.house, self.number))
