"""Where a house is kept: SQLite in one file, or PostgreSQL for several processes and machines.

All of it needs SQLAlchemy and Alembic (extra `table`), PostgreSQL psycopg besides (`postgres`).
"""

from ventiuna.extras import require

require("sqlalchemy", "alembic")
