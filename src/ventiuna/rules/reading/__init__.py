"""From files, names and canonical strings to checked rules."""
