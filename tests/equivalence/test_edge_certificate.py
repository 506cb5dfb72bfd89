"""Edge certificates: the independent checker accepts them, and rejects every planted error.

`benchmarks.edge_soak` does the same for all presets, all up cards and many more errors.
"""

from __future__ import annotations

import ast
import gzip
import json
import random
import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.edge_soak import PLANTED, is_rejected, plant, up_of, wrong_rules
from tests.cli.running import run
from tools import check_edge
from tools.check_edge import NAMES, VALUES, Checker, check
from ventiuna.analysis.base_game.analyzer import analyze, hand_values
from ventiuna.analysis.base_game.solver import game_tables
from ventiuna.analysis.composition import fresh_composition
from ventiuna.cards import parse_card, parse_cards
from ventiuna.core.actions import SPLIT
from ventiuna.kernels.exact.tables import KINDS, lattice
from ventiuna.proof.edge_certificate import edge_certificate, rules_data
from ventiuna.rules import RulesError, compile_rules, load_rules

UNSPLIT = "wsgc-spanish-21(split=off)"
CASINO = "casino-card"
Lines = list[dict[str, Any]]


@cache
def certificate(rules: str) -> tuple[dict[str, Any], Lines]:
    content = gzip.decompress(edge_certificate(rules).content)
    header, *lines = map(json.loads, content.splitlines())
    return header, lines


def written(folder: Path, header: dict[str, Any], lines: Lines) -> str:
    path = folder / "edge.jsonl.gz"
    text = "\n".join(json.dumps(line) for line in (header, *lines))
    path.write_bytes(gzip.compress(text.encode(), 1))
    return str(path)


# --- accepted ---------------------------------------------------------------------------------


def test_the_house_edge_without_splits_is_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, lines = certificate(UNSPLIT)
    check(written(tmp_path, header, lines))
    edge = 100 * analyze(UNSPLIT).house_edge
    accepted, precision = capsys.readouterr().out.splitlines()
    assert accepted == f"accepted: '{header['canonical']}', house edge {edge:.9f}%"
    assert float(precision.split()[-1]) < 1e-13


@pytest.mark.parametrize(
    ("rules", "up"),
    [
        (CASINO, "7"),  # splits whose hands depend on suits, pairs of one rank, listed up cards
        ("catfish-bend", "5"),  # double-double
        ("super-fun-21", "6"),  # one deck, and blackjacks paid by suit
        ("blackjack(resplit_aces=off,split_aces=one_card,double_totals=9-11)", "A"),
    ],
)
def test_splits_are_proven(rules: str, up: str) -> None:
    header, lines = certificate(rules)
    value = VALUES.index(up)
    mine = [line for line in lines if up_of(line) == value]
    checker = Checker({**header, "lines": len(mine)}, mine)
    checker.check_up(value)
    assert not checker.lines
    assert checker.largest < 2e-13
    chance, result = checker.sums[value]
    assert [chance, result / chance] == pytest.approx(header["by_up"][up], abs=1e-13)


def test_the_checker_is_short_and_independent() -> None:
    source = Path(check_edge.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 300
    modules = {
        alias.name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        str(node.module).split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
    }
    assert modules - sys.stdlib_module_names == {"numpy"}


@pytest.mark.parametrize(
    "rules",
    [
        CASINO,
        "catfish-bend",
        "super-fun-21",
        "blackjack",
        "blackjack(surrender=late,double_totals=10-11,double_after_split=off,split_aces=one_card)",
        "catfish-bend(double_on_21=never,double_blackjack=off,rescue=off)",
        "wsgc-spanish-21(double_on_21=any,surrender=any_time,double_cards=two,double_for_less=off)",
    ],
)
def test_the_rows_of_a_header_say_the_same_as_core(rules: str) -> None:
    loaded = load_rules(rules)
    checker = Checker({"rules": rules_data(loaded), "lines": 0}, [])
    game = game_tables(compile_rules(loaded), fresh_composition(loaded))
    names = ["".join(map(str.__mul__, VALUES, counts)) for counts in lattice().counts.tolist()]
    order = [names.index(name) for name in NAMES]
    two = lattice().cards[order] > 1
    plain = two & (game["hidden"][order] == 0) & (game["suited"][order] == 0)
    for kind in range(KINDS):
        for doublings in range(loaded.doublings_at_most + 1):
            pay, legal = checker.play(kind, doublings)
            bits = game["legal"][kind, doublings][order] & ~(1 << SPLIT)
            for action in range(len(legal)):
                assert (legal[action] == (bits >> action & 1))[two].all(), (kind, doublings, action)
            core = game["pay"][kind, min(doublings, 1)][order]
            paid = game["paid"][kind, min(doublings, 1)][order] == 1
            rows = plain if doublings == 0 else two
            np.testing.assert_array_equal(np.where(paid, core, np.nan)[rows], pay[rows])


# --- rejected ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PLANTED)
def test_one_error_anywhere_is_rejected(kind: str) -> None:
    header, lines = certificate(UNSPLIT)
    generator = random.Random(kind)
    sizes = (3e-12, 1e-9, 1e-3) if kind != "action" else (0.0,) * 5
    for size in sizes:
        assert plant(header, lines, kind, size, generator), size


def test_a_worse_action_is_rejected_even_with_its_own_value() -> None:
    header, lines = certificate(UNSPLIT)
    mine = [deepcopy(line) for line in lines if line["up"] == "2"]
    number = next(n for n, line in enumerate(mine) if line["hand"] == "56")
    hand = hand_values(load_rules(UNSPLIT), parse_cards("5c 6d"), parse_card("2h"))
    best, *others = [[action.action, action.ev] for action in hand.actions]
    assert mine[number]["play"] == [[best[0], pytest.approx(best[1], abs=1e-14)]]
    assert len(others) == 3
    for other in others:
        mine[number]["play"] = [other]
        with pytest.raises(ValueError, match="another action is better"):
            Checker({**header, "lines": len(mine)}, mine).check_up(VALUES.index("2"))


def test_another_rule_is_rejected() -> None:
    header, lines = certificate(UNSPLIT)
    for name, rules in random.Random(21).sample(list(wrong_rules(header["rules"])), 8):
        ups = (VALUES.index(up) for up in "7A23456T89")
        assert any(is_rejected({**header, "rules": rules}, lines, up) for up in ups), name


def test_a_wrong_split_is_rejected() -> None:
    header, lines = certificate(CASINO)
    for hand in ("44", "6c6d", "JcJd"):
        number = next(n for n, line in enumerate(lines) if line["hand"] == hand and "split" in line)
        changed = deepcopy(lines[number])
        changed["split"] += 3e-12
        assert is_rejected(
            header, [*lines[:number], changed, *lines[number + 1 :]], up_of(changed)
        ), hand


def refusal(folder: Path, header: dict[str, Any], lines: Lines) -> str:
    with pytest.raises((LookupError, TypeError, ValueError)) as wrong:
        check(written(folder, header, lines))
    return str(wrong.value)


def test_a_wrong_result_of_the_whole_game_is_rejected(tmp_path: Path) -> None:
    header, lines = certificate(UNSPLIT)
    wrong = {**header, "house_edge": header["house_edge"] - 3e-12}
    assert refusal(tmp_path, wrong, lines) == "house edge: a listed number is off by 3e-12"
    by_up = {**header["by_up"], "4": [header["by_up"]["4"][0] + 1e-9, header["by_up"]["4"][1]]}
    assert "up: a listed number is off by 1e-09" in refusal(
        tmp_path, {**header, "by_up": by_up}, lines
    )
    pushes = {**header["rules"], "blackjack_tie": "pushes"}
    assert "up: a listed number is off" in refusal(tmp_path, {**header, "rules": pushes}, lines)


def test_missing_repeated_and_added_lines_are_rejected(tmp_path: Path) -> None:
    header, lines = certificate(UNSPLIT)
    number = random.Random(21).randrange(len(lines) // 2)
    fewer = [*lines[:number], *lines[number + 1 :]]
    assert "lines are missing or repeated" in refusal(tmp_path, header, fewer)
    assert "lines are missing or repeated" in refusal(tmp_path, header, [*fewer, lines[-1]])
    assert lines[number]["hand"] in refusal(tmp_path, {**header, "lines": len(fewer)}, fewer)
    more = [*lines, {**lines[0], "hand": "TTT"}]
    assert refusal(tmp_path, {**header, "lines": len(more)}, more) == "hands that can't be dealt"


def test_a_hand_without_an_action_is_rejected() -> None:
    header, lines = certificate(UNSPLIT)
    for hand in ("59", "349", "2345"):
        number = next(n for n, line in enumerate(lines) if line["hand"] == hand)
        changed = deepcopy(lines[number])
        changed["play"][0] = None
        assert is_rejected(
            header, [*lines[:number], changed, *lines[number + 1 :]], up_of(changed)
        ), hand


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"soft_17": "Hit"}, "'Hit'"),
        ({"pairs": "one suit"}, "'one suit'"),
        ({"decks": float("nan")}, "integers"),
        ({"doublings": 10**9}, "index out of range"),
        ({"surrender": "any time"}, "not an edge certificate of version 1"),
        ({"hands": ["Unsplit"]}, "not in tuple"),
        ({"suits": ["sh"]}, "'sh' is not in list"),
        ({"ranks": "876"}, "'876' is not in list"),
    ],
)
def test_a_name_without_effect_is_rejected(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    """A misspelled name must not be ignored: the rules would differ from what they say."""
    header, lines = deepcopy(certificate(UNSPLIT))
    of_row = change.keys() & {"hands", "suits", "ranks"}
    (header["rules"]["pays"][0] if of_row else header["rules"]).update(change)
    assert sentence in refusal(tmp_path, header, lines)


@pytest.mark.parametrize("change", [{"version": 2}, {"format": "edges"}])
def test_another_format_is_rejected(tmp_path: Path, change: dict[str, Any]) -> None:
    header, _ = certificate(UNSPLIT)
    expected = "not an edge certificate of version 1"
    assert refusal(tmp_path, {**header, **change}, []) == expected


def test_nothing_is_printed_about_a_rejected_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, lines = certificate(UNSPLIT)
    unnamed = {key: value for key, value in header.items() if key != "canonical"}
    with pytest.raises(KeyError):
        check(written(tmp_path, unnamed, lines))
    assert capsys.readouterr().out == ""


def test_a_damaged_file_is_rejected_without_a_traceback(tmp_path: Path) -> None:
    header, lines = certificate(UNSPLIT)
    path = Path(written(tmp_path, header, lines[:2000]))
    content = path.read_bytes()
    deep = gzip.compress(b"[" * 100_000)
    for damaged in (content[:-2000], content[:500] + b"21" + content[502:], b"[]", b"", deep):
        path.write_bytes(damaged)
        done = subprocess.run(
            [sys.executable, "-I", check_edge.__file__, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.startswith("rejected: ")
        assert done.stderr.count("\n") == 1
    path.unlink()
    for words in ([], [str(path)], [str(tmp_path)]):
        done = subprocess.run(
            [sys.executable, "-I", check_edge.__file__, *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("rejected: ")


# --- the command ------------------------------------------------------------------------------


def test_certify_writes_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "edge.jsonl.gz"
    done = run("certify", UNSPLIT, "--policy", str(path))
    assert done.code == 0, done.err
    assert f"house edge  {100 * analyze(UNSPLIT).house_edge:.9f}%" in done.out
    check(str(path))
    assert f"{path.stat().st_size:,} bytes" in done.out


@pytest.mark.parametrize(
    ("option", "value"), [("--rounds", "1e6"), ("--strategy", "chart"), ("--seed", "3")]
)
def test_an_option_without_effect_is_refused(tmp_path: Path, option: str, value: str) -> None:
    path = tmp_path / "edge.jsonl.gz"
    done = run("certify", UNSPLIT, "--policy", str(path), option, value)
    assert done.code == 2
    assert f"{option.strip('-')} = {value}: with --policy, nothing is simulated" in done.err
    assert not path.exists()


def test_rules_that_the_format_cant_express_are_refused(tmp_path: Path) -> None:
    """A soft 21 of three suited cards may be doubled, so its play depends on the suits."""
    house = tmp_path / "house.toml"
    house.write_text(
        'title = "House"\nextends = "wsgc-spanish-21"\n[[bonus_21.before]]\nname = "A-4-6"\n'
        'ranks = "A-4-6"\nsuits = "one suit"\npay = "5 to 1"\nrule = "house"\n',
        encoding="utf-8",
    )
    with pytest.raises(RulesError, match="three cards to be final"):
        edge_certificate(load_rules(str(house)))
