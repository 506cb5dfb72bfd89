"""What the wagers of a spot cost a round on average, and whether a jackpot's meter is high enough.

Prices of wagers are worked out once for a set of rules; stakes and meters are then a matter of
multiplying. Everything is from a fresh shoe and exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.base_game.measures import house_edge
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.engine.sentences.parts import capital
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Stakes, Wager, WagerKind
from ventiuna.engine.wagers import mtd_not_offered, no_such_jackpot
from ventiuna.money import money_text
from ventiuna.rules import Rules
from ventiuna.rules.words.facts import dollars, mtd_word

Data = dict[str, object]
MINUS = "\N{MINUS SIGN}"
PER_CENT = 100


@dataclass(frozen=True, slots=True)
class Prices:
    """House edges of the wagers under some rules, per unit of the stake."""

    cards: int  # of the fresh shoe
    base: Fraction
    match: Fraction | None  # every Match the Dealer wager has the same
    jackpots: tuple[JackpotReport, ...]
    break_even: tuple[int | None, ...]  # meters in cents, by game

    def edge(self, wager: Wager, meters: Sequence[int]) -> Fraction:
        """A jackpot's at what its meter shows."""
        if wager.kind is WagerKind.JACKPOT:
            return self.jackpots[wager.game - 1].house_edge_at(meters[wager.game - 1])
        if wager.kind is WagerKind.MTD:
            assert self.match is not None, "a wager that is not offered"
            return self.match
        return self.base


def prices_of(rules: Rules) -> Prices:
    """Takes a moment; the same for all stakes and meters."""
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
    """What lies on a spot, by wager; raises `Refused` for what is not offered here."""
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
) -> Data:
    """As plain data: rows of wagers, all together, and the meters."""
    rows = [_row(wager, cents, prices.edge(wager, meters)) for wager, cents in stakes.items()]
    lost = sum((cents * prices.edge(wager, meters) for wager, cents in stakes.items()), Fraction())
    stake = sum(stakes.values())
    return {
        "rows": rows,
        "total": {
            "stake": stake,
            "stake_words": dollars(stake),
            "average": float(-lost),
            "average_words": cents_words(-lost),
        },
        "note": _note(rules, prices),
        "jackpots": jackpots_data(prices, meters),
    }


def _row(wager: Wager, cents: int, edge: Fraction) -> Data:
    return {
        "wager": str(wager),
        "title": _title(wager),
        "stake": cents,
        "stake_words": dollars(cents),
        "edge": float(edge),
        "edge_words": _per_cent(edge),
        "average": float(-edge * cents),
        "average_words": cents_words(-edge * cents),
    }


def _title(wager: Wager) -> str:
    if wager.kind is WagerKind.MTD:
        return mtd_word(wager.part)
    return f"Jackpot {wager.game}" if wager.game else "Base"


def _note(rules: Rules, prices: Prices) -> str:
    note = f"Best play from a fresh shoe of {prices.cards} cards; exact."
    if rules.super_bonus_form() is not None:
        note += " The Super Bonus is not counted."
    return note


# --- meters -----------------------------------------------------------------------------------


def jackpots_data(prices: Prices, meters: Sequence[int]) -> list[Data]:
    """Each meter against the one that breaks even."""
    return [
        _jackpot(report, meter, break_even)
        for report, meter, break_even in zip(
            prices.jackpots, meters, prices.break_even, strict=True
        )
    ]


def _jackpot(report: JackpotReport, meter: int, break_even: int | None) -> Data:
    edge = report.house_edge_at(meter)
    share = meter / break_even if break_even else None
    return {
        "game": report.number,
        "title": f"Jackpot {report.number}",
        "wager": report.jackpot.wager,
        "meter": meter,
        "meter_words": money_text(meter),
        "light": edge < 0,
        "light_words": _light_words(edge),
        "break_even": break_even,
        "break_even_words": _break_even_words(break_even),
        "share": share,
        "share_words": _share_words(meter, break_even),
        "chance_words": _chance_words(report),
    }


def _light_words(edge: Fraction) -> str:
    """`earns 2.9 ¢ per $1`, `costs 33 ¢ per $1`."""
    cents = abs(edge) * PER_CENT
    amount = f"{float(cents):.1f}" if cents < 10 else f"{round(cents)}"
    return f"{'earns' if edge < 0 else 'costs'} {amount} ¢ per $1"


def _break_even_words(break_even: int | None) -> str:
    if break_even is None:
        return "breaks even with no meter"
    return f"breaks even at {money_text(break_even)}"


def _share_words(meter: int, break_even: int | None) -> str:
    if break_even is None:
        return ""
    if meter >= break_even:
        return "above break-even"
    return f"{PER_CENT * meter // break_even} % of the way"


def _chance_words(report: JackpotReport) -> str:
    """`All of the meter is won once in 196,997 wagers, 10 % of it once in 4,191.`"""
    chances: dict[int, Fraction] = {}
    for line in report.special_lines:
        if line.percent:
            chances[line.percent] = chances.get(line.percent, Fraction()) + line.frequency
    told: list[str] = []
    for percent, chance in chances.items():
        if chance:
            share = "all" if percent == PER_CENT else f"{percent} %"
            what = f"{share} of it" if told else f"{share} of the meter is won"
            told.append(f"{what} once in {round(1 / chance):,}{'' if told else ' wagers'}")
    return f"{capital(', '.join(told))}." if told else ""


# --- figures ----------------------------------------------------------------------------------


def cents_words(cents: Fraction) -> str:
    """A result with its sign: minus 10.4 ¢, `+14.3 ¢`, `0.0 ¢`."""
    amount = f"{abs(float(cents)):.1f}"
    sign = "" if amount == "0.0" else MINUS if cents < 0 else "+"
    return f"{sign}{amount} ¢"


def _per_cent(edge: Fraction) -> str:
    """`0.42 %`, `33.3 %`: about three digits."""
    value = abs(float(edge)) * PER_CENT
    text = f"{value:.1f}" if value >= 10 or edge < 0 else f"{value:.2f}"
    return f"{MINUS if edge < 0 else ''}{text} %"
