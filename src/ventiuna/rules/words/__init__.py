"""House rules in plain English: the sign at the table, the dealer's steps."""
