"""Data for the training table and the lesson page. The next step is never revealed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from typing_extensions import TypedDict

from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Event, Wager
from ventiuna.engine.messages import (
    EventFormatter,
    PointOfView,
    dealer_total,
    hand_total,
    odds_words,
    reason_words,
    wager_title,
)
from ventiuna.engine.state import PlayerHand, RoundState, Spot, apply
from ventiuna.engine.views import EVERYONE
from ventiuna.rules import Rules, canonical, load_rules
from ventiuna.rules.text.phrases import dollars
from ventiuna.school.catch_errors import (
    CatchRound,
    CatchVerdict,
    describe_deed,
    error_kinds,
    error_title,
)
from ventiuna.school.lessons import Lesson, LessonRound, Verdict
from ventiuna.school.procedure import guide_for
from ventiuna.school.step_text import STEP_WORDS, describe_step, document_words, explain_amount
from ventiuna.school.steps import (
    WITH_AMOUNT,
    WITH_HAND,
    WITH_PLACE,
    WITH_WAGER,
    DealerStep,
    StepInput,
    StepKind,
    correct_input,
)
from ventiuna.school.training import LEVELS, Level, rules_offer

# --- The felt ---

_WAGER_LABELS = {Wager.INSURANCE: "I", Wager.SUPER: "S", Wager.ENVY: "E"}
# A player's gesture, or chips that the dealer has to notice.
_ACTION_TEXT: Mapping[type[Event], str] = {
    ev.HandHit: "wants a card",
    ev.HandDoubled: "doubles",
    ev.HandSplit: "splits",
    ev.HandStood: "stands",
    ev.HandSurrendered: "surrenders",
    ev.HandRescued: "rescues",
    ev.BlackjackTaken: "asks to be paid",
    ev.BlackjackKept: "keeps the blackjack",
    ev.InsurancePlaced: "insures",
}


class HandOnFelt(TypedDict):
    cards: list[int]
    total: str
    wager: int
    doublings: int
    status: str
    on_table: bool
    signal: str


class BonusOnFelt(TypedDict):
    title: str
    short: str
    word: str


class WagerOnFelt(BonusOnFelt):
    wager: str
    stake: int
    rides: bool


class PaidOnFelt(TypedDict):
    wager: str
    title: str
    hand: int
    net: int
    odds: str
    rule: str
    reason: str


class SpotOnFelt(TypedDict):
    number: int
    name: str
    base: int
    hands: list[HandOnFelt]
    wagers: list[WagerOnFelt]
    bonuses: list[BonusOnFelt]
    paid: list[PaidOnFelt]


class MeterOnFelt(TypedDict):
    game: int
    cents: int
    wager: int


class TrainingFelt(TypedDict):
    stage: str
    dealer: list[int | None]
    dealer_total: str
    bonus_cards: list[int]
    bonus_places: int
    bonus_locked: bool
    meters: list[MeterOnFelt]
    spots: list[SpotOnFelt]


class Felt:
    """Follows a round event by event, tracking the table."""

    def __init__(self, start: RoundState) -> None:
        self._formatter = EventFormatter(start, PointOfView(viewer=EVERYONE, money=dollars))
        self._chips = Chips()
        self._paid: dict[int, list[ev.WagerSettled]] = {}
        self._signals: dict[tuple[int, int], str] = {}
        self._locked = False
        self.lines: list[str] = []

    @property
    def state(self) -> RoundState:
        return self._formatter.state

    def show(self, events: Iterable[Event]) -> list[str]:
        """Process these events and return their sentences."""
        lines = []
        for event in events:
            if isinstance(event, ev.HandHit | ev.HandDoubled):
                apply(self.state, event)  # the formatter would also mention the card
                lines.append(self._describe_request(event))
            elif (sentence := self._formatter.format(event)) is not None:
                lines.append(sentence.text())
            self._chips.add(event)
            self._signal(event)
            if isinstance(event, ev.WagerSettled):
                self._paid.setdefault(event.spot, []).append(event)
            elif isinstance(event, ev.BonusCardsLocked):
                self._locked = True
        self.lines += lines
        return lines

    def _describe_request(self, event: ev.HandHit | ev.HandDoubled) -> str:
        """The player's request without the card, because dealing the card is the dealer's step."""
        spot = self.state.spots[event.spot]
        action = "hit"
        if isinstance(event, ev.HandDoubled):
            again = spot.hands[event.hand].shape.doublings > 1
            action = f"{'double-double' if again else 'double'} for {dollars(event.amount)}"
        view = self._formatter.point_of_view
        return f"{view.does(self.state, spot, event.hand, action)}."

    def _signal(self, event: Event) -> None:
        place = (getattr(event, "spot", 0), getattr(event, "hand", 0))
        action = _ACTION_TEXT.get(type(event))
        if action is None:
            if isinstance(event, ev.CardDealt | ev.WagerSettled):
                self._signals.pop(place, None)
            return
        amount = getattr(event, "amount", 0)
        if isinstance(event, ev.InsurancePlaced) and not amount:
            return
        more = f" for {dollars(amount)}" if amount else ""
        self._signals[place] = f"{action}{more}"

    def data(self) -> TrainingFelt:
        state = self.state
        dealer: list[int | None] = [*state.dealer]
        hidden = len(dealer) > 1 and not state.down_exposed
        if hidden:
            dealer[1] = None
        if state.early_down is not None:
            dealer = [None]
        return {
            "stage": str(state.stage),
            "dealer": dealer,
            "dealer_total": dealer_total(state) if state.down_exposed else "",
            "bonus_cards": list(state.bonus_cards),
            "bonus_places": state.rules.bonus_cards,
            "bonus_locked": self._locked,
            "meters": [
                {"game": game, "cents": meter.cents, "wager": jackpot.wager}
                for game, (meter, jackpot) in enumerate(
                    zip(state.meters, state.rules.jackpots, strict=True), start=1
                )
            ],
            "spots": [self._spot(spot) for spot in state.order],
        }

    def _spot(self, spot: Spot) -> SpotOnFelt:
        return {
            "number": spot.number,
            "name": spot.person or f"Spot {spot.number}",
            "base": spot.base,
            "hands": [self._hand(spot, index, hand) for index, hand in enumerate(spot.hands)],
            "wagers": [self._wager(spot, wager) for wager in self._side_wagers(spot)],
            "bonuses": self._bonuses(),
            "paid": [_payment_data(event) for event in self._paid.get(spot.number, [])],
        }

    def _hand(self, spot: Spot, index: int, hand: PlayerHand) -> HandOnFelt:
        return {
            "cards": list(hand.cards),
            "total": hand_total(hand) if len(hand.cards) > 1 else "",
            "wager": self._chips.on_hand(spot.number, index),
            "doublings": hand.shape.doublings,
            "status": str(hand.status),
            "on_table": hand.on_table,
            "signal": self._signals.get((spot.number, index), ""),
        }

    def _bonuses(self) -> list[BonusOnFelt]:
        """Bonuses that can be won without a separate wager."""
        if self.state.rules.super_bonus_form() is None:
            return []
        return [
            {"title": wager_title(wager), "short": felt_label(wager), "word": typed_name(wager)}
            for wager in (Wager.SUPER, Wager.ENVY)
        ]

    def _side_wagers(self, spot: Spot) -> list[Wager]:
        wagers = [MTD_WAGERS[part] for part in spot.mtd]
        wagers += [JACKPOT_WAGERS[game] for game in spot.jackpots]
        return [*wagers, Wager.INSURANCE] if spot.insurance else wagers

    def _wager(self, spot: Spot, wager: Wager) -> WagerOnFelt:
        stake = spot.mtd.get(wager.part, 0) or spot.jackpots.get(wager.game, 0)
        return {
            "wager": str(wager),
            "title": wager_title(wager),
            "short": felt_label(wager),
            "word": typed_name(wager),
            "stake": stake or spot.insurance or 0,
            "rides": self._chips.stake_of(spot.number, wager) > 0,
        }


def felt_label(wager: Wager) -> str:
    """The label printed on the felt: `U`, `D`, `3`, `J1`."""
    if wager.part:
        return wager.part[0].upper() if wager.part in ("up", "down") else wager.part[1:]
    return f"J{wager.game}" if wager.game else _WAGER_LABELS.get(wager, str(wager))


def typed_name(wager: Wager) -> str:
    """The name used when typing steps and wagers: `up`, `b3`, `j1`, `insurance`."""
    return wager.part or (f"j{wager.game}" if wager.game else str(wager))


def _payment_data(event: ev.WagerSettled) -> PaidOnFelt:
    return {
        "wager": str(event.wager),
        "title": "" if event.wager is Wager.HAND else wager_title(event.wager),
        "hand": event.hand,
        "net": event.net,
        "odds": odds_words(event.odds),
        "rule": event.rule,
        "reason": reason_words(event.reason),
    }


# --- Levels and lessons ---

# Button titles and keys. Kinds of steps that never occur at a table have no button.
BUTTONS: dict[StepKind, tuple[str, str]] = {
    StepKind.CARD: ("Card", "c"),
    StepKind.PAY: ("Pay", "p"),
    StepKind.TAKE: ("Take", "t"),
    StepKind.PUSH: ("Push", "u"),
    StepKind.ASK: ("Ask", "a"),
    StepKind.REMOVE: ("Clear cards", "r"),
    StepKind.CHECK: ("Look", "l"),
    StepKind.EXPOSE: ("Expose", "e"),
    StepKind.INSURANCE: ("Insurance", "i"),
    StepKind.BLACKJACKS: ("Blackjack?", "b"),
    StepKind.SUPERVISOR: ("Floor person", "s"),
    StepKind.WAIT: ("Wait", "x"),
    StepKind.LOCK: ("Lock up cards", "k"),
    StepKind.ADVISE: ("Advise", "v"),
    StepKind.CLOSE: ("No more bets", "w"),
    StepKind.COLLECT: ("Collect", "o"),
}


class LevelData(TypedDict):
    id: str
    title: str
    about: str
    rules: str
    table: str
    spots: int
    rounds: int
    exam_rounds: int
    seconds: int
    teaches: list[str]


def levels_data() -> list[LevelData]:
    return [_level_data(level, load_rules(level.rules)) for level in LEVELS]


def _level_data(level: Level, rules: Rules) -> LevelData:
    return {
        "id": level.id,
        "title": level.title,
        "about": level.about,
        "rules": canonical(rules),
        "table": rules.title,
        "spots": min(level.spots, rules.seats),
        "rounds": len(level.scripts_for(rules)),
        "exam_rounds": level.exam_rounds,
        "seconds": level.seconds,
        "teaches": [document_words(rules, script.title) for script in level.scripts_for(rules)],
    }


Aim = Literal["", "place", "wager", "hand", "spot"]
_AIMS: dict[StepKind, Aim] = {  # what the learner must select for a step
    **dict.fromkeys(WITH_PLACE, "place"),
    **dict.fromkeys(WITH_WAGER, "wager"),
    **dict.fromkeys(WITH_HAND, "hand"),
    StepKind.SUPERVISOR: "spot",
}


class StepButton(TypedDict):
    kind: str
    title: str
    key: str
    word: str
    aims: Aim
    amount: bool


def buttons_data(lesson: Lesson) -> list[StepButton]:
    """All steps possible under these rules, always in the same positions."""
    return [
        {
            "kind": str(kind),
            "title": document_words(lesson.rules, title),
            "key": key,
            "word": STEP_WORDS[kind][0],
            "aims": _AIMS.get(kind, ""),
            "amount": kind in WITH_AMOUNT,
        }
        for kind, (title, key) in BUTTONS.items()
        if _can_occur(kind, lesson)
    ]


def _can_occur(kind: StepKind, lesson: Lesson) -> bool:
    rules = lesson.rules
    needs = {
        StepKind.LOCK: "bonus cards",
        StepKind.ADVISE: "instant wins",
        StepKind.BLACKJACKS: "blackjack kept",
        StepKind.INSURANCE: "insurance",
        StepKind.REMOVE: "blackjack insured",
    }
    if kind is StepKind.CLOSE:
        return lesson.level.deals
    if kind is StepKind.WAIT:
        return lesson.supervised
    if kind is StepKind.SUPERVISOR:
        return rules.super_bonus_form() is not None
    return kind not in needs or rules_offer(rules, needs[kind])


class DeedTarget(TypedDict):
    """Where the dealer does something: a hand, a wager, or one of the dealer's places."""

    at: Literal["hand", "wager", "place"]
    spot: int
    hand: int
    word: str


class StepHint(TypedDict):
    """The next step, for a guided lesson: what to do, where, with which button, and why."""

    sentence: str
    kind: str
    target: DeedTarget | None
    amount: int | None  # in cents
    calculation: str
    rules: list[str]
    rule: str


class LessonRoundData(TypedDict):
    level: str
    title: str
    rules: str
    table: str
    seed: int | None  # None while the lesson is recorded
    exam: bool
    round: int
    rounds: int | None
    steps: int
    done: int
    right: int
    misses: int
    over: bool
    lesson: str
    verdict: Verdict | None
    felt: TrainingFelt
    lines: list[str]
    buttons: list[StepButton]
    seconds: int  # time per step for the full time score
    hint: StepHint | None


def lesson_round_data(
    played: LessonRound, is_recorded: bool = False, is_guided: bool = False
) -> LessonRoundData:
    lesson = played.lesson
    training = played.training
    felt = lesson_felt(played)
    is_over = played.is_over
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "seed": None if is_recorded else lesson.seed,
        "exam": lesson.exam,
        "round": training.number,
        "rounds": lesson.level.exam_rounds if lesson.exam else None,
        "steps": len(training.steps),
        "done": len(played.marks),
        "right": sum(1 for mark in played.marks if mark.right),
        "misses": played.misses,
        "over": is_over,
        "lesson": document_words(lesson.rules, training.shown) if is_over else "",
        "verdict": played.verdict,
        "felt": felt.data(),
        "lines": felt.lines,
        "buttons": buttons_data(lesson),
        "seconds": lesson.level.seconds,
        "hint": _hint(lesson.rules, played.due) if is_guided and played.due else None,
    }


def _hint(rules: Rules, step: DealerStep) -> StepHint:
    about = guide_for(rules, step)
    return {
        "sentence": describe_step(rules, step),
        "kind": str(step.kind),
        "target": _deed_target(correct_input(step)),
        "amount": step.amount if step.kind in WITH_AMOUNT else None,
        "calculation": explain_amount(step),
        "rules": list(about.rules),
        "rule": about.sentence,
    }


def lesson_felt(played: LessonRound | CatchRound) -> Felt:
    """The table after the completed steps."""
    felt = Felt(played.training.start())
    felt.show(played.events())
    return felt


# --- Catch the error ---


class ErrorChoice(TypedDict):
    kind: str
    title: str
    group: str


def error_choices(lesson: Lesson) -> list[ErrorChoice]:
    """The kinds of errors that can occur in this lesson, by group."""
    return [
        {
            "kind": str(kind),
            "title": error_title(lesson.rules, kind),
            "group": str(kind.group),
        }
        for kind in error_kinds(lesson)
    ]


class DealerDeed(TypedDict):
    """The dealer's current step; it may be an error."""

    sentence: str
    target: DeedTarget | None
    amount: int | None  # in cents


class CatchRoundData(TypedDict):
    level: str
    title: str
    rules: str
    table: str
    seed: int | None  # None while the lesson is recorded
    round: int
    steps: int
    done: int
    over: bool
    lesson: str
    deed: DealerDeed | None
    verdict: CatchVerdict | None
    ending: CatchVerdict | None  # on an error that was caught or missed
    false_alarms: int
    felt: TrainingFelt
    lines: list[str]
    buttons: list[StepButton]
    kinds: list[ErrorChoice]


def catch_round_data(played: CatchRound, is_recorded: bool = False) -> CatchRoundData:
    lesson, training = played.lesson, played.training
    felt = lesson_felt(played)
    shown = played.shown
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "seed": None if is_recorded else lesson.seed,
        "round": training.number,
        "steps": len(training.steps),
        "done": len(played.done),
        "over": played.is_over,
        "lesson": document_words(lesson.rules, training.shown) if played.is_over else "",
        "deed": None if shown is None else _deed(lesson.rules, shown, played.hands),
        "verdict": played.verdict,
        "ending": played.ending,
        "false_alarms": len(played.false_alarms),
        "felt": felt.data(),
        "lines": felt.lines,
        "buttons": buttons_data(lesson),
        "kinds": error_choices(lesson),
    }


def _deed(rules: Rules, shown: StepInput, hands: int) -> DealerDeed:
    return {
        "sentence": describe_deed(rules, shown, hands),
        "target": _deed_target(shown),
        "amount": shown.amount,
    }


def _deed_target(shown: StepInput) -> DeedTarget | None:
    spot, hand = shown.spot, max(shown.hand, 0)
    if shown.wager is not None and shown.wager is not Wager.HAND:
        return {"at": "wager", "spot": spot, "hand": hand, "word": typed_name(shown.wager)}
    if spot:
        return {"at": "hand", "spot": spot, "hand": hand, "word": ""}
    if shown.place is ev.Place.BONUS:
        return {"at": "place", "spot": 0, "hand": 0, "word": f"b{shown.hand + 1}"}
    if shown.place is not None or shown.kind in (StepKind.CHECK, StepKind.EXPOSE):
        word = str(shown.place) if shown.place in (ev.Place.UP, ev.Place.DOWN) else "dealer"
        return {"at": "place", "spot": 0, "hand": 0, "word": word}
    return None
