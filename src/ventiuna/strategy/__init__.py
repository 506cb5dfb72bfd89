"""Strategies: charts, counts, built-in players and their files. The module is also callable.

>>> import ventiuna as vt
>>> vt.strategy("super-fun-21", "super-fun-21").ev < 0
True
"""

from ventiuna.package import make_callable

make_callable(__name__)
