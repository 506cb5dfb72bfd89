"""One jackpot game, line by line, and what its meter is worth."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.analysis.questions.shoes import shoe_of
from ventiuna.analysis.questions.side_bets import NO_STRATEGY
from ventiuna.analysis.side_bets.jackpot_awards import RoundAwards, round_awards
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report, with_jackpot
from ventiuna.money import read_amount
from ventiuna.rules import Problem, Rules, RulesError, load_rules
from ventiuna.rules.data import jackpot_tables
from ventiuna.rules.model import Game, Jackpot, JackpotKind


@dataclass(frozen=True, slots=True)
class JackpotQuestion:
    """As the command line words it."""

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
        """The command that asks the same; a table that was named is among the rules now."""
        return [
            "jackpot",
            *rules_words(rules),
            *option_words(
                game=self.game,
                meter=self.meter,
                players=self.players,
                shoe=self.shoe,
                without=self.without,
            ),
        ]


def jackpot_data(question: JackpotQuestion) -> dict[str, object]:
    """The whole answer as plain data."""
    answer = JackpotAnswer(question)
    words = question.words(answer.rules)
    return {**answer.as_data(), "command": command_text([*words, "--json"])}


class JackpotAnswer:
    """The game's report, and awards seat by seat where players were named."""

    def __init__(self, question: JackpotQuestion) -> None:
        self.rules = rules_with_its_table(load_rules(question.rules), question)
        cards = shoe_of(self.rules, question.without, question.shoe)
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


def rules_with_its_table(rules: Rules, asked: JackpotQuestion) -> Rules:
    """The rules themselves, or with the one jackpot game that the options describe."""
    if asked.table is None:
        _refuse_options_without_table(asked)
        if not rules.jackpots:
            raise RulesError([_no_jackpot(rules)])
        return rules
    if asked.game is not None:
        message = "a table is named as well"
        raise RulesError([Problem("game", str(asked.game), "R-086", message, "Give one of them.")])
    return with_jackpot(
        rules,
        asked.table,
        1 if asked.pay_table is None else asked.pay_table,
        asked.alternate or 0,
        100 if asked.wager is None else read_amount("wager", asked.wager),
        None if asked.prize is None else read_amount("prize", asked.prize),
    )


def _refuse_options_without_table(asked: JackpotQuestion) -> None:
    problems = [
        Problem(name, str(value), "R-086", "it goes with a table, none is named", "Name a table.")
        for name in ("pay_table", "alternate", "wager", "prize")
        if (value := getattr(asked, name)) is not None
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
    """A house jackpot shows its posted amount; a progressive's meter is anything (R-097)."""
    return jackpot.seed if jackpot.kind == JackpotKind.HOUSE else None
