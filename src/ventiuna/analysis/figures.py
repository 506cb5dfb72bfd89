"""House edges, costs of wagers, and every published figure next to ours.

Published figures come from three sources: the pay tables (printed house advantages), the Match the
Dealer odds (printed frequencies and advantages), and `published.toml` (everything else). To add a
figure, add a row there; if its measure is new, add a function to `MEASURES`. Measures that need
compiled kernels import them inside their functions.

Wagers are priced once per rule set, and the prices are then applied to stakes and meters. All
prices are exact for a fresh shoe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from importlib.resources import files

from typing_extensions import TypedDict

from ventiuna.analysis.composition import SplitPlay
from ventiuna.analysis.results import ONE_IN, Form, TabularResult, cents_text, html_table
from ventiuna.analysis.side_bets.insurance import insurance_wager
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report, with_jackpot
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.analysis.side_bets.super_bonus import all_win
from ventiuna.cards import parse_card, parse_cards
from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Stakes, Wager, WagerKind
from ventiuna.engine.wagers import mtd_not_offered, no_such_jackpot
from ventiuna.money import money_text
from ventiuna.rules.canonical import canonical, fingerprint
from ventiuna.rules.data_files import JackpotTable, jackpot_tables, match_odds, read_toml
from ventiuna.rules.loader import change_rules, load_rules
from ventiuna.rules.model import Problem, Rules, RulesError
from ventiuna.rules.text.phrases import dollars, mtd_word
from ventiuna.texts import brief_repr

# --- Measures of the base game ---


@lru_cache(maxsize=64)
def expected_value(rules: Rules) -> Fraction:
    """Expected value with best play from a fresh shoe, per base wager."""
    from ventiuna.analysis.base_game.analyzer import analyze

    return Fraction(analyze(rules).ev)


def house_edge(rules: Rules) -> Fraction:
    return -expected_value(rules)


def standard_deviation(rules: Rules) -> Fraction:
    from ventiuna.analysis.base_game import outcomes as base_game_spread
    from ventiuna.analysis.base_game.analyzer import analyze

    return Fraction(base_game_spread.standard_deviation(rules, analyze(rules)))


def no_surrender_costs(rules: Rules) -> Fraction:
    return expected_value(rules) - expected_value(change_rules(rules, {"surrender": "off"}))


def double_5_6_against_2(rules: Rules) -> Fraction:
    from ventiuna.analysis.base_game.analyzer import hand_values

    found = hand_values(rules, parse_cards("5c 6d"), parse_card("2h"))
    return next(Fraction(action.ev) for action in found.actions if action.action == "double")


def removal_effect(value: str, rules: Rules) -> Fraction:
    """Effect of removing one card of this value, averaged over suits, times the number of decks."""
    from ventiuna.analysis.base_game.analyzer import analyze
    from ventiuna.analysis.base_game.queries import shoes_without_one_card

    shoes = [
        removed.composition for removed in shoes_without_one_card(rules) if removed.value == value
    ]
    changes = [Fraction(analyze(rules, shoe).ev) - expected_value(rules) for shoe in shoes]
    return rules.decks * sum(changes, Fraction(0)) / len(changes)


# --- Edge and deviation of a wager ---


@lru_cache(maxsize=256)
def edge_and_deviation(rules: Rules, wager: Wager) -> tuple[Fraction, float] | None:
    """House edge and standard deviation from a fresh shoe, with best play.

    None if they depend on more than the rules: a jackpot's edge depends on its meter, and that of
    insurance depends on who takes it and when. Free bonuses have no stake.
    """
    if wager.kind is WagerKind.HAND:
        return house_edge(rules), float(standard_deviation(rules))
    if wager.kind is WagerKind.MTD:
        from ventiuna.analysis.side_bets.match_the_dealer import match_wager

        known = match_wager(rules)
        return known.house_edge, float(known.standard_deviation)
    return None


# --- Costs of the wagers on a spot ---


class CostRow(TypedDict):
    wager: str
    title: str
    stake: int
    stake_words: str
    edge: float
    edge_words: str
    average: float
    average_words: str


class CostTotal(TypedDict):
    stake: int
    stake_words: str
    average: float
    average_words: str


class MeterCost(TypedDict):
    """A jackpot's meter compared with break-even."""

    game: int
    title: str
    wager: int
    meter: int
    meter_words: str
    light: bool
    light_words: str
    break_even: int | None
    break_even_words: str
    share: float | None
    share_words: str
    chance_words: str


class CostData(TypedDict):
    rows: list[CostRow]
    total: CostTotal
    note: str
    jackpots: list[MeterCost]


MINUS = "\N{MINUS SIGN}"
PER_CENT = 100


@dataclass(frozen=True, slots=True)
class Prices:
    """House edges of the wagers under one rule set, per unit staked."""

    cards: int  # number of cards in the fresh shoe
    base: Fraction
    match: Fraction | None  # one value for all Match the Dealer wagers
    jackpots: tuple[JackpotReport, ...]
    break_even: tuple[int | None, ...]  # meters in cents, by game

    def edge(self, wager: Wager, meters: Sequence[int]) -> Fraction:
        """House edge of a wager; for a jackpot, at its current meter."""
        if wager.kind is WagerKind.JACKPOT:
            return self.jackpots[wager.game - 1].house_edge_at(meters[wager.game - 1])
        if wager.kind is WagerKind.MTD:
            assert self.match is not None, "this wager isn't offered"
            return self.match
        return self.base


def prices_of(rules: Rules) -> Prices:
    """Compute prices, which are the same for all stakes and meters; takes a moment."""
    reports = tuple(jackpot_report(rules, game) for game in range(1, len(rules.jackpots) + 1))
    return Prices(
        cards=rules.shoe_size,
        base=house_edge(rules),
        match=match_wager(rules).house_edge if rules.mtd_wagers else None,
        jackpots=reports,
        break_even=tuple(report.break_even_cents for report in reports),
    )


def wagers_of(
    rules: Rules, base: int, mtd: Mapping[str, int], jackpots: Mapping[int, int]
) -> Stakes[Wager]:
    """The wagers on a spot; raises `Refused` for wagers not offered here."""
    found: dict[Wager, int] = {Wager.HAND: base}
    for name, cents in mtd.items():
        if name not in rules.mtd_wagers:
            raise mtd_not_offered(rules, name)
        found[MTD_WAGERS[name]] = cents
    for game, cents in jackpots.items():
        if not 1 <= game <= len(rules.jackpots):
            raise no_such_jackpot(rules, game)
        found[JACKPOT_WAGERS[game]] = cents
    return Stakes({wager: found[wager] for wager in Wager if found.get(wager)})


def costs_data(
    rules: Rules, prices: Prices, stakes: Mapping[Wager, int], meters: Sequence[int]
) -> CostData:
    """Costs as plain data: one row per wager, the total, and the meters."""
    losses = {wager: cents * prices.edge(wager, meters) for wager, cents in stakes.items()}
    lost = sum(losses.values(), Fraction())
    # A column has one unit.
    in_dollars = any(abs(one) >= PER_CENT for one in (lost, *losses.values()))
    rows = [
        _row(wager, cents, prices.edge(wager, meters), in_dollars)
        for wager, cents in stakes.items()
    ]
    stake = sum(stakes.values())
    return {
        "rows": rows,
        "total": {
            "stake": stake,
            "stake_words": dollars(stake),
            "average": float(-lost),
            "average_words": signed_cents_text(-lost, in_dollars=in_dollars),
        },
        "note": _note(rules, prices),
        "jackpots": jackpots_data(prices, meters),
    }


def _row(wager: Wager, cents: int, edge: Fraction, in_dollars: bool) -> CostRow:
    return {
        "wager": str(wager),
        "title": _title(wager),
        "stake": cents,
        "stake_words": dollars(cents),
        "edge": float(edge),
        "edge_words": _percent_text(edge),
        "average": float(-edge * cents),
        "average_words": signed_cents_text(-edge * cents, in_dollars=in_dollars),
    }


def _title(wager: Wager) -> str:
    if wager.kind is WagerKind.MTD:
        return mtd_word(wager.part)
    return f"Jackpot {wager.game}" if wager.game else "Base"


def _note(rules: Rules, prices: Prices) -> str:
    note = f"Best play from a fresh shoe of {prices.cards} cards; exact."
    if rules.super_bonus_form() is not None:
        note += " The Super Bonus isn't included."
    return note


# --- Meters ---


def jackpots_data(prices: Prices, meters: Sequence[int]) -> list[MeterCost]:
    """Each meter compared to its break-even point."""
    return [
        _jackpot(report, meter, break_even)
        for report, meter, break_even in zip(
            prices.jackpots, meters, prices.break_even, strict=True
        )
    ]


def _jackpot(report: JackpotReport, meter: int, break_even: int | None) -> MeterCost:
    edge = report.house_edge_at(meter)
    share = meter / break_even if break_even else None
    return {
        "game": report.number,
        "title": f"Jackpot {report.number}",
        "wager": report.jackpot.wager,
        "meter": meter,
        "meter_words": money_text(meter),
        "light": edge < 0,
        "light_words": _light_text(edge),
        "break_even": break_even,
        "break_even_words": _break_even_text(break_even),
        "share": share,
        "share_words": _share_text(meter, break_even),
        "chance_words": _chance_text(report),
    }


def _light_text(edge: Fraction) -> str:
    """Format an edge briefly, such as `earns 2.9¢ per $1` or `costs 33¢ per $1`."""
    cents = abs(edge) * PER_CENT
    amount = f"{float(cents):.1f}" if cents < 10 else f"{round(cents)}"
    return f"{'earns' if edge < 0 else 'costs'} {amount}¢ per $1"


def _break_even_text(break_even: int | None) -> str:
    if break_even is None:
        return "never breaks even"
    return f"breaks even at {money_text(break_even)}"


def _share_text(meter: int, break_even: int | None) -> str:
    if break_even is None:
        return ""
    if meter >= break_even:
        return "above break-even"
    return f"{min(99, round(Fraction(PER_CENT * meter, break_even)))}% of the way"


def _chance_text(report: JackpotReport) -> str:
    """The odds: `On average, 1 wager in 196,997 wins the whole meter, 1 in 4,191 …`"""
    chances: dict[int, Fraction] = {}
    for line in report.special_lines:
        if line.percent:
            chances[line.percent] = chances.get(line.percent, Fraction()) + line.frequency
    parts: list[str] = []
    for percent, chance in chances.items():
        if chance:
            meter = "it" if parts else "the meter"
            share = "the whole meter" if percent == PER_CENT else f"{percent}% of {meter}"
            parts.append(f"1 {'' if parts else 'wager '}in {round(1 / chance):,} wins {share}")
    return f"On average, {', '.join(parts)}." if parts else ""


# --- Formatting ---


def signed_cents_text(cents: Fraction, *, in_dollars: bool = False) -> str:
    """Format a result with its sign: minus 10.4¢, `+14.3¢`, `0.0¢`, or `+$0.14`."""
    amount = f"{abs(float(cents)):.1f}"
    sign = "" if amount == "0.0" else MINUS if cents < 0 else "+"
    is_tiny = abs(cents) < Fraction(1, 2)
    return (
        f"{sign}{cents_text(abs(cents), 2)}" if in_dollars and not is_tiny else f"{sign}{amount}¢"
    )


def _percent_text(edge: Fraction) -> str:
    """Format with about three digits: `0.42%`, `33.3%`."""
    value = abs(float(edge)) * PER_CENT
    text = f"{value:.1f}" if value >= 10 or edge < 0 else f"{value:.2f}"
    return f"{MINUS if edge < 0 else ''}{text}%"


# --- Published figures ---

PRINTED_RULES = "wsgc-2021"  # the document with all jackpot tables

MEASURES: dict[str, Callable[[Rules], Fraction]] = {
    "match.win_frequency": lambda rules: match_wager(rules).win_frequency,
    "match.one_in": lambda rules: 1 / match_wager(rules).win_frequency,
    "match.house_edge": lambda rules: match_wager(rules).house_edge,
    "match.standard_deviation": lambda rules: match_wager(rules).standard_deviation,
    "super_bonus.one_in": lambda rules: 1 / all_win(rules, 1),
    "insurance.expected_value": lambda rules: insurance_wager(rules).expected_value,
    "jackpot.house_advantage": lambda rules: jackpot_report(rules).printed_house_advantage,
    "base_game.expected_value": expected_value,
    "base_game.house_edge": house_edge,
    "base_game.standard_deviation": standard_deviation,
    "base_game.no_surrender_costs": no_surrender_costs,
    "base_game.double_5_6_against_2": double_5_6_against_2,
}
for _value in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10"):
    MEASURES[f"base_game.removal_of_{_value}"] = partial(removal_effect, _value)

_PRINTED_NUMBER = re.compile(r"^(-?[\d,]+)(?:\.(\d+))?( ?%)?$")

EQUAL, WITHIN, DIFFERS = "equal", "within tolerance", "differs"
# Meanings of the trust levels.
TRUST = {
    "printed": "printed in a rule document",
    "primary": "an analyst's own output, with its method",
    "repeat": "quoted by others to two or three digits, without stating who computed it or how",
    "counted": "counted by a separate program for this comparison",
}
_MATCH_SOURCE = "documents 000, 002 and 003"

STRATEGY_CLASS = f"composition-dependent; {SplitPlay.AS_UNSPLIT.text}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure and ours."""

    section: str
    what: str
    rules: str  # canonical
    fingerprint: str
    trust: str  # a key of `TRUST`
    published: str
    ours: str  # our value with the same number of digits
    value: Fraction
    published_value: Fraction
    form: Form  # format of both values
    equal: bool  # whether every published digit agrees
    tolerance: str = ""  # empty unless the published figure is approximate
    within: bool = False  # not equal, but within the tolerance
    source: str = ""
    disputed: str = ""  # why it differs, if published figures contradict each other

    @property
    def standing(self) -> str:
        """Whether the figures are equal, within tolerance, or different."""
        if self.equal:
            return EQUAL
        return WITHIN if self.within else DIFFERS

    def as_data(self) -> dict[str, object]:
        return {
            "section": self.section,
            "what": self.what,
            "rules": self.rules,
            "fingerprint": self.fingerprint,
            "trust": self.trust,
            "published": self.published,
            "ours": self.ours,
            "value": float(self.value),
            "tolerance": self.tolerance or None,
            "standing": self.standing,
            "equal": self.equal,
            "source": self.source,
            "disputed": self.disputed or None,
        }


@dataclass(frozen=True, slots=True)
class FigureList(TabularResult):
    """All figures; the command fails if any differs without an explanation."""

    main_table = "figures"

    figures: tuple[Figure, ...]

    __repr__ = brief_repr

    @property
    def different(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if figure.standing == DIFFERS)

    @property
    def unexplained(self) -> tuple[Figure, ...]:
        """Figures that differ although no published figure contradicts them."""
        return tuple(figure for figure in self.different if not figure.disputed)

    def counts(self) -> dict[str, int]:
        """Number of figures by standing."""
        standings = [figure.standing for figure in self.figures]
        return {standing: standings.count(standing) for standing in (EQUAL, WITHIN, DIFFERS)}

    def summary(self) -> str:
        """The counts in one sentence."""
        counts = self.counts()
        text = (
            f"{len(self.figures)} figures: {counts[EQUAL]} matching every published digit, "
            f"{counts[WITHIN]} within the stated tolerance, {counts[DIFFERS]} different"
        )
        disputed = len(self.different) - len(self.unexplained)
        if disputed:
            text += f", {disputed} of them disputed: published figures contradict each other"
        return f"{text}."

    def sections(self) -> dict[str, list[Figure]]:
        found: dict[str, list[Figure]] = {}
        for figure in self.figures:
            found.setdefault(figure.section, []).append(figure)
        return found

    def as_data(self) -> dict[str, object]:
        return {
            "strategy_class": STRATEGY_CLASS,
            "figures": [figure.as_data() for figure in self.figures],
            "count": len(self.figures),
            "counts": self.counts(),
            "different": len(self.different),
            "unexplained": len(self.unexplained),
            "trust": TRUST,
        }

    def _repr_html_(self) -> str:
        rows = [
            [
                f"{figure.section}: {figure.what}",
                figure.published,
                figure.ours,
                status_text(figure),
            ]
            for figure in self.figures
        ]
        return html_table("Published figures", ["figure", "published", "ours", ""], rows)


def status_text(figure: Figure) -> str:
    if figure.standing == WITHIN:
        return f"within {figure.tolerance}"
    return f"{figure.standing}, disputed" if figure.disputed else figure.standing


@cache
def published_figures() -> FigureList:
    """Recompute every published figure."""
    published = read_toml(files("ventiuna.analysis") / "published.toml")
    return FigureList(
        (
            *_printed_match_figures(),
            *_printed_jackpot_figures(),
            *_listed_figures(published["figures"]),
            *_line_frequencies(published["line_frequencies"]),
        )
    )


def compare_figure(
    section: str,
    what: str,
    rules: Rules,
    trust: str,
    published: str,
    value: Fraction,
    tolerance: str = "",
    source: str = "",
    disputed: str = "",
) -> Figure:
    """Round our value like the published figure and compare the two."""
    ours = written_like(published, value)
    unit = _unit_of(published)
    apart = abs(number_of(published) - unit * value)
    return Figure(
        section,
        what,
        canonical(rules),
        fingerprint(rules),
        trust,
        published,
        ours,
        value,
        number_of(published) / unit,
        _form_of(published),
        ours == published,
        tolerance,
        ours != published and bool(tolerance) and apart <= number_of(tolerance),
        source or TRUST[trust],
        disputed,
    )


def written_like(text: str, value: Fraction) -> str:
    """Format the value with the digits, commas and % sign of a published one.

    >>> written_like("15.4 %", Fraction(575, 3731))
    '15.4 %'
    """
    return _form_of(text).text(value).replace("%", _parsed(text)[3] or "")


def _form_of(text: str) -> Form:
    found = _parsed(text)
    return Form(len(found[2] or ""), "percent" if found[3] else "", grouped="," in text)


def number_of(text: str) -> Fraction:
    """The number as written, ignoring a % sign."""
    found = _parsed(text)
    return Fraction(found[1].replace(",", "") + "." + (found[2] or "0"))


def _parsed(text: str) -> re.Match[str]:
    found = _PRINTED_NUMBER.match(text)
    if not found:
        fix = "Write it as 24.19% or 668,382."
        raise RulesError([Problem("published figure", text, "", "not a number", fix)])
    return found


def _unit_of(text: str) -> int:
    return 100 if text.endswith("%") else 1


# --- The three sources ---


def _listed_figures(rows: Iterable[dict[str, str]]) -> Iterator[Figure]:
    for row in rows:
        rules = load_rules(row["rules"])
        value = MEASURES[row["measure"]](rules)
        yield compare_figure(
            row["section"],
            row["what"],
            rules,
            row["trust"],
            row["published"],
            value,
            row.get("tolerance", ""),
            row.get("source", ""),
            row.get("disputed", ""),
        )


def _printed_match_figures() -> Iterator[Figure]:
    section = "Match the Dealer, printed"
    for decks, odds in match_odds().items():
        rules = change_rules(load_rules(PRINTED_RULES), {"decks": decks})
        for measure, words, text in (
            ("win_frequency", "wins", odds.published_win_frequency),
            ("one_in", "wins one in", odds.published_one_in),
            ("house_edge", "house advantage", odds.published_house_advantage),
        ):
            what, value = f"{decks} decks, {words}", MEASURES[f"match.{measure}"](rules)
            yield compare_figure(section, what, rules, "printed", text, value, source=_MATCH_SOURCE)


def _printed_jackpot_figures() -> Iterator[Figure]:
    """The house advantages printed in the pay tables, by the convention of R-101."""
    section = "Jackpots, printed house advantage"
    for table in jackpot_tables().values():
        for number, pay_table in table.pay_tables.items():
            if not pay_table.published_house_advantage:
                continue  # the casino card doesn't print any
            rules = with_jackpot(_rules_for(table), table.id, number)
            yield compare_figure(
                section,
                f"{table.id} pay table {number}",
                rules,
                "printed",
                pay_table.published_house_advantage,
                MEASURES["jackpot.house_advantage"](rules),
                source=f"document {table.document}",
            )


def _rules_for(table: JackpotTable) -> Rules:
    return change_rules(load_rules(PRINTED_RULES), {"decks": table.decks[0]})


def _line_frequencies(tables: dict[str, dict[str, str]]) -> Iterator[Figure]:
    """Line frequencies, compared as fractions and shown as "one in N"."""
    for name, lines in tables.items():
        table, _, alternate = name.partition("/")
        number = int(alternate or 0)
        rules = with_jackpot(_rules_for(jackpot_tables()[table]), table, alternate=number)
        ours = {line.key: line.frequency for line in jackpot_report(rules).lines}
        for key, text in lines.items():
            words = f"{table}{f' alternate {number}' if number else ''}, {key.replace('_', ' ')}"
            yield Figure(
                "Jackpots: odds of each line",
                words,
                canonical(rules),
                fingerprint(rules),
                "counted",
                ONE_IN.text(Fraction(text)),
                ONE_IN.text(ours[key]),
                ours[key],
                Fraction(text),
                ONE_IN,
                Fraction(text) == ours[key],
                source=TRUST["counted"],
            )
