"""The server, by real requests to a real uvicorn on this machine."""
