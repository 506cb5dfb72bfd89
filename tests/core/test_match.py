"""Match the Dealer, and named jackpot cards and lines."""

import pytest

from tests.core.hands import card, table
from ventiuna.core import side_bets
from ventiuna.core.side_bets import match_profit, suited_matches, unsuited_matches

SIX = table("wsgc-2021")


@pytest.mark.parametrize(
    ("first", "second", "suited", "unsuited"),
    [
        ("8d", "8d", 2, 0),
        ("8d", "8c", 1, 1),
        ("8c", "8d", 1, 1),
        ("8c", "8h", 0, 2),
        ("8d", "9d", 1, 0),
        ("9d", "8s", 0, 1),
        ("9d", "7d", 0, 0),
    ],
)
def test_r020_matches(first: str, second: str, suited: int, unsuited: int) -> None:
    cards = card(first), card(second), card("8d")
    assert suited_matches(*cards) == suited
    assert unsuited_matches(*cards) == unsuited


def test_r020_a_jack_does_not_match_a_king() -> None:
    assert unsuited_matches(card("Jc"), card("Qd"), card("Kh")) == 0


@pytest.mark.parametrize(
    ("suited", "unsuited", "profit"),
    [(0, 0, -500), (0, 1, 2000), (0, 2, 4000), (1, 0, 4500), (1, 1, 6500), (2, 0, 9000)],
)
def test_r021_r022_r023_each_match_is_paid(suited: int, unsuited: int, profit: int) -> None:
    assert match_profit(SIX, 500, suited, unsuited) == profit


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        ("8d", "8d", side_bets.NO_LINE),
        ("8d", "8c", side_bets.ONE_NON_SUITED_ONE_SUITED),
        ("8d", "2c", side_bets.ONE_SUITED),
        ("8c", "8h", side_bets.TWO_NON_SUITED),
        ("8c", "2h", side_bets.ONE_NON_SUITED),
        ("9c", "2h", side_bets.NO_LINE),
    ],
)
def test_r091_r101_fixed_lines(first: str, second: str, line: int) -> None:
    assert side_bets.fixed_line(card(first), card(second), card("8d")) == line


def test_r087_r089_cards_that_lines_require() -> None:
    kinds = {text: side_bets.card_kind(card(text)) for text in ("As", "Ks", "Ah", "Kh", "7s")}
    assert kinds == {
        "As": side_bets.THE_SPADE_ACE,
        "Ks": side_bets.THE_SPADE_KING,
        "Ah": side_bets.OTHER_ACE,
        "Kh": side_bets.PLAIN_CARD,
        "7s": side_bets.PLAIN_CARD,
    }
    assert len(set(kinds.values())) == side_bets.CARD_KINDS


@pytest.mark.parametrize(
    ("game", "decks", "down"),
    [("3c", 6, False), ("4d", 6, True), ("5c:1:prize=9", 6, False), ("4a:1:prize=9", 2, True)],
)
def test_r088_r089_tables_4_have_lines_with_the_down_card(
    game: str, decks: int, down: bool
) -> None:
    rules = table(f"wsgc-2021(decks={decks},jackpots={game})")
    assert side_bets.has_lines_with_down_card(rules, 0) is down


@pytest.mark.parametrize(
    ("game", "cards", "waits"),
    [
        ("3c", "8d 8d 8d", False),
        ("3c:1:alternate=1:prize=9", "8d 8d 8d", True),
        ("3c:1:alternate=1:prize=9", "8d 8c 8d", False),
        ("4d", "2c 3d 8d", True),
        ("5c:1:prize=9", "8d 8d 8d", True),
        ("5c:1:prize=9", "8d 2c 8d", False),
    ],
)
def test_r096_which_wagers_wait_for_the_down_card(game: str, cards: str, waits: bool) -> None:
    first, second, up = (card(text) for text in cards.split())
    rules = table(f"wsgc-2021(jackpots={game})")
    assert side_bets.waits_for_down_card(rules, 0, first, second, up) is waits


@pytest.mark.parametrize(
    ("game", "decks", "cards", "line"),
    [
        ("3c", 6, "As As As 2c", 1),
        ("3c", 6, "Ah Ah Ah 2c", 2),
        ("3c", 6, "Ah As Ah 2c", 0),
        ("3c:1:alternate=1:prize=9", 6, "As As As Ks", 1),
        ("3c:1:alternate=1:prize=9", 6, "As As As Kh", 2),
        ("3c:1:alternate=1:prize=9", 6, "Ah Ah Ah Ks", 2),
        ("3c:1:alternate=1:prize=9", 6, "7h 7h 7h Ks", 3),
        ("3c:1:alternate=2:prize=9", 6, "As As As 2c", 1),
        ("3c:1:alternate=2:prize=9", 6, "Ac Ac Ac 2c", 2),
        ("3c:1:alternate=2:prize=9", 6, "2c 2c 2c 2c", 3),
        ("4d", 6, "7h 7h 7h 7h", 1),
        ("4d", 6, "7h 7h 7h 2c", 2),
        ("4d", 6, "7h 7h 2c 7h", 2),
        ("4d", 6, "7h 2c 7h 2c", 0),
        ("4d:1:alternate=1:prize=9", 6, "Ah Ah Ah Ah", 1),
        ("4d:1:alternate=1:prize=9", 6, "7h 7h 7h 7h", 2),
        ("4d:1:alternate=1:prize=9", 6, "7h 7h 2c 7h", 3),
        ("5c:1:prize=9", 6, "Ah Ah Ah Ah", 1),
        ("5c:1:prize=9", 6, "7h 7h 7h 7h", 2),
        ("5c:1:prize=9", 6, "7h 7h 7h 2c", 3),
        ("5c:1:prize=9", 6, "7h 7h 2c 7h", 0),
        ("4a:1:prize=9", 2, "As Ks Ks As", 1),
        ("4a:1:prize=9", 2, "Ks As As Ks", 1),
        ("4a:1:prize=9", 2, "As Ks As Kh", 0),
        ("4a:1:prize=9", 2, "As Ks As As", 0),
        ("4a:1:prize=9", 2, "Ac Ad Ah As", 2),
        ("4a:1:prize=9", 2, "7c 7d 7h 7c", 3),
        ("4a:1:prize=9", 2, "7c 7d 7h 8c", 0),
    ],
)
def test_r087_r088_r089_r090_r093_r094_special_lines(
    game: str, decks: int, cards: str, line: int
) -> None:
    first, second, up, down = (card(text) for text in cards.split())
    rules = table(f"wsgc-2021(decks={decks},jackpots={game})")
    assert side_bets.special_line(rules, 0, first, second, up, down) == line


@pytest.mark.parametrize(
    ("options", "cards", "lines"),
    [
        ("", "8d 2c 8d 8h", (3, 1)),  # suited with the up card, unsuited with the down card
        (":best_only=on", "8d 2c 8d 8h", (3,)),
        ("", "8d 8d 8d 8h", (2,)),  # two suited matches aren't a fixed line, but the down card's is
        (":best_only=on", "8d 8d 8d 8h", ()),  # the special line is better
        ("", "9d 2c 8d 8h", ()),
    ],
)
def test_r091_d24_payouts_of_fixed_lines(options: str, cards: str, lines: tuple[int, ...]) -> None:
    first, second, up, down = (card(text) for text in cards.split())
    rules = table(f"wsgc-2021(jackpots=4d:1{options})")
    special = side_bets.special_line(rules, 0, first, second, up, down)
    paid = side_bets.fixed_pay(rules, 0, special, first, second, up, down)
    assert paid == sum(side_bets.line_pay(rules, 0, line) for line in lines)
    found = side_bets.paid_fixed_lines(rules, 0, special, first, second, up, down)
    assert tuple(line for line in found if line != side_bets.NO_LINE) == lines


def test_d24_of_two_equal_lines_the_one_with_the_up_card_is_paid() -> None:
    first, second, up, down = (card(text) for text in ("8d", "9c", "8d", "9c"))
    rules = table("wsgc-2021(jackpots=4d:1:best_only=on)")
    paid = side_bets.paid_fixed_lines(rules, 0, side_bets.NO_LINE, first, second, up, down)
    assert paid == (side_bets.ONE_SUITED, side_bets.NO_LINE)


def test_o23_o24_fixed_lines_with_the_special_lines_of_table_4a() -> None:
    cards = [card(text) for text in ("As", "Ks", "As", "Ks")]
    both = table("wsgc-2021(decks=2,jackpots=4a:1:prize=9)")
    alone = table("wsgc-2021(decks=2,jackpots=4a:1:prize=9:top_alone=on)")
    one_suited = side_bets.line_pay(both, 0, side_bets.ONE_SUITED)
    assert side_bets.fixed_pay(both, 0, side_bets.FIRST, *cards) == 2 * one_suited > 0
    assert side_bets.fixed_pay(alone, 0, side_bets.FIRST, *cards) == 0
    four = [card(text) for text in ("7c", "7d", "7h", "7c")]
    assert side_bets.fixed_pay(both, 0, side_bets.THIRD, *four) == 0


def test_r091_lines_are_multiplied_by_their_games_wager() -> None:
    rules = table("wsgc-2021(jackpots=3c:1+3c:1:wager=5)")
    for line in range(1, 5):
        assert side_bets.line_pay(rules, 1, line) == 5 * side_bets.line_pay(rules, 0, line) > 0
    assert side_bets.line_pay(rules, 0, side_bets.NO_LINE) == 0
