"""Callers may pass anything to a round: they get one sentence back, and nothing changes."""

from collections.abc import Callable
from typing import Any

import pytest

from ventiuna import (
    Refused,
    RoundState,
    Shoe,
    VentiunaError,
    canonical,
    card_text,
    commands,
    execute,
    fingerprint,
    finish_round,
    load_rules,
    money_text,
    options,
    parse_card,
    parse_cards,
    read_rounds,
    record_of,
    replay,
    rules_data,
    rules_from_data,
    view,
    waiting_for,
    write_round,
)
from ventiuna.analysis import analyze, hand_values
from ventiuna.cards import CardError, cards_text
from ventiuna.engine import DEALER, ListSource
from ventiuna.engine.commands import DataError
from ventiuna.money import MoneyError
from ventiuna.notation import NotationError
from ventiuna.proof.certificate import certify
from ventiuna.rules import RulesError
from ventiuna.simulation import simulate

WRONG: list[Any] = [
    None,
    "1",
    [1],
    {},
    1.5,
    1.0,
    True,
    -1,
    10**30,
    10**5000,  # too long for Python to print
    -(10**5000),
    float("nan"),
    float("inf"),
    b"x",
    (1,),
]
RULES = "wsgc-2021(jackpots=3c:1)"


def kind_of(wrong: object) -> str:
    return type(wrong).__name__


def empty_table() -> RoundState:
    return RoundState(load_rules(RULES))


def with_wager() -> RoundState:
    table = empty_table()
    execute(table, commands.PlaceWagers(1, 1000))
    return table


def dealt(cards: str) -> RoundState:
    table = with_wager()
    execute(table, commands.CloseWagers())
    for card in cards.split():
        execute(table, commands.DealCard(parse_card(card)))
    return table


def in_turn() -> RoundState:
    return dealt("9c 9d 9h Kc")


def with_ace_up() -> RoundState:
    return dealt("9c Ad 2h Kc")


def with_blackjack() -> RoundState:
    return dealt("Ac 9d Kh Kc")


# The command that gets the wrong value, the table to try it at, and values that are valid there.
CASES: dict[str, tuple[Callable[[], RoundState], Callable[[Any], Any], tuple[Any, ...]]] = {
    "spot": (empty_table, lambda wrong: commands.PlaceWagers(wrong, 1000), ()),
    "base": (empty_table, lambda wrong: commands.PlaceWagers(1, wrong), ()),
    "person": (empty_table, lambda wrong: commands.PlaceWagers(1, 1000, wrong), ("1",)),
    "mtd": (empty_table, lambda wrong: commands.PlaceWagers(1, 1000, mtd=wrong), ({},)),
    "mtd amount": (empty_table, lambda wrong: commands.PlaceWagers(1, 1000, mtd={"up": wrong}), ()),
    "jackpots": (empty_table, lambda wrong: commands.PlaceWagers(1, 1000, jackpots=wrong), ({},)),
    "jackpot amount": (
        empty_table,
        lambda wrong: commands.PlaceWagers(1, 1000, jackpots={1: wrong}),
        (),
    ),
    "withdraw": (with_wager, commands.WithdrawWagers, ()),
    "card": (lambda: dealt("9c"), commands.DealCard, ()),
    "insured spot": (with_ace_up, lambda wrong: commands.Insure(wrong, 0), ()),
    "insurance": (with_ace_up, lambda wrong: commands.Insure(1, wrong), ()),
    "blackjack taken": (with_blackjack, commands.TakeBlackjack, ()),
    "blackjack kept": (with_blackjack, commands.KeepBlackjack, ()),
    "stand": (in_turn, commands.Stand, ()),
    "hit": (in_turn, commands.Hit, ()),
    "double": (in_turn, commands.Double, ()),
    "double amount": (in_turn, lambda wrong: commands.Double(1, wrong), (None,)),
    "double-double": (in_turn, commands.DoubleDouble, ()),
    "split": (in_turn, commands.Split, ()),
    "surrender": (in_turn, commands.Surrender, ()),
    "rescue": (in_turn, commands.Rescue, ()),
    "no command": (in_turn, lambda wrong: wrong, ()),
}


@pytest.mark.parametrize("wrong", WRONG, ids=kind_of)
@pytest.mark.parametrize("case", CASES)
def test_a_value_of_the_wrong_kind_is_refused_and_changes_nothing(case: str, wrong: Any) -> None:
    make, command, right = CASES[case]
    table = make()
    if any(type(wrong) is type(value) and wrong == value for value in right):
        execute(table, command(wrong))
        return
    before = view(table, DEALER)
    with pytest.raises(Refused) as refusal:
        execute(table, command(wrong))
    assert str(refusal.value).count("\n") == 0
    assert view(table, DEALER) == before


@pytest.mark.parametrize("game", [0, 2, -1, True, 1.0, "1", None])
def test_a_jackpot_wager_must_be_on_a_game_of_the_table(game: Any) -> None:
    table = empty_table()
    with pytest.raises(Refused, match=r"this table offers only jackpot 1\. \(R-082"):
        execute(table, commands.PlaceWagers(1, 1000, jackpots={game: 100}))


def test_a_jackpot_wager_is_refused_without_a_jackpot() -> None:
    table = RoundState(load_rules("wsgc-2021"))
    with pytest.raises(Refused, match="this table offers no jackpots"):
        execute(table, commands.PlaceWagers(1, 1000, jackpots={1: 100}))


@pytest.mark.parametrize(
    "meters", [[1], [(1, 0), (1, 0)], "x", 5, [("a", 0)], [(-5, 0)], [(1, 0, 0)], [(1.5, 0)]]
)
def test_meters_must_fit_the_jackpot_games(meters: Any) -> None:
    with pytest.raises(Refused, match=r"meters must give .* \(1\)\. \(R-084\)"):
        RoundState(load_rules(RULES), meters)


def test_a_double_for_zero_is_refused_with_the_allowed_amounts() -> None:
    with pytest.raises(Refused, match=r"Add up to \$10\.00 to double, not \$0\.00"):
        execute(in_turn(), commands.Double(1, 0))


@pytest.mark.parametrize("wrong", [None, 5, ["7s"], b"7s", 10**5000], ids=kind_of)
def test_a_card_is_read_from_text_only(wrong: Any) -> None:
    with pytest.raises(CardError, match="a card must be a string such as 7s or Kh"):
        parse_card(wrong)


@pytest.mark.parametrize("wrong", ["x", "7s", None, 52, -1, 10**5000, [1], 1.5], ids=kind_of)
def test_a_card_is_written_from_its_number_only(wrong: Any) -> None:
    with pytest.raises(CardError, match="a card must be a number from 0 to 51"):
        card_text(wrong)
    with pytest.raises(CardError, match="a card must be a number from 0 to 51"):
        cards_text([1, wrong])


@pytest.mark.parametrize("wrong", [None, "x", "750", 7.5, float("nan"), [1], 10**5000], ids=kind_of)
def test_money_is_written_from_whole_cents_only(wrong: Any) -> None:
    with pytest.raises(MoneyError, match="cents must be a whole number, such as 750"):
        money_text(wrong)


@pytest.mark.parametrize("wrong", [None, 5, "random", 10**5000], ids=kind_of)
def test_a_shoe_needs_a_shuffle(wrong: Any) -> None:
    with pytest.raises(DataError, match=r"shuffle must be a function .* random\.shuffle, not"):
        Shoe(load_rules(RULES), wrong)


def test_rules_files_have_no_zero_byte_in_their_name() -> None:
    with pytest.raises(
        RulesError, match=r"the path must be printable and at most .* characters long"
    ):
        load_rules("mine\x00.toml")


NOT_ROUNDS: list[Any] = [None, 5, "wsgc-2021", [], 10**5000, load_rules("wsgc-2021")]


@pytest.mark.parametrize("wrong", NOT_ROUNDS, ids=kind_of)
def test_every_function_reports_an_invalid_round(wrong: Any) -> None:
    for entry in (
        view,
        options,
        waiting_for,
        lambda state: execute(state, commands.CloseWagers()),
        lambda state: finish_round(state, ListSource([]), lambda *_: commands.Stand(1)),
    ):
        with pytest.raises(DataError, match=r"state must be a RoundState, not .*\.$"):
            entry(wrong)


@pytest.mark.parametrize("wrong", [None, 5, "wsgc-2021", [], {}, 10**5000], ids=kind_of)
def test_every_function_reports_invalid_rules(wrong: Any) -> None:
    for entry in (canonical, fingerprint, rules_data):
        with pytest.raises(RulesError, match=r"not a Rules object\. Pass the result of load_rules"):
            entry(wrong)


@pytest.mark.parametrize("wrong", [None, 5, "round 1", b"round 1", [], 10**5000], ids=kind_of)
def test_every_function_reports_an_invalid_record(wrong: Any) -> None:
    for entry in (replay, write_round):
        with pytest.raises(NotationError, match="must be a record from read_rounds or record_of"):
            entry(wrong)
    if not isinstance(wrong, str):
        with pytest.raises(NotationError, match="text: must be a string"):
            read_rounds(wrong)
        with pytest.raises(CardError, match="cards must be a string such as 5c 6d"):
            parse_cards(wrong)


@pytest.mark.parametrize("key", [None, 5, ("name",), 10**5000], ids=kind_of)
def test_a_row_of_data_whose_parts_have_no_names_is_refused(key: Any) -> None:
    data: dict[str, Any] = rules_data(load_rules("wsgc-2021"))
    data["bonus_21"][0][key] = 1
    with pytest.raises(RulesError, match=r"bonus_21 row 1 .*: no such field in a row"):
        rules_from_data(data)


HUGE = 10**5000


@pytest.mark.parametrize(
    "call",
    [
        lambda: analyze(HUGE),  # type: ignore[arg-type]
        lambda: hand_values("wsgc-2021", HUGE, "2h"),  # type: ignore[arg-type]
        lambda: hand_values("wsgc-2021", [HUGE], "2h"),
        lambda: hand_values("wsgc-2021", "5c 6d", HUGE),
        lambda: hand_values("wsgc-2021", "5c 6d", "2h", doublings="1"),  # type: ignore[arg-type]
        lambda: hand_values("wsgc-2021", "5c 6d", "2h", doublings=HUGE),
        lambda: hand_values("wsgc-2021", "5c 6d", "2h", hands="2"),  # type: ignore[arg-type]
        lambda: hand_values("wsgc-2021", "5c 6d", "2h", split=None),  # type: ignore[arg-type]
        lambda: hand_values("wsgc-2021", "5c 6d", "2h", super_bonus=[]),  # type: ignore[arg-type]
        lambda: hand_values("wsgc-2021", "5c 6d", "2h", split_play=HUGE),  # type: ignore[arg-type]
        lambda: analyze("wsgc-2021", super_bonus=[]),  # type: ignore[arg-type]
        lambda: simulate("wsgc-2021", rounds=HUGE),
        lambda: simulate("wsgc-2021", rounds=1, spots=HUGE),
        lambda: simulate("wsgc-2021", rounds=1, seed=HUGE),
        lambda: simulate("wsgc-2021", rounds=1, session=HUGE),
        lambda: simulate("wsgc-2021", rounds=1, errors=HUGE),
        lambda: simulate("wsgc-2021", rounds=1, meters=(HUGE,)),
        lambda: simulate("wsgc-2021", rounds=1, match={"up": HUGE}),
        lambda: simulate("wsgc-2021", rounds=1, workers=HUGE),
        lambda: simulate("wsgc-2021", rounds=1, workers="2"),  # type: ignore[arg-type]
        lambda: simulate("wsgc-2021", rounds=1, workers=None),  # type: ignore[arg-type]
        lambda: simulate("wsgc-2021", rounds=1, executor=4),  # type: ignore[arg-type]
        lambda: simulate("wsgc-2021", rounds=1, report=5),  # type: ignore[arg-type]
        lambda: certify("wsgc-2021", 100_000, 100, report=5),  # type: ignore[arg-type]
    ],
)
def test_analysis_and_simulation_report_absurd_numbers(call: Callable[[], Any]) -> None:
    with pytest.raises(VentiunaError) as told:
        call()
    assert len(str(told.value)) < 300


def stands(_: RoundState, wanted: Any) -> commands.Stand:
    return commands.Stand(wanted.spot)


def test_a_round_with_ambiguous_names_is_not_written() -> None:
    """Spot 2 without a name is called P2 in notation, and written rounds must be readable again."""
    table = RoundState(load_rules("wsgc-2021"))
    execute(table, commands.PlaceWagers(1, 1000, "P2"))
    execute(table, commands.PlaceWagers(2, 1000))
    cards = [parse_card(card) for card in ["9c", "9d", "9h", "8h", "Kh", "Kc"]]
    events = finish_round(table, ListSource(cards), stands)
    with pytest.raises(NotationError, match="without a name it is called P2"):
        record_of(table.rules, events)
