"""From exact values to the smallest good chart, and what it costs."""

from ventiuna.extras import require

require("numpy", "numba")
