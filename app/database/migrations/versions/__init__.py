"""The steps, each named for the tables it makes; alembic reads them from this folder."""
