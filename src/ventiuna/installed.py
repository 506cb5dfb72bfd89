"""Which version of this library is installed; the build has taken it from git."""

from __future__ import annotations


def version() -> str:
    """
    >>> version()[0].isdigit()
    True
    """
    from importlib import metadata

    try:
        return metadata.version("ventiuna")
    except metadata.PackageNotFoundError:
        return "0+unknown"  # a copy of the source that nobody installed
