"""For tests, benchmarks and other people's tests: invariants, conformance, slow references."""
