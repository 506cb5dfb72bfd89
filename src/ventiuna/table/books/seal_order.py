"""Which of two entries in different books came first, as far as the seals tell.

Books have no order among each other but this: a seal holds the heads of all books in one moment.
What it holds was committed before, and what it does not hold after. Clocks tell nothing here:
those of two processes may be apart, and a time can be forged like everything else in a row.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ventiuna.table.books.seals import Versions


@dataclass(slots=True)
class _Sealed:
    """One book: its versions, ascending, and the seals that had them first."""

    versions: list[int] = field(default_factory=list)
    seals: list[int] = field(default_factory=list)


class SealOrder:
    def __init__(self, seals: Iterable[tuple[int, Versions]] = ()) -> None:
        self._books: defaultdict[int, _Sealed] = defaultdict(_Sealed)
        self._next = 1
        for number, moved in seals:
            self._next = number + 1
            for book, version in moved.items():
                sealed = self._books[book]
                if not sealed.versions or version > sealed.versions[-1]:
                    sealed.versions.append(version)
                    sealed.seals.append(number)

    def first(self, book: int, version: int) -> int:
        """The first seal that has this entry; the one to come where none has."""
        sealed = self._books[book]
        place = bisect_left(sealed.versions, version)
        return sealed.seals[place] if place < len(sealed.seals) else self._next

    def before(self, book: int, seal: int) -> int:
        """The last seal before this one that was the first to have an entry of this book; or 0."""
        seals = self._books[book].seals
        place = bisect_left(seals, seal)
        return seals[place - 1] if place else 0
