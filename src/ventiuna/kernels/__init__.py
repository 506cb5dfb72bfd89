"""Compiled loops: the order of play for billions of rounds and millions of compositions.

Contains no rules: the functions in `ventiuna.core` are compiled unchanged. Import these modules
only if compiled code is needed: they load NumPy, and also Numba if they have to be compiled.
"""
