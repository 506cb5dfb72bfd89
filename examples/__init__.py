"""Example programs to read and modify."""
