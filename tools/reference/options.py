"""Every house rule option: meaning, values, and the value in each preset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tools.reference.markdown import code, codes, joined, sentence, table
from tools.reference.numbers import linked
from ventiuna.reports.rules_data import options_data

ABOUT = """\
Generated from the options that the rules loader reads and checks. In a terminal, use `ventiuna
rules options`, or `ventiuna rules options soft_17` for a single option. A document can *fix* a
value, give a *choice*, be *silent*, or leave the value to the *house*. Other values still work and
are shown as departures."""


def page() -> str:
    return joined(_parts(options_data()))


def _parts(data: Any) -> Iterator[str]:
    yield "# House rule options"
    yield ABOUT
    for part in data["parts"]:
        yield f"## {part['name']}"
        for option in part["options"]:
            yield from _option(option)
    yield "## Jackpot tables"
    yield table(
        ("table", "decks", "pay tables", "alternates", "document", "rule"),
        (
            (
                code(one["table"]),
                _listed(one["decks"]),
                _listed(one["pay_tables"]),
                _listed(one["alternates"]),
                one["document"],
                linked(one["rule"]),
            )
            for one in data["jackpot_tables"]
        ),
    )


def _option(option: Any) -> Iterator[str]:
    yield f"(option-{option['name']})=\n### {code(option['name'])}"
    yield f"{sentence(option['meaning'])} {option['how']} ({linked(', '.join(option['rules']))})"
    by_value: dict[tuple[str, str], list[str]] = {}
    for told in option["presets"]:
        key = (told["value"], _who(told))
        by_value.setdefault(key, []).append(told["preset"])
    yield table(
        ("value", "presets", "who decides"),
        ((code(value or "none"), codes(names), who) for (value, who), names in by_value.items()),
    )


def _who(told: Any) -> str:
    if told["standing"] == "choice":
        return f"a choice of {codes(told['allowed'])}"
    return str(told["standing"])


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
