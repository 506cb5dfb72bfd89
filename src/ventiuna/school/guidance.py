"""The rule behind a step: numbers and sentence of the dealer's procedure for these very rules."""

from __future__ import annotations

from functools import lru_cache

from ventiuna.engine.events import Advice, Place, Stage
from ventiuna.engine.stakes import WagerKind
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.rules.words.procedure import procedure
from ventiuna.rules.words.steps import Step as Sentence
from ventiuna.school.steps import Kind, Step

MOST_NUMBERS = 4
# Of the three sentences about the check: look, a blackjack is found, none is found.
LOOK, FOUND, NOT_FOUND = 0, 1, 2
_MTD = {"up": "R-079", "down": "R-081"}
_BONUS_CARD = "R-080"
_ADVICE = {Advice.SIXTH_CARD_CANNOT_LOSE: 0, Advice.HIT_ELEVEN: 1}
_DEEDS = {
    "hit": ("Hit",),
    "double": ("Double down",),
    "double-double": ("Double-double",),
    "split": ("Split",),
}


@record(frozen=True, slots=True)
class Guide:
    """What the procedure says about a step."""

    rules: tuple[str, ...]
    sentence: str


def guide(rules: Rules, step: Step) -> Guide:
    found = _sentence(rules, step)
    own = [number for number in step.rule.split(", ") if number]
    numbers = tuple(dict.fromkeys([*own, *found.rules]))[:MOST_NUMBERS]
    return Guide(numbers, found.text)


@lru_cache(maxsize=64)
def _procedure(rules: Rules) -> tuple[Sentence, ...]:
    return tuple(procedure(rules))


def _of_stage(rules: Rules, stage: str) -> list[Sentence]:
    return [sentence for sentence in _procedure(rules) if sentence.stage == stage]


def _citing(rules: Rules, number: str, stage: str = "") -> Sentence | None:
    """The last sentence that cites the rule: special pays come before the general one."""
    found = [
        sentence
        for sentence in _procedure(rules)
        if number in sentence.rules and (not stage or sentence.stage == stage)
    ]
    return found[-1] if found else None


def _sentence(rules: Rules, step: Step) -> Sentence:
    if step.wager is not None:
        return _of_wager(rules, step)
    if step.kind is Kind.CARD:
        return _of_card(rules, step)
    if step.kind is Kind.CLOSE:
        return _of_stage(rules, "wagers")[-1]
    if step.kind is Kind.LOCK:
        return _needed(_citing(rules, "R-028"))
    if step.kind is Kind.SUPERVISOR:
        return _needed(_citing(rules, "R-072", "up_card_wagers"))
    if step.kind is Kind.ADVISE:
        advice = [sentence for sentence in _procedure(rules) if "R-118" in sentence.rules]
        return advice[_ADVICE[step.advice] if step.advice else 0]
    if step.kind is Kind.COLLECT:
        return _of_stage(rules, "closed")[0]
    return _by_stage(rules, step)


def _by_stage(rules: Rules, step: Step) -> Sentence:
    """Asking, looking, exposing, taking cards away: what the stage's own sentences say."""
    sentences = _of_stage(rules, step.stage)
    if step.stage is Stage.CHECK:
        if step.kind is Kind.CHECK:
            return sentences[LOOK]
        found = step.kind is Kind.EXPOSE or bool(step.reason)
        return sentences[FOUND if found else NOT_FOUND]
    if step.kind is Kind.REMOVE:
        return sentences[-1]
    return sentences[0] if sentences else _procedure(rules)[0]


def _of_card(rules: Rules, step: Step) -> Sentence:
    if step.stage is Stage.DEAL:
        deal = _of_stage(rules, "deal")
        return deal[-1] if step.place is Place.BONUS else deal[0]
    if step.stage is Stage.DEALER:
        return _of_stage(rules, "dealer")[0]
    play = _of_stage(rules, "play")
    beginning = _DEEDS.get(step.reason, ())
    return next((one for one in play if one.text.startswith(beginning)), play[0])


def _of_wager(rules: Rules, step: Step) -> Sentence:
    wager = step.wager
    assert wager is not None
    if wager.kind is WagerKind.MTD:
        return _needed(_citing(rules, _MTD.get(wager.part, _BONUS_CARD)))
    if wager.kind is WagerKind.INSURANCE:
        return _of_stage(rules, "check")[FOUND if step.kind is Kind.PAY else NOT_FOUND]
    if wager.kind is WagerKind.JACKPOT:
        of_stage = _of_stage(rules, step.stage)
        return next(one for one in of_stage if one.text.startswith(f"Jackpot {wager.game}:"))
    if wager.kind is WagerKind.SUPER:
        return _of_stage(rules, "super_bonus")[0]
    if wager.kind is WagerKind.ENVY:
        return _of_stage(rules, "super_bonus")[-1]
    if step.stage is Stage.CHECK:
        return _of_stage(rules, "check")[FOUND]
    for number in step.rule.split(", "):
        found = _citing(rules, number, step.stage) or _citing(rules, number)
        if found is not None:
            return found
    return _of_stage(rules, step.stage)[0]


def _needed(sentence: Sentence | None) -> Sentence:
    assert sentence is not None, "a step that the rules' procedure does not have"
    return sentence
