"""The order of play, one choice at a time: each seat advances until its next choice.

Contains no rules; see `ventiuna.kernels.simulate.rounds`, whose tables this module reads. The
stages are those of the engine for a table with one seat, and tests prove that both agree. The loop
is a single function because passing all tables between functions would take longer than a step.
"""

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.core.base_game import AFTER_INSURANCE, BEFORE_INSURANCE
from ventiuna.core.cards import rank_of, suit_bit_of
from ventiuna.kernels import vector_env_layout as at
from ventiuna.kernels.jit import compiled, compiled_within
from ventiuna.kernels.simulate.layout import (
    AS_DEALT,
    BY_TOTAL,
    BY_VALUE,
    DEALER_BLACKJACK,
    DEALER_DONE,
    DOUBLED_ONCE,
    MODES,
    PLACE,
    RESCUED,
    SUPER,
    SURRENDERED,
    TERMINAL,
    TERMINALS,
    UPS,
    WAGERS,
    Integer,
    PlayTables,
    Record,
)
from ventiuna.kernels.simulate.rounds import draw, gather_discards, split_mode
from ventiuna.kernels.vector_env_layout import CardLog, Seats, SeatTables, StepOutput

Shorts = npt.NDArray[np.int16]


@compiled_within
def mark_seen(row: Shorts, value: Integer) -> None:
    """Remove one card of this value from the unseen cards."""
    row[(at.UNSEEN - 1 + value) & PLACE] -= 1


@compiled_within
def add_to_hand(row: Shorts, card: Integer) -> None:
    """Add a card to the hand."""
    row[(at.RANK - 1 + rank_of(card)) & PLACE] += 1
    row[at.SUITS] |= suit_bit_of(card)


@compiled_within
def clear_hand(row: Shorts) -> None:
    for column in range(at.SUITS, at.LEFT):
        row[column] = 0


@compiled_within
def clear_round(seat: Record) -> None:
    seat["settled"] = 0
    seat["cents"] = 0
    seat["waiting"] = 0
    seat["standing"] = 0
    seat["doublings"] = 0
    seat["for_less"] = 0
    seat["split"] = at.NOT_SPLIT
    seat["hands"] = 1
    seat["finished"] = 0
    seat["insured"] = 0
    seat["answer"] = at.UNANSWERED
    seat["paid"] = 0
    seat["void"] = 0
    seat["hidden"] = 0


@compiled_within
def is_due(stage: Integer, when: Integer) -> bool:
    """Return whether an unpaid blackjack is paid at this stage (R-030, R-115, O-01)."""
    if stage == at.PAID_FIRST:
        return bool(when == BEFORE_INSURANCE)
    return bool(stage == at.PAID_AFTER_CHECK or when == AFTER_INSURANCE)


@compiled_within
def default_choice(phase: Integer) -> int:
    """Return the default choice: the first wager size, take, decline, stand."""
    if phase == at.WAGER:
        return at.FIRST_WAGER
    if phase == at.BLACKJACK:
        return at.TAKE
    return at.DECLINE if phase == at.INSURANCE else actions.STAND


@compiled_within
def write_mask(
    mask: npt.NDArray[np.int8], phase: Integer, legal: Integer, for_less: Integer
) -> None:
    for choice in range(actions.ACTIONS):
        mask[choice] = legal >> choice & 1 if phase == at.PLAY else 0
    mask[at.INSURE] = mask[at.DECLINE] = 1 if phase == at.INSURANCE else 0
    mask[at.TAKE] = mask[at.KEEP] = 1 if phase == at.BLACKJACK else 0
    mask[at.DOUBLE_FOR_LESS] = legal >> actions.DOUBLE & for_less if phase == at.PLAY else 0
    for choice in range(at.FIRST_WAGER, len(mask)):
        mask[choice] = 1 if phase == at.WAGER else 0


@compiled_within
def write_hand(row: Shorts, seat: Record, total: Integer, soft: Integer, cards: Integer) -> None:
    """Write the hand's columns that aren't updated card by card."""
    row[at.TOTAL] = total
    row[at.SOFT] = soft
    row[at.CARDS] = cards
    row[at.DOUBLINGS] = seat["doublings"]
    row[at.SPLIT] = seat["split"]
    row[at.HANDS] = seat["hands"]
    row[at.HAND] = seat["finished"]
    row[at.UP] = seat["up"] + 1
    row[at.LEVEL] = seat["level"]
    row[at.INSURED] = seat["insured"]
    row[at.FOR_LESS] = seat["for_less"]


@compiled
def step_seats(
    t: PlayTables,
    x: SeatTables,
    kept: Seats,
    shown: StepOutput,
    choices: npt.NDArray[np.int64],
    log: CardLog | None,
) -> None:
    """Apply every seat's choice and advance it to the next one, or to the end of the episode.

    An illegal choice is replaced by the default choice. NEW_EPISODE starts an episode, with a new
    shuffle if the seat is in the middle of a round. NO_CHOICE leaves the seat unchanged.
    """
    size = kept.shoes.shape[1]
    most = shown.masks.shape[1]
    for e in range(len(kept.seats)):
        choice: Integer = choices[e]
        if choice == at.NO_CHOICE:
            continue
        seat = kept.seats[e]
        shoe = kept.shoes[e]
        row = shown.observations[e]
        state = seat["state"]
        phase: Integer = np.int64(seat["phase"])
        pos = seat["pos"]
        node: Integer = np.int64(seat["node"])
        mode: Integer = np.int64(seat["mode"])
        level: Integer = np.int64(seat["level"])
        stage: Integer = np.int64(seat["stage"])
        wanted = at.NO_CARD
        code: Integer = np.int64(actions.STAND)
        begins = choice == at.NEW_EPISODE
        shown.rewards[e] = 0.0
        shown.passed[e] = 0.0
        shown.rounds[e] = 0
        shown.illegal[e] = False
        # --- Immediate effects of the choice ---
        if begins or phase == at.OVER:
            if not begins and x.autoreset == at.DISABLED:
                continue
            if phase != at.OVER:
                pos = size
                phase = at.OVER
            begins = True
            shown.terminated[e] = False
            clear_round(seat)
            clear_hand(row)
            stage = at.BEGIN
        else:
            if choice < 0 or choice >= most or shown.masks[e, choice] == 0:
                choice = default_choice(phase)
                shown.illegal[e] = True
            if phase == at.WAGER:
                level = choice - at.FIRST_WAGER
                seat["level"] = level
            elif phase == at.BLACKJACK:
                seat["answer"] = at.TAKEN if choice == at.TAKE else at.KEPT
            elif phase == at.INSURANCE:
                seat["insured"] = 1 if choice == at.INSURE else 0
                stage = at.PAID_UNINSURED
            elif choice == actions.HIT:
                wanted = at.TO_HAND
            elif choice == actions.STAND:
                up = np.int64(t.up_class[seat["up"]])
                code = np.int64(t.stand_code[((mode * t.nodes + node) * UPS + up) & PLACE])
                stage = at.END_OF_HAND
            elif choice == actions.SURRENDER:
                code = TERMINAL + SURRENDERED
                stage = at.END_OF_HAND
            elif choice == actions.RESCUE:
                code = TERMINAL + RESCUED
                stage = at.END_OF_HAND
            elif choice == actions.SPLIT:
                # The second card waits; the first gets its card and is played (O-30).
                hands: Integer = np.int64(seat["hands"]) + 1
                seat["hands"] = hands
                waiting = seat["waiting"]
                seat["split_cards"][waiting] = seat["last"]
                seat["waiting"] = waiting + 1
                node = np.int64(t.one_card[seat["first"]])
                ace: Integer = t.starts_with_ace[node]
                seat["split"] = at.FROM_ACES if ace == 1 else at.FROM_PAIR
                mode = np.int64(split_mode(ace, hands < t.split_hands))
                clear_hand(row)
                add_to_hand(row, np.int64(seat["first"]))
                wanted = at.TO_HAND
            else:
                seat["doublings"] += 1
                seat["for_less"] = 1 if choice == at.DOUBLE_FOR_LESS else 0
                mode = np.int64(DOUBLED_ONCE - 1 + seat["doublings"])
                wanted = at.TO_HAND
        # --- Advance to the next choice or the end of the episode ---
        won = 0
        rounds = 0
        burnt = 0
        while True:
            if wanted != at.NO_CARD:
                if pos == size:
                    pos = gather_discards(shoe, seat["begin"])
                    seat["begin"] = 0
                    for k in range(at.VALUES):
                        row[at.UNSEEN + k] = x.fresh[k]
                    for k in range(pos):
                        mark_seen(row, np.int64(t.value[shoe[k]]))
                    if seat["hidden"] == 1:
                        row[at.UNSEEN - 1 + t.value[seat["down"]]] += 1
                    if pos == size:
                        # Every card is on the table: wagers are returned and all cards are
                        # shuffled.
                        seat["void"] = 1
                        wanted = at.NO_CARD
                        stage = at.CLOSE
                        continue
                card, pos, state[0], state[1], state[2], state[3] = draw(
                    shoe, pos, state[0], state[1], state[2], state[3]
                )
                if log is not None:
                    log.cards[e, log.drawn[e]] = card
                    log.drawn[e] += 1
                if wanted == at.TO_HAND or wanted == at.SECOND:
                    mark_seen(row, np.int64(t.value[card]))
                    add_to_hand(row, card)
                    seat["last"] = card
                    node = np.int64(t.following[((node << t.shift) + t.column[card]) & PLACE])
                    wanted = at.NO_CARD if wanted == at.TO_HAND else at.DOWN
                elif wanted == at.TO_DEALER:
                    mark_seen(row, np.int64(t.value[card]))
                    following = np.int64(seat["dealer"]) * BY_VALUE + t.value[card]
                    seat["dealer"] = t.dealer_next[following & PLACE]
                    wanted = at.NO_CARD
                elif wanted == at.BURNT:
                    burnt += 1
                    if burnt == t.burn:
                        wanted = at.NO_CARD
                        seat["begin"] = pos
                elif wanted == at.FIRST:
                    mark_seen(row, np.int64(t.value[card]))
                    add_to_hand(row, card)
                    seat["first"] = card
                    node = np.int64(t.one_card[card])
                    wanted = at.UP_CARD
                elif wanted == at.UP_CARD:
                    mark_seen(row, np.int64(t.value[card]))
                    seat["up"] = card
                    wanted = at.SECOND
                elif wanted == at.DOWN:
                    seat["down"] = card
                    seat["hidden"] = 1
                    start = t.value[seat["up"]] * BY_VALUE + t.value[card]
                    seat["dealer"] = t.dealer_start[start & PLACE]
                    wanted = at.BONUS if t.bonus_cards > 0 else at.NO_CARD
                else:
                    mark_seen(row, np.int64(t.value[card]))
                    wanted += 1
                    if wanted == at.BONUS + t.bonus_cards:
                        wanted = at.NO_CARD
                continue
            up = np.int64(t.up_class[seat["up"]])
            if stage == at.TURN:
                cell = (mode * t.nodes + node) & PLACE
                if seat["paid"] == 1:
                    stage = at.DEALER
                elif t.legal[cell] != 0:
                    phase = at.PLAY
                    break
                else:
                    code = np.int64(t.stand_code[(cell * UPS + up) & PLACE])
                    stage = at.END_OF_HAND
            elif stage == at.END_OF_HAND:
                # The hand is paid, lost, or left to compare; then the spot's next hand plays.
                sized = level + seat["for_less"] * x.sizes
                if code >= TERMINAL:
                    entry = code - TERMINAL
                    seat["settled"] += t.terminal[
                        ((sized * MODES + mode) * TERMINALS + entry) & PLACE
                    ]
                    if entry >= SUPER:
                        seat["cents"] += t.super_pay[level]
                else:
                    k = seat["standing"]
                    wager = t.wagers[(sized * WAGERS + seat["doublings"]) & PLACE]
                    seat["standing_wager"][k] = wager
                    seat["standing_total"][k] = t.total[node]
                    seat["standing"] = k + 1
                seat["finished"] += 1
                waiting = seat["waiting"]
                if waiting == 0:
                    stage = at.DEALER
                else:
                    seat["waiting"] = waiting - 1
                    seat["first"] = seat["split_cards"][waiting - 1]
                    seat["doublings"] = 0
                    seat["for_less"] = 0
                    node = np.int64(t.one_card[seat["first"]])
                    from_ace: Integer = t.starts_with_ace[node]
                    mode = np.int64(split_mode(from_ace, seat["hands"] < t.split_hands))
                    clear_hand(row)
                    add_to_hand(row, np.int64(seat["first"]))
                    wanted = at.TO_HAND
                    stage = at.TURN
            elif stage == at.DEALER:
                # The dealer draws only if there is a hand to compare (O-16).
                if seat["hidden"] == 1:
                    seat["hidden"] = 0
                    mark_seen(row, np.int64(t.value[seat["down"]]))
                if seat["standing"] == 0:
                    stage = at.CLOSE
                elif seat["dealer"] < DEALER_DONE:
                    wanted = at.TO_DEALER
                else:
                    compared = (np.int64(seat["dealer"]) - DEALER_DONE) * BY_TOTAL
                    for k in range(seat["standing"]):
                        outcome = np.int64(
                            t.compare[(compared + seat["standing_total"][k]) & PLACE]
                        )
                        seat["settled"] += outcome * seat["standing_wager"][k]
                    stage = at.CLOSE
            elif stage == at.CLOSE:
                rounds += 1
                if seat["void"] == 1:
                    pos = size
                else:
                    won += seat["settled"] * t.grain + seat["cents"]
                clear_round(seat)
                clear_hand(row)
                stage = at.BEGIN
                is_last = x.episode == at.ROUNDS or size - pos <= t.cut
                if is_last and not begins:
                    phase = at.OVER
                    shown.rewards[e] = won / x.base
                    if x.autoreset != at.SAME_STEP:
                        break
                    row[at.PHASE] = phase
                    row[at.LEFT] = size - pos
                    for column in range(at.TOTAL, at.SUITS):
                        row[column] = 0
                    for column in range(at.COLUMNS):
                        shown.final_observations[e, column] = row[column]
                    shown.terminated[e] = True
                    begins = True
                    won = 0
            elif stage == at.BEGIN:
                level = 0
                seat["level"] = 0
                mode = AS_DEALT
                stage = at.DEAL
                if size - pos <= t.cut:
                    pos = 0
                    for k in range(at.VALUES):
                        row[at.UNSEEN + k] = x.fresh[k]
                    burnt = 0
                    wanted = at.BURNT if t.burn > 0 else at.NO_CARD
                seat["begin"] = pos
            elif stage == at.DEAL:
                if x.wagers > 0 and phase != at.WAGER:
                    phase = at.WAGER
                    break
                phase = at.PLAY
                wanted = at.FIRST
                stage = at.PAID_FIRST
            elif stage == at.CHECK:
                # Settle insurance and everything that a dealer blackjack ends.
                if seat["dealer"] != DEALER_BLACKJACK:
                    if seat["insured"] == 1:
                        seat["cents"] -= x.insurance_stake[level]
                    stage = at.PAID_AFTER_CHECK
                else:
                    if seat["insured"] == 1:
                        seat["cents"] += x.insurance_pay[level]
                    if seat["paid"] == 0:
                        entry = np.int64(t.blackjack_entry[node])
                        if entry == 0:
                            seat["settled"] -= t.wagers[level * WAGERS]
                        elif x.wins_both == 1:
                            seat["settled"] += t.terminal[level * MODES * TERMINALS + entry]
                    seat["hidden"] = 0
                    mark_seen(row, np.int64(t.value[seat["down"]]))
                    stage = at.CLOSE
            else:
                entry = np.int64(t.blackjack_entry[node])
                if entry > 0 and is_due(stage, x.paid_when[up * 2 + seat["insured"]]):
                    if seat["answer"] == at.UNANSWERED:
                        if t.legal[AS_DEALT * t.nodes + node] != 0:
                            phase = at.BLACKJACK  # the seat chooses
                            break
                        seat["answer"] = at.TAKEN
                    if seat["answer"] == at.TAKEN and seat["paid"] == 0:
                        seat["settled"] += t.terminal[level * MODES * TERMINALS + entry]
                        seat["paid"] = 1
                if stage == at.PAID_UNINSURED:
                    stage = at.CHECK
                elif stage == at.PAID_AFTER_CHECK:
                    stage = at.TURN
                elif x.may_insure[up * 2 + (1 if entry > 0 else 0)] == 1:
                    stage = at.ASK_INSURANCE
                    phase = at.INSURANCE
                    break
                else:
                    stage = at.CHECK if x.checks[up] == 1 else at.TURN
        # --- Output ---
        seat["phase"] = phase
        seat["pos"] = pos
        seat["node"] = node
        seat["mode"] = mode
        seat["stage"] = stage
        shown.rounds[e] = rounds
        if begins:
            shown.passed[e] = won / x.base
        else:
            shown.rewards[e] = won / x.base
            shown.terminated[e] = phase == at.OVER
        row[at.PHASE] = phase
        row[at.LEFT] = size - pos
        if phase == at.WAGER or phase == at.OVER:
            for column in range(at.TOTAL, at.SUITS):
                row[column] = 0
        else:
            write_hand(
                row, seat, np.int64(t.total[node]), np.int64(x.soft[node]), np.int64(x.cards[node])
            )
        legal = np.int64(t.legal[(mode * t.nodes + node) & PLACE])
        write_mask(shown.masks[e], phase, legal, np.int64(x.for_less[level]))
