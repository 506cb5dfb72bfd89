"""Copies of a house: made while it is open, checked at once, and put into an empty database.

The house's key is never in a copy: keep it apart. Neither are tokens: after a restore everybody
logs in again.
"""
