"""Tools for your own tests: round invariants, rule set conformance checks, a slow reference."""
