"""Build releases, list their contents, and test them in clean environments."""
