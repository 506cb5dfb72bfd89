"""House rules as data: presets, files, canonical strings, checks. Also a function.

>>> import ventiuna as vt
>>> vt.rules("wsgc-2021", decks=8).decks
8
"""

from ventiuna.callable_room import open_as_function
from ventiuna.rules.as_data import rules_data
from ventiuna.rules.canonical import canonical, fingerprint
from ventiuna.rules.check import find_warnings
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.model import (
    BlackjackPaid,
    BlackjackTie,
    DealtFrom,
    DoubleCards,
    DoubleOn21,
    DoubleTotals,
    DownSettled,
    Envy,
    Game,
    Jackpot,
    JackpotKind,
    Player21,
    PrizeFrom,
    Reseed,
    Rules,
    Soft17,
    Split,
    SplitAces,
    Surrender,
    Winners,
)
from ventiuna.rules.reading.from_data import rules_from_data
from ventiuna.rules.reading.loading import change_rules, load_file, load_rules, preset_ids

__all__ = [
    "BlackjackPaid",
    "BlackjackTie",
    "DealtFrom",
    "DoubleCards",
    "DoubleOn21",
    "DoubleTotals",
    "DownSettled",
    "Envy",
    "Game",
    "Jackpot",
    "JackpotKind",
    "Player21",
    "PrizeFrom",
    "Problem",
    "Reseed",
    "Rules",
    "RulesError",
    "Soft17",
    "Split",
    "SplitAces",
    "Surrender",
    "Winners",
    "canonical",
    "change_rules",
    "compile_rules",
    "find_warnings",
    "fingerprint",
    "load_file",
    "load_rules",
    "preset_ids",
    "rules_data",
    "rules_from_data",
]

open_as_function(__name__)
