"""DATABASE_URL: which database it names, and whether it names one at all."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

SQLITE = "sqlite:///"
DEFAULT_URL = f"{SQLITE}var/majlis.db"
_POSTGRESQL = ("postgresql", "postgres")
_ALLOWED = "write sqlite:///path/to/file.db or postgresql://user:password@host/database"


def sqlite_file(url: str) -> Path | None:
    """The file of an SQLite URL, None where the URL names a PostgreSQL database.

    >>> str(sqlite_file("sqlite:///var/majlis.db")), sqlite_file("postgresql://host/name")
    ('var/majlis.db', None)
    """
    return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None


def checked_url(url: str) -> str:
    """The URL itself; raises ValueError where it names neither a file nor a PostgreSQL server.

    >>> checked_url("mysql://host/name")
    Traceback (most recent call last):
    ValueError: write sqlite:///path/to/file.db or postgresql://user:password@host/database
    """
    if url.startswith(SQLITE):
        if url == SQLITE or ":memory:" in url:
            raise ValueError(f"{_ALLOWED}; leads are not kept in memory")
    elif urlsplit(url).scheme not in _POSTGRESQL:
        raise ValueError(_ALLOWED)
    return url
