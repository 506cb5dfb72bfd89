"""Where a house is kept: SQLite in one file, or PostgreSQL for several processes and machines.

PostgreSQL needs psycopg (extra `postgres`).
"""
