"""Match the Dealer, jackpots, bonuses, insurance and blackjacks as exact fractions."""
