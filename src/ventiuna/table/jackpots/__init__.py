"""Jackpots of a house: progressives, which are the players' money, and house jackpots."""
