"""The base game by combinatorial analysis: its edge, every hand, its spread, each option."""
