"""Play by the count, and errors."""

import numpy as np
import numpy.typing as npt

from ventiuna.core import actions
from ventiuna.kernels.jit import compiled_within
from ventiuna.kernels.simulate.layout import (
    COUNT_PLACES,
    INDEX_PLAY,
    LOWEST_COUNT,
    PARTS,
    RESCUED,
    SURRENDERED,
    TERMINAL,
    Integer,
    Record,
)
from ventiuna.kernels.simulate.random import U64, below, next_random

Ints = npt.NDArray[np.int64]
_ERROR_BITS = U64(11)


@compiled_within
def reaches(mind: Record, count: Integer, left: int, threshold: Integer) -> bool:
    """Is the running count, or the true count with `left` unseen cards, at the threshold?"""
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
    """The place of the count in whole counts, rounded down.

    Quotients of such ints are whole numbers or clearly not, so floats round them down rightly.
    """
    unit = mind["scale"]
    if mind["is_true"] == 1:
        count *= mind["deck"]
        unit *= left
    place: Integer = np.int64(np.floor(count / unit)) - LOWEST_COUNT
    return int(min(max(place, 0), COUNT_PLACES - 1))


@compiled_within
def new_count(mind: Record, counts: Ints) -> Integer:
    """The running count of a new shoe, and those kept side by side."""
    for k in range(mind["parts"]):
        counts[k] = mind["part_start"][k]
    start: Integer = mind["start"]
    return start


@compiled_within
def see(mind: Record, counts: Ints, card: Integer) -> Integer:
    """What a card adds to the running count; those side by side are added to."""
    for k in range(mind["parts"]):
        counts[k] += mind["part_tags"][(k << 6) + card]
    tag: Integer = mind["tags"][card]
    return tag


@compiled_within
def seen_count(
    mind: Record, shoe: npt.NDArray[np.uint8], pos: int, hidden: Integer, counts: Ints
) -> Integer:
    """The running count after the discards went back: only the round's open cards are seen."""
    count: Integer = new_count(mind, counts)
    for k in range(pos):
        count += see(mind, counts, shoe[k])
    for k in range(mind["parts"]):
        counts[k] -= mind["part_tags"][(k << 6) + hidden]
    return count - mind["tags"][hidden]


@compiled_within
def insurance_count(mind: Record, count: Integer, counts: Ints) -> Integer:
    """The sum of counts that insurance is taken by."""
    if mind["insure_by_parts"] == 1:
        count = 0
        for k in range(mind["parts"]):
            count += mind["insure_weights"][k] * counts[k]
    return count


@compiled_within
def play_count(mind: Record, count: Integer, counts: Ints, play: Integer) -> Integer:
    """The sum of counts that an index play is made by."""
    if mind["play_by_parts"][play] == 1:
        count = 0
        for k in range(mind["parts"]):
            count += mind["play_weights"][play * PARTS + k] * counts[k]
    return count


@compiled_within
def action_of(code: Integer) -> Integer:
    """The player's action behind a code."""
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
def bits(mask: Integer) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled_within
def other_action(mask: Integer, action: Integer, number: U64) -> int:
    """One of the legal actions but this one, each with the same chance."""
    others = mask & ~(1 << action)
    skip = below(number, bits(others))
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
    """What is really done: the code, 0 or 1 + the action that departs from the chart."""
    deviation = 0
    if code >= INDEX_PLAY:
        play = code - INDEX_PLAY
        own = play_count(mind, count, counts, play)
        is_below = not reaches(mind, own, left, mind["play_at"][play])
        code = np.int64(mind["play_below"][play] if is_below else mind["play_above"][play])
        if is_below == (mind["departs_below"][play] == 1):
            deviation = 1 + action_of(code)
    mask = np.int64(legal)
    if mind["error_limit"] > 0 and bits(mask) > 1:
        number, s0, s1, s2, s3 = next_random(s0, s1, s2, s3)
        if number >> _ERROR_BITS < mind["error_limit"]:
            number, s0, s1, s2, s3 = next_random(s0, s1, s2, s3)
            action = other_action(mask, action_of(code), number)
            code = np.int64(code_of(action, stand_code))
            deviation = 1 + action
    return code, deviation, s0, s1, s2, s3
