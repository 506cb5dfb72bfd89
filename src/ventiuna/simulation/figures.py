"""Figures of a simulation, each with its standard error and assumptions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.cards import Hand, best_total, is_equal_value_pair, is_soft, value_of
from ventiuna.kernels.simulate import layout as at
from ventiuna.rules.compiled import winning_rows
from ventiuna.rules.data_files import jackpot_tables
from ventiuna.simulation.blocks import Tally
from ventiuna.simulation.spec import MATCH_NAMES, CompiledTables, code_of_action, compiled_tables
from ventiuna.simulation.statistics import (
    Estimate,
    mean_of,
    n_zero,
    quantile,
    share_of,
    share_of_spots,
    table_mean,
)

# --- Table rows ---


@dataclass(frozen=True)
class WagerLine:
    """One wager's result: expectation and deviation per unit staked, or per base wager if free."""

    name: str
    placed: int
    staked: int  # cents
    net: int  # cents
    ev: Estimate
    per: str  # "stake" or "base wager"


@dataclass(frozen=True)
class StartLine:
    hand: str
    up: str
    ev: Estimate  # expectation in base wagers


@dataclass(frozen=True)
class AwardLine:
    """A line paid from a meter, in cents."""

    name: str
    hits: int
    paid: int
    average: Estimate


@dataclass(frozen=True)
class MeterLine:
    """A jackpot's meter during the run, in cents."""

    game: int
    table: str
    awards: tuple[AwardLine, ...]
    resets: int
    highest: int
    seeded: int
    last: int
    history: tuple[tuple[int, int], ...]  # rounds, meter


# --- Rounds by count ---


@dataclass(frozen=True)
class CountLine:
    """All rounds with a bet placed at a count from `count` to less than `count` + 1.

    Results include everything a spot won or lost, including side bets and bonuses (but not
    meter awards), in units of the smallest base wager.
    """

    count: int
    rounds: int
    result: Estimate


def count_lines(tally: Tally) -> tuple[CountLine, ...]:
    """Rounds by count, lowest first; empty if nobody counted."""
    spec = tally.spec
    if spec.count is None:
        return ()
    lines = []
    for place, rounds in enumerate(tally.count_rounds):
        if rounds:
            first = place * at.COUNTED_SUMS
            found = tally.count_results[first : first + at.COUNTED_SUMS]
            result = table_mean(
                found[at.COUNTED],
                found[at.COUNTED_SQUARED],
                found[at.COUNTED_TABLE_SQUARED],
                rounds,
                spec.spots,
                Fraction(spec.bases[0]),
            )
            lines.append(CountLine(place + at.LOWEST_COUNT, rounds, result))
    return tuple(lines)


# --- Other wagers ---

_MATCH_TITLES = {"up": "Up Card", "down": "Down Card"}


def other_wager_lines(tally: Tally, base_wager: Fraction) -> list[WagerLine]:
    """Insurance, Match the Dealer, jackpots and bonuses; the base wager is in cents."""
    lines = _insurance_line(tally)
    lines += [
        _match_line(tally, number, stake) for number, stake in enumerate(tally.spec.match) if stake
    ]
    lines += [
        _jackpot_line(tally, game, stake) for game, stake in enumerate(tally.spec.jackpots) if stake
    ]
    return lines + _bonus_lines(tally, base_wager)


# --- Payments that are the same for all spots ---


@dataclass
class PaidSums:
    """Payments in cents: number, sum, and squares by spot and by round."""

    count: int = 0
    net: int = 0
    squared: int = 0
    together: int = 0

    def add(self, rounds: int, spots: int, cents: int) -> None:
        """Add rounds in which `spots` spots each got `cents` cents."""
        if cents:
            self.count += rounds * spots
            self.net += rounds * spots * cents
            self.squared += rounds * spots * cents**2
            self.together += rounds * (spots * cents) ** 2


def insurance_sums(tally: Tally) -> tuple[PaidSums, PaidSums]:
    """Insurance lost and won."""
    stakes, pays = compiled_tables(tally.spec).insurance_amounts
    lost, won = PaidSums(), PaidSums()
    for place, rounds in enumerate(tally.insured):
        outcome, spots = divmod(place, at.ANY_SPOTS)
        is_won, level = divmod(outcome, at.LEVELS)
        if is_won:
            won.add(rounds, spots, int(pays[level]))
        else:
            lost.add(rounds, spots, -int(stakes[level]))
    return lost, won


def insured_cents(tally: Tally) -> int:
    """Total staked on insurance."""
    stakes, _ = compiled_tables(tally.spec).insurance_amounts
    return sum(
        rounds * (place % at.ANY_SPOTS) * int(stakes[place // at.ANY_SPOTS % at.LEVELS])
        for place, rounds in enumerate(tally.insured)
    )


def bonus_sums(tally: Tally) -> tuple[PaidSums, PaidSums]:
    """Super Bonuses and Envy Bonuses."""
    tables = compiled_tables(tally.spec).tables
    envy_pay = tables.envy_pay.reshape(2, at.ANY_SPOTS)
    supers, envies = PaidSums(), PaidSums()
    for place, rounds in enumerate(tally.supers):
        level, winners = divmod(place, at.ANY_SPOTS)
        if rounds:
            supers.add(rounds, winners, int(tables.super_pay[level]))
            of_winner, of_other = int(envy_pay[1, winners - 1]), int(envy_pay[0, winners])
            others = tally.spec.spots - winners
            envies.add(rounds, winners, of_winner)
            envies.add(rounds, others, of_other)
            envies.together += 2 * rounds * winners * of_winner * others * of_other
    return supers, envies


# --- Rows ---


def _insurance_line(tally: Tally) -> list[WagerLine]:
    lost, won = insurance_sums(tally)
    placed = lost.count + won.count
    if not placed:
        return []
    staked = insured_cents(tally)
    net = lost.net + won.net
    rounds = tally.rounds
    spread = mean_of(net, lost.together + won.together, rounds, Fraction(staked, rounds))
    own = mean_of(net, lost.squared + won.squared, placed, Fraction(staked, placed))
    ev = Estimate(own.value, spread.standard_error, own.sd, placed)
    return [WagerLine("insurance", placed, staked, net, ev, "stake")]


def _match_line(tally: Tally, number: int, stake: int) -> WagerLine:
    counts = tally.match_counts.reshape(at.MATCHES, at.MATCH_CODES)[number].tolist()
    pays = compiled_tables(tally.spec).match_pay[number].tolist()
    net = sum(count * pay for count, pay in zip(counts, pays, strict=True))
    squared = sum(count * pay * pay for count, pay in zip(counts, pays, strict=True))
    together = tally.match_squared[number]
    ev = table_mean(net, squared, together, tally.rounds, tally.spec.spots, stake)
    name = MATCH_NAMES[number]
    title = f"Match the Dealer {_MATCH_TITLES.get(name, f'Bonus Card {name[1:]}')}"
    placed = tally.rounds * tally.spec.spots
    return WagerLine(title, placed, placed * stake, net, ev, "stake")


def _jackpot_line(tally: Tally, game: int, stake: int) -> WagerLine:
    kit = compiled_tables(tally.spec)
    counts = tally.jackpot_counts.reshape(kit.jackpot_pay.shape)[game].reshape(-1)
    pays = kit.jackpot_pay[game].reshape(-1)
    pairs = [(int(count), int(pay)) for count, pay in zip(counts, pays, strict=True) if count]
    awards = tally.meters.own[game]
    net = sum(count * pay for count, pay in pairs) + awards.total
    squared = sum(count * pay * pay for count, pay in pairs) + awards.squared
    together = tally.jackpot_squared[game] + awards.together
    ev = table_mean(net, squared, together, tally.rounds, tally.spec.spots, stake)
    placed = tally.rounds * tally.spec.spots
    return WagerLine(f"jackpot {game + 1}", placed, placed * stake, net, ev, "stake")


def _bonus_lines(tally: Tally, base_wager: Fraction) -> list[WagerLine]:
    """Super and Envy Bonus per base wager; they have no wager of their own (R-069, R-073)."""
    lines = []
    for name, sums in zip(("Super Bonus", "Envy Bonus"), bonus_sums(tally), strict=True):
        if sums.count:
            ev = table_mean(
                sums.net, sums.squared, sums.together, tally.rounds, tally.spec.spots, base_wager
            )
            lines.append(WagerLine(name, sums.count, 0, sums.net, ev, "base wager"))
    return lines


def meter_line(tally: Tally, game: int) -> MeterLine:
    history = tally.meters
    jackpot = tally.spec.rules.jackpots[game]
    special = jackpot_tables()[jackpot.table].special_lines(jackpot.alternate)
    from_meter = compiled_tables(tally.spec).from_meter[game]
    hits, paid, squared = history.hits[game], history.paid[game], history.squared[game]
    return MeterLine(
        game=game + 1,
        table=jackpot.table,
        awards=tuple(
            AwardLine(
                row.hand, hits[line], paid[line], mean_of(paid[line], squared[line], hits[line])
            )
            for line, row in enumerate(special, start=1)
            if line < len(from_meter) and from_meter[line]
        ),
        resets=history.resets[game],
        highest=history.highest[game],
        seeded=history.seeded[game],
        last=history.cents[game],
        history=tuple((point[0], point[1 + game]) for point in history.points),
    )


# --- Events ---

Ints = npt.NDArray[np.int64]
_CODES = 256
MODE_NAMES = {
    at.AS_DEALT: "first hand",
    at.FROM_SPLIT: "split",
    at.FROM_SPLIT_LAST: "split",
    at.FROM_ACES: "split ace",
    at.FROM_ACES_LAST: "split ace",
    at.DOUBLED_ONCE: "doubled",
    at.DOUBLED_TWICE: "doubled twice",
    at.DOUBLED_THRICE: "doubled three times",
}


@dataclass(frozen=True)
class EventLine:
    """An event for a spot: its frequency, and its payout in base wagers."""

    name: str
    count: int
    frequency: Estimate  # frequency per spot and round
    pay: float | None = None

    @property
    def contribution(self) -> float | None:
        """The event's share of a round's expectation, in base wagers."""
        return None if self.pay is None else self.pay * self.frequency.value


@dataclass(frozen=True)
class DecisionLine:
    """How often a type of hand faced an up card, and what the player did."""

    hand: str  # hard 16, soft 18, pair 8
    cards: int
    state: str  # first hand, split, doubled …
    up: str
    action: str
    visits: int


def codes_by_mode(tally: Tally) -> Ints:
    """How often each code was executed: [mode, code]."""
    found: Ints = codes_by_up(tally).sum(axis=2)
    return found


def codes_by_up(tally: Tally) -> Ints:
    """How often each code was executed: [mode, code, class of up card]."""
    kit = compiled_tables(tally.spec)
    visits = tally.visits_by_decision()
    found = np.zeros((at.MODES, _CODES, at.UPS), dtype=np.int64)
    ups = np.arange(at.UPS)
    for deviation in range(kit.deviations):
        codes = _codes(kit, deviation).astype(np.int64) * at.UPS + ups
        for mode in range(at.MODES):
            # Counts are below 2**53, so the weights are exact.
            weights = visits[deviation, mode].reshape(-1).astype(np.float64)
            counted = np.bincount(codes[mode].reshape(-1), weights, minlength=_CODES * at.UPS)
            found[mode] += counted.astype(np.int64).reshape(_CODES, at.UPS)
    return found


class _Shares:
    """Frequencies per spot and round; the spots of a round share the dealer's cards."""

    def __init__(self, tally: Tally) -> None:
        self.rounds = tally.rounds
        self.spots = tally.spec.spots
        self.trials = self.rounds * self.spots
        self.by_up = tally.starts.reshape(-1, at.UPS, at.CELL)[:, :, 0].sum(axis=0)
        self.blackjack = tally.counters[at.DEALER_BLACKJACKS] / max(self.rounds, 1)

    def of_own_cards(self, by_up: Ints) -> Estimate:
        """Frequency of events that depend on the up card and the spot's cards, by up card class."""
        classes = [
            (met / self.trials, count / met)
            for met, count in zip(self.by_up.tolist(), by_up.tolist(), strict=True)
            if met
        ]
        return share_of_spots(int(by_up.sum()), self.rounds, self.spots, classes)

    def of_dealer_blackjacks(self, count: int) -> Estimate:
        """Frequency of events that happen only if the dealer has a blackjack."""
        return self._of_dealer(count, [(self.blackjack, count)])

    def of_comparison(self, counts: Ints, compared: Ints) -> Estimate:
        """Frequency of events that depend on the dealer's final total; both arrays are by total."""
        hands = max(int(compared.sum()), 1)
        drawn = 1 - self.blackjack
        parts = zip(compared.tolist(), counts.tolist(), strict=True)
        return self._of_dealer(
            int(counts.sum()), [(drawn * met / hands, count) for met, count in parts if met]
        )

    def _of_dealer(self, count: int, parts: list[tuple[float, int]]) -> Estimate:
        classes = [
            (chance, part / (chance * self.trials))
            for chance, part in parts
            if chance * self.trials
        ]
        remaining = 1 - math.fsum(chance for chance, _ in classes)
        return share_of_spots(
            count, self.rounds, self.spots, [*classes, (max(remaining, 0.0), 0.0)]
        )

    def of_dealer_total(self, count: int, hands: int, stands: Ints) -> Estimate:
        """Frequency of a dealer total among hands compared; a round's hands face the same total."""
        own = share_of(count, hands)
        if not hands or self.spots == 1:
            return own
        by_up = zip(self.by_up.tolist(), stands.tolist(), strict=True)
        squares = math.fsum(stand * stand / met for met, stand in by_up if met)
        together = 1 + (self.spots - 1) * squares / hands  # average hands that share a round
        return Estimate(own.value, own.standard_error * math.sqrt(together), own.sd, hands)


def _codes(kit: CompiledTables, deviation: int) -> npt.NDArray[np.uint8]:
    """Codes by deviation: 0 is the strategy itself, others are 1 + the action taken instead."""
    if deviation == 0:
        return kit.plain_codes
    action = deviation - 1
    if action == actions.STAND:
        return kit.stand_codes
    return np.full_like(kit.plain_codes, code_of_action(action, 0))


def event_lines(tally: Tally) -> list[EventLine]:
    """Every bonus, win, loss and special action with its frequency and payout."""
    spec = tally.spec
    kit = compiled_tables(spec)
    shares = _Shares(tally)
    codes = codes_by_up(tally)
    rows = winning_rows(spec.rules)
    one_size = len(spec.bases) == 1
    base = int(kit.tables.wagers[0])
    terminal = kit.tables.terminal.reshape(-1, at.MODES, at.TERMINALS)[0]

    def event_line(name: str, count: int, share: Estimate, grains: int | None = None) -> EventLine:
        pay = grains / base if grains is not None and one_size else None
        return EventLine(name, count, share, pay)

    def line(name: str, by_up: Ints, grains: int | None = None) -> EventLine:
        return event_line(name, int(by_up.sum()), shares.of_own_cards(by_up), grains)

    def ended(modes: range, entry: int) -> Ints:
        found: Ints = codes[modes.start : modes.stop, at.TERMINAL + entry].sum(axis=0)
        return found

    undoubled, doubled = range(at.DOUBLED_ONCE), range(at.DOUBLED_ONCE, at.MODES)
    lines = []
    for entry, name in ((at.BLACKJACK, "blackjack"), (at.DIAMOND_BLACKJACK, "diamond blackjack")):
        count = ended(undoubled, entry)
        if count.any():
            lines.append(line(name, count, int(terminal[at.AS_DEALT, entry])))
    both = tally.counters[at.BLACKJACKS_PAID]
    if both:
        name = "blackjack against a dealer blackjack, paid"
        lines.append(event_line(name, both, shares.of_dealer_blackjacks(both)))
    pushed = tally.counters[at.BLACKJACKS_PUSHED]
    if pushed:
        name = "blackjack against a dealer blackjack, push"
        lines.append(event_line(name, pushed, shares.of_dealer_blackjacks(pushed), 0))
    for number, (row, _, _) in enumerate(rows):
        count = ended(undoubled, number) + ended(undoubled, at.SUPER + number)
        if count.any():
            lines.append(line(row.name, count, int(terminal[at.AS_DEALT, number])))
    for mode in doubled:
        for number, (row, _, _) in enumerate(rows):
            count = codes[mode, at.TERMINAL + number]
            if count.any():
                name = f"{row.name}, {MODE_NAMES[mode]}"
                lines.append(line(name, count, int(terminal[mode, number])))
    bonuses = codes[: at.DOUBLED_ONCE, at.TERMINAL + at.SUPER : at.TERMINAL + at.SUPER + len(rows)]
    lines.append(line("Super Bonus", bonuses.sum(axis=(0, 1))))
    lines.append(line("bust", ended(range(at.MODES), at.BUSTED)))
    lines.append(line("surrender", ended(range(at.MODES), at.SURRENDERED)))
    lines.append(line("rescue", ended(range(at.MODES), at.RESCUED)))
    lines += [
        line(actions.ACTION_NAMES[action], codes[:, action].sum(axis=0))
        for action in (actions.DOUBLE, actions.DOUBLE_DOUBLE, actions.SPLIT)
    ]
    compared = tally.compared.reshape(at.BY_TOTAL, at.BY_TOTAL)
    outcome = kit.tables.compare.reshape(at.BY_TOTAL, at.BY_TOTAL)
    for name, result in (("win", 1), ("push", 0), ("loss", -1)):
        counts: Ints = np.where(outcome == result, compared, 0).sum(axis=1)
        share = shares.of_comparison(counts, compared.sum(axis=1))
        lines.append(event_line(f"{name} against the dealer's hand", int(counts.sum()), share))
    return [each for each in lines if each.count or each.name in ("bust", "Super Bonus")]


def dealer_lines(tally: Tally) -> list[EventLine]:
    """The dealer's blackjacks by round, and the dealer's totals among the hands compared."""
    compared = tally.compared.reshape(at.BY_TOTAL, at.BY_TOTAL).sum(axis=1)
    hands = int(compared.sum())
    shares = _Shares(tally)
    stands = codes_by_up(tally)[:, actions.STAND].sum(axis=0)
    lines = [
        EventLine("dealer blackjack", count, share_of(count, tally.rounds))
        for count in (tally.counters[at.DEALER_BLACKJACKS],)
    ]
    for total in range(17, 23):
        name = "dealer bust" if total > 21 else f"dealer {total}"
        count = int(compared[total])
        share = shares.of_dealer_total(count, hands, stands)
        lines.append(EventLine(f"{name}, of hands compared", count, share))
    return lines


def hand_name(shape: Hand) -> str:
    """The chart row of a hand: `hard 16`, `soft 18`, `pair 8`."""
    if is_equal_value_pair(shape) and shape.doublings == 0:
        value = shape.hard // 2
        return f"pair {'A' if value == 1 else value}"
    kind = "soft" if is_soft(shape.hard, shape.aces) else "hard"
    return f"{kind} {best_total(shape.hard, shape.aces)}"


def decision_lines(tally: Tally) -> list[DecisionLine]:
    """Visits by decision, only for hands with a choice, grouped like a chart."""
    kit = compiled_tables(tally.spec)
    visits = tally.visits_by_decision()
    legal = kit.legal
    gathered: dict[tuple[str, int, str, str, str], int] = {}
    for deviation, mode, node, up in zip(*np.nonzero(visits), strict=True):
        if not legal[mode, node]:
            continue
        hand = kit.graph.shapes[node]
        action = kit.action_at(int(deviation), int(mode), int(node), int(up))
        key = (
            hand_name(hand) if mode < at.DOUBLED_ONCE else hand_name(hand._replace(doublings=1)),
            hand.cards,
            MODE_NAMES[int(mode)],
            kit.up_name(int(up)),
            actions.ACTION_NAMES[action],
        )
        gathered[key] = gathered.get(key, 0) + int(visits[deviation, mode, node, up])
    return [DecisionLine(*key, visits=count) for key, count in sorted(gathered.items())]


# --- All figures ---


@dataclass(frozen=True, repr=False)
class Figures:
    """The figures of a finished or stopped simulation."""

    tally: Tally
    seconds: float = field(default=0.0, compare=False)
    complete: bool = True
    played: int = field(default=0, compare=False)  # rounds of this run, not counting earlier ones

    @cached_property
    def by_count(self) -> tuple[CountLine, ...]:
        """Rounds by count at the time of the bet; empty if nobody counted."""
        return count_lines(self.tally)

    # --- The base game ---

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def spots(self) -> int:
        return self.tally.spec.spots

    @property
    def rounds_per_second(self) -> float:
        return self.played / self.seconds if self.seconds else 0.0

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """Results of a spot in grains, and their frequencies."""
        offset = compiled_tables(self.tally.spec).tables.offset
        found = np.flatnonzero(self.tally.results)
        return [(int(place) - offset, int(self.tally.results[place])) for place in found]

    @cached_property
    def base_wager(self) -> Fraction:
        """Average base wager in grains."""
        kit = compiled_tables(self.tally.spec)
        bases = [base // kit.grain for base in self.tally.spec.bases]
        if len(bases) == 1 or not self.rounds:
            return Fraction(bases[0])
        at_level = self.tally.counters[at.FIRST_LEVEL : at.FIRST_LEVEL + len(bases)]
        staked = sum(base * times for base, times in zip(bases, at_level, strict=True))
        return Fraction(staked, sum(at_level))

    @property
    def average_bet(self) -> Estimate:
        """Average base wager in units of the smallest one; above 1 only if a count raises it."""
        bases = self.tally.spec.bases
        times = self.tally.counters[at.FIRST_LEVEL : at.FIRST_LEVEL + len(bases)]
        if len(bases) == 1 or not sum(times):
            return Estimate(1.0, 0.0, 0.0, self.rounds)
        total = sum(base * count for base, count in zip(bases, times, strict=True))
        squared = sum(base**2 * count for base, count in zip(bases, times, strict=True))
        return mean_of(total, squared, sum(times), bases[0])

    @cached_property
    def _sums(self) -> tuple[int, int, int]:
        """Sum, sum of squares, and sum of squared round totals of all spots, in grains."""
        total = sum(place * times for place, times in self._places)
        squared = sum(place * place * times for place, times in self._places)
        if self.spots == 1:
            return total, squared, squared
        together = 0
        for spot in range(self.spots):
            for other in range(spot + 1):
                product = self.tally.spots[at.MAX_SPOTS * (1 + spot) + other]
                together += product if spot == other else 2 * product
        return total, squared, together

    @cached_property
    def ev(self) -> Estimate:
        """Expectation of the base game per base wager; the house edge is its negative."""
        total, squared, together = self._sums
        return table_mean(total, squared, together, self.rounds, self.spots, self.base_wager)

    @property
    def house_edge(self) -> float:
        return -self.ev.value

    @cached_property
    def sd_error(self) -> float:
        """Standard error of the standard deviation of one spot's result per round."""
        trials = self.rounds * self.spots
        if trials < 2 or not self.ev.sd:
            return math.inf
        unit, mean = float(self.base_wager), self.ev.value
        fourth = math.fsum(times * (place / unit - mean) ** 4 for place, times in self._places)
        variance = self.ev.sd**2
        return math.sqrt(max(fourth / trials - variance**2, 0.0) / trials) / (2 * self.ev.sd)

    @property
    def average_stake(self) -> Fraction:
        """Average base wager including splits and doublings, in grains."""
        if not self.rounds:
            return self.base_wager
        extra = Fraction(self.tally.counters[at.EXTRA_STAKE], self.rounds * self.spots)
        return self.base_wager + extra

    @property
    def stake(self) -> Estimate:
        """Chips risked on the base game, in base wagers."""
        counters = self.tally.counters
        extra = mean_of(
            counters[at.EXTRA_STAKE],
            counters[at.EXTRA_SQUARED],
            self.rounds * self.spots,
            self.base_wager,
        )
        return Estimate(1 + extra.value, extra.standard_error, extra.sd, extra.trials)

    @cached_property
    def element_of_risk(self) -> Estimate:
        """Expected loss of the base game per chip risked."""
        scale = float(self.base_wager / self.average_stake)
        return Estimate(
            -self.ev.value * scale,
            self.ev.standard_error * scale,
            self.ev.sd * scale,
            self.ev.trials,
        )

    @cached_property
    def total(self) -> Estimate:
        """Expectation of all wagers together, including bonuses, per base wager."""
        grain = compiled_tables(self.tally.spec).grain
        total, squared, together = self._sums
        rest = self.tally.rest
        return table_mean(
            total * grain + rest[at.REST],
            squared * grain * grain + 2 * grain * rest[at.REST_PRODUCT] + rest[at.REST_SQUARED],
            together * grain * grain
            + 2 * grain * rest[at.TABLE_REST_PRODUCT]
            + rest[at.TABLE_REST_SQUARED],
            self.rounds,
            self.spots,
            self.base_wager * grain,
        )

    @property
    def block_error(self) -> float:
        """Standard error of `ev` from whole blocks, without assumptions about rounds."""
        blocks = self.tally.whole_blocks
        if blocks < 2:
            return math.inf
        rounds = self.tally.spec.block_rounds * self.spots
        unit = self.base_wager * rounds
        return mean_of(self.tally.block_sums, self.tally.block_squares, blocks, unit).standard_error

    # --- Other wagers ---

    @cached_property
    def wagers(self) -> list[WagerLine]:
        """The base game, every other wager, and the total."""
        kit = compiled_tables(self.tally.spec)
        placed = self.rounds * self.spots
        staked = int(self.average_stake * placed) * kit.grain
        net = self._sums[0] * kit.grain
        lines = [WagerLine("base game", placed, staked, net, self.ev, "base wager")]
        lines += other_wager_lines(self.tally, self.base_wager * kit.grain)
        if len(lines) > 1:
            staked = sum(line.staked for line in lines)
            net += self.tally.rest[at.REST]
            lines.append(WagerLine("all together", placed, staked, net, self.total, "base wager"))
        return lines

    @cached_property
    def meters(self) -> list[MeterLine]:
        """Each meter that was played for, and its payments by line."""
        stakes = enumerate(self.tally.spec.jackpots)
        return [meter_line(self.tally, game) for game, stake in stakes if stake]

    # --- Details ---

    @cached_property
    def events(self) -> list[EventLine]:
        return event_lines(self.tally)

    @cached_property
    def dealer(self) -> list[EventLine]:
        return dealer_lines(self.tally)

    @cached_property
    def decisions(self) -> list[DecisionLine]:
        return decision_lines(self.tally)

    @property
    def has_records(self) -> bool:
        """Whether visits by decision are available."""
        return len(self.tally.visits) > 0

    def without_records(self) -> Self:
        """The same figures in a few hundred kilobytes, without decisions and regret."""
        if not self.has_records:
            return self
        light = replace(self, tally=self.tally.without_records())
        vars(light).update(events=self.events, dealer=self.dealer)  # computed from the records
        return light

    @cached_property
    def starts(self) -> list[StartLine]:
        """Results by the first two cards' values (`A-10`, `6-7`, `8-8`) and the up card."""
        kit = compiled_tables(self.tally.spec)
        cells = self.tally.starts.reshape(-1, at.UPS, at.CELL)
        gathered: dict[tuple[str, str], list[int]] = {}
        for node in kit.graph.two_cards:
            values = sorted(map(value_of, kit.graph.cards[node]))
            hand = "-".join("A" if value == 1 else str(value) for value in values)
            for up in range(1, at.UPS):
                rounds, total, squared = (int(part) for part in cells[node, up])
                if rounds:
                    name = kit.up_value(up)
                    sums = gathered.setdefault((hand, name), [0, 0, 0])
                    sums[0] += rounds
                    sums[1] += total
                    sums[2] += squared
        return [
            StartLine(hand, up, mean_of(total, squared, rounds, self.base_wager))
            for (hand, up), (rounds, total, squared) in sorted(gathered.items())
        ]

    @property
    def histogram(self) -> list[tuple[float, int]]:
        """Results of the base game, in units of the smallest base wager, and their frequencies."""
        base = compiled_tables(self.tally.spec).tables.wagers[0]
        return [(place / int(base), times) for place, times in self._places]

    @cached_property
    def covariance(self) -> list[list[float]]:
        """Covariance of the spots' base games, in squared base wagers."""
        unit = self.base_wager * self.base_wager
        sums = self.tally.spots
        matrix = [[0.0] * self.spots for _ in range(self.spots)]
        if self.spots == 1 or not self.rounds:
            return [[self.ev.sd**2] * self.spots for _ in range(self.spots)]
        for spot in range(self.spots):
            for other in range(spot + 1):
                product = Fraction(sums[at.MAX_SPOTS * (1 + spot) + other], self.rounds)
                means = Fraction(sums[spot] * sums[other], self.rounds**2)
                matrix[spot][other] = matrix[other][spot] = float((product - means) / unit)
        return matrix

    @property
    def covariance_error(self) -> float | None:
        """Standard error of the covariance of two spots.

        The formula is for normally distributed results. Ours aren't normal, but the covariance is
        an average over many rounds.
        """
        if not self.rounds or self.spots == 1:
            return None
        variance, between = self.covariance[0][0], self.covariance[0][1]
        return math.sqrt((variance**2 + between**2) / self.rounds)

    @property
    def n_zero(self) -> Estimate:
        """Rounds until the expectation of the base game equals one standard deviation."""
        return n_zero(self.ev)

    @property
    def total_n_zero(self) -> Estimate:
        """Rounds until the expectation of all wagers together equals one standard deviation."""
        return n_zero(self.total)

    # --- Sessions ---

    @cached_property
    def spots_together(self) -> float:
        """Factor by which errors grow because a table's spots win and lose together."""
        total = self.total
        if self.spots == 1 or total.trials < 2 or not total.sd:
            return 1.0
        return max(1.0, total.standard_error * math.sqrt(total.trials) / total.sd)

    def _of_sessions(self, estimate: Estimate) -> Estimate:
        """Widen the error: the sessions of a table share the dealer's hands, like its rounds."""
        return estimate.with_error(estimate.standard_error * self.spots_together)

    def ruin(self, bankroll: int) -> Estimate:
        """Probability that a session is down `bankroll` base wagers at some point."""
        sessions = self.tally.sessions
        ruined = sum(times for lowest, times in sessions.lowest.items() if lowest <= -bankroll)
        return self._of_sessions(share_of(ruined, sessions.sessions))

    @property
    def session_mean(self) -> Estimate:
        """Mean result of a session, in base wagers."""
        found = self.tally.sessions
        base = self.tally.spec.bases[0]
        return self._of_sessions(mean_of(found.total, found.squared, found.sessions, base))

    @property
    def longest_losing_run(self) -> Estimate:
        """Mean of the longest losing streak of a session, in rounds."""
        runs = self.tally.sessions.losing
        total = sum(rounds * times for rounds, times in runs.items())
        squared = sum(rounds**2 * times for rounds, times in runs.items())
        return self._of_sessions(mean_of(total, squared, self.tally.sessions.sessions))

    def session_quantile(self, share: float) -> Estimate:
        """The result, in base wagers, that this share of sessions doesn't exceed."""
        found = quantile(sorted(self.tally.sessions.results.items()), share, self.spots_together)
        return Estimate(*found, self.session_mean.sd, self.tally.sessions.sessions)
