"""Randomness enters only at the listed places, and live cards only through the operating system."""

from __future__ import annotations

import pytest

from tests import randomness_page
from tests.randomness_page import listed, places, places_in


def test_every_place_where_randomness_enters_is_listed_and_no_other() -> None:
    """A new place needs a line in tests/randomness.toml; GLI asks for such a list."""
    known = [place for rows in listed().values() for place in rows]
    assert len(set(known)) == len(known), "a place is listed twice"
    assert set(known) == places()


def test_the_page_is_current() -> None:
    assert randomness_page.is_current(), "docs/randomness.md is out of date: run 'make docs'"


def test_every_place_says_what_it_is_for() -> None:
    assert all(what and "|" not in what for rows in listed().values() for what in rows.values())


def test_live_tables_take_cards_from_nothing_else() -> None:
    """In the packages that deal live cards, only the listed places and a pause are random."""
    live = {place for place in places() if place.startswith(("table.", "engine.", "core."))}
    allowed = {*listed()["Cards at live tables"], *listed()["Secrets and identifiers"]}
    assert live - allowed == {"table.writer:SystemClock.pause random.uniform"}
    assert not {place for place in live if place.startswith(("engine.", "core."))}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import random\ndef f():\n    return random.random()", "m:f random.random"),
        ("import random as r\nx = r.choice([1])", "m:module random.choice"),
        ("from secrets import randbelow\ndef f():\n    randbelow(3)", "m:f secrets.randbelow"),
        ("import os\nclass A:\n    def f(self, e=os.urandom): ...", "m:A.f os.urandom"),
        ("import numpy as np\nnp.random.default_rng(1)", "m:module numpy.random.default_rng"),
        ("from numpy.random import Philox\nPhilox(1)", "m:module numpy.random.Philox"),
        ("def f():\n    from uuid import uuid4\n    return uuid4()", "m:f uuid.uuid4"),
        ("import uuid\nmake = uuid.uuid4", "m:module uuid.uuid4"),
        ("open('/dev/urandom')", "m:module /dev/urandom"),
        ("def f(env):\n    env.np_random.integers(3)", "m:f np_random"),
        ("HmacDrbg(b'', b'', b'')", "m:module HmacDrbg"),
        ("fairness.shoe_randomness(c, s, m)", "m:module shoe_randomness"),
    ],
)
def test_the_scan_finds_a_place(text: str, found: str) -> None:
    assert list(places_in("m", text)) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "import random\ndef f(chance: random.Random) -> random.Random: ...",
        "import secrets\nsecrets.compare_digest(a, b)",
        "def f(chance):\n    return chance.random()",
        "import os\nos.getcwd()",
    ],
)
def test_the_scan_ignores_types_and_what_is_handed_on(text: str) -> None:
    assert list(places_in("m", text)) == []
