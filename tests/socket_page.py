"""Write the tables of docs/socket.md: every command and event with its fields and an example.

python -m tests.socket_page           write the page
python -m tests.socket_page --check   check that it is up to date
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from tests.pages import write_or_check
from ventiuna.engine.codec import fields_that_may_be_left_out
from ventiuna.server.schemas import COMMAND, EVENT, record_doc
from ventiuna.table.domain.commands import FORMS, PersonCommand, Subject
from ventiuna.table.domain.events import TableEvent
from ventiuna.table.domain.handlers import ANSWERS

PAGE = Path(__file__).parent.parent / "docs" / "socket.md"
_HASH = "ab" * 32

# Example values by field name; other fields get one by type.
_NAMED: dict[str, object] = {
    "seat": 3,
    "spot": 3,
    "hand": 0,
    "new_hand": 1,
    "spots": [3, 4],
    "amount": 2_000,
    "base": 2_000,
    "stake": 2_000,
    "paid": 4_000,
    "mtd": {"up": 500},
    "jackpots": {"1": 100},
    "meters": {"1": 1_234_521},
    "remainders": {"1": 5_000},
    "person": "12",
    "name": "Ana",
    "rules": "wsgc-spanish-21",
    "fingerprint": "5d0c1f2e",
    "reason": "a card was exposed",
    "commitment": _HASH,
    "value": _HASH,
    "mix": _HASH,
    "seed": _HASH,
    "card": 27,
    "withheld": [],
    "odds": "1 to 1",
    "rule": "R-038",
}
_TYPED: dict[str, object] = {
    "int": 1,
    "int | None": None,
    "Cents": 2_000,
    "Cents | None": None,
    "Card": 27,
    "Card | None": 27,
    "str": "text",
    "bool": True,
    "Stage": "insurance",
    "Place": "player",
    "Advice": "hit_eleven",
    "Authority": "floor",
    "Wager": "hand",
    "Wager | None": None,
    "AskKind": "decision",
    "tuple[int, ...]": [1, 2],
    "tuple[Card, ...]": [27, 3],
    "tuple[Cents, ...]": [500],
    "tuple[Wager, ...]": ["hand"],
    "tuple[str, ...]": [],
}


def example(kind: type[Any], tag: str) -> dict[str, object]:
    """An example as it appears in a message."""
    data: dict[str, object] = {tag: kind.__name__}
    left_out = dict(fields_that_may_be_left_out(kind))
    for part in fields(kind):
        if part.name in left_out:
            continue
        by_name = _NAMED.get(part.name)
        typed = _TYPED.get(str(part.type))
        data[part.name] = typed if by_name is None else by_name
    return data


def examples(kinds: Iterable[type[Any]], tag: str) -> list[dict[str, object]]:
    return [example(kind, tag) for kind in kinds]


def table(kinds: Iterable[type[Any]], tag: str, heading: str) -> str:
    lines = [f"| {heading} | meaning | example |", "|---|---|---|"]
    adapter = COMMAND if tag == "command" else EVENT
    answers = tuple(kind for one in ANSWERS for kind in getattr(one, "__args__", (one,)))
    for kind in kinds:
        data = example(kind, tag)
        adapter.validate_python(data)
        meaning = (record_doc(kind) or "").replace("\n", " ").replace("|", "\\|")
        meaning = re.sub(r" +", " ", meaning)
        if tag == "command" and kind in answers:
            meaning = f"*ask.* {meaning}".strip()
        text = json.dumps(data, ensure_ascii=False)
        lines.append(f"| `{kind.__name__}` | {meaning} | `{text}` |")
    return "\n".join(lines)


def operator_table() -> str:
    """The commands that operators may also send; messages of players can't have them."""
    lines = ["| command | meaning | example |", "|---|---|---|"]
    for form in FORMS:
        if form.subject is Subject.TABLE:
            text = json.dumps(example(form.kind, "command"), ensure_ascii=False)
            lines.append(f"| `{form.kind.__name__}` | {form.help} | `{text}` |")
    return "\n".join(lines)


def page() -> str:
    text = PAGE.read_text(encoding="utf-8")
    text = _filled(text, "operator commands", operator_table())
    text = _filled(text, "commands", table(PersonCommand.__args__, "command", "command"))
    return _filled(text, "events", table(TableEvent.__args__, "event", "event"))


def _filled(text: str, name: str, made: str) -> str:
    """The page with this part replaced."""
    between = re.compile(f"<!-- {name} -->.*?<!-- end -->", re.DOTALL)
    return between.sub(lambda _: f"<!-- {name} -->\n{made}\n<!-- end -->", text)


if __name__ == "__main__":
    sys.exit(write_or_check(sys.argv[1:], __doc__, PAGE, page))
