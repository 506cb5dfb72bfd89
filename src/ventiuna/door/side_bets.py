"""Wagers beside the base game: each with its exact odds, from a fresh shoe or any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ventiuna.analysis.given import (
    Cards,
    check_amount,
    check_number,
    given_bases,
    given_card,
    given_cards,
    given_rules,
    given_stakes,
    given_text,
    given_texts,
)
from ventiuna.door.entries import entry
from ventiuna.money import plain_amount
from ventiuna.rules import Rules

if TYPE_CHECKING:
    from ventiuna.analysis import (
        BlackjackFrequencies,
        InsuranceWager,
        JackpotReport,
        MatchWagers,
        RoundAwards,
        SuperBonusReport,
    )
    from ventiuna.analysis.composition import Composition


@entry
def match(
    rules: Rules | str,
    stakes: Mapping[str, int] | None = None,
    *,
    shoe: str = "",
    without: Cards = (),
) -> MatchWagers:
    """The exact odds of Match the Dealer wagers; $1 on each that is offered by default.

    `shoe` names the cards that are left ("7s:3 K:12"), `without` those that are gone; so they do
    for every wager beside the base game.

    >>> import ventiuna as vt
    >>> float(vt.match("wsgc-spanish-21").house_edge) > 0
    True
    >>> vt.match("wsgc-spanish-21", {"up": 500}, shoe="7:24").house_edge < 0  # sevens alone
    True
    """
    from ventiuna.analysis import match_wagers

    house = given_rules(rules)
    return match_wagers(house, given_stakes(stakes), _left(house, shoe, without))


@entry
def insurance(
    rules: Rules | str,
    seen: Cards = (),
    up: str = "As",
    *,
    shoe: str = "",
    without: Cards = (),
) -> InsuranceWager:
    """Insurance for somebody who has seen the up card and these cards besides.

    `shoe` names the unseen cards, the down card among them.

    >>> import ventiuna as vt
    >>> round(vt.insurance("wsgc-2021").ev, 4)
    -0.2474
    >>> vt.insurance("wsgc-2021", shoe="K:12 9:12").ev
    0.5
    """
    from ventiuna.analysis import insurance_wager
    from ventiuna.analysis.composition import with_cards
    from ventiuna.analysis.questions.shoes import shoe_of

    house, known, shown = given_rules(rules), given_cards(seen), given_card(up)
    table = (*known, shown)
    unseen = shoe_of(house, given_cards(without), given_text("shoe", shoe), table)
    return insurance_wager(house, known, shown, with_cards(unseen, table))


@entry
def jackpot(
    rules: Rules | str,
    game: int | None = None,
    *,
    table: str | None = None,
    pay_table: int | None = None,
    alternate: int | None = None,
    wager: int | None = None,
    prize: int | None = None,
    shoe: str = "",
    without: Cards = (),
) -> JackpotReport:
    """A jackpot game: exact chances, pays, and its break-even meter.

    `game` is its number on the rules' layout, 1 by default. `table` names a jackpot table instead
    ("3c"), with its `pay_table`, `alternate`, and `wager` and `prize` in cents.

    >>> import ventiuna as vt
    >>> vt.jackpot("wsgc-2021(jackpots=3c:1)").break_even_meter > 0
    True
    >>> vt.jackpot("wsgc-2021", table="3c", wager=500).jackpot.wager
    500
    """
    from ventiuna.analysis import jackpot_report

    house = with_table(given_rules(rules), game, table, pay_table, alternate, wager, prize)
    return jackpot_report(house, 1 if game is None else game, _left(house, shoe, without))


@entry
def jackpot_awards(
    rules: Rules | str,
    players: int,
    meter: int | None = None,
    game: int | None = None,
    *,
    table: str | None = None,
    pay_table: int | None = None,
    alternate: int | None = None,
    wager: int | None = None,
    prize: int | None = None,
    shoe: str = "",
    without: Cards = (),
) -> RoundAwards:
    """What a jackpot game pays each seat of a round in which so many players wager.

    `meter` is in cents; a house jackpot shows its posted amount where none is given. The other
    options are those of `jackpot`.

    >>> import ventiuna as vt
    >>> found = vt.jackpot_awards("wsgc-2021-jackpot", players=3, meter=500_000)
    >>> len(found.seats)
    3
    """
    from ventiuna.analysis import round_awards
    from ventiuna.analysis.questions.jackpot import posted_amount
    from ventiuna.analysis.side_bets.jackpots import game_of

    check_amount("meter", meter)
    house = with_table(given_rules(rules), game, table, pay_table, alternate, wager, prize)
    number = 1 if game is None else game
    shown = posted_amount(game_of(house, number)) if meter is None else meter
    return round_awards(house, players, shown, number, _left(house, shoe, without))


@entry
def super_bonus(
    rules: Rules | str,
    base: int | Sequence[int],
    *,
    persons: Sequence[str] | None = None,
    shoe: str = "",
    without: Cards = (),
) -> SuperBonusReport:
    """The Super Bonus of a spot with this base wager in cents, or of several spots.

    Without `persons`, one for each spot, every spot is its own player.

    >>> import ventiuna as vt
    >>> vt.super_bonus("wsgc-spanish-21", 2500).spots[0].base
    2500
    >>> [spot.base for spot in vt.super_bonus("wsgc-spanish-21", [500, 2500]).spots]
    [500, 2500]
    """
    from ventiuna.analysis import super_bonus_report

    house = given_rules(rules)
    owners = None if persons is None else given_texts("persons", persons)
    return super_bonus_report(house, given_bases(base), owners, _left(house, shoe, without))


@entry
def blackjacks(rules: Rules | str, *, shoe: str = "", without: Cards = ()) -> BlackjackFrequencies:
    """How often player and dealer have a blackjack, exactly.

    >>> import ventiuna as vt
    >>> vt.blackjacks("wsgc-2021").player
    Fraction(12, 287)
    """
    from ventiuna.analysis import blackjack_frequencies

    house = given_rules(rules)
    return blackjack_frequencies(house, _left(house, shoe, without))


def _left(rules: Rules, shoe: str, without: Cards) -> Composition:
    from ventiuna.analysis.questions.shoes import shoe_of

    return shoe_of(rules, given_cards(without), given_text("shoe", shoe))


def with_table(
    rules: Rules,
    game: int | None,
    table: str | None,
    pay_table: int | None,
    alternate: int | None,
    wager: int | None,
    prize: int | None,
) -> Rules:
    """The rules, or the same with the one jackpot game that the options describe."""
    from ventiuna.analysis.questions.jackpot import JackpotQuestion, rules_with_its_table

    for name, number in (("pay_table", pay_table), ("alternate", alternate)):
        if number is not None:
            check_number(name, number)
    if table is not None:
        given_text("table", table)
    question = JackpotQuestion(
        "", game, table, pay_table, alternate, _words("wager", wager), _words("prize", prize)
    )
    return rules_with_its_table(rules, question)


def _words(name: str, cents: int | None) -> str | None:
    """An amount as questions word it."""
    check_amount(name, cents)
    return None if cents is None else plain_amount(cents)
