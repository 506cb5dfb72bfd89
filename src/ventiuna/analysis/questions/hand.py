"""The exact value of every choice of one hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ventiuna.analysis.composition import Composition, with_cards
from ventiuna.analysis.questions.again import command_text, option_words, rules_words
from ventiuna.analysis.questions.shoes import shoe_of
from ventiuna.analysis.side_bets.insurance import InsuranceWager, insurance_wager
from ventiuna.cards import card_text, cards_text, parse_card, parse_cards
from ventiuna.core.cards import ACE, rank_of
from ventiuna.money import read_amount
from ventiuna.rules import Rules, load_rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.hand import HandValues

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """As the command line words it."""

    rules: str
    cards: str
    up: str
    doublings: int = 0
    hands: int = 1
    base: str = ""
    double: str = ""
    shoe: str = ""
    without: str = ""

    def read(self) -> AskedHand:
        """Understood; raises what is wrong with it."""
        rules = load_rules(self.rules)
        held, up = parse_cards(self.cards), parse_card(self.up)
        return AskedHand(
            rules=rules,
            cards=held,
            up=up,
            unseen=shoe_of(rules, self.without, self.shoe, (*held, up)),
            doublings=self.doublings,
            hands=self.hands,
            base=read_amount("base", self.base) if self.base else None,
            added=read_amount("double", self.double) if self.double else None,
        )

    def words(self, read: AskedHand) -> list[str]:
        """The command that asks the same."""
        return [
            "hand",
            *rules_words(read.rules),
            cards_text(read.cards),
            card_text(read.up),
            *option_words(
                doublings=self.doublings or None,
                hands=self.hands if self.hands > 1 else None,
                base=self.base,
                double=self.double,
                shoe=self.shoe,
                without=self.without,
            ),
        ]


@dataclass(frozen=True, slots=True)
class AskedHand:
    """The hand whose choices are to be valued."""

    rules: Rules
    cards: tuple[int, ...]
    up: int
    unseen: Composition
    doublings: int = 0
    hands: int = 1  # of the spot
    base: int | None = None
    added: int | None = None  # by a double for less

    def values(self) -> HandValues:
        from ventiuna.analysis.base_game.hand import hand_values

        return hand_values(
            self.rules,
            self.cards,
            self.up,
            self.unseen,
            doublings=self.doublings,
            split=self.hands > 1,
            hands=self.hands,
            base=self.base,
            super_bonus=self.base is not None and self.rules.super_bonus_form() is not None,
            double_amount=self.added,
        )

    def insurance(self) -> InsuranceWager | None:
        """Where this hand is asked about insurance (R-034)."""
        is_asked = self.rules.insurance and rank_of(self.up) == ACE and len(self.cards) <= 2
        if not is_asked or self.doublings or self.hands > 1:
            return None
        before = with_cards(self.unseen, (*self.cards, self.up))
        return insurance_wager(self.rules, self.cards, self.up, before)


def hand_rows(question: HandQuestion) -> list[Row]:
    """The whole answer as plain data."""
    asked = question.read()
    command = command_text([*question.words(asked), "--json"])
    return rows_of(asked, asked.values(), asked.insurance(), command)


def rows_of(
    asked: AskedHand, values: HandValues, insurance: InsuranceWager | None, command: str
) -> list[Row]:
    """One row for each action; each says what it was worked out for."""
    from ventiuna.analysis.base_game.why import why

    data = values.as_data()
    about = {key: data[key] for key in data if key != "actions"}
    about |= {"why": why(asked.rules, values, asked.unseen), "command": command}
    if insurance is not None:
        about["insurance_ev"] = float(insurance.expected_value)
    return [
        {"action": action.action, "ev": action.ev, "cost": values.best.ev - action.ev} | about
        for action in values.actions
    ]
