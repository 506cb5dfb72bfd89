"""One error for every command that the rules refuse; nothing has changed when it is raised."""

from __future__ import annotations

from ventiuna.core.refusals import REASONS


class Refused(ValueError):
    """A wager, card or action against the rules."""

    def __init__(self, code: str, rules: tuple[str, ...], message: str) -> None:
        self.code = code
        self.rules = rules
        self.message = message
        super().__init__(f"{message} ({', '.join(rules)})" if rules else message)


def refused_action(reason: int) -> Refused:
    """The error for a reason code of `core`."""
    code, rules, message = REASONS[reason]
    return Refused(code, rules, message)
