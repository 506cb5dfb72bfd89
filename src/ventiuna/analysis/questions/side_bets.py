"""Everything beside the base game that rules offer: exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ventiuna.analysis.composition import Composition, players_problem
from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.analysis.questions.shoes import shoe_of
from ventiuna.analysis.side_bets.blackjacks import BlackjackFrequencies, blackjack_frequencies
from ventiuna.analysis.side_bets.insurance import InsuranceWager, insurance_wager
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import (
    MatchWager,
    MatchWagers,
    match_wager,
    match_wagers,
)
from ventiuna.analysis.side_bets.super_bonus import SuperBonusReport, super_bonus_report
from ventiuna.cards import parse_cards
from ventiuna.money import MoneyError, read_amount
from ventiuna.rules import Problem, Rules, RulesError, load_rules

NO_STRATEGY = "none, side wagers hold no decision"
ACES = parse_cards("As Ah Ad Ac")
# What the player may have seen besides the ace up, for insurance.
SEEN = {
    "the up card alone": "",
    "and two small cards": "5c 6d",
    "and two faces": "Jc Kd",
    "and a blackjack": "Ac Kd",
}


@dataclass(frozen=True, slots=True)
class SideBetsQuestion:
    """As the command line words it."""

    rules: str
    stakes: str = ""
    players: int | None = None
    base: str = ""
    shoe: str = ""
    without: str = ""

    def words(self, rules: Rules) -> list[str]:
        """The command that asks the same."""
        return [
            "sidebets",
            *rules_words(rules),
            *option_words(
                stakes=self.stakes,
                players=self.players,
                base=self.base,
                shoe=self.shoe,
                without=self.without,
            ),
        ]


def side_bets_data(question: SideBetsQuestion) -> dict[str, object]:
    """The whole answer as plain data."""
    found = SideBets(question)
    words = question.words(found.rules)
    return {**found.as_data(), "command": command_text([*words, "--json"])}


class SideBets:
    """Everything that the rules offer; what they don't is None or empty."""

    def __init__(self, question: SideBetsQuestion) -> None:
        rules = self.rules = load_rules(question.rules)
        shoe = shoe_of(rules, question.without, question.shoe)
        stakes = _read_stakes(question.stakes)
        self.match: MatchWager | None = None
        self.together: MatchWagers | None = None
        if rules.mtd_wagers or stakes:
            self.match = match_wager(rules, shoe)
            self.together = match_wagers(rules, stakes, shoe)
        self.bonuses = _super_bonuses(rules, shoe, question.players, question.base)
        self.insurance = _insurance(rules, shoe)
        self.blackjacks: BlackjackFrequencies = blackjack_frequencies(rules, shoe)
        self.jackpots: list[JackpotReport] = [
            jackpot_report(rules, game, shoe) for game in range(1, len(rules.jackpots) + 1)
        ]

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


def _read_stakes(text: str) -> Mapping[str, int] | None:
    stakes = {}
    for part in filter(str.strip, text.split(",")):
        name, sign, amount = part.partition("=")
        if not sign:
            raise MoneyError(f"stakes {part.strip()!r}: write each as wager=amount, such as up=5")
        stakes[name.strip()] = read_amount(f"stakes {name.strip()}", amount)
    return stakes or None


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
    rules: Rules, shoe: Composition, players: int | None, base: str
) -> list[SuperBonusReport]:
    """One report for the given base wagers, or one for each band of them."""
    given = [read_amount("base", amount) for amount in filter(str.strip, base.split(","))]
    if players is not None and len(given) > 1 and len(given) != players:
        problem = Problem(
            "base",
            base,
            "R-069",
            f"{len(given)} base wagers for {players} players",
            "Give one for all or one for each.",
        )
        raise RulesError([problem])
    if rules.super_bonus_form() is None:
        return []
    count = players if players is not None else 1
    if too_many := players_problem(rules, count):  # before a list is made of so many
        raise RulesError([too_many])
    if len(given) > 1:
        return [super_bonus_report(rules, given, composition=shoe)]
    each = given or [band.base_from for band in rules.super_bonus_bands]
    return [super_bonus_report(rules, [amount] * count, composition=shoe) for amount in each]
