"""The record of a round that was played: from its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Place, Stage
from ventiuna.engine.stakes import Wager
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
    Step,
    person_name,
)
from ventiuna.notation.shapes import refuse_shared_names
from ventiuna.rules import Rules


class _Line:
    """A hand while it is being written down."""

    def __init__(self, cards: list[int] | None = None) -> None:
        self.cards = cards or []
        self.steps: list[Step] = []

    def add_card(self, card: int) -> None:
        if len(self.cards) < 2:
            self.cards.append(card)
        else:
            last = self.steps.pop()
            self.steps.append(Step(last.action, card, last.amount))

    def hand(self) -> HandRecord:
        first, second = self.cards
        return HandRecord((first, second), tuple(self.steps))


class _SpotBook:
    """One spot's wagers, lines in playing order, and the lines of its present hands."""

    def __init__(self, wagers: ev.WagersPlaced) -> None:
        self.wagers = wagers
        self.insurance = 0
        self.lines = [_Line()]
        self.hands = [self.lines[0]]
        self.stakes = [wagers.base]
        self.net: dict[Wager, list[int]] = {}

    def split(self, hand: int, amount: int) -> None:
        parent = self.hands[hand]
        parent.steps.append(Step("split"))
        first, second = _Line([parent.cards[0]]), _Line([parent.cards[1]])
        place = self.lines.index(parent) + 1
        self.lines[place:place] = [first, second]
        self.hands[hand : hand + 1] = [first, second]
        self.stakes.insert(hand + 1, amount)

    def doubled(self, hand: int, amount: int) -> None:
        line = self.hands[hand]
        again = any(step.action == "double" for step in line.steps)
        full = amount == self.stakes[hand]
        self.stakes[hand] += amount
        if again:
            line.steps.append(Step("double-double"))
        else:
            line.steps.append(Step("double", amount=None if full else amount))

    def settled(self, event: ev.WagerSettled) -> None:
        amounts = self.net.setdefault(event.wager, [])
        if event.wager is Wager.HAND:
            amounts.extend([0] * (event.hand + 1 - len(amounts)))
            amounts[event.hand] += event.net
        elif amounts:
            amounts[0] += event.net
        else:
            amounts.append(event.net)

    def record(self) -> SpotRecord:
        total = sum(sum(amounts) for amounts in self.net.values())
        net = {str(wager): tuple(amounts) for wager, amounts in self.net.items()}
        return SpotRecord(
            number=self.wagers.spot,
            person=self.wagers.person,
            base=self.wagers.base,
            hands=tuple(line.hand() for line in self.lines),
            mtd=dict(self.wagers.mtd),
            jackpots=dict(self.wagers.jackpots),
            insurance=self.insurance,
            net={**net, "total": (total,)},
        )


def record_of(
    rules: Rules,
    events: Iterable[Event] = (),
    meters: Sequence[tuple[int, int]] = (),
    name: str = "1",
) -> RoundRecord:
    """The record of a closed round; `meters` are those it started from (cents, remainder).

    >>> from ventiuna import Table
    >>> played = Table("wsgc-2021", seed=1).play_round()
    >>> len(record_of(played.rules, played.events).spots)
    1
    """
    if not isinstance(rules, Rules):
        raise NotationError("rules: give the rules of the round first, then all of its events")
    book = _RoundBook()
    for event in events:
        book.write(event)
    if not book.closed:
        raise NotationError(
            "events: give all events of a closed round, the wagers first, as finish_round returns "
            "them"
        )
    record = book.record(rules, tuple(meters), name)
    refuse_shared_names(record.spots)  # now, not when the stored round is read
    return record


class _RoundBook:
    def __init__(self) -> None:
        self.closed = False
        self.spots: dict[int, _SpotBook] = {}
        self.dealer: list[int] = []
        self.bonus_cards: list[int] = []
        self.order: list[tuple[int, Wager, int]] = []
        self.meter_moves: dict[int, int] = {}
        self.shown: dict[int, int] = {}  # at the start, by the reading for the awards

    def write(self, event: Event) -> None:
        spot = getattr(event, "spot", 0)
        if spot and spot not in self.spots and not isinstance(event, ev.WagersPlaced):
            raise NotationError(f"events: spot {spot} has no wagers; give its WagersPlaced too")
        match event:
            case ev.StageReached():
                self.closed = event.stage is Stage.CLOSED
            case ev.WagersPlaced():
                self.spots[event.spot] = _SpotBook(event)
            case ev.WagersWithdrawn():
                del self.spots[event.spot]
            case ev.CardDealt():
                self._card(event)
            case ev.BlackjackKept():
                self.spots[event.spot].lines[0].steps.append(Step("keep"))
            case ev.InsurancePlaced():
                self.spots[event.spot].insurance = event.amount
            case ev.HandHit():
                self.spots[event.spot].hands[event.hand].steps.append(Step("hit"))
            case ev.HandDoubled():
                self.spots[event.spot].doubled(event.hand, event.amount)
            case ev.HandSplit():
                self.spots[event.spot].split(event.hand, event.amount)
            case ev.HandStood():
                self.spots[event.spot].hands[event.hand].steps.append(Step("stand"))
            case ev.HandSurrendered():
                self.spots[event.spot].hands[event.hand].steps.append(Step("surrender"))
            case ev.HandRescued():
                self.spots[event.spot].hands[event.hand].steps.append(Step("rescue"))
            case ev.WagerSettled():
                self.spots[event.spot].settled(event)
                self.order.append((event.spot, event.wager, event.net))
            case ev.RoundVoided():
                raise NotationError("a void round can't be written down: it paid nothing")
            case ev.MetersShown():
                self._read_meters(event)
            case ev.MeterRaised():
                self._move_meter(event.game, event.amount)
            case ev.MeterLowered():
                self._move_meter(event.game, -event.amount)
            case _:
                pass  # announcements are not part of a record

    def _move_meter(self, game: int, cents: int) -> None:
        self.meter_moves[game] = self.meter_moves.get(game, 0) + cents

    def _read_meters(self, event: ev.MetersShown) -> None:
        """What other tables fed since the start counts as if it had been there before."""
        for game, shown in event.meters.items():
            self.shown[game] = shown - self.meter_moves.get(game, 0)

    def _card(self, event: ev.CardDealt) -> None:
        if event.card is None:
            raise NotationError("a round with hidden cards can't be written down")
        if event.place is Place.PLAYER:
            self.spots[event.spot].hands[event.hand].add_card(event.card)
        elif event.place is Place.BONUS:
            self.bonus_cards.append(event.card)
        else:
            self.dealer.append(event.card)

    def record(self, rules: Rules, meters: tuple[tuple[int, int], ...], name: str) -> RoundRecord:
        given = meters or tuple((jackpot.seed, 0) for jackpot in rules.jackpots)
        start = tuple(
            (self.shown.get(game, cents), rest) for game, (cents, rest) in enumerate(given, start=1)
        )
        after = tuple(
            cents + self.meter_moves.get(game, 0) for game, (cents, _) in enumerate(start, start=1)
        )
        up, down, *draws = self.dealer
        spots = [self.spots[number] for number in sorted(self.spots)]
        return RoundRecord(
            id=name,
            rules=rules,
            up=up,
            down=down,
            spots=tuple(spot.record() for spot in spots),
            draws=tuple(draws),
            bonus_cards=tuple(self.bonus_cards),
            meters=start,
            order=tuple(
                StatedPayment(person_name(self.spots[spot].wagers.person, spot), wager, net)
                for spot, wager, net in self.order
            ),
            meters_after=after if rules.jackpots else None,
        )
