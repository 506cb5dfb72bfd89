"""Server tests: real requests to a real uvicorn on this machine."""
