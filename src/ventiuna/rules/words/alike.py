"""Rules that play the same although their documents differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ventiuna.rules.canonical import fingerprint
from ventiuna.rules.model import Choice, Rules
from ventiuna.rules.reading.loading import load_preset, preset_ids
from ventiuna.rules.values import value_text
from ventiuna.rules.words.compare import NOTHING, Difference
from ventiuna.rules.words.facts import listed


def decides_like(rules: Rules) -> tuple[str, ...]:
    """Presets of other documents with the same fingerprint as these rules."""
    ours = fingerprint(rules)
    others = [load_preset(name) for name in preset_ids() if name != rules.name]
    return tuple(
        other.name
        for other in others
        if other.document != rules.document and fingerprint(other) == ours
    )


def alike_sentence(rules: Rules) -> str:
    """One sentence, or "" if no preset of another document has the same fingerprint."""
    names = decides_like(rules)
    return sharing_sentence(names, "has") if names else ""


def sharing_sentence(names: Iterable[str], one: str = "") -> str:
    words = list(names)
    verb = one if one and len(words) == 1 else "have"
    return f"{listed(words)} {verb} the same fingerprint: the options agree, the documents differ."


def document_differences(first: Rules, second: Rules) -> list[Difference]:
    """What tells two sets of rules apart besides what they decide."""
    texts = [
        ("preset", first.origin.preset, second.origin.preset),
        ("title", first.title, second.title),
        ("document", first.document, second.document),
        ("revision", str(first.revision), str(second.revision)),
        ("notices", " ".join(first.origin.notices), " ".join(second.origin.notices)),
    ]
    return [
        *(
            Difference(field, "", one or NOTHING, other or NOTHING, "")
            for field, one, other in texts
            if one != other
        ),
        *_choices("choice of {}", dict(first.origin.choices), dict(second.origin.choices)),
        *_choices(
            "jackpots, choice of {}",
            dict(first.origin.jackpot_choices),
            dict(second.origin.jackpot_choices),
        ),
    ]


def _choices(
    words: str, first: dict[str, tuple[Choice, ...]], second: dict[str, tuple[Choice, ...]]
) -> Iterator[Difference]:
    for name in {**first, **second}:
        one, other = first.get(name, ()), second.get(name, ())
        if one != other:
            field = words.format(name)
            yield Difference(field, "", _listed(one), _listed(other), "")


def _listed(choices: tuple[Choice, ...]) -> str:
    return ", ".join(value_text(choice) for choice in choices) or NOTHING
