"""`ventiuna house …`: everything that operators do, from a terminal."""
