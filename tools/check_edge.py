"""Check an edge certificate: python tools/check_edge.py FILE. Exit code 1 if it is rejected.

Written from docs/explanation/edge-certificate.md alone; Ventiuna isn't needed.
"""

import gzip
import json
import math
import sys
import zlib
from functools import cache
from itertools import combinations, combinations_with_replacement, product
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
COUNTS, FOLLOWING, INDEX = [(0,) * 10], [], {(0,) * 10: 0}
for counts in COUNTS:  # grows while it is read
    for added in range(10):
        longer = tuple(count + (value == added) for value, count in enumerate(counts))
        if sum(count * (value + 1) for value, count in enumerate(longer)) > 21:
            FOLLOWING.append(-1)
        else:
            FOLLOWING.append(INDEX.setdefault(longer, len(COUNTS)))
            COUNTS += [longer] * (FOLLOWING[-1] == len(COUNTS))
BUST, HELD = len(COUNTS), np.array(COUNTS)
FOLLOW = np.reshape(FOLLOWING, (BUST, 10)) % (BUST + 1)
CARDS, HARD = HELD.sum(axis=1), HELD @ np.arange(1, 11)
SOFT = (HELD[:, 0] > 0) & (HARD <= 11)
TOTAL = HARD + 10 * SOFT
RESULTS = np.sign(TOTAL[:, None] - [17, 18, 19, 20, 21, 0])  # against the dealer's totals
NAMES = np.array(["".join(map(str.__mul__, VALUES, held)) for held in COUNTS])
NAMED = [rank + suit for rank in RANKS for suit in SUITS]  # all cards
VALUE = np.minimum(np.arange(52) // 4, 9)  # of each card
TWO = FOLLOW[FOLLOW[0, VALUE][:, None], VALUE]  # the composition of two cards
TWO_CARDS = list(combinations_with_replacement(range(52), 2))
BLACKJACK = TWO[0, 51]
ONE, CARD = np.eye(10, dtype=int), np.eye(52, dtype=int)


def require(holds: Any, text: str) -> None:
    if not np.all(holds):
        raise ValueError(text)


def suits_of(*cards: int) -> str:
    return "".join(sorted({NAMED[card][1] for card in cards}))


def next_cards(up: int, unseen: Array) -> Array:
    """Probabilities of the next card's value, after the dealer's check; the last axis is values."""
    cards = unseen.sum(axis=-1, keepdims=True)
    if up not in (0, 9):
        return unseen / cards
    special = unseen[..., [9 - up]]
    chances = unseen / (cards - special) * (cards - special - 1) / (cards - 1)
    chances[..., [9 - up]] = special / (cards - 1)
    return chances


def best_action(values: Array) -> Array:
    """The first of the best actions; illegal ones are worth minus infinity."""
    best, most = np.zeros(values.shape[1:], dtype=int), np.array(values[STAND])
    for action in range(HIT, RESCUE + 1):
        better = values[action] > most + TOLERANCE
        best[better], most[better] = action, values[action][better]
    return best


def split_value(most: int, chance: Array, hands: Array, of_pair: Array) -> float:
    """Add up the hands of a split; arrays are by first card (dealt or later) and cards gone."""
    all_pairs = np.cumprod([1.0, *chance])

    def add(waiting: list[int], number: int, gone: int, done: list[int]) -> float:
        if waiting and number < most:  # the second card of the first waiting hand
            no_pair = add(waiting[1:], number, gone, [*done, waiting[0]])
            return no_pair + add([waiting[0], 1, *waiting[1:]], number + 1, gone + 1, done)
        terms = [(hand, len(done) - 1, 1) for hand in done]
        terms += [(hand, len(done), 0) for hand in waiting]
        total = 0.0
        for hand, others, no_pair in terms:
            for j in range(gone, gone + others + 1):
                worth = hands[hand, j] - no_pair * chance[j] * of_pair[hand, j]
                total += (-1) ** (j - gone) * math.comb(others, j - gone) * all_pairs[j] * worth
        return total

    return add([0, 0], 2, 0, [])


class Tables(NamedTuple):
    """Hands against an up card, by number of further pair cards gone."""

    next: Array  # [gone, hand, value]
    waiting: Array  # [gone, hand]: value of a comparison with the dealer
    worth: Array  # [doublings, gone, hand or BUST]


class Checker:
    def __init__(self, header: Any, lines: list[Any]) -> None:
        self.rules, self.largest = header["rules"], 0.0
        self.lines = {(line["up"], line["hand"]): line for line in lines}
        require(len(self.lines) == len(lines) == header["lines"], "lines are missing or repeated")
        decks, ranks = self.rules["decks"], self.rules["ranks"]
        self.pack = np.array([decks * (card[0] in ranks) for card in NAMED])
        self.full = np.bincount(VALUE, self.pack, 10).astype(int)
        self.draws = (TOTAL < 17) | (TOTAL == 17) & SOFT & (self.rules["soft_17"] == "hit")
        self.doublings = range(self.rules["doublings"] + 1)
        self.most = [self.rules["split_hands"][value] for value in VALUES]
        self.sums = np.zeros((10, 2))  # by up card: chance, and chance times result
        differ = np.zeros((len(self.doublings), BUST), dtype=bool)
        for kind, d in np.ndindex(3, len(self.doublings)):
            forms = np.array([np.vstack(self.play(kind, d, suits)) for suits in SUIT_SETS])
            differ[d] |= (np.nan_to_num(forms, nan=-9) != np.nan_to_num(forms[0], nan=-9)).any(
                (0, 1)
            )
        require(not differ[1:].any() and (CARDS[differ[0]] < 4).all(), "too many hands need suits")
        self.by_suits = set(np.flatnonzero(differ[0]))

    @cache
    def play(self, kind: int, doublings: int, suits: str = "") -> tuple[Array, Array]:
        """For all hands: what a stand pays, or NaN if it is compared; which actions are legal."""

        def fits(row: Any) -> Array:
            (fewest, most), (low, high), (first, last) = (
                row["cards"],
                row["total"],
                row["doublings"],
            )
            fit = (fewest <= CARDS) & (most >= CARDS) & (low <= TOTAL) & (high >= TOTAL)
            fit &= (SOFT | (not row["soft"])) & ((NAMES == row["ranks"]) | (not row["ranks"]))
            fit &= (not row["suits"] or suits in row["suits"]) and HANDS[kind] in row["hands"]
            return fit & (first <= doublings <= last)

        pay, ended, legal = np.full(BUST, np.nan), np.zeros(BUST), np.zeros((7, BUST), dtype=bool)
        for row in reversed(self.rules["pays"]):
            pay[fits(row)], ended[fits(row)] = row["pay"][0] / row["pay"][1], row["ends"]
        for row in self.rules["actions"]:
            legal[ACTIONS.index(row["action"])] |= fits(row) & (ended == 0)
        legal[STAND] = True
        return pay, legal

    def agree(self, listed: Any, computed: Any, name: str, tolerance: float = TOLERANCE) -> None:
        apart = np.abs(np.asarray(listed, dtype=float) - computed)
        require(apart <= tolerance, f"{name}: a listed number differs by {np.max(apart):.2g}")
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
                others = cards - (left[9 - up] if checks else CARDS[hand] - 1)
                chance = reached.pop(hand) / others
                for value in set(range(10)) - ({9 - up} if checks else set()):
                    after, held = FOLLOW[hand, value], HELD[hand, value] - (value == up)
                    part = chance * np.maximum(left[value] - held, 0)
                    if after == BUST:
                        found[5] += part
                    else:
                        reached[after] = reached.get(after, 0) + part
        return found.T

    def tables(self, up: int, shoes: Array, hands: Array) -> Tables:
        """Chances for these hands; `shoes` lack the up card and the pair cards gone."""
        unseen = np.maximum(shoes[:, None] - HELD, 0)
        shoes_met, numbers = np.unique(
            unseen[:, hands].reshape(-1, 10), axis=0, return_inverse=True
        )
        self.chances = self.dealer(up, shoes_met)[numbers].reshape(len(shoes), len(hands), 6)
        waiting = np.zeros(unseen.shape[:2])
        waiting[:, hands] = (self.chances * RESULTS[hands]).sum(axis=-1)
        worth = np.zeros((len(self.doublings), len(shoes), BUST + 1))
        worth[:, :, BUST] = [[-(2.0**d)] for d in self.doublings]
        return Tables(next_cards(up, unseen), waiting, worth)

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
        hand = TWO[cards]
        found = self.values(kind, 0, [hand], tables, suits_of(*cards))[:, :, 0]
        for third in set(FOLLOW[hand]) & self.final:
            here = left * (FOLLOW[hand, VALUE] == third)
            for card in np.flatnonzero(here):
                worth = self.values(kind, 0, [third], tables, suits_of(*cards, card))[STAND, :, 0]
                chance = tables.next[:, hand, VALUE[card]] * here[card] / here.sum()
                found[HIT] += chance * worth
        return found

    def play_splits(self, up: int, pair: int, hands: Array, unsplit: Array) -> Tables:
        """Value the hands that start with a card of this pair, played like unsplit ones."""
        gone, kind = np.arange(1, 2 * self.most[pair] - 2)[:, None], 1 + (pair == 0)
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
        by_rank = self.rules["pairs"] == "one rank"
        alike = left * (np.arange(52) // 4 == cards[0] // 4 if by_rank else VALUE == pair)
        share = np.maximum(alike.sum() - gone, 0) / (left[VALUE == pair].sum() - gone)
        hands, of_pair = np.zeros((2, 2, len(gone)))
        later = [(1, alike[card] / alike.sum(), card) for card in np.flatnonzero(alike)]
        for source, weight, first in [(0, 0.5, cards[0]), (0, 0.5, cards[1]), *later]:
            unknown = left - source * CARD[first]
            for value, hand in enumerate(FOLLOW[one]):
                worth, here = tables.worth[0][:, hand], unknown * (VALUE == value)
                for card in np.flatnonzero(here) if hand in self.suited else ():
                    two = min(first, card), max(first, card)
                    found = self.known(kind, two, unknown - CARD[card], tables)
                    best = best_action(np.where(found[:, 0] > -np.inf, unsplit[two], -np.inf))
                    worth = worth + found[best] * here[card] / here.sum()
                hands[source] += weight * tables.next[:, one, value] * worth
                of_pair[source] += weight * worth * (value == pair)
        return split_value(self.most[pair], tables.next[:, one, pair] * share, hands, of_pair)

    def choose(self, listed: list[Any], values: Array, name: str) -> None:
        """Require that the listed actions have the listed values, and are the best."""
        actions = [ACTIONS.index(action) for action, _ in listed]
        self.agree([worth for _, worth in listed], values[actions, range(len(listed))], name)
        require(best_action(values) == actions, f"{name}: another action is better")

    def check_up(self, up: int) -> None:
        """Check all hands against an up card value."""
        shoe, cards, name = self.full - ONE[up], self.full.sum(), f"against {VALUES[up]}"
        hands = np.flatnonzero((CARDS > 1) & (HELD <= shoe).all(axis=1))
        lines = {hand: self.lines.pop((VALUES[up], NAMES[hand])) for hand in hands}
        tables = self.tables(up, shoe[None], hands)
        self.agree([lines[hand]["dealer"] for hand in hands], self.chances[0], f"dealer {name}")
        by_cards = {hand for hand in hands if lines[hand]["play"][0] is None}
        self.final = {hand for hand in by_cards if CARDS[hand] > 2}
        self.suited = {h for h in hands if CARDS[h] == 2 and self.final & set(FOLLOW[h])}
        self.suited |= (self.by_suits & set(hands)) - self.final
        require(self.suited <= by_cards, "a hand isn't listed by cards")
        for hand, kind, suits in product(self.final, range(3), SUIT_SETS):
            require(
                CARDS[hand] == 3 and not self.play(kind, 0, suits)[1][1:, hand].any(), "no action"
            )
        unsplit = np.zeros((len(self.doublings), 7, BUST))
        for d in self.doublings:
            rows = hands[CARDS[hands] > d + 1]
            tables.worth[d][0, rows] = [(lines[hand]["play"][d] or (0, 0))[1] for hand in rows]
        for d in self.doublings:
            rows = hands[CARDS[hands] > d + 1]
            unsplit[d][:, rows] = self.values(0, d, rows, tables)[:, 0]
            rows = [h for h in rows if CARDS[h] > 2 and (d > 0 or h not in self.final)]
            self.choose([lines[hand]["play"][d] for hand in rows], unsplit[d][:, rows], name)
        splits = {
            pair: self.play_splits(up, pair, hands[HELD[hands, pair] > 0], unsplit)
            for pair in range(10)
            if self.most[pair] > 1
        }
        named = up in {value for hand in by_cards for value in np.flatnonzero(HELD[hand])}
        ups = np.flatnonzero((VALUE == up) & (self.pack > 0))
        for up_card, listed in [(ups[0], False), *product(ups if named else ups[:1], [True])]:
            left = self.pack - CARD[up_card]
            stock = left if listed else shoe[VALUE]
            rest = {(a, b): left - CARD[a] - CARD[b] for a, b in TWO_CARDS if TWO[a, b] in hands}
            rest = {
                two: cards
                for two, cards in rest.items()
                if (cards >= 0).all() and (TWO[two] in by_cards) == listed
            }
            if not listed:
                rest = dict({TWO[two]: (two, rest[two]) for two in rest}.values())
            known = {two: self.known(0, two, unseen, tables)[:, 0] for two, unseen in rest.items()}
            for (a, b), values in known.items():
                hand, line, both = TWO[a, b], lines[TWO[a, b]], 2 - (VALUE[a] == VALUE[b])
                if listed:
                    both = 2 - (a == b)
                    line = self.lines.pop(
                        (NAMED[up_card] if named else VALUES[up], NAMED[a] + NAMED[b])
                    )
                name = f"{line['hand']} against {line['up']}"
                by_rank = self.rules["pairs"] == "one rank"
                if VALUE[a] == VALUE[b] in splits and (not by_rank or a // 4 == b // 4):
                    values[SPLIT] = self.split((a, b), rest[a, b], splits[VALUE[a]], known)
                    self.agree(line["split"], values[SPLIT], f"split of {name}")
                self.choose(line["play"][:1], values[:, None], name)
                ways = (
                    stock[a]
                    * (stock[b] + both - 2)
                    * both
                    * (self.pack[up_card] if listed and named else self.full[up])
                )
                deal = ways / (cards * (cards - 1) * (cards - 2))
                unseen = shoe - HELD[hand]
                blackjack = unseen[9 - up] / unseen.sum() if up in (0, 9) else 0.0
                self.agree([line["deal"], line["blackjack"]], [deal, blackjack], name, 1e-15)
                tie = values[STAND] if self.rules["blackjack_tie"] == "wins" else 0.0
                lost = tie if hand == BLACKJACK else -1.0
                value = blackjack * lost + (1 - blackjack) * line["play"][0][1]
                self.sums[up] += [deal, deal * value]


def check(path: str) -> str:
    """Raise an error if the certificate is wrong; otherwise, say what has been proven."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header, *lines = map(json.loads, file)
    require(header["format"] == "ventiuna edge certificate", "not an edge certificate")
    checker = Checker(header, lines)
    for up in range(10):
        checker.check_up(up)
    require(not checker.lines, "hands that can't be dealt")
    chance, result = checker.sums.T
    checker.agree(1, chance.sum(), "chance of all deals")
    listed = [header["by_up"][value] for value in VALUES]
    checker.agree(listed, np.array([chance, result / chance]).T, "results by up card")
    checker.agree(header["house_edge"], -result.sum(), "house edge")
    return (
        f"{header['canonical']}: accepted. House edge {-100 * result.sum():.9f}%, "
        f"{len(lines)} hands; the largest difference is {checker.largest:.1g}."
    )


if __name__ == "__main__":
    try:
        print(check(sys.argv[1]))
    except (
        ValueError,
        LookupError,
        TypeError,
        ArithmeticError,
        OSError,
        EOFError,
        zlib.error,
    ) as error:
        sys.exit(f"rejected: {error!r}")
