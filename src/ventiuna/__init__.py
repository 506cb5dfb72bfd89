"""Ventiuna: Spanish 21 and Super Fun 21, dealt, proven and explained.

The bare package needs nothing but the standard library; see the extras in pyproject.toml.
The names below are loaded when they are first used, so `import ventiuna` itself is quick.
"""

TYPE_CHECKING = False  # as type checkers know it; `typing` itself takes longer than all of this
if TYPE_CHECKING:
    from ventiuna.cards import card_text, parse_card, parse_cards
    from ventiuna.compiling import warm_up
    from ventiuna.engine import (
        Refused,
        RoundState,
        Shoe,
        commands,
        events,
        execute,
        finish_round,
        options,
        view,
        waiting_for,
    )
    from ventiuna.errors import MissingExtra, VentiunaError
    from ventiuna.money import money_text, parse_amount
    from ventiuna.notation import read_rounds, record_of, replay, write_round
    from ventiuna.rules import (
        Rules,
        RulesError,
        canonical,
        fingerprint,
        load_rules,
        preset_ids,
        rules_data,
        rules_from_data,
    )

    __version__: str

_ROOMS = {
    "ventiuna.compiling": ("warm_up",),
    "ventiuna.cards": ("card_text", "parse_card", "parse_cards"),
    "ventiuna.engine": (
        "Refused",
        "RoundState",
        "Shoe",
        "commands",
        "events",
        "execute",
        "finish_round",
        "options",
        "view",
        "waiting_for",
    ),
    "ventiuna.errors": ("MissingExtra", "VentiunaError"),
    "ventiuna.money": ("money_text", "parse_amount"),
    "ventiuna.notation": ("read_rounds", "record_of", "replay", "write_round"),
    "ventiuna.rules": (
        "Rules",
        "RulesError",
        "canonical",
        "fingerprint",
        "load_rules",
        "preset_ids",
        "rules_data",
        "rules_from_data",
    ),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "MissingExtra",
    "Refused",
    "RoundState",
    "Rules",
    "RulesError",
    "Shoe",
    "VentiunaError",
    "canonical",
    "card_text",
    "commands",
    "events",
    "execute",
    "fingerprint",
    "finish_round",
    "load_rules",
    "money_text",
    "options",
    "parse_amount",
    "parse_card",
    "parse_cards",
    "preset_ids",
    "read_rounds",
    "record_of",
    "replay",
    "rules_data",
    "rules_from_data",
    "view",
    "waiting_for",
    "warm_up",
    "write_round",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return _version()
    from importlib import import_module

    room = _HOME.get(name)
    if room is None:
        raise AttributeError(f"module 'ventiuna' has no attribute {name!r}")
    return getattr(import_module(room), name)


def _version() -> str:
    """What is installed; the build has taken it from git."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ventiuna")
    except PackageNotFoundError:
        return "0+unknown"  # a copy of the source that nobody installed


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, "__version__"])
