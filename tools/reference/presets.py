"""The packaged presets with their documents, choices and payouts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.reference.markdown import code, codes, joined, sentence, table
from tools.reference.numbers import linked
from ventiuna.reports.rules_data import card_data, show_data
from ventiuna.rules import load_rules, preset_ids

ABOUT = """\
There is one preset for each rule document, and one for plain blackjack. In a terminal, use
`ventiuna rules list`, `ventiuna rules show PRESET` or `ventiuna rules card PRESET` (the sign at the
table). Separate pages explain the [numbers](numbers.md) and the [options](options.md)."""


def page() -> str:
    return joined(_parts())


def _parts() -> Iterator[str]:
    yield "# Presets and their sources"
    yield ABOUT
    for name in preset_ids():
        rules = load_rules(name)
        shown: Any = show_data(rules)
        yield f"(preset-{name})=\n## {code(name)}"
        yield f"{sentence(shown['title'])} Document: {sentence(shown['document'])}"
        alike = shown["decides_like"]
        like = f", which plays the same as {codes(alike)}" if alike else ""
        yield f"Revision {shown['revision']}, fingerprint {code(shown['fingerprint'])}{like}."
        yield _options(shown)
        yield from _sign(card_data(rules))


def _options(shown: Any) -> str:
    return table(
        ("option", "value", "who decides", "source"),
        (
            (
                f"[{code(one['name'])}](#option-{one['name']})",
                code(_value(one["value"])),
                f"choice of {codes(one['allowed'])}"
                if one["standing"] == "choice"
                else one["standing"],
                linked(", ".join(one["sources"])),
            )
            for one in shown["options"]
        ),
    )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None or value == "" else str(value)


def _sign(card: Any) -> Iterator[str]:
    """Yield the contents of the rule card, with the payouts."""
    for section in card["sections"]:
        yield f"**{section['heading']}**"
        if section["text"]:
            yield "\n".join(f"- {text}" for text in section["text"])
        if section["pays"]:
            yield table(("hand", "pays"), ((pay["hand"], pay["pays"]) for pay in section["pays"]))
        if section["notes"]:
            yield "\n".join(f"- {text}" for text in section["notes"])
