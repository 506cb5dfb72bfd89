"""A written reason, as every act of an operator needs one."""

from __future__ import annotations

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine import Refused

LONGEST_REASON = 200


def checked_reason(reason: str) -> str:
    text = reason.strip()
    if not text or len(text) > LONGEST_REASON or not text.isprintable():
        raise Refused(
            RefusalCode.NO_REASON,
            (),
            f"reason: say why in one line of at most {LONGEST_REASON} characters.",
        )
    return text
