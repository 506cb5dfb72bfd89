"""Stores a house: SQLite in one file, or PostgreSQL for several processes and machines.

PostgreSQL needs psycopg (extra `postgres`).
"""
