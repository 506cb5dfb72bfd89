"""Arithmetic for every rule that decides money, including meters and awards.

Plain functions over ints, bools and two flat named tuples (`RuleTable`, `Hand`). The engine calls
them as Python, and the compiled kernels pass the same functions to Numba. This package imports only
the standard library.
"""
