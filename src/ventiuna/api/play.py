"""Rounds and tables to play in a few lines of code, dealt by the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ventiuna.analysis.coerce import Cards, coerce_cards, coerce_rules
from ventiuna.api import checked_call
from ventiuna.cards import card_sign, card_text
from ventiuna.core.cards import is_soft
from ventiuna.engine import RoundState, Shoe, execute
from ventiuna.engine.commands import CloseWagers, Command, DataError, DealCard, PlaceWagers
from ventiuna.engine.dealing import Player, Shuffle, finish_round, own_meters
from ventiuna.engine.events import Event, WagerSettled
from ventiuna.engine.messages import odds_words, reason_words
from ventiuna.engine.options import ActionOption, AnswerOption, InsuranceOption, Option, options
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.views import EVERYONE, dealer_cards
from ventiuna.notation import record_of, write_round
from ventiuna.rules import Rules, change_rules
from ventiuna.rules.options import short_repr
from ventiuna.strategy.players import steady_player
from ventiuna.texts import markup_text

_RED = "♦♥"
_WAITS: dict[type[Waiting], str] = {
    WagersWanted: "wagers",
    CardWanted: "a card",
    BlackjackAnswersWanted: "blackjack answers",
    InsuranceAnswersWanted: "insurance answers",
    DecisionWanted: "a decision",
    MetersWanted: "meters",
}


@dataclass(frozen=True, slots=True)
class HandInPlay:
    """A player's hand in a round.

    >>> import ventiuna as vt
    >>> game = vt.Round("wsgc-2021")
    >>> game.wager(1000)
    >>> game.deal("9c 6d Kh 9c")
    >>> game.hands[0].total
    19
    """

    spot: int
    cards: tuple[str, ...]
    total: int
    soft: bool
    wager: int  # cents
    doublings: int


class Round:
    """One round, card by card: place wagers, deal, take legal actions, and see the payments.

    >>> import ventiuna as vt
    >>> game = vt.Round("wsgc-2021", double_double=True)
    >>> game.wager(2000, match={"up": 500})
    >>> game.deal("9c 9d 2h Kc")  # spot 1, up card, spot 1, down card
    >>> game.hands
    (HandInPlay(spot=1, cards=('9c', '2h'), total=11, soft=False, wager=2000, doublings=0),)
    >>> game.dealer  # the down card is hidden until it is turned over
    ('9d', None)
    >>> game.legal
    ('stand', 'hit', 'double', 'surrender')
    >>> game.do("double")
    >>> game.deal("Ks")
    >>> game.is_over, game.net
    (True, 6000)
    """

    @checked_call
    def __init__(
        self,
        rules: Rules | str,
        *,
        meters: list[tuple[int, int]] | None = None,
        **changes: object,
    ) -> None:
        found = coerce_rules(rules)
        self.rules = change_rules(found, changes) if changes else found
        self.state = RoundState(self.rules, meters)
        self.events: list[Event] = []
        self._meters = [(meter.cents, meter.remainder) for meter in self.state.meters]

    # --- Playing the round ---

    def wager(
        self,
        base: int,
        spot: int = 1,
        *,
        person: str = "",
        match: Mapping[str, int] | None = None,
        jackpots: Mapping[int, int] | None = None,
    ) -> None:
        """Place a spot's wagers, in cents. Placing them again replaces them."""
        self.execute(PlaceWagers(spot, base, person, match or {}, jackpots or {}))

    def deal(self, cards: Cards) -> None:
        """Deal cards in the order in which the round needs them: all of them or none.

        The first card closes the betting. If a card doesn't fit, the round doesn't change.
        """
        codes = coerce_cards(cards)
        _deal(self.state.copy(), codes)  # raises before anything has changed
        self.events += _deal(self.state, codes)

    def do(self, name: str, chips: int | None = None, spot: int = 0) -> None:
        """Take an action for the spot whose turn it is, by name: `double`, `take`, `insure` …

        `chips` is the amount of an insurance wager or a double for less, in cents.
        """
        action = str(name).replace("_", "-")  # anything that isn't a name gets the error below
        for option in self.options:
            if _name(option) == action and spot in (0, option.spot):
                self.execute(_command(option, chips))
                return
        raise DataError(self._why_not(name, spot))

    def _why_not(self, name: object, spot: int) -> str:
        """Explain why `do` failed: nothing to do, another spot's turn, or no such action."""
        if not self.legal:
            is_over = isinstance(self.waiting, NothingWanted)
            why = "is over" if is_over else f"is waiting for {_words(self.waiting)}"
            return f"No action is possible: the round {why}."
        if spot and spot not in self.state.spots:
            return f"No wager was placed on spot {short_repr(spot)}."
        in_turn = {option.spot for option in self.options}
        if spot and spot not in in_turn:
            turn = f"spot {min(in_turn)} is" if len(in_turn) == 1 else "other spots are"
            return f"It isn't spot {spot}'s turn: {turn} next."
        return f"{name!r} isn't an action. Choose from: {', '.join(dict.fromkeys(self.legal))}."

    def execute(self, command: Command) -> None:
        """Execute any command from `ventiuna.commands`, using the round's own meters."""
        self.events += _execute(self.state, command)

    def finish(self, shoe: Shoe, player: Player = steady_player) -> None:
        """Play from placed wagers to the end, with cards from a shoe and a player's decisions."""
        self.events = finish_round(self.state, shoe, player)

    # --- State of the round ---

    @property
    def waiting(self) -> Waiting:
        """What the round is waiting for, as one of the waiting types."""
        return waiting_for(self.state)

    @property
    def hands(self) -> tuple[HandInPlay, ...]:
        """All hands on the table, from the dealer's left. Split hands are listed separately."""
        return tuple(
            HandInPlay(
                spot=spot.number,
                cards=tuple(map(card_text, hand.cards)),
                total=hand.total,
                soft=is_soft(hand.shape.hard, hand.shape.aces),
                wager=hand.wager,
                doublings=hand.shape.doublings,
            )
            for spot in self.state.order
            for hand in spot.hands
            if hand.cards
        )

    @property
    def dealer(self) -> tuple[str | None, ...]:
        """The dealer's cards: up card, down card, drawn cards. A face-down card is None."""
        shown_to_all = dealer_cards(self.state, EVERYONE)
        return tuple(None if card is None else card_text(card) for card in shown_to_all)

    @property
    def is_over(self) -> bool:
        return isinstance(self.waiting, NothingWanted)

    @property
    def options(self) -> tuple[ActionOption | AnswerOption | InsuranceOption, ...]:
        """Every action and answer, with the reason if it isn't allowed now; excludes wagers."""
        return tuple(
            option
            for option in options(self.state)
            if isinstance(option, ActionOption | AnswerOption | InsuranceOption)
        )

    @property
    def legal(self) -> tuple[str, ...]:
        """Names of the legal actions."""
        return tuple(_name(option) for option in self.options if getattr(option, "legal", True))

    @property
    def payments(self) -> tuple[WagerSettled, ...]:
        """How each wager was settled, with its odds and rule."""
        return tuple(event for event in self.events if isinstance(event, WagerSettled))

    @property
    def net(self) -> int:
        """Net result of all spots so far, in cents."""
        return sum(payment.net for payment in self.payments)

    @property
    def text(self) -> str:
        """The finished round as text (docs/notation.md), which can be stored, read and replayed."""
        return write_round(record_of(self.rules, self.events, self._meters))

    def __repr__(self) -> str:
        return (
            f"<Round of {self.rules.name}: waiting for {_words(self.waiting)}, "
            f"net {self.net} cents>"
        )

    def _repr_html_(self) -> str:
        dealer = [
            "▒" if card is None else _card_html(card) for card in dealer_cards(self.state, EVERYONE)
        ]
        rows = [("dealer", " ".join(dealer), "")]
        for spot in self.state.order:
            for hand in spot.hands:
                cards = " ".join(map(_card_html, hand.cards))
                rows.append((f"spot {spot.number}", cards, str(hand.total if hand.cards else "")))
        body = "".join(
            f"<tr><th>{name}</th><td>{cards}</td><td>{total}</td></tr>"
            for name, cards, total in rows
        )
        paid = ""
        for p in self.payments:
            why = f"{reason_words(p.reason)}, {odds_words(p.odds)}"
            paid += (
                f"<li>{markup_text(f'spot {p.spot}, {p.wager}: {why}, ')}"
                f"{p.net / 100:+.2f} ({markup_text(p.rule)})</li>"
            )
        asks = markup_text(", ".join(self.legal))
        return f"<table>{body}</table><p>{asks}</p><ul>{paid}</ul>"


def _deal(state: RoundState, cards: tuple[int, ...]) -> list[Event]:
    """Deal the cards. Raises an error if the round needs something else before the last card."""
    happened: list[Event] = []
    if cards and isinstance(waiting_for(state), WagersWanted):
        happened += _execute(state, CloseWagers())
    for place, card in enumerate(cards):
        prompt = waiting_for(state)
        if not isinstance(prompt, CardWanted):
            next_step = f"Deal the first {place}, then continue." if place else "Deal them later."
            raise DataError(
                f"After {place} of these {len(cards)} cards, the round is waiting for "
                f"{_words(prompt)}, so none were dealt. {next_step}"
            )
        happened += _execute(state, DealCard(card))
    return happened


def _execute(state: RoundState, command: Command) -> list[Event]:
    """Execute a command, then read the round's own meters if that comes next."""
    happened = execute(state, command)
    if isinstance(waiting_for(state), MetersWanted):
        happened += execute(state, own_meters(state))
    return happened


class Table:
    """A series of rounds from one shoe, reshuffled after its cut card comes out.

    With a seed, the cards are repeatable; without one, they are cryptographically random. Meters
    carry over from round to round.

    >>> import ventiuna as vt
    >>> table = vt.Table("wsgc-2021", decks=8, seed=21)
    >>> results = [round.net for round in table.play(rounds=100)]
    >>> len(results), table.rounds, table.net == sum(results)
    (100, 100, True)
    >>> table.shoe.shuffles > 1
    True
    """

    @checked_call
    def __init__(
        self,
        rules: Rules | str,
        *,
        seed: int | None = None,
        shuffle: Shuffle | None = None,
        **changes: object,
    ) -> None:
        found = coerce_rules(rules)
        self.rules = change_rules(found, changes) if changes else found
        chance = random.SystemRandom() if seed is None else random.Random(seed)
        self.shoe = Shoe(self.rules, shuffle or chance.shuffle)
        self.rounds = 0
        self.net = 0  # cents, for all spots
        self._meters = [(jackpot.seed, 0) for jackpot in self.rules.jackpots]

    @property
    def meters(self) -> tuple[int, ...]:
        """The jackpot games' meters, in cents."""
        return tuple(cents for cents, _ in self._meters)

    def play_round(
        self,
        player: Player = steady_player,
        base: int | None = None,
        *,
        spots: int = 1,
        match: Mapping[str, int] | None = None,
        jackpots: Mapping[int, int] | None = None,
    ) -> Round:
        """Play the next round to its end. The default wager is the table minimum."""
        _check_player(player)
        self.shoe.begin_round()
        played = Round(self.rules, meters=self._meters)
        wager = self.rules.table_minimum if base is None else base
        for spot in range(1, spots + 1):
            played.wager(wager, spot, match=match, jackpots=jackpots)
        played.finish(self.shoe, player)
        self._meters = [(meter.cents, meter.remainder) for meter in played.state.meters]
        self.rounds += 1
        self.net += played.net
        return played

    def play(
        self, player: Player = steady_player, rounds: int = 1, base: int | None = None
    ) -> Iterator[Round]:
        """Play `rounds` rounds lazily, one each time the iterator advances."""
        _check_player(player)
        if type(rounds) is not int or rounds < 0:
            raise DataError(f"rounds must be a whole number, 0 or more, not {short_repr(rounds)}.")
        return (self.play_round(player, base) for _ in range(rounds))

    def __repr__(self) -> str:
        return (
            f"<Table of {self.rules.name}: {self.rounds} rounds, net {self.net} cents, "
            f"{self.shoe.cards_left} cards left>"
        )


def _check_player(player: object) -> None:
    """Reject a player that isn't a function, such as a number of rounds."""
    if not callable(player):
        fix = f" For {player} rounds, write rounds={player}." if type(player) is int else ""
        raise DataError(
            f"player must be a function of the round and what it is waiting for, such as "
            f"vt.player('chart', rules), not {short_repr(player)}.{fix}"
        )


def _name(option: Option) -> str:
    return "insure" if isinstance(option, InsuranceOption) else str(getattr(option, "name", ""))


def _command(option: ActionOption | AnswerOption | InsuranceOption, chips: int | None) -> Command:
    if isinstance(option, InsuranceOption):
        return option.command(option.most if chips is None else chips)
    return option.command(chips) if isinstance(option, ActionOption) else option.command()


def _words(waiting: Waiting) -> str:
    return _WAITS.get(type(waiting), "nothing")


def _card_html(card: int) -> str:
    sign = card_sign(card)
    color = "#b00" if sign[-1] in _RED else "#000"
    return (
        f'<span style="border:1px solid #999;border-radius:3px;padding:0 3px;background:#fff;'
        f'color:{color}">{sign}</span>'
    )
