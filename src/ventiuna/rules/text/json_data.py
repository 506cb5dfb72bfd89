"""House rules as plain JSON data with stable keys."""

from __future__ import annotations

from ventiuna.money import plain_amount
from ventiuna.rules import canonical, find_warnings, fingerprint, load_rules, preset_ids
from ventiuna.rules.data_files import Variant, limit_profiles, match_odds, variants
from ventiuna.rules.model import OPTIONS, Jackpot, JackpotKind, PayRow, Problem, Rules
from ventiuna.rules.options import Option, range_text, ranks_text, value_text
from ventiuna.rules.text.comparison import (
    Authority,
    Departure,
    allowed_values,
    authority,
    by_authority,
    departures,
    differences,
    document_differences,
    equivalent_presets,
    other_reading,
)
from ventiuna.rules.text.phrases import (
    Pay,
    house_winners_words,
    jackpot_facts,
    jackpot_pays,
    jackpot_table,
    super_bonus_pays,
    super_bonus_text,
)
from ventiuna.rules.text.procedure import procedure
from ventiuna.rules.text.rule_card import rule_card, section_numbers

Data = dict[str, object]


def identity_data(rules: Rules) -> Data:
    return {
        "rules": canonical(rules),
        "fingerprint": fingerprint(rules),
        "decides_like": list(equivalent_presets(rules)),
        "preset": rules.origin.preset,
        "title": rules.title,
        "document": rules.document,
        "revision": rules.revision,
        "game": str(rules.game),
    }


def findings_data(rules: Rules) -> Data:
    """Return noteworthy facts about valid rules."""
    return {
        "warnings": find_warnings(rules),
        "departures": [departure_data(departure) for departure in departures(rules)],
    }


def departure_data(departure: Departure) -> Data:
    return {**departure._asdict(), "text": str(departure)}


def problem_data(problem: Problem) -> Data:
    return {**problem._asdict(), "text": str(problem)}


def list_data(presets: list[Rules]) -> list[Data]:
    return [
        {
            "name": rules.name,
            "variants": [_variant_data(item) for item in variants_of(rules.name)],
            "title": rules.title,
            "document": rules.document,
            "revision": rules.revision,
            "game": str(rules.game),
            "decks": rules.decks,
            "fingerprint": fingerprint(rules),
            "decides_like": list(equivalent_presets(rules)),
        }
        for rules in presets
    ]


def variants_of(preset: str) -> list[Variant]:
    """Ready-made variants of a preset."""
    return [variant for variant in variants().values() if load_rules(variant.rules).name == preset]


def _variant_data(variant: Variant) -> Data:
    rules = load_rules(variant.rules)
    return {
        "name": variant.name,
        "rules": canonical(rules),
        "fingerprint": fingerprint(rules),
        "about": variant.about,
    }


def show_data(rules: Rules) -> Data:
    return {
        **identity_data(rules),
        "options": _options_data(rules),
        "bonus_21": [_row_data(row) for row in rules.bonus_21_rows()],
        "instant_wins": [_row_data(row) for row in rules.instant_wins],
        "super_bonus": _super_bonus_data(rules),
        "match_the_dealer": _match_data(rules),
        "jackpots": [_jackpot_data(jackpot) for jackpot in rules.jackpots],
        "limit": _limit_data(rules),
        "notices": list(rules.origin.notices),
        **findings_data(rules),
    }


def _options_data(rules: Rules) -> list[Data]:
    """Return each option with its value, who decides it, allowed values and rule numbers."""
    preset = rules.origin.preset
    sources = rules.sources
    departing = {departure.option for departure in departures(rules)}
    return [
        {
            "name": option.name,
            "value": _plain(option, rules.in_force(option.name)),
            "meaning": option.text,
            "standing": str(authority(preset, option.name)),
            "allowed": list(allowed_values(preset, option)),
            "departs": option.name in departing,
            "our_reading": _our_reading(rules, option),
            "sources": sources.get(option.name, option.rule).split(", "),
        }
        for option in OPTIONS
    ]


def _our_reading(rules: Rules, option: Option) -> str | None:
    """Return our reading if the document is silent and these rules differ from it."""
    preset = rules.origin.preset
    is_silent = preset in preset_ids() and authority(preset, option.name) is Authority.SILENT
    return (other_reading(rules, option) or None) if is_silent else None


def _plain(option: Option, value: object) -> object:
    """Keep numbers; convert on and off to booleans, money to dollars, and the rest to strings."""
    if option.kind in ("number", "flag"):
        return value
    if option.kind == "money" and isinstance(value, int):
        return plain_amount(value)
    return value_text(value)


def _row_data(row: PayRow) -> Data:
    return {
        "name": row.name,
        "pays": str(row.pay),
        "cards": range_text(row.cards),
        "total": range_text(row.total),
        "ranks": ranks_text(row.ranks),
        "suits": row.suits,
        "after_split": row.after_split,
        "rule": row.rule,
    }


def _super_bonus_data(rules: Rules) -> Data | None:
    form = rules.super_bonus_form()
    if form is None:
        return None
    return {
        "hand": super_bonus_text(form),
        "rule": form.rule,
        "pays": pays_data(super_bonus_pays(rules)),
        "envy": str(rules.envy),
        "envy_amount": plain_amount(rules.envy_amount),
    }


def _match_data(rules: Rules) -> Data | None:
    if not rules.mtd_configuration:
        return None
    odds = match_odds()[rules.decks]
    return {
        "configuration": rules.mtd_configuration,
        "wagers": list(rules.mtd_wagers),
        "unsuited": f"{odds.unsuited} to 1",
        "suited": f"{odds.suited} to 1",
        "published_win_frequency": odds.published_win_frequency,
        "published_house_advantage": odds.published_house_advantage,
        "rule": "R-022",
    }


def _jackpot_data(jackpot: Jackpot) -> Data:
    table = jackpot_table(jackpot)
    advantage = table.pay_tables[jackpot.pay_table].published_house_advantage
    is_house = jackpot.kind is JackpotKind.HOUSE
    return {
        **{name.replace(" ", "_"): value for name, value in jackpot_facts(jackpot).items()},
        "several_winners_words": house_winners_words(jackpot) if is_house else None,
        "document": table.document,
        "rule": table.rule,
        "pays": pays_data(jackpot_pays(jackpot)),
        "published_house_advantage": advantage or None,
    }


def _limit_data(rules: Rules) -> Data:
    profile = limit_profiles()[rules.limit_profile]
    maximum = profile.maximum_wager
    return {
        "profile": profile.id,
        "title": profile.title,
        "effective_from": profile.effective_from or None,
        "maximum_wager": None if maximum is None else plain_amount(maximum),
        "source": profile.source,
    }


def pays_data(pays: tuple[Pay, ...]) -> list[Data]:
    return [pay._asdict() for pay in pays]


def check_data(rules: Rules) -> Data:
    return {
        "valid": True,
        **identity_data(rules),
        "standings": standings_data(rules),
        **findings_data(rules),
        "problems": [],
    }


def standings_data(rules: Rules) -> Data:
    """Group options by who decides them: fixed by the document, left to the house, silent."""
    if rules.origin.preset not in preset_ids():
        return {}
    return {
        str(authority): [option.name for option in options]
        for authority, options in by_authority(rules).items()
    }


def problems_data(text: str, problems: tuple[Problem, ...]) -> Data:
    return {
        "valid": False,
        "rules": text,
        "problems": [problem_data(problem) for problem in problems],
    }


def diff_data(first: Rules, second: Rules) -> Data:
    return {
        "first": identity_data(first),
        "second": identity_data(second),
        "decide_alike": fingerprint(first) == fingerprint(second),
        "differences": [difference._asdict() for difference in differences(first, second)],
        "documents": [item._asdict() for item in document_differences(first, second)],
    }


def card_data(rules: Rules) -> Data:
    card = rule_card(rules)
    return {
        **card._asdict(),
        "sections": [
            {
                **section._asdict(),
                "pays": pays_data(section.pays),
                "rules": section_numbers(rules, section.heading),
            }
            for section in card.sections
        ],
    }


def procedure_data(rules: Rules) -> Data:
    return {
        **identity_data(rules),
        "steps": [
            {
                "number": number,
                "stage": step.stage,
                "heading": step.heading,
                "text": step.text,
                "rules": list(step.rules),
                "borrowed": [
                    {"documents": documents.split(", "), "rule": rule}
                    for documents, rule in step.borrowed
                ],
                "source": step.source,
            }
            for number, step in enumerate(procedure(rules), start=1)
        ],
        "notices": list(rules.origin.notices),
        **findings_data(rules),
    }
