"""Errors in a round: refused commands, which change nothing, and invalid data."""

from __future__ import annotations

from ventiuna.core.refusals import REASONS, RefusalCode
from ventiuna.errors import VentiunaError
from ventiuna.rules.model import Game, Rules
from ventiuna.texts import one_line

MAX_REPR_LENGTH = 40
MAX_REPR_NUMBER = 10**18
FIRST_SUPER_FUN_RULE = 103  # belong to Super Fun 21


class Refused(VentiunaError, ValueError):
    """A wager, card or action violates the rules.

    >>> from ventiuna import Round
    >>> try:
    ...     Round("wsgc-2021").wager(1)
    ... except Refused as refused:
    ...     print(refused.code, refused.rules)
    table_limits ('R-002', 'R-003')
    """

    def __init__(self, code: RefusalCode, rules: tuple[str, ...], message: str) -> None:
        self.code = code
        self.rules = rules
        self.message = message
        super().__init__(f"{message} ({', '.join(rules)})" if rules else message)


class DataError(VentiunaError, ValueError):
    """An argument isn't a valid round, event, command or shuffle."""


def quoted(value: object) -> str:
    """Format an invalid value for a message: short and on one line."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_REPR_NUMBER:
        return "a number with more than 18 digits"  # Python refuses to format the largest ones
    if isinstance(value, str | bytes):
        value = value[:MAX_REPR_LENGTH]
    elif not isinstance(value, bool | int | float | None):
        return f"a {type(value).__name__}"
    return one_line(repr(value))


def check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        raise Refused(
            RefusalCode.NOT_RULES,
            (),
            f"rules must be the result of load_rules, not {quoted(rules)}.",
        )


def refused_action(reason: int, game: Game) -> Refused:
    """Return the error for a reason code from `core`."""
    code, rules, message = REASONS[reason]
    return Refused(code, cited(rules, game), message)


def cited(rules: tuple[str, ...], game: Game) -> tuple[str, ...]:
    """Return only the rules of this game."""
    if game == Game.BLACKJACK:
        return rules
    own = []
    for rule in rules:
        letter, number = rule.split("-")
        is_super_fun = int(number) >= FIRST_SUPER_FUN_RULE
        if letter != "R" or is_super_fun == (game == Game.SUPER_FUN_21):
            own.append(rule)
    return tuple(own) or rules
