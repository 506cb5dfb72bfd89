"""How wide words are printed: the widths of a Palatino, which is wider than most."""

from __future__ import annotations

APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
_NARROW = dict.fromkeys(f"ijl.,;:'|!·{APOSTROPHE}", 0.28) | dict.fromkeys("ftrI()-", 0.36)
_WIDE = dict.fromkeys("mwMW%", 0.92) | dict.fromkeys("OQGDHNUKXAV", 0.8)
_SPACE, _CAPITAL, _USUAL = 0.25, 0.66, 0.53
CAPITALS = 0.72  # height of capitals, in sizes of the type
BELOW = 0.22  # of letters that go below the line


def text_width(text: str, size: float, spacing: float = 0.0) -> float:
    """With so much between letters, in sizes of the type."""
    return sum(_em(letter) + spacing for letter in text) * size


def _em(letter: str) -> float:
    if letter == " ":
        return _SPACE
    known = _NARROW.get(letter) or _WIDE.get(letter)
    return known or (_CAPITAL if letter.isupper() else _USUAL)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Lines that are no wider, as long as no single word is; about as long as each other."""
    lines = _broken(text, size, width)
    narrower = width
    while narrower > size:
        narrower -= size / 2
        closer = _broken(text, size, narrower)
        if len(closer) > len(lines):
            break
        lines = closer
    return lines


def _broken(text: str, size: float, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
