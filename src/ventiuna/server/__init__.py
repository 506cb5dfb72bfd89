"""HTTP and WebSocket around live tables and exact analysis."""
