"""Builds, what is in them, and whether they work where nothing else is installed."""
