"""Shows what happens at the table: the engine's sentences, with pictures and columns of figures."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from ventiuna.cards import card_text
from ventiuna.cli.play.screen import HIDDEN, INDENT, STRONG, Screen
from ventiuna.engine import RoundState
from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Stage
from ventiuna.engine.sentences import Payment, PointOfView, Sentence, Teller
from ventiuna.engine.sentences.parts import hand_total
from ventiuna.engine.stakes import WagerKind
from ventiuna.engine.state import PlayerHand, Spot
from ventiuna.engine.views import EVERYONE, view
from ventiuna.table.session import YOU

# The person at the keyboard did these a moment ago, or sees them in a payment or a picture.
_SEEN_ALREADY = (
    ev.WagersPlaced,
    ev.WagersWithdrawn,
    ev.MetersShown,
    ev.BlackjackTaken,
    ev.HandSurrendered,
    ev.HandRescued,
    ev.RoundVoided,
)


class Narrator:
    """Tells one round to the one person who plays all of its spots."""

    def __init__(self, screen: Screen, start: RoundState) -> None:
        self.screen = screen
        self._teller = Teller(start, PointOfView(YOU))

    @property
    def state(self) -> RoundState:
        return self._teller.state

    def tell(self, events: Iterable[Event]) -> None:
        lost: list[Payment] = []  # side bets
        for event in events:
            dealing = self.state.stage is Stage.DEAL
            sentence = self._teller.tell(event)
            if dealing and isinstance(event, ev.StageReached):
                self.draw_table()
            if sentence is None or isinstance(event, _SEEN_ALREADY):
                continue
            if dealing and isinstance(event, ev.CardDealt):
                continue  # the picture of the deal shows it
            if isinstance(sentence, Payment) and _is_side_bet(event):
                if sentence.net < 0:
                    lost.append(sentence)
                    continue
            else:
                self._show_lost(lost)
            self._show(sentence)
        self._show_lost(lost)

    def _show_lost(self, lost: list[Payment]) -> None:
        """Several lost side bets are one line."""
        if len(lost) > 1:
            rules = sorted({payment.rule for payment in lost})
            what = f"{len(lost)} side bets lost"
            self.screen.payment(what, sum(payment.net for payment in lost), ", ".join(rules))
        else:
            for payment in lost:
                self._show(payment)
        lost.clear()

    def _show(self, sentence: Sentence) -> None:
        if isinstance(sentence, Payment):
            self.screen.payment(sentence.what, sentence.net, sentence.rule)
        elif sentence.strong:
            self.screen.say(INDENT + sentence.text(), STRONG)
        else:
            self.screen.say(Text.assemble(INDENT, *map(self._part, sentence.parts)))

    def _part(self, part: str | tuple[int, ...]) -> str | Text:
        return part if isinstance(part, str) else self.screen.cards(list(map(card_text, part)))

    # --- pictures ---

    def draw_table(self) -> None:
        """The dealer's cards and those of every spot, in one row where that fits."""
        top = [("Dealer", self._dealer_cards())]
        if self.state.bonus_cards:
            top.append(("Bonus Cards", [card_text(card) for card in self.state.bonus_cards]))
        spots = [
            (f"{self.hand_name(spot, index)}: {hand_total(hand)}", _texts(hand))
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

    def hand_name(self, spot: Spot, index: int) -> str:
        return self._teller.point_of_view.hand_name(self.state, spot, index)


def _is_side_bet(event: Event) -> bool:
    kinds = (WagerKind.MTD, WagerKind.JACKPOT)
    return isinstance(event, ev.WagerSettled) and event.wager.kind in kinds


def _texts(hand: PlayerHand) -> list[str]:
    return [card_text(card) for card in hand.cards]
