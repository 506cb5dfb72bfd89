"""The attack: predict a shoe from everything that is public before the cut. Nobody can.

The attacker reads what the server shows to everyone, keeps every earlier shoe's revealed record and
knows the recipe. Each guess at a secret is tried with the actual recipe. With the real secret, the
same attack succeeds, which shows that the attack itself works.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

from tests.support.memory_store import MemoryStore
from tests.support.shuffle_statistics import chi_square_p_value
from tests.table.tables import LiveTable, Room, cut_of, open_cut
from ventiuna.cards import Pack
from ventiuna.table.domain.events import AskKind
from ventiuna.table.fairness import (
    ShoeContext,
    cut_commitment,
    mix_of,
    server_seed,
    shoe_commitment,
    shoe_order,
    shoe_randomness,
)
from ventiuna.table.presentation import public_texts, snapshot

KEY = hashlib.sha256(b"a house's key").digest()
CUT = hashlib.sha256(b"an honest player's cut").digest()
SHOES = 400
SPANISH = 48
COLUMNS = 5  # the first cards of a shoe, which an attacker would bet on


def order_of(context: ShoeContext, seed: bytes, mix: bytes) -> list[int]:
    return shoe_order(context, shoe_randomness(context, seed, mix))


# --- a shoe as the public sees it before its cut --------------------------------------------------


class PublicShoe:
    """What everyone knows before the cut, and, kept apart, the cards that come later."""

    def __init__(self, number: int) -> None:
        self.context = ShoeContext("h1", "t1", number, "9701b1d0fecb4e9d", Pack.SPANISH, 1, 0, 75)
        self._seed = server_seed(KEY, self.context, hashlib.sha256(b"salt %d" % number).digest())
        self.commitment = shoe_commitment(self.context, self._seed)
        self.cut = hashlib.sha256(CUT + number.to_bytes(4, "big")).digest()
        self.cut_commitment = cut_commitment(self.commitment, 2, self.cut)
        self.mix = mix_of(self.commitment, {2: self.cut})

    @property
    def revealed_seed(self) -> bytes:
        """Public only after the shoe has ended."""
        return self._seed

    @property
    def cards(self) -> list[int]:
        return order_of(self.context, self._seed, self.mix)[:COLUMNS]


@cache
def shoes() -> tuple[PublicShoe, ...]:
    return tuple(PublicShoe(number) for number in range(1, SHOES + 1))


def guessed_seeds(shoe: PublicShoe, before: PublicShoe) -> dict[str, bytes]:
    """Secrets that a careless recipe would make guessable."""
    lines, seed = shoe.context.lines(), before.revealed_seed
    public = {
        "nothing": bytes(32),
        "commitment": shoe.commitment,
        "cut's commitment": shoe.cut_commitment,
        "last seed": seed,
        "last mix": before.mix,
        "context": hashlib.sha256(lines).digest(),
        "shoe number": shoe.context.number.to_bytes(32, "big"),
    }
    derived = {f"hash of {name}": hashlib.sha256(one).digest() for name, one in public.items()}
    chained = {
        f"seed from {name}": hmac.digest(one, b"ventiuna-seed-1\n" + lines, "sha256")
        for name, one in public.items()
    }
    return public | derived | chained


def guessed_mixes(shoe: PublicShoe, before: PublicShoe) -> dict[str, bytes]:
    return {
        "no cuts": mix_of(shoe.commitment, {}),
        "the cut's commitment as the cut": mix_of(shoe.commitment, {2: shoe.cut_commitment}),
        "last mix": before.mix,
        "nothing": bytes(32),
    }


def hits(guesses: Iterator[tuple[list[int], list[int]]]) -> int:
    return sum(
        guess == card
        for guessed, cards in guesses
        for guess, card in zip(guessed, cards, strict=True)
    )


# --- the attacks ----------------------------------------------------------------------------------


def test_no_guess_from_public_values_is_the_seed() -> None:
    """The commitment itself would confirm a right guess."""
    for before, shoe in zip(shoes(), shoes()[1:], strict=False):
        for seed in guessed_seeds(shoe, before).values():
            assert shoe_commitment(shoe.context, seed) != shoe.commitment


def test_no_attack_hits_more_cards_than_chance() -> None:
    """Each attack predicts the first cards of a sample of shoes: one in 48 is right by chance."""
    attacked = shoes()[1::8]
    number = COLUMNS * len(attacked)
    first, second = shoes()[:2]
    names = list(product(guessed_seeds(second, first), guessed_mixes(second, first)))
    assert len(names) == 84
    found: Counter[tuple[str, str]] = Counter()
    for shoe in attacked:
        before = shoes()[shoe.context.number - 2]
        seeds, mixes = guessed_seeds(shoe, before), guessed_mixes(shoe, before)
        cards = shoe.cards
        for name in names:
            guessed = order_of(shoe.context, seeds[name[0]], mixes[name[1]])[:COLUMNS]
            found[name] += sum(one == other for one, other in zip(guessed, cards, strict=True))
    mean = number / SPANISH
    assert max(found.values()) < mean + 4.5 * mean**0.5  # 99% confidence for the luckiest of 84
    assert abs(sum(found.values()) - mean * len(names)) < 4 * (mean * len(names)) ** 0.5


def test_the_same_attack_succeeds_with_the_secrets() -> None:
    """With the seed and the cut, every card is predicted; with the seed alone, none is."""
    sample = shoes()[:80]
    known = hits(
        (order_of(one.context, one.revealed_seed, one.mix)[:COLUMNS], one.cards) for one in sample
    )
    assert known == COLUMNS * len(sample)
    house = hits(
        (order_of(one.context, one.revealed_seed, mix_of(one.commitment, {}))[:COLUMNS], one.cards)
        for one in sample
    )
    mean = COLUMNS * len(sample) / SPANISH
    assert house < mean + 4 * mean**0.5


def test_even_the_house_cannot_predict_a_card_before_an_honest_cut() -> None:
    """With everything but one unopened cut, each card is as likely as any other to be the first."""
    shoe = shoes()[0]
    counts = Counter(
        order_of(shoe.context, shoe.revealed_seed, mix_of(shoe.commitment, {2: cut_of(who)}))[0]
        for who in range(2400)
    )
    assert len(counts) == SPANISH
    statistic = sum((seen - 50) ** 2 / 50 for seen in counts.values())
    assert chi_square_p_value(statistic, SPANISH - 1) > 0.01


def test_a_player_cannot_predict_a_card_with_all_cuts_but_without_the_seed() -> None:
    """Two houses show the same public values except for their commitments' secrets."""
    context, first = shoes()[0].context, Counter[int]()
    for number in range(2400):
        seed = server_seed(KEY, context, number.to_bytes(32, "big"))
        first[order_of(context, seed, mix_of(shoe_commitment(context, seed), {2: CUT}))[0]] += 1
    statistic = sum((seen - 50) ** 2 / 50 for seen in first.values())
    assert chi_square_p_value(statistic, SPANISH - 1) > 0.01


# --- a live table ---------------------------------------------------------------------------------


def shown(table: LiveTable) -> str:
    """Everything that the server has shown anyone about the table so far."""
    events = [event for update in table.updates for event in update.events]
    return json.dumps([snapshot(table.state), *map(str, public_texts(events))], default=str)


def test_a_live_table_shows_no_secret_before_the_cut() -> None:
    """Not the salt, the seed or the house key, in digits or in bytes, until all cuts are open."""
    store = MemoryStore()
    room = Room(store)
    table = room.open().sit(1, 2)
    coming = table.state.next_shoe
    assert coming is not None
    seed = server_seed(bytes(32), coming.context, coming.salt)
    assert shoe_commitment(coming.context, seed) == coming.commitment
    secrets = {"salt": coming.salt, "seed": seed, "cut 1": cut_of(1), "cut 2": cut_of(2)}
    table.do(1, table.commit_cut(1))
    table.do(2, table.commit_cut(2))
    assert table.asks_for() is AskKind.CUT_OPEN
    public = shown(table)
    assert coming.commitment.hex() in public
    for value in (1, 2):
        assert cut_commitment(coming.commitment, value, cut_of(value)).hex() in public
    for name, secret in secrets.items():
        assert secret.hex()[:16] not in public, name
        assert str(int.from_bytes(secret, "big"))[:16] not in public, name
    table.do(1, open_cut(1))
    table.do(2, open_cut(2))
    assert cut_of(1).hex() in shown(table)  # the search would have found it
    assert seed.hex() not in shown(table)
    store.close()
