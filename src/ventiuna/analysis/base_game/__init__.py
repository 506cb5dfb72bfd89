"""Combinatorial analysis of the base game: house edge, hands, variance and options."""
