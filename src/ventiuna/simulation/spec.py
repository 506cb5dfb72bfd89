"""The specification of a simulation, compiled for the kernels.

`SimulationSpec` is small enough to send to any worker; each process builds `CompiledTables` from it
once and caches them.

Jackpot lines are tables too: they depend on the matches with the up card and the down card, on
whether there are aces among the cards, and on two named cards, the ace and king of spades (R-087 to
R-094). So the cards of three ranks represent all others, and `core` evaluates those.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from threading import Lock
from typing import NotRequired

import numpy as np
import numpy.typing as npt
from typing_extensions import TypedDict

from ventiuna.cards import card_text
from ventiuna.core import actions
from ventiuna.core.base_game import (
    envy_pay,
    insurance_profit,
    maximum_insurance,
    maximum_insurance_in_chips,
    may_insure,
    super_bonus_pay,
)
from ventiuna.core.cards import (
    CARDS,
    SPADE_ACE,
    SUITS,
    Hand,
    best_total,
    is_blackjack,
    is_equal_value_pair,
    is_soft,
    rank_of,
    value_of,
)
from ventiuna.core.meters import comes_from_meter, prize_pay
from ventiuna.core.rule_table import FIXED_LINES, JACKPOTS, SPECIAL_LINES, RuleTable
from ventiuna.core.side_bets import (
    CARD_KINDS,
    NAMED_RANKS,
    card_kind,
    fixed_pay,
    line_pay,
    match_profit,
    special_line,
    suited_matches,
    unsuited_matches,
)
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.rounds import action_of
from ventiuna.kernels.simulate.side_bets import MAX_FACTOR
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint
from ventiuna.simulation import tables
from ventiuna.simulation.plan import Plan, ShoeUse, check_plan
from ventiuna.simulation.tables import hand_graph, unit_amounts
from ventiuna.strategy.chart import ChartPlayer
from ventiuna.strategy.counting import Count, IndexPlay, Weights
from ventiuna.strategy.protocol import Insurance, Strategy, plan_problem

# --- Limits on amounts ---

_MAX_RESULTS = 1 << 18  # bins in the histogram of results
_MAX_SESSION = 1 << 62  # cents; bound on a session's running result
_GROWN = 16  # no meter reaches this multiple of its starting amount in a run


def check_amounts(plan: Plan, rules: RuleTable) -> None:
    """Reject wagers whose payments could overflow the sums."""
    rest = most_rest(plan, rules)
    if rest * at.MAX_SPOTS > MAX_FACTOR:
        raise plan_problem(
            "rules",
            plan.rules.name,
            "the payouts of these wagers are too large for the simulator",
            "Lower the wagers, odds, prizes or meters.",
        )
    amounts = unit_amounts(rules, plan.bases)
    if amounts.highest - amounts.lowest >= _MAX_RESULTS:
        raise plan_problem(
            "base",
            f"{plan.bases[0] / 100:.2f}",
            "the results of this wager and its doubles have no usable common unit",
            "Choose a base wager that divides the table maximum or is well below it.",
            "R-055",
        )
    base = max(amounts.highest, -amounts.lowest) * amounts.grain
    if (base + rest) * plan.session > _MAX_SESSION:
        raise plan_problem(
            "session",
            plan.session,
            "the results of this many rounds with these wagers are too large for the simulator",
            "Choose a shorter session or smaller wagers.",
        )


def most_rest(plan: Plan, rules: RuleTable) -> int:
    """An upper bound on a spot's winnings per round outside the base game, in cents."""
    base = max(plan.bases)
    maximum = insurance_profit(rules, maximum_insurance(base)) + maximum_insurance(base)
    maximum += super_bonus_pay(rules, base)
    maximum += max(envy_pay(rules, own, at.MAX_SPOTS) for own in (0, 1))
    maximum += sum(
        max(match_profit(rules, stake, 2, 0), match_profit(rules, stake, 0, 2))
        for stake in plan.match.values()
    )
    for game in range(rules.jackpots):
        meter = plan.meters[game] if plan.meters else plan.rules.jackpots[game].seed
        maximum += _GROWN * meter + rules.jackpot_wager[game]
        maximum += 2 * max(line_pay(rules, game, line) for line in range(1, FIXED_LINES))
        maximum += max(prize_pay(rules, game, line) for line in range(1, SPECIAL_LINES))
    return maximum


# --- Index plays ---

Bytes = npt.NDArray[np.uint8]


def code_of_action(action: int, stand_code: int) -> int:
    """The code for this action in the kernel's table."""
    if action == actions.STAND:
        return stand_code
    special = {
        actions.SURRENDER: at.TERMINAL + at.SURRENDERED,
        actions.RESCUE: at.TERMINAL + at.RESCUED,
    }
    return special.get(action, action)


@dataclass
class IndexPlays:
    """Codes from INDEX_PLAY up: a threshold, the code below it, and the code at or above it."""

    codes: Bytes  # [mode, node, up]
    thresholds: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.int64)
    )
    below: Bytes = field(default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.uint8))
    above: Bytes = field(default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.uint8))
    departs_below: Bytes = field(default_factory=lambda: np.zeros(at.INDEX_PLAYS, dtype=np.uint8))
    weights: dict[int, Weights] = field(default_factory=dict)  # for plays with their own sum
    known: dict[tuple[int, int, int, bool, Weights], int] = field(default_factory=dict)

    def number(self, count: Count, default: int, play: IndexPlay, code: int) -> int:
        threshold = count.threshold(play.at)
        below, above = (code, default) if play.is_below else (default, code)
        key = (threshold, below, above, play.is_below, play.weights)
        if key not in self.known:
            place = len(self.known)
            if place == at.INDEX_PLAYS:
                raise plan_problem(
                    "plays", count.name, "it has too many different index plays", "Remove some."
                )
            self.known[key] = place
            self.thresholds[place], self.below[place], self.above[place] = key[:3]
            self.departs_below[place] = play.is_below
            if play.weights:
                self.weights[place] = play.weights
        return self.known[key]


def index_plays(
    count: Count | None, rules: RuleTable, codes: Bytes, stand_codes: Bytes
) -> IndexPlays:
    """The strategy's codes, overridden by the count's plays."""
    if count is None or not count.plays:
        return IndexPlays(codes)
    found = IndexPlays(codes.copy())
    facts = tables.hand_facts(rules)
    graph = facts.graph
    ups = tables.up_samples(rules)
    by_hand = _by_hand(count.plays)
    for node in range(graph.two_cards.start, len(graph)):
        shape = graph.shapes[node]
        plays = _plays_of(by_hand, shape)
        if not plays or is_blackjack(shape):
            continue
        for mode in range(at.MODES):
            hand = tables.hand_in_mode(shape, mode)
            for play in plays:
                action = play.action_among(int(facts.legal[mode, node]))
                if action is None:
                    continue
                for kind in (kind for kind, up in ups.items() if play.concerns(rules, hand, up)):
                    default = int(codes[mode, node, kind])
                    if default == actions.SPLIT and play.kind != "pair":
                        continue  # a total's index doesn't apply to a pair that is split
                    other = code_of_action(action, int(stand_codes[mode, node, kind]))
                    code = default  # the last play applies, even if it agrees with the chart
                    if default != other:
                        code = at.INDEX_PLAY + found.number(count, default, play, other)
                    found.codes[mode, node, kind] = code
    return found


_ByHand = dict[tuple[str, int], list[tuple[int, IndexPlay]]]


def _by_hand(plays: Sequence[IndexPlay]) -> _ByHand:
    """Plays with their positions, by chart row; only a few concern any given hand."""
    found: _ByHand = {}
    for place, play in enumerate(plays):
        found.setdefault((play.kind, play.number), []).append((place, play))
    return found


def _plays_of(by_hand: _ByHand, shape: Hand) -> list[IndexPlay]:
    """Plays for this hand's rows, in order."""
    kind = "soft" if is_soft(shape.hard, shape.aces) else "hard"
    found = list(by_hand.get((kind, best_total(shape.hard, shape.aces)), ()))
    if is_equal_value_pair(shape):
        found += by_hand.get(("pair", shape.hard // 2), ())
    return [play for _, play in sorted(found, key=lambda one: one[0])]


# --- Jackpot lines ---

_RANKS = (*NAMED_RANKS, 2)  # aces, kings, and a rank that represents all others


@lru_cache(maxsize=1)
def match_codes() -> npt.NDArray[np.uint8]:
    """How one player card matches a dealer card: [card, dealer card]."""
    codes = np.zeros((64, 64), dtype=np.uint8)
    for card in range(CARDS):
        for dealer_card in range(CARDS):
            other = (dealer_card + SUITS) % CARDS  # a card of a different rank, so it never matches
            suited = suited_matches(card, other, dealer_card)
            unsuited = unsuited_matches(card, other, dealer_card)
            codes[card, dealer_card] = suited * at.SUITED_MATCH + unsuited * at.UNSUITED_MATCH
    return codes


@dataclass(frozen=True)
class JackpotTables:
    possible: npt.NDArray[np.uint8]  # [game, with up, with down]: 1 if a line is possible
    lines: npt.NDArray[np.uint8]  # [game, with up, with down, kinds of the four cards]
    fixed: npt.NDArray[np.int64]  # [game, line, with up, with down]: pay of fixed lines


@lru_cache(maxsize=16)
def jackpot_tables(rules: RuleTable) -> JackpotTables:
    codes = (at.MATCH_CODES, at.MATCH_CODES)
    possible = np.zeros((JACKPOTS, *codes), dtype=np.uint8)
    lines = np.zeros((JACKPOTS, *codes, at.CARD_KINDS), dtype=np.uint8)
    fixed = np.zeros((JACKPOTS, SPECIAL_LINES, *codes), dtype=np.int64)
    seen: dict[tuple[int, ...], int] = {}
    matches = match_codes()
    cards = [card for card in range(CARDS) if rank_of(card) in _RANKS]
    for first, second, up, down in product(cards, repeat=4):
        with_up = int(matches[first, up]) + int(matches[second, up])
        with_down = int(matches[first, down]) + int(matches[second, down])
        if with_up == 0 and with_down == 0:
            continue
        kinds = kinds_place(first, second, up, down)
        for game in range(rules.jackpots):
            line = special_line(rules, game, first, second, up, down)
            pay = fixed_pay(rules, game, line, first, second, up, down)
            for key, value in (
                ((game, with_up, with_down, kinds), line),
                ((game, -1 - line, with_up, with_down), pay),
            ):
                if seen.setdefault(key, value) != value:
                    raise plan_problem(
                        "jackpots",
                        f"game {game + 1}",
                        "its lines depend on more than matches, aces and the king of spades",
                        "Use a different table.",
                        "R-086",
                    )
            lines[game, with_up, with_down, kinds] = line
            fixed[game, line, with_up, with_down] = pay
            possible[game, with_up, with_down] |= line != 0
    return JackpotTables(possible, lines, fixed)


def kinds_place(first: int, second: int, up: int, down: int) -> int:
    place = 0
    for card in (first, second, up, down):
        place = place * CARD_KINDS + card_kind(card)
    return place


# --- Specification and tables ---

Ints = npt.NDArray[np.int64]
MATCH_NAMES = ("up", "down", "b1", "b2", "b3", "b4", "b5")
_ERROR_STEPS = 2**53
FORMAT = 1  # format of blocks; raise it when a change alters the results


@dataclass(frozen=True)
class SimulationSpec:
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
    misfit: str = ""  # warnings about a chart or count made for different rules

    @property
    def table(self) -> RuleTable:
        return compile_rules(self.rules)

    @property
    def has_sides(self) -> bool:
        return bool(any(self.match) or any(self.jackpots) or self.insurance != Insurance.NEVER)

    @property
    def thinks(self) -> bool:
        return self.count is not None or self.error_limit > 0


def make_spec(plan: Plan, strategy: Strategy) -> SimulationSpec:
    """Query the strategy for every hand, and build the specification."""
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
    return SimulationSpec(
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


class CompiledTables:
    """The arrays for a specification, built once per process."""

    def __init__(self, spec: SimulationSpec) -> None:
        self.spec = spec
        self.rules = spec.table
        self.graph = hand_graph(self.rules)
        shape = (at.MODES, len(self.graph), at.UPS)
        plain = np.frombuffer(zlib.decompress(spec.codes), dtype=np.uint8).reshape(shape)
        self.plain_codes = plain
        self.stand_codes = tables.stand_code_table(self.rules)
        self.index_plays = index_plays(spec.count, self.rules, plain, self.stand_codes)
        choice = tables.Decisions(
            plain, self.stand_codes, {entry: set(ups) for entry, ups in spec.keeps}
        )
        size = spec.rules.shoe_size
        if spec.shoe == ShoeUse.FRESH:
            cut = size
        else:
            cut = size * (100 - spec.rules.cut_card_percent) // 100
        self.tables = tables.play_tables(
            self.rules,
            spec.bases,
            choice,
            self.index_plays.codes,
            cut,
            spec.rules.burn_cards,
            spec.rules.bonus_cards,
        )
        amounts = unit_amounts(self.rules, spec.bases)
        self.grain = amounts.grain
        self.results = amounts.highest - amounts.lowest + 1
        self.deviations = 1 + actions.ACTIONS if spec.thinks else 1

    @property
    def legal(self) -> npt.NDArray[np.uint8]:
        """Legal actions, one bit each, by [mode, node]."""
        return tables.hand_facts(self.rules).legal

    def action_at(self, deviation: int, mode: int, node: int, up: int) -> int:
        """The player's action at a visit."""
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
        """The up card's value, A to 10, or the card itself if it has its own class."""
        if kind <= 10:
            return "A" if kind == 1 else str(kind)
        return card_text(tables.up_samples(self.rules)[kind])

    def new_shoe(self) -> npt.NDArray[np.uint8]:
        return np.array(self.spec.rules.pack.cards * self.spec.rules.decks, dtype=np.uint8)

    def new_counts(self, deviations: int = 0) -> at.Counts:
        return tables.empty_counts(
            self.tables, self.results, self.graph.two_cards.stop, deviations or self.deviations
        )

    # --- Wagers besides the base game ---

    @cached_property
    def match_pay(self) -> Ints:
        """Profits in cents, by [wager, code]."""
        pay = np.zeros((at.MATCHES, at.MATCH_CODES), dtype=np.int64)
        for wager, stake in enumerate(self.spec.match):
            for code in range(at.MATCH_CODES):
                suited, unsuited = divmod(code, at.SUITED_MATCH)
                if stake and suited + unsuited <= 2:
                    pay[wager, code] = match_profit(self.rules, stake, suited, unsuited)
        return pay

    @cached_property
    def _jackpots(self) -> tuple[Ints, npt.NDArray[np.uint8]]:
        """Results without awards, and which lines a meter pays."""
        if not any(self.spec.jackpots):
            shape = (JACKPOTS, SPECIAL_LINES, at.MATCH_CODES, at.MATCH_CODES)
            return np.zeros(shape, dtype=np.int64), np.zeros(shape[:2], dtype=np.uint8)
        pay = jackpot_tables(self.rules).fixed.copy()
        from_meter = np.zeros((JACKPOTS, SPECIAL_LINES), dtype=np.uint8)
        for game, stake in enumerate(self.spec.jackpots):
            for line in range(1, SPECIAL_LINES):
                if comes_from_meter(self.rules, game, line):
                    from_meter[game, line] = 1
                else:
                    pay[game, line] += prize_pay(self.rules, game, line)
            pay[game] -= stake
        return pay, from_meter

    @property
    def from_meter(self) -> npt.NDArray[np.uint8]:
        """Whether the meter pays, by [game, special line]."""
        return self._jackpots[1]

    @property
    def jackpot_pay(self) -> Ints:
        """Cents won, without awards, by [game, special line, code with up, code with down]."""
        return self._jackpots[0]

    @cached_property
    def _insurance(self) -> tuple[npt.NDArray[np.uint8], Ints, Ints]:
        habits = {
            Insurance.NEVER: (0, 0),
            Insurance.ALWAYS: (at.INSURES, at.INSURES),
            Insurance.BLACKJACK: (at.NO_INSURANCE, at.INSURES),
            Insurance.COUNT: (at.INSURES_BY_COUNT, at.INSURES_BY_COUNT),
        }
        insures = np.array(habits[self.spec.insurance], dtype=np.uint8)
        if not may_insure(self.rules, SPADE_ACE, has_blackjack=True):
            insures[1] = 0
        unit = self.spec.rules.small_chip_unit
        stakes, pays = (np.zeros(at.LEVELS, dtype=np.int64) for _ in range(2))
        for level, base in enumerate(self.spec.bases):
            stakes[level] = maximum_insurance_in_chips(base, unit)
            pays[level] = insurance_profit(self.rules, int(stakes[level]))
        return insures, stakes, pays

    @property
    def insurance_amounts(self) -> tuple[Ints, Ints]:
        """Stakes and profits in cents, by size of the base wager."""
        return self._insurance[1:]

    @property
    def total_width(self) -> int:
        """Bin width in cents of the histogram of total results: half a base wager."""
        return max(1, self.spec.bases[0] // 2)

    @cached_property
    def _sides(self) -> np.void:
        """Wagers besides the base game, with empty counts."""
        pay, from_meter = self._jackpots
        insures, stakes, pays = self._insurance
        side: np.void = at.new_record(at.SIDE_BETS)
        side["match_codes"] = match_codes().reshape(-1)
        side["match_stake"] = self.spec.match
        side["match_pay"] = self.match_pay.reshape(-1)
        side["jackpot_stake"][: len(self.spec.jackpots)] = self.spec.jackpots
        side["card_kind"] = [card_kind(card) for card in range(64)]
        if any(self.spec.jackpots):
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

    # --- Counting and errors ---

    @cached_property
    def player_model(self) -> np.void:
        spec, count, plays = self.spec, self.spec.count, self.index_plays
        player_model: np.void = at.new_record(at.PLAYER_MODEL)
        player_model["deck"] = len(spec.rules.pack.cards)
        player_model["levels"] = 1
        player_model["scale"] = 1
        player_model["error_limit"] = spec.error_limit
        player_model["play_at"], player_model["play_below"] = plays.thresholds, plays.below
        player_model["play_above"], player_model["departs_below"] = plays.above, plays.departs_below
        if count is not None:
            for card in range(CARDS):
                player_model["tags"][card] = int(count.tag(card) * count.scale)
            player_model["ramp"][: len(count.bets)] = [
                count.threshold(bet.at) for bet in count.bets
            ]
            player_model["scale"] = count.scale
            player_model["start"] = int(
                count.start_in(spec.rules.pack) * count.scale * spec.rules.decks
            )
            if count.has_own_weights:
                self._keep_parts(player_model, count)
            if count.insurance_at is not None:
                player_model["insure_at"] = count.threshold(count.insurance_at)
            player_model["levels"], player_model["is_true"] = len(count.bets), int(count.is_true)
        return player_model

    def _keep_parts(self, player_model: np.void, count: Count) -> None:
        """Keep main and side counts separate if insurance or a play uses its own weights."""
        rules = self.spec.rules
        whole_shoe = count.part_scale * rules.decks
        starts = [start * whole_shoe for start in count.part_starts(rules.pack)]
        player_model["parts"] = len(starts)
        player_model["part_start"][: len(starts)] = [int(start) for start in starts]
        tags = player_model["part_tags"].reshape(at.PARTS, -1)
        for card in range(CARDS):
            found = [int(tag * count.part_scale) for tag in count.part_tags(card)]
            tags[: len(found), card] = found

        def whole(weights: Weights) -> list[int]:
            return [int(weight * count.weight_scale) for weight in weights]

        if count.insurance_weights:
            player_model["insure_by_parts"] = 1
            player_model["insure_weights"][: len(starts)] = whole(count.insurance_weights)
        own = player_model["play_weights"].reshape(at.INDEX_PLAYS, at.PARTS)
        for play, weights in self.index_plays.weights.items():
            player_model["play_by_parts"][play] = 1
            own[play, : len(starts)] = whole(weights)

    def new_sessions(self, rounds: int) -> at.Sessions:
        """Sessions of the planned length, or one that never ends."""
        length = self.spec.session or rounds + 1
        return at.Sessions(
            length=length,
            running=np.zeros((at.MAX_SPOTS + 1, 4), dtype=np.int64),
            ended=np.zeros((rounds // length, self.spec.spots, 3), dtype=np.int64),
        )


_compiled: dict[str, CompiledTables] = {}
_compiled_lock = Lock()
_MAX_COMPILED = 8


def compiled_tables(spec: SimulationSpec) -> CompiledTables:
    """This process's tables for a specification."""
    with _compiled_lock:
        found = _compiled.get(spec.digest)
        if found is None:
            while len(_compiled) >= _MAX_COMPILED:
                del _compiled[next(iter(_compiled))]
            found = _compiled[spec.digest] = CompiledTables(spec)
        return found


class Assumptions(TypedDict):
    rules: str
    fingerprint: str
    strategy: str
    shoe: str
    misfit: NotRequired[str]


def describe(spec: SimulationSpec) -> Assumptions:
    """The assumptions that apply to every figure of a simulation."""
    facts: Assumptions = {
        "rules": canonical(spec.rules),
        "fingerprint": fingerprint(spec.rules),
        "strategy": spec.strategy,
        "shoe": str(spec.shoe),
    }
    if spec.misfit:
        facts["misfit"] = spec.misfit
    return facts
