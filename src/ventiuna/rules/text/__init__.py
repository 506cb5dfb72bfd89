"""House rules in plain English: rule card, procedure, comparisons and references."""
