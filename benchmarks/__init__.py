"""Speed as figures with their machine.

`python -m benchmarks` runs every module here that has a function `measure(quick) -> figures`;
a new room of the package adds a module of its own.
"""
