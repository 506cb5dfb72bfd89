"""Committed shoes: test vectors for the recipe and the generator, cuts, and secrecy."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.table.recipe_model import ModelShoe
from ventiuna.cards import Pack, cards_text
from ventiuna.engine.events import CardDealt, HandRemoved, Place
from ventiuna.table.fairness import (
    WORD_VALUES,
    HmacDrbg,
    RandomWords,
    ShoeContext,
    cut_commitment,
    mix_of,
    server_seed,
    shoe_commitment,
    shoe_order,
    shoe_randomness,
)

CONTEXT = ShoeContext("h1", "t1", 1, "example", Pack.SPANISH, decks=8, burn=0, cut_percent=75)
SEED = bytes(range(0x20))
CUTS = {2: bytes(range(0x20, 0x40)), 5: bytes(range(0x40, 0x60))}
COMMITMENT = "bed3cda71ca154482e4af57ac5b59c4a1e5f2eb51a49ae8e3cdcf8288c756791"
MIX = "6ef5e199f266dc5ec9fe38d47837c60ea91a6786be42427e9b62fc9b0b8d7299"


def test_the_vector_of_the_recipe() -> None:
    commitment = shoe_commitment(CONTEXT, SEED)
    assert commitment.hex() == COMMITMENT
    assert (
        cut_commitment(commitment, 2, CUTS[2]).hex()
        == "92c6c722f37506ad107e64956ecc41473b9685cf6391defd2237bf64bfa5f6c8"
    )
    mix = mix_of(commitment, CUTS)
    assert mix.hex() == MIX
    order = cards_text(shoe_order(CONTEXT, shoe_randomness(CONTEXT, SEED, mix)))
    assert order.startswith("2c 8d 6h Kd 7d Jd Ad As 8c Kc ")
    assert (
        hashlib.sha256(order.encode()).hexdigest()
        == "a2f55848afd8bff1e799126de75c56516d7bcaa95e6b68cd1c202fa8b41d6ad3"
    )


@dataclass(frozen=True)
class NistCase:
    """HMAC_DRBG with SHA-256, no reseeding, no additional input; the second 1,024 bits."""

    entropy: str
    nonce: str
    personalisation: str
    returned: str


NIST = [
    NistCase(
        "ca851911349384bffe89de1cbdc46e6831e44d34a4fb935ee285dd14b71a7488",
        "659ba96c601dc69fc902940805ec0ca8",
        "",
        "e528e9abf2dece54d47c7e75e5fe302149f817ea9fb4bee6f4199697d04d5b89"
        "d54fbb978a15b5c443c9ec21036d2460b6f73ebad0dc2aba6e624abf07745bc1"
        "07694bb7547bb0995f70de25d6b29e2d3011bb19d27676c07162c8b5ccde0668"
        "961df86803482cb37ed6d5c0bb8d50cf1f50d476aa0458bdaba806f48be9dcb8",
    ),
    NistCase(
        "7679f154296e6d580854826539003a82d1c54e2e062c619d00da6c6ac820789b",
        "55d12941b0896462e7d888e5322a99a3",
        "ba4d1ed696f58ef64596c76cee87cc1ca83069a79e7982b9a06f9d62f4209faf",
        "10dc7cd2bb68c2c28f76d1b04ae2aa287071e04c3b688e1986b05cc1209f691d"
        "aa55868ebb05b633c75a40a32b49663185fe5bb8f906008347ef51590530948b"
        "87613920014802e5864e0758f012e1eae31f0c4c031ef823aecfb2f8a73aaa94"
        "6fc507037f9050b277bdeaa023123f9d22da1606e82cb7e56de34bf009eccb46",
    ),
    NistCase(
        "8ca4a964e1ff68753db86753d09222e09b888b500be46f2a3830afa9172a1d6d",
        "a59394e0af764e2f21cf751f623ffa6c",
        "eb8164b3bf6c1750a8de8528af16cffdf400856d82260acd5958894a98afeed5",
        "fc5701b508f0264f4fdb88414768e1afb0a5b445400dcfdeddd0eba67b4fea8c"
        "056d79a69fd050759fb3d626b29adb8438326fd583f1ba0475ce7707bd294ab0"
        "1743d077605866425b1cbd0f6c7bba972b30fbe9fce0a719b044fcc139435489"
        "5a9f8304a2b5101909808ddfdf66df6237142b6566588e4e1e8949b90c27fc1f",
    ),
]


@pytest.mark.parametrize("case", NIST)
def test_the_generator_gives_the_bits_of_the_standards_own_examples(case: NistCase) -> None:
    generator = HmacDrbg(
        bytes.fromhex(case.entropy),
        bytes.fromhex(case.nonce),
        bytes.fromhex(case.personalisation),
    )
    generator.generate(128)
    assert generator.generate(128).hex() == case.returned


def test_the_shoe_contains_its_decks() -> None:
    order = shoe_order(CONTEXT, shoe_randomness(CONTEXT, SEED, bytes(32)))
    assert Counter(order) == dict.fromkeys(Pack.SPANISH.cards, 8)


@pytest.mark.parametrize("seat", [2, 5])
def test_every_opened_cut_changes_the_order(seat: int) -> None:
    commitment = shoe_commitment(CONTEXT, SEED)
    other = CUTS | {seat: bytes(32)}
    orders = [
        shoe_order(CONTEXT, shoe_randomness(CONTEXT, SEED, mix_of(commitment, cuts)))
        for cuts in (CUTS, other)
    ]
    assert orders[0] != orders[1]


def test_a_seat_cannot_copy_another_seats_cut() -> None:
    commitment = shoe_commitment(CONTEXT, SEED)
    assert cut_commitment(commitment, 2, CUTS[2]) != cut_commitment(commitment, 3, CUTS[2])


def test_a_copy_of_the_database_reveals_no_seed() -> None:
    salt = bytes(32)
    one, other = (server_seed(key * 32, CONTEXT, salt) for key in (b"a", b"b"))
    assert one != other
    assert server_seed(b"a" * 32, CONTEXT, salt) == one


class _FixedRequest(HmacDrbg):
    """Returns the given words, then zeros."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"", b"", b"")
        self._bytes = b"".join(word.to_bytes(4, "big") for word in words)

    def generate(self, size: int) -> bytes:
        return self._bytes.ljust(size, b"\x00")


def test_a_word_that_would_favor_small_numbers_is_rejected() -> None:
    # 2^32 is 3 * 1431655765 + 1, so only the last word has to be rejected.
    assert RandomWords(_FixedRequest(WORD_VALUES - 1, 5)).below(3) == 5 % 3
    assert RandomWords(_FixedRequest(WORD_VALUES - 2)).below(3) == (WORD_VALUES - 2) % 3
    assert RandomWords(_FixedRequest(WORD_VALUES - 1)).below(2) == 1


def test_the_next_shuffle_uses_the_leftover_words() -> None:
    together = RandomWords(HmacDrbg(SEED, b"", b""))
    apart = RandomWords(HmacDrbg(SEED, b"", b""))
    numbers = [together.below(1000) for _ in range(600)]
    assert numbers == [apart.below(1000) for _ in range(300)] + [
        apart.below(1000) for _ in range(300)
    ]
    assert len(set(numbers)) > 400


def test_the_page_for_verifiers_shows_the_vector_as_it_is() -> None:
    """Others implement verifiers from docs/fairness.md; the model has its own generator."""
    text = (Path(__file__).parent.parent.parent / "docs" / "fairness.md").read_text("utf-8")
    page = " ".join(text.split())
    commitment = shoe_commitment(CONTEXT, SEED)
    mix = mix_of(commitment, CUTS)
    words = HmacDrbg(SEED, mix, CONTEXT.lines()).generate(1024)
    model = ModelShoe(CONTEXT, SEED, mix)
    order = [model.draw() for _ in range(384)]
    for card in order:
        model.follow(CardDealt(card, Place.PLAYER, 1, 0))
    model.follow(HandRemoved(1, 0))
    again = [model.draw() for _ in range(10)]
    for shown in (
        f"| C | `{commitment.hex()}` |",
        f"| commitment of seat 2 | `{cut_commitment(commitment, 2, CUTS[2]).hex()}` |",
        f"| commitment of seat 5 | `{cut_commitment(commitment, 5, CUTS[5]).hex()}` |",
        f"| M | `{mix.hex()}` |",
        f"| first words | `{words[:16].hex(' ', 4)}` |",
        f"| first cards | `{cards_text(order[:10])}` |",
        f"`{hashlib.sha256(cards_text(order).encode()).hexdigest()}` |",
        f"cards 385 to 394 are `{cards_text(again)}`",
    ):
        assert shown in page
