"""Track every cent of a round using only its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ventiuna.engine import events as ev
from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Event, Wager
from ventiuna.errors import VentiunaError

SETTLED = -1  # stored in place of a settled hand's chips
_ORDER = {wager: place for place, wager in enumerate(Wager)}


class ChipsLost(VentiunaError, ValueError):
    """An event takes chips that aren't there, or pays a wager twice."""


class Chips:
    """Gains of the spots, the house and the meters, and the chips still on the table.

    Computed without the engine's own sums: a wager counts from the event that places it until the
    event that settles it.
    """

    def __init__(self) -> None:
        self.spots: dict[int, int] = {}
        self.house = 0
        self.meters: dict[int, int] = {}  # change in cents, by jackpot game
        self._hands: dict[int, list[int]] = {}
        self._others: dict[tuple[int, Wager], int] = {}
        self._owed_by_meter: dict[int, int] = {}

    def copy(self) -> Chips:
        twin = Chips()
        twin.spots = dict(self.spots)
        twin.house = self.house
        twin.meters = dict(self.meters)
        twin._hands = {spot: hands[:] for spot, hands in self._hands.items()}
        twin._others = dict(self._others)
        twin._owed_by_meter = dict(self._owed_by_meter)
        return twin

    def add(self, event: Event) -> None:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)

    def add_all(self, events: Iterable[Event]) -> Chips:
        for event in events:
            self.add(event)
        return self

    @property
    def on_table(self) -> int:
        """Chips placed but not yet settled."""
        hands = sum(chips for hands in self._hands.values() for chips in hands if chips > 0)
        return hands + sum(self._others.values())

    def on_hand(self, spot: int, hand: int) -> int:
        """Chips on a hand; 0 if it is settled."""
        return max(self._hands[spot][hand], 0)

    def stake_of(self, spot: int, wager: Wager) -> int:
        """Unsettled chips on one of a spot's wagers; `Wager.HAND` covers all its hands."""
        if wager is Wager.HAND:
            return sum(chips for chips in self._hands.get(spot, ()) if chips > 0)
        return self._others.get((spot, wager), 0)

    def riding(self, spot: int) -> dict[Wager, int]:
        """Unsettled chips on a spot's wagers other than its hands."""
        found = {wager: chips for (place, wager), chips in self._others.items() if place == spot}
        if len(found) < 2:
            return found
        return {wager: found[wager] for wager in sorted(found, key=_ORDER.__getitem__)}

    def stakes_on(self, spot: int) -> list[int]:
        """Chips on each unsettled hand and other wager of a spot.

        Always in the order of `Wager`, no matter which was placed first.
        """
        hands = [chips for chips in self._hands.get(spot, ()) if chips > 0]
        return hands + list(self.riding(spot).values())

    @property
    def is_settled(self) -> bool:
        """Return whether all wagers, even zero wagers, are settled and no meter owes the house."""
        hands_over = all(chips == SETTLED for hands in self._hands.values() for chips in hands)
        return hands_over and not self._others and not any(self._owed_by_meter.values())

    @property
    def total(self) -> int:
        """Sum of all gains and the chips on the table: always zero."""
        return sum(self.spots.values()) + self.house + sum(self.meters.values()) + self.on_table

    # --- Placing chips ---

    def _put_down(self, spot: int, amount: int, event: Event) -> None:
        _require_chips(amount, event)
        self.spots[spot] = self.spots.get(spot, 0) - amount

    def _wagers_placed(self, event: ev.WagersPlaced) -> None:
        self._take_back(event.spot)
        self._hands[event.spot] = [event.base]
        self._put_down(event.spot, event.base, event)
        others = {MTD_WAGERS[name]: amount for name, amount in event.mtd.items()}
        others |= {JACKPOT_WAGERS[game]: amount for game, amount in event.jackpots.items()}
        for wager, amount in others.items():
            self._others[event.spot, wager] = amount
            self._put_down(event.spot, amount, event)

    def _wagers_withdrawn(self, event: ev.WagersWithdrawn) -> None:
        if event.spot not in self._hands:
            raise ChipsLost(f"spot {event.spot} has no wagers to withdraw")
        self._take_back(event.spot)

    def _take_back(self, spot: int) -> None:
        """Return wagers that were replaced or withdrawn before the deal."""
        chips = sum(self._hands.pop(spot, ()))
        for key in [key for key in self._others if key[0] == spot]:
            chips += self._others.pop(key)
        self.spots[spot] = self.spots.get(spot, 0) + chips

    def _insurance_placed(self, event: ev.InsurancePlaced) -> None:
        self._require_playing(event.spot)
        if (event.spot, Wager.INSURANCE) in self._others:
            raise ChipsLost(f"spot {event.spot} insures twice")
        if event.amount:
            self._put_down(event.spot, event.amount, event)
            self._others[event.spot, Wager.INSURANCE] = event.amount

    def _hand_doubled(self, event: ev.HandDoubled) -> None:
        self._require_open(event.spot, event.hand)
        self._put_down(event.spot, event.amount, event)
        self._hands[event.spot][event.hand] += event.amount

    def _require_playing(self, spot: int) -> None:
        if spot not in self._hands:
            raise ChipsLost(f"spot {spot} isn't playing")

    def _require_open(self, spot: int, hand: int) -> None:
        hands = self._hands.get(spot, [])
        if hand >= len(hands) or hands[hand] == SETTLED:
            raise ChipsLost(f"spot {spot} has no open wager on hand {hand}")

    def _hand_split(self, event: ev.HandSplit) -> None:
        self._require_open(event.spot, event.hand)
        self._put_down(event.spot, event.amount, event)
        self._hands[event.spot].insert(event.hand + 1, event.amount)

    # --- Settling chips ---

    def _wager_settled(self, event: ev.WagerSettled) -> None:
        _require_chips(min(event.paid, event.stake), event)
        if event.wager is Wager.HAND:
            self._require_open(event.spot, event.hand)
            hands = self._hands[event.spot]
            if hands[event.hand] != event.stake:
                raise ChipsLost(
                    f"the hand has {hands[event.hand]} cents on it, not {event.stake}: {event}"
                )
            hands[event.hand] = SETTLED
        else:
            self._settle_other(event)
        self.spots[event.spot] += event.paid
        self.house += event.stake - event.paid
        if event.meter:
            self._owed_by_meter[event.meter] = self._owed_by_meter.get(event.meter, 0) + event.paid

    def _settle_other(self, event: ev.WagerSettled) -> None:
        """Settle a wager that isn't on a hand.

        A jackpot award may follow the fixed pay; by then, the stake has already been settled.
        """
        chips = self._others.pop((event.spot, event.wager), 0)
        if chips != event.stake:
            raise ChipsLost(f"the wager is {chips} cents, not {event.stake}: {event}")
        if not chips and not event.wager.is_free and not event.wager.game:
            raise ChipsLost(f"nobody placed the wager being settled: {event}")
        self._require_playing(event.spot)

    # --- Meters: raised by the house, lowered to reimburse it for an award ---

    def _meter_raised(self, event: ev.MeterRaised) -> None:
        _require_chips(event.amount, event)
        self.meters[event.game] = self.meters.get(event.game, 0) + event.amount
        self.house -= event.amount

    def _meter_lowered(self, event: ev.MeterLowered) -> None:
        _require_chips(event.amount, event)
        self.meters[event.game] = self.meters.get(event.game, 0) - event.amount
        self.house += event.amount
        self._owed_by_meter[event.game] = self._owed_by_meter.get(event.game, 0) - event.amount

    # --- A voided round: contributions stay in the meters ---

    def _round_voided(self, _: ev.RoundVoided) -> None:
        self.spots = dict.fromkeys(self.spots, 0)
        self.house = -sum(self.meters.values())
        self._hands.clear()
        self._others.clear()
        self._owed_by_meter.clear()


def _require_chips(amount: int, event: Event) -> None:
    if amount < 0:
        raise ChipsLost(f"chips below zero: {event}")


_HANDLERS: dict[type[Event], Callable[[Chips, Any], None]] = {
    ev.WagersPlaced: Chips._wagers_placed,
    ev.WagersWithdrawn: Chips._wagers_withdrawn,
    ev.InsurancePlaced: Chips._insurance_placed,
    ev.HandDoubled: Chips._hand_doubled,
    ev.HandSplit: Chips._hand_split,
    ev.WagerSettled: Chips._wager_settled,
    ev.MeterRaised: Chips._meter_raised,
    ev.MeterLowered: Chips._meter_lowered,
    ev.RoundVoided: Chips._round_voided,
}
