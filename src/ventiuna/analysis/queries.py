"""The queries of exact analysis: house edge, hands, dealer totals and charts.

The queries about side bets are in `side_bets.queries`.

Calculations are imported when a query runs, so that a command's help appears quickly. Annotations
are evaluated once, here, because Pydantic takes longer to evaluate them from text.
"""

from dataclasses import asdict, fields
from decimal import Decimal
from math import floor
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import SkipValidation, model_validator

from ventiuna.analysis.coerce import (
    check_base,
    check_flag,
    check_number,
    input_error,
    parse_shoe,
)
from ventiuna.analysis.composition import Composition, SplitPlay
from ventiuna.analysis.query import (
    Amount,
    BaseWager,
    Card,
    Cards,
    Flag,
    Number,
    ProgressIterator,
    Query,
    QueryOption,
    Shoe,
    Text,
    Without,
    without_progress,
)
from ventiuna.analysis.targets import (
    FIGURES_BY_NAME,
    PAYS,
    Aim,
    Range,
    RangeOption,
    front_text,
    parse_front,
)
from ventiuna.rules import Problem, Rules, RulesError, canonical
from ventiuna.rules.options import short_repr
from ventiuna.strategy.protocol import plan_problem

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis, HandValues
    from ventiuna.analysis.base_game.design import Design
    from ventiuna.analysis.base_game.queries import DealerOutcomes, EdgeAnalysis, ParsedHand
    from ventiuna.analysis.charts.derivation import ChartResult
    from ventiuna.strategy.chart import Chart

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

    def run(self, progress: ProgressIterator = without_progress) -> "EdgeAnalysis":
        from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis, analyze
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
            sd=_standard_deviation(self.rules, plain) if self.sd else None,
            ev_with_super_bonus=None if with_bonus is None else with_bonus.ev,
            vary=compare_options(*same) if self.vary else None,
            grid=compare_grid(*same) if self.grid else None,
            effects=compare_removals(*same) if self.effects else None,
        )

    def data(self, result: "EdgeAnalysis") -> dict[str, object]:
        hands = {"hands": [asdict(hand) for hand in result.hands()]} if self.hands else {}
        return {**result.as_data(), **hands, "command": self.repeat("--json")}


def _standard_deviation(rules: Rules, analysis: "BaseGameAnalysis") -> float:
    from ventiuna.analysis.base_game.outcomes import standard_deviation  # slow to import

    return standard_deviation(rules, analysis)


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
    def parsed(self) -> "ParsedHand":
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

    def run(self, progress: ProgressIterator = without_progress) -> "HandValues":
        return self.parsed.values()

    def data(self, result: "HandValues") -> list[dict[str, object]]:
        """One row per action, each with the query it answers."""
        from ventiuna.analysis.base_game.analyzer import explain_hand

        hand = self.parsed
        about = {key: part for key, part in result.as_data().items() if key != "actions"}
        about |= {
            "why": explain_hand(hand.rules, result, hand.unseen),
            "command": self.repeat("--json"),
        }
        if (insurance := hand.insurance()) is not None:
            about["insurance_ev"] = float(insurance.expected_value)
        return [{**row, **about} for row in result.rows()]


class DealerQuery(Query):
    """Exact chances of the dealer's final totals for each up card.

    The 21 column leaves out blackjacks, which have their own. With --up, --shoe lists the unseen
    cards, including the down card.
    """

    command: ClassVar[str] = "dealer"

    up: Annotated[
        str,
        Text("Only this up card, such as 6, K or 6h.", metavar="CARD", show_default="all up cards"),
    ] = ""
    shoe: Shoe = ""
    without: Without = ()

    def run(self, progress: ProgressIterator = without_progress) -> "DealerOutcomes":
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


# --- Design to a target ---

MAX_PAY = 50.0
MAX_SERVED = 100  # combinations that a server compares at once


class GamesQuery(Query):
    """The combinations of options that a design compares."""

    command: ClassVar[str] = "design"

    vary: Annotated[
        str,
        Text(
            "What to vary, separated by commas: options, pay rows, 'bonus' for all pay rows, or "
            "'none'.",
            metavar="NAMES",
            show_default="the options that the document leaves open",
            example="soft_17,decks,bonus",
        ),
    ] = ""
    keep: Annotated[
        str, Text("What not to vary, in the same form.", metavar="NAMES", example="decks")
    ] = ""
    approved: Annotated[bool, Flag("Use only values that the document approves.")] = False

    def games(self) -> tuple[Rules, ...]:
        from ventiuna.analysis.base_game.design import games_of

        return games_of(self.rules, self.vary, self.keep, self.approved)

    def run(self, progress: ProgressIterator = without_progress) -> Any:
        return self.games()

    def data(self, result: Any) -> Any:
        """Canonical names."""
        return [canonical(rules) for rules in result]


class DesignQuery(GamesQuery):
    """Find the rule sets whose exact figures you want, the nearest to the document first.

    A range is 0.6..0.9, ..1.2 or 0.6.., and .. shows a figure without limiting it.
    """

    edge: Annotated[Range | None, RangeOption("House edge, in percent.", example="0.6..0.9")] = None
    sd: Annotated[
        Range | None,
        RangeOption("Standard deviation of a round, in base wagers.", example="..1.2"),
    ] = None
    hits: Annotated[Range | None, RangeOption("Hands won, per 100 rounds.", example="44..")] = None
    bonus_hits: Annotated[
        Range | None,
        RangeOption("Hands paid by a bonus row or instant win, per 100 rounds.", example="0.7.."),
    ] = None
    hands: Annotated[
        Range | None,
        RangeOption("Hands per hour on one spot; splits make several.", example="61.."),
    ] = None
    win: Annotated[
        Range | None,
        RangeOption("Expected win per spot per hour, in dollars; needs --base.", example="10.."),
    ] = None
    base: Annotated[
        int | None,
        BaseWager("Base wager in dollars, which the table maximum may limit on a double-double."),
    ] = None
    per_hour: Annotated[
        int, Number("Rounds dealt per hour.", low=1, high=1_000, show_default=True)
    ] = 60
    pays: Annotated[
        Range | None,
        RangeOption(
            "Pays to try in varied rows, to 1, in steps of one half.",
            show_default="1..3",
            example="1..3",
        ),
    ] = None
    changes: Annotated[
        int, Number("Maximum number of changed pays.", low=1, high=9, show_default=True)
    ] = 2
    front: Annotated[
        tuple[Aim, ...],
        QueryOption(
            "Mark the solutions that no other solution beats in these figures.",
            parse=parse_front,
            check=lambda name, aims: parse_front(name, aims) if isinstance(aims, str) else aims,
            write=front_text,
            metavar="AIMS",
            example="low edge, high hits",
            longest=200,
        ),
    ] = ()
    most: Annotated[
        int, Number("Maximum number of solutions.", low=1, high=1_000, show_default=True)
    ] = 50

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        for name in ("per_hour", "changes", "most"):
            check_number(name, getattr(self, name), 1)
        uses_win = self.win is not None or any(aim.figure == "win" for aim in self.front)
        if uses_win and self.base is None:
            message = "the win per hour depends on the wager"
            raise input_error("win", "", message, "Give the base wager too.")
        pays = self.pays or PAYS
        if not 1.0 <= pays.low <= pays.high <= MAX_PAY:
            message = f"a varied row pays from 1 to {MAX_PAY:g} to 1"
            raise input_error("pays", pays, message, "Write it as 1..3.", "R-061")
        if floor(2 * pays.high) < 2 * pays.low:
            message = "no pay in steps of a half is in this range"
            raise input_error("pays", pays, message, "Write it as 1..3.")
        return self

    @property
    def is_slow(self) -> bool:
        return True

    @property
    def too_long(self) -> str:
        from ventiuna.analysis.base_game.design import count_games

        if count_games(self.rules, self.vary, self.keep, self.approved) <= MAX_SERVED:
            return ""
        return f"A server compares at most {MAX_SERVED} combinations at once. Vary fewer options."

    def run(self, progress: ProgressIterator = without_progress) -> "Design":
        from ventiuna.analysis.base_game.design import Wish, design, open_rows

        asked = {name: getattr(self, name) for name in FIGURES_BY_NAME}
        wish = Wish(
            ranges={name: wanted for name, wanted in asked.items() if wanted is not None},
            front=self.front,
            base=self.base,
            per_hour=self.per_hour,
            rows=tuple(open_rows(self.rules, self.vary, self.keep, self.approved)),
            pays=self.pays or PAYS,
            changes=self.changes,
            most=self.most,
        )
        return design(self.games(), wish, progress, self.rules)

    def data(self, result: "Design") -> dict[str, object]:
        return {**result.as_data(), "command": self.repeat("--json")}


# --- Strategy charts ---

ALL_POINTS = 100.0  # no digit or mark saves this much, so only letters remain


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


def _coerce_chart(chart: object) -> "Chart":
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
        QueryOption(
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
        QueryOption(
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

    def run(self, progress: ProgressIterator = without_progress) -> "ChartResult":
        from ventiuna.analysis.charts.derivation import WORTH, derive_chart, price_chart

        if self.chart is not None:
            return price_chart(self.rules, _coerce_chart(self.chart), self.base)
        worth = WORTH if self.worth is None else self.worth / ALL_POINTS
        return derive_chart(self.rules, self.base, worth)

    def pocket_command(self) -> str:
        """The command that prints the chart as a pocket card."""
        return self.repeat("--pocket", "card.pdf")
