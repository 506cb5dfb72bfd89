"""Helpers shared by several tests and benchmarks."""
