"""The rows of a table, held against those that follow from its book."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, select

from ventiuna.rules import fingerprint, rules_data
from ventiuna.table.audit.differences import Differences, Place
from ventiuna.table.audit.differences import Kind as DifferenceKind
from ventiuna.table.ledger.chain import canonical_json
from ventiuna.table.play.state import TableState
from ventiuna.table.store.rows import Value, Values
from ventiuna.table.store.schema import game_table
from ventiuna.table.writing.projection import KINDS, Kind, Rows, TableRows, rows_of

# Rows that stay when their shoe or round has ended, and the column that counts them.
_HISTORY = {"shoe": "number", "cut": "shoe", "round": "number"}


class RowCheck:
    """One table. Ended shoes and rounds are compared on the way, so that none is kept for long."""

    def __init__(self, connection: Connection, table: int, differences: Differences) -> None:
        self._connection = connection
        self._table = table
        self._differences = differences
        self._compared = {"shoe": 0, "cut": 0, "round": 0}  # up to these numbers

    def ended(self, state: TableState) -> None:
        """Compare what has ended since the last time; then the state may forget it."""
        rows = rows_of(state)
        last_shoe = max((one.shoe.number for one in state.ended_shoes), default=0)
        last_round = max((one.number for one in state.ended_rounds), default=0)
        for name, last in (("shoe", last_shoe), ("cut", last_shoe), ("round", last_round)):
            if last:
                self._compare_history(name, rows, last)
        state.ended_shoes = ()
        state.ended_rounds = ()

    def finish(self, state: TableState) -> None:
        """Everything that is left, and rows that should not be there."""
        self.ended(state)
        rows = rows_of(state)
        for kind in KINDS:
            if kind.name in _HISTORY:
                self._compare_history(kind.name, rows, None)
            else:
                self._compare(kind, rows[kind.name], self._stored(kind))
        self._compare_settings(state)

    # --- comparing ---

    def _compare_history(self, name: str, rows: TableRows, last: int | None) -> None:
        kind = next(kind for kind in KINDS if kind.name == name)
        column = kind.table.c[_HISTORY[name]]
        done = self._compared[name]
        conditions = [column > done] if done else []
        if last is not None:
            conditions.append(column <= last)
            self._compared[name] = last
        due = {
            key: values
            for key, values in rows[name].items()
            if _number(key) > done and (last is None or _number(key) <= last)
        }
        self._compare(kind, due, self._stored(kind, *conditions))

    def _stored(self, kind: Kind, *conditions: ColumnElement[bool]) -> Rows:
        columns = [kind.table.c[name] for name in (*kind.key, *kind.values)]
        width = len(kind.key)
        query = select(*columns).where(columns[0] == self._table, *conditions)
        return {
            tuple(row[:width]): tuple(row[width:]) for row in self._connection.execute(query).all()
        }

    def _compare(self, kind: Kind, due: Rows, stored: Rows) -> None:
        for key in sorted(due.keys() | stored.keys()):
            if key not in stored:
                self._tell(kind, key, "", "no row", "a row")
            elif key not in due:
                self._tell(kind, key, "", "a row", "no row")
            else:
                for name, was, follows in zip(kind.values, stored[key], due[key], strict=True):
                    if was != follows:
                        self._tell(kind, key, name, *_shown(name, was, follows))

    def _compare_settings(self, state: TableState) -> None:
        """What a table was opened with."""
        row = self._connection.execute(
            select(game_table).where(game_table.c.id == self._table)
        ).first()
        if row is None:
            return
        kind = KINDS[0]
        for name, due in (
            ("name", state.name),
            ("rules_name", state.rules.name),
            ("rules_fingerprint", fingerprint(state.rules)),
            ("rules_data", canonical_json(rules_data(state.rules))),
            ("clocks", canonical_json(dict(state.clocks.times()))),
        ):
            stored = getattr(row, name)
            if stored != due:
                self._tell(kind, (self._table,), name, repr(stored), repr(due))

    def _tell(self, kind: Kind, key: Values, column: str, stored: object, follows: object) -> None:
        numbers = " ".join(map(str, key[1:]))
        row = f"row of {kind.name} {numbers}".rstrip()
        what = f"{row}, {column}" if column else row
        self._differences.add(DifferenceKind.ROW, Place(self._table), what, stored, follows)


def _number(key: Values) -> int:
    number = key[1]
    assert isinstance(number, int), "rows of a table are numbered"
    return number


def _shown(name: str, stored: Value, follows: Value) -> tuple[str, str]:
    if name == "salt" or (name == "seed" and follows is None):
        return ("a secret that is not this shoe's" if stored is not None else "nothing"), "another"
    return _text(stored), _text(follows)


def _text(value: Value) -> str:
    if value is None:
        return "nothing"
    return value.hex() if isinstance(value, bytes) else repr(value)
