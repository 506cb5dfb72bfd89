"""The arithmetic of every rule that decides money, decided once; meters and awards too.

Plain functions over ints, bools and two flat named tuples (`RuleTable`, `Hand`).
The engine calls them as Python; the compiled kernels hand the very same functions
to Numba. Nothing here imports anything but the standard library.
"""
