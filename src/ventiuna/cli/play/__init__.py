"""`ventiuna play`: a table in the terminal."""
