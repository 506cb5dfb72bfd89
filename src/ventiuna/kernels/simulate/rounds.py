"""The order of play, compiled: rounds dealt, played and counted by the million.

What a rule says is not here. The hand graph and the tables built from `core` for every node
(`ventiuna.simulation.tables`) say what a hand does and what it is paid; this module knows only
whose card comes next. One function holds the loop so that the generator's state and the hand
stay in registers.

Arguments that are None are compiled out: `play_rounds` exists once in source and several times
as machine code (base game alone, all wagers, with a log for the lockstep proof).
"""

import numpy as np
import numpy.typing as npt

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
    DEALER_BLACKJACK,
    DEALER_DONE,
    DOUBLED_ONCE,
    FROM_ACES,
    FROM_ACES_LAST,
    FROM_SPLIT,
    FROM_SPLIT_LAST,
    MODES,
    PLACE,
    SUPER,
    TERMINAL,
    TERMINALS,
    UPS,
    WAGERS,
    Counts,
    Desk,
    Integer,
    Log,
    PlayTables,
    Record,
    Sessions,
)
from ventiuna.kernels.simulate.mind import (
    bet_level,
    chosen_code,
    count_place,
    insurance_count,
    new_count,
    reaches,
    see,
    seen_count,
)
from ventiuna.kernels.simulate.random import draw, gather_discards
from ventiuna.kernels.simulate.sides import (
    add_super_bonuses,
    carry_rest,
    complete_hits,
    count_by_count,
    count_rest,
    count_session,
    count_spots,
    count_table_squares,
    count_totals,
    forget_round,
    insures,
    settle_insurance,
    settle_jackpots,
    settle_matches,
)

Ints = npt.NDArray[np.int64]


@compiled_within
def split_mode(starts_with_ace: int, may_split: bool) -> int:
    """The mode of a hand that starts with a split card."""
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
    desk: Desk,
    out: Counts,
    side: Record | None,
    hits: Ints | None,
    mind: Record | None,
    sessions: Sessions | None,
    log: Log | None,
) -> None:
    """Play the rounds from a fresh shuffle; adds to `out` and leaves the generator's state.

    `several` is the number of spots, or None for one: as a constant it makes the loops over spots
    vanish.
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
    burnt = 0  # cards that went by unseen
    extra_stake = 0
    extra_squared = 0
    noted = 0  # hits on meters
    cards_dealt = 0
    logged_cards = 0
    logged_hands = 0
    logged_decisions = 0
    for number in range(rounds):
        # --- shuffle, bet, deal -------------------------------------------------------------
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
                count += see(mind, counts, card)
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
        # --- players act from the dealer's left ---------------------------------------------
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
                    # The hand is over: paid, lost, or left to be compared with the dealer's.
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
                    count += see(mind, counts, last)
                if log is not None:
                    log.cards[logged_cards] = last
                    logged_cards += 1
            net[s] = settled
            added = extra_stake - staked_before
            extra_squared += added * added
        # --- the dealer draws when a hand is to be compared (O-16) ---------------------------
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
                    count += see(mind, counts, card)
                if log is not None:
                    log.cards[logged_cards] = card
                    logged_cards += 1
        if mind is not None:
            count += see(mind, counts, down_card)
        # --- settle and count ---------------------------------------------------------------
        if side is not None and number % at.CARRIED == 0:
            carry_rest(sums["rest"])
        if void:
            # Every card lies on the table: the round can't be finished, wagers go back.
            counters[at.VOID] += 1
            forget_round(scratch)
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
