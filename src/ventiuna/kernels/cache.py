"""Compiled kernels on disk, in a folder that belongs to the user alone.

Machine code is run as it is found, so it is taken only from where nobody else can write. Each
file says its own checksum: a damaged one counts as none, and is compiled anew. Nothing here
raises: without a folder kernels live in memory, and one warning says why.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import time
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import llvmlite
import llvmlite.binding as llvm

from ventiuna.kernels.machine_code import Code

_MAGIC = b"ventiuna kernel 1\n"
_CHECKSUM = 32  # bytes
# Numba's settings that make other code.
_SETTINGS = ("CPU_NAME", "CPU_FEATURES", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK")
_FOLDER = re.compile(r"kernels-[0-9a-f]{16}")
_DAY = 86_400.0  # seconds
_KEPT_DAYS = 30  # since a folder was last used
_KEPT_FOLDERS = 24
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class KernelCacheWarning(UserWarning):
    """Compiled kernels can't be kept, so the next process compiles them again."""


# --- names ------------------------------------------------------------------------------------


def source_hash(package: Path | None = None) -> str:
    """Names the folder: of all that is compiled, what compiles it, and the processor."""
    package = package or Path(__file__).parent.parent
    digest = hashlib.sha256(_compiler_text().encode())
    for folder in ("core", "kernels"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _compiler_text() -> str:
    settings = [os.environ.get(f"NUMBA_{name}", "") for name in _SETTINGS]
    processor = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    return repr((llvmlite.__version__, _numba_version(), sys.version_info[:2], processor, settings))


def _numba_version() -> str:
    """Read, not asked for: to load Numba takes longer than to start without it."""
    spec = find_spec("numba")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        try:
            return (Path(folder) / "_version.py").read_text("utf-8")
        except OSError:
            continue
    return ""


def _home() -> Path:
    """The user's caches; raises RuntimeError where there is no home."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return Path(home) if Path(home).is_absolute() else Path.home() / ".cache"


# --- the folder -------------------------------------------------------------------------------


@cache
def folder() -> Path | None:
    """Where kernels are kept; None, after a warning, where that is not safe or not possible."""
    try:
        place = _home() / "ventiuna" / f"kernels-{source_hash()}"
        is_new = not place.exists()
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.mkdir(exist_ok=True, mode=0o700)
        problem = _stranger(place)
    except (OSError, RuntimeError) as error:
        _warn(f"there is no folder for them ({_reason(error)})")
        return None
    if problem:
        _warn(problem)
        return None
    if is_new:
        _remove_old(place)
    else:
        _note_use(place)
    return place


def _stranger(place: Path) -> str:
    """Who else could put code there; empty: nobody."""
    if os.name != "posix":
        return ""  # a profile's folders are private, and say so in other ways
    for own in (place.parent, place):
        found = own.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return f"{own} is not a folder of this user's own"
        if found.st_mode & _OTHERS_WRITE:
            return f"others may write to {own}; make it private with: chmod go-w {own}"
    for above in place.resolve().parents[1:]:
        found = above.lstat()
        if found.st_uid not in (0, os.geteuid()):
            return f"{above} belongs to another user"
        if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
            return f"others may write to {above}; make it private with: chmod o-w {above}"
    return ""


def _warn(problem: str) -> None:
    warnings.warn(
        f"Compiled kernels are not kept on disk: {problem}.", KernelCacheWarning, stacklevel=2
    )


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _note_use(place: Path) -> None:
    try:
        if time.time() - place.stat().st_mtime > _DAY:
            os.utime(place)
    except OSError:
        pass


def _remove_old(place: Path) -> None:
    """Folders of other versions that nobody has used for a while."""
    try:
        others = [
            (found.stat().st_mtime, found)
            for found in place.parent.iterdir()
            if found != place and _FOLDER.fullmatch(found.name) and not found.is_symlink()
        ]
    except OSError:
        return
    latest = sorted(others, reverse=True)
    for number, (used, found) in enumerate(latest):
        if number >= _KEPT_FOLDERS - 1 or time.time() - used > _KEPT_DAYS * _DAY:
            shutil.rmtree(found, ignore_errors=True)


# --- files ------------------------------------------------------------------------------------


def is_kept(name: str) -> bool:
    """Is it there and whole? A damaged one will be compiled again, and that is announced."""
    return load(name) is not None


def load(name: str) -> Code | None:
    """The code of this name, if it is there and whole."""
    place = folder()
    if place is None:
        return None
    try:
        with open(place / f"{name}.kernel", "rb", opener=_open_own) as file:
            data = file.read()
    except OSError:
        return None
    start = len(_MAGIC) + _CHECKSUM
    content = data[start:]
    if data[:start] != _MAGIC + hashlib.sha256(content).digest():
        return None
    head, _, machine = content.partition(b"\n")
    said = json.loads(head)
    return Code(symbol=said["symbol"], result=said["result"], machine=machine)


def _open_own(path: str, flags: int) -> int:
    """Open a plain file that nobody else can have written."""
    descriptor = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))
    found = os.fstat(descriptor)
    is_own = os.name != "posix" or (
        found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE
    )
    if not stat.S_ISREG(found.st_mode) or not is_own:
        os.close(descriptor)
        raise PermissionError(f"{path} is not this user's own")
    return descriptor


def save(name: str, code: Code) -> None:
    """Keep it; whoever reads meanwhile finds the old file or the new one, whole."""
    place = folder()
    if place is None:
        return
    head = json.dumps({"symbol": code.symbol, "result": code.result}).encode()
    content = head + b"\n" + code.machine
    part = place / f"{name}.{uuid4().hex[:16]}.part"
    try:
        with open(part, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(_MAGIC + hashlib.sha256(content).digest() + content)
        part.replace(place / f"{name}.kernel")
    except OSError as error:
        _warn(f"{place} can't be written ({_reason(error)})")
        try:
            part.unlink(missing_ok=True)
        except OSError:
            return
