"""Tells what happens at the table, event by event, in the words of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rich.text import Text

from ventiuna.cards import card_text
from ventiuna.cli.play.screen import HIDDEN, INDENT, STRONG, Screen
from ventiuna.core.dealer import is_dealer_blackjack
from ventiuna.core.hand import best_total, is_blackjack, is_soft
from ventiuna.engine import RoundState, apply, redact, view
from ventiuna.engine import events as ev
from ventiuna.engine.events import Advice, Event, Place, Stage
from ventiuna.engine.flow import dealer_hand
from ventiuna.engine.state import PlayerHand, Spot
from ventiuna.engine.views import EVERYONE
from ventiuna.money import money_text
from ventiuna.rules.words.facts import mtd_word

ADVICE = {
    Advice.SIXTH_CARD_CANNOT_LOSE: "whatever your next card is, it wins: hit (R-118)",
    Advice.HIT_ELEVEN: "with this 11 a hit is better than a double (R-118)",
}
ONLY_HAND = "Your hand"
OTHER_TITLES = {"insurance": "Insurance", "super": "Super Bonus", "envy": "Envy Bonus"}


class Narrator:
    """Follows a round on a state of its own, so that each line shows the table of its moment."""

    def __init__(self, screen: Screen, start: RoundState) -> None:
        self.screen = screen
        self.state = start.copy()
        self._verb = ""  # what the hand did that a card follows

    def tell(self, events: Iterable[Event]) -> None:
        for event in events:
            leaves_deal = self.state.stage is Stage.DEAL and isinstance(event, ev.StageReached)
            apply(self.state, event)
            if leaves_deal:
                self.draw_table()
            line = _LINES.get(type(event))
            if line is not None:
                line(self, redact(event, EVERYONE))

    # --- pictures ---

    def draw_table(self) -> None:
        """The dealer's cards and those of every spot, in one row where that fits."""
        top = [("Dealer", self._dealer_cards())]
        if self.state.bonus_cards:
            top.append(("Bonus Cards", [card_text(card) for card in self.state.bonus_cards]))
        spots = [
            (f"{self.hand_name(spot, index)}: {total_words(hand)}", _texts(hand))
            for spot in self.state.order
            for index, hand in enumerate(spot.hands)
        ]
        if self.screen.fits_one_row(*top, *spots):
            self.screen.picture(*top, *spots)
        else:
            self.screen.picture(*top)
            self.screen.picture(*spots)

    def _dealer_cards(self) -> list[str]:
        cards = view(self.state, EVERYONE).dealer
        return [HIDDEN if card is None else card_text(card) for card in cards]

    def _dealer_total(self) -> str:
        if len(self.state.dealer) == 2 and is_dealer_blackjack(self.state.up, self.state.down):
            return "blackjack"
        hard, aces = dealer_hand(self.state)
        return _total_words(hard, aces)

    def hand_name(self, spot: Spot, index: int) -> str:
        """`Your hand`, `Spot 2`, `Hand 2 of 3`, `Spot 2, hand 1 of 2`."""
        several = f"hand {index + 1} of {len(spot.hands)}" if len(spot.hands) > 1 else ""
        if len(self.state.order) == 1:
            return several.capitalize() if several else ONLY_HAND
        return f"Spot {spot.number}, {several}" if several else f"Spot {spot.number}"

    def _where(self, spot: int, hand: int) -> str:
        """Which hand is spoken of, or nothing where there is but one."""
        name = self.hand_name(self.state.spots[spot], hand)
        return "" if name == ONLY_HAND else f"{name}: "

    def _say(self, *parts: str | Text) -> None:
        self.screen.say(Text(INDENT).append_text(Text.assemble(*parts)))

    # --- one line for each kind of event ---

    def _seeded(self, event: ev.MeterRaised) -> None:
        if event.reason == "seed":
            meter = self.state.meters[event.game - 1]
            self._say(f"Jackpot {event.game} starts again at {money_text(meter.cents)}.")

    def _card(self, event: ev.CardDealt) -> None:
        if self.state.stage is Stage.DEAL or event.card is None:
            return  # the picture of the deal shows it
        card = self.screen.card(card_text(event.card))
        if event.place is Place.DEALER:
            self._say("The dealer draws ", card, f" for {self._dealer_total()}.")
            return
        hand = self.state.spots[event.spot].hands[event.hand]
        where = self._where(event.spot, event.hand)
        self._say(
            _sentence(f"{where}you {self._verb or 'get'} "), card, f" for {total_words(hand)}."
        )
        self._verb = ""

    def _supervisor(self, event: ev.SupervisorCalled) -> None:
        self.screen.say(
            f"  {self._where(event.spot, 0)}The dealer calls the supervisor, who watches the third "
            "card: it may make a Super Bonus (R-072).",
            STRONG,
        )

    def _bonus_cards_locked(self, _: ev.BonusCardsLocked) -> None:
        self._say("The Bonus Cards are locked up (R-028).")

    def _blackjack_kept(self, event: ev.BlackjackKept) -> None:
        self._say(_sentence(f"{self._where(event.spot, 0)}you keep the blackjack to double it."))

    def _insured(self, event: ev.InsurancePlaced) -> None:
        if event.amount:
            where = self._where(event.spot, 0)
            self._say(_sentence(f"{where}you insure for {money_text(event.amount)}."))

    def _checked(self, event: ev.DealerChecked) -> None:
        found = "blackjack." if event.blackjack else "no blackjack."
        self._say(f"The dealer looks at the down card: {found}")

    def _stood(self, event: ev.HandStood) -> None:
        hand = self.state.spots[event.spot].hands[event.hand]
        where = self._where(event.spot, event.hand)
        self._say(_sentence(f"{where}you stand on {total_words(hand)}."))

    def _hit(self, _: ev.HandHit) -> None:
        self._verb = "hit and get"

    def _doubled(self, event: ev.HandDoubled) -> None:
        hand = self.state.spots[event.spot].hands[event.hand]
        double = "double-double" if hand.shape.doublings > 1 else "double"
        self._verb = f"{double} for {money_text(event.amount)} and get"

    def _split(self, event: ev.HandSplit) -> None:
        spot = self.state.spots[event.spot]
        pair = [card_text(spot.hands[event.hand + part].cards[0]) for part in (0, 1)]
        where = "" if len(self.state.order) == 1 else f"Spot {event.spot}: "
        amount = money_text(event.amount)
        self._say(_sentence(f"{where}you split "), self.screen.cards(pair), f" for {amount}.")

    def _advice(self, event: ev.AdviceGiven) -> None:
        where = "" if len(self.state.order) == 1 else f" to spot {event.spot}"
        self.screen.say(f"  The dealer{where}: {ADVICE[event.advice]}.", STRONG)

    def _exposed(self, event: ev.DownCardExposed) -> None:
        card = self.screen.card(card_text(event.card))
        self._say("The dealer turns over ", card, f" for {self._dealer_total()}.")

    def _settled(self, event: ev.WagerSettled) -> None:
        stake = f", {money_text(event.stake)}" if event.stake else ""
        why = ", ".join(part for part in (event.reason, event.odds) if part)
        self.screen.payment(f"{self._wager_title(event)}{stake}: {why}", event.net, event.rule)

    def _wager_title(self, event: ev.WagerSettled) -> str:
        if event.wager == "hand":
            return self.hand_name(self.state.spots[event.spot], event.hand)
        title = OTHER_TITLES.get(event.wager, event.wager.capitalize())
        if event.wager.startswith("mtd "):
            title = mtd_word(event.wager.removeprefix("mtd "))
        return title if len(self.state.order) == 1 else f"Spot {event.spot}, {title}"


_LINES: dict[type[Any], Callable[[Narrator, Any], None]] = {
    ev.MeterRaised: Narrator._seeded,
    ev.CardDealt: Narrator._card,
    ev.SupervisorCalled: Narrator._supervisor,
    ev.BonusCardsLocked: Narrator._bonus_cards_locked,
    ev.BlackjackKept: Narrator._blackjack_kept,
    ev.InsurancePlaced: Narrator._insured,
    ev.DealerChecked: Narrator._checked,
    ev.HandStood: Narrator._stood,
    ev.HandHit: Narrator._hit,
    ev.HandDoubled: Narrator._doubled,
    ev.HandSplit: Narrator._split,
    ev.AdviceGiven: Narrator._advice,
    ev.DownCardExposed: Narrator._exposed,
    ev.WagerSettled: Narrator._settled,
}


def total_words(hand: PlayerHand) -> str:
    """`14`, `soft 17`, `blackjack`."""
    if is_blackjack(hand.shape):
        return "blackjack"
    return _total_words(hand.shape.hard, hand.shape.aces)


def _total_words(hard: int, aces: int) -> str:
    total = best_total(hard, aces)
    return f"soft {total}" if is_soft(hard, aces) else str(total)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _texts(hand: PlayerHand) -> list[str]:
    return [card_text(card) for card in hand.cards]
