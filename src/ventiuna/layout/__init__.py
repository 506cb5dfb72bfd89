"""What is printed on the felt of a table (R-004): drawn from its rules, for screens and paper."""

from ventiuna.layout.printing import layout
from ventiuna.layout.records import Layout

__all__ = ["Layout", "layout"]
