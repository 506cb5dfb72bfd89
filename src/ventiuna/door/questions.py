"""Questions about rules and hands, each answered by the room that knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ventiuna.analysis.given import (
    Cards,
    check_base,
    given_card,
    given_cards,
    given_rules,
    given_text,
)
from ventiuna.door.entries import entry
from ventiuna.rules import Rules, canonical, change_rules

if TYPE_CHECKING:
    from ventiuna.analysis import FigureList, HandValues
    from ventiuna.analysis.charts.derive.result import ChartResult
    from ventiuna.analysis.questions.dealer import DealerOutcomes
    from ventiuna.notation import Replay
    from ventiuna.proof import Certificate
    from ventiuna.strategy.chart import Chart
    from ventiuna.strategy.players import StrategyPlayer


@entry
def rules(name: Rules | str, /, **changes: object) -> Rules:
    """House rules by preset, file or canonical name, with some of their options changed.

    >>> import ventiuna as vt
    >>> house = vt.rules("wsgc-2021", decks=8, soft_17="stand")
    >>> vt.canonical(house)
    'wsgc-2021(decks=8,soft_17=stand)'
    """
    found = given_rules(name)
    return change_rules(found, changes) if changes else found


@entry
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
    """What every action of a hand is worth, exactly, best play after it.

    `seen` are cards that have left the shoe besides the hand and the up card; `shoe` names all
    that are unseen, the down card among them ("7s:3 K:12"). A hand of a split is one of its
    spot's `hands`; `base` is the wager in cents where the table maximum or the Super Bonus is to
    count, `double` what a double for less adds to it.

    >>> import ventiuna as vt
    >>> found = vt.hand("wsgc-spanish-21", "5c 6d", "2h")
    >>> found.best.action, round(found.ev, 6)
    ('double', 0.348048)
    """
    from ventiuna.analysis.base_game.hand import hand_values
    from ventiuna.analysis.questions.shoes import shoe_of

    house, held, shown = given_rules(rules), given_cards(cards), given_card(up)
    return hand_values(
        house,
        held,
        shown,
        shoe_of(house, given_cards(seen), given_text("shoe", shoe), (*held, shown)),
        doublings=doublings,
        split=hands > 1,
        hands=hands,
        base=base,
        super_bonus=base is not None and house.super_bonus_form() is not None,
        double_amount=double,
    )


@entry
def dealer_outcomes(
    rules: Rules | str, up: str = "", *, shoe: str = "", without: Cards = ()
) -> DealerOutcomes:
    """Exact chances of the dealer's final totals: 17 to 21, blackjack or bust, by up card.

    `up` is a rank ("6") or a card ("6h"); without one, every up card is listed, and all of them
    together. `shoe` names the cards that are left ("7s:3 K:12"), without the up card if it is
    given; `without` names cards that are gone. The chances are before the dealer checks for
    blackjack; `after_check` of an up card gives those after it.

    >>> import ventiuna as vt
    >>> six = vt.dealer_outcomes("wsgc-2021", up="6").up_cards[0]
    >>> round(float(six.of("bust")), 4), sum(six.chances)
    (0.4014, Fraction(1, 1))
    """
    from ventiuna.analysis.questions.dealer import dealer_outcomes as outcomes_of

    house, gone = given_rules(rules), given_cards(without)
    return outcomes_of(house, given_text("up", up), given_text("shoe", shoe), gone)


@entry
def strategy(
    rules: Rules | str,
    chart: Chart | str | None = None,
    *,
    base: int | None = None,
    worth: float | None = None,
) -> ChartResult:
    """The strategy chart for these rules with its exact price, or the price of a given chart.

    Digits and marks that save less than `worth` percentage points are left out of a derived
    chart: a larger figure makes a smaller chart.

    >>> import ventiuna as vt
    >>> found = vt.strategy("super-fun-21", "super-fun-21")
    >>> found.ev < 0 < found.cost
    True
    >>> vt.strategy("super-fun-21", worth=100).signs
    0
    """
    from ventiuna.analysis.questions.strategy import ReadStrategyQuestion, given_chart, worth_of

    check_base(base)
    given = None if chart is None else given_chart(chart)
    least = None if worth is None else worth_of(worth)
    return ReadStrategyQuestion(given_rules(rules), given, base, least).result()


@entry
def figures() -> FigureList:
    """Every published figure beside ours.

    >>> import ventiuna as vt
    >>> len(vt.figures().figures) > 50
    True
    """
    from ventiuna.analysis import published_figures

    return published_figures()


@entry
def settle(text: str, rules: Rules | str = "") -> list[Replay]:
    """Rounds written as text or JSON (docs/notation.md), played again: who is paid what, and why.

    Suits may be left out where no payment depends on them; `rules` are those of rounds that name
    none.

    >>> import ventiuna as vt
    >>> lines = ["rules: wsgc-2021", "dealer: 9 K", "spot 1 Ann: base 10", "  9 J / stand"]
    >>> [played] = vt.settle(chr(10).join(lines))
    >>> [(str(paid.wager), paid.net) for paid in played.payments]
    [('hand', 0)]
    """
    from ventiuna.notation.settling import readers_of
    from ventiuna.notation.whatever_suits import replay_whatever_suits

    usual = canonical(given_rules(rules)) if rules else ""
    readers = readers_of(given_text("text", text), usual)
    return [replay_whatever_suits(read).played for read in readers]


@entry
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
    """Analyser, simulator and engine compared for these rules, playing by a strategy.

    `strategy` is a name or a chart's file, as for `simulate`; `base` a wager in cents, the table
    minimum by default; `workers` are threads that play, one on each core by default.

    >>> import ventiuna as vt
    >>> vt.certify("super-fun-21", 100_000, lockstep_rounds=500).agrees
    True
    >>> by_chart = vt.certify(
    ...     "super-fun-21", 100_000, lockstep_rounds=500, strategy="chart", base=2500, workers=1
    ... )
    >>> by_chart.agrees, by_chart.result.tally.work.bases
    (True, (2500,))
    """
    from ventiuna.proof import certify as compare_all

    check_base(base)
    return compare_all(
        given_rules(rules),
        rounds,
        lockstep_rounds,
        given_text("strategy", strategy),
        base or 0,
        seed,
        workers,
    )


@entry
def player(name: str, rules: Rules | str, base: int | None = None) -> StrategyPlayer:
    """A player for `Table` and `finish_round`: `chart`, `optimal`, `mimic` or a chart's file.

    >>> import ventiuna as vt
    >>> table = vt.Table("super-fun-21", seed=1)
    >>> table.play_round(vt.player("chart", table.rules)).is_over
    True
    """
    from ventiuna.simulation.strategies import find_strategy
    from ventiuna.strategy.players import StrategyPlayer

    house = given_rules(rules)
    return StrategyPlayer(find_strategy(name, house, base or house.table_minimum))
