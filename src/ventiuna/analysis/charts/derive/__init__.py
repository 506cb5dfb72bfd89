"""From exact values to the smallest good chart, and what it costs."""
