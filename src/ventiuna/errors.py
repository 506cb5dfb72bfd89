"""One family of errors: whoever catches `VentiunaError` catches all that this library raises.

An error is one clear sentence, or one for each thing that is wrong. Nothing has changed when it
is raised. The members live beside what they speak of; most are a `ValueError` as well.
"""

from __future__ import annotations


class VentiunaError(Exception):
    """What the caller can mend.

    >>> from ventiuna import rules
    >>> try:
    ...     rules("no-such-rules")
    ... except VentiunaError as error:
    ...     print(type(error).__name__)
    RulesError
    """

    place: str = ""  # of what was read, where that is known: `spot 2 hand 1`

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel between processes whole, whatever their makers ask for."""
        return _rebuild_error, (type(self), self.args), self.__dict__


def _rebuild_error(kind: type[VentiunaError], args: tuple[object, ...]) -> VentiunaError:
    return kind.__new__(kind, *args)


class MissingExtra(VentiunaError, ImportError):
    """An optional library isn't installed.

    >>> print(MissingExtra("gymnasium", "envs"))
    This needs gymnasium, which isn't installed: pip install 'ventiuna[envs]'.
    """

    def __init__(self, library: str, extra: str, instead: str = "") -> None:
        self.library = library
        self.extra = extra
        otherwise = f", or {instead}" if instead else ""
        super().__init__(
            f"This needs {library}, which isn't installed: "
            f"pip install 'ventiuna[{extra}]'{otherwise}.",
            name=library,
        )
