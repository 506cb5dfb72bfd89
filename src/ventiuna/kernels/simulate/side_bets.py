"""Side bets, Super and Envy Bonuses, sessions and meters, counted round by round.

Blocks are played anywhere and in any order, but a meter has a single history. So a block only
records its hits, and `walk_meters`, called for each block in order, pays them from the meter's
exact amount at the time.

Sums that may exceed 64 bits are wide: two neighboring ints, `low + high * 2**WIDE_BITS`. Nearly
every amount is small and is added to the low int without a carry; `carry` periodically moves the
excess to the high int.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ventiuna.core.meters import (
    contribution,
    empties_meter,
    meter_for_next_winner,
    raised_by,
    remainder_after,
    seed_after_round,
    seed_at_once,
    special_pay,
    taken_off_meter,
)
from ventiuna.core.rule_table import JACKPOTS, SPECIAL_LINES
from ventiuna.kernels.jit import compiled, compiled_within
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.layout import WIDE_BITS, Integer, Record

# --- Wide sums ---

Ints = npt.NDArray[np.int64]
_CARRY = 1 << WIDE_BITS
_LOW = _CARRY - 1
_HALF_BITS = WIDE_BITS // 2
_HALF = 1 << _HALF_BITS
_HALF_LOW = _HALF - 1
MAX_FACTOR = 1 << 60  # largest absolute value of a factor


@compiled_within
def carry(sums: Ints, place: int) -> None:
    """Normalize the low int to between -2**62 and 2**62."""
    add_wide(sums, place, 0)


@compiled_within
def add_wide(sums: Ints, place: int, amount: Integer) -> None:
    """Add an amount between -2**62 and 2**62; the low int must be in the same range."""
    low = sums[2 * place] + amount
    if low >= _CARRY or low <= -_CARRY:
        sums[2 * place + 1] += low >> WIDE_BITS
        low &= _LOW
    sums[2 * place] = low


@compiled_within
def add_product(sums: Ints, place: int, one: Integer, other: Integer) -> None:
    """Add a product of two factors up to MAX_FACTOR."""
    if -_HALF < one < _HALF and -_HALF < other < _HALF:
        add_wide(sums, place, one * other)
        return
    one_high, one_low = one >> _HALF_BITS, one & _HALF_LOW
    other_high, other_low = other >> _HALF_BITS, other & _HALF_LOW
    crossed = one_high * other_low + one_low * other_high
    sums[2 * place + 1] += one_high * other_high + (crossed >> _HALF_BITS)
    add_wide(sums, place, (crossed & _HALF_LOW) << _HALF_BITS)
    add_wide(sums, place, one_low * other_low)


# --- Side bets, bonuses, sessions ---


@compiled_within
def insures(side: Record, has_blackjack: bool, count_is_enough: bool) -> int:
    habit = side["insures"][1 if has_blackjack else 0]
    if habit == at.INSURES_BY_COUNT:
        return 1 if count_is_enough else 0
    return 1 if habit == at.INSURES else 0


@compiled_within
def settle_insurance(
    side: Record, scratch: Record, sums: Record, spots: int, level: int, blackjack: bool
) -> None:
    """Settle insurance on all spots: the first part of a spot's result outside the base game."""
    insured = scratch["insured"]
    parts = scratch["parts"]
    rest = scratch["rest"]
    result = side["insurance_pay"][level] if blackjack else -side["insurance_stake"][level]
    placed = 0
    for s in range(spots):
        paid = 0
        if insured[s] != 0:
            paid = result
            insured[s] = 0
            placed += 1
        parts[s, at.LOG_INSURANCE] = paid
        rest[s] = paid
    if placed > 0:
        won = 1 if blackjack else 0
        sums["insured"][(won * at.LEVELS + level) * at.ANY_SPOTS + placed] += 1


@compiled_within
def settle_matches(side: Record, scratch: Record, spots: int, bonus_cards: int) -> None:
    """Settle Match the Dealer: up card, down card, Bonus Cards."""
    dealt = scratch["dealt"]
    parts = scratch["parts"]
    rest = scratch["rest"]
    codes = side["match_codes"]
    stakes = side["match_stake"]
    pays = side["match_pay"]
    counts = side["match_counts"]
    down_at = 2 * spots + 1
    for s in range(spots):
        first = np.int64(dealt[s]) * 64
        second = np.int64(dealt[spots + 1 + s]) * 64
        total = 0
        for w in range(2 + bonus_cards):
            if stakes[w] == 0:
                continue
            dealer_card = dealt[spots] if w == 0 else dealt[down_at + w - 1]
            code = np.int64(codes[first + dealer_card]) + codes[second + dealer_card]
            counts[w * at.MATCH_CODES + code] += 1
            pay = pays[w * at.MATCH_CODES + code]
            parts[s, at.LOG_MATCH + w] = pay
            total += pay
        rest[s] += total


@compiled_within
def settle_jackpots(
    side: Record, scratch: Record, hits: Ints, noted: int, spots: int, number: int
) -> int:
    """Settle all lines except those paid from a meter, which are recorded as hits.

    Returns the number of new hits. Awards are paid from the dealer's left, game by game at each
    spot (R-095).
    """
    stakes = side["jackpot_stake"]
    if stakes[0] == 0 and stakes[1] == 0:
        return 0
    dealt = scratch["dealt"]
    parts = scratch["parts"]
    rest = scratch["rest"]
    codes_of = side["match_codes"]
    possible = side["jackpot_possible"]
    pays = side["jackpot_pay"]
    counts = side["jackpot_counts"]
    up_card = np.int64(dealt[spots])
    down_card = np.int64(dealt[2 * spots + 1])
    found = 0
    for s in range(spots):
        first = np.int64(dealt[s])
        second = np.int64(dealt[spots + 1 + s])
        with_up = np.int64(codes_of[first * 64 + up_card]) + codes_of[second * 64 + up_card]
        with_down = np.int64(codes_of[first * 64 + down_card])
        with_down += codes_of[second * 64 + down_card]
        codes = with_up * at.MATCH_CODES + with_down
        total = 0
        for game in range(JACKPOTS):
            if stakes[game] == 0:
                continue
            line: Integer = 0
            if possible[game * at.CODE_PAIRS + codes] == 1:
                line = special_line_at(side, game, codes, first, second, up_card, down_card)
            index = (game * at.JACKPOT_CELLS + line * at.CODE_PAIRS + codes) & at.PLACE
            counts[index] += 1
            pay = pays[index]
            parts[s, at.LOG_JACKPOT + game] = pay
            total += pay
            if line != 0 and side["from_meter"][game * SPECIAL_LINES + line] == 1:
                record_hit(hits, noted + found, number, s, game, line, pay)
                found += 1
        rest[s] += total
    return found


@compiled_within
def count_table_squares(side: Record, scratch: Record, spots: int) -> None:
    """Add the squares of the spots' combined results for each kind of wager."""
    parts = scratch["parts"]
    for w in range(at.MATCHES):
        if side["match_stake"][w] != 0:
            table = 0
            for s in range(spots):
                table += parts[s, at.LOG_MATCH + w]
            add_product(side["match_squared"], w, table, table)
    for game in range(JACKPOTS):
        if side["jackpot_stake"][game] != 0:
            table = 0
            for s in range(spots):
                table += parts[s, at.LOG_JACKPOT + game]
            add_product(side["jackpot_squared"], game, table, table)


@compiled_within
def special_line_at(
    side: Record,
    game: int,
    codes: Integer,
    first: Integer,
    second: Integer,
    up_card: Integer,
    down_card: Integer,
) -> Integer:
    kind = side["card_kind"]
    kinds = np.int64(kind[first]) * 64 + kind[second] * 16 + kind[up_card] * 4 + kind[down_card]
    place = (game * at.CODE_PAIRS + codes) * at.CARD_KINDS + kinds
    return np.int64(side["jackpot_line"][place])


@compiled_within
def record_hit(
    hits: Ints, row: int, number: int, spot: int, game: int, line: int, pay: int
) -> None:
    if row < hits.shape[0]:
        hits[row, at.HIT_ROUND] = number
        hits[row, at.HIT_SPOT] = spot
        hits[row, at.HIT_GAME] = game
        hits[row, at.HIT_LINE] = line
        hits[row, at.HIT_OWN] = pay


@compiled_within
def complete_hits(scratch: Record, hits: Ints, noted: int, found: int, spots: int) -> None:
    """Write the round's results next to its hits; the meters are walked when blocks merge."""
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


@compiled_within
def add_super_bonuses(
    scratch: Record, sums: Record, pay: int, envy_pay: Ints, spots: int, level: int, winners: int
) -> None:
    """Add the winning spots' Super Bonuses and all Envy Bonuses; each spot is a separate player."""
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


@compiled_within
def add_rest(found: Ints, net: Integer, rest: Integer) -> None:
    """Add the rest of a spot's result; small amounts of CARRIED rounds never overflow."""
    if -at.SMALL_REST < rest < at.SMALL_REST:
        found[2 * at.REST] += rest
        found[2 * at.REST_SQUARED] += rest * rest
        found[2 * at.REST_PRODUCT] += net * rest
    else:
        add_large_rest(found, net, rest)


@compiled_within
def add_large_rest(found: Ints, net: Integer, rest: Integer) -> None:
    carry_rest(found)
    add_wide(found, at.REST, rest)
    add_product(found, at.REST_SQUARED, rest, rest)
    add_product(found, at.REST_PRODUCT, net, rest)


@compiled_within
def carry_rest(found: Ints) -> None:
    for place in range(at.RESTS):
        carry(found, place)


@compiled_within
def count_rest(scratch: Record, sums: Record, spots: int) -> None:
    """Add up each spot's result apart from the base game; one spot's sums are also the table's."""
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


@compiled_within
def total_place(total: int, width: int) -> int:
    """Return the histogram index of a total result, clamped to its ends."""
    half = at.TOTAL_PLACES // 2 * width
    above = min(max(total + half, 0), 2 * half - 1)
    # Integer division is several times slower; float division may round up to a whole number.
    place = int(above / width)
    return place - 1 if place * width > above else place


@compiled_within
def count_totals(side: Record, scratch: Record, grain: int, spots: int) -> None:
    totals = side["totals"]
    width = side["total_width"]
    net = scratch["net"]
    rest = scratch["rest"]
    for s in range(spots):
        totals[total_place(net[s] * grain + rest[s], width)] += 1


@compiled_within
def count_spots(scratch: Record, sums: Record, spots: int) -> None:
    """Add sums by spot and sums of products, for the covariance of spots."""
    net = scratch["net"]
    found = sums["spots"]
    for s in range(spots):
        found[s] += net[s]
        for other in range(s + 1):
            found[at.MAX_SPOTS * (1 + s) + other] += net[s] * net[other]


@compiled_within
def count_session(
    scratch: Record, running: Ints, ended: Ints, length: int, grain: int, spots: int, number: int
) -> None:
    """Update sessions: a spot's bankroll over `length` rounds.

    A push doesn't end a losing streak.
    """
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


@compiled_within
def add_square(found: Ints, place: int, amount: Integer) -> None:
    if -at.SMALL_RESULT < amount < at.SMALL_RESULT:
        found[2 * place] += amount * amount
    else:
        add_product(found, place, amount, amount)


@compiled_within
def count_by_count(scratch: Record, sums: Record, place: int, grain: int, spots: int) -> None:
    """Add the round's result to the sums for the count at the time of the bet."""
    net = scratch["net"]
    rest = scratch["rest"]
    found = sums["count_results"]
    first = place * at.COUNTED_SUMS
    table = 0
    for s in range(spots):
        total = net[s] * grain + rest[s]
        table += total
        add_square(found, first + at.COUNTED_SQUARED, total)
    sums["count_rounds"][place] += 1
    add_wide(found, first + at.COUNTED, table)
    if spots > 1:
        add_square(found, first + at.COUNTED_TABLE_SQUARED, table)


@compiled_within
def clear_round(scratch: Record) -> None:
    for s in range(at.MAX_SPOTS):
        scratch["net"][s] = 0
        scratch["rest"][s] = 0
        scratch["insured"][s] = 0


# --- Meters ---


class MeterRules(NamedTuple):
    """The fields of a RuleTable that `core.meters` reads, under the same names, as arrays."""

    jackpot_percent: Ints
    jackpot_prize: Ints
    jackpot_wager: Ints
    jackpot_is_house: Ints
    jackpot_in_sequence: Ints
    jackpot_contribution: Ints
    jackpot_seed: Ints
    jackpot_reseeds_after_round: Ints
    jackpot_prize_from_meter: Ints
    wagered: Ints  # by round and game, all spots together


AsTable = Any  # MeterRules, which the functions in `core` accept as a RuleTable


class MeterState(NamedTuple):
    cents: Ints
    remainder: Ints
    highest: Ints


class MeterCounts(NamedTuple):
    """Effects of a block's hits on the meters, by game, and the payment of each hit."""

    resets: Ints
    seeded: Ints  # cents added by the house after a reset
    payments: Ints  # [hit]: cents paid


class BlockHits(NamedTuple):
    """A block's hits, and the results that awards change."""

    hits: Ints
    rounds: int
    grain: int  # cents per unit of the base game
    totals: Ints  # histogram of total results
    total_width: int
    sessions: Ints  # finished sessions
    session_length: int


@compiled_within
def grow(m: AsTable, state: MeterState, game: int, rounds: int) -> None:
    """Add the contributions of `rounds` rounds."""
    added = rounds * contribution(m, game, m.wagered[game])
    state.cents[game] += raised_by(state.remainder[game], added)
    state.remainder[game] = remainder_after(state.remainder[game], added)
    state.highest[game] = max(state.highest[game], state.cents[game])


@compiled_within
def add_seed(state: MeterState, out: MeterCounts, game: int, seed: int) -> None:
    state.cents[game] += seed
    out.seeded[game] += seed


@compiled
def walk_meters(
    m: AsTable,
    state: MeterState,
    out: MeterCounts,
    block: BlockHits,
) -> None:
    """Pay all hits of a block and update its results with the awards."""
    hits, totals, sessions = block.hits, block.totals, block.sessions
    grown = np.zeros(JACKPOTS, dtype=np.int64)  # rounds whose contributions were added
    shown = np.zeros(JACKPOTS, dtype=np.int64)  # meter shown to the round's next winner
    seeds = np.zeros(JACKPOTS, dtype=np.int64)  # added after the round
    last_round = -1
    last_spot = -1
    won_by_spot = 0
    for row in range(hits.shape[0]):
        hit = hits[row]
        number = hit[at.HIT_ROUND]
        spot = hit[at.HIT_SPOT]
        game = hit[at.HIT_GAME]
        line = hit[at.HIT_LINE]
        if number != last_round:
            for other in range(JACKPOTS):
                add_seed(state, out, other, seeds[other])
                seeds[other] = 0
                grow(m, state, other, number + 1 - grown[other])
                grown[other] = number + 1
                shown[other] = state.cents[other]
        if number != last_round or spot != last_spot:
            won_by_spot = 0
        last_round = number
        last_spot = spot
        paid = special_pay(m, game, line, shown[game])
        shown[game] = meter_for_next_winner(m, game, line, shown[game])
        state.cents[game] -= taken_off_meter(m, game, paid)
        add_seed(state, out, game, seed_at_once(m, game, line))
        if empties_meter(m, game, line):
            out.resets[game] += 1
            seeds[game] = seed_after_round(m, game, line)
        out.payments[row] = paid
        total = hit[at.HIT_NET] * block.grain + hit[at.HIT_REST] + won_by_spot
        totals[total_place(total, block.total_width)] -= 1
        totals[total_place(total + paid, block.total_width)] += 1
        if block.session_length > 0 and number // block.session_length < sessions.shape[0]:
            sessions[number // block.session_length, spot, at.RESULT] += paid
        won_by_spot += paid
    for game in range(JACKPOTS):
        add_seed(state, out, game, seeds[game])
        grow(m, state, game, block.rounds - grown[game])


def new_meter_counts(hits: int) -> MeterCounts:
    return MeterCounts(*(np.zeros(size, dtype=np.int64) for size in (JACKPOTS, JACKPOTS, hits)))
