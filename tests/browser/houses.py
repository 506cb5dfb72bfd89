"""Served houses for browsers, with prescribed shoes and a coach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.server.clock import SteadyClock
from tests.server.live_house import FAR, SETTINGS, LiveHouse
from tests.server.running import served
from tests.support.entropy import TestEntropy
from ventiuna.cards import parse_card
from ventiuna.server.app import create_app
from ventiuna.server.bootstrap import welcome_policy
from ventiuna.server.serve import open_house
from ventiuna.table.access import Role


class BrowserHouse(LiveHouse):
    """A live house whose users connect with a browser."""

    def kept_tokens(self, name: str) -> dict[str, object]:
        """Tokens as the client stores them for a signed-in user."""
        access = self.tokens[name]
        return {"access": access, "access_until": FAR, "refresh": "", "refresh_until": FAR}

    def prescribe(self, cards: str) -> None:
        """Put these cards on top of the next table's first shoe: "9c 9d 2h Kc"."""
        self.entropy.prescribe([parse_card(card) for card in cards.split()])


@contextmanager
def browser_house(
    folder: Path, database: str = "", shoes: Sequence[Sequence[int]] = ()
) -> Iterator[BrowserHouse]:
    """A house on SQLite in this folder, or on the given database."""
    entropy = TestEntropy(21, shoes)
    path = database or str(folder / "house.sqlite")
    settings = replace(SETTINGS, database=path, job_rounds=10**11)
    if database:
        key = folder / "key"
        key.touch(mode=0o600)
        key.write_text("21" * 32 + "\n")
        settings = replace(settings, house_key_file=str(key))
    opened = open_house(settings, entropy)
    welcome = welcome_policy(settings.welcome)
    clock = SteadyClock()
    app = create_app(settings, opened.store, opened.house, clock=clock, welcome=welcome)
    try:
        with served(app, settings) as running:
            house = BrowserHouse(running, opened.store, entropy, opened.key, clock)
            house.add("Olga", Role.OPERATOR, 0)
            house.add("Audrey", Role.AUDITOR, 0)
            yield house
    finally:
        opened.store.close()
