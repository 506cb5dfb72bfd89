"""Compact rounds for tests: cards and actions in, results in the notation of worked rounds.

A round is defined by its rules, the dealer's cards (`"9s Kh"`, or `"6d Kd / 9c"` with cards drawn),
and its spots. A spot's hands are written as in a worked round, `"5c 3d / double 2h / rescue"`; a
hand that ends in `/ split` is followed by the hands it became, in playing order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from ventiuna.cards import parse_card, parse_cards
from ventiuna.engine import DEALER, Refused, RoundState, execute, own_meters, view, waiting_for
from ventiuna.engine.commands import CloseWagers, Command, DealCard, PlaceWagers
from ventiuna.engine.events import Event, WagerSettled
from ventiuna.engine.prompts import MetersWanted
from ventiuna.money import net_text, parse_amount
from ventiuna.notation import RoundRecord, SpotRecord, replay
from ventiuna.notation.json_format import parse_hand
from ventiuna.rules import Rules, RulesError, load_rules

E = TypeVar("E")
Dollars = int | str  # 10 or "7.50"


@dataclass(frozen=True)
class Seat:
    """One betting spot of a round."""

    hands: tuple[str, ...]
    base: Dollars = 10
    person: str = ""
    insurance: Dollars = 0
    mtd: Mapping[str, Dollars] = field(default_factory=dict)
    jackpots: tuple[int, ...] = ()


def seat(
    *hands: str,
    base: Dollars = 10,
    person: str = "",
    insurance: Dollars = 0,
    mtd: Mapping[str, Dollars] | None = None,
    jackpots: Iterable[int] = (),
) -> Seat:
    return Seat(hands, base, person, insurance, mtd or {}, tuple(jackpots))


class Played:
    """Outcome of a round or part of one."""

    def __init__(self, state: RoundState, events: list[Event]) -> None:
        self.state = state
        self.events = events

    @property
    def payments(self) -> list[WagerSettled]:
        return self.all(WagerSettled)

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def payment(self, spot: int, wager: str = "hand", hand: int = 0) -> WagerSettled:
        """The only payment of a wager."""
        place = hand if wager == "hand" else -1
        found = [p for p in self.payments if (p.spot, p.wager, p.hand) == (spot, wager, place)]
        assert len(found) == 1, found
        return found[0]

    def result(self, spot: int = 1) -> str:
        """Results such as `hand +10.00 and -10.00, mtd up -5.00`, ordered by first payment."""
        nets: dict[str, dict[int, int]] = {}
        for paid in self.payments:
            if paid.spot == spot:
                hands = nets.setdefault(paid.wager, {})
                hands[paid.hand] = hands.get(paid.hand, 0) + paid.net
        return ", ".join(
            f"{wager} {' and '.join(net_text(hands[number]) for number in sorted(hands))}"
            for wager, hands in nets.items()
        )

    def results(self) -> list[str]:
        return [self.result(spot.number) for spot in self.state.order]

    def order(self) -> list[str]:
        """Every payment as `spot wager net`, in the order paid."""
        return [f"{paid.spot} {paid.wager} {net_text(paid.net)}" for paid in self.payments]

    def meters(self) -> list[str]:
        return [net_text(meter.cents) for meter in self.state.meters]

    def index(self, event: Event) -> int:
        """Position of the event, which must have occurred exactly once."""
        assert self.events.count(event) == 1
        return self.events.index(event)


def rules_of(rules: str | Rules) -> Rules:
    return load_rules(rules) if isinstance(rules, str) else rules


def play(
    rules: str | Rules,
    dealer: str,
    *seats: Seat | str,
    bonus_cards: str = "",
    meters: Iterable[Dollars] = (),
) -> Played:
    """Play a whole round; a seat given as a string is a $10 wager on that hand."""
    used = rules_of(rules)
    shown, _, draws = dealer.partition("/")
    up, down = parse_cards(shown)
    record = RoundRecord(
        id="round",
        rules=used,
        up=up,
        down=down,
        spots=tuple(_spot(used, number, each) for number, each in enumerate(seats, start=1)),
        draws=parse_cards(draws),
        bonus_cards=parse_cards(bonus_cards),
        meters=tuple((parse_amount(amount), 0) for amount in meters),
    )
    done = replay(record)
    return Played(done.state, done.events)


def _spot(rules: Rules, number: int, given: Seat | str) -> SpotRecord:
    one = seat(given) if isinstance(given, str) else given
    return SpotRecord(
        number=number,
        person=one.person or f"P{number}",
        base=parse_amount(one.base),
        hands=tuple(parse_hand(text) for text in one.hands),
        mtd={name: parse_amount(amount) for name, amount in one.mtd.items()},
        jackpots={game: rules.jackpots[game - 1].wager for game in one.jackpots},
        insurance=parse_amount(one.insurance),
    )


def refused(rules: str | Rules, dealer: str, *seats: Seat | str, **more: Any) -> Refused:
    """The refusal of a round's last action or wager."""
    with pytest.raises(Refused) as caught:
        play(rules, dealer, *seats, **more)
    return caught.value


def problems(rules: str) -> dict[str, str]:
    """Rule numbers, by field, of the problems with invalid rules."""
    with pytest.raises(RulesError) as caught:
        load_rules(rules)
    return {problem.field: problem.rule for problem in caught.value.problems}


def wagers(
    spot: int = 1,
    base: Dollars = 10,
    person: str = "",
    mtd: Mapping[str, Dollars] | None = None,
    jackpots: Mapping[int, Dollars] | None = None,
) -> PlaceWagers:
    return PlaceWagers(
        spot,
        parse_amount(base),
        person,
        {name: parse_amount(amount) for name, amount in (mtd or {}).items()},
        {game: parse_amount(amount) for game, amount in (jackpots or {}).items()},
    )


class Live(Played):
    """A round driven command by command."""

    def __init__(self, rules: str | Rules, meters: Iterable[Dollars] = ()) -> None:
        start = [(parse_amount(amount), 0) for amount in meters]
        super().__init__(RoundState(rules_of(rules), start or None), [])

    def do(self, *commands: Command) -> list[Event]:
        """Execute the commands and return their events."""
        new: list[Event] = []
        for command in commands:
            new += execute(self.state, command)
            if isinstance(waiting_for(self.state), MetersWanted):
                new += execute(self.state, own_meters(self.state))
        self.events += new
        return new

    def deal(self, cards: str) -> list[Event]:
        """Deal the cards the round is waiting for, in order."""
        return self.do(*(DealCard(card) for card in parse_cards(cards)))

    def refuses(self, command: Command) -> Refused:
        """The refusal of the command, which must leave everything unchanged."""
        before = self._everything()
        with pytest.raises(Refused) as caught:
            execute(self.state, command)
        assert self._everything() == before, "a refused command changed the round"
        return caught.value

    def _everything(self) -> tuple[object, ...]:
        state = self.state
        remainders = [meter.remainder for meter in state.meters]
        return view(state, DEALER), state.dealt[:], remainders, sorted(state.spots)


def deal(
    rules: str | Rules, cards: str, *placed: PlaceWagers, meters: Iterable[Dollars] = ()
) -> Live:
    """Place the wagers ($10 by default), close them, and deal the cards.

    The order is one card to each spot, the up card, a second card to each spot, the down card, and
    the Bonus Cards.
    """
    live = Live(rules, meters)
    live.do(*(placed or (wagers(),)), CloseWagers())
    live.deal(cards)
    return live


def card(text: str) -> int:
    return parse_card(text)
