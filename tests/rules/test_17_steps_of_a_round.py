"""Section 17: the steps of a round, and who is paid when."""

import pytest

from tests.rounds import Played, deal, play, seat, wagers
from ventiuna.engine.commands import (
    Double,
    Hit,
    Insure,
    KeepBlackjack,
    Rescue,
    Stand,
    Surrender,
    TakeBlackjack,
)
from ventiuna.engine.events import (
    BonusCardsLocked,
    CardDealt,
    DealerChecked,
    DownCardExposed,
    HandRemoved,
    HandSurrendered,
    MeterLowered,
    Place,
    Stage,
    StageReached,
    SupervisorCalled,
    WagerSettled,
)
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    NothingWanted,
    waiting_for,
)

EVERYTHING = (
    "wsgc-2021(mtd_configuration=4,bonus_cards=1,"
    "jackpots=3c:1:contribution=0%+4d:1:contribution=0%)"
)
ALL_MATCHES = {"up": 5, "down": 5, "b1": 5}


def stages(round_: Played) -> list[str]:
    return [str(event.stage) for event in round_.all(StageReached)]


def test_r102_the_whole_order_with_an_ace_up() -> None:
    placed = [
        wagers(1, mtd=ALL_MATCHES, jackpots={1: 1, 2: 1}),  # blackjack, insured
        wagers(2, mtd={"down": 5}, jackpots={1: 1}),  # two aces of spades, surrendered
        wagers(3, mtd={"up": 5}),  # 7-7-7
        wagers(4, jackpots={2: 1}),  # stands
        wagers(5),  # blackjack, kept, doubled, rescued
    ]
    live = deal(
        EVERYTHING,
        "Ac As 7c Kc Ah As Kd As 7d 8d Qc 7h 9c",
        *placed,
        meters=[10000, 8000],
    )
    before_the_base_game = [
        "1 mtd up +20.00",
        "3 mtd up -5.00",
        "1 mtd b1 -5.00",
        "1 jackpot 1 +2.00",
    ]
    assert live.order() == before_the_base_game
    assert waiting_for(live.state) == BlackjackAnswersWanted((1, 5))
    live.do(KeepBlackjack(5), TakeBlackjack(1))
    assert live.order()[4:] == ["1 hand +15.00"]
    assert waiting_for(live.state) == InsuranceAnswersWanted((1, 2, 3, 4, 5))
    live.do(Insure(1, 5_00), *(Insure(spot, 0) for spot in (2, 3, 4, 5)))
    assert live.order()[5:] == ["1 insurance -5.00"]
    live.do(Surrender(2), Hit(3))
    live.deal("7s")
    live.do(Stand(4), Double(5))
    live.deal("5c")
    live.do(Rescue(5))
    assert live.order() == [
        *before_the_base_game,
        "1 hand +15.00",
        "1 insurance -5.00",
        "2 hand -5.00",
        "3 hand +15.00",
        "5 hand -10.00",
        "4 hand 0.00",  # 18 against 18, at the settlement
        "1 mtd down -5.00",
        "2 mtd down -5.00",
        "1 jackpot 2 +0.50",  # the unsuited ace with the up card
        "4 jackpot 2 -1.00",
        "2 jackpot 1 +9999.00",
    ]
    assert stages(live) == [
        "deal",
        "up_card_wagers",
        "blackjacks",
        "insurance",
        "check",
        "play",
        "dealer",
        "settlement",
        "down_card_wagers",
        "awards",
        "closed",
    ]
    assert waiting_for(live.state) == NothingWanted()


def test_r102_the_whole_order_with_a_super_bonus() -> None:
    placed = [
        wagers(1, base=25, mtd=ALL_MATCHES, jackpots={1: 1, 2: 1}),  # 7s 7s 7s
        wagers(2),  # blackjack
        wagers(3, mtd={"up": 5}),  # doubles to 21
        wagers(4),  # stands
    ]
    live = deal(EVERYTHING, "7s Ac 6c Kc 7s 7s Kd 5d 8d Qh 9c", *placed, meters=[10000, 8000])
    live.do(TakeBlackjack(2), Hit(1))
    live.deal("7s")
    live.do(Double(3))
    live.deal("Kh")
    live.do(Stand(4))
    assert live.order() == [
        "1 mtd up +90.00",
        "3 mtd up -5.00",
        "1 mtd b1 -5.00",
        "2 hand +15.00",
        "1 hand +75.00",
        "3 hand +20.00",
        "4 hand +10.00",
        "1 mtd down -5.00",
        "1 jackpot 1 +999.00",
        "1 jackpot 2 +799.00",
        "1 super +5000.00",
        "2 envy +50.00",
        "3 envy +50.00",
        "4 envy +50.00",
    ]
    kinds = (SupervisorCalled, BonusCardsLocked, DownCardExposed, MeterLowered, HandRemoved)
    told = [event for event in live.events if isinstance(event, kinds)]
    assert told == [
        BonusCardsLocked(),
        SupervisorCalled(1),
        HandRemoved(2, 0),
        HandRemoved(3, 0),
        DownCardExposed(live.state.down),
        HandRemoved(4, 0),
        MeterLowered(1, 1000_00, "won"),
        MeterLowered(2, 800_00, "won"),
        HandRemoved(1, 0),  # stays on the table until its Super Bonus is paid
    ]


def test_r102_the_whole_order_with_a_dealer_blackjack() -> None:
    """Steps 9 to 11 are skipped; wagers that need the down card are still settled."""
    placed = [
        wagers(1, mtd=ALL_MATCHES, jackpots={1: 1, 2: 1}),
        wagers(2, mtd={"down": 5}),
        wagers(3),  # blackjack
    ]
    live = deal(EVERYTHING, "Kc 9c Ac Ks 9d Ad Kd Ah 2h", *placed, meters=[10000, 8000])
    live.do(TakeBlackjack(3))
    assert live.order() == [
        "1 mtd up +20.00",
        "1 mtd b1 -5.00",
        "1 jackpot 1 +2.00",
        "3 hand +15.00",
        "1 hand -10.00",
        "2 hand -10.00",
        "1 mtd down -5.00",
        "2 mtd down +20.00",
        "1 jackpot 2 +0.50",
    ]
    assert stages(live) == [
        "deal",
        "up_card_wagers",
        "blackjacks",
        "check",
        "down_card_wagers",
        "closed",
    ]
    assert not [event for event in live.all(CardDealt) if event.place is Place.DEALER]


def test_r102_step_1_base_wagers_come_first_and_wagers_close_before_the_deal() -> None:
    live = deal("wsgc-2021", "9c")
    assert live.refuses(wagers(2)).rules == ("R-102",)


def test_r102_step_9_players_act_in_turn_from_the_dealers_left() -> None:
    live = deal("wsgc-2021", "9c 9d 9h 7s Kc Kd Kh Ks", *(wagers(spot) for spot in (2, 4, 6)))
    for spot in (2, 4, 6):
        assert waiting_for(live.state) == DecisionWanted(spot, 0)
        for other in {2, 4, 6} - {spot}:
            live.refuses(Stand(other))
        live.do(Stand(spot))
    assert live.state.stage is Stage.CLOSED


def test_r102_step_9_hands_decided_at_once_are_paid_at_once() -> None:
    live = deal(
        "wsgc-2021", "9c 9d Kh Kc 7s 4c Kd 6h 9h Ks", *(wagers(spot) for spot in (1, 2, 3, 4))
    )
    live.do(Hit(1))
    live.deal("8h")  # 21
    assert live.order() == ["1 hand +10.00"]
    live.do(Hit(2))
    live.deal("7h")  # bust
    assert live.order() == ["1 hand +10.00", "2 hand -10.00"]
    live.do(Surrender(3))
    assert live.order() == ["1 hand +10.00", "2 hand -10.00", "3 hand -5.00"]
    assert live.index(HandSurrendered(3, 0)) < live.index(live.payment(3))
    live.do(Stand(4))
    assert live.order()[3:] == ["4 hand +10.00"]
    assert [event.spot for event in live.all(HandRemoved)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("dealer", "hand"),
    [
        ("9s Kh", "Kc 9d / stand"),
        ("9s Kh", "Kc 9d / hit 8h"),
        ("9s Kh", "Ac Kd"),
        ("Ks Ah", "9c 9d"),
        ("7c Kd", "7h 7h / hit 7h"),
        ("9s Kh", "5c 6d / double 2h / rescue"),
    ],
)
def test_r102_step_15_every_hand_is_collected_once(dealer: str, hand: str) -> None:
    round_ = play("wsgc-2021", dealer, hand, "Kc 7d / stand" if dealer != "Ks Ah" else "Kc 7d")
    assert sorted(event.spot for event in round_.all(HandRemoved)) == [1, 2]
    assert not any(hand.on_table for spot in round_.state.order for hand in spot.hands)


def test_r102_a_closed_round_accepts_no_commands() -> None:
    live = deal("wsgc-2021", "9c 9s 9d Kh")
    live.do(Stand(1))
    assert live.state.stage is Stage.CLOSED
    for command in (Stand(1), Hit(1), Double(1), Insure(1, 0), TakeBlackjack(1), wagers(1)):
        live.refuses(command)


def test_r102_every_payment_says_wager_odds_amount_and_rule() -> None:
    round_ = play(
        EVERYTHING,
        "As 7h",
        seat("7c 7d / hit 7h", mtd=ALL_MATCHES, jackpots=[1, 2], insurance=5),
        seat("5c 6d / double 2h / rescue", mtd=ALL_MATCHES),
        seat("Kc 6d / surrender"),
        seat("Ac Kd", insurance=5),
        bonus_cards="7s",
        meters=[1000, 1000],
    )
    assert len(round_.payments) == 7 + 4 + 1 + 2
    for payment in round_.payments:
        assert payment.odds
        assert payment.rule.startswith("R-")
        assert payment.reason
        assert payment.paid >= 0


def test_r102_the_dealer_checks_before_anyone_acts_and_exposes_after_everyone() -> None:
    round_ = play("wsgc-2021", "Ks 7h", "9c 9d / stand", "Kc 2d / hit 5h / stand")
    check = round_.index(DealerChecked(blackjack=False))
    exposed = round_.index(round_.all(DownCardExposed)[0])
    hit = next(
        number
        for number, event in enumerate(round_.events)
        if isinstance(event, CardDealt) and event.place is Place.PLAYER and number > check
    )
    settled = round_.events.index(round_.all(WagerSettled)[0])
    assert check < hit < exposed < settled
