"""What a learner does, compared with what the rules ask for, and told in sentences."""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum

from ventiuna.engine.events import Place
from ventiuna.records import record
from ventiuna.rules.words.facts import dollars
from ventiuna.school.guidance import guide
from ventiuna.school.order import Reason, open_between, why
from ventiuna.school.steps import WITH_AMOUNT, WITH_HAND, WITH_WAGER, Kind, Step, Tried
from ventiuna.school.training import TrainingRound
from ventiuna.school.words import KIND_WORDS, amount_words, document_words, step_words


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
    note: str = ""  # that another order would have done as well


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


# --- which of the steps that may be done now it was meant to be ---------------------------------


@record(frozen=True, slots=True)
class Judged:
    """What a learner tried: the place of the step that it was or should have been."""

    place: int
    fault: Fault | None
    reason: Reason | None = None  # of the order, where it comes too early
    is_own: bool = False  # the very wager, but not what happens to it
    one_of: int = 1  # steps that could be done now


def open_places(training: TrainingRound, done: Set[int]) -> list[int]:
    """The steps that may be done now, in the documents' order; the first is always among them."""
    return [
        place
        for place, earlier in enumerate(training.earlier)
        if place not in done and earlier <= done
    ]


def judge(training: TrainingRound, done: Set[int], tried: Tried | None) -> Judged:
    """Any step that the rules allow now is right; one that comes too early names its rule."""
    steps, places = training.steps, open_places(training, done)
    if tried is None:
        return Judged(places[0], Fault.SHOWN)
    for place in places:
        if fault_of(steps[place], tried) is None:
            return Judged(place, None)
    for place in places:
        if _is_same_wager(steps[place], tried):
            return Judged(place, fault_of(steps[place], tried), is_own=True)
    for place in range(len(steps)):
        if place not in done and fault_of(steps[place], tried) in (None, Fault.AMOUNT):
            return _too_early(training, done, tried, place)
    return Judged(places[0], fault_of(steps[places[0]], tried), one_of=len(places))


def _is_same_wager(step: Step, tried: Tried) -> bool:
    if step.wager is None or tried.kind not in WITH_WAGER:
        return False
    on_hand = step.hand < 0 or tried.hand == step.hand
    return (tried.spot, tried.wager) == (step.spot, step.wager) and on_hand


def _too_early(training: TrainingRound, done: Set[int], tried: Tried, place: int) -> Judged:
    """The step that it waits for, and the rule that says so."""
    steps = training.steps
    first = min(training.earlier[place] - done)
    reason = why(training.rules, steps[first], steps[place])
    while waits_for := training.earlier[first] - done:
        first = min(waits_for)
    return Judged(first, fault_of(steps[first], tried), reason)


# --- in sentences -----------------------------------------------------------------------------


def verdict(
    training: TrainingRound, judged: Judged, tried: Tried | None, misses: int, exam: bool
) -> Verdict:
    """`misses` before this one; the answer is told with the second. In an exam there is one try
    and no word about the answer before the end."""
    step, fault = training.steps[judged.place], judged.fault
    about = guide(training.rules, step)
    if fault is None:
        sentence = amount_words(step) or f"Right: {_lower(step_words(training.rules, step))}"
        return Verdict(
            True, None, sentence, about.rules, about.sentence, step_words(training.rules, step)
        )
    if exam:
        return Verdict(False, fault, "Noted: the right step was done for you.", (), "")
    told = fault is Fault.SHOWN or misses > 0
    reason = judged.reason or Reason(about.rules, about.sentence)
    return Verdict(
        False,
        fault,
        document_words(training.rules, _fault_words(step, tried, judged)),
        reason.numbers,
        reason.sentence,
        step_words(training.rules, step) if told else "",
        amount_words(step) if told else "",
    )


def order_note(training: TrainingRound, place: int, first: int) -> str:
    """Said where a step was done before the one that the documents name first."""
    if place == first:
        return ""
    steps = training.steps
    numbers = open_between(training.rules, steps[first], steps[place])
    return f"Accepted: the order is left open here ({', '.join(numbers)})."


def _fault_words(step: Step, tried: Tried | None, judged: Judged) -> str:
    fault = judged.fault
    if judged.is_own and fault is Fault.KIND:
        assert tried is not None
        return f"The right wager, but it {_NOT_DONE[tried.kind]}."
    if fault is Fault.KIND:
        return f"Not now: first {KIND_WORDS[step.kind]}."
    if judged.one_of > 1 and fault is not Fault.SHOWN:
        return "Nothing of this kind is due there now."
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


_NOT_DONE = {Kind.PAY: "is not paid", Kind.TAKE: "is not taken", Kind.PUSH: "does not push"}


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
