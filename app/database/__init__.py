"""The database: SQLite in a file, or PostgreSQL; connections, schema, and what can go wrong."""
