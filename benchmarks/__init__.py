"""Speed figures, reported with the machine they were measured on.

`python -m benchmarks` runs every module here that has a function `measure(quick) -> figures`; a new
package gets its own module.
"""
