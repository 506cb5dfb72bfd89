"""HTTP and WebSocket around live tables and exact analysis (extra `server`)."""

from ventiuna.extras import require

require("fastapi", "pydantic", "uvicorn", "websockets", "argon2", "prometheus_client", "numpy")
