"""Strategy for people: charts derived, priced, written and printed."""
