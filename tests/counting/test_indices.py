"""Index numbers and playing efficiency, compared with single hands and random shoes."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import numpy as np
import pytest

from tests import IS_SOAK
from tests.counting import RULES, WORKSHOP, effects_of_fixed_play
from tests.counting.tables import facts_of_table
from ventiuna.analysis.base_game.analyzer import hand_values
from ventiuna.analysis.composition import without_cards
from ventiuna.cards import parse_card, parse_cards
from ventiuna.core import actions
from ventiuna.core.cards import EMPTY_HAND, add_card, value_of
from ventiuna.counting.efficiency import EffectsCalculator, Tilt, normal_loss
from ventiuna.counting.files import count_text, with_indices
from ventiuna.counting.indices import IndexStudy, index_by_sums, index_numbers
from ventiuna.counting.removal import slope_per_true_count
from ventiuna.counting.tags import Depths, tags_of
from ventiuna.rules import compile_rules, fingerprint
from ventiuna.strategy.chart import Bonus
from ventiuna.strategy.counting import built_in_counts, read_count

LEVEL_ONE = built_in_counts()["level-one"]
DEPTHS = Depths(RULES, tags_of(LEVEL_ONE))


@pytest.fixture(scope="module")
def study() -> IndexStudy:
    return index_numbers(DEPTHS, points=7 if IS_SOAK else 5)  # fewer than usual, for speed


def ahead(study: IndexStudy, cards: str, up: str, action: str, usual: str, at: float) -> float:
    """Advantage of an action over the usual one for one hand at a true count that includes its
    cards.

    Computed hand by hand: the shoe is tilted to the count before the deal that leads there.
    """
    seen = (*parse_cards(cards), parse_card(up))
    tags = sum(float(DEPTHS.tags[card]) for card in seen)
    cards_left = DEPTHS.cards - len(seen)
    before = (at * cards_left / DEPTHS.deck - tags) * DEPTHS.deck / DEPTHS.cards
    found = 0.0
    for shoe in Tilt(DEPTHS, before).shoes():
        unseen = without_cards(shoe.composition, seen)
        values = {v.action: v.ev for v in
                  hand_values(RULES, cards, up, unseen=unseen).actions}  # fmt: skip
        found += shoe.weight * (values[action] - values[usual])
    return found


@pytest.mark.parametrize(
    ("kind", "number", "up", "cards", "cards_of_cell", "names"),
    [
        ("hard", 9, 6, "4c 5d", "", ("hit", "double")),
        ("hard", 11, 10, "9c 2d", "2", ("hit", "double")),
        ("soft", 17, 4, "Ac 6d", "2", ("hit", "double")),
        ("pair", 9, 3, "9c 9d", "", ("stand", "split")),
    ],
)
def test_the_best_action_of_single_hands_changes_about_the_index(
    study: IndexStudy,
    kind: str,
    number: int,
    up: int,
    cards: str,
    cards_of_cell: str,
    names: tuple[str, str],
) -> None:
    [index] = [
        found
        for found in study.cells
        if (found.cell.kind, found.cell.number, found.cell.up) == (kind, number, up)
        and found.cell.fewest == 2
    ]
    turn = index.above or index.below
    assert turn is not None
    other = actions.ACTION_NAMES[turn.action]
    usual = actions.ACTION_NAMES[index.usual]
    assert {other, usual} == set(names)
    text = {10: "Tc"}.get(up, f"{up}c").replace("Tc", "Kh")
    side = 1 if turn is index.above else -1
    beyond = ahead(study, cards, text, other, usual, turn.at + side * 1.0)
    within = ahead(study, cards, text, other, usual, turn.at - side * 1.0)
    assert within < 0 < beyond


def test_interpolated_values_match_shoes_at_those_counts(study: IndexStudy) -> None:
    """A cubic through four shoes, compared with a shoe analyzed at exactly that count."""
    found = study.by_count
    at = 1.7
    row = next(
        i
        for i in range(len(found.decisions))
        if found.decisions.counts[i].tolist() == [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        and found.decisions.up[i] == 9
    )
    before = found.before_deal(at)
    between = found.at(before)[row]
    direct = ahead(study, "6c Kc", "Kh", "hit", "stand", at)
    assert between[1] - between[0] == pytest.approx(direct, abs=3e-4)


def test_index_earnings_are_ranked_and_summed(study: IndexStudy) -> None:
    earned = [cell.earns for cell in study.cells]
    assert earned == sorted(earned, reverse=True)
    assert study.earns == pytest.approx(sum(earned))
    few = study.worth_knowing(20)
    assert len(few) == 20
    assert sum(cell.earns for cell in few) > 0.6 * study.earns
    # The total never exceeds the first-order gain of perfect play by the count.
    by_count, perfect = WORKSHOP.playing.gains([DEPTHS.tags], DEPTHS)
    assert 0.5 * by_count < study.earns < 1.2 * by_count < perfect


def test_each_cell_becomes_a_play_for_its_own_hands(study: IndexStudy) -> None:
    """For two cards of every cell with a 15, only the play of that cell applies, suited or not."""
    saved = with_indices(LEVEL_ONE, RULES, study.cells, study.insurance)
    cells = [index.cell for index in study.cells if index.above or index.below]
    plays = list(zip(cells, saved.plays, strict=True))
    hands = {"7h 8h": Bonus.SUITED_678, "7s 8s": Bonus.SPADES_678, "7h 8s": Bonus.NONE}
    for up in ("2c", "3c", "4c", "5c", "6c"):
        for cards, bonus in hands.items():
            first, second = parse_cards(cards)
            hand = add_card(add_card(EMPTY_HAND, first), second)
            shown = parse_card(up)
            [found] = [
                cell for cell, play in plays if play.concerns(compile_rules(RULES), hand, shown)
            ]
            assert (found.hand, found.up, found.bonus) == ("hard 15", value_of(shown), bonus)
    # Bonuses that no hand in the row can win are left out.
    assert {play.bonus for play in saved.plays if play.number == 16} == {Bonus.ANY}
    few = replace(saved, plays=saved.plays[:100])
    assert Bonus.SUITED_678 in {play.bonus for play in few.plays}
    assert read_count("mine", tomllib.loads(count_text(few, RULES.pack))).plays == few.plays


def test_printed_indices_match_the_file(study: IndexStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raising all tags by one adds no information; the count starts at -48 and reads 48 lower."""
    higher = replace(LEVEL_ONE, tags=tuple(tag + 1 for tag in LEVEL_ONE.tags), start=None)
    monkeypatch.setattr("ventiuna.counting.indices.index_numbers", lambda *_, **__: study)
    own = index_by_sums(EffectsCalculator(RULES), higher)
    assert study.insurance is not None
    assert own.insurance == pytest.approx(study.insurance - 48)
    assert (own.lowest, own.highest) == pytest.approx((study.lowest - 48, study.highest - 48))
    assert "A new shoe starts at -288, -48 per deck, and reads -48." in facts_of_table(own)["scale"]
    cells = own.worth_knowing(20)
    saved = with_indices(higher, RULES, cells, own.insurance)
    for balanced, index, play in zip(study.cells, cells, saved.plays, strict=False):
        turns = {turn.at for turn in (index.above, index.below) if turn}
        assert turns == {turn.at - 48 for turn in (balanced.above, balanced.below) if turn}
        assert min(abs(float(play.at) - at) for at in turns) <= 0.0501
    assert float(saved.insurance_at or 0) == pytest.approx(own.insurance, abs=0.05)


def test_tilted_shoes_confirm_the_slope_of_the_effects(study: IndexStudy) -> None:
    """Near 0, the value of a fixed play rises as the effects of removal predict."""
    found = study.by_count
    middle = len(found.points) // 2
    rise = found.fixed_ev[middle + 1] - found.fixed_ev[middle - 1]
    slope = rise / (found.points[middle + 1] - found.points[middle - 1])
    effects = effects_of_fixed_play()
    # Fewer points are farther apart, so the slope is less precise.
    near = 0.02 if IS_SOAK else 0.06
    assert slope == pytest.approx(slope_per_true_count(effects, DEPTHS.tags, 48), rel=near)
    assert (found.ev >= found.fixed_ev - 1e-12).all()


def test_the_normal_loss() -> None:
    """Compared with a plain sum over the normal curve."""
    x = np.arange(-10, 10, 1e-4)
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    for z in (0.0, 0.7, 2.5):
        wanted = (np.maximum(x - z, 0) * density).sum() * 1e-4
        assert float(normal_loss(np.array([z]))[0]) == pytest.approx(wanted, abs=1e-6)


def test_a_count_of_everything_plays_perfectly() -> None:
    """Nine counts of one value each track everything; one count tracks only part of it."""
    playing = WORKSHOP.playing
    single = [
        tuple(1 if (card // 4 if card < 36 else 9) == value else 0 for card in range(52))
        for value in range(9)
    ]
    whole = playing.efficiency(single, DEPTHS)  # type: ignore[arg-type]
    assert whole == pytest.approx(1.0, abs=1e-9)
    assert 0.4 < playing.efficiency([DEPTHS.tags], DEPTHS) < 0.65


def test_index_numbers_are_a_row_for_each_cell(study: IndexStudy) -> None:
    facts = facts_of_table(study)
    assert facts["fingerprint"] == fingerprint(study.rules)
    assert float(facts["insurance_at_count"]) == study.insurance
    first, row = study.cells[0], study.rows()[0]
    assert (row["hand"], row["earns_per_wager"]) == (first.cell.hand, first.earns)
    assert row["from_count"] == (first.above.at if first.above else None)
