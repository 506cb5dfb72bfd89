"""Jackpot lines from matches and kinds of cards equal those from the cards themselves."""

from __future__ import annotations

import random

import pytest

from tests import IS_SOAK
from ventiuna.core.side_bets import fixed_pay, special_line
from ventiuna.rules import compile_rules, load_rules
from ventiuna.rules.data_files import jackpot_tables as all_tables
from ventiuna.simulation.spec import jackpot_tables, kinds_place, match_codes

GAMES = [
    (table.id, alternate, table.decks[0])
    for table in all_tables().values()
    for alternate in (0, *table.alternates)
    if table.id != "casino-card"
]


@pytest.mark.parametrize(("table", "alternate", "decks"), GAMES)
def test_every_line_matches_the_cards(table: str, alternate: int, decks: int) -> None:
    game = f"{table}:3:prize=25" + (f":alternate={alternate}" if alternate else "")
    rules = compile_rules(load_rules(f"wsgc-2021(decks={decks},jackpots={game})"))
    found = jackpot_tables(rules)
    codes = match_codes()
    generator = random.Random(f"{table} {alternate}")
    pack = load_rules("wsgc-2021").pack.cards
    few = [card for card in pack if card // 4 in (0, 6, 12)]
    for number in range(6000 if IS_SOAK else 1500):
        cards = few if number % 2 else pack
        first, second, up, down = (generator.choice(cards) for _ in range(4))
        if number % 3 == 0:
            second = first
        with_up = int(codes[first, up]) + int(codes[second, up])
        with_down = int(codes[first, down]) + int(codes[second, down])
        line = special_line(rules, 0, first, second, up, down)
        pay = fixed_pay(rules, 0, line, first, second, up, down)
        kinds = kinds_place(first, second, up, down)
        assert found.lines[0, with_up, with_down, kinds] == line
        assert found.fixed[0, line, with_up, with_down] == pay
        assert line == 0 or found.possible[0, with_up, with_down]
