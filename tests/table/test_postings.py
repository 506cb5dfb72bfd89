"""Postings match the engine's own chip count, event by event and line by line."""

from __future__ import annotations

import random

import pytest

from tests import IS_SOAK
from tests.support.rule_sets import every_choice, random_choices, random_rules
from tests.table.balances import Balances
from tests.table.random_rounds import PlayedRound, random_rounds
from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import Event, Stakes, Wager
from ventiuna.rules import Rules, canonical, preset_ids
from ventiuna.rules.model import JackpotKind
from ventiuna.table.domain import events as own
from ventiuna.table.domain.commands import EVENT_RECORDS
from ventiuna.table.domain.events import ChipAccounts, TableEvent, postings_of
from ventiuna.table.ledger import Posting, PostingCode

LAYOUT = ChipAccounts(
    7, seats={3: 3, 4: 3, 5: 1}, persons={1: 11, 3: 33}, jackpots={2: 20}, round_number=5
)
OF_ROUNDS = {
    PostingCode.WAGER,
    PostingCode.TAKE_BACK,
    PostingCode.DOUBLE,
    PostingCode.SPLIT,
    PostingCode.INSURANCE,
    PostingCode.RETURNED,
    PostingCode.WON,
    PostingCode.LOST,
    PostingCode.CONTRIBUTION,
    PostingCode.HOUSE_PRIZE,
    PostingCode.SUPER_BONUS,
    PostingCode.ENVY_BONUS,
    PostingCode.VOID_STAKE,
    PostingCode.VOID_WON,
    PostingCode.VOID_LOST,
}


def lines(event: TableEvent, *before: Event) -> list[str]:
    """The event's postings, such as `wager: stack/7/3 > stake/7: 2000`."""
    chips = Chips().add_all(before)
    return [
        f"{line.code}: {line.from_account} > {line.to_account}: {line.amount}"
        for line in postings_of(event, 1, chips, LAYOUT)
    ]


# --- each event by itself ---------------------------------------------------------------------

PLACED = ev.WagersPlaced(3, "33", 2000, Stakes({"up": 500}), Stakes({2: 100}))
BESIDE = ev.WagersPlaced(4, "33", 1000)


def test_each_wager_has_its_own_row() -> None:
    assert lines(PLACED) == [
        "wager: stack/7/3 > stake/7: 2000",
        "wager: stack/7/3 > stake/7: 500",
        "wager: stack/7/3 > stake/7: 100",
    ]


def test_replaced_wagers_are_returned_first() -> None:
    assert lines(ev.WagersPlaced(3, "33", 700), PLACED, BESIDE) == [
        "take_back: stake/7 > stack/7/3: 2000",
        "take_back: stake/7 > stack/7/3: 500",
        "take_back: stake/7 > stack/7/3: 100",
        "wager: stack/7/3 > stake/7: 700",
    ]
    assert lines(ev.WagersWithdrawn(4), PLACED, BESIDE) == ["take_back: stake/7 > stack/7/3: 1000"]


def test_chips_are_added_during_play() -> None:
    assert lines(ev.HandDoubled(3, 0, 2000)) == ["double: stack/7/3 > stake/7: 2000"]
    assert lines(ev.HandSplit(3, 0, 2000)) == ["split: stack/7/3 > stake/7: 2000"]
    assert lines(ev.InsurancePlaced(3, 1000)) == ["insurance: stack/7/3 > stake/7: 1000"]
    assert lines(ev.InsurancePlaced(3, 0)) == []


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        (5000, ["returned: stake/7 > stack/7/3: 2000", "won: bank/7 > stack/7/3: 3000"]),
        (2000, ["returned: stake/7 > stack/7/3: 2000"]),
        (1000, ["returned: stake/7 > stack/7/3: 1000", "lost: stake/7 > bank/7: 1000"]),
        (0, ["lost: stake/7 > bank/7: 2000"]),
    ],
)
def test_a_settled_wager(paid: int, expected: list[str]) -> None:
    assert lines(ev.WagerSettled(3, 0, Wager.HAND, 2000, paid, "", "R-078", "")) == expected


def test_bonuses_are_won_without_a_stake() -> None:
    bonus = ev.WagerSettled(3, -1, Wager.SUPER, 0, 100_000, "", "R-069", "")
    assert lines(bonus) == ["super_bonus: bank/7 > stack/7/3: 100000"]
    envy = ev.WagerSettled(5, -1, Wager.ENVY, 0, 5000, "", "R-073", "")
    assert lines(envy) == ["envy_bonus: bank/7 > stack/7/1: 5000"]


def test_a_share_of_a_meter_is_in_its_jackpots_book() -> None:
    """The table takes only the stake; seed money isn't its concern, either."""
    award = ev.WagerSettled(3, -1, Wager.JACKPOT_2, 100, 123_452, "", "R-095", "", meter=2)
    assert lines(award) == ["lost: stake/7 > bank/7: 100"]
    after_fixed_pay = ev.WagerSettled(3, -1, Wager.JACKPOT_2, 0, 5, "", "R-095", "", meter=2)
    assert lines(after_fixed_pay) == []
    assert lines(ev.MeterLowered(2, 123_452, "won")) == []
    assert lines(ev.MeterRaised(2, 100_000, 0, "seed")) == []


def test_a_house_jackpot_pays_its_posted_amount_out_of_the_bank() -> None:
    prize = ev.WagerSettled(3, -1, Wager.JACKPOT_1, 100, 1_000_000, "", "O-39", "")
    assert lines(prize) == [
        "lost: stake/7 > bank/7: 100",
        "house_prize: bank/7 > stack/7/3: 1000000",
    ]
    line = ev.WagerSettled(3, -1, Wager.JACKPOT_1, 100, 500, "", "R-087", "")
    assert lines(line) == ["returned: stake/7 > stack/7/3: 100", "won: bank/7 > stack/7/3: 400"]


def test_contributions_go_to_the_tables_stripes() -> None:
    raised = ev.MeterRaised(2, 21, 0, "contribution")
    assert lines(raised) == ["contribution: bank/7 > meter/20/7: 21"]
    assert lines(own.ReserveRaised(2, 2, 0)) == ["reserve: bank/7 > reserve/20/7: 2"]
    assert lines(own.ReserveRaised(2, 0, 9_999)) == []


def test_a_void_round_is_returned_seat_by_seat() -> None:
    """Spots 3 and 4 belong to one seat, so a win on one offsets a loss on the other."""
    others = ev.WagersPlaced(5, "11", 4000)
    settled = (
        ev.WagerSettled(3, -1, Wager.MTD_UP, 500, 12_500, "", "R-021", ""),
        ev.WagerSettled(4, 0, Wager.HAND, 1000, 0, "", "R-013", ""),
        ev.WagerSettled(5, 0, Wager.HAND, 4000, 2000, "", "R-036", ""),
    )
    assert lines(ev.RoundVoided("why"), PLACED, BESIDE, others, *settled) == [
        "void_lost: bank/7 > stack/7/1: 2000",
        "void_stake: stake/7 > stack/7/3: 2100",
        "void_won: stack/7/3 > bank/7: 11000",
    ]


def test_a_seat_that_withdrew_its_wagers_may_be_gone_when_the_round_is_void() -> None:
    gone = ev.WagersPlaced(6, "66", 500), ev.WagersWithdrawn(6)
    assert lines(ev.RoundVoided("why"), *gone, BESIDE) == [
        "void_stake: stake/7 > stack/7/3: 1000",
    ]


def test_chips_change_hands_between_rounds() -> None:
    assert lines(own.ChipsBought(3, 50_000)) == ["buy_in: wallet/33 > stack/7/3: 50000"]
    assert lines(own.ChipsCashedOut(1, 700)) == ["cash_out: stack/7/1 > wallet/11: 700"]
    assert lines(own.BankDropped(900)) == ["drop: bank/7 > house: 900"]
    assert lines(own.BankDropped(-900)) == ["fill: house > bank/7: 900"]
    assert lines(own.BankDropped(0)) == []


def test_lines_record_their_round_event_and_spot() -> None:
    (line,) = postings_of(ev.HandDoubled(3, 0, 2000), 44, Chips(), LAYOUT)
    assert (line.round_number, line.event, line.spot) == (5, 44, 3)
    (bought,) = postings_of(own.ChipsBought(3, 50_000), 45, Chips(), LAYOUT)
    assert (bought.round_number, bought.event, bought.spot) == (None, 45, None)


def test_only_these_events_move_money() -> None:
    """A new event must be added here."""
    moving = {
        *("WagersPlaced", "WagersWithdrawn", "InsurancePlaced", "HandDoubled", "HandSplit"),
        *("WagerSettled", "MeterRaised", "RoundVoided", "ReserveRaised"),
        *("ChipsBought", "ChipsCashedOut", "BankDropped", "AwardHeld", "AwardHandPaid"),
    }
    in_the_jackpots_book = {"MeterLowered"}
    having_amounts = {
        name
        for name, kind in EVENT_RECORDS.kinds.items()
        if {"amount", "stake", "base"} & set(kind.__dataclass_fields__)
    }
    assert having_amounts - moving == in_the_jackpots_book


# --- random rounds ----------------------------------------------------------------------------


class Followed:
    """A round's postings, compared with the chips after each event."""

    def __init__(self, played: PlayedRound) -> None:
        self.played = played
        progressives = {
            game: 100 + game
            for game, jackpot in enumerate(played.rules.jackpots, start=1)
            if jackpot.kind is JackpotKind.PROGRESSIVE
        }
        self.layout = ChipAccounts(7, played.seats, {}, progressives, round_number=5)
        self.chips = Chips()
        self.balances = Balances()
        self.start = {seat: self.needed(seat) for seat in set(played.seats.values())}
        for seat, cents in self.start.items():
            self.balances[f"stack/7/{seat}"] = cents
        for game, number in progressives.items():
            self.balances[f"meter/{number}"] = played.meters[game - 1][0]
        self.owed = 0  # paid to players but not yet deducted from meters
        self.seeds = 0

    def needed(self, seat: int) -> int:
        """The fewest chips the seat can get by with, so that any line out of order shows."""
        chips, least = Chips(), 0
        for event in self.played.events:
            chips.add(event)
            least = min(least, self.gain(chips, seat))
        return -least

    def gain(self, chips: Chips, seat: int) -> int:
        return sum(cents for spot, cents in chips.spots.items() if self.played.seats[spot] == seat)

    def follow(self) -> set[PostingCode]:
        posted: list[Posting] = []
        for number, event in enumerate(self.played.events, start=1):
            new = postings_of(event, number, self.chips, self.layout)
            posted += new
            self.balances.post(new)
            self.pay_from_meters(event)
            self.chips.add(event)
            self.compare()
        assert self.balances["stake/7"] == 0
        assert self.chips.is_settled
        return {line.code for line in posted}

    def pay_from_meters(self, event: Event) -> None:
        """Make the payments that belong in the jackpots' own books, which another test covers."""
        if isinstance(event, ev.WagerSettled) and event.meter:
            self.owed += event.paid
            self.balances[f"stack/7/{self.played.seats[event.spot]}"] += event.paid
            self.balances[f"meter/{self.layout.jackpots[event.meter]}"] -= event.paid
        elif isinstance(event, ev.MeterLowered):
            self.owed -= event.amount
        elif isinstance(event, ev.MeterRaised) and event.reason == "seed":
            self.seeds += event.amount
            self.balances[f"meter/{self.layout.jackpots[event.game]}"] += event.amount

    def compare(self) -> None:
        assert self.balances["stake/7"] == self.chips.on_table
        for seat, start in self.start.items():
            assert self.balances[f"stack/7/{seat}"] == start + self.gain(self.chips, seat)
        assert self.balances["bank/7"] == self.chips.house + self.owed + self.seeds
        held = sum(self.played.meters[game - 1][0] for game in self.layout.jackpots)
        moved = sum(self.chips.meters.values())
        assert self.balances.sum_of("meter/") == held + moved - self.owed


def follow_rounds(rules: Rules, rounds: int, seed: int) -> set[PostingCode]:
    seen: set[PostingCode] = set()
    for played in random_rounds(rules, rounds, seed):
        seen |= Followed(played).follow()
    return seen


@pytest.mark.parametrize("preset", preset_ids())
def test_postings_agree_with_chips_under_every_choice(preset: str) -> None:
    generator = random.Random(preset)
    for number, rules in enumerate(every_choice(preset)):
        follow_rounds(rules, 4, number)
        varied = random_choices(rules, preset, generator)
        assert follow_rounds(varied, 4, number), canonical(varied)


def test_every_kind_of_round_posting_occurs() -> None:
    generator = random.Random(5)
    seen: set[PostingCode] = set()
    for number in range(600):
        seen |= follow_rounds(random_rules(generator), 10, number)
        if seen == OF_ROUNDS and not IS_SOAK:
            break
    assert seen == OF_ROUNDS
