"""House rules as data: presets, files, canonical strings and checks. The module is also callable.

>>> import ventiuna as vt
>>> vt.rules("wsgc-2021", decks=8).decks
8
"""

from ventiuna.package import make_callable
from ventiuna.rules.canonical import canonical, fingerprint, rules_data
from ventiuna.rules.compiled import compile_rules
from ventiuna.rules.loader import change_rules, load_file, load_rules, preset_ids, rules_from_data
from ventiuna.rules.model import (
    BlackjackPaid,
    BlackjackTie,
    BonusOrder,
    DealOrder,
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
    Problem,
    Reseed,
    Rules,
    RulesError,
    Soft17,
    Split,
    SplitAces,
    SpotsSettled,
    Surrender,
    Winners,
)
from ventiuna.rules.validation import find_warnings

__all__ = [
    "BlackjackPaid",
    "BlackjackTie",
    "BonusOrder",
    "DealOrder",
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
    "SpotsSettled",
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

make_callable(__name__)
