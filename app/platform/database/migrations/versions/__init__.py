"""The migrations, named after the tables that they create; alembic loads them from here."""
