"""Texts in a round's lines: plain where they can't be mistaken, else in quotes as in JSON."""

from __future__ import annotations

import json
import re

from ventiuna.notation.records import NotationError

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
PLAIN_NAME = re.compile(r"[\w.'-]+(?: [\w.'-]+)*")
PLAIN_ID = re.compile(r"[\w.'-]+")
PLAIN_TITLE = re.compile(r'[^\s"#](?: *[^\s#])*')
COMMENT = re.compile(r"(?:^|\s)#")


def quoted_unless(plain: re.Pattern[str], text: str) -> str:
    """The text, in quotes where it could be mistaken for something else."""
    return text if plain.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    inside = json.dumps(text)
    for sign in "#;:":  # they part the line wherever they stand
        inside = inside.replace(sign, f"\\u{ord(sign):04x}")
    return inside


def rules_name(name: str) -> str:
    """A canonical string; in quotes where the file's path looks like a comment or a quotation."""
    is_plain = name.isprintable() and name == name.strip() and not name.startswith('"')
    return name if is_plain and not COMMENT.search(name) else quoted(name)


def comments_escaped(data: str) -> str:
    """JSON without the sign that starts a comment."""
    return data.replace("#", "\\u0023")


def unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise NotationError(f"{text}: a text in quotes is written as in JSON") from None
