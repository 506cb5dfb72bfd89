"""Queries about rules, hands, the base game and side bets: `vt.rules`, `vt.hand`, `vt.analyze` …

Signatures are written out for editors. A test compares them with the fields of their queries, so
`locals()`, called first in a function, contains exactly the fields of its query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ventiuna.analysis.coerce import (
    Cards,
    check_base,
    coerce_bases,
    coerce_card,
    coerce_cards,
    coerce_rules,
    coerce_stakes,
    coerce_text,
    coerce_texts,
)
from ventiuna.api import checked_call
from ventiuna.rules import Rules, canonical, change_rules

if TYPE_CHECKING:
    from ventiuna.analysis import (
        BlackjackFrequencies,
        FigureList,
        HandValues,
        InsuranceWager,
        JackpotReport,
        MatchWagers,
        RoundAwards,
        SuperBonusReport,
    )
    from ventiuna.analysis.base_game.design import Design
    from ventiuna.analysis.base_game.queries import DealerOutcomes, EdgeAnalysis
    from ventiuna.analysis.charts.derivation import ChartResult
    from ventiuna.analysis.composition import Composition, SplitPlay
    from ventiuna.analysis.targets import Aim, Range
    from ventiuna.notation import Replay
    from ventiuna.proof.certificate import Certificate
    from ventiuna.reports.layout import Layout
    from ventiuna.rules.text.comparison import Difference
    from ventiuna.rules.text.procedure import ProcedureStep
    from ventiuna.rules.text.references import RuleReference
    from ventiuna.rules.text.rule_card import RuleCard
    from ventiuna.strategy.chart import Chart
    from ventiuna.strategy.players import StrategyPlayer
    from ventiuna.table.shoe_record import Verification


# --- Rules and hands ---


@checked_call
def rules(name: Rules | str, /, **changes: object) -> Rules:
    """Load house rules by preset, file or canonical name, with any options changed.

    >>> import ventiuna as vt
    >>> house = vt.rules("wsgc-2021", decks=8, soft_17="stand")
    >>> vt.canonical(house)
    'wsgc-2021(decks=8,soft_17=stand)'
    """
    found = coerce_rules(name)
    return change_rules(found, changes) if changes else found


@checked_call
def hand(
    rules: Rules | str,
    cards: Cards,
    up: str,
    *,
    seen: Cards = (),
    doublings: int = 0,
    hands: int = 1,
    base: int | None = None,
    double: int | None = None,
    shoe: str = "",
) -> HandValues:
    """Compute the exact value of every action for a hand, assuming best play afterward.

    `seen` lists cards that have left the shoe in addition to the hand and the up card. `shoe` lists
    all unseen cards, including the down card ("7s:3 K:12"). For a split hand, `hands` is the number
    of hands on its spot. `base` is the wager in cents, needed to account for the table maximum or
    the Super Bonus. `double` is the amount that a double for less adds.

    >>> import ventiuna as vt
    >>> found = vt.hand("wsgc-spanish-21", "5c 6d", "2h")
    >>> found.best.action, round(found.ev, 6)
    ('double', 0.348048)
    """
    given = locals()
    from ventiuna.analysis.queries import HandQuery

    return HandQuery(without=given.pop("seen"), **given).run()


@checked_call
def dealer_outcomes(
    rules: Rules | str, up: str = "", *, shoe: str = "", without: Cards = ()
) -> DealerOutcomes:
    """Compute the exact chances of the dealer's final totals: 17 to 21, blackjack or bust.

    `up` is a rank ("6") or a card ("6h"); without it, the result lists every up card and the
    overall chances. `shoe` lists the remaining cards ("7s:3 K:12"), without the up card if `up` is
    given; `without` lists removed cards. The chances are before the dealer checks for blackjack; an
    up card's `after_check` gives the chances afterward.

    >>> import ventiuna as vt
    >>> six = vt.dealer_outcomes("wsgc-2021", up="6").up_cards[0]
    >>> round(float(six.of("bust")), 4), sum(six.chances)
    (0.4014, Fraction(1, 1))
    """
    given = locals()
    from ventiuna.analysis.queries import DealerQuery

    return DealerQuery(**given).run()


@checked_call
def strategy(
    rules: Rules | str,
    chart: Chart | str | None = None,
    *,
    base: int | None = None,
    worth: float | None = None,
) -> ChartResult:
    """Derive the strategy chart for these rules with its exact cost, or price a given chart.

    A derived chart leaves out digits and marks that save less than `worth` percentage points, so a
    larger value makes a simpler chart.

    >>> import ventiuna as vt
    >>> found = vt.strategy("super-fun-21", "super-fun-21")
    >>> found.ev < 0 < found.cost
    True
    >>> vt.strategy("super-fun-21", worth=100).signs
    0
    """
    given = locals()
    from ventiuna.analysis.queries import StrategyQuery

    return StrategyQuery(**given).run()


@checked_call
def figures() -> FigureList:
    """Compare every published figure with ours.

    >>> import ventiuna as vt
    >>> len(vt.figures().figures) > 50
    True
    """
    from ventiuna.analysis import published_figures

    return published_figures()


@checked_call
def settle(text: str, rules: Rules | str = "") -> list[Replay]:
    """Replay rounds written as text or JSON (docs/notation.md): who is paid what, and why.

    Suits can be omitted if no payment depends on them. `rules` applies to rounds that don't name
    their rules.

    >>> import ventiuna as vt
    >>> lines = ["rules: wsgc-2021", "dealer: 9 K", "spot 1 Ann: base 10", "  9 J / stand"]
    >>> [played] = vt.settle(chr(10).join(lines))
    >>> [(str(paid.wager), paid.net) for paid in played.payments]
    [('hand', 0)]
    """
    from ventiuna.notation.missing_suits import replay_missing_suits, round_readers

    default = canonical(coerce_rules(rules)) if rules else ""
    readers = round_readers(coerce_text("text", text), default)
    return [replay_missing_suits(read).played for read in readers]


@checked_call
def certify(
    rules: Rules | str,
    rounds: int = 10_000_000,
    *,
    lockstep_rounds: int = 20_000,
    strategy: str = "optimal",
    base: int | None = None,
    seed: int = 21,
    workers: int = 0,
) -> Certificate:
    """Compare the analyzer, simulator and engine for these rules, all playing the same strategy.

    `strategy` is a name or a chart file, as for `simulate`. `base` is a wager in cents; the default
    is the table minimum. `workers` is the number of threads; the default is one per core.

    >>> import ventiuna as vt
    >>> vt.certify("super-fun-21", 100_000, lockstep_rounds=500).agrees
    True
    >>> by_chart = vt.certify(
    ...     "super-fun-21", 100_000, lockstep_rounds=500, strategy="chart", base=2500, workers=1
    ... )
    >>> by_chart.agrees, by_chart.result.tally.spec.bases
    (True, (2500,))
    """
    from ventiuna.proof.certificate import certify as compare_all

    check_base(base)
    return compare_all(
        coerce_rules(rules),
        rounds,
        lockstep_rounds,
        coerce_text("strategy", strategy),
        base or 0,
        seed,
        workers,
    )


@checked_call
def player(name: str, rules: Rules | str, base: int | None = None) -> StrategyPlayer:
    """Create a player for `Table` and `finish_round`: `chart`, `optimal`, `mimic` or a chart file.

    >>> import ventiuna as vt
    >>> table = vt.Table("super-fun-21", seed=1)
    >>> table.play_round(vt.player("chart", table.rules)).is_over
    True
    """
    from ventiuna.simulation.settings import find_strategy
    from ventiuna.strategy.players import StrategyPlayer

    house = coerce_rules(rules)
    return StrategyPlayer(find_strategy(name, house, base or house.table_minimum))


# --- Rule texts, layouts and shoe records ---


@checked_call
def explain(*numbers: str, search: str = "") -> list[RuleReference]:
    """Look up rule numbers, or find them by a word: what they say and which functions decide them.

    >>> import ventiuna as vt
    >>> [found] = vt.explain("R-021")
    >>> found.number
    'R-021'
    """
    from ventiuna.rules.text.references import find_references

    return find_references([coerce_text("number", number) for number in numbers], search)


@checked_call
def diff(first: Rules | str, second: Rules | str) -> list[Difference]:
    """List every option, row, pay and jackpot in which two rule sets differ.

    >>> import ventiuna as vt
    >>> [change.field for change in vt.diff("wsgc-2021", "wsgc-2021(soft_17=stand)")]
    ['soft_17']
    """
    from ventiuna.rules.text.comparison import differences

    return differences(coerce_rules(first), coerce_rules(second))


@checked_call
def rule_card(rules: Rules | str) -> RuleCard:
    """Return the rule card for a table: the game, its payouts and its limits, in words.

    >>> import ventiuna as vt
    >>> type(vt.rule_card("wsgc-2021")).__name__
    'RuleCard'
    """
    from ventiuna.rules.text.rule_card import rule_card as card_of

    return card_of(coerce_rules(rules))


@checked_call
def procedure(rules: Rules | str) -> list[ProcedureStep]:
    """List the dealer's steps in order, each with its rules.

    >>> import ventiuna as vt
    >>> vt.procedure("wsgc-2021")[-1].rules
    ('R-010',)
    """
    from ventiuna.rules.text.procedure import procedure as steps_of

    return steps_of(coerce_rules(rules))


@checked_call
def rule_options(name: str = "") -> dict[str, object]:
    """Describe all rule options, or one: meaning, values, default, and which presets set it.

    For `jackpots` and `bonus_cards`, the result explains how to write them, with examples.

    >>> import ventiuna as vt
    >>> [part["name"] for part in vt.rule_options()["parts"]][:2]
    ['Cards', 'Dealer']
    >>> [str(each["value"]) for each in vt.rule_options("soft_17")["values"]]
    ['hit', 'stand']
    """
    from ventiuna.reports.rules_data import named_option_data, options_data

    option = coerce_text("name", name)
    return named_option_data(option) if option else {**options_data()}


@checked_call
def printed_layout(rules: Rules | str) -> Layout:
    """Return the layout printed on the felt (R-004).

    `ventiuna.reports.layout` draws it as SVG and PDF.

    >>> import ventiuna as vt
    >>> type(vt.printed_layout("wsgc-2021")).__name__
    'Layout'
    """
    from ventiuna.reports.layout import layout

    return layout(coerce_rules(rules))


@checked_call
def verify(record: str | Path) -> Verification:
    """Verify a live table's shoe from its public record, given as JSON or as a file.

    >>> import ventiuna as vt
    >>> vt.verify("{}")
    Traceback (most recent call last):
      ...
    ventiuna.table.shoe_record.RecordError: format is missing from the record.
    """
    from ventiuna.files import read_text_file
    from ventiuna.table.shoe_record import read_record
    from ventiuna.table.shoe_record import verify as verify_record

    if isinstance(record, Path):
        return verify_record(read_record(read_text_file(record)))
    text = coerce_text("record", record)
    is_json = text.lstrip().startswith("{")
    return verify_record(read_record(text if is_json else read_text_file(Path(text))))


# --- The base game ---


@checked_call
def analyze(
    rules: Rules | str,
    composition: Composition | None = None,
    split_play: SplitPlay | None = None,
    base: int | None = None,
    super_bonus: bool = False,
    *,
    reoptimize: bool = False,
    shoe: str = "",
    without: Cards = (),
    sd: bool = False,
    vary: bool = False,
    grid: bool = False,
    effects: bool = False,
    reoptimise: bool = False,
) -> EdgeAnalysis:
    """Compute the exact best composition-dependent play from a fresh shoe, as `ventiuna edge` does.

    `base` is a wager in cents. With it, the table maximum caps a double-double, and
    `ev_with_super_bonus` is the value including the Super Bonus; with `super_bonus`, `ev` and the
    play take it into account too.

    `shoe` lists the remaining cards ("7s:3 K:12"), `without` the removed ones. A `composition` can
    have any number of each card, even more than the decks contain. `reoptimize` optimizes split
    hands instead of playing them like unsplit ones; `reoptimise` is its old name. `sd`, `vary`,
    `grid` and `effects` add the standard deviation, variations of one option at a time, all
    approved combinations, and effects of removal.

    >>> import ventiuna as vt
    >>> round(100 * vt.analyze("wsgc-spanish-21(soft_17=stand)").house_edge, 6)
    0.364516
    >>> poorer = vt.analyze("super-fun-21", without="Ac Ad", sd=True)
    >>> poorer.ev < vt.analyze("super-fun-21").ev, 1 < poorer.sd < 2
    (True, True)
    """
    given = locals()
    from ventiuna.analysis.queries import EdgeQuery

    given["reoptimize"] = given.pop("reoptimise") or reoptimize
    return EdgeQuery(**given).run()


@checked_call
def design(
    rules: Rules | str,
    vary: str = "",
    *,
    keep: str = "",
    approved: bool = False,
    edge: Range | str | None = None,
    sd: Range | str | None = None,
    hits: Range | str | None = None,
    bonus_hits: Range | str | None = None,
    hands: Range | str | None = None,
    win: Range | str | None = None,
    base: int | None = None,
    per_hour: int = 60,
    pays: Range | str | None = None,
    changes: int = 2,
    front: tuple[Aim, ...] | str = (),
    most: int = 50,
) -> Design:
    """Find the rule sets whose exact figures you want, as `ventiuna design` does.

    `vary` names options and pay rows, or "bonus" for all rows; by default, the options that the
    document leaves open. A range is text such as "0.6..0.9" or "..1.2": `edge` in percent, `sd` in
    base wagers, `hits` and `bonus_hits` in hands per 100 rounds, `win` in dollars per spot and
    hour for a `base` wager in cents. `front` marks the solutions that no other solution
    beats: "low edge, high hits".

    >>> import ventiuna as vt
    >>> found = vt.design("super-fun-21", edge="0.9..1.0", approved=True)
    >>> [one.rules for one in found.solutions], found.games
    (['super-fun-21'], 2)
    """
    given = locals()
    from ventiuna.analysis.queries import DesignQuery

    return DesignQuery(**given).run()


analyse = analyze  # old spelling, supported for one release


# --- Side bets ---


@checked_call
def match(
    rules: Rules | str,
    stakes: Mapping[str, int] | None = None,
    *,
    shoe: str = "",
    without: Cards = (),
) -> MatchWagers:
    """Compute the exact odds of Match the Dealer wagers; the default is $1 on each one offered.

    As with all side bets, `shoe` lists the remaining cards ("7s:3 K:12"), `without` the removed
    ones.

    >>> import ventiuna as vt
    >>> float(vt.match("wsgc-spanish-21").house_edge) > 0
    True
    >>> vt.match("wsgc-spanish-21", {"up": 500}, shoe="7:24").house_edge < 0  # only sevens
    True
    """
    from ventiuna.analysis import match_wagers

    house = coerce_rules(rules)
    return match_wagers(house, coerce_stakes(stakes), _remaining_cards(house, shoe, without))


@checked_call
def insurance(
    rules: Rules | str,
    seen: Cards = (),
    up: str = "As",
    *,
    shoe: str = "",
    without: Cards = (),
) -> InsuranceWager:
    """Value insurance for a player who has seen the up card and the `seen` cards.

    `shoe` lists the unseen cards, including the down card.

    >>> import ventiuna as vt
    >>> round(vt.insurance("wsgc-2021").ev, 4)
    -0.2474
    >>> vt.insurance("wsgc-2021", shoe="K:12 9:12").ev
    0.5
    """
    from ventiuna.analysis import insurance_wager
    from ventiuna.analysis.coerce import parse_shoe
    from ventiuna.analysis.composition import with_cards

    house, known, up_card = coerce_rules(rules), coerce_cards(seen), coerce_card(up)
    table = (*known, up_card)
    unseen = parse_shoe(house, coerce_cards(without), coerce_text("shoe", shoe), table)
    return insurance_wager(house, known, up_card, with_cards(unseen, table))


@checked_call
def jackpot(
    rules: Rules | str,
    game: int | None = None,
    *,
    table: str | None = None,
    pay_table: int | None = None,
    alternate: int | None = None,
    wager: int | None = None,
    prize: int | None = None,
    shoe: str = "",
    without: Cards = (),
) -> JackpotReport:
    """Analyze a jackpot game: exact chances, payouts, and its break-even meter.

    `game` is its number on the rules' layout, 1 by default. To analyze a different jackpot, give
    its `table` ("3c"), with its `pay_table`, `alternate`, and `wager` and `prize` in cents.

    >>> import ventiuna as vt
    >>> vt.jackpot("wsgc-2021(jackpots=3c:1)").break_even_meter > 0
    True
    >>> vt.jackpot("wsgc-2021", table="3c", wager=500).jackpot.wager
    500
    """
    given = locals()
    from ventiuna.analysis.side_bets.queries import JackpotQuery

    return JackpotQuery(**given).run().report


@checked_call
def jackpot_awards(
    rules: Rules | str,
    players: int,
    meter: int | None = None,
    game: int | None = None,
    *,
    table: str | None = None,
    pay_table: int | None = None,
    alternate: int | None = None,
    wager: int | None = None,
    prize: int | None = None,
    shoe: str = "",
    without: Cards = (),
) -> RoundAwards:
    """Compute what a jackpot game pays each seat when `players` players place the wager.

    `meter` is in cents; for a house jackpot the default is its posted amount. The other options
    are the same as for `jackpot`.

    >>> import ventiuna as vt
    >>> found = vt.jackpot_awards("wsgc-2021-jackpot", players=3, meter=500_000)
    >>> len(found.seats)
    3
    """
    given = locals()
    from ventiuna.analysis.side_bets.queries import JackpotQuery

    return JackpotQuery(**given).awards()


@checked_call
def super_bonus(
    rules: Rules | str,
    base: int | Sequence[int],
    *,
    persons: Sequence[str] | None = None,
    shoe: str = "",
    without: Cards = (),
) -> SuperBonusReport:
    """Analyze the Super Bonus for a spot with this base wager in cents, or for several spots.

    `persons` names the player at each spot; by default, every spot has a different player.

    >>> import ventiuna as vt
    >>> vt.super_bonus("wsgc-spanish-21", 2500).spots[0].base
    2500
    >>> [spot.base for spot in vt.super_bonus("wsgc-spanish-21", [500, 2500]).spots]
    [500, 2500]
    """
    from ventiuna.analysis import super_bonus_report

    house = coerce_rules(rules)
    owners = None if persons is None else coerce_texts("persons", persons)
    return super_bonus_report(
        house, coerce_bases(base), owners, _remaining_cards(house, shoe, without)
    )


@checked_call
def blackjacks(rules: Rules | str, *, shoe: str = "", without: Cards = ()) -> BlackjackFrequencies:
    """Compute exactly how often the player and the dealer have a blackjack.

    >>> import ventiuna as vt
    >>> vt.blackjacks("wsgc-2021").player
    Fraction(12, 287)
    """
    from ventiuna.analysis import blackjack_frequencies

    house = coerce_rules(rules)
    return blackjack_frequencies(house, _remaining_cards(house, shoe, without))


def _remaining_cards(rules: Rules, shoe: str, without: Cards) -> Composition:
    from ventiuna.analysis.coerce import parse_shoe

    return parse_shoe(rules, coerce_cards(without), coerce_text("shoe", shoe))
