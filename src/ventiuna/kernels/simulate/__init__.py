"""Compiled loops of the simulator."""
