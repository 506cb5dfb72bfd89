"""One round as text or JSON: read, write, replay, compare."""

from ventiuna.notation.compare import differences, has_stated_results
from ventiuna.notation.recording import record_of
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
    Step,
)
from ventiuna.notation.replay import Replay, replay
from ventiuna.notation.text import read_rounds
from ventiuna.notation.worked import (
    RefusedCase,
    read_refused_cases,
    read_worked_round,
    read_worked_rounds,
)
from ventiuna.notation.worked_data import round_data
from ventiuna.notation.writing import write_round

__all__ = [
    "HandRecord",
    "NotationError",
    "RefusedCase",
    "Replay",
    "RoundRecord",
    "SpotRecord",
    "StatedPayment",
    "Step",
    "differences",
    "has_stated_results",
    "read_refused_cases",
    "read_rounds",
    "read_worked_round",
    "read_worked_rounds",
    "record_of",
    "replay",
    "round_data",
    "write_round",
]
