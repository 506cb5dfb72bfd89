"""Live tables without HTTP. So far one person's session, without a database."""
