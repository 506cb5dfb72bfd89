"""Persons of a house: tokens, roles, the cashier, held seats, what each plays and learns."""
