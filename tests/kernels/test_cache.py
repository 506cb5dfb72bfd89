"""Compiled kernels on disk: whose folder, damaged files, no folder, old folders."""

from __future__ import annotations

import os
import shutil
import stat
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ventiuna
from ventiuna.kernels import cache, compiler
from ventiuna.kernels.jit import Kernel, compiled
from ventiuna.kernels.machine_code import KernelError


def twice(numbers: Any, factor: int) -> float:
    total = 0.0
    for number in numbers:
        total += factor * number
    return total


NUMBERS = np.arange(4.0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own for the caches."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    cache.folder.cache_clear()
    yield tmp_path / "caches"
    cache.folder.cache_clear()


def kept(home: Path) -> list[Path]:
    return sorted(home.rglob("*.kernel"))


def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the functions that are compiled from now on."""
    names: list[str] = []
    usual = compiler.compile_form

    def note(function: object, *rest: object) -> object:
        names.append(function.__name__)  # type: ignore[attr-defined]
        return usual(function, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(compiler, "compile_form", note)
    return names


def test_a_kernel_is_compiled_once_and_found_on_disk(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = compilations(monkeypatch)
    assert Kernel(twice)(NUMBERS, 2) == 12.0
    [path] = kept(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert Kernel(twice)(NUMBERS, 3) == 18.0
    assert names == ["twice"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:40],
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: os.urandom(len(data)),
        lambda data: b"\x80\x05cos\nsystem\n" + data,
    ],
)
def test_a_damaged_file_is_compiled_anew(
    home: Path, monkeypatch: pytest.MonkeyPatch, damage: object
) -> None:
    assert Kernel(twice)(NUMBERS, 2) == 12.0
    [path] = kept(home)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))  # type: ignore[operator]
    assert not Kernel(twice).is_ready(NUMBERS, 2)  # so that compiling is announced
    names = compilations(monkeypatch)
    assert Kernel(twice)(NUMBERS, 2) == 12.0
    assert names == ["twice"]
    assert path.read_bytes()[:18] == whole[:18]
    assert Kernel(twice)(NUMBERS, 2) == 12.0
    assert names == ["twice"]  # it is whole again


def test_a_folder_that_others_may_write_to_is_not_used(home: Path) -> None:
    Kernel(twice)(NUMBERS, 2)
    [path] = kept(home)
    path.parent.chmod(0o777)
    cache.folder.cache_clear()
    with pytest.warns(cache.KernelCacheWarning, match="others may write to .*chmod go-w"):
        assert cache.folder() is None
    assert cache.load(path.stem) is None
    assert Kernel(twice)(NUMBERS, 2) == 12.0  # in memory


def test_a_file_that_others_may_write_to_is_not_used(home: Path) -> None:
    Kernel(twice)(NUMBERS, 2)
    [path] = kept(home)
    assert cache.load(path.stem) is not None
    path.chmod(0o666)
    assert cache.load(path.stem) is None


def test_links_are_not_followed(home: Path, tmp_path: Path) -> None:
    Kernel(twice)(NUMBERS, 2)
    [path] = kept(home)
    aside = tmp_path / "aside"
    shutil.move(path, aside)
    path.symlink_to(aside)
    assert cache.load(path.stem) is None
    path.unlink()
    shutil.move(path.parent, aside.with_suffix(".d"))
    path.parent.symlink_to(aside.with_suffix(".d"))
    cache.folder.cache_clear()
    with pytest.warns(cache.KernelCacheWarning, match="not a folder of this user's own"):
        assert cache.folder() is None


def test_a_folder_below_one_that_anybody_may_change_is_not_used(home: Path) -> None:
    home.mkdir()
    home.chmod(0o777)
    with pytest.warns(cache.KernelCacheWarning, match="others may write to .*caches"):
        assert cache.folder() is None
    home.chmod(0o1777)  # as /tmp: nobody can replace what is another's
    cache.folder.cache_clear()
    assert cache.folder() is not None


def test_without_any_home_kernels_live_in_memory(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    def refuse() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", refuse)
    with pytest.warns(cache.KernelCacheWarning, match="there is no folder for them"):
        assert Kernel(twice)(NUMBERS, 2) == 12.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        assert Kernel(twice)(NUMBERS, 2) == 12.0


def test_a_home_that_is_a_file(home: Path) -> None:
    home.write_text("not a folder")
    with pytest.warns(cache.KernelCacheWarning, match="not kept on disk"):
        assert Kernel(twice)(NUMBERS, 2) == 12.0


def test_a_full_disk_costs_time_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.warns(cache.KernelCacheWarning, match="No space left on device"):
        assert Kernel(twice)(NUMBERS, 2) == 12.0
    assert not any(path.is_file() for path in home.rglob("*"))


def test_a_changed_file_anywhere_in_core_or_kernels_names_another_folder(tmp_path: Path) -> None:
    package = tmp_path / "ventiuna"
    source = Path(ventiuna.__file__).parent
    for folder in ("core", "kernels"):
        shutil.copytree(source / folder, package / folder)
    before = cache.source_hash(package)
    assert before == cache.source_hash()
    for name in ("core/cards.py", "kernels/exact/play.py", "kernels/simulate/rounds.py"):
        path = package / name
        path.write_text(path.read_text() + "\n# changed\n")
        after = cache.source_hash(package)
        assert after != before
        before = after


def test_folders_that_nobody_used_for_long_are_removed(home: Path) -> None:
    (home / "ventiuna").mkdir(parents=True, mode=0o700)
    old, recent, other = (
        home / "ventiuna" / name
        for name in ("kernels-0123456789abcdef", "kernels-fedcba9876543210", "mine")
    )
    for folder in (old, recent, other):
        folder.mkdir()
        (folder / "file").write_text("")
    long_ago = time.time() - 40 * 86_400
    for folder in (old, other):
        os.utime(folder, (long_ago, long_ago))
    Kernel(twice)(NUMBERS, 2)
    assert not old.exists()
    assert recent.exists()
    assert other.exists()


def test_arithmetic_that_fails_is_an_error_in_python(home: Path) -> None:
    @compiled
    def share(number: float, parts: float) -> float:
        return number / parts

    assert share(1.0, 4.0) == 0.25
    with pytest.raises(KernelError, match="share"):
        share(1.0, 0.0)


def test_where_numba_calls_in_another_way_it_is_called_through_numba(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(function: object, kinds: object) -> None:
        raise compiler.UnknownCalls("another way")

    monkeypatch.setattr(compiler, "_check_words", refuse)
    assert Kernel(twice)(NUMBERS, 2) == 12.0
    assert not kept(home)
