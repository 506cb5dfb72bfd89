"""A ledger of the house in plain lines: what each event of the books moves, worked out a second
time. It knows events as data and shares nothing with the code that it judges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Data = dict[str, Any]


@dataclass
class TableBook:
    """What the ledger has to remember of a table."""

    seats: dict[int, str] = field(default_factory=dict)  # person by seat
    spots: dict[int, int] = field(default_factory=dict)  # seat by spot
    jackpots: dict[int, int] = field(default_factory=dict)  # number by game
    down: Counter[int] = field(default_factory=Counter)  # chips before the deal, by spot
    taken: Counter[int] = field(default_factory=Counter)  # by the round, less what it paid


class Ledger:
    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        self.tables: dict[int, TableBook] = {}
        self.maxima: dict[int, int | None] = {}  # of what jackpots show, by number

    def move(self, payer: str, payee: str, amount: int) -> None:
        self.balances[payer] -= amount
        self.balances[payee] += amount

    def held(self) -> dict[str, int]:
        return {code: balance for code, balance in self.balances.items() if balance}

    # --- tables ---

    def table_event(self, number: int, event: Data) -> None:
        table = self.tables.setdefault(number, TableBook())
        kind = event["event"]
        stake, bank = f"stake/{number}", f"bank/{number}"
        if kind == "SeatTaken":
            table.seats[event["seat"]] = event["person"]
        elif kind in ("SpotsChosen", "SeatLeft"):
            table.spots = {spot: s for spot, s in table.spots.items() if s != event["seat"]}
            table.spots |= dict.fromkeys(event.get("spots", ()), event["seat"])
        elif kind in ("ChipsBought", "ChipsCashedOut"):
            wallet = f"wallet/{table.seats[event['seat']]}"
            sign = 1 if kind == "ChipsBought" else -1
            self.move(wallet, f"stack/{number}/{event['seat']}", sign * event["amount"])
        elif kind == "BankDropped":
            self.move(bank, "house", event["amount"])
        elif kind == "JackpotLinked":
            table.jackpots[event["game"]] = event["jackpot"]
        elif kind == "JackpotUnlinked":
            del table.jackpots[event["game"]]
        elif kind == "MeterRaised" and event["reason"] == "contribution":
            self.move(bank, f"meter/{table.jackpots[event['game']]}/{number}", event["amount"])
        elif kind == "ReserveRaised":
            self.move(bank, f"reserve/{table.jackpots[event['game']]}/{number}", event["amount"])
        elif kind == "MetersShown":
            for game, cents in event["meters"].items():
                self._check_shown(table.jackpots[int(game)], cents)
        elif kind == "RoundOpened":
            table.down.clear()
            table.taken.clear()
        elif kind == "RoundClosed":
            assert not self.balances[stake], f"table {number}: a round closed with chips on it"
        elif kind == "RoundVoided":
            for spot, taken in table.taken.items():
                if taken:
                    self.move(bank, f"stack/{number}/{table.spots[spot]}", taken)
            self.move(stake, bank, self.balances[stake])
        elif "spot" in event and kind in _WITH_CHIPS:
            self._chips(number, table, event)

    def _check_shown(self, jackpot: int, cents: int) -> None:
        """What an award is worked out from is all that lies in the meter and its stripes."""
        held = sum(
            balance
            for code, balance in self.balances.items()
            if f"{code}/".startswith(f"meter/{jackpot}/")
        )
        maximum = self.maxima[jackpot]
        due = held if maximum is None else min(held, maximum)
        assert cents == due, f"jackpot {jackpot} shows {cents} to an award, and should show {due}"

    def _chips(self, number: int, table: TableBook, event: Data) -> None:
        kind, spot = event["event"], event["spot"]
        stake, bank = f"stake/{number}", f"bank/{number}"
        stack = f"stack/{number}/{table.spots[spot]}"
        if kind == "WagerSettled":
            self.move(stake, bank, event["stake"])
            if not event["meter"]:  # else the jackpot's own book has it
                self.move(bank, stack, event["paid"])
                table.taken[spot] -= event["paid"]
            return
        if kind in ("WagersPlaced", "WagersWithdrawn"):
            self.move(stake, stack, table.down[spot])
            table.taken[spot] -= table.down[spot]
            amount = event.get("base", 0)
            amount += sum(event.get("mtd", {}).values()) + sum(event.get("jackpots", {}).values())
            table.down[spot] = amount
        else:
            amount = event["amount"]
        self.move(stack, stake, amount)
        table.taken[spot] += amount

    # --- jackpots, cashier ---

    def jackpot_event(self, number: int, event: Data) -> None:
        kind = event["event"]
        meter, reserve, advance = f"meter/{number}", f"reserve/{number}", f"advance/{number}"
        if kind in ("JackpotCreated", "MaximumSet"):
            self.maxima[number] = event["maximum"]
        elif kind == "StripesFolded":
            for table, amount in event["meters"].items():
                self.move(f"{meter}/{table}", meter, amount)
            for table, amount in event["reserves"].items():
                self.move(f"{reserve}/{table}", reserve, amount)
        elif kind == "AwardPaid":
            self.move(meter, f"stack/{event['table']}/{event['seat']}", event["amount"])
        elif kind in ("Overflowed", "CorrectedDown"):
            self.move(meter, reserve, event["amount"])
        elif kind == "SeedWon":
            self.move("house", advance, event["amount"])
        elif kind == "Seeded":
            self.move(reserve, meter, event["from_reserve"])
            self.move(advance, meter, event["advanced"])
        elif kind == "SeedRecovered":
            self.move(reserve, advance, event["from_reserve"])
            self.move(meter, advance, event["from_meter"])
        elif kind == "CorrectedUp":
            self.move("house", meter, event["amount"])
        elif kind == "ReceiptsTaken":
            self.move(reserve, "house", event["amount"])
        elif kind == "MovedOut":
            self.move(meter, f"meter/{event['jackpot']}", event["meter"])
            self.move(reserve, f"reserve/{event['jackpot']}", event["reserve"])

    def cashier_event(self, event: Data) -> None:
        wallet = f"wallet/{event['person']}"
        if event["event"] == "MoneyIssued":
            self.move("mint", wallet, event["amount"])
        elif event["event"] == "MoneyRedeemed":
            self.move(wallet, "mint", event["amount"])


_WITH_CHIPS = (
    "WagersPlaced",
    "WagersWithdrawn",
    "InsurancePlaced",
    "HandDoubled",
    "HandSplit",
    "WagerSettled",
)
