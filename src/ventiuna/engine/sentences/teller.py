"""Follows a round on a state of its own: each sentence speaks of the table of its moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ventiuna.engine import events as ev
from ventiuna.engine.events import Advice, Event, Place
from ventiuna.engine.sentences.parts import (
    CardStyle,
    Payment,
    Sentence,
    capital,
    dealer_total,
    hand_total,
)
from ventiuna.engine.sentences.payments import odds_words, reason_words
from ventiuna.engine.sentences.point_of_view import ONLOOKER, PointOfView
from ventiuna.engine.stakes import Wager, WagerKind
from ventiuna.engine.state import RoundState, Spot, apply
from ventiuna.engine.views import redact
from ventiuna.money import money_text
from ventiuna.rules.words.facts import listed, mtd_word
from ventiuna.rules.words.opening import floor_person

ADVICE = {
    Advice.SIXTH_CARD_CANNOT_LOSE: "whatever your next card is, it wins: hit (R-118)",
    Advice.HIT_ELEVEN: "with this 11 a hit is better than a double (R-118)",
}
_TITLES = {
    WagerKind.INSURANCE: "Insurance",
    WagerKind.SUPER: "Super Bonus",
    WagerKind.ENVY: "Envy Bonus",
}

# Events that change nothing which people look at, or whose next event tells it all.
SILENT: frozenset[type[Event]] = frozenset(
    {
        ev.StageReached,  # what is done at a step is told by the step's own events
        ev.MeterLowered,  # the award's own payment tells it
        ev.HandHit,  # told with its card
        ev.HandDoubled,  # told with its card
        ev.HandRemoved,  # the hand's payment was told before
    }
)


class Teller:
    """Tells one round; give it every event in its order, hidden cards and all."""

    def __init__(self, start: RoundState, point_of_view: PointOfView = ONLOOKER) -> None:
        self.state = start.copy()
        self.point_of_view = point_of_view
        self._deed = ""  # what a hand did that a card follows

    def tell(self, event: Event) -> Sentence | None:
        """The event in a sentence; None where there is nothing to say."""
        return self.tell_to(event, (self.point_of_view,))[0]

    def tell_to(self, event: Event, points: Sequence[PointOfView]) -> list[Sentence | None]:
        """The same event from each of these points of view."""
        if isinstance(event, ev.WagersWithdrawn):  # whose they were is not known afterwards
            told = self._say(event, points)
            apply(self.state, event)
            return told
        apply(self.state, event)
        if isinstance(event, ev.HandHit):
            self._deed = "hit"
        elif isinstance(event, ev.HandDoubled):
            self._deed = self._doubling(event)
        told = self._say(event, points)
        if isinstance(event, ev.CardDealt):
            self._deed = ""
        return told

    def _say(self, event: Event, points: Sequence[PointOfView]) -> list[Sentence | None]:
        say = _SENTENCES.get(type(event))
        if say is None:
            return [None] * len(points)
        told = []
        usual = self.point_of_view
        for view in points:
            self.point_of_view = view
            told.append(say(self, redact(event, view.viewer)))
        self.point_of_view = usual
        return told

    # --- wagers and the deal ---

    def _placed(self, event: ev.WagersPlaced) -> Sentence:
        more = [f"{mtd_word(part)} {self._money(cents)}" for part, cents in event.mtd.items()]
        more += [f"jackpot {game} {self._money(cents)}" for game, cents in event.jackpots.items()]
        wagers = listed([self._money(event.base), *more])
        return Sentence((f"{self._does(event.spot, 0, f'wager {wagers}')}.",))

    def _withdrawn(self, event: ev.WagersWithdrawn) -> Sentence:
        return Sentence((f"{self._does(event.spot, 0, 'take the wagers back')}.",))

    def _raised(self, event: ev.MeterRaised) -> Sentence | None:
        if event.reason != "seed":
            return None  # a contribution: a cent or two of each wager
        meter = self.state.meters[event.game - 1]
        return Sentence((f"Jackpot {event.game} starts again at {self._money(meter.cents)}.",))

    def _shown(self, event: ev.MetersShown) -> Sentence | None:
        shown = [
            f"jackpot {game} shows {self._money(cents)}" for game, cents in event.meters.items()
        ]
        return Sentence((f"{capital(listed(shown))}.",)) if shown else None

    def _card(self, event: ev.CardDealt) -> Sentence:
        if event.card is None:
            return Sentence(("The dealer's down card is dealt face down.",))
        card = (event.card,)
        if event.place is Place.DEALER:
            return Sentence(("The dealer draws ", card, f" for {dealer_total(self.state)}."))
        if event.place is Place.BONUS:
            number = len(self.state.bonus_cards)
            return Sentence((f"Bonus Card {number} is ", card, "."))
        if event.place is not Place.PLAYER:
            return Sentence((f"The dealer's {event.place} card is ", card, "."))
        verbs = (self._deed, "get") if self._deed else ("get",)
        who = self._does(event.spot, event.hand, *verbs)
        hand = self._spot(event.spot).hands[event.hand]
        if len(hand.cards) == 1:
            return Sentence((f"{who} ", card, "."))
        return Sentence((f"{who} ", card, f" for {hand_total(hand)}."))

    def _supervisor(self, event: ev.SupervisorCalled) -> Sentence:
        whose = self.point_of_view.whose(self.state, self._spot(event.spot), 0)
        who = f"{whose}the dealer" if whose else "The dealer"
        person = floor_person(self.state.rules)
        watched = f"{who} calls the {person}, who watches the third card"
        return Sentence((f"{watched}: it may make a Super Bonus (R-072).",), strong=True)

    def _locked(self, _: ev.BonusCardsLocked) -> Sentence:
        return Sentence(("The Bonus Cards are locked up (R-028).",))

    # --- blackjacks and insurance ---

    def _taken(self, event: ev.BlackjackTaken) -> Sentence:
        return Sentence((f"{self._does(event.spot, 0, 'take the pay for the blackjack')}.",))

    def _kept(self, event: ev.BlackjackKept) -> Sentence:
        return Sentence((f"{self._does(event.spot, 0, 'keep the blackjack to double it')}.",))

    def _insured(self, event: ev.InsurancePlaced) -> Sentence | None:
        if not event.amount:
            return None  # no insurance: nothing has changed
        amount = self._money(event.amount)
        return Sentence((f"{self._does(event.spot, 0, f'insure for {amount}')}.",))

    def _checked(self, event: ev.DealerChecked) -> Sentence:
        found = "blackjack" if event.blackjack else "no blackjack"
        return Sentence((f"The dealer looks at the down card: {found}.",))

    # --- play ---

    def _stood(self, event: ev.HandStood) -> Sentence:
        total = hand_total(self._spot(event.spot).hands[event.hand])
        return Sentence((f"{self._does(event.spot, event.hand, f'stand on {total}')}.",))

    def _doubling(self, event: ev.HandDoubled) -> str:
        hand = self._spot(event.spot).hands[event.hand]
        double = "double-double" if hand.shape.doublings > 1 else "double"
        return f"{double} for {self._money(event.amount)}"

    def _split(self, event: ev.HandSplit) -> Sentence:
        spot = self._spot(event.spot)
        pair = (spot.hands[event.hand].cards[0], spot.hands[event.hand + 1].cards[0])
        view = self.point_of_view
        who = f"{view.name(self.state, spot)} splits"
        if view.is_own(spot):
            one_spot = view.spots_of(self.state, spot.person) == 1
            who = "You split" if one_spot else f"Spot {spot.number}: you split"
        return Sentence((f"{who} ", pair, f" for {self._money(event.amount)}."))

    def _surrendered(self, event: ev.HandSurrendered) -> Sentence:
        return Sentence((f"{self._does(event.spot, event.hand, 'surrender')}.",))

    def _rescued(self, event: ev.HandRescued) -> Sentence:
        return Sentence((f"{self._does(event.spot, event.hand, 'rescue the doubled wager')}.",))

    def _advised(self, event: ev.AdviceGiven) -> Sentence:
        spot, view = self._spot(event.spot), self.point_of_view
        to = ""
        if not view.is_own(spot):
            to = f" to {view.name(self.state, spot)}"
        elif view.spots_of(self.state, spot.person) > 1:
            to = f" to spot {spot.number}"
        return Sentence((f"The dealer{to}: {ADVICE[event.advice]}.",), strong=True)

    def _exposed(self, event: ev.DownCardExposed) -> Sentence:
        total = dealer_total(self.state)
        return Sentence(("The dealer turns over ", (event.card,), f" for {total}."))

    # --- the end ---

    def _settled(self, event: ev.WagerSettled) -> Payment:
        stake = f", {self._money(event.stake)}" if event.stake else ""
        title = f"{self._wager_title(event)}{stake}"
        reason = reason_words(event.reason)
        why = ", ".join(part for part in (reason, _odds(event)) if part)
        # In a sentence the outcome itself says that a wager is lost or comes back.
        because = why if event.net > 0 or not reason else reason
        rule = f" ({event.rule})" if event.rule else ""
        text = f"{title}: {because}; {self._outcome(event)}{rule}."
        return Payment((text,), what=f"{title}: {why}", net=event.net, rule=event.rule)

    def _outcome(self, event: ev.WagerSettled) -> str:
        if event.net == 0:
            return "nothing is won or lost"
        deed = f"{'win' if event.net > 0 else 'lose'} {self._money(abs(event.net))}"
        spot = self._spot(event.spot)
        if self.point_of_view.is_own(spot):
            return f"you {deed}"
        verb, _, amount = deed.partition(" ")
        return f"{verb}s {amount}"

    def _wager_title(self, event: ev.WagerSettled) -> str:
        spot = self._spot(event.spot)
        if event.wager is Wager.HAND:
            return self.point_of_view.hand_name(self.state, spot, event.hand)
        return self.point_of_view.title(self.state, spot, wager_words(event.wager))

    def _voided(self, event: ev.RoundVoided) -> Sentence:
        reason = f" ({event.reason})" if event.reason else ""
        return Sentence((f"The round is void{reason}: all wagers come back.",), strong=True)

    # --- helpers ---

    def _money(self, cents: int) -> str:
        return self.point_of_view.money(cents)

    def _spot(self, number: int) -> Spot:
        return self.state.spots[number]

    def _does(self, spot: int, hand: int, *verbs: str) -> str:
        return self.point_of_view.does(self.state, self._spot(spot), hand, *verbs)


def _odds(event: ev.WagerSettled) -> str:
    """Not where they are an amount: the outcome says it (a Super Bonus, R-069)."""
    return "" if event.odds == money_text(event.net) else odds_words(event.odds)


def wager_words(wager: Wager) -> str:
    """`Insurance`, `Up Card`, `Jackpot 1`."""
    if wager.kind is WagerKind.MTD:
        return mtd_word(wager.part)
    return _TITLES.get(wager.kind) or capital(wager.value)


def tell_all(
    start: RoundState,
    events: Iterable[Event],
    point_of_view: PointOfView = ONLOOKER,
    style: CardStyle = CardStyle.SIGNS,
) -> list[str]:
    """The sentences of all events that have one.

    >>> from ventiuna import RoundState, commands, execute, load_rules
    >>> state = RoundState(load_rules("wsgc-spanish-21"))
    >>> tell_all(state.copy(), execute(state, commands.PlaceWagers(1, 1000, "Ann")))
    ['Ann wagers $10.00.']
    """
    teller = Teller(start, point_of_view)
    told = [teller.tell(event) for event in events]
    return [sentence.text(style) for sentence in told if sentence is not None]


_SENTENCES: dict[type[Any], Callable[[Teller, Any], Sentence | None]] = {
    ev.WagersPlaced: Teller._placed,
    ev.WagersWithdrawn: Teller._withdrawn,
    ev.MeterRaised: Teller._raised,
    ev.MetersShown: Teller._shown,
    ev.CardDealt: Teller._card,
    ev.SupervisorCalled: Teller._supervisor,
    ev.BonusCardsLocked: Teller._locked,
    ev.BlackjackTaken: Teller._taken,
    ev.BlackjackKept: Teller._kept,
    ev.InsurancePlaced: Teller._insured,
    ev.DealerChecked: Teller._checked,
    ev.HandStood: Teller._stood,
    ev.HandSplit: Teller._split,
    ev.HandSurrendered: Teller._surrendered,
    ev.HandRescued: Teller._rescued,
    ev.AdviceGiven: Teller._advised,
    ev.DownCardExposed: Teller._exposed,
    ev.WagerSettled: Teller._settled,
    ev.RoundVoided: Teller._voided,
}
TOLD = frozenset(_SENTENCES)
