"""Test the randomness of live shoes with hundreds of thousands of shuffles and rounds.

python -m benchmarks.shuffle_soak --rounds 400000; Ctrl-C stops and reports what was done. For every
four rounds dealt, one deck is shuffled; for every forty, an eight-deck shoe. Events in the rounds
are compared with their exact probabilities. A correct shuffle passes all tests together with 99%
probability. A biased shuffle that uses the remainder of plain bytes must fail the same tests.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from benchmarks.pool import Progress, blocks, play_blocks, read_options
from tests.support.dealt_rounds import deal_round
from tests.support.shuffle_statistics import (
    Orders,
    ShuffleReport,
    TestStatistic,
    examine,
    normal_p_value,
    sample,
)
from ventiuna.analysis.side_bets.insurance import blackjack_frequencies
from ventiuna.analysis.side_bets.match_the_dealer import match_wager
from ventiuna.core.cards import ACE, DIAMONDS, rank_of, suit_of, value_of
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import CardDealt, Event, Place, Wager, WagerSettled
from ventiuna.rules import Rules, load_rules
from ventiuna.strategy.players import steady_player
from ventiuna.table.fairness import LiveShoe, context_of, shoe_randomness

RULES = "wsgc-2021(decks=8)"
DECK, SHOE = 48, 384
A_SHOE = 20  # rounds; far from the cut card, so each has the odds of a fresh shoe
BLOCK = 4000  # rounds per worker and batch
CONTROL = 20_000  # biased shuffles that must be detected
BASE = 1000
SIDE = 500
Sums = dict[str, int]  # per shoe: how often something occurred, or what it paid


@dataclass
class Dealt:
    """Results of a block, or of all blocks."""

    rounds: int = 0
    decks: dict[int, Orders] = field(default_factory=dict)  # by block, in any order
    shoes: dict[int, Orders] = field(default_factory=dict)
    events: list[Sums] = field(default_factory=list)

    def add(self, other: Dealt) -> None:
        self.rounds += other.rounds
        self.decks |= other.decks
        self.shoes |= other.shoes
        self.events += other.events


def deal_block(seed: int, block: int, rounds: int) -> Dealt:
    rules = load_rules(RULES)
    generator = random.Random(f"shuffles/{seed}/{block}")
    numbers = count(1)

    def shuffle(cards: list[int]) -> None:
        context = context_of(rules, "soak", str(block), next(numbers))
        shoe_randomness(context, generator.randbytes(32), generator.randbytes(32)).shuffle(cards)

    shoes = max(1, rounds // A_SHOE)
    return Dealt(
        rounds=shoes * A_SHOE,
        decks={block: sample(shuffle, DECK, rounds // 4)},
        shoes={block: sample(shuffle, SHOE, rounds // 40)},
        events=[_events_of_a_shoe(rules, block, number, generator) for number in range(shoes)],
    )


def _events_of_a_shoe(rules: Rules, block: int, number: int, generator: random.Random) -> Sums:
    context = context_of(rules, "soak", f"rounds of {block}", number + 1)
    shoe = LiveShoe(context, generator.randbytes(32), generator.randbytes(32))
    wagers = [PlaceWagers(1, BASE, mtd={"up": SIDE, "down": SIDE})]
    sums: Sums = {}
    for _ in range(A_SHOE):
        for name, amount in _seen(deal_round(rules, shoe, wagers, steady_player)).items():
            sums[name] = sums.get(name, 0) + amount
    return sums


# --- Observed and expected figures ---


def _seen(events: list[Event]) -> Sums:
    """Compute figures directly from the cards, not with the functions that compute the odds."""
    cards: dict[Place, list[int]] = {place: [] for place in Place}
    for event in events:
        if isinstance(event, CardDealt) and event.card is not None:
            cards[event.place].append(event.card)
    hand, [up], [down] = cards[Place.PLAYER][:2], cards[Place.UP], cards[Place.DOWN]
    mine, dealers = _is_blackjack(*hand), _is_blackjack(up, down)
    diamonds = mine and all(suit_of(card) == DIAMONDS for card in hand)
    seen = {
        "player": mine,
        "player_diamonds": diamonds,
        "dealer": dealers,
        "both": mine and dealers,
        "ace_up": rank_of(up) == ACE,
        f"up: {_match(hand, up)}": True,
        f"down: {_match(hand, down)}": True,
    }
    sums = {name: int(came) for name, came in seen.items() if came}
    for event in events:
        if isinstance(event, WagerSettled) and event.wager in (Wager.MTD_UP, Wager.MTD_DOWN):
            sums[f"paid: {event.wager}"] = event.net
    return sums


def _is_blackjack(one: int, other: int) -> bool:
    return {value_of(one), value_of(other)} == {1, 10}


def _match(hand: list[int], dealers: int) -> str:
    suited = sum(card == dealers for card in hand)
    ranks = sum(rank_of(card) == rank_of(dealers) for card in hand)
    return f"{suited} suited, {ranks - suited} unsuited"


def expected(rules: Rules) -> dict[str, float]:
    """Return the exact mean of each figure per round."""
    frequencies = {key: float(chance) for key, _, chance in blackjack_frequencies(rules).chances()}
    means = {
        name: frequencies[name]
        for name in ("player", "player_diamonds", "dealer", "both", "ace_up")
    }
    wager = match_wager(rules)
    for card, paid in (("up", Wager.MTD_UP), ("down", Wager.MTD_DOWN)):
        for outcome in wager.outcomes:
            name = f"{card}: {outcome.suited} suited, {outcome.unsuited} unsuited"
            means[name] = float(outcome.probability)
        means[f"paid: {paid}"] = float(wager.expected_value) * SIDE
    return means


def _findings_of_events(events: list[Sums]) -> list[TestStatistic]:
    """Test events by whole shoes, because rounds from one shoe are dependent but shoes aren't."""
    findings = []
    for name, mean in expected(load_rules(RULES)).items():
        sums = np.array([shoe.get(name, 0) for shoe in events], dtype=float)
        error = sums.std(ddof=1) / np.sqrt(len(sums))
        z = (sums.mean() - A_SHOE * mean) / error if error else 0.0
        findings.append(TestStatistic(f"events, {name}", normal_p_value(float(z))))
    return findings


def report_of(total: Dealt) -> ShuffleReport:
    findings = [
        TestStatistic(f"{name}, {finding.name}", finding.chance)
        for name, orders in (("one deck", total.decks), ("eight decks", total.shoes))
        for finding in examine(np.concatenate([orders[block] for block in sorted(orders)])).findings
    ]
    return ShuffleReport((*findings, *_findings_of_events(total.events)))


def biased_orders(seed: int, number: int) -> Orders:
    """Shuffle with the remainder of plain bytes: some numbers have 6 chances in 256, others 5."""
    generator = np.random.default_rng(seed)
    orders = np.tile(np.arange(DECK), (number, 1))
    rows = np.arange(number)
    for last in range(DECK - 1, 0, -1):
        other = generator.integers(0, 256, number) % (last + 1)
        moved = orders[rows, last]
        orders[rows, last] = orders[rows, other]
        orders[rows, other] = moved
    return orders


def _rows(orders: dict[int, Orders]) -> int:
    return sum(len(block) for block in orders.values())


# --- Command line ---


def main(arguments: list[str] | None = None) -> int:
    options = read_options("benchmarks.shuffle_soak", __doc__, 400_000, arguments)
    total = Dealt()
    progress = Progress(options.rounds)
    todo = blocks(options.rounds, BLOCK)
    try:
        for dealt in play_blocks(deal_block, options.seed, todo, options.workers):
            total.add(dealt)
            progress.show(total.rounds)
    except KeyboardInterrupt:
        print("\nStopped. Done so far:", file=sys.stderr)
    print("", file=sys.stderr)
    if not total.rounds:
        return 0
    report = report_of(total)
    control = examine(biased_orders(options.seed, CONTROL)).suspicious
    _tell(total, options, report, control)
    return 1 if report.suspicious or not control else 0


def _tell(
    total: Dealt, options: argparse.Namespace, report: ShuffleReport, control: list[str]
) -> None:
    shuffles = _rows(total.decks), _rows(total.shoes)
    least = min(report.findings, key=lambda finding: finding.chance)
    if options.json:
        facts = {
            "seed": options.seed,
            "rounds": total.rounds,
            "shuffles": {"one deck": shuffles[0], "eight decks": shuffles[1]},
            "limit": report.limit,
            "chances": {finding.name: finding.chance for finding in report.findings},
            "suspicious": report.suspicious,
            "biased shuffle found by": control,
        }
        print(json.dumps(facts, indent=1))
        return
    print(
        f"{shuffles[0]:,} shuffles of one deck, {shuffles[1]:,} of eight, {total.rounds:,} rounds "
        f"(seed {options.seed}).\n"
        f"{len(report.findings)} figures, each suspicious if its probability is below "
        f"{report.limit:.2g}; the lowest is {least.chance:.2g} ({least.name})."
    )
    print(
        "A biased shuffle with plain bytes is "
        + (f"detected by: {', '.join(control)}." if control else "not detected.")
    )
    if report.suspicious:
        print(f"Suspicious: {', '.join(report.suspicious)}.")
    else:
        print("Nothing suspicious.")


if __name__ == "__main__":
    sys.exit(main())
