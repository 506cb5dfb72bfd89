"""The table as a page draws it: what lies where after the events so far, and what was paid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.events import Event
from ventiuna.engine.sentences.parts import dealer_total, hand_total
from ventiuna.engine.sentences.payments import odds_words, reason_words
from ventiuna.engine.sentences.point_of_view import PointOfView
from ventiuna.engine.sentences.teller import Teller, wager_words
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.engine.state import PlayerHand, RoundState, Spot, apply
from ventiuna.engine.views import EVERYONE
from ventiuna.rules.words.facts import dollars

Data = dict[str, object]
_SHORT = {Wager.INSURANCE: "I", Wager.SUPER: "S", Wager.ENVY: "E"}
# What a player shows with hand or chips, and its dealer has to see.
_DEEDS: Mapping[type[Event], str] = {
    ev.HandHit: "wants a card",
    ev.HandDoubled: "doubles",
    ev.HandSplit: "splits",
    ev.HandStood: "stands",
    ev.HandSurrendered: "surrenders",
    ev.HandRescued: "rescues",
    ev.BlackjackTaken: "wants to be paid",
    ev.BlackjackKept: "keeps the blackjack",
    ev.InsurancePlaced: "insures",
}


class Felt:
    """Follows a round event by event and knows the table at each moment."""

    def __init__(self, start: RoundState) -> None:
        self._teller = Teller(start, PointOfView(viewer=EVERYONE, money=dollars))
        self._chips = Chips()
        self._paid: dict[int, list[ev.WagerSettled]] = {}
        self._signals: dict[tuple[int, int], str] = {}
        self._locked = False
        self.lines: list[str] = []

    @property
    def state(self) -> RoundState:
        return self._teller.state

    def show(self, events: Iterable[Event]) -> list[str]:
        """Take these events in; their sentences."""
        told = []
        for event in events:
            if isinstance(event, ev.HandHit | ev.HandDoubled):
                apply(self.state, event)  # not to the teller, who would tell it with its card
                told.append(self._wish(event))
            elif (sentence := self._teller.tell(event)) is not None:
                told.append(sentence.text())
            self._chips.add(event)
            self._signal(event)
            if isinstance(event, ev.WagerSettled):
                self._paid.setdefault(event.spot, []).append(event)
            elif isinstance(event, ev.BonusCardsLocked):
                self._locked = True
        self.lines += told
        return told

    def _wish(self, event: ev.HandHit | ev.HandDoubled) -> str:
        """Told by itself: the card that answers it is the dealer's to give."""
        spot = self.state.spots[event.spot]
        deed = "hit"
        if isinstance(event, ev.HandDoubled):
            again = spot.hands[event.hand].shape.doublings > 1
            deed = f"{'double-double' if again else 'double'} for {dollars(event.amount)}"
        view = self._teller.point_of_view
        return f"{view.does(self.state, spot, event.hand, deed)}."

    def _signal(self, event: Event) -> None:
        place = (getattr(event, "spot", 0), getattr(event, "hand", 0))
        deed = _DEEDS.get(type(event))
        if deed is None:
            if isinstance(event, ev.CardDealt | ev.WagerSettled):
                self._signals.pop(place, None)
            return
        amount = getattr(event, "amount", 0)
        if isinstance(event, ev.InsurancePlaced) and not amount:
            return
        more = f" for {dollars(amount)}" if amount else ""
        self._signals[place] = f"{deed}{more}"

    def data(self) -> Data:
        state = self.state
        dealer: list[int | None] = [*state.dealer]
        hidden = len(dealer) > 1 and not state.down_exposed
        if hidden:
            dealer[1] = None
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

    def _spot(self, spot: Spot) -> Data:
        return {
            "number": spot.number,
            "name": spot.person or f"Spot {spot.number}",
            "base": spot.base,
            "hands": [self._hand(spot, index, hand) for index, hand in enumerate(spot.hands)],
            "wagers": [self._wager(spot, wager) for wager in self._side_wagers(spot)],
            "bonuses": self._bonuses(),
            "paid": [_paid(event) for event in self._paid.get(spot.number, [])],
        }

    def _hand(self, spot: Spot, index: int, hand: PlayerHand) -> Data:
        return {
            "cards": list(hand.cards),
            "total": hand_total(hand) if len(hand.cards) > 1 else "",
            "wager": self._chips.on_hand(spot.number, index),
            "doublings": hand.shape.doublings,
            "status": str(hand.status),
            "on_table": hand.on_table,
            "signal": self._signals.get((spot.number, index), ""),
        }

    def _bonuses(self) -> list[Data]:
        """What may be won without a wager of its own."""
        if self.state.rules.super_bonus_form() is None:
            return []
        return [
            {"title": wager_words(wager), "short": short_words(wager), "word": typed_word(wager)}
            for wager in (Wager.SUPER, Wager.ENVY)
        ]

    def _side_wagers(self, spot: Spot) -> list[Wager]:
        wagers = [MTD_WAGERS[part] for part in spot.mtd]
        wagers += [JACKPOT_WAGERS[game] for game in spot.jackpots]
        return [*wagers, Wager.INSURANCE] if spot.insurance else wagers

    def _wager(self, spot: Spot, wager: Wager) -> Data:
        stake = spot.mtd.get(wager.part, 0) or spot.jackpots.get(wager.game, 0)
        return {
            "wager": str(wager),
            "title": wager_words(wager),
            "short": short_words(wager),
            "word": typed_word(wager),
            "stake": stake or spot.insurance or 0,
            "rides": self._chips.stake_of(spot.number, wager) > 0,
        }


def short_words(wager: Wager) -> str:
    """As it is printed on the felt: `U`, `D`, `3`, `J1`."""
    if wager.part:
        return wager.part[0].upper() if wager.part in ("up", "down") else wager.part[1:]
    return f"J{wager.game}" if wager.game else _SHORT.get(wager, str(wager))


def typed_word(wager: Wager) -> str:
    """As steps and wagers are typed: `up`, `b3`, `j1`, `insurance`."""
    return wager.part or (f"j{wager.game}" if wager.game else str(wager))


def _paid(event: ev.WagerSettled) -> Data:
    return {
        "wager": str(event.wager),
        "title": "" if event.wager is Wager.HAND else wager_words(event.wager),
        "hand": event.hand,
        "net": event.net,
        "odds": odds_words(event.odds),
        "rule": event.rule,
        "reason": reason_words(event.reason),
    }
