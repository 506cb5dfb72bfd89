"""What an audit finds: where it is, what is stored there, and what follows from the books."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

MOST_KEPT = 1000  # differences; those beyond are counted
LONGEST = 2000  # characters of a value; a forged one may have millions


class Kind(StrEnum):
    CHAIN = "chain"  # an entry that is not what was hashed, or not in its place
    COMMAND = "command"  # one that can't be carried out as it is stored
    EVENT = "event"
    POSTING = "posting"
    BALANCE = "balance"
    ROW = "row"
    SHOE = "shoe"
    SEAL = "seal"
    JACKPOT = "jackpot"  # one of the seven invariants
    GUARD = "guard"  # what keeps the database from bad states


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the books."""

    book: int | None = None
    version: int | None = None

    def __str__(self) -> str:
        if self.book is None:
            return "The house"
        version = "" if self.version is None else f", version {self.version}"
        return f"Book {self.book}{version}"


@dataclass(frozen=True, slots=True)
class Difference:
    kind: Kind
    place: Place
    what: str  # event 17, seat 3, wallet/12
    stored: str
    follows: str

    def __str__(self) -> str:
        stored, follows = self.stored.rstrip("."), self.follows.rstrip(".")
        return f"{self.place}, {self.what}: stored is {stored}; what follows: {follows}."

    def data(self) -> dict[str, object]:
        return {
            "kind": str(self.kind),
            "book": self.place.book,
            "version": self.place.version,
            "what": self.what,
            "stored": self.stored,
            "follows": self.follows,
        }


@dataclass(slots=True)
class Differences:
    """All of them are counted, the first thousand kept."""

    kept: list[Difference] = field(default_factory=list)
    counts: Counter[Kind] = field(default_factory=Counter)

    def add(self, kind: Kind, place: Place, what: str, stored: object, follows: object) -> None:
        self.counts[kind] += 1
        if len(self.kept) < MOST_KEPT:
            self.kept.append(Difference(kind, place, what, _cut(stored), _cut(follows)))

    @property
    def total(self) -> int:
        return self.counts.total()


def _cut(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
