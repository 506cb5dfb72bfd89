"""The dealer's console: real cards keyed as they fall, and each step and each pay told."""
