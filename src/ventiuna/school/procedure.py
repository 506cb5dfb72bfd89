"""The dealer's procedure: the order of steps, which steps may be swapped, and the rule for each.

`OPEN` lists the steps that may be swapped; every other order is prescribed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ventiuna.engine.events import Advice, Place, Stage, Wager, WagerKind
from ventiuna.engine.prompts import PAYING_STAGES
from ventiuna.rules import Rules
from ventiuna.rules.model import BonusOrder, DealOrder, DownSettled, SpotsSettled, Winners
from ventiuna.rules.text.procedure import ProcedureStep as Sentence
from ventiuna.rules.text.procedure import cite, procedure
from ventiuna.school.step_text import document_words
from ventiuna.school.steps import DealerStep, StepKind

# --- The order of steps ---


class RoundPart(StrEnum):
    """The parts of a round (R-102, R-120), in document order."""

    CLOSE = "closing the wagers"
    DEAL = "the deal"
    BONUS_CARDS = "Bonus Cards"
    UP_WAGER = "Up Card wagers"
    BONUS_WAGER = "Bonus Card wagers"
    FIXED_LINE = "fixed jackpot lines"
    LOCK = "locking up the Bonus Cards"
    SUPERVISOR = "the floor person's call"
    WATCH = "the wait for the floor person"
    ASK_BLACKJACKS = "asking about blackjacks"
    BLACKJACK = "blackjacks"
    INSURANCE = "offering insurance"
    AWAY = "paid blackjacks without insurance"
    LOOK = "the look"
    AFTER_LOOK = "everything the check decides"
    PLAY = "the players' hands"
    EXPOSE = "exposing the down card"
    DRAW = "the dealer's draw"
    HAND = "settlement of the hands"
    DOWN_WAGER = "Down Card wagers"
    DOWN_LINE = "jackpot lines with the down card"
    AUTHORIZE = "the floor person's authorization"
    AWARD = "awards"
    SUPER = "Super Bonuses"
    ENVY = "Envy Bonuses"
    COLLECT = "collecting the cards"


_BY_KIND = {
    StepKind.CLOSE: RoundPart.CLOSE,
    StepKind.LOCK: RoundPart.LOCK,
    StepKind.SUPERVISOR: RoundPart.SUPERVISOR,
    StepKind.BLACKJACKS: RoundPart.ASK_BLACKJACKS,
    StepKind.INSURANCE: RoundPart.INSURANCE,
    StepKind.CHECK: RoundPart.LOOK,
    StepKind.EXPOSE: RoundPart.EXPOSE,
    StepKind.COLLECT: RoundPart.COLLECT,
}
_BY_WAGER = {
    Wager.MTD_UP: RoundPart.UP_WAGER,
    Wager.MTD_DOWN: RoundPart.DOWN_WAGER,
    Wager.SUPER: RoundPart.SUPER,
    Wager.ENVY: RoundPart.ENVY,
}
_JACKPOT = {
    Stage.UP_CARD_WAGERS: RoundPart.FIXED_LINE,
    Stage.DOWN_CARD_WAGERS: RoundPart.DOWN_LINE,
    Stage.AWARDS: RoundPart.AWARD,
}
_BY_STAGE = {
    Stage.DEAL: RoundPart.DEAL,
    Stage.BLACKJACKS: RoundPart.BLACKJACK,
    Stage.INSURANCE: RoundPart.AWAY,
    Stage.UNINSURED_BLACKJACKS: RoundPart.BLACKJACK,
    Stage.CHECK: RoundPart.AFTER_LOOK,
    Stage.BLACKJACKS_AFTER_CHECK: RoundPart.BLACKJACK,
    Stage.PLAY: RoundPart.PLAY,
    Stage.DEALER: RoundPart.DRAW,
    Stage.SETTLEMENT: RoundPart.HAND,
}


def part_of(step: DealerStep) -> RoundPart:
    if step.kind in _BY_KIND:
        return _BY_KIND[step.kind]
    if step.kind is StepKind.WAIT:
        return RoundPart.AUTHORIZE if step.stage in PAYING_STAGES else RoundPart.WATCH
    if step.place is Place.BONUS:
        return RoundPart.BONUS_CARDS
    if step.wager is not None:
        if step.wager.kind is WagerKind.JACKPOT:
            return _JACKPOT[step.stage]
        if step.wager.kind is WagerKind.MTD:
            return _BY_WAGER.get(step.wager, RoundPart.BONUS_WAGER)
        if step.wager in _BY_WAGER:
            return _BY_WAGER[step.wager]
    return _BY_STAGE[step.stage]


# --- steps that may be swapped ---

Condition = Callable[[Rules, DealerStep, DealerStep], bool]


HOUSE_DEALS = ("wsgc-2021", "wsgc-v002")  # document 003


def is_dealer_deal_flexible(rules: Rules) -> bool:
    """Whether the house may choose when to deal the dealer's cards, and hasn't (R-026, R-123)."""
    return rules.origin.preset in HOUSE_DEALS and rules.deal_order == DealOrder.UP_CARD_FIRST


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """A part whose steps may be swapped with those of other parts or with each other."""

    one: RoundPart
    others: tuple[RoundPart, ...]
    spanish: str  # rule numbers, by game
    super_fun: str = "R-120"
    condition: Condition = lambda _rules, _one, _other: True

    def numbers(self, rules: Rules) -> tuple[str, ...]:
        return tuple(cite(rules, self.spanish, self.super_fun).split(", "))


_UP_AND_BONUS = (RoundPart.UP_WAGER, RoundPart.BONUS_WAGER)
_WITH_SETTLEMENT = (
    RoundPart.HAND,
    RoundPart.AFTER_LOOK,
    RoundPart.DOWN_WAGER,
    RoundPart.DOWN_LINE,
)
OPEN: tuple[OpenOrder, ...] = (
    # Only the order of a dealer card and a player card is open. The players' cards keep their
    # order, and so do the up card and the down card (D-20).
    OpenOrder(
        RoundPart.DEAL,
        (RoundPart.DEAL,),
        "R-026",
        condition=lambda rules, one, other: (
            (one.place is Place.PLAYER) != (other.place is Place.PLAYER)
            and is_dealer_deal_flexible(rules)
        ),
    ),
    OpenOrder(RoundPart.UP_WAGER, (RoundPart.UP_WAGER,), "R-079"),
    OpenOrder(
        RoundPart.UP_WAGER,
        (RoundPart.BONUS_WAGER,),
        "R-080",
        condition=lambda _, one, other: one.spot != other.spot,
    ),
    OpenOrder(RoundPart.BONUS_WAGER, (RoundPart.BONUS_WAGER,), "R-080"),
    OpenOrder(RoundPart.FIXED_LINE, (*_UP_AND_BONUS, RoundPart.FIXED_LINE), "R-096"),
    OpenOrder(RoundPart.FIXED_LINE, (RoundPart.LOCK,), "R-028"),
    OpenOrder(
        RoundPart.SUPERVISOR,
        (*_UP_AND_BONUS, RoundPart.FIXED_LINE, RoundPart.LOCK, RoundPart.SUPERVISOR),
        "R-072",
    ),
    OpenOrder(RoundPart.WATCH, (*_UP_AND_BONUS, RoundPart.FIXED_LINE, RoundPart.LOCK), "R-072"),
    OpenOrder(RoundPart.BLACKJACK, (RoundPart.BLACKJACK,), "R-030", "R-115"),
    OpenOrder(RoundPart.AWAY, (RoundPart.AWAY,), "R-031"),
    OpenOrder(RoundPart.AFTER_LOOK, (RoundPart.AFTER_LOOK,), "R-034, R-035"),
    OpenOrder(RoundPart.HAND, (RoundPart.HAND,), "R-078", "R-119"),
    OpenOrder(RoundPart.DOWN_WAGER, _WITH_SETTLEMENT, "R-081, D-05"),
    OpenOrder(
        RoundPart.DOWN_WAGER,
        (RoundPart.DRAW,),
        "R-081, D-05",
        condition=lambda rules, _one, _other: (  # settled as soon as the card is exposed
            DownSettled.AT_EXPOSURE
            in (rules.down_settled, *dict(rules.origin.choices).get("down_settled", ()))
        ),
    ),
    OpenOrder(RoundPart.DOWN_LINE, (*_WITH_SETTLEMENT, RoundPart.DRAW), "D-25"),
    OpenOrder(
        RoundPart.AUTHORIZE,
        (RoundPart.DOWN_WAGER, RoundPart.DOWN_LINE),
        "R-096",
        condition=lambda _, one, other: Stage.AWARDS in (one.stage, other.stage),
    ),
    OpenOrder(RoundPart.AWARD, (RoundPart.DOWN_WAGER,), "R-096"),
    OpenOrder(
        RoundPart.AWARD,
        (RoundPart.DOWN_LINE,),
        "R-096",
        condition=lambda _, one, other: (one.spot, one.wager) != (other.spot, other.wager),
    ),
    OpenOrder(
        RoundPart.AWARD,
        (RoundPart.AWARD,),
        "O-28",
        condition=lambda _, one, other: one.wager is not other.wager,
    ),
    OpenOrder(RoundPart.AWARD, (RoundPart.SUPER, RoundPart.ENVY), "R-096"),
    OpenOrder(RoundPart.SUPER, (RoundPart.SUPER,), "R-074"),
    OpenOrder(RoundPart.ENVY, (RoundPart.ENVY,), "R-073"),
)


_BY_PARTS: dict[tuple[RoundPart, RoundPart], OpenOrder] = {
    parts: opening
    for opening in OPEN
    for other in opening.others
    for parts in ((opening.one, other), (other, opening.one))
}


_SETTLED_BY_SPOT = frozenset(
    {
        RoundPart.UP_WAGER,
        RoundPart.BONUS_WAGER,
        RoundPart.FIXED_LINE,
        RoundPart.BLACKJACK,
        RoundPart.AWAY,
        RoundPart.AFTER_LOOK,
        RoundPart.HAND,
        RoundPart.DOWN_WAGER,
        RoundPart.DOWN_LINE,
    }
)


def house_sequence(rules: Rules, one: DealerStep, other: DealerStep) -> str:
    """The house's own sequence for two steps of one part (R-123); empty if it has set none."""
    part = part_of(one)
    if part is not part_of(other) or part not in _SETTLED_BY_SPOT:
        return ""
    by_wager = part is RoundPart.BONUS_WAGER and rules.bonus_order == BonusOrder.WAGER_BY_WAGER
    if by_wager and one.wager is not other.wager:
        return "This house settles all wagers on one Bonus Card before those on the next."
    # After the check, insurance comes before the hands.
    if part is RoundPart.AFTER_LOOK and one.wager is not other.wager:
        return ""
    if rules.spots_settled == SpotsSettled.FROM_RIGHT and one.spot != other.spot:
        return "This house settles spots from your right to your left."
    return ""


def _is_open(rules: Rules, opening: OpenOrder | None, one: DealerStep, other: DealerStep) -> bool:
    return (
        opening is not None
        and opening.condition(rules, one, other)
        and not house_sequence(rules, one, other)
    )


def open_between(rules: Rules, one: DealerStep, other: DealerStep) -> tuple[str, ...]:
    """Rules that allow two steps in either order; empty if the order is prescribed."""
    opening = _BY_PARTS.get((part_of(one), part_of(other)))
    if opening is None or not _is_open(rules, opening, one, other):
        return ()
    # If both are awards, start with the rules they were paid under: R-095, or O-39 for house
    # jackpots.
    awards = [step.rule for step in (one, other) if part_of(step) is RoundPart.AWARD]
    return tuple(dict.fromkeys([*(awards if len(awards) > 1 else ()), *opening.numbers(rules)]))


def earlier_steps(rules: Rules, steps: Sequence[DealerStep]) -> tuple[frozenset[int], ...]:
    """For each step, the indices of the steps that must come before it."""
    parts = [part_of(step) for step in steps]

    def must_wait(place: int, before: int) -> bool:
        opening = _BY_PARTS.get((parts[before], parts[place]))
        return not _is_open(rules, opening, steps[before], steps[place])

    return tuple(
        frozenset(before for before in range(place) if must_wait(place, before))
        for place in range(len(steps))
    )


# --- the prescribed order and its reasons ---


@dataclass(frozen=True, slots=True)
class OrderReason:
    """Why a step must come before another."""

    numbers: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class _OrderRule:
    sentence: str
    spanish: str
    super_fun: str = "R-120"
    standard: str = "O-01"


_BONUS_CARDS_STAY = _OrderRule(
    "The Bonus Cards stay until the Up Card and Bonus Card wagers are settled.", "R-028"
)
_PLAYED_OUT = _OrderRule("The round is finished before a Super Bonus is paid.", "R-072")
_RULE_BY_PART: dict[RoundPart, _OrderRule] = {
    RoundPart.CLOSE: _OrderRule("Betting is closed before the first card is dealt.", "R-102"),
    RoundPart.DEAL: _OrderRule(
        "The initial cards are dealt first, one to each spot in turn from your left.",
        "R-026, O-04",
        "R-104, O-04",
        "O-04",
    ),
    RoundPart.BONUS_CARDS: _OrderRule(
        "Bonus Cards are dealt after all initial cards, in number order.", "R-019, R-027"
    ),
    RoundPart.UP_WAGER: _OrderRule(
        "Up Card wagers are settled first, right after the deal and before the base game.", "R-079"
    ),
    RoundPart.BONUS_WAGER: _OrderRule(
        "Bonus Card wagers are settled before the base game.", "R-080"
    ),
    RoundPart.FIXED_LINE: _OrderRule(
        "Fixed jackpot prizes are paid before the base game.", "R-096"
    ),
    RoundPart.LOCK: _OrderRule(
        "The Bonus Cards are locked up before the base game begins.", "R-028"
    ),
    RoundPart.SUPERVISOR: _OrderRule(
        "Stop and call the floor person, who watches the third card, before you continue.", "R-072"
    ),
    RoundPart.WATCH: _OrderRule(
        "Play stops until the floor person is there to watch the third card.",
        "R-072, R-121",
        "R-121",
        "R-121",
    ),
    RoundPart.ASK_BLACKJACKS: _OrderRule(
        "Players with a blackjack may keep it and double. Ask them before you pay or continue.",
        "R-032",
        "R-106",
    ),
    RoundPart.BLACKJACK: _OrderRule(
        "A blackjack is paid immediately, before any other play.", "R-030", "R-115"
    ),
    RoundPart.INSURANCE: _OrderRule(
        "With an ace up, insurance is offered before you check for blackjack.",
        "R-031, R-034",
        "R-116, R-120",
    ),
    RoundPart.AWAY: _OrderRule(
        "The cards of a paid blackjack without insurance are removed before you check for "
        "blackjack.",
        "R-031",
    ),
    RoundPart.LOOK: _OrderRule(
        "With an ace or a ten-valued card up, you check for blackjack before the players act.",
        "R-033, R-037",
        "R-109, R-120",
    ),
    RoundPart.AFTER_LOOK: _OrderRule(
        "Everything your check decided is settled first: insurance, and hands that are over.",
        "R-034, R-035",
        "R-116, R-120",
    ),
    RoundPart.PLAY: _OrderRule(
        "All players act before your down card is exposed.", "R-077, R-102", "R-117, R-120"
    ),
    RoundPart.EXPOSE: _OrderRule(
        "The down card is exposed before anything that depends on it is settled.",
        "R-077",
        "R-117, R-120",
    ),
    RoundPart.DRAW: _OrderRule(
        "Your own hand is completed before hands are compared.", "R-077", "R-117, R-120"
    ),
    RoundPart.HAND: _OrderRule("The remaining hands are settled first.", "R-078, R-102", "R-120"),
    RoundPart.DOWN_WAGER: _OrderRule("Down Card wagers are settled with the base game.", "R-081"),
    RoundPart.DOWN_LINE: _OrderRule(
        "Jackpot pays that depend on the down card are paid with the base game.", "D-25"
    ),
    RoundPart.AUTHORIZE: _OrderRule(
        "Super Bonuses, Envy Bonuses and awards are paid after the floor person authorizes them.",
        "R-121",
        "R-121",
        "R-121",
    ),
    RoundPart.AWARD: _OrderRule("Jackpot awards are paid before the round ends.", "R-096"),
    RoundPart.SUPER: _OrderRule("Super Bonuses are paid before the Envy Bonuses.", "R-072, R-076"),
    RoundPart.ENVY: _OrderRule(
        "Envy Bonuses are paid before the cards are collected.", "R-073, R-102"
    ),
}
_RULE_BY_PAIR: dict[tuple[RoundPart, RoundPart], _OrderRule] = {
    (RoundPart.UP_WAGER, RoundPart.LOCK): _BONUS_CARDS_STAY,
    (RoundPart.BONUS_WAGER, RoundPart.LOCK): _BONUS_CARDS_STAY,
    (RoundPart.BLACKJACK, RoundPart.INSURANCE): _OrderRule(
        "With an ace up, blackjacks are paid before insurance is offered.", "R-031"
    ),
    (RoundPart.BLACKJACK, RoundPart.LOOK): _OrderRule(
        "Blackjacks are paid before you look at the down card.", "R-030, R-031", "R-115, R-120"
    ),
    (RoundPart.INSURANCE, RoundPart.BLACKJACK): _OrderRule(
        "With an ace up, insurance is offered before blackjacks are paid.", "R-034", "R-115, R-120"
    ),
    (RoundPart.PLAY, RoundPart.PLAY): _OrderRule(
        "Hands act in turn from your left. Each is played to the end, and anything it wins "
        "or loses right away is settled right away.",
        "R-102, O-30",
        "R-120, O-30",
        "O-30",
    ),
    (RoundPart.DRAW, RoundPart.DOWN_WAGER): _OrderRule(
        "Down Card wagers are settled with the base game, once your hand is complete.", "R-081"
    ),
    (RoundPart.HAND, RoundPart.AWARD): _OrderRule(
        "Shares of a meter are paid after the base game.", "R-096"
    ),
    (RoundPart.AFTER_LOOK, RoundPart.AWARD): _OrderRule(
        "Shares of a meter are paid after the base game.", "R-096"
    ),
    (RoundPart.DOWN_LINE, RoundPart.AWARD): _OrderRule(
        "A wager's fixed pays come before its share of the meter.", "R-096"
    ),
    (RoundPart.AWARD, RoundPart.AWARD): _OrderRule(
        "Awards are paid from your left. Each is taken off the meter before the next is "
        "calculated.",
        "R-095",
    ),
    **{
        (part, bonus): _PLAYED_OUT
        for part in (RoundPart.HAND, RoundPart.DOWN_WAGER, RoundPart.DOWN_LINE)
        for bonus in (RoundPart.SUPER, RoundPart.ENVY)
    },
}


def reason_before(rules: Rules, earlier: DealerStep, later: DealerStep) -> OrderReason:
    """Why `earlier` must come before `later`."""
    parts = part_of(earlier), part_of(later)
    if sentence := house_sequence(rules, earlier, later):
        return OrderReason(("R-123",), sentence)
    if parts == (RoundPart.DEAL, RoundPart.DEAL) and rules.deal_order != DealOrder.UP_CARD_FIRST:
        return OrderReason(("R-123",), _sentences_of_stage(rules, "deal")[0].text)
    reason = reason_first(rules, *parts)
    if parts == (RoundPart.AWARD, RoundPart.AWARD) and earlier.meter is None:
        assert earlier.wager is not None
        share = "with its full share of the posted amount"
        if rules.jackpots[earlier.wager.game - 1].winners is Winners.IN_SEQUENCE:
            share = "from what the previous one left"
        return OrderReason((earlier.rule,), f"Awards are paid from your left, each {share}.")
    if parts[0] is RoundPart.PLAY and earlier.rule:  # a 21 is paid immediately, a bust is taken
        own = earlier.rule.split(", ")
        return OrderReason(tuple(dict.fromkeys([*own, *reason.numbers])), reason.sentence)
    return reason


def reason_first(rules: Rules, earlier: RoundPart, later: RoundPart | None = None) -> OrderReason:
    """Why a part must come before `later`, or before everything that follows."""
    found = _RULE_BY_PAIR.get((earlier, later)) if later else None
    found = found or _RULE_BY_PART[earlier]
    numbers = cite(rules, found.spanish, found.super_fun, found.standard).split(", ")
    return OrderReason(tuple(numbers), document_words(rules, found.sentence))


# --- The rule behind a step ---

MAX_RULE_NUMBERS = 4
# The three sentences about the check: look, blackjack found, no blackjack found.
LOOK, FOUND, NOT_FOUND = 0, 1, 2
_MTD = {"up": "R-079", "down": "R-081"}
_BONUS_CARD = "R-080"
_ADVICE = {Advice.SIXTH_CARD_CANNOT_LOSE: 0, Advice.HIT_ELEVEN: 1}
_ACTION_SENTENCES = {
    "hit": ("Hit",),
    "double": ("Double down",),
    "double-double": ("Double-double",),
    "split": ("Split",),
}


@dataclass(frozen=True, slots=True)
class StepGuide:
    """The procedure's rules and sentence for a step."""

    rules: tuple[str, ...]
    sentence: str


def guide_for(rules: Rules, step: DealerStep) -> StepGuide:
    if step.kind is StepKind.WAIT:  # the table requires it, and no document's procedure has it
        reason = reason_first(rules, part_of(step))
        return StepGuide(reason.numbers, reason.sentence)
    found = _sentence(rules, step)
    own = [number for number in step.rule.split(", ") if number]
    numbers = tuple(dict.fromkeys([*own, *found.rules]))[:MAX_RULE_NUMBERS]
    return StepGuide(numbers, found.text)


@lru_cache(maxsize=64)
def _procedure(rules: Rules) -> tuple[Sentence, ...]:
    return tuple(procedure(rules))


def _sentences_of_stage(rules: Rules, stage: str) -> list[Sentence]:
    return [sentence for sentence in _procedure(rules) if sentence.stage == stage]


def _citing(rules: Rules, number: str, stage: str = "") -> Sentence | None:
    """The last sentence that cites the rule; special pays come before the general pay."""
    found = [
        sentence
        for sentence in _procedure(rules)
        if number in sentence.rules and (not stage or sentence.stage == stage)
    ]
    return found[-1] if found else None


def _sentence(rules: Rules, step: DealerStep) -> Sentence:
    if step.wager is not None:
        return _wager_sentence(rules, step)
    if step.kind is StepKind.CARD:
        return _card_sentence(rules, step)
    if step.kind is StepKind.CLOSE:
        return _sentences_of_stage(rules, "wagers")[-1]
    if step.kind is StepKind.LOCK:
        return _require(_citing(rules, "R-028"))
    if step.kind is StepKind.SUPERVISOR:
        return _require(_citing(rules, "R-072", "up_card_wagers"))
    if step.kind is StepKind.ADVISE:
        advice = [sentence for sentence in _procedure(rules) if "R-118" in sentence.rules]
        return advice[_ADVICE[step.advice] if step.advice else 0]
    if step.kind is StepKind.COLLECT:
        return _sentences_of_stage(rules, "closed")[0]
    return _by_stage(rules, step)


def _by_stage(rules: Rules, step: DealerStep) -> Sentence:
    """The stage's sentence for asking, looking, exposing and removing cards."""
    sentences = _sentences_of_stage(rules, step.stage)
    if step.stage is Stage.CHECK:
        if step.kind is StepKind.CHECK:
            return sentences[LOOK]
        found = step.kind is StepKind.EXPOSE or bool(step.reason)
        return sentences[FOUND if found else NOT_FOUND]
    if step.kind is StepKind.REMOVE:
        return sentences[-1]
    return sentences[0] if sentences else _procedure(rules)[0]


def _card_sentence(rules: Rules, step: DealerStep) -> Sentence:
    if step.stage is Stage.DEAL:
        deal = _sentences_of_stage(rules, "deal")
        return deal[-1] if step.place is Place.BONUS else deal[0]
    if step.stage is Stage.DEALER:
        return _sentences_of_stage(rules, "dealer")[0]
    play = _sentences_of_stage(rules, "play")
    beginning = _ACTION_SENTENCES.get(step.reason, ())
    return next((item for item in play if item.text.startswith(beginning)), play[0])


def _wager_sentence(rules: Rules, step: DealerStep) -> Sentence:
    wager = step.wager
    assert wager is not None
    if wager.kind is WagerKind.MTD:
        return _require(_citing(rules, _MTD.get(wager.part, _BONUS_CARD)))
    if wager.kind is WagerKind.INSURANCE:
        return _sentences_of_stage(rules, "check")[
            FOUND if step.kind is StepKind.PAY else NOT_FOUND
        ]
    if wager.kind is WagerKind.JACKPOT:
        of_stage = _sentences_of_stage(rules, step.stage)
        return next(item for item in of_stage if item.text.startswith(f"Jackpot {wager.game}:"))
    if wager.kind is WagerKind.SUPER:
        return _sentences_of_stage(rules, "super_bonus")[0]
    if wager.kind is WagerKind.ENVY:
        return _sentences_of_stage(rules, "super_bonus")[-1]
    if step.stage is Stage.CHECK:
        return _sentences_of_stage(rules, "check")[FOUND]
    for number in step.rule.split(", "):
        found = _citing(rules, number, step.stage) or _citing(rules, number)
        if found is not None:
            return found
    return _sentences_of_stage(rules, step.stage)[0]


def _require(sentence: Sentence | None) -> Sentence:
    assert sentence is not None, "a step missing from the rules' procedure"
    return sentence
