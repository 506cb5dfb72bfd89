"""HTTP and WebSocket server for live tables and exact analysis."""
