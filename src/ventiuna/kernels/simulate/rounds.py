"""The order of play, compiled: rounds dealt, played and counted by the million.

Contains no rules. The hand graph and the tables built from `core` for every node
(`ventiuna.simulation.tables`) decide what a hand does and what it is paid; this module knows only
whose card comes next, and the player's count and errors. The loop is a single function so that the
generator's state and the hand stay in registers.

Arguments that are None are compiled out: `play_rounds` exists once in source and several times as
machine code (base game only, all wagers, with a log for the lockstep proof). Tables with players
never use this random generator.
"""

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.actions import HIT, SPLIT, STAND
from ventiuna.core.cards import ACE
from ventiuna.kernels.jit import compiled, compiled_within
from ventiuna.kernels.simulate import layout as at
from ventiuna.kernels.simulate.layout import (
    AS_DEALT,
    BLACKJACK,
    BY_TOTAL,
    BY_VALUE,
    CELL,
    COUNT_PLACES,
    DEALER_BLACKJACK,
    DEALER_DONE,
    DOUBLED_ONCE,
    FROM_ACES,
    FROM_ACES_LAST,
    FROM_SPLIT,
    FROM_SPLIT_LAST,
    INDEX_PLAY,
    LOWEST_COUNT,
    MODES,
    PARTS,
    PLACE,
    RESCUED,
    SUPER,
    SURRENDERED,
    TERMINAL,
    TERMINALS,
    UPS,
    WAGERS,
    Counts,
    DealBuffers,
    Integer,
    Log,
    PlayTables,
    Record,
    Sessions,
)
from ventiuna.kernels.simulate.side_bets import (
    add_super_bonuses,
    carry_rest,
    clear_round,
    complete_hits,
    count_by_count,
    count_rest,
    count_session,
    count_spots,
    count_table_squares,
    count_totals,
    insures,
    settle_insurance,
    settle_jackpots,
    settle_matches,
)

# --- Random numbers and drawing cards ---

U64 = np.uint64
_A, _B, _C, _D, _E = U64(23), U64(41), U64(17), U64(45), U64(19)
_UNUSED_BITS, _USED_BITS = U64(16), U64(48)


@compiled_within
def next_random(s0: U64, s1: U64, s2: U64, s3: U64) -> tuple[U64, U64, U64, U64, U64]:
    """Perform one step of xoshiro256++; return the number and the new state."""
    mixed = s0 + s3
    number = ((mixed << _A) | (mixed >> _B)) + s0
    shifted = s1 << _C
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _D) | (s3 >> _E)
    return number, s0, s1, s2, s3


@compiled_within
def below(number: U64, limit: int) -> Integer:
    """Return an index below the limit from 48 random bits; the bias is under 2e-12 for any shoe."""
    return np.int64(((number >> _UNUSED_BITS) * U64(limit)) >> _USED_BITS)


@compiled_within
def gather_discards(shoe: npt.NDArray[np.uint8], begin: int) -> int:
    """Return the discards to the shoe when it runs out during a round.

    The round's cards, at positions from `begin` on, move to the front, and all others can be drawn
    again. Returns the new position, which is the shoe's size if every card is on the table.
    """
    size = len(shoe)
    lying = size - begin
    for i in range(min(lying, begin)):
        # Swap ends rather than blocks: the order of cards still to be drawn doesn't matter.
        card = shoe[i]
        shoe[i] = shoe[size - 1 - i]
        shoe[size - 1 - i] = card
    return lying


@compiled_within
def draw(
    shoe: npt.NDArray[np.uint8], pos: int, s0: U64, s1: U64, s2: U64, s3: U64
) -> tuple[Integer, int, U64, U64, U64, U64]:
    """Draw the next card by one Fisher-Yates step; the caller ensures that there is one."""
    number, s0, s1, s2, s3 = next_random(s0, s1, s2, s3)
    here = pos & PLACE
    there = (pos + below(number, len(shoe) - pos)) & PLACE
    card = np.int64(shoe[there])
    shoe[there] = shoe[here]
    shoe[here] = card
    return card, pos + 1, s0, s1, s2, s3


# --- Playing by the count, and errors ---

Ints = npt.NDArray[np.int64]
_ERROR_BITS = U64(11)


@compiled_within
def reaches(mind: Record, count: Integer, left: int, threshold: Integer) -> bool:
    """Return whether the count, running or true with `left` unseen cards, is at the threshold."""
    if mind["is_true"] == 1:
        return bool(count * mind["deck"] * 100 >= threshold * left)
    return bool(count * 100 >= threshold)


@compiled_within
def bet_level(mind: Record, count: Integer, left: int) -> int:
    level = 0
    for k in range(1, mind["levels"]):
        if reaches(mind, count, left, mind["ramp"][k]):
            level = k
    return level


@compiled_within
def count_place(mind: Record, count: Integer, left: int) -> int:
    """Return the index of the count in whole counts, rounded down.

    The quotient of two such ints is either whole or far enough from a whole number that rounding
    the float down is correct.
    """
    unit = mind["scale"]
    if mind["is_true"] == 1:
        count *= mind["deck"]
        unit *= left
    place: Integer = np.int64(np.floor(count / unit)) - LOWEST_COUNT
    return int(min(max(place, 0), COUNT_PLACES - 1))


@compiled_within
def new_count(mind: Record, counts: Ints) -> Integer:
    """Return the running count of a new shoe, and reset the parallel counts."""
    for k in range(mind["parts"]):
        counts[k] = mind["part_start"][k]
    start: Integer = mind["start"]
    return start


@compiled_within
def count_card(mind: Record, counts: Ints, card: Integer) -> Integer:
    """Return what a card adds to the running count, and update the parallel counts."""
    for k in range(mind["parts"]):
        counts[k] += mind["part_tags"][(k << 6) + card]
    tag: Integer = mind["tags"][card]
    return tag


@compiled_within
def seen_count(
    mind: Record, shoe: npt.NDArray[np.uint8], pos: int, hidden: Integer, counts: Ints
) -> Integer:
    """Recount after discards were returned: only the round's face-up cards count as seen."""
    count: Integer = new_count(mind, counts)
    for k in range(pos):
        count += count_card(mind, counts, shoe[k])
    for k in range(mind["parts"]):
        counts[k] -= mind["part_tags"][(k << 6) + hidden]
    return count - mind["tags"][hidden]


@compiled_within
def insurance_count(mind: Record, count: Integer, counts: Ints) -> Integer:
    """Return the combined count used for insurance."""
    if mind["insure_by_parts"] == 1:
        count = 0
        for k in range(mind["parts"]):
            count += mind["insure_weights"][k] * counts[k]
    return count


@compiled_within
def play_count(mind: Record, count: Integer, counts: Ints, play: Integer) -> Integer:
    """Return the combined count used for an index play."""
    if mind["play_by_parts"][play] == 1:
        count = 0
        for k in range(mind["parts"]):
            count += mind["play_weights"][play * PARTS + k] * counts[k]
    return count


@compiled_within
def action_of(code: Integer) -> Integer:
    """Return the player's action for a code."""
    if code == TERMINAL + SURRENDERED:
        return actions.SURRENDER
    if code == TERMINAL + RESCUED:
        return actions.RESCUE
    return actions.STAND if code >= TERMINAL else code


@compiled_within
def code_of(action: Integer, stand_code: Integer) -> Integer:
    if action == actions.STAND:
        return stand_code
    if action == actions.SURRENDER:
        return TERMINAL + SURRENDERED
    if action == actions.RESCUE:
        return TERMINAL + RESCUED
    return action


@compiled_within
def count_bits(mask: Integer) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled_within
def other_action(mask: Integer, action: Integer, number: U64) -> int:
    """Return one of the other legal actions, each with equal probability."""
    others = mask & ~(1 << action)
    skip = below(number, count_bits(others))
    found = 0
    for candidate in range(actions.ACTIONS):
        if (others >> candidate) & 1 == 1:
            if skip == 0:
                found = candidate
            skip -= 1
    return found


@compiled_within
def chosen_code(
    mind: Record,
    code: Integer,
    legal: Integer,
    stand_code: Integer,
    count: Integer,
    counts: Ints,
    left: Integer,
    s0: U64,
    s1: U64,
    s2: U64,
    s3: U64,
) -> tuple[Integer, Integer, U64, U64, U64, U64]:
    """Return the code actually played, and 0 or 1 + the action that departs from the chart."""
    deviation = 0
    if code >= INDEX_PLAY:
        play = code - INDEX_PLAY
        own = play_count(mind, count, counts, play)
        is_below = not reaches(mind, own, left, mind["play_at"][play])
        code = np.int64(mind["play_below"][play] if is_below else mind["play_above"][play])
        if is_below == (mind["departs_below"][play] == 1):
            deviation = 1 + action_of(code)
    mask = np.int64(legal)
    if mind["error_limit"] > 0 and count_bits(mask) > 1:
        number, s0, s1, s2, s3 = next_random(s0, s1, s2, s3)
        if number >> _ERROR_BITS < mind["error_limit"]:
            number, s0, s1, s2, s3 = next_random(s0, s1, s2, s3)
            action = other_action(mask, action_of(code), number)
            code = np.int64(code_of(action, stand_code))
            deviation = 1 + action
    return code, deviation, s0, s1, s2, s3


# --- Rounds ---


@compiled_within
def split_mode(starts_with_ace: int, may_split: bool) -> int:
    """Return the mode of a hand that starts with a split card."""
    if starts_with_ace == 1:
        return FROM_ACES if may_split else FROM_ACES_LAST
    return FROM_SPLIT if may_split else FROM_SPLIT_LAST


@compiled_within
def log_hand(
    log: Log, row: int, number: int, spot: int, hand: int, result: int, wager: int
) -> None:
    log.hands[row, at.HAND_ROUND] = number
    log.hands[row, at.HAND_SPOT] = spot
    log.hands[row, at.HAND_NUMBER] = hand
    log.hands[row, at.HAND_RESULT] = result
    log.hands[row, at.HAND_WAGER] = wager


@compiled_within
def log_spots(log: Log, number: int, spots: int, parts: Ints) -> None:
    for s in range(spots):
        for part in range(at.LOG_SPOT):
            log.spots[number, s, part] = parts[s, part]
        parts[s, at.LOG_SUPER] = 0
        parts[s, at.LOG_ENVY] = 0


@compiled
def play_rounds(
    t: PlayTables,
    rounds: int,
    several: int | None,
    desk: DealBuffers,
    out: Counts,
    side: Record | None,
    hits: Ints | None,
    mind: Record | None,
    sessions: Sessions | None,
    log: Log | None,
) -> None:
    """Play the rounds from a fresh shuffle; add to `out` and store the generator's state.

    `several` is the number of spots, or None for one: as a constant it eliminates the loops over
    spots.
    """
    spots = 1 if several is None else several
    state = desk.state
    shoe = desk.shoe
    scratch = desk.scratch
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    size = len(shoe)
    mode_size = t.nodes * UPS
    table_size = MODES * mode_size
    down_at = 2 * spots + 1
    initial = down_at + 1 + t.bonus_cards
    sums = out.sums
    counters = sums["counters"]
    compared = sums["compared"]
    dealt = scratch["dealt"]
    stack = scratch["stack"]
    standing_total = scratch["standing_total"]
    standing_wager = scratch["standing_wager"]
    standing_spot = scratch["standing_spot"]
    standing_row = scratch["standing_row"]
    net = scratch["net"]
    rest = scratch["rest"]
    insured = scratch["insured"]
    cells = scratch["cells"]
    counts = scratch["counts"]
    pos = size
    level = 0
    count = 0
    counted_at = 0
    burnt = 0  # number of burned cards, which nobody has seen
    extra_stake = 0
    extra_squared = 0
    noted = 0  # number of meter hits logged
    cards_dealt = 0
    logged_cards = 0
    logged_hands = 0
    logged_decisions = 0
    for number in range(rounds):
        # --- Shuffle, bet, deal ---
        shuffled = size - pos <= t.cut
        if shuffled:
            pos = 0
            counters[at.SHUFFLES] += 1
            if mind is not None:
                count = new_count(mind, counts)
                burnt = t.burn
            for _ in range(t.burn):
                card, pos, s0, s1, s2, s3 = draw(shoe, pos, s0, s1, s2, s3)
        begin = pos
        if mind is not None:
            level = bet_level(mind, count, size - pos + burnt)
            counters[at.FIRST_LEVEL + level] += 1
            counted_at = count_place(mind, count, size - pos + burnt)
        void = False
        for k in range(initial):
            if pos == size:
                pos = gather_discards(shoe, begin)
                begin = 0
                if mind is not None:
                    hidden = dealt[down_at] if k > down_at else at.BLANK_CARD
                    count = seen_count(mind, shoe, pos, hidden, counts)
                    burnt = 0
                if pos == size:
                    void = True
                    break
            card, pos, s0, s1, s2, s3 = draw(shoe, pos, s0, s1, s2, s3)
            dealt[k & 31] = card
            if mind is not None and k != down_at:
                count += count_card(mind, counts, card)
            if log is not None:
                log.cards[logged_cards] = card
                logged_cards += 1
        up_card = np.int64(dealt[spots])
        down_card = np.int64(dealt[down_at])
        up = np.int64(t.up_class[up_card])
        dealer = np.int64(t.dealer_start[t.value[up_card] * BY_VALUE + t.value[down_card]])
        if side is not None and t.value[up_card] == ACE:
            enough = False
            if mind is not None:
                own = insurance_count(mind, count, counts)
                enough = reaches(mind, own, size - pos + 1 + burnt, mind["insure_at"])
            for s in range(spots):
                low = np.int64(t.one_card[dealt[s]])
                node = t.following[((low << t.shift) + t.column[dealt[spots + 1 + s]]) & PLACE]
                insured[s] = insures(side, t.blackjack_entry[node] > 0, enough)
        # --- Players act, from the dealer's left ---
        standing = 0
        super_winners = 0
        for s in range(spots):
            if void:
                break
            low = np.int64(t.one_card[dealt[s]])
            last = np.int64(dealt[spots + 1 + s])
            node = np.int64(t.following[((low << t.shift) + t.column[last]) & PLACE])
            cells[s] = (node * UPS + up) * CELL
            if dealer == DEALER_BLACKJACK:
                settled = -t.wagers[level * WAGERS]
                entry = np.int64(t.blackjack_entry[node])
                if entry > 0:
                    settled = 0
                    kind = entry - BLACKJACK
                    if t.paid_first[(kind * UPS + up) * 2 + insured[s]] == 1:
                        settled = t.terminal[level * MODES * TERMINALS + entry]
                        counters[at.BLACKJACKS_PAID] += 1
                    else:
                        counters[at.BLACKJACKS_PUSHED] += 1
                net[s] = settled
                if log is not None:
                    wager = t.wagers[level * WAGERS]
                    log_hand(log, logged_hands, number, s, 0, settled, wager)
                    logged_hands += 1
                continue
            settled = 0
            staked_before = extra_stake
            doublings = 0
            mode = AS_DEALT
            hands = 1
            finished = 0
            pending = 0
            while True:
                index = (mode * mode_size + node * UPS + up) & PLACE
                code: Integer = np.int64(t.action[index])
                if mind is not None:
                    legal = t.legal[mode * t.nodes + node]
                    left = size - pos + 1 + burnt
                    code, deviation, s0, s1, s2, s3 = chosen_code(
                        mind, code, legal, t.stand_code[index], count, counts, left, s0, s1, s2, s3
                    )
                    out.visits[deviation * table_size + index] += 1
                else:
                    out.visits[index] += 1
                if log is not None:
                    log.decisions[logged_decisions, at.DECISION_SPOT] = s
                    log.decisions[logged_decisions, at.DECISION_CELL] = mode * t.nodes + node
                    log.decisions[logged_decisions, at.DECISION_CODE] = code
                    logged_decisions += 1
                if code == HIT:
                    pass
                elif code == STAND or code >= TERMINAL:
                    # The hand is over: paid, lost, or left to compare with the dealer's.
                    wager = t.wagers[(level * WAGERS + doublings) & PLACE]
                    result = 0
                    if code == STAND:
                        standing_total[standing] = t.total[node]
                        standing_wager[standing] = wager
                        standing_spot[standing] = s
                        if log is not None:
                            standing_row[standing] = logged_hands
                        standing += 1
                    else:
                        entry = code - TERMINAL
                        result = t.terminal[((level * MODES + mode) * TERMINALS + entry) & PLACE]
                        settled += result
                        if entry >= SUPER:
                            super_winners |= 1 << s
                    if log is not None:
                        log_hand(log, logged_hands, number, s, finished, result, wager)
                        logged_hands += 1
                        finished += 1
                    if pending == 0:
                        break
                    pending -= 1
                    low = np.int64(stack[pending])
                    node = low
                    doublings = 0
                    mode = split_mode(t.starts_with_ace[low], hands < t.split_hands)
                elif code == SPLIT:
                    # The second card waits; the first gets its card and is played (O-30).
                    hands += 1
                    stack[pending] = t.one_card[last]
                    pending += 1
                    node = low
                    extra_stake += t.wagers[level * WAGERS]
                    mode = split_mode(t.starts_with_ace[low], hands < t.split_hands)
                else:
                    before = level * WAGERS + doublings
                    extra_stake += t.wagers[before + 1] - t.wagers[before]
                    doublings += 1
                    mode = DOUBLED_ONCE - 1 + doublings
                if pos == size:
                    pos = gather_discards(shoe, begin)
                    begin = 0
                    if mind is not None:
                        count = seen_count(mind, shoe, pos, down_card, counts)
                        burnt = 0
                    if pos == size:
                        void = True
                        break
                last, pos, s0, s1, s2, s3 = draw(shoe, pos, s0, s1, s2, s3)
                node = np.int64(t.following[((node << t.shift) + t.column[last]) & PLACE])
                if mind is not None:
                    count += count_card(mind, counts, last)
                if log is not None:
                    log.cards[logged_cards] = last
                    logged_cards += 1
            net[s] = settled
            added = extra_stake - staked_before
            extra_squared += added * added
        # --- The dealer draws if there is a hand to compare (O-16) ---
        if standing > 0 and not void:
            while dealer < DEALER_DONE:
                if pos == size:
                    pos = gather_discards(shoe, begin)
                    begin = 0
                    if mind is not None:
                        count = seen_count(mind, shoe, pos, down_card, counts)
                        burnt = 0
                    if pos == size:
                        void = True
                        break
                card, pos, s0, s1, s2, s3 = draw(shoe, pos, s0, s1, s2, s3)
                dealer = np.int64(t.dealer_next[dealer * BY_VALUE + t.value[card]])
                if mind is not None:
                    count += count_card(mind, counts, card)
                if log is not None:
                    log.cards[logged_cards] = card
                    logged_cards += 1
        if mind is not None:
            count += count_card(mind, counts, down_card)
        # --- Settle and count ---
        if side is not None and number % at.CARRIED == 0:
            carry_rest(sums["rest"])
        if void:
            # Every card is on the table: the round can't be finished, so wagers are returned.
            counters[at.VOID] += 1
            clear_round(scratch)
            pos = size
        else:
            if dealer == DEALER_BLACKJACK:
                counters[at.DEALER_BLACKJACKS] += 1
            for k in range(standing):
                pair = ((dealer - DEALER_DONE) * BY_TOTAL + standing_total[k]) & PLACE
                compared[pair] += 1
                result = t.compare[pair] * standing_wager[k]
                net[standing_spot[k]] += result
                if log is not None:
                    log.hands[standing_row[k], at.HAND_RESULT] = result
            cards_dealt += pos - begin
            for s in range(spots):
                x = net[s]
                out.results[(x + t.offset) & PLACE] += 1
                cell = cells[s] & PLACE
                out.starts[cell] += 1
                out.starts[cell + 1] += x
                out.starts[cell + 2] += x * x
            if spots > 1:
                count_spots(scratch, sums, spots)
            found = 0
            if side is not None and hits is not None:
                blackjack = dealer == DEALER_BLACKJACK
                settle_insurance(side, scratch, sums, spots, level, blackjack)
                settle_matches(side, scratch, spots, t.bonus_cards)
                found = settle_jackpots(side, scratch, hits, noted, spots, number)
                if spots > 1:
                    count_table_squares(side, scratch, spots)
            if super_winners != 0:
                pay = t.super_pay[level]
                add_super_bonuses(scratch, sums, pay, t.envy_pay, spots, level, super_winners)
            if side is not None and hits is not None:
                count_rest(scratch, sums, spots)
                count_totals(side, scratch, t.grain, spots)
                if found > 0:
                    complete_hits(scratch, hits, noted, found, spots)
                    noted += found
            elif super_winners != 0:
                count_rest(scratch, sums, spots)
                carry_rest(sums["rest"])
        if sessions is not None:
            count_session(
                scratch,
                sessions.running,
                sessions.ended,
                sessions.length,
                t.grain,
                spots,
                number,
            )
        if mind is not None and not void:
            count_by_count(scratch, sums, counted_at, t.grain, spots)
        if side is None and super_winners != 0:
            for s in range(spots):
                rest[s] = 0
        if log is not None:
            log_spots(log, number, spots, scratch["parts"])
            log.rounds[number, at.ROUND_CARDS] = logged_cards
            log.rounds[number, at.ROUND_HANDS] = logged_hands
            log.rounds[number, at.ROUND_DECISIONS] = logged_decisions
            log.rounds[number, at.ROUND_LEVEL] = -1 if void else level
            log.rounds[number, at.ROUND_SHUFFLED] = 1 if shuffled else 0
    counters[at.ROUNDS] += rounds
    counters[at.HITS] += noted
    counters[at.EXTRA_STAKE] += extra_stake
    counters[at.EXTRA_SQUARED] += extra_squared
    counters[at.CARDS_DEALT] += cards_dealt
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
