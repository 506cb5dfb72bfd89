"""What stands in the books, in words: the acts and events of each kind of book, its accounts.

They are written from the plain data that an overseer may read, so they say nothing besides it. How
a field is written follows from the type that its record declares, as it does where it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from ventiuna.cards import card_words
from ventiuna.engine.records import Data
from ventiuna.engine.sentences.parts import capital
from ventiuna.engine.sentences.payments import odds_words
from ventiuna.engine.sentences.teller import wager_words
from ventiuna.engine.stakes import Wager
from ventiuna.rules.words.facts import dollars, listed, mtd_word
from ventiuna.table.books.entries import BookKind
from ventiuna.table.jackpots import codec as jackpot_codec
from ventiuna.table.ledger.chart import AccountKind, kind_of
from ventiuna.table.persons import cashier
from ventiuna.table.play import codec as table_codec

Told = dict[str, str]  # name, details

_RECORDS = {
    BookKind.TABLE: (table_codec.COMMANDS, table_codec.EVENTS),
    BookKind.JACKPOT: (jackpot_codec.COMMANDS, jackpot_codec.EVENTS),
    BookKind.CASHIER: (cashier.COMMANDS, cashier.EVENTS),
}
# Commands declare cents as whole numbers, which the round refuses where they are none.
_AMOUNTS = frozenset({"amount", "base", "maximum", "limit", "advance_limit"})
_UNTOLD = frozenset({"reason", "remainder", "remainders", "rules", "settings", "fingerprint"})
_WORD = re.compile(r"[A-Z][a-z]*")


def act_told(kind: BookKind, command: Data) -> Told:
    """A command as its name and what it asks for; its reason stands in a place of its own."""
    return _told(_TYPES[kind]["command"], str(command["command"]), command)


def event_told(kind: BookKind, event: Data) -> Told:
    """An event, likewise; the reason is among its details."""
    told = _told(_TYPES[kind]["event"], str(event["event"]), event)
    if reason := event.get("reason"):
        told["details"] = ", ".join(filter(None, (told["details"], _text(str(reason)))))
    return told


def account_words(code: str) -> str:
    """`stack/7/3` to chips of seat 3 at table 7."""
    numbers = code.split("/")[1:]
    return _ACCOUNTS[kind_of(code)][len(numbers)].format(*numbers)


_ACCOUNTS: dict[AccountKind, dict[int, str]] = {  # by how many numbers follow the kind
    AccountKind.MINT: {0: "play money issued"},
    AccountKind.HOUSE: {0: "the house"},
    AccountKind.WALLET: {1: "wallet of person {}"},
    AccountKind.STACK: {2: "chips of seat {1} at table {0}"},
    AccountKind.STAKE: {1: "wagers in play at table {}"},
    AccountKind.BANK: {1: "bank of table {}"},
    AccountKind.METER: {1: "meter of jackpot {}", 2: "meter of jackpot {}, from table {}"},
    AccountKind.RESERVE: {1: "reserve of jackpot {}", 2: "reserve of jackpot {}, from table {}"},
    AccountKind.ADVANCE: {1: "seed advanced to jackpot {}"},
}


# --- records ----------------------------------------------------------------------------------


def _types(records: Any) -> dict[str, dict[str, str]]:
    return {
        name: {part.name: str(part.type) for part in fields(kind)}
        for name, kind in records.kinds.items()
    }


_TYPES = {
    kind: {"command": _types(commands), "event": _types(events)}
    for kind, (commands, events) in _RECORDS.items()
}


def _told(types: Mapping[str, Mapping[str, str]], name: str, data: Data) -> Told:
    details = [
        words
        for field, declared in types.get(name, {}).items()
        if field in data and field not in _UNTOLD
        if field != "hand" or data.get("spot")  # else it is the hand of nobody
        if (words := _field(field, declared, data[field]))
    ]
    return {"name": capital(" ".join(_WORD.findall(name)).lower()), "details": ", ".join(details)}


def _field(field: str, declared: str, value: object) -> str:
    """Empty where there is nothing to say."""
    if value is None or value in ("", {}, [], ()):
        return ""
    if declared == "Cents" or field in _AMOUNTS:
        return _amount(field, value)
    write = _FIELDS.get(field) or _DECLARED.get(declared)
    return write(value) if write else f"{_spaced(field)} {_spaced(str(value))}"


def _amount(field: str, cents: Any) -> str:
    return dollars(cents) if field == "amount" else f"{_spaced(field)} {dollars(cents)}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _text(text: str) -> str:
    """Codes are words with underscores; what people wrote stays as it is."""
    return _spaced(text) if re.fullmatch(r"[a-z_0-9]+", text) else text


def _stakes(word: Callable[[str], str]) -> Callable[[Any], str]:
    return lambda stakes: ", ".join(f"{word(key)} {dollars(stakes[key])}" for key in stakes)


def _game(game: str) -> str:
    return f"jackpot {game}"


def _seats(word: str) -> Callable[[Any], str]:
    def write(numbers: Any) -> str:
        return f"{word if len(numbers) == 1 else f'{word}s'} {listed([*map(str, numbers)])}"

    return write


def _clocks(times: Any) -> str:
    return ", ".join(f"{_spaced(name)} {time / 1000:g} s" for name, time in times.items())


_FIELDS: dict[str, Callable[[Any], str]] = {
    "hand": lambda hand: "" if hand < 0 else f"hand {hand + 1}",
    "number": lambda number: f"round {number}",
    "round_number": lambda number: f"round {number}",
    "reserve_rate": lambda rate: f"{rate / 100:g} % of each wager to the reserve" if rate else "",
    "spots": _seats("spot"),
    "withheld": _seats("cut not opened by seat"),
    "odds": odds_words,
    "rule": str,
    "name": str,
    "kind": _spaced,
    "stage": _spaced,
    "advice": _spaced,
    "blackjack": lambda found: "blackjack" if found else "no blackjack",
    "place": lambda place: f"{place} card" if place in ("up", "down") else f"to the {place}",
    "spot": lambda spot: f"spot {spot}" if spot else "",
    "meter": lambda game: f"paid by the meter of jackpot {game}" if game else "",
}
_DECLARED: dict[str, Callable[[Any], str]] = {
    "Card": card_words,
    "Card | None": card_words,
    "Wager": lambda wager: "" if wager == Wager.HAND else wager_words(Wager(wager)),
    "Stakes[str]": _stakes(mtd_word),
    "Stakes[int]": _stakes(_game),
    "Mapping[str, int]": _stakes(mtd_word),
    "Mapping[int, int]": _stakes(_game),
    "ByTable": _stakes(lambda table: f"table {table}"),
    "Times": _clocks,
}
