"""The base game by combinatorial analysis: house edge, hands, variance and options."""
