"""Fair shoes: committed before the cut, dealt, and verifiable by anyone afterward.

The house publishes a commitment C to a secret seed S. Players add their own cuts: each player first
commits to a value and reveals it after all commitments are listed. The seed and the cuts together
determine the card order, so nobody can choose it. When the shoe ends, S is published, and anyone
can verify C, the cuts, the order, and every dealt card from the public record. Numbers are
big-endian, strings are UTF-8, and lines end with a line feed. The generator is HMAC_DRBG with
SHA-256 (NIST SP 800-90A). It is never reseeded, because each shoe is dealt from one commitment.

A seed is derived from the house's secret key and the shoe's salt. For a SQLite house, the key is a
file next to the database, readable only by its owner. A house on PostgreSQL gets the key as a
secret from the environment. The key isn't in the database or its backups, and never appears in a
message, a log, or a `repr`. Salts come from the operating system or from a test. Each shoe's source
is recorded permanently, and a house that wasn't started for tests accepts only the operating system
as a source.

A live shoe is copied for every command and rebuilt after a restart. All copies share the card
order; each copy has only its own position. The shoe follows the round's events, so when it runs
out, it knows which cards are on the table. The other cards are reshuffled, and the shoe ends with
that round. A card's *place* is its index in the shoe's order, including burn cards. Places
distinguish equal cards.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from ventiuna.cards import Pack, card_text
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import CardDealt, Event, HandRemoved, HandSplit, Place
from ventiuna.errors import VentiunaError
from ventiuna.rules import Rules, fingerprint

BLOCK_BYTES = 32  # SHA-256 output size
REQUEST_BYTES = 1024  # part of the recipe, because each request changes the generator's state
WORD_BYTES = 4
WORD_VALUES = 2**32  # number of possible values of a word


class HmacDrbg:
    """HMAC_DRBG, without reseeding or additional input."""

    def __init__(self, entropy: bytes, nonce: bytes, personalisation: bytes) -> None:
        self._key = bytes(BLOCK_BYTES)
        self._value = b"\x01" * BLOCK_BYTES
        self._update(entropy + nonce + personalisation)

    def generate(self, size: int) -> bytes:
        blocks = []
        for _ in range(-(-size // BLOCK_BYTES)):
            self._value = self._hmac(self._value)
            blocks.append(self._value)
        self._update(b"")
        return b"".join(blocks)[:size]

    def _hmac(self, message: bytes) -> bytes:
        return hmac.digest(self._key, message, "sha256")

    def _update(self, material: bytes) -> None:
        self._key = self._hmac(self._value + b"\x00" + material)
        self._value = self._hmac(self._value)
        if material:
            self._key = self._hmac(self._value + b"\x01" + material)
            self._value = self._hmac(self._value)


class RandomWords:
    """Random 32-bit words in order; words left over from one shuffle are used in the next."""

    def __init__(self, generator: HmacDrbg) -> None:
        self._words = _words(generator)

    def below(self, limit: int) -> int:
        """A uniform random integer from 0 to `limit` - 1."""
        # words at or above this would favor small numbers
        unfair = WORD_VALUES - WORD_VALUES % limit
        while (word := next(self._words)) >= unfair:
            pass
        return word % limit

    def shuffle(self, cards: list[int]) -> None:
        """Shuffle in place (Fisher-Yates), from the last card to the second."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


def _words(generator: HmacDrbg) -> Iterator[int]:
    while True:
        request = generator.generate(REQUEST_BYTES)
        for start in range(0, REQUEST_BYTES, WORD_BYTES):
            yield int.from_bytes(request[start : start + WORD_BYTES], "big")


SECRET_BYTES = 32  # size of a seed, a salt, a cut and a house key
MAX_DECKS = 100


class ContextError(VentiunaError, ValueError):
    """The context of a shoe is invalid."""


@dataclass(frozen=True, slots=True)
class ShoeContext:
    """Identifies a shoe: everything that determines its order, besides the seed and the cuts."""

    house: str
    table: str
    number: int
    rules: str  # fingerprint
    pack: Pack
    decks: int
    burn: int
    cut_percent: int  # cards before the cut card, as a percentage of the shoe

    def __post_init__(self) -> None:
        for name, text in (("house", self.house), ("table", self.table), ("rules", self.rules)):
            if not text or not text.isprintable():  # a line break could fake another context
                raise ContextError(f"{name} must be one line of printable text.")
        _check_number("shoe", self.number, 1, 2**63 - 1)
        _check_number("decks", self.decks, 1, MAX_DECKS)
        _check_number("burn", self.burn, 0, self.size - 1)
        _check_number("cut", self.cut_percent, 0, 100)

    @property
    def size(self) -> int:
        """Number of cards in the shoe, including burn cards."""
        return self.decks * len(self.pack.cards)

    @property
    def behind_cut(self) -> int:
        """Number of cards behind the cut card."""
        return self.size * (100 - self.cut_percent) // 100

    def lines(self) -> bytes:
        lines = (
            "ventiuna-shoe-1",
            f"house={self.house}",
            f"table={self.table}",
            f"shoe={self.number}",
            f"rules={self.rules}",
            f"pack={self.pack}",
            f"decks={self.decks}",
            f"burn={self.burn}",
            f"cut={self.cut_percent}",
        )
        return "".join(f"{line}\n" for line in lines).encode()


def context_of(rules: Rules, house: str, table: str, number: int) -> ShoeContext:
    """The context of a shoe at a table with these rules."""
    return ShoeContext(
        house=house,
        table=table,
        number=number,
        rules=_fingerprint(rules),
        pack=rules.pack,
        decks=rules.decks,
        burn=rules.burn_cards,
        cut_percent=rules.cut_card_percent,
    )


@lru_cache(maxsize=256)
def _fingerprint(rules: Rules) -> str:
    """The fingerprint of the rules, cached because tables share rules."""
    return fingerprint(rules)


def read_context(lines: str) -> ShoeContext:
    """Parse a context written by `ShoeContext.lines`; raises `ContextError`."""
    values = [line.partition("=")[2] for line in lines.splitlines()]
    try:
        _, house, table, number, rules, pack, *rest = values
        decks, burn, cut = map(int, rest)
        context = ShoeContext(house, table, int(number), rules, Pack(pack), decks, burn, cut)
    except ContextError:
        raise
    except ValueError:
        raise ContextError("This isn't a shoe context. A shoe context has nine lines.") from None
    if context.lines() != lines.encode():
        raise ContextError("This shoe context isn't in canonical form.")
    return context


def _check_number(name: str, number: int, minimum: int, maximum: int) -> None:
    if not minimum <= number <= maximum:
        raise ContextError(f"{name} must be a number from {minimum} to {maximum}, not {number}.")


def server_seed(house_key: bytes, context: ShoeContext, salt: bytes) -> bytes:
    """S, derived with the house key so that the salt in a stolen database reveals no cards."""
    return hmac.digest(house_key, b"ventiuna-seed-1\n" + context.lines() + salt, "sha256")


def shoe_commitment(context: ShoeContext, seed: bytes) -> bytes:
    """C, published before any cut."""
    return hashlib.sha256(b"ventiuna-commit-1\n" + context.lines() + seed).digest()


def cut_commitment(commitment: bytes, seat: int, value: bytes) -> bytes:
    """A seat's commitment to its cut; nobody can copy it, because it includes the seat number."""
    return hashlib.sha256(b"ventiuna-cut-1\n" + commitment + bytes([seat]) + value).digest()


def mix_of(commitment: bytes, cuts: Mapping[int, bytes]) -> bytes:
    """M, the hash of all opened cuts in seat order."""
    opened = b"".join(bytes([seat]) + cuts[seat] for seat in sorted(cuts))
    return hashlib.sha256(b"ventiuna-mix-1\n" + commitment + opened).digest()


def shoe_randomness(context: ShoeContext, seed: bytes, mix: bytes) -> RandomWords:
    """The random words for all shuffles in this shoe."""
    return RandomWords(HmacDrbg(seed, mix, context.lines()))


def shoe_order(context: ShoeContext, words: RandomWords) -> list[int]:
    """The shoe's cards in dealing order, including burn cards."""
    cards = sorted(context.pack.cards) * context.decks
    words.shuffle(cards)
    return cards


class EntropySource(StrEnum):
    """A source of shoe salts."""

    OS = "os"
    TEST = "test"


class EntropyError(VentiunaError, ValueError):
    """The source of randomness isn't allowed here, or the test shoe is impossible."""


class Entropy(Protocol):
    @property
    def source(self) -> EntropySource: ...

    def salt(self) -> bytes:
        """32 bytes that make the next shoe's seed unique."""

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        """The cards that a test put on top of the shoe with this salt, if any.

        They are tied to the salt so that a rebuilt shoe has them too.
        """


class OsEntropy:
    """The operating system's generator, used for every real table."""

    @property
    def source(self) -> EntropySource:
        return EntropySource.OS

    def salt(self) -> bytes:
        return os.urandom(SECRET_BYTES)

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        return ()


def check_entropy(entropy: Entropy, for_tests: bool) -> None:
    """Refuse test cards unless the house was started for tests."""
    if entropy.source is not EntropySource.OS and not for_tests:
        raise EntropyError(
            "This house was not started for tests, so its shoes take their salts only from "
            "the operating system."
        )


_GROUP_AND_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_KEY_DIGITS = 2 * SECRET_BYTES
_SIGNATURE_DIGITS = 32  # hexadecimal, so 128 bits
_KEY_FORMAT = f"{_KEY_DIGITS} hexadecimal digits"


class HouseKeyError(VentiunaError, ValueError):
    """The key is invalid, or others can read it."""


@dataclass(frozen=True, slots=True)
class HouseKey:
    secret: bytes = field(repr=False)
    is_new: bool = False  # just created, so shoes already committed had a different key

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise HouseKeyError(f"The house key must have {SECRET_BYTES} bytes.")

    def seed(self, context: ShoeContext, salt: bytes) -> bytes:
        """S, the seed of this shoe."""
        return server_seed(self.secret, context, salt)

    def signature(self, purpose: str, text: str) -> str:
        """Sign a statement by the house; the purpose separates signatures from seeds."""
        message = f"ventiuna-{purpose}-1\n{text}\n".encode()
        return hmac.digest(self.secret, message, "sha256").hex()[:_SIGNATURE_DIGITS]


def key_from_text(text: str) -> HouseKey:
    """Parse a key given as a string, such as an environment secret."""
    digits = text.strip()
    try:
        secret = bytes.fromhex(digits)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES or len(digits) != _KEY_DIGITS:
        # Don't repeat the input: it may be most of a key.
        raise HouseKeyError(f"The house key must be {_KEY_FORMAT} ({SECRET_BYTES} random bytes).")
    return HouseKey(secret)


def given_key(file: str, digits: str) -> HouseKey | None:
    """The key the user specified; a key file takes precedence over digits.

    If neither is given, a SQLite house uses the key next to its database.
    """
    if not file:
        return key_from_text(digits) if digits else None
    try:
        return _read_key(Path(file))
    except OSError as error:
        raise HouseKeyError(f"{file}: {error.strerror}.") from None


def key_file(database: Path) -> Path:
    """Path of a SQLite house's key."""
    return database.with_name(f"{database.name}.key")


def key_beside(database: Path) -> HouseKey:
    """The key of the SQLite house in this file, created if it doesn't exist."""
    path = key_file(database)
    try:
        return _read_key(path)
    except FileNotFoundError:
        is_new = _create_key(path)
        return HouseKey(_read_key(path).secret, is_new)


def replace_key(database: Path, key: HouseKey) -> None:
    """Write this key next to a SQLite house, replacing any existing key."""
    path = key_file(database)
    _write_key(path, key.secret).replace(path)
    _flush_folder(path.parent)


def _read_key(path: Path) -> HouseKey:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # don't block on a pipe
    try:
        _check_permissions(path, os.fstat(descriptor).st_mode)
        content = os.read(descriptor, _KEY_DIGITS + 2)
    finally:
        os.close(descriptor)
    try:
        return key_from_text(content.decode("ascii"))
    except (UnicodeDecodeError, HouseKeyError):
        raise HouseKeyError(
            f"{path} isn't a house key ({_KEY_FORMAT}). Put the right file back. Without "
            "it, open rounds must be voided."
        ) from None


def _check_permissions(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise HouseKeyError(f"{path} isn't a file. The house key must be in a file.")
    # On Windows, these bits say nothing about permissions.
    if os.name == "posix" and mode & _GROUP_AND_OTHERS:
        raise HouseKeyError(
            f"Other users can read the house key {path} (mode {stat.S_IMODE(mode):04o}). "
            "Protect it with chmod 600, and create a new key if anyone has read this one."
        )


def _create_key(path: Path) -> bool:
    """Create the key file atomically; False if another process created one first."""
    waiting = _write_key(path, os.urandom(SECRET_BYTES))
    try:
        os.link(waiting, path)
    except FileExistsError:
        return False
    finally:
        waiting.unlink()
    _flush_folder(path.parent)
    return True


def _write_key(path: Path, secret: bytes) -> Path:
    """Write the key to a new file and flush it, to be renamed to `path`."""
    waiting = path.with_name(f".{path.name}-{secrets.token_hex(8)}.part")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    with os.fdopen(os.open(waiting, flags, 0o600), "wb") as file:
        file.write(secret.hex().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return waiting


def _flush_folder(folder: Path) -> None:
    """Flush the folder, so the file name is on disk before a shoe is committed with the key."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


CardMove = tuple[CardDealt | HandSplit | HandRemoved, int]  # event, place of dealt card
_NO_CARD = -1


class ShoeError(VentiunaError, RuntimeError):
    """The dealt cards don't match the shoe. The message never reveals a card."""


class Position(NamedTuple):
    """A shoe's position between two rounds, stored by the table."""

    dealt: int = 0  # number of cards, not counting burn cards
    # places of Bonus Cards, which are out of play until the shoe ends (O-29)
    bonus: tuple[int, ...] = ()


SHOE_START = Position()


class LiveShoe:
    """A committed shoe, dealt over many rounds; `draw` advances only this copy."""

    __slots__ = (
        "_before",
        "_bonus",
        "_cards",
        "_context",
        "_followed",
        "_mix",
        "_moves",
        "_next",
        "_places",
        "_pools",
        "_seed",
    )

    def __init__(
        self,
        context: ShoeContext,
        seed: bytes,
        mix: bytes,
        position: Position = SHOE_START,
        on_top: Sequence[int] = (),  # cards a test puts first
    ) -> None:
        order = shoe_order(context, shoe_randomness(context, seed, mix))
        if on_top:
            check_on_top(context, on_top)
            for card in on_top:
                order.remove(card)
            order[context.burn : context.burn] = on_top
        if not 0 <= position.dealt <= context.size - context.burn:
            raise ShoeError(
                f"{position.dealt} cards can't have been dealt from a shoe of {context.size}."
            )
        self._context = context
        self._seed = seed
        self._mix = mix
        self._cards = tuple(order)  # cards in dealing order
        self._places: Sequence[int] = range(len(order))  # index of each card in the original order
        self._next = context.burn + position.dealt  # index of the next card to draw
        self._followed = self._next  # index of the first card that has no event yet
        self._before = -context.burn  # number of cards dealt, minus `_next`
        self._bonus = position.bonus
        self._moves: list[CardMove] = []  # card moves in this round
        self._pools: tuple[int, ...] = ()  # sizes of the reshuffles in this round

    def copy(self) -> LiveShoe:
        twin = LiveShoe.__new__(LiveShoe)
        twin._context = self._context
        twin._seed = self._seed
        twin._mix = self._mix
        twin._cards = self._cards
        twin._places = self._places
        twin._next = self._next
        twin._followed = self._followed
        twin._before = self._before
        twin._bonus = self._bonus
        twin._moves = self._moves[:]
        twin._pools = self._pools
        return twin

    @property
    def context(self) -> ShoeContext:
        return self._context

    @property
    def dealt(self) -> int:
        """Number of cards dealt so far, not counting burn cards."""
        return self._before + self._next

    @property
    def cards_left(self) -> int:
        return len(self._cards) - self._next

    @property
    def reshuffles(self) -> int:
        """Number of reshuffles in this round."""
        return len(self._pools)

    @property
    def cut_card_came(self) -> bool:
        """Whether the shoe ends with this round (O-03)."""
        return bool(self._pools) or self.cards_left <= self._context.behind_cut

    @property
    def is_over(self) -> bool:
        """Whether the next round needs a new shoe. Every shoe has at least one round."""
        return self.dealt > 0 and self.cut_card_came

    @property
    def seen_before(self) -> tuple[int, ...]:
        """Cards from earlier rounds, all seen face up; valid until a mid-round reshuffle."""
        in_this_round = sum(type(move) is CardDealt for move, _ in self._moves)
        return self._cards[self._context.burn : self._followed - in_this_round]

    @property
    def position(self) -> Position:
        """The position where the next round would begin."""
        return Position(self.dealt, (*self._bonus, *self._bonus_of_this_round()))

    def begin_round(self) -> None:
        """Start a round: discard the cards on the table and set Bonus Cards aside."""
        self._check_all_followed()
        if self.is_over:
            raise ShoeError("The cut card has come out. Deal the next round from the next shoe.")
        self._bonus += self._bonus_of_this_round()
        self._moves = []

    def draw(self) -> int:
        """Return the next card; pass its event to `follow` before the shoe has to be reshuffled."""
        if self._next == len(self._cards):
            self._shuffle_again()
        card = self._cards[self._next]
        self._next += 1
        return card

    def discard(self, cards: Iterable[int]) -> None:
        """Do nothing, because `follow` tracks discards and can tell equal cards apart."""

    def follow(self, event: Event) -> None:
        """Track the cards on the table; each `CardDealt` must match the next card drawn."""
        if type(event) is CardDealt:
            self._follow_card(event)
        elif type(event) is HandSplit or type(event) is HandRemoved:
            self._moves.append((event, _NO_CARD))

    def resume(self, events: Iterable[Event]) -> None:
        """Deal the open round's cards again; raises `ShoeError` if one differs."""
        self.begin_round()
        for event in events:
            if type(event) is CardDealt:
                try:
                    self.draw()
                except OutOfCards:
                    raise ShoeError(
                        f"Card {self.dealt + 1} of the shoe can't have been dealt: every "
                        "card was on the table."
                    ) from None
            self.follow(event)

    def _follow_card(self, event: CardDealt) -> None:
        if self._followed == self._next:
            raise ShoeError("A card on the table was not drawn from the shoe.")
        if event.card != self._cards[self._followed]:
            number = self._before + self._followed + 1
            raise ShoeError(f"Card {number} of the shoe differs from the card dealt.")
        self._moves.append((event, self._places[self._followed]))
        self._followed += 1

    def _check_all_followed(self) -> None:
        if self._followed != self._next:
            raise ShoeError("A card drawn from the shoe is missing from the table.")

    def _bonus_of_this_round(self) -> tuple[int, ...]:
        return tuple(
            place
            for move, place in self._moves
            if type(move) is CardDealt and move.place is Place.BONUS
        )

    def _shuffle_again(self) -> None:
        """Reshuffle all cards except those on the table, Bonus Cards and burn cards."""
        self._check_all_followed()
        out = {*range(self._context.burn), *self._bonus, *_on_the_table(self._moves)}
        unshuffled = [index for index, place in enumerate(self._places) if place in out]
        pool = [index for index, place in enumerate(self._places) if place not in out]
        if not pool:
            raise OutOfCards(
                "Every card in the shoe is on the table. Use more decks or fewer spots."
            )
        words = shoe_randomness(self._context, self._seed, self._mix)
        for size in (self._context.size, *self._pools):
            words.shuffle([0] * size)  # skip the words used by earlier shuffles
        words.shuffle(pool)
        dealt = self.dealt
        order = unshuffled + pool
        self._cards = tuple(self._cards[index] for index in order)
        self._places = tuple(self._places[index] for index in order)
        self._next = self._followed = len(unshuffled)
        self._before = dealt - len(unshuffled)
        self._pools += (len(pool),)


def _on_the_table(moves: Iterable[CardMove]) -> list[int]:
    """Places of the dealer's cards, the Bonus Cards and the hands still on the table."""
    others: list[int] = []
    spots: dict[int, list[list[int]]] = {}
    try:
        for move, place in moves:
            if isinstance(move, CardDealt):
                if move.place is Place.PLAYER:
                    spots.setdefault(move.spot, [[]])[move.hand].append(place)
                else:
                    others.append(place)
            elif isinstance(move, HandSplit):
                hands = spots[move.spot]
                hands.insert(move.hand + 1, [hands[move.hand].pop()])
            else:
                spots[move.spot][move.hand].clear()
    except (KeyError, IndexError):
        raise ShoeError("The events of the round name a hand that doesn't exist.") from None
    return others + [place for hands in spots.values() for hand in hands for place in hand]


def check_on_top(context: ShoeContext, on_top: Sequence[int]) -> None:
    """Refuse prescribed cards that aren't in the shoe."""
    for card, count in Counter(on_top).items():
        available = context.decks if card in context.pack.cards else 0
        if count > available:
            raise ShoeError(
                f"The prescribed shoe begins with {card_text(card)} {count} times, but the "
                f"table's shoe has only {available}. Prescribe fewer."
            )
    if len(on_top) + context.burn > context.size:
        raise ShoeError(
            f"The prescribed shoe begins with {len(on_top)} cards, but the table's shoe "
            f"has {context.size}, and {context.burn} of those are burned. Prescribe fewer."
        )
