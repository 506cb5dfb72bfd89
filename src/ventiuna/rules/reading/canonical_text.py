"""A canonical string to its parts: the preset or file, and what is changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ventiuna.rules.data import SUFFIX
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.values import shown

LONGEST_RULES = 20_000  # characters; a path and every option are a few thousand
_FIX = "Write it as wsgc-2021(decks=8,soft_17=stand)."
# Behind a file's name: nothing, or the changes. Each sign is looked at once.
_FILE_END = re.compile(rf"{re.escape(SUFFIX)}(?=\s*(?:\(|$))")
# As on a command line: `wsgc-2021 decks=8 soft_17=stand`
_IN_WORDS = re.compile(r"([^()]*[^()\s])((?:\s+[a-z]\w*=[^\s()]+)+)")


def split_text(text: object, problems: list[Problem]) -> tuple[str, dict[str, str]]:
    """The name and the changes; what has no form is a problem, what has no name raises."""
    name, changes = _name_and_changes(text)
    found: dict[str, str] = {}
    for part in filter(str.strip, changes.split(",")):
        option, sign, value = (word.strip() for word in part.partition("="))
        if not sign or not option:
            missing = "a name is missing" if sign else "a value is missing"
            problems.append(Problem("rules", part.strip(), "", missing, _FIX))
        elif option in found:
            problems.append(Problem(option, value, "", "it is given twice", "Give it once."))
        else:
            found[option] = value
    return name, found


def with_changes(text: str, changes: Sequence[str]) -> str:
    """The rules with more changes; whoever reads them finds out what those are worth.

    >>> with_changes("wsgc-2021(decks=8)", ["soft_17=stand"])
    'wsgc-2021(decks=8,soft_17=stand)'
    """
    name, given = _name_and_changes(text)
    return f"{name}({','.join([*filter(None, [given]), *changes])})"


def _name_and_changes(text: object) -> tuple[str, str]:
    if not isinstance(text, str):
        raise _not_rules(text, "this is no set of rules")
    if len(text) > LONGEST_RULES:
        raise _not_rules(text, f"a set of rules is written in at most {LONGEST_RULES:,} signs")
    stripped = text.strip()
    for found in _FILE_END.finditer(stripped):
        rest = stripped[found.end() :].lstrip()
        if not rest or rest.endswith(")"):
            return stripped[: found.end()], rest[1:-1]
    if worded := _IN_WORDS.fullmatch(stripped):
        return worded[1], ",".join(worded[2].split())
    name, sign, rest = stripped.partition("(")
    name = name.rstrip()
    if not name or ")" in name or (sign and not rest.endswith(")")):
        raise _not_rules(text, "this is no set of rules")
    return name, rest[:-1]


def _not_rules(text: object, message: str) -> RulesError:
    return RulesError([Problem("rules", shown(text), "", message, _FIX)])
