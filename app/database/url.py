"""Parsing and validation of DATABASE_URL."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

SQLITE = "sqlite:///"
DEFAULT_URL = f"{SQLITE}var/majlis.db"
_POSTGRESQL = ("postgresql", "postgres")
_ALLOWED = "use sqlite:///path/to/file.db or postgresql://user:password@host/database"


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite URL, or None for a PostgreSQL URL.

    >>> str(sqlite_file("sqlite:///var/majlis.db")), sqlite_file("postgresql://host/name")
    ('var/majlis.db', None)
    """
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def checked_url(url: str) -> str:
    """Return the URL; raises ValueError unless it names an SQLite file or a PostgreSQL server.

    >>> checked_url("mysql://host/name")
    Traceback (most recent call last):
    ValueError: use sqlite:///path/to/file.db or postgresql://user:password@host/database
    """
    if url.startswith(SQLITE):
        if url == SQLITE or ":memory:" in url:
            raise ValueError(f"{_ALLOWED}; a database in memory is not supported")
    elif urlsplit(url).scheme not in _POSTGRESQL:
        raise ValueError(_ALLOWED)
    return url
