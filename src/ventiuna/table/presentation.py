"""Presents a table to people: events and prompts as sentences, and views as plain data for JSON.

All players' cards are face up, so players and spectators get the same view. The engine's view hides
the down card. Cards in the shoe, seeds, and salts never appear here, and only the owner sees a
wallet.

Each sentence is in the third person. A second version under `you` addresses the person it
describes, and the client chooses between them. Changes on the felt are also described in words, so
a client can show a total without knowing the rules. A formatter can start when a round opens or at
any time between rounds. It uses the names that people had when they took their seats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from ventiuna.engine import events as round_events
from ventiuna.engine.chips import Chips
from ventiuna.engine.codec import Data
from ventiuna.engine.events import (
    CardDealt,
    DownCardExposed,
    HandDoubled,
    HandRemoved,
    Place,
    Wager,
    WagerKind,
    WagerSettled,
    WagersPlaced,
)
from ventiuna.engine.messages import SILENT_EVENTS as SILENT_ROUND_EVENTS
from ventiuna.engine.messages import (
    SPECTATOR,
    CardStyle,
    EventFormatter,
    PointOfView,
    Sentence,
    SpokenText,
    capitalize_first,
    count_words,
    dealer_words,
    hand_words,
    odds_words,
    rank_with_article,
    reason_words,
    third_person,
    wager_title,
)
from ventiuna.engine.options import (
    CLOSE,
    TAKE,
    ActionOption,
    AnswerOption,
    InsuranceOption,
    Option,
    options,
)
from ventiuna.engine.prompts import PAYMENTS, THIRD_CARD, SupervisorWanted, WagersWanted
from ventiuna.engine.state import RoundState, Spot
from ventiuna.engine.views import (
    EVERYONE,
    dealer_cards,
    option_data,
    record_data,
    redact,
    spot_data,
    spot_view,
)
from ventiuna.engine.wagers import refused_wager, wager_options
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.rules.text.phrases import dollars, headline, join_words, limits_words
from ventiuna.rules.text.procedure import floor_person
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.commands import event_data, event_texts
from ventiuna.table.domain.events import AskKind, TableEvent
from ventiuna.table.domain.flow import jackpot_refusal
from ventiuna.table.domain.state import Ask, Seat, TableState, meters_at
from ventiuna.table.fairness import LiveShoe
from ventiuna.table.ledger import Canonical

# Events that change nothing visible, and events that another sentence already covers.
SILENT_EVENTS: frozenset[type[ev.OwnEvent]] = frozenset(
    {
        ev.SeatReady,
        ev.ReserveRaised,  # hidden: a cent or two of each wager
        ev.RoundClosed,  # the round's last sentences already cover this
        ev.AlarmRaised,  # for the floor, which has its own page
        ev.AlarmAcknowledged,
    }
)


_NAMES_PERSON = (ev.SeatTaken, WagersPlaced, ev.AwardHeld, ev.AwardHandPaid, ev.RoundCorrected)


class EventMessage(NamedTuple):
    """The sentence for an event, and the version addressed to its subject."""

    sentence: Sentence | None
    person: str = ""
    own: Sentence | None = None


class TableEventFormatter:
    """Formats a table's events in order, from one person's point of view."""

    def __init__(
        self,
        rules: Rules,
        point_of_view: PointOfView = SPECTATOR,
        seats: Mapping[int, str] | None = None,  # person by seat
        round_: RoundState | None = None,  # the open round, when starting in the middle of one
    ) -> None:
        self._rules = rules
        self._names = dict(point_of_view.names)
        self._view = PointOfView(
            point_of_view.you, self._names, point_of_view.viewer, point_of_view.money
        )
        self._seats = dict(seats or {})
        self._views = {self._view.you: self._view}  # views by person, filled on demand
        self._round = EventFormatter(round_, self._view) if round_ else None

    def format(self, event: TableEvent) -> Sentence | None:
        """Return the sentence for the event, or None if there is nothing to say."""
        return self._format_for(event, (self._view,))[0]

    def format_both(self, event: TableEvent) -> EventMessage:
        """Return the sentence for everyone and the sentence for the event's subject."""
        person = self._whom(event)
        if not person:
            return EventMessage(self.format(event))
        sentence, own = self._format_for(event, (self._view, self._view_of(person)))
        return EventMessage(sentence, person, own)

    def follow(self, event: TableEvent) -> None:
        """Update the state for an event without producing a sentence."""
        self._format_for(event, ())

    @property
    def round(self) -> RoundState | None:
        """The current round after the last event, including the down card."""
        return self._round.state if self._round else None

    def _whom(self, event: TableEvent) -> str:
        """Return the event's subject; empty if the event is about nobody or several people."""
        if isinstance(event, _NAMES_PERSON):
            return event.person
        if seat := getattr(event, "seat", 0):
            return self._seats.get(seat, "")
        spot = getattr(event, "spot", 0)
        return self._round.state.spots[spot].person if spot and self._round else ""

    def _format_for(
        self, event: TableEvent, views: Sequence[PointOfView]
    ) -> Sequence[Sentence | None]:
        if not isinstance(event, ev.OwnEvent):
            assert self._round is not None, "a round's events come after its opening"
            return self._round.format_for(event, views)
        if isinstance(event, ev.SeatTaken):
            self._seats[event.seat] = event.person
            self._names[event.person] = event.name
        elif isinstance(event, ev.RoundOpened):
            meters = meters_at(self._rules, event)
            round_ = RoundState(self._rules, meters, supervised=event.supervised)
            self._round = EventFormatter(round_, self._view)
        say = _SENTENCES.get(type(event))
        if say is None:
            template = getattr(event, "sentence", "")
            strong = getattr(event, "is_strong", False)
            talk = _TALK.get(type(event))
            found = Sentence((template.format(event=event),), strong, talk) if template else None
            return [found] * len(views)
        sentences: list[Sentence | None] = []
        default = self._view
        for view in views:
            self._view = view
            sentences.append(say(self, event))
        self._view = default
        if isinstance(event, ev.SeatLeft):
            self._seats.pop(event.seat, None)
        return sentences

    def _view_of(self, person: str) -> PointOfView:
        view = self._views.get(person)
        if view is None:
            default = self._view
            view = PointOfView(person, default.names, default.viewer, default.money)
            self._views[person] = view
        return view

    def _opened(self, event: ev.TableOpened) -> Sentence:
        game = headline(self._rules)
        return Sentence(
            (f"The table {event.name} opens: {game} ({canonical(self._rules)}).",),
            talk="Welcome to the table.",
        )

    def _dropped(self, event: ev.BankDropped) -> Sentence:
        amount = self._view.money(abs(event.amount))
        text = f"The bank's result of {amount} goes to the house."
        if event.amount < 0:
            text = f"The house covers the bank's shortfall of {amount}."
        return Sentence((text,), talk="")

    def _chosen(self, event: ev.SpotsChosen) -> Sentence:
        if not event.spots:
            return self._does(event.seat, "play no spots")
        word = "spot" if len(event.spots) == 1 else "spots"
        return self._does(event.seat, f"play {word} {join_words(list(map(str, event.spots)))}")

    def _bought(self, event: ev.ChipsBought) -> Sentence:
        return self._does(event.seat, f"buy chips for {self._view.money(event.amount)}")

    def _cashed_out(self, event: ev.ChipsCashedOut) -> Sentence:
        return self._does(event.seat, f"cash out {self._view.money(event.amount)}")

    def _shoe_cut(self, event: ev.ShoeCut) -> Sentence:
        withheld = ""
        if event.withheld:
            names = join_words([self._name(seat) for seat in event.withheld])
            withheld = f"; {names} did not open their committed cuts"
        talk = None if withheld else "The shoe is cut."
        return Sentence((f"Shoe {event.shoe} is cut and in play{withheld}.",), talk=talk)

    def _asked(self, event: ev.AskRaised) -> Sentence | None:
        if event.kind is AskKind.CUT_COMMIT:
            return Sentence(("Players may cut the next shoe.",), talk="")
        if event.kind is AskKind.SUPERVISOR and event.task == PAYMENTS:
            return Sentence(
                (f"The dealer calls the {floor_person(self._rules)} to authorize the payments.",),
                strong=True,
            )
        return None  # clients show the prompt, and the answer gets its own sentence

    def _award_held(self, event: ev.AwardHeld) -> Sentence:
        amount = self._view.money(event.amount)
        held = f"award of {amount} will be paid by hand, away from the table (R-122)"
        return Sentence((f"{self._whose(event.person)} {held}.",), strong=True)

    def _award_hand_paid(self, event: ev.AwardHandPaid) -> Sentence:
        amount = self._view.money(event.amount)
        whose = self._whose(event.person)
        return Sentence((f"{whose} award of {amount} was paid by hand (R-122).",), strong=True)

    def _round_corrected(self, event: ev.RoundCorrected) -> Sentence:
        money = self._view.money
        whose = self._whose(event.person).replace("Your", "your").replace("A player", "a player")
        moved = f"{money(abs(event.difference))} is taken from"
        if event.difference > 0:
            moved = f"{money(event.difference)} goes to"
        why = f"{event.rule}; {event.reason}" if event.reason else event.rule
        text = (
            f"Round {event.round_number} is corrected: it paid {money(event.paid_before)} to spot "
            f"{event.spot} and should have paid {money(event.paid)} ({why}). {moved} {whose} "
            "balance."
        )
        return Sentence((text,), strong=True)

    def _whose(self, person: str) -> str:
        if self._view.you and person == self._view.you:
            return "Your"
        return f"{self._names.get(person) or 'A player'}'s"

    def _does(self, seat: int, verb: str) -> Sentence:
        if self._view.you and self._seats.get(seat) == self._view.you:
            return _sentence(f"You {verb}.")
        return _sentence(f"{capitalize_first(self._name(seat))} {third_person(verb)}.")

    def _name(self, seat: int) -> str:
        person = self._seats.get(seat, "")
        return self._names.get(person, person) or f"seat {seat}"


def _sentence(text: str) -> Sentence:
    return Sentence((text,))


EventSentence = Callable[[TableEventFormatter, Any], Sentence | None]


def _seat_sentence(verb: str, talk: str | None = None) -> EventSentence:
    def say(formatter: TableEventFormatter, event: Any) -> Sentence:
        found = formatter._does(event.seat, verb.format(event=event))
        return found if talk is None else replace(found, talk=talk)

    return say


# What a dealer says instead of an event's own sentence. Commitments and seeds are for auditors.
_TALK: dict[type[ev.OwnEvent], str] = {
    ev.ShoeCommitted: "",
    ev.CutsListed: "",
    ev.ShoeRevealed: "That was the last round of this shoe.",
    ev.RoundOpened: "Place your bets.",
    ev.JackpotLinked: "",
    ev.JackpotUnlinked: "",
}


_SENTENCES: dict[type[ev.OwnEvent], EventSentence] = {
    ev.TableOpened: TableEventFormatter._opened,
    ev.BankDropped: TableEventFormatter._dropped,
    ev.SeatTaken: _seat_sentence("take seat {event.seat}"),
    ev.SpotsChosen: TableEventFormatter._chosen,
    ev.ChipsBought: TableEventFormatter._bought,
    ev.ChipsCashedOut: TableEventFormatter._cashed_out,
    ev.SeatAway: _seat_sentence("are away"),
    ev.SeatBack: _seat_sentence("are back"),
    ev.SeatLeaving: _seat_sentence("leave after this round"),
    ev.SeatLeft: _seat_sentence("leave seat {event.seat}"),
    ev.CutCommitted: _seat_sentence("commit a cut", talk=""),
    ev.CutOpened: _seat_sentence("open the cut", talk=""),
    ev.ShoeCut: TableEventFormatter._shoe_cut,
    ev.AskRaised: TableEventFormatter._asked,
    ev.AwardHeld: TableEventFormatter._award_held,
    ev.AwardHandPaid: TableEventFormatter._award_hand_paid,
    ev.RoundCorrected: TableEventFormatter._round_corrected,
}


_CITED_RULE = re.compile(r" \(([RDO]-[0-9]{2,3})\)")
MINUS = "\N{MINUS SIGN}"
# Events that change a hand's description or a spot's money.
_CHANGES_HAND = (
    round_events.HandStood,
    HandDoubled,
    round_events.HandSplit,
    round_events.BlackjackKept,
)
_CHANGES_MONEY = (
    round_events.WagersPlaced,
    round_events.InsurancePlaced,
    HandDoubled,
    round_events.HandSplit,
    WagerSettled,
)


class PresentedEvent(NamedTuple):
    """An event's sentence, and the changes it made on the felt."""

    message: Data | None
    after: Data | None


_NOTHING = PresentedEvent(None, None)
_UNSEEN_EVENTS = (SILENT_EVENTS - {ev.RoundClosed}) | (SILENT_ROUND_EVENTS - {HandDoubled})


class EventPresenter:
    """Presents a table's events, starting between any two of them."""

    def __init__(
        self,
        rules: Rules,
        names: Mapping[str, str],
        seats: Mapping[int, str],
        round_: RoundState | None = None,
        chips: Chips | None = None,
    ) -> None:
        self._formatter = TableEventFormatter(
            rules, PointOfView(names=names, money=dollars), seats, round_
        )
        self._chips = chips.copy() if chips else Chips()

    @classmethod
    def at(cls, state: TableState) -> EventPresenter:
        """Start from the current state of this table."""
        return cls(
            state.rules,
            {seat.person: seat.name for seat in state.seats.values()},
            {seat.number: seat.person for seat in state.seats.values()},
            state.round,
            state.chips,
        )

    def show(self, event: TableEvent) -> PresentedEvent:
        if type(event) in _UNSEEN_EVENTS:
            self.follow(event)
            return _NOTHING
        message = self._formatter.format_both(event)
        after = None
        if not isinstance(event, ev.OwnEvent):
            self._chips.add(event)
            after = self._after(event)
        elif isinstance(event, ev.RoundOpened):
            self._chips = Chips()
        elif isinstance(event, ev.RoundClosed):
            return PresentedEvent(self._closing(event), None)
        if message.sentence is None:
            return PresentedEvent(None, after)
        data = sentence_data(message.sentence)
        if message.own is not None:
            data["you"] = {message.person: words_data(message.own)}
        if isinstance(event, WagerSettled):
            data["payment"] = payment_data(event)
        return PresentedEvent(data, after)

    def follow(self, event: TableEvent) -> None:
        """Update the state for an event that isn't presented but affects later events."""
        self._formatter.follow(event)
        if isinstance(event, ev.RoundOpened):
            self._chips = Chips()
        elif not isinstance(event, ev.OwnEvent):
            self._chips.add(event)

    def show_all(self, events: Iterable[TableEvent]) -> list[PresentedEvent]:
        return [self.show(event) for event in events]

    def _closing(self, event: ev.RoundClosed) -> Data:
        """Report the end of a round, with each player's own result."""
        over = f"Round {event.number} is over"
        results: dict[str, int] = {}
        played = self._formatter.round
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

    def _after(self, event: round_events.Event) -> Data | None:
        played = self._formatter.round
        assert played is not None, "an event of a round"
        after: Data = {}
        if hands := self._hands_after(played, event):
            after["hands"] = hands
        if isinstance(event, _CHANGES_MONEY):
            after["money"] = {"spot": event.spot, **money_data(self._chips, event.spot)}
        shows_dealer = isinstance(event, CardDealt) and event.place in (Place.UP, Place.DEALER)
        if shows_dealer or isinstance(event, DownCardExposed):
            words = dealer_words(played)
            assert words is not None, "a dealer's card is on the felt"
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
        # A split moves all later hands over by one.
        is_split = isinstance(event, round_events.HandSplit)
        changed = range(first, len(spot.hands)) if is_split else (first,)
        return [
            {"spot": spot.number, "hand": index, **hand_data(played, spot, index)}
            for index in changed
        ]


def hand_data(played: RoundState, spot: Spot, index: int) -> Data:
    """A hand's count, and its status in words."""
    hand = spot.hands[index]
    return {"count": count_words(hand), "words": hand_words(played, spot, hand)}


def money_data(chips: Chips, spot: int) -> Data:
    """Chips still riding on a spot, and the net result of its settled wagers."""
    riding = chips.riding(spot)
    in_play = chips.stake_of(spot, Wager.HAND) + sum(riding.values())
    return {
        "in_play": in_play,
        "net": chips.spots.get(spot, 0) + in_play,
        "riding": {str(wager): cents for wager, cents in riding.items()},
    }


def sentence_data(sentence: Sentence) -> Data:
    """The sentence as data; rule numbers are separate so that clients can show them smaller."""
    data = words_data(sentence)
    words = [part for part in sentence.parts if isinstance(part, str) and "(" in part]
    if rules := [rule for part in words for rule in _CITED_RULE.findall(part)]:
        data["rules"] = rules
    if sentence.strong:
        data["strong"] = True
    return data


def words_data(sentence: Sentence) -> Data:
    """The sentence's text, plus `spoken` with cards in words and `talk` if they differ."""
    data: Data = {"text": _without_rules(sentence.text())}
    if sentence.has_cards:
        data["spoken"] = _without_rules(sentence.text(CardStyle.WORDS))
    if sentence.talk is not None:
        data["talk"] = sentence.talk
    return data


def _without_rules(text: str) -> str:
    return _CITED_RULE.sub("", text) if "(" in text else text


def plain_words(words: SpokenText) -> Data:
    if words.text == words.spoken:
        return {"text": words.text}
    return {"text": words.text, "spoken": words.spoken}


def _result_words(net: int) -> str:
    if net == 0:
        return "you break even"
    return f"you {'win' if net > 0 else 'lose'} {dollars(abs(net))}"


def payment_data(event: WagerSettled) -> Data:
    """A payment, as displayed next to its wager."""
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
    return "Hand" if wager is Wager.HAND else wager_title(wager)


def _tag(event: WagerSettled) -> str:
    """A label such as `Bonus Card 3: 4 to 1 twice` or `20 against 19`."""
    if event.wager is Wager.HAND:
        if event.net > 0 and event.odds and event.odds != "even money":
            return capitalize_first(f"{event.reason}, {event.odds}")
        return capitalize_first(event.reason)
    title = _title(event.wager)
    if event.wager.kind is WagerKind.MTD:
        return f"{title}: {odds_words(event.odds) if event.net > 0 else event.reason}"
    if event.wager.game and event.net > 0:
        reason = event.reason.removesuffix(", all others")
        return f"{title}: {reason}, {odds_words(event.odds)}"
    if event.wager.is_free or event.wager.game:
        return f"{title}: {reason_words(event.reason)}" if event.reason else title
    return f"{title}: {event.odds if event.net > 0 else event.reason}"


def _signed(net: int) -> str:
    if net == 0:
        return "push"
    return f"{'+' if net > 0 else MINUS}{dollars(abs(net))}"


# The order of the buttons, independent of the action codes.
_ACTION_ORDER = ("hit", "stand", "double", "double-double", "split", "surrender", "rescue")


# The functions below describe a prompt: `short` names the hand and the up card, and the text adds
# the actions.


def _cut_commit(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    you = "You may cut the next shoe."
    everyone = {seat.person: _text_data(you) for seat in state.present}
    return _message("Players may cut the next shoe.", everyone)


def _wagers(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    you = {}
    for seat in state.present:
        spots = state.spots_of(seat.number)
        sentence = "Place your bets." if spots else "Choose a spot to play."
        you[seat.person] = _text_data(sentence)
    return _message("Wagers are open.", you)


def _blackjack(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    odds = state.rules.blackjack_pays.words
    answers = [option for option in options if isinstance(option, AnswerOption)]
    pays = {option.spot: option.pays for option in answers if option.name == TAKE}
    you = {}
    for person, spots in _spots_by_person(state, ask).items():
        amount = sum(pays.get(spot, 0) for spot in spots)  # spots that answered have no option
        paid = f"{dollars(amount)} ({odds})" if amount else odds
        you[person] = _text_data(
            f"Blackjack on {_spots(spots)}: get paid {paid}, or keep it to double."
        )
    names = join_words([_name(state, person) for person in you]) or capitalize_first(
        _spots(list(ask.spots))
    )
    verb = "has" if len(you) < 2 else "have"
    return _message(f"{names} {verb} blackjack: get paid, or keep it to double?", you)


def _insurance(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    maximum = {
        option.spot: option.most for option in options if isinstance(option, InsuranceOption)
    }
    you = {}
    for person, spots in _spots_by_person(state, ask).items():
        each = [
            f"spot {spot} for up to {dollars(maximum[spot])}" for spot in spots if spot in maximum
        ]
        you[person] = _text_data(f"The dealer shows an ace. Insure {join_words(each)}?")
    return _message("The dealer shows an ace and offers insurance.", you)


def _decision(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    assert state.round is not None, "a decision belongs to a round"
    spot = state.round.spots[ask.spots[0]]
    where = f"spot {spot.number}"
    if len(spot.hands) > 1:
        where += f", hand {ask.hand + 1}"
    situation = _situation(state.round, spot.number, ask.hand)
    you: dict[str, Data] = {}
    if spot.person:
        short = _join_around(f"Your turn, {where}: ", situation, ".")
        deeds = capitalize_first(join_words(_actions(state, options), "or"))
        complete = _join_around("", short, f" {deeds}.")
        you[spot.person] = plain_words(complete) | {"short": short.text}
        where = f"{_name(state, spot.person)} to act, {where}"
    sentence = _join_around(f"{capitalize_first(where)}: ", situation, ".")
    return _message(sentence, you)


def _supervisor(state: TableState, ask: Ask, options: tuple[Option, ...]) -> Data:
    """Why the table is waiting, in the same words for everyone, because no player can answer."""
    prompt = state.waiting
    assert isinstance(prompt, SupervisorWanted), "the round waits for a supervisor"
    person = floor_person(state.rules)
    late = "" if ask.kind is AskKind.SUPERVISOR else " or an operator"
    spots = _spots(list(prompt.spots))
    why = (
        f"to watch the third card on {spots}"
        if prompt.task == THIRD_CARD
        else f"to authorize the payments to {spots}"
    )
    return _message(f"The dealer has called the floor: waiting for a {person}{late} {why}.", {})


def _situation(round_: RoundState, spot: int, hand: int) -> SpokenText:
    """The situation in words, such as `14 against a 4`."""
    count = count_words(round_.spots[spot].hands[hand])
    against = rank_with_article(round_.up)
    return SpokenText(f"{count} against {against.text}", f"{count} against {against.spoken}")


def _actions(state: TableState, options: tuple[Option, ...]) -> list[str]:
    """Actions that the player can afford: `hit`, `double for $25`, `rescue for $25 back`."""
    legal = {
        option.name: option
        for option in options
        if isinstance(option, ActionOption)
        and option.legal
        and (
            not option.chips or (option.least_chips or option.chips) <= stack_of(state, option.spot)
        )
    }
    return [_action(legal[name]) for name in _ACTION_ORDER if name in legal]


def _action(option: ActionOption) -> str:
    if option.chips:
        return f"{option.name} for {dollars(option.chips)}"
    return f"{option.name} for {dollars(option.back)} back" if option.back else option.name


def stack_of(state: TableState, spot: int) -> int:
    """The chips of the player on this spot."""
    return state.stack(state.spots[spot]) if spot in state.spots else 0


def _spots_by_person(state: TableState, ask: Ask) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number in ask.spots:
        spot = state.round.spots.get(number) if state.round else None
        if spot is not None and spot.person:
            found.setdefault(spot.person, []).append(number)
    return found


def _spots(spots: list[int]) -> str:
    word = "spot" if len(spots) == 1 else "spots"
    return f"{word} {join_words([str(spot) for spot in spots])}"


def _name(state: TableState, person: str) -> str:
    seat = state.seat_of(person)
    return seat.name if seat else person


def _join_around(before: str, words: SpokenText, behind: str) -> SpokenText:
    return SpokenText(f"{before}{words.text}{behind}", f"{before}{words.spoken}{behind}")


def _text_data(text: str) -> Data:
    return {"text": text}


def _message(words: SpokenText | str, you: dict[str, Data]) -> Data:
    data = _text_data(words) if isinstance(words, str) else plain_words(words)
    if you:
        data["you"] = you
    return data


_PROMPTS: dict[AskKind, Callable[[TableState, Ask, tuple[Option, ...]], Data]] = {
    AskKind.CUT_COMMIT: _cut_commit,
    AskKind.CUT_OPEN: lambda *_: _message("The cuts are being opened.", {}),
    AskKind.WAGERS: _wagers,
    AskKind.BLACKJACK: _blackjack,
    AskKind.INSURANCE: _insurance,
    AskKind.DECISION: _decision,
    AskKind.SUPERVISOR: _supervisor,
    AskKind.SUPERVISOR_LATE: _supervisor,
}


NO_JACKPOTS: frozenset[int] = frozenset()

# Events that may change the view of the shoe.
CHANGES_SHOE: frozenset[type[object]] = frozenset(
    {
        *(ev.ShoeCommitted, ev.CutCommitted, ev.CutOpened, ev.ShoeCut, ev.ShoeRevealed),
        *(ev.ShoeLost, ev.RoundOpened, ev.RoundClosed, ev.SeatLeft),
        *(CardDealt, HandRemoved),
    }
)


def public_event(event: TableEvent) -> Data:
    """An event as clients may see it, without hidden cards."""
    return event_data(_redacted(event))


def public_texts(events: Iterable[TableEvent]) -> list[Canonical]:
    """Encode each event as clients may see it in JSON."""
    return event_texts(map(_redacted, events))


def _redacted(event: TableEvent) -> TableEvent:
    return redact(event, EVERYONE) if isinstance(event, CardDealt) else event


INSPECTION_FIRST = "Two people inspect the decks before the first deal."


def snapshot(state: TableState, suspended: frozenset[int] = NO_JACKPOTS) -> Data:
    """The whole table after event `n`; `suspended` lists jackpots that take no bets."""
    return {
        "n": state.head.events,
        "table": {
            **table_data(state.number, state.name, state.rules, str(state.status)),
            "jackpots": {str(game): link.jackpot for game, link in state.links.items()},
            "waits": INSPECTION_FIRST if state.inspection_text else None,
        },
        "seats": seats_data(state),
        "shoe": shoe_data(state),
        "round": round_data(state),
        "ask": ask_data(state, suspended),
    }


def table_data(number: int, name: str, rules: Rules, status: str) -> Data:
    """A table's name and rules, without the jackpots it feeds."""
    return {
        "id": number,
        "name": name,
        "rules": rules.name,
        "canonical": canonical(rules),
        "fingerprint": fingerprint(rules),
        "game": rules.game.words,
        "headline": headline(rules),
        "limits": limits_words(rules),
        "status": status,
        "seats": rules.seats,
    }


def seats_data(state: TableState) -> list[Data]:
    return [_seat(state, seat) for _, seat in sorted(state.seats.items())]


def _seat(state: TableState, seat: Seat) -> Data:
    return {
        "seat": seat.number,
        "person": seat.person,
        "name": seat.name,
        "status": str(seat.status),
        "spots": sorted(state.spots_of(seat.number)),
        "stack": state.stack(seat.number),
        "ready": seat.number in state.ready,
    }


def shoe_data(state: TableState) -> Data:
    """The shoe in play, the next shoe's commitment, and the next shoe's cuts."""
    live, playing, coming = state.live, state.in_play, state.next_shoe
    return {
        "number": playing.number if playing else None,
        "commitment": playing.commitment.hex() if playing else None,
        **(_cards_of(state, live) if live else _NO_CARDS),
        "next": coming.number if coming else None,
        "next_commitment": coming.commitment.hex() if coming else None,
        "cuts": {
            str(cut.seat): {
                "commitment": cut.commitment.hex(),
                "value": cut.value.hex() if cut.value else None,
            }
            for cut in state.cuts.values()
        },
    }


_NO_CARDS: Data = {"left": None, "size": None, "to_cut": None, "discards": None, "words": ""}


def _cards_of(state: TableState, live: LiveShoe) -> Data:
    to_cut = 0 if live.cut_card_came else live.cards_left - live.context.behind_cut
    return cards_data(live.context.size, live.cards_left, to_cut, state.round)


def cards_data(size: int, remaining: int, to_cut: int, round_: RoundState | None) -> Data:
    """The shoe's card counts; `to_cut` is the number of cards before the cut card (O-03)."""
    cut = f"cut card in {to_cut}" if to_cut else "last round of this shoe"
    return {
        "left": remaining,
        "size": size,
        "to_cut": to_cut,
        "discards": size - remaining - _on_the_table(round_),
        "words": f"{remaining} left, {cut}",
    }


def _on_the_table(round_: RoundState | None) -> int:
    if round_ is None:
        return 0
    hands = [hand for spot in round_.order for hand in spot.hands if hand.on_table]
    cards = sum(len(hand.cards) for hand in hands)
    cards += round_.early_down is not None
    return cards + len(round_.dealer) + len(round_.bonus_cards)


def changed_spots(
    before: TableState | None, state: TableState, events: Iterable[TableEvent]
) -> set[int] | None:
    """The spots that the events changed; None if any spot may have changed."""
    if before is None or before.opened != state.opened:
        return None
    spots = set()
    for event in events:
        if isinstance(event, round_events.RoundVoided):
            return None
        spots.add(getattr(event, "spot", 0))
    return spots


def has_same_seats(before: TableState, state: TableState) -> bool:
    """Whether the view of the seats is unchanged except for chips."""
    is_same = before.seats is state.seats and before.spots is state.spots
    return is_same and before.ready == state.ready


def has_same_options(before: TableState, state: TableState, events: Iterable[TableEvent]) -> bool:
    """Whether the prompt and its options are unchanged."""
    is_same = before.ask == state.ask and before.links is state.links
    return (
        is_same
        and before.balances == state.balances
        and all(isinstance(event, ev.OwnEvent) for event in events)
    )


def round_data(state: TableState, spots: Container[int] | None = None) -> Data | None:
    """The open round, with totals in words and the money on all spots or the given ones."""
    if state.round is None or state.opened is None:
        return None
    names = {seat.person: seat.name for seat in state.seats.values()}
    return {"number": state.opened.number, **felt_data(state.round, state.chips, names, spots)}


def felt_data(
    round_: RoundState,
    chips: Chips,
    names: Mapping[str, str],
    spots: Container[int] | None = None,
) -> Data:
    """A round as it looks on the felt."""
    words = dealer_words(round_)
    return {
        "stage": str(round_.stage),
        "dealer": list(dealer_cards(round_, EVERYONE)),
        "dealer_words": plain_words(words) if words else None,
        "bonus_cards": list(round_.bonus_cards),
        "spots": [
            _spot(round_, chips, spot, names)
            for spot in round_.order
            if spots is None or spot.number in spots
        ],
        "meters": [meter.cents for meter in round_.meters],
    }


def _spot(round_: RoundState, chips: Chips, spot: Spot, names: Mapping[str, str]) -> Data:
    view = spot_view(spot, names)
    return {
        **spot_data(view),
        "hands": [
            {**record_data(hand), **hand_data(round_, spot, index)}
            for index, hand in enumerate(view.hands)
        ],
        **money_data(chips, spot.number),
    }


def ask_data(
    state: TableState, suspended: frozenset[int] = NO_JACKPOTS, *, with_options: bool = True
) -> Data | None:
    """The current prompt, its deadline, and the possible answers."""
    ask = state.ask
    if ask is None:
        return None
    is_needed = with_options or ask.kind is not AskKind.WAGERS  # the prompt's message needs them
    offered = options(state.round) if state.round is not None and is_needed else ()
    return {
        "n": ask.number,
        "kind": str(ask.kind),
        "spots": list(ask.spots),
        "hand": ask.hand,
        "until": state.deadline,
        "told": _PROMPTS[ask.kind](state, ask, offered),
        "options": _options(state, offered, suspended) if with_options else None,
    }


def _options(
    state: TableState, offered: tuple[Option, ...], suspended: frozenset[int]
) -> list[Data]:
    """The available options; wagers are cached by rules, without the jackpots that take no bets."""
    if not isinstance(state.waiting, WagersWanted):
        return [_option(state, item) for item in offered]
    wagers = list(wager_options_data(state.rules))
    for place, option in enumerate(wager_options(state.rules) if state.rules.jackpots else ()):
        refusal = jackpot_refusal(state, option.wager.game, suspended)
        if refusal is not None:
            wagers[place] = option_data(refused_wager(option.wager, option.spots, refusal))
    others = [  # excludes closing the betting, because the table does that itself
        _option(state, item)
        for item in offered[len(wagers) :]
        if not isinstance(item, AnswerOption) or item.name != CLOSE
    ]
    return wagers + others


@lru_cache(maxsize=256)
def wager_options_data(rules: Rules) -> tuple[Data, ...]:
    return tuple(option_data(option) for option in wager_options(rules))


def _option(state: TableState, option: Option) -> Data:
    data = _option_data(option)
    if isinstance(option, ActionOption):
        is_covered = not option.chips or option.chips <= stack_of(state, option.spot)
        data = data | {"covered": is_covered}
    elif isinstance(option, InsuranceOption):
        data = data | {"covered": option.least <= stack_of(state, option.spot)}
    return data


# The same few options come up again and again.
_option_data = lru_cache(maxsize=2048)(option_data)
