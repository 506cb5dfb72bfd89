"""Catch the error: a dealer follows the procedure, and now and then makes one mistake.

The dealer takes the steps of a training round. An error replaces one of them with a step that
breaks one rule; the real step is done once the error is caught or missed. An error counts only if
the school's own grading refuses it, so a round without an error is the real procedure.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from typing_extensions import TypedDict

from ventiuna.core.cards import best_total
from ventiuna.engine.events import Event, Place, Stage, Wager, WagerKind
from ventiuna.engine.flow import dealer_hand
from ventiuna.engine.messages import dealer_total
from ventiuna.engine.state import RoundState, apply
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.school.lessons import Lesson, fault_of, grade_step, verdict_on
from ventiuna.school.procedure import guide_for
from ventiuna.school.step_text import (
    describe_input,
    describe_step,
    document_words,
    explain_amount,
)
from ventiuna.school.steps import DealerStep, SchoolError, StepInput, StepKind, correct_input
from ventiuna.school.training import TrainingRound, rules_offer

# --- Kinds of errors ---


class ErrorGroup(StrEnum):
    AMOUNT = "Wrong amount"
    RESULT = "Wrong result"
    ORDER = "Wrong order"
    OMITTED = "Something left out"
    CARDS = "Cards"


class ErrorKind(StrEnum):
    """The kinds of errors, as the trainee names them."""

    group: ErrorGroup
    label: str

    def __new__(cls, value: str, group: ErrorGroup, label: str) -> ErrorKind:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.group = group
        kind.label = label
        return kind

    WIN_PAY = "win-pay", ErrorGroup.AMOUNT, "Wrong pay: win"
    BLACKJACK_PAY = "blackjack-pay", ErrorGroup.AMOUNT, "Wrong pay: blackjack"
    BONUS_PAY = "bonus-pay", ErrorGroup.AMOUNT, "Wrong pay: bonus hand"
    MATCH_PAY = "match-pay", ErrorGroup.AMOUNT, "Wrong pay: Match the Dealer"
    SUPER_PAY = "super-pay", ErrorGroup.AMOUNT, "Wrong Super or Envy Bonus"
    JACKPOT_PAY = "jackpot-pay", ErrorGroup.AMOUNT, "Wrong pay: jackpot"
    INSURANCE_PAY = "insurance-pay", ErrorGroup.AMOUNT, "Wrong pay: insurance"
    RESCUE_AMOUNT = "rescue-amount", ErrorGroup.AMOUNT, "Wrong rescue amount"
    SURRENDER_AMOUNT = "surrender-amount", ErrorGroup.AMOUNT, "Wrong surrender amount"
    WIN_TAKEN = "win-taken", ErrorGroup.RESULT, "Win taken or pushed"
    LOSS_KEPT = "loss-kept", ErrorGroup.RESULT, "Loss paid or pushed"
    BUST_KEPT = "bust-kept", ErrorGroup.RESULT, "Bust paid or pushed"
    PUSH_SETTLED = "push-settled", ErrorGroup.RESULT, "Push taken or paid"
    MATCH_RESULT = "match-result", ErrorGroup.RESULT, "Wrong result: Match the Dealer"
    JACKPOT_RESULT = "jackpot-result", ErrorGroup.RESULT, "Wrong result: jackpot"
    INSURANCE_RESULT = "insurance-result", ErrorGroup.RESULT, "Wrong result: insurance"
    DEAL_ORDER = "deal-order", ErrorGroup.ORDER, "Card out of order"
    PLAY_ORDER = "play-order", ErrorGroup.ORDER, "Hand out of turn"
    SETTLE_ORDER = "settle-order", ErrorGroup.ORDER, "Wager not settled in time"
    BETS_OPEN = "bets-open", ErrorGroup.OMITTED, '"No more bets" not called'
    PEEK_MISSED = "peek-missed", ErrorGroup.OMITTED, "Down card not checked"
    INSURANCE_MISSED = "insurance-missed", ErrorGroup.OMITTED, "Insurance not offered"
    BLACKJACKS_MISSED = "blackjacks-missed", ErrorGroup.OMITTED, "Blackjack question skipped"
    BONUS_UNPAID = "bonus-unpaid", ErrorGroup.OMITTED, "Bonus not paid"
    FLOOR_MISSED = "floor-missed", ErrorGroup.OMITTED, "Floor person not called or waited for"
    LOCK_MISSED = "lock-missed", ErrorGroup.OMITTED, "Bonus Cards not locked up"
    ADVICE_MISSED = "advice-missed", ErrorGroup.OMITTED, "Player not advised"
    EXPOSE_MISSED = "expose-missed", ErrorGroup.OMITTED, "Down card not exposed"
    REMOVE_MISSED = "remove-missed", ErrorGroup.OMITTED, "Settled hand not removed"
    SOFT_17 = "soft-17", ErrorGroup.CARDS, "Wrong hit or stand on soft 17"
    DEALER_DRAW = "dealer-draw", ErrorGroup.CARDS, "Wrong draw or stand"
    PLAYER_CARD = "player-card", ErrorGroup.CARDS, "Player's card missing or misplaced"


def error_title(rules: Rules, kind: ErrorKind) -> str:
    return document_words(rules, kind.label)


_NEEDS: dict[ErrorKind, tuple[str, ...]] = {  # any of these features
    ErrorKind.BONUS_PAY: ("bonus 21", "instant wins", "super fun 21"),
    ErrorKind.MATCH_PAY: ("match the dealer",),
    ErrorKind.MATCH_RESULT: ("match the dealer",),
    ErrorKind.SUPER_PAY: ("any super bonus",),
    ErrorKind.JACKPOT_PAY: ("jackpots",),
    ErrorKind.JACKPOT_RESULT: ("jackpots",),
    ErrorKind.INSURANCE_PAY: ("insurance",),
    ErrorKind.INSURANCE_RESULT: ("insurance",),
    ErrorKind.INSURANCE_MISSED: ("insurance",),
    ErrorKind.RESCUE_AMOUNT: ("rescue",),
    ErrorKind.SURRENDER_AMOUNT: ("surrender",),
    ErrorKind.BLACKJACKS_MISSED: ("blackjack kept",),
    ErrorKind.BONUS_UNPAID: ("bonus 21", "instant wins", "super fun 21", "any super bonus"),
    ErrorKind.FLOOR_MISSED: ("any super bonus", "supervised"),
    ErrorKind.LOCK_MISSED: ("bonus cards",),
    ErrorKind.ADVICE_MISSED: ("instant wins",),
    ErrorKind.REMOVE_MISSED: ("blackjack insured",),
    ErrorKind.BETS_OPEN: ("deals",),
    ErrorKind.DEAL_ORDER: ("deals", "bonus cards"),
}


def error_kinds(lesson: Lesson) -> list[ErrorKind]:
    """The kinds that the lesson's rules and its level allow."""
    extra = {
        "deals": lesson.level.deals,
        "supervised": lesson.supervised,
        "any super bonus": lesson.rules.super_bonus_form() is not None,
    }
    return [
        kind
        for kind in ErrorKind
        if kind not in _NEEDS
        or any(
            extra[need] if need in extra else rules_offer(lesson.rules, need)
            for need in _NEEDS[kind]
        )
    ]


# --- Making errors ---


@dataclass(frozen=True, slots=True)
class PlantedError:
    """The dealer does `shown` instead of the real step at `place`."""

    kind: ErrorKind
    place: int
    shown: StepInput


@lru_cache(maxsize=128)
def possible_errors(training: TrainingRound) -> tuple[PlantedError, ...]:
    """Every error that this round offers; the school's grading refuses each of them."""
    state = training.start()
    for event in training.before:
        apply(state, event)
    found: list[PlantedError] = []
    for place, step in enumerate(training.steps):
        found += _omission(training, place, state)
        found += [
            PlantedError(kind, place, shown)
            for kind, shown in _substitutes(training, place, state)
            if _is_refused(training, place, shown)
        ]
        for event in step.events:
            apply(state, event)
    return tuple(found)


def plant_error(training: TrainingRound, chance: random.Random) -> PlantedError | None:
    """One of the round's possible errors; every kind is as likely as the others."""
    by_kind: dict[ErrorKind, list[PlantedError]] = {}
    for error in possible_errors(training):
        by_kind.setdefault(error.kind, []).append(error)
    return chance.choice(by_kind[chance.choice(sorted(by_kind))]) if by_kind else None


def _is_refused(training: TrainingRound, place: int, shown: StepInput) -> bool:
    return grade_step(training, frozenset(range(place)), shown).fault is not None


_OMITTED = {
    StepKind.CLOSE: ErrorKind.BETS_OPEN,
    StepKind.CHECK: ErrorKind.PEEK_MISSED,
    StepKind.INSURANCE: ErrorKind.INSURANCE_MISSED,
    StepKind.BLACKJACKS: ErrorKind.BLACKJACKS_MISSED,
    StepKind.SUPERVISOR: ErrorKind.FLOOR_MISSED,
    StepKind.WAIT: ErrorKind.FLOOR_MISSED,
    StepKind.LOCK: ErrorKind.LOCK_MISSED,
    StepKind.ADVISE: ErrorKind.ADVICE_MISSED,
    StepKind.EXPOSE: ErrorKind.EXPOSE_MISSED,
    StepKind.REMOVE: ErrorKind.REMOVE_MISSED,
    StepKind.ASK: ErrorKind.PLAY_ORDER,
    StepKind.PAY: ErrorKind.SETTLE_ORDER,
    StepKind.TAKE: ErrorKind.SETTLE_ORDER,
    StepKind.PUSH: ErrorKind.SETTLE_ORDER,
}
SOFT_17 = "soft 17"


def _omission(training: TrainingRound, place: int, state: RoundState) -> Iterator[PlantedError]:
    """The dealer skips this step and does the first step that only had to wait for this one."""
    steps = training.steps
    step = steps[place]
    for later in range(place + 1, len(steps)):
        waits = [wait for wait in training.earlier[later] if wait >= place]
        if place not in waits or not all(_goes_with(steps[wait], step) for wait in waits):
            continue
        shown = correct_input(steps[later])
        if _is_refused(training, place, shown):
            yield PlantedError(_kind_omitted(step, steps[later], state), place, shown)
            return


def _goes_with(other: DealerStep, step: DealerStep) -> bool:
    """Whether skipping the step also skips the other: a hand's play, or the dealer's draw."""
    if step.kind is StepKind.ASK:
        return other.stage is Stage.PLAY and (other.spot, other.hand) == (step.spot, step.hand)
    return other is step or (step.place is Place.DEALER and other.place is Place.DEALER)


def _kind_omitted(step: DealerStep, later: DealerStep, state: RoundState) -> ErrorKind:
    if step.kind is not StepKind.CARD:
        is_bonus = step.wager in (Wager.SUPER, Wager.ENVY)
        unpaid = is_bonus and later.kind is StepKind.COLLECT
        return ErrorKind.BONUS_UNPAID if unpaid else _OMITTED[step.kind]
    if step.place is Place.DEALER:
        return ErrorKind.SOFT_17 if dealer_total(state) == SOFT_17 else ErrorKind.DEALER_DRAW
    return ErrorKind.DEAL_ORDER if step.stage is Stage.DEAL else ErrorKind.PLAYER_CARD


Substitute = tuple[ErrorKind, StepInput]


def _substitutes(training: TrainingRound, place: int, state: RoundState) -> Iterator[Substitute]:
    """Steps that the dealer could take by mistake at this moment instead of the real one."""
    steps = training.steps
    step = steps[place]
    if step.wager is not None:
        yield from _wrong_amounts(step)
        yield from _wrong_results(step)
    if step.place is Place.PLAYER and step.stage is Stage.PLAY:
        spots = [spot.number for spot in state.order]
        other = spots[(spots.index(step.spot) + 1) % len(spots)]
        yield ErrorKind.PLAYER_CARD, replace(correct_input(step), spot=other, hand=0)
    if place and step.place is not Place.DEALER and _may_draw(steps[place - 1]):
        is_compared = any(later.stage is Stage.SETTLEMENT for later in steps[place:])
        total = dealer_total(state)
        if total == SOFT_17 and is_compared:
            yield ErrorKind.SOFT_17, StepInput(StepKind.CARD, place=Place.DEALER)
        elif total != SOFT_17 and best_total(*dealer_hand(state)) < 21:
            yield ErrorKind.DEALER_DRAW, StepInput(StepKind.CARD, place=Place.DEALER)


def _may_draw(before: DealerStep) -> bool:
    """Whether the dealer's hand has just been completed."""
    is_exposed = before.kind is StepKind.EXPOSE and before.stage is not Stage.CHECK
    return is_exposed or before.place is Place.DEALER


def _wrong_amounts(step: DealerStep) -> Iterator[Substitute]:
    kind, amounts = _amounts_instead(step)
    for amount in dict.fromkeys(amounts):
        if kind is not None and 0 < amount != step.amount:
            yield kind, replace(correct_input(step), amount=amount)
    if kind is ErrorKind.BONUS_PAY:
        yield ErrorKind.BONUS_UNPAID, replace(correct_input(step), amount=step.stake)


def _amounts_instead(step: DealerStep) -> tuple[ErrorKind | None, tuple[int, ...]]:
    """Amounts that a dealer could mistake for the right one."""
    assert step.wager is not None
    stake, amount = step.stake, step.amount
    if step.is_part:
        if step.reason == "rescued":
            return ErrorKind.RESCUE_AMOUNT, (stake, step.back, stake // 2)
        whole_dollars = amount // 100 * 100
        return ErrorKind.SURRENDER_AMOUNT, (stake, whole_dollars, whole_dollars + 100)
    if step.kind is not StepKind.PAY:
        return None, ()
    match step.wager.kind:
        case WagerKind.MTD:
            return ErrorKind.MATCH_PAY, (amount - stake, amount + stake, stake)
        case WagerKind.JACKPOT if step.meter is not None:
            return ErrorKind.JACKPOT_PAY, (amount // 2, amount * 2)
        case WagerKind.JACKPOT:
            return ErrorKind.JACKPOT_PAY, (amount - stake, amount + stake)
        case WagerKind.INSURANCE:
            return ErrorKind.INSURANCE_PAY, (stake, stake * 3 // 2, stake * 3)
        case WagerKind.SUPER:
            return ErrorKind.SUPER_PAY, (1_000_00, 5_000_00)
        case WagerKind.ENVY:
            return ErrorKind.SUPER_PAY, (50_00, 100_00)
    if step.reason == "blackjack":
        return ErrorKind.BLACKJACK_PAY, (stake, stake * 6 // 5, stake * 3 // 2, stake * 2)
    if step.odds != "even money":
        return ErrorKind.BONUS_PAY, (stake * 3 // 2, stake * 2, stake * 3)
    return ErrorKind.WIN_PAY, (stake * 3 // 2, stake * 2, stake // 2)


_RESULT_KINDS = {
    WagerKind.MTD: ErrorKind.MATCH_RESULT,
    WagerKind.JACKPOT: ErrorKind.JACKPOT_RESULT,
    WagerKind.INSURANCE: ErrorKind.INSURANCE_RESULT,
}


def _wrong_results(step: DealerStep) -> Iterator[Substitute]:
    """The wager is paid, taken or pushed, but the rules say otherwise."""
    assert step.wager is not None
    if step.wager in (Wager.SUPER, Wager.ENVY) or step.is_part or not step.stake:
        return
    pushes = step.wager is Wager.HAND
    if step.kind is StepKind.PUSH:
        kind = ErrorKind.PUSH_SETTLED
        instead = [StepKind.PAY, StepKind.TAKE]
    elif step.kind is StepKind.PAY:
        kind = _RESULT_KINDS.get(step.wager.kind, ErrorKind.WIN_TAKEN)
        instead = [StepKind.TAKE, *[StepKind.PUSH] * pushes]
    else:
        is_bust = step.reason.startswith("bust")
        lost = ErrorKind.BUST_KEPT if is_bust else ErrorKind.LOSS_KEPT
        kind = _RESULT_KINDS.get(step.wager.kind, lost)
        instead = [StepKind.PAY, *[StepKind.PUSH] * pushes]
    for done in instead:
        amount = None if done is StepKind.PUSH else step.stake
        yield kind, replace(correct_input(step), kind=done, amount=amount)


# --- Rounds with errors ---

ERROR_CHANCE = 2 / 3  # share of rounds with an error


@dataclass(frozen=True, slots=True)
class Watched:
    """The trainee's reaction to one of the dealer's steps.

    A trainee who stops the dealer may name the error and do the right step instead.
    """

    stop: bool = False
    named: ErrorKind | None = None
    instead: StepInput | None = None
    milliseconds: int = 0


class CatchOutcome(StrEnum):
    CAUGHT = "caught"
    MISSED = "missed"
    FALSE_ALARM = "false-alarm"


@dataclass(frozen=True, slots=True)
class CatchVerdict:
    """The result of stopping the dealer, or of letting an error pass."""

    outcome: CatchOutcome
    named: bool  # the error was named correctly
    corrected: bool  # the right step was done instead
    error: str  # title of the error; empty after a false alarm
    shown: str  # what the dealer did
    answer: str  # the right step
    amount: str  # the calculation of its amount
    rules: tuple[str, ...]
    rule: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class CaughtError:
    """A planted error, and how the trainee dealt with it."""

    round: int
    kind: ErrorKind
    verdict: CatchVerdict


class CatchRound:
    """A dealer's round that the trainee watches step by step."""

    def __init__(self, lesson: Lesson, number: int, watched: Iterable[Watched] = ()) -> None:
        self.lesson = lesson
        self.training = lesson.round(number)
        chance = random.Random(f"catch:{lesson.level.id}:{lesson.seed}:{number}")
        has_error = chance.random() < ERROR_CHANCE
        self.error = plant_error(self.training, chance) if has_error else None
        self._done = 0  # number of steps done
        self.verdict: CatchVerdict | None = None  # verdict on the last reaction
        self.false_alarms: list[CatchVerdict] = []
        self.ending: CatchVerdict | None = None  # verdict on the planted error
        self.milliseconds = 0
        for one in watched:
            self.watch(one)

    @property
    def done(self) -> Sequence[DealerStep]:
        return self.training.steps[: self._done]

    @property
    def is_over(self) -> bool:
        return self._done == len(self.training.steps)

    @property
    def shown(self) -> StepInput | None:
        """The dealer's current step; None when the round is over."""
        if self.is_over:
            return None
        if self.error is not None and self.error.place == self._done:
            return self.error.shown
        return correct_input(self.training.steps[self._done])

    @property
    def hands(self) -> int:
        """Number of hands on the spot of the dealer's current step."""
        shown = self.shown
        if shown is None or not shown.spot:
            return 1
        return len(self.state().spots[shown.spot].hands)

    def watch(self, watched: Watched) -> None:
        """Let the dealer's step pass, or stop it; the round continues with the right step."""
        shown = self.shown
        if shown is None:
            raise SchoolError("The round is over. Begin the next one.")
        is_error = self.error is not None and self.error.place == self._done
        self.milliseconds += watched.milliseconds
        self.verdict = None
        if is_error:
            self.verdict = self.ending = self._judge(watched, shown)
        elif watched.stop:
            self.verdict = self._judge_alarm(watched, shown)
            self.false_alarms.append(self.verdict)
        self._done += 1

    def _judge(self, watched: Watched, shown: StepInput) -> CatchVerdict:
        assert self.error is not None
        rules = self.lesson.rules
        step = self.training.steps[self._done]
        judged = grade_step(self.training, frozenset(range(self._done)), shown)
        told = verdict_on(self.training, judged, shown, 1, exam=False)
        instead = watched.instead
        return CatchVerdict(
            CatchOutcome.CAUGHT if watched.stop else CatchOutcome.MISSED,
            watched.stop and watched.named is self.error.kind,
            watched.stop and instead is not None and fault_of(step, instead) is None,
            error_title(rules, self.error.kind),
            describe_deed(rules, shown, self.hands),
            describe_step(rules, step),
            told.amount,
            told.rules,
            told.rule,
            watched.milliseconds,
        )

    def _judge_alarm(self, watched: Watched, shown: StepInput) -> CatchVerdict:
        about = guide_for(self.lesson.rules, self.training.steps[self._done])
        return CatchVerdict(
            CatchOutcome.FALSE_ALARM,
            False,
            False,
            "",
            describe_deed(self.lesson.rules, shown, self.hands),
            "",
            explain_amount(self.training.steps[self._done]),
            about.rules,
            about.sentence,
            watched.milliseconds,
        )

    def events(self) -> Iterator[Event]:
        """All events so far; they follow the real procedure."""
        yield from self.training.before
        for step in self.done:
            yield from step.events

    def state(self) -> RoundState:
        state = self.training.start()
        for event in self.events():
            apply(state, event)
        return state


def describe_deed(rules: Rules, done: StepInput, hands: int = 1) -> str:
    """The dealer's step as seen by the trainee: `The dealer pays $25 on spot 2.`"""
    verb, _, rest = describe_input(rules, done, hands).partition(" ")
    third_person = f"{verb}es" if verb.endswith("sh") else f"{verb}s"
    sentence = f"The dealer {third_person} {rest}"
    return sentence if sentence.endswith('."') else f"{sentence}."


# --- Results ---

CAUGHT_POINTS, NAMED_POINTS, CORRECTED_POINTS = 40, 30, 30
FALSE_ALARM_POINTS = 10


@dataclass(frozen=True, slots=True)
class ErrorResult:
    """Results for one kind of error."""

    kind: ErrorKind
    title: str
    errors: int
    caught: int
    named: int
    corrected: int
    milliseconds: int  # total time taken to stop the dealer


@dataclass(frozen=True, slots=True)
class CatchResult:
    lesson: Lesson
    rounds: int  # finished rounds
    steps: int  # steps watched
    milliseconds: int
    errors: tuple[CaughtError, ...]
    false_alarms: tuple[CatchVerdict, ...]

    @property
    def caught(self) -> int:
        return sum(1 for one in self.errors if one.verdict.outcome is CatchOutcome.CAUGHT)

    @property
    def score(self) -> int:
        """Points out of 100 for catching, naming and correcting, minus points for false alarms."""
        points = 100.0
        if self.errors:
            earned = sum(
                CAUGHT_POINTS * (one.verdict.outcome is CatchOutcome.CAUGHT)
                + NAMED_POINTS * one.verdict.named
                + CORRECTED_POINTS * one.verdict.corrected
                for one in self.errors
            )
            points = earned / len(self.errors)
        return max(0, round(points - FALSE_ALARM_POINTS * len(self.false_alarms)))

    def kinds(self) -> Iterator[ErrorResult]:
        for kind in ErrorKind:
            found = [one.verdict for one in self.errors if one.kind is kind]
            if found:
                yield ErrorResult(
                    kind,
                    error_title(self.lesson.rules, kind),
                    len(found),
                    sum(1 for one in found if one.outcome is CatchOutcome.CAUGHT),
                    sum(1 for one in found if one.named),
                    sum(1 for one in found if one.corrected),
                    sum(one.milliseconds for one in found),
                )


def catch_result(lesson: Lesson, rounds: Sequence[Iterable[Watched]]) -> CatchResult:
    """The result from all reactions, round by round."""
    played = [CatchRound(lesson, number, one) for number, one in enumerate(rounds, start=1)]
    return CatchResult(
        lesson,
        sum(1 for one in played if one.is_over),
        sum(len(one.done) for one in played),
        sum(one.milliseconds for one in played),
        tuple(
            CaughtError(one.training.number, one.error.kind, one.ending)
            for one in played
            if one.error is not None and one.ending is not None
        ),
        tuple(alarm for one in played for alarm in one.false_alarms),
    )


class CatchResultData(TypedDict):
    level: str
    title: str
    rules: str
    table: str
    fingerprint: str
    seed: int
    supervisor: Literal["off", "required"]
    name: str
    day: str
    rounds: int
    steps: int
    milliseconds: int
    score: int
    caught: int
    errors: list[CaughtError]
    false_alarms: list[CatchVerdict]
    kinds: list[ErrorResult]


def catch_result_data(
    result: CatchResult, name: str = "", day: date | None = None
) -> CatchResultData:
    """The result as data for JSON and for the page."""
    lesson = result.lesson
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "fingerprint": fingerprint(lesson.rules),
        "seed": lesson.seed,
        "supervisor": "required" if lesson.supervised else "off",
        "name": name,
        "day": day.isoformat() if day else "",
        "rounds": result.rounds,
        "steps": result.steps,
        "milliseconds": result.milliseconds,
        "score": result.score,
        "caught": result.caught,
        "errors": list(result.errors),
        "false_alarms": list(result.false_alarms),
        "kinds": list(result.kinds()),
    }
