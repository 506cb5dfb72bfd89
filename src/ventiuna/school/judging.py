"""What a learner does, compared with what the rules ask for, and told in sentences."""

from __future__ import annotations

from enum import StrEnum

from ventiuna.engine.events import Place
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.rules.words.facts import dollars
from ventiuna.school.guidance import guide
from ventiuna.school.steps import WITH_AMOUNT, WITH_HAND, WITH_WAGER, Kind, Step, Tried
from ventiuna.school.words import KIND_WORDS, amount_words, step_words


class Fault(StrEnum):
    """What is wrong with a step, the first of these that is."""

    KIND = "kind"
    SPOT = "spot"
    HAND = "hand"
    WAGER = "wager"
    PLACE = "place"
    AMOUNT = "amount"
    SHOWN = "shown"  # the learner asked to be told


@record(frozen=True, slots=True)
class Verdict:
    """How a step was done."""

    right: bool
    fault: Fault | None
    sentence: str
    rules: tuple[str, ...]  # numbers of the rules behind the step that was due
    rule: str  # what they say
    answer: str = ""  # the step that was due, once it is told
    amount: str = ""  # and how its amount comes about


def fault_of(step: Step, tried: Tried) -> Fault | None:
    """None: done right."""
    if tried.kind is not step.kind:
        return Fault.KIND
    if step.kind is Kind.CARD:
        return _card_fault(step, tried)
    if step.kind is Kind.SUPERVISOR and tried.spot != step.spot:
        return Fault.SPOT
    if step.kind in WITH_HAND | WITH_WAGER and tried.spot != step.spot:
        return Fault.SPOT
    if step.kind in WITH_WAGER and tried.wager is not step.wager:
        return Fault.WAGER
    on_hand = step.kind in WITH_HAND or (step.kind in WITH_WAGER and step.hand >= 0)
    if on_hand and tried.hand != step.hand:
        return Fault.HAND
    if step.kind in WITH_AMOUNT and not _is_amount(step, tried.amount):
        return Fault.AMOUNT
    return None


def _card_fault(step: Step, tried: Tried) -> Fault | None:
    if tried.place is not step.place:
        return Fault.PLACE
    if step.place is Place.PLAYER and tried.spot != step.spot:
        return Fault.SPOT
    if step.place in (Place.PLAYER, Place.BONUS) and tried.hand != step.hand:
        return Fault.HAND if step.place is Place.PLAYER else Fault.PLACE
    return None


def _is_amount(step: Step, amount: int | None) -> bool:
    """Nothing said means the whole wager, which is only taken where it is lost whole."""
    if amount is None:
        return step.kind is Kind.TAKE and not step.is_part
    return amount == step.amount


def verdict(rules: Rules, step: Step, tried: Tried | None, misses: int, exam: bool) -> Verdict:
    """`misses` before this one; the answer is told with the second. Nothing tried: it is asked
    for. In an exam there is one try and no word about the answer before the end."""
    fault = Fault.SHOWN if tried is None else fault_of(step, tried)
    about = guide(rules, step)
    if fault is None:
        sentence = amount_words(step) or f"Right: {_lower(step_words(step))}"
        return Verdict(True, None, sentence, about.rules, about.sentence, step_words(step))
    if exam:
        return Verdict(False, fault, "Noted: the right step was done for you.", (), "")
    told = fault is Fault.SHOWN or misses > 0
    return Verdict(
        False,
        fault,
        _fault_words(step, tried, fault),
        about.rules,
        about.sentence,
        step_words(step) if told else "",
        amount_words(step) if told else "",
    )


def _fault_words(step: Step, tried: Tried | None, fault: Fault) -> str:
    if fault is Fault.KIND:
        return f"Not now: first {KIND_WORDS[step.kind]}."
    if fault is Fault.SPOT:
        return "The right step, but another spot has its turn."
    if fault is Fault.HAND:
        return "The right spot, but another of its hands."
    if fault is Fault.WAGER:
        return "The right spot, but another of its wagers."
    if fault is Fault.PLACE:
        return "A card, but not to this place."
    if fault is Fault.AMOUNT:
        assert tried is not None
        said = "all of it" if tried.amount is None else dollars(tried.amount)
        done = "paid" if step.kind is Kind.PAY else "taken"
        return f"The right wager, but {said} is not what is {done}."
    return "This is the step."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
