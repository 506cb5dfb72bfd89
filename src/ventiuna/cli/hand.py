"""`ventiuna hand`: the exact value of every choice of one hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ventiuna.cards import CardError, card_text, cards_text, parse_card, parse_cards
from ventiuna.cli.compiling import ANALYSER, compile_parts
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    ShoeOption,
    WithoutOption,
    command_text,
    number_table,
    option_words,
    print_command,
    read_amount,
    shoe_of,
)
from ventiuna.core.cards import ACE, rank_of
from ventiuna.rules import Rules, canonical, load_rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.hand import HandValues
    from ventiuna.analysis.composition import Composition
    from ventiuna.analysis.side_bets.insurance import InsuranceWager


def register(app: typer.Typer) -> None:
    app.command("hand")(show_hand)


def show_hand(
    rules: RulesArgument,
    cards: Annotated[
        str, typer.Argument(metavar="CARDS", help="The hand, in the order it came: '5c 6d'.")
    ],
    up: Annotated[str, typer.Argument(metavar="UP", help="The dealer's up card: 2h.")],
    doublings: Annotated[
        int, typer.Option(min=0, max=3, help="How often the hand was doubled.")
    ] = 0,
    hands: Annotated[
        int, typer.Option(min=1, max=4, help="Hands of the spot; more than one: a split hand.")
    ] = 1,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager in dollars: its Super Bonus and the table maximum then count.",
            show_default=False,
        ),
    ] = "",
    double: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="What a double adds where it is less than the wager; needs --base.",
            show_default=False,
        ),
    ] = "",
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    json: JsonFlag = False,
) -> None:
    """Exact value of each choice, best first, and the sentence why.

    Values are in base wagers, after the dealer's check. --shoe names the unseen cards, the down
    card among them; --without the cards seen elsewhere, such as other players' hands.
    """
    house = load_rules(rules)
    held, upcard = parse_cards(cards), parse_card(up)
    unseen = _unseen(house, (*held, upcard), shoe, without)
    asked = _Asked(house, held, upcard, unseen, doublings, hands)
    wager = read_amount("base", base) if base else None
    added = read_amount("double", double) if double else None
    compile_parts(ANALYSER)
    values = asked.values(wager, added)
    insurance = asked.insurance()
    words = ["hand", canonical(house), cards_text(held), card_text(upcard)]
    words += option_words(
        doublings=doublings or None, hands=hands if hands > 1 else None, base=base, double=double
    )
    words += option_words(shoe=shoe, without=without)
    if json:
        print_json(_rows(values, insurance, command_text([*words, "--json"])))
    else:
        _print(house, values, unseen, insurance, words)


def _unseen(rules: Rules, seen: tuple[int, ...], shoe: str, without: str) -> Composition:
    from ventiuna.analysis.composition import without_cards

    for card in seen:
        if card not in rules.pack.cards:
            raise CardError(f"card {card_text(card)}: the {rules.pack} pack has none (R-007)")
    if shoe:
        return shoe_of(rules, without, shoe)  # the user says what is unseen
    return without_cards(shoe_of(rules, without), seen)


class _Asked(NamedTuple):
    """The hand whose choices are to be valued."""

    rules: Rules
    cards: tuple[int, ...]
    up: int
    unseen: Composition
    doublings: int
    hands: int  # of the spot

    def values(self, wager: int | None, added: int | None) -> HandValues:
        from ventiuna.analysis.base_game.hand import hand_values

        return hand_values(
            self.rules,
            self.cards,
            self.up,
            self.unseen,
            doublings=self.doublings,
            split=self.hands > 1,
            hands=self.hands,
            base=wager,
            super_bonus=wager is not None and self.rules.super_bonus_form() is not None,
            double_amount=added,
        )

    def insurance(self) -> InsuranceWager | None:
        """Where this hand is asked about insurance (R-034)."""
        from ventiuna.analysis.composition import with_cards
        from ventiuna.analysis.side_bets.insurance import insurance_wager

        is_asked = self.rules.insurance and rank_of(self.up) == ACE and len(self.cards) <= 2
        if not is_asked or self.doublings or self.hands > 1:
            return None
        before = with_cards(self.unseen, (*self.cards, self.up))
        return insurance_wager(self.rules, self.cards, self.up, before)


def _rows(
    values: HandValues, insurance: InsuranceWager | None, command: str
) -> list[dict[str, object]]:
    """One row for each action; each says what it was worked out for."""
    data = values.as_data()
    about = {key: data[key] for key in data if key != "actions"} | {"command": command}
    if insurance is not None:
        about["insurance_ev"] = float(insurance.expected_value)
    return [
        {"action": action.action, "ev": action.ev, "cost": values.best.ev - action.ev} | about
        for action in values.actions
    ]


def _print(
    rules: Rules,
    values: HandValues,
    unseen: Composition,
    insurance: InsuranceWager | None,
    words: list[str],
) -> None:
    from ventiuna.analysis.base_game.why import why

    out = console()
    out.print(f"{cards_text(values.cards)} against {card_text(values.up)}: {rules.title}")
    out.print(f"rules {values.rules}, fingerprint {values.fingerprint}")
    out.print(f"{values.unseen} unseen cards; exact, {values.as_data()['strategy_class']}")
    out.print()
    table = number_table("", "expected result", "costs", gap=3)
    for action in values.actions:
        cost = values.best.ev - action.ev
        table.add_row(action.action, f"{action.ev:+.9f}", f"{cost:.9f}" if cost else "best")
    out.print(table)
    out.print()
    out.print(why(rules, values, unseen))
    if insurance is not None:
        out.print(
            f"Insurance, before the check: {float(insurance.expected_value):+.9f} of its wager. "
            f"The dealer has a blackjack with {float(insurance.win_frequency):.1%}; "
            f"{float(insurance.break_even_frequency):.1%} would be fair."
        )
    print_command(out, words)
