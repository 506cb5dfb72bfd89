"""Rules as a canonical string, a fingerprint, or plain data that needs no other file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from functools import lru_cache
from typing import Any

from ventiuna.rules.model import (
    OPTIONS,
    ROW_FIELDS,
    ROW_PARTS,
    Jackpot,
    PayRow,
    Row,
    Rules,
    check_rules,
)
from ventiuna.rules.options import Json

# --- Canonical string ---

Values = dict[str, Any]  # typed values by field name, as `Rules` expects them

FINGERPRINT_LENGTH = 16
_IDENTITY_FIELDS = ("name", "title", "document", "revision", "origin")  # irrelevant to payments
_DECIDING_FIELDS = tuple(
    field.name for field in fields(Rules) if field.name not in _IDENTITY_FIELDS
)

NEW_DEFAULTS: Values = {
    option.name: getattr(Rules(), option.name) for option in OPTIONS if option.is_new
}
_UNSET = object()


def canonical(rules: Rules) -> str:
    """Return the preset or file name with any changed options, in the order of the options.

    >>> from ventiuna.rules import load_rules
    >>> canonical(load_rules("wsgc-2021( soft_17=stand , decks=8 )"))
    'wsgc-2021(decks=8,soft_17=stand)'
    """
    check_rules(rules)
    return _canonical(rules)


@lru_cache(maxsize=256)
def _canonical(rules: Rules) -> str:
    """Compute the canonical string; cached for table snapshots and the lobby."""
    start = implied_by(dict(rules.origin.start), rules)
    changed = [
        f"{option.name}={option.plain(getattr(rules, option.name))}"
        for option in OPTIONS
        if getattr(rules, option.name) != start.get(option.name)
    ]
    if rules.jackpots != start.get("jackpots", ()):
        changed.append(f"jackpots={'+'.join(map(_jackpot_text, rules.jackpots)) or 'none'}")
    return f"{rules.name}({','.join(changed)})" if changed else rules.name


def _jackpot_text(jackpot: Jackpot) -> str:
    default = Jackpot(jackpot.table)
    settings = [
        f"{name}={part.plain(value)}"
        for name, part in ROW_PARTS[Jackpot].items()
        if name not in ("table", "pay_table")
        and (value := getattr(jackpot, name)) != getattr(default, name)
    ]
    return ":".join([jackpot.table, str(jackpot.pay_table), *settings])


# --- Default payout of an all-diamond blackjack (R-114) ---

_BLACKJACK_PAY, _DIAMOND_PAY = "blackjack_pays", "diamond_blackjack_pays"


def with_diamond_default(before: Mapping[str, object], changes: Values) -> Values:
    """Give diamond blackjacks the new blackjack payout unless they have their own (R-114)."""
    has_own_pay = before.get(_DIAMOND_PAY) != before.get(_BLACKJACK_PAY)
    if _BLACKJACK_PAY not in changes or _DIAMOND_PAY in changes or has_own_pay:
        return changes
    return changes | {_DIAMOND_PAY: changes[_BLACKJACK_PAY]}


def implied_by(before: Values, rules: Rules) -> Values:
    """Return the original values with the diamond blackjack payout implied by `rules`."""
    if rules.blackjack_pays == before.get(_BLACKJACK_PAY):
        return before
    implied = with_diamond_default(before, {_BLACKJACK_PAY: rules.blackjack_pays})
    return before | {name: implied[name] for name in implied if name != _BLACKJACK_PAY}


# --- Fingerprint ---


def fingerprint(rules: Rules) -> str:
    """Return a hash that is equal for rules that play alike, whatever their name.

    >>> from ventiuna import load_rules
    >>> fingerprint(load_rules("wsgc-2021")) == fingerprint(load_rules("wsgc-2021(decks=6)"))
    True
    """
    check_rules(rules)
    return _fingerprint(rules)


# Rows renamed since then keep the fingerprints of their rules.
_FIRST_NAMES = {
    "21 with five or more cards": "five or more cards of 21",
    "20 or less in six cards": "six cards of 20 or less",
}


@lru_cache(maxsize=256)
def _fingerprint(rules: Rules) -> str:
    """Compute the fingerprint; cached for table snapshots and shoes."""
    text = json.dumps(_deciding(rules), sort_keys=True, default=asdict)
    return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def _deciding(rules: Rules) -> dict[str, object]:
    """Return everything that affects payments, without identity fields."""
    data: dict[str, object] = {
        name: getattr(rules, name)
        for name in _DECIDING_FIELDS
        if name not in NEW_DEFAULTS or getattr(rules, name) != NEW_DEFAULTS[name]
    }
    # Rows for other deck counts are inactive, so they don't distinguish rules.
    data["bonus_21"] = [replace(row, decks=()) for row in rules.bonus_21_rows()]
    data["instant_wins"] = [
        replace(row, name=_FIRST_NAMES.get(row.name, row.name)) for row in rules.instant_wins
    ]
    form = rules.super_bonus_form()
    data["super_bonus"] = [replace(form, decks=())] if form else []
    return data


# --- Plain data, complete without a preset or file ---

RULES_FORMAT = 1

JsonObject = dict[str, Json]


def rules_data(rules: Rules) -> JsonObject:
    """Return the complete rules in the form of a rules file; `rules_from_data` reads it.

    >>> from ventiuna.rules import load_rules, rules_from_data
    >>> rules = load_rules("wsgc-2021(decks=8)")
    >>> rules_from_data(rules_data(rules)) == rules
    True
    """
    check_rules(rules)
    return {
        "format": RULES_FORMAT,
        "name": rules.name,
        "title": rules.title,
        "document": rules.document,
        "revision": rules.revision,
        "fingerprint": fingerprint(rules),
        "options": {
            option.name: option.data(value)
            for option in OPTIONS
            if (value := getattr(rules, option.name)) != NEW_DEFAULTS.get(option.name, _UNSET)
        },
        **{name: _rows_data(getattr(rules, name)) for name in ROW_FIELDS},
        "origin": _origin_data(rules),
    }


def _rows_data(rows: Iterable[Row]) -> Json:
    return [_row_data(row) for row in rows]


def _row_data(row: Row) -> JsonObject:
    """Return the parts that are set; a pay row lists its ranks instead of the number of cards."""
    parts = dict(ROW_PARTS[type(row)])
    if isinstance(row, PayRow):
        ranks = parts.pop("ranks")
        parts["cards"] = ranks if row.ranks else parts["cards"]
    values = ((part, getattr(row, part.name)) for part in parts.values())
    return {part.name: part.data(value) for part, value in values if value is not None}


def _origin_data(rules: Rules) -> JsonObject:
    origin = rules.origin
    return {
        "preset": origin.preset,
        "start": _start_data(rules),
        "choices": {name: list(values) for name, values in origin.choices},
        "jackpot_choices": {name: list(values) for name, values in origin.jackpot_choices},
        "sources": dict(origin.sources),
        "notices": list(origin.notices),
    }


def _start_data(rules: Rules) -> Json:
    """Return the original values of changed options; None if the original is unknown."""
    before: Values = dict(rules.origin.start)
    if not before:
        return None
    start: JsonObject = {
        option.name: option.data(before[option.name])
        for option in OPTIONS
        if option.name in before and before[option.name] != getattr(rules, option.name)
    }
    if before.get("jackpots", rules.jackpots) != rules.jackpots:
        start["jackpots"] = _rows_data(before["jackpots"])
    return start
