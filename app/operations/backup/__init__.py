"""Backups of the whole service in one file, and their restore: database, keys and content.

`manifest` says what a backup holds, `archive` writes and reads the file, `key_files` and
`content_files` say what there is beside the database, `postgresql` runs the programs of PostgreSQL.
`making` and `restoring` join them.
"""
