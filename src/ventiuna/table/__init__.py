"""Live tables without HTTP: the books of a house, fair shoes, and one person's session."""
