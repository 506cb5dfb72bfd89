"""The printed felt (R-004): every payout in the rules and no others, and nothing overlaps."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from tests.cli.running import good, run
from tests.support.rule_sets import random_rules
from ventiuna.rendering import Anchor, Box, Circle, CurvedLabel, Label, point_on
from ventiuna.reports.layout import (
    CAPITALS,
    FELT_COLORS,
    Layout,
    LineKind,
    PageSize,
    draw,
    layout,
    layout_pdf,
    layout_svg,
    lower_edge,
    text_width,
)
from ventiuna.rules import Rules, load_rules, preset_ids
from ventiuna.rules.compiled import labels_of
from ventiuna.rules.text.phrases import dollars, jackpot_pays
from ventiuna.texts import finite

FULLEST = "wsgc-2021(mtd_configuration=4,bonus_cards=5,double_double=on,jackpots=3c:1+4d:1:wager=5)"
RANKS = "A23456789TJQK"
MANY = 60
NAMED = [*preset_ids(), FULLEST, "wsgc-2021(decks=2)", "wsgc-2021(seats=1)", "blackjack(seats=3)"]


def any_rules() -> list[Rules]:
    generator = random.Random(21)
    return [load_rules(name) for name in NAMED] + [random_rules(generator) for _ in range(MANY)]


ALL = any_rules()


def lines_of(printed: Layout, title: str) -> list[tuple[str, str]]:
    """Hands and pays of a block, with entries that span several lines joined."""
    found: list[tuple[str, str]] = []
    begun = ""
    for block in printed.blocks:
        for line in block.lines if block.title == title else ():
            words = f"{begun} {line.words}".strip()
            begun = words if line.kind is LineKind.PART else ""
            if not begun:
                found.append((words, line.pays))
    return found


# --- printed text -----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_r004_the_game_and_every_bonus_21_payout_are_printed(rules: Rules) -> None:
    printed = layout(rules)
    assert printed.name.words == rules.game.words.upper()
    found = {}
    ranks: list[str] = []
    for words, pays in lines_of(printed, "Bonus 21"):
        if not pays:
            ranks = words.split(" or ")
        elif words[:1].isdigit() and "card" in words:
            found["cards", words.split()[0]] = pays
        elif ranks:
            for name in ranks:
                found[name, words] = pays
        else:
            for name in words.partition(",")[0].split(" or "):
                found[name, "mixed suits"] = pays
    expected = {}
    for row in rules.bonus_21_rows():
        if row.ranks:
            name = "-".join(RANKS[rank - 1] for rank in row.ranks)
            expected[name, "mixed suits" if row.suits == "any" else row.suits] = row.pay.words
        else:
            expected["cards", str(row.cards[0])] = row.pay.words
    assert found == expected


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_the_other_payouts_match_the_rules(rules: Rules) -> None:
    printed = layout(rules)
    instant = lines_of(printed, "Instant wins")
    assert instant == [(row.name, row.pay.words) for row in rules.instant_wins]
    match = [pays for _, pays in lines_of(printed, "Match the Dealer")]
    assert match == (list(labels_of(rules).match_odds) if rules.mtd_configuration else [])
    arcs = " ".join(arc.words for arc in printed.arcs).lower()
    labels = labels_of(rules)
    if rules.blackjack_pays == rules.diamond_blackjack_pays:
        assert f"blackjack pays {labels.blackjack}" in arcs
        assert not lines_of(printed, "Blackjack")
    else:
        pays = [pays for _, pays in lines_of(printed, "Blackjack")]
        assert pays == [labels.diamond, labels.blackjack]
    assert (f"insurance pays {labels.insurance_odds}" in arcs) == rules.insurance
    assert ("21 always wins" in arcs) == (rules.player_21 == "wins")
    assert f"{rules.soft_17}" in arcs
    assert "soft 17" in arcs
    for place, jackpot in zip(printed.jackpots, rules.jackpots, strict=True):
        assert [(line.words, line.pays) for line in place.pays] == list(jackpot_pays(jackpot))
        assert place.wager == dollars(jackpot.wager)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_r069_super_and_envy_bonus_are_printed_if_they_are_paid(rules: Rules) -> None:
    pays = [pays for _, pays in lines_of(layout(rules), "Super Bonus") if pays]
    expected = []
    if rules.super_bonus_form() is not None:
        expected = [dollars(band.pay) for band in rules.super_bonus_bands]
        expected += (
            [dollars(rules.envy_amount)] if rules.envy != "off" and rules.envy_amount else []
        )
    assert pays == expected


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_r019_every_wager_and_every_card_has_its_place(rules: Rules) -> None:
    printed = layout(rules)
    names = ["base", *rules.mtd_wagers]
    names += [f"j{game}" for game in range(1, len(rules.jackpots) + 1)]
    assert [spot.number for spot in printed.spots] == list(range(1, rules.seats + 1))
    for spot in printed.spots:
        assert sorted(place.name for place in spot.wagers) == sorted(names)
        assert spot.y < lower_edge(spot.x)
    if rules.seats > 1:
        assert printed.spots[0].x > printed.spots[-1].x  # spot 1 is on the dealer's left
    bonus = [f"b{number}" for number in range(1, rules.bonus_cards + 1)]
    assert [card.name for card in printed.cards] == ["up", "down", *bonus]


PLATES = [
    FULLEST,
    "casino-card",
    "wsgc-2021(jackpots=5c:1:prize=50:wager=5:seed=100)",
    "wsgc-2021(jackpots=3c:1:alternate=1:prize=250+4d:2:alternate=1:prize=75:wager=20)",
    "wsgc-2021(decks=2,jackpots=4a:1:prize=400:kind=house:seed=5000)",
]


@pytest.mark.parametrize("name", PLATES)
def test_the_drawing_has_every_jackpot_line_and_prize_in_the_text(name: str) -> None:
    printed = layout(load_rules(name))
    words = [shape for shape in draw(printed).shapes if isinstance(shape, Label)]
    for plate in printed.jackpots:
        inside = [
            shape
            for shape in words
            if plate.x <= label_bounds(shape).left
            and label_bounds(shape).right <= plate.x + plate.width
            and shape.y <= plate.y + plate.height
        ]
        text = " ".join(shape.text for shape in inside if shape.text)
        for line in plate.pays:
            assert f"{line.words} {line.pays}" in text
        assert min(shape.size for shape in inside) > 7


# --- drawing ----------------------------------------------------------------------------------


BELOW = 0.22  # depth of descenders, in ems


class Bounds(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Bounds) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def label_bounds(label: Label) -> Bounds:
    width = text_width(label.text, label.size, label.spacing)
    share = {Anchor.START: 0.0, Anchor.MIDDLE: 0.5, Anchor.END: 1.0}[label.anchor]
    left, top = label.x - share * width, label.y - CAPITALS * label.size
    return Bounds(left, top, left + width, label.y + BELOW * label.size)


def holder_bounds(shape: Box | Circle) -> Bounds:
    if isinstance(shape, Box):
        return Bounds(shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
    x, y, radius = shape.x, shape.y, shape.radius
    return Bounds(x - radius, y - radius, x + radius, y + radius)


def letter_bounds(label: CurvedLabel) -> list[Bounds]:
    """Approximate bounds of each letter on a curve."""
    total = text_width(label.text, label.size, label.spacing)
    share = total / (label.curve[4] - label.curve[0])
    found = []
    for index, letter in enumerate(label.text):
        before = text_width(label.text[:index], label.size, label.spacing) / total
        x, y = point_on(label.curve, 0.5 - share / 2 + share * before)
        width = text_width(letter, label.size, label.spacing)
        found.append(Bounds(x, y - label.size, x + width, y + BELOW * label.size))
    return found


def bounds_of(printed: Layout) -> list[tuple[str, Bounds]]:
    """Bounds of everything that must not touch; a box or circle includes the words inside it."""
    found: list[tuple[str, Bounds]] = []
    shapes = draw(printed).shapes
    holders = [holder_bounds(shape) for shape in shapes if isinstance(shape, Box | Circle)]
    for shape in shapes:
        if isinstance(shape, CurvedLabel):
            found += [(shape.text, letter) for letter in letter_bounds(shape)]
        elif isinstance(shape, Label):
            bounds = label_bounds(shape)
            inside = [holder for holder in holders if holder.overlaps(bounds)]
            if inside:
                assert is_within(bounds, inside[0]), shape
            else:
                found.append((shape.text, bounds))
    return found + [("", holder) for holder in holders]


def is_within(inner: Bounds, outer: Bounds) -> bool:
    return (
        inner.left >= outer.left
        and inner.right <= outer.right
        and inner.top >= outer.top
        and inner.bottom <= outer.bottom
    )


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)
def test_nothing_overlaps_or_exceeds_the_frame(rules: Rules) -> None:
    printed = layout(rules)
    found = bounds_of(printed)
    for (name, one), (other, two) in combinations(found, 2):
        if name != other or len(name) < 10:  # letters of the same arc may touch
            assert not one.overlaps(two), f"{name!r} and {other!r}"
    frame = Bounds(0, 0, printed.width, printed.height)
    assert all(is_within(one, frame) for _, one in found)


@pytest.mark.parametrize("name", [*preset_ids(), FULLEST])
def test_svg_is_well_formed_and_has_every_word(name: str) -> None:
    printed = layout(load_rules(name))
    # Safe to parse, because it is our own output.
    root = ElementTree.fromstring(layout_svg(printed, FELT_COLORS))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {"".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")}
    words = {shape.text for shape in draw(printed).shapes if isinstance(shape, Label)}
    assert texts == words | {arc.words for arc in printed.arcs}


def test_pdf_is_one_page_of_its_size() -> None:
    printed = layout(load_rules(FULLEST))
    for sheet in PageSize:
        content = layout_pdf(printed, sheet, FELT_COLORS)
        assert content.startswith(b"%PDF-")
        assert content.count(b"/Type /Page\n") == 1
        width = sheet.size[0] * 72 / 25.4
        assert f"{width:.2f}".encode() in content


def test_the_layout_is_pure() -> None:
    rules = load_rules(FULLEST)
    assert layout(rules) == layout(rules)
    assert (layout(rules).width, layout(rules).height) == (1080.0, 720.0)


# --- the command ------------------------------------------------------------------------------


def test_the_command_writes_the_requested_files(tmp_path: Path) -> None:
    svg, pdf = tmp_path / "felt.svg", tmp_path / "felt.pdf"
    done = run("rules", "layout", FULLEST, "--svg", str(svg), "--pdf", str(pdf), "--paper", "a4")
    assert done.code == 0, done.err
    assert done.err.count("written to") == 2
    assert svg.read_text(encoding="utf-8") == layout_svg(layout(load_rules(FULLEST)))
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert run("rules", "layout", FULLEST, "--json").data == finite(layout(load_rules(FULLEST)))
    text = good("rules", "layout", "super-fun-21")
    assert "SUPER FUN 21" in text
    assert "all diamonds" in text
    assert "Base wager" in text


def test_bad_input_gets_a_sentence(tmp_path: Path) -> None:
    assert "no such preset" in run("rules", "layout", "nonsense").err
    missing = tmp_path / "none" / "felt.svg"
    failed = run("rules", "layout", "blackjack", "--svg", str(missing))
    assert failed.code != 0
    assert "felt.svg" in failed.err
