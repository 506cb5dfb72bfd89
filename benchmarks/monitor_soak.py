"""Measure the monitor: false alarms of fair houses, and rounds until a planted fault is found.

python -m benchmarks.monitor_soak --rounds 100000000; Ctrl-C stops and reports what was done. Each
house plays 100,000 rounds. A fair house must stay silent for all of them, except in 1% of the
houses. Then one fault at a time is planted: every row of the pay tables, and biased shoes. For
comparison, the figures of the plain band: the rounds after which the house's total win would lie
outside its 95% band with a probability of 50% and of 95%.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.cards import CLUBS, KING, SEVEN, SPADES, SUITS, card_of
from ventiuna.kernels.luck import BETS, ODDS, Ints, bet_on_rounds, category_counts
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import play_rounds
from ventiuna.money import Odds
from ventiuna.rules import Rules, load_rules
from ventiuna.simulation.blocks import Call, logged_call
from ventiuna.simulation.plan import Plan
from ventiuna.simulation.settings import find_strategy
from ventiuna.simulation.spec import SimulationSpec, compiled_tables, make_spec

RULES = "wsgc-2021(jackpots=3c:1)"
SIDE_BETS = {"up": 500, "down": 500}
HOUSE = 100_000  # rounds of a house
LEVEL = 0.01
PLACE = 1  # the table's place in its house
DEALER_CARDS = (1, 3)  # up card and down card, in dealing order with one spot
UNSEEN = 1_000_000_000  # later than any round
Bytes = npt.NDArray[np.uint8]


def thresholds() -> tuple[float, float]:
    """The evidence at which the cards of the dealer and of the players raise an alarm."""
    table = PLACE * (PLACE + 1) / LEVEL
    return table * 2, table * 6


class Played(NamedTuple):
    cards: Bytes
    ends: Ints
    shuffled: Bytes
    results: Ints  # of the house's only spot, by round: hand, side bets, bonuses


def play(
    spec: SimulationSpec,
    rounds: int,
    number: int,
    shoe: Bytes | None = None,
    plant: Callable[[Call], None] | None = None,
) -> Played:
    """Play a block and keep its cards and results."""
    call = logged_call(spec, rounds, number, shoe)
    if plant is not None:
        plant(call)
    play_rounds(*call)
    log = call.log
    assert log is not None
    ends = log.rounds[:, at.ROUND_CARDS].copy()
    hands = log.hands[: log.rounds[-1, at.ROUND_HANDS]]
    grain = compiled_tables(spec).grain
    results = np.zeros((rounds, 1 + at.LOG_SPOT), dtype=np.int64)
    np.add.at(results[:, 0], hands[:, at.HAND_ROUND], hands[:, at.HAND_RESULT] * grain)
    results[:, 1:] = log.spots[:, 0]
    shuffled = log.rounds[:, at.ROUND_SHUFFLED].astype(np.uint8)
    return Played(log.cards[: ends[-1]], ends, shuffled, results)


def evidence(played: Played, full: Ints) -> tuple[npt.NDArray[np.float64], ...]:
    """The evidence of the dealer's cards and of the players', after every round."""
    starts = np.concatenate(([0], played.ends[:-1]))
    dealers = np.zeros(len(played.cards), dtype=np.uint8)
    for place in DEALER_CARDS:
        dealers[starts + place] = 1
    found = []
    for chosen in (dealers, 1 - dealers):
        after = np.ones(len(played.ends))
        bet_on_rounds(
            played.cards,
            chosen.astype(np.uint8),
            played.ends,
            played.shuffled,
            full,
            full.copy(),
            ODDS,
            np.zeros(BETS),
            np.zeros(1, dtype=np.int64),
            np.ones(BETS),
            np.ones(BETS),
            after,
        )
        found.append(after)
    return tuple(found)


def first_alarm(played: Played, full: Ints) -> int:
    """The round of the first alarm, or UNSEEN."""
    first = UNSEEN
    for after, limit in zip(evidence(played, full), thresholds(), strict=True):
        if (after >= limit).any():
            first = min(first, int(np.argmax(after >= limit)) + 1)
    return first


# --- Fair houses ---


@dataclass
class Fair:
    rounds: int = 0
    houses: int = 0
    alarms: int = 0


def fair_houses(spec: SimulationSpec, rounds: int) -> Iterator[Fair]:
    full = category_counts(fair_shoe(spec.rules))
    found = Fair()
    while found.rounds < rounds:
        size = min(HOUSE, rounds - found.rounds)
        found.alarms += first_alarm(play(spec, size, found.houses), full) < UNSEEN
        found.houses += 1
        found.rounds += size
        yield found


def fair_shoe(rules: Rules) -> Bytes:
    return np.array(sorted(rules.pack.cards) * rules.decks, dtype=np.uint8)


# --- Planted faults ---


@dataclass
class Found:
    """Rounds until a fault is found: the median and the 95th percentile."""

    fault: str
    median: int | None  # None if too few houses found it
    late: int | None
    band_median: int | None
    band_late: int | None
    houses: int


Z_95, Z_POWER = 1.96, 1.645


def band_rounds(shift: float, deviation: float) -> tuple[int | None, int | None]:
    """Rounds until the total leaves its 95% band with a probability of 50% and of 95%."""
    if not shift:
        return None, None
    per = deviation / abs(shift)
    return round((Z_95 * per) ** 2), round(((Z_95 + Z_POWER) * per) ** 2)


def summary(fault: str, rounds: Sequence[int], shift: float, deviation: float) -> Found:
    """Order statistics; houses that never found the fault come last."""
    ordered = sorted(rounds)
    median, late = ordered[len(ordered) // 2], ordered[int(0.95 * len(ordered))]
    low, high = band_rounds(shift, deviation)
    shown = [None if one >= UNSEEN else one for one in (median, late)]
    return Found(fault, shown[0], shown[1], low, high, len(ordered))


def wrong_pay(
    name: str,
    right: SimulationSpec,
    wrong: SimulationSpec | None,
    plant: Callable[[Call], None] | None,
    houses: int,
    most: int,
) -> Found:
    """Compare each round with its right payment: the same cards, settled without the fault."""
    first, played_rounds, number = [], 0, 0
    shifts = np.zeros(1 + at.LOG_SPOT)
    sums = np.zeros((1 + at.LOG_SPOT, 1 + at.LOG_SPOT))  # of products
    for _ in range(houses):
        seen = 0
        while True:
            size = min(HOUSE, most)
            ours = play(right, size, number)
            theirs = play(wrong or right, size, number, plant=plant)
            number += 1
            differs = (ours.results != theirs.results).any(axis=1)
            shifts += (theirs.results - ours.results).sum(axis=0)
            as_floats = ours.results.astype(float)
            sums += as_floats.T @ as_floats
            played_rounds += size
            if differs.any():
                first.append(seen + int(np.argmax(differs)) + 1)
                break
            seen += size
            if seen >= most:
                first.append(UNSEEN)
                break
    # The band of the wagers that the fault changes; bonuses without a stake belong to the hand.
    changed = shifts != 0
    changed[0] |= changed[1 + at.LOG_SUPER]
    deviation = (sums[changed][:, changed].sum() / played_rounds) ** 0.5
    return summary(name, first, shifts.sum() / played_rounds, deviation)


def planted_rules(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """The rules with one row that pays one unit too much."""
    for place, row in enumerate(rules.bonus_21):
        if row.decks and rules.decks not in row.decks:
            continue
        rows = list(rules.bonus_21)
        rows[place] = replace(row, pay=Odds(row.pay.num + row.pay.den, row.pay.den))
        yield row.name, replace(rules, bonus_21=tuple(rows))
    yield "blackjack at 6 to 5", replace(rules, blackjack_pays=Odds(6, 5))
    bands = tuple(replace(band, pay=2 * band.pay) for band in rules.super_bonus_bands)
    yield "Super Bonus", replace(rules, super_bonus_bands=bands)


def planted_side_bets(spec: SimulationSpec) -> Iterator[tuple[str, Callable[[Call], None]]]:
    """Plants for each different payment of the side bets, by one stake."""
    side = logged_call(spec, 1).side
    assert side is not None
    for array, stakes in (("match_pay", "match_stake"), ("jackpot_pay", "jackpot_stake")):
        stake = int(side[stakes].max())
        for pay in sorted({int(pay) for pay in side[array] if pay > 0}):

            def plant(call: Call, array: str = array, pay: int = pay, stake: int = stake) -> None:
                assert call.side is not None
                cells = call.side[array]
                cells[cells == pay] += stake

            name = array.removesuffix("_pay").replace("match", "Match the Dealer")
            yield f"{name} at {pay / stake:g} to 1", plant


def biased_shoes(rules: Rules) -> Iterator[tuple[str, Bytes]]:
    """Shoes without some aces, or with some cards exchanged for others."""
    fair = fair_shoe(rules)
    aces = np.flatnonzero(fair < SUITS)
    for missing in (1, 4, 8):
        yield f"{missing} of {len(aces)} aces missing", np.delete(fair, aces[:missing])
    seven = card_of(SEVEN, SPADES)
    yield "all 7s of spades are clubs", np.where(fair == seven, card_of(SEVEN, CLUBS), fair)
    kings = np.flatnonzero(fair == card_of(KING, SPADES))
    fives = fair.copy()
    fives[kings] = card_of(5, SPADES)
    yield f"{len(kings)} extra fives, {len(kings)} missing kings", fives


def biased(name: str, spec: SimulationSpec, shoe: Bytes, houses: int, most: int) -> Found:
    full = category_counts(fair_shoe(spec.rules))
    first, total, squares, played_rounds = [], 0, 0.0, 0
    fair_total, fair_rounds = 0, 0
    for number in range(houses):
        ours = play(spec, most, number, shoe)
        first.append(first_alarm(ours, full))
        results = ours.results[:, 0].astype(float)
        total += results.sum()
        squares += (results**2).sum()
        played_rounds += most
        fair = play(spec, most, number)
        fair_total += fair.results[:, 0].sum()
        fair_rounds += most
    shift = total / played_rounds - fair_total / fair_rounds
    deviation = (squares / played_rounds) ** 0.5
    if abs(shift) < 2 * deviation * (2 / played_rounds) ** 0.5:
        shift = 0.0  # too small to measure in this many rounds
    return summary(name, first, shift, deviation)


# --- Program ---


def faults(spec: SimulationSpec, houses: int, most: int) -> Iterator[Found]:
    plan = plan_of(spec.rules)
    player = find_strategy("chart", spec.rules, plan.base_wager)
    for name, rules in planted_rules(spec.rules):
        wrong = make_spec(replace(plan, rules=rules), player)
        yield wrong_pay(name, spec, wrong, None, houses, most)
    for name, plant in planted_side_bets(spec):
        yield wrong_pay(name, spec, None, plant, houses, most)
    for name, shoe in biased_shoes(spec.rules):
        yield biased(name, spec, shoe, houses, most=HOUSE)


def draw(spec: SimulationSpec, file: Path, rounds: int = 1000, houses: int = 20) -> None:
    """Draw the evidence about the players' cards in fair houses and in one with a biased shoe."""
    from matplotlib import pyplot as plt

    full = category_counts(fair_shoe(spec.rules))
    name, shoe = list(biased_shoes(spec.rules))[1]
    figure, axes = plt.subplots(figsize=(8, 4.2), layout="constrained")
    for number in range(houses):
        _, fair = evidence(play(spec, rounds, number), full)
        axes.plot(fair, color="#8a8f98", linewidth=0.7, label="" if number else "20 fair shoes")
    _, found = evidence(play(spec, rounds, 1, shoe), full)
    axes.plot(found, color="#a33327", linewidth=2, label=name)
    axes.axhline(thresholds()[1], color="#2f5d50", linestyle="--", label="alarm")
    axes.set(yscale="log", ylim=(1e-2, 1e7), xlim=(0, rounds), xlabel="rounds", ylabel="evidence")
    axes.legend(loc="upper left", frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(file, dpi=130, metadata={"Software": None})


def plan_of(rules: Rules) -> Plan:
    return Plan(rules, match=SIDE_BETS, jackpots=(1,))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.monitor_soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000_000, help="rounds of fair houses")
    parser.add_argument("--houses", type=int, default=100, help="houses with each fault")
    parser.add_argument("--most", type=int, default=10_000_000, help="rounds of a faulty house")
    parser.add_argument("--rules", default=RULES)
    parser.add_argument("--picture", type=Path, help="only draw the picture of the documentation")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    rules = load_rules(options.rules)
    plan = plan_of(rules)
    spec = make_spec(plan, find_strategy("chart", rules, plan.base_wager))
    if options.picture:
        draw(spec, options.picture)
        return 0
    began, fair, found = time.monotonic(), Fair(), []
    try:
        for one in faults(spec, options.houses, options.most) if options.houses else ():
            found.append(one)
            print(json.dumps(asdict(one)), file=sys.stderr, flush=True)
        for number, fair in enumerate(fair_houses(spec, options.rounds), start=1):
            if number % 50 == 0:
                seconds = time.monotonic() - began
                print(f"{fair} after {seconds:.0f} s", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    if options.json:
        print(json.dumps({"fair": asdict(fair), "faults": [asdict(one) for one in found]}))
    else:
        print(f"fair: {fair.rounds:,} rounds, {fair.houses} houses, {fair.alarms} false alarms")
        for one in found:
            print(
                f"{one.fault:34} monitor {_text(one.median)} / {_text(one.late)}, "
                f"band {_text(one.band_median)} / {_text(one.band_late)}"
            )
    return fair.alarms > LEVEL * max(fair.houses, 1 / LEVEL)


def _text(rounds: int | None) -> str:
    return "-" if rounds is None else f"{rounds:,}"


if __name__ == "__main__":
    sys.exit(main())
