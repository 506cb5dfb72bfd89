"""Every R-, D- and O-number cited by refusals, payments and options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from tools.reference.markdown import joined
from ventiuna.rules.text.references import DOCUMENTS, RuleReference, references_by_number

ABOUT = """\
R-numbers are requirements from the rule documents, in our words. D-numbers are points on which
the documents disagree, and O-numbers points on which they are silent, each with our decision. In a
terminal, use `ventiuna rules explain R-021`. For the code that implements each number and the tests
that prove it, see [requirements](../../requirements.md) and [one place](../../one-place.md)."""
_NUMBER = re.compile(r"\b[RDO]-[0-9]{2,3}\b")


def linked(text: str) -> str:
    """Turn the numbers in a text into links to this page, for neighboring pages.

    >>> linked("R-021, our own")
    '[R-021](#r-021), our own'
    """

    def link(match: re.Match[str]) -> str:
        number = match.group()
        return f"[{number}](#{number.lower()})" if number in references_by_number() else number

    return _NUMBER.sub(link, text)


def page() -> str:
    return joined(_parts())


def _parts() -> Iterator[str]:
    yield "# Rule numbers"
    yield ABOUT
    yield "\n".join(f"- **{number}**: {title}" for number, title in DOCUMENTS.items())
    for section, numbers in groupby(references_by_number().values(), lambda one: one.section):
        yield f"## {section}"
        for one in numbers:
            yield from _number(one)


def _number(one: RuleReference) -> Iterator[str]:
    heading = f"{one.number}: {one.title}" if one.title else one.number
    yield f"({one.number.lower()})=\n### {_plain(heading)}"
    yield _linked_to_others(one)
    if one.built:
        yield f"**Implemented:** {_plain(one.built)}"
    if one.documents:
        yield f"*Documents {', '.join(document.id for document in one.documents)}.*"


def _linked_to_others(one: RuleReference) -> str:
    others = references_by_number().keys() - {one.number}
    return _NUMBER.sub(
        lambda match: linked(match.group()) if match.group() in others else match.group(),
        _plain(one.text),
    )


def _plain(text: str) -> str:
    """Escape markup characters in the text of a number."""
    return re.sub(r"([*_<>\[\]|])", r"\\\1", text)
