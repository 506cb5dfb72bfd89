"""Awards in random rounds: the jackpots' books agree with the engine to the cent."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests import IS_SOAK
from tests.support.rule_sets import random_jackpots
from tests.table.balances import Balances
from tests.table.random_rounds import PlayedRound, random_rounds
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import MeterRaised, MetersShown, Stakes, Wager, WagerSettled
from ventiuna.rules import Rules, load_rules
from ventiuna.rules.model import JackpotKind
from ventiuna.table.domain.events import (
    ChipAccounts,
    PendingContributions,
    ReserveRaised,
    TableEvent,
    pending_contributions,
    postings_of,
)
from ventiuna.table.jackpots import progressive as ev
from ventiuna.table.jackpots.decisions import AwardError, awards_of
from ventiuna.table.jackpots.progressive import (
    JackpotEvent,
    MeterSnapshot,
    Progressive,
    apply,
    displayed_amount,
    settings_of,
)
from ventiuna.table.jackpots.progressive import postings_of as postings_of_jackpot
from ventiuna.table.jackpots.repository import fold_events
from ventiuna.table.ledger import JournalHead

TABLE = 7
OTHER = 8  # a table that feeds the same jackpot


def reading_of(
    rules: Rules, game: int, cents: int, generator: random.Random, maximum: int | None
) -> MeterSnapshot:
    """A progressive with this many cents in its meter, spread over its accounts at random."""
    stripes = [generator.randint(0, cents // 3) for _ in range(2)]
    settings = settings_of(rules, game)
    jackpot = Progressive(
        number=100 + game,
        name=f"game {game}",
        settings=settings,
        maximum=maximum,
        reserve_rate=0,
        advance_limit=generator.choice([None, 0, settings.seed // 2, settings.seed]),
        tables=Stakes({TABLE: game, OTHER: game}),
        meter=cents - sum(stripes),
        reserve=generator.choice([0, 5, settings.seed // 3, 2 * settings.seed]),
        advanced=generator.choice([0, settings.seed // 2, settings.seed]),
    )
    return MeterSnapshot(
        JournalHead(jackpot.number),
        jackpot,
        meters={TABLE: stripes[0], OTHER: stripes[1]},
        reserves={TABLE: generator.randint(0, 9), OTHER: 0},
    )


class Won:
    """A round with awards, and what happens to its progressives."""

    def __init__(self, played: PlayedRound, generator: random.Random, maximum: int | None) -> None:
        self.played = played
        numbers = {game: 100 + game for game in range(1, len(played.rules.jackpots) + 1)}
        self.layout = ChipAccounts(TABLE, played.seats, {}, numbers, round_number=5)
        (told,) = [event for event in played.events if isinstance(event, MetersShown)]
        self.told = told.meters
        self.readings = {
            game: reading_of(played.rules, game, played.meters[game - 1][0], generator, maximum)
            for game in self.told
        }
        self.balances = Balances()
        self.seen: Counter[str] = Counter()

    def follow(self) -> None:
        chips = Chips()
        stacks = {seat: f"stack/{TABLE}/{seat}" for seat in set(self.played.seats.values())}
        for stack in stacks.values():
            self.balances[stack] = 10**12
        for reading in self.readings.values():
            self.put(reading)
        for number, event in enumerate(self.played.events, start=1):
            self.balances.post(postings_of(event, number, chips, self.layout))
            chips.add(event)
        for game, reading in self.readings.items():
            assert (
                displayed_amount(reading, pending_contributions(self.played.events, game).meter)
                == self.told[game]
            )
            self.pay(game, reading)
        for seat, stack in stacks.items():
            gains = [won for spot, won in chips.spots.items() if self.played.seats[spot] == seat]
            assert self.balances[stack] == 10**12 + sum(gains)
        seeds = seeds_in(self.played.events)
        assert self.balances[f"bank/{TABLE}"] == chips.house + seeds

    def put(self, reading: MeterSnapshot) -> None:
        number = reading.jackpot.number
        self.balances[f"meter/{number}"] = reading.jackpot.meter
        self.balances[f"reserve/{number}"] = reading.jackpot.reserve
        self.balances[f"advance/{number}"] = -reading.jackpot.advanced
        for table, cents in reading.meters.items():
            self.balances[f"meter/{number}/{table}"] = cents
        for table, cents in reading.reserves.items():
            self.balances[f"reserve/{number}/{table}"] = cents

    def pay(self, game: int, reading: MeterSnapshot) -> None:
        events = awards_of(reading, self.layout, game, self.played.events)
        self.seen.update(type(event).__name__ for event in events)
        number = reading.jackpot.number
        self.balances.post(postings_of_jackpot(number, events, 1))
        after = fold_events(number, reading.jackpot, events)
        meter, reserve = self.balances[f"meter/{number}"], self.balances[f"reserve/{number}"]
        advance = self.balances[f"advance/{number}"]
        assert (meter, reserve, -advance) == (after.meter, after.reserve, after.advanced)
        assert not self.balances[f"meter/{number}/{TABLE}"]
        assert not self.balances[f"meter/{number}/{OTHER}"]
        assert after.meter == self.engine_says(game) - after.missing
        assert after.takes_wagers != passes_limit(reading.jackpot, events)

    def engine_says(self, game: int) -> int:
        """The meter after the round, according to the engine."""
        awards = [
            event.paid
            for event in self.played.events
            if isinstance(event, WagerSettled) and event.meter == game
        ]
        return self.told[game] - sum(awards) + seeds_in(self.played.events, game)


def seeds_in(events: Iterable[TableEvent], game: int | None = None) -> int:
    return sum(
        event.amount
        for event in events
        if isinstance(event, MeterRaised) and event.reason == "seed" and game in (None, event.game)
    )


def passes_limit(jackpot: Progressive, events: Iterable[JackpotEvent]) -> bool:
    """Whether a reset lacks seed money, or the house advances too much of it."""
    for event in events:
        jackpot = apply(jackpot, event)
        limit = jackpot.advance_limit
        if isinstance(event, ev.FundShort):
            return True
        if isinstance(event, ev.Seeded) and limit is not None and jackpot.advanced > limit:
            return True
    return False


def test_awards_agree_with_the_engine() -> None:
    generator = random.Random(21)
    kinds = {"AwardPaid", "SeedWon", "Seeded", "FundShort", "Overflowed"}
    seen: Counter[str] = Counter()
    base = load_rules("wsgc-2021(decks=8)")
    for number in range(250):
        rules = random_jackpots(base, generator)
        if not rules.jackpots or rules.jackpots[0].kind is JackpotKind.HOUSE:
            continue
        highest = max(jackpot.seed for jackpot in rules.jackpots)
        maximum = generator.choice([None, highest, highest + 50])
        for played in random_rounds(rules, 6, number, maximum):
            if any(isinstance(event, MetersShown) for event in played.events):
                won = Won(played, generator, maximum)
                won.follow()
                seen += won.seen
        if kinds <= seen.keys() and not IS_SOAK:
            break
    assert kinds <= seen.keys(), seen


# --- amounts that can't have been displayed ---------------------------------------------------

RULES = load_rules("wsgc-2021(decks=8,jackpots=3d:1:seed=1000)")
LAYOUT = ChipAccounts(TABLE, {3: 3}, {}, {1: 101}, round_number=5)
READING = MeterSnapshot(
    JournalHead(101),
    Progressive(101, "One", settings_of(RULES, 1), None, 0, None, meter=1_000),
    meters={TABLE: 5, OTHER: 7},
    reserves={TABLE: 1, OTHER: 0},
)
AWARD = WagerSettled(3, -1, Wager.JACKPOT_1, 100, 103, "10 %", "R-095", "", meter=1)


def test_an_outdated_meter_reading_is_detected() -> None:
    raised = MeterRaised(1, 21, 0, "contribution")
    fed: list[TableEvent] = [raised, MetersShown(Stakes({1: 1_033})), AWARD]
    assert awards_of(READING, LAYOUT, 1, fed) == (
        ev.StripesFolded(Stakes({TABLE: 26, OTHER: 7}), Stakes({TABLE: 1})),
        ev.AwardPaid(TABLE, 5, 3, 3, 103),
    )
    with pytest.raises(AwardError, match="but it shows 1033"):
        awards_of(READING, LAYOUT, 1, [raised, MetersShown(Stakes({1: 1_012})), AWARD])
    with pytest.raises(AwardError, match="shown"):
        awards_of(READING, LAYOUT, 1, [AWARD])


def test_an_award_belongs_to_a_round() -> None:
    nowhere = LAYOUT._replace(round_number=None)
    with pytest.raises(AwardError, match="belongs to a round"):
        awards_of(READING, nowhere, 1, [MetersShown(Stakes({1: 1_012})), AWARD])


def test_an_award_in_another_game_doesnt_affect_this_jackpot() -> None:
    other = replace(AWARD, wager=Wager.JACKPOT_2, meter=2)
    seed = MeterRaised(2, 50, 0, "seed")
    events: list[TableEvent] = [MetersShown(Stakes({1: 1_012, 2: 5})), other, seed]
    assert awards_of(READING, LAYOUT, 1, events) == (
        ev.StripesFolded(Stakes({TABLE: 5, OTHER: 7}), Stakes({TABLE: 1})),
    )


def test_pending_contributions_are_counted_by_game() -> None:
    events: list[TableEvent] = [
        MeterRaised(1, 21, 0, "contribution"),
        MeterRaised(1, 22, 0, "contribution"),
        MeterRaised(2, 50, 0, "contribution"),
        MeterRaised(1, 1_000, 0, "seed"),
        ReserveRaised(1, 2, 0),
        ReserveRaised(2, 3, 0),
    ]
    assert pending_contributions(events, 1) == PendingContributions(43, 2)
    assert pending_contributions(events, 2) == PendingContributions(50, 3)
    assert displayed_amount(READING, 43) == 1_055
