"""Check an edge certificate, without Ventiuna, by docs/explanation/edge-certificate.md alone."""

import gzip
import json
import math
import sys
from functools import cache
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
VALUES, RANKS, SUITS = "A23456789T", "A23456789TJQK", "cdhs"
ACTIONS = ("stand", "hit", "double", "double-double", "split", "surrender", "rescue")
STAND, HIT, DOUBLE, DOUBLE_DOUBLE, SPLIT, SURRENDER, RESCUE = range(7)
HANDS = ("unsplit", "split", "split ace")
SUIT_SETS = ["".join(suits) for size in range(5) for suits in combinations(SUITS, size)]
TOLERANCE = 1e-12  # of every number; actions whose values differ by less are equal

# Compositions, fewest cards first. BUST, the last index, stands for a hard total over 21.
ONE, CARD, LEVELS = np.eye(10, dtype=int), np.eye(52, dtype=int), [[(0,) * 10]]
while LEVELS[-1]:
    longer = {tuple(np.add(held, one)) for held in LEVELS[-1] for one in ONE}
    LEVELS.append(sorted(held for held in longer if np.dot(held, range(1, 11)) <= 21))
INDEX = {held: number for number, held in enumerate(chain(*LEVELS))}
BUST, HELD = len(INDEX), np.array(list(INDEX))
FOLLOW = np.array([[INDEX.get(tuple(held + one), BUST) for one in ONE] for held in HELD])
CARDS, HARD = HELD.sum(axis=1), HELD @ np.arange(1, 11)
SOFT = (HELD[:, 0] > 0) & (HARD <= 11)
TOTAL = HARD + 10 * SOFT
NAMES = np.array(["".join(map(str.__mul__, VALUES, held)) for held in INDEX])
NAMED = [rank + suit for rank in RANKS for suit in SUITS]  # all cards
VALUE = np.minimum(np.arange(52) // 4, 9)  # of each card
TWO = FOLLOW[FOLLOW[0, VALUE][:, None], VALUE]  # the composition of two cards
TWO_CARDS = [(a, b) for b in range(52) for a in range(b + 1)]


def require(holds: Any, text: str) -> None:
    if not np.all(holds):
        raise ValueError(text)


def next_cards(up: int, unseen: Array) -> Any:
    """Probabilities of the next card's value, after the dealer's check; the last axis is values."""
    cards, blackjacks = unseen.sum(axis=-1, keepdims=True), ONE[9 - up] * (up in (0, 9)) > 0
    possible = cards - (unseen * blackjacks).sum(axis=-1, keepdims=True)  # down cards
    others = unseen / possible * (possible - 1) / (cards - 1)
    return np.where(blackjacks, unseen / (cards - 1), others)


def best_action(values: Array) -> Any:
    """The first of the best actions; illegal ones are worth minus infinity."""
    return np.argmax(values > values.max(axis=0) - TOLERANCE, axis=0)


def split_value(most: int, chance: Array, hands: Array, of_pair: Array) -> float:
    """Add up the hands of a split; arrays are by first card (dealt or later) and cards gone."""

    def add(waiting: list[int], number: int, gone: int, done: list[int]) -> float:
        if waiting and number < most:  # the second card of the first waiting hand
            no_pair = add(waiting[1:], number, gone, [*done, waiting[0]])
            return no_pair + add([waiting[0], 1, *waiting[1:]], number + 1, gone + 1, done)
        terms = [(h, len(done) - 1, 1) for h in done] + [(h, len(done), 0) for h in waiting]
        total = 0.0
        for hand, others, no_pair in terms:
            for j in range(gone, gone + others + 1):
                sign = (-1) ** (j - gone) * math.comb(others, j - gone)
                worth = hands[hand, j] - no_pair * chance[j] * of_pair[hand, j]
                total += np.prod(chance[:j]) * sign * worth
        return total

    return add([0, 0], 2, 0, [])


class Tables(NamedTuple):
    next: Array  # [further pair cards gone, hand, value of the next card]: probability
    waiting: Array  # [gone, hand]: value of a comparison with the dealer
    worth: Array  # [doublings, gone, hand or BUST]
    known: dict[Any, Array]  # values of known cards


class Checker:
    def __init__(self, header: Any, lines: list[Any]) -> None:
        self.rules, self.largest = header["rules"], 0.0
        self.lines = {(line["up"], line["hand"]): line for line in lines}
        require(len(self.lines) == len(lines) == header["lines"], "lines are missing or repeated")
        self.pack = range(99)[self.rules["decks"]] * np.array(
            [c[0] in self.rules["ranks"] for c in NAMED]
        )
        self.full = np.bincount(VALUE, self.pack, 10).astype(int)
        drawn = {"hit": SOFT, "stand": False}[self.rules["soft_17"]]  # hands of 17
        self.draws = (TOTAL < 17) | (TOTAL == 17) & drawn
        self.doublings = range(range(4)[self.rules["doublings"]] + 1)
        self.pair_of = {"one value": VALUE, "one rank": np.arange(52) // 4}[self.rules["pairs"]]
        self.most = [self.rules["split_hands"][value] for value in VALUES]
        self.sums = np.zeros((10, 2))  # by up card: chance, and chance times result
        suited = [{**row, "suits": []} for row in self.rules["pays"] if row["suits"]]
        require([not row["doublings"][1] for row in suited], "suits matter after doubling")
        fits = [self.fits(row, kind, 0, "") for row in suited for kind in range(3)]
        self.by_suits = set(np.flatnonzero(np.any([[False] * BUST, *fits], axis=0)))

    def fits(self, row: Any, kind: int, doublings: int, suits: str) -> Any:
        fit = (row["cards"][0] <= CARDS) & (CARDS <= row["cards"][1])
        fit &= (row["total"][0] <= TOTAL) & (TOTAL <= row["total"][1])
        ranks, sets = NAMES.tolist().index(row["ranks"] or "A"), map(SUIT_SETS.index, row["suits"])
        fit &= (SOFT | (not row["soft"])) & ((NAMES == NAMES[ranks]) | (not row["ranks"]))
        fit &= not row["suits"] or SUIT_SETS.index(suits) in [*sets]
        fit &= kind in [HANDS.index(hand) for hand in row["hands"]]
        return fit & (row["doublings"][0] <= doublings <= row["doublings"][1])

    @cache  # noqa: B019
    def play(self, kind: int, d: int, suits: str = "") -> tuple[Array, Array]:
        """For all hands: what a stand pays, or NaN if it is compared; which actions are legal."""
        pay, ended, legal = np.full(BUST, np.nan), np.zeros(BUST), np.zeros((7, BUST), dtype=bool)
        for row in reversed(self.rules["pays"]):
            fit = self.fits(row, kind, d, suits)
            pay[fit], ended[fit] = row["pay"][0] / row["pay"][1], row["ends"]
        for row in self.rules["actions"]:
            fit = self.fits({**row, "suits": []}, kind, d, suits)
            legal[ACTIONS.index(row["action"])] |= fit & (ended == 0)
        return pay, legal | (np.arange(7)[:, None] == STAND)

    def agree(self, listed: Any, computed: Any, name: str) -> None:
        apart = np.abs(np.asarray(listed, dtype=float) - computed)
        require(apart <= TOLERANCE, f"{name}: a listed number is off by {np.max(apart):.2g}")
        self.largest = max(self.largest, float(np.max(apart, initial=0)))

    def dealer(self, up: int, unseen: Array) -> Array:
        """Probabilities of 17 to 21 and a bust, after the check: [shoe, total]."""
        left, found = unseen.T.copy(), np.zeros((6, len(unseen)))
        cards, reached = left.sum(axis=0), {FOLLOW[0, up]: np.ones(len(unseen))}
        for hand in range(BUST):
            if hand in reached and not self.draws[hand]:
                found[TOTAL[hand] - 17] += reached.pop(hand)
            elif hand in reached:
                checks = CARDS[hand] == 1 and up in (0, 9)
                chance = reached.pop(hand) / (cards - (left[9 - up] if checks else CARDS[hand] - 1))
                for value in set(range(10)) - ({9 - up} if checks else set()):
                    after, held = FOLLOW[hand, value], HELD[hand, value] - (value == up)
                    part = chance * np.maximum(left[value] - held, 0)
                    reached[after] = reached.get(after, 0) + part
        found[5] = reached[BUST]
        return found.T

    def tables(self, up: int, shoes: Array, hands: Array) -> Tables:
        """Chances for these hands; `shoes` lack the up card and the pair cards gone."""
        unseen = np.maximum(shoes[:, None] - HELD, 0)
        met, numbers = np.unique(unseen[:, hands].reshape(-1, 10), axis=0, return_inverse=True)
        self.chances = self.dealer(up, met)[numbers].reshape(len(shoes), len(hands), 6)
        waiting = np.zeros(unseen.shape[:2])
        results = np.sign(TOTAL[hands, None] - [17, 18, 19, 20, 21, 0])  # against the dealer's
        waiting[:, hands] = (self.chances * results).sum(axis=-1)
        worth = np.zeros((len(self.doublings), len(shoes), BUST + 1))
        worth[:, :, BUST] = [[-(2.0**d)] for d in self.doublings]
        return Tables(next_cards(up, unseen), waiting, worth, {})

    def values(self, kind: int, d: int, hands: Any, tables: Tables, suits: str = "") -> Array:
        """The value of every action: [action, gone, hand]."""
        pay, legal = (part[..., hands] for part in self.play(kind, d, suits))
        found = np.full((7, len(tables.waiting), len(hands)), -np.inf)
        found[STAND] = 2.0**d * np.where(np.isnan(pay), tables.waiting[:, hands], pay)
        found[SURRENDER] = found[RESCUE] = -(2.0**d) / 2
        for action, after in (HIT, 0), (DOUBLE if d == 0 else DOUBLE_DOUBLE, d + 1):
            if after in self.doublings:
                drawn = tables.worth[after][:, FOLLOW[hands]]
                found[action] = (tables.next[:, hands] * drawn).sum(axis=-1)
        return np.where(legal[:, None], found, -np.inf)

    def known(self, kind: int, cards: tuple[int, int], left: Array, tables: Tables) -> Array:
        """The value of every action for two known cards: [action, gone]; `left` lacks them."""
        hand, final = TWO[cards], np.isin(FOLLOW[TWO[cards], VALUE], list(self.final))
        key, suits = (kind, cards, (left * final).tobytes()), {NAMED[card][1] for card in cards}
        if key not in tables.known:
            found = self.values(kind, 0, [hand], tables, "".join(sorted(suits)))[:, :, 0]
            for card in np.flatnonzero(left * final):
                third = FOLLOW[hand, VALUE[card]]
                pay = self.play(kind, 0, "".join(sorted(suits | {NAMED[card][1]})))[0][third]
                share = left[card] / left[VALUE == VALUE[card]].sum()
                worth = np.where(np.isnan(pay), tables.waiting[:, third], pay)
                found[HIT] += tables.next[:, hand, VALUE[card]] * share * worth
            tables.known[key] = found
        return tables.known[key]

    def play_splits(self, up: int, pair: int, hands: Array, unsplit: Array) -> Tables:
        """Value the hands that start with a card of this pair, played like unsplit ones."""
        hands, kind = hands[HELD[hands, pair] > 0], 1 + (pair == 0)
        gone = np.arange(1, 2 * self.most[pair] - 2)[:, None]
        tables = self.tables(up, self.full - ONE[up] - gone * ONE[pair], hands)
        for cards in range(21, 1, -1):
            rows = hands[CARDS[hands] == cards]
            for d in self.doublings[: cards - 1]:
                found = self.values(kind, d, rows, tables)
                best = best_action(np.where(found[:, 0] > -np.inf, unsplit[d][:, rows], -np.inf))
                tables.worth[d][:, rows] = found[best, :, np.arange(len(rows))].T
            tables.worth[0][:, list(self.final | self.suited)] = 0  # added by cards
        return tables

    def split(self, cards: Any, left: Array, tables: Tables, unsplit: Any) -> float:
        """The value of splitting two known cards; `left` lacks them."""
        pair, gone = VALUE[cards[0]], np.arange(len(tables.waiting))
        kind, one = 1 + (pair == 0), FOLLOW[0, VALUE[cards[0]]]
        alike = left * (self.pair_of == self.pair_of[cards[0]])
        chance = np.maximum(alike.sum() - gone, 0) / np.maximum(left[VALUE == pair].sum() - gone, 1)
        chance *= tables.next[:, one, pair]
        hands, of_pair = np.zeros((2, 2, len(gone)))
        later = [(1, alike[card] / alike.sum(), card) for card in np.flatnonzero(alike)]
        for source, weight, first in [(0, 0.5, cards[0]), (0, 0.5, cards[1]), *later]:
            unknown, worth = left - source * CARD[first], tables.worth[0][:, FOLLOW[one]]
            for card in np.flatnonzero(unknown * np.isin(TWO[first], list(self.suited))):
                two = min(first, card), max(first, card)
                found = self.known(kind, two, unknown - CARD[card], tables)
                best = best_action(np.where(found[:, 0] > -np.inf, unsplit[two], -np.inf))
                share = unknown[card] / unknown[VALUE == VALUE[card]].sum()
                worth[:, VALUE[card]] += found[best] * share
            hands[source] += weight * (tables.next[:, one] * worth).sum(axis=-1)
            of_pair[source] += weight * worth[:, pair]
        return split_value(self.most[pair], chance, hands, of_pair)

    def choose(self, listed: list[Any], values: Array, name: str) -> None:
        actions = [ACTIONS.index(action) for action, _ in listed]
        self.agree([worth for _, worth in listed], values[actions, range(len(listed))], name)
        require(best_action(values) == actions, f"{name}: another action is better")

    def check_up(self, up: int) -> None:
        hands = np.flatnonzero((CARDS > 1) & (HELD <= self.full - ONE[up]).all(axis=1))
        lines = {hand: self.lines.pop((VALUES[up], NAMES[hand])) for hand in hands}
        tables = self.tables(up, (self.full - ONE[up])[None], hands)
        self.agree([lines[h]["dealer"] for h in hands], self.chances[0], f"dealer's {VALUES[up]}")
        by_cards = {hand for hand in hands if lines[hand]["play"][0] is None}
        self.final = {hand for hand in by_cards if CARDS[hand] == 3}
        self.suited = {h for h in hands if CARDS[h] == 2 and self.final & set(FOLLOW[h])}
        self.suited |= (self.by_suits & set(hands)) - self.final
        may = [self.play(k, 0, s)[1][1:, list(self.final)] for k in range(3) for s in SUIT_SETS]
        require(self.suited <= by_cards and not np.any(may), "a hand isn't listed by cards")
        rows = [hands[CARDS[hands] > d + 1] for d in self.doublings]
        require([len(lines[h]["play"]) == min(CARDS[h] - 1, len(rows)) for h in hands], "play")
        for d in self.doublings:
            tables.worth[d][0, rows[d]] = [(lines[h]["play"][d] or (0, 0))[1] for h in rows[d]]
        unsplit = np.zeros((len(rows), 7, BUST))
        for d in self.doublings:
            unsplit[d][:, rows[d]] = self.values(0, d, rows[d], tables)[:, 0]
            more = [hand for hand in rows[d] if CARDS[hand] > 2 and (d or hand not in self.final)]
            self.choose([lines[hand]["play"][d] for hand in more], unsplit[d][:, more], VALUES[up])
        splits = {p: self.play_splits(up, p, hands, unsplit) for p in range(10) if self.most[p] > 1}
        ups = np.flatnonzero((VALUE == up) & (self.pack > 0))
        two = {hand: lines[hand] for hand in hands if CARDS[hand] == 2 and hand not in by_cards}
        self.check_two(ups[0], self.full[up], two, VALUES[up], tables, splits)
        named = HELD[list(by_cards), up].any()
        for card in ups if named else ups[:1]:
            weight, name = (self.pack[card], NAMED[card]) if named else (self.full[up], VALUES[up])
            self.check_two(card, weight, by_cards, name, tables, splits)

    def check_two(self, up: int, ups: int, hands: Any, name: str, tables: Any, splits: Any) -> None:
        """Check two cards: `hands` are lines, or compositions that are listed by cards."""
        value, left, same = VALUE[up], self.pack - CARD[up], np.arange(52)
        pairs = {two: left - sum(CARD[[*two]]) for two in TWO_CARDS if TWO[two] in hands}
        pairs = {two: rest for two, rest in pairs.items() if (rest >= 0).all()}
        if isinstance(hands, dict):
            pairs = dict({TWO[two]: (two, rest) for two, rest in pairs.items()}.values())
            left, same = (self.full - ONE[value])[VALUE], VALUE
        known = {two: self.known(0, two, rest, tables)[:, 0] for two, rest in pairs.items()}
        for (a, b), values in known.items():
            hand, title = TWO[a, b], f"{NAMED[a]}{NAMED[b]} against {name}"
            line = hands[hand] if isinstance(hands, dict) else self.lines.pop((name, title[:4]))
            if self.pair_of[a] == self.pair_of[b] and VALUE[a] in splits:
                values[SPLIT] = self.split((a, b), pairs[a, b], splits[VALUE[a]], known)
                self.agree(line["split"], values[SPLIT], f"split of {title}")
            self.choose(line["play"], values[:, None], title)
            wins = ["pushes", "wins"].index(self.rules["blackjack_tie"])
            rest = self.full - ONE[value] - HELD[hand]
            blackjack = rest[9 - value] / rest.sum() if value in (0, 9) else 0.0
            lost = wins * values[STAND] if hand == TWO[0, 51] else -1.0
            result = blackjack * lost + (1 - blackjack) * line["play"][0][1]
            chance = ups * left[a] * (left[b] - (same[a] == same[b])) * (2 - (same[a] == same[b]))
            self.sums[value] += chance / math.perm(self.full.sum(), 3) * np.array([1, result])


def check(path: str) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *lines = map(json.loads, file)
    kind = [header["format"], header["version"], len(header["rules"])]
    require(kind == ["ventiuna edge certificate", 1, 9], "not an edge certificate of version 1")
    checker = Checker(header, lines)
    for up in range(10):
        checker.check_up(up)
    require(not checker.lines, "hands that can't be dealt")
    chance, result = checker.sums.T
    checker.agree(1, chance.sum(), "chance of all deals")
    checker.agree([header["by_up"][v] for v in VALUES], np.array([chance, result / chance]).T, "up")
    checker.agree(header["house_edge"], -result.sum(), "house edge")
    print(f"accepted: {header['canonical']!r}, house edge {-100 * result.sum():.9f}%")
    print(f"{len(lines)} hands; no number is off by more than {checker.largest:.1g}")


if __name__ == "__main__":
    try:
        check("".join(sys.argv[1:2]))
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
        sys.exit(f"rejected: {error!r}")
