"""Wagers besides the base game, Super and Envy Bonuses, sessions: counted round by round."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ventiuna.core.table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.jit import compiled
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.layout import Integer
from ventiuna.kernels.simulate.wide import SMALL, add_product, add_small_square, add_wide

Ints = npt.NDArray[np.int64]


@compiled
def insures(side: Any, has_blackjack: bool, count_is_enough: bool) -> int:
    habit = side["insures"][1 if has_blackjack else 0]
    if habit == at.INSURES_BY_COUNT:
        return 1 if count_is_enough else 0
    return 1 if habit == at.INSURES else 0


@compiled
def settle_sides(
    side: Any, scratch: Any, sums: Any, spots: int, level: int, bonus_cards: int, blackjack: bool
) -> None:
    """Insurance and Match the Dealer of all spots into `parts`."""
    settle_insurance(side, scratch, sums, spots, level, blackjack)
    settle_matches(side, scratch, spots, bonus_cards)


@compiled
def settle_insurance(
    side: Any, scratch: Any, sums: Any, spots: int, level: int, blackjack: bool
) -> None:
    insured = scratch["insured"]
    parts = scratch["parts"]
    result = side["insurance_pay"][level] if blackjack else -side["insurance_stake"][level]
    placed = 0
    for s in range(spots):
        parts[s, at.LOG_INSURANCE] = 0
        if insured[s] != 0:
            parts[s, at.LOG_INSURANCE] = result
            insured[s] = 0
            placed += 1
    if placed > 0:
        won = 1 if blackjack else 0
        sums["insured"][(won * at.LEVELS + level) * at.ANY_SPOTS + placed] += 1


@compiled
def settle_matches(side: Any, scratch: Any, spots: int, bonus_cards: int) -> None:
    """Match the Dealer: up card, down card, Bonus Cards."""
    dealt = scratch["dealt"]
    parts = scratch["parts"]
    codes = side["match_codes"]
    stakes = side["match_stake"]
    pays = side["match_pay"]
    counts = side["match_counts"]
    squared = side["match_squared"]
    down_at = 2 * spots + 1
    for w in range(2 + bonus_cards):
        if stakes[w] == 0:
            continue
        dealer_card = dealt[spots] if w == 0 else dealt[down_at + w - 1]
        table = 0
        for s in range(spots):
            code = np.int64(codes[np.int64(dealt[s]) * 64 + dealer_card])
            code += codes[np.int64(dealt[spots + 1 + s]) * 64 + dealer_card]
            counts[w * at.MATCH_CODES + code] += 1
            pay = pays[w * at.MATCH_CODES + code]
            parts[s, at.LOG_MATCH + w] = pay
            table += pay
        if spots > 1:
            add_product(squared, w, table, table)


@compiled
def settle_jackpots(
    side: Any, scratch: Any, hits: Ints, noted: int, spots: int, number: int
) -> int:
    """All lines but those that a meter pays; these are noted as hits. Returns the new hits."""
    stakes = side["jackpot_stake"]
    if stakes[0] == 0 and stakes[1] == 0:
        return 0
    dealt = scratch["dealt"]
    parts = scratch["parts"]
    codes_of = side["match_codes"]
    possible = side["jackpot_possible"]
    pays = side["jackpot_pay"]
    counts = side["jackpot_counts"]
    squared = side["jackpot_squared"]
    up_card = np.int64(dealt[spots])
    down_card = np.int64(dealt[2 * spots + 1])
    found = 0
    for game in range(JACKPOTS):
        if stakes[game] == 0:
            continue
        table = 0
        for s in range(spots):
            first = np.int64(dealt[s])
            second = np.int64(dealt[spots + 1 + s])
            with_up = np.int64(codes_of[first * 64 + up_card]) + codes_of[second * 64 + up_card]
            with_down = np.int64(codes_of[first * 64 + down_card])
            with_down += codes_of[second * 64 + down_card]
            codes = with_up * at.MATCH_CODES + with_down
            line: Any = 0
            if possible[game * at.CODE_PAIRS + codes] == 1:
                line = special_line_at(side, game, codes, first, second, up_card, down_card)
            index = game * at.JACKPOT_CELLS + line * at.CODE_PAIRS + codes
            counts[index] += 1
            pay = pays[index]
            parts[s, at.LOG_JACKPOT + game] = pay
            table += pay
            if line != 0 and side["from_meter"][game * SPECIAL_LINES + line] == 1:
                note_hit(hits, noted + found, number, s, game, line, pay)
                found += 1
        if spots > 1:
            add_product(squared, game, table, table)
    return found


@compiled
def special_line_at(
    side: Any,
    game: int,
    codes: Integer,
    first: Integer,
    second: Integer,
    up_card: Integer,
    down_card: Integer,
) -> Any:
    kind = side["card_kind"]
    kinds = np.int64(kind[first]) * 64 + kind[second] * 16 + kind[up_card] * 4 + kind[down_card]
    place = (game * at.CODE_PAIRS + codes) * at.CARD_KINDS + kinds
    return np.int64(side["jackpot_line"][place])


@compiled
def note_hit(hits: Ints, row: int, number: int, spot: int, game: int, line: int, pay: int) -> None:
    if row < hits.shape[0]:
        hits[row, at.HIT_ROUND] = number
        hits[row, at.HIT_SPOT] = spot
        hits[row, at.HIT_GAME] = game
        hits[row, at.HIT_LINE] = line
        hits[row, at.HIT_OWN] = pay


@compiled
def complete_hits(scratch: Any, hits: Ints, noted: int, found: int, spots: int) -> None:
    """Write the round's results beside its hits; the meters are walked when blocks merge."""
    net = scratch["net"]
    rest = scratch["rest"]
    parts = scratch["parts"]
    table_net = 0
    table_rest = 0
    for s in range(spots):
        table_net += net[s]
        table_rest += rest[s]
    last = min(noted + found, hits.shape[0])
    for row in range(noted, last):
        spot = hits[row, at.HIT_SPOT]
        own = 0
        for s in range(spots):
            own += parts[s, at.LOG_JACKPOT + hits[row, at.HIT_GAME]]
        hits[row, at.HIT_TABLE_OWN] = own
        hits[row, at.HIT_NET] = net[spot]
        hits[row, at.HIT_REST] = rest[spot]
        hits[row, at.HIT_TABLE_NET] = table_net
        hits[row, at.HIT_TABLE_REST] = table_rest
    order_hits(hits, noted, last)


@compiled
def order_hits(hits: Ints, start: int, end: int) -> None:
    """Awards are paid from the dealer's left, game after game at each spot (R-095)."""
    for row in range(start + 1, end):
        place = row
        while place > start and hits[place, at.HIT_SPOT] < hits[place - 1, at.HIT_SPOT]:
            for column in range(at.HIT_COLUMNS):
                kept = hits[place, column]
                hits[place, column] = hits[place - 1, column]
                hits[place - 1, column] = kept
            place -= 1


@compiled
def add_parts(scratch: Any, spots: int) -> None:
    parts = scratch["parts"]
    rest = scratch["rest"]
    for s in range(spots):
        total = 0
        for part in range(at.LOG_SUPER):
            total += parts[s, part]
        rest[s] = total


@compiled
def add_super_bonuses(
    scratch: Any, sums: Any, pay: int, envy_pay: Ints, spots: int, level: int, winners: int
) -> None:
    """Super Bonuses of the winning spots, Envy Bonuses of all; each spot is its own player."""
    if pay == 0:
        return
    rest = scratch["rest"]
    parts = scratch["parts"]
    total = 0
    for s in range(spots):
        total += (winners >> s) & 1
    sums["supers"][level * at.ANY_SPOTS + total] += 1
    for s in range(spots):
        own = (winners >> s) & 1
        if own == 1:
            rest[s] += pay
            parts[s, at.LOG_SUPER] = pay
        envy = envy_pay[own * at.ANY_SPOTS + total - own]
        rest[s] += envy
        parts[s, at.LOG_ENVY] = envy


@compiled
def add_rest(found: Ints, net: Integer, rest: Integer) -> None:
    """A spot's rest. Small ones of a whole block never fill the low part of their sum alone."""
    if -SMALL < rest < SMALL:
        found[2 * at.REST] += rest
        add_small_square(found, at.REST_SQUARED, rest)
        add_wide(found, at.REST_PRODUCT, net * rest)
    else:
        add_wide(found, at.REST, rest)
        add_product(found, at.REST_SQUARED, rest, rest)
        add_product(found, at.REST_PRODUCT, net, rest)


@compiled
def count_rest(scratch: Any, sums: Any, spots: int) -> None:
    """With one spot the sums of the table are the spot's own."""
    net = scratch["net"]
    rest = scratch["rest"]
    found = sums["rest"]
    table_net = 0
    table_rest = 0
    for s in range(spots):
        table_net += net[s]
        table_rest += rest[s]
        add_rest(found, net[s], rest[s])
    if spots > 1:
        add_product(found, at.TABLE_REST_SQUARED, table_rest, table_rest)
        add_product(found, at.TABLE_REST_PRODUCT, table_net, table_rest)


@compiled
def total_place(total: int, width: int) -> int:
    """The place of a whole result in the histogram; what lies beyond its ends goes to the last."""
    place = total // width + at.TOTAL_PLACES // 2
    return min(max(place, 0), at.TOTAL_PLACES - 1)


@compiled
def count_totals(side: Any, scratch: Any, grain: int, spots: int) -> None:
    totals = side["totals"]
    width = side["total_width"]
    net = scratch["net"]
    rest = scratch["rest"]
    for s in range(spots):
        totals[total_place(net[s] * grain + rest[s], width)] += 1


@compiled
def count_spots(scratch: Any, sums: Any, spots: int) -> None:
    """Sums by spot and sums of products, for the covariance of spots."""
    net = scratch["net"]
    found = sums["spots"]
    for s in range(spots):
        found[s] += net[s]
        for other in range(s + 1):
            found[at.MOST_SPOTS * (1 + s) + other] += net[s] * net[other]


@compiled
def count_session(
    scratch: Any, running: Ints, ended: Ints, length: int, grain: int, spots: int, number: int
) -> None:
    """A session is a spot's bankroll over so many rounds; a push does not end a losing run."""
    net = scratch["net"]
    rest = scratch["rest"]
    ends = (number + 1) % length == 0
    for s in range(spots):
        total = net[s] * grain + rest[s]
        running[s, at.RESULT] += total
        running[s, at.LOWEST] = min(running[s, at.LOWEST], running[s, at.RESULT])
        if total < 0:
            running[s, at.LOSING] += 1
            running[s, at.LONGEST] = max(running[s, at.LONGEST], running[s, at.LOSING])
        elif total > 0:
            running[s, at.LOSING] = 0
        if ends:
            place = number // length
            ended[place, s, at.RESULT] = running[s, at.RESULT]
            ended[place, s, at.LOWEST] = running[s, at.LOWEST]
            ended[place, s, at.LONGEST] = running[s, at.LONGEST]
            for column in range(4):
                running[s, column] = 0


@compiled
def forget_round(scratch: Any) -> None:
    for s in range(at.MOST_SPOTS):
        scratch["net"][s] = 0
        scratch["rest"][s] = 0
        scratch["insured"][s] = 0
