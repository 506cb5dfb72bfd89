"""A table event by event, as it is told and shown: plain data for JSON, the same for everybody.

A sentence is told in the third person and, under `you`, to the person whom it is about: whoever
shows it chooses. What an event leaves on the felt is written in words as well, so that nobody
needs a rule to show a total. What is hidden stays hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ventiuna.engine import events as round_events
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import CardDealt, DownCardExposed, Place, WagerSettled
from ventiuna.engine.records import Data
from ventiuna.engine.sentences import CardStyle, Sentence
from ventiuna.engine.sentences.parts import capital
from ventiuna.engine.sentences.payments import odds_words, reason_words
from ventiuna.engine.sentences.point_of_view import PointOfView
from ventiuna.engine.sentences.teller import wager_words
from ventiuna.engine.sentences.words import Words, count_words, dealer_words, hand_words
from ventiuna.engine.stakes import Wager, WagerKind
from ventiuna.engine.state import RoundState, Spot
from ventiuna.rules import Rules
from ventiuna.rules.words.facts import dollars
from ventiuna.table import events as ev
from ventiuna.table.events import TableEvent
from ventiuna.table.play.state import TableState
from ventiuna.table.telling.sentences import TableTeller

_CITED = re.compile(r" \(([RDO]-[0-9]{2,3})\)")
MINUS = "\N{MINUS SIGN}"
# Events after which a hand's words or its spot's money are others.
_CHANGES_HAND = (
    round_events.HandStood,
    round_events.HandDoubled,
    round_events.HandSplit,
    round_events.BlackjackKept,
)
_CHANGES_MONEY = (
    round_events.WagersPlaced,
    round_events.InsurancePlaced,
    round_events.HandDoubled,
    round_events.HandSplit,
    WagerSettled,
)


class Shown(NamedTuple):
    """One event: its sentence, and what it left on the felt."""

    told: Data | None
    after: Data | None


class Telling:
    """Follows a table from anywhere between two of its events."""

    def __init__(
        self,
        rules: Rules,
        names: Mapping[str, str],
        seats: Mapping[int, str],
        round_: RoundState | None = None,
        chips: Chips | None = None,
    ) -> None:
        self._teller = TableTeller(rules, PointOfView(names=names, money=dollars), seats, round_)
        self._chips = chips.copy() if chips else Chips()

    @classmethod
    def at(cls, state: TableState) -> Telling:
        """From where this table stands."""
        return cls(
            state.rules,
            {seat.person: seat.name for seat in state.seats.values()},
            {seat.number: seat.person for seat in state.seats.values()},
            state.round,
            state.chips,
        )

    def show(self, event: TableEvent) -> Shown:
        told = self._teller.tell_both(event)
        if isinstance(event, ev.OwnEvent):
            if isinstance(event, ev.RoundOpened):
                self._chips = Chips()
            if isinstance(event, ev.RoundClosed):
                return Shown(self._closing(event), None)
        else:
            self._chips.add(event)
        if told.sentence is None:
            return Shown(None, self._after(event))
        data = sentence_data(told.sentence)
        if told.own is not None:
            data["you"] = {told.person: words_data(told.own)}
        if isinstance(event, WagerSettled):
            data["payment"] = payment_data(event)
        return Shown(data, self._after(event))

    def follow(self, event: TableEvent) -> None:
        """An event that nobody is told, but that later ones speak of."""
        self._teller.follow(event)
        if isinstance(event, ev.RoundOpened):
            self._chips = Chips()
        elif not isinstance(event, ev.OwnEvent):
            self._chips.add(event)

    def show_all(self, events: Iterable[TableEvent]) -> list[Shown]:
        return [self.show(event) for event in events]

    def _closing(self, event: ev.RoundClosed) -> Data:
        """The end of a round, to each of its players with what came of it."""
        over = f"Round {event.number} is over"
        results: dict[str, int] = {}
        played = self._teller.round
        for spot in played.order if played else ():
            if spot.person:
                gained = self._chips.spots.get(spot.number, 0)
                results[spot.person] = results.get(spot.person, 0) + gained
        data: Data = {"text": f"{over}."}
        if results:
            data["you"] = {
                person: {"text": f"{over}: {_result_words(net)}."}
                for person, net in results.items()
            }
        return data

    # --- what an event leaves on the felt ---

    def _after(self, event: TableEvent) -> Data | None:
        played = self._teller.round
        if played is None or isinstance(event, ev.OwnEvent):
            return None
        after: Data = {}
        if hands := self._hands_after(played, event):
            after["hands"] = hands
        if isinstance(event, _CHANGES_MONEY):
            after["money"] = spot_money(self._chips, event.spot)
        shows_dealer = isinstance(event, CardDealt) and event.place in (Place.UP, Place.DEALER)
        if shows_dealer or isinstance(event, DownCardExposed):
            words = dealer_words(played)
            assert words is not None, "a dealer's card that lies nowhere"
            after["dealer"] = plain_words(words)
        return after or None

    def _hands_after(self, played: RoundState, event: round_events.Event) -> list[Data]:
        if isinstance(event, CardDealt):
            if event.place is not Place.PLAYER:
                return []
        elif isinstance(event, WagerSettled):
            if event.wager is not Wager.HAND:
                return []
        elif not isinstance(event, _CHANGES_HAND):
            return []
        spot = played.spots[event.spot]
        first = getattr(event, "hand", 0)
        changed = range(first, len(spot.hands)) if _is_split(event) else (first,)
        return [
            {"spot": spot.number, "hand": index, **hand_data(played, spot, index)}
            for index in changed
        ]


def _is_split(event: TableEvent) -> bool:
    """The hands behind a split one move on by one place."""
    return isinstance(event, round_events.HandSplit)


def hand_data(played: RoundState, spot: Spot, index: int) -> Data:
    """What a hand counts, and how it stands."""
    hand = spot.hands[index]
    return {"count": count_words(hand), "words": hand_words(played, spot, hand)}


def spot_money(chips: Chips, spot: int) -> Data:
    """Chips that still ride on a spot, and what came of those that don't."""
    return {"spot": spot, **money_data(chips, spot)}


def money_data(chips: Chips, spot: int) -> Data:
    riding = chips.riding(spot)
    in_play = chips.stake_of(spot, Wager.HAND) + sum(riding.values())
    return {
        "in_play": in_play,
        "net": chips.spots.get(spot, 0) + in_play,
        "riding": {str(wager): cents for wager, cents in riding.items()},
    }


# --- sentences --------------------------------------------------------------------------------


def sentence_data(sentence: Sentence) -> Data:
    """The numbers of rules stand beside the words: who shows them shows them smaller."""
    data = words_data(sentence)
    text = sentence.text()
    if "(" in text and (rules := _CITED.findall(text)):
        data["rules"] = rules
    if sentence.strong:
        data["strong"] = True
    return data


def words_data(sentence: Sentence) -> Data:
    """`spoken` only where it is another text: cards in words."""
    data: Data = {"text": _without_rules(sentence.text())}
    if sentence.has_cards:
        data["spoken"] = _without_rules(sentence.text(CardStyle.WORDS))
    return data


def _without_rules(text: str) -> str:
    return _CITED.sub("", text) if "(" in text else text


def plain_words(words: Words) -> Data:
    return (
        {"text": words.text}
        if words.text == words.spoken
        else {"text": words.text, "spoken": words.spoken}
    )


def _result_words(net: int) -> str:
    if net == 0:
        return "you come out even"
    return f"you {'win' if net > 0 else 'lose'} {dollars(abs(net))}"


# --- payments ---------------------------------------------------------------------------------


def payment_data(event: WagerSettled) -> Data:
    """A payment as it is written at its wager."""
    return {
        "wager": str(event.wager),
        "title": _title(event.wager),
        "spot": event.spot,
        "hand": event.hand if event.wager is Wager.HAND else None,
        "stake": event.stake,
        "paid": event.paid,
        "net": event.net,
        "odds": odds_words(event.odds),
        "reason": reason_words(event.reason),
        "rule": event.rule,
        "tag": _tag(event),
        "amount": _signed(event.net),
    }


def _title(wager: Wager) -> str:
    return "Hand" if wager is Wager.HAND else wager_words(wager)


def _tag(event: WagerSettled) -> str:
    """`Bonus Card 3: 4 to 1 twice`, `6-7-8 of mixed suits, 3 to 2`, `20 against 19`."""
    if event.wager is Wager.HAND:
        if event.net > 0 and event.odds and event.odds != "even money":
            return capital(f"{event.reason}, {event.odds}")
        return capital(event.reason)
    title = _title(event.wager)
    if event.wager.kind is WagerKind.MTD:
        return f"{title}: {odds_words(event.odds) if event.net > 0 else event.reason}"
    if event.wager.is_free or event.wager.game:
        return f"{title}: {event.reason}" if event.reason else title
    return f"{title}: {event.odds if event.net > 0 else event.reason}"


def _signed(net: int) -> str:
    if net == 0:
        return "push"
    return f"{'+' if net > 0 else MINUS}{dollars(abs(net))}"
