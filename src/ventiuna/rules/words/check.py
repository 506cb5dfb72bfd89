"""The dealer's steps with blackjacks, insurance and the check of the down card."""

from __future__ import annotations

from ventiuna.cards import Pack
from ventiuna.rules.model import (
    BlackjackPaid,
    BlackjackTie,
    Rules,
)
from ventiuna.rules.words.facts import (
    dollars,
    ten_words,
)
from ventiuna.rules.words.steps import Step, Steps, cite


def _blackjack_pay(rules: Rules) -> str:
    text = f"Pay blackjacks (an ace with a {ten_words(rules)}) {rules.blackjack_pays.words}"
    if rules.diamond_blackjack_pays != rules.blackjack_pays:
        text += f" (all diamonds {rules.diamond_blackjack_pays.words})"
    return text


def _keep(rules: Rules) -> str:
    return " Ask first: a player may keep the hand to double it." if rules.double_blackjack else ""


def _blackjack_rules(rules: Rules, spanish: str, super_fun: str) -> str:
    keep = cite(rules, ", R-032", ", R-106", "") if rules.double_blackjack else ""
    return cite(rules, spanish, super_fun) + keep


def blackjack_steps(rules: Rules) -> Steps:
    if rules.blackjack_paid == BlackjackPaid.AT_ONCE:
        text = f"{_blackjack_pay(rules)}, before any other play, and take the hands away."
        if rules.insurance and rules.insurance_on_blackjack:
            text += " With an ace up the paid hands stay for insurance."
        numbers = _blackjack_rules(rules, "R-012, R-029, R-030, R-031", "R-114, R-115")
        yield Step("blackjacks", text + _keep(rules), numbers)
    else:
        insured = rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED
        other = "Up card other than an ace" if insured else "Up card 2 to 9"
        text = f"{other}: {_lower(_blackjack_pay(rules))} at once and take the "
        numbers = _blackjack_rules(rules, "R-012, R-029, R-030", "R-114, R-115, R-120")
        yield Step("blackjacks", f"{text}hands away.{_keep(rules)}", numbers)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def insurance_steps(rules: Rules) -> Steps:
    if not rules.insurance:
        return
    also = ", also on a blackjack" if rules.insurance_on_blackjack else ", not on a blackjack"
    yield Step(
        "insurance",
        f"Ace up: offer insurance to every spot, up to half of the original wager{also}, in "
        f"multiples of {dollars(rules.small_chip_unit)}.",
        cite(rules, "R-031, R-034, O-17", "R-116, R-120, O-34"),
    )
    if rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED:
        yield Step(
            "uninsured_blackjacks",
            f"Ace up: {_lower(_blackjack_pay(rules))} where they are not insured, and take them "
            f"away.{_keep(rules)}",
            _blackjack_rules(rules, "R-029", "R-115, R-120"),
        )
    elif rules.blackjack_paid == BlackjackPaid.AT_ONCE and rules.insurance_on_blackjack:
        text = "Take away the paid blackjacks that are not insured, before you look."
        yield Step("insurance", text, cite(rules, "R-031", "R-115"))


def check_steps(rules: Rules) -> Steps:
    tens = "a face" if rules.pack == Pack.SPANISH else "a ten-valued card"
    yield Step(
        "check",
        f"Ace or {tens[2:]} up: look at the down card for blackjack before the players act.",
        cite(rules, "R-033", "R-120"),
    )
    insured = f"pay insurance {rules.insurance_pays.words}, " if rules.insurance else ""
    wins = rules.blackjack_tie == BlackjackTie.WINS
    kept = "A blackjack that is not paid yet is paid now" if wins else "A player's blackjack pushes"
    yield Step(
        "check",
        f"Blackjack: expose it, {insured}take the original wagers of all hands not paid already. "
        f"{kept}. The round goes on with {_after_blackjack(rules)}.",
        cite(rules, "R-034, R-035, O-09", "R-109, R-114, R-116, R-120, O-09"),
    )
    taken = "take the insurance wagers" if rules.insurance else "say so"
    removed = ""
    if rules.insurance_on_blackjack and rules.blackjack_paid == BlackjackPaid.AT_ONCE:
        removed = " and remove the insured blackjacks"
    yield Step(
        "check",
        f"No blackjack: {taken}{removed}; the players act.",
        cite(rules, "R-034, R-102", "R-116, R-120"),
    )


def _after_blackjack(rules: Rules) -> str:
    if rules.offers_down_wager or rules.jackpots:
        return "the wagers that need the down card"
    return "collecting the cards"


def after_check_steps(rules: Rules) -> Steps:
    if rules.blackjack_paid == BlackjackPaid.AFTER_CHECK:
        which = "the blackjacks that waited for the check"
    elif rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED and not rules.insurance:
        which = "the blackjacks against an ace"
    elif rules.blackjack_paid == BlackjackPaid.UNLESS_INSURED and rules.insurance_on_blackjack:
        which = "the insured blackjacks"
    else:
        return
    yield Step(
        "blackjacks_after_check",
        f"Pay {which} and take them away.{_keep(rules)}",
        _blackjack_rules(rules, "R-029", "R-115, R-116, R-120, O-09"),
    )
