"""What happened how often: read off the visits, which say where every hand went."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.hand import Hand, best_total, is_equal_value_pair, is_soft
from ventiuna.kernels.simulate import layout as at
from ventiuna.rules.compiled import winning_rows
from ventiuna.simulation.index_plays import code_of_action
from ventiuna.simulation.statistics import Estimate, share_of, share_of_spots
from ventiuna.simulation.tally import Tally
from ventiuna.simulation.work import Kit, kit_of

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
    """Something that happens to a spot: how often, and what it pays in base wagers."""

    name: str
    count: int
    frequency: Estimate  # per spot and round
    pay: float | None = None

    @property
    def contribution(self) -> float | None:
        """Its part in the expectation of a round, in base wagers."""
        return None if self.pay is None else self.pay * self.frequency.value


@dataclass(frozen=True)
class DecisionLine:
    """How often a kind of hand met an up card and what was done."""

    hand: str  # hard 16, soft 18, pair 8
    cards: int
    state: str  # first hand, split, doubled …
    up: str
    action: str
    visits: int


def codes_by_mode(tally: Tally) -> Ints:
    """How often each code was carried out, [mode, code]."""
    found: Ints = codes_by_up(tally).sum(axis=2)
    return found


def codes_by_up(tally: Tally) -> Ints:
    """How often each code was carried out, [mode, code, class of up card]."""
    kit = kit_of(tally.work)
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
    """Frequencies per spot and round; spots of a round share the dealer's cards."""

    def __init__(self, tally: Tally) -> None:
        self.rounds = tally.rounds
        self.spots = tally.work.spots
        self.trials = self.rounds * self.spots
        self.by_up = tally.starts.reshape(-1, at.UPS, at.CELL)[:, :, 0].sum(axis=0)
        self.blackjack = tally.counters[at.DEALER_BLACKJACKS] / max(self.rounds, 1)

    def of_own_cards(self, by_up: Ints) -> Estimate:
        """What the up card and the spot's own cards decide; [class of up card]."""
        classes = [
            (met / self.trials, count / met)
            for met, count in zip(self.by_up.tolist(), by_up.tolist(), strict=True)
            if met
        ]
        return share_of_spots(int(by_up.sum()), self.rounds, self.spots, classes)

    def of_dealer_blackjacks(self, count: int) -> Estimate:
        """What happens only when the dealer has a blackjack."""
        return self._of_dealer(count, [(self.blackjack, count)])

    def of_comparison(self, counts: Ints, compared: Ints) -> Estimate:
        """What the dealer's last total decides; both [total]."""
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
        left = 1 - math.fsum(chance for chance, _ in classes)
        return share_of_spots(count, self.rounds, self.spots, [*classes, (max(left, 0.0), 0.0)])

    def of_dealer_total(self, count: int, hands: int, stands: Ints) -> Estimate:
        """A dealer's total among hands compared; all hands of a round meet the same one."""
        own = share_of(count, hands)
        if not hands or self.spots == 1:
            return own
        by_up = zip(self.by_up.tolist(), stands.tolist(), strict=True)
        squares = math.fsum(stand * stand / met for met, stand in by_up if met)
        together = 1 + (self.spots - 1) * squares / hands  # hands of a round, seen from one
        return Estimate(own.value, own.standard_error * math.sqrt(together), own.sd, hands)


def _codes(kit: Kit, deviation: int) -> npt.NDArray[np.uint8]:
    """Deviation 0 is the strategy itself, others are 1 + the action taken instead."""
    if deviation == 0:
        return kit.plain_codes
    action = deviation - 1
    if action == actions.STAND:
        return kit.stand_codes
    return np.full_like(kit.plain_codes, code_of_action(action, 0))


def event_lines(tally: Tally) -> list[EventLine]:
    """Every bonus, win, loss and special action with its frequency and pay."""
    work = tally.work
    kit = kit_of(work)
    shares = _Shares(tally)
    codes = codes_by_up(tally)
    rows = winning_rows(work.rules)
    one_size = len(work.bases) == 1
    base = int(kit.tables.wagers[0])
    terminal = kit.tables.terminal.reshape(-1, at.MODES, at.TERMINALS)[0]

    def told(name: str, count: int, share: Estimate, grains: int | None = None) -> EventLine:
        pay = grains / base if grains is not None and one_size else None
        return EventLine(name, count, share, pay)

    def line(name: str, by_up: Ints, grains: int | None = None) -> EventLine:
        return told(name, int(by_up.sum()), shares.of_own_cards(by_up), grains)

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
        lines.append(told(name, both, shares.of_dealer_blackjacks(both)))
    pushed = tally.counters[at.BLACKJACKS_PUSHED]
    if pushed:
        name = "blackjack against a dealer blackjack, push"
        lines.append(told(name, pushed, shares.of_dealer_blackjacks(pushed), 0))
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
        lines.append(told(f"{name} against the dealer's hand", int(counts.sum()), share))
    return [each for each in lines if each.count or each.name in ("bust", "Super Bonus")]


def dealer_lines(tally: Tally) -> list[EventLine]:
    """The dealer's blackjacks in rounds, and the dealer's totals among the hands compared."""
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
    """`hard 16`, `soft 18`, `pair 8`: the row of a chart that the hand belongs to."""
    if is_equal_value_pair(shape) and shape.doublings == 0:
        value = shape.hard // 2
        return f"pair {'A' if value == 1 else value}"
    kind = "soft" if is_soft(shape.hard, shape.aces) else "hard"
    return f"{kind} {best_total(shape.hard, shape.aces)}"


def decision_lines(tally: Tally) -> list[DecisionLine]:
    """Visits by decision, hands with a choice only, gathered as a chart would."""
    kit = kit_of(tally.work)
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
