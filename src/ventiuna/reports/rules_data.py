"""House rules and their options as plain JSON data with stable keys."""

from __future__ import annotations

from typing import Literal, cast

from typing_extensions import TypedDict

from ventiuna.money import plain_amount
from ventiuna.rules import canonical, find_warnings, fingerprint, load_rules, preset_ids
from ventiuna.rules.data_files import (
    Variant,
    jackpot_tables,
    limit_profiles,
    match_odds,
    variants,
)
from ventiuna.rules.model import (
    OPTIONS,
    OPTIONS_BY_NAME,
    Jackpot,
    JackpotKind,
    PayRow,
    Problem,
    Rules,
)
from ventiuna.rules.options import Option, OptionKind, range_text, ranks_text, value_text
from ventiuna.rules.text.comparison import (
    DecidedBy,
    allowed_values,
    authority,
    by_authority,
    departures,
    differences,
    document_differences,
    equivalent_presets,
    other_reading,
    rule_numbers,
)
from ventiuna.rules.text.phrases import (
    Pay,
    house_winners_words,
    jackpot_facts,
    jackpot_pays,
    jackpot_table,
    one_match_words,
    super_bonus_pays,
    super_bonus_text,
)
from ventiuna.rules.text.procedure import procedure
from ventiuna.rules.text.references import (
    BASE_PRESET,
    GUIDES,
    change_words,
    guide_data,
    options_by_part,
    preset_value_text,
    unknown_option,
    value_words,
    values_of,
)
from ventiuna.rules.text.rule_card import rule_card, section_numbers


class RulesIdentity(TypedDict):
    rules: str
    fingerprint: str
    decides_like: list[str]
    preset: str
    title: str
    document: str
    revision: int
    game: str


def identity_data(rules: Rules) -> RulesIdentity:
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


class DepartureData(TypedDict):
    option: str
    value: str
    allowed: str
    rule: str
    text: str


class RulesFindings(TypedDict):
    warnings: list[str]
    departures: list[DepartureData]


def findings_data(rules: Rules) -> RulesFindings:
    """Return noteworthy facts about valid rules."""
    return {
        "warnings": find_warnings(rules),
        "departures": [
            cast(DepartureData, {**departure._asdict(), "text": str(departure)})
            for departure in departures(rules)
        ],
    }


class RulesProblem(TypedDict):
    field: str
    value: str
    rule: str
    message: str
    fix: str
    text: str


class VariantData(TypedDict):
    name: str
    rules: str
    fingerprint: str
    about: str


class PresetLine(TypedDict):
    name: str
    variants: list[VariantData]
    title: str
    document: str
    revision: int
    game: str
    decks: int
    fingerprint: str
    decides_like: list[str]


def list_data(presets: list[Rules]) -> list[PresetLine]:
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


def _variant_data(variant: Variant) -> VariantData:
    rules = load_rules(variant.rules)
    return {
        "name": variant.name,
        "rules": canonical(rules),
        "fingerprint": fingerprint(rules),
        "about": variant.about,
    }


class ShownOption(TypedDict):
    name: str
    value: str | int | bool
    meaning: str
    standing: str
    allowed: list[str]
    departs: bool
    our_reading: str | None
    sources: list[str]


class PayRowData(TypedDict):
    name: str
    pays: str
    cards: str
    total: str
    ranks: str
    suits: str
    after_split: bool
    rule: str


class PayData(TypedDict):
    hand: str
    pays: str


class SuperBonusData(TypedDict):
    hand: str
    rule: str
    pays: list[PayData]
    envy: str
    envy_amount: str


class MatchData(TypedDict):
    configuration: int
    wagers: list[str]
    unsuited: str
    suited: str
    published_win_frequency: str
    published_house_advantage: str
    rule: str


class LimitData(TypedDict):
    profile: str
    title: str
    effective_from: str | None
    maximum_wager: str | None
    source: str


class ShownRules(RulesIdentity, RulesFindings):
    options: list[ShownOption]
    bonus_21: list[PayRowData]
    instant_wins: list[PayRowData]
    super_bonus: SuperBonusData | None
    match_the_dealer: MatchData | None
    jackpots: list[dict[str, object]]  # settings that apply to the game, by name
    limit: LimitData
    notices: list[str]


def show_data(rules: Rules) -> ShownRules:
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


def _options_data(rules: Rules) -> list[ShownOption]:
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
            # present if the document is silent and these rules differ from our reading
            "our_reading": (other_reading(rules, option) or None)
            if preset in preset_ids() and authority(preset, option.name) is DecidedBy.SILENT
            else None,
            "sources": (sources.get(option.name) or rule_numbers(preset, option.name)).split(", "),
        }
        for option in OPTIONS
    ]


def _plain(option: Option, value: object) -> str | int | bool:
    """Keep numbers; convert on and off to booleans, money to dollars, and the rest to strings."""
    if option.kind in ("number", "flag"):
        assert isinstance(value, int), "a number or a flag"
        return value
    if option.kind == "money" and isinstance(value, int):
        return plain_amount(value)
    return value_text(value)


def _row_data(row: PayRow) -> PayRowData:
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


def _super_bonus_data(rules: Rules) -> SuperBonusData | None:
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


def _match_data(rules: Rules) -> MatchData | None:
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


def _jackpot_data(jackpot: Jackpot) -> dict[str, object]:
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


def _limit_data(rules: Rules) -> LimitData:
    profile = limit_profiles()[rules.limit_profile]
    maximum = profile.maximum_wager
    return {
        "profile": profile.id,
        "title": profile.title,
        "effective_from": profile.effective_from or None,
        "maximum_wager": None if maximum is None else plain_amount(maximum),
        "source": profile.source,
    }


def pays_data(pays: tuple[Pay, ...]) -> list[PayData]:
    return [cast(PayData, pay._asdict()) for pay in pays]


class CheckedRules(RulesIdentity, RulesFindings):
    valid: Literal[True]
    standings: dict[str, list[str]]
    problems: list[RulesProblem]


def check_data(rules: Rules) -> CheckedRules:
    has_document = rules.origin.preset in preset_ids()
    return {
        "valid": True,
        **identity_data(rules),
        "standings": {  # options by who decides them
            str(decided_by): [option.name for option in options]
            for decided_by, options in (by_authority(rules) if has_document else {}).items()
        },
        **findings_data(rules),
        "problems": [],
    }


class InvalidRules(TypedDict):
    valid: Literal[False]
    rules: str
    problems: list[RulesProblem]


def problems_data(text: str, problems: tuple[Problem, ...]) -> InvalidRules:
    return {
        "valid": False,
        "rules": text,
        "problems": [
            cast(RulesProblem, {**problem._asdict(), "text": str(problem)}) for problem in problems
        ],
    }


class DifferenceData(TypedDict):
    field: str
    part: str
    first: str
    second: str
    rule: str


class RulesComparison(TypedDict):
    first: RulesIdentity
    second: RulesIdentity
    decide_alike: bool
    differences: list[DifferenceData]
    documents: list[DifferenceData]


def diff_data(first: Rules, second: Rules) -> RulesComparison:
    return {
        "first": identity_data(first),
        "second": identity_data(second),
        "decide_alike": fingerprint(first) == fingerprint(second),
        "differences": [
            cast(DifferenceData, difference._asdict()) for difference in differences(first, second)
        ],
        "documents": [
            cast(DifferenceData, item._asdict()) for item in document_differences(first, second)
        ],
    }


class CardSectionData(TypedDict):
    heading: str
    text: list[str]
    pays: list[PayData]
    notes: list[str]
    rules: list[str]
    wager: str  # the side bet that it explains: `mtd`, `jackpot 1`; empty for other sections


class RuleCardData(TypedDict):
    game: str
    title: str
    rules: str
    fingerprint: str
    sections: list[CardSectionData]
    notices: list[str]
    departures: list[str]
    who_decides: list[str]
    statement: str


def card_data(rules: Rules) -> RuleCardData:
    card = rule_card(rules)
    sections = [
        {
            **section._asdict(),
            "pays": pays_data(section.pays),
            "rules": section_numbers(rules, section.heading),
        }
        for section in card.sections
    ]
    return cast(RuleCardData, {**card._asdict(), "sections": sections})


class BorrowedStep(TypedDict):
    documents: list[str]
    rule: str


class ProcedureStep(TypedDict):
    number: int
    stage: str
    heading: str
    text: str
    rules: list[str]
    borrowed: list[BorrowedStep]
    source: str


class ProcedureData(RulesIdentity, RulesFindings):
    steps: list[ProcedureStep]
    notices: list[str]


def procedure_data(rules: Rules) -> ProcedureData:
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


# --- All options, for a form ---


class ValueData(TypedDict):
    value: str
    words: str


class ChoiceData(ValueData):
    change: str  # the value as a sentence of its own: `Dealer stands on soft 17`


class OptionInPreset(ValueData):
    preset: str
    standing: str
    allowed: list[str]


class OptionData(TypedDict):
    name: str
    kind: OptionKind
    meaning: str
    rules: list[str]
    values: list[ChoiceData]
    low: int | None
    high: int | None
    default: str
    how: str
    affects_edge: bool
    presets: list[OptionInPreset]


class OptionsPart(TypedDict):
    name: str
    options: list[OptionData]


class JackpotTableData(TypedDict):
    table: str
    words: str  # the hand that wins the top prize
    decks: list[int]
    pay_tables: list[int]
    pay_table_words: list[str]  # what each pay table pays for one match
    alternates: list[int]
    document: str
    rule: str


class OptionsData(TypedDict):
    parts: list[OptionsPart]
    jackpot_tables: list[JackpotTableData]


def options_data() -> OptionsData:
    """Return all options and jackpot tables: everything needed to build a rules form."""
    return {
        "parts": [
            {"name": part, "options": [option_data(option) for option in options]}
            for part, options in options_by_part()
        ],
        "jackpot_tables": [
            {
                "table": table.id,
                "words": table.special[0].hand,
                "decks": list(table.decks),
                "pay_tables": list(table.pay_tables),
                "pay_table_words": [one_match_words(one) for one in table.pay_tables.values()],
                "alternates": list(table.alternates),
                "document": table.document,
                "rule": table.rule,
            }
            for table in jackpot_tables().values()
        ],
    }


def named_option_data(name: str) -> dict[str, object]:
    """Return one option, with its guide if it has one."""
    option, guide = OPTIONS_BY_NAME.get(name), GUIDES.get(name)
    if option is not None:
        return {**option_data(option), **({"guide": guide_data(guide)} if guide else {})}
    if guide is not None:
        return guide_data(guide)
    raise unknown_option(name)


def option_data(option: Option) -> OptionData:
    return {
        "name": option.name,
        "kind": option.kind,
        "meaning": option.text,
        "rules": option.rule.split(", "),
        "values": [
            {
                "value": value,
                "words": value_words(option, value),
                "change": change_words(option, value),
            }
            for value in values_of(option)
        ],
        "low": option.low if option.kind == "number" else None,
        "high": option.high if option.kind == "number" else None,
        "default": preset_value_text(BASE_PRESET, option),
        "how": option.fix,
        "affects_edge": bool(option.varied),
        "presets": [
            {
                "preset": preset,
                "value": preset_value_text(preset, option),
                "words": value_words(option, preset_value_text(preset, option)),
                "standing": str(authority(preset, option.name)),
                "allowed": list(allowed_values(preset, option)),
            }
            for preset in preset_ids()
        ],
    }
