"""A client's view of a table: a snapshot plus later events, applied as plain data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

Data = dict[str, Any]

# Fields that the server computes from cards and rules; a person sees only the cards.
_WORKED_OUT = frozenset({"total", "soft", "blackjack", "count", "words"})
_OF_SPOT = frozenset({"in_play", "net", "riding", "hands"})
_OF_ROUND = frozenset({"dealer_words", "spots"})
_OF_SHOE = frozenset({"left", "size", "to_cut", "discards", "words"})


class Gap(Exception):
    """Events are missing: the client must say hello again."""


class Contradiction(Exception):
    """A message contradicts itself."""


def _with_options(ask: Data | None, known: Data | None) -> Data | None:
    """The prompt, which keeps its earlier options unless the message has new ones."""
    if ask is None or ask["options"] is not None or known is None or known["n"] != ask["n"]:
        return ask
    return ask | {"options": known["options"]}


class ClientTable:
    """The table as its messages describe it, starting with the first snapshot."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self.n = -1  # last known event; -1 if none
        self.data: Data = {}
        self._seeds = seeds  # seeds of the jackpots in the table's rules

    @property
    def ask(self) -> Data | None:
        ask: Data | None = self.data.get("ask")
        return ask

    @property
    def seats(self) -> dict[int, Data]:
        return {seat["seat"]: seat for seat in self.data["seats"]}

    def seat_of(self, person: str) -> Data | None:
        for seat in self.data.get("seats", ()):
            if seat["person"] == person:
                return dict(seat)
        return None

    def take(self, message: Data) -> bool:
        """Apply a snapshot, or events from `read_events`; return False if they are already known.

        Raises `Gap`.
        """
        if message["type"] == "snapshot":
            if message["n"] < self.n:
                return False
            self.n = message["n"]
            told = ("type", "story", "scene")
            self.data = comparable({key: message[key] for key in message if key not in told})
            return True
        first, events = message["n"], message["events"]
        last = first + len(events) - 1
        if last <= self.n:
            return False
        if self.n < 0 or first > self.n + 1:
            raise Gap
        known = self.ask
        for event in events[self.n + 1 - first :]:
            self._follow(event)
        self.n = self.data["n"] = last
        self.data["ask"] = _with_options(message["ask"], known)
        for seat in self.data["seats"]:
            seat["stack"] = message["stacks"][str(seat["seat"])]
        self._check(message)
        return True

    def _check(self, message: Data) -> None:
        """Check that the message shows the table that its events produce."""
        for part in ("told", "after"):
            if len(message[part]) != len(message["events"]):
                raise Contradiction(f"{part} has a different length from events: {message}")
        for part in ("round", "seats", "shoe"):
            shown, made = message[part], self.data[part]
            if part == "round" and shown and made:  # the message has only the spots that changed
                spots = {spot["number"] for spot in shown["spots"]}
                made = made | {"spots": [one for one in made["spots"] if one["number"] in spots]}
            is_shown = part == "round" or shown is not None
            if is_shown and shown != made:
                raise Contradiction(f"the message has {part} {shown}, but its events give {made}")

    def _follow(self, event: Data) -> None:
        change = _CHANGES.get(event["event"])
        if change is not None:
            change(self, event)

    # --- seats ---

    def _seat(self, number: int) -> Data:
        found: Data = self.seats[number]
        return found

    def _set_ready(self, is_ready: bool) -> None:
        for seat in self.data["seats"]:
            seat["ready"] = is_ready

    def _seat_taken(self, event: Data) -> None:
        seat = {
            "seat": event["seat"],
            "person": event["person"],
            "name": event["name"],
            "status": "here",
            "spots": [],
            "stack": 0,
            "ready": False,
        }
        self.data["seats"] = sorted([*self.data["seats"], seat], key=lambda one: one["seat"])

    def _seat_left(self, event: Data) -> None:
        self.data["seats"] = [one for one in self.data["seats"] if one["seat"] != event["seat"]]

    def _spots_chosen(self, event: Data) -> None:
        self._seat(event["seat"])["spots"] = sorted(event["spots"])

    def _seat_ready(self, event: Data) -> None:
        self._seat(event["seat"])["ready"] = True

    # --- shoes ---

    def _shoe_committed(self, event: Data) -> None:
        shoe = self.data["shoe"]
        shoe["next"], shoe["next_commitment"] = event["shoe"], event["commitment"]
        shoe["cuts"] = {}

    def _cut_committed(self, event: Data) -> None:
        cut = {"commitment": event["commitment"], "value": None}
        self.data["shoe"]["cuts"][str(event["seat"])] = cut

    def _cut_opened(self, event: Data) -> None:
        self.data["shoe"]["cuts"][str(event["seat"])]["value"] = event["value"]

    def _shoe_cut(self, event: Data) -> None:
        shoe = self.data["shoe"]
        shoe["number"], shoe["commitment"] = shoe["next"], shoe["next_commitment"]
        shoe["next"] = shoe["next_commitment"] = None
        self._set_ready(False)

    def _shoe_revealed(self, event: Data) -> None:
        self.data["shoe"]["number"] = self.data["shoe"]["commitment"] = None

    # --- rounds ---

    def _round_opened(self, event: Data) -> None:
        self.data["round"] = {
            "number": event["number"],
            "stage": "wagers",
            "dealer": [],
            "bonus_cards": [],
            "spots": [],
            "meters": [
                event["meters"].get(str(game), seed)
                for game, seed in enumerate(self._seeds, start=1)
            ],
        }

    def _round_closed(self, event: Data) -> None:
        self.data["round"] = None
        self._set_ready(False)

    def _spot(self, number: int) -> Data:
        found: Data = next(one for one in self.data["round"]["spots"] if one["number"] == number)
        return found

    def _hand(self, event: Data) -> Data:
        hand: Data = self._spot(event["spot"])["hands"][event["hand"]]
        return hand

    def _wagers_placed(self, event: Data) -> None:
        number = event["spot"]
        spots = [one for one in self.data["round"]["spots"] if one["number"] != number]
        names = {seat["person"]: seat["name"] for seat in self.data["seats"]}
        spots.append(
            {
                "number": number,
                "person": event["person"],
                "name": names[event["person"]],
                "base": event["base"],
                "mtd": event["mtd"],
                "jackpots": event["jackpots"],
                "insurance": None,
                "hands": [_new_hand(event["base"], [])],
            }
        )
        self.data["round"]["spots"] = sorted(spots, key=lambda one: one["number"])
        for seat in self.data["seats"]:
            if number in seat["spots"]:
                seat["ready"] = False

    def _wagers_withdrawn(self, event: Data) -> None:
        spots = self.data["round"]["spots"]
        self.data["round"]["spots"] = [one for one in spots if one["number"] != event["spot"]]

    def _card_dealt(self, event: Data) -> None:
        place, card = event["place"], event["card"]
        if place == "player":
            self._hand(event)["cards"].append(card)
        elif place == "bonus":
            self.data["round"]["bonus_cards"].append(card)
        elif place == "up":  # left of a down card that was dealt earlier
            self.data["round"]["dealer"].insert(0, card)
        else:
            self.data["round"]["dealer"].append(card)

    def _hand_doubled(self, event: Data) -> None:
        hand = self._hand(event)
        hand["wager"] += event["amount"]
        hand["doublings"] += 1
        self._set_ready(False)

    def _hand_split(self, event: Data) -> None:
        first = self._hand(event)
        second = _new_hand(event["amount"], [first["cards"].pop()])
        self._spot(event["spot"])["hands"].insert(event["hand"] + 1, second)
        self._set_ready(False)

    def _wager_settled(self, event: Data) -> None:
        if event["wager"] == "hand":
            self._hand(event)["status"] = "over"

    def _meter_changed(self, event: Data) -> None:
        sign = 1 if event["event"] == "MeterRaised" else -1
        self.data["round"]["meters"][event["game"] - 1] += sign * event["amount"]

    def _meters_shown(self, event: Data) -> None:
        for game, cents in event["meters"].items():
            self.data["round"]["meters"][int(game) - 1] = cents


def _new_hand(wager: int, cards: list[int]) -> Data:
    return {
        "cards": cards,
        "wager": wager,
        "doublings": 0,
        "status": "waiting",
        "on_table": True,
    }


@lru_cache(maxsize=64)
def read_events(text: str) -> Data:
    """Parse an event message, with its table data as in `comparable`.

    Cached, because all listeners get the same text. None of them modifies the result.
    """
    message: Data = json.loads(text)
    return comparable(message)


def comparable(shown: Data) -> Data:
    """Strip the parts of a table that need rules to compute, and the shoe's remaining cards."""
    seen = dict(shown)
    if seen["shoe"] is not None:
        seen["shoe"] = _without(seen["shoe"], _OF_SHOE)
    if seen["round"] is not None:
        spots = [
            {
                **_without(spot, _OF_SPOT),
                "hands": [_without(hand, _WORKED_OUT) for hand in spot["hands"]],
            }
            for spot in seen["round"]["spots"]
        ]
        seen["round"] = {**_without(seen["round"], _OF_ROUND), "spots": spots}
    return seen


def _without(data: Data, names: frozenset[str]) -> Data:
    return {name: value for name, value in data.items() if name not in names}


def _status(name: str) -> Callable[[ClientTable, Data], None]:
    def changed(seen: ClientTable, _: Data) -> None:
        seen.data["table"]["status"] = name

    return changed


def _decks_shuffled(seen: ClientTable, _: Data) -> None:
    seen.data["table"]["waits"] = None


def _seat_status(name: str) -> Callable[[ClientTable, Data], None]:
    def changed(seen: ClientTable, event: Data) -> None:
        seen._seat(event["seat"])["status"] = name

    return changed


def _closed(seen: ClientTable, _: Data) -> None:
    seen.data["table"]["status"] = "closed"
    seen._set_ready(False)


def _asked(seen: ClientTable, event: Data) -> None:
    seen.data["ask"] = {key: event[key] for key in ("kind", "spots", "hand")}
    seen._set_ready(False)


def _ready(is_ready: bool) -> Callable[[ClientTable, Data], None]:
    return lambda seen, _: seen._set_ready(is_ready)


def _linked(seen: ClientTable, event: Data) -> None:
    seen.data["table"]["jackpots"][str(event["game"])] = event["jackpot"]


def _unlinked(seen: ClientTable, event: Data) -> None:
    del seen.data["table"]["jackpots"][str(event["game"])]


def _stage(seen: ClientTable, event: Data) -> None:
    seen.data["round"]["stage"] = event["stage"]


def _voided(seen: ClientTable, _: Data) -> None:
    seen.data["round"]["stage"] = "void"


def _insured(seen: ClientTable, event: Data) -> None:
    seen._spot(event["spot"])["insurance"] = event["amount"]


def _stood(seen: ClientTable, event: Data) -> None:
    seen._hand(event)["status"] = "standing"
    seen._set_ready(False)


def _removed(seen: ClientTable, event: Data) -> None:
    seen._hand(event)["on_table"] = False
    ask = seen.ask
    if ask is not None and (ask["kind"], ask["spots"], ask["hand"]) == (
        "decision",
        [event["spot"]],
        event["hand"],
    ):
        seen._set_ready(False)


def _exposed(seen: ClientTable, event: Data) -> None:
    seen.data["round"]["dealer"][1] = event["card"]


_CHANGES: dict[str, Callable[[ClientTable, Data], None]] = {
    "TableClosing": _status("closing"),
    "TableClosed": _closed,
    "TableFaulted": _status("fault"),
    "TableResumed": _status("open"),
    "DecksShuffled": _decks_shuffled,
    "SeatTaken": ClientTable._seat_taken,
    "SeatLeft": ClientTable._seat_left,
    "SpotsChosen": ClientTable._spots_chosen,
    "SeatReady": ClientTable._seat_ready,
    "SeatAway": _seat_status("away"),
    "SeatBack": _seat_status("here"),
    "SeatLeaving": _seat_status("leaving"),
    "ShoeCommitted": ClientTable._shoe_committed,
    "CutCommitted": ClientTable._cut_committed,
    "CutOpened": ClientTable._cut_opened,
    "ShoeCut": ClientTable._shoe_cut,
    "ShoeRevealed": ClientTable._shoe_revealed,
    "RoundOpened": ClientTable._round_opened,
    "RoundClosed": ClientTable._round_closed,
    "AskRaised": _asked,
    "TimeRanOut": _ready(True),
    "JackpotLinked": _linked,
    "JackpotUnlinked": _unlinked,
    "StageReached": _stage,
    "RoundVoided": _voided,
    "WagersPlaced": ClientTable._wagers_placed,
    "WagersWithdrawn": ClientTable._wagers_withdrawn,
    "CardDealt": ClientTable._card_dealt,
    "InsurancePlaced": _insured,
    "HandHit": _ready(False),
    "HandSurrendered": _ready(False),
    "HandRescued": _ready(False),
    "HandStood": _stood,
    "HandDoubled": ClientTable._hand_doubled,
    "HandSplit": ClientTable._hand_split,
    "WagerSettled": ClientTable._wager_settled,
    "HandRemoved": _removed,
    "DownCardExposed": _exposed,
    "MeterRaised": ClientTable._meter_changed,
    "MeterLowered": ClientTable._meter_changed,
    "MetersShown": ClientTable._meters_shown,
}
