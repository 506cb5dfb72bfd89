"""Records of shoes that were actually dealt, for tests that may corrupt them."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.support.dealt_rounds import deal_round
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import Event, RoundVoided
from ventiuna.rules import Rules, load_rules
from ventiuna.strategy.players import RandomPlayer
from ventiuna.table.fairness import (
    EntropySource,
    LiveShoe,
    context_of,
    cut_commitment,
    mix_of,
    shoe_commitment,
)
from ventiuna.table.shoe_record import CutRecord, DealtRound, Ending, PublicRecord, dealt_round
from ventiuna.testing.conformance import random_wagers


class _Watched:
    """Keeps the events of a round that ends early."""

    def __init__(self, shoe: LiveShoe) -> None:
        self._shoe = shoe
        self.events: list[Event] = []

    def begin_round(self) -> None:
        self._shoe.begin_round()

    def draw(self) -> int:
        return self._shoe.draw()

    def follow(self, event: Event) -> None:
        self._shoe.follow(event)
        self.events.append(event)


def played_record(name: str, seed: int = 1, spots: int = 3, rounds: int = 99) -> PublicRecord:
    """Deal a shoe under these rules to its end; the table closes after `rounds` rounds."""
    rules = load_rules(name)
    generator = random.Random(f"{name}/{seed}")
    record = _cut(rules, generator)
    shoe = LiveShoe(record.context, record.seed, record.mix)
    dealt: list[DealtRound] = []
    ended = Ending.CUT_CARD
    while not (dealt and shoe.cut_card_came):
        if len(dealt) == rounds:
            ended = Ending.CLOSED
            break
        number = 17 + len(dealt)
        wagers = [random_wagers(rules, spot, generator) for spot in range(1, spots + 1)]
        watched = _Watched(shoe)
        try:
            deal_round(rules, watched, wagers, RandomPlayer(generator))
        except OutOfCards:
            voided = [*watched.events, RoundVoided("every card is on the table")]
            dealt.append(dealt_round(number, voided))
            ended = Ending.VOID
            break
        dealt.append(dealt_round(number, watched.events))
    return replace(record, rounds=tuple(dealt), ended=ended)


def _cut(rules: Rules, generator: random.Random) -> PublicRecord:
    """A committed and cut shoe: seats 2 and 5 opened their cuts, seat 6 did not."""
    context = context_of(rules, "h1", "t1", 1)
    seed = generator.randbytes(32)
    commitment = shoe_commitment(context, seed)
    values = {seat: generator.randbytes(32) for seat in (2, 5, 6)}
    commitments = {seat: cut_commitment(commitment, seat, values[seat]) for seat in values}
    withheld = 6
    cuts = tuple(
        CutRecord(seat, commitments[seat], None if seat == withheld else values[seat])
        for seat in values
    )
    del values[withheld]
    return PublicRecord(
        context=context,
        source=EntropySource.OS,
        commitment=commitment,
        cuts=cuts,
        mix=mix_of(commitment, values),
        seed=seed,
        rounds=(),
        ended=Ending.CUT_CARD,
    )
