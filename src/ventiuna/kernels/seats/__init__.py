"""Seats at tables of their own, all played one decision further at a time."""
