"""The layout printed on a table's felt (R-004): its words, their positions, and the drawing.

PDF needs fpdf2 (the `print` extra).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from ventiuna.rendering import (
    Anchor,
    Box,
    Circle,
    CurvedLabel,
    Drawing,
    Edge,
    Label,
    Leader,
    Quadratic,
    Shape,
    drawing_pdf,
    drawing_svg,
    point_on,
)
from ventiuna.rules import canonical, fingerprint
from ventiuna.rules.data_files import match_odds
from ventiuna.rules.model import BlackjackTie, Envy, PayRow, Player21, Rules, Soft17
from ventiuna.rules.options import MAX_CARDS, range_text, ranks_text
from ventiuna.rules.text.phrases import dollars, jackpot_pays, mtd_word, up_card_words
from ventiuna.texts import brief_repr

# --- Records. The frame is 1080 wide and 720 high in every format. ---

WIDTH, HEIGHT = 1080.0, 720.0


class WagerShape(StrEnum):
    CIRCLE = "circle"
    SQUARE = "square"  # jackpots have a sensor, not a circle


class LineKind(StrEnum):
    PAY = "pay"  # a hand and its payout
    PART = "part"  # a hand that continues on the next line, where the payout is
    NOTE = "note"  # words only


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One line of a block. A long hand takes several, with the payout on the last."""

    kind: LineKind
    words: str
    pays: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A column of payouts, with its position and type size."""

    title: str
    x: float
    y: float  # upper edge
    width: float
    height: float
    size: float  # type size of the lines
    title_size: float
    line_height: float
    lines: tuple[PrintedLine, ...]


@dataclass(frozen=True, slots=True)
class Arc:
    """Words centered on a quadratic curve from `x0, y0` to `x1, y1` with control point `cx, cy`."""

    words: str
    size: float
    spacing: float  # space between letters, in ems
    strong: bool
    x0: float
    y0: float
    cx: float
    cy: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Position of a dealer's card: `up`, `down`, `b1` to `b5`."""

    name: str
    words: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class WagerPlace:
    """Position of a spot's wager: `base`, `up`, `down`, `b1` to `b5`, `j1`, `j2`."""

    name: str
    words: str
    shape: WagerShape
    x: float
    y: float  # center
    radius: float


@dataclass(frozen=True, slots=True)
class SpotPlace:
    """A betting spot; `x, y` is the center of its lower edge."""

    number: int
    x: float
    y: float
    wagers: tuple[WagerPlace, ...]


@dataclass(frozen=True, slots=True)
class JackpotPlace:
    """Position of a jackpot's meter, with its wager and pay lines."""

    game: int
    title: str
    wager: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    pays: tuple[PrintedLine, ...]


@dataclass(frozen=True, slots=True)
class PrintedName:
    """The name of the game, in the center."""

    words: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything printed on the felt."""

    rules: str
    fingerprint: str
    width: float
    height: float
    edge: float  # y of the felt's lower edge at both ends; `middle` is its y in the middle
    middle: float
    name: PrintedName
    arcs: tuple[Arc, ...]
    blocks: tuple[Block, ...]
    cards: tuple[CardPlace, ...]
    spots: tuple[SpotPlace, ...]
    jackpots: tuple[JackpotPlace, ...]

    __repr__ = brief_repr


# --- Text widths ---

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_WIDTHS = {  # in ems
    " ": 0.25,
    **dict.fromkeys(f"ijl.,;:'|!·{APOSTROPHE}", 0.28),
    **dict.fromkeys("ftrI()-", 0.36),
    **dict.fromkeys("mwMW%", 0.92),
    **dict.fromkeys("OQGDHNUKXAV", 0.8),
}
_CAPITAL, _USUAL = 0.66, 0.53
CAPITALS = 0.72  # height of capital letters, in ems


def text_width(text: str, size: float, spacing: float = 0.0) -> float:
    """Estimate the width of text; `spacing` between letters is in ems."""
    ems = 0.0
    for letter in text:
        known = _WIDTHS.get(letter)
        ems += (known or (_CAPITAL if letter.isupper() else _USUAL)) + spacing
    return ems * size


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Wrap text into lines of similar length, at most `width` wide unless a word is wider."""
    lines = _broken(text, size, width)
    narrower = width
    while narrower > size:
        narrower -= size / 2
        closer = _broken(text, size, narrower)
        if len(closer) > len(lines):
            break
        lines = closer
    return lines


def _broken(text: str, size: float, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# --- Blocks of payouts ---

Group = tuple[tuple[str, str], ...]  # suits in words, pay


# --- Bonus 21 and instant wins ---


def _bonus_21(rules: Rules) -> list[PrintedLine]:
    """List rows by number of cards, fewest first, then by ranks, grouped by payout."""
    rows = rules.bonus_21_rows()
    lines = [_pay(_row_words(row), row.pay.words) for row in reversed(rows) if not row.ranks]
    by_ranks: dict[str, Group] = {}
    for row in rows:
        if row.ranks:
            suits = "mixed suits" if row.suits == "any" else row.suits
            suits += "" if row.after_split else ", not after a split"
            ranks = ranks_text(row.ranks)
            by_ranks[ranks] = ((suits, row.pay.words), *by_ranks.get(ranks, ()))
    groups: dict[Group, list[str]] = {}
    for ranks, group in by_ranks.items():
        groups.setdefault(group, []).append(ranks)
    for group in sorted(groups, key=len):  # so that no single line looks like part of a group
        names = " or ".join(groups[group])
        if len(group) == 1:
            [(suits, pays)] = group
            lines.append(_pay(names if suits == "mixed suits" else f"{names}, {suits}", pays))
        else:
            lines.append(PrintedLine(LineKind.NOTE, names))
            lines += [_pay(suits, pays) for suits, pays in group]
    return lines


def _row_words(row: PayRow) -> str:
    """Describe a row as `5 cards` or `7 or more cards`; a special row keeps its name."""
    if row.suits != "any" or row.total != (21, 21) or not row.after_split:
        split = "" if row.after_split else ", not after a split"
        return f"{row.name}{split}"
    if row.cards[1] >= MAX_CARDS:
        return f"{row.cards[0]} or more cards"
    return f"{range_text(row.cards)} cards"


# --- Other blocks ---


def _blackjack(rules: Rules) -> Iterator[PrintedLine]:
    """Yield lines only if diamonds pay differently (R-114); otherwise an arc shows the payout."""
    if rules.diamond_blackjack_pays != rules.blackjack_pays:
        yield _pay("all diamonds", rules.diamond_blackjack_pays.words)
        yield _pay("any other", rules.blackjack_pays.words)


def _super_bonus(rules: Rules) -> Iterator[PrintedLine]:
    form = rules.super_bonus_form()
    if form is None:
        return
    yield PrintedLine(LineKind.NOTE, f"{form.hand} against {up_card_words(form)}")
    bands = rules.super_bonus_bands
    for band, following in zip(bands, [*bands[1:], None], strict=True):
        size = f"{dollars(band.base_from)} or more"
        if following:
            size = f"{dollars(band.base_from)} to {dollars(following.base_from - rules.chip_unit)}"
        yield _pay(size, dollars(band.pay))
    if rules.envy is not Envy.OFF and rules.envy_amount:
        yield _pay("Envy Bonus", dollars(rules.envy_amount))


def _match_the_dealer(rules: Rules) -> Iterator[PrintedLine]:
    if rules.mtd_configuration:
        odds = match_odds()[rules.decks]
        yield _pay("rank", f"{odds.unsuited} to 1")
        yield _pay("rank and suit", f"{odds.suited} to 1")


def _pay(words: str, pays: str) -> PrintedLine:
    return PrintedLine(LineKind.PAY, words, pays)


# --- Positions ---

MIDDLE = WIDTH / 2
EDGE, LOWEST = 590.0, 694.0  # the felt's lower edge at its ends and in the middle

# --- Blocks ---
LEFT, RIGHT, TOP, COLUMN = 226.0, 682.0, 20.0, 172.0
ROOM = 232.0  # height available above the arcs
SIZE, TITLE_SIZE, LINE_HEIGHT, TITLE_HEIGHT, BLOCK_GAP = 13.0, 17.0, 19.5, 25.0, 10.0
BETWEEN = 10.0  # minimum gap between a hand and its payout

# --- Arcs ---
STRONG_CURVE = (150.0, 252.0, 540.0, 350.0, 930.0, 252.0)
SECOND_CURVE = (190.0, 287.0, 540.0, 381.0, 890.0, 287.0)
FILLED = 0.94  # maximum share of a curve that text may fill
CURVE_STEPS = 64  # line segments used to measure a curve's length

# --- Cards ---
CARD_TOP, CARD_WIDTH, CARD_GAP = 20.0, 84.0, 8.0
BONUS_TOP, BONUS_WIDTH = 182.0, 44.0
CARD_SHAPE = 7 / 5  # height divided by width

# --- Spots ---
SPOT_WIDTH = 154.0
ABOVE_EDGE = 17.0
BASE_RADIUS, SIDE_RADIUS, SMALL_RADIUS = 26.0, 15.0, 11.0
WAGER_GAP = 6.0
NUMBER_HEIGHT = 20.0  # height of the spot's number, below its wagers

# --- Jackpots ---
PLATE = (24.0, 132.0, 176.0, 82.0)


def layout(rules: Rules) -> Layout:
    """Lay out everything printed on the felt for these rules."""
    left = {  # payouts of a hand's own wager
        "Bonus 21": _bonus_21(rules),
        "Instant wins": [_pay(row.name, row.pay.words) for row in rules.instant_wins],
    }
    right = {
        "Blackjack": list(_blackjack(rules)),
        "Super Bonus": list(_super_bonus(rules)),
        "Match the Dealer": list(_match_the_dealer(rules)),
    }
    return Layout(
        rules=canonical(rules),
        fingerprint=fingerprint(rules),
        width=WIDTH,
        height=HEIGHT,
        edge=EDGE,
        middle=LOWEST,
        name=PrintedName(rules.game.words.upper(), MIDDLE, 424.0, 34.0),
        arcs=_arcs(rules),
        blocks=(*_column(LEFT, left), *_column(RIGHT, right)),
        cards=_cards(rules),
        spots=_spots(rules),
        jackpots=_jackpots(rules),
    )


def lower_edge(x: float) -> float:
    """Return the y of the felt's lower edge, a parabola, at x."""
    share = x / WIDTH
    return EDGE + 4 * share * (1 - share) * (LOWEST - EDGE)


# --- Arcs ---


def _arcs(rules: Rules) -> tuple[Arc, ...]:
    """Put the hand that always wins, or else the blackjack payout, on the upper arc."""
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


def _arc(words: str, size: float, spacing: float, curve: Quadratic, *, strong: bool) -> Arc:
    """Build an arc in this type size, or smaller if the curve is too short."""
    points = [point_on(curve, step / CURVE_STEPS) for step in range(CURVE_STEPS + 1)]
    length = sum(hypot(two[0] - one[0], two[1] - one[1]) for one, two in pairwise(points))
    room = FILLED * length
    size = min(size, size * room / text_width(words, size, spacing))
    x0, y0, cx, cy, x1, y1 = curve
    return Arc(words, round(size, 2), spacing, strong, x0, y0, cx, cy, x1, y1)


# --- Blocks ---


def _column(x: float, contents: Mapping[str, Sequence[PrintedLine]]) -> list[Block]:
    """Stack blocks in a column, scaled down until they fit."""
    scale = 1.0
    while True:
        blocks = _column_at(x, contents, scale)
        if not blocks or blocks[-1].y + blocks[-1].height <= TOP + ROOM or scale < 0.3:
            return blocks
        scale *= 0.97


def _column_at(
    x: float, contents: Mapping[str, Sequence[PrintedLine]], scale: float
) -> list[Block]:
    blocks = []
    y = TOP
    for title, content in contents.items():
        if not content:
            continue
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


def _fitting(line: PrintedLine, size: float) -> list[PrintedLine]:
    """Return the line, or several lines if it is too long, with the payout on the last."""
    pays = text_width(line.pays, size) + BETWEEN if line.pays else 0.0
    if text_width(line.words, size) + pays <= COLUMN:
        return [line]
    parts = wrapped(line.words, size, COLUMN - pays)
    kind = LineKind.PART if line.pays else line.kind
    return [
        *(PrintedLine(kind, part) for part in parts[:-1]),
        PrintedLine(line.kind, parts[-1], line.pays),
    ]


# --- Cards ---


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


# --- Spots ---


def _spots(rules: Rules) -> tuple[SpotPlace, ...]:
    width = min(SPOT_WIDTH, WIDTH / rules.seats)
    right = MIDDLE + width * rules.seats / 2
    return tuple(
        _spot(rules, number, right - width * (number - 0.5)) for number in range(1, rules.seats + 1)
    )


def _spot(rules: Rules, number: int, x: float) -> SpotPlace:
    """Arrange wagers from player to dealer: jackpots, base between up and down, Bonus Cards."""
    bottom = round(lower_edge(x) - ABOVE_EDGE, 2)
    y = bottom - NUMBER_HEIGHT
    wagers: list[WagerPlace] = []
    games = [f"j{game}" for game in range(1, len(rules.jackpots) + 1)]
    if games:
        y -= SMALL_RADIUS
        wagers += _row(games, [game.upper() for game in games], WagerShape.SQUARE, x, y)
        y -= SMALL_RADIUS + WAGER_GAP
    y -= BASE_RADIUS
    base = WagerPlace("base", "", WagerShape.CIRCLE, round(x, 2), round(y, 2), BASE_RADIUS)
    aside = BASE_RADIUS + WAGER_GAP + SIDE_RADIUS
    beside = {"up": ("UP", -aside), "down": ("DOWN", aside)}
    sides = [
        WagerPlace(name, words, WagerShape.CIRCLE, round(x + at, 2), round(y, 2), SIDE_RADIUS)
        for name, (words, at) in beside.items()
        if name in rules.mtd_wagers
    ]
    bonus = [name for name in rules.mtd_wagers if name not in beside]
    y -= BASE_RADIUS + WAGER_GAP + SMALL_RADIUS
    numbers = [name[1:] for name in bonus]
    wagers = [base, *sides, *_row(bonus, numbers, WagerShape.CIRCLE, x, y), *wagers]
    return SpotPlace(number, round(x, 2), bottom, tuple(wagers))


def _row(
    names: Sequence[str], words: Sequence[str], shape: WagerShape, x: float, y: float
) -> list[WagerPlace]:
    step = 2 * SMALL_RADIUS + 4.0
    first = x - step * (len(names) - 1) / 2
    return [
        WagerPlace(name, text, shape, round(first + index * step, 2), round(y, 2), SMALL_RADIUS)
        for index, (name, text) in enumerate(zip(names, words, strict=True))
    ]


# --- Jackpots ---


def _jackpots(rules: Rules) -> tuple[JackpotPlace, ...]:
    """Place the first jackpot on the dealer's right, the second on the dealer's left."""
    left, top, width, height = PLATE
    places = []
    for game, jackpot in enumerate(rules.jackpots, start=1):
        title = "Jackpot" if len(rules.jackpots) == 1 else f"Jackpot {game}"
        x = left if game == 1 else WIDTH - left - width
        pays = tuple(PrintedLine(LineKind.PAY, hand, paid) for hand, paid in jackpot_pays(jackpot))
        places.append(
            JackpotPlace(
                game, title, dollars(jackpot.wager), str(jackpot.kind), x, top, width, height, pays
            )
        )
    return tuple(places)


def wager_title(name: str) -> str:
    """Return a place's full name: `Up Card`, `Bonus Card 2`, `Jackpot 1`, `Base wager`."""
    if name == "base":
        return "Base wager"
    return f"Jackpot {name[1:]}" if name.startswith("j") else mtd_word(name)


# --- As text ---

PAYS_AT = 34  # column where payouts start


def layout_text(printed: Layout) -> str:
    return "\n".join(_lines(printed))


def _lines(printed: Layout) -> Iterator[str]:
    yield printed.name.words
    for arc in printed.arcs:
        yield " ".join(arc.words.split())
    for block in printed.blocks:
        yield ""
        yield block.title
        yield from _pays(block.lines)
    for jackpot in printed.jackpots:
        yield ""
        yield f"{jackpot.title}, {jackpot.wager}"
        yield from _pays(jackpot.pays)
    yield ""
    cards = (
        card.words if card.name in ("up", "down") else f"Bonus Card {card.words}"
        for card in printed.cards
    )
    yield f"Cards: {', '.join(cards)}"
    yield f"Spots: 1 to {len(printed.spots)}"
    places = [wager_title(place.name) for place in printed.spots[0].wagers]
    yield f"On each: {', '.join(places)}"


def _pays(lines: Sequence[PrintedLine]) -> Iterator[str]:
    at = max([PAYS_AT, *(len(line.words) + 2 for line in lines)])
    for line in lines:
        yield f"  {line.words:<{at}}{line.pays}".rstrip()


# --- Colors and page sizes ---


class PageSize(StrEnum):
    A4 = "a4"
    A3 = "a3"

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimeters, in landscape."""
        return (297.0, 210.0) if self is PageSize.A4 else (420.0, 297.0)


class Palette(NamedTuple):
    ground: str
    cloth: str
    print: str
    second: str
    gold: str
    line: str


PAPER_COLORS = Palette("#ffffff", "#ffffff", "#1c1a17", "#4d4941", "#7a5410", "#8a8478")
FELT_COLORS = Palette("#2a1d13", "#134a3a", "#efe4c8", "#d8dcc4", "#f0cf86", "#9aa98c")
MARGIN = 8.0  # millimeters


def layout_svg(printed: Layout, colors: Palette = PAPER_COLORS) -> str:
    return drawing_svg(draw(printed, colors))


def layout_pdf(
    printed: Layout, sheet: PageSize = PageSize.A3, colors: Palette = PAPER_COLORS
) -> bytes:
    drawing = draw(printed, colors)
    return drawing_pdf(drawing, sheet.size, MARGIN, "write the layout as SVG")


# --- Drawing as SVG and PDF ---

SMALL_WORDS = 8.0
CARD_WORDS = 13.0
PLATE_WORDS, PLATE_LEADING = 11.0, 1.25
PLATE_TITLE, PLATE_MARGIN = 28.0, 9.0
OTHER_FONTS = 1.17  # how much wider small text may be in a viewer's own fonts


def draw(printed: Layout, colors: Palette = PAPER_COLORS) -> Drawing:
    return Drawing(
        printed.width,
        printed.height,
        f"{printed.name.words}: printed layout of {printed.rules}",
        tuple(_shapes(printed, colors)),
        stroke=1.5,
        svg_font=(
            "'Iowan Old Style', 'Palatino Linotype', Palatino, P052, 'TeX Gyre Pagella', Georgia, "
            "serif"
        ),
        pdf_font="times",
        ground=colors.ground,
    )


def _shapes(printed: Layout, colors: Palette) -> Iterator[Shape]:
    middle, control = printed.width / 2, 2 * printed.middle - printed.edge
    edge = (0.0, printed.edge, middle, control, printed.width, printed.edge)
    yield Edge(edge, fill=colors.cloth)
    yield Edge(edge, line=colors.gold)
    for arc in printed.arcs:
        curve = (arc.x0, arc.y0, arc.cx, arc.cy, arc.x1, arc.y1)
        color = colors.gold if arc.strong else colors.second
        yield CurvedLabel(curve, arc.words, arc.size, color, arc.strong, arc.spacing)
    name = printed.name
    yield Label(name.x, name.y, name.words, name.size, colors.gold, Anchor.MIDDLE, True, 0.2)
    for block in printed.blocks:
        yield from _block(block, colors)
    yield from _card_shapes(printed, colors)
    yield from _jackpot_shapes(printed, colors)
    yield from _spot_shapes(printed, colors)


def _block(block: Block, colors: Palette) -> Iterator[Shape]:
    y = block.y + block.title_size * CAPITALS + 2
    yield Label(block.x, y, block.title, block.title_size, colors.gold, bold=True)
    y = block.y + block.height - len(block.lines) * block.line_height
    right = block.x + block.width
    for line in block.lines:
        y += block.line_height
        at = y - block.line_height * 0.3
        ink = colors.second if line.kind is LineKind.NOTE else colors.print
        yield Label(block.x, at, line.words, block.size, ink)
        if line.pays:
            begin = block.x + text_width(line.words, block.size) + 6
            end = right - text_width(line.pays, block.size) - 6
            if end - begin > 6:
                yield Leader(begin, end, at - 1, colors.line)
            yield Label(right, at, line.pays, block.size, colors.print, Anchor.END, bold=True)


def _card_shapes(printed: Layout, colors: Palette) -> Iterator[Shape]:
    for card in printed.cards:
        yield Box(card.x, card.y, card.width, card.height, colors.line, corner=6.0, dashed=True)
        parts = card.words.split()
        y = card.y + card.height / 2 - (len(parts) - 1) * 9 + CARD_WORDS * CAPITALS / 2
        for part in parts:
            middle = card.x + card.width / 2
            yield Label(middle, y, part, CARD_WORDS, colors.second, Anchor.MIDDLE)
            y += 18


def _jackpot_shapes(printed: Layout, colors: Palette) -> Iterator[Shape]:
    """Draw each jackpot's wager with every line and prize, from the top of the felt down."""
    for plate in printed.jackpots:
        bottom = plate.y + plate.height
        left, right = plate.x + PLATE_MARGIN, plate.x + plate.width - PLATE_MARGIN
        yield Box(plate.x, TOP, plate.width, bottom - TOP, colors.line, corner=10.0)
        yield Label(left, TOP + 22, plate.title, 14.0, colors.gold, bold=True)
        yield Label(right, TOP + 22, plate.wager, 14.0, colors.print, Anchor.END, bold=True)
        lines, size = _fitted(plate.pays, right - left, bottom - TOP - PLATE_TITLE - PLATE_MARGIN)
        y = TOP + PLATE_TITLE
        for words, pays in lines:
            y += size * PLATE_LEADING
            yield Label(left, y, words, size, colors.second)
            if pays:
                yield Label(right, y, pays, size, colors.print, Anchor.END, bold=True)


def _fitted(
    pays: Sequence[PrintedLine], width: float, height: float
) -> tuple[list[tuple[str, str]], float]:
    """Lay out words and payouts as large as fits; a payout is on its hand's last line."""
    size = PLATE_WORDS
    while True:
        lines: list[tuple[str, str]] = []
        for line in pays:
            *above, last = wrapped(line.words, size, width / OTHER_FONTS)
            lines += [(part, "") for part in above]
            if text_width(f"{last}  {line.pays}", size) <= width / OTHER_FONTS:
                lines.append((last, line.pays))
            else:
                lines += [(last, ""), ("", line.pays)]
        if len(lines) * size * PLATE_LEADING <= height:
            return lines, size
        size *= 0.97


def _spot_shapes(printed: Layout, colors: Palette) -> Iterator[Shape]:
    for spot in printed.spots:
        for place in spot.wagers:
            if place.shape is WagerShape.CIRCLE:
                yield Circle(place.x, place.y, place.radius, colors.line)
            else:
                side = 2 * place.radius
                yield Box(
                    place.x - place.radius,
                    place.y - place.radius,
                    side,
                    side,
                    colors.line,
                    corner=5.0,
                )
            if place.words:
                size = SMALL_WORDS if len(place.words) > 1 else CARD_WORDS
                y = place.y + size * CAPITALS / 2
                yield Label(place.x, y, place.words, size, colors.second, Anchor.MIDDLE)
        yield Label(spot.x, spot.y - 3, str(spot.number), CARD_WORDS, colors.second, Anchor.MIDDLE)
