"""The books of a house, worked out again from their first entries and held against every row.

Nothing is taken from memory or from a row that the books could tell: commands are carried out
again by the code that carried them out, at their time, with the cards of their shoes.
"""
