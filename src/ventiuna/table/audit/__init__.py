"""Audits a house: replays its books from the first entry and compares the results with every row.

The audit derives everything it can from the books, never from memory or from a row. It repeats each
command with the same code, at its recorded time and with its shoe's cards.
"""
