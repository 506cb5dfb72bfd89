"""Rules as a canonical string, a fingerprint and plain data, readable without any file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from functools import lru_cache

from ventiuna.cards import RANKS
from ventiuna.money import plain_amount
from ventiuna.rules.model import (
    Jackpot,
    OptionValue,
    PayRow,
    Rules,
    SuperBonusBand,
    SuperBonusForm,
)
from ventiuna.rules.options import (
    OPTIONS,
    Option,
    check_rules,
    contribution_text,
    implied_start,
    range_text,
    value_text,
)

# --- Canonical string and fingerprint ---

FINGERPRINT_LENGTH = 16
_IDENTITY_FIELDS = ("name", "title", "document", "revision", "origin")  # don't affect payments
_DECIDING_FIELDS = tuple(
    field.name for field in fields(Rules) if field.name not in _IDENTITY_FIELDS
)


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
    """Cached: tables need it in every snapshot and the lobby on every line."""
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
    """Format a value for a canonical string."""
    if option.kind == "money" and isinstance(value, int):
        return plain_amount(value)
    return value_text(value)


def _jackpots_text(jackpots: tuple[Jackpot, ...]) -> str:
    return "+".join(_jackpot_text(jackpot) for jackpot in jackpots) or "none"


def _jackpot_text(jackpot: Jackpot) -> str:
    default = Jackpot(jackpot.table)
    parts = [jackpot.table, str(jackpot.pay_table)]
    for name, value in asdict(jackpot).items():
        if name in ("table", "pay_table") or value == getattr(default, name):
            continue
        if name in ("wager", "prize", "seed"):
            parts.append(f"{name}={plain_amount(value)}")
        elif name == "contribution":
            parts.append(f"{name}={contribution_text(value)}")
        else:
            parts.append(f"{name}={value_text(value)}")
    return ":".join(parts)


def fingerprint(rules: Rules) -> str:
    """Return a hash that is equal for rules that play alike, whatever their name.

    >>> from ventiuna import load_rules
    >>> fingerprint(load_rules("wsgc-2021")) == fingerprint(load_rules("wsgc-2021(decks=6)"))
    True
    """
    check_rules(rules)
    return _fingerprint(rules)


@lru_cache(maxsize=256)
def _fingerprint(rules: Rules) -> str:
    """Cached: tables need it in every snapshot and every shoe."""
    text = json.dumps(_deciding(rules), sort_keys=True, default=_row)
    return hashlib.sha256(text.encode()).hexdigest()[:FINGERPRINT_LENGTH]


def _deciding(rules: Rules) -> dict[str, object]:
    """Return everything that affects payments, without identity fields."""
    data: dict[str, object] = {name: getattr(rules, name) for name in _DECIDING_FIELDS}
    # Rows for other deck counts are inactive, so they don't distinguish rules.
    data["bonus_21"] = [replace(row, decks=()) for row in rules.bonus_21_rows()]
    form = rules.super_bonus_form()
    data["super_bonus"] = [replace(form, decks=())] if form else []
    return data


def _row(row: PayRow | SuperBonusForm | SuperBonusBand | Jackpot) -> dict[str, object]:
    return asdict(row)


# --- Plain data, complete without a preset or file ---

RULES_FORMAT = 1

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]
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
            option.name: _plain_value(option, getattr(rules, option.name)) for option in OPTIONS
        },
        "bonus_21": [_pay_row_data(row) for row in rules.bonus_21],
        "instant_wins": [_pay_row_data(row) for row in rules.instant_wins],
        "super_bonus": [_super_bonus_data(form) for form in rules.super_bonus],
        "super_bonus_bands": [_band_data(band) for band in rules.super_bonus_bands],
        "jackpots": _jackpots_data(rules.jackpots),
        "origin": _origin_data(rules),
    }


def _plain_value(option: Option, value: object) -> Json:
    """Keep numbers; convert on and off to booleans, names to a list, and the rest to strings."""
    if isinstance(value, int):
        return plain_amount(value) if option.kind == "money" else value
    if option.kind == "names" and isinstance(value, tuple):
        return list(value)
    return value_text(value)


def _pay_row_data(row: PayRow) -> JsonObject:
    cards: JsonObject = (
        {"ranks": _ranks_text(row.ranks)} if row.ranks else {"cards": range_text(row.cards)}
    )
    return {
        "name": row.name,
        "pay": str(row.pay),
        "rule": row.rule,
        **cards,
        "total": range_text(row.total),
        "suits": row.suits,
        "decks": list(row.decks),
        "after_split": row.after_split,
    }


def _ranks_text(ranks: Iterable[int]) -> str:
    return "-".join(RANKS[rank - 1] for rank in ranks)


def _super_bonus_data(form: SuperBonusForm) -> JsonObject:
    return {
        "hand": form.hand,
        "ranks": _ranks_text(form.ranks),
        "suits": form.suits,
        "up": form.up,
        "decks": list(form.decks),
        "rule": form.rule,
    }


def _band_data(band: SuperBonusBand) -> JsonObject:
    return {"base_from": plain_amount(band.base_from), "pay": plain_amount(band.pay)}


def _jackpots_data(jackpots: Iterable[Jackpot]) -> Json:
    return [_jackpot_data(jackpot) for jackpot in jackpots]


def _jackpot_data(jackpot: Jackpot) -> JsonObject:
    prize: JsonObject = {} if jackpot.prize is None else {"prize": plain_amount(jackpot.prize)}
    return {
        "table": jackpot.table,
        "pay_table": jackpot.pay_table,
        "wager": plain_amount(jackpot.wager),
        "kind": str(jackpot.kind),
        "alternate": jackpot.alternate,
        **prize,
        "prize_from": str(jackpot.prize_from),
        "seed": plain_amount(jackpot.seed),
        "contribution": contribution_text(jackpot.contribution).replace("%", " %"),  # format 1
        "reseed": str(jackpot.reseed),
        "winners": str(jackpot.winners),
        "best_only": jackpot.best_only,
        "top_alone": jackpot.top_alone,
    }


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
    before = dict(rules.origin.start)
    if not before:
        return None
    start: JsonObject = {
        option.name: _plain_value(option, before[option.name])
        for option in OPTIONS
        if option.name in before and before[option.name] != getattr(rules, option.name)
    }
    jackpots = before.get("jackpots", rules.jackpots)
    if jackpots != rules.jackpots and isinstance(jackpots, tuple):
        start["jackpots"] = _jackpots_data(game for game in jackpots if isinstance(game, Jackpot))
    return start
