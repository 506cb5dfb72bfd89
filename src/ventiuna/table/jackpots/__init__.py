"""A house's jackpots: progressives, which hold players' money, and house jackpots."""
