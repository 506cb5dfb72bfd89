"""All side bets of a rule set together, and one jackpot game with its awards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ventiuna.analysis.composition import Composition, players_problem
from ventiuna.analysis.side_bets.insurance import (
    BlackjackFrequencies,
    InsuranceWager,
    blackjack_frequencies,
    insurance_wager,
)
from ventiuna.analysis.side_bets.jackpots import (
    JackpotReport,
    RoundAwards,
    jackpot_report,
)
from ventiuna.analysis.side_bets.match_the_dealer import (
    MatchWager,
    MatchWagers,
    match_wager,
    match_wagers,
)
from ventiuna.analysis.side_bets.super_bonus import SuperBonusReport, super_bonus_report
from ventiuna.cards import parse_cards
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.data_files import jackpot_tables
from ventiuna.rules.model import Game, Jackpot, JackpotKind

# --- All side bets ---

NO_STRATEGY = "none: side bets involve no decisions"
ACES = parse_cards("As Ah Ad Ac")
# Cards that the player may have seen besides the dealer's ace, for insurance.
SEEN = {
    "only the up card": "",
    "and two small cards": "5c 6d",
    "and two faces": "Jc Kd",
    "and a blackjack": "Ac Kd",
}


@dataclass(frozen=True, slots=True)
class SideBetsAnalysis:
    """Every side bet the rules offer; the others are None or empty."""

    rules: Rules
    match: MatchWager | None
    together: MatchWagers | None
    bonuses: list[SuperBonusReport]  # one for the given base wagers, or one for each band
    insurance: dict[str, InsuranceWager]
    blackjacks: BlackjackFrequencies
    jackpots: list[JackpotReport]

    def as_data(self) -> dict[str, object]:
        return {
            **self.blackjacks.basis.as_data(),
            "strategy_class": NO_STRATEGY,
            "match_the_dealer": self.match.as_data() if self.match else None,
            "match_the_dealer_together": self.together.as_data() if self.together else None,
            "super_bonus": [report.as_data() for report in self.bonuses],
            "insurance": [wager.as_data() for wager in self.insurance.values()],
            "blackjacks": self.blackjacks.as_data(),
            "jackpots": [report.as_data() for report in self.jackpots],
        }


def side_bets_analysis(
    rules: Rules,
    shoe: Composition,
    stakes: Sequence[tuple[str, int]] = (),
    players: int | None = None,
    bases: Sequence[int] = (),
) -> SideBetsAnalysis:
    is_match = bool(rules.mtd_wagers or stakes)
    return SideBetsAnalysis(
        rules=rules,
        match=match_wager(rules, shoe) if is_match else None,
        together=match_wagers(rules, dict(stakes) or None, shoe) if is_match else None,
        bonuses=_super_bonuses(rules, shoe, players, bases),
        insurance=_insurance(rules, shoe),
        blackjacks=blackjack_frequencies(rules, shoe),
        jackpots=[jackpot_report(rules, game + 1, shoe) for game in range(len(rules.jackpots))],
    )


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


# --- One jackpot game ---


@dataclass(frozen=True, slots=True)
class JackpotAnalysis:
    """The game's report, with awards seat by seat if players were given."""

    rules: Rules
    report: JackpotReport
    meter: int | None
    awards: RoundAwards | None

    def as_data(self) -> dict[str, object]:
        return {
            **self.report.as_data(self.meter),
            "strategy_class": NO_STRATEGY,
            "awards": self.awards.as_data() if self.awards else None,
        }


def no_jackpot(rules: Rules) -> Problem:
    fix = "Use rules that have one, such as wsgc-2021-jackpot."
    if rules.game == Game.SPANISH_21:
        fitting = [table.id for table in jackpot_tables().values() if rules.decks in table.decks]
        fix = f"Name a table: {', '.join(fitting)}. {fix}"
    return Problem("jackpots", "none", "R-084", "these rules have no jackpot game", fix)


def posted_amount(jackpot: Jackpot) -> int | None:
    """A house jackpot's posted amount; None for a progressive, whose meter varies (R-097)."""
    return jackpot.seed if jackpot.kind == JackpotKind.HOUSE else None
