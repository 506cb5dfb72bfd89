"""Write best play and the value of every hand, for a checker that doesn't trust Ventiuna.

The format and the game are defined in `docs/explanation/edge-certificate.md`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ventiuna.analysis.base_game import solver
from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.composition import Composition, fresh_composition
from ventiuna.cards import SUITS, Pack, card_text
from ventiuna.core.actions import ACTION_NAMES, SPLIT, STAND, first_legal
from ventiuna.core.cards import suit_bit_of
from ventiuna.kernels.exact.dealer import dealer_tree
from ventiuna.kernels.exact.suits import legal_by_suits
from ventiuna.kernels.exact.tables import (
    KINDS,
    SUIT_MASKS,
    UNSPLIT,
    VALUES,
    Floats,
    Game,
    lattice,
)
from ventiuna.package import version
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint, load_rules
from ventiuna.rules.compiled import suit_masks, winning_rows
from ventiuna.rules.model import DoubleOn21, Problem, RulesError, Split, Surrender
from ventiuna.rules.options import MAX_CARDS

FORMAT, VERSION = "ventiuna edge certificate", 1
VALUE_LETTERS = "A23456789T"
DECIMALS = 15
MAX_DOUBLINGS = 3
_ORIGINS = ("unsplit", "split", "split ace")

Line = dict[str, Any]


class EdgeCertificate(NamedTuple):
    """A finished certificate."""

    rules: Rules
    house_edge: float
    lines: int  # hands against up cards
    content: bytes  # the compressed file

    def as_data(self) -> dict[str, object]:
        """Plain data for JSON, without the file's content."""
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "version": version(),
            "house_edge": self.house_edge,
            "hands": self.lines,
            "bytes": len(self.content),
        }


def edge_certificate(
    rules: Rules | str, report: Callable[[float], None] | None = None
) -> EdgeCertificate:
    """Solve the base game from a full shoe and list every hand."""
    loaded = rules if isinstance(rules, Rules) else load_rules(rules)
    composition = fresh_composition(loaded)
    found = solver.solve(compile_rules(loaded), composition)
    _refuse_suited_choices(found.game)
    lines: list[str] = []
    ups = int(found.game["ups"]) + VALUES
    for number, part in enumerate(_parts(loaded, composition, found)):
        lines += [json.dumps(line, separators=(",", ":")) for line in part]
        if report:
            report((number + 1) / ups)
    analysis = analyze(loaded)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "canonical": canonical(loaded),
        "fingerprint": fingerprint(loaded),
        "rules": rules_data(loaded),
        "house_edge": _rounded(analysis.house_edge),
        "by_up": {
            letter: [_rounded(up.chance), _rounded(up.ev)]
            for letter, up in zip(VALUE_LETTERS, analysis.by_up, strict=True)
        },
        "lines": len(lines),
    }
    text = "\n".join([json.dumps(header), *lines, ""])
    content = gzip.compress(text.encode(), mtime=0)
    return EdgeCertificate(loaded, analysis.house_edge, len(lines), content)


def rules_data(rules: Rules) -> dict[str, Any]:
    """Return the rules of the base game as plain data: who may do what, and what is paid."""
    table = compile_rules(rules)
    return {
        "decks": rules.decks,
        "ranks": "A23456789TJQK" if rules.pack == Pack.STANDARD else "A23456789JQK",
        "soft_17": str(rules.soft_17),
        "blackjack_tie": str(rules.blackjack_tie),
        "doublings": table.doublings_at_most,
        "pairs": "one rank" if rules.split == Split.SAME_RANK else "one value",
        "split_hands": {
            letter: solver.hands_at_most(table, value) for value, letter in enumerate(VALUE_LETTERS)
        },
        "actions": list(_action_rows(rules)),
        "pays": list(_pay_rows(rules)),
    }


def _row(**different: object) -> Line:
    """Return a row that matches all hands, apart from the keys given."""
    any_hand: Line = {
        "hands": list(_ORIGINS),
        "doublings": [0, MAX_DOUBLINGS],
        "cards": [2, MAX_CARDS],
        "total": [2, 21],
        "soft": False,
        "ranks": "",
        "suits": [],
    }
    return any_hand | different


def _action_rows(rules: Rules) -> Iterator[Line]:
    """Rows of the hands that may take each action, for a checker that doesn't know the options.

    A test compares them with `core`.
    """
    table = compile_rules(rules)
    unsplit, all_hands = _ORIGINS[0], list(_ORIGINS)
    may_draw = all_hands[:2] if table.split_aces_one_card else all_hands
    may_double = may_draw if table.double_after_split else [unsplit]
    yield {"action": "hit"} | _row(hands=may_draw, doublings=[0, 0], total=[2, 20])
    low, high = max(table.double_low, 2), min(table.double_high, 20)
    double: Line = {"action": "double"} | _row(
        hands=may_double, doublings=[0, 0], cards=[2, table.double_max_cards]
    )
    again = {"action": "double-double"} | _row(doublings=[1, table.doublings_at_most - 1])
    yield double | {"total": [low, high]}
    if table.double_blackjack:
        yield double | {"hands": [unsplit], "cards": [2, 2], "total": [21, 21]}
    if rules.double_on_21 != DoubleOn21.NEVER:
        on_21 = {"total": [21, 21], "soft": rules.double_on_21 == DoubleOn21.SOFT}
        if table.double_max_cards > 2:
            yield double | on_21 | {"cards": [3, table.double_max_cards]}
        if len(may_double) > 1:
            yield double | on_21 | {"hands": may_double[1:], "cards": [2, 2]}
        if rules.double_double:
            yield again | on_21
    if rules.double_double:
        yield again | {"total": [2, 20]}
    if rules.surrender == Surrender.LATE:
        first = {"hands": [unsplit], "doublings": [0, 0], "cards": [2, 2]}
        yield {"action": "surrender"} | _row(total=[2, 20]) | first
    if rules.surrender == Surrender.ANY_TIME:
        yield {"action": "surrender"} | _row(total=[2, 20])
    if table.rescue:
        yield {"action": "rescue"} | _row(total=[2, 20], doublings=[1, MAX_DOUBLINGS])


def _pay_rows(rules: Rules) -> Iterator[Line]:
    """Rows of the hands that are paid immediately; the first match pays."""
    blackjack = _row(hands=["unsplit"], doublings=[0, 0], cards=[2, 2], total=[21, 21])
    for name, suits, odds in (
        ("two diamonds", ["d"], rules.diamond_blackjack_pays),
        ("blackjack", [], rules.blackjack_pays),
    ):
        if not suits or odds != rules.blackjack_pays:
            pay = {"name": name, "pay": [odds.num, odds.den], "ends": False}
            yield pay | blackjack | {"suits": suits}
    for row, doubled, ends in winning_rows(rules):
        masks = suit_masks(row.suits)
        suits = [_suits(mask) for mask in range(SUIT_MASKS) if masks >> mask & 1]
        yield {"name": row.name, "pay": [row.pay.num, row.pay.den], "ends": ends} | _row(
            hands=list(_ORIGINS) if row.after_split else ["unsplit"],
            doublings=[0, MAX_DOUBLINGS if doubled else 0],
            cards=list(row.cards),
            total=list(row.total),
            ranks="".join(VALUE_LETTERS[rank - 1] for rank in sorted(row.ranks)),
            suits=[] if row.suits == "any" else suits,
        )


def _suits(mask: int) -> str:
    return "".join(letter for suit, letter in enumerate(SUITS) if mask >> suit & 1)


def _refuse_suited_choices(game: Game) -> None:
    """The format has no lines for three cards of known suits, so these may only stand."""
    for place in np.flatnonzero(game["hidden"]):
        legal = game["suit_legal"][:KINDS, game["suit_row"][place], 1:SUIT_MASKS]
        if (legal != 1 << STAND).any():
            raise RulesError(
                [
                    Problem(
                        "bonus_21",
                        "a suited row for three cards that may still be played",
                        "R-061",
                        "an edge certificate needs suited hands of three cards to be final",
                        "Use certify without --policy, or remove the row.",
                    )
                ]
            )


def _rounded(number: float) -> float:
    return round(float(number), DECIMALS)


def _parts(rules: Rules, composition: Composition, found: solver.Solution) -> Iterator[list[Line]]:
    """Yield the lines of each up card value, then those of each up card listed by card."""
    tree = dealer_tree(compile_rules(rules))
    chances = solver.dealer_chances(tree, found.game["shoe"], solver.ALL_PLACES)
    for up in range(VALUES):
        yield list(_compositions(found, up, chances))
    for up_row in range(int(found.game["ups"])):
        yield list(_known_cards(found, up_row, composition))


def _compositions(found: solver.Solution, up: int, chances: Floats) -> Iterator[Line]:
    """Lines of all compositions against an up card value."""
    game, places = found.game, lattice()
    shoe = game["shoe"].copy()
    shoe[up] -= 1
    for place in solver.ALL_PLACES:
        counts = places.counts[place]
        if (shoe < counts).any():
            continue
        totals = chances[place, up]
        line: Line = {
            "up": VALUE_LETTERS[up],
            "hand": "".join(VALUE_LETTERS[v] * counts[v] for v in range(VALUES)),
            "dealer": [_rounded(chance) for chance in (*totals, 1 - totals.sum())],
        }
        most = min(int(game["doublings_at_most"]), int(places.cards[place]) - 2)
        line["play"] = [_play(found, up, int(place), doublings) for doublings in range(most + 1)]
        may_split = game["legal"][UNSPLIT, 0, place] >> SPLIT & 1
        if may_split and not game["by_card"][place]:
            line["split"] = _rounded(found.plays["by_action"][up, SPLIT, place])
        yield line


def _play(found: solver.Solution, up: int, place: int, doublings: int) -> list[object] | None:
    game, plays = found.game, found.plays
    if doublings == 0 and (game["by_card"][place] or game["hidden"][place]):
        return None
    legal = int(game["legal"][UNSPLIT, doublings, place])
    chosen = first_legal(int(plays["preferences"][up, doublings, place]), legal)
    value = plays["values"][up, doublings, place]
    if doublings == 0:
        value = plays["by_action"][up, chosen, place]
    return [ACTION_NAMES[chosen], _rounded(value)]


def _known_cards(found: solver.Solution, up_row: int, composition: Composition) -> Iterator[Line]:
    """Lines of all hands listed by cards against a listed up card."""
    game = found.game
    up_card, up = int(game["up_card"][up_row]), int(game["up_value"][up_row])
    left = list(composition)
    left[up_card] -= 1
    alone = game["up_count"][up_row] == composition[up_card]
    for row in range(int(game["pairs"])):
        first, second = int(game["pair_first"][row]), int(game["pair_second"][row])
        if not left[first] or left[second] <= (first == second):
            continue
        place = int(game["pair_place"][row])
        mask = suit_bit_of(first) | suit_bit_of(second)
        legal = int(legal_by_suits(game, UNSPLIT, place, mask))
        values = found.suited["values"][row, up_row]
        line: Line = {
            "up": card_text(up_card) if alone else VALUE_LETTERS[up],
            "hand": card_text(first) + card_text(second),
        }
        is_pair = not game["same_rank"] or first // 4 == second // 4
        if is_pair and game["legal"][UNSPLIT, 0, place] >> SPLIT & 1:
            legal |= 1 << SPLIT
            line["split"] = _rounded(values[SPLIT])
        chosen = first_legal(int(found.suited["preferences"][row, up_row]), legal)
        line["play"] = [[ACTION_NAMES[chosen], _rounded(values[chosen])]]
        yield line
