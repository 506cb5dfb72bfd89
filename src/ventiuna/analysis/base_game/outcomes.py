"""How a round can end: the frequency and value of every event, and the standard deviation.

The value of a fixed strategy is linear in everything that is won or lost. So an event's share of
the value is the value of the same play if nothing else pays or costs anything. Its frequency is
that value if the event pays one per hand, regardless of the wager. The shares add up to the total
value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from ventiuna.analysis.base_game.analyzer import BaseGameAnalysis, analyze
from ventiuna.analysis.base_game.solver import (
    Solution,
    SolverQuery,
    dealer_chances_of,
    game_tables,
    solve_deals,
    strategy_of,
)
from ventiuna.analysis.coerce import coerce_rules
from ventiuna.analysis.composition import SplitPlay
from ventiuna.analysis.side_bets.insurance import blackjack_frequencies
from ventiuna.core import actions
from ventiuna.core.actions import first_legal
from ventiuna.core.base_game import LOSES, PUSHES, WINS
from ventiuna.core.cards import DIAMONDS, rank_of, suit_bit, suit_bit_of, value_of
from ventiuna.core.rule_table import RuleTable
from ventiuna.kernels.exact.dealer import LANES, SPAN, TOTALS, pair_tree, totals_beside_pairs
from ventiuna.kernels.exact.game import blackjack_chance
from ventiuna.kernels.exact.play import AGAINST_DEALER, next_card_chances
from ventiuna.kernels.exact.splits import (
    KEY_BITS,
    OUTCOMES,
    TOGETHER,
    collect_events,
    gather_products,
    group_pairs,
    kind_of_split,
    pair_weights,
    sum_products,
)
from ventiuna.kernels.exact.suits import legal_by_suits
from ventiuna.kernels.exact.tables import (
    ACE_VALUE,
    COMPOSITIONS,
    DEAL_CHANCE,
    DEAL_MONEY,
    DEAL_SQUARE,
    DEAL_VALUE,
    DOUBLINGS,
    GONE,
    TEN_VALUE,
    UNSPLIT,
    VALUES,
    Floats,
    Game,
    Ints,
    composition_index,
    copy_of,
    lattice,
)
from ventiuna.rules import Problem, Rules, RulesError, compile_rules
from ventiuna.rules.compiled import (
    DOUBLED_21_RULE,
    DOUBLED_SURRENDER_RULE,
    RESCUE_RULE,
    SUPER_BONUS_RULE,
    labels_of,
    winning_rows,
)
from ventiuna.rules.model import PLAIN_21
from ventiuna.rules.text.phrases import row_words

# --- Standard deviation ---

_STAND_ONLY = 1 << actions.STAND


class _SuitedSeconds(NamedTuple):
    """Second cards whose suit matters, averaged over suits."""

    actions: Floats  # [value, action]
    third_pays: Floats  # [value, third value]


def standard_deviation(rules: Rules | str, analysis: BaseGameAnalysis) -> float:
    """Standard deviation of a round's result in base wagers, under the analyzed play.

    Exact, with one exception: if suits matter, suits in different hands of a split are treated as
    independent. The exact effect is unknown; 200 million simulated rounds agree within their error
    of 0.00004.
    """
    table, solution = compile_rules(coerce_rules(rules)), analysis.solution
    square = float(solution.deals[:, :, DEAL_SQUARE].sum())
    for (pair, up), chance in _chosen_splits(solution).items():
        square += chance * _products(table, solution, pair, up)
    return sqrt(max(square - analysis.ev**2, 0.0))  # rounding can make it negative


def _chosen_splits(solution: Solution) -> dict[tuple[int, int], float]:
    """How often each pair is split against each up card."""
    found: dict[tuple[int, int], float] = {}
    game = solution.game
    for up in range(VALUES):
        shoe = game["shoe"].copy()
        shoe[up] -= 1
        for pair in range(VALUES):
            place = int(game["following"][game["following"][0, pair], pair])
            chance = _split_chance(solution, pair, up, place)
            if chance > 0:
                found[pair, up] = chance * (1 - blackjack_chance(game, place, shoe, up))
    return found


def _split_chance(solution: Solution, pair: int, up: int, place: int) -> float:
    game = solution.game
    if not game["by_card"][place]:
        legal = int(game["legal"][UNSPLIT, 0, place])
        chosen = first_legal(int(solution.plays["preferences"][up, 0, place]), legal)
        return float(solution.deals[up, place, DEAL_CHANCE]) if chosen == actions.SPLIT else 0.0
    chance = 0.0
    composition, cards = game["composition"], float(game["shoe"].sum())
    for row in range(int(game["pairs"])):
        if game["pair_place"][row] != place:
            continue
        first, second = int(game["pair_first"][row]), int(game["pair_second"][row])
        for up_row in _up_rows(solution, up):
            up_card = int(game["up_card"][up_row])
            legal = 1 << actions.SPLIT | legal_by_suits(
                game, UNSPLIT, place, suit_bit_of(first) | suit_bit_of(second)
            )
            if game["same_rank"] and rank_of(first) != rank_of(second):
                continue
            preference = int(solution.suited["preferences"][row, up_row])
            if first_legal(preference, legal) != actions.SPLIT:
                continue
            firsts = composition[first] - (first == up_card)
            seconds = composition[second] - (second == up_card)
            ways = firsts * (seconds - 1 if first == second else 2 * seconds)
            chance += float(game["up_count"][up_row] * max(ways, 0))
    if chance and pair == TEN_VALUE and game["same_rank"]:
        raise _unknown("a split of tens by rank")
    return chance / (cards * (cards - 1) * (cards - 2))


def _up_rows(solution: Solution, up: int) -> list[int]:
    game = solution.game
    return [row for row in range(int(game["ups"])) if game["up_value"][row] == up]


def _unknown(what: str) -> RulesError:
    return RulesError(
        [
            Problem(
                "standard_deviation",
                what,
                "",
                "exact analysis can't compute it for this case",
                "Simulate these rules.",
            )
        ]
    )


def _products(table: RuleTable, solution: Solution, pair: int, up: int) -> float:
    """Twice the sum of the products of two hands' results, over all pairs of this split's hands."""
    game = solution.game
    by_pair = pair if len(solution.split_preferences) > 1 else 0
    seconds = _suited_seconds(solution, pair, up, by_pair)
    events = np.zeros((2, 2, COMPOSITIONS))
    collect_events(
        game,
        pair,
        solution.split_preferences[by_pair, up],
        seconds.actions,
        seconds.third_pays,
        np.zeros((DOUBLINGS, COMPOSITIONS)),
        events,
    )
    return _sum_of_products(table, solution, pair, up, events)


def _sum_of_products(
    table: RuleTable, solution: Solution, pair: int, up: int, events: Floats
) -> float:
    """Sum over all pairs of hands and numbers of other pair cards removed (`exact.splits`)."""
    game = solution.game
    places = np.flatnonzero((events != 0.0).any(axis=(0, 1)))
    count = len(places)
    slots = np.empty((count, count), dtype=np.int64)
    keys = np.empty(count * (count + 1) // 2, dtype=np.int64)
    used = group_pairs(game, places, slots, keys)
    products = np.zeros((used, TOGETHER, OUTCOMES))
    gather_products(game, places, slots, events, products)
    shifts = KEY_BITS * np.arange(VALUES - 1, -1, -1)
    drawn = keys[:used, None] >> shifts & (1 << KEY_BITS) - 1
    drawn[:, pair] -= 2  # don't count the pair itself
    weights = pair_weights()[int(game["hands_at_most"][pair])]
    maximum = int(np.flatnonzero(weights.any(axis=0)).max())
    chances, beside = _chances_beside(table, game, pair, up, drawn, maximum)
    unseen: Ints = game["shoe"].copy()
    unseen[up] -= 1
    unseen[pair] -= 2
    total, all_pairs = 0.0, 1.0
    sums = np.empty(TOGETHER)
    for removed, chance in enumerate(_pair_chances(solution, pair, up)):
        if weights[:, removed].any() and all_pairs > 0.0:
            sum_products(unseen, drawn, up, beside + removed, chances, products, sums)
            any_any, pair_any, pair_pair = (float(part) for part in sums)
            without = (any_any, any_any - pair_any, any_any - 2.0 * pair_any + pair_pair)
            total += all_pairs * float(weights[:, removed] @ without)
        all_pairs *= chance
        unseen[pair] -= 1
    return 2.0 * total


def _chances_beside(
    table: RuleTable, game: Game, pair: int, up: int, drawn: Ints, maximum: int
) -> tuple[Floats, Ints]:
    """The dealer's probabilities given these cards, and the start index of each entry.

    Each entry is followed by the entries with 1 to `maximum` more pair cards removed. Cards that
    differ only in their number of pair cards share a row of shoes; see `totals_beside_pairs`.
    """
    others = drawn.copy()
    others[:, pair] = 0
    packed = (others << KEY_BITS * np.arange(VALUES)).sum(axis=1)
    _, first, row = np.unique(packed, return_index=True, return_inverse=True)
    removed = drawn[:, pair] + 2
    spans = np.empty((len(first), SPAN), dtype=np.int64)
    spans[:, 0] = np.iinfo(np.int64).max
    spans[:, 1] = 0
    np.minimum.at(spans[:, 0], row, removed)
    np.maximum.at(spans[:, 1], row, removed + maximum)
    sizes = spans[:, 1] - spans[:, 0] + 1
    spans[:, 2] = np.cumsum(sizes) - sizes
    shoes = game["shoe"] - others[first]
    chances = np.empty((int(sizes.sum()), VALUES, TOTALS))
    order = np.argsort(spans[:, 0])
    tree = pair_tree(table, pair, up)
    totals_beside_pairs(tree, pair, shoes[order], spans[order], chances, LANES)
    return chances, spans[row, 2] + removed - spans[row, 0]


def _pair_chances(solution: Solution, pair: int, up: int) -> Floats:
    """Probability of another pair card after 0, 1, 2 … others have been drawn."""
    game = solution.game
    shoe: Ints = game["shoe"].copy()
    shoe[up] -= 1
    found, chances = np.zeros(GONE), np.zeros(VALUES)
    for removed in range(GONE):
        shoe[pair] -= 1
        if shoe[pair] < 1 or not next_card_chances(
            game, int(game["following"][0, pair]), shoe, up, chances
        ):
            break
        found[removed] = chances[pair]
    return found


def _suited_seconds(solution: Solution, pair: int, up: int, by_pair: int) -> _SuitedSeconds:
    game, places = solution.game, lattice()
    seconds = _SuitedSeconds(np.zeros((VALUES, actions.ACTIONS)), np.zeros((VALUES, VALUES)))
    for second in range(VALUES):
        place = int(places.following[places.following[0, pair], second])
        if game["suited"][place]:
            _fill_suited(solution, pair, second, place, up, by_pair, seconds)
    return seconds


def _fill_suited(
    solution: Solution,
    pair: int,
    second: int,
    place: int,
    up: int,
    by_pair: int,
    seconds: _SuitedSeconds,
) -> None:
    game = solution.game
    kind = int(kind_of_split(pair))
    total = 0.0
    for row in range(int(game["pairs"])):
        if game["pair_place"][row] != place:
            continue
        one, other = int(game["pair_first"][row]), int(game["pair_second"][row])
        mask = suit_bit_of(one) | suit_bit_of(other)
        if game["suit_row"][place] >= 0:
            pays = game["suit_pay"][kind, game["suit_row"][place], mask]
            if not np.isnan(pays):
                raise _unknown("a two-card split hand whose pay depends on suits")
        for up_row in _up_rows(solution, up):
            up_card = int(game["up_card"][up_row])
            remaining = game["composition"].copy()
            remaining[up_card] -= 1
            ways = remaining[one] * (remaining[other] - 1 if one == other else 2 * remaining[other])
            if ways <= 0:
                continue
            weight = float(ways * game["up_count"][up_row])
            remaining[one] -= 1
            remaining[other] -= 1
            legal = legal_by_suits(game, kind, place, mask)
            preference = int(solution.split_suited[by_pair, row, up_row])
            chosen = first_legal(preference, legal)
            seconds.actions[second, chosen] += weight
            total += weight
            if chosen == actions.HIT:
                for third in range(VALUES):
                    pay = _average_pay(solution, kind, place, third, mask, remaining)
                    seconds.third_pays[second, third] += weight * pay
    if total:
        hits = seconds.actions[second, actions.HIT]
        seconds.third_pays[second] /= hits if hits else 1.0
        seconds.actions[second] /= total


def _average_pay(
    solution: Solution, kind: int, place: int, third: int, mask: int, remaining: Ints
) -> float:
    """Mean payout of three cards if it depends on the third card's suits, otherwise 0."""
    game = solution.game
    after = int(lattice().following[place, third])
    if after < 0 or not game["hidden"][after]:
        return 0.0
    row = game["suit_row"][after]
    paid, cards = 0.0, 0
    for card, count in enumerate(remaining):
        if count > 0 and value_of(card) - 1 == third:
            grown = mask | suit_bit_of(card)
            pay = float(game["suit_pay"][kind, row, grown])
            if np.isnan(pay) or game["suit_legal"][kind, row, grown] != _STAND_ONLY:
                raise _unknown("a choice with three suited cards")
            paid += count * pay
            cards += int(count)
    return paid / cards if cards else 0.0


# --- Events of a round ---

Amounts = Mapping[str, object]  # fields of the game's record
UNDOUBLED_HANDS, DOUBLED_HANDS = slice(0, 1), slice(1, DOUBLINGS)
DEALER_BLACKJACK = "dealer blackjack takes the wager"
_DEALER_WORDS = ("17", "18", "19", "20", "21", "bust")
_OUTCOMES = {WINS: "win", PUSHES: "push", LOSES: "loss"}
_NEVER = 1e-15  # smaller probabilities are just rounding errors


@dataclass(frozen=True, slots=True)
class Event:
    """One way for a hand to end, per round of one spot."""

    group: str  # blackjack, 21, given up, bust, dealer
    name: str
    rule: str  # rule number, or empty
    count: float  # hands per round that end this way
    part: float  # share of the expected value, in base wagers

    @property
    def one_in(self) -> float | None:
        """Average number of rounds per hand that ends this way."""
        return 1 / self.count if self.count else None

    def as_data(self) -> dict[str, object]:
        return {
            "group": self.group,
            "name": self.name,
            "rule": self.rule or None,
            "hands_per_round": self.count,
            "one_in": self.one_in,
            "contribution_per_wager": self.part,
        }


@dataclass(frozen=True, slots=True)
class RoundEvents:
    """All ways a hand can end, with the average hands and doublings per round."""

    analysis: BaseGameAnalysis
    events: tuple[Event, ...]
    hands: float  # hands per round; above one because of splits
    doubled: tuple[float, ...]  # hands per round doubled once or more, twice or more, three times

    @property
    def total(self) -> float:
        """The sum of all parts: the expected value."""
        return float(np.sum([event.part for event in self.events]))

    def as_data(self) -> dict[str, object]:
        return {
            "events": [event.as_data() for event in self.events],
            "sum_of_contributions_per_wager": self.total,
            "hands_per_round": self.hands,
            "hands_doubled_per_round": list(self.doubled),
        }


def round_events(rules: Rules, base: int | None = None, super_bonus: bool = False) -> RoundEvents:
    """Events with best play from a fresh shoe, with split hands played like unsplit ones."""
    analysis = analyze(rules, None, SplitPlay.AS_UNSPLIT, base, super_bonus)
    return _Parts(rules, analysis).found()


@dataclass(frozen=True, slots=True)
class HitRates:
    """Hands per round of one spot, with best play; a split makes several hands."""

    hands: float
    won: float  # hands that win more than nothing
    bonus: float  # hands paid by a Bonus 21 row or as an instant win


def hit_rates(rules: Rules, analysis: BaseGameAnalysis) -> HitRates:
    """How many hands a round has, wins, and pays a bonus, under the analyzed play."""
    return _Parts(rules, analysis).hit_rates()


def row_rates(rules: Rules, analysis: BaseGameAnalysis) -> tuple[float, ...]:
    """Exact marginal value of each row of `winning_rows`: the value of paying 1 to 1 more on it.

    It equals the number of hands per round that the row pays, under the analyzed play.
    """
    return _Parts(rules, analysis).row_rates()


class _Parts:
    """Values of the same play when different amounts are won or lost."""

    def __init__(self, rules: Rules, analysis: BaseGameAnalysis) -> None:
        self._rules = rules
        self._labels = labels_of(rules)
        self._analysis = analysis
        solution = analysis.solution
        self._table: RuleTable = compile_rules(rules)
        self._game = solution.game
        query = analysis.query._replace(strategy=strategy_of(solution))
        self._query: SolverQuery = query._replace(chances=dealer_chances_of(query))

    def found(self) -> RoundEvents:
        events = tuple(event for event in self._events() if event.count > _NEVER)
        return RoundEvents(self._analysis, events, self._hands(0), self._doubled())

    def _events(self) -> Iterator[Event]:
        yield from self._blackjacks()
        yield from self._rows()
        yield from self._super_bonus()
        yield from self._surrenders_and_busts()
        amounts = {"blackjack_loss": self._game["blackjack_loss"]}
        rule = self._labels.dealer_blackjack_rule
        yield self._event("dealer", DEALER_BLACKJACK, rule, amounts)
        yield from self._comparisons()

    # --- Kinds of events ---

    def _surrenders_and_busts(self) -> Iterator[Event]:
        surrender, bust = self._labels.surrender_rule, self._labels.bust_rule
        for group, name, rule, field, doublings in (
            ("given up", "surrender", surrender, "surrender_loss", UNDOUBLED_HANDS),
            (
                *("given up", "surrender, doubled"),
                *(DOUBLED_SURRENDER_RULE, "surrender_loss", DOUBLED_HANDS),
            ),
            ("given up", "rescue", RESCUE_RULE, "rescue_loss", DOUBLED_HANDS),
            ("bust", "bust", bust, "bust_loss", UNDOUBLED_HANDS),
            ("bust", "bust, doubled", bust, "bust_loss", DOUBLED_HANDS),
        ):
            amounts = np.zeros(DOUBLINGS)
            amounts[doublings] = self._game[field][doublings]
            yield self._event(group, name, rule, {field: amounts})

    def _blackjacks(self) -> Iterator[Event]:
        rule = self._labels.blackjack_rule
        diamonds = self._rules.diamond_blackjack_pays != self._rules.blackjack_pays
        place = composition_index([ACE_VALUE, TEN_VALUE])
        pay, suit_pay = self._unpaid()
        row = int(self._game["suit_row"][place])
        if row < 0:
            pay[UNSPLIT, 0, place] = self._game["pay"][UNSPLIT, 0, place]
            yield self._event("blackjack", "blackjack", rule, {"pay": pay})
        else:
            other = suit_pay.copy()
            suit_pay[UNSPLIT, row] = self._game["suit_pay"][UNSPLIT, row]
            if diamonds:
                mask = suit_bit(DIAMONDS)
                other[UNSPLIT, row, mask] = suit_pay[UNSPLIT, row, mask]
                suit_pay[UNSPLIT, row, mask] = 0.0
                name = "all-diamond blackjack"
                yield self._event("blackjack", name, rule, {"suit_pay": other})
            yield self._event("blackjack", "blackjack", rule, {"suit_pay": suit_pay})
        if not self._game["blackjack_wins"]:
            both = float(blackjack_frequencies(self._rules).both)
            name = "blackjack against a dealer blackjack, push"
            yield Event("blackjack", name, rule, both, 0.0)

    def _rows(self) -> Iterator[Event]:
        """Bonus 21 rows, instant wins and plain 21; raising a row's pay isolates its hands."""
        for number, (row, _, _) in enumerate(winning_rows(self._rules)):
            raised = list(self._table.bonus_num)
            raised[number] += self._table.bonus_den[number]
            changed = self._table._replace(bonus_num=tuple(raised))
            other = self._tables(changed)
            pay, suit_pay = self._unpaid()
            chosen = other["pay"] != self._game["pay"]
            by_suit = other["suit_pay"] - self._game["suit_pay"] > 0
            suit_pay[by_suit] = self._game["suit_pay"][by_suit]
            for doubled, words in ((0, ""), (1, ", doubled")):
                part = pay.copy()
                taken = chosen[:, doubled] & (self._game["paid"][:, doubled] == 1)
                part[:, doubled][taken] = self._game["pay"][:, doubled][taken]
                amounts: Amounts = {"pay": part} if doubled else {"pay": part, "suit_pay": suit_pay}
                rule = DOUBLED_21_RULE if doubled else row.rule
                yield self._event("21", f"{row_words(row)}{words}", rule, amounts)

    def _super_bonus(self) -> Iterator[Event]:
        if self._analysis.super_bonus and self._game["super_pay"].any():
            amounts = {"super_pay": self._game["super_pay"]}
            yield self._event(
                "21", "Super Bonus, in addition to the hand", SUPER_BONUS_RULE, amounts
            )

    def _comparisons(self) -> Iterator[Event]:
        for number, dealer in enumerate(_DEALER_WORDS):
            for outcome, words in _OUTCOMES.items():
                chosen = np.zeros_like(AGAINST_DEALER)
                chosen[:, number] = AGAINST_DEALER[:, number] == outcome
                if not chosen.any():
                    continue
                name = f"dealer {dealer}: {words}"
                part = self._value({"against": outcome * chosen}) if outcome else 0.0
                count = self._value({"against": chosen}, counted=True)
                yield Event("dealer", name, self._labels.compare_rule, count, part)

    # --- Rates ---

    def hit_rates(self) -> HitRates:
        pay, suit_pay = self._unpaid()
        game = self._game
        won: Amounts = {
            "pay": np.where(game["pay"] > 0.0, 1.0, pay),
            "suit_pay": np.where(game["suit_pay"] > 0.0, 1.0, suit_pay),
            "against": np.where(AGAINST_DEALER == WINS, 1.0, 0.0),
        }
        bonuses = self._raised([row.name != PLAIN_21 for row, _, _ in winning_rows(self._rules)])
        return HitRates(
            self._hands(0), self._value(won, counted=True), self._value(bonuses, counted=True)
        )

    def row_rates(self) -> tuple[float, ...]:
        rows = len(winning_rows(self._rules))
        return tuple(
            self._value(self._raised([place == row for place in range(rows)]), counted=True)
            for row in range(rows)
        )

    def _raised(self, chosen: list[bool]) -> Amounts:
        """A gain of one for each hand that the chosen rows pay."""
        higher = list(self._table.bonus_num)
        for row, is_chosen in enumerate(chosen):
            higher[row] += is_chosen * self._table.bonus_den[row]
        other = self._tables(self._table._replace(bonus_num=tuple(higher)))
        pay, _ = self._unpaid()
        paid = self._game["paid"] == 1
        pay[paid] = (other["pay"] - self._game["pay"])[paid]
        return {"pay": pay, "suit_pay": other["suit_pay"] - self._game["suit_pay"]}

    # --- Amounts ---

    def _unpaid(self) -> tuple[Floats, Floats]:
        """All payouts set to zero; hands that wait for the dealer still wait."""
        suit_pay = np.where(np.isnan(self._game["suit_pay"]), np.nan, 0.0)
        return np.zeros_like(self._game["pay"]), suit_pay

    def _tables(self, table: RuleTable) -> Game:
        found = self._analysis
        return game_tables(table, found.query.composition, found.base, found.super_bonus)

    def _event(self, group: str, name: str, rule: str, amounts: Amounts) -> Event:
        ones: dict[str, Floats] = {
            field: _unit_gains(field, amount) for field, amount in amounts.items()
        }
        if not any(np.nansum(np.abs(item)) for item in ones.values()):
            return Event(group, name, rule, 0.0, 0.0)
        return Event(group, name, rule, self._value(ones, counted=True), self._value(amounts))

    def _value(self, amounts: Amounts, counted: bool = False) -> float:
        """Value of the play when only these amounts are won or lost."""
        return self._figure(self._with(amounts, counted), DEAL_VALUE)

    def _with(self, amounts: Amounts, counted: bool) -> Game:
        game = copy_of(self._game)
        pay, suit_pay = self._unpaid()
        nothing: Amounts = {
            "pay": pay,
            "suit_pay": suit_pay,
            "super_pay": 0.0,
            "surrender_loss": 0.0,
            "rescue_loss": 0.0,
            "bust_loss": 0.0,
            "blackjack_loss": 0.0,
            "against": 0.0,
        }
        for field, amount in {**nothing, **amounts}.items():
            game[field] = amount
        if counted:
            game["wager"] = 1.0
        return game

    def _figure(self, game: Game, figure: int) -> float:
        query = self._query._replace(game=game)
        return float(solve_deals(query).figures.sum(axis=(0, 1))[figure])

    # --- Hands and doublings ---

    def _hands(self, doublings: int) -> float:
        """Hands per round that end with at least `doublings` doublings."""
        game = self._with({}, counted=True)
        game["wager"] = np.arange(DOUBLINGS) >= doublings
        return self._figure(game, DEAL_MONEY)

    def _doubled(self) -> tuple[float, ...]:
        # Against a dealer blackjack, the analyzer counts one wager regardless of doublings.
        dealt = float(blackjack_frequencies(self._rules).dealer)
        return tuple(
            self._hands(number) - dealt for number in range(1, self._rules.doublings_at_most + 1)
        )


def _unit_gains(field: str, amount: object) -> Floats:
    """Turn each nonzero amount into a gain of one, stored as -1 in fields that hold losses."""
    values = np.asarray(amount, dtype=np.float64)
    one = -1.0 if field.endswith("loss") else 1.0
    found = np.where(values != 0.0, one, 0.0)
    return np.where(np.isnan(values), np.nan, found)
