"""The compiled library: its contents, when it is refused, and ways to run without it."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.envs.lockstep import compare_with_engine
from tests.simulation.plain_python import CASES, digest_of
from tools import build_kernels
from ventiuna.analysis.base_game.analyzer import analyze, hand_values
from ventiuna.analysis.base_game.outcomes import standard_deviation
from ventiuna.analysis.composition import SplitPlay
from ventiuna.cards import parse_card, parse_cards
from ventiuna.envs import VectorTable21
from ventiuna.kernels import jit, library
from ventiuna.kernels.library import BUILT, CompiledFunction, KernelError, KernelsUnavailable
from ventiuna.proof.lockstep import trace_rounds
from ventiuna.rules import load_rules
from ventiuna.simulation import simulate
from ventiuna.simulation.blocks import sample_specs

METERS = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000+4d:2)"


@pytest.fixture
def level() -> str:
    level = library.built_level()
    assert level is not None, "no kernels are built: run `make setup`"
    return level


@pytest.fixture
def copy(tmp_path: Path, level: str) -> Path:
    """A copy of the library that a test may damage."""
    for suffix in ("so", "json"):
        shutil.copy(BUILT / f"{level}.{suffix}", tmp_path)
    return tmp_path


def test_every_part_of_the_program_finds_its_kernels() -> None:
    """An argument type that the build doesn't know raises KernelsUnavailable."""
    rules = load_rules("wsgc-spanish-21")
    analysis = analyze(rules)
    analyze(rules, split_play=SplitPlay.REOPTIMISED)
    for cards in ("8c 8d", "2c 3d 4h", "7s 7s"):
        hand_values(rules, parse_cards(cards), parse_card("7h"))
    standard_deviation(rules, analysis)
    for spots in (1, 3):
        simulate(rules, rounds=100, spots=spots)
        simulate(rules, rounds=100, spots=spots, match={"up": 100})
        simulate(rules, rounds=100, spots=spots, session=10)
        simulate(METERS, rounds=100, spots=spots, jackpots=(1, 2), errors=0.01, session=10)
    simulate(rules, "optimal", rounds=100, count="level-one")
    trace_rounds(dict(sample_specs())["base game"], 10)
    for wagers in (None, (1, 2)):
        compare_with_engine(VectorTable21(2, wagers=wagers), 5, seed=1)
        VectorTable21(3, "super-fun-21", wagers=wagers).reset(seed=1)


def test_the_library_needs_nothing_but_memory_functions(level: str) -> None:
    with (BUILT / f"{level}.so").open("rb") as file:
        elf = ELFFile(file)
        symbols = elf.get_section_by_name(".dynsym")
        assert isinstance(symbols, SymbolTableSection)
        needed = {one.name for one in symbols.iter_symbols() if one["st_shndx"] == "SHN_UNDEF"}
        dynamic = next(part for part in elf.iter_sections() if isinstance(part, DynamicSection))
        tags = {tag.entry.d_tag for tag in dynamic.iter_tags()}
    assert needed - {""} <= build_kernels.SYSTEM_FUNCTIONS
    assert not {"DT_NEEDED", "DT_TEXTREL"} & tags


def test_a_library_built_from_other_sources_is_refused(copy: Path, level: str) -> None:
    with pytest.raises(KernelsUnavailable, match=r"older or newer than the sources.*make setup"):
        library.Library(copy, level, "0123456789abcdef")


@pytest.mark.parametrize(
    ("suffix", "content"),
    [("so", -1), ("so", 100_000), ("so", 0), ("json", 3000), ("json", b"{}"), ("json", b"[]")],
)
def test_a_damaged_library_is_refused_before_it_is_loaded(
    copy: Path, level: str, suffix: str, content: int | bytes
) -> None:
    """Loading a truncated library would crash the process."""
    file = copy / f"{level}.{suffix}"
    file.write_bytes(file.read_bytes()[:content] if isinstance(content, int) else content)
    with pytest.raises(KernelsUnavailable, match=r"are damaged\. Rebuild them with `make setup`"):
        library.Library(copy, level, library.source_hash())


def test_a_changed_rule_makes_the_library_stale(tmp_path: Path) -> None:
    package = tmp_path / "ventiuna"
    for folder in ("core", "kernels"):
        shutil.copytree(library.PACKAGE / folder, package / folder)
    hashes = [library.source_hash(), library.source_hash(package)]
    assert hashes[0] == hashes[1]
    for name in ("core/cards.py", "kernels/exact/play.py", "kernels/simulate/rounds.py"):
        path = package / name
        path.write_text(path.read_text() + "\n# changed\n")
        hashes.append(library.source_hash(package))
    assert len(set(hashes)) == 4


def test_a_library_with_another_librarys_table_is_refused(copy: Path, level: str) -> None:
    """A library's functions have the hash in their names."""
    table = json.loads((copy / f"{level}.json").read_text())
    text = json.dumps(table).replace(table["sources"], "f" * 16)
    (copy / f"{level}.json").write_text(text)
    loaded = library.Library(copy, level, "f" * 16)
    name = "exact.suits.legal_by_suits"
    kinds = [("record", None), *[("int64",)] * 3]
    assert list(loaded.kernels[name])
    loaded.kernels[name] = {"x": next(iter(loaded.kernels[name].values()))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "kinds_text", lambda kinds: "x")
        with pytest.raises(KernelsUnavailable, match="don't match their table"):
            loaded.function(name, kinds)


@pytest.mark.parametrize("content", [b"", b"not a library", None])
def test_a_damaged_library_is_refused_in_a_sentence(
    copy: Path, level: str, content: bytes | None
) -> None:
    path = copy / f"{level}.so"
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(KernelsUnavailable, match=r"(loaded: .*|damaged)\. Rebuild them"):
        library.Library(copy, level, library.source_hash())


def test_unknown_argument_types_are_refused() -> None:
    with pytest.raises(KernelsUnavailable, match=r"was not built for .*int64"):
        library.library().function("exact.game.value_hand", [("int64",)])
    with pytest.raises(TypeError, match="can't accept a str"):
        library.kind_of("5")


def test_a_kernel_that_fails_raises() -> None:
    fails = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
    function = CompiledFunction(
        "share", fails(lambda result, error, number: 1), [("int64",)], "bool"
    )
    with pytest.raises(KernelError, match="share failed with status 1"):
        function((5,))


@pytest.mark.parametrize(
    ("system", "machine", "has_v3", "levels"),
    [
        ("Linux", "x86_64", True, ("x86-64-v3", "x86-64")),
        ("Linux", "AMD64", False, ("x86-64",)),
        ("Linux", "arm64", False, ("aarch64",)),
        ("Linux", "riscv64", False, ()),
        ("Darwin", "x86_64", True, ()),
    ],
)
def test_the_processor_supports_the_level(
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    machine: str,
    has_v3: bool,
    levels: tuple[str, ...],
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(library, "_has_v3", lambda: has_v3)
    assert library.machine_levels() == levels


# --- without a library --------------------------------------------------------------------------


def test_without_library_and_numba_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("VENTIUNA_KERNELS", raising=False)
    monkeypatch.setattr(jit, "built_level", lambda: None)
    monkeypatch.setattr(jit, "find_spec", lambda name: None)
    assert jit._choose_mode() == jit.LIBRARY
    monkeypatch.setattr(library, "built_level", lambda: None)
    with pytest.raises(KernelsUnavailable, match=r"ventiuna\[jit\]"):
        library.library.__wrapped__()


def test_without_a_library_numba_compiles_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VENTIUNA_KERNELS", raising=False)
    monkeypatch.setattr(jit, "built_level", lambda: None)
    with pytest.warns(jit.KernelsWarning, match="Numba compiles them at first use"):
        assert jit._choose_mode() == jit.JIT


def test_a_misspelled_mode_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VENTIUNA_KERNELS", "fast")
    with pytest.raises(jit.UnknownMode, match="must be library, jit or python, not 'fast'"):
        jit._choose_mode()


def test_numba_plays_the_same_rounds_as_the_library() -> None:
    """A sample; `make soak` runs all equivalence tests this way."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation.plain_python", "base game"],
        env={**os.environ, "VENTIUNA_KERNELS": "jit"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"base game": digest_of(CASES["base game"])}
