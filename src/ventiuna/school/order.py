"""The order of a dealer's steps: what the documents prescribe and what they leave open.

A round's steps come in the engine's order. Two of them may be swapped where `OPEN` says so, and
nowhere else; `why` names the rule that holds the others in their places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import product

from ventiuna.engine.events import Place, Stage
from ventiuna.engine.stakes import Wager, WagerKind
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.rules.model import DownSettled, Winners
from ventiuna.rules.words.steps import cite
from ventiuna.school.steps import Kind, Step
from ventiuna.school.words import document_words


class Part(StrEnum):
    """The parts of a round (R-102, R-120), in the order of the documents."""

    CLOSE = "closing the wagers"
    DEAL = "the deal"
    BONUS_CARDS = "Bonus Cards"
    UP_WAGER = "Up Card wagers"
    BONUS_WAGER = "Bonus Card wagers"
    FIXED_LINE = "fixed jackpot lines"
    LOCK = "locking the Bonus Cards up"
    SUPERVISOR = "the floor person's call"
    ASK_BLACKJACKS = "asking the blackjacks"
    BLACKJACK = "blackjacks"
    INSURANCE = "offering insurance"
    AWAY = "paid blackjacks without insurance"
    LOOK = "the look"
    AFTER_LOOK = "what the look decides"
    PLAY = "the players' hands"
    EXPOSE = "exposing the down card"
    DRAW = "the dealer's draw"
    HAND = "settlement of the hands"
    DOWN_WAGER = "Down Card wagers"
    DOWN_LINE = "jackpot lines with the down card"
    AWARD = "awards"
    SUPER = "Super Bonuses"
    ENVY = "Envy Bonuses"
    COLLECT = "collecting the cards"


_BY_KIND = {
    Kind.CLOSE: Part.CLOSE,
    Kind.LOCK: Part.LOCK,
    Kind.SUPERVISOR: Part.SUPERVISOR,
    Kind.BLACKJACKS: Part.ASK_BLACKJACKS,
    Kind.INSURANCE: Part.INSURANCE,
    Kind.CHECK: Part.LOOK,
    Kind.EXPOSE: Part.EXPOSE,
    Kind.COLLECT: Part.COLLECT,
}
_BY_WAGER = {
    Wager.MTD_UP: Part.UP_WAGER,
    Wager.MTD_DOWN: Part.DOWN_WAGER,
    Wager.SUPER: Part.SUPER,
    Wager.ENVY: Part.ENVY,
}
_JACKPOT = {
    Stage.UP_CARD_WAGERS: Part.FIXED_LINE,
    Stage.DOWN_CARD_WAGERS: Part.DOWN_LINE,
    Stage.AWARDS: Part.AWARD,
}
_BY_STAGE = {
    Stage.DEAL: Part.DEAL,
    Stage.BLACKJACKS: Part.BLACKJACK,
    Stage.INSURANCE: Part.AWAY,
    Stage.UNINSURED_BLACKJACKS: Part.BLACKJACK,
    Stage.CHECK: Part.AFTER_LOOK,
    Stage.BLACKJACKS_AFTER_CHECK: Part.BLACKJACK,
    Stage.PLAY: Part.PLAY,
    Stage.DEALER: Part.DRAW,
    Stage.SETTLEMENT: Part.HAND,
}


def part_of(step: Step) -> Part:
    if step.kind in _BY_KIND:
        return _BY_KIND[step.kind]
    if step.place is Place.BONUS:
        return Part.BONUS_CARDS
    if step.wager is not None:
        if step.wager.kind is WagerKind.JACKPOT:
            return _JACKPOT[step.stage]
        if step.wager.kind is WagerKind.MTD:
            return _BY_WAGER.get(step.wager, Part.BONUS_WAGER)
        if step.wager in _BY_WAGER:
            return _BY_WAGER[step.wager]
    return _BY_STAGE[step.stage]


# --- what is left open ------------------------------------------------------------------------

Condition = Callable[[Rules, Step, Step], bool]


def _always(_rules: Rules, _one: Step, _other: Step) -> bool:
    return True


def _other_spot(_rules: Rules, one: Step, other: Step) -> bool:
    return one.spot != other.spot


def _other_wager(_rules: Rules, one: Step, other: Step) -> bool:
    return (one.spot, one.wager) != (other.spot, other.wager)


def _other_jackpot(_rules: Rules, one: Step, other: Step) -> bool:
    return one.wager is not other.wager


HOUSE_DEALS = ("wsgc-2021", "wsgc-v002")  # document 003


def own_cards_any_time(rules: Rules) -> bool:
    """Does the document let the house choose when the dealer's own two cards are dealt? (R-026)"""
    return rules.origin.preset in HOUSE_DEALS


def _own_card_and_players(rules: Rules, one: Step, other: Step) -> bool:
    """The players' cards stay in their turn, and the up card before the down card (D-20)."""
    is_one = (one.place is Place.PLAYER) != (other.place is Place.PLAYER)
    return is_one and own_cards_any_time(rules)


def down_at_exposure(rules: Rules) -> bool:
    """May Down Card wagers be settled as soon as the card is exposed? (R-081, D-05)"""
    choices = dict(rules.origin.choices).get("down_settled", ())
    return rules.down_settled is DownSettled.AT_EXPOSURE or DownSettled.AT_EXPOSURE in choices


def _at_exposure(rules: Rules, _one: Step, _other: Step) -> bool:
    return down_at_exposure(rules)


@record(frozen=True, slots=True)
class Opening:
    """Steps of these parts may come in either order."""

    one: frozenset[Part]
    other: frozenset[Part]
    spanish: str  # rule numbers, by game
    super_fun: str = "R-120"
    condition: Condition = _always

    def numbers(self, rules: Rules) -> tuple[str, ...]:
        return tuple(cite(rules, self.spanish, self.super_fun).split(", "))


def _parts(*parts: Part) -> frozenset[Part]:
    return frozenset(parts)


_BEFORE_BASE_GAME = _parts(Part.UP_WAGER, Part.BONUS_WAGER, Part.FIXED_LINE, Part.LOCK)
_WITH_SETTLEMENT = _parts(Part.HAND, Part.AFTER_LOOK, Part.DOWN_WAGER, Part.DOWN_LINE)
OPEN: tuple[Opening, ...] = (
    Opening(_parts(Part.DEAL), _parts(Part.DEAL), "R-026", condition=_own_card_and_players),
    Opening(_parts(Part.UP_WAGER), _parts(Part.UP_WAGER), "R-079"),
    Opening(_parts(Part.UP_WAGER), _parts(Part.BONUS_WAGER), "R-080", condition=_other_spot),
    Opening(_parts(Part.BONUS_WAGER), _parts(Part.BONUS_WAGER), "R-080"),
    Opening(
        _parts(Part.FIXED_LINE),
        _parts(Part.UP_WAGER, Part.BONUS_WAGER, Part.FIXED_LINE),
        "R-096",
    ),
    Opening(_parts(Part.FIXED_LINE), _parts(Part.LOCK), "R-028"),
    Opening(_parts(Part.SUPERVISOR), _BEFORE_BASE_GAME | {Part.SUPERVISOR}, "R-072"),
    Opening(_parts(Part.BLACKJACK), _parts(Part.BLACKJACK), "R-030", "R-115"),
    Opening(_parts(Part.AWAY), _parts(Part.AWAY), "R-031"),
    Opening(_parts(Part.AFTER_LOOK), _parts(Part.AFTER_LOOK), "R-034, R-035"),
    Opening(_parts(Part.HAND), _parts(Part.HAND), "R-078", "R-119"),
    Opening(_parts(Part.DOWN_WAGER), _WITH_SETTLEMENT, "R-081, D-05"),
    Opening(_parts(Part.DOWN_WAGER), _parts(Part.DRAW), "R-081, D-05", condition=_at_exposure),
    Opening(_parts(Part.DOWN_LINE), _WITH_SETTLEMENT | {Part.DRAW}, "D-25"),
    Opening(_parts(Part.AWARD), _parts(Part.DOWN_WAGER), "R-096"),
    Opening(_parts(Part.AWARD), _parts(Part.DOWN_LINE), "R-096", condition=_other_wager),
    Opening(_parts(Part.AWARD), _parts(Part.AWARD), "O-28", condition=_other_jackpot),
    Opening(_parts(Part.AWARD), _parts(Part.SUPER, Part.ENVY), "R-096"),
    Opening(_parts(Part.SUPER), _parts(Part.SUPER), "R-074"),
    Opening(_parts(Part.ENVY), _parts(Part.ENVY), "R-073"),
)


_BY_PARTS: dict[tuple[Part, Part], Opening] = {
    parts: opening
    for opening in OPEN
    for one, other in product(opening.one, opening.other)
    for parts in ((one, other), (other, one))
}


def open_between(rules: Rules, one: Step, other: Step) -> tuple[str, ...]:
    """Numbers of the rules that leave the order of two steps open; none: it is prescribed."""
    opening = _BY_PARTS.get((part_of(one), part_of(other)))
    if opening is None or not opening.condition(rules, one, other):
        return ()
    return _with_own(one, other, opening.numbers(rules))


def _with_own(one: Step, other: Step, numbers: Sequence[str]) -> tuple[str, ...]:
    """The numbers, after those that two awards were paid by (R-095, or O-39 for house jackpots)."""
    awards = [step.rule for step in (one, other) if part_of(step) is Part.AWARD]
    return tuple(dict.fromkeys([*(awards if len(awards) > 1 else ()), *numbers]))


def earlier_steps(rules: Rules, steps: Sequence[Step]) -> tuple[frozenset[int], ...]:
    """For each step the places of those that must be done before it."""
    parts = [part_of(step) for step in steps]

    def must_wait(place: int, before: int) -> bool:
        opening = _BY_PARTS.get((parts[before], parts[place]))
        return opening is None or not opening.condition(rules, steps[before], steps[place])

    return tuple(
        frozenset(before for before in range(place) if must_wait(place, before))
        for place in range(len(steps))
    )


# --- what is prescribed, and why --------------------------------------------------------------


@record(frozen=True, slots=True)
class Reason:
    """Why a step has to come before another."""

    numbers: tuple[str, ...]
    sentence: str


@record(frozen=True, slots=True)
class _Why:
    sentence: str
    spanish: str
    super_fun: str = "R-120"
    standard: str = "O-01"


_TAKEN = _Why("The Bonus Cards stay until Up Card and Bonus Card wagers are settled.", "R-028")
_PLAYED_OUT = _Why("The round is played out before a Super Bonus is paid.", "R-072")
_WHY: dict[Part, _Why] = {
    Part.CLOSE: _Why("Wagers are closed before the first card.", "R-102"),
    Part.DEAL: _Why(
        "The initial cards are dealt first, one to each spot in turn from your left.",
        "R-026, O-04",
        "R-104, O-04",
        "O-04",
    ),
    Part.BONUS_CARDS: _Why(
        "Bonus Cards are dealt after all initial cards, in number order.", "R-019, R-027"
    ),
    Part.UP_WAGER: _Why(
        "Up Card wagers are settled first, right after the deal and before the base game.", "R-079"
    ),
    Part.BONUS_WAGER: _Why("Bonus Card wagers are settled before the base game.", "R-080"),
    Part.FIXED_LINE: _Why("Fixed jackpot pays are made before the base game.", "R-096"),
    Part.LOCK: _Why("The Bonus Cards are locked up before the base game begins.", "R-028"),
    Part.SUPERVISOR: _Why(
        "You stop and call the floor person, who watches the third card, before you go on.", "R-072"
    ),
    Part.ASK_BLACKJACKS: _Why(
        "Who has a blackjack may keep it to double: ask before you pay or go on.", "R-032", "R-106"
    ),
    Part.BLACKJACK: _Why("A blackjack is paid at once, before any other play.", "R-030", "R-115"),
    Part.INSURANCE: _Why(
        "With an ace up insurance is offered before you look.", "R-031, R-034", "R-116, R-120"
    ),
    Part.AWAY: _Why("A paid blackjack without insurance goes before you look.", "R-031"),
    Part.LOOK: _Why(
        "With an ace or a ten-valued card up you look for blackjack before the players act.",
        "R-033, R-037",
        "R-109, R-120",
    ),
    Part.AFTER_LOOK: _Why(
        "What the look decided is settled first: insurance, and hands that are over.",
        "R-034, R-035",
        "R-116, R-120",
    ),
    Part.PLAY: _Why(
        "All players act before your down card is exposed.", "R-077, R-102", "R-117, R-120"
    ),
    Part.EXPOSE: _Why(
        "The down card is exposed before anything else of it is settled.",
        "R-077",
        "R-117, R-120",
    ),
    Part.DRAW: _Why(
        "Your own hand is complete before hands are compared.", "R-077", "R-117, R-120"
    ),
    Part.HAND: _Why("The hands that remain are settled first.", "R-078, R-102", "R-120"),
    Part.DOWN_WAGER: _Why("Down Card wagers are settled with the base game.", "R-081"),
    Part.DOWN_LINE: _Why("Jackpot lines with the down card are paid with the base game.", "D-25"),
    Part.AWARD: _Why("Awards of the jackpots are paid before the round ends.", "R-096"),
    Part.SUPER: _Why("Super Bonuses are paid before the Envy Bonuses.", "R-072, R-076"),
    Part.ENVY: _Why("Envy Bonuses are paid before the cards are collected.", "R-073, R-102"),
}
_WHY_BEFORE: dict[tuple[Part, Part], _Why] = {
    (Part.UP_WAGER, Part.LOCK): _TAKEN,
    (Part.BONUS_WAGER, Part.LOCK): _TAKEN,
    (Part.BLACKJACK, Part.INSURANCE): _Why(
        "With an ace up blackjacks are paid before insurance is offered.", "R-031"
    ),
    (Part.BLACKJACK, Part.LOOK): _Why(
        "Blackjacks are paid before you look at the down card.", "R-030, R-031", "R-115, R-120"
    ),
    (Part.INSURANCE, Part.BLACKJACK): _Why(
        "With an ace up insurance is offered before blackjacks are paid.", "R-034", "R-115, R-120"
    ),
    (Part.PLAY, Part.PLAY): _Why(
        "Hands act in turn from your left, each to its end, and what it wins or loses at once is "
        "settled at once.",
        "R-102, O-30",
        "R-120, O-30",
        "O-30",
    ),
    (Part.DRAW, Part.DOWN_WAGER): _Why(
        "Down Card wagers are settled with the base game, when your hand is complete.", "R-081"
    ),
    (Part.HAND, Part.AWARD): _Why("Shares of a meter are paid after the base game.", "R-096"),
    (Part.AFTER_LOOK, Part.AWARD): _Why("Shares of a meter are paid after the base game.", "R-096"),
    (Part.DOWN_LINE, Part.AWARD): _Why(
        "A wager's fixed lines are paid before its share of the meter.", "R-096"
    ),
    (Part.AWARD, Part.AWARD): _Why(
        "Awards go from your left: each is taken off the meter before the next is worked out.",
        "R-095",
    ),
    **{
        (part, bonus): _PLAYED_OUT
        for part in (Part.HAND, Part.DOWN_WAGER, Part.DOWN_LINE)
        for bonus in (Part.SUPER, Part.ENVY)
    },
}


def why(rules: Rules, earlier: Step, later: Step) -> Reason:
    """The rule by which one step has to come before another."""
    parts = part_of(earlier), part_of(later)
    reason = why_first(rules, *parts)
    if parts == (Part.AWARD, Part.AWARD) and earlier.meter is None:
        return _why_house_awards(rules, earlier)
    if parts[0] is Part.PLAY and earlier.rule:  # a 21 is paid at once, a bust taken
        own = earlier.rule.split(", ")
        return Reason(tuple(dict.fromkeys([*own, *reason.numbers])), reason.sentence)
    return reason


def _why_house_awards(rules: Rules, award: Step) -> Reason:
    assert award.wager is not None
    winners = rules.jackpots[award.wager.game - 1].winners
    sentence = {
        Winners.EACH_IN_FULL: "Awards are paid from your left, each with its full share of the "
        "posted amount.",
        Winners.IN_SEQUENCE: "Awards are paid from your left, each from what the one before it "
        "left.",
    }[winners]
    return Reason((award.rule,), sentence)


def why_first(rules: Rules, earlier: Part, later: Part | None = None) -> Reason:
    """The same of parts of a round: before this other one, or before all that follows."""
    found = _WHY_BEFORE.get((earlier, later)) if later else None
    found = found or _WHY[earlier]
    numbers = cite(rules, found.spanish, found.super_fun, found.standard).split(", ")
    return Reason(tuple(numbers), document_words(rules, found.sentence))
