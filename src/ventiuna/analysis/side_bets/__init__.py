"""Match the Dealer, jackpots, bonuses, insurance and blackjacks in exact fractions."""
