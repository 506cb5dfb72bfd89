"""A plan made ready: small enough to send to any worker, from which a block is played.

`Work` is what travels; `Kit` is what a process builds from it once and keeps.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
import numpy.typing as npt

from ventiuna.cards import card_text
from ventiuna.core import actions
from ventiuna.core.cards import CARDS, SPADE_ACE, value_of
from ventiuna.core.jackpot import card_kind
from ventiuna.core.match import match_profit
from ventiuna.core.meters import comes_from_meter, prize_pay
from ventiuna.core.payouts import insurance_profit, may_insure, most_insurance_in_chips
from ventiuna.core.table import JACKPOTS, SPECIAL_LINES, RuleTable
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.mind import action_of
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint
from ventiuna.simulation import tables
from ventiuna.simulation.amounts import check_amounts
from ventiuna.simulation.grains import money
from ventiuna.simulation.hands import hand_graph
from ventiuna.simulation.index_plays import index_plays
from ventiuna.simulation.jackpot_tables import jackpot_tables, match_codes
from ventiuna.simulation.plan import Plan, ShoeUse, check_plan
from ventiuna.strategy.chart import ChartPlayer
from ventiuna.strategy.counting import Count
from ventiuna.strategy.plays import Weights
from ventiuna.strategy.strategy import Insurance, Strategy

Ints = npt.NDArray[np.int64]
MATCH_NAMES = ("up", "down", "b1", "b2", "b3", "b4", "b5")
_ERROR_STEPS = 2**53
FORMAT = 1  # of blocks; a change makes other digits


@dataclass(frozen=True)
class Work:
    """Everything a worker needs, as plain data."""

    digest: str
    rules: Rules
    strategy: str
    spots: int
    bases: tuple[int, ...]
    match: tuple[int, ...]
    jackpots: tuple[int, ...]  # stakes
    insurance: Insurance
    shoe: ShoeUse
    count: Count | None
    error_limit: int
    session: int
    seed: int
    block_rounds: int
    codes: bytes  # the strategy's table, compressed
    keeps: tuple[tuple[int, tuple[int, ...]], ...]
    misfit: str = ""  # sentences that tell of a chart or count made for other rules

    @property
    def table(self) -> RuleTable:
        return compile_rules(self.rules)

    @property
    def has_sides(self) -> bool:
        return bool(any(self.match) or any(self.jackpots) or self.insurance != Insurance.NEVER)

    @property
    def thinks(self) -> bool:
        return self.count is not None or self.error_limit > 0


def make_work(plan: Plan, strategy: Strategy) -> Work:
    """Ask the strategy about every hand, and note what else matters."""
    check_plan(plan)
    rules = compile_rules(plan.rules)
    check_amounts(plan, rules)
    choice = tables.decisions(rules, strategy)
    insurance = strategy.insurance if rules.insurance else Insurance.NEVER
    if plan.count is not None and plan.count.insurance_at is not None and rules.insurance:
        insurance = Insurance.COUNT
    stakes = tuple(
        plan.rules.jackpots[game].wager if game + 1 in plan.jackpots else 0
        for game in range(len(plan.rules.jackpots))
    )
    parts = {
        "format": FORMAT,
        "rules": fingerprint(plan.rules),
        "spots": plan.spots,
        "bases": plan.bases,
        "match": sorted(plan.match.items()),
        "jackpots": stakes,
        "insurance": insurance,
        "shoe": plan.shoe,
        "count": repr(plan.count),
        "errors": str(plan.errors),
        "session": plan.session,
        "meters": plan.meters,
        "seed": plan.seed,
        "block": plan.block_rounds,
        "codes": hashlib.sha256(choice.codes.tobytes()).hexdigest(),
        "keeps": {entry: sorted(ups) for entry, ups in choice.keeps_blackjack.items()},
    }
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
    return Work(
        digest=digest[:32],
        rules=plan.rules,
        strategy=strategy.name,
        spots=plan.spots,
        bases=plan.bases,
        match=tuple(plan.match.get(name, 0) for name in MATCH_NAMES),
        jackpots=stakes,
        insurance=insurance,
        shoe=plan.shoe,
        count=plan.count,
        error_limit=int(plan.errors * _ERROR_STEPS),
        session=plan.session,
        seed=plan.seed,
        block_rounds=plan.block_rounds,
        codes=zlib.compress(choice.codes.tobytes()),
        keeps=tuple((entry, tuple(sorted(ups))) for entry, ups in choice.keeps_blackjack.items()),
        misfit=_misfit(plan, strategy),
    )


def _misfit(plan: Plan, strategy: Strategy) -> str:
    sentences = []
    if isinstance(strategy, ChartPlayer):
        sentences.append(strategy.chart.misfit(plan.rules))
    if plan.count is not None:
        sentences.append(plan.count.misfit(plan.rules.pack))
        sentences.append(plan.count.unlike(plan.rules))
    return " ".join(filter(None, sentences))


class Kit:
    """The arrays of a work, built once in a process."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.rules = work.table
        self.graph = hand_graph(self.rules)
        shape = (at.MODES, len(self.graph), at.UPS)
        plain = np.frombuffer(zlib.decompress(work.codes), dtype=np.uint8).reshape(shape)
        self.plain_codes = plain
        self.stand_codes = tables.stand_code_table(self.rules)
        self.index_plays = index_plays(work.count, self.rules, plain, self.stand_codes)
        choice = tables.Decisions(
            plain, self.stand_codes, {entry: set(ups) for entry, ups in work.keeps}
        )
        size = work.rules.shoe_size
        if work.shoe == ShoeUse.FRESH:
            cut = size
        else:
            cut = size * (100 - work.rules.cut_card_percent) // 100
        self.tables = tables.play_tables(
            self.rules,
            work.bases,
            choice,
            self.index_plays.codes,
            cut,
            work.rules.burn_cards,
            work.rules.bonus_cards,
        )
        amounts = money(self.rules, work.bases)
        self.grain = amounts.grain
        self.results = amounts.highest - amounts.lowest + 1
        self.deviations = 1 + actions.ACTIONS if work.thinks else 1

    @property
    def legal(self) -> npt.NDArray[np.uint8]:
        """[mode, node]: a bit for each action."""
        return tables.hand_facts(self.rules).legal

    def action_at(self, deviation: int, mode: int, node: int, up: int) -> int:
        """The player's action behind a visit."""
        if deviation:
            return deviation - 1
        return int(action_of(int(self.plain_codes[mode, node, up])))

    def up_card_value(self, kind: int) -> int:
        return value_of(tables.up_samples(self.rules)[kind])

    def up_value(self, kind: int) -> str:
        """The up card's value, A to 10."""
        value = self.up_card_value(kind)
        return "A" if value == 1 else str(value)

    def up_name(self, kind: int) -> str:
        """The up card's value, A to 10; a class of its own is named by its card."""
        if kind <= 10:
            return "A" if kind == 1 else str(kind)
        return card_text(tables.up_samples(self.rules)[kind])

    def new_shoe(self) -> npt.NDArray[np.uint8]:
        return np.array(self.work.rules.pack.cards * self.work.rules.decks, dtype=np.uint8)

    def new_counts(self, deviations: int = 0) -> at.Counts:
        return tables.empty_counts(
            self.tables, self.results, self.graph.two_cards.stop, deviations or self.deviations
        )

    # --- wagers besides the base game ---------------------------------------------------------

    @cached_property
    def match_pay(self) -> Ints:
        """[wager, code] in cents."""
        pay = np.zeros((at.MATCHES, at.MATCH_CODES), dtype=np.int64)
        for wager, stake in enumerate(self.work.match):
            for code in range(at.MATCH_CODES):
                suited, unsuited = divmod(code, at.SUITED_MATCH)
                if stake and suited + unsuited <= 2:
                    pay[wager, code] = match_profit(self.rules, stake, suited, unsuited)
        return pay

    @cached_property
    def _jackpots(self) -> tuple[Ints, npt.NDArray[np.uint8]]:
        """Results without awards, and which lines a meter pays."""
        if not any(self.work.jackpots):
            shape = (JACKPOTS, SPECIAL_LINES, at.MATCH_CODES, at.MATCH_CODES)
            return np.zeros(shape, dtype=np.int64), np.zeros(shape[:2], dtype=np.uint8)
        pay = jackpot_tables(self.rules).fixed.copy()
        from_meter = np.zeros((JACKPOTS, SPECIAL_LINES), dtype=np.uint8)
        for game, stake in enumerate(self.work.jackpots):
            for line in range(1, SPECIAL_LINES):
                if comes_from_meter(self.rules, game, line):
                    from_meter[game, line] = 1
                else:
                    pay[game, line] += prize_pay(self.rules, game, line)
            pay[game] -= stake
        return pay, from_meter

    @property
    def from_meter(self) -> npt.NDArray[np.uint8]:
        """[game, special line]: does the meter pay it?"""
        return self._jackpots[1]

    @property
    def jackpot_pay(self) -> Ints:
        """[game, special line, code with up, code with down] in cents, without awards."""
        return self._jackpots[0]

    @cached_property
    def _insurance(self) -> tuple[npt.NDArray[np.uint8], Ints, Ints]:
        habits = {
            Insurance.NEVER: (0, 0),
            Insurance.ALWAYS: (at.INSURES, at.INSURES),
            Insurance.BLACKJACK: (at.NO_INSURANCE, at.INSURES),
            Insurance.COUNT: (at.INSURES_BY_COUNT, at.INSURES_BY_COUNT),
        }
        insures = np.array(habits[self.work.insurance], dtype=np.uint8)
        if not may_insure(self.rules, SPADE_ACE, has_blackjack=True):
            insures[1] = 0
        unit = self.work.rules.small_chip_unit
        stakes, pays = (np.zeros(at.LEVELS, dtype=np.int64) for _ in range(2))
        for level, base in enumerate(self.work.bases):
            stakes[level] = most_insurance_in_chips(base, unit)
            pays[level] = insurance_profit(self.rules, int(stakes[level]))
        return insures, stakes, pays

    @property
    def insurance_amounts(self) -> tuple[Ints, Ints]:
        """Stakes and profits in cents, by size of the base wager."""
        return self._insurance[1:]

    @property
    def total_width(self) -> int:
        """Cents of a place in the histogram of whole results: half a base wager."""
        return max(1, self.work.bases[0] // 2)

    @cached_property
    def _sides(self) -> np.void:
        """Wagers besides the base game, nothing counted yet."""
        pay, from_meter = self._jackpots
        insures, stakes, pays = self._insurance
        side: np.void = at.new_record(at.SIDE)
        side["match_codes"] = match_codes().reshape(-1)
        side["match_stake"] = self.work.match
        side["match_pay"] = self.match_pay.reshape(-1)
        side["jackpot_stake"][: len(self.work.jackpots)] = self.work.jackpots
        side["card_kind"] = [card_kind(card) for card in range(64)]
        if any(self.work.jackpots):
            found = jackpot_tables(self.rules)
            side["jackpot_possible"] = found.possible.reshape(-1)
            side["jackpot_line"] = found.lines.reshape(-1)
        side["jackpot_pay"] = pay.reshape(-1)
        side["from_meter"] = from_meter.reshape(-1)
        side["insures"] = insures
        side["insurance_stake"] = stakes
        side["insurance_pay"] = pays
        side["total_width"] = self.total_width
        return side

    def new_sides(self) -> np.void:
        copied: np.void = np.array([self._sides])[0]
        return copied

    # --- counting and errors ------------------------------------------------------------------

    @cached_property
    def mind(self) -> np.void:
        work, count, plays = self.work, self.work.count, self.index_plays
        mind: np.void = at.new_record(at.MIND)
        mind["deck"] = len(work.rules.pack.cards)
        mind["levels"] = 1
        mind["scale"] = 1
        mind["error_limit"] = work.error_limit
        mind["play_at"], mind["play_below"] = plays.thresholds, plays.below
        mind["play_above"], mind["departs_below"] = plays.above, plays.departs_below
        if count is not None:
            for card in range(CARDS):
                mind["tags"][card] = int(count.tag(card) * count.scale)
            mind["ramp"][: len(count.bets)] = [count.threshold(bet.at) for bet in count.bets]
            mind["scale"] = count.scale
            mind["start"] = int(count.start_in(work.rules.pack) * count.scale * work.rules.decks)
            if count.has_own_weights:
                self._keep_parts(mind, count)
            if count.insurance_at is not None:
                mind["insure_at"] = count.threshold(count.insurance_at)
            mind["levels"], mind["is_true"] = len(count.bets), int(count.is_true)
        return mind

    def _keep_parts(self, mind: np.void, count: Count) -> None:
        """Main and side counts are kept apart where something goes by another sum than bets."""
        rules = self.work.rules
        whole_shoe = count.part_scale * rules.decks
        starts = [start * whole_shoe for start in count.part_starts(rules.pack)]
        mind["parts"] = len(starts)
        mind["part_start"][: len(starts)] = [int(start) for start in starts]
        tags = mind["part_tags"].reshape(at.PARTS, -1)
        for card in range(CARDS):
            found = [int(tag * count.part_scale) for tag in count.part_tags(card)]
            tags[: len(found), card] = found

        def whole(weights: Weights) -> list[int]:
            return [int(weight * count.weight_scale) for weight in weights]

        if count.insurance_weights:
            mind["insure_by_parts"] = 1
            mind["insure_weights"][: len(starts)] = whole(count.insurance_weights)
        own = mind["play_weights"].reshape(at.INDEX_PLAYS, at.PARTS)
        for play, weights in self.index_plays.weights.items():
            mind["play_by_parts"][play] = 1
            own[play, : len(starts)] = whole(weights)

    def new_sessions(self, rounds: int) -> at.Sessions:
        length = self.work.session
        return at.Sessions(
            length=length,
            running=np.zeros((at.MOST_SPOTS + 1, 4), dtype=np.int64),
            ended=np.zeros((rounds // length, self.work.spots, 3), dtype=np.int64),
        )


_kits: dict[str, Kit] = {}
_kits_lock = Lock()
_MOST_KITS = 8


def kit_of(work: Work) -> Kit:
    """The process's own kit for this work."""
    with _kits_lock:
        found = _kits.get(work.digest)
        if found is None:
            while len(_kits) >= _MOST_KITS:
                del _kits[next(iter(_kits))]
            found = _kits[work.digest] = Kit(work)
        return found


def describe(work: Work) -> dict[str, str]:
    """The assumptions that belong to every figure of this work."""
    facts = {
        "rules": canonical(work.rules),
        "fingerprint": fingerprint(work.rules),
        "strategy": work.strategy,
        "shoe": str(work.shoe),
    }
    return {**facts, "misfit": work.misfit} if work.misfit else facts
