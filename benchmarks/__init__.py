"""Performance figures, reported with the machine on which they were measured.

`python -m benchmarks` runs every module here that has a function `measure(quick) -> figures`; a new
package gets its own module.
"""
