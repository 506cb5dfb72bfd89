"""A line of wagers such as `10 up 5 j1`, read and written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.wagers import WAGER_TITLES
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, parse_amount, plain_amount
from ventiuna.rules import Rules
from ventiuna.rules.words.facts import listed
from ventiuna.texts import one_line

NO_WAGER = ("-", "0", "none")
LONGEST_WORD = 20
_JACKPOT = re.compile(r"(?:j|jackpot)-?([0-9]?)")
_NOT_OFFERED = 1  # a cent: the engine says why there is no such jackpot


class WagerLineError(VentiunaError, ValueError):
    """A line that names no wagers."""


@dataclass(frozen=True, slots=True)
class SpotWagers:
    """The wagers of one spot; a base of 0 sits the round out."""

    base: int
    mtd: dict[str, int] = field(default_factory=dict)
    jackpots: dict[int, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not (self.base or self.mtd or self.jackpots)

    def command(self, spot: int, person: str) -> PlaceWagers:
        return PlaceWagers(spot, self.base, person, self.mtd, self.jackpots)

    def __str__(self) -> str:
        words = [plain_amount(self.base)]
        words += [f"{name} {plain_amount(amount)}" for name, amount in self.mtd.items()]
        words += [f"j{game}" for game in self.jackpots]
        return " ".join(words)


def wagers_text(wagers: list[SpotWagers]) -> str:
    """As the line that places them again."""
    if len(set(map(str, wagers))) == 1:
        return str(wagers[0])
    return " / ".join(map(str, wagers))


def parse_wagers(line: str, rules: Rules, spots: int) -> list[SpotWagers]:
    """One set of wagers for every spot, or one for each with `/` between them."""
    parts = line.split("/")
    if len(parts) == 1:
        return [_spot_wagers(line, rules)] * spots
    if len(parts) != spots:
        raise WagerLineError(
            f"There are wagers for {len(parts)} spots, and you play {spots}: write one for each "
            "with / between them, or one for all."
        )
    return [_spot_wagers(part, rules) for part in parts]


def _spot_wagers(text: str, rules: Rules) -> SpotWagers:
    words = text.replace("=", " ").replace(";", " ").lower().split()
    words = [stripped for word in words if (stripped := word.rstrip(","))]
    if not words:
        raise WagerLineError("Write the wagers of every spot, such as 10 / 25; 0 sits out.")
    if len(words) == 1 and words[0] in NO_WAGER:
        return SpotWagers(0)
    if _is_name(words[0]):
        words.insert(0, "0")  # side wagers alone: the engine says what it thinks of that
    if not re.match(r"[-+$.]?[0-9]", words[0]):
        shown = _shown(words[0])
        raise WagerLineError(f"{shown} isn't a wager. Type an amount such as 10, or help.")
    base = _amount("base wager", words[0])
    mtd: dict[str, int] = {}
    jackpots: dict[int, int] = {}
    rest = words[1:]
    while rest:
        name = rest.pop(0)
        if found := _JACKPOT.fullmatch(name):
            game = int(found[1] or 1)
            _refuse_twice(name, game in jackpots)
            jackpots[game] = _jackpot_amount(rules, game, rest)
        elif name in WAGER_TITLES:
            _refuse_twice(name, name in mtd)
            if not rest:
                raise WagerLineError(f"{name}: say how much, such as {name} 5.")
            mtd[name] = _amount(name, rest.pop(0))
        else:
            raise WagerLineError(
                f"{_shown(name)} isn't a wager. After the base wager, write {_side_wagers(rules)}."
            )
    return SpotWagers(base, mtd, jackpots)


def _refuse_twice(name: str, is_named: bool) -> None:
    if is_named:
        raise WagerLineError(f"{name} is named twice: write each wager once.")


def _jackpot_amount(rules: Rules, game: int, rest: list[str]) -> int:
    """The fixed wager of the game, unless the line names another amount."""
    if rest and re.match(r"[-$]?[0-9]", rest[0]):
        return _amount(f"jackpot {game}", rest.pop(0))
    if 1 <= game <= len(rules.jackpots):
        return rules.jackpots[game - 1].wager
    return _NOT_OFFERED


def _is_name(word: str) -> bool:
    return word in WAGER_TITLES or _JACKPOT.fullmatch(word) is not None


def _amount(what: str, word: str) -> int:
    try:
        return parse_amount(word)
    except MoneyError as error:
        raise WagerLineError(f"{what}: {one_line(str(error))}.") from None


def _shown(word: str) -> str:
    return one_line(repr(word[:LONGEST_WORD]))


def _side_wagers(rules: Rules) -> str:
    """The words of the other wagers that this table offers."""
    words = [f"{name} 5" for name in rules.mtd_wagers]
    words += [f"j{game}" for game in range(1, len(rules.jackpots) + 1)]
    return listed(words, "or") or "nothing at this table"
