"""A table as people may see it: its views, its events and what it asks, in sentences."""
