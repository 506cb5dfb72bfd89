"""Wagers besides the base game, Super and Envy Bonuses, sessions: counted round by round."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ventiuna.core.jackpot import NO_LINE, special_line
from ventiuna.core.table import JACKPOTS
from ventiuna.kernels import simulate_layout as at
from ventiuna.kernels.jit import compiled

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
_SPECIALS = 4
_GAME = _SPECIALS * at.MATCH_CODES * at.MATCH_CODES
INSURES, INSURES_BY_COUNT = 1, 2


@compiled
def take_insurance(
    t: Any, side: Any, spots: int, dealt: Bytes, enough: bool, insured: Bytes
) -> None:
    """Which spots insure, with an ace up."""
    for s in range(spots):
        node = t.following[(t.one_card[dealt[s]] << t.shift) + t.column[dealt[spots + 1 + s]]]
        habit = side.insures[1 if t.blackjack_entry[node] > 0 else 0]
        insured[s] = 1 if habit == INSURES or (habit == INSURES_BY_COUNT and enough) else 0


@compiled
def settle_insurance(
    side: Any, out: Any, spots: int, level: int, blackjack: bool, insured: Bytes, parts: Ints
) -> None:
    table = 0
    for s in range(spots):
        parts[s, at.LOG_INSURANCE] = 0
        if insured[s] == 0:
            continue
        stake = side.insurance_stake[level]
        result = side.insurance_pay[level] if blackjack else -stake
        out.counters[at.INSURANCE_WON if blackjack else at.INSURANCE_LOST] += 1
        out.counters[at.INSURANCE_STAKED] += stake
        out.counters[at.INSURANCE_NET] += result
        out.counters[at.INSURANCE_SQUARED] += result * result
        parts[s, at.LOG_INSURANCE] = result
        insured[s] = 0
        table += result
    out.counters[at.TABLE_INSURANCE_SQUARED] += table * table


@compiled
def settle_matches(side: Any, spots: int, dealt: Bytes, bonus_cards: int, parts: Ints) -> None:
    """Match the Dealer: up card, down card, Bonus Cards."""
    up_at = spots
    down_at = 2 * spots + 1
    for w in range(2 + bonus_cards):
        if side.match_stake[w] == 0:
            continue
        dealer_card = dealt[up_at] if w == 0 else dealt[down_at + w - 1]
        table = 0
        for s in range(spots):
            code = (
                side.match_codes[dealt[s] * 64 + dealer_card]
                + side.match_codes[dealt[spots + 1 + s] * 64 + dealer_card]
            )
            side.match_counts[w * at.MATCH_CODES + code] += 1
            pay = side.match_pay[w * at.MATCH_CODES + code]
            parts[s, at.LOG_MATCH + w] = pay
            table += pay
        side.match_squared[w] += table * table


@compiled
def settle_jackpots(side: Any, out: Any, spots: int, number: int, dealt: Bytes, parts: Ints) -> int:
    """All lines but those that a meter pays; these are noted as hits. Returns the new hits."""
    up_card = dealt[spots]
    down_card = dealt[2 * spots + 1]
    found = 0
    for s in range(spots):
        first = dealt[s]
        second = dealt[spots + 1 + s]
        with_up = side.match_codes[first * 64 + up_card] + side.match_codes[second * 64 + up_card]
        with_down = (
            side.match_codes[first * 64 + down_card] + side.match_codes[second * 64 + down_card]
        )
        codes = with_up * at.MATCH_CODES + with_down
        for game in range(JACKPOTS):
            if side.jackpot_stake[game] == 0:
                continue
            line = 0
            if side.jackpot_possible[game * at.MATCH_CODES * at.MATCH_CODES + codes] == 1:
                line = special_line(side.rules, game, first, second, up_card, down_card)
            index = game * _GAME + line * at.MATCH_CODES * at.MATCH_CODES + codes
            side.jackpot_counts[index] += 1
            parts[s, at.LOG_JACKPOT + game] = side.jackpot_pay[index]
            if line != NO_LINE and side.from_meter[game * _SPECIALS + line] == 1:
                row = out.counters[at.HITS] + found
                if row < side.hits.shape[0]:
                    side.hits[row, at.HIT_ROUND] = number
                    side.hits[row, at.HIT_SPOT] = s
                    side.hits[row, at.HIT_GAME] = game
                    side.hits[row, at.HIT_LINE] = line
                    side.hits[row, at.HIT_OWN] = side.jackpot_pay[index]
                found += 1
    return found


@compiled
def add_parts(spots: int, parts: Ints, rest: Ints) -> None:
    for s in range(spots):
        total = 0
        for part in range(at.LOG_SUPER):
            total += parts[s, part]
        rest[s] = total


@compiled
def complete_hits(
    side: Any,
    out: Any,
    found: int,
    spots: int,
    parts: Ints,
    net: Ints,
    rest: Ints,
    table_own: Ints,
) -> None:
    """Write the round's results beside its hits; the meters are walked when blocks merge."""
    table_net = 0
    table_rest = 0
    for s in range(spots):
        table_net += net[s]
        table_rest += rest[s]
    for game in range(JACKPOTS):
        own = 0
        for s in range(spots):
            own += parts[s, at.LOG_JACKPOT + game]
        side.jackpot_squared[game] += own * own
        table_own[game] = own
    for k in range(found):
        row = out.counters[at.HITS] + k
        if row < side.hits.shape[0]:
            spot = side.hits[row, at.HIT_SPOT]
            side.hits[row, at.HIT_TABLE_OWN] = table_own[side.hits[row, at.HIT_GAME]]
            side.hits[row, at.HIT_NET] = net[spot]
            side.hits[row, at.HIT_REST] = rest[spot]
            side.hits[row, at.HIT_TABLE_NET] = table_net
            side.hits[row, at.HIT_TABLE_REST] = table_rest
    out.counters[at.HITS] += found


@compiled
def add_super_bonuses(
    t: Any, out: Any, spots: int, level: int, winners: int, parts: Ints, rest: Ints
) -> None:
    """Super Bonuses of the winning spots, Envy Bonuses of all; each spot is its own player."""
    if t.super_pay[level] == 0:
        return
    total = 0
    table_super = 0
    table_envy = 0
    for s in range(spots):
        total += (winners >> s) & 1
    for s in range(spots):
        own = (winners >> s) & 1
        if own == 1:
            paid = t.super_pay[level]
            out.counters[at.SUPER_BONUSES] += 1
            out.counters[at.SUPER_PAID] += paid
            out.counters[at.SUPER_SQUARED] += paid * paid
            rest[s] += paid
            parts[s, at.LOG_SUPER] = paid
            table_super += paid
        envy = t.envy_pay[own * 8 + total - own]
        if envy > 0:
            out.counters[at.ENVIES] += 1
            out.counters[at.ENVY_PAID] += envy
            out.counters[at.ENVY_SQUARED] += envy * envy
            rest[s] += envy
            parts[s, at.LOG_ENVY] = envy
            table_envy += envy
    out.counters[at.TABLE_SUPER_SQUARED] += table_super * table_super
    out.counters[at.TABLE_ENVY_SQUARED] += table_envy * table_envy


@compiled
def count_rest(out: Any, spots: int, net: Ints, rest: Ints) -> None:
    table_net = 0
    table_rest = 0
    for s in range(spots):
        table_net += net[s]
        table_rest += rest[s]
        out.rest[at.REST] += rest[s]
        out.rest[at.REST_SQUARED] += rest[s] * rest[s]
        out.rest[at.REST_PRODUCT] += net[s] * rest[s]
    out.rest[at.TABLE_REST_SQUARED] += table_rest * table_rest
    out.rest[at.TABLE_REST_PRODUCT] += table_net * table_rest


@compiled
def count_totals(t: Any, side: Any, spots: int, net: Ints, rest: Ints) -> None:
    """Histogram of a spot's whole result; what lies beyond its ends goes to the last place."""
    for s in range(spots):
        total = net[s] * t.grain + rest[s]
        side.totals[total_place(total, side.total_width, len(side.totals))] += 1


@compiled
def total_place(total: int, width: int, places: int) -> int:
    place = total // width + places // 2
    return min(max(place, 0), places - 1)


@compiled
def count_spots(out: Any, spots: int, net: Ints) -> None:
    """Sums by spot and sums of products, for the covariance of spots."""
    for s in range(spots):
        out.spots[s] += net[s]
        for other in range(s + 1):
            out.spots[at.MOST_SPOTS * (1 + s) + other] += net[s] * net[other]


@compiled
def count_session(t: Any, sessions: Any, spots: int, number: int, net: Ints, rest: Ints) -> None:
    """A session is a spot's bankroll over so many rounds; a push does not end a losing run."""
    place = number // sessions.length
    for s in range(spots):
        total = net[s] * t.grain + rest[s]
        running = sessions.running[s]
        running[at.RESULT] += total
        running[at.LOWEST] = min(running[at.LOWEST], running[at.RESULT])
        if total < 0:
            running[at.LOSING] += 1
            running[at.LONGEST] = max(running[at.LONGEST], running[at.LOSING])
        elif total > 0:
            running[at.LOSING] = 0
        if (number + 1) % sessions.length == 0:
            ended = sessions.ended[place, s]
            ended[0] = running[at.RESULT]
            ended[1] = running[at.LOWEST]
            ended[2] = running[at.LONGEST]
            for column in range(4):
                running[column] = 0
