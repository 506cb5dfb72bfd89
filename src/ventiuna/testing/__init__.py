"""For your own tests: round invariants, conformance checks of a rule set, a slow reference."""
