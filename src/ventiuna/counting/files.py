"""A count as a file that `simulate` and all commands of `count` read (strategy/counting.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from ventiuna.cards import Pack
from ventiuna.counting.cells import MOST_CARDS_TOLD_APART
from ventiuna.counting.indices import CellIndex, Turn
from ventiuna.counting.ramp import Ramp
from ventiuna.counting.tags import named_tags, number_text, value_name
from ventiuna.files import write_file
from ventiuna.kernels.simulate.layout import LEVELS
from ventiuna.rules import Rules, canonical, compile_rules, fingerprint
from ventiuna.strategy.bonuses import Bonus, hands_with_bonus
from ventiuna.strategy.counting import RANKS, Bet, Count, SideCount
from ventiuna.strategy.plays import MOST_CARDS, IndexPlay, Weights, play_letter
from ventiuna.texts import toml_text

FLAT = (Bet(Fraction(-1000), 1),)
_TENTH = 10


def made_for(count: Count, rules: Rules) -> Count:
    """The count with the rules it was made for."""
    return replace(count, rules=canonical(rules), fingerprint=fingerprint(rules))


def with_bets(count: Count, ramp: Ramp) -> Count:
    """The count with a ramp's bets, in whole units; at most as many steps as a count may have.

    Where a ramp has more, the smallest steps give way first.
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
    """The same count, betting one unit always."""
    return replace(count, bets=FLAT)


def with_indices(
    count: Count, rules: Rules, cells: Iterable[CellIndex], insurance: float | None
) -> Count:
    """The count with these index plays and insurance, all on the count's own scale.

    A cell with two turns keeps the one that earns more.
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


def _play(index: CellIndex, turn: Turn, is_below: bool) -> IndexPlay:
    cell = index.cell
    return IndexPlay(
        kind=cell.kind,
        number=cell.number,
        up=cell.up,
        at=_tenths(turn.at),
        action=turn.action,
        is_below=is_below,
        fewest=cell.fewest,
        most=MOST_CARDS if cell.most == MOST_CARDS_TOLD_APART else cell.most,
        after=cell.after,
        weights=index.weights,
        bonus=cell.bonus,
    )


def _without_needless_bonus(play: IndexPlay, rules: Rules) -> IndexPlay:
    """That a hand may win no bonus is said where others of its row may."""
    others = hands_with_bonus(compile_rules(rules))
    if play.bonus == Bonus.NONE and not any(play.is_of_row(hand, up) for hand, up in others):
        return replace(play, bonus=Bonus.ANY)
    return play


def _tenths(number: float) -> Fraction:
    return Fraction(round(number * _TENTH), _TENTH)


# --- writing ------------------------------------------------------------------------------------


def count_text(count: Count, pack: Pack) -> str:
    """The content of its file."""
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
    """Tags of values that are 0 may be left out; those of single cards may not."""
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
    if (play.fewest, play.most) != (2, MOST_CARDS):
        if play.most == MOST_CARDS:
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
    """Write the file whole or not at all."""
    write_file(path, count_text(count, pack))
