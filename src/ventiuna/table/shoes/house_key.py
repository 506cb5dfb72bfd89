"""The house's secret key: with it and a shoe's salt comes the shoe's seed, without it nothing.

Beside a SQLite file it is a file of its own that only its owner may read; a house on PostgreSQL
gets it as a secret. It is kept apart from the database and from every copy of it, and no
sentence, log or `repr` tells it.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from ventiuna.errors import VentiunaError
from ventiuna.table.shoes.fairness import SECRET, ShoeContext, server_seed

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_DIGITS = 2 * SECRET
_SIGNATURE = 32  # hexadecimal digits: nobody guesses 128 bits
_FORM = f"{_DIGITS} hexadecimal digits"


class HouseKeyError(VentiunaError, ValueError):
    """A key that is none, or that others could read."""


@dataclass(frozen=True, slots=True)
class HouseKey:
    secret: bytes = field(repr=False)
    is_new: bool = False  # made just now: shoes that are already committed had another

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET:
            raise HouseKeyError(f"The house key has {SECRET} bytes.")

    def seed(self, context: ShoeContext, salt: bytes) -> bytes:
        """S of this shoe."""
        return server_seed(self.secret, context, salt)

    def signature(self, purpose: str, text: str) -> str:
        """Of something that the house says; the purpose keeps it apart from every seed."""
        message = f"ventiuna-{purpose}-1\n{text}\n".encode()
        return hmac.digest(self.secret, message, "sha256").hex()[:_SIGNATURE]


def key_from_text(text: str) -> HouseKey:
    """The key as a secret of the environment holds it."""
    digits = text.strip()
    try:
        secret = bytes.fromhex(digits)
    except ValueError:
        secret = b""
    if len(secret) != SECRET or len(digits) != _DIGITS:
        # Whatever was given may be most of a key: it is not repeated.
        raise HouseKeyError(f"The house key is not {_FORM}: write {SECRET} random bytes so.")
    return HouseKey(secret)


def given_key(file: str, digits: str) -> HouseKey | None:
    """The key that somebody named: a key file comes before the digits themselves.

    Without either, a SQLite house uses the key beside its database.
    """
    if not file:
        return key_from_text(digits) if digits else None
    try:
        return _read(Path(file))
    except OSError as error:
        raise HouseKeyError(f"{file}: {error.strerror}.") from None


def key_file(database: Path) -> Path:
    """Where the key of a SQLite house lies."""
    return database.with_name(f"{database.name}.key")


def key_beside(database: Path) -> HouseKey:
    """The key of the SQLite house in this file; made when there is none yet."""
    path = key_file(database)
    try:
        return _read(path)
    except FileNotFoundError:
        is_new = _make(path)
        return HouseKey(_read(path).secret, is_new)


def replace_key(database: Path, key: HouseKey) -> None:
    """Put this key beside a SQLite house, whatever was there before."""
    path = key_file(database)
    _written(path, key.secret).replace(path)
    _flush_folder(path.parent)


def _read(path: Path) -> HouseKey:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe has no end
    try:
        _check_kept(path, os.fstat(descriptor).st_mode)
        content = os.read(descriptor, _DIGITS + 2)
    finally:
        os.close(descriptor)
    try:
        return key_from_text(content.decode("ascii"))
    except (UnicodeDecodeError, HouseKeyError):
        raise HouseKeyError(
            f"{path}: this is not a house key ({_FORM}); put the right file back. Without it "
            "open rounds are void."
        ) from None


def _check_kept(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise HouseKeyError(f"{path}: this is not a file; the house key lies in one.")
    # Windows keeps its rights elsewhere, and these bits tell nothing there.
    if os.name == "posix" and mode & _OTHERS:
        raise HouseKeyError(
            f"{path}: others may use the house key (mode {stat.S_IMODE(mode):04o}); keep it to "
            "yourself with chmod 600, and make a new one if somebody has read it."
        )


def _make(path: Path) -> bool:
    """A whole key file or none, whatever dies; False where another process was first."""
    waiting = _written(path, os.urandom(SECRET))
    try:
        os.link(waiting, path)
    except FileExistsError:
        return False
    finally:
        waiting.unlink()
    _flush_folder(path.parent)
    return True


def _written(path: Path, secret: bytes) -> Path:
    """A new file with the key, on the disk, to be renamed to `path`."""
    waiting = path.with_name(f".{path.name}-{secrets.token_hex(8)}.part")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    with os.fdopen(os.open(waiting, flags, 0o600), "wb") as file:
        file.write(secret.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return waiting


def _flush_folder(folder: Path) -> None:
    """The file's name must be on disk before a shoe is committed with the key."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
