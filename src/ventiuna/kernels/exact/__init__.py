"""Compiled loops of the exact analyser."""
