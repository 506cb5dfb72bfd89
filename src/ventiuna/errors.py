"""Error types: `VentiunaError` is the base class of every error this library raises on purpose.

An error message is one clear sentence, or one for each problem. When an error is raised, nothing
has changed. Subclasses are defined in the modules that raise them; most are also a `ValueError`.
"""

from __future__ import annotations


class VentiunaError(Exception):
    """An error that the caller can fix.

    >>> from ventiuna import rules
    >>> try:
    ...     rules("no-such-rules")
    ... except VentiunaError as error:
    ...     print(type(error).__name__)
    RulesError
    """

    place: str = ""  # position in the input, if known: `spot 2 hand 1`

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the complete error, whatever arguments its `__init__` takes."""
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
