"""Section 4: the order of the deal, and who may see which card."""

import pytest

from tests.rounds import Live, card, deal, play, seat, wagers
from ventiuna.cards import card_text
from ventiuna.engine import DEALER, EVERYONE, Shoe, execute, finish_round, redact, view
from ventiuna.engine.commands import CloseWagers, DealCard, Stand
from ventiuna.engine.events import (
    BonusCardsLocked,
    CardDealt,
    DownCardExposed,
    Place,
    Stage,
    StageReached,
    WagerSettled,
)
from ventiuna.engine.prompts import CardWanted, DecisionWanted, waiting_for
from ventiuna.engine.state import RoundState
from ventiuna.rules import load_rules
from ventiuna.strategy.players import steady_player

FOUR_BONUS_CARDS = "wsgc-2021(mtd_configuration=4,bonus_cards=4)"


def dealt(live: Live) -> list[tuple[str, str, int]]:
    return [
        (card_text(event.card or 0), str(event.place), event.spot) for event in live.all(CardDealt)
    ]


@pytest.mark.parametrize("preset", ["wsgc-2021", "casino-card", "super-fun-21", "blackjack"])
def test_r026_two_cards_to_each_player_and_two_to_the_dealer(preset: str) -> None:
    live = deal(preset, "2c 3c 4c 5c 6c 7c", wagers(1), wagers(4))
    assert dealt(live) == [
        ("2c", "player", 1),
        ("3c", "player", 4),
        ("4c", "up", 0),
        ("5c", "player", 1),
        ("6c", "player", 4),
        ("7c", "down", 0),
    ]
    assert live.state.stage is Stage.PLAY


def test_o04_order_of_the_deal_from_the_dealers_left() -> None:
    """Spots in order, up card, spots in order, down card, whichever spot bet first."""
    live = Live("wsgc-2021")
    live.do(wagers(7), wagers(2), wagers(5), CloseWagers())
    asked = []
    for text in ("2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"):
        wanted = waiting_for(live.state)
        assert isinstance(wanted, CardWanted)
        asked.append((wanted.place, wanted.spot))
        live.deal(text)
    player = Place.PLAYER
    assert asked == [
        (player, 2),
        (player, 5),
        (player, 7),
        (Place.UP, 0),
        (player, 2),
        (player, 5),
        (player, 7),
        (Place.DOWN, 0),
    ]


def test_d20_the_dealers_first_card_is_the_up_card() -> None:
    live = deal("casino-card", "9c Kd 9d 4s")
    assert (live.state.up, live.state.down) == (card("Kd"), card("4s"))


def test_r026_the_down_card_is_hidden_and_all_others_are_open() -> None:
    live = deal("wsgc-2021", "9c Kd 8d 7s")
    seen = [redact(event, EVERYONE) for event in live.all(CardDealt)]
    assert [event.card for event in seen if isinstance(event, CardDealt)] == [
        card("9c"),
        card("Kd"),
        card("8d"),
        None,
    ]
    assert view(live.state).dealer == (card("Kd"), None)
    assert view(live.state).spots[0].hands[0].cards == (card("9c"), card("8d"))
    assert view(live.state, DEALER).dealer == (card("Kd"), card("7s"))
    live.do(Stand(1))
    assert live.all(DownCardExposed) == [DownCardExposed(card("7s"))]
    assert view(live.state).dealer == (card("Kd"), card("7s"))


def test_r027_bonus_cards_come_in_number_order_after_all_initial_cards() -> None:
    live = deal(FOUR_BONUS_CARDS, "2c 3c Kd 5c 6c 7c", wagers(1), wagers(2))
    assert waiting_for(live.state) == CardWanted(Place.BONUS)
    live.deal("9c 9d 9h 9s")
    assert waiting_for(live.state) == DecisionWanted(1, 0)
    assert dealt(live)[5:] == [
        ("7c", "down", 0),
        ("9c", "bonus", 0),
        ("9d", "bonus", 0),
        ("9h", "bonus", 0),
        ("9s", "bonus", 0),
    ]
    assert [card_text(each) for each in live.state.bonus_cards] == ["9c", "9d", "9h", "9s"]
    assert view(live.state).bonus_cards == tuple(live.state.bonus_cards)


def test_r028_bonus_cards_are_locked_up_before_the_base_game_begins() -> None:
    rules = "wsgc-2021(mtd_configuration=3,bonus_cards=1,jackpots=3c:1)"
    placed = wagers(mtd={"up": 5, "b1": 5}, jackpots={1: 1})
    live = deal(rules, "9c 8d Kd 7s 8h", placed)
    after_deal = live.events[live.index(StageReached(Stage.UP_CARD_WAGERS)) + 1 :]
    assert [type(event) for event in after_deal] == [
        WagerSettled,  # up
        WagerSettled,  # b1
        WagerSettled,  # the jackpot's fixed line
        BonusCardsLocked,
        StageReached,  # play
    ]
    assert live.state.stage is Stage.PLAY


def test_r028_without_bonus_cards_nothing_is_locked_up() -> None:
    assert not play("wsgc-2021", "9s Kh", seat("9c Kd / stand", mtd={"up": 5})).all(
        BonusCardsLocked
    )


def test_o29_bonus_cards_come_from_the_shoe_and_are_out_of_play_for_the_rest_of_it() -> None:
    rules = load_rules("wsgc-2021(decks=2,mtd_configuration=4,bonus_cards=5)")
    shoe = Shoe(rules, lambda cards: None)
    everything = sorted(shoe.rules.pack.cards * 2)
    state = RoundState(rules)
    execute(state, wagers())
    finish_round(state, shoe, steady_player)
    bonus = state.bonus_cards
    assert len(bonus) == 5
    # Drawing past a shuffle of the discards brings back every card except the Bonus Cards.
    rest = [shoe.draw() for _ in range(len(everything) - len(bonus))]
    assert sorted(rest + bonus) == everything
    shoe.shuffle_all()
    assert sorted(shoe.draw() for _ in range(96)) == everything


def test_o29_a_bonus_card_counts_among_the_copies_of_its_card() -> None:
    live = deal(
        "wsgc-2021(decks=2,mtd_configuration=3,bonus_cards=2)", "9c 8d Kd 7s", wagers(mtd={"b1": 5})
    )
    live.deal("9c")
    assert live.refuses(DealCard(card("9c"))).code == "too_many_copies"
