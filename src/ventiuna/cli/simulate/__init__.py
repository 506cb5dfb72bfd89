"""`ventiuna simulate`."""
