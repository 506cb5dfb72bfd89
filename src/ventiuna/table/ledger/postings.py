"""From what happened to what it moved: each event of a table is mapped to postings once, here.

Two events give no line in the table's entry. `MeterLowered` and seed money concern the jackpot
alone, so they stand in the entry of its own book, with the award itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ventiuna.engine import events as ev
from ventiuna.engine.chips import Chips
from ventiuna.engine.stakes import WagerKind
from ventiuna.table import events as own
from ventiuna.table.events import TableEvent
from ventiuna.table.ledger.chain import Posting
from ventiuna.table.ledger.chart import PostingCode

HOUSE = "house"
# An award names the rule of its kind of jackpot, progressive or house; fixed lines and the
# operator's prizes name others.
PAID_BY_JACKPOT = frozenset({"R-095", "O-39"})


class Layout(NamedTuple):
    """Whose chips lie where: what a table knows and a round does not."""

    table: int
    seats: Mapping[int, int]  # seat by spot
    persons: Mapping[int, int]  # person by seat
    jackpots: Mapping[int, int]  # number of the progressive by jackpot game; house jackpots: none
    round_number: int | None = None

    @property
    def stake(self) -> str:
        return f"stake/{self.table}"

    @property
    def bank(self) -> str:
        return f"bank/{self.table}"

    def stack_of(self, spot: int) -> str:
        return self.stack(self.seats[spot])

    def stack(self, seat: int) -> str:
        return f"stack/{self.table}/{seat}"

    def wallet(self, seat: int) -> str:
        return f"wallet/{self.persons[seat]}"

    def meter(self, game: int) -> str:
        return f"meter/{self.jackpots[game]}/{self.table}"

    def reserve(self, game: int) -> str:
        return f"reserve/{self.jackpots[game]}/{self.table}"


def postings_of(
    event: TableEvent, number: int, before: Chips, layout: Layout
) -> tuple[Posting, ...]:
    """What the event moves. `number` is its own in the book, `before` the open round's chips
    before it; events outside of rounds need none."""
    mapped = _MAPPED.get(type(event))
    if mapped is None:
        return ()
    lines = _Lines(number, layout)
    mapped(lines, event, before)
    return tuple(lines.written)


class _Lines:
    """The postings of one event, in their order."""

    __slots__ = ("layout", "number", "written")

    def __init__(self, number: int, layout: Layout) -> None:
        self.number = number
        self.layout = layout
        self.written: list[Posting] = []

    def of_round(
        self, code: PostingCode, payer: str, payee: str, amount: int, spot: int | None
    ) -> None:
        """Nothing is posted for nothing."""
        if amount:
            round_number = self.layout.round_number
            self.written.append(
                Posting(code, payer, payee, amount, round_number, self.number, spot)
            )

    def of_table(self, code: PostingCode, payer: str, payee: str, amount: int) -> None:
        if amount:
            self.written.append(Posting(code, payer, payee, amount, event=self.number))


# --- wagers go down and come back -------------------------------------------------------------


def _wagers_placed(lines: _Lines, event: ev.WagersPlaced, before: Chips) -> None:
    """Each wager is a row of its own, and so is each that it replaces.

    By their names: JSON keeps no other order, and stored events give the same rows again.
    """
    _take_back(lines, event.spot, before)
    stack, stake = lines.layout.stack_of(event.spot), lines.layout.stake
    mtd = [amount for _, amount in sorted(event.mtd.items())]
    jackpots = [amount for _, amount in sorted(event.jackpots.items())]
    for amount in (event.base, *mtd, *jackpots):
        lines.of_round(PostingCode.WAGER, stack, stake, amount, event.spot)


def _wagers_withdrawn(lines: _Lines, event: ev.WagersWithdrawn, before: Chips) -> None:
    _take_back(lines, event.spot, before)


def _take_back(lines: _Lines, spot: int, before: Chips) -> None:
    stack, stake = lines.layout.stack_of(spot), lines.layout.stake
    for amount in before.stakes_on(spot):
        lines.of_round(PostingCode.TAKE_BACK, stake, stack, amount, spot)


def _added_to_stake(code: PostingCode) -> Callable[[_Lines, Any, Chips], None]:
    def added(
        lines: _Lines, event: ev.HandDoubled | ev.HandSplit | ev.InsurancePlaced, _: Chips
    ) -> None:
        layout = lines.layout
        stack = layout.stack_of(event.spot)
        lines.of_round(code, stack, layout.stake, event.amount, event.spot)

    return added


# --- wagers are settled -----------------------------------------------------------------------


def _wager_settled(lines: _Lines, event: ev.WagerSettled, _: Chips) -> None:
    layout, spot = lines.layout, event.spot
    stack, stake, bank = layout.stack_of(spot), layout.stake, layout.bank
    if event.wager.game and event.rule in PAID_BY_JACKPOT:
        # All of the amount is paid and the stake is the house's; a progressive pays by itself.
        lines.of_round(PostingCode.LOST, stake, bank, event.stake, spot)
        if not event.meter:
            lines.of_round(PostingCode.HOUSE_PRIZE, bank, stack, event.paid, spot)
        return
    lines.of_round(PostingCode.RETURNED, stake, stack, min(event.paid, event.stake), spot)
    if event.paid > event.stake:
        code = _WON.get(event.wager.kind, PostingCode.WON)
        lines.of_round(code, bank, stack, event.net, spot)
    else:
        lines.of_round(PostingCode.LOST, stake, bank, -event.net, spot)


_WON = {
    WagerKind.SUPER: PostingCode.SUPER_BONUS,
    WagerKind.ENVY: PostingCode.ENVY_BONUS,
}


def _round_voided(lines: _Lines, _: ev.RoundVoided, before: Chips) -> None:
    """Each seat's chips on the layout come back first: then it can give back what it won."""
    layout = lines.layout
    for seat, (on_layout, won) in sorted(_at_stake_and_won(before, layout).items()):
        stack = layout.stack(seat)
        lines.of_round(PostingCode.VOID_STAKE, layout.stake, stack, on_layout, None)
        if won > 0:
            lines.of_round(PostingCode.VOID_WON, stack, layout.bank, won, None)
        else:
            lines.of_round(PostingCode.VOID_LOST, layout.bank, stack, -won, None)


def _at_stake_and_won(before: Chips, layout: Layout) -> dict[int, tuple[int, int]]:
    """By seat, its chips on the layout and its result of the wagers that are settled."""
    found: dict[int, tuple[int, int]] = {}
    for spot, gain in before.spots.items():
        on_layout = sum(before.stakes_on(spot))
        if gain or on_layout:  # who has withdrawn his wagers may have left
            seat = layout.seats[spot]
            staked, won = found.get(seat, (0, 0))
            found[seat] = staked + on_layout, won + gain + on_layout
    return found


# --- jackpots: what a table's wagers put in ---------------------------------------------------


def _meter_raised(lines: _Lines, event: ev.MeterRaised, _: Chips) -> None:
    if event.reason == "contribution":
        layout = lines.layout
        meter = layout.meter(event.game)
        lines.of_round(PostingCode.CONTRIBUTION, layout.bank, meter, event.amount, None)


def _reserve_raised(lines: _Lines, event: own.ReserveRaised, _: Chips) -> None:
    layout = lines.layout
    reserve = layout.reserve(event.game)
    lines.of_round(PostingCode.RESERVE, layout.bank, reserve, event.amount, None)


# --- between rounds ---------------------------------------------------------------------------


def _chips_bought(lines: _Lines, event: own.ChipsBought, _: Chips) -> None:
    wallet, stack = lines.layout.wallet(event.seat), lines.layout.stack(event.seat)
    lines.of_table(PostingCode.BUY_IN, wallet, stack, event.amount)


def _chips_cashed_out(lines: _Lines, event: own.ChipsCashedOut, _: Chips) -> None:
    wallet, stack = lines.layout.wallet(event.seat), lines.layout.stack(event.seat)
    lines.of_table(PostingCode.CASH_OUT, stack, wallet, event.amount)


def _bank_dropped(lines: _Lines, event: own.BankDropped, _: Chips) -> None:
    bank = lines.layout.bank
    if event.amount > 0:
        lines.of_table(PostingCode.DROP, bank, HOUSE, event.amount)
    else:
        lines.of_table(PostingCode.FILL, HOUSE, bank, -event.amount)


_MAPPED: dict[type[TableEvent], Callable[[_Lines, Any, Chips], None]] = {
    ev.WagersPlaced: _wagers_placed,
    ev.WagersWithdrawn: _wagers_withdrawn,
    ev.InsurancePlaced: _added_to_stake(PostingCode.INSURANCE),
    ev.HandDoubled: _added_to_stake(PostingCode.DOUBLE),
    ev.HandSplit: _added_to_stake(PostingCode.SPLIT),
    ev.WagerSettled: _wager_settled,
    ev.MeterRaised: _meter_raised,
    ev.RoundVoided: _round_voided,
    own.ReserveRaised: _reserve_raised,
    own.ChipsBought: _chips_bought,
    own.ChipsCashedOut: _chips_cashed_out,
    own.BankDropped: _bank_dropped,
}
MOVES_MONEY = frozenset(_MAPPED)  # the kinds of events that give postings at all
