"""Samples of the generator come from the table's own functions, and pass a regulator's tests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import run
from tests.support.position_tests import (
    Chances,
    Shoes,
    chi_square,
    correlation,
    passes,
    runs,
    serial_correlation,
)
from ventiuna.proof import rng_sample
from ventiuna.proof.rng_sample import MANIFEST, RAW, SEEDS, SHOES, Sample, SampleError, write_sample
from ventiuna.rules import load_rules
from ventiuna.table.fairness import (
    HmacDrbg,
    LiveShoe,
    RandomWords,
    ShoeContext,
    mix_of,
    shoe_commitment,
)

DECK = Sample(load_rules("super-fun-21"), 1500, "21")
SHOE = Sample(load_rules("wsgc-2021(decks=8,burn_cards=3)"), 12, "21")


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in (SEEDS, RAW, SHOES)}


def shoes_in(sample: Sample, folder: Path) -> Shoes:
    cards = np.fromfile(folder / SHOES, dtype=np.uint8).astype(np.int64)
    return cards.reshape(sample.shoes, -1)


# --- the sample -----------------------------------------------------------------------------------


def test_a_live_shoe_with_the_samples_seed_deals_the_samples_cards(tmp_path: Path) -> None:
    write_sample(SHOE, tmp_path)
    found = contents(tmp_path)
    for number, cards in enumerate(shoes_in(SHOE, tmp_path), start=1):
        context = SHOE.context(number)
        seed = found[SEEDS][32 * (number - 1) : 32 * number]
        shoe = LiveShoe(context, seed, mix_of(shoe_commitment(context, seed), {}))
        assert [shoe.draw() for _ in range(shoe.cards_left)] == cards[context.burn :].tolist()


class _Recorded(HmacDrbg):
    """A generator whose output is in a file."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def generate(self, size: int) -> bytes:
        request, self._raw = self._raw[:size], self._raw[size:]
        return request


def test_the_raw_output_shuffles_the_samples_shoes(tmp_path: Path) -> None:
    write_sample(SHOE, tmp_path)
    raw, each = contents(tmp_path)[RAW], SHOE.sizes()[RAW]
    for number, shuffled in enumerate(shoes_in(SHOE, tmp_path)):
        cards = sorted(SHOE.rules.pack.cards) * SHOE.rules.decks
        RandomWords(_Recorded(raw[each * number : each * (number + 1)])).shuffle(cards)
        assert cards == shuffled.tolist()


def test_the_manifest_has_the_checksums(tmp_path: Path) -> None:
    told = write_sample(SHOE, tmp_path)
    assert told == json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    sums = {name: hashlib.sha256(each).hexdigest() for name, each in contents(tmp_path).items()}
    assert told["sha256"] == sums
    assert told["complete"]
    assert told["source"] == "test seed 21"
    assert {name: len(each) for name, each in contents(tmp_path).items()} == {
        name: SHOE.shoes * size for name, size in SHOE.sizes().items()
    }


def test_without_a_seed_every_sample_is_new(tmp_path: Path) -> None:
    rules = load_rules("super-fun-21")
    for name in ("one", "two"):
        assert write_sample(Sample(rules, 3), tmp_path / name)["source"] == "operating system"
    one, two = (contents(tmp_path / name)[SEEDS] for name in ("one", "two"))
    assert one != two
    assert len({one[:32], one[32:64], one[64:], two[:32], two[32:64], two[64:]}) == 6


def test_a_stopped_sample_continues_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sample(SHOE, tmp_path / "whole")
    made = rng_sample.one_shoe

    def interrupted(context: ShoeContext, seed: bytes) -> dict[str, bytes]:
        if context.number == 6:
            raise KeyboardInterrupt
        return made(context, seed)

    words = ["rng-sample", str(tmp_path / "parts"), "--rules", "wsgc-2021(decks=8,burn_cards=3)"]
    words += ["--shoes", "12", "--seed", "21"]
    with monkeypatch.context() as patch:
        patch.setattr(rng_sample, "one_shoe", interrupted)
        stopped = run(*words)
    assert stopped.code == 130
    assert "To continue: ventiuna rng-sample" in stopped.err
    assert json.loads((tmp_path / "parts" / MANIFEST).read_text("utf-8"))["complete"] is False
    with (tmp_path / "parts" / RAW).open("ab") as file:
        file.write(b"part of a shoe")
    assert run(*words, "--json").data["complete"] is True
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_what_is_no_sample_gets_one_sentence(tmp_path: Path) -> None:
    write_sample(Sample(DECK.rules, 2, "21"), tmp_path / "old")
    with pytest.raises(SampleError, match="contains a different sample"):
        write_sample(Sample(DECK.rules, 2, "22"), tmp_path / "old")
    with pytest.raises(SampleError, match="contains a different sample"):
        write_sample(Sample(SHOE.rules, 2, "21"), tmp_path / "old")
    (tmp_path / "old" / MANIFEST).unlink()
    with pytest.raises(SampleError, match="no manifest"):
        write_sample(Sample(DECK.rules, 2, "21"), tmp_path / "old")
    assert run("rng-sample", str(tmp_path / "new"), "--shoes", "0").code == 2
    assert not (tmp_path / "new" / SHOES).exists()


# --- 11 VAC 20-20-510 (C) -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shoes(tmp_path_factory: pytest.TempPathFactory) -> Shoes:
    """1,500 shuffled shoes of one deck."""
    folder = tmp_path_factory.mktemp("sample")
    write_sample(DECK, folder)
    return shoes_in(DECK, folder)


def test_11vac20_20_510_c1_chi_square_at_99_percent_for_each_card_position(shoes: Shoes) -> None:
    assert len(chi_square(shoes)) == 52
    assert passes(chi_square(shoes))


def test_11vac20_20_510_c2_runs_at_99_percent_for_each_card_position(shoes: Shoes) -> None:
    assert len(runs(shoes)) == 52
    assert passes(runs(shoes))


def test_11vac20_20_510_c3_correlation_at_99_percent_for_each_pair_of_card_positions(
    shoes: Shoes,
) -> None:
    assert len(correlation(shoes)) == 52 * 51 // 2
    assert passes(correlation(shoes))


def test_11vac20_20_510_c4_serial_correlation_at_99_percent_for_each_card_position(
    shoes: Shoes,
) -> None:
    assert len(serial_correlation(shoes)) == 52
    assert passes(serial_correlation(shoes))


def _favors_a_card(shoes: Shoes) -> None:
    """One card is on top three times as often as it should be."""
    for order in shoes[:60]:
        place = int(np.nonzero(order == 17)[0][0])
        order[[0, place]] = order[[place, 0]]


def _repeats_a_pattern(shoes: Shoes) -> None:
    """High and low cards alternate on top too often."""
    for number, order in enumerate(shoes):
        if number % 4 == 0 and (order[0] >= 26) != bool(number % 8):
            place = next(at for at in range(1, 52) if (order[at] >= 26) == bool(number % 8))
            order[[0, place]] = order[[place, 0]]
    shoes[1::4, 0] = shoes[0::4, 0]


def _ties_two_positions(shoes: Shoes) -> None:
    """Two positions are often both high or both low."""
    for order in shoes[::3]:
        high = order[3] >= 26
        place = next(at for at in range(10, 52) if (order[at] >= 26) == high)
        order[[9, place]] = order[[place, 9]]


def _remembers_the_last_shoe(shoes: Shoes) -> None:
    """Every fifth shoe repeats the previous one."""
    shoes[1::5] = shoes[0::5]


@pytest.mark.parametrize(
    ("spoil", "test"),
    [
        (_favors_a_card, chi_square),
        (_repeats_a_pattern, runs),
        (_ties_two_positions, correlation),
        (_remembers_the_last_shoe, serial_correlation),
    ],
)
def test_a_faulty_shuffle_fails(
    shoes: Shoes, spoil: Callable[[Shoes], None], test: Callable[[Shoes], Chances]
) -> None:
    spoilt = shoes.copy()
    spoil(spoilt)
    assert not passes(test(spoilt))


def test_fair_shuffles_pass_as_often_as_they_should() -> None:
    """Of 60 samples from NumPy, each checked by three tests, hardly any may fail."""
    generator = np.random.default_rng(5)
    rows = np.tile(np.arange(52), (400, 1))
    failed = 0
    for _ in range(60):
        sample = generator.permuted(rows, axis=1)
        failed += sum(not passes(test(sample)) for test in (chi_square, runs, serial_correlation))
    assert failed <= 8
