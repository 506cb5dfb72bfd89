"""The HTTP API, with one or more routers for each topic."""
