"""`ventiuna settle`."""
