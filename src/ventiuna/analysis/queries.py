"""The queries of exact analysis: house edge, hands, dealer totals, charts, side bets, jackpots.

Calculations are imported when a query runs, so that a command's help appears quickly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import SkipValidation, model_validator

from ventiuna.analysis.coerce import (
    check_base,
    check_flag,
    check_number,
    coerce_text,
    input_error,
    parse_shoe,
)
from ventiuna.analysis.composition import Composition, SplitPlay
from ventiuna.analysis.query import (
    JACKPOT_RULES,
    Amount,
    BaseWager,
    Card,
    Cards,
    Flag,
    Number,
    Option,
    ProgressIterator,
    Query,
    Shoe,
    Text,
    Without,
    without_progress,
)
from ventiuna.money import MoneyError, plain_amount, read_amount
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.options import short_repr
from ventiuna.strategy.errors import plan_problem

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import HandValues
    from ventiuna.analysis.base_game.queries import DealerOutcomes, EdgeAnalysis, ParsedHand
    from ventiuna.analysis.charts.derivation import ChartResult
    from ventiuna.analysis.side_bets.jackpots import RoundAwards
    from ventiuna.analysis.side_bets.queries import JackpotAnalysis, SideBetsAnalysis
    from ventiuna.strategy.chart import Chart


def _check_count(name: str, value: Any) -> Any:
    if value is not None:
        check_number(name, value)
    return value


# --- The base game ---


class EdgeQuery(Query):
    """House edge of the base game with best play, computed exactly, not simulated."""

    command: ClassVar[str] = "edge"

    base: Annotated[
        int | None,
        BaseWager(
            "Base wager in dollars, to include its Super Bonus and the effect of the table maximum "
            "on a double-double."
        ),
    ] = None
    reoptimize: Annotated[
        bool,
        Flag(
            "Optimize split hands instead of playing them like unsplit ones.", old_name="reoptimise"
        ),
    ] = False
    shoe: Shoe = ""
    without: Without = ()
    vary: Annotated[bool, Flag("Change one option at a time to show what each is worth.")] = False
    grid: Annotated[bool, Flag("Show all combinations approved by the preset's document.")] = False
    effects: Annotated[bool, Flag("Add effects of removal: what each card is worth.")] = False
    hands: Annotated[bool, Flag("Add every starting hand against every up card.")] = False
    sd: Annotated[bool, Flag("Add the standard deviation of a round; takes a few seconds.")] = False
    composition: Annotated[Composition | None, SkipValidation] = None
    split_play: Annotated[SplitPlay | None, SkipValidation] = None
    super_bonus: Annotated[bool, SkipValidation] = False

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        check_flag("super_bonus", self.super_bonus)
        if self.super_bonus:
            check_base(self.base, "the Super Bonus")
        if self.split_play is not None and self.split_play not in list(SplitPlay):
            choices = f"Choose from: {', '.join(SplitPlay)}."
            message = "unknown way to play split hands"
            raise plan_problem("split_play", self.split_play, message, choices)
        partly_dealt = self.shoe or self.without
        if self.composition is not None and partly_dealt:
            message = "it already says which cards are left"
            raise plan_problem("composition", "given", message, "Leave out shoe and without.")
        problems = [
            Problem(name, "on", "", "comparisons need a fresh shoe", "Omit --shoe and --without.")
            for name in ("vary", "grid", "effects")
            if getattr(self, name) and partly_dealt
        ]
        if problems:
            raise RulesError(problems)
        return self

    @property
    def is_slow(self) -> bool:
        return self.reoptimize or self.vary or self.grid or self.effects or self.sd

    def run(self, progress: ProgressIterator = without_progress) -> EdgeAnalysis:
        from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis, analyze
        from ventiuna.analysis.base_game.outcomes import standard_deviation
        from ventiuna.analysis.base_game.queries import (
            EdgeAnalysis,
            compare_grid,
            compare_options,
            compare_removals,
        )

        split_play = self.split_play or SplitPlay.AS_UNSPLIT
        if self.reoptimize:
            split_play = SplitPlay.REOPTIMISED
        shoe = self.composition or parse_shoe(self.rules, self.without, self.shoe)
        plain = analyze(self.rules, shoe, split_play, self.base)
        with_bonus = None
        if self.base is not None:
            with_bonus = analyze(self.rules, shoe, split_play, self.base, True)
        found = with_bonus if with_bonus is not None and self.super_bonus else plain
        same = (self.rules, split_play, self.base, progress)
        return EdgeAnalysis(
            **{part.name: getattr(found, part.name) for part in fields(BaseGameAnalysis)},
            sd=standard_deviation(self.rules, plain) if self.sd else None,
            ev_with_super_bonus=None if with_bonus is None else with_bonus.ev,
            vary=compare_options(*same) if self.vary else None,
            grid=compare_grid(*same) if self.grid else None,
            effects=compare_removals(*same) if self.effects else None,
        )

    def data(self, result: EdgeAnalysis) -> dict[str, object]:
        hands = {"hands": [hand.as_data() for hand in result.hands()]} if self.hands else {}
        return {**result.as_data(), **hands, "command": self.repeat("--json")}


class HandQuery(Query):
    """Exact value of each choice, best first, and why.

    Values are in base wagers, after the dealer checks for blackjack. --shoe lists the unseen cards,
    including the down card; --without lists cards seen elsewhere, such as other players' hands.
    """

    command: ClassVar[str] = "hand"

    cards: Annotated[
        tuple[int, ...],
        Cards(
            "The hand, in the order dealt: 5c 6d or 5c6d.",
            kind=list,
            example="5c 6d",
            longest=100,
            is_argument=True,
        ),
    ]
    up: Annotated[
        int,
        Card(
            "The dealer's up card, such as 2h.",
            metavar="UP",
            example="2h",
            longest=10,
            is_argument=True,
        ),
    ]
    doublings: Annotated[
        int, Number("Number of times the hand was doubled.", low=0, high=3, show_default=True)
    ] = 0
    hands: Annotated[
        int,
        Number("Hands on the spot; more than one means a split.", low=1, high=4, show_default=True),
    ] = 1
    base: Annotated[
        int | None,
        BaseWager("Base wager in dollars, to include its Super Bonus and the table maximum."),
    ] = None
    double: Annotated[
        int | None,
        Amount("Amount of a double for less; needs --base.", metavar="AMOUNT"),
    ] = None
    shoe: Shoe = ""
    without: Without = ()

    @property
    def parsed(self) -> ParsedHand:
        from ventiuna.analysis.base_game.queries import ParsedHand

        seen = (*self.cards, self.up)
        return ParsedHand(
            rules=self.rules,
            cards=self.cards,
            up=self.up,
            unseen=parse_shoe(self.rules, self.without, self.shoe, seen),
            doublings=self.doublings,
            hands=self.hands,
            base=self.base,
            added=self.double,
        )

    def run(self, progress: ProgressIterator = without_progress) -> HandValues:
        return self.parsed.values()

    def data(self, result: HandValues) -> list[dict[str, object]]:
        """One row per action, each with the query it answers."""
        from ventiuna.analysis.base_game.analyzer import explain

        hand = self.parsed
        about = {key: part for key, part in result.as_data().items() if key != "actions"}
        about |= {"why": explain(hand.rules, result, hand.unseen), "command": self.repeat("--json")}
        if (insurance := hand.insurance()) is not None:
            about["insurance_ev"] = float(insurance.expected_value)
        return [{**row, **about} for row in result.rows()]


class DealerQuery(Query):
    """Exact chances of the dealer's final totals for each up card.

    A 21 has three or more cards. With --up, --shoe lists the unseen cards, including the down card.
    """

    command: ClassVar[str] = "dealer"

    up: Annotated[
        str,
        Text("Only this up card, such as 6, K or 6h.", metavar="CARD", show_default="all up cards"),
    ] = ""
    shoe: Shoe = ""
    without: Without = ()

    def run(self, progress: ProgressIterator = without_progress) -> DealerOutcomes:
        from ventiuna.analysis.base_game.queries import dealer_outcomes

        return dealer_outcomes(self.rules, self.up, self.shoe, self.without)


class ChangeQuery(Query):
    """House edge after one change, such as a pay row left out, that no rules name can express."""

    name: str

    def run(self, progress: ProgressIterator = without_progress) -> float:
        from ventiuna.analysis.base_game.analyzer import analyze
        from ventiuna.analysis.base_game.queries import variations

        changed = next(each for each in variations(self.rules) if each.name == self.name)
        return -analyze(changed.rules).ev

    def data(self, result: float) -> dict[str, object]:
        return {"house_edge": result}


# --- Strategy charts ---

ALL_POINTS = 100.0  # as `worth`: no digit or mark saves that much, so only letters remain


def _check_points(points: object, text: str = "") -> float | None:
    if points is None or (
        isinstance(points, int | float) and type(points) is not bool and 0 <= points <= ALL_POINTS
    ):
        return points
    message, fix = "not a number of percentage points", "Use a number such as 0.0001."
    raise input_error("worth", text or short_repr(points), message, fix)


def _parse_points(_name: str, text: str) -> float | None:
    try:
        return _check_points(float(text) if text else None, text)
    except ValueError:
        return _check_points(text, text)


def _coerce_chart(chart: Chart | str) -> Chart:
    """A built-in chart, or one from a file; a `Chart` is returned as is."""
    from ventiuna.strategy.chart import Chart, built_in_charts, load_chart

    if isinstance(chart, Chart):
        return chart
    if isinstance(chart, str) and chart.endswith(".toml"):
        return load_chart(chart)
    charts = built_in_charts()
    if isinstance(chart, str) and chart in charts:
        return charts[chart]
    message, name = "there is no such chart", chart
    if not isinstance(chart, str):
        message, name = "must be a Chart, or the name or file of one", short_repr(chart)
    fix = f"Choose from {', '.join(charts)}, or give a file ending in .toml."
    raise input_error("chart", name, message, fix)


class StrategyQuery(Query):
    """The strategy chart for these rules, and its exact cost compared with best play."""

    command: ClassVar[str] = "strategy"

    chart: Annotated[
        Any,  # a Chart, or the name or file of one
        Option(
            "Price this chart (a .toml file or a built-in name) instead of deriving one.",
            parse=lambda _, text: text or None,
            check=lambda _, chart: chart if chart is None else _coerce_chart(chart) and chart,
            metavar="FILE",
            example="spanish-21-h17",
            longest=60,
        ),
    ] = None
    base: Annotated[int | None, BaseWager("Base wager in dollars, to include its Super Bonus.")] = (
        None
    )
    worth: Annotated[
        float | None,
        Option(
            "Leave out digits and marks that save less than this many percentage points. Larger "
            "numbers give simpler charts.",
            parse=_parse_points,
            check=lambda _, points: _check_points(points),
            write=lambda points: f"{Decimal(repr(points)).normalize():f}",
            metavar="POINTS",
            show_default="0.00001",
            example="0.0001",
            longest=20,
        ),
    ] = None

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.chart is not None and self.worth is not None:
            message = "it applies only to derived charts"
            raise input_error("worth", "", message, "Omit worth or chart.")
        return self

    @property
    def is_slow(self) -> bool:
        return True

    def run(self, progress: ProgressIterator = without_progress) -> ChartResult:
        from ventiuna.analysis.charts.derivation import WORTH, derive_chart, price_chart

        if self.chart is not None:
            return price_chart(self.rules, _coerce_chart(self.chart), self.base)
        worth = WORTH if self.worth is None else self.worth / ALL_POINTS
        return derive_chart(self.rules, self.base, worth)

    def pocket_command(self) -> str:
        """The command that prints the chart as a pocket card."""
        return self.repeat("--pocket", "card.pdf")


# --- Side bets ---

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
        Option(
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
        Option(
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
        from ventiuna.analysis.side_bets.queries import side_bets_analysis

        shoe = parse_shoe(self.rules, self.without, self.shoe)
        return side_bets_analysis(self.rules, shoe, self.stakes, self.players, self.base)


class JackpotQuery(Query):
    """A jackpot game: pay lines, returns, break-even meter, and awards seat by seat."""

    command: ClassVar[str] = "jackpot"
    default_rules: ClassVar[str] = JACKPOT_RULES

    game: Annotated[
        int | None, Number("A jackpot game of the rules, 1 or 2.", show_default="1")
    ] = None
    table: Annotated[
        str | None,
        Option(
            "Use a different jackpot table, such as 3c.",
            parse=lambda _, text: text or None,
            check=lambda name, table: table if table is None else coerce_text(name, table),
            example="3c",
            longest=20,
        ),
    ] = None
    pay_table: Annotated[
        int | None, Number("Its pay table, 1 to 8.", check=_check_count, show_default="1")
    ] = None
    alternate: Annotated[
        int | None,
        Number("Set of alternate lines; 0 for none.", check=_check_count, show_default="0"),
    ] = None
    wager: Annotated[int | None, Amount("Its wager, $1 to $20.", show_default="1", example="1")] = (
        None
    )
    prize: Annotated[int | None, Amount("The operator's prize per $1 wagered.", example="5000")] = (
        None
    )
    meter: Annotated[
        int | None, Amount("Meter when awards are paid, in dollars.", example="12345.21")
    ] = None
    players: Annotated[
        int | None,
        Number("Number of spots to show awards for.", names=("--spots", "--players")),
    ] = None
    shoe: Shoe = ""
    without: Without = ()

    @property
    def house(self) -> Rules:
        """The rules, with the one jackpot game that the options describe if there is a table."""
        from ventiuna.analysis.side_bets.jackpots import with_jackpot
        from ventiuna.analysis.side_bets.queries import no_jackpot

        if self.table is None:
            problems = [
                Problem(name, str(value), "R-086", "it requires a table", "Name a table.")
                for name, value in self._table_options()
                if value is not None
            ]
            if problems:
                raise RulesError(problems)
            if not self.rules.jackpots:
                raise RulesError([no_jackpot(self.rules)])
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

    def _table_options(self) -> Iterator[tuple[str, object]]:
        yield "pay_table", self.pay_table
        yield "alternate", self.alternate
        for name in ("wager", "prize"):
            cents = getattr(self, name)
            yield name, None if cents is None else plain_amount(cents)

    def run(self, progress: ProgressIterator = without_progress) -> JackpotAnalysis:
        from ventiuna.analysis.side_bets.jackpots import jackpot_report
        from ventiuna.analysis.side_bets.queries import JackpotAnalysis

        report = jackpot_report(self.house, self._number, self._cards)
        awards = None if self.players is None else self.awards()
        return JackpotAnalysis(self.house, report, self._meter, awards)

    def awards(self) -> RoundAwards:
        """What the game pays each seat."""
        from ventiuna.analysis.side_bets.jackpots import round_awards

        return round_awards(self.house, self.players, self._meter, self._number, self._cards)

    @property
    def _number(self) -> int:
        return 1 if self.game is None else self.game

    @property
    def _cards(self) -> Composition:
        return parse_shoe(self.house, self.without, self.shoe)

    @property
    def _meter(self) -> int | None:
        """The given meter, or the posted amount of a house jackpot."""
        from ventiuna.analysis.side_bets.jackpots import game_of
        from ventiuna.analysis.side_bets.queries import posted_amount

        if self.meter is not None:
            return self.meter
        return posted_amount(game_of(self.house, self._number))

    def words(self) -> list[str]:
        """The equivalent command line; a jackpot table given by name is now part of the rules."""
        folded = dict.fromkeys(("table", "pay_table", "alternate", "wager", "prize"))
        return Query.words(self.model_copy(update={"rules": self.house, **folded}))
