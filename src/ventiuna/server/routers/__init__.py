"""The HTTP API, one router or a few for each subject."""
