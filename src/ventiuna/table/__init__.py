"""Live tables without HTTP: a house's books, fair shoes, and one person's session."""
