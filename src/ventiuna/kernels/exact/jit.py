"""Compiling the parts of the exact kernels (see `ventiuna.kernels.jit`)."""

from ventiuna.kernels.jit import compiled_within, inlined

__all__ = ["compiled_within", "inlined"]
