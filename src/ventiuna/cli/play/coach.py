"""The coach at the terminal table: the best play when asked, and what mistakes cost at the end.

Analysis is imported when it is needed: most people start to play without it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ventiuna.engine import EVERYONE, RoundState, view
from ventiuna.engine.events import Event
from ventiuna.rules import Rules
from ventiuna.table.session import Session

if TYPE_CHECKING:
    from ventiuna.analysis.coaching import Advice
    from ventiuna.analysis.coaching.made import Priced

ROUNDS_REVIEWED = 200  # a second or two of analysis
LEAST_COST = 0.5  # cents: less would be shown as $0.00
RESHUFFLED = (
    "The discards were reshuffled, so the cards left in the shoe aren't known. "
    "The coach is back after the next full shuffle."
)
_VERBS = {"take": "take the payout", "keep": "keep the blackjack", "decline": "decline insurance"}
_DONE = {
    "stand": "stood",
    "double": "doubled",
    "double-double": "double-doubled",
    "surrender": "surrendered",
    "rescue": "rescued",
    "insure": "took insurance",
    "decline": "declined insurance",
    "take": "took the payout",
    "keep": "kept the blackjack",
}


class _Round(NamedTuple):
    """A finished round and everything its player knew at the start."""

    number: int
    events: tuple[Event, ...]
    meters: list[tuple[int, int]]
    spots: tuple[int, ...]
    seen_before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that cost at least a cent on average."""

    round: int
    cards: tuple[int, ...]
    up: int
    done: str
    best: str
    cents: float

    @property
    def sentence(self) -> str:
        """`you stood; best: hit`"""
        best = _verb(self.best).removesuffix(" insurance")
        return f"you {_DONE.get(self.done, self.done)}; best: {best}"


@dataclass(frozen=True, slots=True)
class Review:
    """The decisions of a session, the costliest mistakes first."""

    decisions: int
    mistakes: tuple[Mistake, ...]

    @property
    def cents(self) -> float:
        return sum(mistake.cents for mistake in self.mistakes)


class Coach:
    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._rounds: deque[_Round] = deque(maxlen=ROUNDS_REVIEWED)

    def advice(self, session: Session, affordable: Iterable[str]) -> list[str]:
        """The best answer to the current prompt, the reason, and the cards it is based on."""
        seen_before = session.seen_before
        if seen_before is None:
            return [RESHUFFLED]
        from ventiuna.analysis.coaching import advise, coached_hand

        advice = advise(coached_hand(self._rules, view(session.state, EVERYONE), seen_before))
        return _sentences(advice, set(affordable))

    def remember(self, session: Session) -> None:
        """Keep a finished round for the review."""
        seen_before = session.seen_before
        if seen_before is not None:
            spots = tuple(spot.number for spot in session.state.order)
            played = _Round(
                session.rounds, tuple(session.events), session.meters_before, spots, seen_before
            )
            self._rounds.append(played)

    def review(self) -> Review:
        """Price every decision by the cards that were unseen when it was made."""
        if not self._rounds:
            return Review(0, ())
        priced = [(played.number, one) for played in self._rounds for one in self._priced(played)]
        mistakes = [_mistake(number, one) for number, one in priced if one.cents >= LEAST_COST]
        mistakes.sort(key=lambda mistake: -mistake.cents)
        return Review(len(priced), tuple(mistakes))

    def _priced(self, played: _Round) -> list[Priced]:
        from ventiuna.analysis.coaching.made import decisions_of, price

        start = RoundState(self._rules, played.meters)
        made = decisions_of(start, self._rules, played.events, played.spots, played.seen_before)
        return [one for one in map(price, made) if one is not None]


def _sentences(advice: Advice, affordable: set[str]) -> list[str]:
    shoe, fresh = advice.shoe, advice.fresh
    if not shoe.choices:
        return [shoe.why]
    best = shoe.choices[0].action
    lines = [f"Best play: {_verb(best)}.", shoe.why]
    if affordable and best not in affordable:
        instead = next(one.action for one in shoe.choices if one.action in affordable)
        lines.append(f"Your chips don't cover that. The next best play is to {_verb(instead)}.")
    basis = f"These values are exact for the {shoe.unseen} cards you haven't seen."
    if fresh.choices and fresh.choices[0].action != best:
        basis += f" With a full shoe, the best play would be to {_verb(fresh.choices[0].action)}."
    return [*lines, basis]


def _verb(action: str) -> str:
    return _VERBS.get(action, action)


def _mistake(number: int, priced: Priced) -> Mistake:
    hand = priced.made.coached.hand
    return Mistake(number, hand.cards, hand.up, priced.made.done, priced.best, priced.cents)
