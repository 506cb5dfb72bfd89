"""For your own tests: invariants of a round, conformance of a rule set, a slow reference."""
