"""One round as text or JSON: read, write, replay, compare."""

from ventiuna.notation.claims import differences, has_stated_results
from ventiuna.notation.json_format import (
    RefusedCase,
    read_refused_cases,
    round_from_data,
    rounds_from_data,
)
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RecordedAction,
    RoundRecord,
    SpotRecord,
    StatedPayment,
)
from ventiuna.notation.replay import Replay, replay
from ventiuna.notation.text import read_rounds
from ventiuna.notation.writer import record_of, round_data, write_round

__all__ = [
    "HandRecord",
    "NotationError",
    "RecordedAction",
    "RefusedCase",
    "Replay",
    "RoundRecord",
    "SpotRecord",
    "StatedPayment",
    "differences",
    "has_stated_results",
    "read_refused_cases",
    "read_rounds",
    "record_of",
    "replay",
    "round_data",
    "round_from_data",
    "rounds_from_data",
    "write_round",
]
