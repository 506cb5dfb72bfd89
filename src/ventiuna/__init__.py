"""Ventiuna: Spanish 21 and Super Fun 21, dealt, proven and explained.

The bare package needs nothing but the standard library; see the extras in pyproject.toml.
"""

__version__ = "0.1.0"
