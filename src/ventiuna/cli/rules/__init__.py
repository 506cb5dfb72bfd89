"""`ventiuna rules …`."""
