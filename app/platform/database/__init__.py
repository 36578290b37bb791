"""The database: SQLite in a file, or PostgreSQL; connections, schema, backups and errors."""
