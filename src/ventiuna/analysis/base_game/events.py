"""What each event of a round is worth, exactly: how often it comes, and its part in the value.

The value of a fixed strategy is linear in everything that is won or lost. So the part of an event
is the value of the same play when nothing else pays or costs anything, and how often it comes is
that value when it pays one for a hand of any wager. The parts add up to the value itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ventiuna.analysis.base_game.analyser import analyse
from ventiuna.analysis.base_game.result import BaseGameAnalysis
from ventiuna.analysis.base_game.solve import Question, dealer_chances_of, solve_deals, strategy_of
from ventiuna.analysis.base_game.split_play import SplitPlay
from ventiuna.analysis.base_game.tables import game_tables
from ventiuna.analysis.side_bets.blackjacks import blackjack_frequencies
from ventiuna.core.cards import DIAMONDS, suit_bit
from ventiuna.core.payouts import LOSES, PUSHES, WINS
from ventiuna.core.table import RuleTable
from ventiuna.engine.labels import (
    DOUBLED_21_RULE,
    DOUBLED_SURRENDER_RULE,
    RESCUE_RULE,
    SUPER_BONUS_RULE,
    labels_of,
)
from ventiuna.kernels.exact.lattice import ACE_VALUE, TEN_VALUE, Floats, composition_index
from ventiuna.kernels.exact.play import AGAINST_DEALER
from ventiuna.kernels.exact.records import (
    DEAL_MONEY,
    DEAL_VALUE,
    DOUBLINGS,
    UNSPLIT,
    Game,
    copy_of,
)
from ventiuna.rules import Rules, compile_rules
from ventiuna.rules.compiled import winning_rows
from ventiuna.rules.words.facts import row_words

Amounts = Mapping[str, object]  # of the game's record, by field
UNDOUBLED_HANDS, DOUBLED_HANDS = slice(0, 1), slice(1, DOUBLINGS)
DEALER_BLACKJACK = "dealer blackjack takes the wager"
_DEALER_WORDS = ("17", "18", "19", "20", "21", "bust")
_OUTCOMES = {WINS: "win", PUSHES: "push", LOSES: "loss"}
_NEVER = 1e-15  # rounding of a chance that is zero


@dataclass(frozen=True, slots=True)
class Event:
    """One way for a hand to end, per round of one spot."""

    group: str  # blackjack, 21, given up, bust, dealer
    name: str
    rule: str  # its number, or none
    count: float  # hands per round that end so
    part: float  # of the expected value, in base wagers

    @property
    def one_in(self) -> float | None:
        """Rounds for one such hand."""
        return 1 / self.count if self.count else None

    def as_data(self) -> dict[str, object]:
        return {
            "group": self.group,
            "name": self.name,
            "rule": self.rule or None,
            "hands_per_round": self.count,
            "one_in": self.one_in,
            "contribution_per_wager": self.part,
        }


@dataclass(frozen=True, slots=True)
class RoundEvents:
    """All ways for hands to end, and how hands grow."""

    analysis: BaseGameAnalysis
    events: tuple[Event, ...]
    hands: float  # per round; more than one by splits
    doubled: tuple[float, ...]  # hands per round doubled once or more, twice or more, three times

    @property
    def total(self) -> float:
        """The sum of all parts: the expected value."""
        return float(np.sum([event.part for event in self.events]))

    def as_data(self) -> dict[str, object]:
        return {
            "events": [event.as_data() for event in self.events],
            "sum_of_contributions_per_wager": self.total,
            "hands_per_round": self.hands,
            "hands_doubled_per_round": list(self.doubled),
        }


def round_events(rules: Rules, base: int | None = None, super_bonus: bool = False) -> RoundEvents:
    """Of best play from a fresh shoe, split hands as unsplit ones; see `analyse`."""
    analysis = analyse(rules, None, SplitPlay.AS_UNSPLIT, base, super_bonus)
    return _Parts(rules, analysis).found()


class _Parts:
    """The same play under other amounts."""

    def __init__(self, rules: Rules, analysis: BaseGameAnalysis) -> None:
        self._rules = rules
        self._labels = labels_of(rules)
        self._analysis = analysis
        solution = analysis.solution
        self._table: RuleTable = compile_rules(rules)
        self._game = solution.game
        asked = analysis.question._replace(strategy=strategy_of(solution))
        self._question: Question = asked._replace(chances=dealer_chances_of(asked))

    def found(self) -> RoundEvents:
        events = tuple(event for event in self._events() if event.count > _NEVER)
        return RoundEvents(self._analysis, events, self._hands(0), self._doubled())

    def _events(self) -> Iterator[Event]:
        yield from self._blackjacks()
        yield from self._rows()
        yield from self._super_bonus()
        yield from self._given_up_or_bust()
        amounts = {"blackjack_loss": self._game["blackjack_loss"]}
        rule = self._labels.dealer_blackjack_rule
        yield self._event("dealer", DEALER_BLACKJACK, rule, amounts)
        yield from self._comparisons()

    # --- kinds of events ------------------------------------------------------------------------

    def _given_up_or_bust(self) -> Iterator[Event]:
        surrender, bust = self._labels.surrender_rule, self._labels.bust_rule
        for group, name, rule, field, doublings in (
            ("given up", "surrender", surrender, "surrender_loss", UNDOUBLED_HANDS),
            (
                *("given up", "surrender, doubled"),
                *(DOUBLED_SURRENDER_RULE, "surrender_loss", DOUBLED_HANDS),
            ),
            ("given up", "rescue", RESCUE_RULE, "rescue_loss", DOUBLED_HANDS),
            ("bust", "bust", bust, "bust_loss", UNDOUBLED_HANDS),
            ("bust", "bust, doubled", bust, "bust_loss", DOUBLED_HANDS),
        ):
            amounts = np.zeros(DOUBLINGS)
            amounts[doublings] = self._game[field][doublings]
            yield self._event(group, name, rule, {field: amounts})

    def _blackjacks(self) -> Iterator[Event]:
        rule = self._labels.blackjack_rule
        diamonds = self._rules.diamond_blackjack_pays != self._rules.blackjack_pays
        place = composition_index([ACE_VALUE, TEN_VALUE])
        pay, suit_pay = self._unpaid()
        row = int(self._game["suit_row"][place])
        if row < 0:
            pay[UNSPLIT, 0, place] = self._game["pay"][UNSPLIT, 0, place]
            yield self._event("blackjack", "blackjack", rule, {"pay": pay})
        else:
            other = suit_pay.copy()
            suit_pay[UNSPLIT, row] = self._game["suit_pay"][UNSPLIT, row]
            if diamonds:
                mask = suit_bit(DIAMONDS)
                other[UNSPLIT, row, mask] = suit_pay[UNSPLIT, row, mask]
                suit_pay[UNSPLIT, row, mask] = 0.0
                name = "blackjack all in diamonds"
                yield self._event("blackjack", name, rule, {"suit_pay": other})
            yield self._event("blackjack", "blackjack", rule, {"suit_pay": suit_pay})
        if not self._game["blackjack_wins"]:
            both = float(blackjack_frequencies(self._rules).both)
            name = "blackjack against a dealer blackjack, push"
            yield Event("blackjack", name, rule, both, 0.0)

    def _rows(self) -> Iterator[Event]:
        """Bonus 21 rows, instant wins and the plain 21, each row's hands found by raising it."""
        for number, (row, _, _) in enumerate(winning_rows(self._rules)):
            raised = list(self._table.bonus_num)
            raised[number] += self._table.bonus_den[number]
            changed = self._table._replace(bonus_num=tuple(raised))
            other = self._tables(changed)
            pay, suit_pay = self._unpaid()
            chosen = other["pay"] != self._game["pay"]
            by_suit = other["suit_pay"] - self._game["suit_pay"] > 0
            suit_pay[by_suit] = self._game["suit_pay"][by_suit]
            for doubled, words in ((0, ""), (1, ", doubled")):
                part = pay.copy()
                taken = chosen[:, doubled] & (self._game["paid"][:, doubled] == 1)
                part[:, doubled][taken] = self._game["pay"][:, doubled][taken]
                amounts: Amounts = {"pay": part} if doubled else {"pay": part, "suit_pay": suit_pay}
                rule = DOUBLED_21_RULE if doubled else row.rule
                yield self._event("21", f"{row_words(row)}{words}", rule, amounts)

    def _super_bonus(self) -> Iterator[Event]:
        if self._analysis.super_bonus and self._game["super_pay"].any():
            amounts = {"super_pay": self._game["super_pay"]}
            yield self._event(
                "21", "Super Bonus, in addition to the hand", SUPER_BONUS_RULE, amounts
            )

    def _comparisons(self) -> Iterator[Event]:
        for number, dealer in enumerate(_DEALER_WORDS):
            for outcome, words in _OUTCOMES.items():
                chosen = np.zeros_like(AGAINST_DEALER)
                chosen[:, number] = AGAINST_DEALER[:, number] == outcome
                if not chosen.any():
                    continue
                name = f"dealer {dealer}: {words}"
                part = self._value({"against": outcome * chosen}) if outcome else 0.0
                count = self._value({"against": chosen}, counted=True)
                yield Event("dealer", name, self._labels.compare_rule, count, part)

    # --- amounts --------------------------------------------------------------------------------

    def _unpaid(self) -> tuple[Floats, Floats]:
        """Pays of nothing; those that wait for the dealer still wait."""
        suit_pay = np.where(np.isnan(self._game["suit_pay"]), np.nan, 0.0)
        return np.zeros_like(self._game["pay"]), suit_pay

    def _tables(self, table: RuleTable) -> Game:
        found = self._analysis
        return game_tables(table, found.question.composition, found.base, found.super_bonus)

    def _event(self, group: str, name: str, rule: str, amounts: Amounts) -> Event:
        ones: dict[str, Floats] = {field: _ones(field, amount) for field, amount in amounts.items()}
        if not any(np.nansum(np.abs(one)) for one in ones.values()):
            return Event(group, name, rule, 0.0, 0.0)
        return Event(group, name, rule, self._value(ones, counted=True), self._value(amounts))

    def _value(self, amounts: Amounts, counted: bool = False) -> float:
        """Of the play when these amounts are all that is won or lost."""
        return self._figure(self._with(amounts, counted), DEAL_VALUE)

    def _with(self, amounts: Amounts, counted: bool) -> Game:
        game = copy_of(self._game)
        pay, suit_pay = self._unpaid()
        nothing: Amounts = {
            "pay": pay,
            "suit_pay": suit_pay,
            "super_pay": 0.0,
            "surrender_loss": 0.0,
            "rescue_loss": 0.0,
            "bust_loss": 0.0,
            "blackjack_loss": 0.0,
            "against": 0.0,
        }
        for field, amount in {**nothing, **amounts}.items():
            game[field] = amount
        if counted:
            game["wager"] = 1.0
        return game

    def _figure(self, game: Game, figure: int) -> float:
        question = self._question._replace(game=game)
        return float(solve_deals(question).figures.sum(axis=(0, 1))[figure])

    # --- how hands grow -------------------------------------------------------------------------

    def _hands(self, doublings: int) -> float:
        """Hands per round that end with at least so many doublings."""
        game = self._with({}, counted=True)
        game["wager"] = np.arange(DOUBLINGS) >= doublings
        return self._figure(game, DEAL_MONEY)

    def _doubled(self) -> tuple[float, ...]:
        # Against a dealer blackjack the analyser counts one wager whatever doublings are worth.
        dealt = float(blackjack_frequencies(self._rules).dealer)
        return tuple(
            self._hands(number) - dealt for number in range(1, self._rules.doublings_at_most + 1)
        )


def _ones(field: str, amount: object) -> Floats:
    """The same amounts as gains of one: losses are told as positive amounts."""
    values = np.asarray(amount, dtype=np.float64)
    one = -1.0 if field.endswith("loss") else 1.0
    found = np.where(values != 0.0, one, 0.0)
    return np.where(np.isnan(values), np.nan, found)
