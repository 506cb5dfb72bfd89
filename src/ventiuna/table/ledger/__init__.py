"""Money as it moves: accounts and their bounds, postings, and the hashes that chain entries."""
