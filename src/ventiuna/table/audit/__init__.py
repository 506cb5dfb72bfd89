"""Audit of a house: its books are replayed from the first entry and compared with every row.

Nothing that follows from the books is taken from memory or from a row. The same code carries out
each command again, at its recorded time and with the cards of its shoe.
"""
