"""One string and one fingerprint for a set of rules; neither needs a file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields, replace
from functools import lru_cache

from ventiuna.money import plain_amount
from ventiuna.rules.diamonds import implied_start
from ventiuna.rules.model import (
    Jackpot,
    OptionValue,
    PayRow,
    Rules,
    SuperBonusBand,
    SuperBonusForm,
)
from ventiuna.rules.options import OPTIONS, Option
from ventiuna.rules.values import check_rules, contribution_text, value_text

FINGERPRINT_LENGTH = 16
_BESIDES = ("name", "title", "document", "revision", "origin")  # decide no payment
_DECIDING = tuple(field.name for field in fields(Rules) if field.name not in _BESIDES)


def canonical(rules: Rules) -> str:
    """The preset or file with what differs from it, in the order of the options.

    >>> from ventiuna.rules import load_rules
    >>> canonical(load_rules("wsgc-2021( soft_17=stand , decks=8 )"))
    'wsgc-2021(decks=8,soft_17=stand)'
    """
    check_rules(rules)
    return _canonical(rules)


@lru_cache(maxsize=256)
def _canonical(rules: Rules) -> str:
    """A table names it in every snapshot and the lobby on every line."""
    start = implied_start(rules)
    changed = [
        f"{option.name}={plain_text(option, getattr(rules, option.name))}"
        for option in OPTIONS
        if getattr(rules, option.name) != start.get(option.name)
    ]
    if rules.jackpots != start.get("jackpots", ()):
        changed.append(f"jackpots={_jackpots_text(rules.jackpots)}")
    return f"{rules.name}({','.join(changed)})" if changed else rules.name


def plain_text(option: Option, value: OptionValue) -> str:
    """A value as a canonical string has it."""
    if option.kind == "money" and isinstance(value, int):
        return plain_amount(value)
    return value_text(value)


def _jackpots_text(jackpots: tuple[Jackpot, ...]) -> str:
    return "+".join(_jackpot_text(jackpot) for jackpot in jackpots) or "none"


def _jackpot_text(jackpot: Jackpot) -> str:
    usual = Jackpot(jackpot.table)
    parts = [jackpot.table, str(jackpot.pay_table)]
    for name, value in asdict(jackpot).items():
        if name in ("table", "pay_table") or value == getattr(usual, name):
            continue
        if name in ("wager", "prize", "seed"):
            parts.append(f"{name}={plain_amount(value)}")
        elif name == "contribution":
            parts.append(f"{name}={contribution_text(value).replace(' ', '')}")
        else:
            parts.append(f"{name}={value_text(value)}")
    return ":".join(parts)


def fingerprint(rules: Rules) -> str:
    """Equal for rules that decide alike, whatever they are called.

    >>> from ventiuna import load_rules
    >>> fingerprint(load_rules("wsgc-2021")) == fingerprint(load_rules("wsgc-2021(decks=6)"))
    True
    """
    check_rules(rules)
    return _fingerprint(rules)


@lru_cache(maxsize=256)
def _fingerprint(rules: Rules) -> str:
    """A table names it in every snapshot and every shoe."""
    text = json.dumps(_deciding(rules), sort_keys=True, default=_row)
    return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def _deciding(rules: Rules) -> dict[str, object]:
    """Everything that decides a payment; identity left out."""
    data: dict[str, object] = {name: getattr(rules, name) for name in _DECIDING}
    # Rows for other numbers of decks are not in force, so they don't tell rules apart.
    data["bonus_21"] = [replace(row, decks=()) for row in rules.bonus_21_rows()]
    form = rules.super_bonus_form()
    data["super_bonus"] = [replace(form, decks=())] if form else []
    return data


def _row(row: PayRow | SuperBonusForm | SuperBonusBand | Jackpot) -> dict[str, object]:
    return asdict(row)
