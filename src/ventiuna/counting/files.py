"""Counts by name, from tags or from files, and writing count files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from ventiuna.analysis.coerce import coerce_text
from ventiuna.cards import Pack
from ventiuna.counting.betting import Ramp
from ventiuna.counting.decisions import MAX_DISTINCT_CARDS
from ventiuna.counting.indices import CellIndex, IndexPoint
from ventiuna.counting.tags import (
    distinguishing_tags,
    named_tags,
    number_text,
    read_tags,
    value_name,
)
from ventiuna.files import write_file
from ventiuna.kernels.simulate.layout import LEVELS
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint
from ventiuna.simulation.settings import find_count
from ventiuna.strategy.chart import Bonus, hands_with_bonus
from ventiuna.strategy.counting import (
    MAX_HAND_CARDS,
    RANKS,
    Bet,
    Count,
    IndexPlay,
    SideCount,
    Weights,
    play_letter,
    started_at,
)
from ventiuna.strategy.protocol import plan_problem
from ventiuna.texts import toml_text

# --- Reading ---


def coerce_count(count: object, tags: object, start: object, rules: Rules) -> Count:
    """The count given by name or by tags; a start of "" or None means the default."""
    no_start = start is None or start == ""
    if bool(count) == bool(coerce_text("tags", tags)):
        state = "both" if count else "neither"
        raise plan_problem(
            "count", count, f"expected either a count or tags, not {state}",
            "Give the name of a count, or tags such as '2=1 10=-1'.",
        )  # fmt: skip
    if not count:
        return tags_count(coerce_text("tags", tags), "tags", None if no_start else start, rules)
    if not no_start:
        raise plan_problem(
            "start", start, "a named count has its own start", "Give it only with tags."
        )
    return named_count(count, rules)


def named_count(count: object, rules: Rules) -> Count:
    """Convert a count's name or file; reject counts that treat all cards alike."""
    if isinstance(count, str):
        count = find_count(count)
    if not isinstance(count, Count):
        raise plan_problem(
            "count", count, "must be a Count, or the name or file of one", "Give one."
        )
    return _distinguishing(count, rules)


def tags_count(tags: str, name: str, start: object, rules: Rules) -> Count:
    """A count from tags as text; without a start, the default for count files applies."""
    known = _distinguishing(read_tags(tags, name), rules)
    return known if start is None else started_at(known, start)


def _distinguishing(count: Count, rules: Rules) -> Count:
    """Reject a count that treats all cards of the pack alike, before any work."""
    distinguishing_tags(count, rules.pack)
    return count


# --- Writing ---

FLAT = (Bet(Fraction(-1000), 1),)
_TENTH = 10


def designed_for(count: Count, rules: Rules) -> Count:
    """The count, marked with the rules it was designed for."""
    return replace(count, rules=canonical(rules), fingerprint=fingerprint(rules))


def with_bets(count: Count, ramp: Ramp) -> Count:
    """The count with the bets of a ramp, in whole units.

    If the ramp has more steps than a count may have, the smallest steps are dropped first.
    """
    steps: list[tuple[int, int]] = []
    for at, bet in zip(ramp.counts, ramp.bets, strict=True):
        wagers = max(1, round(bet))
        if not steps or steps[-1][1] != wagers:
            steps.append((at.count, wagers))
    while len(steps) > LEVELS:
        jumps = [abs(b[1] - a[1]) / a[1] for a, b in pairwise(steps)]
        del steps[1 + jumps.index(min(jumps))]
    first = FLAT[0] if steps[0][1] == 1 else Bet(Fraction(-1000), steps[0][1])
    return replace(count, bets=(first, *(Bet(Fraction(at), wagers) for at, wagers in steps[1:])))


def flat(count: Count) -> Count:
    """The same count with flat bets of one unit."""
    return replace(count, bets=FLAT)


def with_indices(
    count: Count, rules: Rules, cells: Iterable[CellIndex], insurance: float | None
) -> Count:
    """The count with these index plays and insurance, all on the count's own scale.

    If a cell changes its action twice, only the change that earns more is kept.
    """
    plays = []
    for index in cells:
        turns = [turn for turn in (index.above, index.below) if turn is not None]
        if turns:
            turn = max(turns, key=lambda known: known.earns)
            play = _play(index, turn, turn is index.below)
            plays.append(_without_needless_bonus(play, rules))
    at = None if insurance is None else _tenths(insurance)
    return replace(count, plays=tuple(plays), insurance_at=at)


def _play(index: CellIndex, turn: IndexPoint, is_below: bool) -> IndexPlay:
    cell = index.cell
    return IndexPlay(
        kind=cell.kind,
        number=cell.number,
        up=cell.up,
        at=_tenths(turn.at),
        action=turn.action,
        is_below=is_below,
        fewest=cell.fewest,
        most=MAX_HAND_CARDS if cell.most == MAX_DISTINCT_CARDS else cell.most,
        after=cell.after,
        weights=index.weights,
        bonus=cell.bonus,
    )


def _without_needless_bonus(play: IndexPlay, rules: Rules) -> IndexPlay:
    """Drop the "no bonus" condition unless other hands in the row can win a bonus."""
    others = hands_with_bonus(compile_rules(rules))
    if play.bonus == Bonus.NONE and not any(play.is_of_row(hand, up) for hand, up in others):
        return replace(play, bonus=Bonus.ANY)
    return play


def _tenths(number: float) -> Fraction:
    return Fraction(round(number * _TENTH), _TENTH)


# --- File format ---


def count_text(count: Count, pack: Pack) -> str:
    """The content of a count file."""
    lines = [
        f"title = {toml_text(count.title)}",
        f'count = "{"true" if count.is_true else "running"}"',
    ]
    if count.start is not None:
        lines.append(f"start = {number_text(count.start)}")
    if count.insurance_at is not None:
        lines.append(f"insurance_at = {number_text(count.insurance_at)}")
    if count.insurance_weights:
        lines.append(f"insurance_weights = {_weights_text(count.insurance_weights)}")
    if count.rules:
        lines.append(f"rules = {toml_text(count.rules)}")
        lines.append(f"fingerprint = {toml_text(count.fingerprint)}")
    lines += ["", "[tags]", *_tag_lines(named_tags(count, pack))]
    for side in count.sides:
        lines += _side_lines(side, pack)
    for bet in count.bets[1:] if count.bets[0] == FLAT[0] else count.bets:
        lines += ["", "[[bets]]", f"at = {number_text(bet.at)}", f"wagers = {bet.wagers}"]
    for play in count.plays:
        lines += _play_lines(play)
    return "\n".join(lines) + "\n"


def _tag_lines(tags: Sequence[tuple[str, Fraction]]) -> list[str]:
    """Format tags; zero tags may be omitted for values, but not for single cards."""
    return [f'"{name}" = {number_text(tag)}' for name, tag in tags if tag or name not in RANKS]


def _side_lines(side: SideCount, pack: Pack) -> list[str]:
    return [
        "",
        "[[sides]]",
        f"name = {toml_text(side.name)}",
        f"weight = {number_text(side.weight)}",
        *([f"start = {number_text(side.start)}"] if side.start is not None else []),
        "[sides.tags]",
        *_tag_lines(named_tags(side, pack)),
    ]


def _weights_text(weights: Weights) -> str:
    return f"[{', '.join(number_text(weight) for weight in weights)}]"


def _play_lines(play: IndexPlay) -> list[str]:
    number = value_name(play.number) if play.kind == "pair" else str(play.number)
    lines = ["", "[[plays]]", f'hand = "{play.kind} {number}"']
    if (play.fewest, play.most) != (2, MAX_HAND_CARDS):
        if play.most == MAX_HAND_CARDS:
            lines.append(f'cards = "{play.fewest}+"')
        else:
            lines.append(f'cards = "{play.fewest}-{play.most}"')
    if play.after:
        lines.append(f'after = "{play.after}"')
    if play.bonus:
        lines.append(f'bonus = "{play.bonus}"')
    lines.append(f'up = "{value_name(play.up)}"')
    if play.weights:
        lines.append(f"weights = {_weights_text(play.weights)}")
    lines.append(f"{'below' if play.is_below else 'at'} = {number_text(play.at)}")
    lines.append(f'play = "{play_letter(play.action)}"')
    return lines


def save_count(path: Path, count: Count, pack: Pack) -> None:
    """Write the file atomically."""
    write_file(path, count_text(count, pack))
