"""Files that are written as a whole or not at all, and read within limits."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

LARGEST_TEXT = 4_000_000  # bytes of a file that a person wrote
_TRIES = 100


def write_file(path: Path, content: bytes | str) -> None:
    """Put the content in the file's place: a reader finds the old file or the new one.

    It is written beside the file under a name of its own, so that programs that write the same
    file at the same time do not meet. An error names the file that was to be written.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        target = path.resolve()  # a link stays a link
        if target.exists() and not target.is_file():  # /dev/stdout, a pipe: nothing to replace
            target.write_bytes(data)
            return
        _replace(target, data)
    except OSError as error:
        raise _named(error, path) from None


def check_file(path: Path) -> None:
    """Find out before a long run that the file can't be written after it."""
    try:
        target = path.resolve()
        with suppress(FileNotFoundError):
            target.lstat()  # a name that no file can have
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if not target.exists() or target.is_file():
            _remove_new(target)
    except OSError as error:
        raise _named(error, path) from None


def make_folder(folder: Path) -> None:
    """Make the folder and see that files can be made in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_new(folder.resolve() / "file")
    except OSError as error:
        raise _named(error, folder) from None


def read_text_file(path: Path) -> str:
    """A file that a person wrote; one without an end is not read for ever.

    Raises OSError, and UnicodeDecodeError or OverflowError for what is not such a text.
    """
    with path.open("rb") as file:
        data = file.read(LARGEST_TEXT + 1)
    if len(data) > LARGEST_TEXT:
        raise OverflowError(f"longer than {LARGEST_TEXT // 1_000_000} MB")
    return data.decode("utf-8")


def _replace(target: Path, data: bytes) -> None:
    descriptor, waiting = _new_beside(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if target.exists():
                waiting.chmod(target.stat().st_mode & 0o777)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        waiting.replace(target)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise


def _remove_new(target: Path) -> None:
    descriptor, waiting = _new_beside(target)
    os.close(descriptor)
    waiting.unlink(missing_ok=True)


def _new_beside(target: Path) -> tuple[int, Path]:
    """A new file in the same folder, with the usual rights."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    for _ in range(_TRIES):
        waiting = target.with_name(f".ventiuna-{secrets.token_hex(8)}.part")
        try:
            return os.open(waiting, flags, 0o666), waiting
        except FileExistsError:
            continue
    raise FileExistsError(17, "No free name for a new file")


def _named(error: OSError, path: Path) -> OSError:
    """The same error about the file that the user named."""
    found = OSError(error.errno, error.strerror or str(error), str(path))
    return found if error.errno is not None else OSError(f"{path}: {error}")
