"""What a progressive's tables have in common: the part of their rules that decides its lines."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import DataError, Refused, shown
from ventiuna.engine.records import Data, Records
from ventiuna.engine.wagers import no_such_jackpot
from ventiuna.rules.model import JackpotKind, Rules
from ventiuna.table.ledger.chain import request_hash


@dataclass(frozen=True, slots=True)
class Settings:
    """Pay table, wager, rates, seed and reset. A table of a pay table is for one number of decks
    (R-086), so equal settings are equal hands with equal chances (WAC 230-15-685)."""

    table: str
    pay_table: int
    wager: int
    alternate: int
    prize: int | None
    prize_from: str
    seed: int
    contribution: int  # ten-thousandths of the wager
    reseed: str
    best_only: bool
    top_alone: bool

    def data(self) -> Data:
        data = _RECORDS.data(self)
        del data[_TAG]
        return data

    @property
    def hash(self) -> bytes:
        """Equal for equal settings: 32 bytes."""
        return request_hash(self.data())


_TAG = "record"
_RECORDS: Records[Settings] = Records(_TAG, (Settings,))


def settings_of(rules: Rules, game: int) -> Settings:
    """The settings of a jackpot game, numbered from 1; a house jackpot has none."""
    if not 1 <= game <= len(rules.jackpots):
        raise no_such_jackpot(rules, game)
    jackpot = rules.jackpots[game - 1]
    if jackpot.kind is not JackpotKind.PROGRESSIVE:
        raise Refused(
            RefusalCode.NOT_PROGRESSIVE,
            ("R-097", "R-098"),
            f"Jackpot {game} of these rules is a house jackpot: it has no meter to link.",
        )
    return Settings(
        table=jackpot.table,
        pay_table=jackpot.pay_table,
        wager=jackpot.wager,
        alternate=jackpot.alternate,
        prize=jackpot.prize,
        prize_from=str(jackpot.prize_from),
        seed=jackpot.seed,
        contribution=jackpot.contribution,
        reseed=str(jackpot.reseed),
        best_only=jackpot.best_only,
        top_alone=jackpot.top_alone,
    )


def settings_from_data(data: object) -> Settings:
    """The settings that `Settings.data` wrote; raises `DataError`."""
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise DataError(f"settings: give an object, not {shown(data)}.")
    return _RECORDS.read({**data, _TAG: Settings.__name__})
