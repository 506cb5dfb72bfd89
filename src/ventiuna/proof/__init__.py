"""Compare engine, kernel and exact analysis: lockstep, agreement, certificate, regret, cut card."""
