"""The rules of a stored round: by name, by what they are, or as data; they must agree."""

from __future__ import annotations

from ventiuna.notation.records import NotationError
from ventiuna.rules import Rules, canonical, fingerprint, load_rules, rules_from_data
from ventiuna.rules.values import shown


def stored_rules(name: str | None, stated: object, data: object = None) -> Rules:
    """The rules of a round. Where it holds them as data, no preset or file is looked up."""
    rules = load_rules(name or "") if data is None else rules_from_data(data)
    if data is not None and name is not None and name != canonical(rules):
        raise NotationError(
            f"rules: the name is {name}, but the data are those of {canonical(rules)}; take one of "
            "the two out"
        )
    if stated is not None:
        check_fingerprint(rules, stated)
    return rules


def check_fingerprint(rules: Rules, stated: object) -> None:
    ours = fingerprint(rules)
    if stated != ours:
        raise NotationError(
            f"fingerprint: {canonical(rules)} has fingerprint {ours}, but the round was stored "
            f"under {shown(stated)[:40]}; bring the preset or file back to what it was, or store "
            "rounds with their rules data"
        )
