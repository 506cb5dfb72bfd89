"""Players who know only the messages on the wire and play at random, mostly legally.

A player remembers each command until it is answered and resends it if no answer arrives, on the
same connection or another one. Occasionally a player leaves, has two windows open at once, or sends
something forbidden.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol

from tests.simulated_house.checks import Checker
from tests.simulated_house.client_state import ClientTable, Data, Gap, read_events
from tests.simulated_house.forgery import FORGED, USED, forge_message
from tests.simulated_house.links import Link, Socket
from tests.simulated_house.servers import Server
from tests.simulated_house.world import MINUTE, SECOND, FaultKind, Faults, World
from tests.support.client import Client, PromptView
from ventiuna.table.fairness import cut_commitment

ANSWER_TIMEOUT = 3 * SECOND
EVENTS = '{"type":"events"'
ANSWERED = ("insurance", "blackjack", "decision")
ENDED = ("table_closed", "no_such_table")


class PublicInfo(Protocol):
    """What people outside know about the house."""

    world: World
    faults: Faults
    checker: Checker

    def any_server(self) -> Server | None: ...

    def any_table(self) -> int | None: ...

    def seeds(self, table: int) -> tuple[int, ...]: ...

    def has_house_jackpot(self, table: int, game: int) -> bool: ...

    def token_of(self, person: str) -> str: ...


@dataclass
class PendingCommand:
    """An unanswered command."""

    text: str
    at: int


class Window:
    """One connection of a person to a table."""

    def __init__(self, player: Player, server: Server, table: int, seen: ClientTable) -> None:
        self.table = table
        self.seen = seen
        self.is_open = True
        self._player = player
        self._link = Link(server, self._receive, self._hung_up)
        self._socket = Socket(server, table, self._link, player.floor.checker.answered)
        hello: Data = {"type": "hello", "token": player.floor.token_of(player.person)}
        if seen.n >= 0:
            hello["from"] = seen.n
        self.send(json.dumps(hello))

    def send(self, text: str) -> None:
        self._link.send(text, self._socket.receive)

    def close(self) -> None:
        self._link.close()
        self._socket.end()
        self.is_open = False

    def _hung_up(self) -> None:
        self.is_open = False
        self._player.wake()

    def _receive(self, text: str) -> None:
        message = read_events(text) if text.startswith(EVENTS) else json.loads(text)
        player = self._player
        player.floor.checker.leaves(text, message, self.table, player.person)
        kind = message["type"]
        if kind in ("snapshot", "events"):
            self._follow(message)
        elif kind == "you":
            player.wallet = message["wallet"]
        elif kind in ("done", "refused"):
            player.floor.checker.heard(player.person, message)
            player.answered(message)
        player.wake()

    def _follow(self, message: Data) -> None:
        try:
            is_new = self.seen.take(message)
        except Gap:
            self.close()
            return
        if is_new:
            self._player.floor.checker.saw(self.table, self.seen)


class Player:
    def __init__(self, floor: PublicInfo, person: str, wallet: int) -> None:
        self.floor = floor
        self.person = person
        self.wallet = wallet
        self.windows: list[Window] = []
        self._world = floor.world
        self._seen: ClientTable | None = None
        self._table: int | None = None
        self._sent: dict[str, PendingCommand] = {}
        self._keys = 0
        self._last_done = ""
        self._is_thinking = False
        self._away_until = 0
        self._chooser = Client(floor.world.random)
        self._patience = floor.world.between(40, 400)  # thinking time in milliseconds
        self._look_up()

    # --- timing ---

    def wake(self) -> None:
        """Schedule one reaction to everything that happens until then."""
        if not self._is_thinking:
            self._is_thinking = True
            self._world.after(self._world.between(20, self._patience), self._think)

    def _look_up(self) -> None:
        """Wake up even if nothing happens, because answers get lost."""
        self._world.after(self._world.between(SECOND, 3 * SECOND), self._look_up)
        self.wake()

    def _think(self) -> None:
        self._is_thinking = False
        self.windows = [window for window in self.windows if window.is_open]
        if self._world.now < self._away_until:
            return
        if self._goes_away():
            return
        if not self.windows:
            self._connect()
            return
        if self.floor.faults.strikes(FaultKind.SECOND_WINDOW) and len(self.windows) < 2:
            self._connect()
        window = self._world.random.choice(self.windows)
        if window.seen.n < 0:
            self._hang_up_if_silent(window)
        elif not self._resend(window):
            self._act(window)

    def _goes_away(self) -> bool:
        faults = self.floor.faults
        if not faults.strikes(FaultKind.AWAY):
            return False
        chance = faults.draw(FaultKind.AWAY)
        self._away_until = self._world.now + chance.choice(
            [SECOND, MINUTE, 2 * MINUTE, 14 * MINUTE]
        )
        for window in self.windows:
            window.close()
        return True

    def come_back(self) -> None:
        self._away_until = 0

    def _hang_up_if_silent(self, window: Window) -> None:
        if self._world.chance(0.2):
            window.close()

    # --- connections ---

    def _connect(self) -> None:
        server = self.floor.any_server()
        if server is None:
            return
        if self._table is None or (self._seen is not None and _is_closed(self._seen)):
            self._choose_table()
        if self._table is None:
            return
        known = ClientTable(self.floor.seeds(self._table))
        if self._seen is not None and not self.windows and self._world.chance(0.7):
            known = self._seen  # resumes where it left off
        self._seen = known
        self.windows.append(Window(self, server, self._table, known))

    def _choose_table(self) -> None:
        self._sent.clear()
        self._seen = None
        self._table = self.floor.any_table()

    # --- sending ---

    def _key(self) -> str:
        self._keys += 1
        return f"{self.person}-{self._keys}"

    def _send(self, window: Window, command: Data, ask: int | None = None) -> None:
        key = self._key()
        message: Data = {"type": "command", "key": key, "command": command}
        if ask is not None:
            message["ask"] = ask
        else:
            message["sent"] = self._world.now
        text = json.dumps(message)
        self._sent[key] = PendingCommand(text, self._world.now)
        window.send(text)

    def _resend(self, window: Window) -> bool:
        """Resend commands that have waited too long; True while there is something to wait for."""
        for key, sent in list(self._sent.items()):
            waited = self._world.now - sent.at
            if waited > MINUTE:
                del self._sent[key]
            elif waited > ANSWER_TIMEOUT and self._world.chance(0.5):
                window.send(sent.text)
        return len(self._sent) > 2 or (bool(self._sent) and self._world.chance(0.9))

    def answered(self, message: Data) -> None:
        self._sent.pop(message["key"], None)
        if message["type"] == "done":
            self._last_done = message["key"]
        if message.get("code") in ENDED:
            self._table = None

    # --- choosing what to do ---

    def _act(self, window: Window) -> None:
        seen = window.seen
        if _is_closed(seen):
            window.close()
            self._table = None
            return
        if self.floor.faults.strikes(FaultKind.FORGED):
            self._forge(window)
            return
        seat = seen.seat_of(self.person)
        if seat is None:
            self._sit_down(window)
        elif seat["status"] == "leaving":
            if self._world.chance(0.1):
                self._send(window, {"command": "ComeBack"})
        elif not self._now_and_then(window, seat):
            self._answer(window, seat)

    def _sit_down(self, window: Window) -> None:
        seen = window.seen
        if seen.data["table"]["status"] != "open":
            window.close()
            self._table = None
            return
        free = [n for n in range(1, seen.data["table"]["seats"] + 1) if n not in seen.seats]
        if free and self._world.chance(0.8):
            self._send(window, {"command": "TakeSeat", "seat": self._world.random.choice(free)})
        elif self._world.chance(0.1):
            window.close()
            self._table = None

    def _now_and_then(self, window: Window, seat: Data) -> bool:
        """Do something unrelated to the round."""
        draw = self._world.random.random()
        status = window.seen.data["table"]["status"]
        if draw < 0.004:
            self._send(window, {"command": "LeaveSeat"})
        elif draw < 0.012:
            amount = self._world.random.choice([None, seat["stack"] // 2, seat["stack"] + 1])
            self._send(window, {"command": "CashOut", "amount": amount})
        elif draw < 0.03:
            number = window.seen.data["table"]["seats"]
            spots = self._world.random.sample(range(1, number + 1), min(number, 2))
            self._send(window, {"command": "ChooseSpots", "spots": [*spots, seat["seat"]]})
        elif draw < 0.034:
            self._send(window, {"command": "ComeBack"})
        else:
            return bool(status == "fault")
        return True

    def _answer(self, window: Window, seat: Data) -> None:
        ask = window.seen.ask
        if ask is None:
            return
        kind = ask["kind"]
        if kind == "wagers":
            self._wager(window, seat, ask)
        elif kind == "cut_commit":
            self._commit_cut(window, seat, ask)
        elif kind == "cut_open":
            self._open_cut(window, seat, ask)
        elif kind in ANSWERED:
            options = [
                option
                for option in ask["options"] or ()
                if option.get("spot") in seat["spots"]
                and option.get("legal", True)
                and option.get("covered", True)
            ]
            if options and not self._world.chance(0.03):
                command = self._chooser.command(PromptView(kind, options, []))
                self._send(window, command, ask["n"])

    # --- wagers ---

    def _wager(self, window: Window, seat: Data, ask: Data) -> None:
        if seat["ready"] and not self._world.chance(0.02):
            return
        placed = {spot["number"] for spot in window.seen.data["round"]["spots"]}
        mine = [spot for spot in seat["spots"] if spot not in placed]
        if mine and self._world.chance(0.9):
            self._place(window, seat, ask, mine)
        elif placed & set(seat["spots"]) and self._world.chance(0.05):
            spot = self._world.random.choice(sorted(placed & set(seat["spots"])))
            self._send(window, {"command": "WithdrawWagers", "spot": spot}, ask["n"])
        else:
            self._send(window, {"command": "Ready"}, ask["n"])

    def _place(self, window: Window, seat: Data, ask: Data, mine: list[int]) -> None:
        wagers = [option for option in ask["options"] if option["kind"] == "wager"]
        base = wagers[0]
        affordable = seat["stack"] // 4
        if base["least"] > affordable:
            self._buy(window, base["least"])
            return
        offered: list[Data] = []
        linked = window.seen.data["table"]["jackpots"]
        for option in wagers:
            most = min(option["most"], max(option["least"], affordable))
            limited = {**option, "spots": mine, "most": most - most % max(option["unit"], 1)}
            game = str(option["wager"]).partition("jackpot ")[2]
            if game and game not in linked and not self._world.chance(0.05):
                limited["legal"] = self.floor.has_house_jackpot(window.table, int(game))
            offered.append(limited)
        placed = self._chooser.wagers(PromptView("wagers", offered, []))
        if not self._world.chance(0.03):
            placed["person"] = ""  # 3% of the time, send a name, which is refused
        self._send(window, placed, ask["n"])

    def _buy(self, window: Window, least: int) -> None:
        amount = min(self.wallet, least * self._world.between(20, 200))
        if amount <= 0 or self._world.chance(0.05):
            amount = self.wallet + least
        self._send(window, {"command": "BuyChips", "amount": amount})

    # --- cuts ---

    def _commit_cut(self, window: Window, seat: Data, ask: Data) -> None:
        shoe = window.seen.data["shoe"]
        if seat["ready"] or str(seat["seat"]) in shoe["cuts"]:
            return
        if self._world.chance(0.5):
            self._send(window, {"command": "Ready"}, ask["n"])
            return
        value = self._cut_value(shoe["next_commitment"])
        commitment = cut_commitment(bytes.fromhex(shoe["next_commitment"]), seat["seat"], value)
        self._send(window, {"command": "CommitCut", "commitment": commitment.hex()}, ask["n"])

    def _open_cut(self, window: Window, seat: Data, ask: Data) -> None:
        shoe = window.seen.data["shoe"]
        cut = shoe["cuts"].get(str(seat["seat"]))
        if cut is None or cut["value"] is not None or seat["ready"] or self._world.chance(0.1):
            return
        value = self._cut_value(shoe["next_commitment"])
        self._send(window, {"command": "OpenCut", "value": value.hex()}, ask["n"])

    def _cut_value(self, commitment: str) -> bytes:
        return hashlib.sha256(f"{self.person}/{commitment}".encode()).digest()

    # --- forbidden messages ---

    def _forge(self, window: Window) -> None:
        chance = self.floor.faults.draw(FaultKind.FORGED)
        message = forge_message(chance, window.seen, self.person, self._world.now)
        if "key" in message:
            is_used = message["key"] == USED and self._last_done
            message["key"] = self._last_done if is_used else f"{FORGED}-{chance.getrandbits(60)}"
        text: str = json.dumps(message) if message else chance.choice(["{", "[]", '"x"', "{}"])
        window.send(text)


def _is_closed(seen: ClientTable) -> bool:
    return bool(seen.data) and seen.data["table"]["status"] == "closed"
