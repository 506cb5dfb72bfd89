"""House rules as text, 80 columns wide."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from ventiuna.analysis.coerce import rules_to_args
from ventiuna.cli.common.console import plain_table
from ventiuna.cli.common.tables import slug
from ventiuna.reports.rules_data import variants_of
from ventiuna.rules import canonical, find_warnings, fingerprint, load_rules
from ventiuna.rules.data_files import limit_profiles, match_odds
from ventiuna.rules.model import Jackpot, JackpotKind, PayRow, Rules
from ventiuna.rules.options import Option, option_text
from ventiuna.rules.text.comparison import (
    STANDING_WORDS,
    DecidedBy,
    Difference,
    allowed_values,
    authority,
    departures,
    differences,
    document_differences,
    equivalence_sentence,
    equivalent_presets,
    other_reading,
    rule_numbers,
    same_fingerprint_sentence,
    who_decides,
)
from ventiuna.rules.text.phrases import (
    Pay,
    dollars,
    house_winners_words,
    jackpot_facts,
    jackpot_pays,
    jackpot_table,
    join_words,
    mtd_words,
    pay_row_text,
    super_bonus_pays,
    super_bonus_text,
)
from ventiuna.rules.text.procedure import procedure
from ventiuna.rules.text.references import options_by_part
from ventiuna.rules.text.rule_card import CardSection, RuleCard, rule_card

CARD_WIDTH = 80
NARROWEST = 40
LEAST_ROOM = 10  # minimum width for words, however narrow the screen
_DOTS = re.compile(r"\s\.{2,}\s")
NAME_WIDTH = 22  # fits the longest option name and value


def wrapped(text: str, width: int, first: str = "", other: str = "") -> list[str]:
    """Wrap text, keeping a number and its percent sign together."""
    lines = textwrap.wrap(
        text.replace(" %", "\0%"),
        max(width, len(first) + LEAST_ROOM, len(other) + LEAST_ROOM),
        initial_indent=first,
        subsequent_indent=other,
        break_on_hyphens=False,
    )
    return [line.replace("\0", " ") for line in lines]


def wrapped_rules(text: str, width: int) -> list[str]:
    """Wrap a canonical name, breaking after punctuation."""
    width = max(width, LEAST_ROOM)
    lines = [""]
    for part in re.split(r"(?<=[,+:/])", text):
        rest = part
        if lines[-1] and len(lines[-1]) + len(rest) > width:
            lines.append("  ")
        while len(lines[-1]) + len(rest) > width:  # a file name without punctuation
            room = width - len(lines[-1])
            lines[-1] += rest[:room]
            rest = rest[room:]
            lines.append("  ")
        lines[-1] += rest
    return lines


def print_wrapped(out: Console, text: str, first: str = "", other: str = "") -> None:
    for line in wrapped(text, out.width, first, other):
        out.print(Text(line))


def heading(out: Console, text: str) -> None:
    out.print()
    out.print(Text(text, style="bold"))


def print_list(out: Console, presets: list[Rules]) -> None:
    table = plain_table("preset", "title and document", "decks", "fingerprint")
    for rules in presets:
        table.add_row(
            rules.name, f"{rules.title}\n{rules.document}", str(rules.decks), fingerprint(rules)
        )
    out.print(table)
    heading(out, "Ready-made variants")
    table = plain_table("variant", "description and rules", name="variants")
    for rules in presets:
        for variant in variants_of(rules.name):
            written = " ".join(rules_to_args(load_rules(variant.rules)))
            table.add_row(variant.name, f"{variant.about}\n{written}")
    out.print(table)
    out.print()
    shared = {tuple(sorted((rules.name, *equivalent_presets(rules)))) for rules in presets}
    for names in sorted(names for names in shared if len(names) > 1):
        print_wrapped(out, same_fingerprint_sentence(names))


def print_identity(out: Console, rules: Rules) -> None:
    out.print(Text(rules.title, style="bold"))
    table = plain_table("", "")
    table.add_row("rules", "\n".join(wrapped_rules(canonical(rules), out.width - 13)))
    table.add_row("fingerprint", fingerprint(rules))
    if sentence := equivalence_sentence(rules):
        table.add_row("", sentence)
    table.add_row("document", rules.document or "none named")
    table.add_row("revision", str(rules.revision))
    out.print(table)


def print_findings(out: Console, rules: Rules) -> None:
    """Print warnings and departures, leaving out empty lists."""
    if warnings := find_warnings(rules):
        heading(out, "Worth knowing")
        _bullets(out, warnings)
    heading(out, "Departures from the document")
    _bullets(out, [str(departure) for departure in departures(rules)] or ["none"])


def _bullets(out: Console, texts: Iterable[str]) -> None:
    for text in texts:
        print_wrapped(out, text, "- ", "  ")


# --- show -------------------------------------------------------------------------------------


def print_show(out: Console, rules: Rules) -> None:
    print_identity(out, rules)
    departing = {departure.option for departure in departures(rules)}
    for part, options in options_by_part():
        heading(out, part)
        table = plain_table("", "", "")
        for column in table.columns[:2] if out.width >= CARD_WIDTH else ():
            column.min_width = column.max_width = NAME_WIDTH
        for option in options:
            departs = option.name in departing
            table.add_row(
                option.name, option_value(rules, option), authority_text(rules, option, departs)
            )
        out.print(table)
    _print_rows(out, "Bonus 21 (the first matching row pays)", rules.bonus_21_rows())
    _print_rows(out, "Instant wins", rules.instant_wins)
    _print_super_bonus(out, rules)
    _print_match(out, rules)
    for number, jackpot in enumerate(rules.jackpots, start=1):
        _print_jackpot(out, number, jackpot)
    _print_limit(out, rules)
    if notices := rules.origin.notices:
        heading(out, "Notices")
        _bullets(out, notices)
    print_findings(out, rules)


def option_value(rules: Rules, option: Option) -> str:
    """Return the effective value, and explain what a 0 means."""
    text = option_text(option, rules.in_force(option.name))
    if option.name == "cut_card" and not rules.cut_card:
        return f"{text} (at {rules.cut_card_percent}%)"
    if option.name == "mtd_maximum" and not rules.mtd_maximum:
        return f"{text} (no separate limit)"
    if option.name == "double_for_less" and rules.double_for_less and rules.double_double:
        return f"{text} (double-double)"
    return text


def authority_text(rules: Rules, option: Option, departs: bool) -> str:
    """Describe who decides the option, and the rules behind it."""
    preset = rules.origin.preset
    numbers = rules.sources.get(option.name) or rule_numbers(preset, option.name)
    allowed = join_words(allowed_values(preset, option), "or")
    decided_by = authority(preset, option.name)
    words = STANDING_WORDS[decided_by]
    if decided_by is DecidedBy.SILENT:
        other = other_reading(rules, option)
        return f"{words}{f' is {other}' if other else ''} ({numbers})"
    if departs:
        words = f"departs from {allowed}"
    elif allowed and decided_by is DecidedBy.HOUSE:
        words = f"{words}: {allowed}"
    return f"{words}; {numbers}"


def _print_rows(out: Console, title: str, rows: tuple[PayRow, ...]) -> None:
    if rows:
        heading(out, title)
        table = plain_table("", "", "")
        for row in rows:
            table.add_row(row.name, pay_row_text(row), row.rule)
        out.print(table)


def _print_super_bonus(out: Console, rules: Rules) -> None:
    if form := rules.super_bonus_form():
        heading(out, "Super Bonus")
        table = plain_table("", "", "")
        table.add_row("hand", super_bonus_text(form), form.rule)
        for pay in super_bonus_pays(rules):
            table.add_row(pay.hand, pay.pays, "R-069")
        out.print(table)


def _print_match(out: Console, rules: Rules) -> None:
    if not rules.mtd_configuration:
        return
    odds = match_odds()[rules.decks]
    heading(out, f"Match the Dealer odds, {rules.decks} decks")
    table = plain_table("", "")
    table.add_row("wagers", mtd_words(rules.mtd_wagers))
    table.add_row("unsuited match", f"{odds.unsuited} to 1 (R-022)")
    table.add_row("suited match", f"{odds.suited} to 1 (R-022)")
    table.add_row(
        "published",
        f"wins {odds.published_win_frequency} of hands, "
        f"house advantage {odds.published_house_advantage}",
    )
    out.print(table)


def _print_jackpot(out: Console, number: int, jackpot: Jackpot) -> None:
    table = jackpot_table(jackpot)
    heading(out, f"Jackpot {number} ({table.rule}; document {table.document})")
    facts = plain_table("", "")
    for name, value in jackpot_facts(jackpot).items():
        facts.add_row(name, value)
    if advantage := table.pay_tables[jackpot.pay_table].published_house_advantage:
        facts.add_row("published", f"house advantage {advantage} (R-101)")
    out.print(facts)
    if jackpot.kind is JackpotKind.HOUSE:
        _bullets(out, [house_winners_words(jackpot)])
    out.print()
    for line in pay_lines(jackpot_pays(jackpot), out.width):
        out.print(Text(line))


def _print_limit(out: Console, rules: Rules) -> None:
    profile = limit_profiles()[rules.limit_profile]
    heading(out, f"Limit profile {profile.id}")
    maximum = profile.maximum_wager
    amount = "no maximum wager" if maximum is None else f"wagers up to {dollars(maximum)}"
    _bullets(out, [f"{profile.title}: {amount} ({profile.source})"])


# --- check, diff ------------------------------------------------------------------------------


def print_check(out: Console, rules: Rules) -> None:
    out.print("These rules are valid.")
    print_identity(out, rules)
    heading(out, "Who decides")
    _bullets(out, who_decides(rules))
    print_findings(out, rules)


def print_diff(out: Console, first: Rules, second: Rules) -> None:
    found = differences(first, second)
    if not found:
        _print_documents(out, first, second)
        return
    _print_names(out, first, second)
    fields = dict.fromkeys(difference.field for difference in found if difference.part)
    _print_differences(out, "Options", [item for item in found if not item.part])
    for field in fields:
        _print_differences(
            out, field, [item for item in found if item.part and item.field == field]
        )


def _print_names(out: Console, first: Rules, second: Rules) -> None:
    for text in (f"A: {canonical(first)}", f"B: {canonical(second)}"):
        for line in wrapped_rules(text, out.width):
            out.print(Text(line))


def _print_documents(out: Console, first: Rules, second: Rules) -> None:
    """Print differences between documents, for rules that otherwise agree."""
    found = document_differences(first, second)
    if not found:
        out.print("These rules are the same.")
        return
    same = fingerprint(first) == fingerprint(second)
    shared = f" (fingerprint {fingerprint(first)})" if same else ""
    out.print(f"These rules play alike{shared}.")
    _print_names(out, first, second)
    _print_differences(out, "Differences between their documents", found)


def _print_differences(out: Console, title: str, found: list[Difference]) -> None:
    if not found:
        return
    heading(out, title)
    table = plain_table("", "A", "B", "rules", name=slug(title))
    for column, share in zip(table.columns, (3, 3, 3, 2), strict=True):
        column.ratio = share
    table.expand = True
    for difference in found:
        name = difference.part or difference.field
        table.add_row(name, difference.first, difference.second, difference.rule)
    out.print(table)


# --- card -------------------------------------------------------------------------------------


def card_lines(rules: Rules, width: int = CARD_WIDTH) -> list[str]:
    """Return the rule card as plain lines, ready to print."""
    width = max(NARROWEST, min(width, CARD_WIDTH))
    card = rule_card(rules)
    rule = "=" * width
    titles = [card.game.upper()] + ([card.title] if card.title != card.game else [])
    lines = [rule, *(title.center(width).rstrip() for title in titles), rule]
    for section in card.sections:
        lines += ["", section.heading.upper(), *_section_lines(section, width)]
    lines += ["", "-" * width, *_footer(card, width)]
    return lines


def _section_lines(section: CardSection, width: int) -> list[str]:
    lines = [line for text in section.text for line in _indented(text, width)]
    if section.text and section.pays:
        lines.append("")
    lines += pay_lines(section.pays, width)
    if section.notes and section.pays:
        lines.append("")
    return lines + [line for text in section.notes for line in _indented(text, width)]


def _indented(text: str, width: int) -> list[str]:
    return wrapped(text, width, "  ", "    ")


def pay_lines(pays: Iterable[Pay], width: int) -> list[str]:
    """Format hands and payouts with dots between them.

    A long hand takes several lines, and a long payout goes on a separate line.
    """
    lines = []
    for hand, pay in pays:
        room = width - len(pay) - 7  # two spaces before the hand, at least three dots, spaces
        if room < LEAST_ROOM + 2:
            *above, last = *wrapped(hand, width - 4, other="  "), ""
        else:
            *above, last = wrapped(hand, room, other="  ")
        lines += [f"  {line}" for line in above]
        dots = "." * (width - 4 - len(last) - len(pay))
        lines.append(f"  {last} {dots} {pay}")
    return lines


def _footer(card: RuleCard, width: int) -> list[str]:
    texts = [*card.notices, *card.who_decides]
    if card.departures:
        texts.append("This table departs from its rule document:")
        texts += [f"{departure}." for departure in card.departures]
    lines = [line for text in texts for line in wrapped(text, width)]
    lines += wrapped_rules(f"Rules: {card.rules}", width)
    lines.append(f"Fingerprint: {card.fingerprint}")
    return [*lines, *wrapped(card.statement, width)]


# --- procedure --------------------------------------------------------------------------------


def print_procedure(out: Console, rules: Rules) -> None:
    out.print(Text(f"{rules.title}: the dealer's steps", style="bold"))
    for line in wrapped_rules(canonical(rules), out.width):
        out.print(Text(line))
    out.print(f"fingerprint {fingerprint(rules)}")
    before = ""
    for number, step in enumerate(procedure(rules), start=1):
        if step.heading != before:
            heading(out, step.heading)
            before = step.heading
        print_wrapped(out, f"{step.text} [{step.source}]", f"{number:>3}. ", "     ")
    if notices := rules.origin.notices:
        heading(out, "Notices")
        _bullets(out, notices)
    if departures(rules):
        print_findings(out, rules)


def without_drawing(lines: Iterable[str]) -> list[str]:
    """Prepare a rule card for reading aloud: no horizontal lines, no dots before payouts."""
    return [
        _DOTS.sub(": ", line.strip()) for line in lines if set(line.strip()) not in ({"="}, {"-"})
    ]
