"""Compiled loops: the order of play for billions of rounds and millions of compositions.

What a rule says is not here: the functions of `ventiuna.core` are compiled unchanged.
Import this package only where compiled code is needed; it loads Numba.
"""

from ventiuna.extras import require

require("numpy", "numba")
