"""Compiled loops: the order of play for billions of rounds and millions of compositions.

What a rule says is not here: the functions of `ventiuna.core` are compiled unchanged.
Import its modules only where compiled code is needed: they load NumPy, and Numba to compile.
"""
