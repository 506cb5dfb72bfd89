"""`ventiuna count …`: design, try and play counts."""
