"""Rules as plain data, complete: they come back without a preset or file."""

from __future__ import annotations

from collections.abc import Iterable

from ventiuna.cards import RANKS
from ventiuna.money import plain_amount
from ventiuna.rules.canonical import fingerprint
from ventiuna.rules.model import Jackpot, PayRow, Rules, SuperBonusBand, SuperBonusForm
from ventiuna.rules.options import OPTIONS, Option
from ventiuna.rules.values import check_rules, contribution_text, range_text, value_text

FORMAT = 1

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]
Data = dict[str, Json]


def rules_data(rules: Rules) -> Data:
    """All of the rules, written as a rules file writes them; `rules_from_data` reads it.

    >>> from ventiuna.rules import load_rules, rules_from_data
    >>> rules = load_rules("wsgc-2021(decks=8)")
    >>> rules_from_data(rules_data(rules)) == rules
    True
    """
    check_rules(rules)
    return {
        "format": FORMAT,
        "name": rules.name,
        "title": rules.title,
        "document": rules.document,
        "revision": rules.revision,
        "fingerprint": fingerprint(rules),
        "options": {option.name: _plain(option, getattr(rules, option.name)) for option in OPTIONS},
        "bonus_21": [_pay_row(row) for row in rules.bonus_21],
        "instant_wins": [_pay_row(row) for row in rules.instant_wins],
        "super_bonus": [_super_bonus(form) for form in rules.super_bonus],
        "super_bonus_bands": [_band(band) for band in rules.super_bonus_bands],
        "jackpots": _jackpots(rules.jackpots),
        "origin": _origin(rules),
    }


def _plain(option: Option, value: object) -> Json:
    """Numbers as numbers, on and off as truth values, names as a list, all else as text."""
    if isinstance(value, int):
        return plain_amount(value) if option.kind == "money" else value
    if option.kind == "names" and isinstance(value, tuple):
        return list(value)
    return value_text(value)


def _pay_row(row: PayRow) -> Data:
    cards: Data = {"ranks": _ranks(row.ranks)} if row.ranks else {"cards": range_text(row.cards)}
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


def _ranks(ranks: Iterable[int]) -> str:
    return "-".join(RANKS[rank - 1] for rank in ranks)


def _super_bonus(form: SuperBonusForm) -> Data:
    return {
        "hand": form.hand,
        "ranks": _ranks(form.ranks),
        "suits": form.suits,
        "up": form.up,
        "decks": list(form.decks),
        "rule": form.rule,
    }


def _band(band: SuperBonusBand) -> Data:
    return {"base_from": plain_amount(band.base_from), "pay": plain_amount(band.pay)}


def _jackpots(jackpots: Iterable[Jackpot]) -> Json:
    return [_jackpot(jackpot) for jackpot in jackpots]


def _jackpot(jackpot: Jackpot) -> Data:
    prize: Data = {} if jackpot.prize is None else {"prize": plain_amount(jackpot.prize)}
    return {
        "table": jackpot.table,
        "pay_table": jackpot.pay_table,
        "wager": plain_amount(jackpot.wager),
        "kind": str(jackpot.kind),
        "alternate": jackpot.alternate,
        **prize,
        "prize_from": str(jackpot.prize_from),
        "seed": plain_amount(jackpot.seed),
        "contribution": contribution_text(jackpot.contribution),
        "reseed": str(jackpot.reseed),
        "winners": str(jackpot.winners),
        "best_only": jackpot.best_only,
        "top_alone": jackpot.top_alone,
    }


def _origin(rules: Rules) -> Data:
    origin = rules.origin
    return {
        "preset": origin.preset,
        "start": _start(rules),
        "choices": {name: list(values) for name, values in origin.choices},
        "jackpot_choices": {name: list(values) for name, values in origin.jackpot_choices},
        "sources": dict(origin.sources),
        "notices": list(origin.notices),
    }


def _start(rules: Rules) -> Json:
    """What was changed since the preset or file was read, as it was before; None: not known."""
    before = dict(rules.origin.start)
    if not before:
        return None
    start: Data = {
        option.name: _plain(option, before[option.name])
        for option in OPTIONS
        if option.name in before and before[option.name] != getattr(rules, option.name)
    }
    jackpots = before.get("jackpots", rules.jackpots)
    if jackpots != rules.jackpots and isinstance(jackpots, tuple):
        start["jackpots"] = _jackpots(game for game in jackpots if isinstance(game, Jackpot))
    return start
