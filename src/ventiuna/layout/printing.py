"""The layout of any rules: what is printed, and where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from ventiuna.layout.blocks import Content, left_blocks, right_blocks
from ventiuna.layout.records import (
    HEIGHT,
    WIDTH,
    Arc,
    Block,
    CardPlace,
    JackpotPlace,
    Layout,
    Line,
    LineKind,
    Name,
    Shape,
    SpotPlace,
    WagerPlace,
)
from ventiuna.layout.type import APOSTROPHE, text_width, wrapped
from ventiuna.rules import canonical, fingerprint
from ventiuna.rules.model import BlackjackTie, Player21, Rules, Soft17
from ventiuna.rules.words.facts import dollars, jackpot_pays, mtd_word

MIDDLE = WIDTH / 2
EDGE, LOWEST = 590.0, 694.0  # the felt's lower edge at its ends and in the middle

# --- blocks ---
LEFT, RIGHT, TOP, COLUMN = 226.0, 682.0, 20.0, 172.0
ROOM = 232.0  # below it the arcs begin
SIZE, TITLE_SIZE, LINE_HEIGHT, TITLE_HEIGHT, BLOCK_GAP = 13.0, 17.0, 19.5, 25.0, 10.0
BETWEEN = 10.0  # a hand and its pay, at least

# --- arcs ---
STRONG_CURVE = (150.0, 252.0, 540.0, 350.0, 930.0, 252.0)
SECOND_CURVE = (190.0, 287.0, 540.0, 381.0, 890.0, 287.0)
FILLED = 0.94  # of a curve, at most

# --- cards ---
CARD_TOP, CARD_WIDTH, CARD_GAP = 20.0, 84.0, 8.0
BONUS_TOP, BONUS_WIDTH = 182.0, 44.0
CARD_SHAPE = 7 / 5  # height by width

# --- spots ---
SPOT_WIDTH = 154.0
ABOVE_EDGE = 17.0
BASE_RADIUS, SIDE_RADIUS, SMALL_RADIUS = 26.0, 15.0, 11.0
WAGER_GAP = 6.0
NUMBER_HEIGHT = 20.0  # of the spot's number, below its wagers

# --- jackpots ---
PLATE = (24.0, 132.0, 176.0, 82.0)


def layout(rules: Rules) -> Layout:
    """Everything that is printed on the felt for these rules."""
    return Layout(
        rules=canonical(rules),
        fingerprint=fingerprint(rules),
        width=WIDTH,
        height=HEIGHT,
        edge=EDGE,
        middle=LOWEST,
        name=Name(rules.game.words.upper(), MIDDLE, 424.0, 34.0),
        arcs=_arcs(rules),
        blocks=(*_column(LEFT, left_blocks(rules)), *_column(RIGHT, right_blocks(rules))),
        cards=_cards(rules),
        spots=_spots(rules),
        jackpots=_jackpots(rules),
    )


def lower_edge(x: float) -> float:
    """Where the felt ends: one parabola."""
    share = x / WIDTH
    return EDGE + 4 * share * (1 - share) * (LOWEST - EDGE)


# --- arcs -------------------------------------------------------------------------------------


def _arcs(rules: Rules) -> tuple[Arc, ...]:
    """What always wins, or else the blackjack's pay, above; the rest below it."""
    blackjack = f"Blackjack pays {rules.blackjack_pays.words}"
    has_own_block = rules.diamond_blackjack_pays != rules.blackjack_pays
    below = [] if has_own_block else [blackjack]
    if rules.player_21 is Player21.WINS:
        above = f"Player{APOSTROPHE}s 21 always wins"
    elif rules.blackjack_tie is BlackjackTie.WINS:
        above = f"Player{APOSTROPHE}s blackjack always wins"
    else:
        above, below = blackjack, []
    does = "hits" if rules.soft_17 is Soft17.HIT else "stands on"
    below.append(f"Dealer {does} soft 17")
    if rules.insurance:
        below.append(f"Insurance pays {rules.insurance_pays}")
    return (
        _arc(above.upper(), 24.0, 0.16, STRONG_CURVE, strong=True),
        _arc("  ·  ".join(below), 15.0, 0.12, SECOND_CURVE, strong=False),
    )


def _arc(words: str, size: float, spacing: float, curve: Sequence[float], *, strong: bool) -> Arc:
    """As large as it is meant to be, or as its curve has room for."""
    room = FILLED * _length(curve)
    size = min(size, size * room / text_width(words, size, spacing))
    x0, y0, cx, cy, x1, y1 = curve
    return Arc(words, round(size, 2), spacing, strong, x0, y0, cx, cy, x1, y1)


def point_on(curve: Sequence[float], share: float) -> tuple[float, float]:
    """A point of a quadratic curve, from 0 at its beginning to 1 at its end."""
    x0, y0, cx, cy, x1, y1 = curve
    rest = 1 - share
    return (
        rest * rest * x0 + 2 * rest * share * cx + share * share * x1,
        rest * rest * y0 + 2 * rest * share * cy + share * share * y1,
    )


def _length(curve: Sequence[float], steps: int = 64) -> float:
    points = [point_on(curve, step / steps) for step in range(steps + 1)]
    return sum(hypot(two[0] - one[0], two[1] - one[1]) for one, two in pairwise(points))


# --- blocks -----------------------------------------------------------------------------------


def _column(x: float, contents: Sequence[Content]) -> list[Block]:
    """Blocks below each other, all smaller where they are too many."""
    scale = 1.0
    while True:
        blocks = _column_at(x, contents, scale)
        if not blocks or blocks[-1].y + blocks[-1].height <= TOP + ROOM or scale < 0.3:
            return blocks
        scale *= 0.97


def _column_at(x: float, contents: Sequence[Content], scale: float) -> list[Block]:
    blocks = []
    y = TOP
    for title, content in contents:
        size = SIZE * scale
        lines = tuple(part for line in content for part in _fitting(line, size))
        height = (TITLE_HEIGHT + LINE_HEIGHT * len(lines)) * scale
        title_size = min(TITLE_SIZE * scale, TITLE_SIZE * COLUMN / text_width(title, TITLE_SIZE))
        blocks.append(
            Block(
                title,
                x,
                round(y, 2),
                COLUMN,
                round(height, 2),
                round(size, 2),
                round(title_size, 2),
                round(LINE_HEIGHT * scale, 2),
                lines,
            )
        )
        y += height + BLOCK_GAP * scale
    return blocks


def _fitting(line: Line, size: float) -> list[Line]:
    """The line, or several of which the last has the pay."""
    pays = text_width(line.pays, size) + BETWEEN if line.pays else 0.0
    if text_width(line.words, size) + pays <= COLUMN:
        return [line]
    parts = wrapped(line.words, size, COLUMN - pays)
    kind = LineKind.PART if line.pays else line.kind
    return [*(Line(kind, part) for part in parts[:-1]), Line(line.kind, parts[-1], line.pays)]


# --- cards ------------------------------------------------------------------------------------


def _cards(rules: Rules) -> tuple[CardPlace, ...]:
    up = MIDDLE - CARD_GAP / 2 - CARD_WIDTH
    places = [
        _card("up", "Up Card", up, CARD_TOP, CARD_WIDTH),
        _card("down", "Down Card", up + CARD_WIDTH + CARD_GAP, CARD_TOP, CARD_WIDTH),
    ]
    count = rules.bonus_cards
    first = MIDDLE - (count * BONUS_WIDTH + (count - 1) * CARD_GAP) / 2
    places += [
        _card(
            f"b{number + 1}",
            str(number + 1),
            first + number * (BONUS_WIDTH + CARD_GAP),
            BONUS_TOP,
            BONUS_WIDTH,
        )
        for number in range(count)
    ]
    return tuple(places)


def _card(name: str, words: str, x: float, y: float, width: float) -> CardPlace:
    return CardPlace(name, words, x, y, width, round(width * CARD_SHAPE, 2))


# --- spots ------------------------------------------------------------------------------------


def _spots(rules: Rules) -> tuple[SpotPlace, ...]:
    width = min(SPOT_WIDTH, WIDTH / rules.seats)
    right = MIDDLE + width * rules.seats / 2
    return tuple(
        _spot(rules, number, right - width * (number - 0.5)) for number in range(1, rules.seats + 1)
    )


def _spot(rules: Rules, number: int, x: float) -> SpotPlace:
    """From the player to the dealer: jackpots, base wager between up and down, Bonus Cards."""
    bottom = round(lower_edge(x) - ABOVE_EDGE, 2)
    y = bottom - NUMBER_HEIGHT
    wagers: list[WagerPlace] = []
    games = [f"j{game}" for game in range(1, len(rules.jackpots) + 1)]
    if games:
        y -= SMALL_RADIUS
        wagers += _row(games, [game.upper() for game in games], Shape.SQUARE, x, y)
        y -= SMALL_RADIUS + WAGER_GAP
    y -= BASE_RADIUS
    base = WagerPlace("base", "", Shape.CIRCLE, round(x, 2), round(y, 2), BASE_RADIUS)
    aside = BASE_RADIUS + WAGER_GAP + SIDE_RADIUS
    beside = {"up": ("UP", -aside), "down": ("DOWN", aside)}
    sides = [
        WagerPlace(name, words, Shape.CIRCLE, round(x + at, 2), round(y, 2), SIDE_RADIUS)
        for name, (words, at) in beside.items()
        if name in rules.mtd_wagers
    ]
    bonus = [name for name in rules.mtd_wagers if name not in beside]
    y -= BASE_RADIUS + WAGER_GAP + SMALL_RADIUS
    numbers = [name[1:] for name in bonus]
    wagers = [base, *sides, *_row(bonus, numbers, Shape.CIRCLE, x, y), *wagers]
    return SpotPlace(number, round(x, 2), bottom, tuple(wagers))


def _row(
    names: Sequence[str], words: Sequence[str], shape: Shape, x: float, y: float
) -> list[WagerPlace]:
    step = 2 * SMALL_RADIUS + 4.0
    first = x - step * (len(names) - 1) / 2
    return [
        WagerPlace(name, text, shape, round(first + index * step, 2), round(y, 2), SMALL_RADIUS)
        for index, (name, text) in enumerate(zip(names, words, strict=True))
    ]


# --- jackpots ---------------------------------------------------------------------------------


def _jackpots(rules: Rules) -> tuple[JackpotPlace, ...]:
    """The first at the dealer's right, the second at the dealer's left."""
    left, top, width, height = PLATE
    places = []
    for game, jackpot in enumerate(rules.jackpots, start=1):
        title = "Jackpot" if len(rules.jackpots) == 1 else f"Jackpot {game}"
        x = left if game == 1 else WIDTH - left - width
        pays = tuple(Line(LineKind.PAY, hand, paid) for hand, paid in jackpot_pays(jackpot))
        places.append(
            JackpotPlace(
                game, title, dollars(jackpot.wager), str(jackpot.kind), x, top, width, height, pays
            )
        )
    return tuple(places)


def wager_title(name: str) -> str:
    """`Up Card`, `Bonus Card 2`, `Jackpot 1`, `Base wager`: a place's name in full."""
    if name == "base":
        return "Base wager"
    return f"Jackpot {name[1:]}" if name.startswith("j") else mtd_word(name)
