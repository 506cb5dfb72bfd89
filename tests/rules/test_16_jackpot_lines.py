"""Section 16, part 1: jackpot tables, their lines, and what each line pays."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.rounds import card, play, problems, seat
from ventiuna.cards import Pack
from ventiuna.core.rule_table import RuleTable
from ventiuna.core.side_bets import FIRST, NO_LINE, SECOND, fixed_line, special_line
from ventiuna.rules import compile_rules, load_rules
from ventiuna.rules.data_files import FIXED_LINE_KEYS, jackpot_tables

DECKS = {
    "3a": 4, "3b": 5, "3c": 6, "3d": 8,
    "4a": 2, "4b": 4, "4c": 5, "4d": 6, "4e": 8,
    "5a": 4, "5b": 5, "5c": 6, "5d": 8,
}  # fmt: skip
TABLES_3 = ["3a", "3b", "3c", "3d"]
TABLES_4 = ["4b", "4c", "4d", "4e"]
TABLES_5 = ["5a", "5b", "5c", "5d"]
PRINTED: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "golden" / "paytables.json").read_text(encoding="utf-8")
)

# Hands against a dealer's 8d, by the fixed line that they make.
AGAINST_8D = {
    "one_non_suited_one_suited": "8d 8c",
    "one_suited": "8d 3h",
    "two_non_suited": "8c 8h",
    "one_non_suited": "8c 3h",
}


def rules_with(table: str, more: str = "", pay_table: int = 1) -> str:
    """Rules with this jackpot and a prize, without contributions."""
    parts = [table, str(pay_table), "contribution=0%"]
    parts += ["prize=100"] if "prize" not in more else []
    parts += [more] if more else []
    return f"wsgc-2021(decks={DECKS[table]},jackpots={':'.join(parts)})"


def net(table: str, hand: str, dealer: str, more: str = "", pay_table: int = 1) -> str:
    """Result of the jackpot wager with a meter of $10,000; the hand itself is surrendered."""
    up, down = dealer.split()
    ends = {"J", "Q", "K"}
    blackjack = (up[0] == "A" and down[0] in ends) or (up[0] in ends and down[0] == "A")
    first, second = hand.split()
    own = {first[0], second[0]}
    over = blackjack or ("A" in own and own & ends)
    text = hand if over else f"{hand} / surrender"
    round_ = play(
        rules_with(table, more, pay_table), dealer, seat(text, jackpots=[1]), meters=[10000]
    )
    return next(part for part in round_.result().split(", ") if part.startswith("jackpot 1"))[10:]


# --- the tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [2, 4, 5, 6, 8])
def test_r086_tables_by_number_of_decks(decks: int) -> None:
    for table, fits in DECKS.items():
        rules = f"wsgc-2021(decks={decks},jackpots={table}:1:prize=100)"
        if decks == fits:
            assert load_rules(rules).jackpots[0].table == table
        else:
            assert problems(rules) == {"jackpots game 1 table": "R-086"}


@pytest.mark.parametrize("table", DECKS)
def test_r086_eight_pay_tables_each(table: str) -> None:
    for number in range(1, 9):
        assert load_rules(rules_with(table, pay_table=number)).jackpots[0].pay_table == number
    assert problems(rules_with(table, pay_table=9)) == {"jackpots game 1 pay_table": "R-086"}


def test_r086_other_tables_are_unknown() -> None:
    assert problems("wsgc-2021(jackpots=6a:1)") == {"jackpots game 1 table": "R-086"}


# --- Tables 3 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES_3)
def test_r087_two_suited_matches_with_the_up_card(table: str) -> None:
    assert net(table, "8d 8d", "8d Kc") == "+999.00"  # 10% of $10,000, the stake not returned
    assert net(table, "As As", "As 7d") == "+9999.00"  # 100%
    for suit in "cdh":
        assert net(table, f"A{suit} A{suit}", f"A{suit} 7d") == "+999.00"
    assert net(table, "8d 8d", "Kc 8d") == "-1.00"  # the down card doesn't count
    assert net(table, "As As", "7d As") == "-1.00"


# --- Tables 4 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES_4)
def test_r088_identical_cards_with_up_and_down(table: str) -> None:
    assert net(table, "9c 9c", "9c 9c") == "+9999.00"  # four identical cards
    assert net(table, "As As", "As As") == "+9999.00"
    assert net(table, "9c 9c", "9c Kd") == "+999.00"  # with the up card
    assert net(table, "9c 9c", "Kd 9c") == "+999.00"  # with the down card
    assert net(table, "9c 9d", "9c 9d") != "+9999.00"  # two pairs of identical cards aren't enough


def test_r088_both_player_cards_must_be_identical() -> None:
    # One suited and one unsuited match with each dealer card: 4 for 1, twice.
    assert net("4d", "9c 9d", "9c 9d") == "+7.00"


@pytest.mark.parametrize(("hand", "dealer"), [
    ("As Ks", "As Ks"), ("Ks As", "As Ks"), ("As Ks", "Ks As"), ("Ks As", "Ks As"),
])  # fmt: skip
def test_r089_table_4a_spade_ace_king_against_spade_ace_king(hand: str, dealer: str) -> None:
    assert net("4a", hand, dealer, "top_alone=on") == "+9999.00"


def test_r089_table_4a_four_of_one_rank() -> None:
    assert net("4a", "Ah As", "Ac Ad") == "+999.00"
    assert net("4a", "As As", "Ac Ac") == "+999.00"
    assert net("4a", "9c 9d", "9h 9s", "prize=200") == "+199.00"
    assert net("4a", "Kc Kd", "Kh Ks", "prize=200") == "+199.00"
    # Face cards of different ranks aren't four of a kind; the two unsuited matches pay.
    assert net("4a", "Kc Kd", "Kh Qs") == "+2.00"


@pytest.mark.parametrize(("hand", "dealer"), [
    ("As Kh", "As Ks"), ("Ah Ks", "As Ks"), ("As Ks", "As Kh"), ("As Qs", "As Ks"),
])  # fmt: skip
def test_r089_table_4a_nothing_less_wins_100_percent(hand: str, dealer: str) -> None:
    assert float(net("4a", hand, dealer)) < 100


def test_o24_table_4a_four_of_one_rank_pays_only_that_line() -> None:
    # Two unsuited matches with each dealer card would be 3 for 1 twice.
    assert net("4a", "Ah As", "Ac Ad") == "+999.00"
    assert net("4a", "9c 9d", "9h 9s") == "+99.00"
    assert net("4a", "9c 9d", "9c 9h") == "+99.00"  # a suited match among them changes nothing


def test_o23_table_4a_the_100_percent_line_and_its_two_suited_matches() -> None:
    """5 for 1 with the up card and 5 for 1 with the down card, unless the house pays only the top
    award."""
    assert net("4a", "As Ks", "As Ks") == "+10009.00"
    assert net("4a", "As Ks", "As Ks", "top_alone=on") == "+9999.00"


# --- Tables 5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES_5)
def test_r090_four_identical_cards_and_two_suited_matches(table: str) -> None:
    for suit in "cdhs":
        assert net(table, f"A{suit} A{suit}", f"A{suit} A{suit}") == "+9999.00"
    assert net(table, "2c 2c", "2c 2c") == "+999.00"
    assert net(table, "Kh Kh", "Kh Kh") == "+999.00"
    assert net(table, "4h 4h", "4h 5c", "prize=250") == "+249.00"
    assert net(table, "As As", "As 5c", "prize=250") == "+249.00"
    assert net(table, "4h 4h", "5c 4h", "prize=250") == "-1.00"  # only with the down card


@pytest.mark.parametrize("table", TABLES_5)
def test_r090_fixed_payouts_depend_only_on_the_up_card(table: str) -> None:
    both = net(table, "4h Js", "4c Js")
    assert both == net(table, "4h Js", "4c 2s")
    assert net(table, "4h Js", "2c Js") == "-1.00"


# --- fixed lines ---------------------------------------------------------------------------------


@pytest.mark.parametrize("wager", [1, 5])
@pytest.mark.parametrize("pay_table", range(1, 9))
@pytest.mark.parametrize("table", DECKS)
def test_r091_fixed_lines_pay_n_for_m_times_the_wager(
    table: str, pay_table: int, wager: int
) -> None:
    """Every line of every pay table, as printed; the stake is not returned."""
    lines = {
        line["key"]: line["pay"]
        for line in PRINTED["jackpot"]["tables"][table]["paytables"][str(pay_table)]["lines"]
    }
    rules = rules_with(table, f"wager={2 * wager}", pay_table)  # even, so that halves are whole
    for key, hand in AGAINST_8D.items():
        num, _, den = lines[key].split()
        expected = 2 * wager * 100 * int(num) // int(den)
        for dealer in ("8d Kc", "Kc 8d"):
            round_ = play(rules, dealer, seat(f"{hand} / surrender", jackpots=[1]), meters=[100])
            paid = round_.payment(1, "jackpot 1")
            counts = dealer == "8d Kc" or table.startswith("4")
            assert paid.paid == (expected if counts else 0)
            assert paid.stake == 2 * wager * 100


def test_r091_no_match_loses_the_wager() -> None:
    for table in DECKS:
        assert net(table, "2c 3h", "8d Kc") == "-1.00"


def test_d24_up_and_down_payouts_are_added_unless_the_house_pays_the_better_one() -> None:
    # 3 for 2 with the up card, 5 for 2 with the down card.
    assert net("4d", "9c 5d", "9s 5d") == "+3.00"
    assert net("4d", "9c 5d", "9s 5d", "best_only=on") == "+1.50"
    assert net("4d", "5d 9c", "5d 9s", "best_only=on") == "+1.50"
    assert net("4d", "9c 9c", "9c 9d") == "+1002.00"  # 10% and two unsuited matches
    assert net("4d", "9c 9c", "9c 9d", "best_only=on") == "+999.00"


@pytest.mark.parametrize(
    ("more", "odds"),
    [
        ("", "one unsuited match 3 for 2 and one suited match 5 for 2"),
        ("best_only=on", "one suited match 5 for 2"),
    ],
)
def test_d24_the_payment_lists_the_lines_that_are_paid(more: str, odds: str) -> None:
    rules = rules_with("4d", more)
    dealt = play(rules, "9s 5d", seat("9c 5d / surrender", jackpots=(1,)), meters=["10000"])
    assert [paid.odds for paid in dealt.payments if paid.wager == "jackpot 1"] == [odds]


def test_o22_two_suited_matches_with_one_card_and_a_fixed_line_with_the_other() -> None:
    assert net("4d", "9c 9c", "9c 9d") == "+1002.00"
    assert net("4d", "9c 9c", "9h 9c") == "+1002.00"


@pytest.mark.parametrize("table", [*TABLES_4, *TABLES_5])
def test_o25_four_identical_cards_pay_the_highest_line_only(table: str) -> None:
    expected = "+9999.00" if table in TABLES_4 else "+999.00"
    assert net(table, "9c 9c", "9c 9c") == expected


# --- prizes and alternates -----------------------------------------------------------------------


@pytest.mark.parametrize(("wager", "expected"), [(1, "+249.00"), (5, "+1245.00"), (20, "+4980.00")])
def test_r092_prizes_are_multiplied_by_the_wager(wager: int, expected: str) -> None:
    assert net("5c", "4h 4h", "4h 5c", f"prize=250:wager={wager}") == expected


def test_r092_percentage_awards_are_not_multiplied() -> None:
    assert net("5c", "4h 4h", "4h 4h", "wager=5") == "+995.00"
    assert net("3c", "As As", "As 7d", "wager=20") == "+9980.00"


@pytest.mark.parametrize("table", ["4a", *TABLES_5])
def test_o21_a_prize_line_without_its_prize_is_refused(table: str) -> None:
    rules = f"wsgc-2021(decks={DECKS[table]},jackpots={table}:1)"
    assert problems(rules) == {"jackpots game 1 prize": "R-092, O-21"}


@pytest.mark.parametrize(("table", "alternate"), [("3c", 1), ("3c", 2), ("4d", 1)])
def test_o21_alternate_lines_need_their_prize_too(table: str, alternate: int) -> None:
    rules = f"wsgc-2021(jackpots={table}:1:alternate={alternate})"
    assert problems(rules) == {"jackpots game 1 prize": "R-092, O-21"}
    assert load_rules(f"wsgc-2021(jackpots={table}:1)").jackpots[0].prize is None


@pytest.mark.parametrize("table", TABLES_3)
def test_r093_set_1_requires_the_king_of_spades_down(table: str) -> None:
    more = "alternate=1:prize=250"
    assert net(table, "As As", "As Ks", more) == "+9999.00"
    assert net(table, "As As", "As Kh", more) == "+999.00"
    assert net(table, "As As", "As 7d", more) == "+999.00"
    assert net(table, "Ah Ah", "Ah Ks", more) == "+999.00"
    assert net(table, "8d 8d", "8d Kc", more) == "+249.00"
    assert net(table, "2c 2c", "2c Ks", more) == "+249.00"


@pytest.mark.parametrize("table", TABLES_3)
def test_r093_set_2_depends_on_the_suit_of_the_aces(table: str) -> None:
    more = "alternate=2:prize=250"
    assert net(table, "As As", "As 7d", more) == "+9999.00"
    assert net(table, "As As", "As Ks", more) == "+9999.00"
    for suit in "cdh":
        assert net(table, f"A{suit} A{suit}", f"A{suit} Ks", more) == "+999.00"
    assert net(table, "8d 8d", "8d Kc", more) == "+249.00"
    assert net(table, "8d 8d", "Kc 8d", more) == "-1.00"


@pytest.mark.parametrize("table", TABLES_3)
def test_r093_fixed_lines_stay_as_they_are(table: str) -> None:
    for hand in AGAINST_8D.values():
        usual = net(table, hand, "8d Kc")
        assert net(table, hand, "8d Kc", "alternate=1") == usual
        assert net(table, hand, "8d Kc", "alternate=2") == usual


@pytest.mark.parametrize("table", TABLES_4)
def test_r094_alternate_lines_of_tables_4(table: str) -> None:
    more = "alternate=1:prize=300"
    for suit in "cdhs":
        assert net(table, f"A{suit} A{suit}", f"A{suit} A{suit}", more) == "+9999.00"
    assert net(table, "9c 9c", "9c 9c", more) == "+999.00"
    assert net(table, "9c 9c", "9c Kh", more) == "+299.00"
    assert net(table, "9c 9c", "Kh 9c", more) == "+299.00"
    assert net(table, "As As", "As 7h", more) == "+299.00"
    assert net(table, "9c 2d", "Kh 7c", more) == "-1.00"
    for hand in AGAINST_8D.values():
        assert net(table, hand, "8d Kc", more) == net(table, hand, "8d Kc")


@pytest.mark.parametrize("table", ["4a", *TABLES_5])
def test_d26_no_alternate_lines_for_4a_and_tables_5(table: str) -> None:
    found = problems(rules_with(table, "alternate=1"))
    assert found == {"jackpots game 1 alternate": "R-093, R-094, D-26"}


def test_d26_each_table_has_its_own_sets() -> None:
    assert problems(rules_with("3c", "alternate=3"))
    assert problems(rules_with("4d", "alternate=2"))
    assert load_rules(rules_with("3c", "alternate=2")).jackpots[0].alternate == 2


# --- the casino card -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "dealer", "expected"),
    [
        ("9c 9c", "9c 9c", "+9999.00"),
        ("9c 9c", "9c Kd", "+999.00"),
        ("9c 9c", "Kd 9c", "+999.00"),
        ("8d 8c", "8d Kc", "+3.00"),  # 4 for 1
        ("8d 3h", "8d Kc", "+1.50"),  # 5 for 2
        ("8c 8h", "8d Kc", "+2.00"),  # 3 for 1
        ("8c 3h", "8d Kc", "+0.50"),  # 3 for 2
        ("8c 3h", "Kc 8d", "+0.50"),
        ("8c 3h", "Kd 9d", "-1.00"),
    ],
)
def test_r099_progressive_of_the_casino_card(hand: str, dealer: str, expected: str) -> None:
    rules = "casino-card(jackpots=casino-card:1:contribution=0%)"
    round_ = play(rules, dealer, seat(f"{hand} / surrender", jackpots=[1]), meters=[10000])
    assert round_.result().endswith(f"jackpot 1 {expected}")
    assert "R-099" in {payment.rule for payment in round_.payments} or expected.endswith("99.00")


def test_r099_needs_a_base_wager_and_no_other() -> None:
    rules = load_rules("casino-card")
    assert [jackpot.table for jackpot in rules.jackpots] == ["casino-card"]
    assert [str(jackpot.kind) for jackpot in rules.jackpots] == ["progressive"]
    assert jackpot_tables()["casino-card"].pay_tables[1].fixed == (
        jackpot_tables()["4d"].pay_tables[1].fixed
    )


# --- printed figures -----------------------------------------------------------------------------


def _weight(cards: tuple[int, ...], decks: int) -> int:
    """Ways to draw these cards in this order from fresh decks."""
    ways, seen = 1, Counter[int]()
    for each in cards:
        ways *= decks - seen[each]
        seen[each] += 1
    return ways


def _fixed_return(rules: RuleTable, table: str, decks: int) -> dict[int, Fraction]:
    """Expected number of each fixed line per hand. These lines treat all cards alike, so the
    player's first card can be any card."""
    pack = Pack.SPANISH.cards
    first = card("9c")
    expected: Counter[int] = Counter()
    if table != "4a":
        for second in pack:
            for dealer in pack:
                line = fixed_line(first, second, dealer)
                if line != NO_LINE:
                    expected[line] += _weight((first, second, dealer), decks)
        total = 48 * decks
        draws = decks * (total - 1) * (total - 2)
        both = 2 if table.startswith("4") else 1  # up and down are equivalent, and both are paid
        return {line: Fraction(both * ways, draws) for line, ways in expected.items()}
    for second in pack:
        for up in pack:
            for down in pack:
                lines = [fixed_line(first, second, dealer) for dealer in (up, down)]
                if lines == [NO_LINE, NO_LINE]:
                    continue
                if special_line(rules, 0, first, second, up, down) in (NO_LINE, FIRST):
                    ways = _weight((first, second, up, down), decks)
                    for line in lines:
                        expected[line] += ways
    total = 48 * decks
    draws = decks * (total - 1) * (total - 2) * (total - 3)
    del expected[NO_LINE]
    return {line: Fraction(ways, draws) for line, ways in expected.items()}


@pytest.mark.parametrize("table", DECKS)
def test_r101_printed_house_advantage_of_all_pay_tables(table: str) -> None:
    """1 minus the return of the fixed payouts minus 0.21, to the printed hundredth of a percent."""
    compiled = compile_rules(load_rules(rules_with(table)))
    frequency = _fixed_return(compiled, table, DECKS[table])
    assert set(frequency) == set(FIXED_LINE_KEYS.values())
    for number, printed in PRINTED["jackpot"]["tables"][table]["paytables"].items():
        pays = jackpot_tables()[table].pay_tables[int(number)].fixed
        returned = sum(
            frequency[line] * Fraction(odds.num, odds.den) for line, odds in pays.items()
        )
        advantage = 1 - returned - Fraction(21, 100)
        assert f"{float(advantage) * 100:.2f}%" == printed["house_advantage_published"]


def test_r101_all_104_figures_are_compared() -> None:
    tables = PRINTED["jackpot"]["tables"].values()
    assert sum(len(table["paytables"]) for table in tables) == 104


def test_r095_one_size_of_percentage_award_in_a_round() -> None:
    """Given the dealer's cards, no two hands could win 10% and 100% of one jackpot."""
    cards = [each for each in Pack.SPANISH.cards if each // 4 + 1 in (1, 7, 13)]
    for table, alternates in (("3c", (0, 1, 2)), ("4d", (0, 1)), ("5c", (0,))):
        for alternate in alternates:
            rules = compile_rules(load_rules(rules_with(table, f"alternate={alternate}")))
            for up in cards:
                for down in cards:
                    lines = {special_line(rules, 0, each, each, up, down) for each in cards}
                    assert not {FIRST, SECOND} <= lines
