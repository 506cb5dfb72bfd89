"""The HTTP API, with at least one router for each topic."""
