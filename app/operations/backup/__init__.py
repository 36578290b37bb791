"""Backups of the whole service in one file, and their restore: database, keys and content."""
