"""For counters: what cards are worth, counts designed and tried, bets, risk, waiting times."""
