"""Who plays how: charts, counts, built-in players, and files of them. Also a function.

>>> import ventiuna as vt
>>> vt.strategy("super-fun-21", "super-fun-21").ev < 0
True
"""

from ventiuna.callable_room import open_as_function

open_as_function(__name__)
