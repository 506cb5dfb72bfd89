"""Rounds played over sockets, so that a page has something to show."""

from __future__ import annotations

from tests.browser.houses import BrowserHouse
from tests.server.live_house import AtTable


def play_rounds(
    house: BrowserHouse, table: int, name: str, rounds: int = 1, **wagers: object
) -> None:
    """Play rounds alone at seat 4, wagering $10 and always standing, without leaving the seat."""
    with AtTable(house, table, name) as window:
        window.do("TakeSeat", seat=4)
        window.do("BuyChips", amount=100_000)
        told = window.do("Ready", window.wait_for_ask("cut_commit")["n"])
        for _ in range(rounds):
            window.catch_up(told)
            ask = window.wait_for_ask("wagers")
            window.do("PlaceWagers", ask["n"], spot=4, base=1000, **wagers)
            window.catch_up(window.do("Ready", ask["n"]))
            told = _play(window)


def _play(window: AtTable) -> int:
    while True:
        ask = window.wait_for_ask()
        if ask["kind"] == "wagers":
            return window.told
        deed = {
            "decision": ("Stand", {}),
            "insurance": ("Insure", {"amount": 0}),
            "blackjack": ("TakeBlackjack", {}),
        }[ask["kind"]]
        window.catch_up(window.do(deed[0], ask["n"], spot=4, **deed[1]))
