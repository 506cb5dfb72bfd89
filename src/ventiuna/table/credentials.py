"""Names and passwords: nobody can be mistaken for another, and no password is easy to guess."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

from ventiuna.errors import VentiunaError

LONGEST_NAME = 32
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256
COMMON_PASSWORDS = "common_passwords.txt"  # one per line, in lower case
LOOK_ALIKES = "look_alikes.txt"  # a letter, then the characters that look like it in lower case
_PAIRS = (("rn", "m"), ("vv", "w"))


class PersonError(VentiunaError, ValueError):
    """The name or password is unacceptable, or the person is unknown."""

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


def checked_name(name: str) -> str:
    """Return the normalized name; raises `PersonError` if it is invalid."""
    plain = unicodedata.normalize("NFKC", name)
    if plain != plain.strip() or not 1 <= len(plain) <= LONGEST_NAME or not plain.isprintable():
        raise PersonError(
            "bad_name",
            f"A name must have 1 to {LONGEST_NAME} printable characters and can't begin or end "
            "with a space.",
        )
    return plain


def skeleton(name: str) -> str:
    """The same string for all names that look alike; two people can't have the same one.

    >>> skeleton("ANA") == skeleton("\\u0410na")  # this one begins with a Cyrillic letter
    True
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    plain = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", folded)).translate(_latin())
    for pair, letter in _PAIRS:
        plain = plain.replace(pair, letter)
    return plain


def checked_password(password: str, name: str = "") -> str:
    """Return the password; raises `PersonError` if it is too short, too long or easy to guess."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PersonError(
            "bad_password",
            f"A password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.",
        )
    plain = password.casefold().strip()
    if len(set(plain)) < 3:
        raise PersonError("bad_password", "A password must have at least 3 different characters.")
    if plain in _common_passwords() or (name and plain == name.casefold()):
        raise PersonError(
            "bad_password", "This password is one of the first that attackers try. Choose another."
        )
    return password


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(_lines(COMMON_PASSWORDS))


@cache
def _latin() -> dict[int, str]:
    return {ord(alike): line[0] for line in _lines(LOOK_ALIKES) for alike in line[2:]}


def _lines(file: str) -> list[str]:
    return files("ventiuna.table").joinpath(file).read_text(encoding="utf-8").splitlines()
