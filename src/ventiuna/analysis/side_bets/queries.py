"""Queries about side bets and jackpots: options as text in, exact odds out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ventiuna.analysis.coerce import command_text, options_to_args, parse_shoe, rules_to_args
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
    round_awards,
    with_jackpot,
)
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
class SideBetsQuery:
    """A side bet query, worded as on the command line."""

    rules: str
    stakes: str = ""
    players: int | None = None
    base: str = ""
    shoe: str = ""
    without: str = ""

    def words(self, rules: Rules) -> list[str]:
        """The equivalent command line."""
        return [
            "sidebets",
            *rules_to_args(rules),
            *options_to_args(
                stakes=self.stakes,
                players=self.players,
                base=self.base,
                shoe=self.shoe,
                without=self.without,
            ),
        ]


def side_bets_data(question: SideBetsQuery) -> dict[str, object]:
    """The complete answer as plain data."""
    found = SideBetsAnalysis(question)
    words = question.words(found.rules)
    return {**found.as_data(), "command": command_text([*words, "--json"])}


class SideBetsAnalysis:
    """Every side bet the rules offer; the others are None or empty."""

    def __init__(self, question: SideBetsQuery) -> None:
        rules = self.rules = load_rules(question.rules)
        shoe = parse_shoe(rules, question.without, question.shoe)
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
    """One report for the given base wagers, or one for each wager band."""
    amounts = [read_amount("base", amount) for amount in filter(str.strip, base.split(","))]
    if players is not None and len(amounts) > 1 and len(amounts) != players:
        problem = Problem(
            "base",
            base,
            "R-069",
            f"there are {len(amounts)} base wagers for {players} players",
            "Give one for all, or one for each.",
        )
        raise RulesError([problem])
    if rules.super_bonus_form() is None:
        return []
    count = players if players is not None else 1
    if too_many := players_problem(rules, count):  # check before building a list of this length
        raise RulesError([too_many])
    if len(amounts) > 1:
        return [super_bonus_report(rules, amounts, composition=shoe)]
    each = amounts or [band.base_from for band in rules.super_bonus_bands]
    return [super_bonus_report(rules, [amount] * count, composition=shoe) for amount in each]


# --- One jackpot game ---


@dataclass(frozen=True, slots=True)
class JackpotQuery:
    """A jackpot query, worded as on the command line."""

    rules: str
    game: int | None = None
    table: str | None = None
    pay_table: int | None = None
    alternate: int | None = None
    wager: str | None = None
    prize: str | None = None
    meter: str | None = None
    players: int | None = None
    shoe: str = ""
    without: str = ""

    def words(self, rules: Rules) -> list[str]:
        """The equivalent command line; a jackpot table given by name is now part of the rules."""
        return [
            "jackpot",
            *rules_to_args(rules),
            *options_to_args(
                game=self.game,
                meter=self.meter,
                players=self.players,
                shoe=self.shoe,
                without=self.without,
            ),
        ]


def jackpot_data(question: JackpotQuery) -> dict[str, object]:
    """The complete answer as plain data."""
    answer = JackpotAnalysis(question)
    words = question.words(answer.rules)
    return {**answer.as_data(), "command": command_text([*words, "--json"])}


class JackpotAnalysis:
    """The game's report, with awards seat by seat if players were given."""

    def __init__(self, question: JackpotQuery) -> None:
        self.rules = rules_with_jackpot_table(load_rules(question.rules), question)
        cards = parse_shoe(self.rules, question.without, question.shoe)
        number = question.game or 1
        self.report: JackpotReport = jackpot_report(self.rules, number, cards)
        self.meter: int | None = (
            read_amount("meter", question.meter)
            if question.meter is not None
            else posted_amount(self.report.jackpot)
        )
        self.awards: RoundAwards | None = None
        if question.players is not None:
            self.awards = round_awards(self.rules, question.players, self.meter, number, cards)

    def as_data(self) -> dict[str, object]:
        return {
            **self.report.as_data(self.meter),
            "strategy_class": NO_STRATEGY,
            "awards": self.awards.as_data() if self.awards else None,
        }


def rules_with_jackpot_table(rules: Rules, query: JackpotQuery) -> Rules:
    """The rules unchanged, or with the one jackpot game described by the options."""
    if query.table is None:
        _refuse_options_without_table(query)
        if not rules.jackpots:
            raise RulesError([_no_jackpot(rules)])
        return rules
    if query.game is not None:
        message = "can't be combined with a table"
        raise RulesError(
            [Problem("game", str(query.game), "R-086", message, "Give only one of the two.")]
        )
    return with_jackpot(
        rules,
        query.table,
        1 if query.pay_table is None else query.pay_table,
        query.alternate or 0,
        100 if query.wager is None else read_amount("wager", query.wager),
        None if query.prize is None else read_amount("prize", query.prize),
    )


def _refuse_options_without_table(query: JackpotQuery) -> None:
    problems = [
        Problem(name, str(value), "R-086", "it requires a table", "Name a table.")
        for name in ("pay_table", "alternate", "wager", "prize")
        if (value := getattr(query, name)) is not None
    ]
    if problems:
        raise RulesError(problems)


def _no_jackpot(rules: Rules) -> Problem:
    fix = "Use rules that have one, such as wsgc-2021-jackpot."
    if rules.game == Game.SPANISH_21:
        fitting = [table.id for table in jackpot_tables().values() if rules.decks in table.decks]
        fix = f"Name a table: {', '.join(fitting)}. {fix}"
    return Problem("jackpots", "none", "R-084", "these rules have no jackpot game", fix)


def posted_amount(jackpot: Jackpot) -> int | None:
    """A house jackpot's posted amount; None for a progressive, whose meter varies (R-097)."""
    return jackpot.seed if jackpot.kind == JackpotKind.HOUSE else None
